package code

import (
	"go/token"
	"go/types"

	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"golang.org/x/tools/go/ssa"
)

// This file defines the compilation of blocks: jumps, conditions, phis.

func (c *Compiler) jump(in Instr, to *ssa.BasicBlock) {
	pc := c.Emit(in)
	c.fix = append(c.fix, fixup{pc, to.Index})
}

func (c *Compiler) block(b, next *ssa.BasicBlock) {
	c.early = false
	c.host.Join(b)
	first := -1
	if c.defersLate() {
		first = firstResult(b)
	}
	for i, in := range b.Instrs {
		if i == first {
			c.Stand(in)
			c.Emit(Instr{Op: OpRunDefers})
			c.early = true
		}
		switch in := in.(type) {
		case *ssa.Phi, *ssa.DebugRef:
			continue
		case *ssa.If:
			c.Stand(in)
			c.branch(b, in, next)
		case *ssa.Jump:
			c.Stand(in)
			to := b.Succs[0]
			c.phis(b, to)
			switch {
			case to == next:
			case to.Index <= b.Index && c.isTest(to):
				c.test(to, next)
			default:
				c.jump(Instr{Op: OpJmp}, to)
			}
		default:
			c.Stand(in)
			c.host.One(in)
		}
	}
}

// isTest reports whether a block does nothing but decide, as the head of a loop does: then a jump back to it may be
// replaced by a copy of it.
func (c *Compiler) isTest(b *ssa.BasicBlock) bool {
	n := 0
	for _, in := range b.Instrs {
		switch in := in.(type) {
		case *ssa.Phi, *ssa.DebugRef:
		case *ssa.BinOp:
			if n++; n > 3 || !oneStep(c, in) {
				return false
			}
		case *ssa.If:
			return true
		default:
			return false
		}
	}
	return false
}

// oneStep reports whether an operation is arithmetic on words that cannot fail.
func oneStep(c *Compiler, in *ssa.BinOp) bool {
	if in.Op == token.QUO || in.Op == token.REM || in.Op == token.SHL || in.Op == token.SHR {
		return false
	}
	isNumber := func(v ssa.Value) bool {
		b, ok := v.Type().Underlying().(*types.Basic)
		return ok && b.Info()&types.IsNumeric != 0 && c.Words(v) == 8
	}
	return isNumber(in.X) && isNumber(in.Y)
}

// test compiles a copy of a block for which isTest holds; the phis have been assigned.
func (c *Compiler) test(b, next *ssa.BasicBlock) {
	c.host.Join(b)
	for _, in := range b.Instrs {
		switch in := in.(type) {
		case *ssa.BinOp:
			c.Stand(in)
			c.host.One(in)
		case *ssa.If:
			c.Stand(in)
			c.branch(b, in, next)
		}
	}
}

// branch compiles an If: a conditional jump to the first successor's moves, then the second's.
func (c *Compiler) branch(b *ssa.BasicBlock, in *ssa.If, next *ssa.BasicBlock) {
	yes, no := b.Succs[0], b.Succs[1]
	c.host.Branch(in)
	cond := c.condition(in.Cond)
	if !HasPhis(yes) {
		c.jump(cond, yes)
		c.phis(b, no)
		if no != next {
			c.jump(Instr{Op: OpJmp}, no)
		}
		return
	}
	pc := c.Emit(cond)
	c.phis(b, no)
	c.jump(Instr{Op: OpJmp}, no)
	c.f.Instrs[pc].A = int32(len(c.f.Instrs))
	c.phis(b, yes)
	if yes != next {
		c.jump(Instr{Op: OpJmp}, yes)
	}
}

// HasPhis reports whether a block begins with phis.
func HasPhis(b *ssa.BasicBlock) bool {
	for _, in := range b.Instrs {
		switch in.(type) {
		case *ssa.Phi:
			return true
		case *ssa.DebugRef:
			continue
		}
		return false
	}
	return false
}

// condition returns the jump that is taken when cond holds.
func (c *Compiler) condition(cond ssa.Value) Instr {
	v, ok := cond.(*ssa.BinOp)
	if !ok || !c.fused[v] {
		return Instr{Op: OpJT, B: c.Reg(cond)}
	}
	x, y, o := v.X, v.Y, v.Op
	signed := IsSigned(c.Layout(x).Class)
	if k, ok := y.(*ssa.Const); ok && (signed || o == token.EQL || o == token.NEQ) {
		imm := uint64(0)
		if k.Value != nil {
			imm = ConstWords(c.layouts, k)[0]
		}
		ops := map[token.Token]Op{token.EQL: OpJEqI, token.NEQ: OpJNeI, token.LSS: OpJLtSI, token.LEQ: OpJLeSI, token.GTR: OpJGtSI, token.GEQ: OpJGeSI}
		return Instr{Op: ops[o], B: c.Reg(x), K: imm}
	}
	if o == token.GTR || o == token.GEQ {
		x, y = y, x
	}
	in := Instr{B: c.Reg(x), C: c.Reg(y)}
	switch o {
	case token.EQL:
		in.Op = OpJEq
	case token.NEQ:
		in.Op = OpJNe
	case token.LSS, token.GTR:
		in.Op = OpJLtU
		if signed {
			in.Op = OpJLtS
		}
	default:
		in.Op = OpJLeU
		if signed {
			in.Op = OpJLeS
		}
	}
	return in
}

// IsSigned reports whether registers of a class hold signed integers.
func IsSigned(cl layout.Class) bool { return cl >= layout.Int8 && cl <= layout.Int64 }

// phis emits the moves of the edge from b to succ, as one parallel assignment.
func (c *Compiler) phis(b, succ *ssa.BasicBlock) {
	edge := -1
	for i, p := range succ.Preds {
		if p == b {
			edge = i
			break
		}
	}
	c.host.Phis(succ, edge)
	type mv struct{ dst, src, n int32 }
	var todo []mv
	for _, in := range succ.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			if _, ok := in.(*ssa.DebugRef); ok {
				continue
			}
			break
		}
		dst, n := c.Place(phi)
		src, _ := c.Place(phi.Edges[edge])
		if dst != src && n > 0 {
			todo = append(todo, mv{dst, src, n})
		}
	}
	overlaps := func(a, an, b, bn int32) bool { return a < b+bn && b < a+an }
	for len(todo) > 0 {
		progress := false
		for i := 0; i < len(todo); i++ {
			free := true
			for j := range todo {
				if j != i && overlaps(todo[i].dst, todo[i].n, todo[j].src, todo[j].n) {
					free = false
					break
				}
			}
			if free {
				c.Move(todo[i].dst, todo[i].src, todo[i].n)
				todo = append(todo[:i], todo[i+1:]...)
				progress = true
				i--
			}
		}
		if !progress { // a cycle: save one source
			t := c.Alloc(todo[0].n)
			c.Move(t, todo[0].src, todo[0].n)
			todo[0].src = t
		}
	}
}

// coalesce finds values that can be computed in the register of the phi that they flow into, so that the edge needs no
// move. The counter of a loop is the most common one. There are two cases.
//
//   - The value is computed in the block before the edge, is used there and by the edge alone, and the phi is not used
//     between the computation and the edge.
//   - The value is computed in the phi's own block, and the phi is used for nothing else. Whenever that block is
//     entered again, the old value is wanted by its phis alone.
func (c *Compiler) coalesce() map[ssa.Value]*ssa.Phi {
	shared := map[ssa.Value]*ssa.Phi{}
	for _, b := range c.fn.Blocks {
		for _, in := range b.Instrs {
			phi, ok := in.(*ssa.Phi)
			if !ok {
				if _, ok := in.(*ssa.DebugRef); ok {
					continue
				}
				break
			}
			own := false
			for _, e := range phi.Edges {
				if v, ok := e.(*ssa.BinOp); ok && !own && shared[v] == nil && v.Block() == b && oneStep(c, v) && usedOnlyBy(phi, v) && !usedAsAnotherType(v) {
					shared[v], own = phi, true
				}
			}
			for i, e := range phi.Edges {
				if v, ok := e.(*ssa.BinOp); ok && !own && shared[v] == nil && v.Block() == b.Preds[i] && v.Block() != b && oneStep(c, v) && endsIn(v, phi) {
					shared[v] = phi
				}
			}
		}
	}
	return shared
}

func usedOnlyBy(phi *ssa.Phi, v *ssa.BinOp) bool {
	for _, r := range *phi.Referrers() {
		if _, ok := r.(*ssa.DebugRef); !ok && r != ssa.Instruction(v) {
			return false
		}
	}
	return true
}

// usedAsAnotherType reports whether v's register has a second name.
func usedAsAnotherType(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		if _, ok := r.(*ssa.ChangeType); ok {
			return true
		}
	}
	return false
}

// endsIn is the first case of coalesce.
func endsIn(v *ssa.BinOp, phi *ssa.Phi) bool {
	b := v.Block()
	if len(b.Succs) != 1 || usedAsAnotherType(v) || usedAsAnotherType(phi) {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r.(type) {
		case *ssa.DebugRef:
		case *ssa.Phi:
			if r.Block() != b.Succs[0] {
				return false
			}
		default:
			if r.Block() != b {
				return false
			}
		}
	}
	for i, p := range phi.Block().Preds { // another phi takes the value also when it comes from elsewhere
		for _, in := range phi.Block().Instrs {
			q, ok := in.(*ssa.Phi)
			if !ok {
				continue
			}
			if p != b && q.Edges[i] == ssa.Value(v) || p == b && q.Edges[i] == ssa.Value(phi) {
				return false
			}
		}
	}
	after := false
	for _, in := range b.Instrs {
		if in == ssa.Instruction(v) {
			after = true
			continue
		}
		if !after {
			continue
		}
		if _, ok := in.(*ssa.DebugRef); ok {
			continue
		}
		var ops [8]*ssa.Value
		for _, op := range in.Operands(ops[:0]) {
			if *op == ssa.Value(phi) {
				return false
			}
			if a, ok := (*op).(*ssa.IndexAddr); ok && a.Index == ssa.Value(phi) { // the address may be computed only here
				return false
			}
		}
	}
	return true
}
