package machine

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/program"
)

// execMain runs the main package of one file, and returns what it wrote and its exit code.
func execMain(t *testing.T, file string) (output string, code int, err error) {
	t.Helper()
	p := loadMain(t, file)
	m := New(p, Config{Kernel: kernel.Config{
		GOROOT: runtime.GOROOT(), Args: []string{"prog"}, Env: []string{"TMPDIR=/tmp"},
	}})
	var es []program.Entry
	for _, e := range p.Entries {
		if e.Kind == program.Main {
			es = append(es, e)
		}
	}
	var out bytes.Buffer
	code, err = m.Exec(Streams{Stdout: &out, Stderr: &out}, es)
	return out.String(), code, err
}

// TestNative runs the programs of testdata/run and compares what they print with what they print when the compiler
// has compiled them. The operating system may take the processor from a native run for long enough that the runtime
// has another goroutine go on, which a program about who goes on shows: after a difference the native run is
// repeated. The short tests compare with what was recorded of the native runs.
func TestNative(t *testing.T) {
	files, err := filepath.Glob("testdata/run/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			t.Parallel()
			if text, err := os.ReadFile(file); err != nil || strings.Contains(string(text), "\"net/http\"") || strings.Contains(string(text), "\"crypto/x509\"") {
				long.Only(t, "loads net/http, or crypto/x509")
			}
			got, _, err := execMain(t, file)
			if err != nil {
				t.Fatal(err)
			}
			want := long.Recorded(t, strings.TrimSuffix(file, ".go")+".txt", func() (out string) {
				for range 5 {
					if out = goRun(t, file); out == got {
						break
					}
				}
				return out
			})
			g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
			for i := range max(len(g), len(w)) {
				switch {
				case i >= len(g):
					t.Fatalf("line %d: nothing, want %q", i+1, w[i])
				case i >= len(w):
					t.Fatalf("line %d: %q, want nothing", i+1, g[i])
				case g[i] != w[i]:
					t.Errorf("line %d: %q, want %q", i+1, g[i], w[i])
				}
			}
		})
	}
}

// goRun compiles and runs a program, and returns what it wrote.
func goRun(t *testing.T, file string) string {
	t.Helper()
	out, err := exec.Command("go", "run", file).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out)
}

// TestUnsupported checks that what is missing ends the execution and is named, with its caller.
func TestUnsupported(t *testing.T) {
	_, _, err := execMain(t, "testdata/unsupported.go")
	if err == nil || !strings.Contains(err.Error(), "unsupported function") || !strings.Contains(err.Error(), "runtime.setCrashFD, called by runtime/debug.SetCrashOutput") {
		t.Errorf("error %v", err)
	}
}

// TestAssembly compares variables whose values are in assembly with those of the compiled program. One whose value is
// not understood is not supported.
func TestAssembly(t *testing.T) {
	const dir = "./testdata/assembly"
	got, _, err := execMain(t, dir)
	if err == nil || !strings.Contains(err.Error(), "unsupported function") || !strings.Contains(err.Error(), "/assembly.printText with variable ") {
		t.Errorf("error %v", err)
	}
	want := long.Recorded(t, dir+".txt", func() string { return goRun(t, dir) })
	if want, ok := strings.CutSuffix(want, "A\n"); !ok || got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	p := loadMain(t, dir) // with an argument it reads a function's code
	var out bytes.Buffer
	m := New(p, Config{Kernel: kernel.Config{GOROOT: runtime.GOROOT(), Args: []string{"prog", "reads"}}})
	if _, err := m.Exec(Streams{Stdout: &out, Stderr: &out}, p.Entries); err == nil || !strings.Contains(err.Error(), "where nothing was ever allocated") {
		t.Errorf("got %s, error %v", out.String(), err)
	}
}

// TestWaits runs loops that wait for a timer. Time passes for them without as many instructions as a computer performs
// meanwhile (BUSY1), and not for one that computes.
func TestWaits(t *testing.T) {
	p := loadMain(t, "testdata/waits.go")
	var out bytes.Buffer
	_, err := New(p, Config{Exec: sched.Options{MaxSteps: 100_000_000}}).Exec(Streams{Stdout: &out, Stderr: &out}, p.Entries)
	if want := "1s\n2s\n6000000 true\n"; err != nil || out.String() != want {
		t.Errorf("got %q, want %q, error %v", out.String(), want, err)
	}
}

// TestUnsupportedOfCgo checks that the reason says what may help.
func TestUnsupportedOfCgo(t *testing.T) {
	t.Setenv("CGO_ENABLED", "1")
	_, _, err := execMain(t, "testdata/cgo.go")
	if err == nil || !strings.Contains(err.Error(), "CGO_ENABLED=0") {
		t.Errorf("error %v", err)
	}
}

// TestDate checks that all clocks show one date.
func TestDate(t *testing.T) {
	out, _, err := execMain(t, "testdata/date.go")
	want := "2026-11-04T10:20:30Z true true\ntrue 2026-11-04 11:50:30 true\ntrue true\n0s 0s\n1m0s context deadline exceeded\n"
	if err != nil || out != want {
		t.Errorf("got %q, want %q, error %v", out, want, err)
	}
}

// TestByName runs a program that reaches functions of package runtime by linkname, as modules do. Compiled, it prints
// the same (go run -ldflags=-checklinkname=0).
func TestByName(t *testing.T) {
	out, _, err := execMain(t, "testdata/random.go")
	if err != nil || out != "true true true\ntrue true true\ntrue true\nfalse  and weft 0 0 true\n"+
		"true true true\ntrue true\nruntime error: hash of unhashable type []int\ntrue true true\n" {
		t.Errorf("got %q, error %v", out, err)
	}
}
