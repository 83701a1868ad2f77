package panics

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/passes/internal/analyzerdoc"
)

//go:embed doc.go
var doc string

// Analyzer reports the findings of category report.Panics.
var Analyzer = &analysis.Analyzer{
	Name:     "panics",
	Doc:      analyzerdoc.MustExtract(doc, "panics"),
	URL:      "https://pkg.go.dev/github.com/heddle-go/heddle/passes/panics",
	Requires: []*analysis.Analyzer{exploration.Analyzer},
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	pass.ResultOf[exploration.Analyzer].(*exploration.Result).Report(pass, report.Panics)
	return nil, nil
}
