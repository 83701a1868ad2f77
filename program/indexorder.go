package program

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// indexLast returns the instructions of a run with those that compute the index of a string, or of an array that is no variable, behind those that
// compute the string or array. go/ssa has them the other way round, and f()[g()] calls g first.
//
// Both stand together right before the Index instruction; the positions of what has one tell where they meet. An
// index that spans blocks, which needs && or ||, stays where it is.
func indexLast(instrs []ssa.Instruction) []ssa.Instruction {
	copied := false
	for at := range instrs {
		in, ok := instrs[at].(*ssa.Index)
		if !ok || at+1 == len(instrs) {
			continue
		}
		ref, ok := instrs[at+1].(*ssa.DebugRef)
		if !ok || ref.X != ssa.Value(in) {
			continue
		}
		e, ok := ast.Unparen(ref.Expr).(*ast.IndexExpr)
		if !ok {
			continue
		}
		mid := startOf(instrs[:at], e.X)
		lo := startOf(instrs[:mid], e.Index)
		if lo == mid || mid == at {
			continue
		}
		if !copied {
			instrs, copied = slices.Clone(instrs), true
		}
		index := slices.Clone(instrs[lo:mid])
		copy(instrs[lo:], instrs[mid:at])
		copy(instrs[at-len(index):], index)
	}
	return instrs
}

// startOf returns where the instructions of e begin, at whose end instrs ends.
func startOf(instrs []ssa.Instruction, e ast.Expr) int {
	start := len(instrs)
	for i := len(instrs) - 1; i >= 0; i-- {
		pos := ownPos(instrs[i])
		if a, ok := instrs[i].(*ssa.Alloc); ok && a.Comment == "complit" {
			pos = a.Pos()
		}
		switch {
		case pos == token.NoPos:
			continue // it belongs to what follows it
		case pos < e.Pos() || pos >= e.End():
			return start
		}
		start = i
	}
	return start
}
