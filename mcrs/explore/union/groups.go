package union

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/reduce"
	"github.com/heddle-go/heddle/mcrs/explore/settled"
)

// This file has the walk of behind.go follow who knows of the first Adds of wait groups, and of Waits that had to
// wait: rule BEHIND15.
//
// Let A be an Add that finds the counter at zero in an execution E, and W the Wait of another goroutine, which has to
// wait, and let nothing order A and W. Perform what happens before A or W, in the order of E: without an observation
// that is possible (docs/races.md). If the counter is zero then, A and W are next to each other there. If it is not, an
// Add is among these operations. So without an observation another Add to the group comes before A or W.

// ofGroup reports whether it is an Add to a wait group, or a Wait.
func (d doubt) ofGroup() bool { return d.kind == event.WaitGroupAdd || d.kind == event.WaitGroupWait }

// doubtGroups finds the Adds and Waits in doubt (BEHIND15). It returns the site of one of the Waits, 0 if there is
// none. observed says that there is an observation.
func (w *follower) doubtGroups(observed bool) (site event.Site) {
	adds, waits := settled.Groups(&w.Rules)
	var finder *settled.Finder
	raised := false
	for _, a := range adds {
		another := observed || len(a.Nodes) > 1 || slices.ContainsFunc(adds, func(o *settled.Use) bool { return o != a && o.Group == a.Group })
		for _, b := range waits {
			if !another || a.Loc != b.Loc || a.Thread == b.Thread || w.Racing.Raced[reduce.PairOf(a.Site, b.Site)] || settled.ByLock(&w.Rules, &a.Spots, &b.Spots) {
				continue
			}
			if finder == nil {
				raised = w.Raise() // for Counted
				finder = settled.New(w.Rules)
			}
			if finder.Rejected(&a.Spots) || finder.Rejected(&b.Spots) || raised && finder.Counted(a) || finder.ByOnce(&a.Spots, &b.Spots) || finder.Before(&a.Spots, a.Loc.Addr) || finder.Settled(&a.Spots, &b.Spots) {
				continue
			}
			for _, u := range [2]*settled.Use{a, b} {
				if d := (doubt{thread: u.Thread, kind: u.Kind, site: u.Site, loc: u.Loc}); !slices.Contains(w.doubted, d) {
					w.doubted = append(w.doubted, d)
				}
			}
			w.groups.Set(a.Group)
			site = b.Site
		}
	}
	return site
}

// writes reports whether an Add or a Wait that comes next is an access: the first Add, or a Wait that had to wait.
func (w *follower) writes(y *stand, d doubt) bool {
	if d.kind == event.WaitGroupWait {
		return y.waits.Has(d.thread + 1)
	}
	return w.Get(&y.s, w.ActOf(y.s.Node(d.thread)).Object) == 0
}

// wait notes who has to wait after a move of a goroutine.
func (w *follower) wait(y *stand, mover int32) {
	if len(w.groups) == 0 {
		return
	}
	y.waits.Clear(mover + 1)
	for t, n := range y.s.Nodes {
		if n == 0 || !w.Nodes[n].Known || w.Nodes[n].Op.Kind != event.WaitGroupWait {
			continue
		}
		if o := w.ActOf(n).Object; w.groups.Has(o) && w.Get(&y.s, o) > 0 {
			y.waits.Set(int32(t) + 1)
		}
	}
}
