package page

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/report"
)

// A Report is what the page shows.
type Report struct {
	Title    string // usually the module's path
	Findings []Finding
	Packages []Package
	// ReadFile reads source files; nil means that no source is shown.
	ReadFile func(name string) ([]byte, error)
}

// A Finding is one finding, as other formats write it, with its diagram.
type Finding struct {
	Check    string // name of the check
	Headline string // the message, without place and token
	Position string // file:line:column, as text output has it
	Package  string // import path
	Entry    string
	Timing   bool // of the second regime of time
	Token    string
	Text     string // the finding at length: stacks
	Table    string // the interleaving as `heddle replay` prints it
	Diagram  *report.Diagram
	Fix      *Fix // nil if none is known
}

// A Package has the verdicts of its entries.
type Package struct {
	Path string
	// Note says why nothing was explored, "" if something was.
	Note    string
	Entries []Entry
}

// An Entry is what was explored of a test.
type Entry struct {
	Name    string
	Verdict string // a word of the summary
	Detail  string // the rest of its line: work and reason
	Clean   bool   // exhausted without a finding
}

// sourceLines bounds how many lines of a file are kept on each side of a step's.
const sourceLines = 60

//go:embed page.html page.css page.js
var files embed.FS

var page = template.Must(template.New("page.html").Funcs(template.FuncMap{
	"inc":   func(i int) int { return i + 1 },
	"cells": cells,
	"after": after,
	"place": place,
	"base":  filepath.Base,
}).ParseFS(files, "page.html"))

// A filePlace is a place in two parts: a narrow column breaks it between them, and not within the number.
type filePlace struct{ File, Line string }

func place(at string) filePlace {
	i := strings.LastIndexByte(at, ':')
	if i < 0 {
		i = len(at)
	}
	return filePlace{at[:i], at[i:]}
}

// Write writes the page.
func Write(w io.Writer, r *Report) error {
	css, err := files.ReadFile("page.css")
	if err != nil {
		return err
	}
	js, err := files.ReadFile("page.js")
	if err != nil {
		return err
	}
	var b bytes.Buffer
	err = page.Execute(&b, map[string]any{
		"Report": r, "CSS": template.CSS(css), "JS": template.JS(js), "Sources": sources(r), "Checks": checks(r), "Totals": totals(r),
	})
	if err != nil {
		return fmt.Errorf("the HTML report: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// WriteFile writes the page to index.html in dir, which it makes if it is not there. It writes the whole page or
// nothing.
func WriteFile(dir string, r *Report) error {
	var b bytes.Buffer
	if err := Write(&b, r); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("cannot make the folder of the HTML report: %w", err)
	}
	f, err := os.CreateTemp(dir, ".index-*.html")
	if err != nil {
		return fmt.Errorf("cannot write the HTML report: %w", err)
	}
	_, err = f.Write(b.Bytes())
	if err == nil {
		err = f.Chmod(0o644)
	}
	err = cmp.Or(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, "index.html"))
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("cannot write the HTML report: %w", err)
	}
	return nil
}

// A source is the part of a file that the steps refer to.
type source struct {
	Name  string   `json:"name"`
	First int      `json:"first"` // number of the first line
	Lines []string `json:"lines"`
}

// sources returns the files that the diagrams refer to, by full name.
func sources(r *Report) map[string]source {
	out := map[string]source{}
	if r.ReadFile == nil {
		return out
	}
	lines := map[string][]int{}
	for _, f := range r.Findings {
		if f.Diagram == nil {
			continue
		}
		for _, s := range f.Diagram.Steps {
			if s.Pos.IsValid() {
				lines[s.Pos.Filename] = append(lines[s.Pos.Filename], s.Pos.Line)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		data, err := r.ReadFile(name)
		if err != nil {
			continue // the steps name the line all the same
		}
		all := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
		first := max(slices.Min(lines[name])-sourceLines, 1)
		last := min(slices.Max(lines[name])+sourceLines, len(all))
		if first > last {
			continue // the file has changed
		}
		out[name] = source{Name: filepath.Base(name), First: first, Lines: all[first-1 : last]}
	}
	return out
}

// checks returns the checks that have findings, sorted.
func checks(r *Report) []string {
	seen := map[string]bool{}
	for _, f := range r.Findings {
		seen[f.Check] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// totals says in a line what was explored.
func totals(r *Report) string {
	entries, clean := 0, 0
	for _, p := range r.Packages {
		entries += len(p.Entries)
		for _, e := range p.Entries {
			if e.Clean {
				clean++
			}
		}
	}
	return fmt.Sprintf("%s; %s in %s, %d of them exhausted without a finding", count(len(r.Findings), "finding", "findings"),
		count(entries, "entry", "entries"), count(len(r.Packages), "package", "packages"), clean)
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// A cell is one lane's place in a row.
type cell struct {
	Lane string
	Step *report.Step // nil if another lane has the step
}

// cells lays a step out over the lanes.
func cells(d *report.Diagram, s report.Step) []cell {
	out := make([]cell, len(d.Lanes))
	for i, l := range d.Lanes {
		out[i].Lane = l.ID
	}
	out[s.Lane].Step = &s
	return out
}

// after says for people who cannot see arrows which steps lead to step n.
func after(d *report.Diagram, n int) string {
	words := map[report.Cause]string{
		report.Reads: "reads the value of step", report.Receives: "receives from step", report.Acquires: "takes the lock given back in step",
		report.Starts: "started in step", report.Wakes: "woken by step",
	}
	var parts []string
	for _, a := range d.Arrows {
		if a.To == n {
			parts = append(parts, fmt.Sprintf("%s %d", words[a.Cause], a.From))
		}
	}
	return strings.Join(parts, ", ")
}
