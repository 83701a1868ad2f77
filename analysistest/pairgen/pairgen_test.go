package pairgen

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
)

// TestRecorded compares the programs of testdata with what they did natively, which the command random has recorded
// (docs/oracle.md). Each of them is exhausted.
func TestRecorded(t *testing.T) {
	text, err := os.ReadFile("testdata/recorded.txt")
	if err != nil {
		t.Fatal(err)
	}
	rs, err := CompareRecorded(string(text), "")
	if err != nil {
		t.Fatal(err)
	}
	if long.On() { // the others take the programs in turn
		others := slices.DeleteFunc(explorers.Names(), func(n string) bool {
			return explorers.Samples(n) || n == "bruteforce" || n == "delay" || n == explorers.Default
		})
		parts := make([]strings.Builder, len(others))
		n := 0
		for line := range strings.Lines(string(text)) {
			if !strings.HasPrefix(line, "#") {
				parts[n%len(others)].WriteString(line)
				n++
			}
		}
		for k, name := range others {
			more, err := CompareRecorded(parts[k].String(), name)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range more {
				if len(r.Problems) > 0 {
					t.Errorf("%s: %s\n%s", name, strings.Join(r.Problems, "\n"), r.Text())
				}
			}
		}
	}
	for _, r := range rs {
		if len(r.Problems) > 0 || r.Verdict != "exhausted" {
			t.Errorf("%s\n%s", strings.Join(r.Problems, "\n"), r.Text())
		}
	}
}

// TestMissing drops nothing: a program whose outcome is said to be another one differs, in both ways.
func TestMissing(t *testing.T) {
	rs, err := CompareRecorded("/ atomics.0 / atomics.0\t01 \"never\"\nplain.0 / plain.1 / plain.1\t01 \"x\"\trace +1 +2\n", "")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]string{{"an outcome that no order has", "the outcome of order 01 is missing: never"}, {"an outcome that no order has", "the outcome of order 01 is missing: x", "the race of lines +1 +2 is missing"}} {
		for _, w := range want {
			if !slices.ContainsFunc(rs[i].Problems, func(p string) bool { return strings.HasPrefix(p, w) }) {
				t.Errorf("%s: no %q in %q", rs[i].Program, w, rs[i].Problems)
			}
		}
	}
}

// TestWorlds compiles every operation of every world.
func TestWorlds(t *testing.T) {
	ws, err := worlds()
	if err != nil {
		t.Fatal(err)
	}
	objects := map[string]string{}
	var ps []*Program
	for _, w := range ws {
		p := &Program{threads: [][]call{nil}}
		for i := range w.ops {
			p.threads[0] = append(p.threads[0], call{w, i})
		}
		for _, n := range w.names() {
			if other := objects[n]; other != "" {
				t.Errorf("%s and %s both have %s", w.name, other, n)
			}
			objects[n] = w.name
		}
		ps = append(ps, p)
		for _, c := range p.calls() {
			if q, err := Parse("/" + c.String()); err != nil || fmt.Sprint(q) != "/ "+c.String() {
				t.Errorf("%s is read as %v, %v", c, q, err)
			}
		}
	}
	if _, err := load(ps, make([]Native, len(ps))); err != nil {
		t.Error(err)
	}
}
