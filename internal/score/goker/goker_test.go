package main

import (
	"go/build"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestSome explores a few of the programs, one for each kind of wait; the whole collection is the command's.
func TestSome(t *testing.T) {
	goroot := build.Default.GOROOT
	if names, err := filepath.Glob(filepath.Join(goroot, filepath.FromSlash(programsDir), "*.go")); err != nil || len(names) == 0 {
		t.Skipf("%s holds none of the programs: they came with Go 1.26", goroot)
	}
	bugs, err := read(goroot)
	if err != nil {
		t.Fatal(err)
	}
	if len(bugs) < 63 {
		t.Errorf("%d programs, want 63 or more", len(bugs))
	}
	for _, b := range bugs {
		if len(b.expect) == 0 {
			t.Errorf("%s: nothing is expected of it", b.name)
		}
	}
	some := regexp.MustCompile("^(Cockroach10214|Cockroach13197|Kubernetes58107|Moby30408|Serving2137|Syncthing4829)$")
	bugs = slices.DeleteFunc(bugs, func(b bug) bool { return !some.MatchString(b.name) })
	seen := 0
	err = explore(bugs, func(b *bug, r *result) {
		seen++
		if r.found == "" {
			t.Errorf("%s: not found: %s after %d executions; blocked: %v", b.name, r.verdict, r.executions, r.goroutines)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen != 6 {
		t.Errorf("%d programs explored, want 6", seen)
	}
}
