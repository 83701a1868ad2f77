package program

import (
	"go/ast"
	"go/parser"
	"go/token"
)

// This file finds the struct types of a program that have embedded fields.

// Embeds reports whether a struct type without a name, somewhere in the program's source, has an embedded field of a
// name. The first call reads all sources.
func (p *Program) Embeds(name string) bool { return p.embedded()[name] }

// embeddedIn returns the names of the embedded fields of all struct types without a name.
func embeddedIn(pkgs []*Package, fset *token.FileSet) map[string]bool {
	names := map[string]bool{}
	for _, pkg := range pkgs {
		for _, f := range pkg.Files {
			// Late bodies are in no syntax tree.
			file, err := parser.ParseFile(token.NewFileSet(), fset.File(f.FileStart).Name(), nil, parser.SkipObjectResolution)
			if err != nil {
				file = f // of an overlay: it is in no file
			}
			embeddedNames(file, names)
		}
	}
	return names
}

// embeddedNames adds the names in one file.
func embeddedNames(file *ast.File, names map[string]bool) {
	named := map[ast.Expr]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			if !n.Assign.IsValid() {
				named[ast.Unparen(n.Type)] = true
			}
		case *ast.StructType:
			if named[n] {
				break
			}
			for _, f := range n.Fields.List {
				if len(f.Names) == 0 {
					names[fieldName(f.Type)] = true
				}
			}
		}
		return true
	})
}

// fieldName is the name of an embedded field.
func fieldName(t ast.Expr) string {
	switch t := ast.Unparen(t).(type) {
	case *ast.Ident:
		return t.Name
	case *ast.SelectorExpr:
		return t.Sel.Name
	case *ast.StarExpr:
		return fieldName(t.X)
	case *ast.IndexExpr:
		return fieldName(t.X)
	case *ast.IndexListExpr:
		return fieldName(t.X)
	}
	return ""
}
