package analysistest_test

import (
	"testing"

	"github.com/heddle-go/heddle/analysistest"
	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/passes"
	"github.com/heddle-go/heddle/passes/exploration"
)

// TestNetwork shows that planted bugs of clients and servers over the loopback network are found, and that the repaired
// ones are explored to the end without a finding. icb comes to the limit of work in one entry (TestLostResponse), and
// those by formulas need minutes: they are left out.
func TestNetwork(t *testing.T) {
	eachExplorer(t, func(t *testing.T) { analysistest.RunAll(t, "testdata/network", passes.All, "./...") }, "icb", "mcr-s", "mcr-s+")
}

// TestPairs does so with servers of net/http.
func TestPairs(t *testing.T) {
	long.Only(t, "they load net/http, and need ten seconds")
	analysistest.RunAll(t, "testdata/pairs", passes.All, ".")
}

// TestTransport does so with clients with an http.Transport, one of which asks again after a reset. Samples of that one
// would need more work: each fault of the first run is tried.
func TestTransport(t *testing.T) {
	long.Only(t, "they need 15 seconds of processor time")
	setFlag(t, "limit.work", "150")
	analysistest.RunAll(t, "testdata/pairs", passes.All, "./transport")
	setFlag(t, "limit.work", "100")
	setFlag(t, "faults", "reset")
	analysistest.RunAll(t, "testdata/pairs", passes.All, "./again")
}

// TestFaults shows that what a client or server makes of one fault of the network is found, and that nothing is found
// in those that are prepared for it.
func TestFaults(t *testing.T) {
	setFlag(t, "faults", "all")
	analysistest.RunAll(t, "testdata/faults", passes.All, ".")
}

// TestFaultsAgain does so with clients that ask again, and with deadlines.
func TestFaultsAgain(t *testing.T) {
	long.Only(t, "they need six seconds")
	for pkg, faults := range map[string]string{"./retry": "reset", "./late": "late"} {
		setFlag(t, "faults", faults)
		analysistest.RunAll(t, "testdata/faults", passes.All, pkg)
	}
}

func setFlag(t *testing.T, name, value string) {
	f := exploration.Analyzer.Flags.Lookup(name)
	old := f.Value.String()
	if err := f.Value.Set(value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Value.Set(old) })
}
