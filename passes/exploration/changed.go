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

// pairsDone is what is said of an entry whose pairs were all explored, where nothing but functions has changed. Where
// timers could have fired early, notEarly comes after it.
const (
	pairsDone = "changed functions, where they were reached, were explored with one other goroutine at a time (-explorer=pairwise)"
	notEarly  = ", in schedules in which no timer fires early"
)

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
	changed, all := changedIn(c, t)
	x := &plain.Pairwise{Changed: changed}
	var more *explore.Result
	if protect(func() error { more = x.Explore(leaks.Leaking(t.machine(e)), lim); return nil }) != nil || more.Interrupted {
		return out // of a fault exploreEntry would have told; this is on top
	}
	w.Turns.use(more.Stats.Work)
	res := *out.Result
	res.Findings = append(slices.Clone(res.Findings), more.Findings...)
	if x.Pairs > 0 && more.Reason == plain.OnlyPairs && all {
		if res.Then != "" {
			res.Then += "; "
		}
		if res.Then += pairsDone; x.Timers {
			res.Then += notEarly
		}
	}
	out.Result, out.pairs = &res, true
	out.distinct()
	return out
}

// changedIn returns what reports whether the operation at a site is one of changed code. It is for the goroutine that
// executes: a scheduler asks it, and a target's own Position would wait for the execution to end. all says that nothing
// but functions has changed, and that all which have are known.
func changedIn(c *closure.Result, t target) (at func(event.Site) bool, all bool) {
	position, changed := t.Position, NewSince.Changed
	if t, ok := t.(*programTarget); ok {
		position = t.Machine.Position
		changed, all = NewSince.Functions(c.Recipe, t.prog)
	}
	known := map[event.Site]bool{}
	return func(s event.Site) bool {
		yes, ok := known[s]
		if !ok {
			yes = changed(position(s))
			known[s] = yes
		}
		return yes
	}, all
}
