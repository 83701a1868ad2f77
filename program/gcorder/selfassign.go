package gcorder

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// removeSelfAssignments removes stores of variables into themselves, with the reads that they need: `return x` in a
// function whose result is named x, `x = x`, `x = x[:]`, and `x = append(x)`. cmd/compile leaves them out
// (walk/assign.go, ascompatee, "Do not generate 'x = x' during return"; ssagen, OAS). So no goroutine that shares x
// sees a write. In a parallel assignment a variable may be copied before another one is assigned to, and is left alone
// unless it is the first.
func removeSelfAssignments(fn *ssa.Function, info *types.Info) {
	var tree *stmtTree
	for _, b := range fn.Blocks {
		gone := map[ssa.Instruction]bool{}
		for _, instr := range b.Instrs {
			s, ok := instr.(*ssa.Store)
			if !ok || !wholeVariable(s.Addr) {
				continue
			}
			same, load := sameValue(s)
			if load == nil || load.X != s.Addr || load.Block() != b {
				continue
			}
			if tree == nil {
				if tree = treeOf(fn, info); tree == nil {
					return
				}
			}
			if !tree.assignsOne(s, load, info) {
				continue
			}
			gone[s] = true
			for _, v := range same {
				if gone[v.(ssa.Instruction)] = !usedBesides(v, gone); !gone[v.(ssa.Instruction)] {
					break
				}
				for _, r := range *v.Referrers() {
					gone[r] = true
				}
			}
		}
		drop(b, gone)
	}
}

// sameValue returns the load whose value a store stores, as it is, as x[:] or x[0:], or as append(x). The values on
// the way are those that the store needs, it first.
func sameValue(s *ssa.Store) (way []ssa.Value, load *ssa.UnOp) {
	v := s.Val
	switch x := v.(type) {
	case *ssa.Slice:
		if x.High == nil && x.Max == nil && (x.Low == nil || isZeroInt(x.Low)) {
			way, v = append(way, x), x.X
		}
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" && isNilConst(x.Call.Args[1]) {
			way, v = append(way, x), x.Call.Args[0]
		}
	}
	if u, ok := v.(*ssa.UnOp); ok && u.Op == token.MUL {
		return append(way, u), u
	}
	return nil, nil
}

func isZeroInt(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && constant.Sign(c.Value) == 0
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

// used reports whether a load has a use.
func used(load *ssa.UnOp) bool { return usedBesides(load, nil) }

// usedBesides reports whether a value has a use that is not to go.
func usedBesides(v ssa.Value, gone map[ssa.Instruction]bool) bool {
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		_, debug := r.(*ssa.DebugRef)
		return !debug && !gone[r]
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

// assignsOne reports whether a store belongs to a return statement, or to an assignment to one variable or to this one
// before others, which assigns the variable that the load reads, or what gc takes for it. (In v := x; x = 0; x = v
// another statement has loaded it.)
func (t *stmtTree) assignsOne(s *ssa.Store, load *ssa.UnOp, info *types.Info) bool {
	i := t.at(s.Pos())
	if i == noStmt || t.at(load.Pos()) != i {
		return false
	}
	switch n := t.nodes[i].node.(type) {
	case *ast.ReturnStmt:
		return slices.ContainsFunc(n.Results, func(e ast.Expr) bool {
			id, _ := converted(e, nil, nil)
			return id != nil && id.Pos() == load.Pos() && s.Val == load
		})
	case *ast.AssignStmt:
		if len(n.Lhs) != len(n.Rhs) {
			return false
		}
		for k, l := range n.Lhs {
			if isBlank(l) {
				continue
			}
			to, ok := ast.Unparen(l).(*ast.Ident)
			from := t.self(n.Rhs[k], len(n.Lhs) == 1, load.Type(), info)
			return ok && to.Pos() == s.Pos() && from != nil && from.Pos() == load.Pos()
		}
	}
	return false
}

// self returns the variable that gc takes e for, which is of type typ. In an assignment of several values it copies
// what a slice expression or append returns.
func (t *stmtTree) self(e ast.Expr, alone bool, typ types.Type, info *types.Info) *ast.Ident {
	switch x := ast.Unparen(e).(type) {
	case *ast.SliceExpr:
		if !alone {
			return nil
		}
		e = x.X
	case *ast.CallExpr:
		if id, ok := ast.Unparen(x.Fun).(*ast.Ident); ok && id.Name == "append" && len(x.Args) == 1 {
			if _, plain := ast.Unparen(x.Args[0]).(*ast.Ident); !alone || !plain {
				return nil
			}
			e = x.Args[0]
		}
	}
	id, ok := converted(e, typ, info)
	if !ok {
		return nil
	}
	return id
}

// converted returns the variable that an expression is, if need be converted to its own type. gc drops such a
// conversion if it has one pointer for both types (walkConv): not where a type literal stands, but for pointers and
// slices. In a return statement it does not ask for that; then typ is nil.
func converted(e ast.Expr, typ types.Type, info *types.Info) (id *ast.Ident, ok bool) {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			return x, true
		case *ast.CallExpr:
			if len(x.Args) != 1 {
				return nil, false
			}
			if typ != nil && info != nil && info.Types != nil {
				if to, known := info.Types[x.Fun]; known && (!to.IsType() || !sameType(to.Type, typ)) {
					return nil, false
				}
			}
			e = x.Args[0]
		default:
			return nil, false
		}
	}
}

// sameType reports whether cmd/compile has one object for two identical types.
func sameType(a, b types.Type) bool {
	switch x := a.(type) {
	case *types.Pointer:
		y, ok := b.(*types.Pointer)
		return ok && sameType(x.Elem(), y.Elem())
	case *types.Slice:
		y, ok := b.(*types.Slice)
		return ok && sameType(x.Elem(), y.Elem())
	case *types.Named:
		return types.Identical(a, b)
	}
	return a == b && !isLiteralType(a)
}

// isLiteralType reports whether a type has no name.
func isLiteralType(t types.Type) bool {
	switch t.(type) {
	case *types.Basic, *types.Named, *types.Alias, *types.TypeParam:
		return false
	}
	return true
}
