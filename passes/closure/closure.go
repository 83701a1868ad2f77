package closure

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/passes/internal/analyzerdoc"
	"github.com/heddle-go/heddle/program"
)

//go:embed doc.go
var doc string

// Analyzer produces a *Result, and a Fact for the packages that import this one.
var Analyzer = &analysis.Analyzer{
	Name:       "closure",
	Doc:        analyzerdoc.MustExtract(doc, "closure"),
	URL:        "https://pkg.go.dev/github.com/heddle-go/heddle/passes/closure",
	FactTypes:  []analysis.Fact{new(Fact)},
	ResultType: reflect.TypeFor[*Result](),
	Run:        run,
}

// A Fact is the recipe of a package and of the user's packages that it
// depends on. Those of the standard library are left out: every program finds
// them by itself, under the toolchain's version.
type Fact struct {
	Recipe program.Recipe
}

// AFact makes Fact an analysis.Fact.
func (*Fact) AFact() {}

func (f *Fact) String() string {
	return fmt.Sprintf("recipe of %d packages, digest %s", len(f.Recipe.Packages), f.Recipe.Digest)
}

// A Result tells where the closed program of a package comes from.
type Result struct {
	// Packages are the import paths that the driver analyses here: the package,
	// and its external tests if the driver has both at hand.
	Packages []string
	// Recipe of the program. A driver that has listed packages gives it; else
	// it is nil until Complete has found it, and for packages without entries.
	Recipe *program.Recipe
	// BuildFlags are passed to the go command.
	BuildFlags []string
	// Universe builds the program; nil makes a new one.
	Universe *program.Universe
	// Err says why there is no recipe, and what to do.
	Err error

	own     program.PackageRecipe // in a build tool: the package under analysis
	partial *program.Recipe
}

// HasEntries reports whether the program may have entries.
func (r *Result) HasEntries() bool {
	if r.Recipe != nil {
		return r.Recipe.HasEntries()
	}
	return r.own.Name == "main" || slices.ContainsFunc(r.own.GoFiles, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
}

// Cached reports whether a build tool called, which will show the answer again until a
// source file changes.
func (r *Result) Cached() bool { return len(r.own.GoFiles) > 0 }

// Partial is what is known of the program without asking the go command: all
// user packages, but perhaps not those of the standard library. It is nil if even that is not known.
func (r *Result) Partial() *program.Recipe {
	if r.Recipe != nil || len(r.own.GoFiles) == 0 || externalTests(r.own) {
		return r.Recipe
	}
	return r.partial
}

// Complete finds the recipe if a driver has not given it.
//
// It asks the go command, not the facts: the program of a package with tests is p,
// p_test and the packages between them, compiled again for this test binary. A
// build tool shows one of them at a time, under names that do not tell the variants apart,
// and a token has to be the same whichever driver wrote it.
func (r *Result) Complete() error {
	if r.Recipe == nil && r.Err == nil {
		r.Recipe, r.Err = listed(r.own, r.BuildFlags)
	}
	return r.Err
}

// Config is how every driver loads programs: one way, so that a token written
// by one can be replayed by another. The flags are for the go command.
func Config(dir string, buildFlags ...string) program.Config {
	return program.Config{
		Dir: dir, Tests: true, BuildFlags: buildFlags,
		Overlay: machine.Overlay(), KeepBody: machine.KeepBody,
		Extra:      []string{"runtime"}, // the types of run-time errors
		LateBodies: true,
	}
}

// WithoutFacts makes Analyzer ask the go command for each recipe, instead of composing facts of dependencies. It is for
// drivers that would load the sources of all dependencies, the standard library's too, to compute these facts. It must
// be called before the analysis.
func WithoutFacts() { Analyzer.FactTypes = nil }

// BuildFlags are flags of the go command, as the result of an analyzer (see FlagsFrom).
type BuildFlags []string

// FlagsFrom makes Analyzer take the flags of the go command from the result of another analyzer, which is of type
// BuildFlags. It is for drivers that build tools run, which give an analyzer no other parameters.
func FlagsFrom(a *analysis.Analyzer) {
	if !slices.Contains(Analyzer.Requires, a) {
		Analyzer.Requires = append(Analyzer.Requires, a)
	}
}

// buildFlags returns the flags that an analyzer before this one has found.
func buildFlags(pass *analysis.Pass) []string {
	for _, a := range pass.Analyzer.Requires {
		if flags, ok := pass.ResultOf[a].(BuildFlags); ok {
			return flags
		}
	}
	return nil
}

func run(pass *analysis.Pass) (any, error) {
	if len(pass.Files) == 0 || standard(pass) {
		return &Result{}, nil
	}
	own, err := packageRecipe(pass)
	if err != nil {
		return &Result{Err: err}, nil
	}
	res := &Result{Packages: []string{own.Path}, BuildFlags: buildFlags(pass), own: own}
	if len(pass.Analyzer.FactTypes) == 0 {
		return res, nil
	}
	deps, missing := dependencies(pass)
	recipe := program.Compose(own, deps)
	if len(missing) > 0 {
		// A cache has lost facts. Without a fact of this package those that import it will notice too.
		return res, nil
	}
	res.partial = recipe
	pass.ExportPackageFact(&Fact{Recipe: *recipe})
	return res, nil
}

// dependencies returns the recipes of the user's packages that this one
// imports, and the paths of those that have none.
func dependencies(pass *analysis.Pass) (deps []*program.Recipe, missing []string) {
	imports := slices.SortedFunc(slices.Values(pass.Pkg.Imports()), func(a, b *types.Package) int {
		return strings.Compare(a.Path(), b.Path())
	})
	for _, imp := range imports {
		var f Fact
		switch {
		case pass.ImportPackageFact(imp, &f):
			deps = append(deps, &f.Recipe)
		case !isStandardPath(imp.Path()):
			missing = append(missing, imp.Path())
		}
	}
	return deps, missing
}

// isStandardPath reports whether the standard library has a package of that path.
func isStandardPath(path string) bool {
	if path == "unsafe" || path == "C" {
		return true
	}
	_, err := os.Stat(filepath.Join(build.Default.GOROOT, "src", filepath.FromSlash(path)))
	return err == nil
}

// standard reports whether the package under analysis is one of the standard library.
func standard(pass *analysis.Pass) bool {
	if pass.Module != nil {
		return false
	}
	src := filepath.Join(build.Default.GOROOT, "src") + string(filepath.Separator)
	return strings.HasPrefix(fileName(pass, pass.Files[0]), src)
}

func fileName(pass *analysis.Pass, f *ast.File) string { return pass.Fset.File(f.FileStart).Name() }

// packageRecipe makes the entry of the package under analysis.
func packageRecipe(pass *analysis.Pass) (program.PackageRecipe, error) {
	id := pass.Pkg.Path()
	path, variant, _ := strings.Cut(id, " ")
	p := program.PackageRecipe{
		ID: id, Path: path, Name: pass.Pkg.Name(), GoVersion: pass.Pkg.GoVersion(),
		ForTest: strings.TrimSuffix(strings.Trim(variant, "[]"), ".test"),
	}
	for _, f := range pass.Files {
		// What cgo generated is gone when the next run looks for it.
		if name := fileName(pass, f); !generatedByCgo(name) {
			p.GoFiles = append(p.GoFiles, name)
		}
	}
	if len(p.GoFiles) == 0 {
		return p, fmt.Errorf("%s: all files use cgo, which Heddle cannot interpret; its tests are not explored", path)
	}
	p.Dir = filepath.Dir(p.GoFiles[0])
	for i, name := range p.GoFiles {
		if filepath.Dir(name) == p.Dir {
			p.GoFiles[i] = filepath.Base(name)
		}
	}
	if len(p.GoFiles) < len(pass.Files) {
		p.CgoFiles = cgoFiles(p.Dir)
	}
	var asm []string
	for _, name := range pass.OtherFiles {
		if filepath.Ext(name) == ".s" && filepath.Dir(name) == p.Dir {
			asm = append(asm, filepath.Base(name))
		}
	}
	p.SetAssembly(asm)
	p.ImportMap = importMap(pass)
	for _, imp := range pass.Pkg.Imports() {
		p.Imports = append(p.Imports, imp.Path())
	}
	slices.Sort(p.Imports)
	p.Imports = slices.Compact(p.Imports)
	return p, p.SetDigest(runtime.Version())
}

func generatedByCgo(name string) bool {
	base := filepath.Base(name)
	return strings.HasSuffix(base, ".cgo1.go") || base == "_cgo_gotypes.go" || base == "_cgo_import.go"
}

// cgoFiles returns the names of the files in dir that import "C".
func cgoFiles(dir string) []string {
	p, err := build.Default.ImportDir(dir, 0)
	if err != nil {
		return nil // the build tool has accepted the folder; without these files the program is incomplete and will say so
	}
	return p.CgoFiles
}

// importMap returns the imports whose path in the source is not that of the package: vendored ones and test variants.
func importMap(pass *analysis.Pass) map[string]string {
	m := map[string]string{}
	for _, f := range pass.Files {
		for _, spec := range f.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				continue // the type checker has complained
			}
			if name := pass.TypesInfo.PkgNameOf(spec); name != nil && name.Imported().Path() != path {
				m[path] = name.Imported().Path()
			}
		}
	}
	if len(m) == 0 {
		return nil
	}
	return m
}

// externalTests reports whether the folder of p holds external tests, which the
// unit of p lacks (or p is they). Their initialisers and TestMain govern the entries of both.
func externalTests(p program.PackageRecipe) bool {
	if strings.HasSuffix(p.Name, "_test") {
		return true
	}
	names, err := filepath.Glob(filepath.Join(p.Dir, "*_test.go"))
	if err != nil {
		return false // the pattern is well-formed unless the folder's name has brackets
	}
	return slices.ContainsFunc(names, func(name string) bool {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly)
		return err == nil && strings.HasSuffix(f.Name.Name, "_test")
	})
}

// listed asks the go command for the recipe of the program that p belongs to.
func listed(p program.PackageRecipe, buildFlags []string) (*program.Recipe, error) {
	l, err := program.List(Config(p.Dir, buildFlags...), ".")
	if err != nil {
		return nil, err
	}
	if len(l.Errors) > 0 {
		return nil, l.Errors
	}
	for _, r := range l.Recipes {
		for _, id := range []string{r.Root, r.XTest} {
			if q := r.Package(id); q != nil && q.Path == p.Path {
				return r, sameFiles(p, *q)
			}
		}
	}
	return nil, fmt.Errorf("%s: go list finds no such package in %s; run the go command from within its module", p.Path, p.Dir)
}

// sameFiles makes sure that the go command and the build tool speak of the same package: another
// set of build tags would select other files.
func sameFiles(p, q program.PackageRecipe) error {
	a, b := slices.Clone(p.GoFiles), slices.Clone(q.GoFiles)
	slices.Sort(a)
	slices.Sort(b)
	if !slices.Equal(a, b) {
		return fmt.Errorf("%s: go list finds the files %v, the build tool gave %v; if you use build tags, set them in GOFLAGS", p.Path, b, a)
	}
	return nil
}
