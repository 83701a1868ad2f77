package prior

import (
	"cmp"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file says which events of a trace are free to move in the formula of an Encoding.

// Free says of each event whether the rules for its kind are known, for it and for all that
// touch the same thing. none has the WaitGroups that are no joins.
func Free(t *trace.Trace, none map[event.Location]bool) []bool {
	free := make([]bool, len(t.Events))
	counted := slices.ContainsFunc(t.Events, func(e event.Event) bool { return e.Kind == event.Goroutines })
	locs := make(map[event.Location]bool) // of accesses: free
	locks := make(map[event.Location]int32)
	const unlocked, spoiled = -1, -2
	for i := range t.Events {
		e := &t.Events[i]
		switch e.Kind {
		case event.Read, event.Write, event.AtomicLoad, event.AtomicStore:
			if e.Swap || e.Kind == event.AtomicLoad && (e.Key != 0 || e.Other > 0) { // a compare-and-swap that failed
				locs[e.Loc] = false
			} else if _, ok := locs[e.Loc]; !ok {
				locs[e.Loc] = true
			}
		case event.Store:
			free[i] = true
			if _, ok := locs[e.Loc]; !ok {
				locs[e.Loc] = true
			}
		case event.AtomicRMW:
			locs[e.Loc] = false
		case event.Lock, event.Unlock:
			want, next := int32(unlocked), e.Thread
			if e.Kind == event.Unlock {
				want, next = next, want
			}
			if h, ok := locks[e.Loc]; ok && h != want || !ok && want != unlocked {
				next = spoiled
			}
			locks[e.Loc] = next
		case event.Spawn, event.End:
			free[i] = !counted
		case event.Yield, event.Fence:
			free[i] = true
		case event.WaitGroupAdd, event.WaitGroupWait:
			free[i] = !none[e.Loc]
		case event.RLock, event.RUnlock, event.LockAnnounce, event.TryLock, event.TryRLock:
			locks[e.Loc] = spoiled
		}
	}
	fixOverlaps(locs)
	for i := range t.Events {
		switch e := &t.Events[i]; {
		case e.Kind.IsAccess():
			free[i] = locs[e.Loc]
		case e.Kind == event.Lock || e.Kind == event.Unlock:
			free[i] = locks[e.Loc] != spoiled
		}
	}
	return free
}

// fixOverlaps marks the locations that overlap another one as not free.
func fixOverlaps(locs map[event.Location]bool) {
	var sorted []event.Location
	for l := range locs {
		sorted = append(sorted, l)
	}
	slices.SortFunc(sorted, func(a, b event.Location) int {
		return cmp.Or(cmp.Compare(a.Addr, b.Addr), cmp.Compare(a.Size, b.Size))
	})
	widest := 0 // of those so far, the one that reaches furthest
	for i := 1; i < len(sorted); i++ {
		w, l := sorted[widest], sorted[i]
		if w.Overlaps(l) {
			locs[w], locs[l] = false, false
		}
		if l.Addr+uint64(l.Size) > w.Addr+uint64(w.Size) {
			widest = i
		}
	}
}
