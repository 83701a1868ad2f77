package exploration

import (
	"cmp"
	"fmt"
	"go/token"
	"os"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/verdict"
	"github.com/heddle-go/heddle/passes/cache"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/fix"
)

// A Result is what exploring a package's entries gave.
type Result struct {
	Package string
	Entries []EntryResult
	// Names are those of all entries, Matched the number of them that -run asks for.
	Names   []string
	Matched int
	// Skipped says why no entry was explored though nothing went wrong, "" if some were.
	Skipped string
	// Sequential is the number of entries that were not run, in a package where others were: they start no goroutine,
	// and wait for nothing.
	Sequential int
	// Err says why the program could not be made.
	Err error
	// Pairs are the pairs of parallel tests in which a race was found, named "TestA|TestB". Conflicts is the number of
	// pairs of accesses that were looked at, ConflictsLeft of those that were not.
	Pairs                    []EntryResult
	Conflicts, ConflictsLeft int

	waitsForTurn bool
	fset         *token.FileSet // of the pass

	waits bool // it was skipped, and something in it may wait

	past       bool // Watcher.Past
	accepted   *accepted
	conclusive bool // a comment that suppresses nothing has no use
}

// add notes the name of an entry, and reports whether -run asks for it.
func (r *Result) add(name string) bool {
	r.Names = append(r.Names, name)
	if !flags.run.match(name) {
		return false
	}
	r.Matched++
	return true
}

// An EntryResult is what exploring one entry gave.
type EntryResult struct {
	Name   string
	Kind   string
	Pos    token.Position // of its name
	Result *explore.Result

	// Fixes are proved edits, by the index of the finding that they repair.
	Fixes map[int]fix.Fix

	// Cached says that an earlier run explored the entry, and that nothing has changed that it depends on.
	Cached bool

	changed  bool        // changed code was looked at once more (changed.go)
	reasonAt *cache.Site // of a cached result: where its reason struck
	failed   bool        // it was not explored: Heddle itself failed, or the configuration leaves it out
	packages []string
	source   report.Source
	token    func(*report.Finding) string
}

func newEntryResult(c *closure.Result, t target, e entry) EntryResult {
	return EntryResult{Name: e.name, Kind: e.kind, Pos: e.pos, packages: c.Packages, source: t}
}

// Package is the import path of the package whose entry it is.
func (e *EntryResult) Package() string { return e.packages[0] }

// Verdict is what is promised of the entry.
func (e *EntryResult) Verdict() verdict.Verdict {
	r := e.Result
	v := verdict.Verdict{Kind: r.Kind(), Preemptions: -1, InTime: r.InTime, Reason: e.Reason(), Memory: r.Memory, Environment: r.Environment}
	if r.Verdict != explore.Exhausted {
		v.Preemptions, v.Delays, v.Steps, v.Of = r.Bounds-1, max(0, r.Delays-1), r.Within.Steps, r.Within.Of
	}
	if v.Kind == verdict.InTime {
		v.Early = r.Early
	}
	if v.Kind == verdict.RacesBehind {
		v.Behind = e.line(r.Behind)
	}
	if e.failed {
		v.Kind = verdict.NotExplored
	}
	return v
}

// Reason is why the entry is not exhausted, with the line at which that struck; "" if it is.
func (e *EntryResult) Reason() string {
	s := e.Result.Reason
	if at := e.line(e.Result.ReasonSite); at != "" {
		s += fmt.Sprintf(" (at %s)", at)
	} else if e.reasonAt != nil {
		s += fmt.Sprintf(" (at %s)", e.View(nil).LineAt(e.reasonAt.Pos, e.reasonAt.Package))
	}
	if at := e.line(e.Result.Behind); at != "" && e.Result.Kind() != verdict.RacesBehind {
		s = fmt.Sprintf("races behind %s: %s", at, s)
	}
	if e.Result.Then != "" {
		s += "; " + e.Result.Then
	}
	return s
}

// line is the line of a site, "" if it has none.
func (e *EntryResult) line(site event.Site) string {
	if site == 0 || e.source == nil {
		return ""
	}
	if p := e.source.Position(site); !p.IsValid() {
		return ""
	}
	return e.View(nil).Line(site)
}

// View returns how findings of the entry are written down; f is the one to
// be looked at, nil if none in particular.
func (e *EntryResult) View(f *report.Finding) *report.View {
	v := &report.View{Code: report.Code{Source: e.source, Packages: e.packages, ReadFile: os.ReadFile}, Entry: e.Name, EntryPos: e.Pos}
	if f != nil && e.token != nil && f.Category != report.Internal {
		v.Token = e.token(f)
		if race := e.raceOf(f); race != nil {
			v.Race = e.token(race)
		}
	}
	return v
}

// raceOf is the data race of the accesses of a finding of category Robustness, nil if it is none or the race was not
// found.
func (e *EntryResult) raceOf(f *report.Finding) *report.Finding {
	if f.Category != report.Robustness || e.Result == nil {
		return nil
	}
	key := explore.RaceKey(f.Witness.Events[f.Events[0]].Site, f.Witness.Events[f.Events[1]].Site)
	for i := range e.Result.Findings {
		if g := &e.Result.Findings[i]; g.Key == key && g.Memory == event.SC {
			return g
		}
	}
	return nil
}

// distinct drops findings that people would call the same: another value in the message of a test that fails at the
// same line, or a cycle of locks met from the other side. A send beside the close of its channel is left out if the
// panic of the send was found.
func (e *EntryResult) distinct() {
	v, seen, all := e.View(nil), map[string]bool{}, slices.Clone(e.Result.Findings)
	e.Result.Findings = slices.DeleteFunc(e.Result.Findings, func(f report.Finding) bool {
		id := v.Identity(&f)
		again := seen[id]
		seen[id] = true
		return again || v.Told(&f, all)
	})
}

// internal returns the findings that are faults of Heddle.
func (e *EntryResult) internal() []*report.Finding {
	var fs []*report.Finding
	for i := range e.Result.Findings {
		if f := &e.Result.Findings[i]; f.Category == report.Internal {
			fs = append(fs, f)
		}
	}
	return fs
}

// A Report is one finding, together with the entry that shows it.
type Report struct {
	*report.Finding
	Entry *EntryResult
	View  *report.View
	// Identity, Position and Message as the View gives them.
	Identity string
	Position token.Position
	Message  string
	// Fix repairs the finding; nil if none is known.
	Fix *fix.Fix
	// Reason is why the finding is accepted, of those that a comment suppresses.
	Reason string
	// Old says that it was there before (NewSince).
	Old bool
}

// all returns the entries, and then the pairs.
func (r *Result) all() (out []*EntryResult) {
	for i := range r.Entries {
		out = append(out, &r.Entries[i])
	}
	for i := range r.Pairs {
		out = append(out, &r.Pairs[i])
	}
	return out
}

// Reports returns the findings of a category, sorted by position. Equal findings of
// several entries are reported once, for the first entry. Those that users have accepted are not among them.
func (r *Result) Reports(c report.Category) []Report {
	out, _, _ := r.split(r.reports(c))
	return out
}

// Accepted returns the findings of a category that comments suppress, and those that are known: that the baseline
// has, or that are old.
func (r *Result) Accepted(c report.Category) (suppressed, known []Report) {
	_, suppressed, known = r.split(r.reports(c))
	return suppressed, known
}

// EntryReports returns the findings of an entry whose result stands, by position. They are as Reports will have them if
// nothing else is found in the package. Findings of Heddle itself are not among them.
func (r *Result) EntryReports(e *EntryResult) (out []Report) {
	for _, c := range report.Categories {
		if c != report.Internal {
			reported, _, _ := r.split(reportsOf(c, e))
			out = append(out, reported...)
		}
	}
	positions := newPositions(&analysis.Pass{Fset: r.fset})
	for i := range out {
		out[i].Position = r.fset.Position(positions.report(&out[i]))
	}
	slices.SortStableFunc(out, func(a, b Report) int {
		return cmp.Or(comparePositions(a.Position, b.Position), cmp.Compare(a.Message, b.Message))
	})
	return out
}

func (r *Result) reports(c report.Category) []Report { return reportsOf(c, r.all()...) }

func reportsOf(c report.Category, entries ...*EntryResult) []Report {
	var out []Report
	seen := map[string]bool{}
	for _, e := range entries {
		for j := range e.Result.Findings {
			f := &e.Result.Findings[j]
			if f.Category != c {
				continue
			}
			v := e.View(f)
			id := v.Identity(f)
			if seen[id] {
				continue
			}
			seen[id] = true
			rep := Report{Finding: f, Entry: e, View: v, Identity: id, Position: v.Position(f), Message: v.Message(f)}
			if fx, ok := e.Fixes[j]; ok {
				rep.Fix = &fx
			}
			out = append(out, rep)
		}
	}
	slices.SortStableFunc(out, func(a, b Report) int { return comparePositions(a.Position, b.Position) })
	return out
}

func comparePositions(a, b token.Position) int {
	return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Line, b.Line))
}
