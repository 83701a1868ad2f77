// Package mustexhaust is an example of a check of one's own on Heddle's explorer. docs/own-checks.md goes through it.
//
// A test whose comment has the line //heddle:exhaust is one that its authors rely on: every schedule of it is to be
// accounted for. The check reports it if that is not so, with the verdict.
package mustexhaust

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/mcrs/verdict"
	"github.com/heddle-go/heddle/passes/exploration"
)

// Analyzer reports tests that promise to be exhausted and are not.
var Analyzer = &analysis.Analyzer{
	Name:     "mustexhaust",
	Doc:      "report tests that say //heddle:exhaust and were not exhausted",
	Requires: []*analysis.Analyzer{exploration.Analyzer},
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	result := pass.ResultOf[exploration.Analyzer].(*exploration.Result)
	for i := range result.Entries {
		e := &result.Entries[i]
		v := e.Verdict()
		if v.Kind == verdict.Exhausted || !promises(e.Pos) {
			continue
		}
		// Positions of the explored program are not those of the pass: Pos maps one to the other.
		pass.Report(analysis.Diagnostic{
			Pos:     result.Pos(pass, e.Pos),
			Message: fmt.Sprintf("%s promises to be exhausted, and is %s", e.Name, v),
		})
	}
	return nil, nil
}

// promises reports whether the function declared at a position says //heddle:exhaust.
func promises(at token.Position) bool {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, at.Filename, nil, parser.ParseComments)
	if err != nil {
		return false // the package would not have been explored
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Doc == nil || fset.Position(fn.Name.Pos()).Offset != at.Offset {
			continue
		}
		for _, c := range fn.Doc.List {
			if c.Text == "//heddle:exhaust" {
				return true
			}
		}
	}
	return false
}
