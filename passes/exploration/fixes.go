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
	"github.com/heddle-go/heddle/mcrs/verdict"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/fix"
	"github.com/heddle-go/heddle/program"
)

// This file proves suggested fixes. It offers an edit if the edited package, explored with the same limits, shows that
// the edit repairs the finding and breaks nothing else.

// maxCandidates bounds the edits that are tried for one finding. Each costs an exploration of the package.
const maxCandidates = 6

// findFixes looks for a fix of each finding. A fix is proved on top of those of the findings before it, since whoever
// asks for fixes has all of them applied.
func (r *Result) findFixes(c *closure.Result, t target, w Watcher) {
	pt, ok := t.(*programTarget)
	if !ok {
		return
	}
	source, err := fixSource(c.Recipe, pt.prog)
	if err != nil {
		return // the files have changed since they were loaded
	}
	p := &prover{c: c, watch: w, shows: map[string]shown{}, repaired: map[string]*fix.Fix{}}
	for i := range r.Entries {
		p.shows[r.Entries[i].Name] = shownBy(&r.Entries[i])
	}
	known := map[string]*fix.Fix{} // by identity: what several entries show is repaired once
	for i := range r.Entries {
		e := &r.Entries[i]
		for j := range e.Result.Findings {
			f := &e.Result.Findings[j]
			if f.Category == report.Internal {
				continue
			}
			v := e.View(f)
			id := v.Identity(f)
			best, done := known[id]
			if !done && !w.Stop.Asked() && !p.shows[e.Name].clean() {
				best = p.first(e.Name, source.Candidates(e.placesOf(f)))
			}
			known[id] = best
			e.setFix(j, best)
		}
	}
	for i := range r.Entries {
		e := &r.Entries[i]
		for j := range e.Result.Findings {
			if _, ok := e.Fixes[j]; !ok && p.shows[e.Name].clean() {
				e.setFix(j, p.repaired[e.Name]) // the fix of another finding has repaired this one as well
			}
		}
	}
}

// placesOf is where the operations of a finding are. What a relaxed memory model shows is repaired where all races are.
func (e *EntryResult) placesOf(f *report.Finding) []report.Place {
	places := e.View(f).Places(f)
	if f.Category != report.Robustness {
		return places
	}
	for i := range e.Result.Findings {
		if g := &e.Result.Findings[i]; g.Category == report.DataRace {
			places = append(places, e.View(g).Places(g)...)
		}
	}
	return places
}

func (e *EntryResult) setFix(finding int, f *fix.Fix) {
	if f == nil {
		return
	}
	if e.Fixes == nil {
		e.Fixes = map[int]fix.Fix{}
	}
	e.Fixes[finding] = *f
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

// A prover explores edited packages.
type prover struct {
	c     *closure.Result
	watch Watcher
	edits []fix.Edit       // of the fixes that were proved
	shows map[string]shown // what the entries show with these edits
	// repaired has the fix with which an entry showed nothing for the first time.
	repaired map[string]*fix.Fix
}

// A shown is what exploring an entry has shown.
type shown struct {
	findings  int
	exhausted bool
}

func (s shown) clean() bool { return s.exhausted && s.findings == 0 }

func shownBy(e *EntryResult) shown {
	return shown{len(e.Result.Findings), e.Verdict().Kind == verdict.Exhausted}
}

// first returns the first candidate that repairs a finding of the entry, nil if none does.
func (p *prover) first(entry string, candidates []fix.Fix) *fix.Fix {
	for i := range candidates[:min(len(candidates), maxCandidates)] {
		f := &candidates[i]
		edits := slices.Concat(p.edits, f.Edits)
		files, err := fix.Apply(edits, os.ReadFile)
		if err != nil {
			continue // it overlaps with another one
		}
		edited := *p.c
		edited.Recipe = p.c.Recipe.Edit(files)
		t, err := load(&edited, flags.given())
		if err != nil {
			continue // it does not compile
		}
		if after := p.explore(&edited, t, entry); after != nil {
			for name, is := range after {
				if is.clean() && !p.shows[name].clean() {
					p.repaired[name] = f
				}
			}
			p.edits, p.shows = edits, after
			return f
		}
	}
	return nil
}

// explore explores the edited package, and returns what its entries show. It returns nil in two cases: the repaired
// entry is not explored to the end without a finding, or another entry shows more or is explored less far.
func (p *prover) explore(c *closure.Result, t target, repaired string) map[string]shown {
	after := map[string]shown{}
	for _, e := range t.entries() {
		was, ok := p.shows[e.name]
		if !ok {
			continue
		}
		r := exploreEntry(c, t, e, t.machine(e), p.watch, explore.Place{Package: c.Packages[0], Entry: e.name + ", with a fix", N: len(after) + 1, Of: len(p.shows)}, 0)
		is := shownBy(&r)
		switch {
		case is.findings > was.findings:
			return nil
		case e.name == repaired && !is.clean():
			return nil
		case was.exhausted && !is.exhausted:
			return nil
		}
		after[e.name] = is
	}
	if len(after) != len(p.shows) {
		return nil
	}
	return after
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
