package datarace_test

import (
	"testing"

	"github.com/heddle-go/heddle/analysistest"
	"github.com/heddle-go/heddle/passes/datarace"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), datarace.Analyzer, "./...")
}
