// Package predict finds what an execution tells of others: races and deadlocks that it does not show itself.
//
// # Background
//
// A sampled schedule shows what happens in it. It also allows many others: every program with this trace has them,
// too (package constraint). So a lock that the first of two goroutines gave back need not have ordered their accesses,
// and two locks taken in different orders can meet. This is predictive analysis (J. Huang, P. Meredith and G. Rosu,
// "Maximal Sound Predictive Race Detection with Control Flow Abstraction", PLDI 2014; C. Flanagan and S. Freund,
// "FastTrack", PLDI 2009, has what one order shows).
//
// # Method
//
//	PRED1  A candidate is two accesses that conflict, of two goroutines that hold no lock in common, or a cycle of two
//	       or three goroutines, each of which asks for a lock that the next one holds, without another lock in common.
//	PRED2  A trace is asked about in windows. What comes before a window is kept as it was, in its order.
//	PRED3  The formula of the window says whether the goroutines can stand at these operations all at once
//	       (constraint.Encoding.CanStandAt). Its answer is a seed.
//	PRED4  The seed is executed. What that execution shows is found; what was only predicted is not.
//	PRED5  The sites of a candidate are given up after a few predictions, or questions, that show nothing new.
//	PRED6  All this takes a part of the work that the executions took.
//
// # Limits
//
// By PRED4 a wrong prediction costs work, and nothing else. What is missed: what lies in two windows, and what needs
// another order of what the formula fixes (channels, RWMutexes, atomic updates).
package predict

import (
	"cmp"
	"slices"

	"github.com/heddle-go/heddle/mcrs/constraint"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/solver"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// The bounds.
const (
	windowEvents = 400 // of a window; the next one begins at its middle
	tries        = 3   // predictions for some sites that may show nothing new (PRED5)
	questions    = 24  // for some sites that may have no answer
	conflicts    = 500 // of the solver, for a question
	share        = 4   // the executions' work, over that of predictions (PRED6)
	firstShare   = 64  // the limit of work, over what predictions may take at once
)

// The prices, as mcrs/explore/work.go has them.
const (
	heldWork  = 20  // an event of the trace: who holds which locks there
	nodeWork  = 400 // an event of a window, in its formula
	clockWork = 20  // the same, for each goroutine
	askWork   = 2_000
	stepWork  = 30 // a literal that the solver sets
	orderWork = 300
)

// A Search predicts from one execution after the other.
type Search struct {
	s      *explore.Session
	began  int64 // work of the session when it was made
	spent  int64 // of that, by predictions
	next   int   // the window that comes first in the next trace
	failed map[string]*failing
	Shown  int // predictions that an execution has shown
}

// A failing says how often some sites were asked about in vain.
type failing struct{ asked, tried int }

// New returns a search in a session.
func New(s *explore.Session) *Search {
	return &Search{s: s, began: s.Result.Stats.Work, failed: make(map[string]*failing)}
}

// Look looks at an execution. What it predicts is executed.
func (p *Search) Look(t *trace.Trace) {
	if len(t.Events) == 0 || t.Dropped || t.Memory != event.SC || p.usedUp() || p.s.Interrupted() {
		return
	}
	p.spend(heldWork * int64(len(t.Events)))
	locks := heldIn(t)
	starts := windowsOf(t)
	for range starts {
		if p.usedUp() || p.s.OfWork(p.s.WorkLeft() == 0) || p.s.Interrupted() {
			return
		}
		from := starts[p.next%len(starts)]
		p.next++
		p.window(t, locks, from, min(from+windowEvents, len(t.Events)))
	}
}

// left is how much work predictions may take yet (PRED6).
func (p *Search) left() int64 {
	others := p.s.Result.Stats.Work - p.began - p.spent
	return p.s.Limits.Work/firstShare + others/share - p.spent
}

// usedUp reports whether it is nothing.
func (p *Search) usedUp() bool { return p.s.OfWork(p.left() <= 0) }

func (p *Search) spend(n int64) {
	p.spent += n
	p.s.Spend(n)
}

// A candidate is events of different goroutines that may be bad to stand at, all at once (PRED1).
type candidate struct {
	key    string // of its sites
	race   bool
	events []int // in ascending order
}

// span is how far apart its events are: near ones are asked about first.
func (c *candidate) span() int { return c.events[len(c.events)-1] - c.events[0] }

// compare puts near ones first, and then those with early events. Sites have no say: their numbers depend on what else
// the process has explored.
func (c *candidate) compare(d *candidate) int {
	return cmp.Or(cmp.Compare(c.span(), d.span()), slices.Compare(c.events, d.events))
}

// window asks about the part of a trace from an event to another.
func (p *Search) window(t *trace.Trace, locks []held, from, to int) {
	found := append(races(t, locks, from, to), cycles(t, locks, from, to)...)
	found = slices.DeleteFunc(found, func(c candidate) bool { return p.over(&c) })
	if len(found) == 0 {
		return
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.compare(&b) })
	p.spend(int64(to-from) * (nodeWork + clockWork*int64(len(t.Threads))))
	enc := constraint.EncodeWith(part(t, from, to), constraint.Options{Fresh: true}, solver.New())
	enc.Conflicts = conflicts
	var head seed.Seed
	for i := range found {
		if p.over(&found[i]) || p.usedUp() {
			continue
		}
		a := p.ask(enc, &found[i], from)
		if a.Status != solver.Sat {
			continue
		}
		if head == nil {
			head = seedOf(t, 0, from)
		}
		p.try(t, &found[i], append(slices.Clip(head), a.Seed...))
	}
}

// over reports whether nothing more is asked about the sites of a candidate (PRED5).
func (p *Search) over(c *candidate) bool {
	f := p.failed[c.key]
	return c.race && p.s.Findings.Told(c.key) || f != nil && (f.asked >= questions || f.tried >= tries)
}

// ask asks about a candidate, and counts the work.
func (p *Search) ask(enc *constraint.Encoding, c *candidate, from int) constraint.Answer {
	before := enc.Stats().Solver
	at := make([]int, len(c.events))
	for i, e := range c.events {
		at[i] = e - from
	}
	a := enc.CanStandAt(at...)
	after := enc.Stats().Solver
	refined := after.Reorders - before.Reorders + after.Refined - before.Refined
	p.spend(askWork + stepWork*(after.Propagations-before.Propagations) + orderWork*refined)
	st := &p.s.Result.Stats
	st.Queries = max(st.Queries, 0) + 1
	if p.failed[c.key] == nil {
		p.failed[c.key] = new(failing)
	}
	p.failed[c.key].asked++
	return a
}

// try executes a prediction (PRED4).
func (p *Search) try(t *trace.Trace, c *candidate, s seed.Seed) {
	p.failed[c.key].tried++
	if c.race {
		for _, e := range c.events {
			if step, ok := sched.StepAt(t, e); ok {
				s = append(s, step)
			}
		}
		if p.s.Findings.Confirm(s, c.key) {
			p.Shown++
		}
		return
	}
	x := p.s.Replay(sched.NewReplay(s, sched.RunToBlock{}), false)
	if p.s.Findings.Local(x); stuck(x) {
		p.Shown++
		p.failed[c.key].tried = tries // it is known
	}
}

// stuck reports whether an execution leaves goroutines blocked.
func stuck(t *trace.Trace) bool {
	return t.Status == trace.Deadlocked || slices.ContainsFunc(t.Threads, func(th trace.Thread) bool { return th.Leaked })
}
