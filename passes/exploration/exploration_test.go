package exploration

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/program"
)

var source = `package p

import "testing"

var n int

func TestA(t *testing.T) { go add(); add() }
func TestB(t *testing.T) { go add(); add() }

func add() { n++ }
`

// fakeTarget stands for a program whose entries do what a test wants.
type fakeTarget struct {
	dir   string
	names []string
}

func (f *fakeTarget) position(text string) token.Position {
	off := strings.Index(source, text)
	line := 1 + strings.Count(source[:off], "\n")
	column := off - strings.LastIndexByte(source[:off], '\n')
	return token.Position{Filename: filepath.Join(f.dir, "p_test.go"), Offset: off, Line: line, Column: column}
}

func (f *fakeTarget) Position(s event.Site) token.Position {
	if s == 0 {
		return token.Position{}
	}
	return f.position("n++")
}
func (f *fakeTarget) IsUser(event.Site) bool     { return true }
func (f *fakeTarget) Package(event.Site) string  { return "example.com/p" }
func (f *fakeTarget) Variable(event.Site) string { return "n" }
func (f *fakeTarget) machine(entry) sched.Machine {
	return nil
}
func (f *fakeTarget) read() string                  { return "" }
func (f *fakeTarget) userMemory(uint64) bool        { return true }
func (f *fakeTarget) waits(entry) bool              { return true }
func (f *fakeTarget) another() target               { return f }
func (f *fakeTarget) executed() <-chan struct{}     { return nil }
func (f *fakeTarget) pair(a, b entry) sched.Machine { return nil }
func (f *fakeTarget) entries() []entry {
	var out []entry
	for i, name := range f.names {
		out = append(out, entry{index: i, name: name, pkg: "example.com/p", kind: "test", pos: f.position(name)})
	}
	return out
}

type fakeExplorer func(explore.Limits) *explore.Result

func (f fakeExplorer) Explore(_ sched.Machine, l explore.Limits) *explore.Result { return f(l) }

// race is the race of add with itself.
func race() *explore.Result {
	w := &trace.Trace{
		Threads: []trace.Thread{{ID: "G1", Parent: -1, Spawn: -1}, {ID: "G1.1", Spawn: -1}},
		Events: []event.Event{
			{Thread: 0, Kind: event.Write, Loc: event.Location{Addr: 8, Size: 8}, Site: 1, Case: -1, Partner: -1},
			{Thread: 1, Kind: event.Read, Loc: event.Location{Addr: 8, Size: 8}, Site: 1, Case: -1, Partner: -1},
		},
	}
	return &explore.Result{
		Verdict:  explore.Exhausted,
		Findings: []report.Finding{{Category: report.DataRace, Witness: w, Events: []int{0, 1}, Threads: []int{0, 1}, Key: "k", Seed: seed.Seed{{Thread: "G1", Case: -1, PartnerCase: -1}}}},
	}
}

// explored runs the analyzer on a package of two tests, each explored by x.
func explored(t *testing.T, x func() *explore.Result) (*Result, []analysis.Diagnostic, *analysis.Pass) {
	t.Helper()
	return exploredBy(t, func(explore.Limits) *explore.Result { return x() })
}

func exploredBy(t *testing.T, x func(explore.Limits) *explore.Result) (*Result, []analysis.Diagnostic, *analysis.Pass) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "p_test.go"), []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	oldLoad, oldNew := loadTarget, newExplorer
	t.Cleanup(func() { loadTarget, newExplorer = oldLoad, oldNew })
	loadTarget = func(*closure.Result, given) (target, error) {
		return &fakeTarget{dir: dir, names: []string{"TestA", "TestB"}}, nil
	}
	newExplorer = func(string) (explore.Explorer, error) { return fakeExplorer(x), nil }

	// The pass's FileSet has other bases than the program's would have.
	fset := token.NewFileSet()
	fset.AddFile("another.go", -1, 1000)
	fset.AddFile(filepath.Join(dir, "p_test.go"), -1, len(source)).SetLinesForContent([]byte(source))
	var diags []analysis.Diagnostic
	pass := &analysis.Pass{
		Analyzer: Analyzer, Fset: fset, Pkg: types.NewPackage("example.com/p", "p"),
		Report: func(d analysis.Diagnostic) { diags = append(diags, d) },
		ResultOf: map[*analysis.Analyzer]any{closure.Analyzer: &closure.Result{
			Packages: []string{"example.com/p"},
			Recipe: &program.Recipe{Path: "example.com/p", Root: "example.com/p", HasTests: true, Digest: "00ff", Packages: []program.PackageRecipe{
				{ID: "example.com/p", Path: "example.com/p", Dir: dir, GoFiles: []string{"p_test.go"}},
			}},
		}},
	}
	res, err := run(pass)
	if err != nil {
		t.Fatalf("Run returned an error, which a build tool would cache as silence: %v", err)
	}
	return res.(*Result), diags, pass
}

func setFlag(t *testing.T, name, value string) {
	t.Helper()
	f := Analyzer.Flags.Lookup(name)
	if err := f.Value.Set(value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Value.Set(f.DefValue) })
}

func TestFindingOfSeveralEntriesIsReportedOnce(t *testing.T) {
	res, diags, pass := explored(t, race)
	if len(diags) != 0 {
		t.Errorf("exploration reported %v; findings are for the checks", diags)
	}
	res.Report(pass, report.DataRace)
	res.Report(pass, report.Deadlock)
	if len(res.Entries) != 2 {
		t.Fatalf("%d entries were explored, want 2", len(res.Entries))
	}
	reports := res.Reports(report.DataRace)
	if len(reports) != 1 {
		t.Fatalf("%d reports, want 1: both tests show the same race", len(reports))
	}
	tok, err := seed.Parse(reports[0].View.Token)
	if err != nil {
		t.Fatalf("the token in the message: %v", err)
	}
	if tok.Entry != "TestA" || tok.Package != "example.com/p" || tok.Digest != "\x00\xff" {
		t.Errorf("the token is of %+v", tok)
	}
}

func TestPositionsAreThoseOfThePass(t *testing.T) {
	res, _, pass := explored(t, race)
	var got []string
	pass.Report = func(d analysis.Diagnostic) {
		p := pass.Fset.Position(d.Pos)
		got = append(got, fmt.Sprintf("%s:%d:%d %d", filepath.Base(p.Filename), p.Line, p.Column, len(d.Related)))
	}
	res.Report(pass, report.DataRace)
	if want := "[p_test.go:10:14 0]"; fmt.Sprint(got) != want {
		t.Errorf("reported at %v, want %s", got, want)
	}
}

func TestPanicInHeddleEndsOneEntryOnly(t *testing.T) {
	n := 0
	res, diags, _ := explored(t, func() *explore.Result {
		if n++; n == 1 {
			var m map[string]int
			m["x"] = 1
		}
		return race()
	})
	if len(res.Entries) != 2 || len(res.Entries[1].Result.Findings) != 1 {
		t.Fatalf("the second entry was not explored: %+v", res)
	}
	if v := res.Entries[0].Result.Verdict; v != explore.Incomplete {
		t.Errorf("the verdict of the broken entry is %s", v)
	}
	if len(diags) != 1 || diags[0].Category != "internal" {
		t.Fatalf("diagnostics: %v, want one of category internal", diags)
	}
	for _, want := range []string{"TestA", "assignment to entry in nil map", "exploration_test.go", "please report"} {
		if want != "exploration_test.go" && !strings.Contains(diags[0].Message, want) {
			t.Errorf("the message lacks %q: %s", want, diags[0].Message)
		}
	}
}

func TestMergeFlag(t *testing.T) {
	defer func() { flags.merge = "" }()
	for value, apart := range map[string]bool{"": false, "on": false, "off": true} {
		flags.merge = value
		x, err := makeExplorer()
		if err != nil {
			t.Fatal(err)
		}
		if u, ok := x.(*union.Explorer); !ok || u.Apart != apart {
			t.Errorf("-merge=%s makes %+v", value, x)
		}
	}
}

func TestRunFlagSelectsEntries(t *testing.T) {
	setFlag(t, "run", "B$")
	res, _, _ := explored(t, race)
	if len(res.Entries) != 1 || res.Entries[0].Name != "TestB" || len(res.Names) != 2 {
		t.Errorf("explored %+v of %v, want TestB alone", res.Entries, res.Names)
	}
	if err := Analyzer.Flags.Lookup("run").Value.Set("("); err == nil {
		t.Error("-run=( gave no error")
	}
}

func TestIncompleteIsReportedWhenAsked(t *testing.T) {
	limited := func() *explore.Result {
		return &explore.Result{Verdict: explore.Incomplete, Reason: "limit of 10 executions reached", ReasonSite: 1}
	}
	if _, diags, _ := explored(t, limited); len(diags) != 0 {
		t.Errorf("reported without being asked: %v", diags)
	}
	setFlag(t, "incomplete", "true")
	_, diags, _ := explored(t, limited)
	want := "TestA: sampled: limit of 10 executions reached (at p_test.go:10)"
	if len(diags) != 2 || diags[0].Message != want {
		t.Errorf("got %v, want two with %q first", diags, want)
	}
}

func TestProgramThatCannotBeMadeIsNoError(t *testing.T) {
	_, _, pass := explored(t, race)
	for _, tt := range []struct {
		load func(*closure.Result) (target, error)
		want int
	}{
		{func(*closure.Result) (target, error) { return nil, errors.New("x.go:1:1: no") }, 0},
		{func(*closure.Result) (target, error) { panic("broken") }, 1},
	} {
		loadTarget = func(c *closure.Result, _ given) (target, error) { return tt.load(c) }
		var diags []analysis.Diagnostic
		pass.Report = func(d analysis.Diagnostic) { diags = append(diags, d) }
		res, err := run(pass)
		if err != nil || res.(*Result).Err == nil {
			t.Errorf("run gave %v, %v; want a result with an error in it", res, err)
		}
		if len(diags) != tt.want {
			t.Errorf("%d diagnostics, want %d: %v", len(diags), tt.want, diags)
		}
	}
}

// TestPositionsBehindDirectives: a place that a //line directive names is found in the file that has the directive,
// also where it names another file of the pass.
func TestPositionsBehindDirectives(t *testing.T) {
	pass := &analysis.Pass{Fset: token.NewFileSet()}
	for _, file := range [][2]string{
		{"/dir/a.go", "package p\n\nvar before = 1\n\n//line b.go:3\nvar other = 2\n\n//line gen.y:7:9\nvar generated = 3\n"},
		{"/dir/b.go", "package p\n\n// A comment, which has the offsets of the variables in the other file, and more than those.\nvar own = 4\n"},
	} {
		f, err := parser.ParseFile(pass.Fset, file[0], file[1], parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		pass.Files = append(pass.Files, f)
	}
	positions := newPositions(pass)
	for _, f := range pass.Files {
		for _, d := range f.Decls {
			posn := pass.Fset.Position(d.Pos())
			if got, ok := positions.pos(posn); !ok || got != d.Pos() {
				t.Errorf("%v: %v, %v, want %v", posn, ok, pass.Fset.PositionFor(got, false), pass.Fset.PositionFor(d.Pos(), false))
			}
			posn.Line += 100
			if got, ok := positions.pos(posn); ok {
				t.Errorf("%v: there is no such line, but %v", posn, got)
			}
		}
	}
}
