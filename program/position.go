package program

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/program/gcorder"
)

// This file gives every instruction a position. Many have none in go/ssa: loads of variables, jumps, conversions to
// interfaces, what a range statement does in each round.

// Pos returns a position for instr: its own, or the first that it finds of these: an expression that it computes, an
// operand, the instruction nearest to it in its block or in the blocks that lead there, its function. It is the zero
// Position only for synthetic functions without source.
func (p *Program) Pos(instr ssa.Instruction) token.Position {
	return p.Fset.Position(InstrPos(instr))
}

// InstrPos is Pos as a token.Pos.
func InstrPos(instr ssa.Instruction) token.Pos {
	if pos := directPos(instr); pos.IsValid() {
		return pos
	}
	if pos := endPos(instr); pos.IsValid() {
		return pos
	}
	if pos := operandPos(instr, 2); pos.IsValid() {
		return pos
	}
	if pos := nearPos(instr); pos.IsValid() {
		return pos
	}
	return funcPos(instr.Parent())
}

// endPos returns the closing brace of the function for the return that the source does not spell out.
func endPos(instr ssa.Instruction) token.Pos {
	switch instr := instr.(type) {
	case *ssa.Return:
	case *ssa.RunDefers:
		instrs := instr.Block().Instrs
		if ret, ok := instrs[len(instrs)-1].(*ssa.Return); !ok || ret.Pos().IsValid() {
			return token.NoPos
		}
	default:
		return token.NoPos
	}
	switch s := instr.Parent().Syntax().(type) {
	case *ast.FuncDecl:
		return s.Body.Rbrace
	case *ast.FuncLit:
		return s.Body.Rbrace
	case *ast.RangeStmt:
		return s.Body.Rbrace
	}
	return token.NoPos
}

// directPos returns the position of the instruction, or of the expression that a DebugRef behind it says it computes.
func directPos(instr ssa.Instruction) token.Pos {
	if pos := gcorder.OwnPos(instr); pos.IsValid() {
		return pos
	}
	v, ok := instr.(ssa.Value)
	if !ok {
		return token.NoPos
	}
	if refs := v.Referrers(); refs != nil {
		// The first one is of the expression itself; later ones may be of variables that hold the value.
		for _, ref := range *refs {
			if d, ok := ref.(*ssa.DebugRef); ok && d.X == v && d.Block() == instr.Block() {
				return d.Expr.Pos()
			}
		}
	}
	if a, ok := instr.(*ssa.Alloc); ok {
		return a.Pos()
	}
	return token.NoPos
}

// operandPos returns the position of an operand that is computed in the same block, looking depth levels down.
func operandPos(instr ssa.Instruction, depth int) token.Pos {
	var buf [8]*ssa.Value
	ops := instr.Operands(buf[:0])
	// An operand of an earlier statement says little. Take the last one, which is the value of a store, or the key of
	// an index.
	for i := len(ops) - 1; i >= 0; i-- {
		def, ok := (*ops[i]).(ssa.Instruction)
		if !ok || def.Block() != instr.Block() || isAlloc(def) {
			continue
		}
		if pos := directPos(def); pos.IsValid() {
			return pos
		}
		if depth > 0 {
			if pos := operandPos(def, depth-1); pos.IsValid() {
				return pos
			}
		}
	}
	return token.NoPos
}

func isAlloc(instr ssa.Instruction) bool {
	_, ok := instr.(*ssa.Alloc)
	return ok
}

// nearPos returns the position of the nearest instruction in the block, behind instr first unless instr ends the
// block; then of the end of the block's only way in, and so on up.
func nearPos(instr ssa.Instruction) token.Pos {
	b := instr.Block()
	if b == nil {
		return token.NoPos
	}
	at := -1
	for i, x := range b.Instrs {
		if x == instr {
			at = i
		}
	}
	for d := 1; d < len(b.Instrs); d++ {
		for _, i := range [2]int{at + d, at - d} {
			if 0 <= i && i < len(b.Instrs) && !isAlloc(b.Instrs[i]) {
				if pos := directPos(b.Instrs[i]); pos.IsValid() {
					return pos
				}
			}
		}
	}
	seen := map[*ssa.BasicBlock]bool{b: true}
	for dom := b.Idom(); dom != nil && !seen[dom]; dom = dom.Idom() {
		seen[dom] = true
		for i := len(dom.Instrs) - 1; i >= 0; i-- {
			if pos := directPos(dom.Instrs[i]); pos.IsValid() && !isAlloc(dom.Instrs[i]) {
				return pos
			}
		}
	}
	for _, s := range b.Succs {
		for _, x := range s.Instrs {
			if pos := directPos(x); pos.IsValid() && !isAlloc(x) {
				return pos
			}
		}
	}
	return token.NoPos
}

// funcPos returns the position of a function, or of what it was made for.
func funcPos(fn *ssa.Function) token.Pos {
	for ; fn != nil; fn = fn.Parent() {
		if fn.Pos().IsValid() {
			return fn.Pos()
		}
		if s := fn.Syntax(); s != nil {
			return s.Pos()
		}
		if o := fn.Origin(); o != nil && o.Pos().IsValid() {
			return o.Pos()
		}
		if obj := fn.Object(); obj != nil && obj.Pos().IsValid() {
			return obj.Pos()
		}
		if recv := fn.Signature.Recv(); recv != nil { // a wrapper of a method of the universe: (error).Error
			t := types.Unalias(recv.Type())
			if ptr, ok := t.(*types.Pointer); ok {
				t = types.Unalias(ptr.Elem())
			}
			if named, ok := t.(*types.Named); ok {
				return named.Obj().Pos()
			}
		}
	}
	return token.NoPos
}
