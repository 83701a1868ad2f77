package runner

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFinalizers: registering a finalizer changes no verdict; waiting for one is Incomplete and no deadlock.
func TestFinalizers(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/final\n\ngo 1.26\n",
		"final_test.go": `package final

import (
	"runtime"
	"testing"
)

type file struct{ open []int }

func open() *file {
	f := &file{make([]int, 3)}
	runtime.SetFinalizer(f, func(*file) {})
	runtime.AddCleanup(&f.open, func(int) {}, 1)
	return f
}

func TestRegisters(t *testing.T) {
	f := open()
	done := make(chan int)
	go func() { f.open[0]++; done <- 1 }()
	f.open[0]++
	<-done
}

func TestFails(t *testing.T) {
	open()
	go func() {}()
	t.Error("it fails")
}

func TestWaits(t *testing.T) {
	ran := make(chan int)
	runtime.SetFinalizer(open(), nil)
	runtime.SetFinalizer(&file{}, func(*file) { ran <- 1 })
	go func() { runtime.GC() }()
	<-ran
}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	var out bytes.Buffer
	Main([]string{"-incomplete", "."}, Streams{In: strings.NewReader(""), Out: &out, Err: &out})
	for _, want := range []string{"final_test.go:20:20: data race", "it fails", "TestWaits: not supported", "unsupported function runtime.SetFinalizer"} {
		if !strings.Contains(strings.ToLower(out.String()), strings.ToLower(want)) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "deadlock") {
		t.Errorf("a deadlock:\n%s", out.String())
	}
}

// TestForeignGOROOT: a GOROOT that is none, is corrupt, or is another version's is an error in one line.
func TestForeignGOROOT(t *testing.T) {
	dir := moduleDir(t)
	t.Chdir(dir)
	empty := t.TempDir()
	partial := t.TempDir()
	for name, text := range map[string]string{"VERSION": "go1.26\n", "src/fmt/print.go": "package fmt\n\nfunc Println( {\n", "src/runtime/runtime.go": "package runtime\n"} {
		if err := os.MkdirAll(filepath.Join(partial, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(partial, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, root := range map[string]string{"missing": filepath.Join(empty, "nowhere"), "empty": empty, "partial": partial} {
		for _, args := range [][]string{{"./racy"}, {"run", "./hello"}} {
			t.Run(name+"/"+args[0], func(t *testing.T) {
				t.Setenv("GOROOT", root)
				var out, errs bytes.Buffer
				code := Main(args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
				t.Log(errs.String())
				if code == 0 || out.Len() > 0 {
					t.Errorf("exit %d, standard output %s", code, out.String())
				}
				if s := strings.TrimRight(errs.String(), "\n"); !strings.HasPrefix(s, "heddle: ") || strings.Contains(s, "internal error") || strings.Count(s, "\n") > 0 {
					t.Errorf("not one line:\n%s", s)
				}
			})
		}
	}
}
