package runner

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/verdict"
)

// Verdicts stand below each other; a very long name shifts its own line only.
func TestColumns(t *testing.T) {
	long := "TestWithANameThatIsLongerThanAnyColumnShouldBe"
	column := nameColumn([]string{"TestA", "TestPool", "TestÄ", long})
	for _, test := range []struct {
		row  row
		want string
	}{
		{row{"TestA:", "exhausted,", "1 run", "", verdict.Exhausted, true}, "  TestA:                                   exhausted, 1 run (cached)"},
		{row{"TestPool:", "sampled,", "10000 runs", ", 1 finding: stopped", verdict.Sampled, false}, "  TestPool:                                sampled, 10000 runs, 1 finding: stopped"},
		{row{"TestÄ:", "complete up to 2 preemptions,", "12 runs", "", verdict.Complete, false}, "  TestÄ:                                   complete up to 2 preemptions, 12 runs"},
		{row{long + ":", "exhausted,", "3 runs", "", verdict.Exhausted, false}, "  " + long + ": exhausted, 3 runs"},
		{row{"TestB:", "not explored (why)", "", "", verdict.NotExplored, false}, "  TestB:                                   not explored (why)"},
	} {
		if got := test.row.line(column, false); got != test.want {
			t.Errorf("got  %q\nwant %q", got, test.want)
		}
	}
	r := row{"TestA:", "exhausted,", "1 run", "", verdict.Exhausted, false}
	if got, want := r.line(nameColumn([]string{"TestA"}), true), "  TestA: \x1b[32mexhausted,\x1b[0m 1 run"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
