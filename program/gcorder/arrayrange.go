package gcorder

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
)

// EvaluateNoArrays replaces the array, or pointer to an array, of each range statement that does not evaluate it by its
// length. It works on the syntax below root, which is type-checked and not yet in go/ssa form. By the specification the
// array is not evaluated if at most one iteration variable is present and the length is constant, which it is if the
// expression calls and receives nothing. So `for i := range *p` does not panic if p is nil. go/ssa evaluates it.
func EvaluateNoArrays(root ast.Node, info *types.Info) {
	ast.Inspect(root, func(n ast.Node) bool {
		s, ok := n.(*ast.RangeStmt)
		if !ok || s.Value != nil { // a blank one counts
			return true
		}
		t := info.TypeOf(s.X)
		if t == nil {
			return true
		}
		t = t.Underlying()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem().Underlying()
		}
		arr, ok := t.(*types.Array)
		if !ok || evaluates(s.X, info) {
			return true
		}
		n2 := &ast.BasicLit{ValuePos: s.X.Pos(), Kind: token.INT, Value: strconv.FormatInt(arr.Len(), 10)}
		info.Types[n2] = types.TypeAndValue{Type: types.Typ[types.Int], Value: constant.MakeInt64(arr.Len())}
		s.X = n2
		return true
	})
}

// evaluates reports whether x contains a function call or a receive.
func evaluates(x ast.Expr, info *types.Info) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if tv, ok := info.Types[n.Fun]; !ok || !tv.IsType() && info.Types[n].Value == nil {
				found = true
			}
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}
