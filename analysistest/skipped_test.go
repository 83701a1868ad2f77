package analysistest_test

import (
	"testing"

	"github.com/heddle-go/heddle/analysistest"
	"github.com/heddle-go/heddle/passes"
)

// TestSkipped: a test that skips itself, or that was refused something, is not exhausted, whether it passes or not, and its verdict names what it was
// told of the environment.
func TestSkipped(t *testing.T) {
	analysistest.RunAll(t, "testdata/skipped", passes.All, "./...")
}
