package runner

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const revisionTests = `package p

import "testing"

const want = 1

func TestOld(t *testing.T) {
	n, ch := 0, make(chan bool)
	go func() { n++; ch <- true }()
	n++
	<-ch
}

func TestObserver(t *testing.T) {
	x, ch := make(chan int, 2), make(chan bool)
	go func() { x <- 1; ch <- true }()
	go func() { x <- 2; ch <- true }()
	<-ch
	<-ch
	if <-x + want < 2 {
		t.Error("too small")
	}
}
`

// Of a package that was touched the new findings are reported, those in code that has not changed with them if they
// were not there; the old ones are counted. Other packages are not explored.
func TestNewFromRev(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	for name, value := range map[string]string{"GOWORK": "off", "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"} {
		t.Setenv(name, value)
	}
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(more ...string) (code int, stdout, stderr string) {
		var out, errs bytes.Buffer
		code = Main(append(more, "-new-from-rev=HEAD", "./..."), Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		return code, out.String(), errs.String()
	}
	write("go.mod", "module example.com/m\n\ngo 1.26\n")
	write("p/p_test.go", revisionTests)
	write("q/q_test.go", strings.Replace(revisionTests, "package p", "package q", 1))
	if code, out, errs := run(); code != exitFailure || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "git repository") {
		t.Errorf("outside of a repository: exit code %d\n%s%s", code, out, errs)
	}
	write("r/r_test.go", manyTest)
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "-m", "a"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
	edited := strings.NewReplacer("want = 1", "want = 0", "\tn, ch := 0", "\t// A comment.\n\tn, ch := 0").Replace(revisionTests)
	write("p/p_test.go", edited+strings.NewReplacer("TestOld", "TestNew").Replace(edited[strings.Index(edited, "\nfunc TestOld"):strings.Index(edited, "\nfunc TestObserver")]))
	code, out, errs := run()
	var entries []string
	for line := range strings.Lines(out) {
		if _, name, ok := strings.Cut(line, ": in "); ok {
			entries = append(entries, strings.TrimSpace(name))
		}
	}
	if got := strings.Join(entries, " "); code != exitFindings || got != "TestObserver TestNew" {
		t.Errorf("exit code %d, findings in %s\n%s", code, got, out)
	}
	for _, want := range []string{"example.com/m/q: not explored: nothing that it depends on has changed since HEAD\n", "2 findings (and 1 not new since HEAD)\n"} {
		if !strings.Contains(errs, want) {
			t.Errorf("on standard error there is no %q:\n%s", want, errs)
		}
	}
	// A folder got another name, and nobody has told git.
	if err := os.Rename("q", "z"); err != nil {
		t.Fatal(err)
	}
	if _, _, errs := run("-run=TestOld"); !strings.Contains(errs, "0 findings (and 2 not new since HEAD)\n") {
		t.Errorf("findings of a renamed folder are new:\n%s", errs)
	}
	// An entry that reaches a limit has its changed code looked at once more.
	write("r/r_test.go", strings.Replace(manyTest, "n < 0", "n < -1", 1))
	_, _, errs = run("-limit.executions=40", "-run=TestMany")
	if want := "; changed functions, where they were reached, were explored with one other goroutine at a time (-explorer=pairwise)\n"; !strings.Contains(errs, want) {
		t.Errorf("on standard error there is no %q:\n%s", want, errs)
	}
}

const manyTest = `package p

import (
	"sync"
	"sync/atomic"
	"testing"
)

func TestMany(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for i := range 5 {
		wg.Go(func() {
			for range 3 {
				mu.Lock()
				n = 5*n + i
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	mu.Lock()
	look(n)
	mu.Unlock()
	seen.Add(1)
}

var seen atomic.Int32

func look(n int) {
	if seen.Load() > 0 && n < 0 {
		panic(n)
	}
}
`
