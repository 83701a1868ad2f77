package exploration

import (
	"cmp"
	"math"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/aimed"
	"github.com/heddle-go/heddle/mcrs/explore/plain"
	"github.com/heddle-go/heddle/mcrs/verdict"
	"github.com/heddle-go/heddle/passes/closure"
)

// This file looks at changed code once more, where an entry has reached a limit and it is known what has changed
// (NewSince). Package aimed samples schedules in which goroutines are held up in changed code, and the explorer
// pairwise goes through changed code with one other goroutine at a time; both have a part of the entry's limits on
// top. Their findings are added. The cache keeps the result without them: what has changed is not in its key.

// aimedOf and pairsOf are the parts of an entry's limits that samples and pairs have.
const (
	aimedOf = 8
	pairsOf = 4
)

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

// alsoChanged returns the result of an entry with what is shown by looking at changed code once more.
func alsoChanged(c *closure.Result, t target, e entry, w Watcher, at explore.Place, out EntryResult) EntryResult {
	if NewSince == nil || w.Past || e.sequential || !out.hasLimit() {
		return out
	}
	leaks, err := explore.ParseLeaks(flags.leaks)
	if err != nil {
		return out // exploreEntry has told it
	}
	m := leaks.Leaking(t.machine(e))
	changed, all := changedIn(c, t)
	res := *out.Result
	res.Findings = slices.Clone(res.Findings)
	look := func(x explore.Explorer, of int) *explore.Result {
		lim := limitsOf(specialOf(c, e), e)
		// The limits of executions and events are those that are set. By default the one of work is enough: a part of
		// the others has room for one execution of a large entry.
		lim.Executions, lim.Events = max(1, cmp.Or(lim.Executions, math.MaxInt)/of), max(1, cmp.Or(lim.Events, math.MaxInt)/of)
		lim.Work, lim.Stop = max(1, limitOfWork(c, e)/int64(of)), w.Stop
		if w.Progress != nil {
			lim.Progress = func(p explore.Progress) { w.Progress(at, p) }
		}
		var more *explore.Result
		if protect(func() error { more = x.Explore(m, lim); return nil }) != nil || more.Interrupted {
			return nil // of a fault exploreEntry would have told; this is on top
		}
		w.Turns.use(more.Stats.Work)
		res.Findings = append(res.Findings, more.Findings...)
		return more
	}
	if look(&aimed.Explorer{Changed: changed}, aimedOf) == nil {
		return out
	}
	x := &plain.Pairwise{Changed: changed}
	more := look(x, pairsOf)
	if more == nil {
		return out
	}
	if x.Pairs > 0 && more.Reason == plain.OnlyPairs && all {
		if res.Then != "" {
			res.Then += "; "
		}
		if res.Then += pairsDone; x.Timers {
			res.Then += notEarly
		}
	}
	out.Result, out.changed = &res, true
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
