// Package analysistest tests checks that explore: it runs an analyzer on packages of a module in testdata, through
// Heddle's own loader and machine, and compares what it reports with comments in the sources.
//
// # Comments
//
// The comments are those of golang.org/x/tools/go/analysis/analysistest:
//
//	c.n++ // want "data race: write of c.n"
//
// says that the analyzer reports something at this line, and nothing more than once, that matches the regular
// expression. More literals on a line expect more reports; "// want+1 ..." speaks of the next line, as does +2 and so
// on. A report without a comment is an error, as is a comment without a report.
//
// A comment at the line of an entry's declaration says how its exploration must end:
//
//	func TestAdd(t *testing.T) { // verdict: exhausted
//	func TestBig(t *testing.T) { // verdict: sampled "limit of runs"
//
// The word is one of package verdict, or "incomplete" for all but exhausted; the regular expression is for the whole
// text.
//
// # Use
//
//	func Test(t *testing.T) {
//		analysistest.Run(t, analysistest.TestData(), datarace.Analyzer, "./...")
//	}
package analysistest

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/runner/driver"
)

// Testing is the part of *testing.T that Run needs.
type Testing interface {
	Helper()
	Errorf(format string, args ...any)
}

// TestData returns the absolute path of the test's testdata folder.
func TestData() string {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		log.Fatal(err) // the test has no working directory
	}
	return dir
}

// Run runs the analyzer on the packages of the module in dir that patterns match,
// and reports to t every difference from the comments. The results are there for further checks.
func Run(t Testing, dir string, a *analysis.Analyzer, patterns ...string) []*driver.Package {
	t.Helper()
	return RunAll(t, dir, []*analysis.Analyzer{a}, patterns...)
}

// RunAll is Run with several analyzers: the comments are those for all of them together.
func RunAll(t Testing, dir string, analyzers []*analysis.Analyzer, patterns ...string) []*driver.Package {
	t.Helper()
	cfg := closure.Config(dir)
	// The module in testdata stands alone, whatever surrounds it.
	cfg.Env = append(os.Environ(), "GO111MODULE=on", "GOWORK=off", "GOPROXY=off", "GOFLAGS=")
	var pkgs []*driver.Package
	if !slices.Contains(analyzers, exploration.Analyzer) {
		analyzers = append(slices.Clip(analyzers), exploration.Analyzer) // for what Heddle could not do
	}
	err := driver.Run(cfg, exploration.Watcher{}, analyzers, patterns, func(p *driver.Package) error {
		pkgs = append(pkgs, p)
		return nil
	})
	if err != nil {
		t.Errorf("analysing %q in %s: %v", patterns, dir, err)
	}
	for _, p := range pkgs {
		for _, problem := range compare(dir, p) {
			t.Errorf("%s", problem)
		}
	}
	return pkgs
}

// compare returns what differs between a package's comments and its results, in order.
func compare(dir string, p *driver.Package) []string {
	exp, problems := expectations(p.Files)
	rel := func(name string) string {
		if r, err := filepath.Rel(dir, name); err == nil {
			return filepath.ToSlash(r)
		}
		return name
	}
	for _, d := range p.Diagnostics {
		at := place{d.Position.Filename, d.Position.Line}
		if i := slices.IndexFunc(exp.want[at], func(rx *regexp.Regexp) bool { return rx.MatchString(d.Message) }); i >= 0 {
			exp.want[at] = slices.Delete(exp.want[at], i, i+1)
			continue
		}
		problems = append(problems, fmt.Sprintf("%s:%d: unexpected diagnostic of %s: %s%s",
			rel(at.file), at.line, d.Analyzer.Name, d.Message, patterns(exp.want[at])))
	}
	for at, rest := range exp.want {
		for _, rx := range rest {
			problems = append(problems, fmt.Sprintf("%s:%d: no diagnostic was reported matching %#q", rel(at.file), at.line, rx))
		}
	}
	if p.Exploration != nil {
		problems = append(problems, exp.checkVerdicts(p.Exploration, rel)...)
	}
	slices.Sort(problems)
	return problems
}

func patterns(rest []*regexp.Regexp) string {
	s := ""
	for _, rx := range rest {
		s += fmt.Sprintf("; it does not match %#q", rx)
	}
	return s
}

// checkVerdicts compares the verdicts of the entries with the comments at their declarations.
func (exp *expected) checkVerdicts(x *exploration.Result, rel func(string) string) []string {
	var problems []string
	verdicts := exp.verdicts
	for i := range x.Entries {
		e := &x.Entries[i]
		at := place{e.Pos.Filename, e.Pos.Line}
		want, ok := verdicts[at]
		if !ok {
			continue
		}
		delete(verdicts, at)
		got := e.Verdict()
		ok = want.verdict == string(got.Kind) || want.verdict == string(e.Result.Verdict)
		if !ok || want.reason != nil && !want.reason.MatchString(got.String()) {
			problems = append(problems, fmt.Sprintf("%s:%d: verdict of %s: %s (%s), want %s", rel(at.file), at.line, e.Name, got.Kind, got, want))
		}
	}
	for at, want := range verdicts {
		why := "no entry was explored here"
		if x.Skipped != "" {
			why = "the package was not explored: " + x.Skipped
		}
		problems = append(problems, fmt.Sprintf("%s:%d: want verdict %s, but %s", rel(at.file), at.line, want, why))
	}
	return problems
}
