package causality

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file says which neighbouring transitions of an execution are independent by the rules of this package. It serves
// those who check the rules.

// A Relation watches an execution, as systematic does, and says which of its transitions are dependent. It is a
// scheduler that decides as another one does.
type Relation struct{ rec *Recorder }

// NewRelation returns a relation of an execution that s decides.
func NewRelation(s sched.Scheduler) *Relation { return &Relation{NewRecorder(s)} }

// Next implements sched.Scheduler.
func (r *Relation) Next(s *sched.State) int { return r.rec.Next(s) }

// A Neighbour is a transition and the one after it, by their numbers (which are those of the steps of sched.SeedOf),
// and by their first events.
type Neighbour struct {
	Step          int
	First, Second int
}

// Independent lists the pairs of neighbouring transitions of t that the rules call independent, if neither goroutine
// belongs to the other. It leaves out the end of the program (END1). balanced says that the adds of wait groups commute
// in t (DEP4).
func (r *Relation) Independent(t *trace.Trace) (pairs []Neighbour, balanced bool) {
	g := NewGraph(t, r.rec, false)
	if balanced = g.Balanced(); !balanced {
		g = NewGraph(t, r.rec, true)
	}
	for _, n := range Neighbours(t) {
		if !t.Events[n.Second].Kind.EndsProgram() && !dependent(g, n.First, n.Second) {
			pairs = append(pairs, n)
		}
	}
	return pairs, balanced
}

// Neighbours lists the pairs of neighbouring transitions of t, of one goroutine or of two.
func Neighbours(t *trace.Trace) (pairs []Neighbour) {
	var starts []int
	for i := range t.Events {
		if _, ok := sched.StepAt(t, i); ok {
			starts = append(starts, i)
		}
	}
	for n := 0; n+1 < len(starts); n++ {
		pairs = append(pairs, Neighbour{n, starts[n], starts[n+1]})
	}
	return pairs
}

// Balanced reports whether the adds of wait groups commute in t (DEP4).
func (r *Relation) Balanced(t *trace.Trace) bool {
	return !slices.ContainsFunc(t.Events, func(e event.Event) bool { return e.Kind == event.WaitGroupAdd }) || NewGraph(t, r.rec, false).Balanced()
}

// dependent reports whether the transition of event b is after that of a, its neighbour.
func dependent(g *Graph, a, b int) bool {
	for _, e := range halves(g, a) {
		for _, f := range halves(g, b) {
			if g.Knows(f.Thread, f.Seq+1, e) {
				return true
			}
		}
	}
	return false
}

// halves are the events of a transition.
func halves(g *Graph, i int) []Ref {
	e := &g.Trace.Events[i]
	out := []Ref{{e.Thread, e.Seq}}
	if e.Partner >= 0 {
		p := &g.Trace.Events[e.Partner]
		out = append(out, Ref{p.Thread, p.Seq})
	}
	return out
}
