package mcr

import (
	"fmt"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
	"github.com/heddle-go/heddle/mcrs/seed"
)

// This file defines what switch equivalence does with prefixes: it makes them short, and composes them.

// Short returns a shorter prefix. It has as many of the first moves of p as keep has. Of the others it has only those
// that the departure depends on: what happens before it.
func (m *Model) Short(p Prefix, keep *Prefix) Prefix {
	first := 0
	if keep != nil {
		first = len(keep.moves)
	}
	last := len(p.moves) - 1
	for last >= first && p.moves[last].Thread != p.who && p.moves[last].Partner != p.who {
		last--
	}
	touched := m.touches(p.moves[:last+1])
	threads := make(map[int32]bool)
	in := make([]bool, last+1)
	var of []touch
	for i := last; i >= 0; i-- {
		v := p.moves[i]
		in[i] = in[i] || i < first || i == last || threads[v.Thread] || v.Partner >= 0 && threads[v.Partner] || threads[touched[i].child]
		for _, x := range of {
			in[i] = in[i] || x.conflicts(&touched[i])
		}
		if in[i] {
			threads[v.Thread] = true
			if v.Partner >= 0 {
				threads[v.Partner] = true
			}
			for _, b := range touched[i].waits {
				threads[b] = true
			}
			if x := touched[i].stored; x >= 0 { // MBUF2
				in[x] = true
			}
			of = append(of, touched[i])
		}
	}
	out := walk{s: m.e.Start(), last: -1}
	for i, v := range p.moves[:last+1] {
		if in[i] {
			m.follow(&out, v)
		}
	}
	return m.prefixAt(&out, p.who)
}

// A touch is what a move has to do with others.
type touch struct {
	objs  []int32
	reads bool
	child int32 // the goroutine that it starts, else -2
	// Of store buffers: the move that stored what this one brings to memory, -1 if it does not; and the threads of the
	// buffers that must be empty.
	stored int
	waits  []int32
}

func (x *touch) conflicts(y *touch) bool {
	return !(x.reads && y.reads) && slices.ContainsFunc(x.objs, func(o int32) bool { return slices.Contains(y.objs, o) })
}

// touches lists what moves from the start have to do with others.
func (m *Model) touches(moves []spec.Move) []touch {
	out := make([]touch, 0, len(moves))
	w := walk{s: m.e.Start(), last: -1}
	queues := make(map[int32][]int) // by thread of a buffer: who stored what is in it
	for i, v := range moves {
		x := m.touch(&w, v)
		for _, b := range m.puts(&w, v) {
			queues[b] = append(queues[b], i)
		}
		if q := queues[v.Thread]; m.e.IsBuffer(v.Thread) {
			x.stored, queues[v.Thread] = q[0], q[1:]
		}
		out = append(out, x)
		m.follow(&w, v)
	}
	return out
}

func (m *Model) touch(w *walk, v spec.Move) touch {
	e := m.e
	n := w.s.Node(v.Thread)
	a, op := e.ActOf(n), &e.Nodes[n].Op
	x := touch{child: -2, stored: -1, objs: slices.Clone(a.Cells), waits: m.waits(w, v)}
	if spec.BufferingIn(&e.Rules, &w.s).Awaits(v.Thread) == spec.Forwarded {
		x.objs = nil
	}
	x.reads = op.Kind.OnlyReads() && op.Kind != event.ChanLen
	if a.Object != 0 {
		x.objs = append(x.objs, a.Object)
	}
	for _, c := range a.Comms {
		x.objs = append(x.objs, c.Object)
	}
	if v.Partner >= 0 { // whether it has something else to do decides, too (CHAN7)
		for _, c := range e.ActOf(w.s.Node(v.Partner)).Comms {
			x.objs = append(x.objs, c.Object)
		}
	}
	id, pid, _ := e.EdgesFor(&w.s, v)
	for _, i := range []int32{id, pid} {
		if i < 0 {
			continue
		}
		if c := e.Edges[i].Child; c > 0 {
			x.child = e.Nodes[c].Thread
		}
		for _, f := range e.EffectsOf(i) {
			if !slices.Contains(x.objs, f.Object) {
				x.objs, x.reads = append(x.objs, f.Object), false
			}
		}
	}
	return x
}

// Compose returns p and then what q has beyond it. ok says that this is an execution, in which the departing goroutines
// of both meet what they meet in p and in q.
func (m *Model) Compose(p, q Prefix) (out Prefix, ok bool) {
	w := walk{s: m.e.Start(), last: -1}
	done := make([]int, len(m.e.IDs))
	for _, v := range p.moves {
		m.follow(&w, v)
		done[v.Thread]++
		if v.Partner >= 0 {
			done[v.Partner]++
		}
	}
	for _, v := range q.moves {
		had := done[v.Thread] > 0
		if v.Partner >= 0 && had != (done[v.Partner] > 0) {
			return out, false
		}
		if had {
			done[v.Thread]--
			if v.Partner >= 0 {
				done[v.Partner]--
			}
			continue
		}
		if !slices.Contains(m.e.Enabled(&w.s, v.Thread, nil), v) || m.touchesUnsure(&w, v) {
			return out, false
		}
		m.follow(&w, v)
	}
	out = m.prefixAt(&w, -1)
	for _, x := range []*Prefix{&p, &q} {
		for t, met := range x.gone {
			if out.gone[t] != met {
				return out, false
			}
		}
	}
	return out, len(out.gone) == len(p.gone)+len(q.gone)
}

// prefixAt makes a prefix of a walk as far as it has come.
func (m *Model) prefixAt(w *walk, who int32) Prefix {
	p := Prefix{ids: m.e.IDs, who: who, moves: m.way(w), gone: make(map[int32]uint64)}
	done := make([]int, len(m.e.IDs))
	for _, v := range p.moves {
		done[v.Thread]++
		if v.Partner >= 0 {
			done[v.Partner]++
		}
	}
	for t, n := range done {
		if t < len(w.gone) && w.gone[t].at.Node != 0 {
			x := met(m.hist[w.gone[t].at.Node], w.gone[t].at.Key)
			p.gone[int32(t)] = x
			p.Needs = append(p.Needs, x)
		} else if n > 0 && !m.e.IsBuffer(int32(t)) { // MBUF1
			p.Needs = append(p.Needs, m.hist[m.path[t][n]])
		}
	}
	return p
}

// Departs reports whether a goroutine departs in the prefix that goes on afterwards.
func (p *Prefix) Departs() bool { return p.who >= 0 && len(p.gone) > 0 && !p.ends }

// Follow returns the prefix that a seed gives, as the specification has it. An error says where that goes another way.
// Before the last step nobody may depart. After it somebody must have, or it is a rendezvous of two goroutines that met
// others. If the seed is to end blocked, nothing may be able to move. Follow may find Unknown. The needs say who met
// whom.
func (m *Model) Follow(s seed.Seed, blocked bool) (p Prefix, err error) {
	w := walk{s: m.e.Start(), last: -1}
	who, meetings := int32(-1), []uint64(nil)
	for i, st := range s {
		v := spec.Move{Thread: m.e.Threads[st.Thread], Partner: -1, Case: st.Case, PartnerCase: st.PartnerCase}
		if st.Partner != "" {
			v.Partner = m.e.Threads[st.Partner]
		}
		if !slices.Contains(m.e.Enabled(&w.s, v.Thread, nil), v) {
			return p, fmt.Errorf("step %d of a seed, of %s, is not enabled", i, st.Thread)
		}
		if v.Partner >= 0 {
			meetings = append(meetings, met(m.hist[w.s.Node(v.Partner)], known.Key{Kind: event.ChanRecv, Case: v.PartnerCase, Value: sentBy(m.hist[w.s.Node(v.Thread)])}))
		}
		if m.follow(&w, v); m.Unknown != nil {
			return p, nil
		}
		for t := range w.gone {
			if w.gone[t].at.Node != 0 {
				who = int32(t)
			}
		}
		if who >= 0 && (blocked || i < len(s)-1) {
			return p, fmt.Errorf("%s departs at step %d of a seed of %d", st.Thread, i, len(s))
		}
	}
	if !blocked && who < 0 && (len(s) == 0 || s[len(s)-1].Partner == "") {
		return p, fmt.Errorf("nobody departs at the last of %d steps of a seed", len(s))
	}
	p = m.prefixAt(&w, who)
	if who >= 0 && w.gone[who].ends {
		p.moves, p.ends = append(p.moves, spec.Move{Thread: who, Partner: -1, Case: -1, PartnerCase: -1}), true
	}
	if !blocked {
		p.Needs = append(p.Needs, meetings...)
	}
	if p.Blocked = blocked; blocked {
		for t := range w.s.Nodes {
			if len(m.e.Enabled(&w.s, int32(t), nil)) > 0 {
				return p, fmt.Errorf("%s can move where nothing should", m.e.IDs[t])
			}
		}
	}
	return p, nil
}
