package delay

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// against compares each bound with brute force. What schedules with at most so many delays show is met, no more than
// that many are executed, and nothing is met that no schedule shows. It returns what differs, and how many schedules
// were not executed.
func against(m sched.Machine, by []*oracle.Result) (wrong []string, saved int) {
	all := oracle.NewResult()
	for _, l := range by {
		all.Merge(l)
	}
	upTo, schedules := oracle.NewResult(), 0
	for bounds := 1; bounds <= len(by)+1; bounds++ {
		if bounds <= len(by) {
			upTo.Merge(by[bounds-1])
			schedules += by[bounds-1].Executions
		}
		got := oracle.NewResult()
		x := &Explorer{Bounds: bounds, Observe: func(t *trace.Trace) { got.Add(t) }}
		if bounds > len(by) {
			x.Bounds = 0
		}
		r := x.Explore(m, explore.Limits{Executions: math.MaxInt, Events: math.MaxInt, Work: math.MaxInt64})
		litmustest.AddRaces(got, r.Findings)
		for _, s := range upTo.Missing(got) {
			wrong = append(wrong, fmt.Sprintf("%d bounds miss %s", bounds, s))
		}
		for _, s := range got.Missing(all) {
			wrong = append(wrong, fmt.Sprintf("%d bounds invent %s", bounds, s))
		}
		if r.Stats.Executions > schedules {
			wrong = append(wrong, fmt.Sprintf("%d bounds have %d executions, and %d schedules", bounds, r.Stats.Executions, schedules))
		}
		exhausted := r.Verdict == explore.Exhausted
		if !exhausted && (bounds >= len(by) || r.Delays != bounds) {
			wrong = append(wrong, fmt.Sprintf("%d bounds of %d: %s, %d done: %s", bounds, len(by), r.Verdict, r.Delays, r.Reason))
		}
		saved += schedules - r.Stats.Executions
		if exhausted {
			for _, s := range all.Missing(got) {
				wrong = append(wrong, fmt.Sprintf("%d bounds are all, and miss %s", bounds, s))
			}
		}
	}
	return wrong, saved
}

// TestAgainstBruteForce compares all bounds of random programs with brute force.
func TestAgainstBruteForce(t *testing.T) {
	for _, mix := range []struct {
		name string
		mix  litmus.Mix
	}{
		{"memory", litmus.Memory}, {"locks", litmus.Locks | litmus.Memory}, {"chans", litmus.Chans}, {"selects", litmus.Selects | litmus.Chans}, {"groups", litmus.Groups | litmus.Memory},
		{"sync", litmus.Sync | litmus.Memory}, {"panics", litmus.Panics | litmus.Memory},
	} {
		t.Run(mix.name, func(t *testing.T) {
			compared, deepest, saved := 0, 0, 0
			for i := range long.Pick[uint64](40, 500) {
				p := litmus.Generate(i, mix.mix, 4, 8)
				by, ok := oracle.SearchDelays(p, math.MaxInt, 200)
				if !ok {
					continue
				}
				compared, deepest = compared+1, max(deepest, len(by)-1)
				wrong, fewer := against(p, by)
				if saved += fewer; len(wrong) > 0 {
					t.Fatalf("program %d: %v\n%s", i, p, strings.Join(wrong, "\n"))
				}
			}
			if compared < 5 || deepest < 3 || saved == 0 && mix.mix&litmus.Memory != 0 {
				t.Errorf("%d programs were small enough, with up to %d delays; %d schedules were not executed", compared, deepest, saved)
			}
		})
	}
}

// TestReceived has a goroutine that comes from a local operation to a select with two cases for one sender (DELAY4).
// Passing it over at the first is one delay. At the select the sender's two other transitions come first.
func TestReceived(t *testing.T) {
	take := litmus.Op{Code: litmus.Select, Cases: []litmus.Case{{}, {}}}
	p := &litmus.Program{Threads: [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2), litmus.R(0), take}, {litmus.Rcv(0)}, {litmus.S(0, 1)}}}
	by, ok := oracle.SearchDelays(p, math.MaxInt, 200)
	if wrong, _ := against(p, by); !ok || len(wrong) > 0 {
		t.Errorf("%v\n%s", p, strings.Join(wrong, "\n"))
	}
}

// atOneLock is n goroutines that each take one lock once and count.
func atOneLock(n int) *litmus.Program {
	p := &litmus.Program{Threads: [][]litmus.Op{nil}}
	for i := 1; i <= n; i++ {
		p.Threads[0] = append(p.Threads[0], litmus.Spawn(i))
		p.Threads = append(p.Threads, []litmus.Op{litmus.L(0), litmus.Do(litmus.Add, 0, 1, 0), litmus.U(0)})
	}
	return p
}

// TestPolynomial shows that at one lock no more is executed than there are ways to spread k delays over the steps,
// whose number is linear in that of the goroutines. With the long tests, and -v, it prints the table of
// docs/explorers.md.
func TestPolynomial(t *testing.T) {
	sizes := []int{4, 8, 16}
	switch {
	case long.On() && testing.Verbose():
		sizes = append(sizes, 32, 64) // a minute
	case long.On():
		sizes = append(sizes, 32)
	}
	for _, k := range []int{1, 2} {
		for _, n := range sizes {
			r := (&Explorer{Bounds: k + 1}).Explore(atOneLock(n), explore.Limits{Executions: math.MaxInt, Events: math.MaxInt, Work: math.MaxInt64})
			t.Logf("N = %d, up to %s: %d executions", n, explore.Delays(k), r.Stats.Executions)
			steps := 5*n + 2 // go, three operations and the end of each
			most := 1 + steps
			if k == 2 {
				most += steps * (steps + 1) / 2
			}
			if r.Delays != k+1 || r.Stats.Executions > most {
				t.Errorf("N = %d, k = %d: %d bounds are done in %d executions, at most %d are expected", n, k, r.Delays, r.Stats.Executions, most)
			}
		}
	}
}

// TestLocal shows where nobody departs (DELAY1): from what each goroutine does to a variable or a map of its own, and
// from what all read. Where one of them writes what another reads, both orders are executed.
func TestLocal(t *testing.T) {
	set, get := func(m, key int) litmus.Op { return litmus.Do(litmus.MapSet, m, key, 1) }, func(m, key int) litmus.Op { return litmus.Do(litmus.MapGet, m, key, 0) }
	for _, test := range []struct {
		name        string
		one, two    []litmus.Op
		most, least int // executions
	}{
		{"variables of their own", []litmus.Op{litmus.W(0, 1), litmus.R(0)}, []litmus.Op{litmus.W(1, 1), litmus.R(1)}, 6, 1},
		{"maps of their own", []litmus.Op{set(0, 1), get(0, 1)}, []litmus.Op{set(1, 1), get(1, 1)}, 6, 1},
		{"keys of their own", []litmus.Op{get(0, 1), get(0, 1)}, []litmus.Op{get(0, 2), get(0, 1)}, 6, 1},
		{"a key that one sets", []litmus.Op{set(0, 1), get(0, 1)}, []litmus.Op{get(0, 1), get(0, 2)}, 44, 7},
		{"a key that another sets", []litmus.Op{get(0, 1), get(0, 1)}, []litmus.Op{get(0, 2), set(0, 1)}, 44, 7},
	} {
		p := &litmus.Program{Threads: [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2)}, test.one, test.two}}
		r := new(Explorer).Explore(p, explore.Limits{})
		if r.Verdict != explore.Exhausted || r.Stats.Executions < test.least || r.Stats.Executions > test.most {
			t.Errorf("%s: %s, %d executions, %d to %d are expected", test.name, r.Verdict, r.Stats.Executions, test.least, test.most)
		}
	}
}
