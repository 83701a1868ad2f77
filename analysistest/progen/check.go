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
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// A Subject is an explorer under test.
type Subject = own.Subject

// Subjects are the explorers that must agree with the oracle.
var Subjects = own.Subjects

// A Result is what the comparison of one program gave.
type Result struct {
	TooLarge string   // why the oracle could not go through it, "" if it did
	Problems []string // what differs, one line or more each
	Oracle   *oracle.Result
	Work     map[string]explore.Stats // by subject
	Scarce   map[explore.Verdict]int  // explorations with a limit of work
	Weak     bool                     // a relaxed memory model, if it is compared with others, shows more
	WeakTSO  bool                     // likewise total store order
}

// maxEvents bounds an execution. A program of a dozen operations has some hundred events. One that polls or ticks for
// ever has no end.
const maxEvents = 400

// A Regime is how programs are run. The zero one is the first regime of time, sequentially consistent.
type Regime struct {
	Timing explore.Timing
	// Early, with Timing, bounds the firings, and the sleeps of a goroutine, that may be early; 0 is as many as may.
	Early  int
	Memory event.MemoryModel
	// Models compares under all memory models, and what brute force shows under one with what it shows under the next.
	Models bool
	// Robust compares the check robustness under Memory, and nothing else.
	Robust bool
	// Rounds says that rounds which follow each other and are equal count as one, where what a goroutine was told is
	// compared: how many the machine makes before it passes over them depends on what it remembers of earlier ones.
	Rounds bool
	// Scarce explores each program again, with limits of work around what it has taken. With too little an explorer may
	// be incomplete. If it says exhausted, all is compared.
	Scarce bool
	// Sockets says that programs are of GenerateSockets: long, of steps that mostly concern one goroutine.
	Sockets bool
}

// limits are those of brute force.
func (r Regime) limits(executions int) oracle.Limits {
	l := oracle.Limits{Executions: executions, Options: sched.Options{MaxEvents: maxEvents}}
	if r.Sockets {
		l.Options.MaxEvents, l.Quiet = maxSocketEvents, true
	}
	return l
}

const maxSocketEvents = 2000

// String returns the regime as flags of the command random, each after a space.
func (r Regime) String() string {
	s := ""
	if r.Timing != "" {
		s += " -timing=" + string(r.Timing)
	}
	if r.Early > 0 {
		s += fmt.Sprintf(" -early=%d", r.Early)
	}
	if r.Memory != event.SC {
		s += " -memory=" + r.Memory.String()
	}
	if r.Models {
		s += " -memory=all"
	}
	if r.Rounds {
		s += " -rounds"
	}
	if r.Scarce {
		s += " -scarce"
	}
	if r.Sockets {
		s += " -sockets"
	}
	if r.Robust {
		s += " -robustness"
	}
	return s
}

// compare is Compare for a program that was drawn.
func compare(p *Program, m sched.Machine, executions int, regime Regime) *Result {
	if regime.Models {
		return compareModels(p, m, executions, regime)
	}
	return Compare(m, executions, regime)
}

// Compare runs the oracle and every subject on a program, in a regime. executions bounds the oracle's. Under a relaxed
// memory model races are not compared: they are those of sequential consistency.
func Compare(m sched.Machine, executions int, regime Regime) *Result {
	if regime.Models {
		return compareModels(nil, m, executions, regime)
	}
	r := &Result{Work: map[string]explore.Stats{}}
	if regime.Robust {
		x := robust.Compare(m, executions, maxEvents, regime.Memory)
		r.Oracle, r.TooLarge, r.Problems, r.Weak, r.Work["robustness"] = x.Oracle, x.TooLarge, x.Problems, x.Found, x.Stats
		return r
	}
	switch regime.Timing {
	case explore.TimingStructural:
		r.structural(m, executions, regime)
		return r
	case explore.TimingAll:
		m = explore.BoundEarly(explore.InTimingRegime(m, regime.Timing), regime.Early)
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
	limits := regime.limits(executions)
	if regime.Memory != event.SC {
		limits.NoRaces = true
	}
	r.Oracle = oracle.SearchStates(m, limits, each)
	if !r.Oracle.Complete {
		r.TooLarge = r.Oracle.Reason
	}
	if r.TooLarge != "" {
		return r
	}
	r.each(regime, func(s Subject, l explore.Limits) {
		if s.Bounded != nil {
			r.bounded(s, m, executions)
		} else if e, ok := m.(entry); ok && s.Own && s.Deps != "" {
			var problems []string
			problems, r.Work[s.Name] = own.CompareIgnoring(e, s.New, func() union.Ignoring { return s.Deps.Ignores(e.l.graphs, e.l.m) }, r.Oracle, told)
			r.Problems = append(r.Problems, problems...)
		} else {
			r.subject(s, m, regime, l)
		}
	})
	return r
}

// structural compares what is found under -timing=structural.
func (r *Result) structural(first sched.Machine, executions int, regime Regime) {
	x, all := own.Reject(first, regime.limits(executions), r.endless, func() bool { return r.TooLarge != "" })
	if r.Oracle = all; !all.Complete {
		r.TooLarge = all.Reason
	}
	if r.TooLarge != "" {
		return
	}
	r.each(regime, func(s Subject, limits explore.Limits) {
		res := s.New(nil).Explore(x.Machine, limits)
		if r.Work[s.Name] = res.Stats; limits.Work > 0 && !r.enough(res) {
			return
		}
		for _, p := range x.Problems(res) {
			r.Problems = append(r.Problems, s.Name+": "+p)
		}
	})
}

// endless notes an execution in which timers fire on and on.
func (r *Result) endless(t *trace.Trace) {
	if own.FiresOn(t) {
		r.TooLarge = "a ticker goes on to the bound of firings"
	}
}

// each calls f for each explorer, if work is scarce also with limits of work from an eighth of what it has taken to
// three times that. (One that others follow has a share of its limit.)
func (r *Result) each(regime Regime, f func(Subject, explore.Limits)) {
	for _, s := range Subjects {
		f(s, explore.Limits{Executions: 200_000, Events: 1 << 30})
		all, ok := r.Work[s.Name]
		for eighths := int64(1); ok && regime.Scarce && s.Deps == "" && eighths <= 24; eighths++ {
			limited := s
			limited.Name = fmt.Sprintf("%s with a limit of work of %d", s.Name, max(1, all.Work/8*eighths))
			f(limited, explore.Limits{Work: max(1, all.Work/8*eighths)})
			delete(r.Work, limited.Name)
		}
	}
}

// enough counts an exploration with a limit of work, and reports whether it is exhausted.
func (r *Result) enough(res *explore.Result) bool {
	if r.Scarce == nil {
		r.Scarce = make(map[explore.Verdict]int)
	}
	r.Scarce[res.Verdict]++
	return res.Verdict == explore.Exhausted
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

// subject compares an explorer with brute force. If the limits are of work, what is incomplete is not compared.
func (r *Result) subject(s Subject, m sched.Machine, regime Regime, limits explore.Limits) {
	problem := func(format string, args ...any) {
		r.Problems = append(r.Problems, s.Name+": "+fmt.Sprintf(format, args...))
	}
	got := oracle.NewResult()
	x := s.New(own.Observing(got))
	f, isFormula := x.(*formula.Explorer)
	if e, ok := m.(entry); ok && isFormula {
		f.Needs = s.Deps.Needs(e.l.graphs, e.l.m)
	}
	res := x.Explore(m, limits)
	r.Work[s.Name] = res.Stats
	if limits.Work > 0 && !r.enough(res) {
		return
	}
	closed := s.Own && r.Oracle.GoesOn // it may know that states repeat themselves where an execution does not show it
	if (res.Verdict != explore.Exhausted || r.Oracle.Unseen != "" && !closed) && res.Reason != r.Oracle.Unseen || res.Stats.Diverged > 0 && !isFormula {
		problem("%s %s, %d executions, %d diverged", res.Verdict, res.Reason, res.Stats.Executions, res.Stats.Diverged)
	}
	own.AddRaces(got, res)
	want, got := r.Oracle.BlockedInTime(), got.BlockedInTime()
	due := want
	if res.Verdict != explore.Exhausted && strings.HasSuffix(res.Reason, "the latter is not explored") { // an order (vm.SendReason)
		due = oracle.NewResult()
	}
	if s.Own {
		told, is := own.Executed(got), own.Executed(want)
		if regime.Rounds {
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
		for _, k := range own.Missing(due, got, told) {
			problem("missed: %s", k)
		}
		for _, k := range own.Missing(got, want, is) {
			problem("invented: %s", k)
		}
		return
	}
	for _, k := range due.Missing(got) {
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
