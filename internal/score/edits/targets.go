package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/internal/score/module"
)

// A target is a package that is edited, with what it imports of its module.
type target struct {
	name    string
	version string // of the module, path@version; "" for one of the examples
	pkg     string // its folder in the module
	flags   []string
}

// low are limits at which a run takes a second or so.
var low = []string{"-limit.work=3", "-limit.events=3000", "-limit.executions=300", "-incomplete", "-table", "-workers=1"}

var targets = []target{
	{name: "errgroup", version: module.XSync, pkg: "./errgroup"},
	{name: "semaphore", version: module.XSync, pkg: "./semaphore"},
	{name: "singleflight", version: module.XSync, pkg: "./singleflight"},
	{name: "pubsub", version: "github.com/cskr/pubsub@v1.0.2", pkg: "."},
	{name: "workerpool", version: "github.com/gammazero/workerpool@v1.3.0", pkg: "."},
	{name: "concurrent-map", version: "github.com/orcaman/concurrent-map/v2@v2.0.1", pkg: "."},
	{name: "clock", version: "github.com/benbjohnson/clock@v1.3.5", pkg: "."},
	{name: "gobreaker", version: "github.com/sony/gobreaker/v2@v2.4.0", pkg: "."},
	{name: "puddle", version: "github.com/jackc/puddle/v2@v2.2.3", pkg: "./internal/genstack"},
	{name: "conc", version: "github.com/sourcegraph/conc@v0.3.0", pkg: "./panics"},
	{name: "conc-pool", version: "github.com/sourcegraph/conc@v0.3.0", pkg: "./pool"},
	{name: "puddle-pool", version: "github.com/jackc/puddle/v2@v2.2.3", pkg: "."},
	{name: "examples", pkg: "./..."},
}

// copyTo puts the module of a target into a folder.
func (t *target) copyTo(dir string) error {
	if t.version != "" {
		if err := module.Fetch(t.version, dir); err != nil {
			return err
		}
		return filepath.WalkDir(dir, func(name string, _ os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Chmod(name, 0o777) // those of the module cache are read-only
		})
	}
	if err := os.CopyFS(dir, os.DirFS("examples")); err != nil { // main is in the root
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/examples\n\ngo 1.26\n"), 0o666)
}

// folders lists the folders of the module's packages that the target is made of, as package edits names them.
func (t *target) folders(dir string) ([]string, error) {
	cmd := exec.Command("go", "list", "-deps", "-test", "-f", "{{if not .Standard}}{{.Dir}}{{end}}", t.pkg)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: go list: %w", t.name, err)
	}
	var folders []string
	for _, name := range strings.Fields(string(out)) {
		if rel, err := filepath.Rel(dir, name); err == nil && filepath.IsLocal(rel) && !slices.Contains(folders, filepath.ToSlash(rel)) {
			folders = append(folders, filepath.ToSlash(rel))
		}
	}
	return folders, nil
}
