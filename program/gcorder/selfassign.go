package gcorder

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// removeSelfAssignments removes stores of variables into themselves, with the reads that they need: `return x` in a
// function whose result is named x, and `x = x`. cmd/compile leaves both out (walk/assign.go, ascompatee, "Do not
// generate 'x = x' during return"; ssagen, OAS). So no goroutine that shares x sees a write. In a parallel assignment
// such a variable may be copied, and is left alone.
func removeSelfAssignments(fn *ssa.Function, info *types.Info) {
	var tree *stmtTree
	for _, b := range fn.Blocks {
		gone := map[ssa.Instruction]bool{}
		for _, instr := range b.Instrs {
			s, ok := instr.(*ssa.Store)
			if !ok {
				continue
			}
			load, ok := s.Val.(*ssa.UnOp)
			if !ok || load.X != s.Addr || !wholeVariable(s.Addr) || load.Block() != b {
				continue
			}
			if tree == nil {
				if tree = treeOf(fn, info); tree == nil {
					return
				}
			}
			if !tree.assignsOne(s, load) {
				continue
			}
			gone[s] = true
			if !used(load, s) {
				gone[load] = true
				for _, r := range *load.Referrers() {
					gone[r] = true
				}
			}
		}
		drop(b, gone)
	}
}

// drop takes instructions out of a block.
func drop(b *ssa.BasicBlock, gone map[ssa.Instruction]bool) {
	if len(gone) == 0 {
		return
	}
	remove := func(is []ssa.Instruction) []ssa.Instruction {
		return slices.DeleteFunc(is, func(i ssa.Instruction) bool { return gone[i] })
	}
	for instr := range gone {
		for _, op := range instr.Operands(nil) {
			if *op != nil && (*op).Referrers() != nil {
				refs := (*op).Referrers()
				*refs = remove(*refs)
			}
		}
	}
	b.Instrs = remove(b.Instrs)
}

// used reports whether a load has a use besides one.
func used(load *ssa.UnOp, besides ssa.Instruction) bool {
	return slices.ContainsFunc(*load.Referrers(), func(r ssa.Instruction) bool {
		_, debug := r.(*ssa.DebugRef)
		return r != besides && !debug
	})
}

// wholeVariable reports whether addr is the address of a whole variable.
func wholeVariable(addr ssa.Value) bool {
	switch addr.(type) {
	case *ssa.Alloc, *ssa.FreeVar, *ssa.Global:
		return true
	}
	return false
}

// assignsOne reports whether a store belongs to a return statement, or to an assignment to one variable, and the same
// statement loaded what it stores. (In v := x; x = 0; x = v another statement loaded it.)
func (t *stmtTree) assignsOne(s *ssa.Store, load *ssa.UnOp) bool {
	i := t.at(s.Pos())
	if i == noStmt || t.at(load.Pos()) != i {
		return false
	}
	switch n := t.nodes[i].node.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.AssignStmt:
		return len(n.Lhs) == 1
	}
	return false
}
