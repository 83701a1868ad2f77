package explore

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"time"

	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// An Explorer runs a program under the schedules that it thinks matter.
//
// Law: on every program small enough to enumerate, an explorer that says
// Exhausted has met the failures, racing pairs of sites and blocked sets that brute force meets.
type Explorer interface {
	Explore(m sched.Machine, lim Limits) *Result
}

// The default limits.
const (
	DefaultExecutions = 10_000
	DefaultEvents     = 1_000_000
	DefaultSteps      = 200_000_000
	DefaultMemory     = 256 << 20
)

func (l Limits) withDefaults() Limits {
	if l.Executions == 0 {
		l.Executions, l.anyExecutions = DefaultExecutions, true
	}
	if l.Events == 0 {
		l.Events, l.anyEvents = DefaultEvents, true
	}
	if l.Work == 0 {
		l.Work = DefaultWork
	}
	if l.Steps == 0 {
		l.Steps = DefaultSteps
	}
	if l.Memory == 0 {
		l.Memory = DefaultMemory
	}
	return l
}

// A Session is one exploration: the machine, its limits, and what came of it.
type Session struct {
	Machine  sched.Machine
	Limits   Limits
	Result   *Result
	Findings *Findings
	Observe  func(*trace.Trace) // tests only; nil otherwise
	Classes  map[uint64]bool
	aside    aside
	started  time.Time
	Timing   bool         // it explores the second regime of time
	unseen   bool         // an execution left something out: no bound is done
	leftOut  bool         // more than what goes on after the entry's end
	Patient  bool         // what only goes on after the entry's end counts as left out when Judge says so
	goesOn   *trace.Trace // the first such execution
	Room     Room         // what executions take, and how many others have room
	clocks   clocks
	own      ownEvents
	Part     Limits // how far the explorer at work may go before another takes over; zero fields are no bounds
}

// NewSession begins an exploration.
func NewSession(m sched.Machine, lim Limits) *Session {
	none := Stats{Histories: -1, States: -1, Queries: -1, Reads: -1, Constraints: -1, Closing: -1, Missed: -1, SolverNS: -1, Skipped: -1, Restored: -1}
	s := &Session{Machine: m, Limits: lim.withDefaults(), Result: &Result{Verdict: Exhausted, Stats: none}, Classes: make(map[uint64]bool), started: time.Now()}
	s.Findings, s.Room.of = newFindings(s), s
	return s
}

// Exhausted reports whether a limit forbids another execution, and notes which. The end of a share is not noted.
func (s *Session) Exhausted() bool { return s.Used() || Limited(s) }

// Limited is Exhausted for an explorer that sees to the end of its share itself.
func Limited(s *Session) bool {
	switch {
	case s.Interrupted():
	case s.Result.Stats.Executions >= s.Limits.Executions:
		s.Incomplete(stoppedRuns)
	case s.Result.Stats.Shared >= s.Limits.Events:
		s.Incomplete(stoppedEvents)
	case s.OfWork(s.WorkLeft() == 0):
		s.Incomplete(stoppedWork)
	default:
		return false
	}
	return true
}

// Interrupted reports whether the exploration was asked to end, and notes that. That is the reason then, whatever the
// explorer has met before: it would have gone on.
func (s *Session) Interrupted() bool {
	if !s.Limits.Stop.Asked() {
		return false
	}
	s.Result.Interrupted = true
	s.Result.Reason, s.Result.ReasonSite = "", 0
	s.Incomplete(Interrupted)
	return true
}

// Incomplete records why the exploration is not exhaustive. The first reason stands.
func (s *Session) Incomplete(reason string) {
	s.Result.Verdict = Incomplete
	if s.Result.Reason == "" {
		s.Result.Reason = reason
	}
}

// IncompleteAt is Incomplete with the place that the reason is about.
func (s *Session) IncompleteAt(reason string, at event.Site) {
	if s.Result.Reason == "" {
		s.Result.ReasonSite = at
	}
	s.Incomplete(reason)
}

// Execute runs the machine once, counts it, and looks for what the run itself shows.
func (s *Session) Execute(sc sched.Scheduler) *trace.Trace {
	x := Run{Scheduler: sc, Options: s.WhatIsLeft()}
	x.Make(s.Machine)
	return s.Note(&x)
}

// WhatIsLeft is the options of the next execution.
func (s *Session) WhatIsLeft() sched.Options {
	o := s.options()
	o.Cancelled = s.Limits.Stop.flag()
	o.MaxEvents -= s.Result.Stats.Shared
	s.bound(&o)
	return o
}

// Note counts an execution that was made, and looks for what it shows itself.
func (s *Session) Note(x *Run) *trace.Trace {
	s.NoteCost(x)
	t := x.Trace()
	s.Timing = t.Timing
	s.Room.note(t)
	s.aside.note(t)
	switch t.Status {
	case trace.Limit:
		reason := t.Reason
		if s.Interrupted() {
			reason = Interrupted
		} else if s.OfWork(s.WorkLeft() == 0 || s.Room.half) {
			reason = stoppedWork
		} else if len(t.Events) >= x.Options.MaxEvents {
			reason = stoppedEvents
		}
		s.stopped(t, reason)
	case trace.Unsupported:
		s.stopped(t, t.Reason)
	case trace.Stopped:
	default:
		s.Classes[classOf(t)] = true
	}
	s.unseenBy(t)
	s.Findings.Local(t)
	s.asksClocks(t)
	if s.Observe != nil {
		s.Observe(t)
	}
	if s.Limits.Progress != nil {
		s.Limits.Progress(s.progress())
	}
	return t
}

// NoteCost counts an execution that was made, and shows nothing.
func (s *Session) NoteCost(x *Run) {
	t := x.Trace()
	s.Result.Stats.MachineNS += x.took.Nanoseconds()
	s.Result.Stats.Executions++
	s.Result.Stats.Events += len(t.Events)
	s.Result.Stats.Shared += len(t.Events) - s.own.count(t)
	s.Spend(WorkOf(t))
	s.OfWork(x.Options.MaxWords > 0 && t.Cost.LookedAt > x.Options.MaxWords) // states may have no name for that alone
}

// progress says how far the exploration is.
func (s *Session) progress() Progress {
	runs, events := s.Result.Stats.Executions, s.Result.Stats.Shared
	work := s.Result.Stats.Work / max(1, s.Limits.Work/100)
	return Progress{runs, max(100*runs/s.Limits.Executions, 100*events/s.Limits.Events, int(work))}
}

func (s *Session) stopped(t *trace.Trace, reason string) {
	if s.Result.Reason == "" {
		s.Result.ReasonSite = t.ReasonSite
		s.Result.NotSupported = t.Status == trace.Unsupported
	}
	s.Incomplete(reason)
}

// Replay runs a witness again; it is not an execution.
func (s *Session) Replay(sc sched.Scheduler, stacks bool) *trace.Trace {
	o := s.options()
	o.Stacks = stacks
	return s.replay(sc, o, s.Limits.Work)
}

// ReplayTo is Replay without stacks, for at most so many events.
func (s *Session) ReplayTo(sc sched.Scheduler, events int) *trace.Trace {
	o := s.options()
	o.MaxEvents = min(o.MaxEvents, events)
	return s.replay(sc, o, s.Limits.Work)
}

// replay runs a schedule, with most work at most: what it begins may go on without end in the order that follows it.
func (s *Session) replay(sc sched.Scheduler, o sched.Options, most int64) *trace.Trace {
	o.MaxSteps = min(o.MaxSteps, most+1)
	if x, ok := sc.(interface{ Steps() int }); ok {
		o.Steps = x.Steps()
	}
	o.Enough = func(events int, c trace.Cost) bool { return s.OfWork(WorkAt(events, c) > most) }
	s.Result.Stats.Replays++
	began := time.Now()
	defer func() { s.Result.Stats.MachineNS += time.Since(began).Nanoseconds() }()
	if !s.Limits.Stop.Asked() { // what was found before needs its witness
		o.Cancelled = s.Limits.Stop.flag()
	}
	t := s.Machine.Run(sc, o)
	s.OfWork(t.Status == trace.Limit && t.Cost.Steps > most)
	s.Spend(WorkOf(t))
	return t
}

// options are those of replays.
func (s *Session) options() sched.Options {
	return sched.Options{MaxEvents: withOwn(s.Limits.Events, s.own.events()), MaxSteps: s.Limits.Steps, MaxMemory: s.Limits.Memory}
}

// Close closes the session.
func (s *Session) Close() *Result {
	s.clocks.askAtLast(s)
	s.Result.Stats.Classes = len(s.Classes)
	if s.unseen {
		s.Result.Bounds, s.Result.Delays = 0, 0
	}
	explored := time.Now()
	s.Result.Findings = s.Findings.finish()
	s.Result.aside = s.aside
	s.Result.Stats.WitnessNS = time.Since(explored).Nanoseconds()
	s.Result.Stats.WallNS = time.Since(s.started).Nanoseconds()
	return s.Result
}

// classOf hashes what each goroutine was told, and how the program ended.
func classOf(t *trace.Trace) uint64 {
	threads := make([]uint64, len(t.Threads))
	for i := range t.Events {
		r := trace.ReplyOf(&t.Events[i])
		h := &threads[t.Events[i].Thread]
		kind := uint64(r.Kind)<<16 | uint64(uint16(r.Case))
		if r.Wrong {
			kind |= 1 << 32
		}
		*h = causality.Mix(*h, causality.Mix(kind, r.Value))
	}
	sum := uint64(t.Status)
	for i, h := range threads {
		sum += causality.Mix(causality.HashString(string(t.Threads[i].ID)), h)
	}
	return sum
}
