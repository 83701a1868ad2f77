package runner

import (
	"cmp"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/verdict"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/passes/fix"
	"github.com/heddle-go/heddle/runner/driver"
	"github.com/heddle-go/heddle/runner/page"
)

// This file gathers what -html shows. The page itself is package page's.

// htmlReport collects findings and verdicts, package by package.
type htmlReport struct{ page.Report }

// add notes the verdicts of a package.
func (h *htmlReport) add(pkg *driver.Package) {
	x := pkg.Exploration
	if x == nil {
		return
	}
	p := page.Package{Path: pkg.Path, Note: x.Skipped}
	for i := range x.Entries {
		e := &x.Entries[i]
		word := e.Verdict().Word()
		detail := strings.TrimPrefix(verdictLine(e), word+", ")
		p.Entries = append(p.Entries, page.Entry{
			Name: e.Name, Verdict: word, Detail: detail,
			Clean: e.Verdict().Kind == verdict.Exhausted && len(e.Result.Findings) == 0,
		})
	}
	h.Packages = append(h.Packages, p)
}

// finding notes a finding that was printed.
func (h *htmlReport) finding(position string, r *exploration.Report) {
	f := page.Finding{
		Check: string(r.Category), Headline: r.View.Headline(r.Finding), Position: position, Package: r.Entry.Package(), Entry: r.Entry.Name,
		Timing: r.Timing, Text: r.View.Text(r.Finding),
	}
	if r.Category != report.Internal {
		f.Token, f.Table, f.Diagram = r.View.Token, r.View.Table(r.Finding), r.View.Diagram(r.Finding)
		f.Fix = pageFix(r.Fix)
	}
	h.Findings = append(h.Findings, f)
}

// pageFix is a suggested fix as a diff of the files as they are now, before -fix changes them. It is nil if there is
// none, or if a file cannot be read any more.
func pageFix(f *fix.Fix) *page.Fix {
	if f == nil {
		return nil
	}
	out := &page.Fix{Message: f.Message}
	files, err := fix.Apply(slices.Clone(f.Edits), os.ReadFile)
	if err != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		old, err := os.ReadFile(name)
		if err != nil {
			return nil
		}
		out.Files = append(out.Files, page.FileDiff{Name: shortPath(name), Lines: page.Diff(string(old), string(files[name]))})
	}
	return out
}

// write writes the page to the folder dir.
func (h *htmlReport) write(dir string) error {
	h.ReadFile = os.ReadFile
	h.Title = cmp.Or(h.Title, "report")
	return page.WriteFile(dir, &h.Report)
}

// htmlFormat is the form of `heddle replay -format` that writes the page with one finding.
const htmlFormat = "html"

func replayPage(w io.Writer, e *exploration.EntryResult) error {
	h := htmlReport{page.Report{Title: e.Package(), ReadFile: os.ReadFile}}
	for i := range e.Result.Findings {
		f := &e.Result.Findings[i]
		v := e.View(f)
		h.finding(dotPosition(v.Position(f)), &exploration.Report{Finding: f, Entry: e, View: v})
	}
	return page.Write(w, &h.Report)
}
