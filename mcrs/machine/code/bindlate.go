package code

import (
	"go/types"
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
		if !ok || len(fn.TypeArgs()) == 0 || !strings.HasSuffix(made.Fn.Name(), "$bound") {
			continue
		}
		method, ok := made.Fn.(*ssa.Function).Object().(*types.Func)
		for _, arg := range fn.TypeArgs() {
			if !ok {
				break
			}
			obj, _, indirect := types.LookupFieldOrMethod(arg, false, method.Pkg(), method.Name())
			if m, is := obj.(*types.Func); is && m.Origin() == method.Origin() && indirect {
				return true
			}
		}
	}
	return false
}
