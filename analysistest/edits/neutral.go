package edits

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"strings"
)

// This file has the kinds that change no answer, and the table of all.

// comments adds a comment at the end of a line of code.
func comments(s *source) (out []Edit) {
	lists(s, func(list []ast.Stmt) {
		for _, x := range list {
			end := s.lineEnd(x.End())
			if rest := s.text[s.offset(x.End()):end]; rest == "" {
				out = append(out, s.insert(end, " // edited"))
			}
		}
	})
	return out
}

// lines adds a comment on a line of its own, before a declaration or a statement.
func lines(s *source) (out []Edit) {
	for _, d := range s.syntax.Decls {
		if _, ok := d.(*ast.FuncDecl); ok && commentOf(d) == nil {
			out = append(out, s.insert(s.offset(d.Pos()), "// edited\n"))
		}
	}
	lists(s, func(list []ast.Stmt) {
		for _, x := range list {
			if at := s.offset(x.Pos()); strings.TrimSpace(s.text[strings.LastIndexByte(s.text[:at], '\n')+1:at]) == "" {
				out = append(out, s.insert(at, "\n\n// edited\n"))
			}
		}
	})
	return out
}

func commentOf(d ast.Decl) *ast.CommentGroup {
	if fn, ok := d.(*ast.FuncDecl); ok {
		return fn.Doc
	}
	return nil
}

// unused adds a function that nobody calls.
func unused(s *source) []Edit {
	return []Edit{s.insert(len(s.text), fmt.Sprintf("\nfunc edited%d(x int) int { return x + 1 }\n", len(s.text)))}
}

// unusedTypes add a type that nothing refers to.
func unusedTypes(s *source) []Edit {
	name := fmt.Sprint("edited", len(s.text))
	return []Edit{
		s.insert(len(s.text), "\ntype "+name+" struct{ a, b int }\n"),
		s.insert(len(s.text), "\ntype "+name+" int\n\nfunc ("+name+") String() string { return \"edited\" }\n"),
	}
}

// unusedFirst adds one before all others, which moves their lines.
func unusedFirst(s *source) (out []Edit) {
	for _, d := range s.syntax.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Doc == nil {
			out = append(out, s.insert(s.offset(d.Pos()), fmt.Sprintf("func edited%d(x int) int { return x + 1 }\n\n", len(s.text))))
			break
		}
	}
	return out
}

// unusedFile adds a file with a function that nobody calls.
func unusedFile(t Tree, folders []string) (out []Edit) {
	for _, s := range t.parse(folders) {
		name := strings.TrimSuffix(s.name, ".go") + "_more.go"
		if _, ok := t[name]; !ok && !s.isTest() {
			text := fmt.Sprintf("package %s\n\nfunc edited%d() int { return 1 }\n", s.syntax.Name.Name, len(s.text))
			out = append(out, edit(change{file: name, text: text}))
		}
	}
	return out
}

// layouts write a file as gofmt does; or with the arguments of a call on lines of their own.
func layouts(s *source) (out []Edit) {
	if text, err := format.Source([]byte(s.text)); err == nil {
		out = append(out, edit(change{file: s.name, end: len(s.text), text: string(text)}))
	}
	bodies(s, func(n ast.Node) {
		if x, ok := n.(*ast.CallExpr); ok && len(x.Args) > 0 && !x.Ellipsis.IsValid() {
			text := s.text[s.offset(x.Lparen):s.offset(x.Rparen)]
			if !strings.Contains(text, "\n") && !strings.Contains(text, "//") {
				first := s.offset(x.Args[0].Pos())
				out = append(out, s.insert(first, "\n\t"))
			}
		}
	})
	return out
}

// orders let two functions of a file change places, where none of them is a test or an init function, which have an
// order.
func orders(s *source) (out []Edit) {
	free := func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn.Doc == nil && fn.Name.Name != "init" && (!s.isTest() || fn.Recv != nil || fn.Name.Name[0] >= 'a')
	}
	decls := s.syntax.Decls
	for i := 1; i < len(decls); i++ {
		if a, b := decls[i-1], decls[i]; free(a) && free(b) {
			between := s.text[s.offset(a.End()):s.offset(b.Pos())]
			if strings.TrimSpace(between) != "" {
				continue // a comment
			}
			out = append(out, edit(change{file: s.name, start: s.offset(a.Pos()), end: s.offset(b.End()), text: s.textOf(b) + between + s.textOf(a)}))
		}
	}
	return out
}

// quietModules change go.mod where no program can tell.
func quietModules(t Tree, _ []string) []Edit {
	text := t["go.mod"]
	return []Edit{
		edit(change{file: "go.mod", start: 0, text: "// edited\n"}),
		edit(change{file: "go.mod", start: len(text), end: len(text), text: fmt.Sprintf("\nretract v0.0.%d\n", len(text))}),
	}
}

// quietConstraints add a build constraint that is met, and says nothing of a version.
func quietConstraints(s *source) []Edit {
	if strings.Contains(s.text, "//go:build") {
		return nil
	}
	return []Edit{s.insert(0, "//go:build linux\n\n")}
}

// kinds has all of them.
var kinds = []kind{
	{name: "statement deleted", weight: 6, offer: deletions},
	{name: "statement repeated", weight: 6, offer: repetitions},
	{name: "statements swapped", weight: 6, offer: swaps},
	{name: "goroutine", weight: 4, offer: goes},
	{name: "dead code", weight: 3, offer: dead},
	{name: "operator", weight: 5, offer: operators},
	{name: "literal", weight: 6, offer: literals},
	{name: "constant", weight: 5, offer: values(token.CONST)},
	{name: "initialiser", weight: 4, offer: values(token.VAR)},
	{name: "variable or init", weight: 5, offer: initialisers},
	{name: "field", weight: 5, offer: fields},
	{name: "width", weight: 3, offer: widths},
	{name: "method", weight: 6, offer: methods},
	{name: "hidden universe", weight: 1, offer: hides},
	{name: "test", weight: 5, offer: tests},
	{name: "embed", weight: 4, tree: embeds},
	{name: "go.mod", weight: 5, tree: modules},
	{name: "build constraint", weight: 4, tree: constraints},
	{name: "file renamed", weight: 2, tree: renames},
	{name: "declaration moved", weight: 5, tree: movedDecls},
	{name: "folder moved", weight: 2, tree: movedFolders},

	{name: "comment", neutral: true, weight: 4, offer: comments},
	{name: "unused function", neutral: true, weight: 4, offer: unused},
	{name: "unused type", neutral: true, weight: 3, offer: unusedTypes},
	{name: "unused file", neutral: true, weight: 2, tree: unusedFile},
	{name: "comment in go.mod", neutral: true, weight: 2, tree: quietModules},
	{name: "comment on a line", neutral: true, moves: true, weight: 4, offer: lines},
	{name: "unused function before", neutral: true, moves: true, weight: 2, offer: unusedFirst},
	{name: "layout", neutral: true, moves: true, weight: 4, offer: layouts},
	{name: "functions in another order", neutral: true, moves: true, weight: 3, offer: orders},
	{name: "constraint that is met", neutral: true, moves: true, weight: 2, offer: quietConstraints},
}
