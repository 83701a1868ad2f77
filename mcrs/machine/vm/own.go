package vm

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file keeps which objects a goroutine has for itself, and which of its addresses are free again. Rules REUSE1 to
// REUSE4 (naming/reuse.go) say when they are.

// Own is what a goroutine has allocated for itself.
type Own struct {
	Young   []uint64 // objects that may still be its own, and alive, by address
	Vacant  []uint64 // slots that are free again, the lowest last
	Settled bool     // nothing of its own becomes free any more (REUSE3)
	Since   int64    // objects allocated since the last look
	Walked  int64    // words looked at then
}

// mostYoung bounds how many objects are remembered as a goroutine's own. Those beyond it keep their addresses.
const mostYoung = 1 << 10

// wholeSlot is the size from which on an object takes more than one slot.
const wholeSlot = 1 << 16

// reuses reports whether addresses of a goroutine's own may be given out again: not those of `heddle run`, which are
// compared with no others.
func (m *Machine) reuses(g *G) bool { return m.Mode == Exploring && !m.Inits && !g.Settled }

// allocOwn allocates an object of a goroutine, in a slot of its own that is free again if there is one.
func (m *Machine) allocOwn(g *G, size uint64, ptrs *mem.PtrMap) *mem.Object {
	if !m.reuses(g) || size >= wholeSlot {
		return m.Mem.Alloc(g.Segment, size, ptrs)
	}
	var o *mem.Object
	if n := len(g.Vacant); n > 0 {
		o = m.Mem.AllocIn(g.Segment, g.Vacant[n-1], size, ptrs)
		g.Vacant = g.Vacant[:n-1]
		if m.Flows != nil {
			m.Flows.Anew(o.Base, o.Size)
		}
		if m.Relaxed() {
			g.Anew = append(g.Anew, o.Base)
		}
	} else {
		o = m.Mem.Alloc(g.Segment, size, ptrs)
	}
	if g.Since++; len(g.Young) < mostYoung {
		g.Young = append(g.Young, o.Base)
	}
	return o
}

// known is what keeps an object from being a goroutine's own (REUSE2).
const known = mem.Shared | mem.Met | mem.ReadOnly | mem.Memo | mem.Output

// Known leaves a zero among the young where an object is not the goroutine's own any more.
func (m *Machine) Known(g *G) {
	for i, a := range g.Young {
		if o := m.Mem.Object(a); o != nil && o.Flags&known != 0 {
			g.Young[i] = 0
		}
	}
}

// Settle has a goroutine keep all addresses from now on (REUSE3).
func (g *G) Settle() { g.Own = Own{Settled: true} }

// meets notes the objects that an operation names (REUSE2).
func (m *Machine) meets(o *event.Op) {
	m.Mem.Meet(o.Loc.Addr)
	for i := range o.Cases {
		m.Mem.Meet(o.Cases[i].Chan)
	}
}
