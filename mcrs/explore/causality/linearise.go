package causality

import (
	"github.com/heddle-go/heddle/mcrs/sched"
)

// This file puts the events of a cut into other orders that have the same happens-before.

// Causes returns the cut of all that happens before an event, and the event.
func (g *Graph) Causes(f Ref) Cut {
	k := make(Cut, len(g.Lines))
	g.raise(k, f)
	return k
}

// Linearise orders the steps of k, so that each thread runs on for as long as it can, beginning with thread first where
// there is a choice. It returns their events, of a rendezvous the sender's, and reports whether k is closed.
func (g *Graph) Linearise(k Cut, first int32) (order []int32, ok bool) {
	steps, total := make([][]int32, len(g.Lines)), 0 // by thread
	for i := range g.Trace.Events {
		if e := &g.Trace.Events[i]; sched.OwnStep(e) && k.Has(Ref{e.Thread, e.Seq}) {
			steps[e.Thread] = append(steps[e.Thread], int32(i))
			total++
		}
	}
	order = make([]int32, 0, total)
	done := make(Cut, len(g.Lines))
	for p := first; len(order) < total; {
		progress := false
		for range g.Lines {
			for len(steps[p]) > 0 && (linearising{g}).ready(done, steps[p][0]) {
				i := steps[p][0]
				steps[p] = steps[p][1:]
				order = append(order, i)
				done[p] = g.Trace.Events[i].Seq + 1
				if partner := g.Trace.Events[i].Partner; partner >= 0 {
					done[g.Trace.Events[partner].Thread]++
				}
				progress = true
			}
			if p = (p + 1) % int32(len(g.Lines)); progress {
				break
			}
		}
		if !progress {
			return nil, false
		}
	}
	return order, true
}

// linearising is a graph whose events are being put in order.
type linearising struct{ *Graph }

// ready reports whether all that happens before a step is done.
func (g linearising) ready(done Cut, i int32) bool {
	e := &g.Trace.Events[i]
	if !g.closedBelow(done, Ref{e.Thread, e.Seq}) {
		return false
	}
	if e.Partner < 0 {
		return true
	}
	o := &g.Trace.Events[e.Partner]
	return g.closedBelow(done, Ref{o.Thread, o.Seq})
}

// closedBelow reports whether done holds the causes of an event; of a rendezvous
// its other half is left to the caller.
func (g linearising) closedBelow(done Cut, f Ref) bool {
	if done[f.Thread] != f.Seq {
		return false
	}
	other := Ref{-1, 0}
	if j := g.Trace.Events[g.Lines[f.Thread].Events[f.Seq]].Partner; j >= 0 {
		other = Ref{g.Trace.Events[j].Thread, g.Trace.Events[j].Seq}
	}
	for q, n := range g.Lines[f.Thread].last(f.Seq + 1).clock {
		if int32(q) == other.Thread {
			n = min(n, other.Seq)
		}
		if int32(q) != f.Thread && n > done[q] {
			return false
		}
	}
	return true
}
