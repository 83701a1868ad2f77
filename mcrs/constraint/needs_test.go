package constraint

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/solver"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// A table is Needs as lists.
type table struct{ happens, writes [][]int32 }

func (n table) Happens(e int) []int32 { return n.happens[e] }
func (n table) Writes(e int) []int32  { return n.writes[e] }

// randomNeeds lets each event depend on some reads before it in its goroutine.
func randomNeeds(r *rand.Rand, t *trace.Trace) (n table) {
	for i := range t.Events {
		var h, w []int32
		for j := range i {
			if e := &t.Events[j]; e.Thread == t.Events[i].Thread && (e.Kind == event.Read || e.Kind == event.AtomicLoad) {
				if r.IntN(5) == 0 {
					h = append(h, int32(j))
				}
				if r.IntN(3) == 0 {
					w = append(w, int32(j))
				}
			}
		}
		n.happens, n.writes = append(n.happens, h), append(n.writes, w)
	}
	return n
}

// A relaxation is the definition of relaxed validity: a walk through all orders.
type relaxation struct {
	*world
	needs  table
	target bool // Options.TargetKeeps
	order  []int
	found  map[int]map[content]bool // by read: what it can return
}

// keptBy returns the least set of reads that keep their value in the prefix w.order, all or nothing: false if one
// cannot. more are kept besides.
func (x *relaxation) valid(more []int32) bool {
	keep := make(map[int]bool)
	for _, i := range x.order {
		for _, r := range x.needs.happens[i] {
			keep[int(r)] = true
		}
	}
	for _, r := range more {
		keep[int(r)] = true
	}
	for again := true; again; {
		again = false
		last := map[event.Location]int{}
		for _, i := range x.order {
			e := &x.t.Events[i]
			switch {
			case e.Kind == event.Write || e.Kind == event.AtomicStore:
				last[e.Loc] = i
			case keep[i]:
				w, written := last[e.Loc]
				c := x.content(i) // of an order in which nothing is written
				if written {
					c = content{value: x.t.Events[w].Value}
					for _, r := range x.needs.writes[w] {
						if !keep[int(r)] {
							keep[int(r)], again = true, true
						}
					}
				}
				if c != (content{value: e.Value}) {
					return false
				}
			}
		}
	}
	return true
}

func (x *relaxation) visit() {
	for i := range x.t.Events {
		e := &x.t.Events[i]
		if !x.next(i) {
			continue
		}
		if e.Kind == event.Read || e.Kind == event.AtomicLoad {
			more := slices.Clone(x.needs.happens[i])
			if x.target {
				for j := range i {
					if o := &x.t.Events[j]; x.precedes(j, i) && (o.Kind == event.Read || o.Kind == event.AtomicLoad) {
						more = append(more, int32(j))
					}
				}
			}
			c := x.content(i)
			for k := len(x.order) - 1; k >= 0; k-- {
				if o := &x.t.Events[x.order[k]]; o.Loc == e.Loc && o.Kind.IsWrite() {
					c = content{value: o.Value}
					more = append(more, x.needs.writes[x.order[k]]...)
					break
				}
			}
			if x.valid(more) {
				if x.found[i] == nil {
					x.found[i] = make(map[content]bool)
				}
				x.found[i][c] = true
			}
		}
		if e.Kind == event.Lock && x.held[e.Loc] {
			continue
		}
		next := &relaxation{x.clone(), x.needs, x.target, append(slices.Clone(x.order), i), x.found}
		next.done[i] = true
		switch e.Kind {
		case event.Lock:
			next.held[e.Loc] = true
		case event.Unlock:
			next.held[e.Loc] = false
		}
		next.visit()
	}
}

// precedes reports whether j comes before i by MHB1.
func (x *relaxation) precedes(j, i int) bool {
	if j >= i {
		return false
	}
	if x.t.Events[j].Thread == x.t.Events[i].Thread {
		return true
	}
	s := x.t.Threads[x.t.Events[i].Thread].Spawn
	return s >= 0 && (int(s) == j || x.precedes(j, int(s)))
}

// denseTrace has n reads and writes, and now and then a lock, of two or three goroutines.
func denseTrace(r *rand.Rand, n int) *trace.Trace {
	c := &recorder{r: r, t: &trace.Trace{Diverged: -1}, mem: map[event.Location]uint64{}, holder: map[event.Location]int32{}, allowed: 8}
	c.t.Threads = []trace.Thread{{ID: "G1", Parent: -1, Spawn: -1, Holder: -1}}
	c.spawn(0)
	c.spawn(0)
	for from := len(c.t.Events); len(c.t.Events) < from+n; {
		c.operate(1 + int32(r.IntN(2)))
	}
	return c.t
}

// TestRelaxed compares KEEP1 to KEEP3 with their definition, and Answer.Full with the execution of the seed.
func TestRelaxed(t *testing.T) {
	rounds := 800
	if !long.On() {
		rounds = 100
	}
	sat, unsat, more, kept, needless := 0, 0, 0, 0, 0
	for s := range rounds {
		rng := rand.New(rand.NewPCG(uint64(s), 77))
		tr := denseTrace(rng, 6+s%2)
		for _, target := range []bool{false, true} {
			x := &relaxation{newWorld(tr), randomNeeds(rng, tr), target, nil, make(map[int]map[content]bool)}
			x.visit()
			e := EncodeWith(tr, Options{Needs: x.needs, TargetKeeps: target, Count: true}, solver.New())
			full := EncodeWith(tr, Options{Count: true}, solver.New())
			for r, ev := range tr.Events {
				if ev.Kind != event.Read && ev.Kind != event.AtomicLoad {
					continue
				}
				for v := range uint64(4) {
					a, want := e.CanReturn(r, v), x.found[r][content{value: v}]
					if (a.Status == solver.Sat) != want || a.Status == solver.Unknown {
						t.Fatalf("trace %d, event %d returns %d: %v, by definition %v\n%s%v", s, r, v, a.Status, want, dump(tr), x.needs)
					}
					b := full.CanReturn(r, v)
					if b.Status == solver.Sat && !want {
						t.Fatalf("trace %d, event %d returns %d: relaxed validity allows less", s, r, v)
					}
					if want {
						if _, _, err := follow(tr, a.Seed, 1); a.Full != (err == nil) {
							t.Fatalf("trace %d, event %d returns %d: full is %v, and the seed is executed with: %v\n%s%v", s, r, v, a.Full, err, dump(tr), a.Seed)
						} else if a.Full && target {
							kept++
						}
						sat++
						if b.Status == solver.Unsat {
							more++
						} else if !a.Full {
							needless++
						}
					} else {
						unsat++
					}
				}
			}
			if a, b := e.Stats(), full.Stats(); a.Reads > b.Reads || a.Constraints > b.Constraints {
				t.Fatalf("trace %d: %d reads and %d constraints, in full %d and %d", s, a.Reads, a.Constraints, b.Reads, b.Constraints)
			}
		}
	}
	t.Logf("%d answers sat, %d of them by relaxed validity alone, %d unsat; %d seeds of algorithm 6 are full, %d seeds are not, and could be", sat, more, unsat, kept, needless)
	if needless > rounds/100 {
		t.Error("seeds change reads without need")
	}
	if more < rounds/50 || kept < rounds {
		t.Error("relaxed validity hardly ever allows more")
	}
}

// TestFullNeeds: if each event needs every read before it, relaxed validity is full validity.
func TestFullNeeds(t *testing.T) {
	for s := range 300 {
		tr := randomTrace(rand.New(rand.NewPCG(uint64(s), 5)), 4+s%11, false)
		var all table
		for i := range tr.Events {
			var h []int32
			for j := range i {
				h = append(h, int32(j))
			}
			all.happens, all.writes = append(all.happens, h), append(all.writes, nil)
		}
		e, full := EncodeWith(tr, Options{Needs: all}, solver.New()), Encode(tr)
		for r, ev := range tr.Events {
			for v := range uint64(3) {
				if a, b := e.CanReturn(r, v), full.CanReturn(r, v); (ev.Kind == event.Read || ev.Kind == event.AtomicLoad) && a.Status != b.Status {
					t.Fatalf("trace %d, event %d returns %d: %v and %v\n%s", s, r, v, a.Status, b.Status, dump(tr))
				}
			}
		}
	}
}

// TestJoinComesAfterDones: a Wait is after the Dones, whatever their order, and reads behind it can return what
// either goroutine wrote last.
func TestJoinComesAfterDones(t *testing.T) {
	for _, c := range []struct {
		name  string
		adds  []int // goroutines that add 1 for themselves after they have started, in place of G1 before
		fixed int
		want  solver.Status
	}{
		{"join", nil, 0, solver.Sat},
		{"an Add that the Wait may miss", []int{2}, 5, solver.Unsat},
	} {
		tr := build(0, nil)
		rec := &recorder{t: tr}
		wg := loc(300, 0)
		add := func(th int32, d int64) {
			rec.event(th, event.WaitGroupAdd, wg, uint64(d)).Other = 1
		}
		for g := int32(1); g <= 2; g++ {
			if !slices.Contains(c.adds, int(g)) {
				add(0, 1)
			}
			rec.spawn(0)
		}
		for _, g := range c.adds {
			add(int32(g), 1)
		}
		for g := int32(1); g <= 2; g++ {
			rec.event(g, event.Write, loc(8, 8), uint64(g))
			add(g, -1)
		}
		rec.event(0, event.WaitGroupWait, wg, 0).Other = 0
		rec.event(0, event.Read, loc(8, 8), 2)
		e := Encode(tr)
		if e.Fixed != c.fixed {
			t.Errorf("%s: %d fixed events, want %d\n%s", c.name, e.Fixed, c.fixed, dump(tr))
		}
		read := len(tr.Events) - 1
		if a := e.CanReturn(read, 1); a.Status != solver.Sat { // the writes are free in either case
			t.Errorf("%s: 1 is %v", c.name, a.Status)
		}
		if a := e.CanReturnInitial(read); a.Status == solver.Sat {
			t.Errorf("%s: the read can come before a write", c.name)
		}
	}
}

// TestRedundantExample is listing 4.1 of the dissertation: after both reads returned 1, the second can return 0 if
// the first need not keep its value; by algorithm 6 it cannot.
func TestRedundantExample(t *testing.T) {
	tr := build(2, []line{{1, event.Write, 8, 1}, {2, event.Read, 8, 1}, {2, event.Read, 8, 1}})
	none := table{make([][]int32, len(tr.Events)), make([][]int32, len(tr.Events))}
	for _, c := range []struct {
		name string
		o    Options
		want solver.Status
	}{
		{"full validity", Options{}, solver.Unsat},
		{"algorithm 4", Options{Needs: none}, solver.Sat},
		{"algorithm 6", Options{Needs: none, TargetKeeps: true}, solver.Unsat},
	} {
		if a := EncodeWith(tr, c.o, solver.New()).CanReturnInitial(4); a.Status != c.want {
			t.Errorf("%s: %v, want %v", c.name, a.Status, c.want)
		}
	}
}

// TestConstraintsOfTheRedundantExample counts by hand what the questions of TestRedundantExample constrain: that the
// second read returns what was there at first has one write to keep away, and, as far as the first read has to keep its
// value, that read.
func TestConstraintsOfTheRedundantExample(t *testing.T) {
	tr := build(2, []line{{1, event.Write, 8, 1}, {2, event.Read, 8, 1}, {2, event.Read, 8, 1}})
	none := table{make([][]int32, len(tr.Events)), make([][]int32, len(tr.Events))}
	base := []int32{0, 0, 1}
	for _, c := range []struct {
		name string
		o    Options
		want Counts
	}{
		{"full validity", Options{}, Counts{Reads: 1, Constraints: 1}},
		{"algorithm 4", Options{Needs: none}, Counts{Constraints: 1}},
		{"algorithm 6", Options{Needs: none, TargetKeeps: true}, Counts{Reads: 1, Constraints: 1}},
		{"a base", Options{Needs: none, Base: base}, Counts{Constraints: 1}},
		{"a base that keeps the first read", Options{Needs: none, Base: base, Kept: []int32{3}}, Counts{Constraints: 1, BaseReads: 1}},
	} {
		if got := EncodeWith(tr, c.o, solver.New()).Count(4, 0, true); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestBaseIsKept compares questions with a base with their definition: an order in which the read returns the value,
// and goes no further, and all of the base comes to pass as it did, before it or behind it. The seed shows one.
func TestBaseIsKept(t *testing.T) {
	rounds := 600
	if !long.On() {
		rounds = 100
	}
	sat, unsat, behind := 0, 0, 0
	for s := range rounds {
		rng := rand.New(rand.NewPCG(uint64(s), 99))
		tr := denseTrace(rng, 6+s%3)
		base := make([]int32, len(tr.Threads))
		for th := range base {
			n := 0
			for i := range tr.Events {
				if int(tr.Events[i].Thread) == th {
					n++
				}
			}
			base[th] = int32(rng.IntN(n + 1))
		}
		kept := func(w *world) bool {
			for i := range tr.Events {
				if e := &tr.Events[i]; e.Seq < base[e.Thread] && !w.done[i] {
					return false
				}
			}
			return true
		}
		e := EncodeWith(tr, Options{Base: base}, solver.New())
		for r, ev := range tr.Events {
			if ev.Kind != event.Read && ev.Kind != event.AtomicLoad || ev.Seq < base[ev.Thread] || fixedEvents(tr)[r] {
				continue
			}
			found := make(map[content]bool)
			seen := make(map[string]bool)
			var visit func(w *world, met content, asked bool) // asked: the read stands there, and has met that
			visit = func(w *world, met content, asked bool) {
				key := w.key()
				if asked {
					key += dumpContent(met)
				}
				if seen[key] {
					return
				}
				seen[key] = true
				if asked && kept(w) {
					found[met] = true
				}
				if !asked && w.next(r) {
					visit(w, w.content(r), true)
				}
				for i := range tr.Events {
					if i != r && w.can(i) {
						c := w.clone()
						c.run(i)
						visit(c, met, asked)
					}
				}
			}
			visit(newWorld(tr), content{}, false)
			for v := range uint64(4) {
				a, want := e.CanReturn(r, v), found[content{value: v}]
				if (a.Status == solver.Sat) != want {
					t.Fatalf("trace %d, base %v, event %d returns %d: %v, by definition %v\n%s", s, base, r, v, a.Status, want, dump(tr))
				}
				if !want {
					unsat++
					continue
				}
				sat++
				w, asked := newWorld(tr), false
				for k, step := range a.Seed {
					at := -1
					for i := range tr.Events {
						if tr.Threads[tr.Events[i].Thread].ID == step.Thread && w.next(i) {
							at = i
							break
						}
					}
					switch {
					case at == r && !asked && w.content(r) == content{value: v}:
						asked = true
						if k+1 < len(a.Seed) {
							behind++
						}
					case at >= 0 && at != r && w.can(at):
						w.run(at)
					default:
						t.Fatalf("trace %d, event %d returns %d: step %d of seed %v cannot be\n%s", s, r, v, k, a.Seed, dump(tr))
					}
				}
				if !asked || !kept(w) {
					t.Fatalf("trace %d, base %v, event %d returns %d: seed %v lacks something\n%s", s, base, r, v, a.Seed, dump(tr))
				}
			}
		}
	}
	t.Logf("%d answers sat, %d of them with something behind the read, %d unsat", sat, behind, unsat)
	if behind < rounds/20 {
		t.Error("there is hardly ever anything behind the read")
	}
}

func dumpContent(c content) string { return fmt.Sprintf(" %+v", c) }
