package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var (
	known      = []string{"run", "timing", "limit.executions", "limit.events", "env", "deadlock"}
	perPackage = []string{"limit.executions", "limit.events", "timing"}
)

const full = `# a project
timing: off
deadlock: false
env: [A=1, "B=2"]
limit.events: 2_000_000
baseline: base.json
packages:
  ./store/...:
    limit.executions: 50000
    timing: all
  example.com/m/pool:
    limit.events: 3
skip:
  - package: ./net
    entry: ^TestDial
    reason: it needs
      the network
  - entry: Stress$
    reason: hours
`

func TestSettingsOfAFile(t *testing.T) {
	f, err := Parse("/x/heddle.yaml", []byte(full), known, perPackage)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintln(f.Flags, f.Baseline, f.Packages, len(f.Skips), f.Skips[0].Pattern, f.Skips[0].Entry, f.Skips[0].Reason)
	want := "[{timing off 2} {deadlock false 3} {env A=1 4} {env B=2 4} {limit.events 2000000 5}] /x/base.json " +
		"[{./store/... [{limit.executions 50000 9} {timing all 10}] 8} {example.com/m/pool [{limit.events 3 12}] 11}] 2 ./net ^TestDial it needs the network\n"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if f, err := Parse("heddle.yaml", nil, known, perPackage); err != nil || len(f.Flags) != 0 {
		t.Errorf("an empty file: %v, %v", f, err)
	}
}

// What is wrong is said on one line, with the line of the file.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"timng: off":                    "heddle.yaml:1: there is no key timng; did you mean timing?",
		"\nnosuch: 1":                   "heddle.yaml:2: there is no key nosuch",
		"timing: off\ntiming: all":      "heddle.yaml:2: timing stands here twice",
		"timing: [off":                  "heddle.yaml:1: not YAML: did not find expected ',' or ']'",
		"a: b: c":                       "heddle.yaml: not YAML: mapping values are not allowed in this context",
		"- timing":                      "heddle.yaml:1: the file must be names with values",
		"timing: {a: b}":                "heddle.yaml:1: want one value",
		"packages: [x]":                 "heddle.yaml:1: packages must be names with values",
		"packages:\n  ./x:\n    run: A": "heddle.yaml:3: run cannot be set for a package",
		"packages:\n  ./x:\n    limit.exections: 1": "heddle.yaml:3: limit.exections cannot be set for a package; did you mean limit.executions?",
		"skip: x":                            "heddle.yaml:1: skip must be a list",
		"skip:\n  - entry: A":                "heddle.yaml:2: this item of skip has no reason",
		"skip:\n  - reason: A":               "heddle.yaml:2: this item of skip names neither a package nor an entry",
		"skip:\n  - entry: (\n    reason: A": "heddle.yaml:2: entry: error parsing regexp: missing closing ): `(`",
		"skip:\n  - entyr: A":                "heddle.yaml:2: there is no key entyr in skip; did you mean entry?",
	} {
		if _, err := Parse("heddle.yaml", []byte(text), known, perPackage); err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none.yaml"), nil, nil); err == nil || !strings.HasSuffix(err.Error(), "none.yaml: no such file") {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestWhichFileIsRead(t *testing.T) {
	root := t.TempDir()
	write := func(name string) {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	find := func(dir, want string) {
		t.Helper()
		if want != "" {
			want = filepath.Join(root, want)
		}
		if got, err := Find(filepath.Join(root, dir)); err != nil || got != want {
			t.Errorf("from %s: %q, %v, want %q", dir, got, err, want)
		}
	}
	write("repo/m/go.mod")
	write("repo/m/p/heddle.yaml") // below the module's root
	write("heddle.yaml")          // above the repository
	write("repo/.git/HEAD")
	find("repo/m/p", "")
	write("repo/heddle.yaml")
	find("repo/m/p", "repo/heddle.yaml")
	write("repo/m/heddle.yaml")
	find("repo/m/p", "repo/m/heddle.yaml")
	find("repo", "") // no module
}

func TestMatches(t *testing.T) {
	f := &File{Path: "/x/heddle.yaml"}
	for _, tt := range []struct {
		pattern, pkg, dir string
		want              bool
	}{
		{"", "a", "/x", true}, {"./store", "m/store", "/x/store", true}, {"./store", "m/store/a", "/x/store/a", false},
		{"./store/...", "m/store", "/x/store", true}, {"./store/...", "m/store/a", "/x/store/a", true}, {"./store/...", "m/stores", "/x/stores", false},
		{"./...", "m", "/x", true}, {"./...", "m/a", "/x/a", true}, {"./...", "n", "/y", false}, {".", "m", "/x", true}, {".", "m/a", "/x/a", false},
		{"../y", "n", "/y", true}, {"m/store", "m/store", "/x/store", true}, {"m/...", "m/store", "/x/store", true}, {"m", "m/store", "/x/store", false},
	} {
		if got := f.Matches(tt.pattern, tt.pkg, tt.dir); got != tt.want {
			t.Errorf("%q and %s in %s: %v, want %v", tt.pattern, tt.pkg, tt.dir, got, tt.want)
		}
	}
}
