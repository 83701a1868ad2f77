package audit

import (
	"fmt"
	"slices"

	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program"
)

// This file performs independent transitions in both orders.

// A Subject is an entry whose executions are audited.
type Subject struct {
	Machine *machine.Machine
	Entry   program.Entry
	Options sched.Options
	// Claims says which neighbours are independent. If it is nil, package causality does. It is for tests of the audit
	// itself.
	Claims func(*causality.Relation, *trace.Trace) []causality.Neighbour
	// Skip says of a pair that it is not looked at; nil: none.
	Skip func(t *trace.Trace, n causality.Neighbour) bool

	// Union, if not nil, has explored the entry to the end. What it takes to be independent is looked at as well, and
	// goroutines with equal futures are exchanged.
	Union *union.Engine
	// Likes says which goroutines have equal futures; nil: those that Union calls so. For tests of the audit itself.
	Likes func(t *trace.Trace) []union.Alike
	// MaxPairs bounds the pairs of one execution: they are taken at equal distances. 0: all.
	MaxPairs int
	// Over says that time is up; nil: never. The execution under way ends at once if Options.Cancelled says so too, and
	// nothing that is not finished by then is counted or compared.
	Over func() bool

	Pairs   int // performed in both orders so far
	Left    int // pairs not looked at, since time was up
	Limits  int // executions that ended at a limit, or at what the machine does not support
	OfUnion int // pairs that union takes to be independent
	Alone   int // of these, those that it alone does
	Swaps   int // exchanges of goroutines with equal futures
	Guessed int // executions left out, since time passed in them by a guess (list.go)
	run     sched.Machine
}

// A Finding is a pair that does not commute.
type Finding struct {
	Trace       *trace.Trace
	Pair        causality.Neighbour
	What        string // the two operations
	Kinds       string // what kinds they are of
	Differences []string
}

// over reports whether time is up.
func (x *Subject) over() bool { return x.Over != nil && x.Over() }

// Execute runs the entry under s. It performs in both orders what is independent of its neighbour in the execution.
// found is called for each pair that does not commute.
func (x *Subject) Execute(s sched.Scheduler, found func(Finding)) *trace.Trace {
	if x.run == nil {
		x.run = x.Machine.Entry(x.Entry)
	}
	r := causality.NewRelation(s)
	t := x.run.Run(r, x.Options)
	if x.over() {
		return t
	}
	if t.Status == trace.Limit || t.Status == trace.Unsupported {
		x.Limits++
	}
	if t.Spun {
		x.Guessed++
		return t
	}
	pairs, balanced := r.Independent(t)
	if x.Claims != nil {
		pairs = x.Claims(r, t)
	}
	known := len(pairs)
	if x.Union != nil {
		pairs = x.withUnion(t, pairs)
	}
	alone := map[int]bool{}
	for _, n := range pairs[known:] {
		alone[n.Step] = true
	}
	if x.Skip != nil {
		pairs = slices.DeleteFunc(pairs, func(n causality.Neighbour) bool { return x.Skip(t, n) })
	}
	x.Swap(t, found)
	pairs = spread(pairs, x.MaxPairs)
	if len(pairs) == 0 {
		return t
	}
	var stops []int
	for _, n := range pairs {
		stops = append(stops, n.Step+2)
	}
	steps := sched.SeedOf(t)
	one := x.performed(steps, stops)
	if x.over() {
		x.Left += len(pairs)
		return t
	}
	if one.diverged >= 0 {
		found(Finding{t, pairs[0], "", "", []string{fmt.Sprintf("the machine is not deterministic: step %d cannot be repeated", one.diverged)}})
		return t
	}
	for i, n := range pairs {
		reversed := slices.Clone(steps)
		reversed[n.Step], reversed[n.Step+1] = steps[n.Step+1], steps[n.Step]
		other := x.performed(reversed, []int{n.Step + 2})
		if x.over() {
			x.Left += len(pairs) - i
			break
		}
		x.Pairs++
		if ds := differ(one, other, n.Step, balanced, alone[n.Step]); len(ds) > 0 {
			what := describe(x.Machine, t, n)
			if alone[n.Step] {
				what += ", by union alone"
			}
			found(Finding{t, n, what, fmt.Sprintf("%v | %v", t.Events[n.First].Kind, t.Events[n.Second].Kind), ds})
		}
	}
	return t
}

// withUnion adds the pairs that union takes to be independent.
func (x *Subject) withUnion(t *trace.Trace, pairs []causality.Neighbour) []causality.Neighbour {
	all := causality.Neighbours(t)
	for _, n := range x.Union.Independent(t) {
		x.OfUnion++
		if !slices.ContainsFunc(pairs, func(p causality.Neighbour) bool { return p.Step == n }) {
			x.Alone++
			pairs = append(pairs, all[n])
		}
	}
	return pairs
}

// differ lists how the states after steps n and n+1 in two orders, and all that follows from these, differ. alone says
// that union alone takes the steps to be independent.
func differ(one, other performance, n int, balanced, alone bool) []string {
	if other.diverged >= 0 && other.diverged <= n+1 {
		return []string{fmt.Sprintf("in the other order step %d is not possible", other.diverged-n+1)}
	}
	if balanced && !other.balanced {
		return nil // DEP4: adds do not commute, then
	}
	if one.cutAt(n+2) || other.cutAt(n+2) {
		return nil // END1: it is incomplete whatever comes of it
	}
	list := Differences
	if alone {
		list = butNumbers
	}
	ds := list(one.at(n+2), other.at(n+2))
	for _, d := range list(one.end, other.end) {
		ds = append(ds, "at the end: "+d)
	}
	if len(ds) == 0 && other.diverged >= 0 {
		ds = append(ds, fmt.Sprintf("after the other order step %d is not possible", other.diverged))
	}
	return ds
}

// A performance is what comes of some steps.
type performance struct {
	dumps    map[int]*Dump
	end      *Dump
	diverged int
	balanced bool
	status   trace.Status
}

// cutAt reports whether the machine gave up before so many steps.
func (p *performance) cutAt(step int) bool {
	return p.dumps[step] == nil && (p.status == trace.Unsupported || p.status == trace.Limit)
}

// at is the state after so many steps.
func (p *performance) at(step int) *Dump {
	if d := p.dumps[step]; d != nil {
		return d
	}
	return p.end // it was over
}

// performed performs steps, and writes down the states after those of some numbers, and the end.
func (x *Subject) performed(steps seed.Seed, stops []int) performance {
	follow := sched.NewReplay(steps, sched.RunToBlock{})
	p := &pause{Scheduler: follow, m: x.Machine, stops: stops, dumps: map[int]*Dump{}}
	r := causality.NewRelation(p)
	t := x.run.Run(r, x.Options)
	return performance{p.dumps, DumpOf(x.Machine, nil), follow.Diverged(), r.Balanced(t), t.Status}
}

// A pause writes down the states before some decisions.
type pause struct {
	sched.Scheduler
	m     *machine.Machine
	stops []int
	dumps map[int]*Dump
}

// Next implements sched.Scheduler.
func (p *pause) Next(s *sched.State) int {
	if slices.Contains(p.stops, s.Step) {
		p.dumps[s.Step] = DumpOf(p.m, s)
	}
	return p.Scheduler.Next(s)
}

// describe writes two transitions in a line.
func describe(m *machine.Machine, t *trace.Trace, n causality.Neighbour) string {
	one := func(i int) string {
		e := &t.Events[i]
		s := fmt.Sprintf("%s %v", t.Threads[e.Thread].ID, e.Kind)
		if e.Partner >= 0 {
			s += fmt.Sprintf(" with %s", t.Threads[t.Events[e.Partner].Thread].ID)
		}
		return s + fmt.Sprintf(" %#x at %s", e.Loc.Addr, m.Position(e.Site))
	}
	return one(n.First) + " | " + one(n.Second)
}
