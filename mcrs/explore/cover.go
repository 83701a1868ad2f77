package explore

import "sort"

// This file remembers which configurations the executed traces contain.
//
// A thread's state (graph.go) hashes its history with all its causes, so a trace
// contains a configuration if and only if each of its threads was in the state that
// the configuration gives it after as many events.

// A need is one thread's part of a configuration: it was in a state after n events.
type need struct {
	key uint64 // of the thread's name and state
	n   int32
}

// A reach says that in a trace a state held up to n events.
type reach struct{ trace, n int32 }

// A cover maps states to the traces that met them, in ascending order.
type cover struct {
	reached map[uint64][]reach
	traces  int32
	whole   map[uint64]bool // fingerprints of complete traces
}

func newCover() *cover {
	return &cover{reached: make(map[uint64][]reach), whole: make(map[uint64]bool)}
}

// add records a trace. It reports whether one with the same relation was there before.
func (c *cover) add(g *graph) (known bool) {
	var sum uint64
	for p := range g.lines {
		l := &g.lines[p]
		for i, a := range l.anchors {
			n := int32(len(l.events))
			if i+1 < len(l.anchors) {
				n = l.anchors[i+1].seq
			}
			k := mix(l.name, a.state)
			c.reached[k] = append(c.reached[k], reach{c.traces, n})
		}
		n := int32(len(l.events))
		sum += mix(mix(g.state(int32(p), n), l.name), uint64(n))
	}
	c.traces++
	known = c.whole[sum]
	c.whole[sum] = true
	return known
}

// needs lists what a trace must have met to contain k and the move after it.
func (g *graph) needs(k cut, m *move) []need {
	var out []need
	for q, n := range k {
		if n > 0 && !m.involves(int32(q)) {
			out = append(out, need{mix(g.lines[q].name, g.state(int32(q), n)), n})
		}
	}
	deps := g.depsAt(k, m)
	if m.b.thread < 0 {
		l := &g.lines[m.a.thread]
		return append(out, need{mix(l.name, g.after(m.a, m.caseA, deps)), m.a.seq + 1})
	}
	token := g.meeting(m.a, m.caseA, m.b, m.caseB, deps)
	for _, r := range m.threads() {
		l := &g.lines[r.thread]
		out = append(out, need{mix(l.name, mix(token, l.name)), r.seq + 1})
	}
	return out
}

// covers reports whether one of the traces meets all needs.
func (c *cover) covers(needs []need) bool {
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
