package analysistest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/analysistest/progen"
	"github.com/heddle-go/heddle/analysistest/progen/prelude"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/formula"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/passes/depends"
	"github.com/heddle-go/heddle/program"
	"github.com/heddle-go/heddle/sdg"
	"golang.org/x/tools/go/ssa"
)

// TestDependence compares executions. If what an event depends on returned the same in another execution, the goroutine
// came to the same operation there and, as far as Value goes, wrote the same.
func TestDependence(t *testing.T) {
	executions := map[string]int{"testdata/dependence": long.Pick(16, 40), "testdata/outcomes": long.Pick(8, 20)}
	for _, dir := range slices.Sorted(maps.Keys(executions)) {
		m, p := loadDirWith(t, dir, machine.Config{Regions: sdg.Joins})
		for _, e := range p.Entries {
			t.Run(strings.TrimPrefix(dir, "testdata/")+"/"+e.Name, func(t *testing.T) {
				c := dependenceCheck{t: t}
				c.compare(m.Entry(e), executions[dir])
				t.Logf("%d operations and %d values held though something else was read", c.paths, c.values)
			})
		}
	}
}

// TestDependenceOfRandomPrograms is TestDependence on generated programs.
func TestDependenceOfRandomPrograms(t *testing.T) {
	n := long.Pick[uint64](100, 200)
	var ps []*progen.Program
	for s := uint64(1); s <= n; s++ {
		ps = append(ps, progen.Generate(s, 12))
	}
	file, err := progen.File(ps)
	if err != nil {
		t.Fatal(err)
	}
	l, err := progen.LoadWith(file, prelude.NoLog, machine.Config{Regions: sdg.Joins})
	if err != nil {
		t.Fatal(err)
	}
	c := dependenceCheck{t: t}
	for i, p := range ps {
		m, err := l.Machine(i)
		if err != nil {
			t.Fatal(err)
		}
		c.name = fmt.Sprintf("seed %d: ", p.Seed)
		c.compare(m, 25)
	}
	t.Logf("%d operations and %d values held though something else was read", c.paths, c.values)
	if c.paths < 1000 || c.values < 100 {
		t.Errorf("the programs show too little: %d, %d", c.paths, c.values)
	}
}

type dependenceCheck struct {
	t             *testing.T
	name          string
	paths, values int // claims that held and say more than that the same history leads to the same operation
	faults        int
}

// compare runs a program under a few schedules and compares every two executions.
func (c *dependenceCheck) compare(m sched.Machine, executions int) {
	var ts []*trace.Trace
	o := sched.Options{MaxEvents: 400}
	oracle.Search(m, oracle.Limits{Executions: executions / 2, Options: o}, func(t *trace.Trace) { ts = append(ts, t) })
	for i := range executions / 2 {
		ts = append(ts, m.Run(sched.NewRandom(sched.RandSeed(i)), o))
	}
	var hs []*histories
	for _, t := range ts {
		hs = append(hs, newHistories(t))
	}
	for _, a := range hs {
		for _, b := range hs {
			c.pair(a, b)
		}
	}
}

// A histories is a trace by goroutine.
type histories struct {
	*trace.Trace
	path, value [][]int32 // members, by event
	now         []int64   // the virtual time, by event
	of          map[event.ThreadID][]int32
	last        map[event.ThreadID]*event.Op // what it stood at in the end
}

func newHistories(t *trace.Trace) *histories {
	h := &histories{Trace: t, of: make(map[event.ThreadID][]int32), last: make(map[event.ThreadID]*event.Op)}
	now, moves := t.Start, t.Clock
	for i := range t.Events {
		for ; len(moves) > 0 && int(moves[0].Event) <= i; moves = moves[1:] {
			if !moves[0].Early {
				now = moves[0].Now
			}
		}
		h.now = append(h.now, now)
		h.path = append(h.path, t.Dependence.Members(t.Dependence.Path[i]))
		h.value = append(h.value, t.Dependence.Members(t.Dependence.Value[i]))
		id := t.Threads[t.Events[i].Thread].ID
		h.of[id] = append(h.of[id], int32(i))
	}
	for i := range t.Threads {
		h.last[t.Threads[i].ID] = t.Threads[i].Pending
	}
	return h
}

// holds reports whether event e of a returned the same in b.
func holds(a, b *histories, e int32) bool {
	x := &a.Events[e]
	hist := b.of[a.Threads[x.Thread].ID]
	if int(x.Seq) >= len(hist) {
		return false
	}
	y := &b.Events[hist[x.Seq]]
	switch x.Kind {
	case event.ObjectRead, event.ObjectWrite, event.Quiesce: // the event does not say what it found
		return false
	}
	if x.Kind == event.AtomicRMW && y.Kind == x.Kind && x.Key != y.Key { // what it found: an addition may return nothing (UNUSED1)
		return false
	}
	return sameOp(x, y) && trace.ReplyOf(x) == trace.ReplyOf(y)
}

func isChoice(e *event.Event) bool { return e.Case >= 0 || e.Kind == event.SelectDefault }

// sameOp reports whether two events are the same operation. What a select chooses, and whether an operation fails, is
// the schedule's.
func sameOp(x, y *event.Event) bool {
	if isChoice(x) || isChoice(y) {
		return isChoice(x) && isChoice(y) && x.Site == y.Site
	}
	isMap := x.Kind == event.MapRead || x.Kind == event.MapWrite // elsewhere Key is no part of what is done
	return x.Kind == y.Kind && x.Loc == y.Loc && (x.Key == y.Key || !isMap)
}

func (c *dependenceCheck) pair(a, b *histories) {
	for id, hist := range a.of {
		if strings.HasPrefix(string(id), "T/") {
			continue
		}
		other := b.of[id]
		if len(other) == 0 && b.last[id] == nil {
			continue
		}
		full := true // everything so far returned the same
		for i, e := range hist {
			x := &a.Events[e]
			for _, on := range a.path[e] {
				if on != e && !holds(a, b, on) {
					goto next
				}
			}
			if i < len(other) && a.now[e] != b.now[other[i]] {
				break // the clock is read without an event
			}
			if i < len(other) {
				y := &b.Events[other[i]]
				self := false
				for _, on := range a.path[e] {
					self = self || on == e
				}
				same := sameOp(x, y)
				if self && x.Kind != y.Kind && x.Loc == y.Loc && asked(x) == asked(y) {
					goto next // an operation on a sync.Map that has changed something in one of them
				}
				if self && !same && x.Loc == y.Loc && (x.Kind == event.AtomicRMW || x.Kind == event.AtomicLoad) && (y.Kind == event.AtomicRMW || y.Kind == event.AtomicLoad) {
					goto next // a compare-and-swap that found something else
				}
				if !same && !final(x) && !final(y) {
					c.fault("event %d of %s is %v %x here, %v %x there\n%s\n%s", i, id, x.Kind, x.Loc, y.Kind, y.Loc, show(a, id), show(b, id))
					goto next
				}
				if !full {
					c.paths++
				}
				c.value(a, b, e, x, y, full)
				full = full && holds(a, b, e)
				continue
			}
			if op := b.last[id]; op != nil && !op.IsSelect() && op.Kind != x.Kind && !final(x) && op.Kind != event.Panic && op.Kind != event.Exit && x.Case < 0 && x.Kind != event.SelectDefault &&
				!(op.Kind == event.AtomicRMW && x.Kind == event.AtomicLoad) {
				c.fault("%s stands at %v, event %d is %v", id, op.Kind, i, x.Kind)
			}
			break
		}
	next:
	}
}

// asked is what an operation on an object was before it was known whether it changes anything.
func asked(e *event.Event) event.Kind {
	if e.Kind == event.ObjectRead && e.Swap {
		return event.ObjectWrite
	}
	return e.Kind
}

func final(e *event.Event) bool { return e.Kind == event.Panic || e.Kind == event.Exit }

// value checks what events write.
func (c *dependenceCheck) value(a, b *histories, e int32, x, y *event.Event, full bool) {
	switch x.Kind {
	case event.Write, event.AtomicStore, event.AtomicRMW, event.MapWrite:
	default:
		return
	}
	if x.Kind != y.Kind {
		return
	}
	for _, on := range a.value[e] {
		if !holds(a, b, on) {
			return
		}
	}
	if !full {
		c.values++
	}
	if written(a, x) != written(b, y) {
		c.fault("event %d of %s, %v, writes %x here, %x there\n%s\n%s", x.Seq, a.Threads[x.Thread].ID, x.Kind, x.Value, y.Value,
			show(a, a.Threads[x.Thread].ID), show(b, a.Threads[x.Thread].ID))
	}
}

// written names what an event writes.
func written(h *histories, e *event.Event) string {
	switch size := int64(e.Loc.Size); {
	case e.Kind == event.AtomicRMW && size > 8: // what it found, and what it left
		return string(h.Bytes[e.Other+size:][:size])
	case e.Kind == event.AtomicRMW:
		return fmt.Sprint(e.Other)
	}
	return fmt.Sprint(e.Value)
}

func (c *dependenceCheck) fault(format string, args ...any) {
	if c.faults++; c.faults <= 5 {
		c.t.Errorf(c.name+format, args...)
	}
}

// show writes the history of a goroutine with what its events depend on.
func show(h *histories, id event.ThreadID) string {
	var b strings.Builder
	for i, e := range h.of[id] {
		x := &h.Events[e]
		fmt.Fprintf(&b, "\t%d (#%d) %v %x value %x path %v value %v\n", i, e, x.Kind, x.Loc.Addr, x.Value,
			h.path[e], h.value[e])
	}
	return b.String()
}

// TestDependenceOutcomes compares the explorers by formulas with brute force on the programs of testdata/dependence,
// for each way of finding what events depend on. In some of them rule 2 of the dissertation is too weak: TestPhi,
// TestReturn and TestImplicit (a value chosen by a branch), TestIndex (an address).
func TestDependenceOutcomes(t *testing.T) {
	diverged := make(map[depends.Mode]int)
	ways := []depends.Mode{depends.OnAll, depends.ByGraph, depends.ByFlow}
	if long.On() {
		ways = append(ways, depends.ByRules, depends.ByOptimism) // which are there to compare with
	}
	for _, d := range ways {
		m, p := loadDirWith(t, "testdata/dependence", d.MachineConfig())
		graphs := depends.NewGraphs(p)
		for i, e := range p.Entries {
			if i%long.Pick(4, 2) != 0 && (!long.On() || d != depends.ByGraph && d != depends.ByFlow) {
				continue
			}
			em := m.Entry(e)
			want := oracle.SearchStates(em, oracle.Limits{Executions: long.Pick(400, 1500)}, nil)
			if !want.Complete {
				continue
			}
			for k, plus := range []bool{false, true} {
				if (i/4+k)%long.Step(2) != 0 {
					continue
				}
				got := oracle.NewResult()
				x := &formula.Explorer{Plus: plus, Needs: d.Needs(graphs, m), Observe: func(t *trace.Trace) { got.Add(t) }}
				res := x.Explore(em, explore.Limits{})
				if res.Verdict != explore.Exhausted {
					t.Errorf("%s, %s, plus %v: %s %s", e.Name, d, plus, res.Verdict, res.Reason)
				}
				diverged[d] += res.Stats.Diverged
				for k := range want.Outcomes {
					if _, ok := got.Outcomes[k]; !ok {
						t.Errorf("%s, %s, plus %v: not met: %s", e.Name, d, plus, k)
					}
				}
				for k := range got.Outcomes {
					if _, ok := want.Outcomes[k]; !ok {
						t.Errorf("%s, %s, plus %v: not met by brute force: %s", e.Name, d, plus, k)
					}
				}
			}
		}
	}
	t.Logf("executions that diverged: %v", diverged)
	if diverged[depends.OnAll] > 0 {
		t.Error("under full validity a seed has diverged")
	}
}

// graphs are those of testdata/dependence, which several tests ask.
var graphs *depends.Graphs

// loadStatic returns the machine of testdata/dependence, and the dependence graphs.
func loadStatic(t *testing.T) (*machine.Machine, *program.Program, *depends.Graphs) {
	m, p := loadDir(t, "testdata/dependence")
	if graphs == nil {
		graphs = depends.NewGraphs(p)
	}
	return m, p, graphs
}

// TestStaticCopies: what append writes depends on what was read into the slice that it copies.
func TestStaticCopies(t *testing.T) {
	m, p, graphs := loadStatic(t)
	i := slices.IndexFunc(p.Entries, func(e program.Entry) bool { return e.Name == "TestAppended" })
	tr := m.Entry(p.Entries[i]).Run(sched.RunToBlock{}, sched.Options{})
	needs := depends.ByGraph.Needs(graphs, m)(tr)
	read := -1 // the last read before the write
	for e := range tr.Events {
		x := &tr.Events[e]
		if _, calls := m.Instr(x.Site).(*ssa.Call); x.Kind == event.Write && calls {
			if on := needs.Writes(e); read < 0 || !slices.Contains(on, int32(read)) {
				t.Errorf("the write %d needs %v, not the read %d", e, on, read)
			}
			return
		}
		if x.Kind == event.Read {
			read = e
		}
	}
	t.Error("append wrote nothing")
}

// TestStaticRules shows of programs in which a write comes after one read of its goroutine that where and whether it
// happens depends on the read (SLICE1), or what it writes (SLICE2).
func TestStaticRules(t *testing.T) {
	m, p, graphs := loadStatic(t)
	for name, want := range map[string][2]bool{"TestIndex": {true, false}, "TestPhi": {false, true}, "TestReturn": {false, true}} {
		i := slices.IndexFunc(p.Entries, func(e program.Entry) bool { return e.Name == name })
		tr := m.Entry(p.Entries[i]).Run(sched.RunToBlock{}, sched.Options{})
		needs, read, asked := depends.ByGraph.Needs(graphs, m)(tr), -1, false
		for e := range tr.Events {
			switch x := &tr.Events[e]; {
			case tr.Threads[x.Thread].ID != "G1.2" || asked:
			case x.Kind == event.Read:
				read = e
			case x.Kind == event.Write:
				asked = true
				got := [2]bool{slices.Contains(needs.Happens(e), int32(read)), slices.Contains(needs.Writes(e), int32(read))}
				if got != want {
					t.Errorf("%s: that it happens, and what it writes, depends on the read: %v, want %v", name, got, want)
				}
			}
		}
		if !asked {
			t.Errorf("%s: no write", name)
		}
	}
}

// TestPublishedDependsOnReads shows that who makes an object shared depends on what was stored in it before (FLOW6).
func TestPublishedDependsOnReads(t *testing.T) {
	m, p := loadDirWith(t, "testdata/dependence", machine.Config{Regions: sdg.Joins})
	i := slices.IndexFunc(p.Entries, func(e program.Entry) bool { return e.Name == "TestPublished" })
	tr := m.Entry(p.Entries[i]).Run(sched.RunToBlock{}, sched.Options{})
	asked := false
	for k := range tr.Published {
		e := tr.Published[k].Event
		if tr.Threads[tr.Events[e].Thread].ID != "G1.2" {
			continue
		}
		asked = true
		read := e - 1 // the last one of its goroutine
		for tr.Events[read].Kind != event.Read || tr.Events[read].Thread != tr.Events[e].Thread {
			read--
		}
		if on := tr.Dependence.Members(tr.Dependence.Path[e]); !slices.Contains(on, read) {
			t.Errorf("event %d, which shares an object, depends on %v, not on the read %d", e, on, read)
		}
	}
	if !asked {
		t.Error("it shares nothing")
	}
}
