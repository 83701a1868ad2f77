package explore

import (
	"github.com/heddle-go/heddle/mcrs/seed"
)

// This file puts the events of a cut into other orders that have the same happens-before.

// causes returns the cut of all that happens before an event, and the event.
func (g *graph) causes(f ref) cut {
	k := make(cut, len(g.lines))
	g.raise(k, f)
	return k
}

// linearise orders the events of k, so that each thread runs on for as long as it
// can, beginning with thread first where there is a choice, and appends last.
// It returns nil if k is not closed.
func (g *graph) linearise(k cut, first int32, last []ref) seed.Seed {
	kept := keep(g.t, nil)
	steps := make([][]keptStep, len(g.lines)) // by thread; a rendezvous is its sender's
	total := 0
	for _, st := range kept.steps {
		if k.has(st.at) {
			steps[st.at.thread] = append(steps[st.at.thread], st)
			total++
		}
	}
	var out seed.Seed
	done := make(cut, len(g.lines))
	for p := first; total > 0; {
		progress := false
		for range g.lines {
			for len(steps[p]) > 0 && g.ready(done, steps[p][0]) {
				st := steps[p][0]
				steps[p] = steps[p][1:]
				out = append(out, kept.seedStep(st))
				done[p] = st.at.seq + 1
				if st.partner >= 0 {
					done[st.partner]++
				}
				total--
				progress = true
			}
			if progress {
				p = (p + 1) % int32(len(g.lines))
				break
			}
			p = (p + 1) % int32(len(g.lines))
		}
		if !progress {
			return nil
		}
	}
	for _, r := range last {
		out = append(out, seed.Step{Thread: kept.ids[r.thread], Case: -1, PartnerCase: -1})
	}
	return out
}

// ready reports whether all that happens before a step is done.
func (g *graph) ready(done cut, st keptStep) bool {
	if !g.closedBelow(done, st.at) {
		return false
	}
	if st.partner < 0 {
		return true
	}
	e := &g.t.Events[g.t.Events[g.lines[st.at.thread].events[st.at.seq]].Partner]
	return g.closedBelow(done, ref{e.Thread, e.Seq})
}

// closedBelow reports whether done holds the causes of an event; of a rendezvous
// its other half is left to the caller.
func (g *graph) closedBelow(done cut, f ref) bool {
	if done[f.thread] != f.seq {
		return false
	}
	other := ref{-1, 0}
	if j := g.t.Events[g.lines[f.thread].events[f.seq]].Partner; j >= 0 {
		other = ref{g.t.Events[j].Thread, g.t.Events[j].Seq}
	}
	for q, n := range g.lines[f.thread].last(f.seq + 1).clock {
		if int32(q) == other.thread {
			n = min(n, other.seq)
		}
		if int32(q) != f.thread && n > done[q] {
			return false
		}
	}
	return true
}
