package explore

import (
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/race"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
)

// This file finds the races that an execution hides by accident (SYNC17 of package race).

// Hidden looks for the races that an execution has in some order of its independent operations. from is the execution.
// Each that was not told yet is replayed, and recorded if the replay has it.
func (f *Findings) Hidden(g *causality.Graph, from *causality.Schedule) {
	t := g.Trace
	found, all := race.ByAccident(t, func(thread, n, i int32) bool { return g.Knows(thread, n, refOf(g, i)) })
	if !all {
		f.s.Incomplete(StoppedWork)
	}
	for _, h := range found {
		key := RaceKey(t.Events[h.First].Site, t.Events[h.Second].Site)
		if f.Told(key) || f.failed[key] >= confirmations {
			continue
		}
		both := g.Causes(refOf(g, h.Second))
		for p, n := range g.Causes(refOf(g, h.First)) {
			both[p] = max(both[p], n)
		}
		before := both
		for _, w := range h.Writes {
			before = g.Without(before, refOf(g, w))
		}
		if f.Local(f.s.Replay(sched.NewReplay(inTwo(from, before, both), sched.RunToBlock{}), false)); !f.Told(key) {
			f.failed[key]++
		}
	}
}

func refOf(g *causality.Graph, i int32) causality.Ref {
	return causality.Ref{Thread: g.Trace.Events[i].Thread, Seq: g.Trace.Events[i].Seq}
}

// inTwo is the part of a schedule in all, and of it the part in before first.
func inTwo(from *causality.Schedule, before, all causality.Cut) seed.Seed {
	s := from.Seed(before)
	for _, st := range from.Steps {
		if all.Has(st.At) && !before.Has(st.At) {
			s = append(s, from.SeedStep(st))
		}
	}
	return s
}
