package program

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/heddle-go/heddle/program/tables"
)

// source is the syntax of one package.
type source struct {
	files   []*ast.File
	imports []string // as written, each once, sorted
	errs    Errors

	pushes map[string]string // //go:linkname: local name -> symbol
	embeds []embedDecl
	late   []*lateBody
	tables []tables.Table
}

// embedDecl is a //go:embed directive before the declaration of a variable.
type embedDecl struct {
	name     *ast.Ident
	patterns []string
}

// parse reads the files of a package. Comments are kept for user packages, and for the files of the standard library
// that have directives Heddle needs.
func (u *Universe) parse(r *PackageRecipe) *source {
	src := &source{pushes: make(map[string]string)}
	if r.Path == "unsafe" {
		return src
	}
	type file struct {
		path string
		text []byte
		read func() ([]byte, error) // once more
	}
	var files []file
	overlay := u.cfg.Overlay[r.Path]
	for _, name := range slices.Concat(r.GoFiles, r.CgoFiles) {
		if _, ok := overlay[name]; ok {
			continue
		}
		path := r.File(name)
		read := func() ([]byte, error) { return r.readFile(name) }
		text, err := read()
		if err != nil {
			src.errs = append(src.errs, &Error{Path: r.Path, Msg: "cannot read a source file: " + err.Error()})
			continue
		}
		files = append(files, file{path, text, read})
	}
	names := make([]string, 0, len(overlay))
	for name := range overlay {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		read := func() ([]byte, error) { return []byte(overlay[name]), nil }
		files = append(files, file{filepath.Join(r.Dir, name), []byte(overlay[name]), read})
	}

	boundary := r.Std && u.cfg.boundary(r.Path)
	imports := make(map[string]bool)
	blanked := make(map[*ast.File]*lateFile)
	overlaid := func(name string) bool {
		_, ok := overlay[filepath.Base(name)]
		return ok
	}
	for _, f := range files {
		mode := parser.SkipObjectResolution
		if !r.Std || bytes.Contains(f.text, []byte("//go:linkname ")) || bytes.Contains(f.text, []byte("//go:embed ")) {
			mode |= parser.ParseComments
		}
		text := f.text
		var found []tables.Table
		var waiting *lateFile
		if boundary {
			blankBodies(text, func(head string) bool { return u.cfg.keepBody(r.Path, headName(head)) })
		} else if r.Std && u.cfg.LateBodies {
			text, found = tables.Take(text)
			if !overlaid(f.path) {
				waiting = &lateFile{fset: u.fset, path: f.path, read: f.read, mode: mode}
				waiting.blanked = blankBodies(text, mustStay)
			}
		}
		syntax, err := parser.ParseFile(u.fset, f.path, text, mode)
		if err != nil && (boundary || waiting != nil) || err == nil && !tables.Declared(syntax, found) { // its layout is not gofmt's
			found, waiting = nil, nil
			if text, err = f.read(); err == nil {
				syntax, err = parser.ParseFile(u.fset, f.path, text, mode)
			}
		}
		src.tables = append(src.tables, found...)
		if err != nil {
			src.errs = append(src.errs, parseErrors(r.Path, err)...)
			continue
		}
		for _, spec := range syntax.Imports {
			if path, err := strconv.Unquote(spec.Path.Value); err == nil && path != "C" {
				imports[path] = true
			}
		}
		switch {
		case len(r.CgoFiles) > 0:
			dropBodies(syntax, func(string) bool { return false })
		case boundary:
			dropBodies(syntax, func(name string) bool { return u.cfg.keepBody(r.Path, name) })
		}
		src.files = append(src.files, syntax)
		if waiting != nil {
			blanked[syntax] = waiting
		}
	}
	if u.cfg.LateBodies && r.Std && !boundary && len(src.errs) == 0 {
		src.late = separate(src.files, blanked, func(f *ast.File) bool { return overlaid(u.fset.File(f.Package).Name()) })
	}
	for _, f := range src.files {
		src.directives(f)
	}
	for path := range imports {
		src.imports = append(src.imports, path)
	}
	sort.Strings(src.imports)
	return src
}

// parseErrors lists the errors of the parser, one for each line.
func parseErrors(path string, err error) Errors {
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		return Errors{{Path: path, Msg: oneLine(err.Error())}}
	}
	list.RemoveMultiples()
	var errs Errors
	for _, e := range list {
		errs = append(errs, &Error{Path: path, Pos: e.Pos, Msg: oneLine(e.Msg)})
	}
	return errs
}

// directives gathers //go:linkname and //go:embed.
func (src *source) directives(f *ast.File) {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if args, ok := strings.CutPrefix(c.Text, "//go:linkname "); ok {
				if w := strings.Fields(args); len(w) == 2 {
					src.pushes[w[0]] = w[1]
				}
			}
		}
	}
	for _, d := range f.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.VAR {
			continue
		}
		for _, s := range decl.Specs {
			spec := s.(*ast.ValueSpec)
			doc := spec.Doc
			if doc == nil && !decl.Lparen.IsValid() {
				doc = decl.Doc
			}
			if patterns := embedPatterns(doc); patterns != nil && len(spec.Names) == 1 {
				src.embeds = append(src.embeds, embedDecl{spec.Names[0], patterns})
			}
		}
	}
}

// embedPatterns returns the patterns of the //go:embed lines of a comment.
func embedPatterns(doc *ast.CommentGroup) []string {
	if doc == nil {
		return nil
	}
	var patterns []string
	for _, c := range doc.List {
		args, ok := strings.CutPrefix(c.Text, "//go:embed ")
		for args = strings.TrimSpace(args); ok && args != ""; args = strings.TrimSpace(args) {
			pattern, err := strconv.QuotedPrefix(args)
			if err != nil {
				pattern, _, _ = strings.Cut(args, " ")
			}
			args = args[len(pattern):]
			if s, err := strconv.Unquote(pattern); err == nil {
				pattern = s
			}
			patterns = append(patterns, pattern)
		}
	}
	return patterns
}
