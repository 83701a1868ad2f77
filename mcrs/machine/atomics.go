package machine

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file defines the operations of sync/atomic.
//
// Specification.
//
//	ATOM1   An operation on a word is one access to it; what it finds decides what it returns and leaves. It is always enabled. A compare-and-swap
//	        that fails is a read.
//	VALUE1  An atomic.Value is two words, type and data; it is empty while the type is nil. Load is one access to both.
//	VALUE2  Store and Swap are one access. If the Value is empty, or holds a value of the same type, they put both words; else they
//	        change nothing, and panic. (The source has a first Store in three steps, in which a Load finds nothing and others spin: that is, they come before it or after it.)
//	VALUE3  CompareAndSwap is a Load, a comparison, and then an access that puts the new value if both words are still what was loaded. It fails if
//	        another value, equal but in another place, has come in between: so does the source. If the Value was empty, and is no more, it begins again.
//	VALUE4  A nil value, and values of two types, panic before any access.

// An atomic operation of size bytes: f changes the word at p and returns its result.
func atomic(k event.Kind, size uint32, args, results int, f func(p unsafe.Pointer, w []uint64) (ret uint64, wrote bool)) Intrinsic {
	return func(m *Machine, g *G, w []uint64) status {
		a := w[0]
		if m.mem.At(a, uint64(size)) == nil {
			return m.throwNil(g)
		}
		o := m.mem.Object(a)
		silent := false
		if o.Flags&(mem.Shared|mem.ReadOnly) == mem.Shared {
			silent = g.silent()
			if !m.visible(g, k, a, size, 0) {
				return yield
			}
		} else {
			m.lastEvent = -1
		}
		var p unsafe.Pointer
		if k == event.AtomicLoad {
			p = g.forwarded(a, uint64(size), m.mem.At(a, uint64(size)))
		} else if _, p = m.mem.Writable(a, uint64(size)); p == nil {
			return m.throwFault(g, a)
		}
		found := wordAt(p, size)
		ret, wrote := f(p, w)
		if silent {
			if k == event.AtomicRMW && !wrote {
				m.silently(g, event.AtomicLoad, a, 0, 0)
			} else {
				m.silently(g, k, a, 0, 0)
			}
		}
		if i := m.lastEvent; i >= 0 && k == event.AtomicRMW {
			m.tr.Events[i].Key = found
			if !wrote {
				m.tr.Events[i].Kind = event.AtomicLoad
			}
			m.logged(g, ret, int64(wordAt(p, size)))
		} else {
			m.logged(g, ret, 0)
		}
		if results > 0 {
			w[args] = ret
		}
		return done
	}
}

func wordAt(p unsafe.Pointer, size uint32) uint64 {
	if size == 8 {
		return *(*uint64)(p)
	}
	return uint64(*(*uint32)(p))
}

// atomicPointer wraps an atomic operation that stores the pointer in word arg: the pointer is published.
func atomicPointer(in Intrinsic, arg int) Intrinsic {
	return func(m *Machine, g *G, w []uint64) status {
		if o := m.mem.Object(w[0]); o != nil && o.Flags&mem.Shared != 0 && g.permitted(m) {
			m.publish(w[arg])
		}
		return in(m, g, w)
	}
}

// permitted reports whether an access would not wait.
func (g *G) permitted(m *Machine) bool {
	return g.permit || m.direct || g.silent() || g.cursor < g.stage
}

// valueSize is the size of an atomic.Value: an interface of two words.
const valueSize = 16

// accessValue performs an operation on the atomic.Value at w[0]. f looks at what it holds, and may change it: then it returns true. returned is what a
// read-modify-write tells its goroutine.
func (m *Machine) accessValue(g *G, k event.Kind, w []uint64, f func(v *[2]uint64) (returned uint64, wrote bool)) status {
	a := w[0]
	o := m.mem.Object(a)
	if o == nil || m.mem.At(a, valueSize) == nil {
		return m.throwNil(g)
	}
	if sharedBytes(o) && !m.direct && !callerSilent(g) {
		if !m.announce(g, event.Op{Kind: k, Loc: event.Location{Addr: a, Size: valueSize}}) {
			return yield
		}
	} else {
		m.lastEvent = -1
	}
	bytes := func(v *[2]uint64) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(v)), valueSize) }
	v := *(*[2]uint64)(g.forwarded(a, valueSize, m.mem.At(a, valueSize)))
	if k == event.AtomicLoad {
		f(&v)
		m.accessed(g, bytes(&v))
		return done
	}
	found := v
	ret, wrote := f(&v)
	if wrote {
		_, p := m.mem.Writable(a, valueSize)
		if p == nil {
			return m.throwFault(g, a)
		}
		if o.Flags&mem.Shared != 0 {
			m.publish(v[1])
		}
		*(*[2]uint64)(p) = v
	}
	if i := m.lastEvent; i >= 0 {
		if !wrote {
			m.tr.Events[i].Kind = event.AtomicLoad
		}
		at := int64(len(m.tr.Bytes))
		if m.mode == exploring {
			m.tr.Bytes = append(append(m.tr.Bytes, bytes(&found)...), bytes(&v)...)
		}
		m.logged(g, ret, at)
	}
	return done
}

// valueLoad(v *Value) any: rule VALUE1.
func valueLoad(m *Machine, g *G, w []uint64) status {
	return m.accessValue(g, event.AtomicLoad, w, func(v *[2]uint64) (uint64, bool) {
		copy(w[1:3], v[:])
		return 0, false
	})
}

// valueStore(v *Value, new any, swap bool) (old any, ok bool): rule VALUE2.
func valueStore(m *Machine, g *G, w []uint64) status {
	return m.accessValue(g, event.AtomicRMW, w, func(v *[2]uint64) (uint64, bool) {
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
		return hashMix(hashMix(2, old[0]), old[1]), true
	})
}

// valueReplace(v *Value, old, new any) bool: the end of rule VALUE3.
func valueReplace(m *Machine, g *G, w []uint64) status {
	return m.accessValue(g, event.AtomicRMW, w, func(v *[2]uint64) (uint64, bool) {
		if w[5] = b2w(v[0] == w[1] && v[1] == w[2]); w[5] == 0 {
			return 0, false
		}
		copy(v[:], w[3:5])
		return 1, true
	})
}
