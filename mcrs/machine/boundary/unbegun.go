package boundary

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/program"
)

// This file is about goroutines that have not begun (SEEN5).

// AsksStacks tells of an entry whether it could ask for the stacks of all goroutines: whether it names a function that
// does so outside of the standard library, or one that names such a function, and so on. Methods, initialisers, and
// functions that values of package variables have count as named by every entry.
func AsksStacks(p *program.Program) func(*program.Entry) bool {
	names := map[types.Object][]types.Object{} // which functions a function names
	asks := map[types.Object]bool{}
	everywhere := types.NewLabel(token.NoPos, nil, "") // names what every entry may call
	for _, pkg := range p.Init {
		if pkg.Std || pkg.Info == nil {
			continue
		}
		for _, f := range pkg.Files {
			for _, d := range f.Decls {
				by := types.Object(everywhere)
				if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.Name != "init" && d.Name.Name != "TestMain" {
					by = pkg.Info.Defs[d.Name]
				}
				if asksItself(pkg, d, func(f *types.Func) { names[by] = append(names[by], f.Origin()) }) {
					asks[by] = true
				}
			}
		}
	}
	for more := len(asks) > 0; more; {
		more = false
		for by, fs := range names {
			if !asks[by] && slices.ContainsFunc(fs, func(f types.Object) bool { return asks[f] }) {
				asks[by], more = true, true
			}
		}
	}
	return func(e *program.Entry) bool {
		return asks[everywhere] || e != nil && e.Fn != nil && asks[e.Fn.Object()]
	}
}

// asksItself reports whether a declaration names GoroutineProfile, a function of runtime/pprof that has profiles, or
// runtime.Stack, but for calls for the caller's own. It calls f for the functions that it names.
func asksItself(pkg *program.Package, d ast.Decl, f func(*types.Func)) (asks bool) {
	own := map[*ast.Ident]bool{}
	ast.Inspect(d, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.CallExpr:
			if len(x.Args) == 2 {
				if v := pkg.Info.Types[x.Args[1]].Value; v != nil && v.Kind() == constant.Bool && !constant.BoolVal(v) {
					switch fun := ast.Unparen(x.Fun).(type) {
					case *ast.Ident:
						own[fun] = true
					case *ast.SelectorExpr:
						own[fun.Sel] = true
					}
				}
			}
		case *ast.Ident:
			if o, ok := pkg.Info.Uses[x].(*types.Func); ok {
				switch o.FullName() {
				case "runtime.Stack":
					asks = asks || !own[x]
				case "runtime/pprof.Lookup", "runtime/pprof.Profiles", "runtime.GoroutineProfile":
					asks = true
				}
				f(o)
			}
		}
		return true
	})
	return asks
}

// noteUnbegun notes that a goroutine has seen the stacks of others in an entry that does not ask for them itself: a
// function of the standard library has, a handler of net/http/pprof say, and nobody was seen before it had begun.
func noteUnbegun(m *vm.Machine, g *vm.G, others int) {
	if others > 0 && m.Mode == vm.Exploring && !m.AsksStacks(m.Entry) {
		m.Unseen(g, "the stacks of all goroutines: those that have not begun are not among them")
	}
}

// unbegun is what runtime.Stack writes of the frames of a goroutine that has not begun. gc makes a function of a go
// statement whose call has arguments or results.
func unbegun(m *vm.Machine, o *vm.G) string {
	at := m.Trace.Threads[o.Index].Site
	if at != 0 {
		if s, ok := m.SiteTable[at].Instr.(*ssa.Go); ok && wrapped(&s.Call) {
			m.NotePosition(o, at)
			pos, outer := m.Position(at), m.SiteTable[at].Func
			return fmt.Sprintf("%s.gowrap%d()\n\t%s:%d\nruntime.goexit({})\n\t%s/src/runtime/asm_amd64.s:1771 +0x1\n",
				NativeName(m, outer), wrappedBefore(s)+1, pos.Filename, pos.Line, m.Config.Kernel.GOROOT)
		}
	}
	f := o.Runs
	if f == nil || f.SSA == nil {
		return ""
	}
	m.NoteLines(f.SSA)
	pos := m.Program.Fset.Position(f.SSA.Pos())
	return fmt.Sprintf("%s()\n\t%s:%d\n", NativeName(m, f), pos.Filename, pos.Line)
}

// wrapped reports whether gc makes a function of the call of a go or defer statement.
func wrapped(c *ssa.CallCommon) bool {
	sig := c.Signature()
	return c.IsInvoke() || len(c.Args) > 0 || sig.Params().Len()+sig.Results().Len() > 0
}

// wrappedBefore counts the go and defer statements of a function that stand before one, and of which gc makes
// functions.
func wrappedBefore(s *ssa.Go) (n int) {
	for _, b := range s.Parent().Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Go:
				if in.Pos() < s.Pos() && wrapped(&in.Call) {
					n++
				}
			case *ssa.Defer:
				if in.Pos() < s.Pos() && wrapped(&in.Call) {
					n++
				}
			}
		}
	}
	return n
}
