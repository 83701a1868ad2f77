// Package sequential says what a program cannot do: start a goroutine, or wait for ever. Where it cannot, there is
// nothing to explore. If it is not sure it says that the program can.
package sequential

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/heddle-go/heddle/program"
)

// This file decides, by syntax alone, whether a program could have a second goroutine or a timer. To explore a
// sequential program takes one execution. Not to explore a concurrent one would be a lie.

// quiet holds the packages of the standard library whose functions start no goroutine and no timer, except for those
// that startNames names. A test compares it with GOROOT.
var quiet = func() map[string]bool {
	m := map[string]bool{}
	for p := range strings.FieldsSeq(`
		bufio bytes cmp container/heap container/list container/ring embed
		encoding/ascii85 encoding/base32 encoding/base64 encoding/binary encoding/hex encoding/json
		errors fmt go/ast go/constant go/scanner go/token
		hash hash/adler32 hash/crc32 hash/crc64 hash/fnv hash/maphash html io io/fs
		maps math math/big math/bits math/cmplx math/rand math/rand/v2
		path path/filepath reflect regexp regexp/syntax
		slices sort strconv strings sync sync/atomic
		testing testing/fstest testing/iotest testing/quick text/scanner text/tabwriter time
		unicode unicode/utf16 unicode/utf8 unique unsafe`) {
		m[p] = true
	}
	return m
}()

// startNames are the names of functions and methods of quiet packages that start something after all:
// sync.WaitGroup.Go, testing's Parallel, RunParallel, Context and the timers of time. The type of what
// stands before the dot is not looked at.
var startNames = map[string]bool{
	"Go": true, "Parallel": true, "RunParallel": true, "Context": true,
	"AfterFunc": true, "After": true, "NewTimer": true, "NewTicker": true, "Tick": true, "Reset": true,
}

// MayStart reports whether the user's code in the program could start a goroutine or a timer.
func MayStart(r *program.Recipe) bool {
	users := map[string]bool{}
	for i := range r.Packages {
		if p := &r.Packages[i]; !p.Std {
			users[p.Path] = true
		}
	}
	for i := range r.Packages {
		p := &r.Packages[i]
		if p.Std {
			continue
		}
		if len(p.CgoFiles) > 0 {
			return true
		}
		for _, name := range p.Files() {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil || fileMayStart(f, users) {
				return true // a file that cannot be read will be complained of by the loader
			}
		}
	}
	return false
}

// fileMayStart reports whether a file has code that could start a goroutine or
// timer by itself, or through a package of the standard library.
func fileMayStart(f *ast.File, users map[string]bool) bool {
	if slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool {
		path, err := strconv.Unquote(s.Path.Value)
		return err != nil || !quiet[path] && !users[path]
	}) {
		return true
	}
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.SelectorExpr:
			found = found || startNames[n.Sel.Name]
		case *ast.ImportSpec:
			found = found || n.Name != nil && n.Name.Name == "."
		}
		return !found
	})
	return found
}

// Declared returns the names of functions that look like entries, in a program that need not be built because it will
// not be explored.
func Declared(r *program.Recipe, packages []string) []string {
	if r.Main {
		return []string{"main"}
	}
	var names []string
	for i := range r.Packages {
		p := &r.Packages[i]
		if p.ID != r.Root && p.ID != r.XTest || !slices.Contains(packages, p.Path) {
			continue
		}
		for _, name := range p.Files() {
			if !strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				continue // MayStart has let the loader complain
			}
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && looksLikeEntry(d.Name.Name) {
					names = append(names, d.Name.Name)
				}
			}
		}
	}
	return names
}

func looksLikeEntry(name string) bool {
	for _, prefix := range []string{"Test", "Fuzz", "Example"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && name != "TestMain" {
			r, _ := utf8.DecodeRuneInString(rest)
			return rest == "" || !unicode.IsLower(r)
		}
	}
	return false
}
