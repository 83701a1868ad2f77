package exploration

import (
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/passes/baseline"
	"github.com/heddle-go/heddle/passes/suppress"
)

// edit changes the source of the fake program for one test.
func edit(t *testing.T, old, new string) {
	t.Helper()
	before := source
	t.Cleanup(func() { source = before })
	if source = strings.Replace(source, old, new, 1); source == before {
		t.Fatalf("the source has no %q", old)
	}
}

// Comments suppress findings at their lines, and those without use are reported if nothing was left unexplored.
func TestComments(t *testing.T) {
	const unused = "this comment suppresses nothing: every entry of the package is exhausted, and no such finding is here"
	for _, tt := range []struct {
		name, old, new       string
		reported, suppressed int
		diagnostic           string
	}{
		{"its line", "n++ }", "n++ } //nolint:heddle // known", 0, 1, ""},
		{"its check", "n++ }", "n++ } //nolint:datarace", 0, 1, ""},
		{"another check", "n++ }", "n++ } //nolint:deadlock", 1, 0, unused},
		{"its function", "func add()", "//nolint:heddle // known\nfunc add()", 0, 1, ""},
		{"another function", "func TestA", "//nolint:heddle\nfunc TestA", 1, 0, unused},
		{"its file", "package p", "//nolint:heddle\npackage p", 0, 1, ""},
		{"its file, staticcheck's way", "var n int", "var n int\n//lint:file-ignore heddle/datarace known", 0, 1, ""},
		{"staticcheck's way", "n++ }", "n++ } //lint:ignore heddle/datarace known", 0, 1, ""},
		{"without a reason", "n++ }", "n++ } //lint:ignore heddle/datarace", 1, 0, "this comment suppresses nothing: it has no reason: //lint:ignore CHECK REASON"},
		{"no such check", "n++ }", "n++ } //lint:ignore heddle/datarce known", 1, 0, "this comment names datarce, which is no check (heddle help lists them)"},
		{"every linter's", "n++ }", "n++ } //nolint", 0, 1, ""},
		{"every linter's, elsewhere", "var n int", "var n int //nolint", 1, 0, ""},
		{"another linter's", "n++ }", "n++ } //nolint:errcheck", 1, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			edit(t, tt.old, tt.new)
			res, diags, _ := explored(t, race)
			suppressed, known := res.Accepted(report.DataRace)
			if n := len(res.Reports(report.DataRace)); n != tt.reported || len(suppressed) != tt.suppressed || len(known) != 0 {
				t.Errorf("%d reported, %d suppressed, %d known, want %d, %d and 0", n, len(suppressed), len(known), tt.reported, tt.suppressed)
			}
			var got string
			for _, d := range diags {
				got += d.Message
			}
			if got != tt.diagnostic {
				t.Errorf("reported %q, want %q", got, tt.diagnostic)
			}
		})
	}
}

// Where an entry was not explored to its end, or not at all, a comment may yet have its use.
func TestCommentsMayYetBeOfUse(t *testing.T) {
	edit(t, "n++ }", "n++ } //nolint:deadlock")
	sampled := func() *explore.Result {
		r := race()
		r.Verdict = explore.Incomplete
		return r
	}
	if _, diags, _ := explored(t, sampled); len(diags) != 0 {
		t.Errorf("with a limit: %v", diags)
	}
	setFlag(t, "run", "TestA")
	if _, diags, _ := explored(t, race); len(diags) != 0 {
		t.Errorf("with -run: %v", diags)
	}
}

// A fault of Heddle cannot be suppressed, and a driver that honours comments itself sees every finding.
func TestCommentsThatAreNotHonoured(t *testing.T) {
	edit(t, "package p", "//nolint:heddle\npackage p")
	broken := func() *explore.Result { panic("broken") }
	if res, diags, _ := explored(t, broken); len(diags) != 2 || len(res.Reports(report.Internal)) == 0 {
		t.Errorf("a fault of Heddle: %v", diags)
	}
	DriverHonours = (*suppress.Directive).NamesLinter
	t.Cleanup(func() { DriverHonours = nil })
	if res, _, _ := explored(t, race); len(res.Reports(report.DataRace)) != 1 {
		t.Error("a finding is suppressed by a comment that the driver honours")
	}
	edit(t, "//nolint:heddle\npackage p", "//nolint:datarace\npackage p")
	if res, _, _ := explored(t, race); len(res.Reports(report.DataRace)) != 0 {
		t.Error("a finding is not suppressed by a comment that names its check")
	}
}

// What the baseline has is not reported, wherever it has moved; a further finding is.
func TestBaseline(t *testing.T) {
	res, _, _ := explored(t, race)
	Baseline = new(baseline.File)
	t.Cleanup(func() { Baseline = nil })
	rep := res.Reports(report.DataRace)[0]
	Baseline.Add(rep.Fingerprint(), "datarace", "example.com/p", rep.Message)
	edit(t, "var n int", "// n is moved.\n\nvar n int")
	two := func() *explore.Result {
		r := race()
		r.Findings = append(r.Findings, report.Finding{Category: report.Panics, Witness: &trace.Trace{
			Threads: r.Findings[0].Witness.Threads, Failing: trace.Failing{Panic: "panic: no"}, Events: r.Findings[0].Witness.Events,
		}, Events: []int{0}, Threads: []int{0}})
		return r
	}
	res, _, _ = explored(t, two)
	for range 2 { // however often it is asked
		if _, known := res.Accepted(report.DataRace); len(res.Reports(report.DataRace)) != 0 || len(known) != 1 {
			t.Errorf("%d reported, %d known", len(res.Reports(report.DataRace)), len(known))
		}
	}
	if n := len(res.Reports(report.Panics)); n != 1 {
		t.Errorf("%d panics are reported, want 1", n)
	}
}

// An entry that the configuration leaves out is not explored, and says why. The limits of a package replace those of
// the flags.
func TestLeftOutEntriesAndTheirLimits(t *testing.T) {
	var limits []explore.Limits
	t.Cleanup(func() { SpecialOf = nil })
	SpecialOf = func(pkg, dir, entry string) Special {
		if pkg != "example.com/p" || dir == "" {
			t.Errorf("asked for %s in %q", pkg, dir)
		}
		if entry == "TestB" {
			return Special{Skip: "skipped by heddle.yaml: it takes hours"}
		}
		return Special{Executions: 7, Memory: 3, Timing: "off"}
	}
	setFlag(t, "limit.executions", "5")
	setFlag(t, "limit.events", "6")
	res, _, _ := exploredBy(t, func(l explore.Limits) *explore.Result { limits = append(limits, l); return race() })
	if len(limits) != 1 || limits[0].Executions != 7 || limits[0].Events != 6 || limits[0].Memory != 3<<20 {
		t.Errorf("explored with %+v", limits)
	}
	if v := res.Entries[1].Verdict(); v.String() != "not explored: skipped by heddle.yaml: it takes hours" {
		t.Errorf("the verdict is %s", v)
	}
}
