package runner

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/runner/cmdline"
	"github.com/heddle-go/heddle/runner/driver"
)

// A printer writes diagnostics, package by package, each finding once.
type printer struct {
	opts     *options
	out, err io.Writer
	style    cmdline.Style
	seen     map[string]bool // identities of findings written
	tree     jsonTree
	page     htmlReport
	fixes    fixes
	told     map[string]bool // identities of findings that were written when their entry was settled
	accepted accepted
	gather   *gatherer
}

func newPrinter(o *options, out, err io.Writer) *printer {
	seen := map[string]bool{}
	return &printer{opts: o, style: o.color.Style(out), out: out, err: err, seen: seen, told: map[string]bool{}, tree: jsonTree{}, accepted: accepted{seen: seen}, gather: newGatherer()}
}

// print writes the package's diagnostics, and returns how many there were and how many of them are findings
// (the others say what was not explored).
func (p *printer) print(pkg *driver.Package) (diagnostics, findings int) {
	reports := map[[2]string]*exploration.Report{} // by category and message
	if pkg.Exploration != nil {
		for _, c := range report.Categories {
			for _, r := range pkg.Exploration.Reports(c) {
				reports[[2]string{string(c), r.Message}] = &r
			}
		}
	}
	if pkg.Exploration != nil {
		p.accepted.add(pkg.Exploration)
	}
	if p.opts.gathers() {
		p.gather.begin(pkg)
	}
	diags := slices.Clone(pkg.Diagnostics)
	slices.SortStableFunc(diags, func(a, b driver.Diagnostic) int {
		return cmp.Or(comparePositions(a.Position, b.Position), cmp.Compare(a.Message, b.Message))
	})
	for _, d := range diags {
		r := reports[[2]string{d.Category, d.Message}]
		if r != nil {
			if p.seen[r.Identity] {
				continue // another package has shown it
			}
			p.seen[r.Identity] = true
			if p.opts.writeBaseline != "" && r.Category != report.Internal {
				p.accepted.note(r)
				continue
			}
			findings++
		}
		diagnostics++
		if p.opts.html != "" && r != nil {
			p.page.finding(shortPosition(d.Position), r)
		}
		if p.opts.gathers() {
			p.gather.add(d, r)
		}
		switch {
		case p.opts.json:
			p.tree.add(pkg, d, r)
		case !p.opts.isText() || r != nil && p.told[r.Identity]:
		case r == nil:
			fmt.Fprintf(p.out, "%s: %s\n", p.style.Place(dotPosition(d.Position)), p.style.Warn(d.Message))
		default:
			p.text(d.Position, r)
		}
		if r != nil {
			dump(p.err, p.opts.dump, r)
		}
	}
	return diagnostics, findings
}

// settled writes the findings of an entry as soon as its result stands, if they are text and no fix can come to them.
func (p *printer) settled(r *exploration.Result, e *exploration.EntryResult) {
	if len(e.Result.Findings) == 0 || !p.opts.isText() || p.opts.looksForFixes() || p.opts.writeBaseline != "" {
		return
	}
	for _, f := range r.EntryReports(e) {
		if p.told[f.Identity] || !p.opts.checks(f.Category) {
			continue
		}
		p.told[f.Identity] = true
		p.text(f.Position, &f)
	}
}

// text writes a finding on one line, as vet and staticcheck do. Below it stand the replay token and the related
// positions, a line each, and the table if asked for.
func (p *printer) text(posn token.Position, r *exploration.Report) {
	writeHead(p.out, p.style, posn, r.View, r.Finding)
	switch {
	case p.opts.fix:
		p.fixes.add(p.out, r)
	case p.opts.looksForFixes():
		p.fixes.say(p.out, r)
	}
	for _, rel := range r.View.Elsewhere(r.Finding) {
		fmt.Fprintf(p.out, "\t%s: %s\n", p.style.Dim(dotPosition(rel.Position)), rel.Message)
	}
	if p.opts.table && r.Category != report.Internal {
		writeTable(p.out, r)
	}
}

// writeHead writes the line of a finding, and the one with its token.
func writeHead(w io.Writer, style cmdline.Style, posn token.Position, v *report.View, f *report.Finding) {
	fmt.Fprintf(w, "%s: %s (%s)\n", style.Place(dotPosition(posn)), style.Bad(v.Headline(f)), f.Category)
	if v.Token != "" {
		fmt.Fprintf(w, "\t%s\n", style.Dim(v.ReplayLine()))
	}
}

// writeTable writes the finding at length: its text, its table, and what was explored.
func writeTable(w io.Writer, r *exploration.Report) {
	fmt.Fprintf(w, "\n%s\n%s\n%s\n\n", indent(r.View.Text(r.Finding)), indent(r.View.Table(r.Finding)),
		indent(r.Entry.Name+": "+verdictLine(r.Entry)))
}

func indent(s string) string {
	var b strings.Builder
	for l := range strings.Lines(strings.TrimRight(s, "\n") + "\n") {
		if l != "\n" {
			l = "\t" + l
		}
		b.WriteString(l)
	}
	return b.String()
}

// close writes what is written once.
func (p *printer) close() {
	if !p.opts.json {
		return
	}
	data, err := json.MarshalIndent(p.tree, "", "\t")
	if err != nil {
		panic(err) // strings and slices of them
	}
	fmt.Fprintf(p.out, "%s\n", data)
}

// jsonTree is the form of go vet -json: package, analyzer, diagnostics.
type jsonTree map[string]map[string][]jsonDiagnostic

type jsonDiagnostic struct {
	Category string        `json:"category,omitempty"`
	Posn     string        `json:"posn"`
	End      string        `json:"end"`
	Message  string        `json:"message"`
	Related  []jsonRelated `json:"related,omitempty"`
	// What go vet does not have, for findings.
	Entry string `json:"entry,omitempty"`
	Token string `json:"token,omitempty"`
}

type jsonRelated struct {
	Posn    string `json:"posn"`
	End     string `json:"end"`
	Message string `json:"message"`
}

func (t jsonTree) add(pkg *driver.Package, d driver.Diagnostic, r *exploration.Report) {
	posn := func(p token.Pos) string { return pkg.Fset.Position(p).String() }
	j := jsonDiagnostic{Category: d.Category, Posn: posn(d.Pos), End: posn(cmp.Or(d.End, d.Pos)), Message: d.Message}
	if r != nil {
		j.Message, j.Entry, j.Token = r.View.Headline(r.Finding), r.Entry.Name, r.View.Token
	}
	for _, r := range d.Related {
		j.Related = append(j.Related, jsonRelated{posn(r.Pos), posn(cmp.Or(r.End, r.Pos)), r.Message})
	}
	if t[pkg.Path] == nil {
		t[pkg.Path] = map[string][]jsonDiagnostic{}
	}
	t[pkg.Path][d.Analyzer.Name] = append(t[pkg.Path][d.Analyzer.Name], j)
}

// shortPosition names the file relative to the current directory, as go vet does.
func shortPosition(p token.Position) string {
	p.Filename = shortPath(p.Filename)
	return p.String()
}

// dotPosition is shortPosition with "./" before a file below the current folder. Tools that look for positions in
// output take a path without it for one from the root of the repository, or for no path.
func dotPosition(p token.Position) string {
	p.Filename = shortPath(p.Filename)
	if dot := "." + string(filepath.Separator); p.Filename != "" && filepath.IsLocal(p.Filename) && !strings.HasPrefix(p.Filename, dot) {
		p.Filename = dot + p.Filename
	}
	return p.String()
}

func shortPath(name string) string {
	wd, err := os.Getwd()
	if err != nil || !filepath.IsAbs(name) {
		return name
	}
	rel, err := filepath.Rel(wd, name)
	if err != nil || len(rel) >= len(name) {
		return name
	}
	if !strings.ContainsRune(rel, filepath.Separator) {
		return "." + string(filepath.Separator) + rel
	}
	return rel
}

func comparePositions(a, b token.Position) int {
	return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}
