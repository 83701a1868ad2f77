package explore

import (
	"math/bits"

	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file is about readings of the clock by several goroutines. In the machine those of one goroutine grow, and those
// of two have no order (rule TIME5 in mcrs/machine/clock/clock.go). If all grew, all that reads the clock would be
// dependent. A program that compares readings of two goroutines can tell.
//
//	TICK1  A failure of several readers is none unless it is there with a clock that moves at each reading.
//	TICK2  Each execution of several readers is repeated with such a clock. If one goes another way then, the entry is
//	       not exhausted, but see TICK4. The first, the second, the fourth and so on are repeated at once, so that
//	       the reason is told where a limit strikes later. The others wait until nothing else is in the way of
//	       Exhausted: where something is, the work is better spent on schedules. Explorers execute one order of what
//	       is independent, and readings are. So each is repeated with other orders of its readings as well, in which
//	       each two that are independent come in both orders (READ1 to READ3 of package causality). What depends on
//	       the order of three and of no two of them can stay unknown (docs/limits.md).
//	TICK3  A failure is none where a goroutine has found the channel of a timer empty though it must know that its
//	       time has come (FindsNothing of package race). The machine does not always have such a timer fire first
//	       (TIME8).
//	TICK4  If the order of readings is all that keeps an entry from being exhausted, and its explorer has come to its
//	       end, it is explored once more, with what is left of the limits, and each reading of the clock is a visible
//	       operation: an addition to a counter that all have, and that orders nothing (TIME11 of the machine). So all
//	       orders are explored, and each reading is later than those before. Most entries cannot tell, and need not
//	       pay for that: there readings are independent.

// clocks is what is asked about the readings of an exploration.
type clocks struct {
	asked int      // executions of several readers
	tells bool     // one of them goes another way with a clock that moves at each reading
	later []reader // that are repeated at the end
}

// A reader is an execution in which several goroutines read the clock.
type reader struct {
	schedule *causality.Schedule
	way      uint64
}

// asksClocks repeats an execution with a clock that moves at each reading, or keeps it for that (TICK2).
func (s *Session) asksClocks(t *trace.Trace) {
	if bits.OnesCount64(t.ClockReaders) < 2 || t.Ordered || t.Spun || t.Dropped || len(t.Failures) > 0 || s.Result.Verdict != Exhausted {
		return
	}
	switch t.Status {
	case trace.Limit, trace.Unsupported, trace.Stopped, trace.Failed: // of a failure TICK1 asks
		return
	}
	r := reader{causality.Keep(t, nil), wayOf(t)}
	if s.clocks.asked++; s.clocks.asked&(s.clocks.asked-1) != 0 {
		s.clocks.later = append(s.clocks.later, r)
		return
	}
	s.clocks.ask(s, r)
}

// askAtLast repeats what was kept, unless the exploration is incomplete for another reason.
func (c *clocks) askAtLast(s *Session) {
	for _, r := range c.later {
		if c.tells || s.Result.Verdict != Exhausted {
			break
		}
		if s.OfWork(s.WorkLeft() == 0) {
			s.OutOfWork()
			break
		}
		c.ask(s, r)
	}
	if c.later = nil; c.tells { // who goes on where it waited has taken back that the exploration is incomplete
		s.Incomplete(tellsClocks)
	}
}

// tellsClocks is why an exploration is incomplete that can tell in which order goroutines read the clock.
const tellsClocks = "what happens depends on the order in which several goroutines read the clock, which is not explored"

func (c *clocks) ask(s *Session, r reader) {
	o := s.options()
	o.Ticking, o.Steps = true, len(r.schedule.Whole())
	rec := causality.NewRecorder(sched.NewReplay(r.schedule.Whole(), sched.RunToBlock{}))
	first := s.replay(rec, o, s.Limits.Work)
	if c.tell(s, r, first) {
		return
	}
	order := instantWork * int64(causality.InstantPairs(first))
	s.Spend(WordWork(graphs*GraphWords(first)) + order)
	for instants := range causality.Instants(first, rec) {
		s.Spend(order)
		if s.OfWork(s.WorkLeft() == 0) {
			s.OutOfWork()
			return
		}
		if o.Instants = instants; c.tell(s, r, s.replay(sched.NewReplay(r.schedule.Whole(), sched.RunToBlock{}), o, s.Limits.Work)) {
			return
		}
	}
}

// graphs is how often Instants asks what happens before what.
const graphs = 2

// tell reports whether an execution goes another way than it did, or should not be asked about any more.
func (c *clocks) tell(s *Session, r reader, again *trace.Trace) bool {
	if s.Interrupted() || again.Status == trace.Stopped {
		return true
	}
	if wayOf(again) == r.way {
		return false
	}
	c.tells = true
	s.Incomplete(tellsClocks)
	return true
}

// wayOf hashes which way each goroutine has gone, and how the program ended. It leaves out what was read.
func wayOf(t *trace.Trace) uint64 {
	threads := make([]uint64, len(t.Threads))
	for i := range t.Events {
		e := &t.Events[i]
		threads[e.Thread] = causality.Mix(threads[e.Thread], causality.Mix(uint64(e.Kind)<<16|uint64(uint16(e.Case)), uint64(e.Site)))
	}
	sum := uint64(t.Status) + uint64(len(t.Failures))<<8
	for i, h := range threads {
		sum += causality.Mix(causality.HashString(string(t.Threads[i].ID)), h)
	}
	return sum
}

// unconfirmed says why an entry is incomplete whose failure is not confirmed.
func unconfirmed(t *trace.Trace) string {
	if t.Spun {
		return "the entry fails where time passes for goroutines that seem to poll, natively it might not"
	}
	return "the entry fails where readings of the clock by several goroutines come in the wrong order, natively it might not"
}

// ticks reports whether a run still fails under two conditions: each reading of the clock is later than those before,
// and time does not pass so soon for goroutines that go round (TICK1). Whether a goroutine polls is a guess (SPIN2 of
// the Go machine, polls.go).
func (f *Findings) ticks(x *report.Finding) bool {
	if bits.OnesCount64(x.Witness.ClockReaders) < 2 && !x.Witness.Spun {
		return true
	}
	return f.ticked.of(x.Seed, f.s.Limits.Stop, func() *trace.Trace {
		f.s.Result.Stats.Replays++
		o := f.s.options()
		o.Ticking, o.Steps = true, len(x.Seed)
		return f.s.Machine.Run(sched.NewReplay(x.Seed, sched.RunToBlock{}), o)
	}).failure(x.Key) != nil
}

// exploreClocks explores m, and once more where readings of the clock are visible if that is needed (TICK4).
func exploreClocks(next func() Explorer, m sched.Machine, lim Limits) *Result {
	res := next().Explore(m, lim)
	if res == nil || res.Reason != tellsClocks || res.HandOver != "" {
		return res
	}
	again := next().Explore(InClocks(m), lim.afterFirst(&res.Stats))
	if again == nil {
		return res
	}
	found := withNew(res.Findings, again.Findings, func(f *report.Finding) { f.Clocks = true })
	other := again
	if again.Verdict == Exhausted {
		res, other = again, res
	}
	res.Findings = found
	res.join(other)
	return res
}

// InClocks returns m where readings of the clock are visible operations.
func InClocks(m sched.Machine) sched.Machine { return clocksMachine{m} }

type clocksMachine struct{ sched.Machine }

// Run implements sched.Machine.
func (m clocksMachine) Run(s sched.Scheduler, o sched.Options) *trace.Trace {
	o.Clocks = true
	return m.Machine.Run(s, o)
}
