package explore

import (
	"hash/fnv"
	"sort"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file builds the happens-before relation of a finished trace.

// A ref names an event: the seq-th of a thread.
type ref struct{ thread, seq int32 }

// A line is what one thread did. Its history is hashed: two threads of the same
// name whose states are equal after the same number of events did the same, after the same causes.
type line struct {
	name   uint64  // hash of the thread's ID
	events []int32 // indices in the trace
	// anchors are the points at which the thread learnt of others, or made a choice, by
	// increasing seq; the first one is its start.
	anchors []anchor
}

// An anchor is an event with causes in other threads. Between two anchors a thread
// is alone, and its clock grows in its own component only.
type anchor struct {
	seq   int32   // of the event; -1 for the thread's start
	state uint64  // hash of the thread's history, this event included
	clock []int32 // for each thread the number of its events that happen before, without this thread's own
}

// A cellUse is how a trace used one cell.
type cellUse struct {
	key   cellKey
	byThr []use // by thread, those that touched it
	// front are the events that later ones must still be compared with.
	front []occurrence
	// Channels: the events of buffered sends and receives in order, the capacity (-1
	// unknown).
	sends, recvs []ref
	cap          int
	announces    int8 // locks: see announced
	// Wait groups: the counter before the first add, if there was one.
	added   bool
	initial int64
	raced   bool // an event depended on one that its thread did not know
}

type occurrence struct {
	ref   ref
	class class
}

// A use lists the events of one thread on a cell, in order.
type use struct {
	thread int32
	occ    []seqClass
	sum    []int64 // wait groups: running sums of the deltas
	// Locks: the states after each event, made by lockStates.
	locks     []lockState
	announces bool
}

type seqClass struct {
	seq   int32
	class class
	index int32 // in the trace
	kind  event.Kind
	value uint64
}

// A graph is a trace with its happens-before relation.
type graph struct {
	t       *trace.Trace
	clock   map[int32]ready // of Sleep and TimerFire, by event index; see clock.go
	pending map[int32]ready // the same of pending operations, by thread
	lines   []line
	cells   []cellUse
	index   map[cellKey]int32
	layout  *layout
	strict  bool      // adds of one wait group do not commute
	touches [][]touch // by event index
	// children are the threads that an event started, by event index.
	children map[int32][]int32
	odd      map[event.Location]bool // locks: see overwritten
	held     map[holding]int         // read locks
	rec      *recorder
	tickers  map[uint64]bool // channels of tickers
	counts   bool            // somebody looks at other goroutines (DEP11)
	looks    bool            // and at where they stand
	// barrier, if its thread is not negative, is the last event that everything later depends on.
	barrier   ref
	lastTouch []ref
	barriers  []ref
}

const (
	mul1 = 0x9e3779b97f4a7c15
	mul2 = 0xbf58476d1ce4e5b9
)

// mix hashes two words into one (the finaliser of splitmix64).
func mix(a, b uint64) uint64 {
	x := a*mul1 ^ (b + mul2)
	x = (x ^ x>>30) * mul2
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func hashString(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return mix(h.Sum64(), uint64(len(s)))
}

// newGraph computes the happens-before relation of t. rec watched
// the execution. strict is the second form of rule DEP4.
func newGraph(t *trace.Trace, rec *recorder, strict bool) *graph {
	g := &graph{t: t, strict: strict, index: make(map[cellKey]int32), children: make(map[int32][]int32), held: make(map[holding]int), rec: rec, barrier: ref{-1, 0}}
	g.clock, g.pending = rec.resolve(t)
	g.lines = make([]line, len(t.Threads))
	g.lastTouch = make([]ref, len(t.Threads))
	for i := range t.Threads {
		g.lines[i].name = hashString(string(t.Threads[i].ID))
		g.lastTouch[i] = ref{int32(i), -1}
		if spawn := t.Threads[i].Spawn; spawn >= 0 {
			g.children[spawn] = append(g.children[spawn], int32(i))
		} else {
			g.lines[i].anchors = []anchor{{-1, g.lines[i].name, make([]int32, len(t.Threads))}}
		}
	}
	g.layout = newLayout(t, func() int32 {
		g.cells = append(g.cells, cellUse{key: cellKey{space: spaceMemory}, cap: -1})
		return int32(len(g.cells) - 1)
	})
	g.tickers = make(map[uint64]bool)
	for _, s := range t.Started {
		if s.Channel && s.Period > 0 {
			g.tickers[s.Object] = true
		}
	}
	for i := range t.Events {
		l := &g.lines[t.Events[i].Thread]
		l.events = append(l.events, int32(i))
	}
	g.noteLooks()
	g.touches = make([][]touch, len(t.Events))
	for i := range t.Events {
		g.add(int32(i))
	}
	return g
}

// cell returns the number of a cell that is not memory.
func (g *graph) cell(k cellKey) int32 {
	n, ok := g.index[k]
	if !ok {
		n = int32(len(g.cells))
		g.index[k] = n
		c := cellUse{key: k, cap: -1}
		if k.space == spaceChan && g.t.Caps != nil {
			if size, ok := g.t.Caps[k.addr]; ok {
				c.cap = size
			}
		}
		g.cells = append(g.cells, c)
	}
	return n
}

// last returns the anchor that holds after the first n events of a thread.
func (l *line) last(n int32) *anchor {
	i := sort.Search(len(l.anchors), func(i int) bool { return l.anchors[i].seq >= n })
	return &l.anchors[i-1]
}

// knows reports whether f is among the causes of the first n events of thread p.
func (g *graph) knows(p, n int32, f ref) bool {
	if p == f.thread {
		return f.seq < n
	}
	return g.lines[p].last(n).clock[f.thread] > f.seq
}

// state is the hash of thread p's history after n events.
func (g *graph) state(p, n int32) uint64 { return g.lines[p].last(n).state }

// add appends event i to the relation.
func (g *graph) add(i int32) {
	e := &g.t.Events[i]
	if e.Partner >= 0 {
		if e.Kind == event.ChanSend {
			g.addMeeting(i, e.Partner)
		}
		return
	}
	ts := g.touchesOf(i)
	g.touches[i] = ts
	me := ref{e.Thread, e.Seq}
	deps := g.depsOf(me, ts)
	deps = append(deps, g.clockDeps(i, len(ts) > 0)...)
	g.join(me, e.Case, deps)
	g.enter(i, me, ts)
	for _, child := range g.children[i] {
		g.start(child, me)
	}
}

// addMeeting appends a rendezvous, whose halves are events i and j.
func (g *graph) addMeeting(i, j int32) {
	s, r := &g.t.Events[i], &g.t.Events[j]
	a, b := ref{s.Thread, s.Seq}, ref{r.Thread, r.Seq}
	ts := g.meetTouches(a, b, s.Loc.Addr)
	g.touches[i], g.touches[j] = ts, ts
	deps := append(g.depsOf(a, ts), g.clockDeps(i, true)...)
	keep := deps[:0]
	for _, d := range deps {
		if !g.knows(b.thread, b.seq, d) {
			keep = append(keep, d)
		}
	}
	token := g.meeting(a, s.Case, b, r.Case, keep)
	clock := make([]int32, len(g.lines))
	for _, f := range append(keep, ref{a.thread, a.seq - 1}, ref{b.thread, b.seq - 1}) {
		g.raise(clock, f)
	}
	for _, half := range []ref{a, b} {
		own := append([]int32(nil), clock...)
		other := a
		if half == a {
			other = b
		}
		own[other.thread] = max(own[other.thread], other.seq+1)
		l := &g.lines[half.thread]
		l.anchors = append(l.anchors, anchor{half.seq, mix(token, l.name), own})
	}
	g.enter(i, a, ts)
	g.note(j, b, ts)
	g.lastTouch[b.thread] = b
}

// meeting is the hash of a rendezvous.
func (g *graph) meeting(a ref, caseA int16, b ref, caseB int16, deps []ref) uint64 {
	x := mix(mix(g.state(a.thread, a.seq), uint64(a.seq)), uint64(uint16(caseA)))
	y := mix(mix(g.state(b.thread, b.seq), uint64(b.seq)), uint64(uint16(caseB)))
	return mix(mix(x, y), g.sum(deps))
}

// sum hashes a set of causes, in any order.
func (g *graph) sum(deps []ref) (sum uint64) {
	for _, d := range deps {
		sum += mix(mix(g.state(d.thread, d.seq+1), g.lines[d.thread].name), uint64(d.seq))
	}
	return sum
}

// after is the state of a thread after an event with the given causes.
func (g *graph) after(e ref, choice int16, deps []ref) uint64 {
	s := g.state(e.thread, e.seq)
	if len(deps) == 0 && choice < 0 {
		return s
	}
	return mix(mix(s, uint64(e.seq)), mix(uint64(uint16(choice)), g.sum(deps)))
}

// raise joins into clock all that event f (and its thread before it) knows.
func (g *graph) raise(clock []int32, f ref) {
	if a := g.lines[f.thread].last(f.seq + 1); a != nil {
		for i, n := range a.clock {
			clock[i] = max(clock[i], n)
		}
	}
	clock[f.thread] = max(clock[f.thread], f.seq+1)
}

// join makes e happen after deps, none of which its thread knows.
func (g *graph) join(e ref, choice int16, deps []ref) {
	if len(deps) == 0 && choice < 0 {
		return
	}
	l := &g.lines[e.thread]
	clock := append([]int32(nil), l.anchors[len(l.anchors)-1].clock...)
	for _, f := range deps {
		g.raise(clock, f)
	}
	l.anchors = append(l.anchors, anchor{e.seq, g.after(e, choice, deps), clock})
}

// start begins a thread that event e spawned.
func (g *graph) start(child int32, e ref) {
	clock := make([]int32, len(g.lines))
	g.raise(clock, e)
	l := &g.lines[child]
	l.anchors = append(l.anchors, anchor{-1, mix(l.name, g.state(e.thread, e.seq+1)), clock})
}

// depsOf returns the events in the fronts of the touched cells that me depends
// on and that its thread does not know.
func (g *graph) depsOf(me ref, ts []touch) []ref {
	var deps []ref
	for _, t := range ts {
		c := &g.cells[t.cell]
		for _, o := range c.front {
			if o.ref.thread != me.thread && t.class.conflictsWith(o.class) {
				n := len(deps)
				deps = g.addDep(deps, me, o.ref)
				c.raced = c.raced || len(deps) > n
			}
		}
		switch { // DEP7
		case t.class == classRecv && len(c.recvs) < len(c.sends):
			deps = g.addDep(deps, me, c.sends[len(c.recvs)])
		case t.class == classSend && c.cap > 0 && len(c.sends) >= c.cap && len(c.sends)-c.cap < len(c.recvs):
			deps = g.addDep(deps, me, c.recvs[len(c.sends)-c.cap])
		}
	}
	return deps
}

func (g *graph) addDep(deps []ref, me, f ref) []ref {
	if f.thread == me.thread || g.knows(me.thread, me.seq, f) {
		return deps
	}
	for _, d := range deps {
		if d == f {
			return deps
		}
	}
	return append(deps, f)
}

// enter records an event in the cells it touches.
func (g *graph) enter(i int32, me ref, ts []touch) {
	e := &g.t.Events[i]
	for _, t := range ts {
		c := &g.cells[t.cell]
		if c.key.space == spaceMapRace {
			continue
		}
		c.push(occurrence{me, t.class})
		switch t.class {
		case classSend:
			c.sends = append(c.sends, me)
		case classRecv:
			c.recvs = append(c.recvs, me)
		}
	}
	g.note(i, me, ts)
	if len(ts) > 0 || isClock(e.Kind) {
		g.lastTouch[me.thread] = me
	}
}

// push adds an event to the front of a cell, and drops those that it hides, and an earlier read of its thread, which whoever knows
// this one knows.
func (c *cellUse) push(o occurrence) {
	keep := c.front[:0]
	for _, f := range c.front {
		if !o.class.hides(f.class) && !(o.class == classRead && f.class == classRead && f.ref.thread == o.ref.thread) {
			keep = append(keep, f)
		}
	}
	c.front = append(keep, o)
}

// note records an event in the lists by thread.
func (g *graph) note(i int32, me ref, ts []touch) {
	e := &g.t.Events[i]
	for _, t := range ts {
		c := &g.cells[t.cell]
		u := c.of(me.thread)
		u.occ = append(u.occ, seqClass{me.seq, t.class, i, e.Kind, e.Value})
		if c.key.space == spaceGroup {
			sum := int64(0)
			if n := len(u.sum); n > 0 {
				sum = u.sum[n-1]
			}
			if e.Kind == event.WaitGroupAdd {
				if !c.added { // what package initialisation left
					c.added, c.initial = true, e.Other-int64(e.Value)
				}
				sum += int64(e.Value)
			}
			u.sum = append(u.sum, sum)
		}
	}
}

func (c *cellUse) of(thread int32) *use {
	for i := range c.byThr {
		if c.byThr[i].thread == thread {
			return &c.byThr[i]
		}
	}
	c.byThr = append(c.byThr, use{thread: thread})
	return &c.byThr[len(c.byThr)-1]
}

// upTo returns the uses among the first n events of the thread.
func (u *use) upTo(n int32) []seqClass {
	return u.occ[:sort.Search(len(u.occ), func(i int) bool { return u.occ[i].seq >= n })]
}

// siteOf returns the site of an event or of a pending operation.
func (g *graph) siteOf(r ref) event.Site {
	if events := g.lines[r.thread].events; int(r.seq) < len(events) {
		return g.t.Events[events[r.seq]].Site
	}
	return g.t.Threads[r.thread].Pending.Site
}

// kindOf returns the kind of an event or of a pending operation.
func (g *graph) kindOf(r ref) event.Kind {
	if events := g.lines[r.thread].events; int(r.seq) < len(events) {
		return g.t.Events[events[r.seq]].Kind
	}
	return g.t.Threads[r.thread].Pending.Kind
}

// part is what a thread with n events adds to a fingerprint.
func (g *graph) part(thread, n int32, state uint64) uint64 {
	if n == 0 {
		return 0
	}
	return mix(mix(state, g.lines[thread].name), uint64(n))
}
