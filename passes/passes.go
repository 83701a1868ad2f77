// Package passes lists Heddle's analyzers. Each check has a folder of its own
// with its documentation in doc.go; closure and exploration are what the checks
// stand on.
package passes

import (
	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/passes/datarace"
	"github.com/heddle-go/heddle/passes/deadlock"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/passes/goroutineleak"
	"github.com/heddle-go/heddle/passes/livelock"
	"github.com/heddle-go/heddle/passes/panics"
	"github.com/heddle-go/heddle/passes/robustness"
	"github.com/heddle-go/heddle/passes/testfailure"
)

// All are the analyzers that a driver runs: the checks, and exploration, which
// reports what the checks cannot know of (faults of Heddle itself and, when asked,
// entries that were not explored to the end).
var All = []*analysis.Analyzer{
	datarace.Analyzer,
	deadlock.Analyzer,
	exploration.Analyzer,
	goroutineleak.Analyzer,
	livelock.Analyzer,
	panics.Analyzer,
	robustness.Analyzer,
	testfailure.Analyzer,
}
