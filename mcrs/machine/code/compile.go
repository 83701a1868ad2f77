package code

import (
	"go/types"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"golang.org/x/tools/go/ssa"
)

// This file defines the compiler from SSA to register code.

// A Compiler compiles one function.
type Compiler struct {
	Registers
	start []int32 // pc of each block
	fix   []fixup
	site  event.Site
	late  *bool // see defersLate
	early bool  // the deferred calls of the return that comes have been run
}

type fixup struct {
	pc    int
	block int
}

// New returns a compiler of fn, which has a body, into f, which has a signature (see [Code.Sign]).
func New(h Host, ls *layout.Layouts, fn *ssa.Function, f *Code) *Compiler {
	return &Compiler{Registers: Registers{
		host: h, layouts: ls, f: f, fn: fn,
		regs: map[ssa.Value]int32{}, local: map[ssa.Value]int32{}, consts: map[string]int32{}, named: map[any]int32{},
		lazy: map[ssa.Value]bool{}, fused: map[ssa.Value]bool{},
		size: f.Ctx + 8,
	}}
}

// NewPlain returns a compiler into f of a function that is not in SSA form. The caller emits its instructions, and then
// calls [Compiler.Finish].
func NewPlain(h Host, ls *layout.Layouts, f *Code) *Compiler {
	return &Compiler{Registers: Registers{host: h, layouts: ls, f: f, consts: map[string]int32{}, named: map[any]int32{}, size: f.Ctx + 8}}
}

// Compile compiles the function. It returns false if that needs too large a frame.
func (c *Compiler) Compile() (ok bool) {
	defer func() {
		if e := recover(); e != nil {
			if _, large := e.(largeFrame); !large {
				panic(e)
			}
			ok = false
		}
	}()
	c.run()
	return true
}

// Sign lays out the parameters and results of fn.
func (f *Code) Sign(ls *layout.Layouts, fn *ssa.Function) {
	off := int32(0)
	for _, p := range fn.Params {
		off += int32(ls.Of(p.Type()).Words()) * 8
	}
	if fn.Params == nil && fn.Signature != nil { // a function without a body may have no Params
		off = paramBytes(ls, fn.Signature)
	}
	f.Params = off
	f.Results = int32(ls.Of(fn.Signature.Results()).Size)
	f.Ctx = off + f.Results
}

func paramBytes(ls *layout.Layouts, sig *types.Signature) int32 {
	n := int32(ls.Of(sig.Params()).Size)
	if r := sig.Recv(); r != nil {
		n += int32(ls.Of(r.Type()).Words()) * 8
	}
	return n
}

func (c *Compiler) run() {
	off := int32(0)
	for _, p := range c.fn.Params {
		c.regs[p] = off
		off += c.Words(p)
	}
	if len(c.fn.FreeVars) > 0 {
		at := uint64(8)
		for _, fv := range c.fn.FreeVars {
			value := keepsValue(c.layouts, fv)
			c.f.Free = append(c.f.Free, Capture{at, value})
			if value {
				c.keep(fv)
			} else {
				c.regs[fv] = c.Alloc(c.Words(fv))
			}
			r, n := c.Place(fv)
			switch n {
			case 0:
			case 8:
				c.Emit(Instr{Op: OpCtx1, A: r, K: at})
			default:
				c.Emit(Instr{Op: OpCtx, A: r, B: int32(at), K: uint64(n)})
			}
			at += uint64(n)
		}
	}
	c.host.Start()
	shared := c.coalesce()
	size := 0 // of the code, about: what grows step by step costs more than it holds
	for _, b := range c.fn.Blocks {
		for _, in := range b.Instrs {
			if _, refers := in.(*ssa.DebugRef); refers {
				continue
			}
			size++
			if v, ok := in.(ssa.Value); !ok || shared[v] == nil {
				c.reserve(in)
			}
		}
	}
	for v, phi := range shared {
		c.regs[v] = c.regs[phi]
	}
	c.f.Instrs, c.f.Sites, c.f.Places = slices.Grow(c.f.Instrs, size), slices.Grow(c.f.Sites, size), slices.Grow(c.f.Places, size)
	c.start = make([]int32, len(c.fn.Blocks))
	order := c.fn.Blocks
	for i, b := range order {
		c.start[b.Index] = int32(len(c.f.Instrs))
		var next *ssa.BasicBlock
		if i+1 < len(order) {
			next = order[i+1]
		}
		c.block(b, next)
	}
	if r := c.fn.Recover; r != nil {
		c.f.RecoverPC = c.start[r.Index]
	}
	for _, f := range c.fix {
		c.f.Instrs[f.pc].A = c.start[f.block]
	}
	c.f.Regs = c.regs
	c.Finish()
}

// Finish fixes the places of constants and of outgoing arguments: the frame's size is known now.
func (c *Compiler) Finish() {
	c.f.ConstOff = c.Alloc(int32(len(c.f.Consts)) * 8)
	c.f.Frame = c.size
	for i := range c.f.Instrs {
		in := &c.f.Instrs[i]
		in.A, in.B, in.C = c.place(in.A), c.place(in.B), c.place(in.C)
	}
	for _, p := range c.refs {
		*p = c.place(*p)
	}
}

// Stand begins the code of an instruction of the source.
func (c *Compiler) Stand(in ssa.Instruction) {
	c.f.Places = append(c.f.Places, in)
	c.site = event.Site(len(c.f.Places))
}

// Emit appends an instruction and returns its pc.
func (c *Compiler) Emit(in Instr) int {
	c.f.Instrs = append(c.f.Instrs, in)
	c.f.Sites = append(c.f.Sites, c.site)
	return len(c.f.Instrs) - 1
}

// pure emits an instruction that only computes, with operands a, b and d.
func (c *Compiler) pure(a, b, d int32, f PureOp) {
	c.Emit(Instr{Op: OpPure, A: a, B: b, C: d, K: uint64(len(c.f.Pure))})
	c.f.Pure = append(c.f.Pure, f)
}

// Move copies n bytes (a multiple of 8) between registers.
func (c *Compiler) Move(dst, src, n int32) {
	if dst == src {
		return
	}
	switch n {
	case 0:
	case 8:
		c.Emit(Instr{Op: OpMov, A: dst, B: src})
	case 16:
		c.Emit(Instr{Op: OpMov2, A: dst, B: src})
	case 24:
		c.Emit(Instr{Op: OpMov3, A: dst, B: src})
	default:
		c.Emit(Instr{Op: OpMovN, A: dst, B: src, K: uint64(n)})
	}
}
