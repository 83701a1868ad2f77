package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// This file compares verdicts with the compiled tests. A test that is exhausted and quiet is run natively many times,
// with the race detector and with Go's goroutine leak profile. If something fails there, the verdict was false comfort.
//
// Many runs share a process. So a run may fail for what an earlier one has left in package variables, which says
// nothing against the verdict: an entry is explored from the start of its program. Therefore a test that fails is run
// again, with a process for each run.

const (
	// batch is how many runs share a process.
	batch = 24
	// atOnce is how many processes run at once. Mostly they wait; where they do not, that makes for more interleavings.
	atOnce = 4
)

// A confirmed test is one that was exhausted and quiet, and what its native runs did.
type confirmed struct {
	*test
	runs     int      // that ended
	failures []string // what failed in runs with a process of their own
	repeated []string // what failed in runs that share a process, where none fails with its own
}

// leakChange has testing write the leak profile where a test binary ends. The pause lets the goroutines of the last run
// come to rest.
var leakChange = change{"testing/testing.go", "func (m *M) writeProfiles() {", `	if name := os.Getenv("HEDDLE_LEAKS"); name != "" {
		time.Sleep(20 * time.Millisecond)
		if f, err := os.Create(name); err == nil {
			m.deps.WriteProfileTo("goroutineleak", f, 1)
			f.Close()
		}
	}`}

// quiet returns the tests that were exhausted without a finding.
func quiet(xs []explored) []*test {
	var some []*test
	for i := range xs {
		if xs[i].Verdict == "exhausted" && len(xs[i].Findings) == 0 {
			some = append(some, xs[i].test)
		}
	}
	return some
}

// confirm runs tests of one module natively, each so many times.
func (n *native) confirm(ts []*test, dir string, runs int, log io.Writer) ([]confirmed, error) {
	overlay, err := writeOverlay(filepath.Join(n.cache, "leaks"), []change{leakChange}, nil)
	if err != nil {
		return nil, err
	}
	pkgs, err := packages(dir)
	if err != nil {
		return nil, err
	}
	var all []confirmed
	for _, p := range pkgs {
		of := slices.DeleteFunc(slices.Clone(ts), func(t *test) bool { return t.Package != p.ImportPath })
		if len(of) == 0 {
			continue
		}
		some, err := n.confirmPackage(p, of, overlay, runs, log)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// confirmPackage builds a package's tests with the race detector, and runs some of them.
func (n *native) confirmPackage(p pkg, ts []*test, overlay string, runs int, log io.Writer) ([]confirmed, error) {
	tmp, err := os.MkdirTemp("", "heddle")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	b := &binary{exe: filepath.Join(tmp, "test"), dir: p.Dir, tmp: tmp, log: log}
	cmd := exec.Command("go", "test", "-c", "-race", "-vet=off", "-overlay="+overlay, "-o", b.exe, ".")
	cmd.Dir, cmd.Env = p.Dir, append(os.Environ(), "GOEXPERIMENT=goroutineleakprofile")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", p.ImportPath, err, out)
	}
	results := make([]confirmed, len(ts))
	for i, t := range ts {
		results[i].test = t
		b.confirm(&results[i], runs)
	}
	return results, nil
}

// confirm runs a test, with a process for each run if runs that share one fail.
func (b *binary) confirm(c *confirmed, runs int) {
	var shared []string
	if c.runs, shared = b.many(c.Name, runs, batch); len(shared) == 0 {
		return
	}
	if _, c.failures = b.many(c.Name, runs, 1); len(c.failures) == 0 {
		c.repeated = shared
	}
}

// many runs a test so many times, each runs to a process. It returns how many ended, and what failed, without
// repetition.
func (b *binary) many(name string, runs, each int) (ended int, failures []string) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	next := make(chan int)
	for range atOnce {
		wg.Go(func() {
			for k := range next {
				n, failed := b.run(name, k)
				mu.Lock()
				ended += n
				failures = append(failures, failed...)
				mu.Unlock()
			}
		})
	}
	for left := runs; left > 0; left -= each {
		next <- min(each, left)
	}
	close(next)
	wg.Wait()
	slices.Sort(failures)
	return ended, slices.Compact(failures)
}

// printConfirmed prints a line for each module, and every difference.
func printConfirmed(w io.Writer, rows []*row, runs int) {
	fmt.Fprintf(w, "\n| module | exhausted and quiet | run natively %d times | fewer times | with a failure |\n| --- | --- | --- | --- | --- |\n", runs)
	var all []confirmed
	line := func(name string, cs []confirmed) {
		whole, failed := 0, 0
		for i := range cs {
			if cs[i].runs >= runs {
				whole++
			}
			if len(cs[i].failures) > 0 {
				failed++
			}
		}
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d |\n", name, len(cs), whole, len(cs)-whole, failed)
	}
	for _, r := range rows {
		line(r.version, r.confirmed)
		all = append(all, r.confirmed...)
	}
	line("all", all)
	fmt.Fprintln(w, "\nwhat fails natively though the entry is exhausted and quiet:")
	for _, c := range all {
		for _, f := range c.failures {
			fmt.Fprintf(w, "%s: %s\n", c.test, f)
		}
	}
	fmt.Fprintln(w, "\nwhat fails only where runs share a process:")
	for _, c := range all {
		for _, f := range c.repeated {
			fmt.Fprintf(w, "%s: %s\n", c.test, f)
		}
	}
	var few bytes.Buffer
	for _, c := range all {
		if c.runs < runs && len(c.failures)+len(c.repeated) == 0 {
			fmt.Fprintf(&few, "%s: %d\n", c.test, c.runs)
		}
	}
	if few.Len() > 0 {
		fmt.Fprintf(w, "\nwhat was run fewer times, for it takes long:\n%s", strings.TrimSuffix(few.String(), "\n")+"\n")
	}
}
