// Command kept measures what could be kept of an exploration after an edit of one function.
//
//	go run -C internal ./score/kept [-run regexp] [-entry regexp] [-work 500] [-least 10] [-v]
//
// It explores the entries of packages of real modules, and of GOROOT's leak programs, by union causality in both
// regimes of time. For each entry, and each declared function that its executions call, it supposes that this function
// is edited and that nothing else comes of it. Then there are three things that could be kept of the exploration
// before:
//
//   - Whole executions: those that do not call the function need not be made again.
//   - Beginnings of executions, up to where they call it. The column counts decisions of the scheduler, of all that
//     there are. No execution is saved by it.
//   - Graphs of goroutines: those executions need not be made that show no fact through the function. A fact is what an
//     operation returned to a goroutine in a state (see command mutations). It is through a function if that stands on
//     the goroutine's stack before or behind the operation, or was called between this operation and the next.
//
// Functions count with their closures, as digests have it.
//
// The third and the fourth column have what is kept today, verdicts of whole entries: after an edit of a function only
// the entries that call it are explored again.
//
// The times are those of one process, with what it takes to note all this. What could be saved of them is the time that
// the machine takes for the executions that need not be made, the mean over the functions of an entry. To read what was
// kept, and to learn from it, is not counted. Entries that are not exhausted may not begin with what is kept.
package main

import (
	"flag"
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/heddle-go/heddle/internal/score/goker/bugs"
	"github.com/heddle-go/heddle/internal/score/module"
	"github.com/heddle-go/heddle/internal/tree"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/program"
	"github.com/heddle-go/heddle/program/digest"
)

type options struct {
	target  *regexp.Regexp
	entry   *regexp.Regexp
	work    int
	least   int
	verbose bool
}

func main() {
	var o options
	target := flag.String("run", "", "only targets whose name matches this regular expression")
	entry := flag.String("entry", "", "only entries whose name matches this regular expression")
	flag.IntVar(&o.work, "work", 500, "limit of work of an entry, in millions")
	flag.IntVar(&o.least, "least", 10, "functions count in entries of so many executions")
	flag.BoolVar(&o.verbose, "v", false, "print every function")
	flag.Parse()
	var err error
	if o.target, err = regexp.Compile(*target); err == nil {
		o.entry, err = regexp.Compile(*entry)
	}
	if err == nil {
		err = tree.Enter()
	}
	if err == nil {
		err = module.StandAlone()
	}
	if err == nil {
		err = score(o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "kept:", err)
		os.Exit(1)
	}
}

func score(o options) error {
	fmt.Println("| target | entries | functions outside of tests | executions of all entries / of those that call one, median | exhausted | with functions that count | functions | not called, % of runs | before the call, % of decisions | no fact, % of executions | executions / those with a fact, median | seconds | of the exhausted | of the machine | saved by whole executions | saved by graphs |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	var all summary
	targets := append(slices.Clone(module.Packages),
		module.Package{Name: "pond", Version: "github.com/alitto/pond/v2@v2.7.1", Folder: "."}, module.Package{Name: "leaks", Folder: "./..."})
	for i := range targets {
		t := &targets[i]
		if !o.target.MatchString(t.Name) {
			continue
		}
		s := summary{madeBy: map[string]int{}}
		if err := s.explore(t, o); err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
		s.print(t.Name)
		all.add(&s)
	}
	all.print("all")
	return nil
}

// write writes the module of a target into a folder.
func write(t *module.Package, dir string) error {
	if t.Version != "" {
		return module.Fetch(t.Version, dir)
	}
	all, err := bugs.Read(build.Default.GOROOT)
	if err == nil {
		err = os.Mkdir(dir, 0o777)
	}
	if err == nil {
		err = bugs.Write(dir, all)
	}
	return err
}

// explore explores the entries of a target.
func (s *summary) explore(t *module.Package, o options) error {
	tmp, err := os.MkdirTemp("", "heddle-kept")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	dir := filepath.Join(tmp, "module")
	if err := write(t, dir); err != nil {
		return err
	}
	cfg := closure.Config(dir)
	cfg.Tests = true
	l, err := program.List(cfg, t.Folder)
	if err != nil {
		return err
	}
	if len(l.Errors) > 0 {
		return l.Errors[0]
	}
	u := program.NewUniverse(cfg)
	for _, r := range l.Recipes {
		p, err := u.Build(r)
		if err != nil {
			return err
		}
		if err := s.exploreProgram(p, o); err != nil {
			return err
		}
	}
	return nil
}

func (s *summary) exploreProgram(p *program.Program, o options) error {
	m := machine.New(p, machine.Config{})
	if err := m.Prepare(); err != nil {
		return err
	}
	d := digest.New(p)
	for _, e := range p.Entries {
		if !o.entry.MatchString(e.Name) {
			continue
		}
		x := newSpy(m, d, m.Entry(e))
		start := time.Now()
		by := func() explore.Explorer { return &union.Explorer{Alone: true} }
		res := explore.ExploreRegimes(by, x, explore.Limits{Work: int64(o.work) * 1_000_000}, explore.TimingStructural)
		s.entry(e.Name, x, res, time.Since(start), o)
	}
	s.packageDone()
	return nil
}
