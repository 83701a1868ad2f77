// Command xsync is a score on code that is not ours: the tests of golang.org/x/sync, run and explored, and those of
// packages of the standard library, explored.
//
//	go run -C internal ./score/xsync [-explorer name] [package ...]
//	go run -C internal ./score/xsync -std [-explorer name] [-run regexp] [package ...]
//
// It downloads the module into the module cache, and copies it to a temporary folder where it is its own main module.
// For each entry of its packages it says what `heddle run -test` and `heddle` make of it, with the default limits. Each
// entry has a process of its own. The table has no times and no paths: the same sources and toolchain give the same
// table. docs/real-code.md holds one.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/internal/score/heddle"
	"github.com/heddle-go/heddle/internal/score/module"
)

func main() {
	heddle.Serve()
	std := flag.Bool("std", false, "explore packages of the standard library")
	only := flag.String("run", "", "explore only the entries whose names match this `regexp`")
	explorer := flag.String("explorer", "", "explorer to use; empty: the default one")
	flag.Parse()
	packages, do := flag.Args(), func(w io.Writer, packages []string) error { return score(w, packages, "-explorer="+*explorer) }
	if *std {
		do = func(w io.Writer, packages []string) error {
			return scoreStd(w, packages, *only, "-explorer="+*explorer)
		}
		if len(packages) == 0 {
			packages = []string{"sync", "sync/atomic", "context", "time", "container/heap", "container/list", "container/ring"}
		}
	}
	if len(packages) == 0 {
		packages = module.XSyncPackages
	}
	if err := do(os.Stdout, packages); err != nil {
		fmt.Fprintln(os.Stderr, "xsync:", err)
		os.Exit(1)
	}
}

// score explores packages of x/sync, with flags of heddle.
func score(w io.Writer, packages []string, flags ...string) error {
	tmp, err := os.MkdirTemp("", "xsync")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	dir := filepath.Join(tmp, "sync")
	if err := module.Fetch(module.XSync, dir); err != nil {
		return err
	}
	if err := module.StandAlone(); err != nil {
		return err
	}
	fmt.Fprintln(w, "| package | entry | run | verdict | reason | executions | classes | findings |")
	fmt.Fprintln(w, "| --- | --- | --- | --- | --- | --- | --- | --- |")
	var sum totals
	for _, pkg := range packages {
		p := &heddle.Package{Dir: dir, Path: "./" + pkg}
		names, err := p.Entries()
		if err != nil {
			return err
		}
		runs := run(p, names)
		for i, name := range names {
			e, err := p.Explore(name, flags...)
			if err != nil {
				return err
			}
			sum.add(&e, runs[i])
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s | %s |\n",
				pkg, e.Entry, p.Cell(runs[i]), e.Verdict, p.Cell(e.Reason), number(e.Executions), number(e.Classes), findings(p, &e))
		}
	}
	fmt.Fprintf(w, "\n%s\n", &sum)
	return nil
}

// findings names them in a cell.
func findings(p *heddle.Package, e *heddle.Entry) string {
	switch {
	case e.Verdict == heddle.Stopped:
		return "not known"
	case len(e.Findings) == 0:
		return "none"
	}
	var all []string
	for _, f := range e.Findings {
		all = append(all, p.Cell(f.Category+" at "+f.Posn))
	}
	return strings.Join(all, ", ")
}

// run says of each entry how its one run in the machine ended: of all together if they pass, else of each alone.
func run(p *heddle.Package, names []string) []string {
	results := slices.Repeat([]string{"pass"}, len(names))
	if code, _ := p.Command("run", "-test", p.Path); code == 0 {
		return results
	}
	for i, name := range names {
		switch code, errs := p.Command("run", "-test", "-run=^"+name+"$", p.Path); {
		case code == 0:
		case strings.HasPrefix(errs, "heddle: run: "), strings.HasPrefix(errs, "heddle run: "):
			_, reason, _ := strings.Cut(errs, "run: ")
			results[i] = reason
		default:
			results[i] = "fail"
		}
	}
	return results
}

func number(n int) string {
	if n < 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// totals is the last line.
type totals struct {
	entries, passed, failed, exhausted, stopped, executions, findings int
}

func (t *totals) add(e *heddle.Entry, run string) {
	t.entries++
	switch run {
	case "pass":
		t.passed++
	case "fail":
		t.failed++
	}
	switch e.Verdict {
	case "exhausted":
		t.exhausted++
	case heddle.Stopped:
		t.stopped++
	}
	t.executions += max(e.Executions, 0)
	t.findings += len(e.Findings)
}

func (t *totals) String() string {
	return fmt.Sprintf("%d entries: run once, %d pass, %d fail, %d are incomplete; explored, %d exhausted, %d incomplete, %d stopped; %d executions, %d findings",
		t.entries, t.passed, t.failed, t.entries-t.passed-t.failed, t.exhausted, t.entries-t.exhausted-t.stopped, t.stopped, t.executions, t.findings)
}
