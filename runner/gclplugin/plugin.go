// Package gclplugin is Heddle as a module plugin of golangci-lint v2.
//
// # Deviations from heddle and go vet
//
//	GCL1  All checks are one analyzer, heddle, with the name of the linter: golangci-lint puts the names of others
//	      before each message.
//	GCL2  A finding is one issue. Related positions would become issues of their own, so they are left out. The
//	      message stands alone, with the token.
//	GCL3  golangci-lint shows one issue a line. Findings of one line are one issue; its text names all.
//	GCL4  With --new-from-rev and its like an issue is shown if its line has changed. The finding moves to the first
//	      of its positions that has changed, and its text then begins with the place where it was. All packages are
//	      explored. For golangci-lint keeps what a linter said of a package, whatever the revision. It would take a
//	      package that was left out for clean in a later run.
//	GCL5  Nothing ends in a silent "0 issues". Without tests (run.tests: false), and where the go command sees other
//	      files than golangci-lint, an issue says that nothing was explored.
//	GCL6  Recipes come from the go command, and not from facts: to compute those, golangci-lint would load the
//	      standard library from source.
//	GCL7  //nolint and //nolint:heddle are golangci-lint's business, which takes one that suppresses nothing for a
//	      fault. It does not know comments that name a check, nor the forms of staticcheck: Heddle honours them.
//
// Verdicts are kept where heddle keeps them (package cache).
package gclplugin

import (
	"fmt"
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/passes/cache"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/passes/suppress"
)

// Name is what the configuration calls the linter.
const Name = "heddle"

func init() { register.Plugin(Name, New) }

// verdicts is the cache that heddle has too, nil if the user has none. golangci-lint's own forgets a package when any
// of its files changes.
func verdicts() *cache.Store {
	dir, err := cache.Folder()
	if err != nil || dir == cache.Off || testing.Testing() && !cache.Chosen() {
		return nil
	}
	return cache.Open(dir)
}

type plugin struct{ checks []*analysis.Analyzer }

// New makes the plugin with the settings of .golangci.yml.
func New(conf any) (register.LinterPlugin, error) {
	checks, err := configure(conf)
	if err != nil {
		return nil, fmt.Errorf("%s: settings: %w", Name, err)
	}
	closure.WithoutFacts() // GCL6
	closure.FlagsFrom(tags)
	closure.KeepUniverse() // one standard library for all packages
	exploration.Cache = verdicts()
	exploration.DriverHonours = (*suppress.Directive).NamesLinter // GCL7
	return &plugin{checks}, nil
}

// GetLoadMode implements register.LinterPlugin.
func (*plugin) GetLoadMode() string { return register.LoadModeTypesInfo }

// BuildAnalyzers implements register.LinterPlugin.
func (p *plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	setup := readRun()
	return []*analysis.Analyzer{{
		Name:     Name,
		Doc:      "explore all schedules of a package's tests: data races, deadlocks, leaks, panics, failing assertions",
		URL:      "https://github.com/heddle-go/heddle",
		Requires: []*analysis.Analyzer{exploration.Analyzer},
		Run:      func(pass *analysis.Pass) (any, error) { return nil, p.run(pass, setup) },
	}}, nil
}

// run reports the findings of all checks.
func (p *plugin) run(pass *analysis.Pass, setup runSetup) error {
	if why := setup.unexplored(pass); why != "" {
		pass.Reportf(pass.Files[0].Package, "%s: not explored: %s", pass.Pkg.Path(), why)
		return nil
	}
	var all []analysis.Diagnostic
	collect := *pass
	collect.Report = func(d analysis.Diagnostic) { all = append(all, d) }
	res := pass.ResultOf[exploration.Analyzer].(*exploration.Result)
	if res.Err != nil && exploration.Analyzer.Flags.Lookup("incomplete").Value.String() != "true" {
		collect.Reportf(pass.Files[0].Package, "%s: not explored: %v", pass.Pkg.Path(), res.Err) // GCL5
	}
	res.ReportEntries(&collect)
	for _, check := range p.checks {
		if _, err := check.Run(&collect); err != nil {
			return err
		}
	}
	changed := setup.changes()
	for i := range all {
		all[i] = moved(pass, all[i], changed)
	}
	for _, d := range oneALine(pass, all) {
		pass.Report(d)
	}
	return nil
}

// oneALine joins what is reported of one line (GCL3), and leaves related positions out (GCL2).
func oneALine(pass *analysis.Pass, all []analysis.Diagnostic) []analysis.Diagnostic {
	type line struct {
		file string
		n    int
	}
	at := make(map[line]int)
	var out []analysis.Diagnostic
	for _, d := range all {
		d.Related = nil
		p := pass.Fset.Position(d.Pos)
		l := line{p.Filename, p.Line}
		i, ok := at[l]
		switch {
		case !ok:
			at[l] = len(out)
			out = append(out, d)
		case !strings.Contains(out[i].Message, d.Message):
			out[i].Message += "; and on this line: " + d.Message
			out[i].SuggestedFixes = nil // an edit is for one finding
		}
	}
	return out
}

// moved moves a finding to the first of its positions on a changed line (GCL4).
func moved(pass *analysis.Pass, d analysis.Diagnostic, changed changes) analysis.Diagnostic {
	if changed == nil || changed.has(pass.Fset.Position(d.Pos)) {
		return d
	}
	for _, r := range d.Related {
		if changed.has(pass.Fset.Position(r.Pos)) {
			was := pass.Fset.Position(d.Pos)
			d.Message = fmt.Sprintf("%s:%d: %s", base(was.Filename), was.Line, d.Message)
			d.Pos, d.End = r.Pos, r.End
			return d
		}
	}
	return d
}
