package explore

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file explores an entry under a relaxed memory model (docs/memory.md).

// InMemory returns m under a memory model.
func InMemory(m sched.Machine, model event.MemoryModel) sched.Machine {
	if model == event.SC {
		return m
	}
	return &memoryMachine{m, model}
}

type memoryMachine struct {
	sched.Machine
	model event.MemoryModel
}

// Run implements sched.Machine.
func (m *memoryMachine) Run(s sched.Scheduler, o sched.Options) *trace.Trace {
	o.Memory = m.model
	return m.Machine.Run(s, o)
}

// raceFree is why a relaxed memory model shows nothing more.
const raceFree = "no race: TSO and PSO show nothing more"

// ExploreMemory adds to res, the result of m under sequential consistency, what m does more under a memory model. The
// limits are those of the first exploration.
//
// An entry that is exhausted and has no data race does nothing more, and is not explored again (Adve and Hill, "Weak
// Ordering: A New Definition", ISCA 1990; for TSO: Owens, "Reasoning about the Implementation of Concurrency
// Abstractions on x86-TSO", ECOOP 2010). Data races are those of sequential consistency: a program that has one under a
// relaxed model has one there.
func ExploreMemory(next func() Explorer, m sched.Machine, lim Limits, model event.MemoryModel, res *Result) *Result {
	if model == event.SC {
		return res
	}
	races := slices.ContainsFunc(res.Findings, func(f report.Finding) bool { return f.Category == report.DataRace })
	if !races && res.Verdict == Exhausted {
		res.Memory = raceFree
		return res
	}
	more := next().Explore(InMemory(m, model), lim)
	if more == nil {
		return nil
	}
	if more.Verdict == Incomplete && res.Verdict == Exhausted {
		res.Verdict, res.Reason, res.ReasonSite, res.NotSupported = Incomplete, "with -memory="+model.String()+": "+more.Reason, more.ReasonSite, more.NotSupported
	}
	res.Interrupted, res.OfWork = res.Interrupted || more.Interrupted, res.OfWork || more.OfWork
	res.beside = res.beside || more.Verdict == Incomplete
	for _, f := range more.Findings {
		if !slices.ContainsFunc(res.Findings, func(g report.Finding) bool { return g.Key == f.Key }) {
			f.Memory = model
			res.Findings = append(res.Findings, f)
		}
	}
	res.Stats.add(&more.Stats)
	return res
}
