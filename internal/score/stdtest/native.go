package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// This file defines the oracle: what go test says of a package.

type native struct{ cache string }

func newNative() (*native, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	n := &native{cache: filepath.Join(cache, "heddle-stdtest")}
	return n, os.MkdirAll(n.cache, 0o755)
}

// run returns how each top-level test, fuzz target and example of a package ends natively: pass, skip or fail.
func (n *native) run(path string) (map[string]string, error) {
	key := filepath.Join(n.cache, runtime.Version()+"-"+strings.ReplaceAll(path, "/", "_")+".json")
	ends := map[string]string{}
	if data, err := os.ReadFile(key); err == nil && json.Unmarshal(data, &ends) == nil {
		return ends, nil
	}
	cmd := exec.Command("go", "test", "-short", "-count=1", "-json", path)
	cmd.Dir = os.TempDir() // outside of any module
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var e struct{ Action, Test, Output string }
		if derr := dec.Decode(&e); derr == io.EOF {
			break
		} else if derr != nil {
			return nil, fmt.Errorf("go test %s: %v: %w\n%s", path, err, derr, &errs)
		}
		if e.Test == "" || strings.Contains(e.Test, "/") {
			continue
		}
		switch e.Action {
		case "pass", "skip", "fail":
			ends[e.Test] = e.Action
		}
	}
	if len(ends) == 0 {
		return nil, fmt.Errorf("go test %s: %v\n%s", path, err, &errs)
	}
	data, err := json.Marshal(ends)
	if err != nil {
		return nil, err
	}
	return ends, os.WriteFile(key, data, 0o644)
}
