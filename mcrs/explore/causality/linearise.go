package causality

import (
	"github.com/heddle-go/heddle/mcrs/seed"
)

// This file puts the events of a cut into other orders that have the same happens-before.

// Causes returns the cut of all that happens before an event, and the event.
func (g *Graph) Causes(f Ref) Cut {
	k := make(Cut, len(g.Lines))
	g.raise(k, f)
	return k
}

// Linearise orders the events of k, so that each thread runs on for as long as it
// can, beginning with thread first where there is a choice, and appends last.
// It returns nil if k is not closed.
func (g *Graph) Linearise(k Cut, first int32, last []Ref) seed.Seed {
	kept := Keep(g.Trace, nil)
	steps := make([][]KeptStep, len(g.Lines)) // by thread; a rendezvous is its sender's
	total := 0
	for _, st := range kept.Steps {
		if k.Has(st.At) {
			steps[st.At.Thread] = append(steps[st.At.Thread], st)
			total++
		}
	}
	var out seed.Seed
	done := make(Cut, len(g.Lines))
	for p := first; total > 0; {
		progress := false
		for range g.Lines {
			for len(steps[p]) > 0 && (linearising{g}).ready(done, steps[p][0]) {
				st := steps[p][0]
				steps[p] = steps[p][1:]
				out = append(out, kept.SeedStep(st))
				done[p] = st.At.Seq + 1
				if st.Partner >= 0 {
					done[st.Partner]++
				}
				total--
				progress = true
			}
			if progress {
				p = (p + 1) % int32(len(g.Lines))
				break
			}
			p = (p + 1) % int32(len(g.Lines))
		}
		if !progress {
			return nil
		}
	}
	for _, r := range last {
		out = append(out, seed.Step{Thread: kept.IDs[r.Thread], Case: -1, PartnerCase: -1})
	}
	return out
}

// linearising is a graph whose events are being put in order.
type linearising struct{ *Graph }

// ready reports whether all that happens before a step is done.
func (g linearising) ready(done Cut, st KeptStep) bool {
	if !g.closedBelow(done, st.At) {
		return false
	}
	if st.Partner < 0 {
		return true
	}
	e := &g.Trace.Events[g.Trace.Events[g.Lines[st.At.Thread].Events[st.At.Seq]].Partner]
	return g.closedBelow(done, Ref{e.Thread, e.Seq})
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
