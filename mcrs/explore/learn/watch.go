package learn

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/sched"
)

// This file notes, while an execution runs, what its trace does not have.

// A Watch is a scheduler that passes on the decisions of another, and notes what Absorb must know beyond the trace: the
// operation behind each event, and what was enabled.
type Watch struct {
	sched.Scheduler
	ops     [][]*event.Op   // by thread and number of the event, nil if it was not seen
	locals  [][]sched.Local // likewise
	naming  bool
	known   func() bool // whether the next decision leads along edges that are known
	blocks  [][]event.Op
	block   int       // of these, the one with memory for the next operations
	enabled []choices // by decision
	done    []int32   // by thread: its operations of which all is noted
	met     states
	stale   int // decisions since a goroutine came to a state that it was not in before
}

// States is a set of states of threads, by hashes of the two. One that is lost in it makes an execution end sooner, or
// later, and is asked for again.
type states struct {
	slots []uint64 // 0 is free; a power of two
	count int
}

// add adds a state, and reports whether it is new.
func (s *states) add(thread int, digest uint64) bool {
	if 2*s.count >= len(s.slots) {
		old := s.slots
		s.slots, s.count = make([]uint64, max(64, 2*len(old))), 0
		for _, h := range old {
			if h != 0 {
				s.put(h)
			}
		}
	}
	return s.put(known.Mix(digest, uint64(thread)) | 1)
}

func (s *states) put(h uint64) bool {
	mask := uint64(len(s.slots) - 1)
	for i := h >> 1 & mask; ; i = (i + 1) & mask {
		switch s.slots[i] {
		case 0:
			s.slots[i] = h
			s.count++
			return true
		case h:
			return false
		}
	}
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
func NewWatch(s sched.Scheduler) *Watch { return &Watch{Scheduler: s} }

// keptStates is for how many states a watch may have room that is used again.
const keptStates = 1 << 12

// Again returns a watch with another scheduler in the memory of one that nobody needs any more.
func (w *Watch) Again(s sched.Scheduler) *Watch {
	for i := range w.ops {
		clear(w.ops[i])
		w.ops[i] = w.ops[i][:0]
	}
	for i := range w.locals {
		w.locals[i] = w.locals[i][:0]
	}
	for i := range w.blocks {
		clear(w.blocks[i])
		w.blocks[i] = w.blocks[i][:0]
	}
	if len(w.met.slots) > keptStates {
		w.met.slots = nil
	}
	clear(w.met.slots)
	*w = Watch{Scheduler: s, ops: w.ops, locals: w.locals, blocks: w.blocks, enabled: w.enabled[:0], done: w.done[:0], met: states{slots: w.met.slots}}
	return w
}

// NameStates has the states of goroutines named, where the machine can, but for those before decisions that lead along
// edges that are known.
func (w *Watch) NameStates(known func() bool) { w.naming, w.known = true, known }

// Next implements sched.Scheduler.
func (w *Watch) Next(s *sched.State) int {
	for len(w.done) < len(s.Threads) {
		w.done = append(w.done, 0)
	}
	naming := w.naming && s.Local != nil
	if s.Live == nil {
		for i := range s.Threads {
			w.look(s, i, naming)
		}
	}
	for _, i := range s.Live {
		w.look(s, int(i), naming)
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

// look notes what a thread stands at.
func (w *Watch) look(s *sched.State, i int, naming bool) {
	th := &s.Threads[i]
	if th.Seq < w.done[i] || th.Op == nil {
		return
	}
	w.saw(i, int(th.Seq), th.Op)
	if naming && w.known() {
		w.stale = 0
		return
	}
	if w.done[i] = th.Seq + 1; naming {
		w.named(i, int(th.Seq), s.Local)
	}
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
	for w.block < len(w.blocks) && len(w.blocks[w.block]) == cap(w.blocks[w.block]) {
		w.block++
	}
	if w.block == len(w.blocks) {
		w.blocks = append(w.blocks, make([]event.Op, 0, 64))
	}
	b := append(w.blocks[w.block], *op)
	w.blocks[w.block] = b
	w.ops[thread] = append(w.ops[thread], &b[len(b)-1])
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
	if w.ops[thread][seq].Kind != event.TimerFire && (w.met.add(thread, l.Digest) || !l.Known) {
		w.stale = 0
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
