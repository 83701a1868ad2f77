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

// low are limits at which a run takes a second or so.
var low = []string{"-limit.work=3", "-limit.events=3000", "-limit.executions=300", "-incomplete", "-table", "-workers=1"}

// targets are what is edited, with what it imports of its module.
var targets = append(slices.Clone(module.Packages), module.Package{Name: "examples", Folder: "./..."})

// copyTo puts the module of a target into a folder.
func copyTo(t *module.Package, dir string) error {
	if t.Version != "" {
		if err := module.Fetch(t.Version, dir); err != nil {
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
func folders(t *module.Package, dir string) ([]string, error) {
	cmd := exec.Command("go", "list", "-deps", "-test", "-f", "{{if not .Standard}}{{.Dir}}{{end}}", t.Folder)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	list, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: go list: %w", t.Name, err)
	}
	var out []string
	for _, name := range strings.Fields(string(list)) {
		if rel, err := filepath.Rel(dir, name); err == nil && filepath.IsLocal(rel) && !slices.Contains(out, filepath.ToSlash(rel)) {
			out = append(out, filepath.ToSlash(rel))
		}
	}
	return out, nil
}
