// Package mcr holds the explorers by maximal causality reduction, which reason about one trace at a time: Explorer, and
// SwitchEquivalent. Their comments have the methods.
package mcr

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/heddle-go/heddle/mcrs/constraint"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/explore/learn"
	"github.com/heddle-go/heddle/mcrs/explore/systematic"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/race"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// Explorer explores by maximal causality reduction: it reasons about one trace at a time, and meets each class of
// executions once.
//
// # Background
//
// The maximal causal model of a trace is the set of executions that every program with that trace has. Maximal
// causality reduction asks it, for each read of the trace and each value that some write offers, whether an execution
// has the read return that value. The beginning of such an execution is a seed (J. Huang, "Stateless Model Checking
// Concurrent Programs with Maximal Causality Reduction", PLDI 2015; S. Huang, "Fast and Effective Approaches for
// Verifying and Debugging Concurrent Programs", 2019, chapter 3).
//
// # Method
//
// A trace is executed, and its model (Model) is walked. Each end of a walk is a prefix in which one operation departs
// from the trace: it meets what it does not meet there. The walk may have too many states to visit. Then the trace
// becomes a formula (constraint.General). A solver is asked for the longest prefixes, for each operation and each thing
// that it could meet, and the specification confirms each. Prefixes are queued, and executed unless one execution has
// shown all of it already: the same operations, meeting the same. So each execution shows what none has shown.
//
// # Completeness
//
// When the queue is empty, each maximal execution was executed, up to the order of its operations. docs/completeness.md
// has the proof, also for traces that become formulas. It says why contents that differ at one address do no harm here.
//
// # Deviations
//
// The published explorer keeps the seed of a trace as it is, and asks only about reads behind it. So it misses classes.
// Here every operation of the whole trace is asked about. Its seeds are the shortest. These are the longest, since a
// short one leaves it to chance what the rest of the execution meets. Every operation that meets something is a read:
// receives, the choice of a select, TryLock, Once.
//
// # Limits
//
// They are those of the package union, but for contents that differ at one address, and the clock. Where there is no
// rule, systematic takes over. It also does where a formula gives a seed that the specification does not confirm. An
// operation can meet different things and be told the same: a compare-and-swap that fails, or a map's key with the same
// value from two writes. Such executions are of one class, and count as redundant.
type Explorer struct {
	// Observe, if not nil, sees every execution.
	Observe func(*trace.Trace)
	// Solver says that models are not walked, but asked as formulas. For tests and comparisons.
	Solver bool
	// Full says that models are walked without reduction. For tests.
	Full bool
	// Budget is the number of states that the walk of one model may visit; 0 is the default.
	Budget int
	// Alone says that no other explorer takes over where this one has no rule.
	Alone bool
}

// Explore implements Explorer.
func (x *Explorer) Explore(m sched.Machine, lim explore.Limits) *explore.Result {
	s := explore.NewSession(m, lim)
	c := NewCausal(s, union.NewGathering(s))
	c.Observe, c.full, c.formulas, c.budget = x.Observe, x.Full, x.Solver, cmp.Or(x.Budget, modelStates)
	return c.explore(x.Alone)
}

// modelStates is the number of states that the walk of one model may visit.
const modelStates = 200_000

// A Causal is the state of an exploration by maximal causality.
type Causal struct {
	*explore.Session
	gathered *union.Gathering
	facts    *Facts
	queue    []Prefix
	asked    map[uint64]bool // prefixes that were queued, and ends of executions
	modelled map[uint64]bool // behaviours of the executions of which the models were walked
	shown    evidence
	full     bool
	formulas bool // no walks
	budget   int
	swap     *switching // of se-mcr, else nil
	Again    []Executed // walks that must know what memory holds at the start
	known    int        // bytes known when they began
	Last     Executed
	work     int    // of formulas
	disagree string // how a formula and the specification differ
	States   int
}

// NewCausal returns an exploration in a session; g has what was executed in it so far.
func NewCausal(s *explore.Session, g *union.Gathering) *Causal {
	return &Causal{Session: s, gathered: g, facts: NewFacts(), asked: make(map[uint64]bool), modelled: make(map[uint64]bool), budget: modelStates}
}

// explore runs to the end, and hands over to another explorer where it cannot go on, unless it is alone.
func (c *Causal) explore(alone bool) *explore.Result {
	reason, observed := c.run(), event.Site(0)
	if reason == "" && c.Result.Verdict == explore.Exhausted {
		reason, observed = c.gathered.Behind()
	}
	if reason != "" {
		if alone {
			c.Incomplete(reason)
		} else {
			c.Result.HandOver = union.WithoutSites(reason)
			(&systematic.Explorer{Observe: c.Observe}).Continue(c.Session)
		}
	}
	union.LookedBehind(c.Session, observed)
	c.Result.Stats.States = c.States
	return c.Close()
}

// An Executed trace, the scheduler that saw it, and what it began with.
type Executed struct {
	Trace *trace.Trace
	Watch *learn.Watch
	from  Prefix
}

// run executes prefixes until none is left. It returns why it cannot go on, "" if it is done or a limit struck.
func (c *Causal) run() string {
	for p, ok := (Prefix{}), true; ok; p, ok = c.Next() {
		if c.Exhausted() {
			return ""
		}
		if reason := c.Step(p); reason != "" {
			return reason
		}
	}
	return ""
}

// Step executes a prefix.
func (c *Causal) Step(p Prefix) string {
	follow := sched.NewReplay(p.Seed(), sched.RunToBlock{})
	x := Executed{Watch: learn.NewWatch(follow), from: p}
	known := len(c.Classes)
	x.Trace = c.Execute(x.Watch)
	if x.Trace.Status == trace.Unsupported || x.Trace.Status == trace.Limit {
		return "an execution was cut off"
	}
	if d := follow.Diverged(); d >= 0 {
		c.Result.Stats.Diverged++
		return fmt.Sprintf("execution %d could not follow its seed at step %d", c.Result.Stats.Executions, d)
	}
	if len(c.Classes) == known {
		c.Result.Stats.Redundant++
	}
	c.Last = x
	c.gathered.Add(x.Trace, x.Watch)
	return c.Take(x)
}

// Take learns what an execution shows, and asks its model what else there is. It returns why that cannot be done.
func (c *Causal) Take(x Executed) string {
	for _, i := range race.Adjacent(x.Trace) {
		c.facts.Raced(x.Trace.Events[i].Site, x.Trace.Events[i+1].Site)
	}
	m, err := NewModel(x.Trace, x.Watch, c.facts)
	if err != nil {
		return err.Error()
	}
	again := c.Again
	if c.Again = nil; len(again) > 0 && c.facts.Known() == c.known {
		return "what memory holds at the start stays unknown"
	}
	h := sum(m.Whole(), x.Trace.Status == trace.Failed)
	if c.formulas { // in a formula a rendezvous is of two
		h += sum(m.Received(x.Trace), false)
	}
	if !c.modelled[h] {
		c.modelled[h] = true
		again = append(again, x)
	}
	for _, x := range again {
		if reason := c.reason(x); reason != "" {
			return reason
		}
	}
	return ""
}

// Next returns the prefix to execute next, ok is false if there is none.
func (c *Causal) Next() (p Prefix, ok bool) {
	if c.swap != nil && len(c.Again) == 0 {
		if p, ok = c.swap.next(&c.shown); ok {
			return p, ok
		}
	}
	for len(c.queue) > 0 {
		p = c.queue[0]
		c.queue = c.queue[1:]
		if p.Needs == nil || p.Blocked || !c.shown.has(p.Needs) {
			if c.swap != nil && c.swap.over {
				c.Result.Stats.Restored++
			}
			return p, true
		}
	}
	return p, false
}

// reason asks the model of an execution what else its program must be able to do.
func (c *Causal) reason(x Executed) string {
	m, err := NewModel(x.Trace, x.Watch, c.facts)
	if err != nil {
		return err.Error()
	}
	c.shown.add(m.Shown(x.Trace))
	c.asked[sum(m.Whole(), true)] = true
	m.Race, m.Full = c.race, c.full
	walks := []func() (int, bool){func() (int, bool) {
		m.Found = func(p Prefix) {
			h := sum(p.Needs, p.Blocked)
			if c.asked[h] || !p.Blocked && c.shown.has(p.Needs) {
				return
			}
			c.asked[h] = true
			c.queue = append(c.queue, p)
		}
		if !c.formulas {
			if states, complete := m.Walk(nil, c.budget); complete || m.Unknown != nil {
				return states, complete
			}
		}
		c.formulas = true // from now on: see take
		return 0, c.solve(m, x)
	}}
	if c.swap != nil && !c.swap.over {
		walks = append(walks, func() (int, bool) { return c.swap.walk(m, x.from) })
	}
	for _, walk := range walks {
		states, complete := walk()
		c.States += states
		switch {
		case c.disagree != "":
			return c.disagree
		case m.Unknown != nil:
			if len(c.Again) == 0 {
				c.queue, c.known = append([]Prefix{*m.Unknown}, c.queue...), c.facts.Known()
			}
			c.Again = append(c.Again, x)
			return ""
		case !complete:
			return "limit of states, or of work on formulas, reached"
		}
	}
	return ""
}

// solve asks a model as a formula. It reports whether that says all.
func (c *Causal) solve(m *Model, x Executed) (complete bool) {
	began := time.Now()
	defer func() { c.Result.Stats.SolverNS += time.Since(began).Nanoseconds() }()
	g, err := constraint.NewGeneral(x.Trace, x.Watch.Op, c.facts.Initial)
	if err != nil {
		c.disagree = err.Error()
		return false
	}
	g.Conflicts, g.Work = questionConflicts, formulaWork-c.work
	if g.Work <= 0 {
		return false
	}
	complete = g.All(func(l constraint.Lead) {
		if m.Unknown != nil || c.disagree != "" {
			return
		}
		p, err := m.Follow(l.Seed, l.Blocked)
		if err != nil {
			c.disagree = "the formula of a trace disagrees with the specification: " + err.Error()
		} else if m.Unknown == nil {
			m.Found(p)
		}
	})
	if x.Trace.Memory == event.SC { // races are those of sequential consistency
		complete = g.Races(func(a, b event.Site) bool { return c.Findings.Has(explore.RaceKey(a, b)) }, func(a, b event.Site, s seed.Seed) {
			c.race(s, [2]event.Site{a, b})
		}) && complete
	}
	c.work += g.Stats.Work
	st := &c.Result.Stats
	st.Queries, st.Constraints, st.SolverNS = max(st.Queries, 0), max(st.Constraints, 0), max(st.SolverNS, 0)
	st.Queries += g.Stats.Sat + g.Stats.Unsat + g.Stats.Unknown
	st.Constraints += g.Stats.Clauses
	return complete && m.Unknown == nil
}

// Bounds on the formulas: of the conflicts of one question, and of all work (constraint.GeneralStats).
const (
	questionConflicts = 20_000
	formulaWork       = 500_000_000
)

// race confirms a predicted race.
func (c *Causal) race(predicted seed.Seed, sites [2]event.Site) {
	key := explore.RaceKey(sites[0], sites[1])
	if !c.Findings.Has(key) && !c.Findings.Confirm(predicted, key) {
		return
	}
	c.facts.Raced(sites[0], sites[1])
}

func sum(needs []uint64, blocked bool) (h uint64) {
	if blocked {
		h = 1
	}
	for _, n := range needs {
		h += causality.Mix(n, 0x9d)
	}
	return h
}

// An evidence knows what each execution has shown.
type evidence struct {
	in    map[uint64][]int32 // by what was shown: the executions, in order
	count int32
}

func (v *evidence) add(shown []uint64) {
	if v.in == nil {
		v.in = make(map[uint64][]int32)
	}
	for _, h := range shown {
		if l := v.in[h]; len(l) == 0 || l[len(l)-1] != v.count {
			v.in[h] = append(l, v.count)
		}
	}
	v.count++
}

// has reports whether one execution has shown all of needs.
func (v *evidence) has(needs []uint64) bool {
	lists := make([][]int32, len(needs))
	for i, h := range needs {
		if lists[i] = v.in[h]; len(lists[i]) == 0 {
			return false
		}
	}
	slices.SortFunc(lists, func(a, b []int32) int { return len(a) - len(b) })
next:
	for _, x := range lists[0] {
		for _, l := range lists[1:] {
			if i := sort.Search(len(l), func(i int) bool { return l[i] >= x }); i == len(l) || l[i] != x {
				continue next
			}
		}
		return true
	}
	return false
}
