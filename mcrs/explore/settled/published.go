package settled

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// This file says what is settled since an object was published: rule BEHIND16. An object is its goroutine's own until
// an operation of that goroutine publishes it. So wherever another goroutine uses an address in it, its publisher
// stands behind such an operation.
//
// What the publisher has done to the object before that is known to whoever uses it. For he has its address from the
// publisher, by way of memory, maps, channels, and those who started others. Each of these either orders the two who
// handed the address on, or they race there, and that race is told. What the publisher did before is not told beside
// it, and is in no trace either, as far as it is reads and writes of memory (docs/limits.md).

// publishing finds where objects are published.
type publishing struct {
	spec.Rules
	found bool
	bases []uint64           // of what is published, in order
	by    map[uint64][]int32 // by base: the edges that publish it
	after map[uint64]known.Bits
}

// find finds the edges that publish something.
func (p *publishing) find() {
	p.found, p.by, p.after = true, make(map[uint64][]int32), make(map[uint64]known.Bits)
	for i := range p.Edges {
		if p.Edges[i].Rest == nil {
			continue
		}
		for _, pub := range p.Edges[i].Rest.Pubs {
			if p.by[pub.Addr] == nil {
				p.bases = append(p.bases, pub.Addr)
			}
			p.by[pub.Addr] = append(p.by[pub.Addr], int32(i))
		}
	}
	slices.Sort(p.bases)
}

// of returns the nodes of a goroutine behind an edge that publishes an address. ok is false if it is not known that it
// alone does so.
func (p *publishing) of(t int32, addr uint64) (after known.Bits, ok bool) {
	if !p.found {
		p.find()
	}
	at, exact := slices.BinarySearch(p.bases, addr)
	if !exact {
		at--
	}
	if at < 0 {
		return nil, false
	}
	base := p.bases[at]
	for _, e := range p.by[base] {
		covers := func(pub known.Publication) bool {
			return pub.Addr == base && addr < base+uint64(len(pub.Data))
		}
		if p.Nodes[p.Edges[e].From].Thread != t || !slices.ContainsFunc(p.Edges[e].Rest.Pubs, covers) {
			return nil, false
		}
	}
	if after, ok := p.after[base]; ok {
		return after, true
	}
	var todo []int32
	for _, e := range p.by[base] {
		todo = append(todo, p.Edges[e].To)
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		if todo = todo[:len(todo)-1]; n <= 0 || after.Has(n) {
			continue
		}
		after.Set(n)
		for _, e := range p.Nodes[n].Edges {
			todo = append(todo, p.Edges[e].To)
		}
	}
	p.after[base] = after
	return after, true
}

// Before reports whether an access to an address is always made before its goroutine publishes that.
func (f *Finder) Before(a *Spots, addr uint64) bool {
	p := &f.settling.published
	after, ok := p.of(p.Nodes[a.Nodes[0]].Thread, addr)
	return ok && !slices.ContainsFunc(a.Nodes, after.Has)
}
