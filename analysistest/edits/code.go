package edits

import (
	"go/ast"
	"go/token"
	"strconv"
)

// This file has the kinds that change what functions do.

// bodies calls f with each node of the bodies of functions.
func bodies(s *source, f func(ast.Node)) {
	for _, d := range s.syntax.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				if n != nil {
					f(n)
				}
				return true
			})
		}
	}
}

// lists calls f with each list of statements.
func lists(s *source, f func([]ast.Stmt)) {
	bodies(s, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.BlockStmt:
			f(n.List)
		case *ast.CaseClause:
			f(n.Body)
		case *ast.CommClause:
			f(n.Body)
		}
	})
}

// deletions drop a statement.
func deletions(s *source) (out []Edit) {
	lists(s, func(list []ast.Stmt) {
		for _, x := range list {
			if a, ok := x.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
				continue // what it declares is used
			}
			out = append(out, s.replace(x, ""))
		}
	})
	return out
}

// repetitions do a statement twice.
func repetitions(s *source) (out []Edit) {
	lists(s, func(list []ast.Stmt) {
		for _, x := range list {
			switch x.(type) {
			case *ast.ExprStmt, *ast.SendStmt, *ast.IncDecStmt, *ast.GoStmt, *ast.DeferStmt:
				out = append(out, s.insert(s.offset(x.End()), "; "+s.textOf(x)))
			}
		}
	})
	return out
}

// swaps let two statements change places.
func swaps(s *source) (out []Edit) {
	lists(s, func(list []ast.Stmt) {
		for i := 1; i < len(list); i++ {
			a, b := list[i-1], list[i]
			start, end := s.offset(a.Pos()), s.offset(b.End())
			text := s.textOf(b) + s.text[s.offset(a.End()):s.offset(b.Pos())] + s.textOf(a)
			out = append(out, edit(change{file: s.name, start: start, end: end, text: text}))
		}
	})
	return out
}

// goes wrap a statement in a goroutine of its own, or take it out of one.
func goes(s *source) (out []Edit) {
	lists(s, func(list []ast.Stmt) {
		for _, x := range list {
			switch x := x.(type) {
			case *ast.GoStmt:
				out = append(out, s.replace(x, s.textOf(x.Call)))
			case *ast.ExprStmt:
				if _, ok := x.X.(*ast.CallExpr); ok {
					out = append(out, s.insert(s.offset(x.Pos()), "go "))
				}
			}
		}
	})
	return out
}

// dead adds a statement that never does anything.
func dead(s *source) (out []Edit) {
	lists(s, func(list []ast.Stmt) {
		for _, x := range list {
			out = append(out, s.insert(s.offset(x.Pos()), "if false { panic(\"edited\") }; "))
		}
	})
	return out
}

// opposites are what operators are exchanged for.
var opposites = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR, token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.ADD: token.SUB, token.SUB: token.ADD, token.LAND: token.LOR, token.LOR: token.LAND, token.MUL: token.ADD,
}

// operators exchange an operator, or negate a condition.
func operators(s *source) (out []Edit) {
	bodies(s, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if other, ok := opposites[n.Op]; ok {
				at := s.offset(n.OpPos)
				out = append(out, edit(change{file: s.name, start: at, end: at + len(n.Op.String()), text: other.String()}))
			}
		case *ast.IfStmt:
			out = append(out, s.replace(n.Cond, "!("+s.textOf(n.Cond)+")"))
		}
	})
	return out
}

// otherLiteral is another literal of the same kind, "" if there is none.
func otherLiteral(x *ast.BasicLit) string {
	switch x.Kind {
	case token.INT:
		if n, err := strconv.Atoi(x.Value); err == nil {
			return strconv.Itoa(n + 1)
		}
	case token.STRING:
		if text, err := strconv.Unquote(x.Value); err == nil {
			return strconv.Quote(text + "x")
		}
	}
	return ""
}

// literals change a number or a text in a function.
func literals(s *source) (out []Edit) {
	bodies(s, func(n ast.Node) {
		if x, ok := n.(*ast.BasicLit); ok {
			if other := otherLiteral(x); other != "" {
				out = append(out, s.replace(x, other))
			}
		}
	})
	return out
}

// specs calls f with the specifications of declarations at the top of a file.
func specs(s *source, tok token.Token, f func(*ast.GenDecl, ast.Spec)) {
	for _, d := range s.syntax.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == tok {
			for _, x := range g.Specs {
				f(g, x)
			}
		}
	}
}

// values change a literal of constants, or of variables.
func values(tok token.Token) func(*source) []Edit {
	return func(s *source) (out []Edit) {
		specs(s, tok, func(_ *ast.GenDecl, spec ast.Spec) {
			ast.Inspect(spec, func(n ast.Node) bool {
				if x, ok := n.(*ast.BasicLit); ok && otherLiteral(x) != "" {
					out = append(out, s.replace(x, otherLiteral(x)))
				}
				return true
			})
		})
		return out
	}
}

// hides declares a function with the name of a universal one.
func hides(s *source) []Edit {
	if s.has("func len(") || !s.isTest() {
		return nil
	}
	return []Edit{s.insert(len(s.text), "\nfunc len[T any](T) int { return 2 }\n")}
}

// tests add a test, or rename one, or take one away.
func tests(s *source) (out []Edit) {
	if !s.isTest() {
		return nil
	}
	for _, d := range s.syntax.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || len(fn.Name.Name) < 5 || fn.Name.Name[:4] != "Test" || fn.Body == nil {
			continue
		}
		out = append(out, s.replace(fn.Name, fn.Name.Name+"X"), s.replace(fn.Name, "x"+fn.Name.Name))
		if len(fn.Type.Params.List) == 1 && len(fn.Type.Params.List[0].Names) == 1 {
			t := fn.Type.Params.List[0].Names[0].Name
			out = append(out, s.insert(s.offset(fn.Body.Lbrace)+1, t+".Parallel(); "))
			again := "\nfunc " + fn.Name.Name + "Again" + s.textOf(fn.Type)[len("func"):] + " " + s.textOf(fn.Body) + "\n"
			if !s.has(fn.Name.Name + "Again") {
				out = append(out, s.insert(len(s.text), again))
			}
		}
	}
	return out
}
