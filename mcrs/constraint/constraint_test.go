package constraint

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/solver"
	"github.com/heddle-go/heddle/mcrs/solver/z3"
	"github.com/heddle-go/heddle/mcrs/trace"
)

type tally struct{ traces, states, sat, unsat, seedSteps, events int }

// compare asks every question about t and compares with enumerate; seeds are executed.
func compare(t *trace.Trace, n *tally) error { return compareIn(t, Encode(t), n) }

func compareIn(t *trace.Trace, e *Encoding, n *tally) error {
	want := enumerate(t)
	n.traces++
	n.states += want.states
	judge := func(what string, a Answer, expect bool, tail int, ends func(w *world, tail []int) bool) error {
		if a.Status == solver.Unknown || (a.Status == solver.Sat) != expect {
			return fmt.Errorf("%s: got %v (%s), enumeration says %v", what, a.Status, a.Why, expect)
		}
		if a.Status == solver.Unsat {
			n.unsat++
			return nil
		}
		n.sat++
		n.seedSteps += len(a.Seed)
		n.events += len(t.Events)
		w, last, err := follow(t, a.Seed, tail)
		if err != nil {
			return fmt.Errorf("%s: seed %v: %v", what, a.Seed, err)
		}
		if len(last) != tail || !ends(w, last) {
			return fmt.Errorf("%s: seed %v does not end as asked", what, a.Seed)
		}
		return nil
	}
	fixed := fixedEvents(t)
	for r, ev := range t.Events {
		if ev.Kind != event.Read && ev.Kind != event.AtomicLoad {
			continue
		}
		if fixed[r] {
			if a := e.CanReturn(r, ev.Value); a.Status != solver.Unknown || a.Why == "" {
				return fmt.Errorf("event %d is fixed, yet the answer is %v", r, a.Status)
			}
			continue
		}
		values, _ := e.Values(r)
		offered := map[uint64]bool{}
		for _, v := range values {
			offered[v] = true
		}
		for v := range uint64(4) { // 3 is written by nobody
			c := content{value: v}
			if want.returns[r][c] && !offered[v] {
				return fmt.Errorf("Values(%d) lacks %d", r, v)
			}
			if err := judge(fmt.Sprintf("event %d returns %d", r, v), e.CanReturn(r, v), want.returns[r][c], 1,
				func(w *world, tail []int) bool { return tail[0] == r && w.content(r) == c }); err != nil {
				return err
			}
		}
		if err := judge(fmt.Sprintf("event %d returns the first value", r), e.CanReturnInitial(r), want.first[r], 1,
			func(w *world, tail []int) bool { return tail[0] == r && w.first(r) }); err != nil {
			return err
		}
	}
	for b := range t.Events {
		for a := range b {
			if !t.Events[a].Kind.IsAccess() || !t.Events[b].Kind.IsAccess() {
				continue
			}
			if err := judge(fmt.Sprintf("events %d and %d adjacent", a, b), e.CanBeAdjacent(a, b), want.adjacent[[2]int{a, b}], 2,
				func(w *world, tail []int) bool { return tail[0] == a && tail[1] == b }); err != nil {
				return err
			}
		}
	}
	return compareStanding(t, e, want, judge)
}

// compareStanding asks where two and three goroutines can stand at once.
func compareStanding(t *trace.Trace, e *Encoding, want *facts, judge func(string, Answer, bool, int, func(*world, []int) bool) error) error {
	for c := range t.Events {
		for b := range c {
			for a := -1; a < b; a++ {
				at, key := []int{b, c}, [3]int{b, c, -1}
				if a >= 0 {
					at, key = []int{a, b, c}, [3]int{a, b, c}
				}
				if slices.ContainsFunc(at, func(i int) bool { return t.Events[i].Partner >= 0 }) {
					continue
				}
				stands := func(w *world, _ []int) bool { return !slices.ContainsFunc(at, func(i int) bool { return !w.next(i) }) }
				if err := judge(fmt.Sprintf("goroutines stand at events %d", at), e.CanStandAt(at...), want.stand[key], 0, stands); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func testRandom(t *testing.T, rounds, size int, mixed bool) {
	if !long.On() {
		rounds /= 10
	}
	var n tally
	for s := range rounds {
		tr := randomTrace(rand.New(rand.NewPCG(uint64(s), uint64(size))), 4+s%size, mixed)
		if err := compare(tr, &n); err != nil {
			t.Fatalf("trace %d: %v\n%s", s, err, dump(tr))
		}
	}
	t.Logf("%d traces, %d states enumerated, %d answers sat, %d unsat; seeds are %d%% of their traces",
		n.traces, n.states, n.sat, n.unsat, 100*n.seedSteps/max(n.events, 1))
}

// The paper's alphabet: MHB1, MHB2, QLOCK1, QLOCK2, VAL1 to VAL3, NEW1, NEW2, ADJ1.
func TestRandomAlphabet(t *testing.T) { testRandom(t, 2000, 11, false) }

// With events that keep their order: OBS1, OBS2.
func TestRandomFixed(t *testing.T) { testRandom(t, 2000, 13, true) }

func dump(t *trace.Trace) string {
	s := ""
	for i, e := range t.Events {
		s += fmt.Sprintf("%3d %-5s %v %v value %d other %d partner %d\n", i, t.Threads[e.Thread].ID, e.Kind, e.Loc, e.Value, e.Other, e.Partner)
	}
	return s
}

// build makes a trace of goroutines that G1 starts, from lines such as {1, Write, x, 1}.
type line struct {
	th    int32
	kind  event.Kind
	addr  uint64
	value uint64
}

func build(threads int, lines []line) *trace.Trace {
	c := &recorder{t: &trace.Trace{Threads: []trace.Thread{{ID: "G1", Parent: -1, Spawn: -1, Holder: -1}}}}
	for range threads {
		c.spawn(0)
	}
	for _, l := range lines {
		size := uint32(8)
		if !l.kind.IsAccess() {
			size = 0
		}
		c.event(l.th, l.kind, loc(l.addr, size), l.value)
	}
	return c.t
}

// TestUnfiltered: the rules without the filter, which only drops what they forbid.
func TestUnfiltered(t *testing.T) {
	var n tally
	for s := range 200 {
		tr := randomTrace(rand.New(rand.NewPCG(uint64(s), 31)), 4+s%12, s%2 == 0)
		if err := compareIn(tr, encode(tr, Options{}, solver.New(), false), &n); err != nil {
			t.Fatalf("trace %d: %v\n%s", s, err, dump(tr))
		}
	}
}

// TestSecondOpinion: Z3 in the place of the solver.
func TestSecondOpinion(t *testing.T) {
	var n tally
	for s := range 40 {
		z, err := z3.New()
		if err != nil {
			t.Skip("NOT COMPARED WITH Z3: ", err)
		}
		tr := randomTrace(rand.New(rand.NewPCG(uint64(s), 32)), 4+s%10, s%3 == 0)
		if err := compareIn(tr, encode(tr, Options{}, z, s%2 == 0), &n); err != nil {
			t.Fatalf("trace %d: %v\n%s", s, err, dump(tr))
		}
	}
	t.Logf("%d traces, %d answers sat, %d unsat", n.traces, n.sat, n.unsat)
}

// TestValidity is figure 3.1 of the dissertation: the second read of p can return 1 only
// after the first has returned 0.
func TestValidity(t *testing.T) {
	tr := build(2, []line{{1, event.Read, 8, 0}, {1, event.Read, 8, 0}, {2, event.Write, 8, 1}})
	a := Encode(tr).CanReturn(3, 1)
	want := seed.Seed{}
	for _, id := range []event.ThreadID{"G1", "G1", "G1.1", "G1.2", "G1.1"} {
		want = append(want, seed.Step{Thread: id, Case: -1, PartnerCase: -1})
	}
	if a.Status != solver.Sat || fmt.Sprint(a.Seed) != fmt.Sprint(want) {
		t.Errorf("got %v %v, want %v", a.Status, a.Seed, want)
	}
}

// TestSectionLeftOpen: two goroutines stand inside sections that could not both be finished, so
// that QLOCK1 over the whole trace, unguarded, would have no solution.
func TestSectionLeftOpen(t *testing.T) {
	tr := build(2, []line{
		{1, event.Lock, 100, 0}, {1, event.Write, 8, 1}, {1, event.Lock, 101, 0}, {1, event.Unlock, 101, 0}, {1, event.Unlock, 100, 0},
		{2, event.Lock, 101, 0}, {2, event.Read, 8, 1}, {2, event.Lock, 100, 0}, {2, event.Unlock, 100, 0}, {2, event.Unlock, 101, 0},
	})
	var n tally
	if err := compare(tr, &n); err != nil {
		t.Fatal(err)
	}
	if a := Encode(tr).CanBeAdjacent(3, 8); a.Status != solver.Sat {
		t.Errorf("write and read inside crossed sections: %v", a.Status)
	}
}

// TestFamilies compares on longer traces of real loops.
func TestFamilies(t *testing.T) {
	var n tally
	for _, name := range familyNames {
		for threads := 2; threads <= 4; threads++ {
			if err := compare(family(name, threads, 70-10*threads), &n); err != nil {
				t.Fatalf("%s, %d goroutines: %v", name, threads, err)
			}
		}
	}
	t.Logf("%d traces, %d states enumerated, %d answers sat, %d unsat", n.traces, n.states, n.sat, n.unsat)
}

// TestDeterministic: equal questions, equal answers, byte for byte.
func TestDeterministic(t *testing.T) {
	run := func() string {
		s := ""
		for i := range 50 {
			tr := randomTrace(rand.New(rand.NewPCG(uint64(i), 9)), 30, true)
			e := Encode(tr)
			for r, ev := range tr.Events {
				if ev.Kind == event.Read {
					for v := range uint64(3) {
						s += fmt.Sprintln(e.CanReturn(r, v))
					}
				}
			}
		}
		return s
	}
	if run() != run() {
		t.Error("two runs differ")
	}
}
