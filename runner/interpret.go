package runner

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/program"
)

const runUsage = "usage: heddle run [-limit.memory MiB] package|file.go [args], or heddle run -test [-run R] [-short] [-v] [-env NAME=VALUE] [-limit.memory MiB] packages"

// runOptions are the arguments of `heddle run`.
type runOptions struct {
	test     bool
	short, v bool
	run      string
	memory   int // MiB
	env      exploration.EnvFlag
	patterns []string // one package, or the .go files of one; with test any packages
	args     []string // for the program
}

// interpret is `heddle run`: it runs a main package, or the tests of packages, once in the machine, under its default
// schedule. The exit code is the program's. Of several packages it is 1 if one has failed, as go test's is.
//
// A panic within Heddle is told from one of the program, which ends with 2.
func interpret(o *runOptions, std Streams) (code int, err error) {
	defer func() {
		if v := recover(); v != nil {
			text := strings.Join(strings.Fields(fmt.Sprint(v)), " ")
			fmt.Fprintf(std.Err, "heddle run: internal error: %s (this is a fault of Heddle)\n%s", text, debug.Stack())
			code, err = exitFailure, nil
		}
	}()
	found, broken, err := o.programs()
	if err != nil {
		return exitFailure, err
	}
	u := closure.NewUniverse()
	if len(found) > 1 || len(broken) > 0 {
		return runAll(u, found, broken, o, std)
	}
	p, err := u.Build(found[0])
	if err != nil {
		return exitFailure, err
	}
	entries, err := o.choose(p, found[0])
	if err != nil {
		return exitFailure, err
	}
	return runProgram(p, found[0], entries, o, std)
}

// runAll runs the tests of several packages, one after the other, and says of each how it ended, as go test does. At
// the end it says how many ended how. Packages that the go command could not load are broken: they have failed.
func runAll(u *program.Universe, found []*program.Recipe, broken program.Errors, o *runOptions, std Streams) (code int, err error) {
	var all, passed, failed, none int // entries, and packages
	for i, e := range broken {
		fmt.Fprintln(std.Err, "heddle: run:", e)
		if i == 0 || e.Path != broken[i-1].Path {
			fmt.Fprintf(std.Out, "FAIL\t%s [setup failed]\n", e.Path)
			failed++
			code = exitFailure
		}
	}
	for _, r := range found {
		n, err := runOne(u, r, o, std)
		if err != nil {
			fmt.Fprintln(std.Err, "heddle: run:", err)
		}
		word := "ok  "
		switch all += n; {
		case err != nil:
			word, code = "FAIL", exitFailure
			failed++
		case n == 0:
			none++
			fmt.Fprintf(std.Out, "%s\t%s [no tests to run]\n", word, r.Path)
			continue
		default:
			passed++
		}
		fmt.Fprintf(std.Out, "%s\t%s\n", word, r.Path)
	}
	if none == len(found) {
		return exitFailure, fmt.Errorf("-run %q matches no entry of %d packages", o.run, none)
	}
	fmt.Fprintf(std.Out, "%s of %d packages: %d ok, %d failed, %d with no tests to run\n", count(all, "entry", "entries"), passed+failed+none, passed, failed, none)
	return code, nil
}

// runOne runs the tests of one of several packages, and says how many there are.
func runOne(u *program.Universe, r *program.Recipe, o *runOptions, std Streams) (n int, err error) {
	p, err := u.Build(r)
	if err != nil {
		return 0, err
	}
	entries, err := o.choose(p, r)
	if err != nil {
		return 0, nil // none matches
	}
	code, err := runProgram(p, r, entries, o, std)
	if err == nil && code != 0 {
		err = fmt.Errorf("%s: exit code %d", r.Path, code)
	}
	return len(entries), err
}

// flagSet declares the flags of `heddle run`.
func (o *runOptions) flagSet() *flag.FlagSet {
	fs := flag.NewFlagSet("heddle run", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.BoolVar(&o.test, "test", false, "run the package's tests")
	fs.StringVar(&o.run, "run", "", "with -test: only those whose name matches this regular expression")
	fs.IntVar(&o.memory, "limit.memory", explore.DefaultMemory>>20, "MiB that may be alive")
	fs.Var(&o.env, "env", "give the program an environment variable, as NAME=VALUE; may be repeated")
	fs.BoolVar(&o.short, "short", false, "with -test: testing.Short reports true")
	fs.BoolVar(&o.v, "v", false, "with -test: write each test's name and log")
	return fs
}

// take takes the arguments: a package or files, and what is the program's.
func (o *runOptions) take(rest []string) error {
	switch {
	case o.memory <= 0:
		return fmt.Errorf("-limit.memory=%d: a limit is a positive number", o.memory)
	case len(rest) == 0:
		return errors.New(runUsage)
	case o.run != "" && !o.test:
		return fmt.Errorf("-run selects tests, so it needs -test; %s", runUsage)
	case (o.short || o.v) && !o.test:
		return fmt.Errorf("-short and -v are for tests, so they need -test; %s", runUsage)
	}
	if _, err := regexp.Compile(o.run); err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	if o.test {
		o.patterns = rest
		return nil
	}
	n := 1
	for strings.HasSuffix(rest[0], ".go") && n < len(rest) && strings.HasSuffix(rest[n], ".go") {
		n++
	}
	o.patterns, o.args = rest[:n], rest[n:]
	return nil
}

// programs returns the recipes of what is to be run: one, or with test one for each package that has tests, and what is
// wrong with other packages.
func (o *runOptions) programs() (found []*program.Recipe, broken program.Errors, err error) {
	for _, name := range o.patterns {
		// The go command would take a file that is not there for the path of a package.
		if _, err := os.Stat(name); strings.HasSuffix(name, ".go") && err != nil {
			return nil, nil, fmt.Errorf("%s: no such file", name)
		}
	}
	cfg := closure.Config("")
	cfg.Tests, cfg.Mains = o.test, !o.test
	listing, err := program.List(cfg, o.patterns...)
	if err != nil {
		return nil, nil, err
	}
	what := strings.Join(o.patterns, " ")
	for _, r := range listing.Recipes {
		if o.test && r.HasTests || !o.test && r.Main {
			found = append(found, r)
		}
	}
	switch {
	case len(listing.Errors) > 0 && (len(found) == 0 || !o.test):
		return nil, nil, listing.Errors
	case len(found) > 1 && !o.test:
		return nil, nil, fmt.Errorf("%s is more than one program: name one package", what)
	case len(found) == 0 && o.test:
		return nil, nil, fmt.Errorf("%s has no tests", what)
	case len(found) == 0:
		return nil, nil, fmt.Errorf("%s is not a main package; heddle run -test runs the tests of a package", what)
	}
	return found, listing.Errors, nil
}

// choose returns the entries of p that are to be run.
func (o *runOptions) choose(p *program.Program, r *program.Recipe) ([]program.Entry, error) {
	if !o.test {
		return p.Entries, nil
	}
	re := regexp.MustCompile(o.run) // take has compiled it
	var entries []program.Entry
	var names []string
	for _, e := range p.Entries {
		names = append(names, e.Name)
		if re.MatchString(e.Name) {
			entries = append(entries, e)
		}
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("-run %q matches no entry of %s; %s", o.run, r.Path, listNames(names))
	}
	return entries, nil
}

// runProgram runs the program in the machine.
func runProgram(p *program.Program, r *program.Recipe, entries []program.Entry, o *runOptions, std Streams) (int, error) {
	k := exploration.KernelConfig(r, nil, o.env)
	k.Args = append(k.Args[:1], o.args...)
	if o.short {
		k.Args = append(k.Args, "-test.short")
	}
	if o.v {
		k.Args = append(k.Args, "-test.v")
	}
	k.Stdin = std.In
	k.MaxBytes = int64(o.memory) << 20
	return machine.New(p, machine.Config{Kernel: k, Exec: sched.Options{MaxMemory: int64(o.memory) << 20}}).Exec(machine.Streams{Stdout: std.Out, Stderr: std.Err}, entries)
}
