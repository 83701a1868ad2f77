package prim

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/access"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file defines the operations of sync/atomic.
//
// Specification.
//
//	ATOM1   An operation on a word is one access to it. What it finds decides what it returns and leaves. It is always
//	        enabled. A compare-and-swap that fails is a read.
//	ATOM2   A plain access of package sync is atomic, so it races with no other one of it, and synchronises nothing:
//	        the race detector leaves it out (access/loud.go).
//	VALUE1  An atomic.Value is two words, type and data. It is empty while the type is nil. Load is one access to
//	        both.
//	VALUE2  Store and Swap are one access. If the Value is empty, or holds a value of the same type, they put both
//	        words. Else they change nothing, and panic. (The source has a first Store in three steps, in which a Load
//	        finds nothing and others spin: that is, they come before it or after it.)
//	VALUE3  CompareAndSwap is a Load, a comparison, and then an access that puts the new value if both words are still
//	        what was loaded. It fails if another value, equal but in another place, has come in between: so does the
//	        source. If the Value was empty, and is no more, it begins again.
//	VALUE4  A nil value, and values of two types, panic before any access.
//	VALUE5  What puts the first value is before each later Store, which looks at the type alone. So a later Store is
//	        after no other one.

// An atomic operation of size bytes: f changes the word at p and returns its result.
func atomic(k event.Kind, size uint32, args, results int, f func(p unsafe.Pointer, w []uint64) (ret uint64, wrote bool)) vm.Intrinsic {
	return atomicOf(k, size, args, results, false, f)
}

// atomicOf is atomic. adds says that the operation adds its second argument.
func atomicOf(k event.Kind, size uint32, args, results int, adds bool, f func(p unsafe.Pointer, w []uint64) (ret uint64, wrote bool)) vm.Intrinsic {
	return func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
		a := w[0]
		if m.Mem.At(a, uint64(size)) == nil {
			return goroutine.ThrowNil(m, g)
		}
		o := m.Mem.Object(a)
		silent := false
		if o.Flags&(mem.Shared|mem.ReadOnly) == mem.Shared {
			silent = g.Silent()
			op := event.Op{Kind: k, Loc: event.Location{Addr: a, Size: size}}
			switch {
			case adds:
				op = vm.Adding(m, g, op, w[1])
			case k == event.AtomicLoad:
				op = vm.Loading(m, g, op)
			}
			if !m.VisibleOp(g, op) {
				return vm.Yield
			}
		} else if m.LastEvent = -1; !vm.DrainedFor(m, g, k) {
			return vm.Yield
		}
		var p unsafe.Pointer
		if k == event.AtomicLoad {
			p = vm.Loaded(m, g, access.Forwarded(g, a, uint64(size), m.Mem.At(a, uint64(size))))
		} else if _, p = m.Mem.Writable(a, uint64(size)); p == nil {
			return goroutine.ThrowFault(m, g, a)
		}
		found := wordAt(p, size)
		ret, wrote := f(p, w)
		if silent {
			if k == event.AtomicRMW && !wrote {
				m.Silently(g, event.AtomicLoad, a, 0, 0)
			} else {
				m.Silently(g, k, a, 0, 0)
			}
		}
		if i := m.LastEvent; i >= 0 && k == event.AtomicRMW {
			m.Trace.Events[i].Key = found
			if !wrote {
				m.Trace.Events[i].Kind, m.Trace.Events[i].Swap = event.AtomicLoad, true
			}
			if adds && g.Op.Adds {
				ret = 0
			}
			m.Logged(g, ret, int64(wordAt(p, size)))
		} else {
			m.Logged(g, ret, 0)
		}
		if results > 0 {
			w[args] = ret
		}
		return vm.Done
	}
}

func wordAt(p unsafe.Pointer, size uint32) uint64 {
	if size == 8 {
		return *(*uint64)(p)
	}
	return uint64(*(*uint32)(p))
}

// atomicPointer wraps an atomic operation that stores the pointer in word arg: the pointer is published.
func atomicPointer(in vm.Intrinsic, arg int) vm.Intrinsic {
	return func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
		if o := m.Mem.Object(w[0]); o != nil && o.Flags&mem.Shared != 0 && permitted(g, m) {
			m.Publish(w[arg])
		}
		return in(m, g, w)
	}
}

// permitted reports whether an access would not wait.
func permitted(g *vm.G, m *vm.Machine) bool {
	return g.Permit || m.Direct || g.Silent() || g.Cursor < g.Stage
}

// valueSize is the size of an atomic.Value: an interface of two words.
const valueSize = 16

// accessValue performs an operation on the atomic.Value at w[0]. f looks at what it holds, and may change it: then it
// returns true. returned is what a read-modify-write tells its goroutine. stores says that it is a Store.
func accessValue(m *vm.Machine, g *vm.G, k event.Kind, stores bool, w []uint64, f func(v *[2]uint64) (returned uint64, wrote bool)) vm.Status {
	a := w[0]
	o := m.Mem.Object(a)
	if o == nil || m.Mem.At(a, valueSize) == nil {
		return goroutine.ThrowNil(m, g)
	}
	if vm.SharedBytes(o) && !m.Direct && !callerSilent(g) {
		if !m.Announce(g, event.Op{Kind: k, Loc: event.Location{Addr: a, Size: valueSize}}) {
			return vm.Yield
		}
	} else if m.LastEvent = -1; !vm.DrainedFor(m, g, k) {
		return vm.Yield
	}
	bytes := func(v *[2]uint64) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(v)), valueSize) }
	v := *(*[2]uint64)(access.Forwarded(g, a, valueSize, m.Mem.At(a, valueSize)))
	if k == event.AtomicLoad {
		f(&v)
		m.Accessed(g, bytes(&v))
		return vm.Done
	}
	found := v
	ret, wrote := f(&v)
	if wrote {
		_, p := m.Mem.Writable(a, valueSize)
		if p == nil {
			return goroutine.ThrowFault(m, g, a)
		}
		if o.Flags&mem.Shared != 0 {
			m.Publish(v[1])
		}
		*(*[2]uint64)(p) = v
	}
	if i := m.LastEvent; i >= 0 {
		if !wrote {
			m.Trace.Events[i].Kind, m.Trace.Events[i].Swap = event.AtomicLoad, true
		}
		switch {
		case wrote && found[0] == 0:
			m.Trace.Events[i].Order = event.Makes
		case stores: // VALUE5
			m.Trace.Events[i].Order = event.Stores
		}
		at := int64(len(m.Trace.Bytes))
		if m.Mode == vm.Exploring {
			m.Trace.Bytes = append(append(m.Trace.Bytes, bytes(&found)...), bytes(&v)...)
		}
		m.Logged(g, ret, at)
	}
	return vm.Done
}

// valueLoad(v *Value) any: rule VALUE1.
func valueLoad(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	return accessValue(m, g, event.AtomicLoad, false, w, func(v *[2]uint64) (uint64, bool) {
		copy(w[1:3], v[:])
		return 0, false
	})
}

// valueStore(v *Value, new any, swap bool) (old any, ok bool): rule VALUE2.
func valueStore(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	return accessValue(m, g, event.AtomicRMW, w[3]&1 == 0, w, func(v *[2]uint64) (uint64, bool) {
		if v[0] != 0 && v[0] != w[1] {
			w[4], w[5], w[6] = 0, 0, 0
			return 1, false
		}
		old := *v
		copy(w[4:6], old[:])
		w[6] = 1
		copy(v[:], w[1:3])
		if w[3]&1 == 0 {
			return 0, true
		}
		return vm.HashMix(vm.HashMix(2, old[0]), old[1]), true
	})
}

// valueReplace(v *Value, old, new any) bool: the end of rule VALUE3.
func valueReplace(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	return accessValue(m, g, event.AtomicRMW, false, w, func(v *[2]uint64) (uint64, bool) {
		if w[5] = vm.Word(v[0] == w[1] && v[1] == w[2]); w[5] == 0 {
			return 0, false
		}
		copy(v[:], w[3:5])
		return 1, true
	})
}

// atomicFunctions are the functions of sync/atomic.
func atomicFunctions() map[string]vm.Intrinsic {
	all := map[string]vm.Intrinsic{}
	for _, t := range []struct {
		name string
		size uint32
	}{{"Int32", 4}, {"Int64", 8}, {"Uint32", 4}, {"Uint64", 8}, {"Uintptr", 8}, {"Pointer", 8}} {
		t := t
		signed := t.name == "Int32"
		ldw := func(p unsafe.Pointer) uint64 {
			switch {
			case t.size == 8:
				return *(*uint64)(p)
			case signed:
				return uint64(int64(*(*int32)(p)))
			}
			return uint64(*(*uint32)(p))
		}
		stw := func(p unsafe.Pointer, v uint64) {
			if t.size == 8 {
				*(*uint64)(p) = v
			} else {
				*(*uint32)(p) = uint32(v)
			}
		}
		rmw := func(args int, f func(old uint64, w []uint64) (new, ret uint64)) vm.Intrinsic {
			return atomic(event.AtomicRMW, t.size, args, 1, func(p unsafe.Pointer, w []uint64) (uint64, bool) {
				old := ldw(p)
				n, _ := f(old, w)
				stw(p, n)
				n = ldw(p)
				_, ret := f(old, w)
				if ret == n {
					return n, true
				}
				return ret, true
			})
		}
		ptr := func(in vm.Intrinsic, arg int) vm.Intrinsic {
			if t.name == "Pointer" {
				return atomicPointer(in, arg)
			}
			return in
		}
		set := func(op string, in vm.Intrinsic) { all["sync/atomic."+op+t.name] = in }
		set("Load", atomic(event.AtomicLoad, t.size, 1, 1, func(p unsafe.Pointer, w []uint64) (uint64, bool) { return ldw(p), false }))
		set("Store", ptr(atomic(event.AtomicStore, t.size, 2, 0, func(p unsafe.Pointer, w []uint64) (uint64, bool) { stw(p, w[1]); return w[1], true }), 1))
		set("Swap", ptr(rmw(2, func(old uint64, w []uint64) (uint64, uint64) { return w[1], old }), 1))
		set("CompareAndSwap", ptr(atomic(event.AtomicRMW, t.size, 3, 1, func(p unsafe.Pointer, w []uint64) (uint64, bool) {
			if ldw(p) != w[1] {
				return 0, false
			}
			stw(p, w[2])
			return 1, true
		}), 2))
		if t.name != "Pointer" {
			set("Add", atomicOf(event.AtomicRMW, t.size, 2, 1, true, func(p unsafe.Pointer, w []uint64) (uint64, bool) {
				stw(p, ldw(p)+w[1])
				return ldw(p), true
			}))
			set("And", rmw(2, func(old uint64, w []uint64) (uint64, uint64) { return old & w[1], old }))
			set("Or", rmw(2, func(old uint64, w []uint64) (uint64, uint64) { return old | w[1], old }))
		}
	}
	return all
}
