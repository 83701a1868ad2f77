package exploration

import (
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/aymanbagabas/go-udiff"
	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/fix"
	"github.com/heddle-go/heddle/program"
)

// This file proves suggested fixes: an edit is offered if the edited package, explored with the same limits, shows that it repairs
// the finding and breaks nothing else.

// maxCandidates bounds the edits that are tried for one finding. Each costs an exploration of the package.
const maxCandidates = 6

// findFixes looks for a fix of each finding.
func (r *Result) findFixes(c *closure.Result, t target) {
	pt, ok := t.(*programTarget)
	if !ok {
		return
	}
	source, err := fixSource(c.Recipe, pt.prog)
	if err != nil {
		return // the files have changed since they were loaded
	}
	tried := map[string]*fix.Fix{} // by identity: what several entries show is tried once
	for i := range r.Entries {
		e := &r.Entries[i]
		for j := range e.Result.Findings {
			f := &e.Result.Findings[j]
			if f.Category == report.Internal {
				continue
			}
			v := e.View(f)
			id := v.Identity(f)
			best, done := tried[id]
			if !done {
				best = r.proved(c, e, source.Candidates(v.Places(f)))
				tried[id] = best
			}
			if best != nil {
				if e.Fixes == nil {
					e.Fixes = map[int]fix.Fix{}
				}
				e.Fixes[j] = *best
			}
		}
	}
}

// fixSource reads the analysed package as it is on disk.
func fixSource(r *program.Recipe, p *program.Program) (*fix.Source, error) {
	var files []string
	if own := r.Package(r.Root); own != nil {
		for _, name := range own.Files() {
			if filepath.Dir(name) == own.Dir { // not what the go command has generated
				files = append(files, name)
			}
		}
	}
	return fix.Parse(r.Path, files, os.ReadFile, func(path string) *types.Package {
		if q := p.PackageByPath(path); q != nil {
			return q.Types
		}
		return nil
	})
}

// proved returns the first candidate that repairs the finding of entry e.
func (r *Result) proved(c *closure.Result, e *EntryResult, candidates []fix.Fix) *fix.Fix {
	for i := range candidates[:min(len(candidates), maxCandidates)] {
		f := &candidates[i]
		files, err := fix.Apply(f.Edits, os.ReadFile)
		if err != nil {
			continue
		}
		edited := *c
		edited.Recipe = c.Recipe.Edit(files)
		t, err := load(&edited, flags.env)
		if err != nil {
			continue // it does not compile
		}
		if r.better(&edited, t, e.Name) {
			return f
		}
	}
	return nil
}

// better explores the edited package: the repaired entry is explored to the end and shows less than before, no other shows more, or is
// explored less far.
func (r *Result) better(c *closure.Result, t target, repaired string) bool {
	before := map[string]*EntryResult{}
	for i := range r.Entries {
		before[r.Entries[i].Name] = &r.Entries[i]
	}
	for _, e := range t.entries() {
		was := before[e.name]
		if was == nil {
			continue
		}
		is := exploreEntry(c, t, e, Place{c.Packages[0], e.name, 1, 1})
		delete(before, e.name)
		exhausted := is.Result.Verdict == explore.Exhausted
		switch {
		case len(is.Result.Findings) > len(was.Result.Findings):
			return false
		case e.name == repaired && (!exhausted || len(is.Result.Findings) == len(was.Result.Findings)):
			return false
		case !exhausted && was.Result.Verdict == explore.Exhausted:
			return false
		}
	}
	return len(before) == 0
}

// suggestion is a fix in the form of package analysis.
func (p *positions) suggestion(f *fix.Fix) (analysis.SuggestedFix, bool) {
	if f == nil {
		return analysis.SuggestedFix{}, false
	}
	files, err := fix.Apply(f.Edits, os.ReadFile)
	if err != nil {
		return analysis.SuggestedFix{}, false
	}
	s := analysis.SuggestedFix{Message: f.Message}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		edits, ok := p.difference(name, files[name])
		if !ok {
			return analysis.SuggestedFix{}, false // the pass has not parsed the file
		}
		s.TextEdits = append(s.TextEdits, edits...)
	}
	return s, len(s.TextEdits) > 0
}

// difference returns the edits that make the file what text is.
func (p *positions) difference(name string, text []byte) ([]analysis.TextEdit, bool) {
	f := p.files[name]
	old, err := os.ReadFile(name)
	if f == nil || err != nil || len(old) != f.Size() {
		return nil, false
	}
	var out []analysis.TextEdit
	for _, e := range udiff.Lines(string(old), string(text)) {
		out = append(out, analysis.TextEdit{Pos: f.Pos(e.Start), End: f.Pos(e.End), NewText: []byte(e.New)})
	}
	return out, true
}
