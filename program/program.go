package program

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/program/assembly"
	"github.com/heddle-go/heddle/program/gcorder"
	"github.com/heddle-go/heddle/program/tables"
)

// A Program is one closed program: all code that the entries of one test binary or main package can reach.
type Program struct {
	Path string
	Fset *token.FileSet
	SSA  *ssa.Program // shared with the other programs of the Universe

	// Init lists all packages of the program in the order in which the Go linker initialises them.
	Init []*Package

	Root    *Package // the analysed package, without tests where there are none in it
	Test    *Package // the analysed package with its in-package tests; Root when it has none
	XTest   *Package // the external test package, or nil
	Entries []Entry
	// TestMain is the user's, or nil.
	TestMain *ssa.Function

	GODEBUG   string // settings by go line and //go:debug, as "a=1,b=0"
	Toolchain string // version of Go, such as "go1.26.1"

	u     *Universe
	links *linkTable
	byTyp map[*types.Package]*Package
	byID  map[string]*Package
	// assembled holds the values that assembly of all packages gives to variables, by symbol.
	assembled map[string]*assembly.Value
	embedded  func() map[string]bool // see Embeds
}

// A Package is one package of one or more programs.
type Package struct {
	ID, Path  string
	Types     *types.Package
	SSA       *ssa.Package
	Std       bool // of the standard library, and not itself analysed
	Boundary  bool // its functions' bodies were dropped
	Cgo       bool // it has files that import "C": none of its functions has a body
	Files     []*ast.File
	Info      *types.Info // of a package of the standard library InitOrder alone: the rest is a third of what is alive
	GoVersion string      // language version
	Dir       string
	Imports   []*Package     // sorted by path
	Embeds    []Embed        // its //go:embed variables
	Tables    []tables.Table // its variables whose values are in none of Files
	// EmbedFiles are the files below Dir that the patterns of Embeds match.
	EmbedFiles []string
	AsmFiles   []string // assembly, and the files in Dir that it includes; of user packages alone

	conf   types.Config      // that it was type-checked with
	pushes map[string]string // local function or variable -> symbol, by //go:linkname
	// assembled holds the values that AsmFiles give to variables, by symbol.
	assembled map[string]*assembly.Value
	runsInit  bool // see runsInit
	vars      func() []*ssa.Global
}

// Vars are the variables of the package, sorted by name.
func (pkg *Package) Vars() []*ssa.Global { return pkg.vars() }

// varsOf lists the variables of a package.
func varsOf(pkg *ssa.Package) []*ssa.Global {
	var out []*ssa.Global
	for _, m := range pkg.Members {
		if g, ok := m.(*ssa.Global); ok {
			out = append(out, g)
		}
	}
	slices.SortFunc(out, func(a, b *ssa.Global) int { return strings.Compare(a.Name(), b.Name()) })
	return out
}

// Assembled returns the value that assembly gives to a variable, nil if it gives none.
func (p *Program) Assembled(g *ssa.Global) *assembly.Value {
	if len(p.assembled) == 0 {
		return nil
	}
	g, symbol := p.ResolveVar(g)
	v := p.assembled[symbol]
	if v == nil || v.Odd != "" || g.Object() == nil {
		return v
	}
	if pkg := p.Package(g.Object().Pkg()); pkg != nil && pkg.initialises(g.Object()) {
		return &assembly.Value{Odd: "its declaration in Go has a value, too"}
	}
	return v
}

// initialises reports whether the declaration of a variable has a value.
func (pkg *Package) initialises(v types.Object) bool {
	return slices.ContainsFunc(pkg.Info.InitOrder, func(i *types.Initializer) bool {
		return slices.ContainsFunc(i.Lhs, func(w *types.Var) bool { return w == v })
	})
}

// An Embed is a package variable with a //go:embed directive.
type Embed struct {
	Var      *types.Var
	Patterns []string
}

// Package returns the program's package for pkg, or nil.
func (p *Program) Package(pkg *types.Package) *Package {
	if q := p.byTyp[pkg]; q != nil {
		return q
	}
	v, _ := p.u.byTyp.Load(pkg) // that of a late body
	q, _ := v.(*Package)
	return q
}

// PackageByPath returns the package with the given import path, its variant under test if there is one, or nil.
func (p *Program) PackageByPath(path string) *Package {
	for _, pkg := range []*Package{p.Test, p.XTest} {
		if pkg != nil && pkg.Path == path {
			return pkg
		}
	}
	for _, pkg := range p.Init {
		if pkg.Path == path {
			return pkg
		}
	}
	return nil
}

// IsStd reports whether pkg belongs to the standard library (and is not itself analysed).
func (p *Program) IsStd(pkg *types.Package) bool {
	q := p.Package(pkg)
	return q != nil && q.Std
}

// Build makes sure that fn is built: its package's SSA, and the evaluation order of its body. It is cheap for a
// function already built, and safe for concurrent use. fn may also be an instance, an anonymous function or a wrapper.
func (p *Program) Build(fn *ssa.Function) { p.u.buildFunc(fn) }

// HasInit reports whether package initialisation has anything to do for pkg itself.
func (pkg *Package) HasInit() bool {
	if len(pkg.Info.InitOrder) > 0 {
		return true
	}
	for _, f := range pkg.Files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				return true
			}
		}
	}
	return false
}

// BuildAhead begins to build packages and to order their initialisers, one after the other. It works beside the caller,
// who is going to need them.
func (p *Program) BuildAhead(pkgs []*Package) {
	go each(len(pkgs), func(i int) {
		pkg := pkgs[i].SSA
		defer func() {
			if v := recover(); v != nil {
				p.u.broken.Store(pkg, v) // for the one who needs it
			}
		}()
		p.u.buildSSA(pkg)
		if init := pkg.Func("init"); init != nil {
			p.u.buildFunc(init)
		}
	})
}

// Shared returns what there is one of for all programs of the Universe, under a key. It is made when it is first asked
// for.
func (p *Program) Shared(key any, make func() any) any {
	v, ok := p.u.shared.Load(key)
	if !ok {
		v, _ = p.u.shared.LoadOrStore(key, make())
	}
	return v
}

// MethodValue is ssa.Program.MethodValue, safe while other programs of the Universe are being made.
func (p *Program) MethodValue(sel *types.Selection) *ssa.Function {
	p.u.ssaMu.RLock()
	defer p.u.ssaMu.RUnlock()
	return p.SSA.MethodValue(sel)
}

// buildSSA builds a package.
func (u *Universe) buildSSA(pkg *ssa.Package) {
	u.ssaMu.RLock()
	defer u.ssaMu.RUnlock()
	pkg.Build()
}

// buildFunc builds fn's package, then orders fn's body, once. A literal that captures something is ordered with the
// function that it stands in: what that does with its variables depends on what the literal does with them.
func (u *Universe) buildFunc(fn *ssa.Function) {
	for len(fn.FreeVars) > 0 && fn.Parent() != nil {
		fn = fn.Parent()
	}
	v, ok := u.built.Load(fn)
	if !ok {
		v, _ = u.built.LoadOrStore(fn, new(sync.Once))
	}
	pkg := u.declaringPackage(fn)
	v.(*sync.Once).Do(func() {
		if pkg != nil {
			u.buildSSA(pkg)
		}
		u.order(fn)
	})
	if pkg != nil {
		if v, ok := u.broken.Load(pkg); ok {
			panic(v)
		}
	}
}

// order orders the body of a function, and of the literals in it that capture something.
func (u *Universe) order(fn *ssa.Function) {
	info := u.infoOf(fn)
	gcorder.BindLate(fn, info, func(sel *types.Selection) *ssa.Function {
		u.ssaMu.RLock()
		defer u.ssaMu.RUnlock()
		return fn.Prog.MethodValue(sel)
	})
	gcorder.Func(fn, info)
	for _, lit := range fn.AnonFuncs {
		if len(lit.FreeVars) > 0 {
			u.order(lit)
		}
	}
}

// declaringPackage returns the package whose source holds fn, or nil for a synthetic function of no package.
func (u *Universe) declaringPackage(fn *ssa.Function) *ssa.Package {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Pkg != nil {
		return fn.Pkg
	}
	if obj := fn.Object(); obj != nil && obj.Pkg() != nil {
		u.ssaMu.RLock() // other programs of the universe may be adding packages
		defer u.ssaMu.RUnlock()
		return fn.Prog.Package(obj.Pkg())
	}
	return nil
}

// Linknames are the symbols that //go:linkname directives of the package give to its functions and variables, by their
// local names.
func (pkg *Package) Linknames() map[string]string { return pkg.pushes }
