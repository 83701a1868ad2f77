package testfailure_test

import (
	"testing"

	"github.com/heddle-go/heddle/analysistest"
	"github.com/heddle-go/heddle/passes/testfailure"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), testfailure.Analyzer, "./...")
}
