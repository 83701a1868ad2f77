package datarace

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/passes/internal/analyzerdoc"
)

//go:embed doc.go
var doc string

// Analyzer reports the findings of category report.DataRace.
var Analyzer = &analysis.Analyzer{
	Name:     "datarace",
	Doc:      analyzerdoc.MustExtract(doc, "datarace"),
	URL:      "https://pkg.go.dev/github.com/heddle-go/heddle/passes/datarace",
	Requires: []*analysis.Analyzer{exploration.Analyzer},
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	pass.ResultOf[exploration.Analyzer].(*exploration.Result).Report(pass, report.DataRace)
	return nil, nil
}
