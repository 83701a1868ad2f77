package runner

import (
	"slices"
	"testing"

	"github.com/heddle-go/heddle/mcrs/verdict"
)

// Verdicts and numbers of runs stand below each other; a very long name shifts its own line only.
func TestColumns(t *testing.T) {
	rows := []row{
		{"TestA:", "exhausted,", "1 run", "", verdict.Exhausted},
		{"TestPool:", "sampled,", "10000 runs", ", 1 finding: stopped", verdict.Sampled},
		{"TestÄ:", "complete up to 2 preemptions,", "12 runs", "", verdict.Complete},
		{"TestWithANameThatIsLongerThanAnyColumnShouldBe:", "exhausted,", "3 runs", "", verdict.Exhausted},
	}
	want := []string{
		"  TestA:                                   exhausted,                        1 run",
		"  TestPool:                                sampled,                      10000 runs, 1 finding: stopped",
		"  TestÄ:                                   complete up to 2 preemptions,    12 runs",
		"  TestWithANameThatIsLongerThanAnyColumnShouldBe: exhausted,                        3 runs",
	}
	if got := columns(rows, false); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got, want := columns(rows[:1], true), []string{"  TestA: \x1b[32mexhausted,\x1b[0m 1 run"}; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
