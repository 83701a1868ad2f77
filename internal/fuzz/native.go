package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

// This file defines the oracle: the programs compiled by the toolchain and run natively.

// A native compiles packages.
type native struct {
	once    sync.Once
	cfg     string // importcfg of the standard library
	exports map[string]string
	err     error
	imp     types.Importer
	fset    *token.FileSet
}

func (n *native) init(tmp string) error {
	n.once.Do(func() {
		out, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}",
			"fmt", "math", "os", "runtime", "strconv").Output()
		if err != nil {
			n.err = fmt.Errorf("go list -export: %w", err)
			return
		}
		n.exports = map[string]string{}
		for l := range strings.Lines(string(out)) {
			l = strings.TrimSpace(strings.TrimPrefix(l, "packagefile "))
			path, file, _ := strings.Cut(l, "=")
			n.exports[path] = file
		}
		n.fset = token.NewFileSet()
		n.imp = importer.ForCompiler(n.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(n.exports[path]) })
		n.cfg = filepath.Join(tmp, "importcfg")
		n.err = os.WriteFile(n.cfg, out, 0o644)
	})
	return n.err
}

// check type-checks a package and returns the errors by file.
func (n *native) check(files map[string]string) map[string][]string {
	errs := map[string][]string{}
	fset := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range sortedNames(files) {
		f, err := parser.ParseFile(fset, name, files[name], parser.SkipObjectResolution)
		if err != nil {
			errs[name] = append(errs[name], err.Error())
			continue
		}
		parsed = append(parsed, f)
	}
	conf := types.Config{Importer: n.imp, Error: func(err error) {
		te := err.(types.Error)
		name := te.Fset.Position(te.Pos).Filename
		errs[name] = append(errs[name], te.Error())
	}}
	conf.Check("main", fset, parsed, nil)
	return errs
}

func sortedNames(files map[string]string) []string {
	var names []string
	for n := range files {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// build compiles and links the package in dir.
func (n *native) build(dir string, names []string, exe string) (map[string][]string, error) {
	obj := exe + ".o"
	defer os.Remove(obj)
	args := []string{"tool", "compile", "-p", "main", "-c", "2", "-dwarf=false", "-importcfg", n.cfg, "-o", obj}
	cmd := exec.Command("go", append(args, names...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOGC=off", "GOMEMLIMIT=1500MiB") // a seventh of the compiler's time
	if out, err := cmd.CombinedOutput(); err != nil {
		bad := map[string][]string{}
		for l := range strings.Lines(string(out)) {
			if m := errorLine.FindStringSubmatch(l); m != nil {
				bad[m[1]] = append(bad[m[1]], strings.TrimSpace(l))
			}
		}
		if len(bad) > 0 {
			return bad, nil
		}
		return nil, fmt.Errorf("go tool compile: %v: %s", err, out)
	}
	if out, err := exec.Command("go", "tool", "link", "-s", "-w", "-importcfg", n.cfg, "-o", exe, obj).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go tool link: %v: %s", err, out)
	}
	return nil, nil
}

var errorLine = regexp.MustCompile(`(p[0-9]+\.go):[0-9]+`)

// An outcome is what a run showed.
type outcome struct {
	stdout, stderr string
	code           int
	err            string // it did not come to an end
}

// only is the index of the program to run, -1 for all.
func arguments(only int) []string {
	if only < 0 {
		return []string{"a.out"}
	}
	return []string{"a.out", strconv.Itoa(only)}
}

func execNative(exe string, only int) outcome {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, arguments(only)[1:]...)
	cmd.Env = []string{"PATH=/usr/bin:/bin"}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	o := outcome{stdout: out.String(), stderr: errs.String()}
	var ee *exec.ExitError
	switch {
	case ctx.Err() != nil:
		o.err = "it does not end"
	case errors.As(err, &ee):
		o.code = ee.ExitCode()
	case err != nil:
		o.err = err.Error()
	}
	return o
}
