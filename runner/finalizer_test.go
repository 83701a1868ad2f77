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
	writeModule(t, map[string]string{
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
	})
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

// TestFinalizersEndGoroutines: a goroutine that a finalizer or a cleanup is to end has not leaked (LEAK8). One has that
// keeps the object alive itself, or that waits for something else.
func TestFinalizersEndGoroutines(t *testing.T) {
	writeModule(t, map[string]string{
		"go.mod": "module example.com/fin\n\ngo 1.26\n",
		"fin_test.go": `package fin

import (
	"io"
	"runtime"
	"testing"
)

type inner struct {
	stop chan bool
	work chan int
}

func (in *inner) run() {
	for {
		select {
		case <-in.work:
		case <-in.stop:
			return
		}
	}
}

type outer struct{ *inner }

func newOuter() *outer {
	in := &inner{make(chan bool), make(chan int)}
	go in.run()
	o := &outer{in}
	runtime.SetFinalizer(o, func(o *outer) { close(o.stop) })
	return o
}

func TestOuter(t *testing.T) {
	o := newOuter()
	o.work <- 1
}

func newCleaned() *outer {
	in := &inner{make(chan bool), make(chan int)}
	go in.run()
	o := &outer{in}
	runtime.AddCleanup(o, func(stop chan bool) { close(stop) }, in.stop)
	return o
}

func TestCleanup(t *testing.T) {
	o := newCleaned()
	o.work <- 1
}

// The goroutine holds the object itself: it is never dead.
func TestHeld(t *testing.T) {
	o := &outer{&inner{make(chan bool), make(chan int)}}
	runtime.SetFinalizer(o, func(o *outer) { close(o.stop) })
	go func() {
		o.run()
		runtime.KeepAlive(o)
	}()
	o.work <- 1
}

// The finalizer does not reach what the goroutine waits for.
func TestOther(t *testing.T) {
	c := make(chan int)
	go func() { <-c }()
	o := &outer{&inner{make(chan bool), make(chan int)}}
	runtime.SetFinalizer(o, func(o *outer) { close(o.stop) })
}

// It was taken back.
func TestTakenBack(t *testing.T) {
	o := newOuter()
	o.work <- 1
	runtime.SetFinalizer(o, nil)
}

func TestPipe(t *testing.T) {
	r, w := io.Pipe()
	go io.Copy(io.Discard, r)
	runtime.SetFinalizer(w, func(w *io.PipeWriter) { w.Close() })
}

// Main itself waits for a finalizer, which runs after the next collection.
func TestWaitsForOne(t *testing.T) {
	ran := make(chan bool)
	o := &outer{}
	runtime.SetFinalizer(o, func(*outer) { close(ran) })
	<-ran
}

var (
	kept  = &outer{}
	waits = make(chan int)
)

// No finalizer can run: a package variable has the object.
func TestWaitsForNone(t *testing.T) {
	runtime.SetFinalizer(kept, func(*outer) {})
	<-waits
}

// The cleanup does not have what the goroutine waits for.
func TestCleanupOther(t *testing.T) {
	in := &inner{make(chan bool), make(chan int)}
	go in.run()
	runtime.AddCleanup(&outer{in}, func(int) {}, 1)
	in.work <- 1
}
`,
	})
	for name, want := range map[string]string{
		"TestOuter": "", "TestCleanup": "", "TestHeld": "goroutine leak", "TestOther": "goroutine leak", "TestTakenBack": "goroutine leak",
		"TestPipe": "goroutine leak", "TestWaitsForOne": "", "TestWaitsForNone": "deadlock", "TestCleanupOther": "goroutine leak",
	} {
		var out, errs bytes.Buffer
		Main([]string{"-cache=off", "-leaks=all", "-run", "^" + name + "$", "."}, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		if got := out.String(); (got != "") != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%s: want %q, got\n%s%s", name, want, got, &errs)
		}
		if strings.Contains(errs.String(), name+": exhausted") != (name == "TestTakenBack") { // FINAL1
			t.Errorf("%s: which finalizers have not run?\n%s", name, &errs)
		}
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
