package runner

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/passes/cache"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/exploration"
)

// The test binary is the heddle command when the go command calls it as its vettool.
const beHeddle = "HEDDLE_TEST_BE_HEDDLE"

func TestMain(m *testing.M) {
	if os.Getenv(beHeddle) != "" {
		os.Exit(Main(os.Args[1:], Streams{os.Stdin, os.Stdout, os.Stderr}))
	}
	_ = os.Setenv(cache.Variable, cache.Off) // for the processes that tests start
	if !long.On() {
		debug.SetGCPercent(300) // most of the heap is the standard library's syntax, which stays
		closure.KeepUniverse()
	}
	os.Exit(m.Run())
}

// vetModule runs go vet with heddle on packages of testdata/module.
func vetModule(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	return goVet(t, moduleDir(t), args...)
}

// goVet runs go vet with heddle in a folder.
func goVet(t *testing.T, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", append([]string{"vet", "-vettool=" + exe}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), beHeddle+"=1", "GOWORK=off", "GOFLAGS=")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// Our flags get through the go command, in their long and their short form.
func TestVetPassesFlagsOn(t *testing.T) {
	long.Only(t, "go vet analyses the standard library again for each set of flags")
	stdout, stderr, code := vetModule(t, "-exploration.limit.executions=5", "-limit.executions=5", "-limit.events=5",
		"-exploration.run=X", "-run=X", "-explorer=systematic", "-env=A=b=c", "-env=C=d", "-incomplete", "-datarace", "-deadlock=false", "-tags=a,b", "./quiet")
	if stdout != "" || stderr != "" || code != 0 {
		t.Errorf("go vet with flags: exit code %d\n%s%s", code, stdout, stderr)
	}
}

func TestVetJSON(t *testing.T) {
	stdout, stderr, code := vetModule(t, "-json", "./alone", "./tiny")
	var tree map[string]map[string][]struct{ Posn, Message string }
	for d := json.NewDecoder(strings.NewReader(stdout)); d.More(); { // an object for each package
		if err := d.Decode(&tree); err != nil || code != 0 || stderr != "" {
			t.Fatalf("go vet -json: exit code %d, %v\n%s%s", code, err, stdout, stderr)
		}
	}
	diags := tree["example.com/m/alone"]["datarace"]
	if len(tree) != 1 || len(diags) != 1 || !strings.HasPrefix(diags[0].Message, "data race: n written here by G1, ") || !strings.HasSuffix(diags[0].Posn, "alone.go:9:2") {
		t.Errorf("go vet -json: want a race of alone and nothing of tiny:\n%s", stdout)
	}
}

// deep is a module of three packages: the test of a calls b, which calls c. What is wrong is in
// the bodies of c alone, which go vet never shows to the tool when it analyses a.
var deep = map[string]string{
	"go.mod":      "module example.com/deep\n\ngo 1.26\n",
	"b/b.go":      "package b\n\nimport \"example.com/deep/c\"\n\nfunc Twice(k *c.Counter) {\n\tdone := make(chan bool)\n\tgo func() { k.Add(); close(done) }()\n\tk.Add()\n\t<-done\n}\n",
	"a/a.go":      "package a\n\nimport (\n\t\"example.com/deep/b\"\n\t\"example.com/deep/c\"\n)\n\nfunc Count() int {\n\tvar k c.Counter\n\tb.Twice(&k)\n\treturn k.N\n}\n",
	"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestCount(t *testing.T) {\n\tif n := Count(); n != 2 {\n\t\tt.Errorf(\"%d\", n)\n\t}\n}\n",
	"c/c.go":      lockedCounter,
}

const (
	lockedCounter = "package c\n\nimport \"sync\"\n\ntype Counter struct {\n\tmu sync.Mutex\n\tN  int\n}\n\nfunc (k *Counter) Add() {\n\tk.mu.Lock()\n\tdefer k.mu.Unlock()\n\tk.N++\n}\n"
	racyCounter   = "package c\n\nimport \"sync\"\n\ntype Counter struct {\n\tmu sync.Mutex\n\tN  int\n}\n\nfunc (k *Counter) Add() {\n\tk.N++\n}\n"
)

// Findings come out of go vet's cache as they went in, and a change of a body two
// packages below makes them appear, disappear and appear again.
func TestVetCacheFollowsBodiesBelow(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// A main function takes a fifth of the time of a test to load, and the long tests have both.
	files := maps.Clone(deep)
	if !long.On() {
		delete(files, "a/a_test.go")
		files["a/a.go"] = strings.Replace(files["a/a.go"], "package a", "package main", 1) + "\nfunc main() { println(Count()) }\n"
	}
	for name, text := range files {
		write(name, text)
	}
	// The go command shows with -x what it starts. The folder's name makes its actions new in every run of this test.
	vet := func(what string, racy, cached bool) string {
		t.Helper()
		_, stderr, code := goVet(t, dir, "-x", "./a")
		var lines []string
		last, ran := "", false
		for line := range strings.Lines(stderr) {
			ran = ran || strings.HasSuffix(strings.TrimSpace(line), " $WORK/b001/vet.cfg")
			if strings.HasPrefix(line, "\treplay: heddle replay h1") {
				lines = append(lines, last+line)
			}
			last = line
			if strings.HasPrefix(line, "c/c.go:") && !strings.HasPrefix(line, "c/c.go:11:") {
				t.Errorf("%s: a position of another package is wrong: %s", what, line)
			}
		}
		if ran == cached {
			t.Errorf("%s: the tool was started: %v, want %v\n%s", what, ran, !cached, stderr)
		}
		if !racy {
			if code != 0 || len(lines) > 0 {
				t.Errorf("%s: exit code %d, want silence\n%s", what, code, stderr)
			}
			return ""
		}
		slices.Sort(lines) // the go command goes through the analyzers in any order
		out := strings.Join(lines, "")
		if want := "a/a.go:10:9: data race: k.N written at c/c.go:11 (called here) by G1, "; code != 1 || !strings.Contains(out, want) {
			t.Errorf("%s: exit code %d, want a line that begins with\n%s\n%s", what, code, want, stderr)
		}
		return out
	}
	vet("locked", false, false)
	vet("locked again", false, true)
	write("c/c.go", racyCounter)
	first := vet("racy", true, false)
	if again := vet("racy again", true, true); again != first {
		t.Errorf("from the cache:\n%swant\n%s", again, first)
	}
	write("c/c.go", lockedCounter)
	vet("locked at last", false, true)
	write("c/c.go", racyCounter+"\n// Sub does nothing yet.\nfunc (k *Counter) Sub() {}\n")
	vet("racy at last", true, false)
}

// A flag with a wrong value is one line, in whatever mode the tool runs.
func TestVetFlagErrors(t *testing.T) {
	config := filepath.Join(t.TempDir(), "vet.cfg")
	if err := os.WriteFile(config, []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	for flag, want := range map[string]string{
		"-explorer=foo":             "heddle: -explorer: unknown explorer \"foo\": want one of bruteforce, delay, icb, mcr, mcr-s, mcr-s+, pairwise, pct, pos, random, se-mcr, systematic, union\n",
		"-explorer foo":             "heddle: -explorer: unknown explorer \"foo\": want one of bruteforce, delay, icb, mcr, mcr-s, mcr-s+, pairwise, pct, pos, random, se-mcr, systematic, union\n",
		"-limit.events -1":          "heddle: -limit.events=-1: a limit is a positive number, or 0 for the default\n",
		"-short -explorer foo":      "heddle: -explorer: unknown explorer \"foo\": want one of bruteforce, delay, icb, mcr, mcr-s, mcr-s+, pairwise, pct, pos, random, se-mcr, systematic, union\n",
		"-exploration.explorer=foo": "heddle: -explorer: unknown explorer \"foo\": want one of bruteforce, delay, icb, mcr, mcr-s, mcr-s+, pairwise, pct, pos, random, se-mcr, systematic, union\n",
		"-limit.events=-1":          "heddle: -limit.events=-1: a limit is a positive number, or 0 for the default\n",
		"-run=(":                    "heddle: -run=(: error parsing regexp: missing closing ): `(`\n",
	} {
		if stdout, stderr, code := command(t, append(strings.Fields(flag), config)...); code != 1 || stdout != "" || stderr != want {
			t.Errorf("heddle %s vet.cfg: exit code %d\n%s%swant 1 and\n%s", flag, code, stdout, stderr, want)
		}
	}
}

func TestIsVet(t *testing.T) {
	for args, want := range map[string]bool{
		"": false, "./...": false, "-V=full": true, "-flags": true, "-datarace vet.cfg": true, "-stats=x.cfg ./p": false,
	} {
		if got := isVet(strings.Fields(args)); got != want {
			t.Errorf("isVet(%q) = %v, want %v", args, got, want)
		}
	}
}

// A check that is off by default runs beside the others: unitchecker is told of it only where others are named.
func TestAskOptional(t *testing.T) {
	defer exploration.Ask("robustness", false)
	flag := exploration.Analyzer.Flags.Lookup("robustness").Value
	for _, tt := range []struct{ args, rest, on string }{
		{"x.cfg", "x.cfg", "false"},
		{"-robustness x.cfg", "x.cfg", "true"},
		{"-robustness=true -run=A x.cfg", "-run=A x.cfg", "true"},
		{"-robustness=false x.cfg", "x.cfg", "false"},
		{"-datarace --robustness x.cfg", "--robustness -datarace x.cfg", "true"},
		{"-datarace=false -robustness x.cfg", "-datarace=false x.cfg", "true"},
	} {
		exploration.Ask("robustness", false)
		rest := strings.Join(askOptional(strings.Fields(tt.args)), " ")
		if rest != tt.rest || flag.String() != tt.on {
			t.Errorf("%s: %q is left and the check is %s, want %q and %s", tt.args, rest, flag, tt.rest, tt.on)
		}
	}
}

func TestTagsOf(t *testing.T) {
	for args, want := range map[string]string{
		"-json x.cfg": "[]", "-tags=a,b x.cfg": "[-tags=a,b]", "--tags=a x.cfg": "[-tags=a]", "-tags a x.cfg": "[-tags=a]",
	} {
		if got := tagsOf(strings.Fields(args)); "["+strings.Join(got, " ")+"]" != want {
			t.Errorf("tagsOf(%q) = %v, want %s", args, got, want)
		}
	}
}
