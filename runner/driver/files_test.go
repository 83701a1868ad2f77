package driver

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// TestDirect: a file without syntax has the places that the parser gives to each of its bytes.
func TestDirect(t *testing.T) {
	for _, text := range []string{
		"package p\n\nvar x = 1\n",
		"package p\n//line gen.y:10:3\nvar x = 1\n//line /abs/other.y:20\nvar y = 2\nvar z /*line in.y:7:1*/ = 3\n",
		"package p\n\nconst s = `\n//line no.y:5\n`\n // line no.y:6\nvar x = 1\n//line :30\nvar y = 1\n",
	} {
		want, got := token.NewFileSet(), token.NewFileSet()
		if _, err := parser.ParseFile(want, "/dir/p.go", text, parser.SkipObjectResolution); err != nil {
			t.Fatal(err)
		}
		f := got.AddFile("/dir/p.go", -1, len(text))
		f.SetLinesForContent([]byte(text))
		direct(f, []byte(text))
		parsed := want.File(1)
		for offset := range len(text) {
			if g, w := f.Position(f.Pos(offset)), parsed.Position(parsed.Pos(offset)); g != w {
				t.Fatalf("%q stands at %v, want %v", strings.TrimSpace(text[offset:]), g, w)
			}
		}
	}
}
