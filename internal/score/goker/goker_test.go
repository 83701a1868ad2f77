package main

import (
	"go/build"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/heddle-go/heddle/internal/score/goker/bugs"
)

// TestOneBugOfEachWait explores a few of the programs, one for each kind of wait; the whole collection is the
// command's.
func TestOneBugOfEachWait(t *testing.T) {
	goroot := build.Default.GOROOT
	if names, err := filepath.Glob(filepath.Join(goroot, filepath.FromSlash(bugs.Folder), "*.go")); err != nil || len(names) == 0 {
		t.Skipf("%s holds none of the programs: they came with Go 1.26", goroot)
	}
	all, err := bugs.Read(goroot)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 63 {
		t.Errorf("%d programs, want 63 or more", len(all))
	}
	for _, b := range all {
		if len(b.Expect) == 0 {
			t.Errorf("%s: nothing is expected of it", b.Name)
		}
	}
	some := regexp.MustCompile("^(Cockroach10214|Cockroach13197|Kubernetes58107|Moby30408|Serving2137|Syncthing4829)$")
	all = slices.DeleteFunc(all, func(b bugs.Bug) bool { return !some.MatchString(b.Name) })
	seen := 0
	err = explore(all, func(b *bugs.Bug, r *result) {
		seen++
		if r.found == "" {
			t.Errorf("%s: not found: %s after %d executions; blocked: %v", b.Name, r.verdict, r.executions, r.goroutines)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen != 6 {
		t.Errorf("%d programs explored, want 6", seen)
	}
}
