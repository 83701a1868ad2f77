package tables

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestTables compares what is read of the tables of the standard library with its syntax trees, and checks that nothing
// else of a file changes.
func TestTables(t *testing.T) {
	for file, want := range map[string][]string{
		"unicode/tables.go":                                     {"_Lu", "_Common", "caseOrbit"},
		"internal/strconv/pow10tab.go":                          {"pow10Tab"},
		"crypto/internal/fips140/aes/const.go":                  {"sbox0", "te0"},
		"vendor/golang.org/x/net/idna/tables15.0.0.go":          {"idnaValues", "idnaIndex", "idnaSparseValues"},
		"vendor/golang.org/x/text/unicode/norm/tables15.0.0.go": {"nfcValues", "decomps"},
		"crypto/internal/fips140/nistec/p256_table.go":          {"p256PrecomputedEmbed"},
		"encoding/json/encode.go":                               nil,
		"vendor/golang.org/x/text/unicode/bidi/tables15.0.0.go": {"bidiValues"},
		"crypto/des/const.go":                                   {"sBoxes"},
		"hash/crc32/crc32.go":                                   nil,
	} {
		text, err := os.ReadFile(filepath.Join(runtime.GOROOT(), "src", file))
		if err != nil {
			t.Fatal(err)
		}
		out, found := Take(text)
		checkTables(t, file, text, out, found)
		for _, name := range want {
			if !slices.ContainsFunc(found, func(t Table) bool { return t.Var == name }) {
				t.Errorf("%s: the table %s is not taken out", file, name)
			}
		}
	}
}

func checkTables(t *testing.T, file string, text, out []byte, found []Table) {
	t.Helper()
	fset := token.NewFileSet()
	before, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	after, err := parser.ParseFile(fset, file, out, parser.SkipObjectResolution)
	if err != nil {
		t.Errorf("%s: what is left does not parse: %v", file, err)
		return
	}
	if len(text) != len(out) || strings.Count(string(text), "\n") != strings.Count(string(out), "\n") || len(before.Decls) != len(after.Decls) {
		t.Errorf("%s: positions have changed", file)
		return
	}
	n := 0
	for i, d := range after.Decls {
		b := before.Decls[i]
		if offset(fset, d.Pos()) != offset(fset, b.Pos()) {
			t.Errorf("%s: declaration %d has moved", file, i)
		}
		name, value := variable(b)
		if n == len(found) || name == "" || name != found[n].Var {
			if offset(fset, d.End()) != offset(fset, b.End()) {
				t.Errorf("%s: declaration %d has another end", file, i)
			}
			continue
		}
		table := found[n]
		n++
		var want literal
		want.of(value)
		if got := written(&table); got != want.String() {
			t.Errorf("%s: %s reads\n%.300s\nwant\n%.300s", file, name, got, want.String())
		}
		spec := d.(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
		if typ := declared(value, table.Steps); spec.Values != nil || render(spec.Type) != typ {
			t.Errorf("%s: %s has the type %s, want %s", file, name, render(spec.Type), typ)
		}
	}
	if n != len(found) {
		t.Errorf("%s: %d of %d tables are variables of the file, in its order", file, n, len(found))
	}
}

func offset(fset *token.FileSet, p token.Pos) int { return fset.Position(p).Offset }

// variable returns the name and the value of the declaration of one variable.
func variable(d ast.Decl) (string, ast.Expr) {
	if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR && len(g.Specs) == 1 {
		if s := g.Specs[0].(*ast.ValueSpec); len(s.Names) == 1 && len(s.Values) == 1 {
			return s.Names[0].Name, s.Values[0]
		}
	}
	return "", nil
}

// declared is the type of a composite literal, or of a pointer to one.
func declared(e ast.Expr, steps []Step) string {
	if u, ok := e.(*ast.UnaryExpr); ok {
		return "*" + render(u.X.(*ast.CompositeLit).Type)
	}
	return strings.Replace(render(e.(*ast.CompositeLit).Type), "...", fmt.Sprint(steps[0].N), 1)
}

// render writes a type.
func render(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return "*" + render(e.X)
	case *ast.Ellipsis:
		return "..."
	case *ast.BasicLit:
		return e.Value
	case *ast.ArrayType:
		if e.Len == nil {
			return "[]" + render(e.Elt)
		}
		return "[" + render(e.Len) + "]" + render(e.Elt)
	}
	return fmt.Sprintf("%T", e)
}

// A literal is a composite literal written without its types.
type literal struct{ strings.Builder }

func (l *literal) of(e ast.Expr) {
	switch e := e.(type) {
	case *ast.BasicLit:
		l.WriteString(constant.ToInt(constant.MakeFromLiteral(e.Value, e.Kind, 0)).ExactString())
	case *ast.UnaryExpr:
		if e.Op == token.SUB {
			l.WriteString("-")
		} else {
			l.WriteString("&")
		}
		l.of(e.X)
	case *ast.KeyValueExpr:
		if id, ok := e.Key.(*ast.Ident); ok {
			l.WriteString(id.Name)
		} else {
			l.of(e.Key)
		}
		l.WriteString(":")
		l.of(e.Value)
	case *ast.CompositeLit:
		l.WriteString("{")
		for _, x := range e.Elts {
			l.of(x)
			l.WriteString(",")
		}
		l.WriteString("}")
	default:
		fmt.Fprintf(l, "%T", e)
	}
}

// written writes a table as a literal.
func written(t *Table) string {
	var b strings.Builder
	var open []int // elements so far of the literals that we are in
	ended := func() {
		if len(open) > 0 {
			b.WriteString(",")
		}
	}
	for _, s := range t.Steps {
		switch s.Kind {
		case IntStep:
			if int64(s.N) < 0 && int64(s.N) > -1<<31 {
				fmt.Fprint(&b, int64(s.N))
			} else {
				fmt.Fprint(&b, s.N)
			}
			ended()
		case BeginStep:
			b.WriteString("{")
			open = append(open, 0)
		case EndStep:
			b.WriteString("}")
			open = open[:len(open)-1]
			ended()
		case PointerStep:
			b.WriteString("&")
		case IndexStep:
			fmt.Fprint(&b, s.N, ":")
		case FieldStep:
			b.WriteString(t.Fields[s.N] + ":")
		}
	}
	return b.String()
}

// TestQuotedTable checks that a table in a raw string is left there.
func TestQuotedTable(t *testing.T) {
	text := "package p\n\nconst x = `\nvar y = []int{" + strings.Repeat("1, ", tableSize) + "}\n`\n"
	out, found := Take([]byte(text))
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", out, parser.SkipObjectResolution)
	if err == nil && Declared(f, found) {
		t.Errorf("a table is taken out of a string:\n%s", out)
	}
}

// TestNoTables checks that what is no table stays as it is.
func TestNoTables(t *testing.T) {
	row := strings.Repeat("1, ", 2*tableSize)
	for _, decl := range []string{
		"var x = []int{" + row + "f()}",
		"var x = []int{" + row + "c}",
		"var x = []int{" + row + "1 + 1}",
		"var x = []int{" + row + "1.0}",
		"var x = []int{" + row + "c: 1, c}",
		"var x = []any{" + row + `"a"}`,
		"var x = []int{" + row + "}[3]",
		"var x = []int{" + row + "}[:3]",
		"var x = map[int]int{" + strings.Repeat("1: 1, ", tableSize) + "}",
		"var x = []struct{ a int }{{" + "1}, {" + strings.Repeat("1}, {", tableSize) + "1}}",
		"var x, y = []int{" + row + "}, 1",
		"var x []int = []int{" + row + "}",
		"var x = &[...]int{" + row + "}",
		"var _ = []int{" + row + "}",
		"var x = []int{" + strings.Repeat("1, ", tableSize-1) + "}",
		"var x = []q.T{" + row + "}",
		"var x = f([]int{" + row + "})",
		"const x = `\nvar x = []int{" + row + "`",
	} {
		text := []byte("package p\n\n" + decl + "\n\nvar z = 1\n")
		if out, found := Take(text); len(found) > 0 || string(out) != string(text) {
			t.Errorf("a table is taken out of\n%.100s…\n%q", decl, out)
		}
	}
	for decl, want := range map[string]string{
		"var x = []T{" + strings.Repeat("{1, -2}, ", tableSize) + "}":       "var x   []T",
		"var x = &T{a: []int{3: " + row + "}, b: 'x'}":                      "var x   *T",
		"var x = [...]int{" + strings.Repeat("1, ", 99) + "300: 1}":         "var x   [301]int",
		"var longer = [...]int{" + strings.Repeat("1, ", 99) + "999999: 1}": "",
	} {
		text := []byte("package p\n\n" + decl + "\n\nvar z = 1\n")
		out, found := Take(text)
		if line := strings.TrimRight(strings.Split(string(out), "\n")[2], " "); want != "" && (len(found) != 1 || line != want) || want == "" && len(found) > 0 {
			t.Errorf("%.40s…: %d tables, %q is left, want %q", decl, len(found), line, want)
		}
		checkTables(t, decl[:20], text, out, found)
	}
}
