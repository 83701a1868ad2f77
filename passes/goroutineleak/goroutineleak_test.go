package goroutineleak_test

import (
	"testing"

	"github.com/heddle-go/heddle/analysistest"
	"github.com/heddle-go/heddle/passes/goroutineleak"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), goroutineleak.Analyzer, "./...")
}
