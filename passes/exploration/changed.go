package exploration

import (
	"cmp"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/plain"
	"github.com/heddle-go/heddle/mcrs/verdict"
	"github.com/heddle-go/heddle/passes/closure"
)

// This file looks at changed code once more, where an entry has reached a limit and it is known what has changed
// (NewSince). The explorer pairwise then goes through changed code with one other goroutine at a time, with a quarter
// of the entry's limits on top. Its findings are added. The cache keeps the result without them: what has changed is
// not in its key.

// pairsOf is the part of an entry's limits that pairs have.
const pairsOf = 4

// pairsDone is what is said of an entry whose pairs were all explored.
const pairsDone = "changed code was explored with one other goroutine at a time (-explorer=pairwise)"

// hasLimit reports whether a result is that of the default explorer, and incomplete for a limit.
func (e *EntryResult) hasLimit() bool {
	if e.failed || e.Result.Interrupted || flags.explorer != "" && flags.explorer != "union" || flags.model != event.SC.String() {
		return false
	}
	return slices.Contains([]verdict.Kind{verdict.Sampled, verdict.Within, verdict.Complete}, e.Result.Kind())
}

// alsoPairs returns the result of an entry with what pairs show.
func alsoPairs(c *closure.Result, t target, e entry, w Watcher, at explore.Place, out EntryResult) EntryResult {
	if NewSince == nil || w.Past || e.sequential || !out.hasLimit() {
		return out
	}
	leaks, err := explore.ParseLeaks(flags.leaks)
	if err != nil {
		return out // exploreEntry has told it
	}
	lim := limitsOf(specialOf(c, e), e)
	lim.Executions = max(1, cmp.Or(lim.Executions, explore.DefaultExecutions)/pairsOf)
	lim.Events = max(1, cmp.Or(lim.Events, explore.DefaultEvents)/pairsOf)
	lim.Work, lim.Stop = max(1, limitOfWork(c, e)/pairsOf), w.Stop
	if w.Progress != nil {
		lim.Progress = func(p explore.Progress) { w.Progress(at, p) }
	}
	x := &plain.Pairwise{Changed: changedIn(t)}
	var more *explore.Result
	if protect(func() error { more = x.Explore(leaks.Leaking(t.machine(e)), lim); return nil }) != nil || more.Interrupted {
		return out // of a fault exploreEntry would have told; this is on top
	}
	w.Turns.use(more.Stats.Work)
	res := *out.Result
	res.Findings = append(slices.Clone(res.Findings), more.Findings...)
	if x.Pairs > 0 && more.Reason == plain.OnlyPairs {
		if res.Then != "" {
			res.Then += "; "
		}
		res.Then += pairsDone
	}
	out.Result, out.pairs = &res, true
	out.distinct()
	return out
}

// changedIn returns what reports whether the operation at a site is one of changed code. It is for the goroutine that
// executes: a scheduler asks it, and a target's own Position would wait for the execution to end.
func changedIn(t target) func(event.Site) bool {
	position := t.Position
	if t, ok := t.(*programTarget); ok {
		position = t.Machine.Position
	}
	known := map[event.Site]bool{}
	return func(s event.Site) bool {
		yes, ok := known[s]
		if !ok {
			yes = NewSince.Changed(position(s))
			known[s] = yes
		}
		return yes
	}
}
