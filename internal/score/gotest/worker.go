package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/program"
)

// This file defines the workers: processes that run one program after the other in the machine, so that the standard
// library is loaded once for many and nothing that a program does takes the score down.

// Limits of one program.
const (
	maxSteps  = 3_000_000_000
	maxMemory = 1 << 30
	maxOutput = 16 << 20
	wallTime  = 5 * time.Minute // the safety net
	perWorker = 150             // programs, then a fresh process: types and code accumulate
)

// A client is the parent's side of a worker.
type client struct {
	dir  string
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs *tail
	n    int
}

func (c *client) run(name string) outcome {
	if c.n >= perWorker {
		c.stop()
	}
	if c.cmd == nil {
		if err := c.start(); err != nil {
			return outcome{Err: "worker: " + err.Error()}
		}
	}
	c.n++
	fmt.Fprintln(c.in, name)
	type answer struct {
		line []byte
		err  error
	}
	ch := make(chan answer, 1)
	go func(r *bufio.Reader) {
		line, err := r.ReadBytes('\n')
		ch <- answer{line, err}
	}(c.out)
	var o outcome
	select {
	case a := <-ch:
		if a.err == nil && json.Unmarshal(a.line, &o) == nil {
			return o
		}
		c.cmd.Wait()
		o.Err = "worker died: " + c.errs.String()
	case <-time.After(wallTime):
		o.Err = "worker: no answer in " + wallTime.String()
	}
	c.stop()
	return o
}

func (c *client) start() error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	c.errs = &tail{}
	c.cmd = exec.Command(exe, "-worker", fmt.Sprintf("-collect=%d", collectEvery))
	c.cmd.Stderr = c.errs
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	c.out = bufio.NewReaderSize(out, 1<<20)
	c.n = 0
	return c.cmd.Start()
}

func (c *client) stop() {
	if c.cmd == nil {
		return
	}
	c.in.Close()
	c.cmd.Process.Kill()
	c.cmd.Wait()
	c.cmd = nil
}

// tail keeps the first bytes of what is written.
type tail struct{ buf bytes.Buffer }

func (t *tail) Write(p []byte) (int, error) {
	if room := 4000 - t.buf.Len(); room > 0 {
		t.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

func (t *tail) String() string { return strings.TrimSpace(t.buf.String()) }

// work is the worker's side.
func work() {
	dir := filepath.Join(build.Default.GOROOT, "test")
	cfg := closure.Config(dir)
	cfg.Mains, cfg.Tests = true, false
	u := program.NewUniverse(cfg)
	enc := json.NewEncoder(os.Stdout)
	for s := bufio.NewScanner(os.Stdin); s.Scan(); {
		start := time.Now()
		o := runInMachine(u, cfg, s.Text())
		o.Took = time.Since(start)
		if err := enc.Encode(o); err != nil {
			return
		}
	}
}

func runInMachine(u *program.Universe, cfg program.Config, name string) (o outcome) {
	defer func() {
		if e := recover(); e != nil {
			o.Err = fmt.Sprintf("machine panic: %v\n%s", e, debug.Stack())
		}
	}()
	r, err := recipe(cfg, name)
	if err != nil {
		o.Err = "type-check: " + err.Error()
		return o
	}
	p, err := u.Build(r)
	if err != nil {
		o.Err = "type-check: " + err.Error()
		return o
	}
	var out, errs limited
	m := machine.New(p, machine.Config{
		Kernel: kernel.Config{Root: cfg.Dir, GOROOT: build.Default.GOROOT, Args: []string{"a.out"}, Env: environment(), Stdin: strings.NewReader("")},
		Exec:   sched.Options{MaxSteps: maxSteps, MaxMemory: maxMemory}, CollectEvery: collectEvery,
	})
	o.Code, err = m.Exec(machine.Streams{Stdout: &out, Stderr: &errs}, p.Entries)
	o.Stdout, o.Stderr = out.String(), errs.String()
	if err != nil {
		o.Err = strings.TrimPrefix(err.Error(), cfg.Dir+"/")
	}
	return o
}

// recipe makes the recipe of one file that is package main.
func recipe(cfg program.Config, name string) (*program.Recipe, error) {
	file := filepath.Join(cfg.Dir, name)
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	root := program.PackageRecipe{ID: "main", Path: "main", Name: "main", Dir: filepath.Dir(file), GoFiles: []string{filepath.Base(file)}}
	seen := map[string]bool{}
	for _, spec := range f.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil && !seen[path] {
			seen[path] = true
			root.Imports = append(root.Imports, path)
		}
	}
	sort.Strings(root.Imports)
	version := strings.Join(strings.SplitN(strings.Fields(runtime.Version())[0], ".", 3)[:2], ".")
	root.GoVersion = version
	if err := root.SetDigest(runtime.Version()); err != nil {
		return nil, err
	}
	r := program.Compose(root, nil)
	return r, r.Complete(cfg)
}

// limited is a buffer that keeps maxOutput bytes.
type limited struct{ bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if room := maxOutput - l.Len(); room > 0 {
		l.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
