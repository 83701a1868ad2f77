package machine

import (
	"fmt"
	"go/constant"
	"go/types"
	"math"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"golang.org/x/tools/go/ssa"
)

// This file defines the compiler from SSA to register code: registers and constants. Blocks are in compile_flow.go, the instructions
// in the other compile_*.go.

// outTag marks frame offsets in the area of outgoing arguments until the frame's size is known.
const outTag = 1 << 28

type compiler struct {
	m        *Machine
	f        *Func
	fn       *ssa.Function
	regs     map[ssa.Value]int32
	local    map[*ssa.Alloc]int32 // locals kept in the frame
	consts   map[string]int32
	size     int32
	start    []int32 // pc of each block
	fix      []fixup
	site     event.Site
	lazy     map[ssa.Value]bool // address computations that are part of their loads and stores
	fused    map[ssa.Value]bool // conditions that are part of their branch
	refs     []*int32           // offsets that closures keep
	late     *bool              // see defersLate
	branches *branches          // how far the function's branches reach, where flows are followed
	early    bool               // the deferred calls of the return that comes have been run
}

type fixup struct {
	pc    int
	block int
}

// compile translates f, which has a body.
func (m *Machine) compile(f *Func) {
	f.compiled = true
	f.recoverPC = -1
	if f.intrinsic == nil {
		f.ssa = m.prog.Body(f.ssa)
	}
	m.signature(f, f.ssa)
	if f.intrinsic != nil {
		f.frame = f.ctx + 8
		f.code = []instr{{op: opSelf}, {op: opRet}}
		f.sites = make([]event.Site, 2)
		return
	}
	if f.ssa.Blocks == nil {
		f.frame = f.ctx + 8
		f.code = []instr{{op: opMissing}}
		f.sites = make([]event.Site, 1)
		return
	}
	c := &compiler{
		m: m, f: f, fn: f.ssa,
		regs: map[ssa.Value]int32{}, local: map[*ssa.Alloc]int32{}, consts: map[string]int32{},
		lazy: map[ssa.Value]bool{}, fused: map[ssa.Value]bool{},
		size: f.ctx + 8,
	}
	defer func() {
		if e := recover(); e != nil {
			if _, ok := e.(largeFrame); !ok {
				panic(e)
			}
			*f = Func{id: f.id, ssa: f.ssa, name: f.name, params: f.params, results: f.results, ctx: f.ctx, recoverPC: -1, compiled: true, std: f.std, silent: f.silent, sync: f.sync}
			f.missing = fmt.Sprintf("%s with values of more than %d MiB in its frame", f.name, maxFrame>>20)
			f.frame = min(f.ctx+8, 64)
			f.params, f.results = 0, 0
			f.code = []instr{{op: opMissing}}
			f.sites = []event.Site{m.site(f, f.ssa.Blocks[0].Instrs[0])}
		}
	}()
	c.run()
}

// signature lays out the parameters and results of fn.
func (m *Machine) signature(f *Func, fn *ssa.Function) {
	off := int32(0)
	for _, p := range fn.Params {
		off += int32(m.layouts.Of(p.Type()).Words()) * 8
	}
	if fn.Params == nil && fn.Signature != nil { // a function without a body may have no Params
		off = m.paramBytes(fn.Signature)
	}
	f.params = off
	f.results = int32(m.layouts.Of(fn.Signature.Results()).Size)
	f.ctx = off + f.results
}

func (m *Machine) paramBytes(sig *types.Signature) int32 {
	n := int32(m.layouts.Of(sig.Params()).Size)
	if r := sig.Recv(); r != nil {
		n += int32(m.layouts.Of(r.Type()).Words()) * 8
	}
	return n
}

func (c *compiler) layout(v ssa.Value) *layout.Layout { return c.m.layouts.Of(v.Type()) }

func (c *compiler) words(v ssa.Value) int32 {
	l := c.layout(v)
	if l.Size > maxFrame {
		panic(largeFrame{})
	}
	return int32(l.Words()) * 8
}

// maxFrame is the size of the largest frame in bytes; the tags below are larger.
const maxFrame = 1 << 26

// A largeFrame is what the compiler panics with at a function that needs a larger one.
type largeFrame struct{}

// alloc reserves n bytes (a multiple of 8) of the frame.
func (c *compiler) alloc(n int32) int32 {
	at := c.size
	if c.size += n; c.size > maxFrame {
		panic(largeFrame{})
	}
	return at
}

func (c *compiler) run() {
	off := int32(0)
	for _, p := range c.fn.Params {
		c.regs[p] = off
		off += c.words(p)
	}
	if len(c.fn.FreeVars) > 0 {
		at := uint64(8)
		for _, fv := range c.fn.FreeVars {
			l := c.layout(fv)
			r := c.alloc(c.words(fv))
			c.regs[fv] = r
			if l.Words() == 1 {
				c.emit(instr{op: opCtx1, a: r, k: at})
			} else {
				c.emit(instr{op: opCtx, a: r, b: int32(at), k: uint64(l.Words()) * 8})
			}
			at += uint64(l.Words()) * 8
		}
	}
	if c.m.cfg.Regions != nil {
		c.branches = newBranches(c.fn, c.m.cfg.Regions(c.fn))
		c.flowEntry()
	}
	if w, ok := watches[c.f.name]; ok {
		c.closure(0, 0, 0, func(m *Machine, g *G, fp unsafe.Pointer, _ *instr) status {
			return w(m, g, unsafe.Slice((*uint64)(fp), c.f.params/8))
		})
	}
	shared := c.coalesce()
	for _, b := range c.fn.Blocks {
		for _, in := range b.Instrs {
			if v, ok := in.(ssa.Value); !ok || shared[v] == nil {
				c.reserve(in)
			}
		}
	}
	for v, phi := range shared {
		c.regs[v] = c.regs[phi]
	}
	c.start = make([]int32, len(c.fn.Blocks))
	order := c.fn.Blocks
	for i, b := range order {
		c.start[b.Index] = int32(len(c.f.code))
		var next *ssa.BasicBlock
		if i+1 < len(order) {
			next = order[i+1]
		}
		c.block(b, next)
	}
	if r := c.fn.Recover; r != nil {
		c.f.recoverPC = c.start[r.Index]
	}
	for _, f := range c.fix {
		c.f.code[f.pc].a = c.start[f.block]
	}
	c.f.regs = c.regs
	c.f.constOff = c.alloc(int32(len(c.f.consts)) * 8)
	c.f.frame = c.size
	for i := range c.f.code {
		in := &c.f.code[i]
		in.a, in.b, in.c = c.place(in.a), c.place(in.b), c.place(in.c)
	}
	for _, p := range c.refs {
		*p = c.place(*p)
	}
}

// constTag marks frame offsets in the constants until their place is known.
const constTag = 1 << 27

func (c *compiler) place(x int32) int32 {
	if x >= outTag {
		return x - outTag + c.f.frame
	}
	if x >= constTag {
		return x - constTag + c.f.constOff
	}
	return x
}

// ref returns an offset for a closure to keep; it is final when compilation ends.
func (c *compiler) ref(x int32) *int32 {
	p := new(int32)
	*p = x
	c.refs = append(c.refs, p)
	return p
}

func (c *compiler) emit(in instr) int {
	c.f.code = append(c.f.code, in)
	c.f.sites = append(c.f.sites, c.site)
	return len(c.f.code) - 1
}

// lacks emits an instruction that ends the execution as unsupported.
func (c *compiler) lacks(what string) {
	c.closure(0, 0, 0, func(m *Machine, g *G, _ unsafe.Pointer, _ *instr) status { return m.lacks(g, what) })
}

// closure emits a closure op with operands a, b and d.
func (c *compiler) closure(a, b, d int32, f closureOp) {
	c.emit(instr{op: opClosure, a: a, b: b, c: d, k: uint64(len(c.f.closures))})
	c.f.closures = append(c.f.closures, f)
}

// reserve gives the value of in a register, or decides that it needs none.
func (c *compiler) reserve(in ssa.Instruction) {
	v, ok := in.(ssa.Value)
	if !ok {
		return
	}
	switch v := v.(type) {
	case *ssa.Alloc:
		l := c.m.layouts.Of(v.Type().Underlying().(*types.Pointer).Elem())
		if !v.Heap && l.Size <= 4096 && onlyLocal(v) {
			c.local[v] = c.alloc(int32(l.Words()) * 8)
			return
		}
	case *ssa.FieldAddr:
		if _, ok := c.frameLoc(v); ok {
			return
		}
		if onlyAccessed(v) {
			c.lazy[v] = true
			return
		}
	case *ssa.IndexAddr:
		if _, ok := c.frameLoc(v); ok {
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
	c.regs[v] = c.alloc(c.words(v))
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
			k, ok := r.Index.(*ssa.Const)
			if r.X != v || !ok {
				return false
			}
			arr, ok := r.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
			if i, exact := constant.Int64Val(constant.ToInt(k.Value)); !ok || !exact || i < 0 || i >= arr.Len() {
				return false
			}
			if !onlyLocal(r) {
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

// fusable reports whether an element's address has one use, a load or store
// in the same block, that an instruction of ours does in one step.
func (c *compiler) fusable(v *ssa.IndexAddr) bool {
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
	l := c.m.layouts.Of(v.Type().Underlying().(*types.Pointer).Elem())
	switch r := use.(type) {
	case *ssa.UnOp:
		return l.Size == 8 && l.Class >= layout.Int8 || l.Class == layout.Uint8
	case *ssa.Store:
		return r.Val != ssa.Value(v) && (l.Size == 8 && l.Class >= layout.Int8 && l.Ptrs == nil || l.Class == layout.Uint8 || l.Class == layout.Int8)
	}
	return false
}

// frameLoc returns the frame offset of an address inside a local kept in the frame.
func (c *compiler) frameLoc(v ssa.Value) (int32, bool) {
	switch v := v.(type) {
	case *ssa.Alloc:
		at, ok := c.local[v]
		return at, ok
	case *ssa.FieldAddr:
		base, ok := c.frameLoc(v.X)
		if !ok {
			return 0, false
		}
		st := c.m.layouts.Of(v.X.Type().Underlying().(*types.Pointer).Elem())
		return base + int32(st.Offs[v.Field]), true
	case *ssa.IndexAddr:
		base, ok := c.frameLoc(v.X)
		if !ok {
			return 0, false
		}
		i, _ := constant.Int64Val(constant.ToInt(v.Index.(*ssa.Const).Value))
		el := c.m.layouts.Of(v.Type().Underlying().(*types.Pointer).Elem())
		return base + int32(uint64(i)*el.Size), true
	}
	return 0, false
}

// reg returns the frame offset of an operand.
func (c *compiler) reg(v ssa.Value) int32 {
	switch v := v.(type) {
	case *ssa.Const:
		return c.constant(v)
	case *ssa.Global:
		return c.word(c.m.globalAddr(v))
	case *ssa.Function:
		return c.word(c.m.funcValue(c.m.Func(v)))
	case *ssa.ChangeType:
		return c.reg(v.X)
	case *ssa.Extract:
		return c.reg(v.Tuple) + int32(c.m.layouts.Of(v.Tuple.Type()).Offs[v.Index])
	case *ssa.FieldAddr:
		if c.lazy[v] {
			panic(fmt.Sprintf("machine: address %s of %s has no register", v, c.fn))
		}
	}
	r, ok := c.regs[v]
	if !ok {
		panic(fmt.Sprintf("machine: %s = %s (%T) of %s has no register", v.Name(), v, v, c.fn))
	}
	return r
}

// word returns the place of a one-word constant.
func (c *compiler) word(w uint64) int32 { return c.pool(w) }

func (c *compiler) pool(ws ...uint64) int32 {
	key := string(unsafe.Slice((*byte)(unsafe.Pointer(&ws[0])), len(ws)*8))
	if at, ok := c.consts[key]; ok {
		return at
	}
	at := int32(len(c.f.consts))*8 + constTag
	c.f.consts = append(c.f.consts, ws...)
	c.consts[key] = at
	return at
}

func (c *compiler) constant(v *ssa.Const) int32 {
	l := c.layout(v)
	if v.Value == nil { // nil or a zero value
		n := l.Words()
		if n == 0 {
			n = 1
		}
		return c.pool(make([]uint64, n)...)
	}
	return c.pool(c.m.constWords(v)...)
}

// constWords returns the register words of a constant.
func (m *Machine) constWords(v *ssa.Const) []uint64 {
	b, ok := v.Type().Underlying().(*types.Basic)
	if !ok { // a type parameter's core type, instantiated away
		panic(fmt.Sprintf("machine: constant %s of type %s", v, v.Type()))
	}
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		if constant.BoolVal(v.Value) {
			return []uint64{1}
		}
		return []uint64{0}
	case info&types.IsString != 0:
		var s string
		if v.Value.Kind() == constant.Int { // string(rune(len(a))) of an array a that is evaluated
			i, _ := constant.Int64Val(v.Value)
			s = string(rune(i))
		} else {
			s = constant.StringVal(v.Value)
		}
		p, n := m.staticString(s)
		return []uint64{p, n}
	case info&types.IsInteger != 0:
		x := constant.ToInt(v.Value)
		if i, ok := constant.Int64Val(x); ok {
			return []uint64{m.canon(m.layouts.Of(b).Class, uint64(i))}
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

// canon brings the low bits of x into the form registers hold for a class.
func (m *Machine) canon(cl layout.Class, x uint64) uint64 {
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

// move copies n bytes (a multiple of 8) between registers.
func (c *compiler) move(dst, src, n int32) {
	if dst == src {
		return
	}
	switch n {
	case 0:
	case 8:
		c.emit(instr{op: opMov, a: dst, b: src})
	case 16:
		c.emit(instr{op: opMov2, a: dst, b: src})
	case 24:
		c.emit(instr{op: opMov3, a: dst, b: src})
	default:
		c.emit(instr{op: opMovN, a: dst, b: src, k: uint64(n)})
	}
}
