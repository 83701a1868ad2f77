package causality

import (
	"slices"
	"sort"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file holds what an explorer must see of an execution beyond its trace:
// since when the operations of the clock were enabled, and which selects have a default.

// bubbleOf is the bubble of testing/synctest in which an operation of the clock waits for the others to come to rest. 0
// stands for all goroutines.
func bubbleOf(k event.Kind, key uint64, own int32) int32 {
	if k == event.Quiesce {
		return int32(key)
	}
	return own
}

// A ready says since when an operation of the clock was enabled.
type ready struct {
	last int32 // number of events before it last became enabled
	// quiet says that nothing but the clock could run when it last became enabled; for the clock of a
	// bubble, nothing in the bubble.
	quiet bool
	// started says that the time of the timer had come when it was started: it waits for nothing but that.
	started bool
	step    int
	loc     event.Location // of the operation
}

// A Recorder is a scheduler that passes on the decisions of another, and notes.
type Recorder struct {
	sched.Scheduler
	clock  map[Ref]ready
	polls  map[Ref]bool   // selects with a default
	noisy  map[int32]bool // bubbles in which something but the clock can run; 0: anywhere
	queued map[Ref]bool   // those who stand in the queues of channels (DEP14)
}

// NewRecorder returns a scheduler that decides as s does.
func NewRecorder(s sched.Scheduler) *Recorder {
	return &Recorder{s, make(map[Ref]ready), make(map[Ref]bool), make(map[int32]bool), make(map[Ref]bool)}
}

// Next implements sched.Scheduler.
func (r *Recorder) Next(s *sched.State) int {
	clock := false
	for _, t := range s.Enabled {
		th := &s.Threads[t.Thread]
		clock = clock || th.Op.Kind.WaitsForClock()
		r.noteSelect(t.Thread, th)
		if t.Partner >= 0 {
			r.noteSelect(t.Partner, &s.Threads[t.Partner])
		}
	}
	if clock {
		r.tick(s)
	}
	r.noteQueued(s)
	return r.Scheduler.Next(s)
}

func (r *Recorder) noteSelect(n int32, th *sched.Thread) {
	if th.Op.IsSelect() && th.Op.HasDefault {
		r.polls[Ref{n, th.Seq}] = true
	}
}

// listen notes in which bubbles something but the clock can run.
func (r *Recorder) listen(s *sched.State) {
	clear(r.noisy)
	for _, t := range s.Enabled {
		if th := &s.Threads[t.Thread]; !th.Op.Kind.WaitsForClock() {
			r.noisy[0] = true
			r.noisy[th.Bubble] = true
		}
		if t.Partner >= 0 {
			r.noisy[s.Threads[t.Partner].Bubble] = true
		}
	}
}

func (r *Recorder) tick(s *sched.State) {
	r.listen(s)
	events := int32(0)
	for i := range s.Threads {
		events += s.Threads[i].Seq
	}
	for _, ts := range [][]sched.Transition{s.Enabled, s.Held} {
		for _, t := range ts {
			r.tickOf(s, t.Thread, events)
		}
	}
}

// tickOf notes that the operation of a thread is enabled, or held, if it is one of the clock.
func (r *Recorder) tickOf(s *sched.State, thread, events int32) {
	th := &s.Threads[thread]
	if !th.Op.Kind.WaitsForClock() {
		return
	}
	k := Ref{thread, th.Seq}
	e, ok := r.clock[k]
	e.loc = th.Op.Loc
	if !ok || e.step != s.Step-1 {
		e.last, e.quiet = events, !r.noisy[bubbleOf(th.Op.Kind, th.Op.Key, th.Bubble)]
	}
	e.step = s.Step
	r.clock[k] = e
}

// resolve gives the notes by event index, and those of pending operations by thread.
func (r *Recorder) resolve(t *trace.Trace) (done, pending map[int32]ready) {
	done, pending = make(map[int32]ready), make(map[int32]ready)
	if len(r.clock) == 0 {
		return
	}
	count := make([]int32, len(t.Threads))
	for i := range t.Events {
		e := &t.Events[i]
		count[e.Thread] = e.Seq + 1
		if e.Kind.WaitsForClock() {
			if w, ok := r.clock[Ref{e.Thread, e.Seq}]; ok {
				done[int32(i)] = w
			}
		}
	}
	for p := range count {
		if w, ok := r.clock[Ref{int32(p), count[p]}]; ok {
			pending[int32(p)] = w
		}
	}
	for i, w := range done {
		w.started = startedDue(t, t.Events[i].Thread, i)
		done[i] = w
	}
	for p, w := range pending {
		w.started = startedDue(t, p, int32(len(t.Events)))
		pending[p] = w
	}
	if t.Timing { // there the trace says when nothing could run
		quiet := func(of map[int32]ready, thread func(int32) int32) {
			for i, w := range of {
				if t.Threads[thread(i)].Bubble == 0 {
					w.quiet = slices.ContainsFunc(t.Clock, func(c trace.ClockMove) bool { return c.Event == w.last && !c.Early })
					of[i] = w
				}
			}
		}
		quiet(done, func(i int32) int32 { return t.Events[i].Thread })
		quiet(pending, func(p int32) int32 { return p })
	}
	return
}

// startedDue reports whether the timer of a thread that fires in event i, or could when the trace has i events, was due
// when it was started last, and waits for the clock no more (TIME2 of the Go machine): until it has fired.
func startedDue(t *trace.Trace, thread, i int32) bool {
	for k := len(t.Started) - 1; k >= 0; k-- {
		if s := &t.Started[k]; s.Timer == t.Threads[thread].ID && s.Event < i {
			return (s.Bubble == 0 || s.Offered) && s.After <= 0 && !firesIn(t, thread, s.Event+1, i)
		}
	}
	return false
}

// firesIn reports whether the timer of a thread fires in the events from one number up to another.
func firesIn(t *trace.Trace, thread, from, to int32) bool {
	return slices.ContainsFunc(t.Events[from:to], func(e event.Event) bool { return e.Thread == thread && e.Kind == event.TimerFire })
}

// free reports whether an operation of thread p waits for the clock alone, which may move while others can run (rule
// DEP10), or for nothing but the start of its timer (DEP16).
func (g *Graph) free(p int32, kind event.Kind, w ready) bool {
	return w.started /* DEP16 */ || g.Trace.Timing && kind.WaitsForClock() && kind != event.Quiesce && g.Trace.Threads[p].Bubble == 0 && !w.quiet
}

// ClockTouches are those of rule DEP10: moving the clock, and what it depends on.
func (g *Record) ClockTouches(p int32, k event.Kind, addr uint64) []Touch {
	if !g.Trace.Timing || g.Trace.Threads[p].Bubble != 0 {
		return nil
	}
	c := classRead
	switch k {
	case event.Sleep, event.TimerFire:
		c = classWrite
	case event.TimerStart, event.TimerStop:
	case event.ChanRecv:
		if !g.tickers[addr] {
			return nil
		}
	default:
		return nil
	}
	return []Touch{{g.Cell(CellKey{Space: SpaceObject, Addr: event.Clock}), c}}
}

// clockDeps gives the causes of event i by rule DEP9.
func (g *Graph) clockDeps(i int32, touching bool) (deps []Ref) {
	e := &g.Trace.Events[i]
	me := Ref{e.Thread, e.Seq}
	g.set++
	if !e.Kind.WaitsForClock() {
		if touching && g.barrier.Thread >= 0 {
			deps = g.addDep(nil, me, g.barrier)
		}
		return deps
	}
	w := g.clock[i]
	if g.free(e.Thread, e.Kind, w) {
		return nil
	}
	for q := range g.Lines {
		f := g.lastTouch[q]
		if w.quiet {
			f.Seq = g.beforeMove(int32(q), e.Thread, e.Kind, e.Key, w) - 1
		}
		if f.Seq >= 0 {
			deps = g.addDep(deps, me, f)
		}
	}
	if g.barrier.Thread >= 0 {
		deps = g.addDep(deps, me, g.barrier)
	}
	if e.Kind != event.Quiesce {
		deps = g.sentBefore(deps, me, i, w)
	}
	if !w.quiet {
		g.barrier = me
		g.barriers = append(g.barriers, me)
	}
	return deps
}

// sentBefore adds causes of event i, the end of a sleep or the firing of a timer that the clock lets go on. It comes
// after what was done since then to the timers with a channel that were started before it began (TIME8 of the Go
// machine): they fired, or another goroutine has taken them away.
func (g *Graph) sentBefore(deps []Ref, me Ref, i int32, w ready) []Ref {
	if b := g.Trace.Threads[me.Thread].Bubble; b > 0 {
		return g.firstIn(b, deps, me, i, w)
	} else if len(g.Trace.Started) == 0 {
		return deps
	}
	by, before := me.Thread, len(g.Trace.Started)
	if g.Trace.Events[i].Kind == event.TimerFire {
		if before = g.lastStart(g.Trace.Events[i].Loc.Addr, i); before < 0 {
			return deps
		}
		by = g.Trace.Started[before].Thread
	}
	for n := i - 1; n >= w.last; n-- {
		e := &g.Trace.Events[n]
		if e.Kind.Object() != event.Timer || e.Thread == me.Thread {
			continue
		}
		k := g.lastStart(e.Loc.Addr, n)
		if k < 0 || k >= before {
			continue
		}
		s := &g.Trace.Started[k]
		if s.Bubble > 0 || !s.Channel || s.Keeps {
			continue
		}
		if s.Thread == by || g.Trace.Threads[by].ID.StartedAfter(g.Trace.Threads[s.Thread].ID, int(s.Kids)) {
			deps = g.addDep(deps, me, Ref{e.Thread, e.Seq})
		}
	}
	return deps
}

// firstIn adds causes of event i, the end of a sleep or the firing of a timer in a bubble: the timers that fire before
// all else that is due there (BUBBLE7 of the Go machine).
func (g *Graph) firstIn(bubble int32, deps []Ref, me Ref, i int32, w ready) []Ref {
	if slices.Contains(g.Trace.First, i) {
		return deps
	}
	for _, n := range g.Trace.First {
		if e := &g.Trace.Events[n]; w.last <= n && n < i && g.Trace.Threads[e.Thread].Bubble == bubble {
			deps = g.addDep(deps, me, Ref{e.Thread, e.Seq})
		}
	}
	return deps
}

// lastStart says which start of a timer was the last before event i, -1 if none.
func (g *Graph) lastStart(object uint64, i int32) int {
	if g.starts == nil {
		g.starts = make(map[uint64][]int32)
		for k := range g.Trace.Started {
			o := g.Trace.Started[k].Object
			g.starts[o] = append(g.starts[o], int32(k))
		}
	}
	of := g.starts[object]
	n := sort.Search(len(of), func(k int) bool { return g.Trace.Started[of[k]].Event >= i })
	if n == 0 {
		return -1
	}
	return int(of[n-1])
}

// beforeMove is the number of events of thread q that come before the move of the clock by which an operation of thread
// p became enabled. That is all that happened until then, for nothing else could run. For the clock of a bubble it is
// all in the bubble.
func (g *Graph) beforeMove(q, p int32, kind event.Kind, key uint64, w ready) int32 {
	if b := bubbleOf(kind, key, g.Trace.Threads[p].Bubble); b > 0 && g.Trace.Threads[q].Bubble != b {
		return 0
	}
	events := g.Lines[q].Events
	return int32(sort.Search(len(events), func(k int) bool { return events[k] >= w.last }))
}
