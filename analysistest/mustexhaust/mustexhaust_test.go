package mustexhaust_test

import (
	"testing"

	"github.com/heddle-go/heddle/analysistest"
	"github.com/heddle-go/heddle/analysistest/mustexhaust"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), mustexhaust.Analyzer, "./...")
}
