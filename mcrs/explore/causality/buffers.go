package causality

import "github.com/heddle-go/heddle/mcrs/event"

// This file is about store buffers (rule DEP13; the rules BUF of the Go machine): which of a buffer's operations
// depend on each other, and what they enable.
//
// A buffer is a queue with one goroutine at each side, like a channel: the k-th store is before the k-th write of the
// buffer's thread. What waits for an empty buffer is after the last write. Nobody else touches a buffer.

// queueCell is the cell of a queue of which thread b is the thread.
func (g *Record) queueCell(b int32) int32 {
	return g.Cell(CellKey{Space: spaceBuffer, Addr: uint64(b)})
}

// initial is how many stores a queue has that no Store put there: one, if its object was published with it on the way
// (BUF7 of the Go machine).
func (g *Record) initial(c *CellUse) int {
	if c.Key.Space == spaceBuffer && g.Trace.Threads[c.Key.Addr].Spawn >= 0 {
		return 1
	}
	return 0
}

// published is initial, if k has the event that published the object.
func (g enabling) published(c *CellUse, k Cut) int {
	if n := g.initial(c); n > 0 && g.started(k, int32(c.Key.Addr)) {
		return n
	}
	return 0
}

// emptied adds to what an operation of goroutine p touches that it waits for p's buffer, all queues of it.
func (g *Record) emptied(ts []Touch, p int32) []Touch {
	if g.Trace.Memory == event.SC {
		return ts
	}
	for b := range g.Trace.Threads {
		if g.Trace.Threads[b].Buffers == p+1 {
			ts = append(ts, Touch{g.queueCell(int32(b)), classDrain})
		}
	}
	return ts
}

// drainTouches adds what an event does to a buffer.
func (g *Record) drainTouches(ts []Touch, e *event.Event) []Touch {
	if g.Trace.Memory == event.SC {
		return ts
	}
	switch {
	case g.Trace.Threads[e.Thread].Buffers > 0, e.Kind == event.Store:
		return g.queued(ts, e.Thread, e.Kind, e.Loc)
	case g.Trace.Drained(e):
		return g.emptied(ts, e.Thread)
	}
	return ts
}

// pendingDrains is drainTouches for an operation at which p stands, whatever it will return.
func (g *Record) pendingDrains(ts []Touch, p int32, op *event.Op) []Touch {
	switch {
	case g.Trace.Memory == event.SC:
		return ts
	case g.Trace.Threads[p].Buffers > 0, !op.AwaitsBuffer():
		return g.queued(ts, p, op.Kind, op.Loc)
	}
	return g.emptied(ts, p)
}

// queued adds that a store of goroutine p goes into a queue of its buffer, or leaves the one of which p is the thread.
func (g *Record) queued(ts []Touch, p int32, k event.Kind, loc event.Location) []Touch {
	if g.Trace.Threads[p].Buffers > 0 {
		return append(ts, Touch{g.queueCell(p), classFlush})
	}
	if k != event.Store {
		return ts
	}
	for b := range g.Trace.Threads {
		if t := &g.Trace.Threads[b]; t.Buffers == p+1 && (g.Trace.Memory == event.TSO || t.Queue == loc.Addr) {
			return append(ts, Touch{g.queueCell(int32(b)), classIssue})
		}
	}
	return ts
}

// buffersAllow reports whether the buffers let a move happen after k. A write of a buffer's thread needs a store to
// bring to memory. What waits for an empty buffer needs it to be empty. A Mutex that is held makes a Try fail, which
// waits for nothing; that of an RWMutex waits in any case (BUF4).
func (g enabling) buffersAllow(k Cut, m *Move) bool {
	if op, _ := g.opOf(m.A); op.Kind.Tries() && !event.IsRW(op.Key) {
		return true
	}
	for _, t := range m.Touches {
		c := &g.Cells[t.Cell]
		switch t.class {
		case classFlush:
			if g.initial(c)+g.count(c.sends, k) <= g.count(c.recvs, k) {
				return false
			}
		case classDrain:
			if n := g.count(c.sends, k); n+g.published(c, k) > g.count(c.recvs, k) {
				return false
			}
		}
	}
	return true
}
