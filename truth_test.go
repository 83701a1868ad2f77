package heddle

import (
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

var function = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Example)\w+)\(`)

// TestTruth shows that each cause of docs/truth.md has at least five programs, in the folder that it names. A test
// explores them, and the page says by which explorers.
func TestTruth(t *testing.T) {
	text, err := os.ReadFile("docs/truth.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := functionsOf(t, "analysistest")
	asked, said, rows := map[string]bool{}, map[string]bool{}, 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case len(cells) == 3 && strings.HasPrefix(cells[0], "Test"):
			for name := range strings.SplitSeq(cells[0], ", ") {
				said[name] = true
			}
		case len(cells) == 5 && strings.HasPrefix(cells[4], "Test"):
			rows++
			asked[cells[4]] = true
			n := len(matching(t, functionsOf(t, filepath.Join("analysistest/testdata", cells[1])), strings.Fields(cells[2])))
			if strconv.Itoa(n) != cells[3] || n < 5 {
				t.Errorf("%s: %d programs, the table says %s", cells[0], n, cells[3])
			}
		}
	}
	if rows < 20 || !maps.Equal(asked, said) {
		t.Errorf("%d causes, explored by %v; explorers are said of %v", rows, asked, said)
	}
	for name := range asked {
		if !slices.Contains(tests, name) {
			t.Errorf("there is no %s in analysistest", name)
		}
	}
}

// functionsOf lists the tests, fuzz targets and examples of the test files in a folder.
func functionsOf(t *testing.T, dir string) (names []string) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests in %s: %v", dir, err)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range function.FindAllSubmatch(src, -1) {
			names = append(names, string(m[1]))
		}
	}
	return names
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
