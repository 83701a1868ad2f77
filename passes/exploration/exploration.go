package exploration

import (
	_ "embed"
	"errors"
	"fmt"
	"reflect"
	"regexp"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/internal/analyzerdoc"
)

//go:embed doc.go
var doc string

// Analyzer produces a *Result.
var Analyzer = &analysis.Analyzer{
	Name:       "exploration",
	Doc:        analyzerdoc.MustExtract(doc, "exploration"),
	URL:        "https://pkg.go.dev/github.com/heddle-go/heddle/passes/exploration",
	Requires:   []*analysis.Analyzer{closure.Analyzer},
	ResultType: reflect.TypeFor[*Result](),
	Run:        run,
}

// The flags. Drivers give the ones people need every day short names too.
var flags options

type options struct {
	explorer   string
	solver     string
	merge      string
	executions int
	events     int
	work       int
	memory     int
	timing     string
	leaks      string
	model      string
	deps       string
	workers    int
	run        runFlag
	env        EnvFlag
	faults     FaultsFlag
	incomplete bool
	fixes      bool
	sequential bool
	robustness bool
}

// given is what entries are given by the flags.
func (o *options) given() given { return given{o.env, o.faults.Faults} }

func init() {
	f := &Analyzer.Flags
	f.StringVar(&flags.explorer, "explorer", "", "explorer to use (empty: the default one)")
	f.StringVar(&flags.solver, "solver", "", "solver that mcr-s and mcr-s+ ask: cdcl (the built-in one; the default), z3 (loaded from libz3.so; output may then differ from one version of it to another)")
	f.StringVar(&flags.merge, "merge", "", "explorer union: whether histories that lead a goroutine to one state are one, and goroutines with equal futures may change places: on (the default), off (a goroutine is known by its history alone, which -stats then counts; the same is found, with more work)")
	f.IntVar(&flags.executions, "limit.executions", 0, "runs of one entry at most (0: 10000, not counting those of the search by delays)")
	f.IntVar(&flags.events, "limit.events", 0, "events of all runs of one entry at most, on what its goroutines share (0: 1000000, not counting those of the search by delays)")
	f.IntVar(&flags.work, "limit.work", 0, "work on one entry at most, in millions of machine instructions; the rest of the work has its price in them (0: 600, some ten seconds)")
	f.IntVar(&flags.memory, "limit.memory", 0, "MiB alive in one run at most (0: 256)")
	f.StringVar(&flags.timing, "timing", string(explore.TimingStructural), "what to do with timers that fire while goroutines could run: off, structural (drop what a test's own time-out rejects), all")
	f.StringVar(&flags.model, "memory", event.SC.String(), "memory model: sc (what is stored is in memory at once), tso (later, in order, as on amd64), pso (later, in order for each location); an entry without a data race does the same under all")
	f.StringVar(&flags.leaks, "leaks", string(explore.LeaksUnreachable), "which goroutines that an entry leaves blocked have leaked: unreachable (those that nothing can wake any more), all (also those that wait for what package variables reach)")
	f.StringVar(&flags.deps, "deps", "", "explorers mcr-s and mcr-s+: on which earlier reads an operation depends: none (that is, on all), static (by the dependence graph; the default), dynamic (by what flowed in the machine); explorer union: whether executions ignore numbers that nothing acts upon: none (the default), static (no function of the program), dynamic (no function that was called)")
	f.IntVar(&flags.workers, "workers", 1, "processors that an exploration uses (0: all); what is found does not depend on it")
	f.Var(&flags.run, "run", "explore only entries whose name matches this regular expression")
	f.Var(&flags.env, "env", "give the entries an environment variable, as `NAME=VALUE`; may be repeated")
	f.Var(&flags.faults, "faults", "let the loopback network fail, as a choice of the schedule: a list of short (reads), reset (connections), refused (connections), late (segments and datagrams), drop (datagrams), or all. One fault in a run; \"reset,drop:2\" is two at most")
	f.BoolVar(&flags.sequential, "sequential", false, "also run tests of packages that start no goroutine, if they may wait for ever (heddle: true; under go vet: false)")
	f.BoolVar(&flags.robustness, robustnessFlag, false, "look for what data races can do under a relaxed memory model (-memory; tso if that is sc) and not otherwise, for the check robustness, whose name sets this flag")
	f.BoolVar(&flags.incomplete, "incomplete", false, "also report each entry that is not exhausted, and why (heddle help verdicts)")
	f.BoolVar(&flags.fixes, "fixes", false, "look for an edit that repairs each finding, explore the edited package, and suggest the edit if nothing is found in it any more")
}

// robustnessFlag is the flag that the check of the same name needs. Drivers set it when the check is asked for (Ask).
const robustnessFlag = "robustness"

// Optional reports whether a check is off unless it is named, and is run beside those that are on then.
func Optional(check string) bool { return check == robustnessFlag }

// Ask has the analyzer look for what an optional check reports, or not. Of other checks it does nothing.
func Ask(check string, on bool) {
	if Optional(check) {
		flags.robustness = on
	}
}

// Aliases are the flags of this analyzer that drivers offer under their bare
// names too: they concern every check.
var Aliases = []string{"explorer", "solver", "merge", "deps", "limit.executions", "limit.events", "limit.work", "limit.memory", "timing", "leaks", "memory", "workers", "run", "env", "faults", "sequential", "incomplete", "fixes"}

// runFlag is a regular expression that is checked when it is set.
type runFlag struct{ re *regexp.Regexp }

func (f *runFlag) String() string {
	if f == nil || f.re == nil {
		return ""
	}
	return f.re.String()
}

func (f *runFlag) Set(s string) error {
	if s == "" {
		f.re = nil
		return nil
	}
	re, err := regexp.Compile(s)
	if err != nil {
		return err
	}
	f.re = re
	return nil
}

func (f *runFlag) match(name string) bool { return f.re == nil || f.re.MatchString(name) }

func run(pass *analysis.Pass) (any, error) {
	return Run(pass, Watcher{})
}

// ReportEntries reports what belongs to no check: faults of Heddle itself and, when asked, entries that were not
// explored to the end.
func (r *Result) ReportEntries(pass *analysis.Pass) {
	positions := newPositions(pass)
	for i := range r.Entries {
		e := &r.Entries[i]
		for _, f := range e.internal() {
			pass.Report(analysis.Diagnostic{Pos: positions.entry(e), Category: string(f.Category), Message: e.View(f).Message(f)})
		}
		if flags.incomplete && e.Result.Verdict == explore.Incomplete {
			pass.Report(analysis.Diagnostic{Pos: positions.entry(e), Category: "incomplete",
				Message: fmt.Sprintf("%s: %s", e.Name, e.Verdict())})
		}
	}
	for i := range r.Pairs {
		e := &r.Pairs[i]
		for _, f := range e.internal() {
			pass.Report(analysis.Diagnostic{Pos: positions.entry(e), Category: string(f.Category), Message: e.View(f).Message(f)})
		}
	}
	if flags.incomplete && r.ConflictsLeft > 0 {
		pass.Report(analysis.Diagnostic{Pos: positions.fallback, Category: "incomplete",
			Message: fmt.Sprintf("%s: of tests that call t.Parallel, %d pairs of accesses were not tried", pass.Pkg.Path(), r.ConflictsLeft)})
	}
	if flags.incomplete && r.waits {
		pass.Report(analysis.Diagnostic{Pos: positions.fallback, Category: "incomplete",
			Message: fmt.Sprintf("%s: not explored: nothing in it starts a goroutine; its tests may wait for ever, -sequential runs them", pass.Pkg.Path())})
	}
	r.reportDirectives(pass, positions)
	var internal *internalError
	switch {
	case r.Err == nil:
	case errors.As(r.Err, &internal):
		pass.Report(analysis.Diagnostic{Pos: positions.fallback, Category: string(report.Internal),
			Message: fmt.Sprintf("%s: not explored: %v", pass.Pkg.Path(), r.Err)})
	case flags.incomplete:
		pass.Report(analysis.Diagnostic{Pos: positions.fallback, Category: "incomplete",
			Message: fmt.Sprintf("%s: not explored: %v", pass.Pkg.Path(), r.Err)})
	}
}
