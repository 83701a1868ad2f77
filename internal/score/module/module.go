// Package module fetches modules that are not ours, for the scores on real code. The go command downloads a module
// through the module proxy. It is copied to a folder where it is its own main module. Nothing of it is kept in this
// repository.
package module

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// StandAlone sets the process's environment so that the go command takes a fetched module for itself, whatever
// surrounds it, and completes the go.sum of one that has none.
func StandAlone() error {
	return errors.Join(os.Setenv("GOWORK", "off"), os.Setenv("GOFLAGS", "-mod=mod"))
}

// Fetch downloads a module, "path@version", and copies it to dir. If the module
// has no go.mod it gets one that requires what requires lists, each "path version".
func Fetch(version, dir string, requires ...string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	cmd := exec.Command("go", "mod", "download", "-json", version)
	cmd.Dir = filepath.Dir(dir) // outside of any module
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	var m struct{ Path, Dir, Error string }
	if e := json.Unmarshal(out, &m); e != nil {
		return fmt.Errorf("go mod download %s: %w", version, errors.Join(err, e))
	}
	if m.Error != "" {
		return errors.New(m.Error)
	}
	if err := os.CopyFS(dir, os.DirFS(m.Dir)); err != nil {
		return err
	}
	mod := filepath.Join(dir, "go.mod")
	if _, err := os.Stat(mod); err == nil {
		return nil
	}
	// Without a go line a module's language is that of Go 1.16.
	text := "module " + m.Path + "\n\ngo 1.16\n"
	for _, r := range requires {
		text += "\nrequire " + r
	}
	return os.WriteFile(mod, []byte(text+"\n"), 0o666)
}
