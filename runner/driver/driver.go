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

// Run lists the packages that patterns match from dir, and calls done with each of them as
// soon as it was analysed, in the order of go list. Packages that
// cannot be analysed are in the error, after the others were done. Progress, if not nil, is called after each execution.
func Run(cfg program.Config, progress func(explore.Place, explore.Progress), analyzers []*analysis.Analyzer, patterns []string, done func(*Package) error) error {
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
	for _, recipe := range listing.Recipes {
		files.add(recipe)
		of := &closure.Result{Recipe: recipe, Universe: universe, Packages: []string{recipe.Path, recipe.Path + "_test"}, BuildFlags: cfg.BuildFlags, Progress: progress}
		pkg, err := analyse(of, files.fset, analyzers)
		if err == nil {
			err = done(pkg)
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// analyse runs the analyzers on one package.
func analyse(of *closure.Result, fset *token.FileSet, analyzers []*analysis.Analyzer) (*Package, error) {
	recipe := of.Recipe
	r := &runs{
		pkg:  &Package{Path: recipe.Path, Fset: fset, Files: ownFiles(recipe)},
		fset: fset,
		results: map[*analysis.Analyzer]any{
			closure.Analyzer: of,
		},
		roots: analyzers,
	}
	for _, a := range analyzers {
		if err := r.run(a); err != nil {
			return nil, fmt.Errorf("%s: analyzer %s: %w", recipe.Path, a.Name, err)
		}
	}
	if x, ok := r.results[exploration.Analyzer].(*exploration.Result); ok {
		r.pkg.Exploration = x
		if x.Err != nil {
			return nil, x.Err
		}
	}
	slices.SortStableFunc(r.pkg.Diagnostics, func(a, b Diagnostic) int {
		return cmp.Compare(a.Analyzer.Name, b.Analyzer.Name)
	})
	return r.pkg, nil
}

// runs is one package's analysis under way.
type runs struct {
	pkg     *Package
	fset    *token.FileSet
	results map[*analysis.Analyzer]any
	roots   []*analysis.Analyzer
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
	res, err := a.Run(pass)
	if err != nil {
		return err
	}
	r.results[a] = res
	return nil
}
