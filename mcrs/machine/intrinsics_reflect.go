package machine

import (
	"go/types"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/rtype"
)

// This file defines the intrinsics of reflect and internal/reflectlite. Both run from source over the descriptors of
// package rtype. What they ask of the runtime is here: memory, maps and channels by type descriptor, calls between
// memory and registers, and the constructors of types, which must make types that the machine knows.

func reflectBoundary() {
	for _, pkg := range []string{"reflect.", "internal/reflectlite."} {
		for name, in := range map[string]Intrinsic{
			"resolveNameOff": func(m *Machine, g *G, w []uint64) status { w[2] = m.types.Name(int32(w[1])); return done },
			"resolveTypeOff": func(m *Machine, g *G, w []uint64) status { w[2] = m.types.TypeOff(int32(w[1])); return done },
			"resolveTextOff": func(m *Machine, g *G, w []uint64) status { w[2] = m.types.TextOff(int32(w[1])); return done },
			"addReflectOff": func(m *Machine, g *G, w []uint64) status {
				w[1] = uint64(int64(m.types.AddReflectOff(w[0])))
				return done
			},
			"typelinks":          func(m *Machine, g *G, w []uint64) status { clear(w); return done },
			"verifyNotInHeapPtr": constant1(1),
			"getStaticuint64s":   staticWords,
			"unsafe_New":         reflectNew,
			"unsafe_NewArray":    reflectNewArray,
			"typedmemmove":       reflectMove,
			"typedmemclr":        reflectClear,
			"typedmemclrpartial": func(m *Machine, g *G, w []uint64) status { return m.zeroAt(g, w[1], w[3]) },
			"typedslicecopy":     reflectSliceCopy,
			"typedarrayclear":    func(m *Machine, g *G, w []uint64) status { return m.zeroAt(g, w[1], w[2]*m.layoutAt(w[0]).Size) },
			"memmove":            func(m *Machine, g *G, w []uint64) status { return m.move(g, w[0], w[1], w[2], everyWord) },
			"typehash":           reflectHash,
			"growslice":          reflectGrow,
			"unsafeslice":        reflectUnsafeSlice,
			"ifaceE2I":           reflectE2I,

			"makemap":   func(m *Machine, g *G, w []uint64) (s status) { w[2], s = m.newMap(g, m.mapAt(w[0])); return s },
			"mapaccess": reflectMapGet,
			"mapaccess_faststr": func(m *Machine, g *G, w []uint64) status {
				return m.reflectMapRead(g, w[0], w[1], unsafe.Pointer(&w[2]), &w[4])
			},
			"mapassign0": reflectMapSet,
			"mapassign_faststr0": func(m *Machine, g *G, w []uint64) status {
				return m.reflectMapWrite(g, w[0], w[1], unsafe.Pointer(&w[2]), w[4])
			},
			"mapdelete": reflectMapDelete,
			"mapdelete_faststr": func(m *Machine, g *G, w []uint64) status {
				return m.mapDelete(g, w[1], unsafe.Pointer(&w[2]), m.mapTypeOf(m.mapAt(w[0])))
			},
			"mapclear": func(m *Machine, g *G, w []uint64) status { return m.mapClear(g, w[1]) },
			"maplen":   func(m *Machine, g *G, w []uint64) (s status) { w[1], s = m.mapLen(g, w[0]); return s },

			"makechan":  reflectMakeChan,
			"chanlen":   func(m *Machine, g *G, w []uint64) (s status) { w[1], s = m.chanLen(g, w[0], false); return s },
			"chancap":   func(m *Machine, g *G, w []uint64) (s status) { w[1], s = m.chanLen(g, w[0], true); return s },
			"chanclose": func(m *Machine, g *G, w []uint64) status { return m.chanClose(g, w[0]) },
			"chanrecv":  reflectRecv,
			"chansend0": reflectSend,
			"rselect":   reflectSelect,

			"call":            reflectCall,
			"heddleStub":      reflectStub,
			"heddleSliceOf":   func(m *Machine, g *G, w []uint64) status { w[1] = m.types.SliceOf(w[0]); return done },
			"heddleArrayOf":   reflectArrayOf,
			"heddleMapOf":     func(m *Machine, g *G, w []uint64) status { w[2] = m.types.MapOf(w[0], w[1]); return done },
			"heddleChanOf":    func(m *Machine, g *G, w []uint64) status { w[2] = m.types.ChanOf(int(w[0]), w[1]); return done },
			"heddlePointerTo": func(m *Machine, g *G, w []uint64) status { w[1] = m.types.PtrTo(w[0]); return done },
			"heddleFuncOf":    reflectFuncOf,
			"heddleStructOf":  reflectStructOf,
		} {
			boundary[pkg+name] = in
		}
	}
	const iter = "(*internal/runtime/maps.Iter)."
	boundary[iter+"Init"] = iterInit
	boundary[iter+"Next"] = iterNext
	boundary[iter+"Initialized"] = func(m *Machine, g *G, w []uint64) status { return m.iterField(g, w, iterType, true) }
	boundary[iter+"Key"] = func(m *Machine, g *G, w []uint64) status { return m.iterField(g, w, iterKey, false) }
	boundary[iter+"Map"] = func(m *Machine, g *G, w []uint64) status { return m.iterField(g, w, iterMap, false) }
	boundary[iter+"Elem"] = func(m *Machine, g *G, w []uint64) status { return m.iterField(g, w, iterElem, false) }
}

// everyWord is the pointer map of memory whose type is not known: each word may hold an address.
var everyWord = &mem.PtrMap{Elem: 8, Offs: []uint32{0}}

// layoutAt returns the layout behind a type descriptor. A descriptor that reflect has made for itself (the frames of
// Value.Call) gives its size, and perhaps pointers.
func (m *image) layoutAt(addr uint64) *layout.Layout {
	if t := m.types.TypeAt(addr); t != nil {
		return m.layouts.Of(t)
	}
	l := &layout.Layout{Align: 8}
	if d := (*[2]uint64)(m.mem.At(addr, 16)); d != nil { // abi.Type{Size_, PtrBytes}
		l.Size = d[0]
		if d[1] != 0 {
			l.Ptrs = everyWord
		}
	}
	return l
}

func (m *image) mapAt(addr uint64) *types.Map {
	return m.types.TypeAt(addr).Underlying().(*types.Map)
}

// staticWords is the runtime's table of small integers: 0 to 255.
func staticWords(m *Machine, g *G, w []uint64) status {
	var t [256]uint64
	for i := range t {
		t[i] = uint64(i)
	}
	w[0] = m.staticData(unsafe.Slice((*byte)(unsafe.Pointer(&t)), len(t)*8), nil)
	return done
}

// unsafe_New(*abi.Type) unsafe.Pointer
func reflectNew(m *Machine, g *G, w []uint64) (s status) {
	l := m.layoutAt(w[0])
	w[1], s = m.allocUnlogged(g, l.Size, l.Ptrs) // it may become a value in an interface
	return s
}

// unsafe_NewArray(*abi.Type, int) unsafe.Pointer
func reflectNewArray(m *Machine, g *G, w []uint64) (s status) {
	l := m.layoutAt(w[0])
	if n := int64(w[1]); n < 0 || l.Size > 0 && uint64(n) > (1<<47)/l.Size {
		return m.throwPlain(g, "reflect: slice length out of range in SetLen")
	}
	w[2], s = m.alloc(g, l.Size*w[1], l.Ptrs)
	return s
}

// typedmemmove(t *abi.Type, dst, src unsafe.Pointer)
func reflectMove(m *Machine, g *G, w []uint64) status {
	l := m.layoutAt(w[0])
	return m.move(g, w[1], w[2], l.Size, l.Ptrs)
}

// typedmemclr(t *abi.Type, ptr unsafe.Pointer)
func reflectClear(m *Machine, g *G, w []uint64) status {
	return m.zeroAt(g, w[1], m.layoutAt(w[0]).Size)
}

func (m *Machine) zeroAt(g *G, addr, n uint64) status { return m.store(g, addr, make([]byte, n), nil) }

// typedslicecopy(t *abi.Type, dst, src unsafeheader.Slice) int
func reflectSliceCopy(m *Machine, g *G, w []uint64) status {
	l := m.layoutAt(w[0])
	w[7] = min(w[2], w[5])
	return m.move(g, w[1], w[4], w[7]*l.Size, l.Ptrs)
}

// typehash(t *abi.Type, p unsafe.Pointer, h uintptr) uintptr
func reflectHash(m *Machine, g *G, w []uint64) status {
	t := m.types.TypeAt(w[0])
	b, s := m.view(g, w[1], m.layouts.Of(t).Size)
	if s != done {
		return s
	}
	p := unsafe.Pointer(&zeroBlock)
	if len(b) > 0 {
		p = unsafe.Pointer(&b[0])
	}
	h, bad := m.types.Alg(t).Hash(p, w[2])
	if bad != nil {
		return m.throwComputed(g, "hash of unhashable type "+m.types.Str(bad))
	}
	w[3] = h
	return done
}

// growslice(t *abi.Type, old unsafeheader.Slice, num int) unsafeheader.Slice
func reflectGrow(m *Machine, g *G, w []uint64) status {
	l := m.layoutAt(w[0])
	p, n, c, num := w[1], w[2], w[3], w[4]
	need := n + num
	if int64(need) < 0 || l.Size > 0 && need > (1<<47)/l.Size {
		return m.throwPlain(g, "growslice: len out of range")
	}
	old, s := m.view(g, p, c*l.Size)
	if s != done {
		return s
	}
	nc := growCap(need, c, l.Size)
	r, s := m.alloc(g, nc*l.Size, l.Ptrs)
	if s != done {
		return s
	}
	copy(m.mem.Object(r).Bytes(), old)
	w[5], w[6], w[7] = r, n, nc
	return done
}

// unsafeslice(t *abi.Type, ptr unsafe.Pointer, len int) panics as unsafe.Slice does.
func reflectUnsafeSlice(m *Machine, g *G, w []uint64) status {
	l, n := m.layoutAt(w[0]), int64(w[2])
	if n < 0 || l.Size > 0 && uint64(n) > (1<<47)/l.Size {
		return m.throwRuntime(g, "unsafe.Slice: len out of range")
	}
	if w[1] == 0 && n > 0 {
		return m.throwRuntime(g, "unsafe.Slice: ptr is nil and len is not zero")
	}
	return done
}

// ifaceE2I(t *abi.Type, src any, dst unsafe.Pointer)
func reflectE2I(m *Machine, g *G, w []uint64) status {
	to := m.types.TypeAt(w[0])
	var v [2]uint64
	if w[1] != 0 {
		v[0], v[1] = m.itabFor(to, w[1]), w[2]
	}
	if v[0] == 0 {
		return m.throwAssert(g, types.NewInterfaceType(nil, nil), w[1], to)
	}
	return m.store(g, w[3], unsafe.Slice((*byte)(unsafe.Pointer(&v)), 16), &mem.PtrMap{Elem: 16, Offs: []uint32{8}})
}

// Maps.

// place returns the bytes of a value in memory, with the event of reading it.
func (m *Machine) place(g *G, addr uint64, l *layout.Layout) (unsafe.Pointer, status) {
	b, s := m.view(g, addr, l.Size)
	if s != done || len(b) == 0 {
		return unsafe.Pointer(&zeroBlock), s
	}
	return unsafe.Pointer(&b[0]), done
}

// mapaccess(t *abi.Type, m, key unsafe.Pointer) (val unsafe.Pointer)
func reflectMapGet(m *Machine, g *G, w []uint64) status {
	k, s := m.place(g, w[2], m.layouts.Of(m.mapAt(w[0]).Key()))
	if s != done {
		return s
	}
	return m.reflectMapRead(g, w[0], w[1], k, &w[3])
}

// reflectMapRead answers with a copy of the element: reflect reads it at once.
func (m *Machine) reflectMapRead(g *G, typ, addr uint64, key unsafe.Pointer, to *uint64) status {
	t := m.mapTypeOf(m.mapAt(typ))
	*to = 0
	e, s := m.mapGet(g, addr, key, t)
	if s != done || e == nil {
		return s
	}
	*to, s = m.copyOut(g, t.elem, e)
	return s
}

// copyOut allocates a copy of a value.
func (m *Machine) copyOut(g *G, l *layout.Layout, p unsafe.Pointer) (uint64, status) {
	a, s := m.alloc(g, l.Size, l.Ptrs)
	if s == done {
		copy(m.mem.Object(a).Bytes(), unsafe.Slice((*byte)(p), l.Size))
	}
	return a, s
}

// mapassign0(t *abi.Type, m, key, val unsafe.Pointer)
func reflectMapSet(m *Machine, g *G, w []uint64) status {
	k, s := m.place(g, w[2], m.layouts.Of(m.mapAt(w[0]).Key()))
	if s != done {
		return s
	}
	return m.reflectMapWrite(g, w[0], w[1], k, w[3])
}

func (m *Machine) reflectMapWrite(g *G, typ, addr uint64, key unsafe.Pointer, val uint64) status {
	t := m.mapTypeOf(m.mapAt(typ))
	e, s := m.place(g, val, t.elem)
	if s != done {
		return s
	}
	return m.mapSet(g, addr, key, e, t)
}

// mapdelete(t *abi.Type, m, key unsafe.Pointer)
func reflectMapDelete(m *Machine, g *G, w []uint64) status {
	k, s := m.place(g, w[2], m.layouts.Of(m.mapAt(w[0]).Key()))
	if s != done {
		return s
	}
	return m.mapDelete(g, w[1], k, m.mapTypeOf(m.mapAt(w[0])))
}

// Offsets in internal/runtime/maps.Iter. The machine keeps the number of the next entry in entryOffset.
const (
	iterKey  = 0
	iterElem = 8
	iterType = 16
	iterMap  = 24
	iterFrom = 32
	iterSize = 40 // what the machine uses of it
)

func (m *Machine) iterField(g *G, w []uint64, off uint64, isSet bool) status {
	p := (*uint64)(m.mem.At(w[0]+off, 8))
	if w[0] == 0 || p == nil {
		return m.throwNil(g)
	}
	w[1] = *p
	if isSet {
		w[1] = b2w(*p != 0)
	}
	return done
}

// (*Iter).Init(t *abi.MapType, m *Map)
func iterInit(m *Machine, g *G, w []uint64) status {
	_, p := m.mem.Writable(w[0], iterSize)
	if p == nil {
		return m.throwNil(g)
	}
	*(*[5]uint64)(p) = [5]uint64{0, 0, w[1], w[2], 0}
	return done
}

// (*Iter).Next()
func iterNext(m *Machine, g *G, w []uint64) status {
	_, p := m.mem.Writable(w[0], iterSize)
	if p == nil {
		return m.throwNil(g)
	}
	it := (*[5]uint64)(p)
	i, next, st, s := m.mapNext(g, it[iterMap/8], it[iterFrom/8])
	if s != done {
		return s
	}
	if i < 0 {
		it[0], it[1] = 0, 0
		return done
	}
	k, s := m.copyOut(g, st.t.key, st.key(i))
	if s != done {
		return s
	}
	it[0] = k // the iterator keeps it alive, see Machine.collect
	e, s := m.copyOut(g, st.t.elem, st.elem(i))
	it[1], it[iterFrom/8] = e, next
	return s
}

// Channels.

// Constructors of types.

// maxType is the size of the largest type that can be made: go/types counts in int64.
const maxType = 1 << 62

// heddleArrayOf(n int, elem *abi.Type) *abi.Type
func reflectArrayOf(m *Machine, g *G, w []uint64) status {
	if size := m.layoutAt(w[1]).Size; size > 0 && w[0] > maxType/size {
		return m.lacks(g, "function reflect.ArrayOf for a type of that size")
	}
	w[2] = m.types.ArrayOf(int64(w[0]), w[1])
	return done
}

// heddleFuncOf(in, out []*abi.Type, variadic bool) *abi.Type
func reflectFuncOf(m *Machine, g *G, w []uint64) status {
	words := func(p, n uint64) []uint64 {
		ts := make([]uint64, n)
		for i := range ts {
			ts[i] = *(*uint64)(m.mem.At(p+uint64(i)*8, 8))
		}
		return ts
	}
	w[7] = m.types.FuncOf(words(w[0], w[1]), words(w[3], w[4]), w[6]&0xff != 0)
	return done
}

// heddleStructOf([]heddleField) *abi.Type; a heddleField is {name, pkgPath, tag string; typ *abi.Type; embedded bool}.
func reflectStructOf(m *Machine, g *G, w []uint64) status {
	const size = 64
	fields := make([]rtype.Field, w[1])
	for i := range fields {
		f := (*[8]uint64)(m.mem.At(w[0]+uint64(i)*size, size))
		fields[i] = rtype.Field{
			Name: m.goString(f[0], f[1]), PkgPath: m.goString(f[2], f[3]), Tag: m.goString(f[4], f[5]),
			Type: f[6], Embedded: f[7]&0xff != 0,
		}
	}
	var total uint64
	for _, f := range fields {
		if total += m.layoutAt(f.Type).Size + 8; total > maxType {
			return m.lacks(g, "function reflect.StructOf for a type of that size")
		}
	}
	w[3] = m.types.StructOf(fields)
	return done
}
