package passes

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

func TestAnalyzersAreValid(t *testing.T) {
	if err := analysis.Validate(All); err != nil {
		t.Fatal(err)
	}
	if !slices.IsSortedFunc(All, func(a, b *analysis.Analyzer) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("All is not sorted by name: its order is that of the output")
	}
}

// Each check shows what it complains of and how to do it right.
func TestChecksHaveExamples(t *testing.T) {
	for _, a := range All {
		if a.Name == "exploration" {
			continue
		}
		for _, word := range []string{"// WRONG", "// RIGHT"} {
			if !strings.Contains(a.Doc, word) {
				t.Errorf("the documentation of %s lacks %s", a.Name, word)
			}
		}
		if title, _, _ := strings.Cut(a.Doc, "\n"); len(title) > 80 {
			t.Errorf("the first line of %s's documentation is longer than 80 characters: %s", a.Name, title)
		}
	}
}
