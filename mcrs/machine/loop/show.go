package loop

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/sched"
)

// This file shows the scheduler the goroutines. What it takes to do so goes by how many of them have changed since the
// scheduler was asked last, and not by how many there are.
//
// What is shown of a goroutine changes where it performs an operation, comes to stand at one, or leaves it (Restood),
// and where it has waited for so long that it starves. All are shown anew where something changes that concerns all:
// in bubbles, with store buffers, while the clock offers something early, and where who ran last begins to starve the
// others, or ceases to.

// A showing is what the scheduler was shown last.
type showing struct {
	starves bool // what ran last took its turn among others
	all     bool // all were shown, for what concerns all
}

// show sets what the scheduler is shown of the goroutines. Of those that ended before nothing has changed.
func (v *showing) show(m *vm.Machine) {
	st := &m.State
	known := len(st.Threads)
	for _, g := range m.Threads[known:] {
		st.Threads = append(st.Threads, sched.Thread{ID: g.ID})
	}
	starves := st.Last >= 0 && m.Threads[st.Last].Alone < starveEvents
	all := len(m.BubbleIDs) > 0 || len(m.Early) > 0 || m.Relaxed()
	for _, g := range m.Left {
		showOne(m, g, starves)
	}
	changed := m.Threads[known:]
	if known == 0 || len(m.Left) > 0 || len(changed) > 0 || len(st.Live) != len(m.Live) {
		st.Live = st.Live[:0]
		for _, g := range m.Live {
			st.Live = append(st.Live, g.Index)
		}
	}
	if all || v.all || starves != v.starves {
		changed = m.Live
	} else {
		for _, g := range m.Stood {
			showOne(m, g, starves)
		}
	}
	for _, g := range changed {
		showOne(m, g, starves)
	}
	m.Left, m.Stood = m.Left[:0], m.Stood[:0]
	v.starves, v.all = starves, all
}

func showOne(m *vm.Machine, g *vm.G, starves bool) {
	t := &m.State.Threads[g.Index]
	if !g.Waiting {
		t.Op = nil
	} else if t.Op == nil {
		t.Op = &g.Op
	}
	t.Seq = g.Seq
	if len(m.BubbleIDs) > 0 {
		t.Bubble, t.Queued = m.Trace.Threads[g.Index].Bubble, g.Waiting && g.Queued > 0
	}
	t.Spin = g.Spins > spinEvents || g.Alone > 0 && g.Alone > g.Slice()
	t.Early = g.Early || g.Fires != nil && slices.Contains(m.Early, g)
	t.Starved = starves && g.Passed > starveEvents && (!t.Early || g.Passed > starveEarly)
}
