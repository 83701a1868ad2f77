package livelock_test

import (
	"testing"

	"github.com/heddle-go/heddle/analysistest"
	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/passes/livelock"
)

func Test(t *testing.T) {
	defer exploration.Analyzer.Flags.Set("limit.events", "0")
	if err := exploration.Analyzer.Flags.Set("limit.events", "20000"); err != nil { // one test goes on up to it
		t.Fatal(err)
	}
	analysistest.Run(t, analysistest.TestData(), livelock.Analyzer, long.Pick("./a", "./..."))
}
