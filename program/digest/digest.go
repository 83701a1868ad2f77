package digest

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"hash"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/program"
)

// A Program digests the parts of one closed program. It is safe for concurrent use.
type Program struct {
	p *program.Program

	mu    sync.Mutex
	pkgs  map[*types.Package]*pkg
	byID  map[string]*pkg
	shell string
}

// A pkg is a package of the user's.
type pkg struct {
	*program.Package
	decls map[string]*decl
	files []*file
}

// A file is a file with its imports by name.
type file struct {
	syntax *ast.File
	named  map[string]*types.Package
	dots   []*types.Package
}

// A decl is a declared function.
type decl struct {
	fn   *ast.FuncDecl
	file *file
	pkg  *pkg

	digest  string
	poses   []token.Pos
	types   []string // see Types
	reached bool     // they are known
}

// New returns the digests of a program.
func New(p *program.Program) *Program {
	d := &Program{p: p, pkgs: map[*types.Package]*pkg{}, byID: map[string]*pkg{}}
	for _, q := range p.Init {
		if q.Std || q.Path == "unsafe" {
			continue
		}
		u := &pkg{Package: q, decls: map[string]*decl{}}
		for _, f := range q.Files {
			u.addFile(f)
		}
		d.pkgs[q.Types], d.byID[q.ID] = u, u
	}
	return d
}

func (u *pkg) addFile(f *ast.File) {
	out := &file{syntax: f, named: map[string]*types.Package{}}
	u.files = append(u.files, out)
	for _, spec := range f.Imports {
		name := u.Info.PkgNameOf(spec)
		switch {
		case name == nil:
		case spec.Name != nil && spec.Name.Name == ".":
			out.dots = append(out.dots, name.Imported())
		default:
			out.named[name.Name()] = name.Imported()
		}
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			if name := declName(fn); name != "init" && name != "_" {
				u.decls[name] = &decl{fn: fn, file: out, pkg: u}
			}
		}
	}
}

// declName is the name of a function, or of a method with the type before it.
func declName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) != 1 {
		return fn.Name.Name
	}
	t := ast.Unparen(fn.Recv.List[0].Type)
	if s, ok := t.(*ast.StarExpr); ok {
		t = ast.Unparen(s.X)
	}
	switch x := t.(type) {
	case *ast.IndexExpr:
		t = x.X
	case *ast.IndexListExpr:
		t = x.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + fn.Name.Name
	}
	return "?." + fn.Name.Name
}

// nameSep stands between a package's ID and a declaration's name.
const nameSep = "\x00"

// declared leads from a function to the declared one that it stands in, or is an instance of.
func (d *Program) declared(fn *ssa.Function) *ssa.Function {
	for {
		if o := d.p.Declared(fn); o != fn {
			fn = o
			continue
		}
		if fn.Parent() == nil {
			break
		}
		fn = fn.Parent()
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	return fn
}

// OfUser reports whether a function stands in a package of the user's.
func (d *Program) OfUser(fn *ssa.Function) bool {
	fn = d.declared(fn)
	switch {
	case fn.Pkg != nil:
		return d.pkgs[fn.Pkg.Pkg] != nil
	case fn.Object() != nil && fn.Object().Pkg() != nil: // a wrapper
		return d.pkgs[fn.Object().Pkg()] != nil
	}
	return false
}

// Decl names the user's declaration in which a function stands. It returns "" if there is none: the function is of the
// standard library, of a package's initialisers, or made of types alone, as a wrapper is.
func (d *Program) Decl(fn *ssa.Function) string {
	fn = d.declared(fn)
	syntax, ok := fn.Syntax().(*ast.FuncDecl)
	if !ok || fn.Pkg == nil {
		return ""
	}
	u := d.pkgs[fn.Pkg.Pkg]
	if u == nil {
		return ""
	}
	name := declName(syntax)
	if x := u.decls[name]; x == nil || x.fn.Name != syntax.Name {
		return "" // an init function
	}
	return u.ID + nameSep + name
}

// Show writes the name of a declaration as people do.
func Show(name string) string {
	id, fn, _ := strings.Cut(name, nameSep)
	path, _, _ := strings.Cut(id, " ")
	return path + "." + fn
}

func (d *Program) decl(name string) *decl {
	id, fn, _ := strings.Cut(name, nameSep)
	if u := d.byID[id]; u != nil {
		return u.decls[fn]
	}
	return nil
}

// Of is the digest of a declaration (DIG1), "" if there is none of that name.
func (d *Program) Of(name string) string {
	x := d.decl(name)
	if x == nil {
		return ""
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.make(x)
	return x.digest
}

func (d *Program) make(x *decl) {
	if x.digest != "" {
		return
	}
	h := sha256.New()
	w := newSyntaxWalker(h)
	x.pkg.code(w, x.fn)
	d.around(w, x.pkg, x.file)
	x.digest, x.poses = sum(h), w.poses
}

// code writes a function, or the initialiser of a variable. A type that it declares has a number among those that
// functions of the package declare, which is part of its name.
func (u *pkg) code(w *syntaxWalker, n ast.Node) {
	w.types = false
	if w.node(n); w.types {
		w.put(strconv.Itoa(u.localTypesBefore(n.Pos())))
	}
}

// localTypesBefore counts the types that functions declare in front of a position.
func (u *pkg) localTypesBefore(pos token.Pos) (n int) {
	for _, f := range u.files {
		for _, decl := range f.syntax.Decls {
			if g, ok := decl.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				continue
			}
			ast.Inspect(decl, func(x ast.Node) bool {
				if s, ok := x.(*ast.TypeSpec); ok && !s.Assign.IsValid() && s.Pos() < pos {
					n++
				}
				return true
			})
		}
		if f.syntax.FileStart <= pos && pos < f.syntax.FileEnd {
			return n
		}
	}
	return n
}

// around writes what the syntax that w has met means outside of itself.
func (d *Program) around(w *syntaxWalker, u *pkg, f *file) {
	w.put(cmp.Or(f.syntax.GoVersion, u.GoVersion))
	for _, name := range w.identifiers() {
		w.put(name)
		w.put(resolve(u, f, name))
	}
	for _, s := range w.selections() {
		if imp := f.named[s[0]]; imp != nil {
			w.put(s[1])
			w.put(d.member(imp, s[1]))
		}
	}
}

// resolve says what a name stands for where no local one hides it.
func resolve(u *pkg, f *file, name string) string {
	if o := u.Types.Scope().Lookup(name); o != nil {
		return describe(o)
	}
	if imp := f.named[name]; imp != nil {
		return "import " + imp.Path()
	}
	for _, dot := range f.dots {
		if o := dot.Scope().Lookup(name); o != nil {
			return describe(o)
		}
	}
	if types.Universe.Lookup(name) != nil {
		return "universe"
	}
	return ""
}

// member says what a name of an imported package stands for.
func (d *Program) member(imp *types.Package, name string) string {
	if d.pkgs[imp] == nil {
		return imp.Path() // of the standard library
	}
	if o := imp.Scope().Lookup(name); o != nil {
		return describe(o)
	}
	return ""
}

// describe says what an object is to who refers to it.
func describe(o types.Object) string {
	t := types.TypeString(o.Type(), (*types.Package).Path)
	path := ""
	if o.Pkg() != nil {
		path = o.Pkg().Path()
	}
	if c, ok := o.(*types.Const); ok {
		t += " = " + c.Val().ExactString()
	}
	return fmt.Sprintf("%T %s %s", o, path, t)
}

// Lines is DIG3 of a declaration.
func (d *Program) Lines(name string) string {
	return d.places(name, func(at token.Position) []string { return []string{at.Filename, strconv.Itoa(at.Line)} })
}

// Lengths is how many characters positions in a declaration have, where they are written.
func (d *Program) Lengths(name string) string {
	return d.places(name, func(at token.Position) []string {
		var out []string
		for _, s := range []string{at.Filename, filepath.Base(at.Filename), strconv.Itoa(at.Line)} {
			out = append(out, strconv.Itoa(len(s)))
		}
		return out
	})
}

// places is a digest of what is said of the position of each token of a declaration.
func (d *Program) places(name string, of func(token.Position) []string) string {
	x := d.decl(name)
	if x == nil {
		return ""
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.make(x)
	h := sha256.New()
	for _, p := range x.poses {
		if at := d.p.Fset.Position(p); at.IsValid() {
			put(h, of(at)...)
		}
	}
	return sum(h)
}

// A Place is a position in a declaration, by the rank of its token. It is the same place of an equal declaration
// elsewhere.
type Place struct {
	Decl string
	Rank int
}

// Range is where a declaration begins and ends, both invalid if there is none of that name.
func (d *Program) Range(name string) (from, to token.Position) {
	x := d.decl(name)
	if x == nil {
		return token.Position{}, token.Position{}
	}
	return d.p.Fset.Position(x.fn.Pos()), d.p.Fset.Position(x.fn.End())
}

// IsTestMain reports whether a declaration is called TestMain.
func IsTestMain(name string) bool { return strings.HasSuffix(name, nameSep+"TestMain") }

// Place returns the place of a position that a function holds. ok is false if it stands in no declaration of the
// user's.
func (d *Program) Place(fn *ssa.Function, pos token.Pos) (at Place, ok bool) {
	name := d.Decl(fn)
	x := d.decl(name)
	if x == nil {
		return Place{}, false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.make(x)
	for i, p := range x.poses {
		if p == pos {
			return Place{name, i}, true
		}
	}
	return Place{}, false
}

// Position is where a place is in this program; it is invalid if it is nowhere.
func (d *Program) Position(at Place) token.Position {
	x := d.decl(at.Decl)
	if x == nil {
		return token.Position{}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.make(x)
	if at.Rank < 0 || at.Rank >= len(x.poses) {
		return token.Position{}
	}
	return d.p.Fset.Position(x.poses[at.Rank])
}

func (d *Program) fileName(f *file) string {
	return filepath.Clean(d.p.Fset.PositionFor(f.syntax.FileStart, false).Filename)
}

func put(h hash.Hash, parts ...string) {
	for _, s := range parts {
		fmt.Fprintf(h, "%d:%s", len(s), s)
	}
}

func sum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)[:12]) }
