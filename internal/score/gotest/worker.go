package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/heddle-go/heddle/internal/score/worker"
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
type client struct{ p *worker.Process }

func (c *client) run(name string) outcome {
	if c.p != nil && c.p.Asked >= perWorker {
		c.stop()
	}
	if c.p == nil {
		p, err := worker.Start("", []string{"-worker", fmt.Sprintf("-collect=%d", collectEvery)})
		if err != nil {
			return outcome{Err: "worker: " + err.Error()}
		}
		c.p = p
	}
	var o outcome
	if err := c.p.Ask(name, &o, wallTime); err != nil {
		c.p = nil
		return outcome{Err: "worker died: " + err.Error()}
	}
	return o
}

func (c *client) stop() {
	if c.p != nil {
		c.p.Stop()
		c.p = nil
	}
}

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
