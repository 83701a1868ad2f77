package machine_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/program"
)

type run struct {
	stdout, stderr string
	code           int
}

const onStderr = "-- standard error --\n"

// String is a run as it is recorded.
func (r run) String() string {
	return fmt.Sprintf("exit code %d\n%s%s%s", r.code, r.stdout, onStderr, r.stderr)
}

func parseRun(t *testing.T, s string) (r run) {
	t.Helper()
	head, rest, _ := strings.Cut(s, "\n")
	out, errs, ok := strings.Cut(rest, onStderr)
	if _, err := fmt.Sscanf(head, "exit code %d", &r.code); err != nil || !ok {
		t.Fatalf("not the record of a run: %v\n%s", err, s)
	}
	r.stdout, r.stderr = out, errs
	return r
}

// TestLanguage compares the programs of testdata/lang, one goroutine each, with the natively compiled ones: what they
// print and how they end. The short tests compare with what was recorded of the native runs.
func TestLanguage(t *testing.T) {
	files, err := filepath.Glob("testdata/lang/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs in testdata/lang", err)
	}
	cfg := program.Config{Mains: true, Overlay: machine.Overlay(), KeepBody: machine.KeepBody, Extra: []string{"runtime"}, LateBodies: true}
	u := program.NewUniverse(cfg)
	tmp := t.TempDir()
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			if strings.HasSuffix(file, "_overflow.go") {
				long.Only(t, "grows a stack to its limit")
			}
			want := parseRun(t, long.Recorded(t, strings.TrimSuffix(file, ".go")+".txt", func() string {
				return native(t, file, filepath.Join(tmp, "native")).String()
			}))
			got := interpreted(t, u, cfg, file)
			if got.code != want.code {
				t.Errorf("exit code %d, natively %d\n%s", got.code, want.code, got.stderr)
			}
			sameLines(t, "standard output", got.stdout, want.stdout)
			sameLines(t, "standard error", got.stderr, want.stderr)
		})
	}
}

func native(t *testing.T, file, exe string) run {
	t.Helper()
	if out, err := exec.Command("go", "build", "-o", exe, file).CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", file, err, out)
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(exe)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var ee *exec.ExitError
	if err != nil && !errors.As(err, &ee) {
		t.Fatal(err)
	}
	return run{stdout.String(), message(stderr.String()), cmd.ProcessState.ExitCode()}
}

func interpreted(t *testing.T, u *program.Universe, cfg program.Config, file string) run {
	t.Helper()
	l, err := program.List(cfg, file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := u.Build(l.Recipes[0])
	if err != nil {
		t.Fatal(err)
	}
	m := machine.New(p, machine.Config{
		Kernel: kernel.Config{Args: []string{"native"}, Env: os.Environ()},
		// That it could be cancelled changes nothing: it has its whole limit, and goroutines their time slices.
		Exec: sched.Options{MaxSteps: 1_000_000_000, MaxMemory: 2 << 30, Cancelled: new(atomic.Bool)},
	})
	var stdout, stderr bytes.Buffer
	code, err := m.Exec(machine.Streams{Stdout: &stdout, Stderr: &stderr}, p.Entries)
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	return run{stdout.String(), message(stderr.String()), code}
}

var hexNumber = regexp.MustCompile(`0x[0-9a-f]+`)

// message is what stands on standard error before the first stack, without addresses.
func message(s string) string {
	if strings.HasPrefix(s, "goroutine ") {
		s = "\n" + s
	}
	s, _, _ = strings.Cut(s, "\ngoroutine ")
	s, _, _ = strings.Cut(s, "\nruntime stack:")
	var b strings.Builder
	for _, l := range strings.Split(s, "\n") {
		if strings.HasPrefix(l, "[signal ") || strings.HasPrefix(l, "runtime: sp=") || l == "" {
			continue
		}
		b.WriteString(hexNumber.ReplaceAllString(l, "0x") + "\n")
	}
	return b.String()
}

func sameLines(t *testing.T, what, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		switch {
		case i >= len(g):
			t.Errorf("%s ends; natively line %d is %q", what, i+1, w[i])
			return
		case i >= len(w):
			t.Errorf("%s has a line %d too many: %q", what, i+1, g[i])
			return
		case g[i] != w[i]:
			t.Errorf("%s, line %d: %q, natively %q", what, i+1, g[i], w[i])
		}
	}
}
