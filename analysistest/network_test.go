package analysistest_test

import (
	"testing"

	"github.com/heddle-go/heddle/analysistest"
	"github.com/heddle-go/heddle/passes"
)

// TestNetwork: planted bugs of clients and servers over the loopback network are found, and nothing is in the repaired ones, to the end of all
// interleavings.
func TestNetwork(t *testing.T) {
	analysistest.RunAll(t, "testdata/network", passes.All, "./...")
}
