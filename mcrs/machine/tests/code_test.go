package tests

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

func TestUsesCode(t *testing.T) {
	cases := []struct {
		body string
		want bool
	}{
		{"os.Exit(m.Run())", false},
		{"m.Run()", false},
		{"code := m.Run(); println(); os.Exit(code)", false},
		{"var code int; code = (m.Run)(); os.Exit((code))", false},
		{"_ = m.Run()", false},
		{"func() { defer println(); os.Exit(m.Run()) }()", false},
		{"", false},
		{"if m.Run() != 0 { println() }", true},
		{"code := m.Run(); if code == 0 { println() }; os.Exit(code)", true},
		{"run := m.Run; os.Exit(run())", true},
		{"other(m)", true},
		{"Code = m.Run(); os.Exit(Code)", true},
		{"exit := os.Exit; exit(m.Run())", true},
		{"code := m.Run(); defer func() { println(code) }()", true},
	}
	text := "package p\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nvar Code int\n\nfunc other(m *testing.M) { os.Exit(m.Run()) }\n"
	for i, c := range cases {
		text += fmt.Sprintf("\nfunc Main%d(m *testing.M) { %s }\n", i, c.body)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	if _, err := (&types.Config{Importer: importer.ForCompiler(fset, "source", nil)}).Check("p", fset, []*ast.File{f}, info); err != nil {
		t.Fatal(err)
	}
	decls := f.Decls[len(f.Decls)-len(cases):]
	for i, c := range cases {
		if got := usesCode(decls[i].(*ast.FuncDecl), info); got != c.want {
			t.Errorf("%s: %t", c.body, got)
		}
	}
}
