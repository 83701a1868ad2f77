package main

import (
	"bytes"
	"fmt"
	"go/build"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/program"
)

// This file runs batches in the machine.

// Limits of one batch.
const (
	maxSteps  = 3_000_000_000
	maxMemory = 2 << 30
)

// A loader makes programs of packages. The standard library is loaded once.
type loader struct {
	u   *program.Universe
	cfg program.Config
	n   int
}

// perUniverse bounds the packages of a universe: types and code accumulate in it.
const perUniverse = 12

func (l *loader) load(dir string, names []string) (p *program.Program, err error) {
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("loading panics: %v\n%s", e, debug.Stack())
		}
	}()
	if l.u == nil || l.n >= perUniverse {
		l.cfg = closure.Config("")
		l.cfg.Mains, l.cfg.Tests = true, false
		l.u, l.n = program.NewUniverse(l.cfg), 0
	}
	l.n++
	root := program.PackageRecipe{ID: "main", Path: "main", Name: "main", Dir: dir, GoFiles: slices.Sorted(slices.Values(names)),
		Imports: []string{"fmt", "math", "os", "runtime", "strconv"}}
	root.GoVersion = strings.Join(strings.SplitN(strings.Fields(runtime.Version())[0], ".", 3)[:2], ".")
	if err := root.SetDigest(runtime.Version()); err != nil {
		return nil, err
	}
	r := program.Compose(root, nil)
	if err := r.Complete(l.cfg); err != nil {
		return nil, err
	}
	return l.u.Build(r)
}

func execMachine(p *program.Program, only int) (o outcome) {
	var out, errs bytes.Buffer
	defer func() {
		o.stdout, o.stderr = out.String(), errs.String()
		if e := recover(); e != nil {
			o.err = fmt.Sprintf("machine panic: %v\n%s", e, debug.Stack())
		}
	}()
	m := machine.New(p, machine.Config{
		Kernel: kernel.Config{GOROOT: build.Default.GOROOT, Args: arguments(only), Env: []string{"PATH=/usr/bin:/bin"}, Stdin: strings.NewReader("")},
		Exec:   sched.Options{MaxSteps: maxSteps, MaxMemory: maxMemory},
	})
	code, err := m.Exec(machine.Streams{Stdout: &out, Stderr: &errs}, p.Entries)
	o.code = code
	if err != nil {
		o.err = err.Error()
	}
	return o
}
