package runner

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
)

// TestVetCommand shows that files stand for their packages, in whichever module they are, and that what the go command
// leaves out is left out here.
func TestVetCommand(t *testing.T) {
	t.Setenv(beHeddle, "1")
	t.Setenv("GOFLAGS", "")
	dir := moduleDir(t)
	t.Chdir(filepath.Dir(dir))
	m := filepath.Base(dir)
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{m + "/alone/alone.go " + m + "/alone/pick.go", 1, m + "/alone/alone.go:9:2: data race: n written here"},
		{"-deadlock " + m + "/alone/alone.go", 0, ""},
		{m + "/tiny", 0, ""},
		{m + "/alone/gone.go " + m + "/gone/gone.go", 1, m + "/alone/alone.go:9:2: data race: "},
		{m + "/alone/testdata/alone.go " + m + "/_alone/alone.go", 0, ""},
		{"", 0, ""},
		{"-nosuchflag " + m + "/alone/alone.go", 2, ""},
	} {
		var out strings.Builder
		code := Main(append([]string{"vet"}, strings.Fields(test.args)...), Streams{In: strings.NewReader(""), Out: &out, Err: &out})
		if code != test.code || !strings.Contains(out.String(), test.want) || test.code == 0 && out.Len() > 0 {
			t.Errorf("heddle vet %s: exit code %d\n%s\nwant %d and %q", test.args, code, out.String(), test.code, test.want)
		}
	}
	t.Chdir(m + "/alone")
	var in strings.Builder
	if code := Main([]string{"vet", "alone.go"}, Streams{In: strings.NewReader(""), Out: &in, Err: &in}); code != 1 || !strings.Contains(in.String(), "alone.go:9:2: data race: n written here") {
		t.Errorf("in a folder of a module: exit code %d\n%s", code, in.String())
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("x.go", []byte("package x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if code := Main([]string{"vet", "x.go"}, Streams{In: strings.NewReader(""), Out: &out, Err: &out}); code != exitFailure || !strings.Contains(out.String(), "is in no module") {
		t.Errorf("outside of a module: exit code %d\n%s", code, out.String())
	}
}

// TestPreCommit installs the hooks of this repository as pre-commit does, and commits a race, and the same package
// without one.
func TestPreCommit(t *testing.T) {
	long.Only(t, "pre-commit builds heddle anew")
	if _, err := exec.LookPath("pre-commit"); err != nil {
		t.Skip("pre-commit is not installed")
	}
	root := filepath.Dir(filepath.Dir(testdata))
	hooks := t.TempDir() // a repository of the sources as they are, committed or not
	dir := t.TempDir()
	git := func(dir string, args ...string) (string, error) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PRE_COMMIT_HOME="+filepath.Join(hooks, ".home"), "GOFLAGS=-modcacherw")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	must := func(out string, err error) string {
		t.Helper()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return strings.TrimSpace(out)
	}
	source := filepath.Join(hooks, "heddle")
	listed := must(git(root, "ls-files", "-co", "--exclude-standard"))
	for file := range strings.Lines(listed) {
		file = strings.TrimSpace(file)
		text, err := os.ReadFile(filepath.Join(root, file))
		if os.IsNotExist(err) {
			continue
		}
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(source, file)), 0o777)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(source, file), text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range []string{source, dir} {
		must(git(d, "init", "-q"))
	}
	must(git(source, "add", "-A", "-f"))
	must(git(source, "commit", "-q", "-m", "heddle"))
	rev := must(git(source, "rev-parse", "HEAD"))
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		must(git(dir, "add", "-A"))
	}
	write(".pre-commit-config.yaml", fmt.Sprintf("repos:\n- repo: %s\n  rev: %s\n  hooks:\n  - id: heddle\n  - id: heddle-deep\n", source, rev))
	for name, text := range deep {
		write(name, text)
	}
	install := exec.Command("pre-commit", "install")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("pre-commit install: %v\n%s", err, out)
	}
	if out, err := git(dir, "commit", "-q", "-m", "locked"); err != nil {
		t.Fatalf("a commit without a race is refused: %v\n%s", err, out)
	}
	write("c/c.go", racyCounter)
	write("a/a_test.go", deep["a/a_test.go"]+"\n// changed\n")
	out, err := git(dir, "commit", "-q", "-m", "racy")
	if want := "a/a.go:10:9: data race: "; err == nil || !strings.Contains(out, want) {
		t.Errorf("a commit with a race: %v\n%s\nwant it refused, with %q", err, out, want)
	}
}
