package gcorder

import (
	"go/ast"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// indexLast returns the instructions of a run. If they compute the index of a string, or of an array that is no
// variable, those come behind the ones that compute the string or array. go/ssa has them the other way round, and
// f()[g()] calls g first.
//
// Both stand together right before the Index instruction. The positions of those that have one tell where they meet. An
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
		if lo == mid || mid == at || uses(instrs[mid:at], instrs[lo:mid]) {
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

// startOf returns where the instructions of e begin, at whose end instrs ends. An instruction without a position
// belongs to what follows it.
func startOf(instrs []ssa.Instruction, e ast.Expr) int {
	for i := len(instrs) - 1; i >= 0; i-- {
		if pos := OwnPos(instrs[i]); pos.IsValid() && (pos < e.Pos() || pos >= e.End()) {
			return i + 1
		}
	}
	return 0
}

// uses reports whether one of instrs uses the result of one of values.
func uses(instrs, values []ssa.Instruction) bool {
	var buf [8]*ssa.Value
	for _, instr := range instrs {
		for _, op := range instr.Operands(buf[:0]) {
			if def, ok := (*op).(ssa.Instruction); ok && slices.Contains(values, def) {
				return true
			}
		}
	}
	return false
}
