package machine

import (
	"fmt"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file defines the bubbles of testing/synctest. What is plain Go of internal/synctest.Run is in overlay/synctest.go.txt.
//
// Specification. A bubble is the goroutines that internal/synctest.Run starts, and those that they start, with a clock of
// their own, which begins at Epoch. A goroutine is durably blocked if it waits for what only its bubble can bring about: at
// a nil channel or a channel made in the bubble, at a select of such only, at Sleep, Cond.Wait, Wait, or at a
// WaitGroup that the bubble has added to. A bubble is idle if all its goroutines are durably blocked or have ended, and none of its timers is due.
//
//	BUBBLE1  Wait is enabled while the bubble is idle.
//	BUBBLE2  When the bubble is idle and nobody stands at Wait, its clock moves to the bubble's next deadline at once: nothing outside
//	       of the bubble could have kept it from that.
//	BUBBLE3  When there is no deadline, or the function of Run has returned, Run ends; if goroutines are left, it panics.
//	BUBBLE4  A timer that is due when it is started fires with its start.
//	BUBBLE5  Communication on a bubble's channel from outside, and Stop and Reset of its timers, are fatal errors.
type bubble struct {
	timeline
	id     int32
	name   string
	root   *G   // in Run; it belongs to the bubble and has no part in it
	main   *G   // runs Run's function
	gs     []*G // the others that have not ended, by the order of their start
	active int  // what else keeps it from being idle

	waitReady bool // BUBBLE1 holds
	endReady  bool // BUBBLE3 holds
}

// bubbleObject and a bubble's number make the address of a pseudo-object, which is never allocated: of two goroutines at Wait, one panics.
const bubbleObject = 1 << 10

func bubbleID(b *bubble) int32 {
	if b == nil {
		return 0
	}
	return b.id
}

func (m *clockwork) bubbleOf(id int32) *bubble {
	for _, b := range m.bubbles {
		if b.id == id {
			return b
		}
	}
	return nil
}

// foreign reports whether a channel belongs to a bubble that g is not in.
func (m *Machine) foreign(g *G, ch uint64) bool {
	if len(m.bubbles) == 0 || ch == 0 {
		return false
	}
	c := m.chanAt(ch)
	return c != nil && c.bubble != nil && c.bubble != g.bubble
}

// settle decides what idle bubbles may do. It reports whether that changes what is enabled.
func (m *Machine) settle() bool {
	changed := false
	running := map[int32]bool{}
	for _, t := range m.state.Enabled {
		running[t.Thread] = true
		if t.Partner >= 0 {
			running[t.Partner] = true
		}
	}
	for _, b := range m.bubbles {
		if !m.idle(b, running) {
			continue
		}
		waiter := false
		for _, g := range b.gs {
			g.parked, g.queued = true, true
			waiter = waiter || g.op.Kind == event.Quiesce
		}
		switch {
		case waiter:
			b.waitReady, changed = true, true
		case !b.main.ended && m.advance1(b):
			changed = true
		case b.root.waiting && b.root.op.Kind == event.Quiesce:
			b.endReady, changed = true, true
		}
	}
	return changed
}

// idle reports whether all goroutines of b are durably blocked.
func (m *Machine) idle(b *bubble, running map[int32]bool) bool {
	b.gs = slices.DeleteFunc(b.gs, func(g *G) bool { return g.ended || g.bubble != b })
	if b.main == nil || b.active > 0 || len(b.due) > 0 {
		return false
	}
	for _, g := range b.gs {
		if !g.waiting || running[g.idx] || len(g.stores) > 0 || !m.durable(g) {
			return false
		}
	}
	return true
}

// enter puts g into b.
func (b *bubble) enter(g *G) {
	if g.bubble = b; b != nil {
		b.gs = append(b.gs, g)
	}
}

// durable reports whether only its bubble can let g, which cannot go on, go on.
func (m *Machine) durable(g *G) bool {
	switch o := &g.op; o.Kind {
	case event.Invalid, event.ChanSend, event.ChanRecv:
		for _, c := range g.sel {
			if st := m.chanAt(c.ch); c.ch != 0 && (st == nil || st.bubble != g.bubble) {
				return false
			}
		}
		return true
	case event.Sleep, event.CondWait, event.Quiesce:
		return true
	case event.WaitGroupWait:
		return m.assoc[o.Loc.Addr] == g.bubble
	}
	return false
}

// bubbleBegin makes a bubble whose root is g.
func bubbleBegin(m *Machine, g *G, _ []uint64) status {
	if m.inits {
		return m.lacks(g, "function internal/synctest.Run in a package initialiser")
	}
	g.bubbles++
	name := fmt.Sprintf("%s.b%d", g.id, g.bubbles)
	id, ok := m.bubbleIDs[name]
	if !ok {
		if m.bubbleIDs == nil {
			m.bubbleIDs = map[string]int32{}
		}
		id = int32(len(m.bubbleIDs) + 1)
		m.bubbleIDs[name] = id
	}
	g.bubble = &bubble{id: id, name: name, root: g, timeline: timeline{now: Epoch}}
	m.bubbles = append(m.bubbles, g.bubble)
	return done
}

// bubbleJoin waits for the end of g's bubble: 0 if nothing is left, 1 if its function has returned, 2 if not.
func bubbleJoin(m *Machine, g *G, w []uint64) status {
	b := g.bubble
	if !m.announce(g, event.Op{Kind: event.Quiesce, Loc: event.Location{Addr: bubbleObject + uint64(b.id)}, Key: uint64(b.id)}) {
		return yield
	}
	w[0] = 0
	if len(b.gs) > 0 { // settle has taken out those that ended
		w[0] = 1 + b2w(!b.main.ended)
	}
	g.bubble = nil
	m.bubbles = slices.DeleteFunc(m.bubbles, func(o *bubble) bool { return o == b })
	return done
}

// bubbleWait is internal/synctest.Wait.
func bubbleWait(m *Machine, g *G, _ []uint64) status {
	b := g.bubble
	if b == nil {
		return m.throwPlainPanic(g, "goroutine is not in a bubble")
	}
	if !m.announce(g, event.Op{Kind: event.Quiesce, Loc: event.Location{Addr: bubbleObject + uint64(b.id)}, Key: uint64(b.id)}) {
		return yield
	}
	for _, o := range b.gs {
		if o != g && o.waiting && o.op.Kind == event.Quiesce {
			return m.throwPlainPanic(g, "wait already in progress")
		}
	}
	return done
}

func isBubbled(_ *Machine, g *G, w []uint64) status { w[0] = b2w(g.bubble != nil); return done }

// bubbleSet(id int32) puts g into a bubble, or out of it.
func bubbleSet(m *Machine, g *G, w []uint64) status {
	m.bubbleOf(int32(w[0])).enter(g)
	if g.bubble != nil {
		m.tr.Threads[g.idx].Bubble = g.bubble.id
	}
	return done
}

// bubbleActivity(id int32, delta int) keeps a bubble from being idle.
func bubbleActivity(m *Machine, g *G, w []uint64) status {
	if b := m.bubbleOf(int32(w[0])); b != nil {
		b.active += int(w[1])
	}
	return done
}

// What an object can be to a bubble: internal/synctest.Association.
const (
	unbubbled = iota
	currentBubble
	otherBubble
)

// associate(p unsafe.Pointer) int
func associate(m *Machine, g *G, w []uint64) status { w[1] = m.associate(g, w[0]); return done }

func (m *Machine) associate(g *G, p uint64) uint64 {
	switch b := m.assoc[p]; {
	case b != nil && b == g.bubble:
		return currentBubble
	case b != nil:
		return otherBubble
	case m.isVariable(p):
		return unbubbled
	}
	if m.assoc == nil {
		m.assoc = map[uint64]*bubble{}
	}
	m.assoc[p] = g.bubble
	return currentBubble
}

// isVariable reports whether p is in a package variable, which natively cannot be associated with a bubble.
func (m *image) isVariable(p uint64) bool {
	o := m.mem.Object(p)
	if o == nil || o.Base>>48 != mem.Init {
		return false
	}
	for _, a := range m.globals {
		if a == o.Base {
			return true
		}
	}
	return false
}

func disassociate(m *Machine, _ *G, w []uint64) status { delete(m.assoc, w[0]); return done }

func isAssociated(m *Machine, g *G, w []uint64) status {
	w[1] = b2w(g.bubble != nil && m.assoc[w[0]] == g.bubble)
	return done
}

// wgBubbled is the bit of a WaitGroup's state that says that a bubble has added to it.
const wgBubbled = 1 << 31

// wgEnter checks an Add of g, and notes that it is its bubble's. "" is no error.
func (m *Machine) wgEnter(g *G, a uint64) (fatal string) {
	const both = "sync: WaitGroup.Add called from inside and outside synctest bubble"
	if g.bubble != nil {
		switch m.associate(g, a) {
		case otherBubble:
			return "sync: WaitGroup.Add called from multiple synctest bubbles"
		case currentBubble:
			if m.peek32(a)&wgBubbled == 0 && m.wgCounter(a) != 0 {
				return both
			}
			*m.word32(a) |= wgBubbled
			return ""
		}
	}
	if m.peek32(a)&wgBubbled != 0 {
		return both
	}
	return ""
}

// wgLeave takes a WaitGroup at zero out of g's bubble, if one waits or has waited for that.
func (m *Machine) wgLeave(g *G, a uint64, waited bool) {
	if m.peek32(a)&wgBubbled == 0 || g.bubble == nil || m.assoc[a] != g.bubble {
		return
	}
	for _, o := range m.gs {
		waited = waited || o.waiting && o.op.Kind == event.WaitGroupWait && o.op.Loc.Addr == a
	}
	if waited {
		*m.word32(a) &^= wgBubbled
		delete(m.assoc, a)
	}
}

// foreignWaiter reports whether the goroutine with the given ticket of a Cond (any, if all) is in a bubble that g is not in.
func (m *execution) foreignWaiter(g *G, a uint64, ticket uint32, all bool) bool {
	if len(m.bubbles) == 0 {
		return false
	}
	for _, o := range m.gs {
		if o.waiting && o.op.Kind == event.CondWait && o.op.Loc.Addr == a && (all || uint32(o.op.Key) == ticket) && o.bubble != nil && o.bubble != g.bubble {
			return true
		}
	}
	return false
}
