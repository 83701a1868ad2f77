package analysistest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/systematic"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// A filesTest is what a test of testdata/files can fail with, and how many executions show that. An execution for each
// order of two calls would be thousands in most. (The compiled tests, run 4,500 times each, fail with nothing else, but
// for the order of a list, which is a matter of the file system.)
type filesTest struct {
	most int
	saw  []string
}

var filesTests = map[string]filesTest{
	"TestTwoFiles":       {1, []string{"ok'b' ok'a'"}},
	"TestFourFiles":      {1, []string{"ok ok ok ok"}},
	"TestEightFiles":     {1, []string{"ok ok ok ok ok ok ok ok"}},
	"TestTwoFolders":     {1, []string{"ok[a]okok ok[a]okok"}},
	"TestReadersOfOne":   {1, []string{"3 'abc' 'abc'"}},
	"TestParallel":       {1, []string{""}},
	"TestSameFile":       {20, []string{"ok ok; '1'", "ok ok; '12'", "ok ok; '22'"}},
	"TestSameName":       {3, []string{"exists ok", "ok exists"}},
	"TestCreatedOrNot":   {3, []string{"0 ok", "none ok"}},
	"TestWrittenOrNot":   {8, []string{"'' ok", "'1' ok", "none ok"}},
	"TestTruncatedOrNot": {8, []string{"'a' ok", "'abc' ok"}},
	"TestListed":         {16, []string{"[]ok ok ok", "[a,b]ok ok ok", "[a]ok ok ok", "[b]ok ok ok"}},
	"TestRemovedFolder":  {5, []string{"none ok", "ok exists"}},
	"TestRemovedTwice":   {20, []string{"none ok", "ok none"}},
	"TestRemovedAndMade": {5, []string{"exists ok", "ok ok"}},
	"TestRemoveAll":      {20, []string{"exists ok", "ok none", "ok ok"}},
	"TestMadeAbove":      {5, []string{"none ok", "ok ok"}},
	"TestFileAbove":      {4, []string{"none ok", "not a directory ok"}},
	"TestSharedPosition": {4, []string{"aok bok", "bok aok"}},
	"TestSeek":           {4, []string{"0ok ok", "2ok ok"}},
	"TestClosed":         {4, []string{"closed ok", "ok ok"}},
	"TestClosedTwice":    {4, []string{"closed ok", "ok closed"}},
	"TestStatOfOpen":     {5, []string{"0ok ok", "3ok ok"}},
	"TestBytesOfOthers":  {9, []string{"'0' ok", "'1' ok"}},
	"TestBytesInTurn":    {16, []string{"'12' '1'", "'12' '12'", "'2' '21'", "'21' '21'"}},
	"TestBytesInRace":    {9, []string{"'0' 0ok", "'0' 1ok", "'1' 0ok", "'1' 1ok"}},
	"TestAppends":        {16, []string{"'12' '1'", "'12' '12'", "'2' '21'", "'21' '21'"}},
}

// TestFiles: calls on different files are independent, and what several goroutines can see of one file union and
// systematic find. It is what they find, and random schedules show, where all files are one object and a call is one
// operation: this is told apart by nothing that package kernel says of files.
func TestFiles(t *testing.T) {
	m, p := loadDir(t, "testdata/files")
	whole, _ := loadDirWith(t, "testdata/files", machine.Config{Kernel: kernel.Config{Whole: true}})
	if len(p.Entries) != len(filesTests) {
		t.Errorf("%d entries, %d expected", len(p.Entries), len(filesTests))
	}
	for _, e := range p.Entries {
		t.Run(e.Name, func(t *testing.T) {
			want := filesTests[e.Name]
			got := filesByUnion(t, m.Entry(e), want.most)
			if !slices.Equal(got, want.saw) {
				t.Errorf("union: %q, expected %q", got, want.saw)
			}
			saw := seenFiles{}
			res := (&systematic.Explorer{Observe: saw.add}).Explore(m.Entry(e), explore.Limits{Executions: 200})
			if all := saw.all(); res.Verdict != explore.Exhausted || !slices.Equal(all, want.saw) {
				t.Errorf("systematic: %v, %q, expected %q", res.Verdict, all, want.saw)
			}
			saw = seenFiles{}
			for s := range sched.RandSeed(long.Pick(15, 60)) {
				saw.add(whole.Entry(e).Run(sched.NewRandom(s), sched.Options{}))
				saw.add(m.Entry(e).Run(sched.NewRandom(s), sched.Options{}))
			}
			res = (&union.Explorer{Engine: union.New(), Alone: true, Observe: saw.add}).Explore(whole.Entry(e), explore.Limits{Executions: long.Pick(150, 600)})
			delete(saw, "[b,a]ok ok ok") // names in the order in which they came
			for _, s := range saw.all() {
				if !slices.Contains(want.saw, s) {
					t.Errorf("where files are one object: %q", s)
				}
			}
			if all := saw.all(); res.Verdict == explore.Exhausted && len(all) != len(want.saw) {
				t.Errorf("where files are one object: only %q", all)
			}
		})
	}
}

// TestFilesNumbers: what tests see of numbers, links, modes and names that change, they see in every order.
func TestFilesNumbers(t *testing.T) {
	for dir, tests := range map[string]map[string][]string{
		"testdata/files/numbers": {
			"TestOpened": {"3 4", "4 3"},
			"TestClosed": {"3 3", "3 4", "4 3"},
		},
		"testdata/files/links": {
			"TestLinks":  {"0 <nil>", "1 <nil>"},
			"TestRename": {"false <nil>", "true <nil>"},
			"TestChmod":  {"false <nil>", "true <nil>"},
		},
	} {
		m, p := loadDir(t, dir)
		for _, e := range p.Entries {
			if got := filesByUnion(t, m.Entry(e), 1000); !slices.Equal(got, tests[e.Name]) {
				t.Errorf("%s: %q, expected %q", e.Name, got, tests[e.Name])
			}
		}
	}
}

// TestFilesProcess: package syscall is asked for other things than files, and these are independent as without it
// (FD2).
func TestFilesProcess(t *testing.T) {
	m, p := loadDir(t, "testdata/files/process")
	for _, e := range p.Entries {
		want := map[string][]string{
			"TestOwnFiles": {"[a b]"},
			"TestProcess":  {"<nil> true no such file or directory terminated"},
		}[e.Name]
		if got := filesByUnion(t, m.Entry(e), 1); !slices.Equal(got, want) {
			t.Errorf("%s: %q, expected %q", e.Name, got, want)
		}
	}
}

// filesByUnion explores a test by union alone.
func filesByUnion(t *testing.T, m sched.Machine, most int) []string {
	t.Helper()
	saw := seenFiles{}
	res := (&union.Explorer{Engine: union.New(), Alone: true, Observe: saw.add}).Explore(m, explore.Limits{})
	if res.Verdict != explore.Exhausted || res.Stats.Executions > most {
		t.Errorf("union: %v, %s, %d executions, expected %d", res.Verdict, res.Reason, res.Stats.Executions, most)
	}
	return saw.all()
}

// seenFiles is what a test of testdata/files has failed with.
type seenFiles map[string]bool

func (x seenFiles) add(t *trace.Trace) {
	s := t.Status.String() + " " + t.Panic
	if t.Status == trace.Returned {
		var text []string
		for _, f := range t.Failures {
			text = append(text, strings.TrimSpace(f.Message))
		}
		s = strings.Join(text, "; ")
	}
	x[s] = true
}

func (x seenFiles) all() []string { return slices.Sorted(maps.Keys(x)) }
