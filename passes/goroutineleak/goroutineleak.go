package goroutineleak

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/passes/internal/analyzerdoc"
)

//go:embed doc.go
var doc string

// Analyzer reports the findings of category report.GoroutineLeak.
var Analyzer = &analysis.Analyzer{
	Name:     "goroutineleak",
	Doc:      analyzerdoc.MustExtract(doc, "goroutineleak"),
	URL:      "https://pkg.go.dev/github.com/heddle-go/heddle/passes/goroutineleak",
	Requires: []*analysis.Analyzer{exploration.Analyzer},
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	pass.ResultOf[exploration.Analyzer].(*exploration.Result).Report(pass, report.GoroutineLeak)
	return nil, nil
}
