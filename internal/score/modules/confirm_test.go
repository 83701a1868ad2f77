package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
)

// TestWatcher reads what runs of a test print.
func TestWatcher(t *testing.T) {
	w := &watcher{name: "TestA", end: func() {}}
	w.read(strings.NewReader(`=== RUN   TestA
--- PASS: TestA (0.00s)
=== RUN   TestA-2
=== RUN   TestA-2/sub
    a_test.go:7: no
        more
--- FAIL: TestA-2 (0.00s)
    --- FAIL: TestA-2/sub (0.00s)
=== RUN   TestAB
--- PASS: TestAB (0.00s)
=== RUN   TestA
--- SKIP: TestA (0.00s)
`))
	if want := []string{"test failure: a_test.go:7: no"}; w.ended != 3 || !slices.Equal(w.failures, want) {
		t.Errorf("%d runs, %q; want 3, %q", w.ended, w.failures, want)
	}
}

// TestRaces finds the lines of the user's code in a report of the detector.
func TestRaces(t *testing.T) {
	report := strings.ReplaceAll(`==================
WARNING: DATA RACE
Write at 0x00c000012345 by goroutine 9:
  runtime.mapassign()
      GOROOT/src/runtime/map.go:1 +0x1
  m.f()
      /x/m/b.go:12 +0x44

Previous read at 0x00c000012345 by goroutine 8:
  m.g()
      /x/m/a.go:30 +0x30

Goroutine 9 (running) created at:
  m.h()
      /x/m/c.go:1 +0x1
==================
    testing.go:1712: race detected during execution of test`, "GOROOT", goroot)
	if got, want := failuresOf(strings.Split(report, "\n")), []string{"data race: a.go:30, b.go:12"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := failuresOf([]string{"    --- FAIL: TestA/b (0.00s)"}); !slices.Equal(got, []string{"test failure"}) {
		t.Errorf("%q of a test that fails without a word", got)
	}
}

// TestLeaks names the user's function of each leaked goroutine.
func TestLeaks(t *testing.T) {
	profile := strings.ReplaceAll(`goroutineleak profile: total 3
2 @ 0x1 0x2
#	0x1	sync.(*Mutex).Lock+0x1	GOROOT/src/sync/mutex.go:46
#	0x2	m.f.func1+0x2	/x/m/a.go:5

1 @ 0x3
#	0x3	m.g+0x2	/x/m/b.go:6
`, "GOROOT", goroot)
	if got, want := leaksOf(profile), []string{"leak: m.f.func1 a.go:5", "leak: m.g b.go:6"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := leaksOf("goroutineleak profile: total 0\n"); len(got) > 0 {
		t.Errorf("%q of no leak", got)
	}
	if got := leaksOf(""); len(got) == 0 {
		t.Error("an empty profile tells of no leaks")
	}
}

// TestConfirm runs compiled tests of which each but one fails, or fails only after another run in the same process.
func TestConfirm(t *testing.T) {
	long.Only(t, "builds the standard library with the race detector")
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.25\n", "m_test.go": planted} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var tests []*test
	for _, name := range []string{"TestQuiet", "TestRace", "TestLeak", "TestFatal", "TestAgain"} {
		tests = append(tests, &test{Package: "m", Name: name})
	}
	got, err := (&native{cache: t.TempDir()}).confirm(tests, dir, 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []confirmed{
		{runs: 3},
		{runs: 3, failures: []string{"data race: m_test.go:10, m_test.go:11"}},
		{runs: 3, failures: []string{"leak: m.TestLeak.func1 m_test.go:14"}},
		{failures: []string{"fatal error: sync: unlock of unlocked mutex"}},
		{runs: 3, repeated: []string{"test failure: m_test.go:22: again"}},
	} {
		if c := got[i]; c.runs != want.runs || !slices.Equal(c.failures, want.failures) || !slices.Equal(c.repeated, want.repeated) {
			t.Errorf("%s: %d runs, failures %q, repeated %q; want %d, %q, %q", c.Name, c.runs, c.failures, c.repeated, want.runs, want.failures, want.repeated)
		}
	}
}

const planted = `package m

import ("sync"; "testing")

func TestQuiet(t *testing.T) {}

func TestRace(t *testing.T) {
	var wg sync.WaitGroup
	n := 0
	wg.Go(func() { n++ })
	n++
	wg.Wait()
}
func TestLeak(*testing.T) { go func() { <-make(chan int) }() }
func TestFatal(*testing.T) { new(sync.Mutex).Unlock() }

var runs int

func TestAgain(t *testing.T) {
	if runs++; runs > 1 {
		// an earlier run has left something
		t.Error("again")
	}
}
`
