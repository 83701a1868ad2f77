package heddle

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// This file keeps docs/truth.md true: the programs that it names exist, and are as many as it says.

var (
	program = regexp.MustCompile(`\b(?:Test|Fuzz|Example)\w+`)
	finding = regexp.MustCompile(`(?m)^(?:finds|gone): *[^ \n]|^panics: *(?:[^- \n]|- )`) // "panics: -" is none
)

// TestTruth shows that each cause of docs/truth.md has at least five programs in the folder that it names, at least two
// of them quiet. A test explores them, and the page says by which explorers.
func TestTruth(t *testing.T) {
	text, err := os.ReadFile("docs/truth.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := programsOf(t, "analysistest")
	asked, said, rows := map[string]bool{}, map[string]bool{}, 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case len(cells) == 4 && strings.HasPrefix(cells[0], "Test"):
			for name := range strings.SplitSeq(cells[0], ", ") {
				said[name] = true
			}
		case len(cells) == 6 && strings.HasPrefix(cells[5], "Test"):
			rows++
			asked[cells[5]] = true
			programs := programsOf(t, filepath.Join("analysistest/testdata", cells[1]))
			found, quiet := matching(t, slices.Sorted(maps.Keys(programs)), strings.Fields(cells[2])), 0
			for _, name := range found {
				if !programs[name] {
					quiet++
				}
			}
			if strconv.Itoa(len(found)) != cells[3] || strconv.Itoa(quiet) != cells[4] || len(found) < 5 || quiet < 2 {
				t.Errorf("%s: %d programs, %d of them quiet; the table says %s, %s", cells[0], len(found), quiet, cells[3], cells[4])
			}
		}
	}
	if rows < 20 || !maps.Equal(asked, said) {
		t.Errorf("%d causes, explored by %v; explorers are said of %v", rows, asked, said)
	}
	for name := range asked {
		if _, ok := tests[name]; !ok {
			t.Errorf("there is no %s in analysistest", name)
		}
	}
}

// A function is what truth.md asks of a function of a folder, or of all methods of one name.
type function struct {
	finds bool     // something is to be found in it
	names []string // what stands in it
}

// programsOf lists the tests, fuzz targets and examples of a folder, and tells of each whether it is to have a finding.
// That is said where the tests that explore it look: in a comment "finds", "gone" or "panics" at the program, in a
// comment "want" in it or in what it calls, or one that names it, or by a name that begins with TestRace.
func programsOf(t *testing.T, dir string) map[string]bool {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	functions := map[string]*function{}
	named := map[string]bool{}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		var wants []token.Pos
		for _, c := range f.Comments {
			if text := c.Text(); strings.HasPrefix(text, "want ") {
				names := program.FindAllString(text, -1)
				for _, n := range names {
					named[n] = true
				}
				if names == nil {
					wants = append(wants, c.Pos())
				}
			}
		}
		for _, d := range f.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			fn := functions[decl.Name.Name]
			if fn == nil {
				fn = new(function)
				functions[decl.Name.Name] = fn
			}
			fn.finds = fn.finds || strings.HasPrefix(decl.Name.Name, "TestRace") || finding.MatchString(decl.Doc.Text()) ||
				slices.ContainsFunc(wants, func(at token.Pos) bool { return decl.Pos() <= at && at <= decl.End() })
			ast.Inspect(decl, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					fn.names = append(fn.names, id.Name)
				}
				return true
			})
		}
	}
	programs := map[string]bool{}
	for name := range functions {
		if program.FindString(name) == name {
			programs[name] = named[name] || finds(functions, name, map[string]bool{})
		}
	}
	if len(programs) == 0 {
		t.Fatalf("no tests in %s", dir)
	}
	return programs
}

// finds tells whether something is to be found in a function, or in one that it calls and that was not seen before.
func finds(functions map[string]*function, name string, seen map[string]bool) bool {
	fn := functions[name]
	if fn == nil || seen[name] {
		return false
	}
	seen[name] = true
	return fn.finds || slices.ContainsFunc(fn.names, func(n string) bool { return finds(functions, n, seen) })
}

// matching returns those of names that a pattern matches. Each pattern must match one.
func matching(t *testing.T, names, patterns []string) (found []string) {
	for _, p := range patterns {
		before := len(found)
		for _, name := range names {
			if ok, err := filepath.Match(p, name); err != nil {
				t.Fatal(p, err)
			} else if ok && !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
		if len(found) == before {
			t.Errorf("no program %s", p)
		}
	}
	return found
}
