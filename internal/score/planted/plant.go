package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// This file finds where bugs can be planted. Lines stay where they are.

// A plant is an edit of one function.
type plant struct {
	kind string
	file string // its path
	what string // the text that is edited, in one line
	line int    // of an operation there
	// first and last are the lines of the declaration around it.
	first, last int
	edits       []edit
}

// An edit replaces bytes of a file.
type edit struct {
	from, to int
	text     string
}

// apply returns the text with the bug. Lines that go are made up for behind the last edit.
func (p *plant) apply(text []byte) []byte {
	edits := slices.Clone(p.edits)
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(b.from, a.from) })
	gone := 0
	for _, e := range edits {
		gone += strings.Count(string(text[e.from:e.to]), "\n") - strings.Count(e.text, "\n")
	}
	edits[0].text += strings.Repeat("\n", max(0, gone))
	out := slices.Clone(text)
	for _, e := range edits {
		out = slices.Concat(out[:e.from], []byte(e.text), out[e.to:])
	}
	return out
}

// A planter looks for plants in the files of a package.
type planter struct {
	fset *token.FileSet
	info types.Info
	text []byte // of the file at hand
	name string // its path
	decl *ast.FuncDecl
	out  []plant
}

// plantsIn lists the plants of a package's files, without its tests.
func plantsIn(dir string) ([]plant, error) {
	p := &planter{fset: token.NewFileSet(), info: types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	names = slices.DeleteFunc(names, func(n string) bool { return strings.HasSuffix(n, "_test.go") })
	for _, name := range names {
		f, err := parser.ParseFile(p.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: importer.ForCompiler(p.fset, "source", nil), Error: func(error) {}}
	_, _ = conf.Check(dir, p.fset, files, &p.info) // what it cannot tell is not edited
	for i, f := range files {
		if p.text, err = os.ReadFile(names[i]); err != nil {
			return nil, err
		}
		p.name = names[i]
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				p.decl = fn
				p.locks()
				ast.Inspect(fn.Body, p.node)
			}
		}
	}
	return p.out, nil
}

func (p *planter) offset(at token.Pos) int { return p.fset.Position(at).Offset }
func (p *planter) line(at token.Pos) int   { return p.fset.Position(at).Line }
func (p *planter) source(n ast.Node) string {
	return string(p.text[p.offset(n.Pos()):p.offset(n.End())])
}

// replace is an edit of a node.
func (p *planter) replace(n ast.Node, text string) edit {
	return edit{p.offset(n.Pos()), p.offset(n.End()), text}
}

// add notes a plant at a node.
func (p *planter) add(kind string, at ast.Node, edits ...edit) {
	what, _, _ := strings.Cut(p.source(at), "\n")
	p.out = append(p.out, plant{kind, p.name, what, p.line(at.Pos()), p.line(p.decl.Pos()), p.line(p.decl.End()), edits})
}

// call returns a call that is a statement, deferred or not, with the name of what is called and its receiver.
func (p *planter) call(st ast.Stmt) (call *ast.CallExpr, name, receiver string) {
	switch st := st.(type) {
	case *ast.ExprStmt:
		call, _ = ast.Unparen(st.X).(*ast.CallExpr)
	case *ast.DeferStmt:
		call = st.Call
	}
	if call == nil {
		return nil, "", ""
	}
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		if _, builtin := p.info.Uses[f].(*types.Builtin); builtin && f.Name == "close" {
			return call, "close", ""
		}
	case *ast.SelectorExpr:
		if fn, ok := p.info.Uses[f.Sel].(*types.Func); ok && fn.Pkg() != nil && (fn.Pkg().Path() == "sync" || fn.Pkg().Path() == "sync/atomic") {
			return call, f.Sel.Name, p.source(f.X)
		}
	}
	return nil, "", ""
}

var unlockOf = map[string]string{"Lock": "Unlock", "RLock": "RUnlock"}

// locks plants "no lock": of all operations that a function has on a lock nothing is left.
func (p *planter) locks() {
	edits, first := map[string][]edit{}, map[string]ast.Node{}
	var order []string
	ast.Inspect(p.decl.Body, func(n ast.Node) bool {
		st, ok := n.(ast.Stmt)
		if !ok {
			return true
		}
		if _, name, of := p.call(st); slices.Contains([]string{"Lock", "RLock", "Unlock", "RUnlock"}, name) {
			edits[of] = append(edits[of], p.replace(st, "{}"))
			if first[of] == nil {
				first[of], order = st, append(order, of)
			}
		}
		return true
	})
	for _, of := range order {
		at := first[of]
		if _, name, _ := p.call(at.(ast.Stmt)); unlockOf[name] != "" && len(edits[of]) > 1 {
			p.add("no lock", at, edits[of]...)
		}
	}
	slices.SortStableFunc(p.out, func(a, b plant) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.first, b.first), cmp.Compare(a.line, b.line))
	})
}

// node plants in and around a node.
func (p *planter) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BlockStmt:
		p.list(n.List)
	case *ast.CaseClause:
		p.list(n.Body)
	case *ast.CommClause:
		p.list(n.Body)
	case *ast.CallExpr:
		p.atomic(n)
		if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "make" && len(n.Args) == 2 {
			if _, ok := n.Args[0].(*ast.ChanType); ok {
				p.add("no buffer", n, edit{p.offset(n.Args[0].End()), p.offset(n.Args[1].End()), ","})
			}
		}
	case *ast.ForStmt:
		if n.Init == nil && n.Post == nil && n.Cond != nil && len(n.Body.List) == 1 {
			if _, name, _ := p.call(n.Body.List[0]); name == "Wait" {
				p.add("if for for", n, edit{p.offset(n.For), p.offset(n.For) + len("for"), "if"})
			}
		}
	}
	return true
}

// list plants in a list of statements.
func (p *planter) list(list []ast.Stmt) {
	for i, st := range list {
		_, name, of := p.call(st)
		_, sends := st.(*ast.SendStmt)
		_, starts := st.(*ast.GoStmt)
		_, deferred := st.(*ast.DeferStmt)
		if name != "" || sends {
			p.add("dropped", st, p.replace(st, "{}"))
		}
		if (name == "close" || sends || name == "Done" || name == "Add" && !deferred) && !deferred {
			p.add("twice", st, p.replace(st, p.source(st)+"; "+p.source(st)))
		}
		if name == "Broadcast" {
			p.add("one woken", st, p.replace(st, of+".Signal()"))
		}
		if i+1 < len(list) && (name != "" || sends || starts) && !deferred {
			switch list[i+1].(type) {
			case *ast.ReturnStmt, *ast.BranchStmt, *ast.DeclStmt, *ast.DeferStmt:
			default:
				p.add("swapped", st, p.replace(st, p.source(list[i+1])), p.replace(list[i+1], p.source(st)))
			}
		}
		if unlock := unlockOf[name]; unlock != "" && !deferred {
			p.section(st, list[i+1:], of, name, unlock)
		}
	}
}

// section plants within a critical section, which begins before a list.
func (p *planter) section(at ast.Stmt, list []ast.Stmt, of, lock, unlock string) {
	begin := p.line(at.Pos())
	for i, st := range list {
		_, name, on := p.call(st)
		_, deferred := st.(*ast.DeferStmt)
		if on == of && name == unlock {
			if deferred {
				continue
			}
			return
		}
		if test, ok := st.(*ast.IfStmt); ok && test.Else == nil {
			p.add("no check", st, p.replace(st, "{}"))
			p.out[len(p.out)-1].line = begin
		}
		if i+1 == len(list) {
			return
		}
		if _, name, on := p.call(list[i+1]); on != of || name != unlock {
			p.add("split", st, edit{p.offset(st.End()), p.offset(st.End()), fmt.Sprintf("; %s.%s(); %[1]s.%[3]s()", of, unlock, lock)})
			p.out[len(p.out)-1].line = begin
		}
	}
}

// atomic plants "not atomic": what one operation does is done by two.
func (p *planter) atomic(call *ast.CallExpr) {
	f, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	fn, ok := p.info.Uses[f.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "sync/atomic" {
		return
	}
	result := fn.Signature().Results()
	if result.Len() != 1 {
		return
	}
	typ := types.TypeString(result.At(0).Type(), types.RelativeTo(fn.Pkg()))
	load, store, args := p.source(f.X)+".Load()", p.source(f.X)+".Store(", call.Args
	name := f.Sel.Name
	if fn.Signature().Recv() == nil {
		if len(args) == 0 {
			return
		}
		for _, op := range []string{"Add", "CompareAndSwap"} {
			if kind, ok := strings.CutPrefix(name, op); ok {
				at := p.source(args[0])
				name, args = op, args[1:]
				load, store = fmt.Sprintf("%s.Load%s(%s)", p.source(f.X), kind, at), fmt.Sprintf("%s.Store%s(%s, ", p.source(f.X), kind, at)
			}
		}
	}
	switch {
	case name == "Add" && len(args) == 1:
		p.add("not atomic", call, p.replace(call, fmt.Sprintf("func() %s { v := %s + (%s); %sv); return v }()", typ, load, p.source(args[0]), store)))
	case name == "CompareAndSwap" && len(args) == 2:
		p.add("not atomic", call, p.replace(call, fmt.Sprintf("func() bool { if %s != (%s) { return false }; %s%s); return true }()", load, p.source(args[0]), store, p.source(args[1]))))
	}
}
