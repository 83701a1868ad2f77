package runner

import (
	"fmt"
	"io"
	"strings"

	"github.com/heddle-go/heddle/mcrs/verdict"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/runner/cmdline"
	"github.com/heddle-go/heddle/runner/driver"
)

// A summary says at the end what was explored, what was not, and why. Silence
// about an entry would read as a clean bill.
type summary struct {
	style    cmdline.Style
	lines    []string
	packages int
	explored int // entries
	kinds    map[verdict.Kind]int
	findings int // diagnostics written
	names    []string
	matched  int    // entries that -run asks for
	accepted string // how many findings are not reported
}

func (s *summary) add(pkg *driver.Package, found int) {
	s.packages++
	s.findings += found
	x := pkg.Exploration
	if x == nil {
		return
	}
	s.names = append(s.names, x.Names...)
	s.matched += x.Matched
	if x.Skipped != "" {
		s.lines = append(s.lines, fmt.Sprintf("%s: not explored: %s", pkg.Path, x.Skipped))
		return
	}
	s.lines = append(s.lines, fmt.Sprintf("%s:", pkg.Path))
	var rows []row
	for i := range x.Entries {
		e := &x.Entries[i]
		s.explored++
		if s.kinds == nil {
			s.kinds = map[verdict.Kind]int{}
		}
		s.kinds[e.Verdict().Kind]++
		rows = append(rows, newRow(e))
	}
	s.lines = append(s.lines, columns(rows, s.style)...)
	if x.Conflicts > 0 {
		s.lines = append(s.lines, "  "+parallel(x))
	}
	if x.Sequential > 0 {
		s.lines = append(s.lines, fmt.Sprintf("  %s not explored: they start no goroutine, and wait for nothing", count(x.Sequential, "entry", "entries")))
	}
	if n := len(x.Names) - len(x.Entries) - x.Sequential; n > 0 {
		s.lines = append(s.lines, fmt.Sprintf("  %s left out by -run", count(n, "entry", "entries")))
	}
}

// parallel says what was looked at of tests that run side by side.
func parallel(x *exploration.Result) string {
	races := 0
	for i := range x.Pairs {
		races += len(x.Pairs[i].Result.Findings)
	}
	s := fmt.Sprintf("tests that call t.Parallel, two at a time: %s of accesses tried, %s", count(x.Conflicts, "pair", "pairs"), count(races, "finding", "findings"))
	if x.ConflictsLeft > 0 {
		s += fmt.Sprintf(", %d not tried", x.ConflictsLeft)
	}
	return s
}

// verdictLine says what was explored of an entry: the verdict, the work, and why it is no better.
func verdictLine(e *exploration.EntryResult) string {
	r := newRow(e)
	return strings.TrimSpace(r.word + " " + r.runs + r.rest)
}

func (s *summary) print(w io.Writer) {
	if s.packages == 0 {
		return // the errors say why
	}
	for _, l := range s.lines {
		fmt.Fprintln(w, l)
	}
	fmt.Fprintf(w, "%s in %s: %s\n", count(s.explored, "entry", "entries"), count(s.packages, "package", "packages"),
		strings.Join(append(s.counts(), count(s.findings, "finding", "findings")+s.accepted), ", "))
}

// counts says how many entries have each verdict, the best first.
func (s *summary) counts() (out []string) {
	for _, w := range verdict.Table {
		n, word := s.kinds[w.Kind], w.Text
		if w.Kind == verdict.Complete {
			word = "complete up to some preemptions" // each line has its own number
		}
		if n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, word))
		}
	}
	return out
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
