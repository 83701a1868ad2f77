package program

import (
	"bytes"
	"go/ast"
	"strings"

	"github.com/heddle-go/heddle/program/tables"
)

// This file defines what becomes of function bodies behind the boundary: they are not read.

// blankBodies writes spaces over the bodies of those top-level functions in text, which gofmt has formatted, for which
// keep is false of the first line. It returns where these functions begin. It looks at lines alone, and need not find
// every body. If it takes something wrongly, such as a raw string with a line that looks like the end of a function,
// the text that it leaves does not parse.
func blankBodies(text []byte, keep func(head string) bool) map[int]bool {
	blanked := make(map[int]bool)
	open := -1 // where the body begins that we are in
	head := "" // the declaration whose body it is, or which may have one
	parens, at, begin := 0, 0, 0
	for line := range bytes.Lines(text) {
		start := at
		at += len(line)
		line = bytes.TrimRight(line, "\r\n")
		isHead := bytes.HasPrefix(line, []byte("func "))
		switch {
		case isHead:
			open, head, parens, begin = -1, string(line), 0, start
		case head == "":
			continue
		case open >= 0:
			if string(line) == "}" {
				if !keep(head) {
					tables.Blank(text[open : start+1])
					blanked[begin] = true
				}
				open, head = -1, ""
			}
			continue
		case !bytes.HasPrefix(line, []byte("\t")) && !bytes.HasPrefix(line, []byte(")")) && parens == 0:
			head = "" // it has no body
			continue
		}
		parens += bytes.Count(line, []byte("(")) - bytes.Count(line, []byte(")"))
		switch {
		case parens == 0 && bytes.HasSuffix(line, []byte("{")):
			open = start + len(line) - 1
		case isHead && bytes.HasSuffix(line, []byte("}")):
			head = ""
		}
	}
	return blanked
}

// headName is declName of a declaration that begins with line.
func headName(line string) string {
	line = strings.TrimPrefix(line, "func ")
	recv, rest, method := strings.Cut(strings.TrimPrefix(line, "("), ") ")
	if method = method && line[0] == '('; method {
		line = rest
	}
	name := line[:max(strings.IndexAny(line, "(["), 0)]
	if !method {
		return name
	}
	fields := strings.Fields(recv)
	if len(fields) == 0 {
		return name
	}
	t, _, _ := strings.Cut(fields[len(fields)-1], "[")
	if star := strings.HasPrefix(t, "*"); star {
		return "(" + t + ")." + name
	}
	return t + "." + name
}

// dropBodies removes the bodies of the functions for which keep is false. It comes before type-checking: what go/types
// has not seen, go/ssa cannot build.
func dropBodies(f *ast.File, keep func(name string) bool) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && !keep(declName(fn)) {
			fn.Body = nil
		}
	}
}

// declName names a function as Config.KeepBody wants it: "F", "T.F" or "(*T).F".
func declName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) != 1 {
		return fn.Name.Name
	}
	t, star := ast.Unparen(fn.Recv.List[0].Type), false
	if s, ok := t.(*ast.StarExpr); ok {
		t, star = ast.Unparen(s.X), true
	}
	switch x := t.(type) {
	case *ast.IndexExpr:
		t = x.X
	case *ast.IndexListExpr:
		t = x.X
	}
	id, ok := t.(*ast.Ident)
	switch {
	case !ok:
		return fn.Name.Name
	case star:
		return "(*" + id.Name + ")." + fn.Name.Name
	}
	return id.Name + "." + fn.Name.Name
}
