package analysistest_test

import (
	"testing"

	"github.com/heddle-go/heddle/analysistest"
	"github.com/heddle-go/heddle/passes"
)

// TestSleeps shows that sleeps of many goroutines are a sum, and that what they are not is found (RED24 of package
// reduce). Without the rule the first three entries use up a limit.
func TestSleeps(t *testing.T) {
	setFlag(t, "limit.work", "120")
	analysistest.RunAll(t, "testdata/sleeps", passes.All, ".")
}
