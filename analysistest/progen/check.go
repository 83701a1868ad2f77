package progen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/analysistest/progen/own"
	"github.com/heddle-go/heddle/analysistest/robust"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/formula"
	"github.com/heddle-go/heddle/mcrs/explore/icb"
	"github.com/heddle-go/heddle/mcrs/explore/mcr"
	"github.com/heddle-go/heddle/mcrs/explore/systematic"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/passes/depends"
)

// A Subject is an explorer under test.
type Subject struct {
	Name string
	// New returns the explorer. It calls observe after each execution, replays left out.
	New func(observe func(*trace.Trace)) explore.Explorer
	// Own says that the explorer meets every goroutine's own outcomes, and not every combination of them.
	Own bool
	// Bounded, if not nil, returns the explorer for so many preemption bounds. It is compared bound by bound.
	Bounded func(bounds int, observe func(*trace.Trace)) explore.Explorer
	// Deps says what an explorer by formulas asks about dependence. It may follow seeds that lead elsewhere.
	Deps depends.Mode
}

// Subjects are the explorers that must agree with the oracle.
var Subjects = []Subject{
	{Name: "systematic", New: func(o func(*trace.Trace)) explore.Explorer { return &systematic.Explorer{Observe: o} }},
	{Name: "mcr", New: func(o func(*trace.Trace)) explore.Explorer { return &mcr.Explorer{Observe: o} }},
	{Name: "se-mcr", New: func(o func(*trace.Trace)) explore.Explorer { return &mcr.SwitchEquivalent{Observe: o} }},
	{Name: "union", Own: true, New: func(o func(*trace.Trace)) explore.Explorer { return &union.Explorer{Observe: o, Engine: union.New()} }},
	{Name: "union-apart", Own: true, New: func(o func(*trace.Trace)) explore.Explorer { return &union.Explorer{Observe: o, Apart: true} }},
}

// Bounded is the explorer by preemption bounds, compared if it is named: the oracle then counts preemptions.
var Bounded = []Subject{{Name: "icb", Bounded: func(n int, o func(*trace.Trace)) explore.Explorer { return &icb.Explorer{Bounds: n, Observe: o} }}}

// Alone are explorers of which no other one takes over: what they would hand over is a difference.
var Alone = []Subject{
	{Name: "union-alone", Own: true, New: func(o func(*trace.Trace)) explore.Explorer {
		return &union.Explorer{Observe: o, Engine: union.New(), Alone: true}
	}},
	{Name: "mcr-general", New: func(o func(*trace.Trace)) explore.Explorer {
		return &mcr.Explorer{Observe: o, Alone: true, Solver: true}
	}},
}

// Ignoring is the default explorer with executions that ignore what nothing acts upon, from the second on.
var Ignoring = []Subject{{Name: "union-ignoring", Own: true, Deps: depends.ByFlow, New: func(o func(*trace.Trace)) explore.Explorer {
	return &union.Explorer{Observe: o, Engine: union.New(), Alone: true, IgnoreFirst: true}
}}}

// Formulas are the explorers by formulas, with each source of dependence. They take long, so they are compared only if
// they are named.
var Formulas = []Subject{
	{Name: "mcr-s none", Deps: depends.OnAll, New: byFormulas(false)},
	{Name: "mcr-s static", Deps: depends.ByGraph, New: byFormulas(false)},
	{Name: "mcr-s+ static", Deps: depends.ByGraph, New: byFormulas(true)},
	{Name: "mcr-s dynamic", Deps: depends.ByFlow, New: byFormulas(false)},
	{Name: "mcr-s+ dynamic", Deps: depends.ByFlow, New: byFormulas(true)},
}

func byFormulas(plus bool) func(func(*trace.Trace)) explore.Explorer {
	return func(o func(*trace.Trace)) explore.Explorer { return &formula.Explorer{Plus: plus, Observe: o} }
}

// Select returns the subjects of these names, of all but Formulas if there is none. "formulas" names all of those.
func Select(names []string) ([]Subject, error) {
	if len(names) == 0 {
		return Subjects, nil
	} else if len(names) == 1 && names[0] == "formulas" {
		return Formulas, nil
	}
	all := slices.Concat(Subjects, Formulas, Bounded, Alone, Ignoring)
	var out []Subject
	for _, name := range names {
		if i := slices.IndexFunc(all, func(s Subject) bool { return s.Name == name }); i >= 0 {
			out = append(out, all[i])
			continue
		}
		return nil, fmt.Errorf("no explorer %q is compared", name)
	}
	return out, nil
}

// A Result is what the comparison of one program gave.
type Result struct {
	TooLarge string   // why the oracle could not go through it, "" if it did
	Problems []string // what differs, one line or more each
	Oracle   *oracle.Result
	Work     map[string]explore.Stats // by subject
	Weak     bool                     // the check robustness, if it is compared, reports something
}

// maxEvents bounds an execution. A program of a dozen operations has some hundred events. One that polls or ticks for
// ever has no end.
const maxEvents = 400

// A Regime is how programs are run. The zero one is the first regime of time, sequentially consistent.
type Regime struct {
	Timing explore.Timing
	Memory event.MemoryModel
	// Robust compares the check robustness under Memory, and nothing else.
	Robust bool
	// Rounds says that rounds which follow each other and are equal count as one, where what a goroutine was told is
	// compared: how many the machine makes before it passes over them depends on what it remembers of earlier ones.
	Rounds bool
}

// String returns the regime as flags of the command random, each after a space.
func (r Regime) String() string {
	s := ""
	if r.Timing != "" {
		s += " -timing=" + string(r.Timing)
	}
	if r.Memory != event.SC {
		s += " -memory=" + r.Memory.String()
	}
	if r.Rounds {
		s += " -rounds"
	}
	if r.Robust {
		s += " -robustness"
	}
	return s
}

// Compare runs the oracle and every subject on a program, in a regime. executions bounds the oracle's. Under a relaxed
// memory model races are not compared: they are those of sequential consistency.
func Compare(m sched.Machine, executions int, regime Regime) *Result {
	r := &Result{Work: map[string]explore.Stats{}}
	if regime.Robust {
		x := robust.Compare(m, executions, maxEvents, regime.Memory)
		r.Oracle, r.TooLarge, r.Problems, r.Weak, r.Work["robustness"] = x.Oracle, x.TooLarge, x.Problems, x.Found, x.Stats
		return r
	}
	switch regime.Timing {
	case explore.TimingStructural:
		r.structural(m, executions)
		return r
	case explore.TimingAll:
		m = explore.InTimingRegime(m, regime.Timing)
	}
	m = explore.InMemory(m, regime.Memory)
	var each func(*trace.Trace)
	if regime.Timing != "" {
		each = r.endless
	}
	told := own.Histories{}
	if each == nil && slices.ContainsFunc(Subjects, func(s Subject) bool { return s.Own && s.Deps != "" }) {
		each = told.Add
	}
	r.Oracle = oracle.SearchStates(m, oracle.Limits{Executions: executions, Options: sched.Options{MaxEvents: maxEvents}}, each)
	if regime.Memory != event.SC {
		clear(r.Oracle.Races)
	}
	if !r.Oracle.Complete {
		r.TooLarge = r.Oracle.Reason
	}
	if r.TooLarge != "" {
		return r
	}
	for _, s := range Subjects {
		if s.Bounded != nil {
			r.bounded(s, m, executions)
		} else if e, ok := m.(entry); ok && s.Own && s.Deps != "" {
			var problems []string
			problems, r.Work[s.Name] = own.Ignoring(e, s.New, func() union.Ignoring { return s.Deps.Ignores(e.l.graphs, e.l.m) }, r.Oracle, told)
			r.Problems = append(r.Problems, problems...)
		} else {
			r.subject(s, m, regime.Rounds)
		}
	}
	return r
}

// bounded compares an explorer, bound by bound, with the schedules that have so many preemptions.
func (r *Result) bounded(s Subject, m sched.Machine, executions int) {
	by, all := oracle.SearchPreemptions(m, oracle.Limits{Executions: 20 * executions, Options: sched.Options{MaxEvents: maxEvents}}, true)
	if !all.Complete {
		r.TooLarge = all.Reason
		return
	}
	upTo := oracle.NewResult()
	for c := 0; c <= len(by); c++ {
		bounds := c + 1
		if c == len(by) {
			bounds, upTo = 0, r.Oracle
		} else {
			upTo.Merge(by[c])
		}
		name := fmt.Sprintf("%s of %d bounds", s.Name, bounds)
		problem := func(format string, args ...any) {
			r.Problems = append(r.Problems, name+": "+fmt.Sprintf(format, args...))
		}
		got := oracle.NewResult()
		res := s.Bounded(bounds, own.Observing(got)).Explore(m, explore.Limits{Executions: 200_000, Events: 1 << 30})
		own.AddRaces(got, res)
		r.Work[name] = res.Stats
		if res.Stats.Diverged > 0 || res.Verdict == explore.Incomplete && (bounds == 0 || res.Bounds != bounds) {
			problem("%s %s, %d bounds, %d diverged", res.Verdict, res.Reason, res.Bounds, res.Stats.Diverged)
		}
		for _, k := range upTo.Missing(got) {
			problem("missed: %s", k)
		}
		for _, k := range got.Missing(r.Oracle) {
			problem("invented: %s", k)
		}
	}
}

func (r *Result) subject(s Subject, m sched.Machine, rounds bool) {
	problem := func(format string, args ...any) {
		r.Problems = append(r.Problems, s.Name+": "+fmt.Sprintf(format, args...))
	}
	got := oracle.NewResult()
	x := s.New(own.Observing(got))
	f, isFormula := x.(*formula.Explorer)
	if e, ok := m.(entry); ok && isFormula {
		f.Needs = s.Deps.Needs(e.l.graphs, e.l.m)
	}
	res := x.Explore(m, explore.Limits{Executions: 200_000, Events: 1 << 30})
	r.Work[s.Name] = res.Stats
	if res.Verdict != explore.Exhausted || res.Stats.Diverged > 0 && !isFormula {
		problem("%s %s, %d executions, %d diverged", res.Verdict, res.Reason, res.Stats.Executions, res.Stats.Diverged)
	}
	own.AddRaces(got, res)
	want := r.Oracle
	if s.Own {
		told, is := own.Executed(got), own.Executed(want)
		if rounds {
			mine, theirs := own.Executed(got.WithoutRounds()), own.Executed(want.WithoutRounds())
			told = func(id event.ThreadID, h string) bool { return mine(id, oracle.WithoutRounds(h)) }
			is = func(id event.ThreadID, h string) bool { return theirs(id, oracle.WithoutRounds(h)) }
		}
		if u := x.(*union.Explorer); !u.Apart { // what one history shows stands for others
			ran := told
			told = func(id event.ThreadID, history string) bool {
				return ran(id, history) || u.Engine.Knows(id, history, oracle.Told)
			}
		}
		for _, k := range own.Missing(want, got, told) {
			problem("missed: %s", k)
		}
		for _, k := range own.Missing(got, want, is) {
			problem("invented: %s", k)
		}
		return
	}
	for _, k := range want.Missing(got) {
		problem("missed: %s", k)
	}
	for _, k := range got.Missing(want) {
		problem("invented: %s", k)
	}
}

// Kinds names what differs, without the details: whether a smaller program fails in the same way.
func (r *Result) Kinds() string {
	kinds := map[string]bool{}
	for _, p := range r.Problems {
		w := strings.Fields(p)
		kinds[strings.Join(w[:min(3, len(w))], " ")] = true
	}
	return strings.Join(slices.Sorted(maps.Keys(kinds)), ", ")
}
