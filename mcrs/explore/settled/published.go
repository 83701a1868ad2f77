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

// publications are where objects are published.
type publications struct {
	bases []uint64           // of what is published, in order
	by    map[uint64][]int32 // by base: the edges that publish it
	after map[uint64]known.Bits
}

// publicationsOf finds the edges that publish something.
func publicationsOf(k *spec.Rules) *publications {
	p := &publications{by: make(map[uint64][]int32), after: make(map[uint64]known.Bits)}
	for i := range k.Edges {
		if k.Edges[i].Rest == nil {
			continue
		}
		for _, pub := range k.Edges[i].Rest.Pubs {
			if p.by[pub.Addr] == nil {
				p.bases = append(p.bases, pub.Addr)
			}
			p.by[pub.Addr] = append(p.by[pub.Addr], int32(i))
		}
	}
	slices.Sort(p.bases)
	return p
}

// publishedBy returns the nodes of a goroutine behind an edge that publishes an address. ok is false if it is not known
// that it alone does so.
func (x *settling) publishedBy(t int32, addr uint64) (after known.Bits, ok bool) {
	if x.published == nil {
		x.published = publicationsOf(&x.Rules)
	}
	p := x.published
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
		if x.Nodes[x.Edges[e].From].Thread != t || !slices.ContainsFunc(x.Edges[e].Rest.Pubs, covers) {
			return nil, false
		}
	}
	if after, ok := p.after[base]; ok {
		return after, true
	}
	todo := slices.Clone(p.by[base])
	for len(todo) > 0 {
		n := x.Edges[todo[len(todo)-1]].To
		if todo = todo[:len(todo)-1]; n <= 0 || after.Has(n) {
			continue
		}
		after.Set(n)
		todo = append(todo, x.Nodes[n].Edges...)
		if x.looked += len(x.Nodes[n].Edges); x.looked >= settledBudget {
			return nil, false
		}
	}
	p.after[base] = after
	return after, true
}

// Before reports whether an access to an address is always made before its goroutine publishes that.
func (f *Finder) Before(a *Spots, addr uint64) bool {
	x := f.settling
	after, ok := x.publishedBy(x.Nodes[a.Nodes[0]].Thread, addr)
	return ok && !slices.ContainsFunc(a.Nodes, after.Has)
}
