package gcorder

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file defines method values of type parameters. Of x.M, where the type of x is a type parameter, gc makes a
// closure that has x and calls the method of x's type (curry in cmd/compile/internal/noder/reader.go). So where a type
// argument has the method by way of a pointer, what that points to is read when the closure is called: until then the
// pointer may be nil, and what it points to may change. go/ssa, which makes the instance, reads it with the value.

// BindLate gives the method values of type parameters in fn, an instance of a generic function that go/ssa has just
// built, what gc's have. method is ssa.Program.MethodValue.
func BindLate(fn *ssa.Function, info *types.Info, method func(*types.Selection) *ssa.Function) {
	outer := fn
	for outer.Parent() != nil {
		outer = outer.Parent()
	}
	args, params := outer.TypeArgs(), outer.TypeParams()
	if info == nil || len(args) == 0 || params.Len() != len(args) {
		return
	}
	for _, b := range fn.Blocks {
		for _, instr := range slices.Clone(b.Instrs) {
			made, ok := instr.(*ssa.MakeClosure)
			if !ok {
				continue
			}
			sel, ok := exprOf(made).(*ast.SelectorExpr)
			if !ok {
				continue
			}
			for i, arg := range args {
				if types.Unalias(info.TypeOf(sel.X)) == params.At(i) && !types.IsInterface(arg) {
					bindLate(made, arg, method)
				}
			}
		}
	}
}

// bindLate has a method value keep its operand, of type recv.
func bindLate(made *ssa.MakeClosure, recv types.Type, method func(*types.Selection) *ssa.Function) {
	x, gone := operandOf(made, recv)
	if len(gone) == 0 {
		return
	}
	obj := made.Fn.(*ssa.Function).Object()
	to := method(types.NewMethodSet(recv).Lookup(obj.Pkg(), obj.Name()))
	made.Fn, made.Bindings[0] = closureOf(made.Fn.(*ssa.Function), to, recv), x
	refer(x, made)
	for instr := range gone {
		drop(instr.Block(), map[ssa.Instruction]bool{instr: true})
	}
}

// operandOf returns the operand of a method value, of type recv, and what go/ssa does to find the receiver in it: it
// selects fields, reads what a pointer leads to, and checks that an interface is not nil.
func operandOf(made *ssa.MakeClosure, recv types.Type) (x ssa.Value, gone map[ssa.Instruction]bool) {
	gone = make(map[ssa.Instruction]bool)
	for x = made.Bindings[0]; !types.Identical(x.Type(), recv); {
		instr, ok := x.(ssa.Instruction)
		if !ok {
			return nil, nil
		}
		gone[instr] = true
		for _, r := range *x.Referrers() {
			switch r := r.(type) {
			case *ssa.DebugRef:
				gone[r] = true
			case *ssa.TypeAssert:
				if r.Pos() != made.Pos() || len(*r.Referrers()) > 0 {
					return nil, nil
				}
				gone[r] = true
			default:
				if r != made && !gone[r] {
					return nil, nil
				}
			}
		}
		switch v := x.(type) {
		case *ssa.UnOp:
			x = v.X
		case *ssa.FieldAddr:
			x = v.X
		case *ssa.Field:
			x = v.X
		case *ssa.ChangeType:
			x = v.X
		default:
			return nil, nil
		}
	}
	return x, gone
}

// closureOf makes the function of a method value: it calls a method with a receiver of type recv that it has captured.
// bound is what go/ssa has made for it.
func closureOf(bound, method *ssa.Function, recv types.Type) *ssa.Function {
	fn := &ssa.Function{Signature: bound.Signature, Synthetic: bound.Synthetic, Prog: bound.Prog}
	*field[string](fn, "name") = bound.Name()
	*field[*types.Func](fn, "object") = bound.Object().(*types.Func)
	*field[token.Pos](fn, "pos") = bound.Pos()
	captured := &ssa.FreeVar{}
	*field[string](captured, "name"), *field[types.Type](captured, "typ") = "recv", recv
	*field[*ssa.Function](captured, "parent") = fn
	fn.FreeVars = []*ssa.FreeVar{captured}
	call := &ssa.Call{Call: ssa.CallCommon{Value: method, Args: []ssa.Value{captured}}}
	for v := range fn.Signature.Params().Variables() {
		p := &ssa.Parameter{}
		*field[string](p, "name"), *field[types.Type](p, "typ") = v.Name(), v.Type()
		*field[*types.Var](p, "object"), *field[*ssa.Function](p, "parent") = v, fn
		fn.Params = append(fn.Params, p)
		call.Call.Args = append(call.Call.Args, p)
	}
	c := &comparison{fn: fn}
	c.block = c.newBlock("entry")
	ret := &ssa.Return{}
	switch results := fn.Signature.Results(); results.Len() {
	case 0:
		c.emit(call, results, token.NoPos)
	case 1:
		ret.Results = []ssa.Value{c.emit(call, results.At(0).Type(), token.NoPos)}
	default:
		c.emit(call, results, token.NoPos)
		for i := range results.Len() {
			ret.Results = append(ret.Results, c.emit(&ssa.Extract{Tuple: call, Index: i}, results.At(i).Type(), token.NoPos))
		}
	}
	setBlock(ret, c.block)
	for _, v := range ret.Results {
		refer(v, ret)
	}
	c.block.Instrs = append(c.out, ret)
	fn.Blocks = []*ssa.BasicBlock{c.block}
	return fn
}
