package runner

import (
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/verdict"
	"github.com/heddle-go/heddle/passes/exploration"
)

// Verdicts stand below each other; a very long name shifts its own line only.
func TestColumns(t *testing.T) {
	long := "TestWithANameThatIsLongerThanAnyColumnShouldBe"
	column := nameColumn([]string{"TestA", "TestPool", "TestÄ", long})
	for _, test := range []struct {
		row  row
		want string
	}{
		{row{"TestA:", "exhausted,", "1 run", "", "", verdict.Exhausted, true}, "  TestA:                                   exhausted, 1 run (cached)"},
		{row{"TestPool:", "sampled,", "10000 runs", ", 1 finding: stopped", "", verdict.Sampled, false}, "  TestPool:                                sampled, 10000 runs, 1 finding: stopped"},
		{row{"TestÄ:", "complete up to 2 preemptions,", "12 runs", "", "", verdict.Complete, false}, "  TestÄ:                                   complete up to 2 preemptions, 12 runs"},
		{row{long + ":", "exhausted,", "3 runs", "", "", verdict.Exhausted, false}, "  " + long + ": exhausted, 3 runs"},
		{row{"TestB:", "not explored (why)", "", "", "", verdict.NotExplored, false}, "  TestB:                                   not explored (why)"},
	} {
		if got := test.row.line(column, false); got != test.want {
			t.Errorf("got  %q\nwant %q", got, test.want)
		}
	}
	r := row{"TestA:", "exhausted,", "1 run", "", "", verdict.Exhausted, false}
	if got, want := r.line(nameColumn([]string{"TestA"}), true), "  TestA: \x1b[32mexhausted,\x1b[0m 1 run"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// An environment that a whole package depends on is written once; one that differs is written again, and so is the
// first one below another header.
func TestSameEnvironment(t *testing.T) {
	var out strings.Builder
	s := summary{w: &out}
	entry := func(name string, environment ...string) {
		s.settled(&exploration.EntryResult{Name: name, Result: &explore.Result{Verdict: explore.Exhausted, Environment: environment}})
	}
	s.began("p", []string{"A", "B", "C", "D", "E"})
	entry("A", "HOME", "LEVEL=2")
	entry("B", "HOME", "LEVEL=2")
	entry("C")
	entry("D", "HOME")
	entry("E", "HOME")
	s.began("q", []string{"F"})
	entry("F", "HOME")
	const want = `p:
  A: exhausted, 0 runs; with HOME unset and LEVEL=2
  B: exhausted, 0 runs; environment as above
  C: exhausted, 0 runs
  D: exhausted, 0 runs; with HOME unset
  E: exhausted, 0 runs; environment as above
q:
  F: exhausted, 0 runs; with HOME unset
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
}
