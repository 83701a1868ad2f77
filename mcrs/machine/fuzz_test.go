package machine_test

import (
	"bytes"
	"go/build"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program"
)

// TestFuzzSeeds compares the fuzz targets of testdata/fuzz, whose seeds are plain tests, with what was recorded of go
// test; and whether each fails when it is an entry of an explorer.
func TestFuzzSeeds(t *testing.T) {
	dir, err := filepath.Abs("testdata/fuzz")
	if err != nil {
		t.Fatal(err)
	}
	want := long.Recorded(t, filepath.Join(dir, "native.txt"), func() string {
		cmd := exec.Command("go", "test", "-vet=off", "-count=1", "-v", ".")
		cmd.Dir = dir
		out, _ := cmd.Output() // some targets fail
		// What go test adds at the end, and durations, are not the test binary's. Parallel seeds come in any order.
		want, _, _ := strings.Cut(seconds.ReplaceAllString(string(out), ""), "\nFAIL\tfuzz")
		return sorted(want)
	})

	cfg := program.Config{Dir: dir, Tests: true, Overlay: machine.Overlay(), KeepBody: machine.KeepBody, LateBodies: true}
	l, err := program.List(cfg, ".")
	if err != nil || len(l.Errors) > 0 {
		t.Fatal(err, l.Errors)
	}
	p, err := program.NewUniverse(cfg).Build(l.Recipes[0])
	if err != nil {
		t.Fatal(err)
	}
	m := machine.New(p, machine.Config{Kernel: kernel.Config{
		Root: dir, GOROOT: build.Default.GOROOT, Args: []string{"fuzz.test", "-test.v"}, Env: []string{"TMPDIR=/tmp"},
	}})
	var got bytes.Buffer
	if _, err := m.Exec(machine.Streams{Stdout: &got, Stderr: &got}, p.Entries); err != nil {
		t.Fatal(err)
	}
	sameLines(t, "output", sorted(seconds.ReplaceAllString(got.String(), "")), want)

	for _, e := range p.Entries {
		tr := m.Entry(e).Run(sched.RunToBlock{}, sched.Options{})
		failed := strings.Contains(want, "--- FAIL: "+e.Name)
		if tr.Status != trace.Returned || tr.TestFailed != failed {
			t.Errorf("%s as an entry: %s, failed %v, natively %v", e.Name, tr.Status, tr.TestFailed, failed)
		}
	}
}

// sorted sorts the lines of what tests print. It leaves out where they say whose output follows: that is said where
// another test's stands before it.
func sorted(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, "=== NAME") })
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

var seconds = regexp.MustCompile(` \([0-9.]+s\)`)
