package deadlock_test

import (
	"testing"

	"github.com/heddle-go/heddle/analysistest"
	"github.com/heddle-go/heddle/passes/deadlock"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), deadlock.Analyzer, "./...")
}
