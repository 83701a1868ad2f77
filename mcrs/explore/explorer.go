package explore

import (
	"time"

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
		l.Executions = DefaultExecutions
	}
	if l.Events == 0 {
		l.Events = DefaultEvents
	}
	if l.Steps == 0 {
		l.Steps = DefaultSteps
	}
	if l.Memory == 0 {
		l.Memory = DefaultMemory
	}
	return l
}

// A session is one exploration: the machine, its limits, and what came of it.
type session struct {
	m        sched.Machine
	lim      Limits
	res      *Result
	findings *findings
	observe  func(*trace.Trace) // tests only; nil otherwise
	classes  map[uint64]bool
	aside    aside
	started  time.Time
	timing   bool   // it explores the second regime of time
	unseen   bool   // an execution left something out: no bound of preemptions is done
	part     Limits // how far the explorer at work may go before another takes over; zero fields are no bounds
}

func newSession(m sched.Machine, lim Limits) *session {
	none := Stats{Histories: -1, States: -1, Queries: -1, Reads: -1, Constraints: -1, Closing: -1, Missed: -1, SolverNS: -1, Skipped: -1, Restored: -1}
	s := &session{m: m, lim: lim.withDefaults(), res: &Result{Verdict: Exhausted, Stats: none}, classes: make(map[uint64]bool), started: time.Now()}
	s.findings = newFindings(s)
	return s
}

// share lets explorers that take turns go so far: to a part of the limits.
func (s *session) share(n, of int) {
	s.part = Limits{Executions: s.lim.Executions * n / of, Events: s.lim.Events * n / of}
}

// used reports whether the share is used up.
func (s *session) used() bool { return s.usedWith(0) }

// usedWith reports whether so many more executions use up the share.
func (s *session) usedWith(more int) bool {
	return s.part.Executions > 0 && s.res.Stats.Executions+more >= s.part.Executions || s.part.Events > 0 && s.res.Stats.Events >= s.part.Events
}

// exhausted reports whether a limit forbids another execution, and notes which. The end of a share is not noted.
func (s *session) exhausted() bool {
	if s.used() {
		return true
	}
	switch {
	case s.res.Stats.Executions >= s.lim.Executions:
		s.incomplete(stoppedRuns)
	case s.res.Stats.Events >= s.lim.Events:
		s.incomplete(stoppedEvents)
	default:
		return false
	}
	return true
}

// incomplete records why the exploration is not exhaustive. The first reason stands.
func (s *session) incomplete(reason string) {
	s.res.Verdict = Incomplete
	if s.res.Reason == "" {
		s.res.Reason = reason
	}
}

// execute runs the machine once, counts it, and looks for what the run itself shows.
func (s *session) execute(sc sched.Scheduler) *trace.Trace {
	x := run{sc: sc, opts: s.whatIsLeft()}
	x.make(s.m)
	return s.note(&x)
}

// whatIsLeft is the options of the next execution.
func (s *session) whatIsLeft() sched.Options {
	o := s.options()
	o.MaxEvents -= s.res.Stats.Events
	return o
}

// note counts an execution that was made, and looks for what it shows itself.
func (s *session) note(x *run) *trace.Trace {
	t := x.trace()
	s.timing = t.Timing
	s.res.Stats.MachineNS += x.took.Nanoseconds()
	s.res.Stats.Executions++
	s.res.Stats.Events += len(t.Events)
	s.aside.note(t)
	switch t.Status {
	case trace.Limit:
		reason := t.Reason
		if len(t.Events) >= x.opts.MaxEvents {
			reason = stoppedEvents
		}
		s.stopped(t, reason)
	case trace.Unsupported:
		s.stopped(t, t.Reason)
	case trace.Stopped:
	default:
		s.classes[classOf(t)] = true
	}
	if t.Unseen != "" && !t.Dropped {
		if s.res.Reason == "" {
			s.res.ReasonSite = t.UnseenSite
		}
		s.incomplete(t.Unseen)
		s.unseen = true
	}
	s.findings.local(t)
	if s.observe != nil {
		s.observe(t)
	}
	if s.lim.Progress != nil {
		s.lim.Progress(s.progress())
	}
	return t
}

// progress says how far the exploration is.
func (s *session) progress() Progress {
	runs, events := s.res.Stats.Executions, s.res.Stats.Events
	return Progress{runs, max(100*runs/s.lim.Executions, 100*events/s.lim.Events)}
}

func (s *session) stopped(t *trace.Trace, reason string) {
	if s.res.Reason == "" {
		s.res.ReasonSite = t.ReasonSite
		s.res.NotSupported = t.Status == trace.Unsupported
	}
	s.incomplete(reason)
}

// replay runs a witness again; it is not an execution.
func (s *session) replay(sc sched.Scheduler, stacks bool) *trace.Trace {
	s.res.Stats.Replays++
	began := time.Now()
	defer func() { s.res.Stats.MachineNS += time.Since(began).Nanoseconds() }()
	o := s.options()
	o.Stacks = stacks
	return s.m.Run(sc, o)
}

// options are those of replays.
func (s *session) options() sched.Options {
	return sched.Options{MaxEvents: s.lim.Events, MaxSteps: s.lim.Steps, MaxMemory: s.lim.Memory}
}

// result closes the session.
func (s *session) result() *Result {
	s.res.Stats.Classes = len(s.classes)
	if s.unseen {
		s.res.Bounds = 0
	}
	explored := time.Now()
	s.res.Findings = s.findings.finish()
	s.res.aside = s.aside
	s.res.Stats.WitnessNS = time.Since(explored).Nanoseconds()
	s.res.Stats.WallNS = time.Since(s.started).Nanoseconds()
	return s.res
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
		*h = mix(*h, mix(kind, r.Value))
	}
	sum := uint64(t.Status)
	for i, h := range threads {
		sum += mix(hashString(string(t.Threads[i].ID)), h)
	}
	return sum
}
