package program

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/heddle-go/heddle/program/assembly"
	"github.com/heddle-go/heddle/program/gcorder"
)

// errDependency marks a package that was not checked because one it imports has errors.
var errDependency = errors.New("a dependency has errors")

// check type-checks packages, each after those it imports, on all processors.
func (u *Universe) check(order []*entry, sources map[*entry]*source, sizes types.Sizes) {
	limit := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for _, e := range order {
		wg.Go(func() {
			defer close(e.done)
			for _, dep := range e.deps {
				<-dep.done
				if dep.err != nil {
					e.err = errDependency
				}
			}
			limit <- struct{}{}
			defer func() { <-limit }()
			if src := sources[e]; len(src.errs) > 0 {
				e.err = src.errs
			} else if e.err == nil {
				e.pkg, e.err = u.checkPackage(e, src, sizes)
			}
		})
	}
	wg.Wait()
}

// checkPackage type-checks one package.
func (u *Universe) checkPackage(e *entry, src *source, sizes types.Sizes) (*Package, error) {
	r := e.recipe
	p := &Package{
		ID: r.ID, Path: r.Path, Std: r.Std, Boundary: r.Std && u.cfg.boundary(r.Path), Cgo: len(r.CgoFiles) > 0,
		Files: src.files, GoVersion: r.GoVersion, Dir: r.Dir, EmbedFiles: r.EmbedFiles, pushes: src.pushes,
	}
	if len(r.SFiles) > 0 {
		p.AsmFiles = slices.Concat(r.SFiles, r.Includes)
		p.assembled = assembly.Values(r.Dir, r.SFiles, r.Includes, r.Path, r.Name == "main")
	}
	if r.Path == "unsafe" {
		p.Types, p.Info = types.Unsafe, new(types.Info)
		return p, nil
	}
	size := 0 // of declarations, without late bodies; comments between them may be most of a file
	for _, f := range src.files {
		for _, d := range f.Decls {
			size += int(d.End() - d.Pos())
		}
	}
	p.Info = newInfo(size)
	var errs Errors
	conf := types.Config{
		Importer:    importer(e.deps),
		Sizes:       sizes,
		GoVersion:   r.GoVersion,
		FakeImportC: p.Cgo,
	}
	p.conf = conf // without errs
	conf.Error = func(err error) {
		if te := (types.Error{}); errors.As(err, &te) {
			if isSoft(err) && len(src.late) > 0 {
				return // without bodies imports seem unused
			}
			// A message that starts with a tab belongs to the one before it.
			if !strings.HasPrefix(te.Msg, "\t") {
				errs = append(errs, &Error{Path: r.Path, Pos: u.fset.Position(te.Pos), Msg: oneLine(te.Msg)})
			}
			return
		}
		errs = append(errs, &Error{Path: r.Path, Msg: oneLine(err.Error())})
	}
	p.Types, _ = conf.Check(r.Path, u.fset, src.files, p.Info)
	for _, d := range src.embeds {
		if v, ok := p.Info.Defs[d.name].(*types.Var); ok {
			p.Embeds = append(p.Embeds, Embed{v, d.patterns})
		}
	}
	switch {
	case p.Cgo:
		p.Info.InitOrder = nil // the initialisers may need C
	case p.Boundary:
		// Without bodies imports seem unused and init functions wrong; nothing else can be.
	case len(errs) > 0:
		sort.SliceStable(errs, func(i, j int) bool { return lessPos(errs[i].Pos, errs[j].Pos) })
		if r.Std {
			for _, e := range errs {
				e.Msg += fmt.Sprintf(" (Heddle was built with %s and reads %s)", runtime.Version(), r.GoVersion)
			}
		}
		return nil, errs
	}
	if !p.Boundary {
		for _, f := range src.files {
			gcorder.EvaluateNoArrays(f, p.Info)
		}
	}
	p.Tables = src.tables
	for _, b := range src.late {
		b.pkg = p
		u.late.Store(b.decl, b)
	}
	return p, nil
}

// newInfo returns maps with room for size bytes of source: one that grows costs more than the entries themselves.
func newInfo(size int) *types.Info {
	return &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue, size/16),
		Defs:         make(map[*ast.Ident]types.Object, size/128),
		Uses:         make(map[*ast.Ident]types.Object, size/32),
		Implicits:    make(map[ast.Node]types.Object),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection),
		Instances:    make(map[*ast.Ident]types.Instance),
		FileVersions: make(map[*ast.File]string),
	}
}

// isSoft reports whether an error of the type checker leaves types complete, as that of an unused import does.
func isSoft(err error) bool {
	te := types.Error{}
	return errors.As(err, &te) && te.Soft
}

// importer resolves the imports of one package.
type importer map[string]*entry

func (m importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if e := m[path]; e != nil {
		return e.pkg.Types, nil
	}
	return nil, fmt.Errorf("package %s is not in the program: run `go mod tidy`, or check the import path", path)
}
