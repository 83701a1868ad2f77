package panics_test

import (
	"testing"

	"github.com/heddle-go/heddle/analysistest"
	"github.com/heddle-go/heddle/passes/panics"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), panics.Analyzer, "./...")
}
