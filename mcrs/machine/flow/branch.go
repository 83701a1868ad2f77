package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/trace"
	"golang.org/x/tools/go/ssa"
)

// This file defines the operations of branches, and of the blocks where their ways meet again: rules FLOW2 and FLOW4.

// branches says how far a function's branches reach.
type branches struct {
	meet    []int               // see Regions
	acts    []bool              // by block that ends in an If: whether beside the branch something may happen (FLOW2)
	leaving map[int][]ssa.Value // by block where ways meet: values computed on them and used behind, phis there aside
}

func newBranches(fn *ssa.Function, meet []int) *branches {
	br := &branches{meet: meet, acts: make([]bool, len(fn.Blocks)), leaving: make(map[int][]ssa.Value)}
	acts := make([]bool, len(fn.Blocks))
	for i, b := range fn.Blocks {
		acts[i] = slices.ContainsFunc(b.Instrs, mayAct)
	}
	for i, b := range fn.Blocks {
		if len(b.Succs) < 2 {
			continue
		}
		region := br.region(b)
		for j, in := range region {
			br.acts[i] = br.acts[i] || in && acts[j]
		}
		if to := meet[i]; to >= 0 {
			for j, in := range region {
				if in {
					br.leaving[to] = appendLeaving(br.leaving[to], fn.Blocks[j], region, fn.Blocks[to])
				}
			}
		}
	}
	return br
}

// region returns the blocks on the ways from a branch to where they meet.
func (br *branches) region(b *ssa.BasicBlock) []bool {
	in := make([]bool, len(br.meet))
	work := slices.Clone(b.Succs)
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if x.Index != br.meet[b.Index] && !in[x.Index] {
			in[x.Index] = true
			work = append(work, x.Succs...)
		}
	}
	return in
}

// appendLeaving appends the values of b that are used outside the region.
func appendLeaving(vs []ssa.Value, b *ssa.BasicBlock, region []bool, meet *ssa.BasicBlock) []ssa.Value {
	for _, in := range b.Instrs {
		v, ok := in.(ssa.Value)
		if !ok || v.Referrers() == nil || slices.Contains(vs, v) {
			continue
		}
		for _, r := range *v.Referrers() {
			_, isPhi := r.(*ssa.Phi)
			if !region[r.Block().Index] && !(isPhi && r.Block() == meet) {
				vs = append(vs, v)
				break
			}
		}
	}
	return vs
}

// mayAct reports whether an instruction may touch memory that others see, be seen by them otherwise, allocate, call or
// panic.
func mayAct(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Phi, *ssa.If, *ssa.Jump, *ssa.Return, *ssa.DebugRef, *ssa.Field, *ssa.Extract, *ssa.ChangeType, *ssa.ChangeInterface:
		return false
	case *ssa.TypeAssert:
		return !in.CommaOk
	case *ssa.Convert:
		return isText(in.X.Type()) || isText(in.Type())
	case *ssa.UnOp:
		return in.Op == token.MUL || in.Op == token.ARROW
	case *ssa.BinOp:
		_, isBasic := in.X.Type().Underlying().(*types.Basic)
		_, isPointer := in.X.Type().Underlying().(*types.Pointer)
		switch in.Op {
		case token.QUO, token.REM, token.SHL, token.SHR:
			k, ok := in.Y.(*ssa.Const)
			return !ok || k.Value == nil || constant.Sign(constant.ToInt(k.Value)) <= 0
		case token.ADD:
			return isString(in.X.Type())
		}
		return !isBasic && !isPointer
	case *ssa.Call:
		b, ok := in.Call.Value.(*ssa.Builtin)
		if !ok {
			return true
		}
		switch b.Name() {
		case "min", "max", "complex", "real", "imag":
			return false
		case "len", "cap":
			switch in.Call.Args[0].Type().Underlying().(type) {
			case *types.Map, *types.Chan:
				return true
			}
			return false
		}
	}
	return true
}

func isText(t types.Type) bool {
	_, isSlice := t.Underlying().(*types.Slice)
	return isSlice || isString(t)
}

func (c *Follower) follows() bool { return c.branches != nil }

// Branch implements code.Follower.
func (c *Follower) Branch(in *ssa.If) {
	if !c.follows() {
		return
	}
	from := c.spans(in.Cond)
	if len(from) == 0 {
		return
	}
	until, acts := c.branches.meet[in.Block().Index], c.branches.acts[in.Block().Index]
	c.flow(func(r *Run, g *Goroutine, _ unsafe.Pointer) {
		fr, s := g.flowFrame()
		on := sumOf(r, s, from)
		if on == 0 {
			return
		}
		if acts {
			g.path = r.union(g.path, on)
		}
		if n := len(fr.open); n > 0 && fr.open[n-1].until == until {
			fr.open[n-1].on = r.union(fr.open[n-1].on, on)
			return
		}
		fr.open = append(fr.open, openBranch{until, on})
	})
}

// Join implements code.Follower: where the ways from branches meet.
func (c *Follower) Join(b *ssa.BasicBlock) {
	if !c.follows() || !slices.Contains(c.branches.meet, b.Index) {
		return
	}
	leaving := c.spans(c.branches.leaving[b.Index]...)
	c.flow(func(r *Run, g *Goroutine, _ unsafe.Pointer) {
		fr, s := g.flowFrame()
		for n := len(fr.open) - 1; n >= 0 && fr.open[n].until == b.Index; n-- {
			for _, sp := range leaving {
				for i := sp.at / 8; i < (sp.at+sp.n+7)/8; i++ {
					s[i] = r.union(s[i], fr.open[n].on)
				}
			}
			fr.open = fr.open[:n]
		}
	})
}

// Phis implements code.Follower.
func (c *Follower) Phis(succ *ssa.BasicBlock, edge int) {
	if !c.follows() || !code.HasPhis(succ) {
		return
	}
	type move struct {
		to, from []span
	}
	var moves []move
	words := 0
	for _, in := range succ.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			continue
		}
		to, from := c.spans(phi), c.spans(phi.Edges[edge])
		if _, ok := c.FrameLoc(phi); ok {
			to, from = c.kept(phi), c.kept(phi.Edges[edge])
		}
		if len(to) == 1 && to[0].n > 0 {
			moves = append(moves, move{to, from})
			words += int(to[0].n) / 8
		}
	}
	c.flow(func(r *Run, g *Goroutine, _ unsafe.Pointer) {
		fr, s := g.flowFrame()
		open := r.opened(fr)
		sets := make([]trace.Set, 0, words)
		for _, mv := range moves {
			for i := range mv.to[0].n / 8 {
				on := open
				if len(mv.from) == 1 && mv.from[0].n == mv.to[0].n {
					on = r.union(on, s[mv.from[0].at/8+i])
				} else {
					on = r.union(on, sumOf(r, s, mv.from))
				}
				sets = append(sets, on)
			}
		}
		for _, mv := range moves {
			copy(s[mv.to[0].at/8:][:mv.to[0].n/8], sets)
			sets = sets[mv.to[0].n/8:]
		}
	})
}
