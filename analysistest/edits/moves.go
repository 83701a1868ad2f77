package edits

import (
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"
)

// This file has the kinds that move code: to another file of its package, or a package to another folder.

// renames give a file another name: another order of initialisation, another position of its lines.
func renames(t Tree, folders []string) (out []Edit) {
	for _, name := range t.goFiles(folders) {
		dir, base := path.Split(name)
		if !strings.Contains(base, "zz_") {
			out = append(out, edit(change{file: name, rename: dir + "zz_" + base}))
		}
	}
	return out
}

// movedDecls put a declaration into another file of its package, or into a new one.
func movedDecls(t Tree, folders []string) (out []Edit) {
	sources := t.parse(folders)
	for _, from := range sources {
		for _, d := range from.syntax.Decls {
			needs, ok := from.imports(d)
			if !ok {
				continue
			}
			text := from.textOf(d)
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Doc != nil {
				text = from.text[from.offset(fn.Doc.Pos()):from.offset(fn.Pos())] + text
			}
			take := change{file: from.name, start: from.offset(d.Pos()), end: from.offset(d.End())}
			for _, to := range sources {
				if to == from || folderOf(to.name) != folderOf(from.name) || to.syntax.Name.Name != from.syntax.Name.Name || to.isTest() != from.isTest() {
					continue
				}
				if have := to.imported(); !slices.ContainsFunc(needs, func(p string) bool { return !slices.Contains(have, p) }) {
					out = append(out, edit(take, change{file: to.name, start: len(to.text), end: len(to.text), text: "\n" + text + "\n"}))
				}
			}
			name := strings.TrimSuffix(from.name, ".go") + "_moved.go"
			if from.isTest() {
				name = strings.TrimSuffix(from.name, "_test.go") + "_moved_test.go"
			}
			if _, ok := t[name]; ok || strings.Contains(from.text, "//go:build") {
				continue
			}
			head := "package " + from.syntax.Name.Name + "\n\n"
			for _, p := range needs {
				head += "import " + p + "\n"
			}
			out = append(out, edit(take, change{file: name, text: head + "\n" + text + "\n"}))
		}
	}
	return out
}

// imported lists what a file imports, as it writes it.
func (s *source) imported() (out []string) {
	for _, x := range s.syntax.Imports {
		out = append(out, s.textOf(x))
	}
	return out
}

// imports lists what a declaration needs of the file's imports, as the file writes them. ok is false if that cannot be
// told, or if the file would import something for nothing without the declaration.
func (s *source) imports(d ast.Decl) (needs []string, ok bool) {
	if g, isGen := d.(*ast.GenDecl); isGen && g.Tok.String() == "import" {
		return nil, false
	}
	for _, x := range s.syntax.Imports {
		p, err := strconv.Unquote(x.Path.Value)
		if err != nil {
			return nil, false
		}
		name := path.Base(p)
		if x.Name != nil {
			name = x.Name.Name
		} else if strings.HasPrefix(name, "v") && len(name) < 4 {
			name = path.Base(path.Dir(p))
		}
		if name == "." {
			return nil, false
		}
		in, all := uses(d, name), uses(s.syntax, name)
		if in > 0 && in == all {
			return nil, false
		}
		if in > 0 {
			needs = append(needs, s.textOf(x))
		}
	}
	return needs, true
}

// uses counts the selections of a name below n.
func uses(n ast.Node, name string) (count int) {
	ast.Inspect(n, func(n ast.Node) bool {
		if x, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := x.X.(*ast.Ident); ok && id.Name == name {
				count++
			}
		}
		return true
	})
	return count
}

// movedFolders give the folder of a package that another one imports another name, in all files.
func movedFolders(t Tree, folders []string) (out []Edit) {
	module := ""
	for l := range strings.Lines(t["go.mod"]) {
		if p, ok := strings.CutPrefix(l, "module "); ok {
			module = strings.TrimSpace(p)
		}
	}
	for _, dir := range folders {
		if dir == "." || strings.HasSuffix(dir, "moved") {
			continue
		}
		was := strconv.Quote(module + "/" + dir)
		now := strconv.Quote(module + "/" + dir + "moved")
		var changes []change
		imported := false
		for _, name := range t.goFiles(nil) {
			for at := strings.LastIndex(t[name], was); at >= 0; at = strings.LastIndex(t[name][:at], was) {
				changes = append(changes, change{file: name, start: at, end: at + len(was), text: now})
				imported = true
			}
			if folderOf(name) == dir {
				changes = append(changes, change{file: name, rename: dir + "moved" + strings.TrimPrefix(name, dir)})
			}
		}
		if imported {
			out = append(out, edit(changes...))
		}
	}
	return out
}
