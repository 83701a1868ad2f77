package rtype

import (
	"bytes"
	"encoding/binary"
	"go/types"
	"math"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file defines equality and hashing of values. See cmd/compile/internal/types/alg.go and runtime/alg.go.

type algKind uint8

const (
	algNone algKind = iota // not comparable
	algMem                 // as bytes
	algString
	algEface // interface without methods
	algIface
	algFloat32
	algFloat64
	algComplex64
	algComplex128
	algStruct
	algArray
)

// An Alg compares values of one type.
//
// Fields and elements are compared in order, up to the first that differs, so that it is known which comparison panics.
// As with gc, an interface compares a value that it holds in its data word as that word, so that a blank
// field counts if it is a pointer and alone (runtime.efaceeq).
type Alg struct {
	ts      *Types
	kind    algKind
	regular bool // gc compares the whole type as bytes (abi.TFlagRegularMemory)
	size    uint64
	n       int64     // array: number of elements
	elem    *Alg      // array
	fields  []algPart // struct, nested ones flattened, runs of bytes merged
}

type algPart struct {
	off uint64
	alg *Alg
}

// Alg returns the comparison of t. It stays valid.
func (ts *Types) Alg(t types.Type) *Alg { return ts.algOf(ts.info(t)) }

// Comparable reports whether values may be compared, though an interface inside may still hold one that may not.
func (a *Alg) Comparable() bool { return a.kind != algNone }

func (ts *Types) algOf(d *info) *Alg {
	if d.alg == nil {
		d.alg = ts.makeAlg(d)
	}
	return d.alg
}

func (ts *Types) makeAlg(d *info) *Alg {
	a := &Alg{ts: ts, size: d.l.Size, kind: algMem, regular: true}
	special := func(k algKind) { a.kind, a.regular = k, false }
	switch u := d.t.Underlying().(type) {
	case *types.Basic:
		switch u.Kind() {
		case types.String:
			special(algString)
		case types.Float32:
			special(algFloat32)
		case types.Float64:
			special(algFloat64)
		case types.Complex64:
			special(algComplex64)
		case types.Complex128:
			special(algComplex128)
		}
	case *types.Slice, *types.Map, *types.Signature:
		special(algNone)
	case *types.Interface:
		special(algIface)
		if u.NumMethods() == 0 {
			special(algEface)
		}
	case *types.Array:
		e := ts.algOf(ts.info(u.Elem()))
		switch {
		case e.kind == algNone:
			special(algNone)
		case e.regular || u.Len() == 0:
		default:
			special(algArray)
			a.n, a.elem = u.Len(), e
		}
	case *types.Struct:
		ts.structAlg(a, d, u)
	}
	return a
}

func (ts *Types) structAlg(a *Alg, d *info, u *types.Struct) {
	n := u.NumFields()
	for i := range n {
		f := u.Field(i)
		fa := ts.algOf(ts.info(f.Type()))
		if fa.kind == algNone {
			a.kind, a.regular, a.fields = algNone, false, nil
			return
		}
		off := d.l.Offs[i]
		end := d.l.Size
		if i+1 < n {
			end = d.l.Offs[i+1]
		}
		if f.Name() == "_" {
			a.regular = false
			continue
		}
		if !fa.regular || off+fa.size != end {
			a.regular = false
		}
		if fa.kind == algStruct {
			for _, p := range fa.fields {
				a.add(off+p.off, p.alg)
			}
		} else {
			a.add(off, fa)
		}
	}
	if !a.regular {
		a.kind = algStruct
	}
}

// add appends a part, joining it to a run of bytes that ends where it starts.
func (a *Alg) add(off uint64, p *Alg) {
	if p.size == 0 {
		return
	}
	if n := len(a.fields); n > 0 && p.kind == algMem {
		if last := &a.fields[n-1]; last.alg.kind == algMem && last.off+last.alg.size == off {
			last.alg = &Alg{ts: a.ts, kind: algMem, size: last.alg.size + p.size}
			return
		}
	}
	a.fields = append(a.fields, algPart{off, p})
}

// read returns a pointer to n bytes of memory.
func (ts *descriptors) read(addr mem.Addr, n uint64) unsafe.Pointer {
	if n == 0 {
		return unsafe.Pointer(&nothing)
	}
	p := ts.m.At(addr, n)
	if p == nil {
		panic(BadAddr{addr, n})
	}
	return p
}

var nothing [1]byte

type stringHeader struct {
	data mem.Addr
	n    uint64
}

type ifaceHeader struct {
	tab  mem.Addr // itab or descriptor
	data mem.Addr
}

// dynamic returns the dynamic type of an interface value, nil if the interface is nil, and a pointer to the value.
func (a *Alg) dynamic(h *ifaceHeader) (*info, unsafe.Pointer) {
	if h.tab == 0 {
		return nil, nil
	}
	var d *info
	if a.kind == algIface {
		if it := a.ts.itabs[h.tab]; it != nil {
			d = it.concrete
		}
	} else {
		d = a.ts.at[h.tab]
	}
	if d == nil {
		panic(BadAddr{h.tab, sizeType})
	}
	if a.ts.algOf(d).kind == algNone {
		return d, nil
	}
	if a.ts.direct(d) {
		return d, unsafe.Pointer(&h.data)
	}
	return d, a.ts.read(h.data, d.l.Size)
}

// direct reports whether an interface holds the value itself.
func (ts *Facts) direct(d *info) bool { return d.l.Size == 8 && ts.ptrBytes(d) == 8 }

// Direct reports whether an interface holds values of t in its data word, not a pointer to them.
func (ts *Facts) Direct(t types.Type) bool { return ts.direct(ts.info(t)) }

// Equal compares two values of the type. panicType is not nil if the comparison panics: it is the dynamic type, inside,
// that may not be compared ("comparing uncomparable type T").
func (a *Alg) Equal(p, q unsafe.Pointer) (eq bool, panicType types.Type) {
	switch a.kind {
	case algMem:
		switch a.size {
		case 0:
			return true, nil
		case 1:
			return *(*uint8)(p) == *(*uint8)(q), nil
		case 4:
			return *(*uint32)(p) == *(*uint32)(q), nil
		case 8:
			return *(*uint64)(p) == *(*uint64)(q), nil
		}
		return bytes.Equal(unsafe.Slice((*byte)(p), a.size), unsafe.Slice((*byte)(q), a.size)), nil
	case algString:
		return a.ts.equalString((*stringHeader)(p), (*stringHeader)(q)), nil
	case algEface, algIface:
		x, y := (*ifaceHeader)(p), (*ifaceHeader)(q)
		if x.tab != y.tab {
			return false, nil
		}
		d, px := a.dynamic(x)
		if d == nil {
			return true, nil
		}
		if d.alg.kind == algNone {
			return false, d.t
		}
		if a.ts.direct(d) {
			return x.data == y.data, nil
		}
		_, py := a.dynamic(y)
		return d.alg.Equal(px, py)
	case algFloat32:
		return *(*float32)(p) == *(*float32)(q), nil
	case algFloat64:
		return *(*float64)(p) == *(*float64)(q), nil
	case algComplex64:
		return *(*complex64)(p) == *(*complex64)(q), nil
	case algComplex128:
		return *(*complex128)(p) == *(*complex128)(q), nil
	case algStruct:
		for _, f := range a.fields {
			if eq, pt := f.alg.Equal(unsafe.Add(p, f.off), unsafe.Add(q, f.off)); !eq {
				return false, pt
			}
		}
		return true, nil
	case algArray:
		e := a.elem
		for i := range uint64(a.n) {
			if eq, pt := e.Equal(unsafe.Add(p, i*e.size), unsafe.Add(q, i*e.size)); !eq {
				return false, pt
			}
		}
		return true, nil
	}
	panic("rtype: comparison of a type that has none")
}

func (ts *descriptors) equalString(x, y *stringHeader) bool {
	if x.n != y.n {
		return false
	}
	if x.n == 0 || x.data == y.data {
		return true
	}
	return bytes.Equal(unsafe.Slice((*byte)(ts.read(x.data, x.n)), x.n), unsafe.Slice((*byte)(ts.read(y.data, y.n)), y.n))
}

// AppendKey appends an encoding of a value. Two values of the type are equal if and only if their encodings are. If nan
// is set, the value equals none, not even itself. panicType is not nil if the value may not be hashed ("hash of
// unhashable type T").
func (a *Alg) AppendKey(dst []byte, p unsafe.Pointer) (_ []byte, nan bool, panicType types.Type) {
	switch a.kind {
	case algMem:
		return append(dst, unsafe.Slice((*byte)(p), a.size)...), false, nil
	case algString:
		h := (*stringHeader)(p)
		dst = binary.AppendUvarint(dst, h.n)
		return append(dst, unsafe.Slice((*byte)(a.ts.read(h.data, h.n)), h.n)...), false, nil
	case algEface, algIface:
		d, q := a.dynamic((*ifaceHeader)(p))
		if d == nil {
			return append(dst, 0), false, nil
		}
		if d.alg.kind == algNone {
			return dst, false, d.t
		}
		dst = binary.AppendUvarint(dst, d.addr>>16)
		if a.ts.direct(d) {
			return append(dst, unsafe.Slice((*byte)(q), 8)...), false, nil
		}
		return d.alg.AppendKey(dst, q)
	case algFloat32:
		dst, nan = appendFloat32(dst, *(*float32)(p))
		return dst, nan, nil
	case algFloat64:
		dst, nan = appendFloat64(dst, *(*float64)(p))
		return dst, nan, nil
	case algComplex64:
		c := *(*[2]float32)(p)
		dst, nan = appendFloat32(dst, c[0])
		dst, nan2 := appendFloat32(dst, c[1])
		return dst, nan || nan2, nil
	case algComplex128:
		c := *(*[2]float64)(p)
		dst, nan = appendFloat64(dst, c[0])
		dst, nan2 := appendFloat64(dst, c[1])
		return dst, nan || nan2, nil
	case algStruct:
		for _, f := range a.fields {
			d, n, pt := f.alg.AppendKey(dst, unsafe.Add(p, f.off))
			if pt != nil {
				return d, false, pt
			}
			dst, nan = d, nan || n
		}
		return dst, nan, nil
	case algArray:
		for i := range uint64(a.n) {
			d, n, pt := a.elem.AppendKey(dst, unsafe.Add(p, i*a.elem.size))
			if pt != nil {
				return d, false, pt
			}
			dst, nan = d, nan || n
		}
		return dst, nan, nil
	}
	panic("rtype: hash of a type that has none")
}

func appendFloat32(dst []byte, f float32) ([]byte, bool) {
	if f == 0 {
		f = 0 // -0
	}
	return binary.NativeEndian.AppendUint32(dst, math.Float32bits(f)), f != f
}

func appendFloat64(dst []byte, f float64) ([]byte, bool) {
	if f == 0 {
		f = 0 // -0
	}
	return binary.NativeEndian.AppendUint64(dst, math.Float64bits(f)), f != f
}

// Hash returns a hash of a value: equal values have equal hashes. panicType is as for AppendKey.
func (a *Alg) Hash(p unsafe.Pointer, seed uint64) (h uint64, panicType types.Type) {
	var buf [64]byte
	key, _, pt := a.AppendKey(buf[:0], p)
	if pt != nil {
		return 0, pt
	}
	// FNV-1a, then murmur3's finalizer, since users look at low and at high bits.
	h = 14695981039346656037 ^ seed
	for _, c := range key {
		h = (h ^ uint64(c)) * 1099511628211
	}
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33, nil
}

// The same by type, for values in memory and, with At, for values that a pointer of the host leads to.

// Equal compares the values of type t at addresses a and b. See Alg.Equal.
func (ts *Types) Equal(t types.Type, a, b mem.Addr) (eq bool, panicType types.Type) {
	alg := ts.Alg(t)
	return alg.Equal(ts.read(a, alg.size), ts.read(b, alg.size))
}

// EqualAt is Equal for values anywhere.
func (ts *Types) EqualAt(t types.Type, p, q unsafe.Pointer) (eq bool, panicType types.Type) {
	return ts.Alg(t).Equal(p, q)
}

// AppendKey appends an encoding of the value of type t at address a. See Alg.AppendKey.
func (ts *Types) AppendKey(dst []byte, t types.Type, a mem.Addr) (_ []byte, nan bool, panicType types.Type) {
	alg := ts.Alg(t)
	return alg.AppendKey(dst, ts.read(a, alg.size))
}

// AppendKeyAt is AppendKey for a value anywhere.
func (ts *Types) AppendKeyAt(dst []byte, t types.Type, p unsafe.Pointer) (_ []byte, nan bool, panicType types.Type) {
	return ts.Alg(t).AppendKey(dst, p)
}
