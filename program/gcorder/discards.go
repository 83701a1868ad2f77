package gcorder

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// removeDiscarded removes the read of a variable that an assignment to several operands gives to a blank one: y in
// `_, v = y, 1`. cmd/compile leaves it out (deadlocals, "If all LHS vars are blank, treat them as intentional uses").
// Where all operands are blank, and of anything but a plain variable, it reads. So does `_ = y`.
func removeDiscarded(fn *ssa.Function, info *types.Info) {
	var tree *stmtTree
	for _, b := range fn.Blocks {
		gone := map[ssa.Instruction]bool{}
		for _, instr := range b.Instrs {
			load, ok := instr.(*ssa.UnOp)
			if !ok || load.Op != token.MUL || !wholeVariable(load.X) || used(load) {
				continue
			}
			if tree == nil {
				if tree = treeOf(fn, info); tree == nil {
					return
				}
			}
			if !tree.discards(load.Pos()) {
				continue
			}
			gone[load] = true
			for _, r := range *load.Referrers() {
				gone[r] = true
			}
		}
		drop(b, gone)
	}
}

// discards reports whether the expression at pos is a variable that its statement gives to a blank operand, beside one
// that is not blank.
func (t *stmtTree) discards(pos token.Pos) bool {
	i := t.at(pos)
	if i == noStmt {
		return false
	}
	var left, right []ast.Expr
	switch n := t.nodes[i].node.(type) {
	case *ast.AssignStmt:
		left, right = n.Lhs, n.Rhs
	case *ast.ValueSpec:
		for _, id := range n.Names {
			left = append(left, id)
		}
		right = n.Values
	}
	if len(left) != len(right) {
		return false
	}
	given, kept := false, false
	for k, e := range right {
		id, ok := ast.Unparen(e).(*ast.Ident)
		given = given || ok && id.Pos() == pos && isBlank(left[k])
		kept = kept || !isBlank(left[k])
	}
	return given && kept
}
