package runner

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/passes/fix"
)

// This file is -fix: it applies the suggested fixes of the findings that were printed.

// fixes gathers the edits to apply.
type fixes struct {
	edits  []fix.Edit
	failed int // findings without a fix, or whose fix could not be applied beside another
}

// noFix is said of a finding without a fix.
const noFix = "\tfix: none that was proved\n"

// say says in a line what the fix of a finding is.
func (fixes) say(w io.Writer, r *exploration.Report) {
	if r.Fix == nil {
		fmt.Fprint(w, noFix)
		return
	}
	fmt.Fprintf(w, "\tfix: %s (heddle -fix applies it)\n", r.Fix.Message)
}

// add notes the fix of a finding, and says in a line what it does.
func (x *fixes) add(w io.Writer, r *exploration.Report) {
	if r.Fix == nil {
		x.failed++
		fmt.Fprint(w, noFix)
		return
	}
	all := append(slices.Clone(x.edits), r.Fix.Edits...)
	if _, err := fix.Apply(all, os.ReadFile); err != nil {
		x.failed++
		fmt.Fprintf(w, "\tfix: not applied, since it touches the lines of another one: run heddle -fix again (%s)\n", r.Fix.Message)
		return
	}
	x.edits = all
	fmt.Fprintf(w, "\tfixed: %s\n", r.Fix.Message)
}

// write changes the files. A file is replaced as a whole or not at all.
func (x *fixes) write() error {
	files, err := fix.Apply(x.edits, os.ReadFile)
	if err != nil {
		return fmt.Errorf("-fix: %w", err)
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := replaceFile(name, files[name]); err != nil {
			errs = append(errs, fmt.Errorf("-fix: %w", err))
		}
	}
	return errors.Join(errs...)
}

// replaceFile writes a file with the mode of the one that it replaces.
func replaceFile(name string, data []byte) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".heddle-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(info.Mode().Perm()), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
