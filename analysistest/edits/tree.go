package edits

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// This file defines trees: the files of a module in memory, and on disk.

// A Tree has the contents of files, by their path below the root, with slashes.
type Tree map[string]string

// Read returns the files below a folder that edits may concern: go.mod, those named *.go, and the embedded ones of
// earlier edits. It leaves out testdata, vendor, and folders that the go command does not look into.
func Read(root string) (Tree, error) {
	t := Tree{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() {
			if name != root && (base == "testdata" || base == "vendor" || base[0] == '.' || base[0] == '_') {
				return fs.SkipDir
			}
			return nil
		}
		if base != "go.mod" && base != embedded && filepath.Ext(base) != ".go" {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		t[filepath.ToSlash(rel)] = string(text)
		return err
	})
	return t, err
}

// Write makes the files below a folder those of t, where they are those of was.
func (t Tree) Write(root string, was Tree) error {
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if _, ok := t[name]; !ok {
			if err := os.Remove(filepath.Join(root, filepath.FromSlash(name))); err != nil {
				return err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t)) {
		if text, ok := was[name]; ok && text == t[name] {
			continue
		}
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(t[name]), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// goFiles lists the Go files that are at the root or below one of the folders, sorted.
func (t Tree) goFiles(folders []string) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(t)) {
		if strings.HasSuffix(name, ".go") && (folders == nil || slices.Contains(folders, folderOf(name))) {
			out = append(out, name)
		}
	}
	return out
}

// folderOf is the folder of a file, "." for the root.
func folderOf(name string) string {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return name[:i]
	}
	return "."
}
