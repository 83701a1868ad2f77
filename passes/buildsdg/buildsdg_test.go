package buildsdg_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/passes/buildsdg"
	"github.com/heddle-go/heddle/sdg"
)

// TestFacts: the effects of functions, which cross packages.
func TestFacts(t *testing.T) {
	results := analysistest.Run(t, analysistest.TestData(), buildsdg.Analyzer, "a", "b")
	for _, r := range results {
		if err := r.Result.(*sdg.System).Sanity(); err != nil {
			t.Error(err)
		}
	}
	// What Remember returns depends on what it was given, by way of memory that only package a sees.
	s := results[1].Result.(*sdg.System)
	var fn *ssa.Function
	for _, p := range s.Procedures {
		if p.Func.Name() == "Remember" {
			fn = p.Func
		}
	}
	param, _ := s.Node(fn.Params[0])
	if slice := s.Backward(s.Outcomes(fn)[0]); !sdg.Contains(slice, param) {
		t.Error("what a.Kept returns does not depend on what a.Keep was given")
	}
}
