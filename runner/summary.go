package runner

import (
	"fmt"
	"io"
	"strings"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/verdict"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/runner/cmdline"
	"github.com/heddle-go/heddle/runner/driver"
)

// A summary says what was explored, what was not, and why: a line for each entry as soon as its result stands, a line
// for each package with several, and the totals at the end. Silence about an entry would read as a clean bill.
type summary struct {
	w           io.Writer
	style       cmdline.Style
	begun       string // the package whose header is written
	names       []string
	column      int    // of names, in the package at work
	given       string // the environment that the lines below its header last named
	columns     map[string]int
	packages    int
	all         tally
	matched     int    // entries that -run asks for
	accepted    string // how many findings are not reported
	interrupted bool
}

// A tally counts entries by verdict, and findings.
type tally struct {
	explored int // entries
	kinds    map[verdict.Kind]int
	findings int // diagnostics written
}

// began writes the header of a package, before the first of these entries.
func (s *summary) began(path string, entries []string) {
	if s.columns == nil {
		s.columns = map[string]int{}
	}
	s.columns[path] = nameColumn(entries)
	s.header(path)
}

// header says of which package the lines are that follow.
func (s *summary) header(path string) {
	s.begun, s.column, s.given = path, s.columns[path], ""
	fmt.Fprintf(s.w, "%s:\n", path)
}

// again writes the header of a package again, if lines of another one have come since.
func (s *summary) again(r *exploration.Result) {
	if s.begun != r.Package {
		s.header(r.Package)
	}
}

// settled writes the line of an entry.
func (s *summary) settled(e *exploration.EntryResult) {
	r := newRow(e)
	switch {
	case r.given == "":
	case r.given == s.given:
		r.given = "; environment as above"
	default:
		s.given = r.given
	}
	fmt.Fprintln(s.w, r.line(s.column, s.style))
}

// add writes what is to be said of a package besides its entries.
func (s *summary) add(pkg *driver.Package, found int) {
	s.packages++
	s.all.findings += found
	x := pkg.Exploration
	if x == nil {
		return
	}
	s.names = append(s.names, x.Names...)
	s.matched += x.Matched
	s.interrupted = s.interrupted || x.Interrupted()
	if x.Skipped != "" {
		fmt.Fprintf(s.w, "%s: not explored: %s\n", pkg.Path, x.Skipped)
		return
	}
	switch _, known := s.columns[pkg.Path]; {
	case !known:
		s.began(pkg.Path, nil)
	case s.begun != pkg.Path:
		s.header(pkg.Path)
	}
	own := tally{findings: found}
	for i := range x.Entries {
		own.add(&x.Entries[i])
		s.all.add(&x.Entries[i])
	}
	if x.Conflicts > 0 {
		fmt.Fprintf(s.w, "  %s\n", parallel(x))
	}
	if x.Sequential > 0 {
		fmt.Fprintf(s.w, "  %s not explored: they start no goroutine, and wait for nothing\n", count(x.Sequential, "entry", "entries"))
	}
	if n := len(x.Names) - len(x.Entries) - x.Sequential; n > 0 {
		fmt.Fprintf(s.w, "  %s left out by -run\n", count(n, "entry", "entries"))
	}
	if pkg.Of > 1 && own.explored > 1 {
		fmt.Fprintf(s.w, "  %s\n", own.text(count(own.explored, "entry", "entries"), ""))
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
	return strings.TrimSpace(r.word + " " + r.runs + r.rest + r.given)
}

// print writes the totals.
func (s *summary) print() {
	if s.packages == 0 {
		return // the errors say why
	}
	more := s.accepted
	if s.interrupted {
		more += "; " + explore.Interrupted
	}
	fmt.Fprintln(s.w, s.all.text(fmt.Sprintf("%s in %s", count(s.all.explored, "entry", "entries"), count(s.packages, "package", "packages")), more))
}

// text says what was counted of what.
func (t *tally) text(what, more string) string {
	return fmt.Sprintf("%s: %s%s", what, strings.Join(append(t.counts(), count(t.findings, "finding", "findings")), ", "), more)
}

// add counts an entry.
func (t *tally) add(e *exploration.EntryResult) {
	if t.kinds == nil {
		t.kinds = map[verdict.Kind]int{}
	}
	t.explored++
	t.kinds[e.Verdict().Kind]++
}

// counts says how many entries have each verdict, the best first.
func (t *tally) counts() (out []string) {
	for _, w := range verdict.Table {
		n, word := t.kinds[w.Kind], w.Text
		switch w.Kind { // each line has its own number
		case verdict.Complete:
			word = "complete up to a bound"
		case verdict.Within:
			word = "complete up to a bound at the beginning"
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
