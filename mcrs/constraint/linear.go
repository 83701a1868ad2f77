package constraint

// This file makes seeds easy to read: of the orders that are equivalent to a candidate, one with few switches.

// straighten returns an order of the same nodes with no more switches from goroutine to goroutine, the last tail of
// them last as they are. Nodes that touch the same thing, or must precede one another, keep their order, so each
// operation returns what it did.
//
// It goes from the end, where the goroutine is known that the question is about, and stays with a goroutine as long as
// everything that must come after its event has been placed.
func (e *Encoding) straighten(order []int32, tail int) []int32 {
	n := len(order) - tail
	l := e.links(order[:n])
	out := make([]int32, n, len(order))
	current := int32(-1)
	if tail > 0 {
		if x := order[n]; x >= 0 {
			current = e.at(x).Thread
		}
	}
	last := func(th int32) (int32, bool) { // the last place of th that is left, if nothing must come after it
		of := l.ofThread[th]
		if len(of) == 0 {
			return 0, false
		}
		p := of[len(of)-1]
		if l.later[p] > 0 {
			return 0, false
		}
		for _, other := range e.threads(order[p]) { // of a rendezvous: both
			if o := l.ofThread[other]; o[len(o)-1] != p {
				return 0, false
			}
		}
		return p, true
	}
	for k := n - 1; k >= 0; k-- {
		var p int32
		ok := false
		if current >= 0 {
			p, ok = last(current)
		}
		if !ok {
			p = -1
			for th := range l.ofThread {
				if q, ready := last(int32(th)); ready && q > p {
					p, current = q, int32(th)
				}
			}
		}
		for _, th := range e.threads(order[p]) {
			l.ofThread[th] = l.ofThread[th][:len(l.ofThread[th])-1]
		}
		for i := l.first[p]; i >= 0; i = l.list[i].next {
			l.later[l.list[i].place]--
		}
		out[k] = order[p]
	}
	out = append(out, order[n:]...)
	if e.switches(out) > e.switches(order) {
		return order
	}
	return out
}

// links say which places of an order must stay before which.
type links struct {
	first    []int32 // by place: the head of its list of places that must stay before it, -1 if there is none
	list     []link
	later    []int32   // by place: how many must stay after it and are not placed
	ofThread [][]int32 // places
}

type link struct{ place, next int32 }

func (l *links) add(before, after int32) {
	if before >= 0 {
		l.list = append(l.list, link{before, l.first[after]})
		l.first[after] = int32(len(l.list) - 1)
		l.later[before]++
	}
}

func (e *Encoding) links(order []int32) *links {
	l := &links{first: make([]int32, len(order)), later: make([]int32, len(order)), ofThread: make([][]int32, len(e.t.Threads))}
	fill(l.first, -1)
	place := make([]int32, len(e.nodes)) // by node
	fill(place, -1)
	wrote := make([]int32, len(e.vars)) // by variable: the place of its last write
	fill(wrote, -1)
	read := make([]int32, len(e.vars)) // likewise, of its last read after that
	fill(read, -1)
	previous := make([]int32, len(order)) // by place of a read: the read before it
	locks := make([]int32, len(e.walk.held))
	fill(locks, -1)
	for i, x := range order {
		at := int32(i)
		place[x] = at
		for _, d := range e.nodes[x].before {
			l.add(place[d], at)
		}
		if c := e.nodes[x].chain; c >= 0 {
			l.add(place[c], at)
		}
		for _, th := range e.threads(x) {
			l.ofThread[th] = append(l.ofThread[th], at)
		}
		if v := e.varOf[x]; v >= 0 {
			l.add(wrote[v], at)
			if !e.at(x).Kind.IsWrite() {
				previous[at], read[v] = read[v], at
				continue
			}
			for r := read[v]; r >= 0; r = previous[r] {
				l.add(r, at)
			}
			wrote[v], read[v] = at, -1
		} else if k := e.low.lockOf[x]; k >= 0 {
			l.add(locks[k], at)
			locks[k] = at
		}
	}
	return l
}

// switches returns how often the next event is another goroutine's.
func (m *model) switches(order []int32) int {
	n := 0
	for i, x := range order {
		if i > 0 && m.at(x).Thread != m.at(order[i-1]).Thread {
			n++
		}
	}
	return n
}
