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

	// Slots, if not nil, has entries explored side by side. Began and Settled are then called by several goroutines.
	Slots *Slots
	// Order is where the package stands in the order of the run: entries of packages with a smaller one come first.
	Order int64
	// Next, if not nil, returns a watcher for what is told next. What others tell after that call comes after it,
	// whenever they do. end is called when all is told.
	Next func() (w Watcher, end func())

	// Past says that the code is that of another version. Then neither the cache, a baseline nor NewSince is asked, and
	// no fix is looked for.
	Past bool

	fset *token.FileSet // of the pass
}

// Run is what Analyzer does, with a watcher.
func Run(pass *analysis.Pass, w Watcher) (any, error) {
	res, rest := Begin(pass, w)
	rest.Turns(w)
	rest.Finish(w)
	return res, nil
}

// A Rest is what is left of an exploration after the first turns of entries.
type Rest struct {
	turns, finish func(Watcher)
	report        func()
}

// Turns explores the entries that wait for their second turn.
func (r *Rest) Turns(w Watcher) {
	if r.turns != nil {
		r.turns(w)
	}
}

// Finish does what is to be done when all entries are explored.
func (r *Rest) Finish(w Watcher) {
	if r.finish != nil {
		r.finish(w)
	}
	r.report()
}

// Begin does what Run does, up to the second turns of entries.
func Begin(pass *analysis.Pass, w Watcher) (res *Result, rest *Rest) {
	w.fset = pass.Fset
	rest = new(Rest)
	res = explorePackage(pass.ResultOf[closure.Analyzer].(*closure.Result), w, rest)
	rest.report = func() { res.ReportEntries(pass) }
	return res, rest
}

// next is Next.
func (w *Watcher) next() (one Watcher, end func()) {
	if w.Next == nil {
		return *w, func() {}
	}
	one, end = w.Next()
	one.fset = w.fset
	return one, end
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
