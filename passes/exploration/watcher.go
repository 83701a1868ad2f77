package exploration

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/passes/closure"
)

// This file lets a driver watch an exploration, and end it. Under go vet nobody does.

// A Watcher is told of an exploration as it goes on. Fields that are nil are not called.
type Watcher struct {
	// Began is called before the first entry of a package, with the names of those that will be explored.
	Began func(r *Result, entries []string)
	// Progress is called after each execution.
	Progress func(at explore.Place, p explore.Progress)
	// Settled is called with each entry when its result stands, in order.
	Settled func(r *Result, e *EntryResult)
	// Stop ends the exploration of the entry that is at work, and leaves out those that follow.
	Stop *explore.Stop
	// Turns, if not nil, has entries take turns.
	Turns *Turns

	fset *token.FileSet // of the pass
}

// Run is what Analyzer does, with a watcher.
func Run(pass *analysis.Pass, w Watcher) (any, error) {
	res, finish := Begin(pass, w)
	finish()
	return res, nil
}

// Begin does what Run does, up to the second turns of entries. finish does the rest.
func Begin(pass *analysis.Pass, w Watcher) (res *Result, finish func()) {
	w.fset = pass.Fset
	res, rest := explorePackage(pass.ResultOf[closure.Analyzer].(*closure.Result), w)
	return res, func() {
		if rest != nil {
			rest()
		}
		res.ReportEntries(pass)
	}
}

// began tells that the entries of a package are going to be explored.
func (w *Watcher) began(r *Result, entries []entry) {
	if w.Began == nil || len(entries) == 0 {
		return
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.name)
	}
	w.Began(r, names)
}

// settled notes the result of an entry, and tells of it.
func (w *Watcher) settled(r *Result, index int, e EntryResult) {
	r.Entries[index] = e
	if w.Settled != nil {
		w.Settled(r, &r.Entries[index])
	}
}

// leftOut reports whether an entry is not to be begun any more, and notes that in its result.
func (w *Watcher) leftOut(e *EntryResult) bool {
	if w.Stop.Asked() {
		e.leaveOut(explore.Interrupted)
		e.Result.Interrupted = true
		return true
	}
	if w.Turns.over() {
		e.leaveOut("the budget of the run is used up (-budget)")
		return true
	}
	return false
}

// leaveOut notes that an entry is not explored, and why.
func (e *EntryResult) leaveOut(reason string) {
	e.Result, e.failed = &explore.Result{Verdict: explore.Incomplete, Reason: reason}, true
}

// Interrupted reports whether entries are incomplete because the exploration was asked to end.
func (r *Result) Interrupted() bool {
	return slices.ContainsFunc(r.Entries, func(e EntryResult) bool { return e.Result.Interrupted })
}
