package rtype

import (
	"encoding/binary"
	"go/token"
	"go/types"
	"hash/fnv"
	"strings"

	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file defines the bytes of a descriptor.
//
//	abi.Type
//	what the kind adds: ArrayType, ChanType, …        (B: its end)
//	abi.UncommonType, if the type has a name or methods
//	parameters and results, or interface methods, or struct fields
//	methods

// Sizes of internal/abi's types, and the offsets of abi.Type's fields.
const (
	sizeType     = 48
	sizeUncommon = 16
	sizeMethod   = 16
	sizeImethod  = 8
	sizeField    = 24

	offPtrBytes   = 8
	offHash       = 16
	offTFlag      = 20
	offAlign      = 21
	offFieldAlign = 22
	offKind       = 23
	offEqual      = 24
	offGCData     = 32
	offStr        = 40
	offPtrToThis  = 44
)

// abi.TFlag.
const (
	tflagUncommon = 1 << iota
	tflagExtraStar
	tflagNamed
	tflagRegularMemory
	tflagGCMaskOnDemand
	tflagDirectIface
)

// abi.Kind.
const (
	kindArray         = 17
	kindChan          = 18
	kindFunc          = 19
	kindInterface     = 20
	kindMap           = 21
	kindPointer       = 22
	kindSlice         = 23
	kindString        = 24
	kindStruct        = 25
	kindUnsafePointer = 26
)

// abi.MapType flags and limits.
const (
	mapNeedKeyUpdate = 1 << iota
	mapHashMightPanic
	mapIndirectKey
	mapIndirectElem

	mapMaxInline  = 128
	mapGroupSlots = 8
)

const maxPtrmaskWords = 2048 * 8

// Kind returns the abi.Kind of t, which is reflect's Kind.
func Kind(t types.Type) uint8 {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Kind() == types.UnsafePointer:
			return kindUnsafePointer
		case u.Kind() == types.String || u.Kind() == types.UntypedString:
			return kindString
		case u.Info()&types.IsUntyped != 0:
			return Kind(types.Default(u))
		}
		// Bool … Complex128 stand in the same order in both.
		return uint8(u.Kind())
	case *types.Array:
		return kindArray
	case *types.Chan:
		return kindChan
	case *types.Signature:
		return kindFunc
	case *types.Interface:
		return kindInterface
	case *types.Map:
		return kindMap
	case *types.Pointer:
		return kindPointer
	case *types.Slice:
		return kindSlice
	case *types.Struct:
		return kindStruct
	}
	panic("rtype: no descriptor for " + t.String())
}

// shape gives the size of the part that the kind determines, and of the variable part.
func (ts *Facts) shape(d *info) (fixed, variable uint64) {
	switch u := d.t.Underlying().(type) {
	case *types.Array:
		return 72, 0
	case *types.Chan:
		return 64, 0
	case *types.Signature:
		return 56, 8 * uint64(u.Params().Len()+u.Results().Len())
	case *types.Interface:
		return 80, sizeImethod * uint64(len(ts.methods(d)))
	case *types.Map:
		return 112, 0
	case *types.Pointer, *types.Slice:
		return 56, 0
	case *types.Struct:
		return 80, sizeField * uint64(u.NumFields())
	}
	return sizeType, 0
}

// isNamed reports whether the compiler gives the type a symbol.
func isNamed(t types.Type) bool {
	switch t.(type) {
	case *types.Basic, *types.Named:
		return true
	}
	return false
}

func isInterface(t types.Type) bool {
	_, ok := t.Underlying().(*types.Interface)
	return ok
}

func (ts *Facts) uncommon(d *info) bool {
	return isNamed(d.t) || !isInterface(d.t) && len(ts.methods(d)) > 0
}

// typePkg is the package of the type's name, or of its element's.
func typePkg(t types.Type) *types.Package {
	if !isNamed(t) {
		switch t := t.(type) {
		case *types.Array:
			return namePkg(t.Elem())
		case *types.Slice:
			return namePkg(t.Elem())
		case *types.Pointer:
			return namePkg(t.Elem())
		case *types.Chan:
			return namePkg(t.Elem())
		}
	}
	return namePkg(t)
}

func namePkg(t types.Type) *types.Package {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return t.Obj().Pkg()
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return types.Unsafe
		}
	}
	return nil
}

// reserve allocates the descriptor of d.
func (ts *Types) reserve(d *info) {
	fixed, variable := ts.shape(d)
	size := fixed + variable
	if ts.uncommon(d) {
		size += sizeUncommon
		if !isInterface(d.t) {
			size += sizeMethod * uint64(len(ts.methods(d)))
		}
	}
	d.addr, _ = ts.alloc("type "+ts.Link(d.t), size)
	ts.at[d.addr] = d
}

type writer []byte

func (b writer) u8(off uint64, v uint8)   { b[off] = v }
func (b writer) u16(off uint64, v uint16) { binary.NativeEndian.PutUint16(b[off:], v) }
func (b writer) u32(off uint64, v uint32) { binary.NativeEndian.PutUint32(b[off:], v) }
func (b writer) u64(off uint64, v uint64) { binary.NativeEndian.PutUint64(b[off:], v) }

// slice writes a slice header of n elements.
func (b writer) slice(off uint64, data mem.Addr, n int) {
	b.u64(off, data)
	b.u64(off+8, uint64(n))
	b.u64(off+16, uint64(n))
}

func (ts *Types) ref(t types.Type) mem.Addr { return ts.need(ts.info(t)) }

// fill writes the descriptor of d.
func (ts *Types) fill(d *info) {
	b := writer(ts.bytes(d.addr))
	ts.fillCommon(d, b)
	fixed, variable := ts.shape(d)
	at := fixed // of the variable part
	uncommon := ts.uncommon(d)
	if uncommon {
		at += sizeUncommon
	}
	switch u := d.t.Underlying().(type) {
	case *types.Pointer:
		b.u64(48, ts.ref(u.Elem()))
	case *types.Slice:
		b.u64(48, ts.ref(u.Elem()))
	case *types.Array:
		b.u64(48, ts.ref(u.Elem()))
		b.u64(56, ts.ref(types.NewSlice(u.Elem())))
		b.u64(64, uint64(u.Len()))
	case *types.Chan:
		b.u64(48, ts.ref(u.Elem()))
		b.u64(56, uint64(ChanDir(u.Dir())))
	case *types.Map:
		ts.fillMap(u, b)
	case *types.Signature:
		out := uint16(u.Results().Len())
		if u.Variadic() {
			out |= 1 << 15
		}
		b.u16(48, uint16(u.Params().Len()))
		b.u16(50, out)
		for _, tup := range []*types.Tuple{u.Params(), u.Results()} {
			for i := range tup.Len() {
				b.u64(at, ts.ref(tup.At(i).Type()))
				at += 8
			}
		}
	case *types.Interface:
		ts.fillInterface(d, b, at)
	case *types.Struct:
		ts.fillStruct(d, u, b, at)
	}
	if !uncommon {
		return
	}
	pkg := typePkg(d.t)
	b.u32(fixed, uint32(ts.pathName(pkg)))
	b.u32(fixed+8, uint32(sizeUncommon+variable))
	if isInterface(d.t) {
		return
	}
	exported := 0
	at = fixed + sizeUncommon + variable
	for i := range d.methods {
		m := &d.methods[i]
		mpkg := m.pkg
		if m.pkg == nil {
			exported++
		} else if ts.samePkg(m.pkg, pkg) {
			mpkg = nil
		}
		b.u32(at, uint32(ts.name(m.name, "", mpkg, m.pkg == nil, false)))
		for k := range entryTfn + 1 {
			b.u32(at+4+4*uint64(k), ts.enter(entry{d: d, m: int32(i), kind: k}))
		}
		at += sizeMethod
	}
	b.u16(fixed+4, uint16(len(d.methods)))
	b.u16(fixed+6, uint16(exported))
}

func (ts *Facts) samePkg(a, b *types.Package) bool {
	return a == b || a != nil && b != nil && ts.Path(a) == ts.Path(b)
}

func (ts *Types) fillCommon(d *info, b writer) {
	t := d.t
	var flags uint8
	if ts.uncommon(d) {
		flags |= tflagUncommon
	}
	if isNamed(t) {
		flags |= tflagNamed
	}
	alg := ts.algOf(d)
	if alg.regular {
		flags |= tflagRegularMemory
	}
	ptrBytes := ts.ptrBytes(d)
	if d.l.Size == 8 && ptrBytes == 8 {
		flags |= tflagDirectIface
	}
	gcdata, onDemand := ts.gcdata(d)
	if onDemand {
		flags |= tflagGCMaskOnDemand
	}
	str, exported := ts.str(d), false
	if !strings.HasPrefix(str, "*") {
		str = "*" + str
		flags |= tflagExtraStar
		exported = nameExported(t)
	} else if p, ok := t.(*types.Pointer); ok {
		exported = nameExported(p.Elem())
	}
	b.u64(0, d.l.Size)
	b.u64(offPtrBytes, ptrBytes)
	b.u32(offHash, ts.hash(d))
	b.u8(offTFlag, flags)
	b.u8(offAlign, uint8(d.l.Align))
	b.u8(offFieldAlign, uint8(d.l.Align))
	b.u8(offKind, Kind(t))
	if alg.kind != algNone {
		b.u64(offEqual, ts.funcs.EqualFunc(t))
	}
	b.u64(offGCData, gcdata)
	b.u32(offStr, uint32(ts.name(str, "", nil, exported, false)))
	n := numberIn(ts.descs, d.addr, 0)
	ts.descs[n] = d
	b.u32(offPtrToThis, uint32(n)<<2|1)
}

// hash returns the hash that type switches go by.
func (ts *Facts) hash(d *info) uint32 {
	h := fnv.New32a()
	h.Write([]byte(ts.Link(d.t)))
	return h.Sum32()
}

func nameExported(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return token.IsExported(t.Obj().Name())
	case *types.Basic:
		return t.Kind() == types.UnsafePointer
	}
	return false
}

// ChanDir is a direction as abi has it.
func ChanDir(d types.ChanDir) int {
	switch d {
	case types.RecvOnly:
		return 1
	case types.SendOnly:
		return 2
	}
	return 3
}

func (ts *Types) fillInterface(d *info, b writer, at uint64) {
	// Only a declared interface other than error has a package.
	var pkg *types.Package
	if n, ok := d.t.(*types.Named); ok {
		pkg = n.Obj().Pkg()
	}
	if pkg != nil {
		b.u64(48, ts.nameAddr(ts.pathName(pkg)))
	}
	b.slice(56, d.addr+at, len(d.methods))
	for i := range d.methods {
		m := &d.methods[i]
		mpkg := m.pkg
		if m.pkg != nil && ts.samePkg(m.pkg, pkg) {
			mpkg = nil
		}
		b.u32(at, uint32(ts.name(m.name, "", mpkg, m.pkg == nil, false)))
		b.u32(at+4, ts.enter(entry{d: d, m: int32(i), kind: entryType}))
		at += sizeImethod
	}
}

func (ts *Types) fillStruct(d *info, u *types.Struct, b writer, at uint64) {
	b.slice(56, d.addr+at, u.NumFields())
	var pkg *types.Package
	for i := range u.NumFields() {
		f := u.Field(i)
		if !f.Exported() && pkg == nil {
			pkg = f.Pkg()
		}
		b.u64(at, ts.nameAddr(ts.name(f.Name(), u.Tag(i), nil, f.Exported(), f.Embedded())))
		b.u64(at+8, ts.ref(f.Type()))
		b.u64(at+16, d.l.Offs[i])
		at += sizeField
	}
	if pkg != nil {
		b.u64(48, ts.nameAddr(ts.pathName(pkg)))
	}
}

func (ts *Types) fillMap(u *types.Map, b writer) {
	var flags uint32
	part := func(t types.Type, indirect uint32) (size, align uint64) {
		l := ts.layouts.Of(t)
		if l.Size > mapMaxInline {
			flags |= indirect
			return 8, 8
		}
		return l.Size, l.Align
	}
	ksize, kalign := part(u.Key(), mapIndirectKey)
	esize, ealign := part(u.Elem(), mapIndirectElem)
	elemOff := roundUp(ksize, ealign)
	slot := elemOff + esize
	if esize == 0 && elemOff > 0 {
		slot++ // a struct that ends in nothing is padded
	}
	slot = roundUp(slot, max(kalign, ealign))
	group := 8 + slot*mapGroupSlots
	if slot == 0 {
		group++
	}
	if needKeyUpdate(u.Key()) {
		flags |= mapNeedKeyUpdate
	}
	if hashMightPanic(u.Key()) {
		flags |= mapHashMightPanic
	}
	b.u64(48, ts.ref(u.Key()))
	b.u64(56, ts.ref(u.Elem()))
	if h, ok := ts.funcs.(Hashers); ok {
		b.u64(72, h.HashFunc(u.Key()))
	}
	b.u64(80, roundUp(group, 8))
	b.u64(88, slot)
	b.u64(96, elemOff)
	b.u32(104, flags)
}

func roundUp(n, align uint64) uint64 { return (n + align - 1) &^ (align - 1) }

// needKeyUpdate reports whether storing under an equal key replaces the key: equal keys may differ.
func needKeyUpdate(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsFloat|types.IsComplex|types.IsString) != 0
	case *types.Interface:
		return true
	case *types.Array:
		return needKeyUpdate(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if needKeyUpdate(u.Field(i).Type()) {
				return true
			}
		}
	}
	return false
}

func hashMightPanic(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Array:
		return hashMightPanic(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if hashMightPanic(u.Field(i).Type()) {
				return true
			}
		}
	}
	return false
}

// ptrBytes returns the length of the prefix of a value that holds pointers.
func (ts *Facts) ptrBytes(d *info) uint64 {
	if d.hasPtrBytes {
		return d.ptrBytes
	}
	d.hasPtrBytes = true
	n := uint64(0)
	switch u := d.t.Underlying().(type) {
	case *types.Basic:
		if u.Kind() == types.UnsafePointer || u.Kind() == types.String {
			n = 8
		}
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature, *types.Slice:
		n = 8
	case *types.Interface:
		n = 16
	case *types.Array:
		e := ts.info(u.Elem())
		if p := ts.ptrBytes(e); p > 0 && u.Len() > 0 {
			n = e.l.Size*uint64(u.Len()-1) + p
		}
	case *types.Struct:
		for i := u.NumFields() - 1; i >= 0 && n == 0; i-- {
			if p := ts.ptrBytes(ts.info(u.Field(i).Type())); p > 0 {
				n = d.l.Offs[i] + p
			}
		}
	}
	d.ptrBytes = n
	return n
}

// gcdata returns the pointer bitmap of a type: for a large one, as with gc, a place where it would go.
func (ts *Types) gcdata(d *info) (addr mem.Addr, onDemand bool) {
	words := ts.ptrBytes(d) / 8
	if words > maxPtrmaskWords {
		if ts.demand == 0 {
			ts.demand, _ = ts.alloc("mask", 8)
		}
		return ts.demand, true
	}
	mask := make([]byte, roundUp((words+7)/8, 8))
	ts.setBits(mask, d, 0)
	addr, ok := ts.masks[string(mask)]
	if !ok {
		addr = ts.m.AllocStatic("mask "+string(mask), mask)
		ts.masks[string(mask)] = addr
	}
	return addr, false
}

func (ts *Facts) setBits(mask []byte, d *info, off uint64) {
	if ts.ptrBytes(d) == 0 {
		return
	}
	switch u := d.t.Underlying().(type) {
	case *types.Array:
		e := ts.info(u.Elem())
		for range u.Len() {
			ts.setBits(mask, e, off)
			off += e.l.Size
		}
		return
	case *types.Struct:
		for i := range u.NumFields() {
			ts.setBits(mask, ts.info(u.Field(i).Type()), off+d.l.Offs[i])
		}
		return
	case *types.Interface:
		off += 8 // the first word points to no heap object
	}
	mask[off/64] |= 1 << (off / 8 % 8)
}
