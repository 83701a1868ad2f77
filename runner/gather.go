package runner

import (
	"bytes"
	"cmp"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/passes/fix"
	"github.com/heddle-go/heddle/runner/driver"
	"github.com/heddle-go/heddle/runner/outcome"
)

// This file gathers the outcome of a run, package by package, for the formats that are written at its end.

// A gatherer makes the outcome.
type gatherer struct {
	root outcome.Root
	run  outcome.Run
}

// newGatherer returns a gatherer whose positions are relative to the root of the repository around the current folder,
// as code hosts expect. If there is no repository, they are relative to the current folder.
func newGatherer() *gatherer {
	wd, err := os.Getwd()
	if err != nil {
		wd = "."
	}
	root := outcome.Root(repositoryRoot(wd))
	return &gatherer{root: root, run: outcome.Run{Version: outcome.Version, Heddle: versionWord(), Packages: []outcome.Package{}, Characters: characters(root)}}
}

// characters returns a function that counts the column of a position in characters. It reads each file once. If the
// line is not there, it returns the column in bytes.
func characters(root outcome.Root) func(outcome.Position) int {
	files := map[string][][]byte{}
	return func(p outcome.Position) int {
		name := filepath.FromSlash(p.File)
		if !filepath.IsAbs(name) {
			name = filepath.Join(string(root), name)
		}
		lines, read := files[name]
		if !read {
			text, _ := os.ReadFile(name)
			lines = bytes.Split(text, []byte("\n"))
			files[name] = lines
		}
		if p.Line < 1 || p.Line > len(lines) || p.Column < 1 || p.Column-1 > len(lines[p.Line-1]) {
			return p.Column
		}
		return utf8.RuneCount(lines[p.Line-1][:p.Column-1]) + 1
	}
}

func repositoryRoot(wd string) string {
	for dir := wd; ; dir = filepath.Dir(dir) {
		if fileExists(filepath.Join(dir, ".git")) {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return wd
		}
	}
}

// begin begins a package, with the verdicts of its entries and the findings that are accepted.
func (g *gatherer) begin(pkg *driver.Package) {
	p := outcome.Package{Path: pkg.Path, Entries: []outcome.Entry{}, Findings: []outcome.Finding{}}
	if x := pkg.Exploration; x != nil {
		p.Note = x.Skipped
		accepted := map[string]bool{}
		for _, c := range report.Categories {
			suppressed, known := x.Accepted(c)
			for _, r := range append(suppressed[:len(suppressed):len(suppressed)], known...) {
				accepted[r.Identity] = true
			}
			for i := range suppressed {
				p.Findings = append(p.Findings, g.accepted(&suppressed[i], "comment"))
			}
			for i := range known {
				by := "baseline"
				if known[i].Old {
					by = "revision"
				}
				p.Findings = append(p.Findings, g.accepted(&known[i], by))
			}
		}
		for _, e := range slices.Concat(x.Entries, x.Pairs) {
			p.Entries = append(p.Entries, g.entry(&e, accepted))
		}
	}
	g.run.Packages = append(g.run.Packages, p)
}

// entry is what was explored of an entry; accepted are the identities of the findings that are not reported.
func (g *gatherer) entry(e *exploration.EntryResult, accepted map[string]bool) outcome.Entry {
	out := outcome.Entry{Name: e.Name, Kind: e.Kind, Position: g.position(e.Pos), Verdict: e.Verdict(), Runs: max(e.Result.Stats.Executions, 0), Cached: e.Cached}
	if n := out.Verdict.Preemptions; n >= 0 {
		out.Preemptions = &n
	}
	if n := out.Verdict.Delays; n > 0 {
		out.Delays = &n
	}
	if n := out.Verdict.Steps; n > 0 {
		out.Within = &n
	}
	v := e.View(nil)
	for i := range e.Result.Findings {
		if !accepted[v.Identity(&e.Result.Findings[i])] {
			out.Findings++
		}
	}
	return out
}

func (g *gatherer) accepted(r *exploration.Report, by string) outcome.Finding {
	f := g.finding(r.Position, r)
	f.Accepted = &outcome.Accepted{By: by, Reason: r.Reason}
	return f
}

// last is the package that was begun last.
func (g *gatherer) last() *outcome.Package { return &g.run.Packages[len(g.run.Packages)-1] }

// add adds a diagnostic of the package that was begun last; r is nil if it is no finding.
func (g *gatherer) add(d driver.Diagnostic, r *exploration.Report) {
	p := g.last()
	if r != nil {
		p.Findings = append(p.Findings, g.finding(d.Position, r))
		return
	}
	p.Notices = append(p.Notices, outcome.Notice{Category: d.Category, Position: g.position(d.Position), Message: d.Message})
}

func (g *gatherer) finding(posn token.Position, r *exploration.Report) outcome.Finding {
	f := outcome.Finding{
		Check: string(r.Category), Message: r.View.Headline(r.Finding), Position: g.position(posn), Entry: r.Entry.Name, Timing: r.Timing,
		Token: r.View.Token, Related: []outcome.Related{}, Fingerprint: r.Fingerprint(), Root: g.root,
	}
	if r.Category == report.Internal {
		return f
	}
	f.Fix = g.fix(r.Fix)
	f.Text, f.Schedule = r.View.Text(r.Finding), r.View.Diagram(r.Finding)
	for _, rel := range r.View.Elsewhere(r.Finding) {
		f.Related = append(f.Related, outcome.Related{Position: g.position(rel.Position), Message: rel.Message})
	}
	return f
}

// fix is a suggested fix with positions in the place of offsets. It is nil if there is none, or if a file cannot be
// read any more.
func (g *gatherer) fix(f *fix.Fix) *outcome.Fix {
	if f == nil {
		return nil
	}
	out := &outcome.Fix{Message: f.Message}
	edits := slices.Clone(f.Edits)
	slices.SortFunc(edits, func(a, b fix.Edit) int { return cmp.Or(strings.Compare(a.File, b.File), a.Start-b.Start) })
	for _, e := range edits {
		text, err := os.ReadFile(e.File)
		if err != nil || e.Start > e.End || e.End > len(text) {
			return nil
		}
		out.Changes = append(out.Changes, outcome.Change{
			From: g.position(positionAt(e.File, text, e.Start)), To: g.position(positionAt(e.File, text, e.End)), Old: string(text[e.Start:e.End]), New: e.New,
			Characters: [2]int{charactersBefore(text, e.Start) + 1, charactersBefore(text, e.End) + 1},
		})
	}
	return out
}

// charactersBefore is how many characters of its line stand before an offset.
func charactersBefore(text []byte, offset int) int {
	return utf8.RuneCount(text[bytes.LastIndexByte(text[:offset], '\n')+1 : offset])
}

// positionAt is the position of an offset in a file's text.
func positionAt(file string, text []byte, offset int) token.Position {
	before := text[:offset]
	return token.Position{Filename: file, Line: 1 + bytes.Count(before, []byte("\n")), Column: offset - bytes.LastIndexByte(before, '\n')}
}

func (g *gatherer) position(p token.Position) outcome.Position {
	return g.root.Position(p.Filename, p.Line, p.Column)
}

// versionWord is the version alone.
func versionWord() string {
	_, rest, _ := strings.Cut(version(), " ")
	word, _, _ := strings.Cut(rest, " ")
	return word
}
