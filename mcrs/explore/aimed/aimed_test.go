package aimed

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/plain"
	"github.com/heddle-go/heddle/mcrs/explore/sample"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/report"
)

// changedAt reports whether a site is one of these operations of a litmus program: goroutine and index.
func changedAt(ops ...[2]int) func(event.Site) bool {
	return func(s event.Site) bool {
		for _, o := range ops {
			if int(s) == o[0]*1000+o[1]+1 {
				return true
			}
		}
		return false
	}
}

// heldUp is a program that panics if two goroutines are held up between a load and a store, after n operations each
// that mean nothing, and the operations that have changed.
func heldUp(n int) (*litmus.Program, func(event.Site) bool) {
	var noise []litmus.Op
	for range n {
		noise = append(noise, litmus.L(0), litmus.U(0))
	}
	var changed [][2]int
	p := &litmus.Program{Threads: [][]litmus.Op{{litmus.A(0, 3), litmus.Spawn(1), litmus.Spawn(2), litmus.Spawn(3), litmus.Wait(0)}}}
	for i := 1; i <= 2; i++ { // both are inside at once
		ops := append(noise[:2*n:2*n], litmus.Do(litmus.Add, 0, 1, 0), litmus.Do(litmus.Add, 0, -1, 0))
		changed = append(changed, [2]int{i, 2 * n}, [2]int{i, 2*n + 1})
		p.Threads = append(p.Threads, append(append(ops, noise...), litmus.A(0, -1)))
	}
	p.Threads = append(p.Threads, append(append(noise[:2*n:2*n], litmus.Do(litmus.Load, 0, 0, 0), litmus.Do(litmus.Unless, 0, 2, 1), litmus.Do(litmus.Panic, 0, 0, 0)), litmus.A(0, -1)))
	return p, changedAt(changed...)
}

// TestHeldUp: a bug that shows where two goroutines are held up in changed code at once is met at once, and takes
// samples of all code much longer.
func TestHeldUp(t *testing.T) {
	p, changed := heldUp(20)
	lim := explore.Limits{Executions: 200}
	for _, x := range []struct {
		name string
		x    explore.Explorer
		want bool
	}{{"aimed", &Explorer{Changed: changed}, true}, {"PCT", &sample.Explorer{}, false}} {
		r := x.x.Explore(p, lim)
		found := false
		for i := range r.Findings {
			found = found || r.Findings[i].Category == report.Panics
		}
		if found != x.want || r.Verdict != explore.Incomplete {
			t.Errorf("%s: %s, found: %t, want %t", x.name, r.Verdict, found, x.want)
		}
	}
}

// TestNobodyComes: where no goroutine comes to changed code there is nothing to aim at.
func TestNobodyComes(t *testing.T) {
	p, _ := heldUp(4)
	r := (&Explorer{Changed: func(event.Site) bool { return false }}).Explore(p, explore.Limits{})
	if r.Stats.Executions > 2 || r.Verdict != explore.Incomplete {
		t.Errorf("%s after %d executions", r.Verdict, r.Stats.Executions)
	}
}

// TestInventsNothing: all that is shown brute force shows, too, and two explorations show the same.
func TestInventsNothing(t *testing.T) {
	compared, found := 0, 0
	for i := range uint64(60) {
		p := litmus.Generate(i, []litmus.Mix{litmus.Memory | litmus.Locks, litmus.Chans, litmus.Panics | litmus.Memory}[i%3], 3, 4)
		all := map[string]bool{}
		r := (plain.BruteForce{}).Explore(p, explore.Limits{Executions: 2000, Events: 1_000_000})
		if r.Verdict != explore.Exhausted {
			continue
		}
		compared++
		for _, f := range r.Findings {
			all[f.Key] = true
		}
		every := func(event.Site) bool { return true }
		first := (&Explorer{Changed: every}).Explore(p, explore.Limits{Executions: 60})
		again := (&Explorer{Changed: every}).Explore(p, explore.Limits{Executions: 60})
		if len(first.Findings) != len(again.Findings) || first.Stats.Work != again.Stats.Work {
			t.Errorf("program %d: %d findings and work %d, then %d and %d", i, len(first.Findings), first.Stats.Work, len(again.Findings), again.Stats.Work)
		}
		for _, f := range first.Findings {
			found++
			if !all[f.Key] && f.Category != report.DataRace { // brute force, as it stands, looks for no races
				t.Errorf("program %d: %s is invented\n%v", i, f.Key, p)
			}
		}
	}
	if compared < 10 || found < 10 {
		t.Errorf("%d programs with %d findings: they show nothing", compared, found)
	}
}
