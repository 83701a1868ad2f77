// Command goker is a score on modelled bugs of real programs: the 63 blocking bugs that the Go distribution carries for
// the tests of its goroutine leak profile (GoBench's GoKer: Yuan et al., "GoBench: A Benchmark Suite of Real-World Go
// Concurrency Bugs", CGO 2021). Each is explored with the default limits.
//
//	go run -C internal ./score/goker [-run regexp] [-explorer name] [-v]
//
// The programs are read from the user's GOROOT, where they stand below
// src/runtime/testdata/testgoroutineleakprofile/goker, and adapted in a temporary folder: see package bugs. Which
// function leaks in which wait is read from src/runtime/goroutineleakprofile_test.go.
//
// # What counts
//
// A bug is found when a finding of its entry, a leak or a deadlock, has a goroutine whose outermost function and whose
// wait match one of the expressions that Go's test expects there. The table has no times: the same toolchain gives the
// same table. docs/real-code.md holds one.
package main

import (
	"flag"
	"fmt"
	"go/build"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/internal/score/goker/bugs"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/runner/driver"
)

func main() {
	pattern := flag.String("run", "", "only bugs whose name matches this regular expression")
	verbose := flag.Bool("v", false, "list every goroutine of every finding")
	explorer := flag.String("explorer", "", "explorer to use; empty: the default one")
	flag.Parse()
	rx, err := regexp.Compile(*pattern)
	if err == nil {
		err = exploration.Analyzer.Flags.Set("explorer", *explorer)
	}
	if err == nil {
		err = score(os.Stdout, build.Default.GOROOT, rx, *verbose)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "goker:", err)
		os.Exit(1)
	}
}

// score explores the bugs that match and prints the table.
func score(w io.Writer, goroot string, match *regexp.Regexp, verbose bool) error {
	all, err := bugs.Read(goroot)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(b bugs.Bug) bool { return !match.MatchString(b.Name) })
	fmt.Fprintln(w, "| bug | found | expected goroutines met | verdict | executions | other findings |")
	fmt.Fprintln(w, "| --- | --- | --- | --- | --- | --- |")
	found := 0
	err = explore(all, func(b *bugs.Bug, r *result) {
		if r.found != "" {
			found++
		}
		fmt.Fprintf(w, "| %s | %s | %d of %d | %s | %d | %s |\n", b.Name, orNone(r.found), r.met, len(b.Expect), r.verdict, r.executions, orNone(strings.Join(r.others, ", ")))
		if verbose {
			for _, g := range r.goroutines {
				fmt.Fprintf(w, "    %s\n", g)
			}
		}
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%d bugs, %d found\n", len(all), found)
	return nil
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return strings.ReplaceAll(s, "|", `\|`)
}

// A result is what exploring one bug gave.
type result struct {
	found      string // the first expected goroutine, "" if there is none
	met        int    // how many of the expressions matched
	verdict    string // with the reason
	executions int
	goroutines []string // of leaks and deadlocks: "function(...) [wait]"
	others     []string // findings that are no leak and no deadlock, by category
}

// explore makes the module of tests, explores its entries with the default limits, and calls each with what it
// gave, in the order of all.
func explore(all []bugs.Bug, each func(*bugs.Bug, *result)) error {
	dir, err := os.MkdirTemp("", bugs.Module)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := bugs.Write(dir, all); err != nil {
		return err
	}
	cfg := closure.Config(dir)
	cfg.Env = append(os.Environ(), "GO111MODULE=on", "GOWORK=off", "GOPROXY=off", "GOFLAGS=")
	next := 0
	err = driver.Run(cfg, exploration.Watcher{}, []*analysis.Analyzer{exploration.Analyzer}, []string{"./..."}, func(p *driver.Package) error {
		if n := len(p.Exploration.Entries); n != 1 || next >= len(all) || p.Exploration.Entries[0].Name != "Test"+all[next].Name {
			return fmt.Errorf("%s: unexpected entries %v", p.Path, p.Exploration.Names)
		}
		r := judge(&all[next], &p.Exploration.Entries[0])
		each(&all[next], &r)
		next++
		return nil
	})
	if err == nil && next != len(all) {
		err = fmt.Errorf("%d programs were explored, want %d", next, len(all))
	}
	return err
}

// judge compares the findings of an entry with what is expected.
func judge(b *bugs.Bug, e *exploration.EntryResult) result {
	r := result{verdict: string(e.Result.Verdict), executions: e.Result.Stats.Executions}
	if reason := e.Result.Reason; reason != "" {
		r.verdict += ": " + reason
	}
	if c := e.Result.Complete(); c != "" {
		r.verdict += "; " + c
	}
	others := map[string]int{}
	for i := range e.Result.Findings {
		f := &e.Result.Findings[i]
		if f.Category != report.GoroutineLeak && f.Category != report.Deadlock {
			others[string(f.Category)]++
			continue
		}
		for _, n := range f.Threads {
			if g := goroutine(&f.Witness.Threads[n]); !slices.Contains(r.goroutines, g) {
				r.goroutines = append(r.goroutines, g)
			}
		}
	}
	for _, rx := range b.Expect {
		for _, g := range r.goroutines {
			if rx.MatchString(g) {
				if r.met++; r.found == "" {
					r.found = g
				}
				break
			}
		}
	}
	for c, n := range others {
		r.others = append(r.others, fmt.Sprintf("%d %s", n, c))
	}
	slices.Sort(r.others)
	return r
}

// goroutine writes a blocked goroutine as Go's test does: its outermost function and what it waits for.
func goroutine(t *trace.Thread) string {
	name := "?"
	if n := len(t.Stack); n > 0 {
		name = runtimeName(t.Stack[n-1].Func)
	}
	waits := t.Waits
	if t.Pending != nil && t.Pending.Kind == event.LockAnnounce {
		waits = "sync.Mutex.Lock" // the runtime names the lock that writers hold among themselves
	}
	return fmt.Sprintf("%s(...) [%s]", name, waits)
}

var (
	closureNumber = regexp.MustCompile(`\$(\d+)`)
	packagePath   = regexp.MustCompile(`\b` + bugs.Module + `/[a-z0-9]+\.`)
)

// runtimeName turns the name of a function in go/ssa ("(*goker/etcd5509.T).Run$1$2") into the runtime's
// ("(*T).Run.func1.2").
func runtimeName(s string) string {
	first := true
	return closureNumber.ReplaceAllStringFunc(packagePath.ReplaceAllString(s, ""), func(n string) string {
		if first {
			first = false
			return ".func" + n[1:]
		}
		return "." + n[1:]
	})
}
