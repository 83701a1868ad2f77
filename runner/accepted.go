package runner

import (
	"fmt"
	"io"
	"strings"

	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/passes/baseline"
	"github.com/heddle-go/heddle/passes/exploration"
)

// This file counts the findings that are accepted, and writes those of now to a baseline.

// accepted are the findings that are not reported.
type accepted struct {
	seen              map[string]bool // identities of findings, those that are reported too
	suppressed, known int
	old               int    // not new since the revision
	since             string // that one
	file              baseline.File
}

// add counts the accepted findings of a package. One that several packages show is one.
func (a *accepted) add(x *exploration.Result) {
	for _, c := range report.Categories {
		suppressed, known := x.Accepted(c)
		a.suppressed += a.fresh(suppressed)
		for _, r := range known {
			if n := a.fresh([]exploration.Report{r}); r.Old {
				a.old += n
			} else {
				a.known += n
			}
		}
	}
}

func (a *accepted) fresh(reports []exploration.Report) (n int) {
	for _, r := range reports {
		if !a.seen[r.Identity] {
			a.seen[r.Identity] = true
			n++
		}
	}
	return n
}

// note puts a finding into the baseline.
func (a *accepted) note(r *exploration.Report) {
	a.file.Add(r.Fingerprint(), string(r.Category), r.Entry.Package(), r.View.Headline(r.Finding))
}

// write writes the baseline, and says how much there is in it.
func (a *accepted) write(name string, w io.Writer) error {
	n := 0
	for _, e := range a.file.Findings {
		n += e.Count
	}
	if err := a.file.Write(name); err != nil {
		return err
	}
	fmt.Fprintf(w, "%s written to %s\n", count(n, "finding", "findings"), name)
	return nil
}

// counts says how many findings are accepted, "" if none are.
func (a *accepted) counts() string {
	var parts []string
	if a.suppressed > 0 {
		parts = append(parts, fmt.Sprintf("%d suppressed by comments", a.suppressed))
	}
	if a.known > 0 {
		parts = append(parts, fmt.Sprintf("%d in the baseline", a.known))
	}
	if a.old > 0 {
		parts = append(parts, fmt.Sprintf("%d not new since %s", a.old, a.since))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (and " + strings.Join(parts, ", ") + ")"
}
