package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/heddle-go/heddle/internal/score/module"
	"github.com/heddle-go/heddle/internal/score/worker"
)

// This file defines the native runs.

// A test is a test function and what it did natively.
type test struct {
	Package string // import path
	Name    string
	End     string // pass, skip, fail; died: it ended the process; endless: it did not end in nativeTime
	Counts  counts
	Imports []string // of what interests, by the package's test files
}

func (t *test) String() string { return t.Package + "." + t.Name }

// concurrent reports whether the test belongs to the survey.
func (t *test) concurrent() bool { return t.End == "pass" && t.Counts.Goroutines > 0 }

// nativeTime is how long a test may take natively.
const nativeTime = time.Minute

// notable are the libraries whose users are counted apart.
var notable = []string{"github.com/stretchr/testify", "go.uber.org/goleak", "testing/synctest"}

// A native runs the tests of modules natively.
type native struct {
	cache   string // folder
	jobs    int
	once    sync.Once
	overlay string
	err     error
}

func newNative(jobs int) (*native, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	n := &native{cache: filepath.Join(dir, "heddle-modules", runtime.Version()), jobs: jobs}
	return n, os.MkdirAll(n.cache, 0o777)
}

// fetch returns the folder of a module.
func (n *native) fetch(m target) (string, error) {
	dir := filepath.Join(filepath.Dir(n.cache), "src", filepath.FromSlash(m.version))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	tmp := dir + ".part"
	if err := os.RemoveAll(tmp); err != nil {
		return "", err
	}
	if err := module.Fetch(m.version, tmp, m.requires...); err != nil {
		return "", err
	}
	return dir, os.Rename(tmp, dir)
}

// tests returns the tests of a module and what they did natively, from the cache if it is there.
func (n *native) tests(m target, dir string) ([]test, error) {
	key := filepath.Join(n.cache, strings.ReplaceAll(m.version, "/", "_")+".json")
	var tests []test
	if data, err := os.ReadFile(key); err == nil && json.Unmarshal(data, &tests) == nil {
		return tests, nil
	}
	n.once.Do(func() { n.overlay, n.err = writeOverlay(filepath.Join(n.cache, "overlay"), changes, added) })
	if n.err != nil {
		return nil, n.err
	}
	pkgs, err := packages(dir)
	if err != nil {
		return nil, err
	}
	for _, p := range pkgs {
		some, err := n.runPackage(p)
		if err != nil {
			return nil, err
		}
		tests = append(tests, some...)
	}
	data, err := json.MarshalIndent(tests, "", "\t")
	if err != nil {
		return nil, err
	}
	return tests, os.WriteFile(key, data, 0o666)
}

// A pkg is a package that has test files.
type pkg struct {
	ImportPath, Dir           string
	TestGoFiles, XTestGoFiles []string
	TestImports, XTestImports []string
	Error                     *struct{ Err string }
	DepsErrors                []struct{ Err string }
}

// packages lists the packages of the module in dir that have test files.
func packages(dir string) ([]pkg, error) {
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles,TestImports,XTestImports,Error", "./...")
	cmd.Dir = dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list in %s: %w\n%s", dir, err, errs.String())
	}
	var all []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p pkg
		if err := dec.Decode(&p); err != nil {
			return nil, err
		}
		if len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 {
			all = append(all, p)
		}
	}
	return all, nil
}

// runPackage runs each test of a package natively.
func (n *native) runPackage(p pkg) ([]test, error) {
	tmp, err := os.MkdirTemp("", "heddle")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	exe := filepath.Join(tmp, "test")
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-overlay="+n.overlay, "-o", exe, ".")
	cmd.Dir = p.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		if strings.Contains(string(out), filepath.Dir(n.overlay)) {
			return nil, fmt.Errorf("the counters do not fit this version of Go:\n%s", out)
		}
		fmt.Fprintf(os.Stderr, "modules: %s does not build natively and is left out:\n%s", p.ImportPath, out)
		return nil, nil
	}
	cmd = exec.Command(exe, "-test.list=^Test")
	cmd.Dir = p.Dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s -test.list: %w", p.ImportPath, err)
	}
	var tests []test
	for name := range strings.FieldsSeq(string(out)) {
		if strings.HasPrefix(name, "Test") {
			tests = append(tests, test{Package: p.ImportPath, Name: name, Imports: p.notable()})
		}
	}
	var wg sync.WaitGroup
	next := make(chan *test)
	for range n.jobs {
		wg.Go(func() {
			for t := range next {
				n.run(t, exe, p.Dir, tmp)
			}
		})
	}
	for i := range tests {
		next <- &tests[i]
	}
	close(next)
	wg.Wait()
	return tests, nil
}

// notable returns the notable imports of p's tests.
func (p *pkg) notable() []string {
	var some []string
	for _, lib := range notable {
		for _, imp := range append(p.TestImports, p.XTestImports...) {
			if imp == lib || strings.HasPrefix(imp, lib+"/") {
				some = append(some, lib)
				break
			}
		}
	}
	return some
}

// run runs one test in a process of its own.
func (n *native) run(t *test, exe, dir, tmp string) {
	tmp, err := os.MkdirTemp(tmp, "t")
	if err != nil {
		t.End = err.Error()
		return
	}
	defer os.RemoveAll(tmp)
	ctx, cancel := context.WithTimeout(context.Background(), nativeTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, "-test.v", "-test.count=1", "-test.run=^"+t.Name+"$")
	counts := filepath.Join(filepath.Dir(tmp), "counts-"+t.Name)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "HEDDLE_COUNTS="+counts, "TMPDIR="+tmp, "PWD="+dir)
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		t.End = "endless"
		return
	case err != nil && !errors.As(err, &exit):
		t.End = "died"
		return
	}
	t.End = "died"
	for _, m := range worker.Ended.FindAllSubmatch(out.Bytes(), -1) {
		if string(m[2]) == t.Name {
			t.End = strings.ToLower(string(m[1]))
		}
	}
	data, err := os.ReadFile(counts)
	if err != nil {
		t.End = "died"
		return
	}
	c := &t.Counts
	if _, err := fmt.Sscan(string(data), &c.Goroutines, &c.Sockets, &c.Files, &c.Temporary, &c.Execs, &c.Signals); err != nil {
		t.End = "died"
	}
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}
