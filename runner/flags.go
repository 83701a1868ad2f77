package runner

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/passes"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/runner/cmdline"
)

// options are the flags of `heddle [flags] packages`.
type options struct {
	json  bool
	html  string
	fix   bool
	stats string
	// budget is how much work the run may take, in millions; 0 is no limit.
	budget int
	// beside is how many entries are explored side by side, heap how many MiB are alive in all.
	beside, heap int
	table        bool
	dump         string
	tags         string
	color        cmdline.Color

	format, sarif, junit string

	config        string
	baseline      string
	writeBaseline string
	newFromRev    string
	cache         onOff

	analyzers []*analysis.Analyzer // those that the flags leave enabled
	patterns  []string
}

// take takes the arguments, and what the flags and the configuration file say together. given reports whether a flag is
// on the command line. words are the commands and topics that a misspelt word may mean.
func (o *options) take(args []string, fs *flag.FlagSet, enabled map[*analysis.Analyzer]*triState, given func(string) bool, words []string) error {
	for i, arg := range args {
		switch {
		case !cmdline.IsWord(arg) || arg == modulePath():
		case i == 0:
			return notACommand(arg, words)
		default:
			return fmt.Errorf("there is no package or folder %s", arg)
		}
	}
	if err := o.configure(fs, given); err != nil {
		return err
	}
	if err := o.checkOutputs(); err != nil {
		return err
	}
	if err := checkDump(o.dump); err != nil {
		return err
	}
	if err := exploration.CheckFlags(); err != nil {
		return err
	}
	if o.budget < 0 {
		return fmt.Errorf("-budget=%d: a limit is a positive number, or 0 for none", o.budget)
	}
	if o.newFromRev != "" && o.writeBaseline != "" {
		return fmt.Errorf("-new-from-rev and -write-baseline: a baseline has all findings, new and old")
	}
	if o.beside < 0 {
		return fmt.Errorf("-p=%d: want a positive number, or 0 for all processors", o.beside)
	}
	if o.heap < 1 {
		return fmt.Errorf("-limit.heap=%d: want a positive number of MiB", o.heap)
	}
	if o.fix {
		_ = exploration.Analyzer.Flags.Set("fixes", "true")
	}
	patterns, err := cmdline.Packages(args)
	if err != nil {
		return err
	}
	o.analyzers, o.patterns = selectAnalyzers(enabled), patterns
	for _, a := range passes.All {
		exploration.Ask(a.Name, slices.Contains(o.analyzers, a))
	}
	if len(o.patterns) == 0 {
		o.patterns = []string{"."}
	}
	return nil
}

// goFilesHere reports that the current folder, if it is what to check, is no package, as the root of many modules.
func (o *options) goFilesHere() error {
	if !slices.Equal(o.patterns, []string{"."}) {
		return nil
	}
	if names, err := filepath.Glob("*.go"); err != nil || len(names) > 0 {
		return nil
	}
	return errors.New("there are no Go files in this folder; to check the packages below: heddle ./...")
}

// configure takes what the configuration file says, and reads the baseline.
func (o *options) configure(fs *flag.FlagSet, given func(string) bool) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	f, err := readConfig(o.config, dir, fs)
	if err != nil {
		return err
	}
	if err := applyConfig(f, fs, given); err != nil {
		return err
	}
	exploration.Baseline = nil
	if o.writeBaseline == "" {
		exploration.Baseline, err = readBaseline(o.baseline, f)
	}
	return err
}

// looksForFixes reports whether fixes are asked for, by -fix or by -fixes.
func (o *options) looksForFixes() bool {
	f := exploration.Analyzer.Flags.Lookup("fixes")
	return f != nil && f.Value.String() == "true"
}

// notACommand is the error of a bare word that names nothing.
func notACommand(word string, words []string) error {
	if isCheck(word) {
		return fmt.Errorf("%s is a check and no command: heddle -%s ./... runs it alone, heddle help %s says what it finds", word, word, word)
	}
	if n := cmdline.Nearest(word, words); isCheck(n) {
		return fmt.Errorf("there is no command %q; did you mean the check heddle -%s?", word, n)
	}
	if n := cmdline.DidYouMean("heddle ", word, words); n != "" {
		return fmt.Errorf("there is no command %q%s", word, n)
	}
	return fmt.Errorf("there is no command %q; to check packages: heddle ./... (heddle help lists the commands)", word)
}

func isCheck(word string) bool {
	return slices.ContainsFunc(passes.All, func(a *analysis.Analyzer) bool { return a.Name == word })
}

// modulePath is the path of the module around the current folder, "" if there is none. It may be a bare word.
func modulePath() string {
	dir, err := os.Getwd()
	for err == nil {
		if data, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
			return modfile.ModulePath(data)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	return ""
}

// flagSet declares the flags, all at their defaults, and the switches of the analyzers.
func (o *options) flagSet() (*flag.FlagSet, map[*analysis.Analyzer]*triState) {
	fs := flag.NewFlagSet("heddle", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.BoolVar(&o.json, "json", false, "write diagnostics in the JSON form of go vet")
	fs.BoolVar(&o.fix, "fix", false, "apply the suggested fix of each finding that has one; a fix is suggested if the edited package, explored again, shows nothing")
	fs.StringVar(&o.html, "html", "", "write a report to look at in a browser to the `folder`")
	fs.StringVar(&o.stats, "stats", "", "write what each entry cost to `file`, one JSON object a line")
	fs.IntVar(&o.budget, "budget", 0, "work on all entries together at most, in millions as -limit.work has it; the first turns come before it is dealt evenly among those that have not ended (0: none)")
	fs.IntVar(&o.beside, "p", 0, "entries that are explored side by side (0: one for each processor); what is found, and every byte of the output, does not depend on it. With -budget it is 1")
	fs.IntVar(&o.heap, "limit.heap", 2048, "MiB of heddle's own heap: above half of it no further entry begins beside others, and where it is nearly used up one that is at work is set aside, and begun again later")
	fs.BoolVar(&o.table, "table", false, "show the interleaving of each finding as a table")
	fs.StringVar(&o.dump, "dump", "", "write to standard error, for each finding, what the `letters` ask for:\n"+dumpUsage())
	o.color = cmdline.Auto
	fs.Var(&o.color, "color", "`when` to use colours: auto (on a terminal, if NO_COLOR is not set), always or never")
	fs.StringVar(&o.tags, "tags", "", "comma-separated `list` of build tags")
	fs.Var((*formatFlag)(&o.format), "format", "what to write to standard output: text, json, sarif, junit, or github (annotations of a workflow): the `name`")
	fs.StringVar(&o.sarif, "sarif", "", "write SARIF 2.1.0 to `file` too")
	fs.StringVar(&o.junit, "junit", "", "write JUnit XML to `file` too")
	fs.StringVar(&o.config, "config", "", "read settings from `file`, and not from the heddle.yaml of the module (off: from none)")
	fs.StringVar(&o.baseline, "baseline", "", "do not report the findings that `file` has (off: report them, whatever heddle.yaml says)")
	fs.StringVar(&o.writeBaseline, "write-baseline", "", "write all findings to `file`, for -baseline, instead of reporting them")
	fs.StringVar(&o.newFromRev, "new-from-rev", "", "explore what changes since git `revision` can touch, and report findings that were not there then (heddle help new)")
	fs.Var(&o.cache, "cache", "whether to keep verdicts, and explore an entry again only if something has changed that it depends on: on (the default), off; the environment variable HEDDLE_CACHE says where (heddle help cache)")
	enabled := map[*analysis.Analyzer]*triState{}
	for _, a := range passes.All {
		ts := new(triState)
		enabled[a] = ts
		usage := "enable the " + a.Name + " check alone, or with =false disable it"
		if exploration.Optional(a.Name) {
			usage = "enable the " + a.Name + " check too, which is off by default"
		}
		fs.Var(ts, a.Name, usage)
		a.Flags.VisitAll(func(f *flag.Flag) {
			_ = f.Value.Set(f.DefValue) // a default is valid
			if a == exploration.Analyzer && f.Name == "workers" {
				_ = f.Value.Set("0") // under go vet several tools run side by side; this one runs alone
			}
			if a == exploration.Analyzer && f.Name == "sequential" {
				_ = f.Value.Set("true") // go vet is to be quick
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

// selectAnalyzers follows unitchecker: if any is switched on, those are run; else if any is switched off, the others. A
// check that is off by default is run if it is switched on, beside the others.
func selectAnalyzers(enabled map[*analysis.Analyzer]*triState) []*analysis.Analyzer {
	only := false
	for a, ts := range enabled {
		only = only || *ts == setTrue && !exploration.Optional(a.Name)
	}
	var out []*analysis.Analyzer
	for _, a := range passes.All {
		ts := *enabled[a]
		// What Heddle could not do is never switched off by asking for one check.
		if ts == setTrue || ts == unset && !exploration.Optional(a.Name) && (!only || a == exploration.Analyzer) {
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

// checks reports whether the check of a category is enabled.
func (o *options) checks(c report.Category) bool {
	return slices.ContainsFunc(o.analyzers, func(a *analysis.Analyzer) bool { return a.Name == string(c) })
}
