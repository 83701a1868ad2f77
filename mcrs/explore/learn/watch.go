package learn

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/sched"
)

// This file notes, while an execution runs, what its trace does not have.

// A Watch is a scheduler that passes on the decisions of another, and notes what Absorb must know beyond the trace: the operation
// behind each event, and what was enabled.
type Watch struct {
	sched.Scheduler
	ops     [][]*event.Op   // by thread and number of the event, nil if it was not seen
	locals  [][]sched.Local // likewise
	naming  bool
	known   func() bool // whether the next decision leads along edges that are known
	block   []event.Op  // memory for the next ones
	enabled []choices   // by decision
	done    []int32     // by thread: its operations of which all is noted
	met     map[named]bool
	stale   int // decisions since a goroutine came to a state that it was not in before
}

// A named is a state of a thread.
type named struct {
	thread int
	digest uint64
}

// maxStale is after how many decisions without a new state of any goroutine an execution is ended: all go round, and
// it would have no end. What it has not shown then is asked for.
const maxStale = 2000

// choices is a set of transitions: their number, and a sum of hashes.
type choices struct {
	count int
	sum   uint64
}

func (c *choices) add(thread int32, kase int16, partner int32, pcase int16) {
	c.count++
	c.sum += known.Mix(known.Mix(uint64(thread)<<16|uint64(uint16(kase)), uint64(uint32(partner))<<16|uint64(uint16(pcase))), 9)
}

// NewWatch returns a scheduler that decides as s does.
func NewWatch(s sched.Scheduler) *Watch { return &Watch{Scheduler: s, met: make(map[named]bool)} }

// NameStates has the states of goroutines named, where the machine can, but for those before decisions that lead along
// edges that are known.
func (w *Watch) NameStates(known func() bool) { w.naming, w.known = true, known }

// Next implements sched.Scheduler.
func (w *Watch) Next(s *sched.State) int {
	for len(w.done) < len(s.Threads) {
		w.done = append(w.done, 0)
	}
	naming := w.naming && s.Local != nil
	for i, th := range s.Standing {
		if th.Seq < w.done[i] {
			continue
		}
		w.saw(i, int(th.Seq), th.Op)
		if naming && w.known() {
			w.stale = 0
			continue
		}
		if w.done[i] = th.Seq + 1; naming {
			w.named(i, int(th.Seq), s.Local)
		}
	}
	var c choices
	for _, t := range s.Enabled {
		c.add(t.Thread, t.Case, t.Partner, t.PartnerCase)
	}
	for _, t := range s.Idle { // to the specification it is a step like others, and leads to a state that is known
		if !w.naming || s.Local == nil {
			break
		}
		if l := s.Local(int(t.Thread)); l.Known && !l.Silent {
			c.add(t.Thread, t.Case, t.Partner, t.PartnerCase)
		}
	}
	if w.stale++; naming && w.stale > maxStale {
		return sched.Stop
	}
	w.enabled = append(w.enabled, c)
	return w.Scheduler.Next(s)
}

func (w *Watch) saw(thread, seq int, op *event.Op) {
	for thread >= len(w.ops) {
		w.ops = append(w.ops, nil)
	}
	if seq < len(w.ops[thread]) {
		return
	}
	for seq > len(w.ops[thread]) {
		w.ops[thread] = append(w.ops[thread], nil)
	}
	if len(w.block) == cap(w.block) {
		w.block = make([]event.Op, 0, 64)
	}
	w.block = append(w.block, *op)
	w.ops[thread] = append(w.ops[thread], &w.block[len(w.block)-1])
}

// named notes the state of a thread that stands at its seq-th operation.
func (w *Watch) named(thread, seq int, name func(int) sched.Local) {
	for thread >= len(w.locals) {
		w.locals = append(w.locals, nil)
	}
	if seq == 0 || seq < len(w.locals[thread]) { // where a goroutine begins has a name
		return
	}
	for seq > len(w.locals[thread]) {
		w.locals[thread] = append(w.locals[thread], sched.Local{})
	}
	l := name(thread)
	w.locals[thread] = append(w.locals[thread], l)
	if at := (named{thread, l.Digest}); (!l.Known || !w.met[at]) && w.ops[thread][seq].Kind != event.TimerFire {
		w.met[at], w.stale = true, 0
	}
}

func (w *Watch) local(thread, seq int32) sched.Local {
	if int(thread) < len(w.locals) && int(seq) < len(w.locals[thread]) {
		return w.locals[thread][seq]
	}
	return sched.Local{}
}

// Op returns the operation behind the seq-th event of a thread, nil if it was not seen.
func (w *Watch) Op(thread, seq int32) *event.Op { return w.op(thread, seq) }

func (w *Watch) op(thread, seq int32) *event.Op {
	if int(thread) < len(w.ops) && int(seq) < len(w.ops[thread]) {
		return w.ops[thread][seq]
	}
	return nil
}
