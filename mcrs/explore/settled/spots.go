package settled

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// Spots are the nodes at which an access is made, and the locks that its goroutine holds at all of them.
type Spots struct {
	Nodes []int32
	Locks []known.Held
}

// SpotsAt returns no nodes yet, and the locks that are held at the first one.
func SpotsAt(x *known.Node) *Spots { return &Spots{Locks: x.Locks} }

// Add adds a node.
func (s *Spots) Add(n int32, x *known.Node) {
	s.Nodes = append(s.Nodes, n)
	s.Hold(x.Locks)
}

// Hold leaves the locks that are among others.
func (s *Spots) Hold(others []known.Held) {
	var both []known.Held
	for _, h := range s.Locks {
		for _, o := range others {
			if h.Object == o.Object {
				both = append(both, known.Held{Object: h.Object, Mode: min(h.Mode, o.Mode)})
				break
			}
		}
	}
	s.Locks = both
}

// ByLock reports whether a lock is held at both accesses that two goroutines cannot both hold.
func ByLock(k *spec.Rules, a, b *Spots) bool {
	return slices.ContainsFunc(a.Locks, func(h known.Held) bool {
		return !k.Objects[h.Object].Foreign && slices.ContainsFunc(b.Locks, func(o known.Held) bool {
			return h.Object == o.Object && max(h.Mode, o.Mode) >= known.HeldWrite && !(h.Mode == known.HeldAnnounced || o.Mode == known.HeldAnnounced)
		})
	})
}

// A Use is an Add to a wait group, or a Wait, of one goroutine at one site.
type Use struct {
	Spots
	Group  int32 // the object
	Thread int32
	Kind   event.Kind
	Site   event.Site
	Loc    event.Location
}

// Groups lists the Adds to wait groups that take nothing, and the Waits.
func Groups(k *spec.Rules) (adds, waits []*Use) {
	for i := range k.Edges {
		e := &k.Edges[i]
		x := &k.Nodes[e.From]
		to := &waits
		switch {
		case e.Kind == event.WaitGroupAdd && e.Delta > 0:
			to = &adds
		case e.Kind != event.WaitGroupWait:
			continue
		}
		at := slices.IndexFunc(*to, func(u *Use) bool {
			return u.Thread == x.Thread && u.Site == x.Op.Site && u.Loc == x.Op.Loc
		})
		if at < 0 {
			at = len(*to)
			*to = append(*to, &Use{*SpotsAt(x), k.ActOf(e.From).Object, x.Thread, e.Kind, x.Op.Site, x.Op.Loc})
		}
		(*to)[at].Add(e.From, x)
	}
	return adds, waits
}
