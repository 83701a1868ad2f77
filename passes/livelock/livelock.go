package livelock

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/passes/internal/analyzerdoc"
)

//go:embed doc.go
var doc string

// Analyzer reports the findings of category report.Livelock.
var Analyzer = &analysis.Analyzer{
	Name:     "livelock",
	Doc:      analyzerdoc.MustExtract(doc, "livelock"),
	URL:      "https://pkg.go.dev/github.com/heddle-go/heddle/passes/livelock",
	Requires: []*analysis.Analyzer{exploration.Analyzer},
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	pass.ResultOf[exploration.Analyzer].(*exploration.Result).Report(pass, report.Livelock)
	return nil, nil
}
