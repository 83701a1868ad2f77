package heddle

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// This file looks after the numbered rules. A rule is defined by a line of a comment of the form
//
//	//<tab>DEP3  what it says
//
// and cited by its code anywhere. internal/rules/rules.txt says which test breaks when a rule is dropped, and how it is
// dropped; go run -C internal ./rules shows that it does.

// untiedRules is how many rules may be on the list of those that no test is known to need. It may only become smaller.
const untiedRules = 0

// definedRules bounds the rules that say what is not there, or where a word is from, so that there is no code to drop.
const definedRules = 3

var (
	definition = regexp.MustCompile(`^//\t([A-Z]{2,})([0-9]+)\s`)
	code       = regexp.MustCompile(`\b([A-Z]{2,})([0-9]+)\b`)
)

// notRules are the other words that look like codes of rules.
var notRules = []string{"ABI0", "ISA2", "MD4", "SA1000"}

// A family is the rules of one name.
type family struct {
	dir  string
	file string
	nums []int
}

// TestNumberedRules shows that each rule has one definition, that the rules of a name stand in one file, in order and
// without gaps, and that only rules are cited.
func TestNumberedRules(t *testing.T) {
	families := map[string]*family{}
	texts := ruleTexts(t)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		for _, line := range strings.Split(texts[name], "\n") {
			m := definition.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			f := families[m[1]]
			if f == nil {
				f = &family{dir: path.Dir(name), file: name}
				families[m[1]] = f
			}
			n, _ := strconv.Atoi(m[2])
			if f.nums = append(f.nums, n); f.file != name || n != len(f.nums) {
				t.Errorf("%s defines %s%d: rule %d of that name is expected, in %s", name, m[1], n, len(f.nums), f.file)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		for i, line := range strings.Split(texts[name], "\n") {
			if _, comment, ok := strings.Cut(line, "//"); ok && !strings.HasSuffix(name, ".md") {
				line = comment
			} else if !strings.HasSuffix(name, ".md") {
				continue
			}
			for _, m := range code.FindAllStringSubmatch(line, -1) {
				n, _ := strconv.Atoi(m[2])
				if f := families[m[1]]; (f == nil || n < 1 || n > len(f.nums)) && !slices.Contains(notRules, m[0]) {
					t.Errorf("%s:%d cites %s, which is no rule", name, i+1, m[0])
				}
			}
		}
	}
	testTies(t, families, texts)
}

// testTies shows that each rule is tied to a test that is there, by a change that can be made, is a definition, or is
// on the list of those that are not tied.
func testTies(t *testing.T, families map[string]*family, texts map[string]string) {
	data, err := os.ReadFile("internal/rules/rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	tied, untied, defined := map[string]bool{}, map[string]bool{}, map[string]bool{}
	var rule, file string
	var old []string
	end := func() {
		if n := strings.Count(texts[file], strings.Join(old, "\n")); rule != "" && (len(old) == 0 || n != 1) {
			t.Errorf("rules.txt: %s is dropped by a change of %s, which has the text %d times:\n%s", rule, file, n, strings.Join(old, "\n"))
		}
		rule, file, old = "", "", nil
	}
	for _, line := range strings.Split(string(data), "\n") {
		body, indented := strings.CutPrefix(line, "\t")
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || strings.HasPrefix(line, "#"):
		case !indented && len(fields) > 2 && fields[1] == "untied:":
			end()
			if untied[fields[0]] {
				t.Errorf("rules.txt has %s twice", fields[0])
			}
			untied[fields[0]] = true
		case !indented && len(fields) > 2 && fields[1] == "definition:":
			end()
			defined[fields[0]] = true
			if len(fields) < 8 {
				t.Errorf("rules.txt: why is there no test for %s?", fields[0])
			}
		case !indented && len(fields) == 3:
			end()
			rule = fields[0]
			tied[rule] = true
			name, entries, _ := strings.Cut(fields[2], "/")
			if !hasTest(texts, fields[1], name) {
				t.Errorf("rules.txt: %s has no %s, which is to break without %s", fields[1], name, rule)
			}
			for entry := range strings.SplitSeq(entries, "|") {
				if entry = strings.TrimSuffix(entry, "$"); strings.HasPrefix(entry, "Test") && !hasEntry(t, fields[1], entry) {
					t.Errorf("rules.txt: the programs of %s have no %s, which is to break without %s", fields[1], entry, rule)
				}
			}
		case indented && strings.HasPrefix(body, "- "):
			old = append(old, body[2:])
		case indented && !strings.HasPrefix(body, "+ "):
			file = body
		case !indented:
			t.Errorf("rules.txt: %q", line)
		}
	}
	end()
	for _, name := range slices.Sorted(maps.Keys(families)) {
		for _, n := range families[name].nums {
			r := fmt.Sprint(name, n)
			if ways := []bool{tied[r], untied[r], defined[r]}; len(slices.DeleteFunc(ways, func(is bool) bool { return !is })) != 1 {
				t.Errorf("rules.txt says which test breaks without %s: %v; that none is known: %v; that it is a definition: %v", r, tied[r], untied[r], defined[r])
			}
			delete(tied, r)
			delete(untied, r)
			delete(defined, r)
		}
	}
	for _, r := range slices.Concat(slices.Sorted(maps.Keys(tied)), slices.Sorted(maps.Keys(untied)), slices.Sorted(maps.Keys(defined))) {
		t.Errorf("rules.txt has %s, which is no rule", r)
	}
	if n := strings.Count(string(data), " definition: "); n > definedRules {
		t.Errorf("%d rules are called definitions, and definedRules is %d", n, definedRules)
	}
	if n := strings.Count(string(data), " untied: "); n != untiedRules {
		t.Errorf("%d rules are on the list of those that no test is known to need, and untiedRules is %d: it may only become smaller", n, untiedRules)
	}
}

// hasTest reports whether a test of that name is in a package.
func hasTest(texts map[string]string, pkg, name string) bool {
	for file, text := range texts {
		if path.Dir(file) == strings.TrimPrefix(pkg, "./") && strings.HasSuffix(file, "_test.go") && strings.Contains(text, "func "+name+"(t *testing.T)") {
			return true
		}
	}
	return false
}

// hasEntry reports whether a test of that name is in the programs of a package.
func hasEntry(t *testing.T, pkg, name string) bool {
	is := regexp.MustCompile(`(?m)^func ` + regexp.QuoteMeta(name) + `\(`)
	found := false
	err := filepath.WalkDir(filepath.Join(pkg, "testdata"), func(file string, d fs.DirEntry, err error) error {
		if err != nil || found || d.IsDir() || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		data, err := os.ReadFile(file)
		found = is.Match(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// ruleTexts returns the Go files, those that join the standard library, and the pages, by their paths.
func ruleTexts(t *testing.T) map[string]string {
	out := map[string]string{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch ext := filepath.Ext(name); {
		case d.IsDir() && name != "." && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case !d.IsDir() && (ext == ".go" || ext == ".md" || strings.HasSuffix(name, ".go.txt")) && name != "rules_test.go" && filepath.ToSlash(name) != "internal/rules/main.go":
			data, err := os.ReadFile(name)
			out[filepath.ToSlash(name)] = string(data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
