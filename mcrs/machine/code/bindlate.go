package code

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// bindsLate reports whether a load takes the receiver of a method value in an instance of a generic function, through a
// pointer that a type argument is or has. gc takes such a receiver when the value is called: until then the pointer may
// be nil, and what it points to may change. go/ssa, which makes the instance, takes it with the value.
func bindsLate(in *ssa.UnOp) bool {
	fn := in.Parent()
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	for _, r := range *in.Referrers() {
		made, ok := r.(*ssa.MakeClosure)
		if !ok || !strings.HasSuffix(made.Fn.Name(), "$bound") {
			continue
		}
		method, ok := made.Fn.(*ssa.Function).Object().(*types.Func)
		if ok && slices.ContainsFunc(fn.TypeArgs(), func(arg types.Type) bool { return reaches(arg, method) }) {
			return true
		}
	}
	return false
}

// reaches reports whether a type has a method by way of a pointer.
func reaches(t types.Type, method *types.Func) bool {
	obj, _, indirect := types.LookupFieldOrMethod(t, false, method.Pkg(), method.Name())
	m, ok := obj.(*types.Func)
	return ok && m.Origin() == method.Origin() && indirect
}
