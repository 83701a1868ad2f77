package boundary

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/program"
)

// This file is about finalizers that the program takes back, as a Close does that clears the one of its object.
//
//	FINAL1 A finalizer that is taken back with SetFinalizer(x, nil), in every execution, has not run. For it runs once
//	       nobody reaches x any more, and who takes it back has x. What nobody reaches stays so: there is no way to it
//	       but by a weak pointer, a sync.Pool (FINAL3), a number (FINAL4), or another finalizer that has it. The
//	       first of all to run natively would have run in an execution that is also one of the machine's, up to
//	       there, and that goes on here without it, to where x is taken back. So somebody reached x all the time. The
//	       compiler does not end the life of a variable before its last use, and that is the call that takes the
//	       finalizer back. An execution in which a goroutine panics, or the test's own does not come to its end, may
//	       leave one set that was to be taken back.
//	FINAL2 So it must be known in which order goroutines set it and take it back: both are an operation on whether x
//	       has one. It orders nothing, for it does not natively. Where the program's code takes none back they make no
//	       event. Only tests are trusted to come to their end.
//	FINAL3 Nothing holds where the program uses a sync.Pool, which drops what it has, or asks for what a weak pointer
//	       points to: also if it does so where no finalizer is set, since that is no event.
//	FINAL4 Nor where it makes a pointer of a number, other than of that of a pointer in the same expression, as
//	       package unsafe allows it: nobody reaches what is kept as a number.
//	FINAL5 Who sets one where there is one ends the program natively.
//
// All other finalizers may run at any time, and the entry is not exhausted.

// The keys in vm.Machine.Mentions of whether the program makes pointers of numbers (FINAL4), and takes finalizers back.
const (
	hides     = "unsafe.Pointer"
	takesBack = "runtime.SetFinalizer(x, nil)"
)

// MentionsFinalizers notes whether the program takes finalizers back, and makes pointers of numbers (FINAL4).
func MentionsFinalizers(p *program.Program, mentions map[string]bool) {
	for _, pkg := range p.Init {
		if pkg.Std || pkg.Info == nil {
			continue
		}
		sys := strings.HasPrefix(pkg.Path, "golang.org/x/sys/") // its numbers are of what mmap returns
		for _, f := range pkg.Files {
			ast.Inspect(f, func(x ast.Node) bool {
				c, ok := x.(*ast.CallExpr)
				if ok && isTakeBack(pkg.Info, c) {
					mentions[takesBack] = true
				}
				if ok && !sys && len(c.Args) == 1 && pkg.Info.Types[c.Fun].IsType() && isBasic(pkg.Info.TypeOf(c.Fun), types.UnsafePointer) &&
					isBasic(pkg.Info.TypeOf(c.Args[0]), types.Uintptr) && !ofPointer(pkg.Info, c.Args[0]) {
					mentions[hides] = true
				}
				return true
			})
		}
	}
}

func isBasic(t types.Type, k types.BasicKind) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == k
}

// ofPointer reports whether an expression of a number has the conversion of a pointer in it, or the call of a method
// of package reflect.
func ofPointer(info *types.Info, e ast.Expr) (has bool) {
	ast.Inspect(e, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.CallExpr:
			if len(x.Args) == 1 && info.Types[x.Fun].IsType() && isBasic(info.TypeOf(x.Args[0]), types.UnsafePointer) {
				has = true
			}
		case *ast.SelectorExpr:
			f, ok := info.Uses[x.Sel].(*types.Func)
			has = has || ok && f.Pkg() != nil && f.Pkg().Path() == "reflect" && (f.Name() == "Pointer" || f.Name() == "UnsafeAddr")
		}
		return true
	})
	return has
}

// isTakeBack reports whether a call is SetFinalizer(x, nil).
func isTakeBack(info *types.Info, c *ast.CallExpr) bool {
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "SetFinalizer" && len(c.Args) == 2 && info.Types[c.Args[1]].IsNil()
}

// trusted reports whether finalizers of the entry's may be taken back in every execution.
func trusted(m *vm.Machine) bool {
	return !m.Inits && !m.Direct && m.Mentions[takesBack] && !m.Mentions[hides] && ofTest(m)
}

// finalizerWords is where it is kept, among addresses, whether an object has a finalizer: no memory is there (NUMBER3).
const finalizerWords = 1 << 63

// setFinalizer is SetFinalizer(object, f), or with no uses SetFinalizer(object, nil).
func setFinalizer(m *vm.Machine, g *vm.G, object uint64, uses []uint64) vm.Status {
	f := vm.Finalizer{By: g.Index, Object: object, Uses: uses, Site: g.Site(), Trusted: trusted(m)}
	sets := len(uses) > 0
	if f.Trusted { // FINAL2
		word := event.Location{Addr: finalizerWords | object, Size: 8}
		if !m.Announce(g, event.Op{Kind: event.AtomicRMW, Loc: word, Order: event.Nothing}) {
			return vm.Yield
		}
	}
	had := m.HasFinalizer(object)
	if i := m.LastEvent; f.Trusted && i >= 0 {
		m.Trace.Events[i].Key = vm.Word(had)
		m.Means([...]string{"takes the finalizer back", "sets a finalizer"}[vm.Word(sets)])
		m.Logged(g, vm.Word(had), int64(vm.Word(sets)))
	}
	m.Finalize(f)
	switch {
	case !sets:
	case !f.Trusted || had || m.Pooled || m.Weak:
		m.Unseen(g, "runtime.SetFinalizer"+vm.NeverRun)
	default:
		m.Trusts = true
	}
	return vm.Done
}

// mayDrop notes that the program uses what finds an object, or not, when it is asked for (FINAL3).
func mayDrop(m *vm.Machine, g *vm.G, what *bool) {
	if *what = true; m.Trusts {
		m.Unseen(g, "runtime.SetFinalizer"+vm.NeverRun)
	}
}
