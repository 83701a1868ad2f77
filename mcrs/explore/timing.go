package explore

import (
	"fmt"
	"slices"

	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file explores an entry under both regimes of virtual time (docs/machine.md, "Time").

// A Timing says what becomes of the second regime of time, in which timers fire though goroutines could still run.
type Timing string

const (
	// TimingOff: the second regime is not explored.
	TimingOff Timing = "off"
	// TimingStructural: an execution in which a timer fired early and which the program's own checks then reject is
	// dropped: see ownTimeout. It is the default.
	TimingStructural Timing = "structural"
	// TimingAll: every execution counts.
	TimingAll Timing = "all"
)

// ParseTiming returns the Timing of a name; "" is the default.
func ParseTiming(s string) (Timing, error) {
	switch t := Timing(s); t {
	case "":
		return TimingStructural, nil
	case TimingOff, TimingStructural, TimingAll:
		return t, nil
	}
	return "", fmt.Errorf("unknown timing %q: want %s, %s or %s", s, TimingOff, TimingStructural, TimingAll)
}

// timingShare is the part of each limit that the second regime has at least, on top of what the first has used. So has
// each of the two that may come after it (onTop).
const timingShare = 4

// afterFirst returns the limits of the second regime: what the first has left of each, and at least a part of it. So
// where the first is small, the two together take what an entry may take.
func (l Limits) afterFirst(used *Stats) Limits {
	l = l.withDefaults()
	l.Executions = max(1, l.Executions/timingShare, l.Executions-used.Executions)
	l.Events = max(1, l.Events/timingShare, l.Events-used.Shared)
	l.Work = max(1, l.Work/timingShare, l.Work-used.Work)
	l.noBounds = true
	return l
}

// ExploreRegimes explores m with explorers that next makes: under the first regime of time, and, unless t is TimingOff,
// under the second, and where that has no room under parts of it (climb). The second is left out if no execution of the
// first had a timer pending while a goroutine could run: then both have the same executions. Findings of the second
// regime that the first has too are left out. If the second is not explored to its end, or drops executions like some
// of the first, the first is explored once more for what was left to the second (lookedBack).
func ExploreRegimes(next func() Explorer, m sched.Machine, lim Limits, t Timing) *Result {
	watch := &timerWatch{Machine: m}
	first := lim
	first.timersLater = t != TimingOff
	res := exploreClocks(next, watch, first)
	if res == nil {
		return nil
	}
	res.timers = watch.timers
	if t == TimingOff || !watch.timers {
		return res.conclude()
	}
	second := exploreClocks(next, InTimingRegime(m, t), lim.afterFirst(&res.Stats))
	if second == nil {
		return nil
	}
	drops := t == TimingStructural && watch.rejected // what an execution of the first regime shows as well
	if all := res.Verdict == Exhausted; merge(res, second).Verdict == Exhausted && !drops || !all || res.Interrupted {
		return res.conclude()
	}
	if res.FirstDone && res.aside.refused == nil {
		climb(res, next, InTimingRegime(m, t), lim)
		if res.Interrupted {
			return res.conclude()
		}
	}
	third := exploreClocks(next, m, lim.onTop())
	if third == nil {
		return nil
	}
	return lookedBack(res, third).conclude()
}

// climb explores parts of the second regime, where it is too large as a whole and the first has come to its end. A job
// that runs each second, in a goroutine of its own, has sixteen of these at once where all firings may be early. What
// comes of one that is early takes few.
//
//	EARLY1  In the first part only the first firing of an execution, and the first sleep of each goroutine, may be
//	        early, then the first two, the first four, and so on, as long as a part is exhausted and the share lasts.
//	        Result.Early is the largest that is. Each part has all executions of those before.
func climb(res *Result, next func() Explorer, m sched.Machine, lim Limits) {
	left := lim.onTop()
	for most := 1; most < sched.EarlyMost; most *= 2 {
		part := exploreClocks(next, BoundEarly(m, most), left)
		if part == nil {
			return
		}
		res.Findings = withNew(res.Findings, part.Findings, func(f *report.Finding) { f.Timing, f.EarlyMost = true, most })
		res.join(part)
		left.Executions, left.Events, left.Work = left.Executions-part.Stats.Executions, left.Events-part.Stats.Shared, left.Work-part.Stats.Work
		if part.Verdict != Exhausted {
			return
		}
		if res.Early = most; left.Executions <= 0 || left.Events <= 0 || left.Work <= 0 {
			return
		}
	}
}

// onTop returns the limits of what is explored beside the two regimes: a part of each.
func (l Limits) onTop() Limits {
	l = l.withDefaults()
	l.Executions, l.Events, l.Work = max(1, l.Executions/timingShare), max(1, l.Events/timingShare), max(1, l.Work/timingShare)
	l.noBounds = true
	return l
}

// lookedBack adds what was found behind sleeps and timers in the first regime. That is explored once more because the
// second was not explored to its end, or does not count what it shows: where a test fails in the first regime as well,
// races are dropped with the failure. In the first the end of a sleep, and the firing of a timer, tell that all others
// have come to rest. What races behind them was left to the second (BEHIND10 of package union). If not all was looked
// at, the verdict says behind which.
func lookedBack(res, third *Result) *Result {
	res.Findings = withNew(res.Findings, third.Findings, func(*report.Finding) {})
	switch {
	case third.Verdict != Incomplete:
	case res.Verdict == Exhausted:
		res.Verdict, res.Reason, res.ReasonSite = Incomplete, third.Reason, third.ReasonSite
		res.NotSupported, res.Behind = third.NotSupported, third.Behind
	case res.Behind == 0:
		res.Behind = third.Behind
	}
	res.join(third)
	return res
}

// merge adds the result of the second regime to that of the first.
func merge(res, second *Result) *Result {
	if second.Verdict == Incomplete && res.Verdict == Exhausted {
		res.Verdict, res.Reason, res.ReasonSite = Incomplete, second.Reason, second.ReasonSite
		res.FirstDone, res.NotSupported, res.Behind = true, second.NotSupported, second.Behind
	}
	res.beside = second.Verdict == Incomplete
	res.InTime = second.Verdict == Incomplete
	res.HandOverInTime = second.HandOver
	res.Findings = withNew(res.Findings, second.Findings, func(f *report.Finding) { f.Timing = true })
	res.join(second)
	return res
}

// withNew adds the findings of more whose keys list has not, each as mark leaves it.
func withNew(list, more []report.Finding, mark func(*report.Finding)) []report.Finding {
	for _, f := range more {
		if !slices.ContainsFunc(list, func(g report.Finding) bool { return g.Key == f.Key }) {
			mark(&f)
			list = append(list, f)
		}
	}
	return list
}

// join adds what another exploration of the same entry cost, what its executions showed beside their order, and what
// had a say in it.
func (r *Result) join(o *Result) {
	r.Interrupted, r.OfWork = r.Interrupted || o.Interrupted, r.OfWork || o.OfWork
	r.aside.add(&o.aside)
	r.Stats.add(&o.Stats)
}

// add adds what another exploration cost.
func (a *Stats) add(b *Stats) {
	for _, n := range []struct {
		to   *int
		from int
	}{{&a.Executions, b.Executions}, {&a.Replays, b.Replays}, {&a.Classes, b.Classes}, {&a.Redundant, b.Redundant}, {&a.Diverged, b.Diverged}, {&a.Events, b.Events},
		{&a.Queries, b.Queries}, {&a.Reads, b.Reads}, {&a.Constraints, b.Constraints}, {&a.Closing, b.Closing}, {&a.Missed, b.Missed}, {&a.Skipped, b.Skipped}} {
		if n.from > 0 {
			*n.to += n.from
		}
	}
	a.Work += b.Work
	a.MachineNS += b.MachineNS
	a.SolverNS += max(b.SolverNS, 0)
	a.WallNS += b.WallNS
}

// A timerWatch notes whether any execution had a timer that could have fired early, or is one that the program rejects.
type timerWatch struct {
	sched.Machine
	timers   bool
	rejected bool // an execution was one that the second regime would drop
}

// Run implements sched.Machine.
func (w *timerWatch) Run(s sched.Scheduler, o sched.Options) *trace.Trace {
	t := w.Machine.Run(s, o)
	w.timers, w.rejected = w.timers || t.Timers, w.rejected || rejects(t)
	return t
}

// InTimingRegime returns m under the second regime of time.
func InTimingRegime(m sched.Machine, t Timing) sched.Machine { return &timingMachine{m, t} }

type timingMachine struct {
	sched.Machine
	timing Timing
}

// Run implements sched.Machine.
func (m *timingMachine) Run(s sched.Scheduler, o sched.Options) *trace.Trace {
	o.Timing = true
	t := m.Machine.Run(s, o)
	t.Drops = m.timing == TimingStructural
	t.Dropped = m.timing == TimingStructural && ownTimeout(t)
	return t
}

// BoundEarly returns m, which is in the second regime of time, where only the first firings of an execution and sleeps
// of a goroutine may be early, most of each; as many as may be if most is 0.
func BoundEarly(m sched.Machine, most int) sched.Machine {
	if most == 0 {
		return m
	}
	return earlyMachine{m, most}
}

type earlyMachine struct {
	sched.Machine
	most int
}

// Run implements sched.Machine.
func (m earlyMachine) Run(s sched.Scheduler, o sched.Options) *trace.Trace {
	o.EarlyMost = m.most
	return m.Machine.Run(s, o)
}

// ownTimeout reports whether the program itself rejects an execution in which a timer fired early: its test fails (an
// assertion of testing, an example's output) or it calls panic. Most such executions are those in which a test's own
// time-out strikes, which says that the test was slow and nothing else.
func ownTimeout(t *trace.Trace) bool { return t.Early > 0 && rejects(t) }

// rejects reports whether the program itself rejects an execution.
func rejects(t *trace.Trace) bool {
	if t.Status == trace.Failed {
		return t.PanicCalled || saysWhy(t)
	}
	return t.TestFailed || t.ExitCode != 0
}
