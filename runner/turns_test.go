package runner

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
)

// stressful writes a module of packages with one stress test each, first in its file, and some small tests behind it.
// The first package also has a test with a leak.
func stressful(t *testing.T, packages, small int) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/s\n\ngo 1.26\n")
	for i := range packages {
		name := fmt.Sprintf("p%d", i)
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		fmt.Fprintf(&b, "package %s\n\nimport (\n\t\"sync\"\n\t\"testing\"\n)\n", name)
		b.WriteString(`
func count(workers, rounds int) (n int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range rounds {
				mu.Lock()
				n = 3*n + i*j
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	return n
}

func TestStress(t *testing.T) { count(4, 12) }
`)
		if i == 0 {
			b.WriteString("\nfunc TestLeaky(t *testing.T) {\n\tgo func() { <-make(chan int) }()\n}\n")
		}
		for j := range small {
			fmt.Fprintf(&b, "\nfunc TestSmall%d(t *testing.T) { count(2, 1) }\n", j)
		}
		write(t, filepath.Join(dir, name), "s_test.go", b.String())
	}
	return dir
}

// TestTurns shows that small tests of all packages are reported before the stress tests that stand before them, and
// that all have an answer. The bytes do not depend on the number of workers. What was reported before an interrupt is
// as without it.
func TestTurns(t *testing.T) {
	packages, small := 2, 2
	if long.On() {
		packages, small = 3, 98
	}
	dir := stressful(t, packages, small)
	args := []string{"-cache=off", "-limit.work=12", "./..."}
	whole := cutIn(t, dir, 0, nil, append([]string{"-workers=1"}, args...)...)
	smalls := packages*small + 1
	if n := packages + smalls; len(whole.stats) != n || whole.code != exitFindings {
		t.Fatalf("%d entries have an answer, want %d; exit code %d\n%s", len(whole.stats), n, whole.code, whole.err)
	}
	for i, s := range whole.stats {
		stress := i >= smalls
		if (s.Entry == "TestStress") != stress || (s.Verdict == "exhausted") == stress {
			t.Errorf("entry %d is %s of %s: %s %s", i, s.Entry, s.Package, s.Verdict, s.Reason)
		}
	}
	if found, last := strings.Index(whole.all, "goroutine leak"), strings.Index(whole.all, "TestStress"); found < 0 || last < found || strings.Count(whole.all, "(goroutineleak)") != 1 {
		t.Errorf("the leak is not told before the stress tests, once:\n%s", whole.all)
	}
	if two := cutIn(t, dir, 0, nil, append([]string{"-workers=2"}, args...)...); two.err != whole.err || !slices.EqualFunc(two.stats, whole.stats, func(a, b statsLine) bool { return marshal(t, a) == marshal(t, b) }) {
		t.Errorf("two workers write\n%s\nand one\n%s", two.err, whole.err)
	}
	var moments []int
	for i := range 2 * smalls { // among them some at which the first turn of TestStress is over its limit and not at its end
		moments = append(moments, 1+i)
	}
	if long.On() {
		moments = nil
		for i := range 10 {
			moments = append(moments, 1+i*(whole.executions-2)/9)
		}
	}
	for _, n := range moments {
		r := cutIn(t, dir, n, (*explore.Stop).Ask, append([]string{"-p=1", "-workers=1"}, args...)...)
		if !strings.HasPrefix(whole.all, r.before) {
			t.Errorf("after %d executions: this is told, and without an interrupt something else:\n%s", n, r.before)
		}
		if ended := strings.Count(r.before, " runs"); len(r.stats) < ended {
			t.Errorf("after %d executions: %d entries had ended, and %d are in the statistics", n, ended, len(r.stats))
		}
		for _, s := range r.stats {
			if s.Reason == explore.Interrupted {
				continue
			}
			if was := whole.of(s); marshal(t, s) != marshal(t, was) {
				t.Errorf("after %d executions: %s of %s is in the statistics as\n%s\nwithout an interrupt it is\n%s", n, s.Entry, s.Package, marshal(t, s), marshal(t, was))
			}
		}
		if !strings.HasSuffix(r.err, "; interrupted\n") && r.err != whole.err { // at the last execution there may be nothing left to cut off
			t.Errorf("after %d executions: the last line does not say that it was interrupted:\n%s", n, r.err)
		}
	}
}

// besideTests are entries that are explored side by side, and what goes from one to the other: a race that two
// parallel tests have, one that another test has shown by itself, and output in the order of entries.
const besideTests = `package p

import (
	"sync"
	"testing"
)

var met, alone int

func inc() { alone++ }

func TestA(t *testing.T) { t.Parallel(); met++; inc() }
func TestB(t *testing.T) { t.Parallel(); met++; inc() }

func TestAlone(t *testing.T) {
	var wg sync.WaitGroup
	wg.Go(inc)
	inc()
	wg.Wait()
}

func TestMany(t *testing.T) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for i := range 4 {
		wg.Go(func() {
			for range 2 {
				mu.Lock()
				n = n*3 + i
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

func TestLeak(t *testing.T) { go func() { <-make(chan int) }() }

func TestFails(t *testing.T) {
	c := make(chan int, 2)
	go func() { c <- 1 }()
	go func() { c <- 2 }()
	if <-c == 2 {
		t.Error("two")
	}
}
`

// TestBytesAreTheSameSideBySide: the bytes are the same for any number of entries side by side, with a heap in which
// only one has room, and with a machine for each entry.
func TestBytesAreTheSameSideBySide(t *testing.T) {
	dir := stressful(t, 1, 1)
	for _, name := range []string{"beside", "other"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), "p_test.go", besideTests)
	}
	args := []string{"-cache=off", "-limit.work=3", "./..."}
	one := cutIn(t, dir, 0, nil, append([]string{"-p=1"}, args...)...)
	if one.code != exitFindings || len(one.stats) != 17 || strings.Count(one.all, "4 pairs of accesses tried, 2 findings") != 2 {
		t.Fatalf("exit code %d, %d entries\n%s", one.code, len(one.stats), one.all)
	}
	for _, more := range [][]string{{"-p=2"}, {"-p=5"}, {"-p=5", "-limit.heap=1"}, {"-p=3", "-workers=1"}} {
		r := cutIn(t, dir, 0, nil, append(more, args...)...)
		if r.out != one.out || r.err != one.err || r.all != one.all || r.code != one.code {
			t.Errorf("%v: exit code %d\n%s\nwith -p=1: %d\n%s", more, r.code, r.all, one.code, one.all)
		}
		if !slices.EqualFunc(r.stats, one.stats, func(a, b statsLine) bool { return marshal(t, a) == marshal(t, b) }) {
			t.Errorf("%v: the statistics differ", more)
		}
	}
}
