package edits

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"strings"
)

// This file has the kinds that change types, methods, variables, and the files and settings of a module.

// structs calls f with each struct type that is declared at the top, with its name.
func structs(s *source, f func(*ast.TypeSpec, *ast.StructType)) {
	specs(s, token.TYPE, func(_ *ast.GenDecl, spec ast.Spec) {
		if x, ok := spec.(*ast.TypeSpec); ok {
			if t, ok := x.Type.(*ast.StructType); ok {
				f(x, t)
			}
		}
	})
}

// fields add a field, a tag, or exchange two fields.
func fields(s *source) (out []Edit) {
	structs(s, func(x *ast.TypeSpec, t *ast.StructType) {
		at := s.offset(t.Fields.Opening) + 1
		out = append(out, s.insert(at, " edited int; "), s.insert(at, " _ [64]byte; "))
		list := t.Fields.List
		for i, f := range list {
			if f.Tag == nil {
				out = append(out, s.insert(s.offset(f.End()), " `json:\"e,omitempty\"`"))
			}
			if i > 0 {
				a, b := list[i-1], f
				text := s.textOf(b) + s.text[s.offset(a.End()):s.offset(b.Pos())] + s.textOf(a)
				out = append(out, edit(change{file: s.name, start: s.offset(a.Pos()), end: s.offset(b.End()), text: text}))
			}
		}
	})
	return out
}

// sizes are types that one writes in the place of one another.
var sizes = map[string]string{"int": "int64", "int64": "int32", "int32": "int64", "uint32": "uint64", "uint64": "uint32", "uint": "uint64", "string": "any"}

// widths change the type of a field.
func widths(s *source) (out []Edit) {
	structs(s, func(_ *ast.TypeSpec, t *ast.StructType) {
		for _, f := range t.Fields.List {
			if id, ok := f.Type.(*ast.Ident); ok && sizes[id.Name] != "" {
				out = append(out, s.replace(id, sizes[id.Name]))
			}
		}
	})
	return out
}

// methods add a method that interfaces of the standard library ask for, or change who has one.
func methods(s *source) (out []Edit) {
	specs(s, token.TYPE, func(_ *ast.GenDecl, spec ast.Spec) {
		x := spec.(*ast.TypeSpec)
		if _, ok := x.Type.(*ast.InterfaceType); ok || x.Assign.IsValid() || x.TypeParams != nil {
			return
		}
		for _, m := range []string{"String() string", "Error() string", "GoString() string"} {
			name, _, _ := strings.Cut(m, "(")
			if s.has("(" + x.Name.Name + ") " + name) {
				continue
			}
			text := fmt.Sprintf("\nfunc (%s) %s { return \"edited\" }\n", x.Name.Name, m)
			out = append(out, s.insert(len(s.text), text))
		}
	})
	for _, d := range s.syntax.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv == nil {
			continue
		}
		out = append(out, s.replace(fn, "")) // most have callers; those that interfaces alone know have none
		if star, ok := fn.Recv.List[0].Type.(*ast.StarExpr); ok {
			out = append(out, s.replace(star, s.textOf(star.X)))
		} else {
			out = append(out, s.insert(s.offset(fn.Recv.List[0].Type.Pos()), "*"))
		}
	}
	return out
}

// initialisers add variables with initialisers, and init functions.
func initialisers(s *source) (out []Edit) {
	name := fmt.Sprint("edited", len(s.text))
	out = append(out,
		s.insert(len(s.text), fmt.Sprintf("\nvar %s = make([]int, 3)\n", name)),
		s.insert(len(s.text), fmt.Sprintf("\nvar %s = func() int { return 7 }()\n\nfunc init() { %[1]s++ }\n", name)),
		s.insert(len(s.text), fmt.Sprintf("\nvar %s = make(chan int)\n\nfunc init() {\n\tgo func() { %[1]s <- 1 }()\n\t<-%[1]s\n}\n", name)),
	)
	specs(s, token.VAR, func(g *ast.GenDecl, spec ast.Spec) {
		if x := spec.(*ast.ValueSpec); len(x.Names) == 1 && x.Names[0].Name != "_" && x.Type == nil && len(x.Values) == 1 {
			out = append(out, s.insert(len(s.text), fmt.Sprintf("\nfunc init() { old := %s; %[1]s = old }\n", x.Names[0].Name)))
		}
		if len(g.Specs) > 1 && g.Specs[0] != spec {
			a := g.Specs[0]
			out = append(out, edit(change{file: s.name, start: s.offset(a.Pos()), end: s.offset(spec.End()),
				text: s.textOf(spec) + s.text[s.offset(a.End()):s.offset(spec.Pos())] + s.textOf(a)}))
		}
	})
	return out
}

// embedded is the name of the files that edits embed.
const embedded = "heddle_edit.txt"

// embeds add an embedded file to a package, or change it.
func embeds(t Tree, folders []string) (out []Edit) {
	seen := map[string]bool{}
	for _, s := range t.parse(folders) {
		dir := folderOf(s.name)
		if s.isTest() || seen[dir] {
			continue
		}
		seen[dir] = true
		file := path.Join(dir, embedded)
		if text, ok := t[file]; ok {
			out = append(out, edit(change{file: file, start: len(text), end: len(text), text: "more\n"}))
			continue
		}
		code := "package " + s.syntax.Name.Name + "\n\nimport _ \"embed\"\n\n//go:embed " + embedded + "\nvar heddleEdited string\n"
		out = append(out, edit(change{file: file, text: "embedded\n"}, change{file: path.Join(dir, "heddle_edit.go"), text: code}))
	}
	return out
}

// modules change a line of go.mod that programs can tell.
func modules(t Tree, _ []string) (out []Edit) {
	text, at := t["go.mod"], 0
	for l := range strings.Lines(text) {
		if version, ok := strings.CutPrefix(strings.TrimSpace(l), "go "); ok {
			for _, other := range []string{"1.20", "1.21", "1.22", "1.23.0", "1.25.0", "1.26.0"} {
				if other != version {
					out = append(out, edit(change{file: "go.mod", start: at, end: at + len(l), text: "go " + other + "\n"}))
				}
			}
		}
		at += len(l)
	}
	for _, line := range []string{"godebug panicnil=1", "godebug asynctimerchan=1", "godebug randseednop=0"} {
		if !strings.Contains(text, line) {
			out = append(out, edit(change{file: "go.mod", start: len(text), end: len(text), text: "\n" + line + "\n"}))
		}
	}
	return out
}

// constraints add a build constraint that takes a file away, or gives it another language version, or that adds a
// file beside it.
func constraints(t Tree, folders []string) (out []Edit) {
	for _, s := range t.parse(folders) {
		if strings.Contains(s.text, "//go:build") {
			continue
		}
		for _, c := range []string{"ignore", "go1.21", "go1.22 && linux", "!linux"} {
			out = append(out, s.insert(0, "//go:build "+c+"\n\n"))
		}
		for _, suffix := range []string{"_linux.go", "_windows.go"} {
			name := strings.TrimSuffix(s.name, ".go") + "_edited" + suffix
			if _, ok := t[name]; !ok && !s.isTest() {
				out = append(out, edit(change{file: name, text: "package " + s.syntax.Name.Name + "\n\nvar edited" + strings.Trim(suffix, "_.go") + " = 1\n\nfunc init() { editedlinux := 2; _ = editedlinux }\n"}))
			}
		}
	}
	return out
}
