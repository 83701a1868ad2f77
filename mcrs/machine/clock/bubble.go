package clock

import (
	"fmt"
	"math"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/objects"
	"github.com/heddle-go/heddle/mcrs/machine/prim"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file defines the bubbles of testing/synctest. What is plain Go of internal/synctest.Run is in
// overlay/synctest.go.txt.
//
// Specification. A bubble is the goroutines that internal/synctest.Run starts, and those that they start, with a clock
// of their own, which begins at Epoch. A goroutine is durably blocked if it waits for what only its bubble can bring
// about: at a nil channel or a channel made in the bubble, at a select of such only without a default, at Sleep,
// Cond.Wait, Wait, or at a WaitGroup that the bubble has added to. One that polls runs, though its rounds are not
// offered. A bubble is idle if all its goroutines are durably blocked or have ended, and none of its timers is due.
//
//	BUBBLE1  Wait is enabled while the bubble is idle.
//	BUBBLE2  When the bubble is idle and nobody stands at Wait, its clock moves to the bubble's next deadline at once:
//	         nothing outside of the bubble could have kept it from that.
//	BUBBLE3  When there is no deadline, or the function of Run has returned, Run ends; if goroutines are left, it
//	         panics.
//	BUBBLE4  A timer that is due when it is started fires with its start, but not if it has a function and was active:
//	         then it is in the heap of its bubble, which is looked at when that is idle, before Wait is enabled
//	         (runtime/time.go, modify).
//	BUBBLE5  Communication on a bubble's channel from outside, and Stop and Reset of its timers, are fatal errors,
//	         also when the bubble has ended.
//	BUBBLE6  Likewise a timer that was stopped while it was active, and that is due when it is started again: it may
//	         still be in the heap of its bubble. See stopped.go.
//	BUBBLE7  Of what is due in a bubble at one instant, the timers with a channel at which nobody stood when the
//	         clock came there fire first. Natively such a timer is in no heap: whoever looks at the channel then finds
//	         that it has sent (runtime/time.go, maybeRunChan). Not so with asynctimerchan=1.

// bubbleObject and a bubble's number make the address of a pseudo-object, which is never allocated: of two goroutines
// at Wait, one panics.
const bubbleObject = 1 << 10

// Settle decides what idle bubbles may do. It reports whether that changes what is enabled.
func Settle(m *vm.Machine) bool {
	changed := false
	running := map[int32]bool{}
	for _, t := range m.State.Enabled {
		running[t.Thread] = true
		if t.Partner >= 0 {
			running[t.Partner] = true
		}
	}
	for _, b := range m.Bubbles {
		if !idle(m, b, running) {
			continue
		}
		queue(b)
		heapRests(b)
		waiter := false
		for _, g := range b.Threads {
			g.Parked = true
			waiter = waiter || g.Op.Kind == event.Quiesce
		}
		switch {
		case len(b.Timers) > 0 && b.Timers[0].When <= b.Now && !b.Main.Ended && advance1(m, b, len(running) > 0): // BUBBLE4
			changed = true
		case waiter:
			b.WaitReady, changed = true, true
		case !b.Main.Ended && advance1(m, b, len(running) > 0):
			changed = true
		case !b.Main.Ended && slices.ContainsFunc(b.Threads, func(g *vm.G) bool { return vm.SleepsInRound(m, g) }): // POLL5
		case b.Root.Waiting && b.Root.Op.Kind == event.Quiesce:
			b.EndReady, changed = true, true
		}
	}
	return changed
}

// queue has those of a bubble at rest stand in the queues of their channels, behind those who stand there already
// (CHAN8). A goroutine that stands alone at its channels has the first place, and the places are numbered without gaps:
// what lies further back makes no difference.
func queue(b *vm.Bubble) {
	places := []int{}
	for _, g := range b.Threads {
		if len(g.Sel) == 0 {
			continue
		}
		if g.Queued == 0 {
			g.Queued = math.MaxInt
		}
		if meets(b, g) {
			places = append(places, g.Queued)
		} else {
			g.Queued = 1
		}
	}
	slices.Sort(places)
	places = slices.Compact(places)
	for _, g := range b.Threads {
		if i := slices.Index(places, g.Queued); i >= 0 && meets(b, g) {
			g.Queued = i + 1
		}
	}
}

// meets reports whether another one of a bubble stands at one of g's channels.
func meets(b *vm.Bubble, g *vm.G) bool {
	return slices.ContainsFunc(b.Threads, func(o *vm.G) bool {
		return o != g && slices.ContainsFunc(g.Sel, func(c vm.SelCase) bool {
			return o.StandsAt(c.Chan, false) >= 0 || o.StandsAt(c.Chan, true) >= 0
		})
	})
}

// idle reports whether all goroutines of b are durably blocked.
func idle(m *vm.Machine, b *vm.Bubble, running map[int32]bool) bool {
	b.Threads = slices.DeleteFunc(b.Threads, func(g *vm.G) bool { return g.Ended || g.Bubble != b })
	if b.Main == nil || b.Active > 0 || len(b.Due) > 0 {
		return false
	}
	for _, g := range b.Threads {
		if !g.Waiting || running[g.Index] || len(g.Stores) > 0 || !durable(m, g) {
			return false
		}
	}
	return true
}

// nobodyAt reports whether a timer of a bubble has a channel at which nobody stands, and that is full at its time for
// whoever looks.
func nobodyAt(m *vm.Machine, t *vm.Timer) bool {
	if t.Bubble == nil || !sends(m, t) {
		return false
	}
	_, blocked := t.Bubble.Blocked[t.Arg2]
	return !blocked
}

// HeldInBubble reports whether the end of g's sleep, or its firing if it is the thread of a timer, waits for other
// timers of its bubble to fire (BUBBLE7).
func HeldInBubble(g *vm.G) bool {
	b := g.Bubble
	if g.Op.Kind == event.TimerFire {
		b = g.Fires.Bubble
		if g.Fires.First {
			return false
		}
	}
	return b != nil && slices.ContainsFunc(b.Due, func(t *vm.Timer) bool { return t.First })
}

// durable reports whether only its bubble can let g, which cannot go on, go on.
func durable(m *vm.Machine, g *vm.G) bool {
	switch o := &g.Op; o.Kind {
	case event.Invalid, event.ChanSend, event.ChanRecv:
		if o.HasDefault {
			return false
		}
		for _, c := range g.Sel {
			if st := objects.ChanAt(m, c.Chan); c.Chan != 0 && (st == nil || st.Bubble != g.Bubble) {
				return false
			}
		}
		return true
	case event.Sleep, event.CondWait, event.Quiesce:
		return true
	case event.WaitGroupWait:
		return m.Assoc[o.Loc.Addr] == g.Bubble
	}
	return false
}

// BubbleBegin makes a bubble whose root is g.
func BubbleBegin(m *vm.Machine, g *vm.G, _ []uint64) vm.Status {
	if m.Inits {
		return m.Lacks(g, "function internal/synctest.Run in a package initialiser")
	}
	g.Bubbles++
	name := fmt.Sprintf("%s.b%d", g.ID, g.Bubbles)
	id, ok := m.BubbleIDs[name]
	if !ok {
		id = int32(len(m.BubbleIDs) + 1)
		m.BubbleIDs[name] = id
	}
	g.Bubble = &vm.Bubble{ID: id, Name: name, Root: g, Timeline: vm.Timeline{Now: vm.Epoch}}
	m.Bubbles = append(m.Bubbles, g.Bubble)
	return vm.Done
}

// BubbleJoin waits for the end of g's bubble: 0 if nothing is left, 1 if its function has returned, 2 if not.
func BubbleJoin(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	b := g.Bubble
	if !m.Announce(g, event.Op{Kind: event.Quiesce, Loc: event.Location{Addr: bubbleObject + uint64(b.ID)}, Key: uint64(b.ID)}) {
		return vm.Yield
	}
	w[0] = 0
	if len(b.Threads) > 0 { // settle has taken out those that ended
		w[0] = 1 + vm.Word(!b.Main.Ended)
	}
	m.Logged(g, w[0], 0)
	g.Bubble = nil
	m.Bubbles = slices.DeleteFunc(m.Bubbles, func(o *vm.Bubble) bool { return o == b })
	return vm.Done
}

// BubbleWait is internal/synctest.Wait.
func BubbleWait(m *vm.Machine, g *vm.G, _ []uint64) vm.Status {
	b := g.Bubble
	if b == nil {
		return goroutine.ThrowPlainPanic(m, g, "goroutine is not in a bubble")
	}
	if !m.Announce(g, event.Op{Kind: event.Quiesce, Loc: event.Location{Addr: bubbleObject + uint64(b.ID)}, Key: uint64(b.ID)}) {
		return vm.Yield
	}
	for _, o := range b.Threads {
		if o != g && o.Waiting && o.Op.Kind == event.Quiesce {
			m.Logged(g, 1, 0)
			return goroutine.ThrowPlainPanic(m, g, "wait already in progress")
		}
	}
	return vm.Done
}

// IsBubbled reports to the program whether g is in a bubble.
func IsBubbled(_ *vm.Machine, g *vm.G, w []uint64) vm.Status {
	w[0] = vm.Word(g.Bubble != nil)
	return vm.Done
}

// BubbleSet(id int32) puts g into a bubble, or out of it.
func BubbleSet(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	m.Trace.Entered = true
	m.BubbleOf(int32(w[0])).Enter(g)
	if g.Bubble != nil {
		m.Trace.Threads[g.Index].Bubble = g.Bubble.ID
	}
	return vm.Done
}

// BubbleActivity(id int32, delta int) keeps a bubble from being idle.
func BubbleActivity(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	m.Trace.Entered = true
	if b := m.BubbleOf(int32(w[0])); b != nil {
		b.Active += int(w[1])
	}
	return vm.Done
}

// Associate(p unsafe.Pointer) int
func Associate(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	w[1] = prim.Associate(m, g, w[0])
	return vm.Done
}

// Disassociate forgets that an object belongs to a bubble.
func Disassociate(m *vm.Machine, _ *vm.G, w []uint64) vm.Status {
	delete(m.Assoc, w[0])
	return vm.Done
}

// IsAssociated reports to the program whether an object belongs to g's bubble.
func IsAssociated(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	w[1] = vm.Word(g.Bubble != nil && m.Assoc[w[0]] == g.Bubble)
	return vm.Done
}
