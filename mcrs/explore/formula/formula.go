// Package formula holds the explorers by formulas: each trace becomes a formula, and a solver says which other values
// its reads can return. The comment of Explorer has the method.
package formula

import (
	"time"

	"github.com/heddle-go/heddle/mcrs/constraint"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/learn"
	"github.com/heddle-go/heddle/mcrs/explore/mcr"
	"github.com/heddle-go/heddle/mcrs/explore/systematic"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/solver"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// Explorer explores by maximal causality reduction as it was published. A trace becomes a formula (package constraint),
// and a solver is asked for each read and each other value that a write offers. It is there to be compared: with
// dependence (Needs) it is MCR-S or MCR-S+.
//
// # Background
//
// S. Huang, "Fast and Effective Approaches for Verifying and Debugging Concurrent Programs", 2019, chapters 3 and 4.
// Algorithm 4 (MCR-S) demands that the reads that an event depends on keep their value, and not all before it.
// Algorithm 6 (MCR-S+) demands it of all reads before the one that a question is about.
//
// # Method
//
// An execution whose class is new becomes a formula. If a question about one of its reads can be answered, the answer
// is a seed, which is executed. What its seed demanded is the base of an execution (constraint.Options.Base): below it
// that is not asked about again, but kept. A question is left out if an execution has answered it that keeps as much,
// and whose own questions had no larger base: the questions below are asked below that other execution. Likewise a seed
// is left out if an execution has answered its question meanwhile.
//
// A seed found under relaxed validity may lead elsewhere: it cannot be followed, or the read returns another value.
// Then it has diverged. The execution counts as any other, with the base of the one in which it was found, and the
// question is asked again under full validity. (Under full validity only a compare-and-swap that failed can lead
// elsewhere: it is no plain read.)
//
// Algorithm 6 as published still makes redundant executions. What a question is about may be possible only if a read of
// another goroutine, before a write that does not need it, returns something else than it did
// (r1 = y; x = 1 || r2 = x; y = 1, TestRedundantExecution). MCR finds that below the execution in which this read
// returns it. So a seed of MCR-S+ in which such a read changes is not executed: the question is asked again, under full
// validity. Every seed that is executed is one that MCR could have found.
//
// # Completeness
//
// The published algorithm misses classes. It is content with one seed for a read and a value, whatever the rest of the
// execution meets, and it does not look for blocked states. What it has no rule for (constraint: "fixed") it does not
// vary. Therefore, when no question is left, all traces go to the models of the explorer mcr, which execute what none
// has shown. Questions are asked about that in turn. Stats.Missed counts the classes that these found. So the claim of
// mcr holds here too, and rests on nothing that is said of dependence.
//
// # Deviations
//
// The published explorer also asks about an execution whose class it has met before, and about what an execution has
// answered, and executes all seeds (Published).
//
// # Limits
//
// Those of mcr. A trace of more than a few thousand events makes formulas slow. The limits count executions, not
// questions.
type Explorer struct {
	// Plus is algorithm 6.
	Plus bool
	// Needs says on which reads the events of a trace depend; nil: on all before them (full validity: plain MCR).
	Needs func(*trace.Trace) constraint.Needs
	// Solver makes the solver of one formula; nil: solver.New.
	Solver func() solver.Solver
	// Observe, if not nil, sees every execution.
	Observe func(*trace.Trace)
	// Alone says that no other explorer takes over where this one has no rule.
	Alone bool
	// Open leaves the classes that the formulas miss to others. The result is then Incomplete if Alone. It is for tests
	// and comparisons.
	Open bool
	// Published also asks, and executes, what an execution has answered, and executes every seed of algorithm 6. It is
	// for tests and comparisons.
	Published bool
	// Asked, if not nil, sees every question. For comparisons.
	Asked func(Question)
}

// Opened is the reason of a Result where Explorer.Open let it end.
const Opened = "the classes that formulas miss were not looked for"

// A Question is whether a read of a trace (an index in Trace.Events) can return Value or, if Initial, what its location
// held at first.
type Question struct {
	Trace   *trace.Trace
	Base    Base
	Read    int
	Value   uint64
	Initial bool
}

// Explore implements Explorer.
func (x *Explorer) Explore(m sched.Machine, lim explore.Limits) *explore.Result {
	s := explore.NewSession(m, lim)
	s.Observe = x.Observe
	st := &s.Result.Stats
	st.Queries, st.Reads, st.Constraints, st.Closing, st.Missed, st.SolverNS, st.Skipped = 0, 0, 0, 0, 0, 0, 0
	f := &formulas{Session: s, gathered: union.NewGathering(s), x: x}
	reason := f.run()
	if reason == "" && !x.Open {
		reason = f.close()
	}
	observed := event.Site(0)
	if reason == "" && !x.Open && s.Result.Verdict == explore.Exhausted {
		reason, observed = f.gathered.Behind()
	}
	switch {
	case reason == "" && !x.Open:
	case reason == "":
		s.Incomplete(Opened)
	case x.Alone:
		s.Incomplete(reason)
	default:
		s.Result.HandOver = union.WithoutSites(reason)
		(&systematic.Explorer{Observe: x.Observe}).Continue(s)
	}
	union.LookedBehind(s, observed)
	return s.Close()
}

// formulas is the state of an exploration.
type formulas struct {
	*explore.Session
	gathered *union.Gathering
	x        *Explorer
	tasks    []inquiry
	kept     []mcr.Executed // one for each class
	asked    asked
	full     *constraint.Encoding // of the trace that is asked about, under full validity; nil until a question needs it
}

// An inquiry is a seed, and what it was found for.
type inquiry struct {
	seed   seed.Seed
	goal   *goal // nil of the first execution
	base   Base
	parent *trace.Trace // whose order is kept, as far as it can be, behind the seed
}

// A goal is that a read returns a value.
type goal struct {
	thread  event.ThreadID
	seq     int32
	loc     event.Location
	value   uint64
	initial bool // what the location held at first; value is not known
	// Where it was found, to ask again if that was under relaxed validity.
	relaxed bool
	from    *trace.Trace
	base    Base
	read    int
}

// run asks until no question is left. It returns why it cannot go on, "" if it is done or a limit struck.
func (f *formulas) run() string {
	f.tasks = []inquiry{{}}
	return f.drain()
}

func (f *formulas) drain() string {
	for len(f.tasks) > 0 {
		if f.Exhausted() {
			return ""
		}
		q := f.tasks[len(f.tasks)-1]
		f.tasks = f.tasks[:len(f.tasks)-1]
		if q.goal != nil && !f.x.Published && f.asked.answers(q.goal) {
			f.Result.Stats.Skipped++
			continue
		}
		follow := sched.NewReplay(q.seed, newLike(q.parent))
		x := mcr.Executed{Watch: learn.NewWatch(follow)}
		known := len(f.Classes)
		x.Trace = f.Execute(x.Watch)
		if x.Trace.Status == trace.Unsupported || x.Trace.Status == trace.Limit {
			return "an execution was cut off"
		}
		f.gathered.Add(x.Trace, x.Watch)
		if q.goal != nil && (follow.Diverged() >= 0 || !q.goal.reached(x.Trace)) {
			f.Result.Stats.Diverged++
			if q.goal.relaxed {
				f.again(q.goal)
			}
			if !q.goal.base.holds(q.goal.from, x.Trace) {
				q.goal.base = Base{}
			}
			q.base = q.goal.base
		}
		if len(f.Classes) == known {
			f.Result.Stats.Redundant++
			continue
		}
		f.kept = append(f.kept, x)
		f.ask(x.Trace, q.base)
	}
	return ""
}

// like is a scheduler that keeps the order of another execution's operations, as far as it can.
type like struct {
	t    *trace.Trace
	from int
	then sched.Scheduler
}

func newLike(t *trace.Trace) sched.Scheduler {
	if t == nil {
		return sched.RunToBlock{}
	}
	return &like{t: t, then: sched.RunToBlock{}}
}

// Next implements sched.Scheduler.
func (l *like) Next(s *sched.State) int {
	at := make(map[event.ThreadID]int32, len(s.Threads))
	for i := range s.Threads {
		at[s.Threads[i].ID] = s.Threads[i].Seq
	}
	for i := l.from; i < len(l.t.Events); i++ {
		e := &l.t.Events[i]
		id := l.t.Threads[e.Thread].ID
		seq, ok := at[id]
		if ok && seq > e.Seq && i == l.from {
			l.from++
		}
		if !ok || seq != e.Seq {
			continue
		}
		for n, tr := range s.Enabled {
			if s.Threads[tr.Thread].ID == id {
				return n
			}
		}
		at[id] = -1 // it is blocked
	}
	return l.then.Next(s)
}

// reached reports whether a read returned what was asked for.
func (g *goal) reached(t *trace.Trace) bool {
	for i := range t.Events {
		e := &t.Events[i]
		if e.Seq == g.seq && t.Threads[e.Thread].ID == g.thread {
			return e.Loc == g.loc && (e.Kind == event.Read || e.Kind == event.AtomicLoad) && (g.initial || e.Value == g.value)
		}
	}
	return false
}

// ask asks all questions about a trace.
func (f *formulas) ask(t *trace.Trace, b Base) {
	o := constraint.Options{TargetKeeps: f.x.Plus, Fresh: true, Count: true}
	if f.x.Needs != nil {
		if n := f.x.Needs(t); n != nil {
			o.Needs = tabulate(n, len(t.Events))
		}
	}
	f.asked.add(t, b)
	o.Base, o.Kept = b.Events(t), b.Kept(t)
	enc := f.encode(t, o)
	for i := range t.Events {
		e := &t.Events[i]
		id := t.Threads[e.Thread].ID
		if e.Kind != event.Read && e.Kind != event.AtomicLoad || e.Seq < b.events[id] {
			continue
		}
		values, initial := enc.Values(i)
		g := goal{thread: id, seq: e.Seq, loc: e.Loc, read: i, base: b, from: t, relaxed: o.Needs != nil}
		for _, v := range values {
			if v != e.Value {
				g := g
				g.value = v
				f.put(enc, &g)
			}
		}
		if initial {
			g.initial = true
			f.put(enc, &g)
		}
	}
	f.count(enc)
	f.endFull()
}

// needs is constraint.Needs as lists, so that what is asked for them is no part of the solver's time.
type needs struct{ happens, writes [][]int32 }

func (n needs) Happens(e int) []int32 { return n.happens[e] }
func (n needs) Writes(e int) []int32  { return n.writes[e] }

func tabulate(of constraint.Needs, events int) (n needs) {
	for i := range events {
		n.happens, n.writes = append(n.happens, of.Happens(i)), append(n.writes, of.Writes(i))
	}
	return n
}

func (f *formulas) encode(t *trace.Trace, o constraint.Options) *constraint.Encoding {
	began := time.Now()
	var asked solver.Solver = solver.New()
	if f.x.Solver != nil {
		asked = f.x.Solver()
	}
	enc := constraint.EncodeWith(t, o, asked)
	f.Result.Stats.SolverNS += time.Since(began).Nanoseconds()
	return enc
}

// put asks one question, unless an execution has answered it, and notes the seed.
func (f *formulas) put(enc *constraint.Encoding, g *goal) {
	if !f.x.Published && f.asked.answers(g) {
		f.Result.Stats.Skipped++
		return
	}
	began := time.Now()
	var a constraint.Answer
	if g.initial {
		a = enc.CanReturnInitial(g.read)
	} else {
		a = enc.CanReturn(g.read, g.value)
	}
	f.Result.Stats.SolverNS += time.Since(began).Nanoseconds()
	f.Result.Stats.Queries++
	if f.x.Asked != nil {
		f.x.Asked(Question{Trace: g.from, Base: g.base, Read: g.read, Value: g.value, Initial: g.initial})
	}
	switch {
	case a.Status != solver.Sat:
	case f.x.Plus && g.relaxed && !a.Full && !f.x.Published:
		f.fully(g)
	default:
		f.tasks = append(f.tasks, inquiry{a.Seed, g, g.base.with(g, f.x.Plus || !g.relaxed), g.from})
	}
}

// again asks a question whose seed has diverged under full validity.
func (f *formulas) again(g *goal) {
	f.fully(g)
	f.endFull()
}

// fully asks a question under full validity.
func (f *formulas) fully(g *goal) {
	full := *g
	full.relaxed = false
	if f.full == nil {
		f.full = f.encode(g.from, constraint.Options{Fresh: true, Count: true, Base: g.base.Events(g.from)})
	}
	f.put(f.full, &full)
}

// endFull ends the questions under full validity about a trace.
func (f *formulas) endFull() {
	if f.full != nil {
		f.count(f.full)
		f.full = nil
	}
}

func (f *formulas) count(enc *constraint.Encoding) {
	s := enc.Stats()
	f.Result.Stats.Reads += s.Reads
	f.Result.Stats.Constraints += s.Constraints
}

// close executes what the formulas have missed, and asks about that too.
func (f *formulas) close() string {
	c, st := mcr.NewCausal(f.Session, f.gathered), &f.Result.Stats
	defer func() { st.States = c.States }()
	step := func() (reason string, ok bool) {
		p, ok := c.Next()
		if !ok || f.Exhausted() {
			return "", false
		}
		known, executions, redundant := len(f.Classes), st.Executions, st.Redundant
		reason = c.Step(p)
		st.Closing += st.Executions - executions
		st.Redundant = redundant
		if reason == "" && len(f.Classes) > known {
			st.Missed++
			f.ask(c.Last.Trace, f.asked.baseOf(c.Last.Trace, f.x.Plus || f.x.Needs == nil))
		}
		return reason, reason == ""
	}
	for taken := 0; ; {
		if reason := f.drain(); reason != "" || f.Exhausted() {
			return reason
		}
		if taken == len(f.kept) {
			if reason, ok := step(); !ok {
				return reason
			}
			continue
		}
		if reason := c.Take(f.kept[taken]); reason != "" {
			return reason
		}
		taken++
		for len(c.Again) > 0 { // the next prefix finds out what a walk must know
			if reason, ok := step(); !ok {
				return reason
			}
		}
	}
}
