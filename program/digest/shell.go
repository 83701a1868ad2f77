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
	h := sha256.New()
	for _, q := range d.p.Init {
		put(h, q.ID, q.Path, strconv.FormatBool(q.Std))
		if u := d.pkgs[q.Types]; u != nil {
			d.writePackage(h, u)
		}
	}
	d.shell = sum(h)
	return d.shell
}

func (d *Program) writePackage(h hash.Hash, u *pkg) {
	put(h, u.GoVersion, strconv.FormatBool(u.Cgo), u.Types.Name())
	writeTypes(h, u.Types.Scope())
	for _, o := range u.Info.InitOrder {
		put(h, "order")
		for _, v := range o.Lhs {
			put(h, v.Name())
		}
	}
	for _, f := range u.files {
		d.writeFile(h, u, f)
	}
	links := u.Linknames()
	for _, local := range slices.Sorted(maps.Keys(links)) {
		put(h, "linkname", local, links[local])
	}
	for _, e := range u.Embeds {
		put(h, "embed", e.Var.Name())
		put(h, e.Patterns...)
	}
	for _, name := range u.EmbedFiles {
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

// writeTypes writes the types and variables of a package's scope.
func writeTypes(h hash.Hash, scope *types.Scope) {
	for _, name := range scope.Names() { // sorted
		switch o := scope.Lookup(name).(type) {
		case *types.Var:
			put(h, "var", name, typeText(o.Type()))
		case *types.TypeName:
			put(h, "type", name, strconv.FormatBool(o.IsAlias()), typeText(o.Type()))
			if a, ok := o.Type().(*types.Alias); ok {
				put(h, typeText(a.Rhs()))
			}
			if n, ok := o.Type().(*types.Named); ok {
				writeNamed(h, n)
			}
		}
	}
}

func writeNamed(h hash.Hash, n *types.Named) {
	put(h, typeText(n.Underlying()))
	for i := range n.TypeParams().Len() {
		p := n.TypeParams().At(i)
		put(h, p.Obj().Name(), typeText(p.Constraint()))
	}
	var methods []string
	for i := range n.NumMethods() {
		m := n.Method(i)
		_, ptr := types.Unalias(m.Signature().Recv().Type()).(*types.Pointer)
		methods = append(methods, fmt.Sprint(m.Name(), ptr, typeText(m.Type())))
	}
	slices.Sort(methods)
	put(h, methods...)
}

func typeText(t types.Type) string { return types.TypeString(t, (*types.Package).Path) }

// writeFile writes the initialisers of variables and the init functions of a file.
func (d *Program) writeFile(h hash.Hash, u *pkg, f *file) {
	w := newSyntaxWalker(h)
	for _, decl := range f.syntax.Decls {
		switch decl := decl.(type) {
		case *ast.GenDecl:
			if decl.Tok != token.VAR {
				continue
			}
			for _, spec := range decl.Specs {
				w.node(spec)
			}
		case *ast.FuncDecl:
			if name := declName(decl); name == "init" {
				w.node(decl)
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
