package progen

import (
	"fmt"

	"github.com/heddle-go/heddle/analysistest/progen/enumerate"
	"github.com/heddle-go/heddle/analysistest/progen/own"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file compares a program under all memory models: with brute force under each, and what it shows under one with
// what it shows under the next.

// bruteForce says that each program with a seed that is a multiple of it is compared with brute force in the machine,
// too. That takes many times as long as package enumerate.
const bruteForce = 16

// compareModels compares a program under each memory model. If it is known what its statements mean, it is compared
// with package enumerate. p is nil if it is not known. What a weaker model lacks of a stronger one's is a difference,
// and so is what it has beyond that of a program without a data race.
func compareModels(p *Program, m sched.Machine, executions int, regime Regime) *Result {
	r := &Result{Work: map[string]explore.Stats{}}
	regime.Models = false
	var stronger map[string]bool
	for model := event.SC; model <= event.PSO; model++ {
		regime.Memory = model
		var x *Result
		var shown map[string]bool
		if p != nil && p.Bare {
			x, shown = compareMeaning(p, m, executions, regime)
		} else if x = Compare(m, executions, regime); x.TooLarge == "" {
			shown = own.Seen(x.Oracle)
		}
		if r.TooLarge = x.TooLarge; r.TooLarge != "" {
			return r
		}
		for _, p := range x.Problems {
			r.Problems = append(r.Problems, model.String()+", "+p)
		}
		for name, s := range x.Work {
			r.Work[model.String()+", "+name] = s
		}
		if model == event.SC {
			r.Oracle, stronger = x.Oracle, shown
			continue
		}
		r.Oracle.Executions += x.Oracle.Executions
		more := own.Lacking(shown, stronger)
		if len(more) > 0 {
			r.Weak, r.WeakTSO = true, r.WeakTSO || model == event.TSO
		}
		if len(more) > 0 && len(r.Oracle.Races) == 0 {
			r.Problems = append(r.Problems, fmt.Sprintf("%v: without a race: %s", model, more[0]))
		}
		if less := own.Lacking(stronger, shown); len(less) > 0 {
			r.Problems = append(r.Problems, fmt.Sprintf("%v: does not show what a stronger model does: %s", model, less[0]))
		}
		stronger = shown
	}
	return r
}

// compareMeaning compares a program, under the memory model of a regime, with what its statements mean: how it ends,
// and whether it has a race. It returns that, too. Each sixteenth program is compared with brute force as well.
func compareMeaning(p *Program, m sched.Machine, executions int, regime Regime) (*Result, map[string]bool) {
	means := enumerate.Search(p.meaning(), regime.Memory)
	differ := func(r *Result, name string, ends map[string]bool, races int) {
		for _, end := range own.Lacking(means.Panics, ends) {
			r.Problems = append(r.Problems, name+": missed: panic "+end)
		}
		for _, end := range own.Lacking(ends, means.Panics) {
			r.Problems = append(r.Problems, name+": invented: panic "+end)
		}
		if regime.Memory == event.SC && means.Racy != (races > 0) {
			r.Problems = append(r.Problems, fmt.Sprintf("%s: %d races; the program has one: %v", name, races, means.Racy))
		}
	}
	if p.Seed%bruteForce == 0 {
		r := Compare(m, executions, regime)
		if r.TooLarge == "" {
			differ(r, "brute force", own.EndsOf(r.Oracle), len(r.Oracle.Races))
		}
		return r, means.Panics
	}
	r := &Result{Work: map[string]explore.Stats{}, Oracle: oracle.NewResult()}
	relaxed := explore.InMemory(m, regime.Memory)
	for _, s := range Subjects {
		ends := make(map[string]bool)
		res := s.New(func(t *trace.Trace) {
			if t.Status == trace.Failed {
				ends[own.EndOf(t.Panic)] = true
			}
		}).Explore(relaxed, explore.Limits{Executions: 200_000, Events: 1 << 30})
		if r.Work[s.Name] = res.Stats; res.Verdict != explore.Exhausted || res.Stats.Diverged > 0 {
			r.Problems = append(r.Problems, fmt.Sprintf("%s: %s %s, %d executions, %d diverged", s.Name, res.Verdict, res.Reason, res.Stats.Executions, res.Stats.Diverged))
		}
		found := oracle.NewResult()
		own.AddRaces(found, res)
		differ(r, s.Name, ends, len(found.Races))
	}
	if means.Racy && regime.Memory == event.SC {
		r.Oracle.Races["some"] = true
	}
	for end := range means.Panics {
		r.Oracle.Outcomes[end] = oracle.Outcome{Failure: end, Cut: true}
	}
	return r, means.Panics
}
