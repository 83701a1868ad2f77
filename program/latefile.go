package program

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"sync"

	"github.com/heddle-go/heddle/program/tables"
)

// This file defines late files: files of the standard library that are parsed without most of their bodies. A file is
// parsed as a whole when the first of its late bodies is asked for. That is another file to go/token, with the same
// name and the same lines.

// A lateFile is a file that was parsed without some of its bodies.
type lateFile struct {
	fset    *token.FileSet
	path    string
	read    func() ([]byte, error) // the text, with bodies and tables: it is not kept
	mode    parser.Mode
	blanked map[int]bool // offsets of the declarations that have lost theirs

	once   sync.Once
	syntax *ast.File
	decls  map[int]*ast.FuncDecl // by offset
}

// mustStay reports whether a body cannot wait, by the first line of the declaration: that of an init function, and of a
// generic one.
func mustStay(head string) bool {
	rest, method := strings.CutPrefix(head, "func (")
	if !method {
		name := headName(head)
		return name == "init" || strings.HasPrefix(head, "func "+name+"[")
	}
	recv, _, _ := strings.Cut(rest, ")")
	return strings.Contains(recv, "[")
}

func (f *lateFile) offset(pos token.Pos) int { return f.fset.File(pos).Offset(pos) }

// has reports whether a declaration of the file without bodies has lost its own.
func (f *lateFile) has(fn *ast.FuncDecl) bool { return f.blanked[f.offset(fn.Pos())] }

// whole is the file with all bodies.
func (f *lateFile) whole() *ast.File {
	f.once.Do(func() {
		text, err := f.read()
		if err != nil {
			panic("program: a file can no longer be read: " + err.Error())
		}
		text, _ = tables.Take(text)
		syntax, err := parser.ParseFile(f.fset, f.path, text, f.mode)
		if err != nil {
			panic("program: a file that parses without bodies does not with them: " + err.Error())
		}
		f.syntax, f.decls, f.read = syntax, make(map[int]*ast.FuncDecl), nil
		for _, d := range syntax.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				f.decls[f.offset(fn.Pos())] = fn
			}
		}
	})
	return f.syntax
}

// decl is the declaration with its body.
func (f *lateFile) decl(fn *ast.FuncDecl) *ast.FuncDecl {
	f.whole()
	return f.decls[f.offset(fn.Pos())]
}
