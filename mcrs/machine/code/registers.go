package code

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"golang.org/x/tools/go/ssa"
)

// This file defines where values stand in a frame: registers and constants.

// Registers are the places of a function's values.
type Registers struct {
	host    Host
	layouts *layout.Layouts
	f       *Code
	fn      *ssa.Function
	regs    map[ssa.Value]int32
	local   map[ssa.Value]int32 // locals kept in the frame, and values that a literal has captured
	lazy    map[ssa.Value]bool  // address computations that are part of their loads and stores
	fused   map[ssa.Value]bool  // conditions that are part of their branch
	consts  map[string]int32
	named   map[any]int32 // constants that are numbers of the machine's
	size    int32
	refs    []*int32 // offsets that closures keep
}

// MaxFrame is the size of the largest frame in bytes; the tags below are larger.
const MaxFrame = 1 << 26

// outTag marks frame offsets in the area of outgoing arguments until the frame's size is known.
const outTag = 1 << 28

// constTag marks frame offsets in the constants until their place is known.
const constTag = 1 << 27

// A largeFrame is what the compiler panics with at a function that needs a larger one.
type largeFrame struct{}

// Layout is the layout of v's type.
func (c *Registers) Layout(v ssa.Value) *layout.Layout { return c.layouts.Of(v.Type()) }

// Words is the size of v's register in bytes.
func (c *Registers) Words(v ssa.Value) int32 {
	l := c.Layout(v)
	if l.Size > MaxFrame {
		panic(largeFrame{})
	}
	return int32(l.Words()) * 8
}

// Alloc reserves n bytes (a multiple of 8) of the frame.
func (c *Registers) Alloc(n int32) int32 {
	at := c.size
	if c.size += n; c.size > MaxFrame {
		panic(largeFrame{})
	}
	return at
}

func (c *Registers) place(x int32) int32 {
	if x >= outTag {
		return x - outTag + c.f.Frame
	}
	if x >= constTag {
		return x - constTag + c.f.ConstOff
	}
	return x
}

// Ref returns an offset for a closure to keep; it is final when compilation ends.
func (c *Registers) Ref(x int32) *int32 {
	p := new(int32)
	*p = x
	c.refs = append(c.refs, p)
	return p
}

// reserve gives the value of in a register, or decides that it needs none.
func (c *Registers) reserve(in ssa.Instruction) {
	v, ok := in.(ssa.Value)
	if !ok {
		return
	}
	switch v := v.(type) {
	case *ssa.Alloc:
		l := c.layouts.Of(v.Type().Underlying().(*types.Pointer).Elem())
		if !v.Heap && l.Size <= 4096 && onlyLocal(v) || keepsValue(c.layouts, v) {
			c.keep(v)
			return
		}
	case *ssa.Phi:
		if keepsValue(c.layouts, v) {
			c.keep(v)
			return
		}
	case *ssa.FieldAddr:
		if _, ok := c.FrameLoc(v); ok {
			return
		}
		if onlyAccessed(v) {
			c.lazy[v] = true
			return
		}
	case *ssa.IndexAddr:
		if _, ok := c.FrameLoc(v); ok {
			return
		}
		if c.fusable(v) {
			c.lazy[v] = true
			return
		}
	case *ssa.ChangeType:
		return // an alias, resolved by reg
	case *ssa.Extract:
		return
	case *ssa.BinOp:
		if c.fusesWithIf(v) {
			c.fused[v] = true
			return
		}
	}
	c.regs[v] = c.Alloc(c.Words(v))
}

// keep gives the variable at an address a place in the frame, where it is as in memory.
func (c *Registers) keep(v ssa.Value) {
	n := int32(c.layouts.Of(deref(v.Type())).Words()) * 8
	at := c.Alloc(n)
	c.local[v] = at
	c.f.Kept = append(c.f.Kept, Kept{v, at, n})
}

// fusable reports whether an element's address has one use, a load or store
// in the same block, that an instruction of ours does in one step.
func (c *Registers) fusable(v *ssa.IndexAddr) bool {
	if _, ok := v.X.Type().Underlying().(*types.Slice); !ok {
		return false
	}
	var use ssa.Instruction
	for _, r := range *v.Referrers() {
		if _, ok := r.(*ssa.DebugRef); ok {
			continue
		}
		if use != nil {
			return false
		}
		use = r
	}
	if use == nil || use.Block() != v.Block() {
		return false
	}
	l := c.layouts.Of(v.Type().Underlying().(*types.Pointer).Elem())
	switch r := use.(type) {
	case *ssa.UnOp:
		return l.Size == 8 && l.Class >= layout.Int8 || l.Class == layout.Uint8
	case *ssa.Store:
		return r.Val != ssa.Value(v) && (l.Size == 8 && l.Class >= layout.Int8 && l.Ptrs == nil || l.Class == layout.Uint8 || l.Class == layout.Int8)
	}
	return false
}

// FrameLoc returns the frame offset of an address inside a local kept in the frame.
func (c *Registers) FrameLoc(v ssa.Value) (int32, bool) {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.FreeVar, *ssa.Phi:
		at, ok := c.local[v]
		return at, ok
	case *ssa.FieldAddr:
		base, ok := c.FrameLoc(v.X)
		if !ok {
			return 0, false
		}
		st := c.layouts.Of(v.X.Type().Underlying().(*types.Pointer).Elem())
		return base + int32(st.Offs[v.Field]), true
	case *ssa.IndexAddr:
		base, ok := c.FrameLoc(v.X)
		if !ok {
			return 0, false
		}
		i, _ := constantIndex(v.Index.(*ssa.Const))
		el := c.layouts.Of(v.Type().Underlying().(*types.Pointer).Elem())
		return base + int32(uint64(i)*el.Size), true
	}
	return 0, false
}

// Reg returns the frame offset of an operand.
func (c *Registers) Reg(v ssa.Value) int32 {
	switch v := v.(type) {
	case *ssa.Const:
		return c.constant(v)
	case *ssa.Global:
		return c.Named(v)
	case *ssa.Function:
		return c.Named(v)
	case *ssa.ChangeType:
		return c.Reg(v.X)
	case *ssa.Extract:
		return c.Reg(v.Tuple) + int32(c.layouts.Of(v.Tuple.Type()).Offs[v.Index])
	case *ssa.FieldAddr:
		if c.lazy[v] {
			panic(fmt.Sprintf("code: address %s of %s has no register", v, c.fn))
		}
	}
	r, ok := c.regs[v]
	if !ok {
		panic(fmt.Sprintf("code: %s = %s (%T) of %s has no register", v.Name(), v, v, c.fn))
	}
	return r
}

// Register returns v's register; ok is false if it has none of its own.
func (c *Registers) Register(v ssa.Value) (at int32, ok bool) {
	at, ok = c.regs[v]
	return at, ok
}

// Local returns where a local variable is kept in the frame; ok is false if it is not.
func (c *Registers) Local(v *ssa.Alloc) (at int32, ok bool) {
	at, ok = c.local[v]
	return at, ok
}

// Lazy reports whether v is an address that is computed where it is loaded from or stored to.
func (c *Registers) Lazy(v ssa.Value) bool { return c.lazy[v] }

// Fused reports whether v is a condition that is computed by its branch.
func (c *Registers) Fused(v ssa.Value) bool { return c.fused[v] }

// Word returns the place of a one-word constant.
func (c *Registers) Word(w uint64) int32 { return c.Pool(w) }

// Pool returns the place of a constant of several words.
func (c *Registers) Pool(ws ...uint64) int32 {
	key := string(unsafe.Slice((*byte)(unsafe.Pointer(&ws[0])), len(ws)*8))
	if at, ok := c.consts[key]; ok {
		return at
	}
	at := int32(len(c.f.Consts))*8 + constTag
	c.f.Consts = append(c.f.Consts, ws...)
	c.consts[key] = at
	return at
}

func (c *Registers) constant(v *ssa.Const) int32 {
	l := c.Layout(v)
	if v.Value == nil { // nil or a zero value
		n := l.Words()
		if n == 0 {
			n = 1
		}
		return c.Pool(make([]uint64, n)...)
	}
	if s, ok := StringConst(v); ok {
		return c.text(s)
	}
	return c.Pool(ConstWords(c.layouts, v)...)
}

// StringConst returns the string that a constant is; ok is false if it is none.
func StringConst(v *ssa.Const) (s string, ok bool) {
	b, ok := v.Type().Underlying().(*types.Basic)
	switch {
	case !ok || b.Info()&types.IsString == 0 || v.Value == nil:
		return "", false
	case v.Value.Kind() == constant.Int: // string(rune(len(a))) of an array a that is evaluated
		i, _ := constant.Int64Val(v.Value)
		return string(rune(i)), true
	}
	return constant.StringVal(v.Value), true
}

// ConstWords returns the register words of a constant that is no string.
func ConstWords(ls *layout.Layouts, v *ssa.Const) []uint64 {
	b, ok := v.Type().Underlying().(*types.Basic)
	if !ok { // a type parameter's core type, instantiated away
		panic(fmt.Sprintf("code: constant %s of type %s", v, v.Type()))
	}
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		if constant.BoolVal(v.Value) {
			return []uint64{1}
		}
		return []uint64{0}
	case info&types.IsInteger != 0:
		x := constant.ToInt(v.Value)
		if i, ok := constant.Int64Val(x); ok {
			return []uint64{canon(ls.Of(b).Class, uint64(i))}
		}
		u, _ := constant.Uint64Val(x)
		return []uint64{u}
	case info&types.IsFloat != 0:
		if b.Kind() == types.Float32 {
			f, _ := constant.Float32Val(v.Value)
			return []uint64{uint64(math.Float32bits(f))}
		}
		f, _ := constant.Float64Val(v.Value)
		return []uint64{math.Float64bits(f)}
	case info&types.IsComplex != 0:
		x := constant.ToComplex(v.Value)
		if b.Kind() == types.Complex64 {
			re, _ := constant.Float32Val(constant.Real(x))
			im, _ := constant.Float32Val(constant.Imag(x))
			return []uint64{uint64(math.Float32bits(re)) | uint64(math.Float32bits(im))<<32}
		}
		re, _ := constant.Float64Val(constant.Real(x))
		im, _ := constant.Float64Val(constant.Imag(x))
		return []uint64{math.Float64bits(re), math.Float64bits(im)}
	}
	if v.Value.Kind() == constant.Int { // unsafe.Pointer
		u, _ := constant.Uint64Val(v.Value)
		return []uint64{u}
	}
	return []uint64{0}
}

// fusesWithIf reports whether a comparison is only the condition of the If at the end of its block.
func (c *Registers) fusesWithIf(v *ssa.BinOp) bool {
	switch v.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
	default:
		return false
	}
	if cl := c.layouts.Of(v.X.Type()).Class; cl < layout.Int8 || cl > layout.Uint64 {
		return false
	}
	if isUntypedNilCompare(v) {
		return false
	}
	var use ssa.Instruction
	for _, r := range *v.Referrers() {
		if _, ok := r.(*ssa.DebugRef); ok {
			continue
		}
		if use != nil {
			return false
		}
		use = r
	}
	_, ok := use.(*ssa.If)
	return ok && use.Block() == v.Block()
}

func isUntypedNilCompare(v *ssa.BinOp) bool {
	_, a := v.X.Type().Underlying().(*types.Interface)
	_, b := v.Y.Type().Underlying().(*types.Interface)
	return a || b
}

func constantIndex(k *ssa.Const) (i int64, exact bool) {
	return constant.Int64Val(constant.ToInt(k.Value))
}

// onlyLocal reports whether the address v is used for loads, stores and constant parts alone.
func onlyLocal(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
		case *ssa.Store:
			if r.Val == v {
				return false
			}
		case *ssa.FieldAddr:
			if !onlyLocal(r) {
				return false
			}
		case *ssa.IndexAddr:
			if !constantElement(r, v) || !onlyLocal(r) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// onlyAccessed reports whether the address v is only loaded from and stored to, directly or by field.
func onlyAccessed(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
		case *ssa.Store:
			if r.Val == v {
				return false
			}
		case *ssa.FieldAddr:
			if !onlyAccessed(r) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// canon brings the low bits of x into the form registers hold for a class.
func canon(cl layout.Class, x uint64) uint64 {
	switch cl {
	case layout.Int8:
		return uint64(int64(int8(x)))
	case layout.Int16:
		return uint64(int64(int16(x)))
	case layout.Int32:
		return uint64(int64(int32(x)))
	case layout.Uint8:
		return uint64(uint8(x))
	case layout.Uint16:
		return uint64(uint16(x))
	case layout.Uint32, layout.Float32:
		return uint64(uint32(x))
	}
	return x
}
