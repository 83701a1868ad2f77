package since

import (
	"go/ast"
	"go/parser"
	"go/token"

	"github.com/heddle-go/heddle/program/digest"
)

// A span is a range of lines, the last included.
type span struct{ from, to int }

// A declaration is one of a file, with what it says without comments and layout.
type declaration struct {
	span
	digest string
}

// declarations lists those of a file, as far as it can be parsed.
func declarations(text []byte) (out []declaration) {
	fset := token.NewFileSet()
	f, _ := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if f == nil {
		return nil
	}
	for _, d := range f.Decls {
		nodes := []ast.Node{d}
		if g, ok := d.(*ast.GenDecl); ok {
			nodes = nil
			for _, s := range g.Specs {
				nodes = append(nodes, s)
			}
		}
		for _, n := range nodes {
			at := span{fset.PositionFor(n.Pos(), false).Line, fset.PositionFor(n.End(), false).Line}
			out = append(out, declaration{at, digest.Syntax(n)})
		}
	}
	return out
}
