package union

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/reduce"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// This file finds what follows a state. It only reads what the engine knows, so that several states may be looked at
// side by side. What comes of it is settled afterwards, in their order (sweep.go).

// A hand looks at states. It has memory of its own.
type hand struct {
	*reduce.Reducer
	full     bool // no reduction
	backward bool // moves are followed in the opposite order

	moves  []spec.Move
	picked []spec.Move
	crowd  spec.Crowd
	origin spec.State
}

// An expansion is a state, and what was found to follow it.
type expansion struct {
	frame // given; then the state where the way along single moves ended
	way   []spec.Step
	end   ending
	next  []successor
	met   spec.Bounds // in one of the states between, too (UTIME14)
	work  int         // see knowledge.work
	spare stock
}

// An ending says why an expansion ended where it did.
type ending uint8

const (
	branches ending = iota // several moves are to be followed: next
	nothing                // nothing can move
	waits                  // the only move would meet something new: next
	again                  // it needs what only the engine may add: begin anew, alone
)

// A successor is a move of a state, and where it leads.
type successor struct {
	s       spec.State
	m       spec.Move
	name    [2]uint64
	missing known.EdgeKey // if it waits for an edge; then s is the state before the move
	ends    bool          // it ends the program
}

// A stock is the memory of states that are done with.
type stock []spec.State

// clone copies a state.
func (k *stock) clone(s *spec.State) (d spec.State) {
	if n := len(*k); n > 0 {
		d, *k = (*k)[n-1], (*k)[:n-1]
	}
	s.CopyTo(&d)
	return d
}

// release gives the memory of a state back.
func (k *stock) release(s spec.State) { *k = append(*k, s) }

// share gives another stock what it needs to have n, or what is there.
func (k *stock) share(o *stock, n int) {
	for len(*o) < n && len(*k) > 0 {
		o.release((*k)[len(*k)-1])
		*k = (*k)[:len(*k)-1]
	}
}

// tryExpand is expand for a hand that only reads.
func (h *hand) tryExpand(x *expansion) {
	x.s.CopyTo(&h.origin)
	last := x.last
	defer func() {
		if recover() != nil { // errAdded; or a fault, and then it is met again
			for i := range x.next {
				x.spare.release(x.next[i].s)
			}
			h.origin.CopyTo(&x.s)
			x.end, x.last = again, last
		}
	}()
	h.expand(x)
}

// expand follows the moves of a state; while there is one only, without keeping the states between.
func (h *hand) expand(x *expansion) {
	x.way, x.next, x.met = x.way[:0], x.next[:0], 0
	before := h.Work
	h.follow(x)
	x.work = h.Work - before
}

func (h *hand) follow(x *expansion) {
	s, last := &x.s, int32(-1)
	for {
		x.met |= spec.Met(&h.Rules, s)
		chosen, back := h.toFollow(s, last)
		if len(chosen) == 0 {
			if h.Tick(s) {
				continue
			}
			x.end = nothing
			return
		}
		if h.backward {
			slices.Reverse(chosen)
		}
		if len(chosen) > 1 || h.full || back {
			x.end = branches
			for i, m := range chosen {
				if !h.likeOneOf(s, m, chosen[:i]) {
					h.successor(x, m)
				}
			}
			return
		}
		m := chosen[0]
		id, pid, missing := h.EdgesFor(s, m)
		if missing.Node != 0 {
			x.end = waits
			x.next = append(x.next, successor{m: m, missing: missing})
			return
		}
		if len(x.way) > 0 && (h.Edges[id].Kind.EndsThread() && (h.Merging || s.Others(m.Thread) <= 1) || h.Nodes[s.Nodes[m.Thread]].IsMilestone()) {
			x.end = branches // what it knew is forgotten, or it goes on alone for long: this may be where other ways have led
			h.successor(x, m)
			return
		}
		h.Apply(s, m, id, pid)
		x.way = append(x.way, spec.Step{Move: m, Ends: h.EndsAll(id)})
		last = m.Thread
	}
}

// toFollow returns the moves to follow from a state after one of a goroutine (-1 at the start), none if nothing can
// move. back says that one of them may close a cycle.
func (h *hand) toFollow(s *spec.State, last int32) (chosen []spec.Move, back bool) {
	chosen = h.picked[:0]
	if !h.full && last >= 0 && s.Nodes[last] != 0 && h.TouchesNothing(s.Nodes[last]) {
		chosen = h.Enabled(s, last, chosen)
		h.picked = chosen
		if len(chosen) == 1 && !h.goesBack(s, chosen) { // choose would say so
			return chosen, false
		}
	}
	all := spec.EnabledOfAll(&h.Rules, s, h.moves[:0], &h.crowd)
	h.moves = all
	if len(all) == 0 || h.full || spec.Mixed(&h.Rules, s, all) { // UBUBBLE6
		return all, h.goesBack(s, all)
	}
	set := h.Choose(s, all, last)
	chosen = h.picked[:0]
	for _, m := range all {
		if set.Has(m.Thread) {
			chosen = append(chosen, m)
		}
	}
	h.picked = chosen
	if h.goesBack(s, chosen) { // RED12
		return all, true
	}
	return chosen, false
}

// goesBack reports whether one of some moves is along an edge that leads back.
func (h *hand) goesBack(s *spec.State, moves []spec.Move) bool {
	if len(h.Loops) == 0 {
		return false
	}
	for _, m := range moves {
		if id, pid, missing := h.EdgesFor(s, m); missing.Node == 0 && (h.Edges[id].Back || pid >= 0 && h.Edges[pid].Back) {
			return true
		}
	}
	return false
}

// successor adds where a move leads, from a state that is kept.
func (h *hand) successor(x *expansion, m spec.Move) {
	id, pid, missing := h.EdgesFor(&x.s, m)
	x.next = append(x.next, successor{s: x.spare.clone(&x.s), m: m, missing: missing})
	if y := &x.next[len(x.next)-1]; missing.Node == 0 {
		h.Apply(&y.s, m, id, pid)
		y.name, y.ends = h.Fingerprint(&y.s), h.EndsAll(id)
	}
}

// likeOneOf reports whether the goroutine of a move has the same future as that of one of the others (RED10).
func (h *hand) likeOneOf(s *spec.State, m spec.Move, others []spec.Move) bool {
	if h.Distinct || m.Partner >= 0 {
		return false
	}
	x := &h.Nodes[s.Nodes[m.Thread]]
	for _, o := range others {
		y := &h.Nodes[s.Nodes[o.Thread]]
		if reduce.Alike(h.Reducer, s, m.Thread, o.Thread) && o.Case == m.Case && o.Partner < 0 && o.Thread != m.Thread {
			reduce.NameIn(x, h.Sweeps)
			reduce.NameIn(y, h.Sweeps)
			return true
		}
	}
	return false
}
