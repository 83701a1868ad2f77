package reflects

import (
	"go/types"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/machine/objects"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file defines the channel operations of reflect.

// makechan(typ *abi.Type, size int) (ch unsafe.Pointer)
func reflectMakeChan(m *vm.Machine, g *vm.G, w []uint64) (s vm.Status) {
	el := m.Layouts.Of(m.Types.TypeAt(w[0]).Underlying().(*types.Chan).Elem())
	if n := int64(w[1]); n < 0 || el.Size > 0 && uint64(n) > (1<<47)/el.Size {
		return goroutine.ThrowPlain(m, g, "makechan: size out of range")
	}
	w[2], s = objects.NewChan(m, g, el, int(w[1]))
	return s
}

// elemOf is the layout of a channel's elements.
func elemOf(m *vm.Machine, ch uint64) *layout.Layout {
	if c := objects.ChanAt(m, ch); c != nil {
		return c.Elem
	}
	return m.Layouts.Of(types.Typ[types.Int]) // nil: nothing is ever transferred
}

// register returns room for a value in register form, and fills it from memory if load is set.
func register(m *vm.Machine, g *vm.G, l *layout.Layout, addr uint64, load bool) (unsafe.Pointer, vm.Status) {
	r := unsafe.Pointer(&make([]uint64, l.Words()+1)[0])
	if !load {
		return r, vm.Done
	}
	p, s := place(m, g, addr, l)
	if s == vm.Done && l.Size > 0 {
		vm.ToRegister(l.Class, r, p, l.Size)
	}
	return r, s
}

// chanrecv(ch unsafe.Pointer, nb bool, val unsafe.Pointer) (selected, received bool). val is reflect's own memory.
func reflectRecv(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	l := elemOf(m, w[0])
	at, _ := register(m, g, l, 0, false)
	w3, w4 := uint64(1), false
	var s vm.Status
	if w[1]&0xff != 0 {
		var k int
		k, w4, s = objects.SelectOp(m, g, []vm.SelCase{{Chan: w[0], Elem: l, At: at}}, false)
		w3 = vm.Word(k == 0)
	} else {
		w4, s = objects.ChanRecv(m, g, w[0], at, l)
	}
	if s != vm.Done {
		return s
	}
	w[3], w[4] = w3, vm.Word(w4)
	if w3 == 0 || w[2] == 0 {
		return vm.Done
	}
	return deliver(m, w[2], l, at)
}

// deliver stores a received value in memory that only reflect knows.
func deliver(m *vm.Machine, addr uint64, l *layout.Layout, at unsafe.Pointer) vm.Status {
	if _, p := m.Mem.Writable(addr, l.Size); p != nil {
		copy(unsafe.Slice((*byte)(p), l.Size), unsafe.Slice((*byte)(at), l.Size))
	}
	return vm.Done
}

// chansend0(ch, val unsafe.Pointer, nb bool) bool
func reflectSend(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	l := elemOf(m, w[0])
	at, s := register(m, g, l, w[1], w[0] != 0)
	if s != vm.Done {
		return s
	}
	if w[2]&0xff == 0 {
		w[3] = 1
		return objects.ChanSend(m, g, w[0], at, l)
	}
	k, _, s := objects.SelectOp(m, g, []vm.SelCase{{Chan: w[0], Elem: l, Send: true, At: at}}, false)
	if s == vm.Done {
		w[3] = vm.Word(k == 0)
	}
	return s
}

// rselect([]runtimeSelect) (chosen int, recvOK bool); a runtimeSelect is {dir, typ, ch, val}.
func reflectSelect(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	const dirSend, dirRecv, dirDefault = 1, 2, 3
	def := -1
	var cs []vm.SelCase
	var index []int
	var vals []uint64
	for i := uint64(0); i < w[1]; i++ {
		c := (*[4]uint64)(m.Mem.At(w[0]+i*32, 32))
		if c[0] == dirDefault {
			def = int(i)
			continue
		}
		l := elemOf(m, c[2])
		at, s := register(m, g, l, c[3], c[0] == dirSend && c[2] != 0)
		if s != vm.Done {
			return s
		}
		cs = append(cs, vm.SelCase{Chan: c[2], Elem: l, Send: c[0] == dirSend, At: at})
		index, vals = append(index, int(i)), append(vals, c[3])
	}
	k, ok, s := objects.SelectOp(m, g, cs, def < 0)
	if s != vm.Done {
		return s
	}
	if k < 0 {
		w[3], w[4] = uint64(def), 0
		return vm.Done
	}
	w[3], w[4] = uint64(index[k]), vm.Word(ok)
	if cs[k].Send {
		return vm.Done
	}
	return deliver(m, vals[k], cs[k].Elem, cs[k].At)
}
