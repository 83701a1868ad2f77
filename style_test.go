package heddle

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// This file keeps comments and docs readable: no line of one is longer than 120 columns, but for those that were there
// before.

const (
	maxColumns = 120
	// longComments is how many lines of comments may be longer, longProse how many of the docs. They may only become
	// smaller.
	longComments = 0
	longProse    = 0
)

// TestLongComments counts the lines of comments that are too long. A tab counts as four columns.
func TestLongComments(t *testing.T) {
	byFile := map[string]int{}
	total := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		src, err := os.ReadFile(name)
		for line := range strings.Lines(string(src)) {
			line = strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "    ")
			if strings.HasPrefix(strings.TrimLeft(line, " "), "//") && utf8.RuneCountInString(line) > maxColumns {
				byFile[name]++
				total++
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if total <= longComments {
		return
	}
	t.Errorf("%d lines of comments are longer than %d columns, %d were there before. Files with most of them:", total, maxColumns, longComments)
	files := slices.SortedFunc(maps.Keys(byFile), func(a, b string) int { return byFile[b] - byFile[a] })
	for _, name := range files[:min(10, len(files))] {
		t.Errorf("%s: %d", name, byFile[name])
	}
}

// TestLongProse counts the lines of docs that are too long. Tables, output and links stand as they are, and so does
// CHANGELOG.md, which has an entry a line.
func TestLongProse(t *testing.T) {
	files, err := filepath.Glob("[^C]*.md")
	files = append(files, "CONTRIBUTING.md")
	for _, pattern := range []string{"docs/*.md", "docs/checks/*.md"} {
		more, e := filepath.Glob(pattern)
		files, err = append(files, more...), errors.Join(err, e)
	}
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files of docs: %v", len(files), err)
	}
	var long []string
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		output, n := false, 0
		for line := range strings.Lines(string(src)) {
			n++
			text := strings.TrimLeft(strings.TrimRight(line, "\n"), " ")
			if strings.HasPrefix(text, "```") {
				output = !output
			}
			asItIs := output || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") || strings.HasPrefix(text, "|") ||
				strings.HasPrefix(text, "<") || strings.HasPrefix(text, "![")
			if !asItIs && utf8.RuneCountInString(line) > maxColumns+1 {
				long = append(long, fmt.Sprintf("%s:%d", name, n))
			}
		}
	}
	if len(long) > longProse {
		t.Errorf("%d lines of docs are longer than %d columns, at most %d may be: %v", len(long), maxColumns, longProse, long)
	}
}
