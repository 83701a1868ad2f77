package analysistest_test

import (
	"testing"

	"github.com/heddle-go/heddle/analysistest"
	"github.com/heddle-go/heddle/passes"
)

// TestSkipped shows that a test that skips itself, or that was refused something, is not exhausted, whether it passes
// or not. Its verdict names what it was told of the environment.
func TestSkipped(t *testing.T) {
	eachExplorer(t, func(t *testing.T) { analysistest.RunAll(t, "testdata/skipped", passes.All, "./...") })
}
