// Package layout gives the compiler's layout of Go types: sizes, offsets, where pointers stand.
//
// Source: types.SizesFor("gc", arch), which is the compiler's own rule; cmd/compile/internal/types/size.go.
package layout

import (
	"go/types"
	"math"
	"sync"

	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"golang.org/x/tools/go/types/typeutil"
)

// A Class says how a value of a type is kept in registers and memory.
type Class uint8

const (
	Words Class = iota // anything else: its bytes, rounded up to words
	Int8               // signed integers, sign-extended in a register
	Int16
	Int32
	Int64
	Uint8 // unsigned integers and bool, zero-extended
	Uint16
	Uint32
	Uint64 // also pointers, channels, maps, functions, unsafe.Pointer
	Float32
	Float64
)

// A Layout is the layout of one type.
type Layout struct {
	Type  types.Type
	Size  uint64 // bytes in memory
	Align uint64
	Class Class
	Ptrs  *mem.PtrMap // nil if the type holds no pointers
	Offs  []uint64    // struct: offset of each field
	// Direct: an interface holds the value itself in its data word (it is one pointer).
	Direct bool
}

// Words is the number of 8-byte register words a value takes.
func (l *Layout) Words() int { return int((l.Size + 7) / 8) }

// Layouts computes layouts, each type once. It is used by one goroutine of the host at a time.
type Layouts struct {
	byPtr  map[types.Type]*Layout
	shared *shared
}

// shared is what several Layouts have in common: there is one layout of a type for all of them.
type shared struct {
	mu    sync.Mutex
	sizes types.Sizes
	byPtr map[types.Type]*Layout
	byID  typeutil.Map
}

// New returns the layouts of an architecture ("amd64").
func New(arch string) *Layouts {
	s := &shared{sizes: types.SizesFor("gc", arch), byPtr: map[types.Type]*Layout{}}
	return &Layouts{map[types.Type]*Layout{}, s}
}

// Beside returns the same layouts for another goroutine.
func (ls *Layouts) Beside() *Layouts { return &Layouts{map[types.Type]*Layout{}, ls.shared} }

// Of returns the layout of t. Tuples are laid out as registers are: each element from a word boundary.
func (ls *Layouts) Of(t types.Type) *Layout {
	if l, ok := ls.byPtr[t]; ok {
		return l
	}
	ls.shared.mu.Lock()
	l := ls.shared.of(t)
	ls.shared.mu.Unlock()
	ls.byPtr[t] = l
	return l
}

// of is Of, under the lock.
func (ls *shared) of(t types.Type) *Layout {
	if l, ok := ls.byPtr[t]; ok {
		return l
	}
	if l, ok := ls.byID.At(t).(*Layout); ok {
		ls.byPtr[t] = l
		return l
	}
	l := ls.compute(t)
	ls.byPtr[t] = l
	ls.byID.Set(t, l)
	return l
}

func (ls *shared) compute(t types.Type) *Layout {
	l := &Layout{Type: t}
	if tup, ok := t.(*types.Tuple); ok {
		off := uint64(0)
		for i := 0; i < tup.Len(); i++ {
			l.Offs = append(l.Offs, off)
			off += uint64(ls.of(tup.At(i).Type()).Words()) * 8
		}
		l.Size, l.Align = off, 8
		return l
	}
	u := t.Underlying()
	if b, ok := u.(*types.Basic); ok && (b.Kind() == types.Invalid || b.Kind() == types.UntypedNil) {
		l.Size, l.Align, l.Class = 8, 8, Uint64
		return l
	}
	if b, ok := u.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		t = types.Default(t)
		u = t.Underlying()
	}
	l.Size = uint64(ls.sizeOf(t, l))
	l.Align = uint64(ls.sizes.Alignof(t))
	var at, maybe []uint32
	add := func(off uint64) { at = append(at, uint32(off)) }
	elem := l.Size
	switch u := u.(type) {
	case *types.Basic:
		l.Class = basicClass(u)
		switch u.Kind() {
		case types.UnsafePointer:
			add(0)
		case types.String, types.UntypedString:
			add(0)
		case types.Uintptr:
			maybe = append(maybe, 0)
		}
	case *types.Pointer, *types.Chan, *types.Map, *types.Signature:
		l.Class = Uint64
		add(0)
	case *types.Slice:
		add(0)
	case *types.Interface:
		add(0)
		add(8)
	case *types.Struct:
		for i, off := range l.Offs {
			at, maybe = appendMap(at, maybe, ls.of(u.Field(i).Type()), off)
		}
	case *types.Array:
		e := ls.of(u.Elem())
		if u.Len() > 0 && e.Ptrs != nil {
			l.Ptrs = e.Ptrs // elements repeat
		}
		l.Direct = onePointer(l)
		return l
	}
	if len(at) > 0 || len(maybe) > 0 {
		l.Ptrs = &mem.PtrMap{Elem: elem, Offs: at, Maybe: maybe}
	}
	l.Direct = onePointer(l)
	return l
}

// sizeOf returns the size of a type, -1 if it is too large, and notes the offsets of its fields. That of a struct or
// array is made of what is known of its parts: types.Sizes would ask for the last field of a struct twice, and so for
// the innermost of n structs, one in the other, 2^n times.
func (ls *shared) sizeOf(t types.Type, l *Layout) int64 {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		var size, last int64
		for f := range u.Fields() {
			part := ls.of(f.Type())
			if last = int64(part.Size); size < 0 || last < 0 {
				size = -1
				l.Offs = append(l.Offs, math.MaxUint64)
				continue
			}
			size = align(size, int64(part.Align))
			l.Offs = append(l.Offs, uint64(size))
			size += last
		}
		if size > 0 && last == 0 { // a pointer to the last field must not point behind the struct
			size++
		}
		return align(size, ls.sizes.Alignof(t))
	case *types.Array:
		e := int64(ls.of(u.Elem()).Size)
		if n := u.Len(); n <= 0 || e == 0 {
			return 0
		} else if e < 0 || e > math.MaxInt64/n {
			return -1
		}
		return e * u.Len()
	}
	return ls.sizes.Sizeof(t)
}

// align rounds a size up. One that is too large is negative, and stays so.
func align(size, to int64) int64 {
	if size < 0 {
		return -1
	}
	return (size + to - 1) / to * to
}

// onePointer is the compiler's rule for what an interface holds directly.
func onePointer(l *Layout) bool {
	return l.Size == 8 && l.Ptrs != nil && len(l.Ptrs.Offs) == 1
}

func appendMap(at, maybe []uint32, f *Layout, off uint64) ([]uint32, []uint32) {
	if f.Ptrs == nil {
		return at, maybe
	}
	for base := uint64(0); base < f.Size; base += f.Ptrs.Elem {
		for _, o := range f.Ptrs.Offs {
			at = append(at, uint32(off+base)+o)
		}
		for _, o := range f.Ptrs.Maybe {
			maybe = append(maybe, uint32(off+base)+o)
		}
	}
	return at, maybe
}

func basicClass(b *types.Basic) Class {
	switch b.Kind() {
	case types.Int8:
		return Int8
	case types.Int16:
		return Int16
	case types.Int32, types.UntypedRune:
		return Int32
	case types.Int, types.Int64, types.UntypedInt:
		return Int64
	case types.Bool, types.UntypedBool, types.Uint8:
		return Uint8
	case types.Uint16:
		return Uint16
	case types.Uint32:
		return Uint32
	case types.Uint, types.Uint64, types.Uintptr, types.UnsafePointer:
		return Uint64
	case types.Float32:
		return Float32
	case types.Float64, types.UntypedFloat:
		return Float64
	}
	return Words
}
