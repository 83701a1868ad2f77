package machine

import (
	"go/types"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/layout"
)

// This file defines the channel operations of reflect.

// makechan(typ *abi.Type, size int) (ch unsafe.Pointer)
func reflectMakeChan(m *Machine, g *G, w []uint64) (s status) {
	el := m.layouts.Of(m.types.TypeAt(w[0]).Underlying().(*types.Chan).Elem())
	if n := int64(w[1]); n < 0 || el.Size > 0 && uint64(n) > (1<<47)/el.Size {
		return m.throwPlain(g, "makechan: size out of range")
	}
	w[2], s = m.newChan(g, el, int(w[1]))
	return s
}

// elemOf is the layout of a channel's elements.
func (m *image) elemOf(ch uint64) *layout.Layout {
	if c := m.chanAt(ch); c != nil {
		return c.elem
	}
	return m.layouts.Of(types.Typ[types.Int]) // nil: nothing is ever transferred
}

// register returns room for a value in register form, and fills it from memory if load is set.
func (m *Machine) register(g *G, l *layout.Layout, addr uint64, load bool) (unsafe.Pointer, status) {
	r := unsafe.Pointer(&make([]uint64, l.Words()+1)[0])
	if !load {
		return r, done
	}
	p, s := m.place(g, addr, l)
	if s == done && l.Size > 0 {
		m.toRegister(l.Class, r, p, l.Size)
	}
	return r, s
}

// chanrecv(ch unsafe.Pointer, nb bool, val unsafe.Pointer) (selected, received bool). val is reflect's own memory.
func reflectRecv(m *Machine, g *G, w []uint64) status {
	l := m.elemOf(w[0])
	at, _ := m.register(g, l, 0, false)
	w3, w4 := uint64(1), false
	var s status
	if w[1]&0xff != 0 {
		var k int
		k, w4, s = m.selectOp(g, []selCase{{w[0], l, false, at}}, false)
		w3 = b2w(k == 0)
	} else {
		w4, s = m.chanRecv(g, w[0], at, l)
	}
	if s != done {
		return s
	}
	w[3], w[4] = w3, b2w(w4)
	if w3 == 0 || w[2] == 0 {
		return done
	}
	return m.deliver(w[2], l, at)
}

// deliver stores a received value in memory that only reflect knows.
func (m *heap) deliver(addr uint64, l *layout.Layout, at unsafe.Pointer) status {
	if _, p := m.mem.Writable(addr, l.Size); p != nil {
		copy(unsafe.Slice((*byte)(p), l.Size), unsafe.Slice((*byte)(at), l.Size))
	}
	return done
}

// chansend0(ch, val unsafe.Pointer, nb bool) bool
func reflectSend(m *Machine, g *G, w []uint64) status {
	l := m.elemOf(w[0])
	at, s := m.register(g, l, w[1], w[0] != 0)
	if s != done {
		return s
	}
	if w[2]&0xff == 0 {
		w[3] = 1
		return m.chanSend(g, w[0], at, l)
	}
	k, _, s := m.selectOp(g, []selCase{{w[0], l, true, at}}, false)
	if s == done {
		w[3] = b2w(k == 0)
	}
	return s
}

// rselect([]runtimeSelect) (chosen int, recvOK bool); a runtimeSelect is {dir, typ, ch, val}.
func reflectSelect(m *Machine, g *G, w []uint64) status {
	const dirSend, dirRecv, dirDefault = 1, 2, 3
	def := -1
	var cs []selCase
	var index []int
	var vals []uint64
	for i := uint64(0); i < w[1]; i++ {
		c := (*[4]uint64)(m.mem.At(w[0]+i*32, 32))
		if c[0] == dirDefault {
			def = int(i)
			continue
		}
		l := m.elemOf(c[2])
		at, s := m.register(g, l, c[3], c[0] == dirSend && c[2] != 0)
		if s != done {
			return s
		}
		cs = append(cs, selCase{c[2], l, c[0] == dirSend, at})
		index, vals = append(index, int(i)), append(vals, c[3])
	}
	k, ok, s := m.selectOp(g, cs, def < 0)
	if s != done {
		return s
	}
	if k < 0 {
		w[3], w[4] = uint64(def), 0
		return done
	}
	w[3], w[4] = uint64(index[k]), b2w(ok)
	if cs[k].send {
		return done
	}
	return m.deliver(vals[k], cs[k].elem, cs[k].at)
}
