package fix

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/report"
)

// Candidates returns what the rules propose for a finding with operations at the given places, in the order of the
// rules.
func (s *Source) Candidates(places []report.Place) []Fix {
	var out []Fix
	for _, rule := range []func([]report.Place) []Fix{s.room, s.unlockFirst, s.deferUnlock, s.copyVariable, s.addFirst, s.atomic} {
		for _, f := range rule(places) {
			if !slices.ContainsFunc(out, func(g Fix) bool { return slices.Equal(f.Edits, g.Edits) }) {
				out = append(out, f)
			}
		}
	}
	return out
}

func of(places []report.Place, r report.Role) []report.Place {
	return slices.DeleteFunc(slices.Clone(places), func(p report.Place) bool { return p.Role != r })
}

// room is FIX1.
func (s *Source) room(places []report.Place) (out []Fix) {
	for _, p := range of(places, report.Blocked) {
		if p.Kind != event.ChanSend && p.Kind != event.Invalid {
			continue
		}
		send, _ := enclosing[*ast.SendStmt](s.pathAt(p.Pos))
		if send == nil {
			continue
		}
		ch := s.object(send.Chan)
		if ch == nil {
			continue
		}
		makes := s.makes(ch)
		if len(makes) != 1 || len(makes[0].Args) != 1 {
			continue
		}
		end := makes[0].Rparen
		out = append(out, Fix{"FIX1", fmt.Sprintf("give the channel %s room for one element", ch.Name()), []Edit{s.edit(end, end, ", 1")}})
	}
	return out
}

// makes returns the calls of make whose result is assigned to a variable, or to a field of a literal.
func (s *Source) makes(v *types.Var) (out []*ast.CallExpr) {
	add := func(to, from ast.Expr) {
		c, ok := ast.Unparen(from).(*ast.CallExpr)
		if !ok || s.object(to) != v {
			return
		}
		if id, ok := c.Fun.(*ast.Ident); ok && id.Name == "make" {
			out = append(out, c)
		}
	}
	s.inspect(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) {
					add(n.Lhs[i], n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i := range n.Names {
				if len(n.Names) == len(n.Values) {
					add(n.Names[i], n.Values[i])
				}
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok {
				add(key, n.Value)
			}
		}
	})
	return out
}

func (s *Source) inspect(f func(ast.Node)) {
	for _, file := range s.files {
		ast.Inspect(file, func(n ast.Node) bool {
			if n != nil {
				f(n)
			}
			return true
		})
	}
}

// unlockFirst is FIX2.
func (s *Source) unlockFirst(places []report.Place) (out []Fix) {
	for _, p := range of(places, report.Blocked) {
		switch p.Kind {
		case event.ChanSend, event.ChanRecv, event.Invalid, event.WaitGroupWait:
		default:
			continue
		}
		path := s.pathAt(p.Pos)
		st, list := statement(path)
		i := slices.Index(list, st)
		fn := body(path)
		if st == nil || i < 0 || fn == nil {
			continue
		}
		if i+1 < len(list) {
			if mu := call(list[i+1], "Unlock", "RUnlock"); mu != nil {
				if _, deferred := list[i+1].(*ast.DeferStmt); !deferred {
					out = append(out, Fix{"FIX2", fmt.Sprintf("give %s back before the operation that may block", s.textOf(mu)), []Edit{
						s.edit(st.Pos(), st.Pos(), s.textOf(list[i+1])+"\n"), s.remove(list[i+1]),
					}})
					continue
				}
			}
		}
		if i != len(list)-1 || !slices.Equal(list, fn.List) {
			continue
		}
		for _, d := range list[:i] {
			mu := call(d, "Unlock", "RUnlock")
			def, ok := d.(*ast.DeferStmt)
			if mu == nil || !ok || returns(fn) {
				continue
			}
			out = append(out, Fix{"FIX2", fmt.Sprintf("give %s back before the operation that may block", s.textOf(mu)), []Edit{
				s.remove(d), s.edit(st.Pos(), st.Pos(), s.textOf(def.Call)+"\n"),
			}})
		}
	}
	return out
}

// remove deletes a statement with its line.
func (s *Source) remove(st ast.Stmt) Edit {
	e := s.edit(st.Pos(), st.End(), "")
	text := s.text[e.File]
	start, end := e.Start, e.End
	for start > 0 && (text[start-1] == ' ' || text[start-1] == '\t') {
		start--
	}
	for end < len(text) && (text[end] == ' ' || text[end] == '\t') {
		end++
	}
	if (start == 0 || text[start-1] == '\n') && end < len(text) && text[end] == '\n' {
		e.Start, e.End = start, end+1
	}
	return e
}

// returns reports whether a function has a return statement of its own.
func returns(fn *ast.BlockStmt) bool {
	found := false
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = true
		}
		return !found
	})
	return found
}

// deferUnlock is FIX3.
func (s *Source) deferUnlock(places []report.Place) (out []Fix) {
	for _, p := range places {
		if p.Role != report.Acquired && p.Role != report.Blocked {
			continue
		}
		unlock := map[event.Kind]string{event.Lock: "Unlock", event.LockAnnounce: "Unlock", event.RLock: "RUnlock"}[p.Kind]
		if unlock == "" {
			continue
		}
		path := s.pathAt(p.Pos)
		st, list := statement(path)
		fn := body(path)
		if st == nil || fn == nil || !slices.Equal(list, fn.List) {
			continue // a defer in a loop or a branch would hold it for longer than the block
		}
		mu := call(st, strings.TrimSuffix(unlock, "Unlock")+"Lock")
		if mu == nil {
			continue
		}
		name := s.textOf(mu)
		edits := []Edit{s.edit(st.End(), st.End(), "\ndefer "+name+"."+unlock+"()")}
		deferred := false
		ast.Inspect(fn, func(n ast.Node) bool {
			if _, ok := n.(*ast.FuncLit); ok {
				return false
			}
			if x, ok := n.(ast.Stmt); ok {
				if other := call(x, unlock); other != nil && s.textOf(other) == name {
					_, d := x.(*ast.DeferStmt)
					deferred = deferred || d
					edits = append(edits, s.remove(x))
				}
			}
			return true
		})
		if !deferred {
			out = append(out, Fix{"FIX3", fmt.Sprintf("defer %s.%s", name, unlock), edits})
		}
	}
	return out
}

// copyVariable is FIX4.
func (s *Source) copyVariable(places []report.Place) (out []Fix) {
	for _, p := range places {
		if p.Role != report.Access || p.Kind.IsWrite() {
			continue // what a goroutine writes into a copy is lost
		}
		path := s.pathAt(p.Pos)
		lit, at := enclosing[*ast.FuncLit](path)
		if lit == nil {
			continue
		}
		start, ok := starts(path[at:])
		if !ok {
			continue
		}
		_, list := statement(path[at:])
		var names []string
		for _, n := range path[:at] {
			ast.Inspect(n, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				if !ok || slices.Contains(names, id.Name) || s.fset.Position(id.Pos()).Line != p.Pos.Line {
					return true
				}
				v, ok := s.info.Uses[id].(*types.Var)
				if ok && !v.IsField() && copies(v.Type()) && v.Parent() != nil && v.Parent() != v.Pkg().Scope() && (v.Pos() < lit.Pos() || v.Pos() > lit.End()) {
					names = append(names, id.Name)
					if f, ok := s.copyOf(v, lit, start, list); ok {
						out = append(out, f)
					}
				}
				return true
			})
		}
	}
	return out
}

// copies reports whether a copy of a value of the type is as good as the value: a struct or an array may hold a lock.
func copies(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return false
	}
	return true
}

// copyOf gives a goroutine a copy of a variable. A declaration before the statement that starts it makes the copy or,
// where the variable is declared in the same block, a parameter does.
func (s *Source) copyOf(v *types.Var, lit *ast.FuncLit, start ast.Stmt, list []ast.Stmt) (Fix, bool) {
	name := v.Name()
	f := Fix{"FIX4", fmt.Sprintf("copy %s before the goroutine starts", name), nil}
	if !slices.ContainsFunc(list, func(st ast.Stmt) bool { return st.Pos() <= v.Pos() && v.Pos() < st.End() && declares(st, v.Pos()) }) {
		f.Edits = []Edit{s.edit(start.Pos(), start.Pos(), name+" := "+name+"\n")}
		return f, true
	}
	g, ok := start.(*ast.GoStmt)
	if !ok || len(lit.Type.Params.List) != len(g.Call.Args) {
		return Fix{}, false
	}
	param := name + " " + types.TypeString(v.Type(), func(p *types.Package) string {
		if p == v.Pkg() {
			return ""
		}
		return p.Name()
	})
	arg := name
	if len(g.Call.Args) > 0 {
		param, arg = ", "+param, ", "+arg
	}
	f.Edits = []Edit{s.edit(lit.Type.Params.Closing, lit.Type.Params.Closing, param), s.edit(g.Call.Rparen, g.Call.Rparen, arg)}
	return f, true
}

// declares reports whether a statement itself, and no block within it, declares what stands at pos.
func declares(st ast.Stmt, pos token.Pos) bool {
	inner := false
	ast.Inspect(st, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.BlockStmt, *ast.FuncLit, *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.SelectStmt:
			inner = inner || n.Pos() <= pos && pos < n.End()
		}
		return !inner
	})
	return !inner
}

// starts returns the statement that starts the function literal at the front of a path as a goroutine: go func() { …
// }() or wg.Go(func() { … }).
func starts(path []ast.Node) (ast.Stmt, bool) {
	for _, n := range path[1:] {
		switch n := n.(type) {
		case *ast.GoStmt:
			return n, true
		case *ast.ExprStmt:
			if c, ok := n.X.(*ast.CallExpr); ok {
				if sel, ok := c.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Go" {
					return n, true
				}
			}
			return nil, false
		case *ast.CallExpr, *ast.ParenExpr:
		default:
			return nil, false
		}
	}
	return nil, false
}

// addFirst is FIX5.
func (s *Source) addFirst(places []report.Place) (out []Fix) {
	seen := map[token.Pos]bool{}
	for _, p := range places {
		path := s.pathAt(p.Pos)
		for i, n := range path {
			lit, ok := n.(*ast.FuncLit)
			if !ok || len(lit.Body.List) == 0 || seen[lit.Pos()] {
				continue
			}
			seen[lit.Pos()] = true
			start, ok := starts(path[i:])
			if _, isGo := start.(*ast.GoStmt); !ok || !isGo {
				continue
			}
			for _, st := range lit.Body.List {
				x, ok := st.(*ast.ExprStmt)
				if !ok || call(x, "Add") == nil || !s.isWaitGroup(call(x, "Add")) {
					continue
				}
				out = append(out, Fix{"FIX5", "count the goroutine before it starts", []Edit{
					s.edit(start.Pos(), start.Pos(), s.textOf(x)+"\n"), s.remove(x),
				}})
				break
			}
		}
	}
	return out
}

func (s *Source) isWaitGroup(e ast.Expr) bool {
	t := s.info.TypeOf(e)
	return t != nil && strings.TrimPrefix(t.String(), "*") == "sync.WaitGroup"
}
