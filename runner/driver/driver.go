// Package driver runs analyzers over packages as Heddle loads them: from
// source, tests included, all under one program.Universe.
//
// x/tools' drivers load with go/packages, which gives each package's syntax
// or export data, but not the closed programs that exploration needs; and they would
// have passes/closure find them again for every package. This driver lists all once, hands the
// recipes to the analyzers as closure's result, and runs the analyzers' Requires
// graph package by package, in order. It is what `heddle packages` and package
// analysistest are made of.
package driver

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/program"
)

// A Package is what the analyzers gave for one package.
type Package struct {
	Path        string
	Of          int // packages that are looked at
	Fset        *token.FileSet
	Files       []string            // of the package and its tests, sorted
	Exploration *exploration.Result // nil if no analyzer asked for it
	Diagnostics []Diagnostic        // in the order of analyzers and then as they were reported
}

// A Diagnostic knows which analyzer reported it.
type Diagnostic struct {
	analysis.Diagnostic
	Analyzer *analysis.Analyzer
	Position token.Position
}

// Run lists the packages that patterns match from dir, and calls done with each of them as soon as it was analysed.
// That is in the order of go list, but packages with entries that wait for their second turn come after all others.
// Packages that cannot be analysed are in the error, after the others were done. The watcher is told of the
// explorations. When it asks to stop, the packages that are left are not analysed, and the error says how many.
func Run(cfg program.Config, watch exploration.Watcher, analyzers []*analysis.Analyzer, patterns []string, done func(*Package) error) error {
	if err := analysis.Validate(analyzers); err != nil {
		return err
	}
	listing, err := program.List(cfg, patterns...)
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range listing.Errors {
		errs = append(errs, e)
	}
	universe := closure.NewUniverse(cfg.BuildFlags...)
	files := newFiles()
	first := newInOrder(len(listing.Recipes), watch, 0, func(i int, w exploration.Watcher) (*runs, error) {
		recipe := listing.Recipes[i]
		of := &closure.Result{Recipe: recipe, Universe: universe, Packages: []string{recipe.Path, recipe.Path + "_test"}, BuildFlags: cfg.BuildFlags}
		return begin(of, files.fset, analyzers, w)
	})
	first.prepare = func(i int) { files.add(listing.Recipes[i]) }
	var waiting []*runs
	finish := func(r *runs) {
		err := r.finish(watch)
		if err == nil {
			r.pkg.Of = len(listing.Recipes)
			err = done(r.pkg)
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	for i := range listing.Recipes {
		r, err, left := first.next(watch.Stop)
		if left {
			errs = append(errs, Left{listing.Recipes[i:]})
			break
		}
		switch {
		case err != nil:
			errs = append(errs, err)
		case r.waits():
			waiting = append(waiting, r)
		default:
			finish(r)
		}
	}
	second := newInOrder(len(waiting), watch, 1, func(i int, w exploration.Watcher) (*runs, error) {
		waiting[i].rest.Turns(w)
		return waiting[i], nil
	})
	for i := range waiting {
		r, _, _ := second.next(nil)
		finish(r)
		waiting[i] = nil // its program
	}
	return errors.Join(errs...)
}

// An inOrder does something for each package, for several at once, and gives the results in their order.
type inOrder struct {
	watch   exploration.Watcher
	phase   int64
	do      func(i int, w exploration.Watcher) (*runs, error)
	prepare func(i int) // if not nil, it is called before; one package at a time
	all     []*begun    // nil after they were given
	at      int         // is given next
	started int
}

// A begun is a package for which something is done.
type begun struct {
	*stream
	r   *runs
	err error
}

func newInOrder(n int, watch exploration.Watcher, phase int64, do func(int, exploration.Watcher) (*runs, error)) *inOrder {
	return &inOrder{watch: watch, phase: phase, do: do, all: make([]*begun, n)}
}

// next gives the next package. Until its result is there it tells what is told of it. It is left if stop is asked
// before there is anything to tell of it.
func (x *inOrder) next(stop *explore.Stop) (r *runs, err error, left bool) {
	slots := x.watch.Slots.Count()
	if stop.Asked() && x.started <= x.at {
		return nil, nil, true
	}
	for ; x.started < len(x.all) && x.started <= x.at+2*(slots-1) && !stop.Asked(); x.started++ {
		x.start(x.started, slots == 1)
	}
	b := x.all[x.at]
	if b.tell(stop.Done()) {
		return nil, nil, true
	}
	x.all[x.at] = nil
	x.at++
	return b.r, b.err, false
}

func (x *inOrder) start(i int, meet bool) {
	if x.prepare != nil {
		x.prepare(i)
	}
	b := &begun{stream: newStream(meet)}
	x.all[i] = b
	w := b.watcher(x.watch)
	w.Order = x.phase<<48 | int64(i)<<24
	go func() {
		defer b.end()
		b.r, b.err = x.do(i, w)
	}()
}

// Left is the error of a run that was asked to stop before these packages.
type Left struct{ recipes []*program.Recipe }

func (l Left) Error() string {
	if len(l.recipes) == 1 {
		return explore.Interrupted + ": 1 package was not looked at: " + l.recipes[0].Path
	}
	return fmt.Sprintf("%s: %d packages were not looked at, from %s on", explore.Interrupted, len(l.recipes), l.recipes[0].Path)
}

// begin begins to run the analyzers on one package: it explores, up to the second turns of entries.
func begin(of *closure.Result, fset *token.FileSet, analyzers []*analysis.Analyzer, watch exploration.Watcher) (*runs, error) {
	recipe := of.Recipe
	r := &runs{
		pkg:  &Package{Path: recipe.Path, Fset: fset, Files: ownFiles(recipe)},
		fset: fset,
		results: map[*analysis.Analyzer]any{
			closure.Analyzer: of,
		},
		roots: analyzers,
		watch: watch,
	}
	if !slices.ContainsFunc(analyzers, explores) {
		return r, nil
	}
	if err := r.run(exploration.Analyzer); err != nil {
		return nil, r.failed(exploration.Analyzer, err)
	}
	return r, nil
}

// waits reports whether entries wait for their second turn.
func (r *runs) waits() bool {
	x, ok := r.results[exploration.Analyzer].(*exploration.Result)
	return ok && x.Waits()
}

// explores reports whether an analyzer needs the exploration.
func explores(a *analysis.Analyzer) bool {
	return a == exploration.Analyzer || slices.ContainsFunc(a.Requires, explores)
}

// failed says of which package and analyzer an error is.
func (r *runs) failed(a *analysis.Analyzer, err error) error {
	return fmt.Errorf("%s: analyzer %s: %w", r.pkg.Path, a.Name, err)
}

// finish runs what is left of the exploration, and the other analyzers.
func (r *runs) finish(watch exploration.Watcher) error {
	if r.rest != nil {
		r.rest.Finish(watch)
	}
	for _, a := range r.roots {
		if err := r.run(a); err != nil {
			return r.failed(a, err)
		}
	}
	if x, ok := r.results[exploration.Analyzer].(*exploration.Result); ok {
		r.pkg.Exploration = x
		if x.Err != nil {
			return x.Err
		}
	}
	slices.SortStableFunc(r.pkg.Diagnostics, func(a, b Diagnostic) int {
		return cmp.Compare(a.Analyzer.Name, b.Analyzer.Name)
	})
	return nil
}

// runs is one package's analysis under way.
type runs struct {
	pkg     *Package
	fset    *token.FileSet
	results map[*analysis.Analyzer]any
	roots   []*analysis.Analyzer
	watch   exploration.Watcher

	rest *exploration.Rest // what is left of the exploration; nil if there is none
}

func (r *runs) run(a *analysis.Analyzer) error {
	if _, ok := r.results[a]; ok {
		return nil
	}
	for _, req := range a.Requires {
		if err := r.run(req); err != nil {
			return err
		}
	}
	pass := &analysis.Pass{
		Analyzer:   a,
		Fset:       r.fset,
		Pkg:        types.NewPackage(r.pkg.Path, ""),
		TypesInfo:  new(types.Info),
		TypesSizes: types.SizesFor("gc", "amd64"),
		ResultOf:   map[*analysis.Analyzer]any{},
		ReadFile:   os.ReadFile,
		Report: func(d analysis.Diagnostic) {
			if slices.Contains(r.roots, a) {
				r.pkg.Diagnostics = append(r.pkg.Diagnostics, Diagnostic{d, a, r.fset.Position(d.Pos)})
			}
		},
		ImportPackageFact: func(*types.Package, analysis.Fact) bool { return false },
		ExportPackageFact: func(analysis.Fact) {},
		ImportObjectFact:  func(types.Object, analysis.Fact) bool { return false },
		ExportObjectFact:  func(types.Object, analysis.Fact) {},
		AllPackageFacts:   func() []analysis.PackageFact { return nil },
		AllObjectFacts:    func() []analysis.ObjectFact { return nil },
	}
	for _, req := range a.Requires {
		pass.ResultOf[req] = r.results[req]
	}
	run := a.Run
	if a == exploration.Analyzer {
		run = func(pass *analysis.Pass) (res any, err error) {
			res, r.rest = exploration.Begin(pass, r.watch)
			return res, nil
		}
	}
	res, err := run(pass)
	if err != nil {
		return err
	}
	r.results[a] = res
	return nil
}
