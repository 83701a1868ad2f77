package analysistest

import (
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
)

// TestLimits: what does not end by itself is Incomplete, with its reason and the line, and is no finding.
func TestLimits(t *testing.T) {
	want := map[string]struct {
		reason string
		line   int
	}{
		"TestForever":     {"limit of instructions reached", 13},
		"TestAllocates":   {"memory limit of 256 MiB reached", 22},
		"TestRecurses":    {"limit of stack reached: goroutine recurses without end", 29},
		"TestLacks":       {"unsupported function runtime.MemProfile, called by limits.TestLacks", 0},
		"TestEmptiesPool": {"unsupported function runtime.GC, which empties a sync.Pool", 0},
		"TestClocks":      {"the entry fails where readings of the clock by several goroutines come in the wrong order", 0},
		"TestReflects":    {"unsupported call of t.Failed by reflection", 0},
	}
	m, p := loadDir(t, "testdata/limits")
	for _, e := range p.Entries {
		x, err := explorers.New("")
		if err != nil {
			t.Fatal(err)
		}
		r := x.Explore(m.Entry(e), explore.Limits{Steps: 5_000_000, Work: 100_000_000})
		w, ok := want[e.Name]
		if !ok {
			t.Errorf("%s is not in the table", e.Name)
		}
		if r.Verdict != explore.Incomplete || !strings.HasPrefix(r.Reason, w.reason) || len(r.Findings) > 0 {
			t.Errorf("%s: %s: %q, %d findings; want incomplete: %q", e.Name, r.Verdict, r.Reason, len(r.Findings), w.reason)
		}
		if line := m.Position(r.ReasonSite).Line; w.line != 0 && line != w.line {
			t.Errorf("%s: line %d, want %d", e.Name, line, w.line)
		}
	}
}

// TestRefused: a test that fails after the machine has refused what a host may have is Incomplete, and no finding.
func TestRefused(t *testing.T) {
	refused := map[string]string{
		"TestNetwork":   "the network, asked for by refused.TestNetwork: refused, and then the entry failed",
		"TestPanics":    "the network, asked for by refused.TestPanics",
		"TestFile":      "files outside the package's folder (/etc/passwd), asked for by refused.TestFile",
		"TestFileAbove": "files outside the package's folder (../limits), asked for by refused.TestFileAbove",
		"TestProcess":   "files outside the package's folder (/usr), asked for by refused.TestProcess",
		"TestDeadlock":  "files outside the package's folder (/etc/passwd), asked for by refused.TestDeadlock",
		"TestLeak":      "files outside the package's folder (/etc/passwd), asked for by refused.TestLeak",
	}
	findings := map[string]int{"TestFileHere": 1, "TestTemporary": 1, "TestGoesOn": 0, "TestMade": 1}
	m, p := loadDirWith(t, "testdata/refused", machine.Config{Kernel: kernel.Config{Root: "testdata/refused", Env: []string{"PATH=/usr/bin"}}})
	for _, e := range p.Entries {
		x, err := explorers.New("")
		if err != nil {
			t.Fatal(err)
		}
		r := x.Explore(m.Entry(e), explore.Limits{})
		if reason, ok := refused[e.Name]; ok {
			if r.Verdict != explore.Incomplete || !strings.HasPrefix(r.Reason, reason) || len(r.Findings) > 0 || m.Position(r.ReasonSite).Line == 0 {
				t.Errorf("%s: %s: %q, %d findings; want incomplete: %q", e.Name, r.Verdict, r.Reason, len(r.Findings), reason)
			}
		} else if n, ok := findings[e.Name]; !ok || r.Verdict != explore.Exhausted || len(r.Findings) != n {
			t.Errorf("%s: %s: %q, %d findings; want exhausted, %d findings", e.Name, r.Verdict, r.Reason, len(r.Findings), n)
		}
	}
}
