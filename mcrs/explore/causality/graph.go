package causality

import (
	"cmp"
	"hash/fnv"
	"slices"
	"sort"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file builds the happens-before relation of a finished trace.

// A Ref names an event: the seq-th of a thread.
type Ref struct{ Thread, Seq int32 }

// A Line is what one thread did. Its history is hashed: two threads of the same
// name whose states are equal after the same number of events did the same, after the same causes.
type Line struct {
	Name   uint64  // hash of the thread's ID
	Events []int32 // indices in the trace
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

// A CellUse is how a trace used one cell.
type CellUse struct {
	Key   CellKey
	ByThr []Use // by thread, those that touched it
	// front are the events that later ones must still be compared with.
	front []occurrence
	// Channels: the events of buffered sends and receives in order, the capacity (-1
	// unknown).
	sends, recvs []Ref
	cap          int
	announces    int8 // locks: see announced
	// Wait groups: the counter before the first add, if there was one.
	added   bool
	initial int64
	Raced   bool // an event depended on one that its thread did not know
}

type occurrence struct {
	ref   Ref
	class class
}

// A Use lists the events of one thread on a cell, in order.
type Use struct {
	Thread int32
	Occ    []SeqClass
	sum    []int64 // wait groups: running sums of the deltas
	// Locks: the states after each event, made by lockStates.
	locks     []lockState
	announces bool
}

// A SeqClass is an event on a cell.
type SeqClass struct {
	Seq   int32
	class class
	index int32 // in the trace
	Kind  event.Kind
	Value uint64
}

// A Record is a trace, with what its operations touch.
type Record struct {
	Trace  *trace.Trace
	Lines  []Line
	Cells  []CellUse
	index  map[CellKey]int32
	layout *layout
	rec    *Recorder
	strict bool                    // adds of one wait group do not commute
	odd    map[event.Location]bool // locks: see overwritten
	// unpaired are the locks of which a read lock is given back by a thread that holds none.
	unpaired map[uint64]bool
	tickers  map[uint64]bool    // channels of tickers
	made     map[uint64]bool    // sync.Maps that nobody had used (DEP15)
	Counts   bool               // somebody looks at other goroutines (DEP11)
	Looks    bool               // and at where they stand
	queues   map[uint64][]int32 // by channel: the cells of those who stood in its queues (DEP14)
}

// A Graph is a trace with its happens-before relation.
type Graph struct {
	Record
	clock   map[int32]ready    // of Sleep and TimerFire, by event index; see clock.go
	pending map[int32]ready    // the same of pending operations, by thread
	starts  map[uint64][]int32 // of timers, by object: places in Trace.Started; nil if not asked yet
	Touches [][]Touch          // by event index
	// children are the threads that an event started, by event index.
	children map[int32][]int32
	// barrier, if its thread is not negative, is the last event that everything later depends on.
	barrier   Ref
	lastTouch []Ref
	barriers  []Ref
	apart     *apart // nil: locks order as they did
	// set counts the sets of causes, and setOf is the last one to which a thread's events were added, by thread.
	set   int
	setOf []int
}

const (
	mul1 = 0x9e3779b97f4a7c15
	mul2 = 0xbf58476d1ce4e5b9
)

// Mix hashes two words into one (the finaliser of splitmix64).
func Mix(a, b uint64) uint64 {
	x := a*mul1 ^ (b + mul2)
	x = (x ^ x>>30) * mul2
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// HashString hashes a string.
func HashString(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return Mix(h.Sum64(), uint64(len(s)))
}

// NewGraph computes the happens-before relation of t. rec watched
// the execution. strict is the second form of rule DEP4.
func NewGraph(t *trace.Trace, rec *Recorder, strict bool) *Graph {
	return newGraph(t, rec, strict, nil)
}

func newGraph(t *trace.Trace, rec *Recorder, strict bool, apart *apart) *Graph {
	g := &Graph{
		apart:    apart,
		Record:   Record{Trace: t, strict: strict, index: make(map[CellKey]int32), unpaired: make(map[uint64]bool), rec: rec},
		children: make(map[int32][]int32), barrier: Ref{-1, 0},
	}
	g.clock, g.pending = rec.resolve(t)
	g.Lines = make([]Line, len(t.Threads))
	g.lastTouch, g.setOf = make([]Ref, len(t.Threads)), make([]int, len(t.Threads))
	for i := range t.Threads {
		g.Lines[i].Name = HashString(string(t.Threads[i].ID))
		g.lastTouch[i] = Ref{int32(i), -1}
		if spawn := t.Threads[i].Spawn; spawn >= 0 {
			g.children[spawn] = append(g.children[spawn], int32(i))
		} else {
			g.Lines[i].anchors = []anchor{{-1, g.Lines[i].Name, make([]int32, len(t.Threads))}}
		}
	}
	g.layout = newLayout(t, func() int32 {
		g.Cells = append(g.Cells, CellUse{Key: CellKey{Space: SpaceMemory}, cap: -1})
		return int32(len(g.Cells) - 1)
	})
	g.tickers, g.made = make(map[uint64]bool), make(map[uint64]bool)
	for _, s := range t.Started {
		if s.Channel && s.Period > 0 && s.Bubble == 0 {
			g.tickers[s.Object] = true
		}
	}
	for i := range t.Events {
		e := &t.Events[i]
		l := &g.Lines[e.Thread]
		l.Events = append(l.Events, int32(i))
		if event.OfMap(e) && e.Other&event.MapUsed != 0 {
			g.made[e.Loc.Addr] = true
		}
	}
	g.noteLooks()
	g.notePairs()
	g.noteQueues()
	g.Touches = make([][]Touch, len(t.Events))
	for i := range t.Events {
		g.add(int32(i))
	}
	return g
}

// Cell returns the number of a cell that is not memory.
func (g *Record) Cell(k CellKey) int32 {
	n, ok := g.index[k]
	if !ok {
		n = int32(len(g.Cells))
		g.index[k] = n
		c := CellUse{Key: k, cap: -1}
		if k.Space == spaceChan && g.Trace.Caps != nil {
			if size, ok := g.Trace.Caps[k.Addr]; ok {
				c.cap = size
			}
		}
		g.Cells = append(g.Cells, c)
	}
	return n
}

// last returns the anchor that holds after the first n events of a thread.
func (l *Line) last(n int32) *anchor {
	i := sort.Search(len(l.anchors), func(i int) bool { return l.anchors[i].seq >= n })
	return &l.anchors[i-1]
}

// Knows reports whether f is among the causes of the first n events of thread p.
func (g *Graph) Knows(p, n int32, f Ref) bool {
	if p == f.Thread {
		return f.Seq < n
	}
	return g.Lines[p].last(n).clock[f.Thread] > f.Seq
}

// State is the hash of thread p's history after n events.
func (g *Graph) State(p, n int32) uint64 { return g.Lines[p].last(n).state }

// add appends event i to the relation.
func (g *Graph) add(i int32) {
	e := &g.Trace.Events[i]
	if e.Partner >= 0 {
		if e.Kind == event.ChanSend {
			g.addMeeting(i, e.Partner)
		}
		return
	}
	ts := g.touchesOf(i)
	g.Touches[i] = ts
	me := Ref{e.Thread, e.Seq}
	deps := g.apart.depsOf(g, i, me, ts)
	deps = append(deps, g.clockDeps(i, len(ts) > 0)...)
	g.join(me, e.Case, deps)
	g.enter(i, me, ts)
	for _, child := range g.children[i] {
		g.start(child, me)
	}
}

// addMeeting appends a rendezvous, whose halves are events i and j.
func (g *Graph) addMeeting(i, j int32) {
	s, r := &g.Trace.Events[i], &g.Trace.Events[j]
	a, b := Ref{s.Thread, s.Seq}, Ref{r.Thread, r.Seq}
	ts := g.MeetTouches(a, b, s.Loc.Addr)
	g.Touches[i], g.Touches[j] = ts, ts
	deps := append(g.DepsOf(a, ts), g.clockDeps(i, true)...)
	keep := deps[:0]
	for _, d := range deps {
		if !g.Knows(b.Thread, b.Seq, d) {
			keep = append(keep, d)
		}
	}
	token := g.Meeting(a, s.Case, b, r.Case, keep)
	clock := make([]int32, len(g.Lines))
	for _, f := range append(keep, Ref{a.Thread, a.Seq - 1}, Ref{b.Thread, b.Seq - 1}) {
		g.raise(clock, f)
	}
	for _, half := range []Ref{a, b} {
		own := append([]int32(nil), clock...)
		other := a
		if half == a {
			other = b
		}
		own[other.Thread] = max(own[other.Thread], other.Seq+1)
		l := &g.Lines[half.Thread]
		l.anchors = append(l.anchors, anchor{half.Seq, Mix(token, l.Name), own})
	}
	g.enter(i, a, ts)
	g.note(j, b, ts)
	g.lastTouch[b.Thread] = b
}

// Meeting is the hash of a rendezvous.
func (g *Graph) Meeting(a Ref, caseA int16, b Ref, caseB int16, deps []Ref) uint64 {
	x := Mix(Mix(g.State(a.Thread, a.Seq), uint64(a.Seq)), uint64(uint16(caseA)))
	y := Mix(Mix(g.State(b.Thread, b.Seq), uint64(b.Seq)), uint64(uint16(caseB)))
	return Mix(Mix(x, y), g.sum(deps))
}

// sum hashes a set of causes, in any order.
func (g *Graph) sum(deps []Ref) (sum uint64) {
	for _, d := range deps {
		sum += Mix(Mix(g.State(d.Thread, d.Seq+1), g.Lines[d.Thread].Name), uint64(d.Seq))
	}
	return sum
}

// After is the state of a thread after an event with the given causes.
func (g *Graph) After(e Ref, choice int16, deps []Ref) uint64 {
	s := g.State(e.Thread, e.Seq)
	if len(deps) == 0 && choice < 0 {
		return s
	}
	return Mix(Mix(s, uint64(e.Seq)), Mix(uint64(uint16(choice)), g.sum(deps)))
}

// raise joins into clock all that event f (and its thread before it) knows.
func (g *Graph) raise(clock []int32, f Ref) {
	if a := g.Lines[f.Thread].last(f.Seq + 1); a != nil {
		for i, n := range a.clock {
			clock[i] = max(clock[i], n)
		}
	}
	clock[f.Thread] = max(clock[f.Thread], f.Seq+1)
}

// join makes e happen after deps, none of which its thread knows.
func (g *Graph) join(e Ref, choice int16, deps []Ref) {
	if len(deps) == 0 && choice < 0 {
		return
	}
	l := &g.Lines[e.Thread]
	clock := append([]int32(nil), l.anchors[len(l.anchors)-1].clock...)
	for _, f := range g.latestFirst(deps) {
		if clock[f.Thread] <= f.Seq { // who knows of an event knows all that it knows
			g.raise(clock, f)
		}
	}
	l.anchors = append(l.anchors, anchor{e.Seq, g.After(e, choice, deps), clock})
}

// latestFirst returns events in the opposite order of the trace, if there are many: where an event depends on thousands
// of timers, the latest mostly know of the others.
func (g *Graph) latestFirst(refs []Ref) []Ref {
	if len(refs) < 8 {
		return refs
	}
	refs = slices.Clone(refs)
	at := func(f Ref) int32 { return g.Lines[f.Thread].Events[f.Seq] }
	slices.SortFunc(refs, func(a, b Ref) int { return cmp.Compare(at(b), at(a)) })
	return refs
}

// start begins a thread that event e spawned.
func (g *Graph) start(child int32, e Ref) {
	clock := make([]int32, len(g.Lines))
	g.raise(clock, e)
	l := &g.Lines[child]
	l.anchors = append(l.anchors, anchor{-1, Mix(l.Name, g.State(e.Thread, e.Seq+1)), clock})
}

// DepsOf returns the events in the fronts of the touched cells that me depends
// on and that its thread does not know.
func (g *Graph) DepsOf(me Ref, ts []Touch) []Ref {
	var deps []Ref
	g.set++
	for _, t := range ts {
		c := &g.Cells[t.Cell]
		for _, o := range c.front {
			if o.ref.Thread != me.Thread && t.class.conflictsWith(o.class) {
				n := len(deps)
				deps = g.addDep(deps, me, o.ref)
				c.Raced = c.Raced || len(deps) > n
			}
		}
		switch { // DEP7
		case t.class == classRecv && len(c.recvs) < len(c.sends):
			deps = g.addDep(deps, me, c.sends[len(c.recvs)])
		case t.class == classFlush:
			if n := len(c.recvs) - g.initial(c); n >= 0 && n < len(c.sends) {
				deps = g.addDep(deps, me, c.sends[n])
			}
		case t.class == classSend && c.cap > 0 && len(c.sends) >= c.cap && len(c.sends)-c.cap < len(c.recvs):
			deps = g.addDep(deps, me, c.recvs[len(c.sends)-c.cap])
		}
	}
	return deps
}

// addDep adds f to the set of causes that is being made, unless the thread of me knows of it.
func (g *Graph) addDep(deps []Ref, me, f Ref) []Ref {
	if f.Thread == me.Thread || g.Knows(me.Thread, me.Seq, f) {
		return deps
	}
	if g.setOf[f.Thread] == g.set && slices.Contains(deps, f) {
		return deps
	}
	g.setOf[f.Thread] = g.set
	return append(deps, f)
}

// enter records an event in the cells it touches.
func (g *Graph) enter(i int32, me Ref, ts []Touch) {
	e := &g.Trace.Events[i]
	for _, t := range ts {
		c := &g.Cells[t.Cell]
		if c.Key.Space == spaceMapRace {
			continue
		}
		c.push(occurrence{me, t.class})
		switch t.class {
		case classSend, classIssue:
			c.sends = append(c.sends, me)
		case classRecv, classFlush:
			c.recvs = append(c.recvs, me)
		}
	}
	g.note(i, me, ts)
	if len(ts) > 0 || e.Kind.WaitsForClock() {
		g.lastTouch[me.Thread] = me
	}
}

// push adds an event to the front of a cell. It drops those that the event hides, and one of its thread that it
// repeats.
func (c *CellUse) push(o occurrence) {
	keep := c.front[:0]
	for _, f := range c.front {
		if !o.class.hides(f.class) && !(o.class.repeats(f.class) && f.ref.Thread == o.ref.Thread) {
			keep = append(keep, f)
		}
	}
	c.front = append(keep, o)
}

// note records an event in the lists by thread.
func (g *Graph) note(i int32, me Ref, ts []Touch) {
	e := &g.Trace.Events[i]
	for _, t := range ts {
		c := &g.Cells[t.Cell]
		u := c.of(me.Thread)
		u.Occ = append(u.Occ, SeqClass{me.Seq, t.class, i, e.Kind, e.Value})
		if c.Key.Space == SpaceGroup {
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

func (c *CellUse) of(thread int32) *Use {
	for i := range c.ByThr {
		if c.ByThr[i].Thread == thread {
			return &c.ByThr[i]
		}
	}
	c.ByThr = append(c.ByThr, Use{Thread: thread})
	return &c.ByThr[len(c.ByThr)-1]
}

// upTo returns the uses among the first n events of the thread.
func (u *Use) upTo(n int32) []SeqClass {
	return u.Occ[:sort.Search(len(u.Occ), func(i int) bool { return u.Occ[i].Seq >= n })]
}

// SiteOf returns the site of an event or of a pending operation.
func (g *Record) SiteOf(r Ref) event.Site {
	if events := g.Lines[r.Thread].Events; int(r.Seq) < len(events) {
		return g.Trace.Events[events[r.Seq]].Site
	}
	return g.Trace.Threads[r.Thread].Pending.Site
}

// KindOf returns the kind of an event or of a pending operation.
func (g *Record) KindOf(r Ref) event.Kind {
	if events := g.Lines[r.Thread].Events; int(r.Seq) < len(events) {
		return g.Trace.Events[events[r.Seq]].Kind
	}
	return g.Trace.Threads[r.Thread].Pending.Kind
}

// Part is what a thread with n events adds to a fingerprint.
func (g *Graph) Part(thread, n int32, state uint64) uint64 {
	if n == 0 {
		return 0
	}
	return Mix(Mix(state, g.Lines[thread].Name), uint64(n))
}
