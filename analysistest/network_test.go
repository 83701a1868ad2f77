package analysistest_test

import (
	"testing"

	"github.com/heddle-go/heddle/analysistest"
	"github.com/heddle-go/heddle/passes"
)

// TestNetwork shows that planted bugs of clients and servers over the loopback network are found, and that the repaired
// ones are explored to the end without a finding.
func TestNetwork(t *testing.T) {
	analysistest.RunAll(t, "testdata/network", passes.All, "./...")
}
