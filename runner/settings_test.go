package runner

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/passes/exploration"
)

// in runs heddle in a folder.
func in(t *testing.T, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	t.Chdir(dir)
	var out, errs bytes.Buffer
	code = Main(args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	return out.String(), errs.String(), code
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func replace(t *testing.T, dir, name, old, new string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil || !strings.Contains(string(data), old) {
		t.Fatalf("%s has no %q (%v)", name, old, err)
	}
	write(t, dir, name, strings.Replace(string(data), old, new, 1))
}

// TestConfigAndComments shows that heddle.yaml leaves an entry out and sets limits, and that a comment suppresses the
// finding. A comment without use is not reported, for an entry was left out.
func TestConfigAndComments(t *testing.T) {
	dir := moduleDir(t)
	write(t, dir, "heddle.yaml", "explorer: systematic\npackages:\n  ./racy:\n    limit.executions: 1000\nskip:\n  - package: ./racy/...\n    entry: ^TestAdd$\n    reason: not now\n")
	replace(t, dir, "racy/racy.go", "\tc.n++", "\tc.n++ //nolint:datarace // known")
	replace(t, dir, "racy/racy.go", "// forgets the lock", "//nolint:deadlock")
	stdout, stderr, code := in(t, dir, "./racy")
	want := regexp.MustCompile(`^example.com/m/racy:
  TestAdd: not explored \(skipped by heddle.yaml: not now\)
  TestLen: exhausted, \d+ runs, 1 finding
2 entries in 1 package: 1 exhausted, 1 not explored, 0 findings \(and 1 suppressed by comments\)
$`)
	if code != 0 || stdout != "" || !want.MatchString(stderr) {
		t.Errorf("exit code %d\n%s%s\nwant 0 and a match of\n%s", code, stdout, stderr, want)
	}
	stdout, stderr, code = in(t, dir, "-config=off", "-datarace", "./racy")
	if want := "./racy/racy.go:11:44: this comment suppresses nothing: every entry of the package is exhausted, and no such finding is here\n"; code != 3 || stdout != want {
		t.Errorf("without the file: exit code %d\n%s%s\nwant 3 and\n%s", code, stdout, stderr, want)
	}
}

// TestOptionalCheck shows that a check that is off by default is run if the file or the command line asks for it,
// beside those that are run otherwise.
func TestOptionalCheck(t *testing.T) {
	dir := moduleDir(t)
	write(t, dir, "weak.yaml", "robustness: true\n")
	write(t, dir, "racy/weak_test.go", `package racy

import (
	"sync"
	"testing"
)

func TestWeak(t *testing.T) {
	var x, y, a, b int
	var wg sync.WaitGroup
	wg.Go(func() { x = 1; a = y })
	wg.Go(func() { y = 1; b = x })
	wg.Wait()
	if a+b == 0 {
		t.Error("neither")
	}
}
`)
	weak := "before G1.1's store here is in memory: test failure: neither (robustness)\n"
	for args, want := range map[string][2]bool{ // data races, and the check
		"":                      {true, false},
		"-config=weak.yaml":     {true, true},
		"-robustness -deadlock": {false, true},
		// What -memory reports besides is no less of a finding.
		"-robustness -memory=tso": {true, true},
	} {
		stdout, _, _ := in(t, dir, append(strings.Fields(args), "-run=TestWeak", "./racy")...)
		if got := [2]bool{strings.Contains(stdout, "(datarace)"), strings.Contains(stdout, weak)}; got != want {
			t.Errorf("heddle %s: data races and the check: %v, want %v\n%s", args, got, want, stdout)
		}
	}
	stdout, _, _ := in(t, dir, "-robustness", "-fixes", "-run=TestWeak", "./racy")
	if n := strings.Count(stdout, "fix: make x and y atomic"); n != 3 {
		t.Errorf("the fix is said for %d findings, want both races and what they show\n%s", n, stdout)
	}
}

// A baseline hides what it has, after lines have moved too, and says how much that is.
func TestBaselineFile(t *testing.T) {
	dir := moduleDir(t)
	stdout, stderr, code := in(t, dir, "-write-baseline=base.json", "-run=Len", "./racy")
	if code != 0 || stdout != "" || !strings.Contains(stderr, "1 finding written to base.json\n") {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	write(t, dir, "heddle.yaml", "baseline: base.json\n")
	replace(t, dir, "racy/racy.go", "import \"sync\"", "import \"sync\"\n\n// There are more lines now.")
	stdout, stderr, code = in(t, dir, "-run=Len", "./racy")
	if code != 0 || stdout != "" || !strings.Contains(stderr, " 0 findings (and 1 in the baseline)\n") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

// What is wrong with a configuration or a baseline is one line, and nothing is written.
func TestSettingsErrors(t *testing.T) {
	dir := moduleDir(t)
	for _, tt := range []struct{ config, want string }{
		{"timng: off", "heddle: ./heddle.yaml:1: there is no key timng; did you mean timing?\n"},
		{"limit.events: many", "heddle: ./heddle.yaml:1: limit.events: parse error\n"},
		{"explorer: foo", "heddle: -explorer: unknown explorer \"foo\": want one of"},
		{"packages:\n  ./racy:\n    limit.events: 0", "heddle: ./heddle.yaml:3: limit.events: a limit is a positive number\n"},
		{"packages:\n  ./racy:\n    timing: early", "heddle: ./heddle.yaml:3: timing: "},
		{"baseline: none.json", "heddle: baseline ./none.json: no such file; heddle -write-baseline ./none.json writes one\n"},
		{"config: x.yaml", "heddle: ./heddle.yaml:1: there is no key config"},
	} {
		write(t, dir, "heddle.yaml", tt.config)
		stdout, stderr, code := in(t, dir, "./quiet")
		if code != 1 || stdout != "" || !strings.HasPrefix(stderr, tt.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: exit code %d\n%s%swant 1 and\n%s", tt.config, code, stdout, stderr, tt.want)
		}
	}
	if err := os.Remove(filepath.Join(dir, "heddle.yaml")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "old.json", `{"version": 7}`)
	for flag, want := range map[string]string{
		"-baseline=old.json":          "heddle: baseline old.json has version 7, and this heddle reads version 1; heddle -write-baseline old.json writes a new one\n",
		"-config=none.yaml":           "heddle: -config: none.yaml: no such file\n",
		"-write-baseline=none/b.json": "heddle: -write-baseline=none/b.json: there is no folder none\n",
	} {
		stdout, stderr, code := in(t, dir, flag, "./quiet")
		if code != 1 || stdout != "" || !strings.HasPrefix(stderr[strings.LastIndex(stderr, "heddle: "):], want[:20]) || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d\n%s%swant 1 and\n%s", flag, code, stdout, stderr, want)
		}
	}
}

// TestVetConfig shows that the version that go vet asks for changes with heddle.yaml and its baseline, for they are no
// files of the package. A unit gets what they say.
func TestVetConfig(t *testing.T) {
	dir := moduleDir(t)
	t.Chdir(filepath.Join(dir, "racy"))
	if line := versionLine(); line != "" {
		t.Fatalf("without a file: %s", line)
	}
	seen := map[string]string{}
	for _, text := range []string{"timing: off\n", "timing: all\n", "timing: all\nbaseline: base.json\n"} {
		write(t, dir, "heddle.yaml", text)
		line := versionLine()
		if fields := strings.Fields(line); len(fields) != 5 || fields[1] != "version" || fields[2] != "devel" || !strings.HasPrefix(fields[4], "buildID=") {
			t.Errorf("the go command cannot read %q", line)
		}
		if other, ok := seen[line]; ok {
			t.Errorf("%q and %q are one version", text, other)
		}
		seen[line] = text
		if again := versionLine(); again != line {
			t.Errorf("%s\n%s", line, again)
		}
	}
	before := versionLine()
	write(t, dir, "base.json", `{"version": 1, "findings": [{"fingerprint": "f", "count": 1}]}`)
	if versionLine() == before {
		t.Error("the baseline is no part of the version")
	}

	write(t, dir, "heddle.yaml", "timing: all\nworkers: 3\ntable: true\ndeadlock: false\nbaseline: base.json\nskip:\n  - entry: A\n    reason: R\n")
	t.Cleanup(func() { exploration.Baseline, exploration.SpecialOf = nil, nil })
	for unit, want := range map[string]string{
		`{"Dir": "` + dir + `/racy", "ModulePath": "example.com/m"}`:                            "-workers=3 -deadlock=false -timing=off unit.cfg",
		`{"Dir": "` + dir + `/racy", "ModulePath": "example.com/m", "ModuleVersion": "v1.0.0"}`: "-timing=off unit.cfg",
		`{"Dir": "` + dir + `/racy"}`:                                                           "-timing=off unit.cfg",
	} {
		exploration.Baseline, exploration.SpecialOf = nil, nil
		write(t, ".", "unit.cfg", unit)
		args, err := vetConfig([]string{"-timing=off", "unit.cfg"})
		if got := strings.Join(args, " "); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", unit, got, err, want)
		}
		if own := strings.HasPrefix(want, "-workers"); own != (exploration.Baseline != nil) || own != (exploration.SpecialOf != nil && exploration.SpecialOf("p", dir, "A").Skip != "") {
			t.Errorf("%s: the baseline and the entries to skip are taken: %v", unit, !own)
		}
	}
	write(t, dir, "heddle.yaml", "timng: all\n")
	write(t, ".", "unit.cfg", `{"Dir": "`+dir+`/racy", "ModulePath": "example.com/m"}`)
	if _, err := vetConfig([]string{"unit.cfg"}); err == nil || !strings.Contains(err.Error(), "heddle.yaml:1: there is no key timng") {
		t.Errorf("a broken file: %v", err)
	}
}

// The modules of a workspace have their files in the version too.
func TestVetConfigOfWorkspace(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GOWORK", "")
	for name, text := range map[string]string{
		"go.work": "go 1.26\n\nuse (\n\t./a\n\t./b\n)\n", "a/go.mod": "module a\n", "b/go.mod": "module b\n", "b/heddle.yaml": "timing: off\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, dir, name, text)
	}
	if got := configFiles(filepath.Join(dir, "a")); len(got) != 1 || got[0] != filepath.Join(dir, "b/heddle.yaml") {
		t.Errorf("the files are %q", got)
	}
	t.Setenv("GOWORK", "off")
	if got := configFiles(filepath.Join(dir, "a")); len(got) != 0 {
		t.Errorf("without the workspace: %q", got)
	}
}
