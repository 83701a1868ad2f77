package program

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// TestBlankBodies shows that what is left of package runtime without its bodies is what dropBodies leaves: the same
// declarations at the same places.
func TestBlankBodies(t *testing.T) {
	keep := func(name string) bool {
		return strings.Contains(name, "Error") || name == "(*mheap).init" || name == "plainError.RuntimeError" || name == "GC"
	}
	files, err := filepath.Glob(filepath.Join(runtime.GOROOT(), "src", "runtime", "*.go"))
	if err != nil || len(files) < 100 {
		t.Fatal(len(files), err)
	}
	dropped := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		short := bytes.Clone(text)
		blankBodies(short, func(head string) bool { return keep(headName(head)) })
		dropped += len(text) - len(strings.Join(strings.Fields(string(short)), " "))
		want, got := declarations(t, file, text, keep), declarations(t, file, short, keep)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %d declarations, want %d", file, len(got), len(want))
		}
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Errorf("%s: %v, want %v", file, got[i], want[i])
				break
			}
		}
	}
	if dropped < 1<<20 {
		t.Errorf("only %d bytes of package runtime were dropped", dropped)
	}
}

type declaration struct {
	name string
	pos  token.Pos
	body bool
	end  token.Pos // of the body, if it is kept
}

func declarations(t *testing.T, file string, text []byte, keep func(string) bool) (out []declaration) {
	f, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	dropBodies(f, keep)
	for _, d := range f.Decls {
		x := declaration{pos: d.Pos()}
		switch d := d.(type) {
		case *ast.FuncDecl:
			x.name = declName(d)
			if x.body = d.Body != nil; x.body {
				x.end = d.End()
			}
		case *ast.GenDecl:
			x.name, x.end = d.Tok.String(), d.End()
		}
		out = append(out, x)
	}
	return out
}

func TestBlankBodiesOfOtherLayouts(t *testing.T) {
	for _, text := range []string{
		"package p\n\nfunc f() { // why\n\tif true {\n\t}\n}\n",
		"package p\n\nfunc f() string {\n\treturn `\n}\n`\n}\n",
		"package p\n\nfunc f() {}\n\nvar x = func() {\n}\n",
		"package p\n\nfunc f(\n\tx int,\n) {\n\tx++\n}\n",
		"package p\n\nfunc f()\n\nvar y = struct{}{\n}\n",
	} {
		none := func(string) bool { return false }
		short := []byte(text)
		blankBodies(short, none)
		if _, err := parser.ParseFile(token.NewFileSet(), "f.go", short, parser.SkipObjectResolution); err != nil {
			continue // the text is read whole
		}
		if got, want := declarations(t, "f.go", short, none), declarations(t, "f.go", []byte(text), none); !reflect.DeepEqual(got, want) {
			t.Errorf("%q\nis taken for %q", text, short)
		}
	}
}
