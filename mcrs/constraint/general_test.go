package constraint_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/constraint"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/learn"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// TestEveryDepartureIsFound compares the answers of constraint.General about one trace with the definition, on all
// schedules of random programs: an execution that meets what the trace met, up to its first operation that does not,
// is a departure; one that ends without is a blocked state. General must give each departure and blocked state that
// some schedule has, none that no schedule has, and for each all the longest prefixes that lead there.
func TestEveryDepartureIsFound(t *testing.T) {
	programs, most := long.Pick[uint64](200, 250), long.Pick(1000, 2000)
	skipped, departures, prefixes, blocked := 0, 0, 0, 0
	for i := range programs {
		p := litmus.Generate(i, litmustest.Mixes[i%uint64(len(litmustest.Mixes))]&^litmus.Panics|litmus.Memory, 3, 8)
		swaps := slices.ContainsFunc(slices.Concat(p.Threads...), func(o litmus.Op) bool { return o.Code == litmus.CAS }) // what one that fails has found, no event says
		if swaps || litmustest.Enumerate(p, most, nil) == nil {
			skipped++
			continue
		}
		for n := range uint64(2) {
			w := learn.NewWatch(sched.RunToBlock{})
			if n == 1 {
				w = learn.NewWatch(sched.NewRandom(sched.RandSeed(i)))
			}
			seen := departuresOf(t, p, w, most)
			departures += len(seen.at)
			for _, vs := range seen.at {
				prefixes += len(vs)
			}
			blocked += len(seen.at["blocked"])
			if t.Failed() {
				return
			}
		}
	}
	t.Logf("%d programs, %d of them with a compare-and-swap or too large to enumerate; %d departures after %d prefixes, %d blocked states", programs, skipped, departures, prefixes, blocked)
	if skipped > int(programs)*2/3 || departures < int(programs)/2 || long.On() && blocked < 5 {
		t.Errorf("the programs show too little")
	}
}

// departuresOf compares the answers about the trace of one execution, and returns the departures that there are. An
// error names the program, the trace and the answer.
func departuresOf(t *testing.T, p *litmus.Program, w *learn.Watch, most int) *departures {
	t.Helper()
	seen := newDepartures(p.Run(w, sched.Options{}))
	oracle.Search(p, oracle.Limits{Executions: most}, func(t *trace.Trace) { seen.add(t) })
	g, err := constraint.NewGeneral(seen.of, w.Op, func(uint64) (byte, bool) { return 0, true })
	if err != nil {
		t.Fatalf("%v\n%v", err, p)
	}
	asked := newDepartures(seen.of)
	complete := g.All(func(l constraint.Lead) {
		follow := sched.NewReplay(l.Seed, sched.RunToBlock{})
		got := p.Run(follow, sched.Options{})
		if follow.Diverged() >= 0 {
			t.Errorf("a seed cannot be followed: %v\n%v\n%v", l, p, seen.of)
		}
		foreseen := 0 // operations before the last step
		for j, step := range l.Seed {
			if j == len(l.Seed)-1 && !l.Blocked {
				break
			}
			if foreseen++; step.Partner != "" {
				foreseen++
			}
		}
		if at := asked.add(got); at != foreseen {
			t.Errorf("%v departs after %d operations\n%v\n%v", l, at, p, seen.of)
		}
	})
	if !complete {
		t.Error("not all questions were answered")
	}
	for _, d := range seen.without(asked) {
		t.Errorf("no answer leads to %s\n%v\n%v", d, p, seen.of)
	}
	return seen
}

// TestDepartureRules asks about a trace of a program for each rule that random programs do not need. The comment says
// what is wrong without it.
func TestDepartureRules(t *testing.T) {
	rlock, runlock := litmus.Do(litmus.RLock, 2, 0, 0), litmus.Do(litmus.RUnlock, 2, 0, 0)
	wlock, wunlock := litmus.Do(litmus.WLock, 2, 0, 0), litmus.Do(litmus.WUnlock, 2, 0, 0)
	once := litmus.Do(litmus.OnceDo, 0, 1, 0)
	for _, test := range []struct {
		rule    string
		threads [][]litmus.Op
		caps    []int
	}{
		// Two sends in the other order: the receive gets the other element.
		{"QCHAN3", litmustest.Threads([]litmus.Op{litmus.S(0, 1)}, []litmus.Op{litmus.S(0, 2)}, []litmus.Op{litmus.Rcv(0)}), []int{2}},
		// If the other section comes first, 3 is read after both; the channel is closed by then, and nobody meets.
		{"QCHAN4", [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2), litmus.R(0)}, {litmus.L(0), litmus.W(0, 3), litmus.U(0), litmus.S(0, 1)}, {litmus.Rcv(0), litmus.L(0), litmus.W(0, 1), litmus.Cl(0), litmus.U(0)}}, nil},
		// A send that met a receive finds the channel closed in another order.
		{"QCHAN1", litmustest.Threads([]litmus.Op{litmus.S(0, 1)}, []litmus.Op{litmus.Rcv(0)}, []litmus.Op{litmus.Cl(0)}), nil},
		// A writer does not come in while a reader is inside, nor a reader while a writer is.
		{"QLOCK3", litmustest.Threads([]litmus.Op{rlock, litmus.R(0), runlock}, []litmus.Op{wlock, litmus.W(0, 1), wunlock}), nil},
		{"QLOCK4", litmustest.Threads([]litmus.Op{wlock, litmus.R(0), wunlock}, []litmus.Op{rlock, litmus.W(0, 1), runlock}), nil},
		// Only one of two runs the function.
		{"QONCE1", litmustest.Threads([]litmus.Op{once}, []litmus.Op{once}), nil},
		// The length before the write, and after it.
		{"SEQ1", litmustest.Threads([]litmus.Op{litmus.Do(litmus.MapSet, 0, 1, 1)}, []litmus.Op{litmus.Do(litmus.MapGet, 0, 0, 0)}), nil},
		// Two longest prefixes lead to a read of 1: in one of them the first goroutine is through and the second at its
		// first store, in the other it is the other way round.
		{"CUT1", [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2), litmus.R(0)}, {litmus.W(0, 1), litmus.W(0, 2)}, {litmus.W(0, 1), litmus.W(0, 3)}}, nil},
	} {
		t.Run(test.rule, func(t *testing.T) {
			p := &litmus.Program{Threads: test.threads, Caps: test.caps}
			if seen := departuresOf(t, p, learn.NewWatch(sched.RunToBlock{}), 20_000); len(seen.at) == 0 {
				t.Error("nothing departs")
			}
		})
	}
}

// Departures of executions from one trace.
type departures struct {
	of *trace.Trace
	// By what departs, and what it meets: how many operations of each goroutine came before. "blocked" is that nothing
	// can move.
	at map[string][][]int
}

func newDepartures(of *trace.Trace) *departures {
	return &departures{of, make(map[string][][]int)}
}

// add adds an execution. It returns how many operations came before its departure.
func (d *departures) add(t *trace.Trace) (before int) {
	own := make(map[string]string)
	for i := range d.of.Events {
		own[placeIn(d.of, i)] = meeting(d.of, i)
	}
	count := make([]int, 8)
	for i := range t.Events {
		e := &t.Events[i]
		if e.Kind == event.Panic || e.Kind == event.Exit {
			return i // it depends on nothing
		}
		if m := meeting(t, i); m != own[placeIn(t, i)] {
			if e.Partner >= 0 && e.Partner < int32(i) { // the second half of a rendezvous: the first came with it
				count[t.Events[e.Partner].Thread]--
				i--
			}
			d.put(placeIn(t, i)+" "+m, count)
			return i
		}
		count[e.Thread]++
	}
	if (t.Status == trace.Deadlocked || t.Status == trace.Returned) && len(t.Events) < len(d.of.Events) {
		d.put("blocked", count)
	}
	return len(t.Events)
}

func (d *departures) put(what string, count []int) {
	if !slices.ContainsFunc(d.at[what], func(v []int) bool { return slices.Equal(v, count) }) {
		d.at[what] = append(d.at[what], slices.Clone(count))
	}
}

// without lists what d has and o has not: a departure, or one after operations of which o has none that come after as
// many.
func (d *departures) without(o *departures) (out []string) {
	for what, vs := range d.at {
		for _, v := range vs {
			if !slices.ContainsFunc(o.at[what], func(u []int) bool {
				for i := range v {
					if v[i] > u[i] {
						return false
					}
				}
				return true
			}) {
				out = append(out, fmt.Sprint(what, " after ", v))
			}
		}
	}
	return out
}

func placeIn(t *trace.Trace, i int) string {
	e := &t.Events[i]
	return fmt.Sprint(t.Threads[e.Thread].ID, "/", e.Seq)
}

// meeting is what an operation met: what it was told, or more where that does not say it.
func meeting(t *trace.Trace, i int) string {
	e := &t.Events[i]
	m := fmt.Sprint(trace.ReplyOf(e))
	switch {
	case e.Partner >= 0:
		m += " with " + placeIn(t, int(e.Partner))
	case e.Kind == event.MapRead:
		for j := i - 1; j >= 0; j-- {
			if o := &t.Events[j]; o.Kind == event.MapWrite && o.Loc == e.Loc && (o.Key == e.Key || o.Key == 0) {
				m += " of " + placeIn(t, j)
				break
			}
		}
	}
	return m
}
