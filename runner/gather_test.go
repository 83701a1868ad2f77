package runner

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/heddle-go/heddle/passes/fix"
	"github.com/heddle-go/heddle/runner/outcome"
	"github.com/heddle-go/heddle/runner/page"
)

// TestGatherFix shows that a fix has its offsets as lines and columns, in order, with the text that goes. A fix whose
// file is gone is left out.
func TestGatherFix(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.go")
	write(t, dir, "a.go", "package a\n\nvar é, x = 1, 2\n")
	g := &gatherer{root: outcome.Root(dir)}
	f := &fix.Fix{Message: "m", Edits: []fix.Edit{{File: file, Start: 19, End: 20, New: "y"}, {File: file, Start: 10, End: 10, New: "// A.\n"}}}
	at := func(line, column int) outcome.Position {
		return outcome.Position{File: "a.go", Line: line, Column: column}
	}
	want := &outcome.Fix{Message: "m", Changes: []outcome.Change{
		{From: at(2, 1), To: at(2, 1), New: "// A.\n", Characters: [2]int{1, 1}}, {From: at(3, 9), To: at(3, 10), Old: "x", New: "y", Characters: [2]int{8, 9}},
	}}
	if got := g.fix(f); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if f.Edits[0].Start != 19 {
		t.Error("the fix's own edits were sorted")
	}
	if g.fix(nil) != nil {
		t.Error("a fix of nothing")
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if got := g.fix(f); got != nil {
		t.Errorf("of a file that is gone: %+v", got)
	}
}

// A column in characters is that of the same place of the line; a place that the file does not have keeps its own.
func TestCharacters(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.go", "package a\n\nvar é, 世, x = 1, 2, 3\n")
	characters := characters(outcome.Root(dir))
	for _, test := range []struct {
		file               string
		line, column, want int
	}{
		{"a.go", 1, 9, 9}, {"a.go", 3, 5, 5}, {"a.go", 3, 9, 8}, {"a.go", 3, 14, 11}, {"a.go", 4, 1, 1}, {filepath.ToSlash(filepath.Join(dir, "a.go")), 3, 14, 11},
		{"a.go", 3, 99, 99}, {"a.go", 9, 7, 7}, {"a.go", 3, 0, 0}, {"gone.go", 3, 9, 9},
	} {
		if got := characters(outcome.Position{File: test.file, Line: test.line, Column: test.column}); got != test.want {
			t.Errorf("%s:%d:%d: column %d, want %d", test.file, test.line, test.column, got, test.want)
		}
	}
}

// TestPageFix shows that the page has a fix as a diff of each file that it changes, formatted. A fix whose file is gone
// is left out.
func TestPageFix(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.go")
	write(t, dir, "a.go", "package a\n\nvar é, x = 1, 2\n")
	f := &fix.Fix{Message: "m", Edits: []fix.Edit{{File: file, Start: 19, End: 20, New: "y "}, {File: file, Start: 10, End: 10, New: "// A.\n"}}}
	got := pageFix(f)
	want := []page.DiffLine{{Sign: " ", Text: "package a"}, {Sign: " "}, {Sign: "-", Text: "var é, x = 1, 2"}, {Sign: "+", Text: "// A."}, {Sign: "+", Text: ""}, {Sign: "+", Text: "var é, y = 1, 2"}}
	if got == nil || got.Message != "m" || len(got.Files) != 1 || !reflect.DeepEqual(got.Files[0].Lines, want) {
		t.Errorf("got %+v, want lines %+v", got, want)
	}
	if f.Edits[0].Start != 19 {
		t.Error("the fix's own edits were sorted")
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if pageFix(f) != nil || pageFix(nil) != nil {
		t.Error("a fix of nothing")
	}
}
