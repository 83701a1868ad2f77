package digest

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"hash"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// This file defines the shell of a program (DIG2).

// Shell is DIG2.
func (d *Program) Shell() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shell != "" {
		return d.shell
	}
	h, r := sha256.New(), newReach(d)
	for _, q := range d.p.Init {
		put(h, q.ID, q.Path, strconv.FormatBool(q.Std))
		if u := d.pkgs[q.Types]; u != nil {
			d.writePackage(h, u, r)
		}
	}
	for _, name := range r.sorted() {
		put(h, name, d.Type(name))
	}
	d.shell = sum(h)
	return d.shell
}

// writePackage writes the shell of a package, and adds the types that this reaches.
func (d *Program) writePackage(h hash.Hash, u *pkg, r *reach) {
	put(h, u.GoVersion, strconv.FormatBool(u.Cgo), u.Types.Name())
	scope := u.Types.Scope()
	for _, name := range scope.Names() { // sorted
		if o, ok := scope.Lookup(name).(*types.Var); ok {
			put(h, "var", name, typeText(o.Type()))
			r.typ(o.Type())
		}
	}
	for _, o := range u.Info.InitOrder {
		put(h, "order")
		for _, v := range o.Lhs {
			put(h, v.Name())
		}
	}
	for _, f := range u.files {
		d.writeFile(h, u, f, r)
	}
	links := u.Linknames()
	for _, local := range slices.Sorted(maps.Keys(links)) {
		put(h, "linkname", local, links[local])
	}
	for _, e := range u.Embeds {
		put(h, "embed", e.Var.Name())
		put(h, e.Patterns...)
	}
	for _, name := range slices.Concat(u.EmbedFiles, u.AsmFiles) {
		put(h, "file", name, fileDigest(filepath.Join(u.Dir, filepath.FromSlash(name))))
	}
}

// fileDigest is a hash of a file's contents.
func fileDigest(name string) string {
	f, err := os.Open(name)
	if err != nil {
		return "missing"
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "unreadable"
	}
	return sum(h)
}

func writeNamed(h hash.Hash, n *types.Named) {
	put(h, typeText(n.Underlying()))
	writeParams(h, n.TypeParams())
	var methods []string
	for i := range n.NumMethods() {
		m := n.Method(i)
		_, ptr := types.Unalias(m.Signature().Recv().Type()).(*types.Pointer)
		methods = append(methods, fmt.Sprint(m.Name(), ptr, typeText(m.Type())))
	}
	slices.Sort(methods)
	put(h, methods...)
}

func writeParams(h hash.Hash, l *types.TypeParamList) {
	for p := range l.TypeParams() {
		put(h, p.Obj().Name(), typeText(p.Constraint()))
	}
}

func typeText(t types.Type) string { return types.TypeString(t, (*types.Package).Path) }

// writeFile writes the initialisers of variables and the init functions of a file.
func (d *Program) writeFile(h hash.Hash, u *pkg, f *file, r *reach) {
	w := newSyntaxWalker(h)
	for _, decl := range f.syntax.Decls {
		switch decl := decl.(type) {
		case *ast.GenDecl:
			if decl.Tok != token.VAR {
				continue
			}
			for _, spec := range decl.Specs {
				u.code(w, spec)
				r.code(u.Info, spec)
			}
		case *ast.FuncDecl:
			if name := declName(decl); name == "init" {
				u.code(w, decl)
				r.code(u.Info, decl)
			}
		}
	}
	if len(w.names) > 0 {
		d.around(w, u, f)
	}
}

// Names lists the declared functions of the user's packages, sorted.
func (d *Program) Names() []string {
	var out []string
	for id, u := range d.byID {
		for name := range u.decls {
			out = append(out, id+nameSep+name)
		}
	}
	slices.Sort(out)
	return out
}

// IsTest reports whether a declaration stands in a test file.
func (d *Program) IsTest(name string) bool {
	x := d.decl(name)
	return x != nil && strings.HasSuffix(d.fileName(x.file), "_test.go")
}
