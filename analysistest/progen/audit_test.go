package progen_test

import (
	"cmp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/heddle-go/heddle/analysistest/progen"
	"github.com/heddle-go/heddle/analysistest/progen/prelude"
	"github.com/heddle-go/heddle/mcrs/audit"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// TestCommutation performs in both orders what the explorers call independent, in some random programs. The command
// internal/score/commute does it for many. It asks three more things:
//
//   - Where several histories of a goroutine lead to one name, the goroutine must go on in one way.
//   - If any goroutines may change places, and all states of a goroutine have one name, differences must show.
//   - Of all neighbours that are called dependent, many must differ, in all parts of a state. Else the audit is blind
//     there.
func TestCommutation(t *testing.T) {
	const programs = 16
	var ps []*progen.Program
	for s := range uint64(programs) {
		ps = append(ps, progen.Generate(s, 6))
	}
	for _, s := range []uint64{3, 8, 13, 34, 61000027, 61000047} { // in the second regime of time
		ps = append(ps, progen.GenerateTimed(s, min(progen.Size(s), 6)))
	}
	file, err := progen.File(ps)
	if err != nil {
		t.Fatal(err)
	}
	l, err := progen.LoadWith(file, prelude.NoLog, machine.Config{CleanFrames: true})
	if err != nil {
		t.Fatal(err)
	}
	pairs, met, differ, unlike, blurred := 0, 0, map[string]int{}, 0, 0
	for i, p := range ps {
		m, e := l.Entry(i)
		if i >= programs {
			x := &audit.Subject{Machine: m, Entry: e, Options: sched.Options{MaxEvents: 400, Timing: true}, MaxPairs: 30}
			if i >= programs+4 {
				engine := union.New()
				timed := explore.InTimingRegime(m.Entry(e), explore.TimingAll)
				r := (&union.Explorer{Engine: engine, Alone: true}).Explore(timed, explore.Limits{Executions: 2000})
				if r.Verdict != explore.Exhausted {
					t.Errorf("timed, seed %d: union comes to no end: %s", p.Seed, r.Reason)
				}
				x.Union, x.MaxPairs = engine, 0
			}
			for s := range sched.RandSeed(3) {
				x.Execute(sched.NewRandom(s), func(f audit.Finding) {
					t.Errorf("timed, seed %d: %s do not commute:\n%s\n%s", p.Seed, f.What, strings.Join(f.Differences, "\n"), p.Func("P"))
				})
			}
			merge := audit.NewMerge() // the names of states do not say when a sleep ends
			for s := range sched.RandSeed(12) {
				merge.Execute(x, sched.NewRandom(s), func(d string) { t.Errorf("timed, seed %d: %s\n%s", p.Seed, d, p.Func("P")) })
			}
			met += merge.Met
			continue
		}
		engine := union.New()
		r := (&union.Explorer{Engine: engine, Alone: true}).Explore(m.Entry(e), explore.Limits{Executions: 200})
		x := &audit.Subject{Machine: m, Entry: e, Options: sched.Options{MaxEvents: 400}, MaxPairs: 12}
		if r.Verdict == explore.Exhausted {
			x.Union = engine
		}
		x.Execute(sched.NewRandom(1), func(f audit.Finding) {
			t.Errorf("seed %d: %s do not commute:\n%s\n%s", p.Seed, f.What, strings.Join(f.Differences, "\n"), p.Func("P"))
		})
		pairs += x.Pairs
		merge := audit.NewMerge()
		for s := range sched.RandSeed(12) {
			merge.Execute(x, sched.NewRandom(s), func(d string) { t.Errorf("seed %d: %s\n%s", p.Seed, d, p.Func("P")) })
		}
		met += merge.Met
		x = &audit.Subject{Machine: m, Entry: e, Options: sched.Options{MaxEvents: 400}, MaxPairs: 12}
		x.Claims = func(_ *causality.Relation, t *trace.Trace) []causality.Neighbour { return causality.Neighbours(t) }
		x.Execute(sched.NewRandom(1), func(f audit.Finding) {
			for _, d := range f.Differences {
				differ[part(d)]++
			}
		})
		x = &audit.Subject{Machine: m, Entry: e, Options: sched.Options{MaxEvents: 400}, MaxPairs: 4}
		x.Claims = func(*causality.Relation, *trace.Trace) []causality.Neighbour { return nil }
		x.Likes = anybody
		x.Execute(sched.NewRandom(1), func(f audit.Finding) { unlike++ })
		coarse := audit.NewMerge()
		coarse.Name = func(sched.Local) uint64 { return 0 }
		for s := range sched.RandSeed(6) {
			coarse.Execute(x, sched.NewRandom(s), func(string) { blurred++ })
		}
	}
	if pairs < 40 || met < 40 {
		t.Errorf("only %d pairs, %d histories that met", pairs, met)
	}
	if unlike < 10 || blurred < 100 {
		t.Errorf("where any goroutines change places %d differences, where all states of a goroutine have one name %d", unlike, blurred)
	}
	for _, p := range []string{"memory", "goroutine", ".Trace.", "the other order"} {
		if differ[p] < 3 {
			t.Errorf("in what is not independent %d differences of %s: %v", differ[p], p, differ)
		}
	}
}

// TestNamesOfSubtests audits a test in which two goroutines find names for subtests of one name: what testing does then
// under its lock makes no event.
func TestNamesOfSubtests(t *testing.T) {
	p := progen.GenerateAPI(61000012, progen.Size(61000012))
	file, err := progen.File([]*progen.Program{p})
	if err != nil {
		t.Fatal(err)
	}
	l, err := progen.LoadWith(file, prelude.NoLog, machine.Config{CleanFrames: true})
	if err != nil {
		t.Fatal(err)
	}
	m, e := l.Entry(0)
	x := &audit.Subject{Machine: m, Entry: e, Options: sched.Options{MaxEvents: 400}}
	merge := audit.NewMerge()
	for s := range sched.RandSeed(20) {
		merge.Execute(x, sched.NewRandom(s), func(d string) { t.Error(d) })
	}
	if merge.Met == 0 {
		t.Error("no histories met")
	}
}

// objects are programs in which a goroutine does this or that to an object, by the case that its select takes. Both are
// the goroutine's operation of one number, and the next one who comes to the object finds something else.
const objects = `
func P0() { // a Pool: Put or Get
	var pool sync.Pool
	c := make(chan int, 2)
	go func() {
		first := false
		select {
		case <-c:
			first = true
		case <-c:
		}
		if n := len(c); n < 2 && first {
			pool.Put(2)
		} else {
			pool.Get()
		}
	}()
	go func() { c <- 1 }()
	go func() { pool.Get() }()
	pool.Put(1)
}

func P1() { // a Pool: an element or another
	var pool sync.Pool
	c := make(chan int, 2)
	go func() {
		first := false
		select {
		case <-c:
			first = true
		case <-c:
		}
		if n := len(c); n < 2 && first {
			pool.Put(2)
		} else {
			pool.Put(3)
		}
	}()
	c <- 1
	if pool.Get() == nil {
		pool.Put(4)
	}
	pool.Get()
}

func P2() { // a Map: Store or Delete
	var m sync.Map
	c := make(chan int, 2)
	m.Store(1, 1)
	go func() {
		first := false
		select {
		case <-c:
			first = true
		case <-c:
		}
		if n := len(c); n < 2 && first {
			m.Store(1, 2)
		} else {
			m.Delete(1)
		}
	}()
	go func() { c <- 1 }()
	v, _ := m.Load(1)
	m.Store(2, v)
}

func P3() { // a Map: LoadOrStore or CompareAndSwap, and a Range
	var m sync.Map
	c := make(chan int, 2)
	go func() {
		first := false
		select {
		case <-c:
			first = true
		case <-c:
		}
		if n := len(c); n < 2 && first {
			m.LoadOrStore(1, 1)
		} else {
			m.CompareAndSwap(1, 5, 6)
		}
	}()
	c <- 1
	n := 0
	m.Range(func(k, v any) bool { n++; return true })
	m.Store(2, n)
}

func P4() { // a Pool that a third one fills
	var pool sync.Pool
	c := make(chan int, 1)
	go func() {
		v := 0
		select {
		case v = <-c:
		default:
		}
		if n := len(c); n < 2 && v == 1 {
			pool.Put(v)
		} else {
			pool.Get()
		}
	}()
	go func() { pool.Put(7) }()
	c <- 1
	pool.Get()
}
`

// TestMergeObjects audits the names of states in programs in which what is found in an object depends on what another
// goroutine was told before it wrote it. If all states of a goroutine have one name, that must show.
func TestMergeObjects(t *testing.T) {
	l, err := progen.LoadWith([]byte(prelude.Head+objects), prelude.NoLog, machine.Config{CleanFrames: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range strings.Count(objects, "func P") {
		m, e := l.Entry(i)
		x := &audit.Subject{Machine: m, Entry: e, Options: sched.Options{MaxEvents: 400}}
		merge, coarse, blurred := audit.NewMerge(), audit.NewMerge(), 0
		coarse.Name = func(sched.Local) uint64 { return 0 }
		for s := range sched.RandSeed(60) {
			merge.Execute(x, sched.NewRandom(s), func(d string) { t.Errorf("%s: %s", progen.Name(i), d) })
			coarse.Execute(x, sched.NewRandom(s), func(string) { blurred++ })
		}
		if merge.Met == 0 || blurred == 0 {
			t.Errorf("%s: %d histories met, and with one name for all states %d differences", progen.Name(i), merge.Met, blurred)
		}
	}
}

// TestOutOfTime: what is not finished when time is up is neither compared nor counted, and the rest is said to be left.
func TestOutOfTime(t *testing.T) {
	l, err := progen.LoadWith([]byte(prelude.Head+objects), prelude.NoLog, machine.Config{CleanFrames: true})
	if err != nil {
		t.Fatal(err)
	}
	m, e := l.Entry(0)
	pairs := func(asked int) (*audit.Subject, int) { // time is up when it has been asked for so often
		x := &audit.Subject{Machine: m, Entry: e, Options: sched.Options{MaxEvents: 400, Cancelled: new(atomic.Bool)}}
		x.Claims = func(_ *causality.Relation, t *trace.Trace) []causality.Neighbour { return causality.Neighbours(t) }
		x.Over = func() bool {
			if asked--; asked < 1 { // the execution that comes next is cut off at once
				x.Options.Cancelled.Store(true)
			}
			return asked < 0
		}
		found := 0
		x.Execute(sched.NewRandom(1), func(audit.Finding) { found++ })
		return x, found
	}
	whole, found := pairs(1000)
	if whole.Left != 0 || whole.Pairs < 6 || found < 3 {
		t.Fatalf("%d pairs, %d findings, %d left", whole.Pairs, found, whole.Left)
	}
	for asked, want := range []int{0, 0, 0, 1, 2, 3} {
		x, some := pairs(asked)
		left := whole.Pairs - want
		if asked == 0 {
			left = 0 // not even the execution was finished: nobody knows of pairs
		}
		if x.Pairs != want || x.Left != left || some > want {
			t.Errorf("asked %d times: %d pairs, %d left, %d findings; %d pairs and %d left are wanted", asked, x.Pairs, x.Left, some, want, left)
		}
	}
}

// TestLargeObjects: of a large object the dump has few bytes, and still one that differs shows.
func TestLargeObjects(t *testing.T) {
	const large = `
func P0() {
	b := make([]byte, 1<<17)
	c := make(chan int, 2)
	go func() { b[1<<16] = 1; c <- len(b) }()
	go func() { b[1<<16] = 2; c <- len(b) }()
	<-c
	<-c
}
`
	l, err := progen.LoadWith([]byte(prelude.Head+large), prelude.NoLog, machine.Config{CleanFrames: true})
	if err != nil {
		t.Fatal(err)
	}
	m, e := l.Entry(0)
	x := &audit.Subject{Machine: m, Entry: e, Options: sched.Options{MaxEvents: 400}}
	x.Claims = func(_ *causality.Relation, t *trace.Trace) []causality.Neighbour { return causality.Neighbours(t) }
	x.Skip = func(t *trace.Trace, n causality.Neighbour) bool {
		return t.Events[n.First].Kind != event.Write || t.Events[n.Second].Kind != event.Write
	}
	differs := false
	for s := range sched.RandSeed(40) {
		x.Execute(sched.NewRandom(s), func(f audit.Finding) {
			for _, d := range f.Differences {
				if len(d) > 4000 {
					t.Errorf("a difference of %d bytes: %.200s", len(d), d)
				}
				differs = differs || strings.Contains(d, "memory") && strings.Contains(d, "131072 bytes")
			}
		})
	}
	if !differs {
		t.Error("two writes of one byte show no difference in memory")
	}
}

// anybody says that each goroutine that has started has the future of the one that moves next.
func anybody(t *trace.Trace) (all []union.Alike) {
	started := map[event.ThreadID]bool{}
	for n, s := range sched.SeedOf(t) {
		for id := range started {
			if id != s.Thread {
				all = append(all, union.Alike{Step: n, Mover: s.Thread, Like: id})
			}
		}
		started[s.Thread] = true
	}
	slices.SortFunc(all, func(a, b union.Alike) int {
		return cmp.Or(a.Step-b.Step, strings.Compare(string(a.Like), string(b.Like)))
	})
	return all
}

// part names the part of a state in which something differs.
func part(d string) string {
	for _, p := range []string{"at the end", "memory", "goroutine", ".Trace.", "offered", "machine", "the other order"} {
		if strings.HasPrefix(d, p) || strings.Contains(d, "in "+p) || p == ".Trace." && strings.Contains(d, p) {
			return p
		}
	}
	return d
}
