package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
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
)

// This file defines the oracle: the program compiled by the toolchain and run natively.

// An outcome is what a run of a program showed.
type outcome struct {
	Stdout, Stderr string
	Code           int
	VaryOut        bool `json:",omitempty"` // two native runs differ
	VaryErr        bool `json:",omitempty"`

	// Of a run in the machine.
	Err   string        `json:",omitempty"` // it did not come to an end
	Steps int64         `json:",omitempty"`
	Took  time.Duration `json:",omitempty"`
}

type native struct {
	dir, tmp, cache string

	once sync.Once
	cfg  string // importcfg of the standard library
	err  error
}

func newNative(dir string) (*native, error) {
	tmp, err := os.MkdirTemp("", "gotest")
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	n := &native{dir: dir, tmp: tmp, cache: filepath.Join(cache, "heddle-gotest")}
	return n, os.MkdirAll(n.cache, 0o755)
}

func (n *native) close() { os.RemoveAll(n.tmp) }

// run returns the native outcome of a program, from the cache if it is there.
func (n *native) run(name string) (outcome, error) {
	var o outcome
	src, err := os.ReadFile(filepath.Join(n.dir, name))
	if err != nil {
		return o, err
	}
	h := sha256.Sum256([]byte("1\n" + runtime.Version() + "\n" + name + "\n" + string(src)))
	key := filepath.Join(n.cache, hex.EncodeToString(h[:16])+".json")
	if data, err := os.ReadFile(key); err == nil && json.Unmarshal(data, &o) == nil {
		return o, nil
	}
	exe := filepath.Join(n.tmp, hex.EncodeToString(h[:8]))
	if err := n.build(name, exe); err != nil {
		return o, err
	}
	defer os.Remove(exe)
	o = n.exec(exe)
	again := n.exec(exe)
	if o.Err != "" || again.Err != "" {
		return o, errors.New(o.Err + again.Err)
	}
	o.VaryOut, o.VaryErr = o.Stdout != again.Stdout, head(o) != head(again)
	data, err := json.Marshal(o)
	if err != nil {
		return o, err
	}
	return o, os.WriteFile(key, data, 0o644)
}

// build compiles and links one file as Go's own test driver does.
func (n *native) build(name, exe string) error {
	n.once.Do(n.importcfg)
	if n.err != nil {
		return n.err
	}
	obj := exe + ".o"
	defer os.Remove(obj)
	for _, args := range [][]string{
		{"tool", "compile", "-p", "main", "-importcfg", n.cfg, "-o", obj, filepath.Join(n.dir, name)},
		{"tool", "link", "-importcfg", n.cfg, "-o", exe, obj},
	} {
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("go %s: %v: %s", strings.Join(args[:2], " "), err, out)
		}
	}
	return nil
}

func (n *native) importcfg() {
	out, err := exec.Command("go", "list", "-export", "-f", "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}", "std").Output()
	if err != nil {
		n.err = fmt.Errorf("go list -export std: %w", err)
		return
	}
	n.cfg = filepath.Join(n.tmp, "importcfg")
	n.err = os.WriteFile(n.cfg, out, 0o644)
}

// environment is that of the program, natively and in the machine.
func environment() []string { return []string{"PATH=/usr/bin:/bin", "HOME=/", "TMPDIR=/tmp"} }

func (n *native) exec(exe string) outcome {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe)
	cmd.Env = environment()
	cmd.Dir = n.dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	o := outcome{Stdout: out.String(), Stderr: errs.String()}
	var ee *exec.ExitError
	switch {
	case ctx.Err() != nil:
		o.Err = "it does not end natively"
	case errors.As(err, &ee):
		o.Code = ee.ExitCode()
	case err != nil:
		o.Err = err.Error()
	}
	return o
}
