// Package suppress finds the comments with which a user says that a finding is known and accepted.
//
// # Forms
//
//	c.n++ //nolint:heddle // reason        every check of Heddle, on this line
//	c.n++ //nolint:datarace,deadlock       these checks
//	c.n++ //nolint                         every check of every linter
//
//	//nolint:heddle // reason              on a line of its own: for the declaration or
//	func Stop() { ... }                    statement that begins on the next line
//
//	//lint:ignore heddle/datarace reason   on the line, or on a line of its own as above
//	//lint:ignore heddle/* reason
//
//	//nolint:heddle // reason              before the package clause, or on its line:
//	package pool                           for the whole file
//
//	//lint:file-ignore heddle/datarace reason    anywhere: for the whole file
//
// The first forms are golangci-lint's, the others staticcheck's. In the latter a check may stand without "heddle/" too,
// and a reason must be given.
package suppress

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// A Directive is one such comment.
type Directive struct {
	File        string
	Line        int // of the comment
	Offset      int // of the comment
	First, Last int // the lines that it is about
	Text        string
	Reason      string
	// Checks are the checks that it names; "heddle" is every one. None of them: it is about every linter.
	Checks []string
	// Wrong says what is the matter with it, "" if nothing is. It suppresses nothing then.
	Wrong string
}

// Name is the name that stands for all checks.
const Name = "heddle"

var (
	nolint = regexp.MustCompile(`^//\s*nolint(?::\s*([\w ,/*-]+?))?\s*(?://\s*(.*))?$`)
	ignore = regexp.MustCompile(`^//lint:(ignore|file-ignore)(?:\s+(\S+))?(?:\s+(.*))?$`)
)

// Parse returns the directives of a file that concern Heddle. isCheck reports whether a name is that of a check. A file
// that does not parse has none: the loader complains of it.
func Parse(name string, src []byte, isCheck func(string) bool) []Directive {
	if !bytes.Contains(src, []byte("nolint")) && !bytes.Contains(src, []byte("//lint:")) {
		return nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var out []Directive
	for _, group := range file.Comments {
		for _, c := range group.List {
			d, whole, ok := directive(c.Text, isCheck)
			if !ok {
				continue
			}
			pos := fset.Position(c.Pos())
			d.File, d.Line, d.Offset = name, pos.Line, pos.Offset
			d.First, d.Last = pos.Line, pos.Line
			switch {
			case whole || isNolint(c.Text) && pos.Line <= fset.Position(file.Name.End()).Line:
				d.First, d.Last = 1, fset.File(file.FileStart).LineCount()
			case alone(src, pos.Offset):
				d.First, d.Last = node(fset, file, fset.Position(group.End()).Line+1)
			}
			out = append(out, d)
		}
	}
	return out
}

// NamesLinter reports whether d has golangci-lint's form and names linters: all, or Heddle as a whole. To golangci-lint
// a check of Heddle is no linter.
func (d *Directive) NamesLinter() bool {
	return isNolint(d.Text) && (len(d.Checks) == 0 || slices.Contains(d.Checks, Name))
}

func isNolint(text string) bool { return nolint.MatchString(text) }

// directive takes a comment apart. whole says that it is about the whole file by its form.
func directive(text string, isCheck func(string) bool) (d Directive, whole, ok bool) {
	d.Text = text
	if m := nolint.FindStringSubmatch(text); m != nil {
		d.Reason = strings.TrimSpace(m[2])
		if m[1] == "" || slices.Contains(words(m[1]), "all") {
			return d, false, true
		}
		d.Checks = ours(words(m[1]), isCheck)
		return d, false, len(d.Checks) > 0
	}
	m := ignore.FindStringSubmatch(text)
	if m == nil {
		return d, false, false
	}
	d.Checks, d.Reason = ours(words(m[2]), isCheck), strings.TrimSpace(m[3])
	if d.Reason == "" {
		d.Wrong = "it has no reason: //lint:" + m[1] + " CHECK REASON"
	}
	return d, m[1] == "file-ignore", len(d.Checks) > 0
}

func words(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// ours are the names of a list that are checks of Heddle, or stand for them.
func ours(list []string, isCheck func(string) bool) []string {
	var out []string
	for _, w := range list {
		bare, qualified := strings.CutPrefix(w, Name+"/")
		switch {
		case w == Name, qualified && bare == "*":
			out = append(out, Name)
		case isCheck(bare), qualified:
			out = append(out, bare)
		}
	}
	return out
}

// alone reports whether nothing but white space stands before the offset on its line.
func alone(src []byte, offset int) bool {
	start := bytes.LastIndexByte(src[:offset], '\n') + 1
	return len(bytes.TrimSpace(src[start:offset])) == 0
}

// node returns the lines of the outermost declaration, statement, field or element that begins on a line. If there is
// none, it returns the line itself.
func node(fset *token.FileSet, file *ast.File, line int) (first, last int) {
	first, last = line, line
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || found {
			return false
		}
		start, end := fset.Position(n.Pos()).Line, fset.Position(n.End()).Line
		if start > line || end < line {
			return false
		}
		switch n := n.(type) {
		case *ast.File, *ast.CommentGroup, *ast.Comment:
		case *ast.FuncDecl:
			// Its documentation, of which the comment may be a part, belongs to it.
			if fset.Position(n.Type.Pos()).Line == line {
				found, last = true, end
			}
		case *ast.GenDecl:
			if fset.Position(n.TokPos).Line == line {
				found, last = true, end
			}
		case *ast.BlockStmt:
		case ast.Stmt, ast.Spec, *ast.Field, ast.Expr:
			if start == line {
				found, last = true, end
			}
		}
		return !found
	})
	return first, last
}

// Covers reports whether the directive is about a check at a line.
func (d *Directive) Covers(check, file string, line int) bool {
	if d.Wrong != "" || d.File != file || line < d.First || line > d.Last {
		return false
	}
	return len(d.Checks) == 0 || slices.Contains(d.Checks, Name) || slices.Contains(d.Checks, check)
}

// Unknown returns the names that the directive gives for checks of Heddle and are none.
func (d *Directive) Unknown(isCheck func(string) bool) []string {
	var out []string
	for _, c := range d.Checks {
		if c != Name && !isCheck(c) {
			out = append(out, c)
		}
	}
	return out
}
