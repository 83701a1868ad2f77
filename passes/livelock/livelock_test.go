package livelock_test

import (
	"testing"

	"github.com/heddle-go/heddle/analysistest"
	"github.com/heddle-go/heddle/passes/livelock"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), livelock.Analyzer, "./...")
}
