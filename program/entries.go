package program

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/doc"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/ssa"
)

// An EntryKind says how an entry is run.
type EntryKind uint8

// The kinds of entries.
const (
	Test    EntryKind = iota // func(*testing.T)
	Example                  // func(), its output compared
	Fuzz                     // func(*testing.F)
	Main                     // func main
)

func (k EntryKind) String() string {
	return [...]string{"test", "example", "fuzz target", "main"}[k]
}

// An Entry is a function that the program can be started at.
type Entry struct {
	Name string
	Kind EntryKind
	Fn   *ssa.Function
	Pos  token.Pos // of the name

	// For an example: what it must print, and whether the order of lines counts.
	Output    string
	HasOutput bool
	Unordered bool
}

// IsCommand reports whether the program is that of go build, and not of go test.
func (p *Program) IsCommand() bool { return len(p.Entries) > 0 && p.Entries[0].Kind == Main }

// findEntries fills p.Entries and p.TestMain by the rules of go test: first tests, then fuzz targets, then examples. Of
// each kind the in-package ones come before the external ones, by file name and position.
func (p *Program) findEntries(r *Recipe) error {
	if r.Main {
		fn := p.Root.function("main")
		if fn == nil || p.Root.Types.Name() != "main" {
			return &Error{Path: r.Path, Msg: "function main is undeclared in package " + r.Path}
		}
		p.Entries = []Entry{{Name: "main", Kind: Main, Fn: fn, Pos: fn.Pos()}}
		return nil
	}
	var errs Errors
	for _, pkg := range []*Package{p.Test, p.XTest} {
		if pkg == nil {
			continue
		}
		var files []*ast.File
		for _, f := range pkg.Files {
			if strings.HasSuffix(p.Fset.File(f.FileStart).Name(), "_test.go") {
				files = append(files, f)
			}
		}
		slices.SortStableFunc(files, func(a, b *ast.File) int {
			return cmp.Compare(filepath.Base(p.Fset.File(a.FileStart).Name()), filepath.Base(p.Fset.File(b.FileStart).Name()))
		})
		for _, f := range files {
			errs = append(errs, p.fileEntries(pkg, f)...)
		}
	}
	if len(errs) > 0 {
		return errs
	}
	rank := map[EntryKind]int{Test: 0, Fuzz: 1, Example: 2}
	slices.SortStableFunc(p.Entries, func(a, b Entry) int { return cmp.Compare(rank[a.Kind], rank[b.Kind]) })
	return nil
}

// fileEntries adds the entries of one test file.
func (p *Program) fileEntries(pkg *Package, f *ast.File) Errors {
	var errs Errors
	for _, d := range f.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok || decl.Recv != nil {
			continue
		}
		name := decl.Name.Name
		sig := pkg.Info.Defs[decl.Name].Type().(*types.Signature)
		fn := pkg.function(name)
		add := func(kind EntryKind) {
			p.Entries = append(p.Entries, Entry{Name: name, Kind: kind, Fn: fn, Pos: decl.Name.Pos()})
		}
		wrong := func(param string) {
			errs = append(errs, &Error{Path: pkg.Path, Pos: p.Fset.Position(decl.Pos()), Msg: fmt.Sprintf(
				"wrong signature for %s, must be: func %s(%s *testing.%s)", name, name, strings.ToLower(param), param)})
		}
		switch {
		case name == "TestMain" && takes(sig, "T"):
			add(Test)
		case name == "TestMain":
			switch {
			case !takes(sig, "M"):
				wrong("M")
			case p.TestMain != nil:
				errs = append(errs, &Error{Path: pkg.Path, Pos: p.Fset.Position(decl.Pos()), Msg: "multiple definitions of TestMain"})
			default:
				p.TestMain = fn
			}
		case isEntryName(name, "Test"):
			if !takes(sig, "T") {
				wrong("T")
				continue
			}
			add(Test)
		case isEntryName(name, "Fuzz"):
			if !takes(sig, "F") {
				wrong("F")
				continue
			}
			add(Fuzz)
		}
	}
	examples := doc.Examples(f)
	slices.SortStableFunc(examples, func(a, b *doc.Example) int { return cmp.Compare(a.Order, b.Order) })
	for _, ex := range examples {
		fn := pkg.function("Example" + ex.Name)
		if fn == nil || ex.Output == "" && !ex.EmptyOutput {
			continue // compiled, but not run
		}
		p.Entries = append(p.Entries, Entry{
			Name: "Example" + ex.Name, Kind: Example, Fn: fn, Pos: fn.Pos(),
			Output: ex.Output, HasOutput: true, Unordered: ex.Unordered,
		})
	}
	return errs
}

// isEntryName reports whether name is prefix, or prefix and a word that does not start with a lower-case letter.
func isEntryName(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	if !ok || rest == "" {
		return ok
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return !unicode.IsLower(r)
}

// takes reports whether the signature is that of an entry: one parameter *testing.name, no result.
func takes(sig *types.Signature, name string) bool {
	if sig.Params().Len() != 1 || sig.Results().Len() != 0 || sig.TypeParams().Len() != 0 {
		return false
	}
	ptr, ok := types.Unalias(sig.Params().At(0).Type()).(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(ptr.Elem()).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "testing"
}
