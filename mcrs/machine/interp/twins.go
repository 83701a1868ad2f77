package interp

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// This file finds the function that a method value or a method expression is made of. go/ssa makes one for each place
// where such a thing stands. gc makes one for all, and programs compare their addresses (reflect.Value.Pointer, %p).
//
//	TWIN1  Method values of one method and one type of receiver have one function. So have method expressions.
//	TWIN2  A method expression of a type that is no interface is the function in the type's method set, which
//	       reflect finds too: the method itself, if it is declared for just this type.
//	TWIN3  In an instance of a generic function, what depends on the type arguments has a function at each place.
//	       A type that has type arguments itself is taken to. An expression T.M, where T is a type argument, does
//	       not.

// twin returns the function that stands for fn wherever its value is taken.
func (l linker) twin(fn *ssa.Function) *ssa.Function {
	recv, bound := wraps(fn)
	if recv == nil || l.depends(recv, bound) {
		return fn
	}
	if !bound && !types.IsInterface(recv) {
		m := types.NewMethodSet(recv).Lookup(fn.Object().Pkg(), fn.Object().Name())
		if to := l.m.Program.MethodValue(m); to != nil {
			return to
		}
	}
	return l.m.Twin(fn, recv, bound)
}

// wraps returns the type of the receiver if fn was made for a method value (bound) or for a method expression, else
// nil.
func wraps(fn *ssa.Function) (recv types.Type, bound bool) {
	if fn.Synthetic == "" || fn.Parent() != nil || fn.Object() == nil {
		return nil, false
	}
	switch {
	case strings.HasSuffix(fn.Name(), "$bound") && len(fn.FreeVars) == 1:
		return fn.FreeVars[0].Type(), true
	case strings.HasSuffix(fn.Name(), "$thunk") && fn.Signature.Params().Len() > 0:
		return fn.Signature.Params().At(0).Type(), false
	}
	return nil, false
}

// depends reports whether what has this receiver depends on the type arguments of the function that takes it
// (TWIN3).
func (l linker) depends(recv types.Type, bound bool) bool {
	outer := l.m.Program.Declared(l.f.SSA)
	for outer.Parent() != nil {
		outer = l.m.Program.Declared(outer.Parent())
	}
	if p, ok := recv.(*types.Pointer); ok {
		recv = p.Elem()
	}
	args := outer.TypeArgs()
	if n, ok := types.Unalias(recv).(*types.Named); ok && n.TypeArgs().Len() > 0 {
		return len(args) > 0
	}
	for _, a := range args {
		if p, ok := a.(*types.Pointer); ok {
			a = p.Elem()
		}
		if bound && types.Identical(a, recv) {
			return true
		}
	}
	return false
}
