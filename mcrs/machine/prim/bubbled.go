package prim

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file says what primitives have to do with the bubbles of testing/synctest (clock/bubble.go).

// What an object can be to a bubble: internal/synctest.Association.
const (
	unbubbled = iota
	currentBubble
	otherBubble
)

// Associate makes the object at p one of g's bubble, and says what it was.
func Associate(m *vm.Machine, g *vm.G, p uint64) uint64 {
	switch b := m.Assoc[p]; {
	case b != nil && b == g.Bubble:
		return currentBubble
	case b != nil:
		return otherBubble
	case isVariable(m, p):
		return unbubbled
	}
	if m.Assoc == nil {
		m.Assoc = map[uint64]*vm.Bubble{}
	}
	m.Mem.Meet(p)
	m.Assoc[p] = g.Bubble
	return currentBubble
}

// isVariable reports whether p is in a package variable, which natively cannot be associated with a bubble.
func isVariable(m *vm.Machine, p uint64) bool {
	o := m.Mem.Object(p)
	if o == nil || mem.SegmentOf(o.Base) != mem.Init {
		return false
	}
	for _, a := range m.Globals {
		if a == o.Base {
			return true
		}
	}
	return false
}

// wgBubbled is the bit of a WaitGroup's state that says that a bubble has added to it.
const wgBubbled = 1 << 31

// wgEnter checks an Add of g, and notes that it is its bubble's. "" is no error.
func wgEnter(m *vm.Machine, g *vm.G, a uint64) (fatal string) {
	const both = "sync: WaitGroup.Add called from inside and outside synctest bubble"
	if g.Bubble != nil {
		how := Associate(m, g, a)
		m.Trace.Bubble(a, vm.BubbleID(m.Assoc[a]))
		switch how {
		case otherBubble:
			return "sync: WaitGroup.Add called from multiple synctest bubbles"
		case currentBubble:
			if m.Peek32(a)&wgBubbled == 0 && WaitGroupCounter(m, a) != 0 {
				return both
			}
			*m.Word32(a) |= wgBubbled
			return ""
		}
	}
	if m.Peek32(a)&wgBubbled != 0 {
		return both
	}
	return ""
}

// wgLeave takes a WaitGroup at zero out of g's bubble, if one waits or has waited for that.
func wgLeave(m *vm.Machine, g *vm.G, a uint64, waited bool) {
	if m.Peek32(a)&wgBubbled == 0 || g.Bubble == nil || m.Assoc[a] != g.Bubble {
		return
	}
	for _, o := range m.Threads {
		waited = waited || o.Waiting && o.Op.Kind == event.WaitGroupWait && o.Op.Loc.Addr == a
	}
	if waited {
		*m.Word32(a) &^= wgBubbled
		delete(m.Assoc, a)
	}
}

// foreignWaiter reports whether the goroutine with the given ticket of a Cond (any, if all) is in a bubble that g is
// not in.
func foreignWaiter(m *vm.Machine, g *vm.G, a uint64, ticket uint32, all bool) bool {
	if len(m.BubbleIDs) == 0 {
		return false
	}
	for _, o := range m.Threads {
		if o.Waiting && o.Op.Kind == event.CondWait && o.Op.Loc.Addr == a && (all || uint32(o.Op.Key) == ticket) && o.Bubble != nil && o.Bubble != g.Bubble {
			return true
		}
	}
	return false
}
