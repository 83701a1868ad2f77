// Package tree finds the root of this repository, for tools that read its folders or build its commands.
package tree

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// module is the path of the module in the repository's root.
const module = "github.com/heddle-go/heddle"

// Enter makes the root of the repository the current folder. It must be called below the root. Paths among a tool's
// flags are then relative to the root, wherever in the repository the tool was started.
func Enter() error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	root, err := find(dir)
	if err != nil {
		return err
	}
	return os.Chdir(root)
}

// find returns the nearest folder, dir or above it, with the go.mod of the module.
func find(dir string) (string, error) {
	for d := dir; ; d = filepath.Dir(d) {
		name, err := modulePath(filepath.Join(d, "go.mod"))
		if err != nil && !os.IsNotExist(err) {
			return "", err
		}
		if name == module {
			return d, nil
		}
		if d == filepath.Dir(d) {
			return "", fmt.Errorf("%s is not below the root of %s: call this in a clone of its repository", dir, module)
		}
	}
}

// modulePath returns what the module line of a go.mod file names.
func modulePath(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if name, ok := strings.CutPrefix(s.Text(), "module "); ok {
			return strings.TrimSpace(name), nil
		}
	}
	return "", nil
}
