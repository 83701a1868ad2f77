// Package reflects has the functions of package reflect that the machine performs itself: values by their descriptors,
// calls, channels and maps.
package reflects

import (
	"go/types"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/access"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/interp"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/objects"
	"github.com/heddle-go/heddle/mcrs/machine/rtype"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file defines the intrinsics of reflect and internal/reflectlite. Both run from source over the descriptors of
// package rtype. What they ask of the runtime is here: memory, maps and channels by type descriptor, calls between
// memory and registers, and the constructors of types, which must make types that the machine knows.

// Functions are the functions of package reflect.
func Functions() map[string]vm.Intrinsic {
	all := map[string]vm.Intrinsic{"runtime.typehash": reflectHash} // which modules reach by name
	for _, pkg := range []string{"reflect.", "internal/reflectlite."} {
		for name, in := range map[string]vm.Intrinsic{
			"resolveNameOff": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { w[2] = m.Types.Name(int32(w[1])); return vm.Done },
			"resolveTypeOff": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
				w[2] = m.Types.TypeOff(int32(w[1]))
				return vm.Done
			},
			"resolveTextOff": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
				w[2] = m.Types.TextOff(int32(w[1]))
				return vm.Done
			},
			"addReflectOff": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
				w[1] = uint64(int64(m.Types.AddReflectOff(w[0])))
				return vm.Done
			},
			"typelinks":          func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { clear(w); return vm.Done },
			"verifyNotInHeapPtr": vm.Constant1(1),
			"getStaticuint64s":   staticWords,
			"unsafe_New":         reflectNew,
			"unsafe_NewArray":    reflectNewArray,
			"typedmemmove":       reflectMove,
			"typedmemclr":        reflectClear,
			"typedmemclrpartial": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { return zeroAt(m, g, w[1], w[3]) },
			"typedslicecopy":     reflectSliceCopy,
			"typedarrayclear": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
				return zeroAt(m, g, w[1], w[2]*layoutAt(m, w[0]).Size)
			},
			"memmove": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
				return interp.Move(m, g, w[0], w[1], w[2], everyWord)
			},
			"typehash":    reflectHash,
			"growslice":   reflectGrow,
			"unsafeslice": reflectUnsafeSlice,
			"ifaceE2I":    reflectE2I,

			"makemap": func(m *vm.Machine, g *vm.G, w []uint64) (s vm.Status) {
				w[2], s = objects.NewMap(m, g, mapAt(m, w[0]))
				return s
			},
			"mapaccess": reflectMapGet,
			"mapaccess_faststr": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
				return reflectMapRead(m, g, w[0], w[1], unsafe.Pointer(&w[2]), &w[4])
			},
			"mapassign0": reflectMapSet,
			"mapassign_faststr0": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
				return reflectMapWrite(m, g, w[0], w[1], unsafe.Pointer(&w[2]), w[4])
			},
			"mapdelete": reflectMapDelete,
			"mapdelete_faststr": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
				return objects.MapDelete(m, g, w[1], unsafe.Pointer(&w[2]), m.MapTypeOf(mapAt(m, w[0])))
			},
			"mapclear": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { return objects.MapClear(m, g, w[1]) },
			"maplen":   func(m *vm.Machine, g *vm.G, w []uint64) (s vm.Status) { w[1], s = objects.MapLen(m, g, w[0]); return s },

			"makechan": reflectMakeChan,
			"chanlen": func(m *vm.Machine, g *vm.G, w []uint64) (s vm.Status) {
				w[1], s = objects.ChanLen(m, g, w[0], false)
				return s
			},
			"chancap": func(m *vm.Machine, g *vm.G, w []uint64) (s vm.Status) {
				w[1], s = objects.ChanLen(m, g, w[0], true)
				return s
			},
			"chanclose": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { return objects.ChanClose(m, g, w[0]) },
			"chanrecv":  reflectRecv,
			"chansend0": reflectSend,
			"rselect":   reflectSelect,

			"call":          reflectCall,
			"heddleStub":    reflectStub,
			"heddleSliceOf": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { w[1] = m.Types.SliceOf(w[0]); return vm.Done },
			"heddleArrayOf": reflectArrayOf,
			"heddleMapOf":   func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { w[2] = m.Types.MapOf(w[0], w[1]); return vm.Done },
			"heddleChanOf": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
				w[2] = m.Types.ChanOf(int(w[0]), w[1])
				return vm.Done
			},
			"heddlePointerTo": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { w[1] = m.Types.PtrTo(w[0]); return vm.Done },
			"heddleFuncOf":    reflectFuncOf,
			"heddleStructOf":  reflectStructOf,
		} {
			all[pkg+name] = in
		}
	}
	const iter = "(*internal/runtime/maps.Iter)."
	all[iter+"Init"] = iterInit
	all[iter+"Next"] = iterNext
	all[iter+"Initialized"] = func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { return iterField(m, g, w, iterType, true) }
	all[iter+"Key"] = func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { return iterField(m, g, w, iterKey, false) }
	all[iter+"Map"] = func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { return iterField(m, g, w, iterMap, false) }
	all[iter+"Elem"] = func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { return iterField(m, g, w, iterElem, false) }
	return all
}

// everyWord is the pointer map of memory whose type is not known: each word may hold an address.
var everyWord = &mem.PtrMap{Elem: 8, Offs: []uint32{0}}

// layoutAt returns the layout behind a type descriptor. A descriptor that reflect has made for itself (the frames of
// Value.Call) gives its size, and perhaps pointers.
func layoutAt(m *vm.Machine, addr uint64) *layout.Layout {
	if t := m.Types.TypeAt(addr); t != nil {
		return m.Layouts.Of(t)
	}
	l := &layout.Layout{Align: 8}
	if d := (*[2]uint64)(m.Mem.At(addr, 16)); d != nil { // abi.Type{Size_, PtrBytes}
		l.Size = d[0]
		if d[1] != 0 {
			l.Ptrs = everyWord
		}
	}
	return l
}

func mapAt(m *vm.Machine, addr uint64) *types.Map {
	return m.Types.TypeAt(addr).Underlying().(*types.Map)
}

// staticWords is the runtime's table of small integers: 0 to 255.
func staticWords(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	var t [256]uint64
	for i := range t {
		t[i] = uint64(i)
	}
	w[0] = m.StaticData(unsafe.Slice((*byte)(unsafe.Pointer(&t)), len(t)*8), nil)
	return vm.Done
}

// unsafe_New(*abi.Type) unsafe.Pointer
func reflectNew(m *vm.Machine, g *vm.G, w []uint64) (s vm.Status) {
	l := layoutAt(m, w[0])
	w[1], s = m.AllocUnlogged(g, l.Size, l.Ptrs) // it may become a value in an interface
	return s
}

// unsafe_NewArray(*abi.Type, int) unsafe.Pointer
func reflectNewArray(m *vm.Machine, g *vm.G, w []uint64) (s vm.Status) {
	l := layoutAt(m, w[0])
	if n := int64(w[1]); n < 0 || l.Size > 0 && uint64(n) > (1<<47)/l.Size {
		return goroutine.ThrowPlain(m, g, "reflect: slice length out of range in SetLen")
	}
	w[2], s = m.Alloc(g, l.Size*w[1], l.Ptrs)
	return s
}

// typedmemmove(t *abi.Type, dst, src unsafe.Pointer)
func reflectMove(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	l := layoutAt(m, w[0])
	return interp.Move(m, g, w[1], w[2], l.Size, l.Ptrs)
}

// typedmemclr(t *abi.Type, ptr unsafe.Pointer)
func reflectClear(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	return zeroAt(m, g, w[1], layoutAt(m, w[0]).Size)
}

func zeroAt(m *vm.Machine, g *vm.G, addr, n uint64) vm.Status {
	return access.Store(m, g, addr, make([]byte, n), nil)
}

// typedslicecopy(t *abi.Type, dst, src unsafeheader.Slice) int
func reflectSliceCopy(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	l := layoutAt(m, w[0])
	w[7] = min(w[2], w[5])
	return interp.Move(m, g, w[1], w[4], w[7]*l.Size, l.Ptrs)
}

// typehash(t *abi.Type, p unsafe.Pointer, h uintptr) uintptr
func reflectHash(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	t := m.Types.TypeAt(w[0])
	b, s := access.View(m, g, w[1], m.Layouts.Of(t).Size)
	if s != vm.Done {
		return s
	}
	p := unsafe.Pointer(&objects.ZeroBlock)
	if len(b) > 0 {
		p = unsafe.Pointer(&b[0])
	}
	h, bad := m.Types.Alg(t).Hash(p, w[2])
	if bad != nil {
		return goroutine.ThrowComputed(m, g, "hash of unhashable type "+m.Types.Str(bad))
	}
	w[3] = h
	return vm.Done
}

// growslice(t *abi.Type, old unsafeheader.Slice, num int) unsafeheader.Slice
func reflectGrow(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	l := layoutAt(m, w[0])
	p, n, c, num := w[1], w[2], w[3], w[4]
	need := n + num
	if int64(need) < 0 || l.Size > 0 && need > (1<<47)/l.Size {
		return goroutine.ThrowPlain(m, g, "growslice: len out of range")
	}
	old, s := access.View(m, g, p, c*l.Size)
	if s != vm.Done {
		return s
	}
	nc := interp.GrowCap(need, c, l.Size)
	r, s := m.Alloc(g, nc*l.Size, l.Ptrs)
	if s != vm.Done {
		return s
	}
	copy(m.Mem.Object(r).Bytes(), old)
	w[5], w[6], w[7] = r, n, nc
	return vm.Done
}

// unsafeslice(t *abi.Type, ptr unsafe.Pointer, len int) panics as unsafe.Slice does.
func reflectUnsafeSlice(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	return interp.UnsafeSlice(m, g, layoutAt(m, w[0]).Size, w[1], int64(w[2]))
}

// ifaceE2I(t *abi.Type, src any, dst unsafe.Pointer)
func reflectE2I(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	to := m.Types.TypeAt(w[0])
	var v [2]uint64
	if w[1] != 0 {
		v[0], v[1] = m.ItabFor(to, w[1]), w[2]
	}
	if v[0] == 0 {
		return goroutine.ThrowAssert(m, g, types.NewInterfaceType(nil, nil), w[1], to)
	}
	return access.Store(m, g, w[3], unsafe.Slice((*byte)(unsafe.Pointer(&v)), 16), &mem.PtrMap{Elem: 16, Offs: []uint32{8}})
}

// Maps.

// place returns the bytes of a value in memory, with the event of reading it.
func place(m *vm.Machine, g *vm.G, addr uint64, l *layout.Layout) (unsafe.Pointer, vm.Status) {
	b, s := access.View(m, g, addr, l.Size)
	if s != vm.Done || len(b) == 0 {
		return unsafe.Pointer(&objects.ZeroBlock), s
	}
	return unsafe.Pointer(&b[0]), vm.Done
}

// mapaccess(t *abi.Type, m, key unsafe.Pointer) (val unsafe.Pointer)
func reflectMapGet(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	k, s := place(m, g, w[2], m.Layouts.Of(mapAt(m, w[0]).Key()))
	if s != vm.Done {
		return s
	}
	return reflectMapRead(m, g, w[0], w[1], k, &w[3])
}

// reflectMapRead answers with a copy of the element: reflect reads it at once.
func reflectMapRead(m *vm.Machine, g *vm.G, typ, addr uint64, key unsafe.Pointer, to *uint64) vm.Status {
	t := m.MapTypeOf(mapAt(m, typ))
	*to = 0
	e, s := objects.MapGet(m, g, addr, key, t)
	if s != vm.Done || e == nil {
		return s
	}
	*to, s = copyOut(m, g, t.Elem, e)
	return s
}

// copyOut allocates a copy of a value.
func copyOut(m *vm.Machine, g *vm.G, l *layout.Layout, p unsafe.Pointer) (uint64, vm.Status) {
	a, s := m.Alloc(g, l.Size, l.Ptrs)
	if s == vm.Done {
		copy(m.Mem.Object(a).Bytes(), unsafe.Slice((*byte)(p), l.Size))
	}
	return a, s
}

// mapassign0(t *abi.Type, m, key, val unsafe.Pointer)
func reflectMapSet(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	k, s := place(m, g, w[2], m.Layouts.Of(mapAt(m, w[0]).Key()))
	if s != vm.Done {
		return s
	}
	return reflectMapWrite(m, g, w[0], w[1], k, w[3])
}

func reflectMapWrite(m *vm.Machine, g *vm.G, typ, addr uint64, key unsafe.Pointer, val uint64) vm.Status {
	t := m.MapTypeOf(mapAt(m, typ))
	e, s := place(m, g, val, t.Elem)
	if s != vm.Done {
		return s
	}
	return objects.MapSet(m, g, addr, key, e, t)
}

// mapdelete(t *abi.Type, m, key unsafe.Pointer)
func reflectMapDelete(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	k, s := place(m, g, w[2], m.Layouts.Of(mapAt(m, w[0]).Key()))
	if s != vm.Done {
		return s
	}
	return objects.MapDelete(m, g, w[1], k, m.MapTypeOf(mapAt(m, w[0])))
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

func iterField(m *vm.Machine, g *vm.G, w []uint64, off uint64, isSet bool) vm.Status {
	if w[0] == 0 {
		return goroutine.ThrowNil(m, g)
	}
	b, s := access.ViewUnseen(m, g, w[0]+off, 8)
	if s != vm.Done {
		return s
	}
	w[1] = *(*uint64)(unsafe.Pointer(&b[0]))
	if isSet {
		w[1] = vm.Word(w[1] != 0)
	}
	return vm.Done
}

// (*Iter).Init(t *abi.MapType, m *Map)
func iterInit(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if w[0] == 0 {
		return goroutine.ThrowNil(m, g)
	}
	it := [5]uint64{0, 0, w[1], w[2], 0}
	return access.StoreUnseen(m, g, w[0], unsafe.Slice((*byte)(unsafe.Pointer(&it)), iterSize))
}

// (*Iter).Next()
func iterNext(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if w[0] == 0 {
		return goroutine.ThrowNil(m, g)
	}
	b, s := access.ViewUnseen(m, g, w[0], iterSize)
	if s != vm.Done {
		return s
	}
	it := *(*[5]uint64)(unsafe.Pointer(&b[0]))
	i, next, st, s := objects.MapNext(m, g, it[iterMap/8], it[iterFrom/8])
	if s != vm.Done {
		return s
	}
	// What it writes is known when the key and the element have a place. They have one when it is its turn to write.
	at, shared := event.Location{Addr: w[0], Size: iterSize}, vm.SharedBytes(m.Mem.Object(w[0]))
	if shared && !m.VisibleOp(g, event.Op{Kind: event.Write, Loc: at, Order: event.Nothing}) {
		return vm.Yield
	}
	write := m.LastEvent
	it[0], it[1] = 0, 0
	if i >= 0 || stdRanges(g) {
		objects.CountRange(m, g, it[iterMap/8], it[iterFrom/8], i)
	}
	if i >= 0 {
		k, s := copyOut(m, g, st.Type.Key, st.Key(i))
		if s != vm.Done {
			return s
		}
		_, p := m.Mem.Writable(w[0], 8)
		*(*uint64)(p) = k // the iterator keeps it alive, see Machine.collect
		e, s := copyOut(m, g, st.Type.Elem, st.Elem(i))
		if s != vm.Done {
			return s
		}
		it[0], it[1] = k, e
		it[iterFrom/8] = next
	}
	if shared {
		m.LastEvent = write
		m.Accessed(g, unsafe.Slice((*byte)(unsafe.Pointer(&it)), iterSize))
		m.Publish(it[0])
		m.Publish(it[1])
	}
	_, p := m.Mem.Writable(w[0], iterSize)
	*(*[5]uint64)(p) = it
	return vm.Done
}

// stdRanges reports whether it is the standard library that ranges over a map where g stands in mapIterStart or
// mapIterNext: by an iterator of its own, or by a MapIter.
func stdRanges(g *vm.G) bool {
	for i := len(g.Frames) - 2; i >= 0; i-- {
		if f := g.Frames[i].Func; f.Name != "(*reflect.MapIter).Next" {
			return f.Std
		}
	}
	return false
}

// Channels.

// Constructors of types.

// maxType is the size of the largest type that can be made: go/types counts in int64.
const maxType = 1 << 62

// heddleArrayOf(n int, elem *abi.Type) *abi.Type
func reflectArrayOf(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if size := layoutAt(m, w[1]).Size; size > 0 && w[0] > maxType/size {
		return m.Lacks(g, "function reflect.ArrayOf for a type of that size")
	}
	w[2] = m.Types.ArrayOf(int64(w[0]), w[1])
	return vm.Done
}

// heddleFuncOf(in, out []*abi.Type, variadic bool) *abi.Type
func reflectFuncOf(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	words := func(p, n uint64) []uint64 {
		ts := make([]uint64, n)
		for i := range ts {
			ts[i] = *(*uint64)(m.Mem.At(p+uint64(i)*8, 8))
		}
		return ts
	}
	w[7] = m.Types.FuncOf(words(w[0], w[1]), words(w[3], w[4]), w[6]&0xff != 0)
	return vm.Done
}

// heddleStructOf([]heddleField) *abi.Type; a heddleField is {name, pkgPath, tag string; typ *abi.Type; embedded bool}.
func reflectStructOf(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	const size = 64
	fields := make([]rtype.Field, w[1])
	for i := range fields {
		f := (*[8]uint64)(m.Mem.At(w[0]+uint64(i)*size, size))
		fields[i] = rtype.Field{
			Name: m.GoString(f[0], f[1]), PkgPath: m.GoString(f[2], f[3]), Tag: m.GoString(f[4], f[5]),
			Type: f[6], Embedded: f[7]&0xff != 0,
		}
	}
	var total uint64
	for _, f := range fields {
		if total += layoutAt(m, f.Type).Size + 8; total > maxType {
			return m.Lacks(g, "function reflect.StructOf for a type of that size")
		}
	}
	var odd string
	if w[3], odd = m.Types.StructOf(fields, m.Program.Embeds); odd != "" {
		return m.Lacks(g, "function reflect.StructOf for a type with "+odd)
	}
	return vm.Done
}
