package robustness

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/passes/internal/analyzerdoc"
)

//go:embed doc.go
var doc string

// Analyzer reports the findings of category report.Robustness. There are some only if the driver has had exploration
// look for them (exploration.Ask).
var Analyzer = &analysis.Analyzer{
	Name:     "robustness",
	Doc:      analyzerdoc.MustExtract(doc, "robustness"),
	URL:      "https://pkg.go.dev/github.com/heddle-go/heddle/passes/robustness",
	Requires: []*analysis.Analyzer{exploration.Analyzer},
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	pass.ResultOf[exploration.Analyzer].(*exploration.Result).Report(pass, report.Robustness)
	return nil, nil
}
