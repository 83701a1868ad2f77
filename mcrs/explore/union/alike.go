package union

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/reduce"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file says which goroutines may change places: for the audit of RED10 (mcrs/audit).

// An Alike is a state of an execution in which the goroutine that moves next has the future of another one.
type Alike struct {
	Step        int // the next one
	Mover, Like event.ThreadID
}

// Alike returns where goroutines may change places in an execution of a program that is known, as the names of states
// have it. There is no such place if goroutines are told apart.
func (e *Engine) Alike(t *trace.Trace) (all []Alike) {
	if e.Distinct {
		return nil
	}
	s := e.Start()
	for n, m := range e.movesOf(t) {
		e.enabledMoves(&s) // the clock may have to move
		id, pid, missing := e.EdgesFor(&s, m)
		if missing.Node != 0 {
			return all
		}
		clock := e.ClockOf(&s)
		for u, node := range s.Nodes {
			if u := int32(u); node != 0 && u != m.Thread && e.alike(s.Nodes[m.Thread], node) && reduce.Alike(e.Reducer, &s, m.Thread, u) && spec.HowParked(&e.Rules, &s, u) == spec.HowParked(&e.Rules, &s, m.Thread) &&
				clock.LeftOf(u) == clock.LeftOf(m.Thread) && clock.SleptOf(u) == clock.SleptOf(m.Thread) {
				all = append(all, Alike{n, e.IDs[m.Thread], e.IDs[u]})
			}
		}
		e.Apply(&s, m, id, pid)
	}
	return all
}

// alike reports whether two nodes have one future, of which something is known.
func (e *Engine) alike(a, b int32) bool {
	x, y := &e.Nodes[a], &e.Nodes[b]
	return x.Known && y.Known && x.Class == y.Class
}
