package causality

import "sort"

// This file remembers which configurations the executed traces contain.
//
// A thread's state (graph.go) hashes its history with all its causes, so a trace
// contains a configuration if and only if each of its threads was in the state that
// the configuration gives it after as many events.

// A Need is one thread's part of a configuration: it was in a state after n events.
type Need struct {
	key uint64 // of the thread's name and state
	n   int32
}

// A reach says that in a trace a state held up to n events.
type reach struct{ trace, n int32 }

// A Cover maps states to the traces that met them, in ascending order.
type Cover struct {
	reached map[uint64][]reach
	traces  int32
	whole   map[uint64]bool // fingerprints of complete traces
}

// NewCover returns a cover of no traces.
func NewCover() *Cover {
	return &Cover{reached: make(map[uint64][]reach), whole: make(map[uint64]bool)}
}

// Add records a trace. It reports whether one with the same relation was there before.
func (c *Cover) Add(g *Graph) (known bool) {
	var sum uint64
	for p := range g.Lines {
		l := &g.Lines[p]
		for i, a := range l.anchors {
			n := int32(len(l.Events))
			if i+1 < len(l.anchors) {
				n = l.anchors[i+1].seq
			}
			k := Mix(l.Name, a.state)
			c.reached[k] = append(c.reached[k], reach{c.traces, n})
		}
		n := int32(len(l.Events))
		sum += Mix(Mix(g.State(int32(p), n), l.Name), uint64(n))
	}
	c.traces++
	known = c.whole[sum]
	c.whole[sum] = true
	return known
}

// Needs lists what a trace must have met to contain k and the move after it.
func (g *Graph) Needs(k Cut, m *Move) []Need {
	var out []Need
	for q, n := range k {
		if n > 0 && !m.involves(int32(q)) {
			out = append(out, Need{Mix(g.Lines[q].Name, g.State(int32(q), n)), n})
		}
	}
	deps := g.DepsAt(k, m)
	if m.B.Thread < 0 {
		l := &g.Lines[m.A.Thread]
		return append(out, Need{Mix(l.Name, g.After(m.A, m.CaseA, deps)), m.A.Seq + 1})
	}
	token := g.Meeting(m.A, m.CaseA, m.B, m.CaseB, deps)
	for _, r := range m.Threads() {
		l := &g.Lines[r.Thread]
		out = append(out, Need{Mix(l.Name, Mix(token, l.Name)), r.Seq + 1})
	}
	return out
}

// Covers reports whether one of the traces meets all needs.
func (c *Cover) Covers(needs []Need) bool {
	lists := make([][]reach, len(needs))
	rarest := 0
	for i, n := range needs {
		if lists[i] = c.reached[n.key]; len(lists[i]) == 0 {
			return false
		}
		if len(lists[i]) < len(lists[rarest]) {
			rarest = i
		}
	}
next:
	for _, r := range lists[rarest] {
		for i, n := range needs {
			l := lists[i]
			j := sort.Search(len(l), func(j int) bool { return l[j].trace >= r.trace })
			if j == len(l) || l[j].trace != r.trace || l[j].n < n.n {
				continue next
			}
		}
		return true
	}
	return false
}
