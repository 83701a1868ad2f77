package runner

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/passes"
	"github.com/heddle-go/heddle/passes/exploration"
)

// options are the flags of `heddle [flags] packages`.
type options struct {
	json  bool
	html  string
	fix   bool
	stats string
	table bool
	dump  string
	tags  string

	analyzers []*analysis.Analyzer // those that the flags leave enabled
	patterns  []string
}

// parseFlags reads the command line of a check. An analyzer is switched by
// its name and its flags are -analyzer.flag, as go vet has it.
func parseFlags(args []string) (*options, error) {
	o := new(options)
	fs, enabled := o.flagSet()
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil, err
		}
		return nil, fmt.Errorf("%w (heddle help lists the flags)", err)
	}
	if err := checkDump(o.dump); err != nil {
		return nil, err
	}
	if err := exploration.CheckFlags(); err != nil {
		return nil, err
	}
	if o.fix {
		_ = exploration.Analyzer.Flags.Set("fixes", "true")
	}
	o.analyzers = selectAnalyzers(enabled)
	o.patterns = fs.Args()
	if len(o.patterns) == 0 {
		o.patterns = []string{"."}
	}
	return o, nil
}

// flagSet declares the flags, all at their defaults, and the switches of the analyzers.
func (o *options) flagSet() (*flag.FlagSet, map[*analysis.Analyzer]*triState) {
	fs := flag.NewFlagSet("heddle", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.BoolVar(&o.json, "json", false, "write diagnostics in the JSON form of go vet")
	fs.BoolVar(&o.fix, "fix", false, "apply the suggested fix of each finding that has one; a fix is suggested if the edited package, explored again, shows nothing")
	fs.StringVar(&o.html, "html", "", "write a report to look at in a browser to the `folder`")
	fs.StringVar(&o.stats, "stats", "", "write what each entry cost to `file`, one JSON object a line")
	fs.BoolVar(&o.table, "table", false, "show the interleaving of each finding as a table")
	fs.StringVar(&o.dump, "dump", "", "write to standard error, for each finding, what the `letters` ask for:\n"+dumpUsage())
	fs.StringVar(&o.tags, "tags", "", "comma-separated `list` of build tags")
	enabled := map[*analysis.Analyzer]*triState{}
	for _, a := range passes.All {
		ts := new(triState)
		enabled[a] = ts
		fs.Var(ts, a.Name, "enable the "+a.Name+" check alone, or with =false disable it")
		a.Flags.VisitAll(func(f *flag.Flag) {
			_ = f.Value.Set(f.DefValue) // a default is valid
			if a == exploration.Analyzer && f.Name == "workers" {
				_ = f.Value.Set("0") // under go vet several tools run side by side; this one runs alone
			}
			fs.Var(f.Value, a.Name+"."+f.Name, f.Usage)
		})
	}
	for _, name := range exploration.Aliases {
		f := exploration.Analyzer.Flags.Lookup(name)
		fs.Var(f.Value, name, f.Usage)
	}
	return fs, enabled
}

// selectAnalyzers follows unitchecker: if any is switched on, those are run; else if any is switched off, the others.
func selectAnalyzers(enabled map[*analysis.Analyzer]*triState) []*analysis.Analyzer {
	only := false
	for _, ts := range enabled {
		only = only || *ts == setTrue
	}
	var out []*analysis.Analyzer
	for _, a := range passes.All {
		ts := *enabled[a]
		// What Heddle could not do is never switched off by asking for one check.
		if ts == setTrue || ts == unset && (!only || a == exploration.Analyzer) {
			out = append(out, a)
		}
	}
	return out
}

// A triState is a boolean flag that knows whether it was set.
type triState int

const (
	unset triState = iota
	setTrue
	setFalse
)

func (ts *triState) IsBoolFlag() bool { return true }

func (ts *triState) String() string {
	if ts != nil && *ts == setFalse {
		return "false"
	}
	return "true"
}

func (ts *triState) Set(s string) error {
	b, err := strconv.ParseBool(s)
	if err != nil {
		return errors.New("want true or false")
	}
	*ts = setFalse
	if b {
		*ts = setTrue
	}
	return nil
}

// buildFlags are passed to go list.
func (o *options) buildFlags() []string {
	if strings.TrimSpace(o.tags) == "" {
		return nil
	}
	return []string{"-tags=" + o.tags}
}
