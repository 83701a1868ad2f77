package prior

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines which WaitGroups are joins: rule JOIN1.
//
// A WaitGroup is one if in every order that MHB1 allows its counter is zero just when all that was added before a
// Wait is done: each Done has an Add of its own that must come before it, and a Wait comes after all Adds so far, and
// before all later ones. Then nobody can tell the order of Adds and Dones, and a Wait is after the Dones and
// otherwise free.

// A group is what is known of a WaitGroup as the trace is read.
type group struct {
	tokens []mark // Adds that are not done, one for each unit
	adds   []mark
	dones  []int32 // events
	waits  []mark
}

// A mark is an event: the seq-th of a thread.
type mark struct{ thread, seq int32 }

// Joins returns, for each event of kind WaitGroupWait of a WaitGroup that is a join, the Dones before it; and which
// WaitGroups are none.
func Joins(t *trace.Trace) (dones map[int32][]int32, none map[event.Location]bool) {
	none = make(map[event.Location]bool)
	for {
		n := len(none)
		if dones = readJoins(t, none); len(none) == n {
			return dones, none
		}
	}
}

// readJoins reads the trace once, and adds WaitGroups that are no joins to none.
func readJoins(t *trace.Trace, none map[event.Location]bool) map[int32][]int32 {
	groups := make(map[event.Location]*group)
	dones := make(map[int32][]int32)
	clocks := make([][]int32, len(t.Threads))
	at := make(map[int32][]int32) // by event, of Spawns and Dones: the clock then
	for i := range t.Events {
		e, n := &t.Events[i], int32(i)
		c := clocks[e.Thread]
		if c == nil {
			c = make([]int32, len(t.Threads))
			if s := t.Threads[e.Thread].Spawn; s >= 0 {
				copy(c, at[s])
			}
			clocks[e.Thread] = c
		}
		past := func(m mark) bool { return c[m.thread] > m.seq }
		self := mark{e.Thread, e.Seq}
		switch e.Kind {
		case event.WaitGroupAdd, event.WaitGroupWait:
			g := groups[e.Loc]
			if g == nil {
				g = new(group)
				groups[e.Loc] = g
			}
			switch delta := int64(e.Value); {
			case none[e.Loc]:
			case e.Other < 0:
				none[e.Loc] = true
			case e.Kind == event.WaitGroupWait:
				if len(g.tokens) > 0 || !all(g.adds, past) {
					none[e.Loc] = true
					break
				}
				for _, d := range g.dones {
					for th, k := range at[d] {
						c[th] = max(c[th], k)
					}
				}
				dones[n] = slices.Clone(g.dones)
				g.waits = append(g.waits, self)
			case delta > 0:
				if !all(g.waits, past) {
					none[e.Loc] = true
				}
				g.adds = append(g.adds, self)
				for range min(delta, 1<<16) {
					g.tokens = append(g.tokens, self)
				}
			case delta < 0:
				for range min(-delta, 1<<16) {
					k := slices.IndexFunc(g.tokens, past)
					if k < 0 {
						none[e.Loc] = true
						break
					}
					g.tokens = slices.Delete(g.tokens, k, k+1)
				}
				g.dones = append(g.dones, n)
			}
		}
		c[e.Thread] = e.Seq + 1
		if e.Kind == event.Spawn || e.Kind == event.WaitGroupAdd {
			at[n] = slices.Clone(c)
		}
	}
	return dones
}

func all(ms []mark, ok func(mark) bool) bool {
	return !slices.ContainsFunc(ms, func(m mark) bool { return !ok(m) })
}
