package predict

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/sample"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/race"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// told returns what one execution of a program, and what is predicted from it, show.
func told(m sched.Machine, s sched.Scheduler) (*explore.Result, *Search) {
	x := explore.NewSession(m, explore.Limits{})
	p := New(x)
	p.Look(x.Execute(s))
	return x.Close(), p
}

// TestRandomPredictions predicts from one execution of random programs. Brute force knows all that is found, and much
// of what it knows is found.
func TestRandomPredictions(t *testing.T) {
	known, found, shown, deadlocks, blocked, predicted := 0, 0, 0, 0, 0, 0
	for seed := range uint64(long.Pick(60, 400)) {
		mix := []litmus.Mix{litmus.Memory | litmus.Locks, litmus.Locks, litmus.All, litmus.Groups | litmus.Memory}[seed%4]
		p := litmus.Generate(seed, mix, 4, 10)
		want := litmustest.Enumerate(p, 1500, nil)
		if want == nil {
			continue
		}
		got, all := oracle.NewResult(), 0
		r, search := told(p, sched.RunToBlock{})
		predicted += search.Shown
		litmustest.AddRaces(got, r.Findings)
		for key := range got.Races {
			if all++; !want.Races[key] {
				t.Errorf("program %d: the race %s is found, and brute force has none\n%s", seed, key, p)
			}
		}
		known, found = known+len(want.Races), found+all
		shown += len(race.Of(p.Run(sched.RunToBlock{}, sched.Options{})))
		for _, f := range r.Findings {
			if f.Category != report.Deadlock && f.Category != report.GoroutineLeak {
				continue
			}
			deadlocks++
			if key := oracle.BlockedKey(f.Witness); !want.Blocked[key] {
				t.Errorf("program %d: %q is found blocked, brute force has %v\n%s", seed, key, slices.Collect(maps.Keys(want.Blocked)), p)
			}
		}
		blocked += len(want.Blocked)
	}
	t.Logf("of %d races %d are found from one execution, which shows %d itself; %d executions that end blocked, brute force has %d", known, found, shown, deadlocks, blocked)
	if found < known/2 || predicted == 0 {
		t.Errorf("%d of %d races and %d of %d blocked sets are found, %d by prediction", found, known, deadlocks, blocked, predicted)
	}
}

// meeting are programs with long loops in which goroutines must meet at places far from each other. In the first of
// each pair they can, in the second a near miss keeps them apart.
func meeting() map[string][2]*litmus.Program {
	r, w, l, u := litmus.R, litmus.W, litmus.L, litmus.U
	// busy is a loop in which a goroutine takes a lock, and writes what is its own.
	busy := func(n, own int) []litmus.Op { return litmustest.Loop(n, l(9), w(own, 1), u(9)) }
	cat := func(parts ...[]litmus.Op) []litmus.Op { return slices.Concat(parts...) }
	program := func(threads ...[]litmus.Op) *litmus.Program { // what comes first lies in a window of its own
		all := append([][]litmus.Op{litmustest.Loop(windowEvents*3/4, w(8, 1))}, threads...)
		for i := range threads {
			all[0] = append(all[0], litmus.Spawn(i+1))
		}
		return &litmus.Program{Threads: all}
	}
	idle := busy(20, 7)
	// The first write is behind an early lock of its goroutine, the other far behind.
	race := func(last litmus.Op) *litmus.Program {
		return program(cat([]litmus.Op{w(0, 1), l(0), u(0)}, busy(25, 5)), cat(busy(35, 6), []litmus.Op{l(0), u(0), last}), idle)
	}
	cycle := func(gate ...litmus.Op) *litmus.Program {
		out := slices.Clone(gate)
		for i := range out {
			out[i].Code = litmus.Unlock
		}
		return program(cat(gate, []litmus.Op{l(0), l(1), u(1), u(0)}, out, busy(25, 5)), cat(busy(35, 6), gate, []litmus.Op{l(1), l(0), u(0), u(1)}, out), idle)
	}
	three := func(third [2]int) *litmus.Program {
		two := func(a, b int) []litmus.Op { return []litmus.Op{l(a), l(b), u(b), u(a)} }
		return program(two(0, 1), cat(busy(25, 5), two(1, 2)), cat(busy(35, 6), two(third[0], third[1])), idle)
	}
	return map[string][2]*litmus.Program{
		"race behind a lock": {race(w(0, 2)), race(r(1))},
		"AB-BA":              {cycle(), cycle(l(3))},
		"three locks":        {three([2]int{2, 0}), three([2]int{0, 2})},
	}
}

// TestWindows finds what lies in one window of a long execution.
func TestWindows(t *testing.T) {
	for name, pair := range meeting() {
		for i, p := range pair {
			r, search := told(p, sched.RunToBlock{})
			if first := p.Run(sched.RunToBlock{}, sched.Options{}); len(first.Events) < windowEvents || len(explore.Shown(first)) > 0 {
				t.Fatalf("%s: an execution has %d events, and shows %d failures itself", name, len(first.Events), len(explore.Shown(first)))
			}
			if found := len(r.Findings) > 0; found != (i == 0) || (search.Shown > 0) != found {
				t.Errorf("%s, program %d: %d findings, %d predictions were shown", name, i, len(r.Findings), search.Shown)
			}
		}
	}
}

// TestHeldBeforeAWindow: a lock that is held when a window begins keeps goroutines apart in it.
func TestHeldBeforeAWindow(t *testing.T) {
	w, l, u := litmus.W, litmus.L, litmus.U
	own := func(n, x int) []litmus.Op { return litmustest.Loop(n, w(x, 1)) }
	p := &litmus.Program{Threads: litmustest.Threads(slices.Concat([]litmus.Op{l(0)}, own(windowEvents, 5), []litmus.Op{w(0, 1), u(0)}), []litmus.Op{l(0), w(0, 2), u(0)})}
	if r, s := told(p, sched.RunToBlock{}); len(r.Findings) > 0 || r.Stats.Queries > 0 {
		t.Errorf("%d findings after %d questions, %d shown", len(r.Findings), r.Stats.Queries, s.Shown)
	}
}

// changing is a machine that runs one program once, and then another. What was predicted from the first cannot be
// shown.
type changing struct {
	first, then sched.Machine
	runs        int
}

func (c *changing) Run(s sched.Scheduler, o sched.Options) *trace.Trace {
	if c.runs++; c.runs == 1 {
		return c.first.Run(s, o)
	}
	return c.then.Run(s, o)
}

// TestOnlyWhatIsShown: what no execution has shown is not reported, and is given up in the end.
func TestOnlyWhatIsShown(t *testing.T) {
	for name, pair := range meeting() {
		m := &changing{first: pair[0], then: pair[1]}
		x := explore.NewSession(m, explore.Limits{})
		s, first := New(x), x.Execute(sched.RunToBlock{})
		for range 2 * tries {
			s.Look(first)
		}
		if r := x.Close(); len(r.Findings) > 0 || s.Shown > 0 || m.runs != 1+tries {
			t.Errorf("%s: %d findings, %d shown, in %d runs, want %d", name, len(r.Findings), s.Shown, m.runs, 1+tries)
		}
	}
}

// TestOrdered: what the start of a goroutine orders, or its end, is asked about, and not tried.
func TestOrdered(t *testing.T) {
	w := litmus.W
	p := &litmus.Program{Threads: [][]litmus.Op{
		{w(0, 1), litmus.A(0, 1), litmus.Spawn(1), litmus.Wait(0), w(0, 3)}, {w(0, 2), litmus.A(0, -1)}}}
	if r, _ := told(p, sched.RunToBlock{}); len(r.Findings) > 0 || r.Stats.Queries < 2 || r.Stats.Replays > 0 {
		t.Errorf("%d findings, %d questions, %d replays", len(r.Findings), r.Stats.Queries, r.Stats.Replays)
	}
}

// TestShare: predictions take their part of the work, and no more (PRED6). There is always something to ask: what one
// goroutine writes before it starts another, that one reads.
func TestShare(t *testing.T) {
	p := &litmus.Program{Threads: [][]litmus.Op{nil, nil}}
	for i := range 100 {
		p.Threads[0], p.Threads[1] = append(p.Threads[0], litmus.W(i, 1)), append(p.Threads[1], litmus.R(i))
	}
	p.Threads[0] = append(p.Threads[0], litmus.Spawn(1))
	x := explore.NewSession(p, explore.Limits{Work: 20_000_000})
	s := New(x)
	for range 20 {
		s.Look(x.Execute(sched.RunToBlock{}))
	}
	most := x.Limits.Work/firstShare + x.Result.Stats.Work/share
	if over := s.spent - most; s.spent < most/2 || over > 500_000 { // what is begun is ended
		t.Errorf("predictions took %d of %d work, want %d at most", s.spent, x.Result.Stats.Work, most)
	}
}

// TestSamplingMisses: of stress programs with a bug that few schedules meet, samples show nothing. With what is
// predicted from them they do.
func TestSamplingMisses(t *testing.T) {
	for name, pair := range meeting() {
		for i, p := range pair {
			var found [2]int
			for k := range found {
				s := explore.NewSession(p, explore.Limits{Executions: 12})
				x := sample.Explorer{Both: true}
				if k == 1 {
					x.Then = New(s).Look
				}
				x.Continue(s)
				found[k] = len(s.Close().Findings)
			}
			if want := 1 - i; found[0] != 0 || found[1] != want {
				t.Errorf("%s, program %d: %d findings without prediction, %d with, want 0 and %d", name, i, found[0], found[1], want)
			}
		}
	}
}

// TestNearFirst shows in which order candidates are asked about: near ones first, and then those with early events. The
// keys have numbers of sites, which depend on what else the process has explored: they change nothing.
func TestNearFirst(t *testing.T) {
	want := [][]int{{7, 8}, {0, 2}, {0, 1, 2}, {4, 6}, {1, 5}}
	for _, keys := range []string{"abcde", "edcba", "cadbe"} {
		var found []candidate
		for i, events := range want {
			found = append(found, candidate{key: keys[i : i+1], race: i%2 == 0, events: events})
		}
		slices.SortFunc(found, func(a, b candidate) int { return strings.Compare(a.key, b.key) })
		slices.SortStableFunc(found, func(a, b candidate) int { return a.compare(&b) })
		var got [][]int
		for _, c := range found {
			got = append(got, c.events)
		}
		if want := [][]int{{7, 8}, {0, 1, 2}, {0, 2}, {4, 6}, {1, 5}}; !reflect.DeepEqual(got, want) {
			t.Errorf("with keys %s: %v, want %v", keys, got, want)
		}
	}
}
