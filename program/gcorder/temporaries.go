package gcorder

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/heddle-go/heddle/program/gcorder/equality"
	"golang.org/x/tools/go/ssa"
)

// This file says what gc copies to a temporary before the statement goes on, though it is no call: things without an
// address whose address it needs. order.go uses it.

// copied reports whether gc copies the value of instr to a temporary at once: because the statement converts it to an
// interface or looks it up in a map, which gc does by address, and it has none. So it does with an index of a slice
// expression that is no variable.
func (r *run) copied(instr ssa.Instruction) bool {
	v, ok := instr.(ssa.Value)
	if !ok || v.Referrers() == nil {
		return false
	}
	if isArray(v.Type()) && r.measured(v) || r.caseChan(v) {
		return true
	}
	if look, ok := instr.(*ssa.Lookup); ok && keyOfBytes(look) && !r.stays(look) {
		return true
	}
	variable := hasAddress(instr)
	for _, ref := range *v.Referrers() {
		if r.stmts[ref] != r.stmt {
			continue
		}
		switch ref := ref.(type) {
		case *ssa.MakeInterface:
			if !variable && !convertsByValue(v.Type()) {
				return true
			}
		case *ssa.MapUpdate:
			if ref.Key == v && keyCopied(ref.Map.Type(), variable) || r.appended(nil) && (ref.Map == v && !cheap(v) || ref.Key == v && !cheapKey(v, ref.Map.Type())) {
				return true
			}
		case *ssa.Slice:
			if (ref.Low == v || ref.High == v || ref.Max == v) && !cheap(v) {
				return true
			}
		case *ssa.Lookup:
			if ref.Index == v && keyCopied(ref.X.Type(), variable) || r.appended(ref) && (ref.X == v && !cheap(v) || ref.Index == v && !cheapKey(v, ref.X.Type())) {
				return true
			}
		}
	}
	return false
}

// appended reports whether the statement is m[k] = append(m[k], v), where look, if there is one, reads m[k]. gc has
// one m and one k for both. It copies them at once unless they are variables or constants.
func (r *run) appended(look *ssa.Lookup) bool {
	s, ok := r.tree.nodes[r.stmt].node.(*ast.AssignStmt)
	if !ok {
		return false
	}
	e := appendedTo(s)
	return e != nil && r.info != nil && (look == nil || exprOf(look) == e) && !r.hasCall(e)
}

func isArray(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	_, ok := t.Underlying().(*types.Array)
	return ok
}

// measured reports whether v is only there as the operand of len or cap.
func (r *run) measured(v ssa.Value) bool {
	found := false
	for _, ref := range *v.Referrers() {
		d, ok := ref.(*ssa.DebugRef)
		if !ok {
			return false
		}
		found = found || r.tree.measured[d.Expr]
	}
	return found
}

// caseChan reports whether v is the channel of a send in a select statement.
func (r *run) caseChan(v ssa.Value) bool {
	send, ok := r.tree.nodes[r.stmt].node.(*ast.SendStmt)
	if !ok || !r.tree.comm[send] {
		return false
	}
	for _, ref := range *v.Referrers() {
		if d, ok := ref.(*ssa.DebugRef); ok && d.Expr == ast.Unparen(send.Chan) {
			return true
		}
	}
	return false
}

// callee reports whether instr is the function, or the interface whose method is called, and contains a call or a
// receive itself. gc evaluates f()(x) as t := f(); t(x) (RewriteNonNameCall in cmd/compile/internal/typecheck).
//
// If an interface is made of a value, gc calls the method of the value directly. It asserts the interface to the type
// of the value, and copies the value if an interface does not hold it directly (StaticCall in
// cmd/compile/internal/devirtualize).
func (r *run) callee(instr ssa.Instruction) bool {
	v, ok := instr.(ssa.Value)
	if !ok || v.Referrers() == nil {
		return false
	}
	for _, ref := range *v.Referrers() {
		call, ok := ref.(ssa.CallInstruction)
		if ok && r.stmts[ref] == r.stmt && call.Common().Value == v {
			if mi, ok := instr.(*ssa.MakeInterface); ok && !isDirect(mi.X.Type()) {
				if _, ok := call.(*ssa.Call); ok {
					return true
				}
			}
			return r.calls(v)
		}
	}
	return false
}

// calls reports whether the expression that v is the value of contains a call or a receive. A call of make is none:
// callOrChan does not know the forms that make has once it is type-checked.
func (r *run) calls(v ssa.Value) bool {
	e := exprOf(v)
	return e != nil && r.info != nil && r.hasCall(e)
}

func (r *run) hasCall(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			if fun := r.info.Types[n.Fun]; r.info.Types[n].Value == nil && !fun.IsType() && !(fun.IsBuiltin() && isMaking(n.Fun)) {
				found = true
			}
		}
		return !found
	})
	return found
}

func isMaking(fun ast.Expr) bool {
	id, ok := ast.Unparen(fun).(*ast.Ident)
	return ok && (id.Name == "make" || id.Name == "new")
}

// exprOf returns the expression that v is the value, or an implicit field, of, or nil.
func exprOf(v ssa.Value) ast.Expr {
	for {
		if refs := v.Referrers(); refs != nil {
			for _, ref := range *refs {
				if d, ok := ref.(*ssa.DebugRef); ok {
					return d.Expr
				}
			}
		}
		switch x := v.(type) {
		case *ssa.UnOp:
			v = x.X
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.Field:
			v = x.X
		default:
			return nil
		}
	}
}

// hasAddress reports whether instr is the value of a variable. The value of a composite literal is not, nor that of a
// conversion, even to its own type.
func hasAddress(instr ssa.Instruction) bool {
	load, ok := instr.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || isConversion(load) {
		return false
	}
	a, ok := load.X.(*ssa.Alloc)
	if !ok || a.Comment != "complit" {
		return true
	}
	_, named := exprOf(load).(*ast.Ident) // a variable may have that name, too
	return named
}

// isConversion reports whether v, which is no call, is converted to its own type, or has a plus sign before it. go/ssa
// has no instruction for that.
func isConversion(v ssa.Value) bool {
	for _, ref := range *v.Referrers() {
		if d, ok := ref.(*ssa.DebugRef); ok {
			switch e := d.Expr.(type) {
			case *ast.CallExpr:
				return true
			case *ast.UnaryExpr:
				if e.Op == token.ADD {
					return true
				}
			}
		}
	}
	return false
}

// copyOperands emits the operands of a comparison of structs or arrays that have no address. gc compares by address,
// and copies both once it has evaluated what they call.
func (r *run) copyOperands(instr ssa.Instruction) {
	b, ok := instr.(*ssa.BinOp)
	if !ok {
		return
	}
	switch b.X.Type().Underlying().(type) {
	case *types.Struct, *types.Array:
		for _, v := range [2]ssa.Value{b.X, b.Y} {
			if def, ok := v.(ssa.Instruction); ok && !hasAddress(def) {
				if l := r.byInstr[def]; l != nil && !l.done {
					need := map[*late]bool{l: true}
					r.mark(def, need)
					r.emitBatch(need, nil)
				}
			}
		}
	}
}

// keyCopied reports whether gc copies the key of a map of type t before it evaluates what follows (see mapKeyTemp in
// cmd/compile/internal/walk/order.go): the runtime's functions take its address, but for those that take
// integers, pointers and strings of 4 and 8 bytes themselves. Other keys of that size are copied to be read as one.
func keyCopied(t types.Type, variable bool) bool {
	m, ok := t.Underlying().(*types.Map)
	if !ok {
		return false
	}
	if equality.Sizes.Sizeof(m.Elem()) > maxMapElem {
		return !variable
	}
	switch k := m.Key().Underlying().(type) {
	case *types.Basic:
		switch {
		case k.Info()&(types.IsInteger|types.IsString) != 0:
			n := equality.Sizes.Sizeof(k)
			return n < 4 && !variable
		case k.Kind() == types.UnsafePointer:
			return false
		}
	case *types.Pointer, *types.Chan:
		return false
	case *types.Struct, *types.Array:
		if n := equality.Sizes.Sizeof(k); (n == 4 || n == 8) && equality.RegularMemory(k, false) {
			return true
		}
	}
	return !variable
}

// maxMapElem is internal/abi.MapMaxElemBytes.
const maxMapElem = 128

// isDirect reports whether an interface holds a value of type t in its data word.
func isDirect(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		return true
	case *types.Basic:
		return t.Kind() == types.UnsafePointer
	case *types.Struct:
		return t.NumFields() == 1 && isDirect(t.Field(0).Type())
	case *types.Array:
		return t.Len() == 1 && isDirect(t.Elem())
	}
	return false
}

// convertsByValue reports whether gc converts a value of type t to an interface without taking its address (see
// dataWordFuncName in cmd/compile/internal/walk/convert.go). Where gc takes the address, it copies a value that has
// none at once.
func convertsByValue(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		switch t.Kind() {
		case types.Bool, types.Int8, types.Uint8, types.UnsafePointer, types.Complex128:
			return false
		}
		return true
	case *types.Slice:
		return true
	case *types.Struct:
		return t.NumFields() == 1 && convertsByValue(t.Field(0).Type())
	case *types.Array:
		return t.Len() == 1 && convertsByValue(t.Elem())
	}
	return false
}

// cheap reports whether gc may evaluate v again instead of keeping it: it is a variable (cheapExpr in
// cmd/compile/internal/walk/order.go). Constants are no instructions.
func cheap(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	_, named := exprOf(load).(*ast.Ident)
	return named
}

// cheapKey is cheap for the key of a map of type t. The key is no variable to gc where it converts it to what the
// runtime's functions take (mapKeyTemp).
func cheapKey(v ssa.Value, t types.Type) bool {
	if !cheap(v) {
		return false
	}
	m, ok := t.Underlying().(*types.Map)
	if !ok || equality.Sizes.Sizeof(m.Elem()) > maxMapElem {
		return ok
	}
	switch k := m.Key().Underlying().(type) {
	case *types.Pointer, *types.Chan:
		return false
	case *types.Basic:
		switch {
		case k.Kind() == types.String, k.Kind() == types.UnsafePointer, k.Kind() == types.Uint32, k.Kind() == types.Uint64:
			return m.Key() == k
		case k.Info()&types.IsInteger != 0:
			return equality.Sizes.Sizeof(k) < 4
		}
	}
	return true
}

// keyOfBytes reports whether look reads the entry of a map of strings by a slice of bytes. gc does so at once, for it
// does not copy the bytes (mapKeyReplaceStrConv in cmd/compile/internal/walk/order.go).
func keyOfBytes(look *ssa.Lookup) bool {
	conv, ok := look.Index.(*ssa.Convert)
	if !ok {
		return false
	}
	if _, ok := look.X.Type().Underlying().(*types.Map); !ok {
		return false
	}
	s, ok := conv.X.Type().Underlying().(*types.Slice)
	if !ok {
		return false
	}
	e, ok := s.Elem().Underlying().(*types.Basic)
	return ok && e.Kind() == types.Uint8
}
