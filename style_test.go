package heddle

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// This file keeps comments readable: no line of one is longer than 120 columns, but for those that were there before.

// longComments is how many lines of comments may be longer than maxColumns. It may only become smaller.
const (
	longComments = 30
	maxColumns   = 120
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
