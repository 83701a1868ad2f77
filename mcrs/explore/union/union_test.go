package union

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// local collects the complete histories of the goroutines of an execution: of those that ended, and of those blocked
// for ever.
func local(into map[string]bool, t *trace.Trace) {
	hist := make([]strings.Builder, len(t.Threads))
	ended := make([]bool, len(t.Threads))
	over := false
	for i := range t.Events {
		e := &t.Events[i]
		r := trace.ReplyOf(e)
		hist[e.Thread].WriteString(oracle.Told(r))
		ended[e.Thread] = e.Kind == event.End || e.Kind == event.Panic || e.Kind == event.Exit
		over = over || e.Kind == event.Panic || e.Kind == event.Exit
	}
	for i := range t.Threads {
		if ended[i] || !over && t.Status != trace.Stopped {
			into[string(t.Threads[i].ID)+": "+hist[i].String()] = true
		}
	}
}

// unionAgainst compares union with brute force, with and without merging; it returns what differs.
func unionAgainst(p sched.Machine, next func() *Engine, limit int) (diff []string, skipped bool) {
	wantLocal := make(map[string]bool)
	want := litmustest.Enumerate(p, limit, func(t *trace.Trace) { local(wantLocal, t) })
	if want == nil {
		return nil, true
	}
	for _, off := range []bool{true, false} {
		e := next()
		e.NoMerge, e.MergeFirst, e.Apart, e.Eager = off, true, off, true
		for _, d := range unionDiffers(p, e, want, wantLocal) {
			diff = append(diff, fmt.Sprintf("merging off %v: %s", off, d))
		}
	}
	return diff, false
}

// unionDiffers explores with one engine. With merging, goroutines with equal futures stand for each other: then sets of
// blocked sites are compared, whoever stands there. A goroutine's graph must have a way for each of its histories, and
// where nodes are histories no other.
func unionDiffers(p sched.Machine, e *Engine, want *oracle.Result, wantLocal map[string]bool) (diff []string) {
	merge := !e.Apart
	got, gotLocal := oracle.NewResult(), make(map[string]bool)
	x := &Explorer{Engine: e, Alone: true, Observe: func(t *trace.Trace) {
		got.Add(t)
		local(gotLocal, t)
	}}
	res := x.Explore(p, explore.Limits{Executions: 100000})
	for _, f := range res.Findings {
		if f.Category == report.DataRace {
			got.Races[oracle.RaceKey(f.Witness.Events[f.Events[0]].Site, f.Witness.Events[f.Events[1]].Site)] = true
		}
	}
	say := func(format string, args ...any) { diff = append(diff, fmt.Sprintf(format, args...)) }
	if res.Verdict != explore.Exhausted {
		say("%s: %s", res.Verdict, res.Reason)
	}
	if res.Stats.Histories != len(wantLocal) && !merge {
		say("%d histories, want %d", res.Stats.Histories, len(wantLocal))
	}
	set := func(what string, got, want map[string]bool) {
		for _, k := range slices.Sorted(maps.Keys(want)) {
			if !got[k] {
				say("%s missing: %s", what, k)
			}
		}
		for _, k := range slices.Sorted(maps.Keys(got)) {
			if !want[k] {
				say("%s too many: %s", what, k)
			}
		}
	}
	for h := range gotLocal {
		if !wantLocal[h] {
			say("executed, but not by brute force: %s", h)
		}
	}
	if merge {
		for h := range wantLocal {
			id, told, _ := strings.Cut(h, ": ")
			if !e.Knows(event.ThreadID(id), told, oracle.Told) {
				say("history missing: %s", h)
			}
		}
		set("blocked", sites(got.Blocked), sites(want.Blocked))
	} else {
		known := make(map[string]bool)
		e.Histories(func(id event.ThreadID, rs []trace.Reply) {
			var b strings.Builder
			for _, r := range rs {
				b.WriteString(oracle.Told(r))
			}
			known[string(id)+": "+b.String()] = true
		})
		set("history", known, wantLocal)
		set("blocked", got.Blocked, want.Blocked)
	}
	set("race", got.Races, want.Races)
	set("failure", failuresOf(got), failuresOf(want))
	return diff
}

// sites leaves the names of goroutines out of blocked sets.
func sites(blocked map[string]bool) map[string]bool {
	out := make(map[string]bool)
	for b := range blocked {
		parts := strings.Split(b, ", ")
		for i, p := range parts {
			_, parts[i], _ = strings.Cut(p, " ")
		}
		slices.Sort(parts)
		out[strings.Join(parts, ", ")] = true
	}
	return out
}

// TestUnionRandom compares union with brute force on random programs over all primitives: the local histories,
// failures, races and blocked sets.
func TestUnionRandom(t *testing.T) {
	n := unionCount()
	skippedAll := 0
	for i := *unionFrom; i < *unionFrom+n; i++ {
		mix := litmustest.Mixes[i%len(litmustest.Mixes)]
		p := litmus.Generate(uint64(i), mix, 4, 9)
		diff, skipped := unionAgainst(p, New, long.Pick(1000, 3000))
		if skipped {
			skippedAll++
			continue
		}
		if len(diff) > 0 {
			t.Fatalf("program %d, mix %d:\n%v\n%s", i, mix, p, strings.Join(diff, "\n"))
		}
	}
	t.Logf("%d programs, %d too large for brute force", n, skippedAll)
	if skippedAll > n/2 {
		t.Errorf("%d of %d programs were too large", skippedAll, n)
	}
}

// TestUnionTallies does so with atomic additions whose results nobody looks at, in place of others and of half the
// writes (UMEM3, RED15).
func TestUnionTallies(t *testing.T) {
	compared, n := 0, unionCount()/2
	for i := *unionFrom; i < *unionFrom+n; i++ {
		p := litmus.Tallying(litmus.Generate(uint64(i)+1<<41, []litmus.Mix{litmus.Memory, litmus.Memory | litmus.Locks, litmus.Memory | litmus.Groups, litmus.All}[i%4], 4, 9))
		diff, skipped := unionAgainst(p, New, long.Pick(1000, 3000))
		if len(diff) > 0 {
			t.Fatalf("program %d:\n%v\n%s", i, p, strings.Join(diff, "\n"))
		}
		if !skipped {
			compared++
		}
	}
	if t.Logf("%d of %d programs compared", compared, n); compared < n/2 {
		t.Errorf("only %d of %d programs were small enough", compared, n)
	}
}

// TestUnionElements does so with channels that have room, and equal elements (RED17), in selects as well.
func TestUnionElements(t *testing.T) {
	compared, n := 0, unionCount()/2
	for i := *unionFrom; i < *unionFrom+n; i++ {
		p := litmus.Alike(litmus.Generate(uint64(i)+1<<42, []litmus.Mix{litmus.Chans, litmus.Chans | litmus.Memory, litmus.Chans | litmus.Groups, litmus.Chans | litmus.Selects}[i%4], 4, 9))
		diff, skipped := unionAgainst(p, New, long.Pick(1000, 3000))
		if len(diff) > 0 {
			t.Fatalf("program %d:\n%v\n%s", i, p, strings.Join(diff, "\n"))
		}
		if !skipped {
			compared++
		}
	}
	if t.Logf("%d of %d programs compared", compared, n); compared < n/2 {
		t.Errorf("only %d of %d programs were small enough", compared, n)
	}
}

// TestProgramsThatUnionOnceDifferedOn repeats programs on which union once differed: a cell that becomes shared late,
// an access of several cells of which some do, an Unlock of what another holds, a select with default that others may
// meet, and, on the last ones, whom RED18 leaves out before a default is known (RED19).
func TestProgramsThatUnionOnceDifferedOn(t *testing.T) {
	for _, f := range []struct {
		seed uint64
		mix  litmus.Mix
	}{{914, 17}, {509, 17}, {19, 2}, {36, 1}, {22, 12}, {31, 12}, {1093, 12}, {2902153, 12}, {2910091, 12}} {
		p := litmus.Generate(f.seed, f.mix, 4, 9)
		if diff, skipped := unionAgainst(p, New, 50000); len(diff) > 0 || skipped && f.mix != 12 {
			t.Errorf("program %d, mix %d, skipped %v:\n%v\n%s", f.seed, f.mix, skipped, p, strings.Join(diff, "\n"))
		}
	}
}

// TestUnionWithoutItsEconomies compares the engine without its economies with brute force: without the reduction, and
// with a sweep that begins again after each execution instead of waiting for the missing edge. They must find the same.
func TestUnionWithoutItsEconomies(t *testing.T) {
	compared, n := 0, unionCount()
	programs := make([]int, n/3)
	for i := range programs {
		programs[i] = i
	}
	for _, i := range append(programs, 101, 2800) { // 101: a compare-and-swap that fails; 2800: an Unlock that tells of another's Lock
		p := litmus.Generate(uint64(i)+1<<40, litmustest.Mixes[i%len(litmustest.Mixes)], 4, 8)
		for _, e := range []func(*Engine){func(e *Engine) { e.Full = true }, func(e *Engine) { e.Retry = true }} {
			next := func() *Engine {
				x := New()
				e(x)
				return x
			}
			x := next()
			diff, skipped := unionAgainst(p, next, 1000)
			if len(diff) > 0 {
				t.Fatalf("program %d, full %v, retry %v:\n%v\n%s", i, x.Full, x.Retry, p, strings.Join(diff, "\n"))
			}
			if !skipped {
				compared++
			}
		}
	}
	t.Logf("%d comparisons", compared)
	if compared < n/4 {
		t.Errorf("only %d comparisons", compared)
	}
}

// unionCount is how many random programs TestUnionRandom compares; others take a part of it.
func unionCount() int { return cmp.Or(*unionPrograms, long.Pick(240, 360)) }

var (
	unionPrograms = flag.Int("union.programs", 0, "random programs of TestUnionRandom; 0: 240, or 360 with the long tests")
	unionFrom     = flag.Int("union.from", 0, "number of the first random program of TestUnionRandom")
)
