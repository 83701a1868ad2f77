package constraint

import (
	"fmt"
	"sort"

	"github.com/heddle-go/heddle/mcrs/constraint/prior"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/solver"
)

// This file has the rules of store buffers for the type General: QBUF1 to QBUF4.

// checkBuffers notes what has no rule: a write that would come after the end of the trace is no node.
func (o *objects) checkBuffers() {
	if o.buf == nil || o.problems != nil {
		return
	}
	for _, of := range o.buf.Issued {
		for _, s := range of {
			if s.Flush < 0 {
				o.problems = fmt.Errorf("no rule for a store that is not in memory when the program ends, at site %d", o.t.Events[s.Issue].Site)
				return
			}
		}
	}
}

// waits lists the nodes that come before event i because of store buffers (QBUF1).
func (o *objects) waits(i int32) (out []int32) {
	if o.buf == nil {
		return nil
	}
	for _, d := range o.buf.Waits[i] {
		out = append(out, o.of[d])
	}
	return out
}

// eventAt returns the event of a place, -1 if it is pending.
func (o *objects) eventAt(p *place) int32 {
	if p.node < 0 {
		return -1
	}
	x := &o.nodes[p.node]
	if o.t.Events[x.event].Thread == p.thread {
		return x.event
	}
	return x.partner
}

// storesBefore lists what a goroutine has stored since it last waited, when it comes to a place.
func (o *objects) storesBefore(p *place) []*prior.Stored {
	if o.buf == nil {
		return nil
	}
	if i := o.eventAt(p); i >= 0 {
		return o.buf.Before[i]
	}
	return o.buf.Left[p.thread]
}

// ownOf returns the store of its own goroutine that a read may find in the buffer (QBUF2), nil if there is none.
func (o *objects) ownOf(p *place) *prior.Stored {
	if o.buf == nil || p.op.Kind != event.Read && p.op.Kind != event.AtomicLoad {
		return nil
	}
	if s, whole := prior.Newest(o.storesBefore(p), p.op.Loc); whole {
		return s
	}
	return nil
}

// forwarded is QBUF2: it returns what a read finds in its goroutine's buffer, cell by cell. ok is false if the store is
// in memory at f. It adds the reason for either.
func forwarded(g *General, r *reason, p *place, own *prior.Stored, f *spot) (cells []string, ok bool) {
	flush := g.of[own.Flush]
	if g.precedes(flush, f) {
		g.yes(r, flush, f)
		return nil, false
	}
	g.no(r, flush, f)
	l := p.op.Loc
	for i := sort.Search(len(g.ranges), func(i int) bool { return g.ranges[i] >= l.Addr }); g.ranges[i] < l.Addr+uint64(l.Size); i++ {
		cells = append(cells, string(own.Bytes[g.ranges[i]-own.Loc.Addr:g.ranges[i+1]-own.Loc.Addr]))
	}
	return cells, true
}

// drain states what has to be in memory where an operation is about to run (QBUF3).
func drain(g *General, p *place, kase int16, s *spot) {
	of := g.storesBefore(p)
	switch {
	case len(of) == 0:
		return
	case g.waitsAlways(p, kase):
	case p.op.Kind == event.Read, p.op.Kind == event.AtomicLoad:
		one, whole := prior.Newest(of, p.op.Loc)
		if one == nil || whole {
			return
		}
		of = []*prior.Stored{one}
	default:
		return
	}
	for _, one := range of {
		d := g.of[one.Flush]
		g.s.AddEdge(g.pos[d], s.pos)
		g.s.AddClause(s.at.Not(), g.in[d])
		for th, c := range g.nodes[d].clock {
			s.clock[th] = max(s.clock[th], c)
		}
	}
}

// waitsAlways reports whether an operation waits for its goroutine's buffer whatever it meets; kase is the case of a
// select. A TryLock that takes its lock waits, too. No rule says so, for a longest prefix (CUT1) has these flushes:
// right before it they are in nobody's way.
func (o *objects) waitsAlways(p *place, kase int16) bool {
	switch {
	case p.op.IsSelect():
		return int(kase) != len(p.op.Cases) || len(p.op.Cases) > 1
	case p.op.Kind.Tries():
		return event.IsRW(p.op.Key)
	}
	return p.op.AwaitsBuffer()
}

// movedBuffer is moved for the place of a buffer's write, nil of another: it can run once the store was made (QBUF4).
func movedBuffer(g *General, p *place) []solver.Lit {
	if g.t.Threads[p.thread].Buffers == 0 {
		return nil
	}
	return append(g.moved(p), g.in[g.of[g.buf.Issued[p.thread][p.seq].Issue]].Not())
}
