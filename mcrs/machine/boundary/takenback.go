package boundary

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/program"
)

// This file is about finalizers that the program takes back, as a Close does that clears the one of its object.
//
//	FINAL1 A finalizer that the entry's own goroutine sets, and takes back with SetFinalizer(x, nil), has not
//	       run. For it runs once nobody reaches x any more, and who takes it back has x. What nobody reaches
//	       stays so: there is no way to it but by a weak pointer, a sync.Pool (FINAL3), a number (FINAL4), or
//	       another finalizer that has it. The first of all to run natively would have run in an execution that
//	       is also one of the machine's, up to there, and that goes on here without it, to where x is taken
//	       back. So somebody reached x all the time. The compiler does not end the life of a variable before
//	       its last use, and that is the call that takes the finalizer back.
//	FINAL2 The goroutine that sets it must be the one that takes it back, for SetFinalizer is no event: others
//	       come in every order with it. And it must be the entry's, that of a test. Where that does not come to
//	       its end, for a deadlock or another one's panic, it might not have come to take it back.
//	FINAL3 Nothing holds where the program uses a sync.Pool, which drops what it has, or asks for what a weak
//	       pointer points to: also if it does so where no finalizer is set, since that is no event either.
//	FINAL4 Nor where it makes a pointer of a number, other than of that of a pointer in the same expression, as
//	       package unsafe allows it: nobody reaches what is kept as a number.
//	FINAL5 Who sets one where there is one ends the program natively.
//
// All other finalizers may run at any time, and the entry is not exhausted.

// hides is the key in vm.Machine.Mentions of whether the program makes pointers of numbers (FINAL4).
const hides = "unsafe.Pointer"

// MentionsHidden notes whether the program sets finalizers, and makes pointers of numbers (FINAL4).
func MentionsHidden(p *program.Program, mentions map[string]bool) {
	for _, pkg := range p.Init {
		if pkg.Std || pkg.Info == nil || strings.HasPrefix(pkg.Path, "golang.org/x/sys/") { // that of what mmap returns
			continue
		}
		for _, f := range pkg.Files {
			ast.Inspect(f, func(x ast.Node) bool {
				c, ok := x.(*ast.CallExpr)
				if ok && len(c.Args) == 1 && pkg.Info.Types[c.Fun].IsType() && isBasic(pkg.Info.TypeOf(c.Fun), types.UnsafePointer) &&
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

// setFinalizer is SetFinalizer of what is not nil.
func setFinalizer(m *vm.Machine, g *vm.G, object uint64, uses []uint64) {
	again := m.HasFinalizer(object)
	m.Finalize(vm.Finalizer{By: g.Index, Object: object, Uses: uses, Site: g.Site()})
	if m.Inits || g != m.Main || again || m.Pooled || m.Weak || m.Mentions[hides] || !ofTest(m) {
		m.Unseen(g, "runtime.SetFinalizer"+vm.NeverRun)
		return
	}
	m.Trusts = true
}

// takeBack is SetFinalizer(object, nil).
func takeBack(m *vm.Machine, g *vm.G, object uint64) {
	if g != m.Main && m.HasFinalizer(object) { // FINAL2
		m.Unseen(g, "runtime.SetFinalizer"+vm.NeverRun)
	}
	m.Finalize(vm.Finalizer{By: g.Index, Object: object})
}

// mayDrop notes that the program uses what finds an object, or not, when it is asked for (FINAL3).
func mayDrop(m *vm.Machine, g *vm.G, what *bool) {
	if *what = true; m.Trusts {
		m.Unseen(g, "runtime.SetFinalizer"+vm.NeverRun)
	}
}
