package learn

import (
	"fmt"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
)

// This file looks at the locks that a program uses as memory. There is one rule for them.
//
//	RENEW1  A plain write of zeros to all of a sync.Once (r.once = sync.Once{}) makes it new where one goroutine alone
//	        comes to its bytes, by writes and by Do. What it meets there is then a function of what it did itself:
//	        no other goroutine can change that, or see it. So the write is dependent with nothing that another one
//	        does, it orders nothing, and it races with nothing. As soon as another goroutine is seen to come to the
//	        bytes, or something else is done to them, there is no rule.

// asMemory looks for a rule for node n: it accesses bytes of a lock, or is an operation on a lock whose bytes are
// accessed. The error says that there is none.
func asMemory(a *absorption, n int32) error {
	x := &a.Nodes[n]
	for m := range int32(len(a.Nodes)) {
		y := &a.Nodes[m]
		if m == n || !y.Known || x.Op.Kind.IsAccess() == y.Op.Kind.IsAccess() {
			continue
		}
		access, lock := n, m
		if !x.Op.Kind.IsAccess() {
			access, lock = m, n
		}
		if !meets(&a.Nodes[access].Op, &a.Nodes[lock].Op) {
			continue
		}
		if x.Thread != y.Thread || !renews(&a.Nodes[access].Op, &a.Nodes[lock].Op) {
			return noRule(a, n)
		}
		o := a.Object(known.SpaceOnce, a.Nodes[lock].Op.Loc.Addr)
		if a.Renews == nil {
			a.Renews = map[int32][]int32{}
		}
		if !slices.Contains(a.Renews[access], o) {
			a.Renews[access] = append(a.Renews[access], o)
		}
		for _, id := range a.Nodes[access].Edges {
			if err := isNew(a, access, a.Edges[id].Raw); err != nil {
				return err
			}
		}
	}
	return nil
}

// noRule says that there is none for a node.
func noRule(a *absorption, n int32) error {
	used := ""
	if !a.Nodes[n].Op.Kind.IsAccess() {
		used = ", and used"
	}
	return fmt.Errorf("no rule for a lock that is used as memory%s at site %d", used, a.Nodes[n].Op.Site)
}

// meets reports whether an access touches bytes of a lock.
func meets(access, lock *event.Op) bool {
	w := event.Bytes(lock.Kind, lock.Loc, lock.Key)
	return w.Size > 0 && w.Overlaps(access.Loc)
}

// renews reports whether an access is a plain write of all of a Once.
func renews(access, lock *event.Op) bool {
	w := event.Bytes(lock.Kind, lock.Loc, lock.Key)
	lo, hi := access.Loc.Addr, access.Loc.Addr+uint64(access.Loc.Size)
	return access.Kind == event.Write && lock.Kind.Object() == event.Once && lo <= w.Addr && w.Addr+uint64(w.Size) <= hi
}

// isNew checks that what a node writes makes all Onces new that it writes to.
func isNew(a *absorption, n int32, raw []byte) error {
	for _, o := range a.Renews[n] {
		w := event.Bytes(event.OnceBegin, event.Location{Addr: a.Objects[o].Addr}, 0)
		at := w.Addr - a.Nodes[n].Op.Loc.Addr
		if at+uint64(w.Size) > uint64(len(raw)) || slices.ContainsFunc(raw[at:at+uint64(w.Size)], func(b byte) bool { return b != 0 }) {
			return noRule(a, n)
		}
	}
	return nil
}
