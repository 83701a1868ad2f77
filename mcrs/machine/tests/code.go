package tests

import (
	"go/ast"
	"go/types"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/program"
)

// This file defines what a TestMain sees of its tests: what M.Run returns says whether one has failed. So where it may
// do more with that than to exit, what fails a test writes the outcome of the root of all tests, and M.Run reads it.

// asksForCode is among the mentions where TestMain may look at what M.Run returns.
const asksForCode = "M.Run"

// DidFail is testing.heddleDidFail() bool.
func DidFail(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if m.Mentions[asksForCode] && m.RootTest != 0 {
		if !testState(m, g, m.RootTest, testOutcome, event.ObjectRead) {
			return vm.Yield
		}
		m.Means("looks whether a test has failed")
		m.Logged(g, vm.Word(m.Trace.TestFailed), 0)
	}
	w[0] = vm.Word(m.Trace.TestFailed)
	return vm.Done
}

// failsRoot announces that the root of all tests, at c, is failed.
func failsRoot(m *vm.Machine, g *vm.G, c uint64) bool {
	if !m.Mentions[asksForCode] || m.RootTest != c {
		return true
	}
	if !testState(m, g, c, testOutcome, event.ObjectWrite) {
		return false
	}
	m.Means("fails the tests")
	m.Logged(g, 0, 0)
	return true
}

// looksAtCode reports whether TestMain may do more with what M.Run returns than to drop it, or to give it to os.Exit.
func looksAtCode(p *program.Program) bool {
	if p.TestMain == nil {
		return false
	}
	decl, ok := p.TestMain.Syntax().(*ast.FuncDecl)
	pkg := p.Package(p.TestMain.Pkg.Pkg)
	return !ok || pkg == nil || pkg.Info == nil || usesCode(decl, pkg.Info)
}

func usesCode(decl *ast.FuncDecl, info *types.Info) bool {
	u := uses{info: info, quiet: map[ast.Expr]bool{}}
	ast.Inspect(decl.Body, u.dropped)
	ast.Inspect(decl.Body, func(n ast.Node) bool { u.kept(decl.Body, n); return true })
	for _, name := range decl.Type.Params.List[0].Names {
		for id, o := range info.Uses {
			if o == info.Defs[name] && !u.quiet[id] {
				return true
			}
		}
	}
	return false
}

// uses are expressions of a TestMain.
type uses struct {
	info  *types.Info
	quiet map[ast.Expr]bool // what is dropped, or given to os.Exit, and the m of such an m.Run()
}

func (u uses) add(x ast.Expr) {
	x = ast.Unparen(x)
	u.quiet[x] = true
	if call, ok := x.(*ast.CallExpr); ok && len(call.Args) == 0 {
		if run, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && run.Sel.Name == "Run" {
			u.quiet[ast.Unparen(run.X)] = true
		}
	}
}

// dropped notes what a statement drops or gives to os.Exit.
func (u uses) dropped(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ExprStmt:
		u.add(n.X)
	case *ast.CallExpr:
		if f, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && len(n.Args) == 1 {
			if exit, ok := u.info.Uses[f.Sel].(*types.Func); ok && exit.FullName() == "os.Exit" {
				u.add(n.Args[0])
			}
		}
	}
	return true
}

// kept notes what a statement assigns to a local variable of whose uses all are noted.
func (u uses) kept(body *ast.BlockStmt, n ast.Node) {
	set, ok := n.(*ast.AssignStmt)
	if !ok || len(set.Lhs) != 1 || len(set.Rhs) != 1 {
		return
	}
	id, ok := set.Lhs[0].(*ast.Ident)
	if !ok {
		return
	}
	v := u.info.ObjectOf(id)
	for use, o := range u.info.Uses {
		if o == v && use != id && !u.quiet[use] {
			return
		}
	}
	if v != nil && (v.Pos() < body.Pos() || v.Pos() >= body.End()) { // "_" is no object
		return
	}
	u.add(set.Rhs[0])
}
