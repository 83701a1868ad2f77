package trace

import "slices"

// A Dependence says on which earlier events the events of an execution depend: what those returned has flowed into what
// these are, or write. Only flows within a goroutine count, and what a goroutine is given when it is started. What
// flows through shared memory or channels comes in by the event that reads it.
type Dependence struct {
	// Path says, by event, on what the goroutine's way to it depends: which operations it performed so far, and where,
	// this one the last of them. What these wrote may change; see Value.
	Path []Set
	// Control says, by event, on what three things depend: that the branches which decide whether the operation
	// executes are taken as they were, that nothing before it panics, and its address. Branches beside its way do not
	// count, though they may hold other operations. So Control is a subset of Path.
	Control []Set
	// Value, by event: what these return has flowed into what the event writes or sends, given that it happens (Path).
	Value []Set

	nodes []setNode
	pairs map[uint64]Set
	leafs []Set // by event
	seen  []bool
}

// A Set is a set of events, as a number. 0 is the empty one. Sets with different numbers may have the same members.
type Set uint32

// A setNode is a union, or with right < 0 a single event, left.
type setNode struct{ left, right int32 }

// NewDependence returns one with no events.
func NewDependence() *Dependence {
	return &Dependence{nodes: make([]setNode, 1, 64), pairs: make(map[uint64]Set)}
}

// Event returns the set of one event, an index in Trace.Events.
func (d *Dependence) Event(e int) Set {
	for len(d.leafs) <= e {
		d.leafs = append(d.leafs, 0)
	}
	if d.leafs[e] == 0 {
		d.leafs[e] = Set(len(d.nodes))
		d.nodes = append(d.nodes, setNode{int32(e), -1})
	}
	return d.leafs[e]
}

// Union returns the union of two sets.
func (d *Dependence) Union(a, b Set) Set {
	if a < b {
		a, b = b, a
	}
	if b == 0 || a == b {
		return a
	}
	if n := d.nodes[a]; n.right >= 0 && (Set(n.left) == b || Set(n.right) == b) {
		return a
	}
	key := uint64(a)<<32 | uint64(b)
	s, ok := d.pairs[key]
	if !ok {
		s = Set(len(d.nodes))
		d.nodes = append(d.nodes, setNode{int32(a), int32(b)})
		d.pairs[key] = s
	}
	return s
}

// Members returns the events of a set, in ascending order. It may not be called by two goroutines at once.
func (d *Dependence) Members(s Set) []int32 {
	if s == 0 {
		return nil
	}
	if len(d.seen) < len(d.nodes) {
		d.seen = make([]bool, len(d.nodes))
	}
	var out []int32
	met := []Set{s}
	d.seen[s] = true
	for i := 0; i < len(met); i++ {
		n := d.nodes[met[i]]
		if n.right < 0 {
			out = append(out, n.left)
			continue
		}
		for _, c := range [2]Set{Set(n.left), Set(n.right)} {
			if !d.seen[c] {
				d.seen[c] = true
				met = append(met, c)
			}
		}
	}
	for _, s := range met {
		d.seen[s] = false
	}
	slices.Sort(out)
	return out
}
