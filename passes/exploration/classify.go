package exploration

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// classify says what a replayed witness shows. An execution shows more than
// one thing at times; the witness of a race ends right after it.
func classify(t *trace.Trace, s seed.Seed) []report.Finding {
	var out []report.Finding
	add := func(c report.Category, events, threads []int) {
		out = append(out, report.Finding{Category: c, Seed: s, Witness: t, Events: events, Threads: threads})
	}
	var blocked, leaked []int
	for i := range t.Threads {
		if th := &t.Threads[i]; th.Pending != nil {
			blocked = append(blocked, i)
			if th.Leaked {
				leaked = append(leaked, i)
			}
		}
	}
	switch t.Status {
	case trace.Failed:
		i := int(t.PanicThread)
		add(report.Panics, lastEvent(t, i), []int{i})
	case trace.Deadlocked:
		add(report.Deadlock, nil, blocked)
	}
	if t.TestFailed {
		var threads []int
		if len(t.Failures) > 0 {
			threads = []int{int(t.Failures[0].Thread)}
		}
		add(report.TestFailure, nil, threads)
	}
	if len(leaked) > 0 {
		add(report.GoroutineLeak, nil, leaked)
	}
	if a, b, ok := lastRace(t); ok {
		add(report.DataRace, []int{a, b}, []int{int(t.Events[a].Thread), int(t.Events[b].Thread)})
	}
	return out
}

func lastEvent(t *trace.Trace, thread int) []int {
	for i := len(t.Events) - 1; i >= 0; i-- {
		if int(t.Events[i].Thread) == thread {
			return []int{i}
		}
	}
	return nil
}

// lastRace returns the last two adjacent events that conflict. The second was
// possible before the first: an access enables nothing. So the two race.
func lastRace(t *trace.Trace) (int, int, bool) {
	for i := len(t.Events) - 1; i > 0; i-- {
		if racing(&t.Events[i-1], &t.Events[i]) {
			return i - 1, i, true
		}
	}
	return 0, 0, false
}

func racing(a, b *event.Event) bool {
	if a.Thread == b.Thread || !a.Kind.IsWrite() && !b.Kind.IsWrite() {
		return false
	}
	isMap := func(k event.Kind) bool { return k == event.MapRead || k == event.MapWrite }
	switch {
	case a.Kind.IsAccess() && b.Kind.IsAccess():
		return !(a.Kind.IsAtomic() && b.Kind.IsAtomic()) && a.Loc.Overlaps(b.Loc)
	case isMap(a.Kind) && isMap(b.Kind):
		return a.Loc == b.Loc // the runtime's map is one object, whatever the keys
	}
	return false
}
