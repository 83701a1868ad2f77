package plain

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// Pairwise explores the interleavings of changed code with one other goroutine at a time. It is there to compare
// with: it is always Incomplete.
//
// # Background
//
// Parízek and Kliber, "Incremental Verification of Multithreaded Programs by Checking Interleavings for Pairs of
// Threads", sections 3.1 (figure 2) and 3.4. A program that was verified has changed in one place. The paper
// explores, for each goroutine that runs changed code and each other one, the interleavings of the two in which they
// switch at changed code alone; and for events of third goroutines that are not ordered before it, both "before" and
// "after" it.
//
// # Method
//
// Before a goroutine T comes to changed code nothing is preempted: T goes on where it can, else the lowest that can.
// Where T stands before the first operation of a stretch of changed code, its partner may go on, step by step; and
// before that the third goroutines, each for as many steps as one likes, in their order. Within the stretch T and its
// partner may change places; when the partner has taken over it goes on until it waits. After the stretch nothing is
// preempted again.
//
// # Deviations
//
// The paper's third goroutines do what the trace before the change has of them, and happens-before says which events
// those are. Here each takes any number of steps. An operation that waits for changed code cannot be taken, so what
// happens before the change has been done. Two events of third goroutines come in the order of the goroutines, not in
// that of a trace; in the paper too they never change places. What changed code calls counts as changed code.
//
// # What it misses
//
// A change may be a new observer of what was there before: code that looks at which of two goroutines was first, when
// both have ended. Both happen before the change, so nobody is a partner, and one order of the two is run. The old
// version was clean, for nobody looked. (TestNewObserver has the program; so the paper's section 3.4.4 does not
// hold.)
type Pairwise struct {
	// Changed reports whether a site is one of changed code. If it is nil all code is. An operation is one of changed
	// code if its own site is, or, where the machine tells, that of a function that has called it.
	Changed func(event.Site) bool
	// Observe, if not nil, sees every execution, and the pair that it is of. The first is of none.
	Observe func(of [2]event.ThreadID, t *trace.Trace)
	// Pairs is how many pairs were explored, or begun. Timers says that a timer could have fired early in one of their
	// executions: what comes of that was not explored.
	Pairs  int
	Timers bool
}

// OnlyPairs is why a result is Incomplete though no limit has struck: all pairs were explored.
const OnlyPairs = "only pairs of goroutines were explored, one of them in changed code"

// Explore implements Explorer.
func (x *Pairwise) Explore(m sched.Machine, lim explore.Limits) *explore.Result {
	s := explore.NewSession(m, lim)
	p := &pairs{Session: s, x: x, cover: causality.NewCover(), races: &racesOnly{Session: s}, met: map[[2]event.ThreadID]bool{}}
	p.explore([2]event.ThreadID{})
	for len(p.todo) > 0 && !s.Exhausted() {
		next := p.todo[0]
		p.todo = p.todo[1:]
		x.Pairs++
		p.explore(next)
	}
	if !s.Exhausted() {
		s.Incomplete(OnlyPairs)
	}
	return s.Close()
}

// pairs is the state of an exploration.
type pairs struct {
	*explore.Session
	x     *Pairwise
	cover *causality.Cover
	races *racesOnly
	todo  [][2]event.ThreadID
	met   map[[2]event.ThreadID]bool
}

func (p *pairs) changed(s event.Site) bool { return p.x.Changed == nil || p.x.Changed(s) }

// explore goes through the schedules of a pair.
func (p *pairs) explore(of [2]event.ThreadID) {
	for path := new(sched.Exhaustive); !p.Exhausted(); {
		by := &paired{path: path, of: of, changed: p.changed, modified: map[event.ThreadID]bool{}}
		watch := &causality.SwitchWatch{Scheduler: by, Preempted: make(map[int]bool)}
		rec := causality.NewRecorder(watch)
		t := p.Execute(rec)
		g := causality.NewGraph(t, rec, false)
		if p.cover.Add(g) {
			p.Result.Stats.Redundant++
		}
		p.races.parent = causality.Keep(t, watch.Preempted)
		(&causality.Reverser{Graph: g, Out: p.races}).Run()
		if p.x.Observe != nil {
			p.x.Observe(of, t)
		}
		p.x.Timers = p.x.Timers || t.Timers
		p.discover(t, by.modified)
		if of[0] == "" || !path.Advance() {
			return
		}
	}
}

// discover adds the pairs of goroutines of an execution, those first that run changed code. modified are those that
// came to an operation of it while another one could run.
func (p *pairs) discover(t *trace.Trace, modified map[event.ThreadID]bool) {
	for i := range t.Events {
		e := &t.Events[i]
		if p.changed(e.Site) {
			modified[t.Threads[e.Thread].ID] = true
		}
	}
	for i := range t.Threads {
		if op := t.Threads[i].Pending; op != nil && p.changed(op.Site) {
			modified[t.Threads[i].ID] = true
		}
	}
	for i := range t.Threads {
		for j := range t.Threads {
			of := [2]event.ThreadID{t.Threads[i].ID, t.Threads[j].ID}
			if modified[t.Threads[i].ID] && i != j && !p.met[of] {
				p.met[of] = true
				p.todo = append(p.todo, of)
			}
		}
	}
}

// A paired is the scheduler of one execution of a pair. Where there is a choice the path makes it.
type paired struct {
	path    *sched.Exhaustive
	of      [2]event.ThreadID
	changed func(event.Site) bool

	inside  bool  // the last step of the first goroutine was one of changed code
	begun   bool  // the partner has gone on since the first came to changed code
	third   int32 // the last third goroutine that has gone on since then
	between bool  // and it was the last of all
	opened  bool  // third goroutines could go on in this state

	stood    map[event.ThreadID]standing
	modified map[event.ThreadID]bool // that have stood at changed code
}

// standing is whether a goroutine that has done so many events, and is about to do what stands at a site, stands at
// changed code.
type standing struct {
	seq     int32
	site    event.Site
	changed bool
}

// stands reports whether a thread stands at an operation of changed code.
func (x *paired) stands(s *sched.State, thread int) bool {
	t := &s.Threads[thread]
	if t.Op == nil {
		return false
	}
	if st, ok := x.stood[t.ID]; ok && st.seq == t.Seq && st.site == t.Op.Site {
		return st.changed
	}
	yes := x.changed(t.Op.Site)
	if !yes && s.Callers != nil {
		yes = slices.ContainsFunc(s.Callers(thread), x.changed)
	}
	if x.stood == nil {
		x.stood = map[event.ThreadID]standing{}
	}
	x.stood[t.ID] = standing{t.Seq, t.Op.Site, yes}
	if yes {
		x.modified[t.ID] = true
	}
	return yes
}

// Next implements sched.Scheduler.
func (x *paired) Next(s *sched.State) int {
	for i := range s.Standing {
		x.stands(s, i)
	}
	first, partner := index(s, x.of[0]), index(s, x.of[1])
	allowed := x.allowed(s, first, partner)
	n := allowed[0]
	if len(allowed) > 1 {
		n = allowed[x.path.Next(&sched.State{Enabled: make([]sched.Transition, len(allowed))})]
	}
	t := s.Enabled[n]
	switch of := owner(t, first, partner); {
	case of == first && first >= 0:
		x.inside = x.stands(s, int(first))
		x.begun, x.third, x.between = false, 0, false
	case of == partner && partner >= 0:
		x.begun, x.between = true, false
	default:
		x.third, x.between = t.Thread, x.opened
	}
	return n
}

// index is that of a thread, -1 if it is not there.
func index(s *sched.State, id event.ThreadID) int32 {
	return int32(slices.IndexFunc(s.Threads, func(t sched.Thread) bool { return id != "" && t.ID == id }))
}

// owner says whose step a transition is: of the pair, if one of the two takes part.
func owner(t sched.Transition, first, partner int32) int32 {
	for _, of := range []int32{first, partner} {
		if of >= 0 && (t.Thread == of || t.Partner == of) {
			return of
		}
	}
	return t.Thread
}

// at reports whether the first goroutine stands at changed code.
func (x *paired) at(s *sched.State, first int32) bool {
	return first >= 0 && x.stands(s, int(first))
}

// entry reports whether it stands before a stretch of it.
func (x *paired) entry(s *sched.State, first int32) bool { return x.at(s, first) && !x.inside }

// allowed lists the transitions that a schedule may take, by their index. It is figure 2, with the events of third
// goroutines.
func (x *paired) allowed(s *sched.State, first, partner int32) []int {
	entry := x.entry(s, first)
	last := func(of int32) bool { return of == s.Last }
	ended := len(taken(s, first, partner, last)) == 0 // or it waits
	x.opened = entry && !x.begun && (s.Last == first || x.between || ended)
	var who func(of int32) bool
	switch {
	case x.opened:
		who = func(of int32) bool { return of == first || of == partner || of >= x.third }
	case entry && s.Last == partner, x.at(s, first) && s.Last == first:
		who = func(of int32) bool { return of == first || of == partner }
	default:
		who = last
	}
	if out := taken(s, first, partner, who); len(out) > 0 {
		return out
	}
	if out := taken(s, first, partner, func(of int32) bool { return of == first }); len(out) > 0 {
		return out
	}
	lowest := owner(s.Enabled[0], first, partner)
	return taken(s, first, partner, func(of int32) bool { return of == lowest })
}

// taken lists the transitions of those whom who names.
func taken(s *sched.State, first, partner int32, who func(int32) bool) (out []int) {
	for i, t := range s.Enabled {
		if who(owner(t, first, partner)) {
			out = append(out, i)
		}
	}
	return out
}
