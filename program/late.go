package program

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/program/gcorder"
)

// This file defines late bodies: function bodies that are built when somebody asks for them. Of the bodies that a small
// test imports it calls one in twenty.
//
// A package of the standard library is type-checked and made without its late bodies. A late body that is asked for
// becomes a function literal, with the receiver as its first parameter:
//
//	var _ = func(b *Builder, p []byte) (int, error) { … }
//
// go/types checks this file as one more of the package. go/ssa makes a package once, so it takes the file for a package
// of its own. The literal's function stands for the declared one wherever a body is wanted. Program.Declared leads
// back.
//
// Some bodies cannot wait:
//
//   - Those that an initialiser may come to, told by their names: package initialisation is ordered by what functions
//     refer to.
//   - Generic functions, which are instantiated from their syntax.
//   - init functions, which run anyway.
//
// Packages of the user's are type-checked with all bodies, for their errors are told. go/ssa gets the declarations
// without theirs, and the literal takes what the type checker has found.

// lateBody is a body that a declaration was separated from.
type lateBody struct {
	file *ast.File
	decl *ast.FuncDecl
	body *ast.BlockStmt // nil if it was not parsed
	of   *lateFile      // then: where it is
	pkg  *Package
	// checked says that the body was type-checked with its package.
	checked bool

	once sync.Once
	fn   *ssa.Function // the literal, once built
}

// separate takes those bodies from the declarations of a package that can wait. Files that eager holds for keep theirs.
// Files of which bodies were not parsed stand in blanked. Where one of these bodies cannot wait, the file is replaced
// by one with all of them.
func separate(files []*ast.File, blanked map[*ast.File]*lateFile, eager func(*ast.File) bool) []*lateBody {
	refs := newReferences(files)
	var late []*lateBody
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			b := &lateBody{file: f, decl: fn, body: fn.Body}
			if b.body == nil {
				if b.of = blanked[f]; b.of == nil || !b.of.has(fn) {
					continue
				}
			}
			refs.add(b)
			if !eager(f) && !isGeneric(fn) && (fn.Recv != nil || fn.Name.Name != "init") {
				late = append(late, b)
			}
		}
	}
	for _, f := range files {
		imports := importsOf(f)
		for _, d := range f.Decls {
			if decl, ok := d.(*ast.GenDecl); ok && decl.Tok == token.VAR {
				refs.follow(decl, imports)
			}
		}
	}
	whole := make(map[*ast.File]*ast.File)
	for b := range refs.needed {
		if b.of != nil {
			whole[b.file] = b.of.whole()
		}
	}
	for i, f := range files {
		if w := whole[f]; w != nil {
			files[i] = w
		}
	}
	out := late[:0]
	for _, b := range late {
		if whole[b.file] != nil {
			if b.of != nil {
				b.file, b.decl, b.body = b.syntax()
			} else { // one that blankBodies did not find
				b.file, b.decl = whole[b.file], blanked[b.file].decl(b.decl)
				b.body = b.decl.Body
			}
			b.of = nil
		}
		if !refs.needed[b] {
			b.decl.Body = nil
			out = append(out, b)
		}
	}
	return out
}

// syntax is the file of a body, its declaration and the body itself, parsed.
func (b *lateBody) syntax() (*ast.File, *ast.FuncDecl, *ast.BlockStmt) {
	if b.of == nil {
		return b.file, b.decl, b.body
	}
	decl := b.of.decl(b.decl)
	return b.of.whole(), decl, decl.Body
}

// importsOf lists the names of a file's imports that are certain: those that are written, and those of the standard
// library.
func importsOf(f *ast.File) map[string]bool {
	names := make(map[string]bool)
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		switch first, _, _ := strings.Cut(p, "/"); {
		case err != nil:
		case spec.Name != nil:
			names[spec.Name.Name] = true
		case !strings.Contains(first, ".") && !isVersion(path.Base(p)):
			names[path.Base(p)] = true
		}
	}
	return names
}

// isVersion reports whether the last element of an import path is a major version, which no package is called by.
func isVersion(elem string) bool {
	_, err := strconv.Atoi(strings.TrimPrefix(elem, "v"))
	return err == nil && strings.HasPrefix(elem, "v")
}

// isGeneric reports whether a function or its receiver has type parameters.
func isGeneric(fn *ast.FuncDecl) bool {
	if fn.Type.TypeParams != nil {
		return true
	}
	if fn.Recv == nil || len(fn.Recv.List) != 1 {
		return false
	}
	t := ast.Unparen(fn.Recv.List[0].Type)
	if s, ok := t.(*ast.StarExpr); ok {
		t = ast.Unparen(s.X)
	}
	_, plain := t.(*ast.Ident)
	return !plain
}

// lateOf returns the late body of fn, or nil.
func (u *Universe) lateOf(fn *ssa.Function) *lateBody {
	decl, ok := fn.Syntax().(*ast.FuncDecl)
	if !ok || decl.Body != nil {
		return nil
	}
	v, _ := u.late.Load(decl)
	b, _ := v.(*lateBody)
	return b
}

// hasBody reports whether fn, built or not, has a body of its own.
func (u *Universe) hasBody(fn *ssa.Function) bool {
	if decl, ok := fn.Syntax().(*ast.FuncDecl); ok {
		return decl.Body != nil || u.lateOf(fn) != nil
	}
	return len(fn.Blocks) > 0
}

// buildLate returns the function that holds the body of fn, whose declaration has none.
func (u *Universe) buildLate(fn *ssa.Function, b *lateBody) *ssa.Function {
	b.once.Do(func() {
		from, decl, body := b.syntax()
		file, lit := literal(from, decl, body)
		info := newInfo(int(body.End() - body.Pos()))
		if b.checked {
			b.known(file, lit, fn, info)
		} else {
			u.checkLate(b, file, fn, info)
			gcorder.EvaluateNoArrays(body, info)
		}

		pkg := types.NewPackage(b.pkg.Path, b.pkg.Types.Name())
		u.byTyp.Store(pkg, b.pkg)
		u.ssaMu.Lock()
		made := u.prog.CreatePackage(pkg, []*ast.File{file}, info, false)
		u.ssaMu.Unlock()
		made.SetDebugMode(true)
		u.ssaMu.RLock()
		made.Build()
		u.ssaMu.RUnlock()
		b.fn = made.Func("init").AnonFuncs[0]
		u.declared.Store(b.fn, fn)
		u.buildFunc(b.fn)
	})
	return b.fn
}

// checkLate type-checks a late body, by itself.
func (u *Universe) checkLate(b *lateBody, file *ast.File, fn *ssa.Function, info *types.Info) {
	conf := b.pkg.conf
	conf.Error = func(err error) {
		if !isSoft(err) {
			panic(fmt.Sprintf("program: the body of %s, checked by itself: %v", fn, err))
		}
	}
	u.lateMu.Lock() // a package's scope grows by one for each file
	_ = types.NewChecker(&conf, u.fset, b.pkg.Types, info).Files([]*ast.File{file})
	u.lateMu.Unlock()
}

// known takes what is known of a late body from its package.
func (b *lateBody) known(file *ast.File, lit *ast.FuncLit, fn *ssa.Function, info *types.Info) {
	from := b.pkg.Info
	ast.Inspect(lit, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			if tv, ok := from.Types[e]; ok {
				info.Types[e] = tv
			}
		}
		if o, ok := from.Implicits[n]; ok {
			info.Implicits[n] = o
		}
		switch n := n.(type) {
		case *ast.Ident:
			if o, ok := from.Defs[n]; ok {
				info.Defs[n] = o
			}
			if o, ok := from.Uses[n]; ok {
				info.Uses[n] = o
			}
			if in, ok := from.Instances[n]; ok {
				info.Instances[n] = in
			}
		case *ast.SelectorExpr:
			if sel, ok := from.Selections[n]; ok {
				info.Selections[n] = sel
			}
		}
		return true
	})
	info.FileVersions[file] = from.FileVersions[b.file]

	sig := fn.Signature
	var params []*types.Var
	if sig.Recv() != nil {
		params = append(params, sig.Recv())
	}
	params = slices.AppendSeq(params, sig.Params().Variables())
	i := 0
	for _, f := range lit.Type.Params.List { // those that literal has named are not defined yet
		for _, id := range f.Names {
			if info.Defs[id] == nil {
				info.Defs[id] = params[i]
			}
			i++
		}
	}
	typ := types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic())
	info.Types[lit], info.Types[lit.Type] = types.TypeAndValue{Type: typ}, types.TypeAndValue{Type: typ}
	blank := types.NewVar(lit.Pos(), b.pkg.Types, "_", typ)
	decl := file.Decls[len(file.Decls)-1].(*ast.GenDecl)
	info.Defs[decl.Specs[0].(*ast.ValueSpec).Names[0]] = blank
	info.InitOrder = []*types.Initializer{{Lhs: []*types.Var{blank}, Rhs: lit}}
}

// detach returns the files of a package of the user's as go/ssa gets them, and notes their late bodies. Test files keep
// theirs: their functions are called.
func (u *Universe) detach(p *Package) []*ast.File {
	files := slices.Clone(p.Files)
	for i, f := range files {
		if strings.HasSuffix(u.fset.File(f.FileStart).Name(), "_test.go") {
			continue
		}
		bare := *f
		bare.Decls = slices.Clone(f.Decls)
		for j, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil || isGeneric(fn) || fn.Name.Name == "_" || fn.Recv == nil && fn.Name.Name == "init" {
				continue
			}
			head := *fn
			head.Body = nil
			bare.Decls[j] = &head
			u.late.Store(&head, &lateBody{file: f, decl: fn, body: fn.Body, pkg: p, checked: true})
		}
		p.Info.FileVersions[&bare] = p.Info.FileVersions[f]
		files[i] = &bare
	}
	return files
}

// literal is a file that declares nothing but a body, as a function literal.
func literal(from *ast.File, decl *ast.FuncDecl, body *ast.BlockStmt) (*ast.File, *ast.FuncLit) {
	blank := func() *ast.Ident { return &ast.Ident{NamePos: decl.Pos(), Name: "_"} }
	params := &ast.FieldList{Opening: decl.Type.Params.Opening, Closing: decl.Type.Params.Closing}
	if decl.Recv != nil {
		params.List = append(params.List, decl.Recv.List...)
	}
	params.List = append(params.List, decl.Type.Params.List...)
	named := false
	for _, f := range params.List {
		named = named || f.Names != nil
	}
	for i, f := range params.List {
		if named && f.Names == nil { // a receiver beside parameters: all have names or none
			params.List[i] = &ast.Field{Names: []*ast.Ident{blank()}, Type: f.Type}
		}
	}
	lit := &ast.FuncLit{Type: &ast.FuncType{Func: decl.Name.Pos(), Params: params, Results: decl.Type.Results}, Body: body}
	file := &ast.File{
		Package: from.Package, Name: from.Name, FileStart: from.FileStart, FileEnd: from.FileEnd,
		Imports: from.Imports, GoVersion: from.GoVersion,
	}
	for _, d := range from.Decls {
		if imp, ok := d.(*ast.GenDecl); ok && imp.Tok == token.IMPORT {
			file.Decls = append(file.Decls, imp)
		}
	}
	file.Decls = append(file.Decls, &ast.GenDecl{TokPos: decl.Pos(), Tok: token.VAR, Specs: []ast.Spec{
		&ast.ValueSpec{Names: []*ast.Ident{blank()}, Values: []ast.Expr{lit}},
	}})
	return file, lit
}
