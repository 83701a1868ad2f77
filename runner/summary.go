package runner

import (
	"fmt"
	"io"
	"strings"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/runner/driver"
)

// A summary says at the end what was explored, what was not, and why. Silence
// about an entry would read as a clean bill.
type summary struct {
	lines      []string
	packages   int
	explored   int // entries
	incomplete int
	findings   int // diagnostics written
	names      []string
	matched    int // entries that -run asks for
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
	for i := range x.Entries {
		e := &x.Entries[i]
		s.explored++
		if e.Result.Verdict != explore.Exhausted {
			s.incomplete++
		}
		s.lines = append(s.lines, fmt.Sprintf("  %s: %s", e.Name, verdict(e)))
	}
	if n := len(x.Names) - len(x.Entries); n > 0 {
		s.lines = append(s.lines, fmt.Sprintf("  %s left out by -run", count(n, "entry", "entries")))
	}
}

// verdict says what was explored of an entry.
func verdict(e *exploration.EntryResult) string {
	r := e.Result
	s := string(r.Verdict)
	work := []string{count(r.Stats.Executions, "execution", "executions")}
	if r.Stats.Classes > 0 {
		work = append(work, count(r.Stats.Classes, "class", "classes"))
	}
	if len(r.Findings) > 0 {
		work = append(work, count(len(r.Findings), "finding", "findings"))
	}
	s += ", " + strings.Join(work, ", ")
	if r.Verdict != explore.Exhausted {
		s += ": " + e.Reason()
	}
	return s
}

func (s *summary) print(w io.Writer) {
	if s.packages == 0 {
		return // the errors say why
	}
	for _, l := range s.lines {
		fmt.Fprintln(w, l)
	}
	fmt.Fprintf(w, "%s explored in %s: %d exhausted, %d incomplete; %s\n",
		count(s.explored, "entry", "entries"), count(s.packages, "package", "packages"),
		s.explored-s.incomplete, s.incomplete, count(s.findings, "finding", "findings"))
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
