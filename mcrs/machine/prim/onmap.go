// This file says what an operation on a sync.Map was, once that is known: on which key, and whether it changed
// anything.

package prim

import (
	"go/types"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// objectKeyed(key any): the last ObjectEvent of g was on this key. A key whose digest would take more than its bytes
// counts as all keys.
func objectKeyed(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if w[0] != 0 { // natively the key is hashed first, whatever the Map holds; that of a Go map that is empty would not be
		switch m.Types.TypeAt(w[0]).Underlying().(type) {
		case *types.Pointer, *types.Chan, *types.Basic:
		default:
			if _, _, bad := m.Types.AppendKeyAt(nil, types.Universe.Lookup("any").Type(), unsafe.Pointer(&w[0])); bad != nil {
				return goroutine.ThrowComputed(m, g, "hash of unhashable type "+m.Types.Str(bad))
			}
		}
	}
	i := g.Object
	if i < 0 || i >= len(m.Trace.Events) || w[0] == 0 {
		return vm.Done
	}
	digest, ok := uint64(0), false
	switch t := m.Types.TypeAt(w[0]).Underlying().(type) {
	case *types.Pointer, *types.Chan:
		digest, ok = w[1], true
	case *types.Basic:
		switch {
		case t.Info()&types.IsString != 0:
			if p := m.Mem.At(w[1], 16); p != nil {
				s := (*[2]uint64)(p)
				digest, ok = vm.HashString(m.GoString(s[0], s[1])), true
			}
		case t.Info()&(types.IsInteger|types.IsBoolean) != 0:
			size := m.Layouts.Of(t).Size
			if p := m.Mem.At(w[1], size); p != nil {
				digest, ok = vm.HashBytes(0, unsafe.Slice((*byte)(p), size)), true
			}
		}
	}
	if ok {
		m.Trace.Events[i].Other |= int64(vm.HashMix(w[0], digest)&^15) | event.MapKeyed
	}
	return vm.Done
}

// objectUnchanged(p unsafe.Pointer, locked bool): the last ObjectEvent of g, at p, has written nothing. It was a read,
// but for a store buffer, for which it has waited. locked says that it took the lock of a Map.
func objectUnchanged(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if e := lastOnObject(m, g, w[0]); e != nil && e.Kind == event.ObjectWrite {
		e.Kind, e.Swap = event.ObjectRead, true
		if w[1]&1 != 0 {
			e.Other |= event.MapLocks
		}
	}
	return vm.Done
}

// objectValue(p unsafe.Pointer, x any, put bool): the last ObjectEvent of g, at p, put x into a Pool, or took it out.
// The race detector knows it by the pointer in it.
func objectValue(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if e := lastOnObject(m, g, w[0]); e != nil {
		how := int64(event.PoolGot)
		if w[3]&1 != 0 {
			how = event.PoolPut
		}
		e.Other = int64(vm.HashMix(1, w[2])&^3) | how
	}
	return vm.Done
}

// lastOnObject is the last ObjectEvent of g, which was at an address, or what stands for it where it made no event.
func lastOnObject(m *vm.Machine, g *vm.G, addr uint64) *event.Event {
	if i := g.Object; i >= 0 && i < len(m.Trace.Events) {
		return &m.Trace.Events[i]
	}
	if n := len(m.Trace.Silent) - 1; n >= 0 {
		if s := &m.Trace.Silent[n].Op; s.Thread == g.Index && s.Loc.Addr == addr {
			return s
		}
	}
	return nil
}
