package exploration

import (
	"strings"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/report"
)

// This file is about entries of programs that start no goroutine. Such an entry may still wait for ever: for a lock
// that it holds itself, or on a channel on which nobody sends. That is a deadlock. So entries that could come to wait
// are run, with a small budget. Their deadlocks and fatal errors are reported; a plain run of the test shows all other
// findings better. Entries that cannot wait are not run: nothing can happen in them but what `go test` shows.

// sequentialLimits is what one such entry may take, unless a flag says otherwise.
var sequentialLimits = explore.Limits{Executions: 100, Events: 100_000, Steps: 5_000_000}

// onlyStuck drops what a plain run of a sequential test shows better.
func onlyStuck(r *explore.Result) {
	kept := r.Findings[:0]
	for _, f := range r.Findings {
		if f.Category == report.Deadlock || f.Category == report.Internal ||
			f.Category == report.Panics && f.Witness != nil && strings.HasPrefix(f.Witness.Panic, "fatal error: ") {
			kept = append(kept, f)
		}
	}
	r.Findings = kept
}
