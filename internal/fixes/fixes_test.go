package fixes

import (
	"bytes"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/runner"
)

// packages are those of testdata whose finding has a fix, one for each rule.
var packages = []string{"./addfirst", "./atomic", "./copyvariable", "./deferunlock", "./room", "./unlockfirst"}

// copied copies testdata to a folder, goes there, and returns its contents.
func copied(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	return contents(t)
}

func contents(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") {
			return err
		}
		data, err := os.ReadFile(name)
		out[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func heddle(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = runner.Main(args, runner.Streams{Out: &out, Err: &errs})
	return code, out.String(), errs.String()
}

// repaired checks that every package was changed, is formatted, compiles, and explores clean.
func repaired(t *testing.T, before map[string]string) {
	t.Helper()
	changed := map[string]bool{}
	for name, text := range contents(t) {
		if text == before[name] {
			continue
		}
		changed["./"+filepath.Dir(name)] = true
		if formatted, err := format.Source([]byte(text)); err != nil || string(formatted) != text {
			t.Errorf("%s is not as gofmt has it: %v\n%s", name, err, text)
		}
	}
	for _, p := range packages {
		if !changed[p] {
			t.Errorf("%s was not changed", p)
		}
	}
	if out, err := exec.Command("go", append([]string{"vet"}, packages...)...).CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
	code, out, summary := heddle(append([]string{"-incomplete"}, packages...)...)
	if code != 0 || out != "" {
		t.Errorf("the repaired packages are not clean: exit code %d\n%s%s", code, out, summary)
	}
}

func TestVetFix(t *testing.T) {
	tool := filepath.Join(t.TempDir(), "heddle")
	if out, err := exec.Command("go", "build", "-o", tool, "github.com/heddle-go/heddle/cmd/heddle").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	before := copied(t)
	// What it prints does not matter: go vet -fix ends with an error where a finding has no fix, and here each has one.
	if out, err := exec.Command("go", append([]string{"vet", "-vettool=" + tool, "-fix"}, packages...)...).CombinedOutput(); err != nil {
		t.Fatalf("go vet -fix: %v\n%s", err, out)
	}
	repaired(t, before)
}

func TestHeddleFix(t *testing.T) {
	before := copied(t)
	code, out, errs := heddle(append([]string{"-fix"}, packages...)...)
	if code != 0 {
		t.Errorf("heddle -fix ended with %d though every finding has a fix\n%s%s", code, out, errs)
	}
	repaired(t, before)
}

// What -fixes finds is said, and nothing is changed.
func TestFixesAreSaid(t *testing.T) {
	before := copied(t)
	code, out, _ := heddle("-fixes", "./atomic", "./none")
	if code != 3 || strings.Count(out, " (heddle -fix applies it)\n") != 3 || strings.Count(out, "\tfix: none that was proved\n") != 4 {
		t.Errorf("exit code %d\n%s", code, out)
	}
	for name, text := range contents(t) {
		if text != before[name] {
			t.Errorf("%s was changed", name)
		}
	}
}

// A finding without a fix stays, is said to have none, and the file is as it was.
func TestNoFix(t *testing.T) {
	before := copied(t)
	code, out, _ := heddle("-fix", "./none")
	if code != 3 || !strings.Contains(out, "fix: none that was proved") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if name := "none/none_test.go"; contents(t)[name] != before[name] {
		t.Error("the file was changed")
	}
}
