package constraint

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/constraint/prior"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines the model of a trace that formulas are built from: its
// transitions, what must precede what, and which events are free to move.

// A node is one transition of the trace.
type node struct {
	event   int32 // index in Trace.Events; of a rendezvous, the sender's half
	thread  int32 // of event
	seq     int32 // of event
	partner int32 // the receiver's half, -1 if none
	// before lists the nodes that must precede this one: its goroutine's
	// previous node, the one that started it, and by OBS2 barriers and what they wait for.
	before []int32
	chain  int32 // OBS1: the previous fixed node, -1 if none or if this one is free
	free   bool
	clock  []int32 // by thread: the number of its events that cannot come after this node's
}

// A variable is a location whose accesses are free.
type variable struct {
	writes       []int32 // nodes, in the observed order
	byThread     [][]int32
	byValue      map[uint64][]int32
	reads        []int32
	shared       bool // some write is not in the only goroutine that has it
	initial      uint64
	initialKnown bool
}

// A section is a critical section: its Lock and Unlock nodes; unlock is -1 if the trace ends before.
type section struct{ lock, unlock int32 }

type model struct {
	t        *trace.Trace
	nodes    []node
	of       []int32 // node by event
	vars     []variable
	varOf    []int32 // variable by node, -1 if it is no free access
	sections map[int32]section
	fixed    int
	buf      *prior.Buffers // nil: there are none
	own      []int32        // by node of a free read: the write, or else the store, that TSO4 is about, -1 if there is none
}

func newModel(t *trace.Trace) *model {
	m := &model{t: t, of: make([]int32, len(t.Events)), sections: make(map[int32]section)}
	dones, none := prior.Joins(t)
	free := prior.Free(t, none)
	for i := range t.Events {
		e := &t.Events[i]
		if e.Partner >= 0 && e.Kind == event.ChanRecv {
			continue // with the sender's half
		}
		m.of[i] = int32(len(m.nodes))
		if e.Partner >= 0 {
			m.of[e.Partner] = m.of[i]
		}
		m.nodes = append(m.nodes, node{event: int32(i), thread: e.Thread, seq: e.Seq, partner: e.Partner, chain: -1, free: free[i]})
		if !free[i] {
			m.fixed++
		}
	}
	m.buf = prior.BuffersOf(t)
	m.link(dones)
	m.setClocks()
	m.findOwn()
	m.findVariables()
	m.findSections()
	return m
}

func (m *model) at(n int32) *event.Event { return &m.t.Events[m.nodes[n].event] }

// threads returns the goroutines that take part in n.
func (m *model) threads(n int32) []int32 {
	out := []int32{m.at(n).Thread}
	if p := m.nodes[n].partner; p >= 0 {
		out = append(out, m.t.Events[p].Thread)
	}
	return out
}

func isBarrier(k event.Kind) bool {
	return k == event.Sleep || k == event.TimerFire || k.EndsProgram()
}

// link sets before and chain: rules MHB1, JOIN1, OBS1 and OBS2, and those of store buffers. dones has the Dones that a
// Wait is after.
func (m *model) link(dones map[int32][]int32) {
	last := make([]int32, len(m.t.Threads)) // node by thread
	for i := range last {
		last[i] = -1
		if s := m.t.Threads[i].Spawn; s >= 0 {
			last[i] = m.of[s]
		}
	}
	begun := make([]bool, len(m.t.Threads))
	passed := make([]int32, len(m.t.Threads)) // the last barrier that the thread's nodes are behind
	for i := range passed {
		passed[i] = -1
	}
	barrier, fixed := int32(-1), int32(-1)
	for i := range m.nodes {
		x, n := &m.nodes[i], int32(i)
		for _, th := range m.threads(n) {
			if last[th] >= 0 {
				x.before = append(x.before, last[th])
			}
			if barrier >= 0 && passed[th] != barrier {
				x.before = append(x.before, barrier)
				passed[th] = barrier
			}
			last[th], begun[th] = n, true
		}
		if x.free {
			for _, d := range dones[x.event] {
				x.before = append(x.before, m.of[d])
			}
		}
		m.linkBuffers(x)
		if isBarrier(m.at(n).Kind) {
			for th, l := range last {
				if begun[th] && l != n {
					x.before = append(x.before, l)
				}
			}
			barrier = n
			passed[m.at(n).Thread] = n
		}
		if !x.free {
			x.chain, fixed = fixed, n
		}
		slices.Sort(x.before)
		x.before = slices.Compact(x.before)
	}
}

// setClocks computes for each node how much of each thread must precede it.
func (m *model) setClocks() {
	for i := range m.nodes {
		x := &m.nodes[i]
		x.clock = make([]int32, len(m.t.Threads))
		join := func(d int32) {
			for th, c := range m.nodes[d].clock {
				x.clock[th] = max(x.clock[th], c)
			}
		}
		for _, d := range x.before {
			join(d)
		}
		if x.chain >= 0 {
			join(x.chain)
		}
		x.clock[m.t.Events[x.event].Thread] = m.t.Events[x.event].Seq + 1
		if x.partner >= 0 {
			x.clock[m.t.Events[x.partner].Thread] = m.t.Events[x.partner].Seq + 1
		}
	}
}

// precedes reports whether a must come before b, or is b.
func (m *model) precedes(a, b int32) bool {
	x := &m.nodes[a]
	return m.nodes[b].clock[x.thread] > x.seq
}

func (m *model) findVariables() {
	byLoc := make(map[event.Location]int32)
	m.varOf = make([]int32, len(m.nodes))
	for i := range m.nodes {
		n, e := int32(i), m.at(int32(i))
		m.varOf[n] = -1
		if !m.nodes[n].free || !e.Kind.IsAccess() {
			continue
		}
		v, ok := byLoc[e.Loc]
		if !ok {
			v = int32(len(m.vars))
			byLoc[e.Loc] = v
			m.vars = append(m.vars, variable{})
		}
		m.varOf[n] = v
		x := &m.vars[v]
		if e.Kind.IsWrite() {
			x.writes = append(x.writes, n)
			if x.byThread == nil {
				x.byThread, x.byValue = make([][]int32, len(m.t.Threads)), make(map[uint64][]int32)
			}
			x.byThread[e.Thread] = append(x.byThread[e.Thread], n)
			x.byValue[e.Value] = append(x.byValue[e.Value], n)
			continue
		}
		if len(x.writes) == 0 && !x.initialKnown && m.own[n] < 0 {
			x.initial, x.initialKnown = e.Value, true
		}
		x.reads = append(x.reads, n)
	}
	for i := range m.vars {
		x := &m.vars[i]
		for _, w := range x.writes {
			other := func(n int32) bool { return m.owner(n) != m.owner(w) }
			x.shared = x.shared || slices.ContainsFunc(x.reads, other) || slices.ContainsFunc(x.writes, other)
		}
	}
}

func (m *model) findSections() {
	open := make(map[event.Location]int32)
	for i := range m.nodes {
		n, e := int32(i), m.at(int32(i))
		switch {
		case !m.nodes[n].free:
		case e.Kind == event.Lock:
			m.sections[n] = section{n, -1}
			open[e.Loc] = n
		case e.Kind == event.Unlock:
			m.sections[open[e.Loc]] = section{open[e.Loc], n}
		}
	}
}
