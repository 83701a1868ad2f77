package causality

import (
	"cmp"
	"maps"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file generates the reversals of a trace (rules REV1 to REV5 of the package doc).

func sortBy[T any, K cmp.Ordered](s []T, key func(T) K) {
	slices.SortFunc(s, func(a, b T) int { return cmp.Compare(key(a), key(b)) })
}

// A Sink takes what the reversals find.
type Sink interface {
	// Seen reports whether a configuration and move was met before, and records it.
	Seen(fingerprint uint64) bool
	// Candidate takes a configuration and a move that is, as far as is known, enabled after it.
	Candidate(g *Graph, k Cut, m *Move)
	// Race takes two conflicting accesses that are both next after k.
	Race(g *Graph, k Cut, first, second Ref)
	// Spend counts the work of making a configuration, in words. It returns false when there has been too much.
	Spend(words int) bool
}

// A Reverser walks over a graph.
type Reverser struct {
	*Graph
	Out Sink
}

// Run offers every reversal of the trace.
func (v *Reverser) Run() {
	for p := range v.Lines {
		for n := range v.Lines[p].Events {
			v.executed(Ref{int32(p), int32(n)})
		}
		if op := v.Trace.Threads[p].Pending; op != nil {
			v.pendingOp(int32(p), op)
		} else if w, ok := v.pending[int32(p)]; ok {
			v.withdrawn(int32(p), w)
		}
	}
	v.meetings()
}

// executed offers the reversals of one event: REV1, and REV3 for the other cases of a select.
func (v *Reverser) executed(r Ref) {
	if !v.Out.Spend(len(v.Lines)) {
		return
	}
	i := v.Lines[r.Thread].Events[r.Seq]
	e := &v.Trace.Events[i]
	if ts := v.Touches[i]; e.Partner < 0 && (len(ts) > 0 || e.Kind.WaitsForClock()) {
		m := &Move{A: r, B: Ref{-1, 0}, CaseA: e.Case, Kind: e.Kind, Key: e.Key, Touches: ts}
		if w, ok := v.clock[i]; ok {
			m.clock = &w
		}
		v.offerAll(v.Without(v.Full(), r), m, false)
	}
	if e.Cases >= 0 {
		v.selectMoves(r, v.Trace.Cases[e.Cases], v.hasDefault(r.Thread, r.Seq), e.Case, v.Without(v.Full(), r))
	}
}

// pendingOp offers the reversals of an operation at which a thread stood at the
// end: REV2, and REV5 if the program was ended.
func (v *Reverser) pendingOp(p int32, op *event.Op) {
	r := Ref{p, int32(len(v.Lines[p].Events))}
	k, cut := v.beforeEnd()
	if op.IsSelect() {
		v.selectMoves(r, op.Cases, op.HasDefault, -2, k)
		return
	}
	m := &Move{A: r, B: Ref{-1, 0}, CaseA: -1, Kind: op.Kind, Key: op.Key}
	if op.Kind.Object() == event.Channel {
		m.Touches = v.CommTouches(p, op.Kind, op.Loc.Addr, false)
	} else {
		m.Touches = v.PlainTouches(p, op.Kind, op.Loc, op.Key)
	}
	m.Touches = v.pendingDrains(v.stepTouch(m.Touches), p, op)
	if w, ok := v.pending[p]; ok {
		m.clock = &w
	}
	v.offerAll(k, m, cut)
}

// withdrawn offers the firing of a timer that could have fired and then could not any more: it was stopped.
func (v *Reverser) withdrawn(p int32, w ready) {
	k, cut := v.beforeEnd()
	r := Ref{p, int32(len(v.Lines[p].Events))}
	v.offerAll(k, &Move{A: r, B: Ref{-1, 0}, CaseA: -1, Kind: event.TimerFire, Touches: v.stepTouch(v.PlainTouches(p, event.TimerFire, w.loc, 0)), clock: &w}, cut)
}

// beforeEnd returns the whole trace without the event that ended the program, and
// whether there was one.
func (v *Reverser) beforeEnd() (Cut, bool) {
	k := v.Full()
	if n := len(v.Trace.Events); n > 0 {
		if e := &v.Trace.Events[n-1]; e.Kind.EndsProgram() {
			k[e.Thread] = e.Seq
			return k, true
		}
	}
	return k, v.Trace.Status == trace.Stopped || v.Trace.Status == trace.Limit // anything may still be enabled
}

// selectMoves offers the cases of a select, except the one taken, that need no partner.
func (v *Reverser) selectMoves(r Ref, cases []event.Case, hasDefault bool, taken int16, k Cut) {
	for i, c := range cases {
		if int16(i) == taken || c.Chan == 0 {
			continue
		}
		m := &Move{A: r, B: Ref{-1, 0}, CaseA: int16(i), Kind: c.Kind, Touches: v.emptied(v.stepTouch(v.CommTouches(r.Thread, c.Kind, c.Chan, false)), r.Thread)}
		v.offerAll(k, m, true)
	}
	if n := int16(len(cases)); hasDefault && taken != n {
		m := &Move{A: r, B: Ref{-1, 0}, CaseA: n, Kind: event.SelectDefault, Touches: v.stepTouch(v.DefaultTouches(cases))}
		if len(cases) > 1 {
			m.Touches = v.emptied(m.Touches, r.Thread)
		}
		v.offerAll(k, m, true)
	}
}

// A stand is a place where a thread stands at a communication.
type stand struct {
	at   Ref
	num  int16
	done bool
}

// meetings offers every rendezvous of two threads that could stand at the two
// sides of an unbuffered channel at once: REV4.
func (v *Reverser) meetings() {
	type sides struct{ send, recv map[int32][]stand }
	chans := make(map[uint64]*sides)
	var order []uint64
	for p := range v.Lines {
		last := len(v.Lines[p].Events)
		for n := 0; n <= last; n++ {
			comms, num := v.commsAt(int32(p), int32(n))
			for i, c := range comms {
				if c.Chan == 0 || v.Cells[v.Cell(CellKey{Space: spaceChan, Addr: c.Chan})].cap > 0 {
					continue
				}
				s := chans[c.Chan]
				if s == nil {
					s = &sides{make(map[int32][]stand), make(map[int32][]stand)}
					chans[c.Chan] = s
					order = append(order, c.Chan)
				}
				side := s.send
				if c.Kind == event.ChanRecv {
					side = s.recv
				}
				st := stand{Ref{int32(p), int32(n)}, num, n < last}
				if num >= 0 {
					st.num = int16(i)
				}
				side[int32(p)] = append(side[int32(p)], st)
			}
		}
	}
	for _, addr := range order {
		c := chans[addr]
		receivers := slices.Sorted(maps.Keys(c.recv))
		for _, p := range slices.Sorted(maps.Keys(c.send)) {
			for _, q := range receivers {
				if p != q {
					v.pair(addr, c.send[p], c.recv[q])
				}
			}
		}
	}
}

// pair offers the meetings of one sender and one receiver.
func (v *Reverser) pair(addr uint64, sends, recvs []stand) {
	for _, s := range sends {
		for _, r := range recvs {
			if r.done && v.Knows(s.at.Thread, s.at.Seq, r.at) {
				continue
			}
			if s.done && v.Knows(r.at.Thread, r.at.Seq, s.at) {
				break // and so does every later one
			}
			if !v.Out.Spend(len(v.Lines)) {
				return
			}
			m := &Move{A: s.at, B: r.at, CaseA: s.num, CaseB: r.num, Kind: event.ChanSend,
				Touches: v.MeetTouches(s.at, r.at, addr)}
			k, _ := v.beforeEnd()
			if s.done {
				k = v.Without(k, s.at)
			}
			if r.done {
				k = v.Without(k, r.at)
			}
			met := v.met(s, r)
			if met {
				m.Touches = v.Touches[v.Lines[s.at.Thread].Events[s.at.Seq]]
			}
			v.offerAll(k, m, !met)
		}
	}
}

// met reports whether the trace has just this rendezvous.
func (v *Reverser) met(s, r stand) bool {
	if !s.done || !r.done {
		return false
	}
	e := &v.Trace.Events[v.Lines[s.at.Thread].Events[s.at.Seq]]
	return e.Partner >= 0 && e.Partner == v.Lines[r.at.Thread].Events[r.at.Seq] &&
		e.Kind == event.ChanSend && e.Case == s.num && v.Trace.Events[e.Partner].Case == r.num
}

// offerAll offers a move after k, if self, and after k without each event that the
// move depends on and that its threads do not know.
func (v *Reverser) offerAll(k Cut, m *Move, self bool) {
	m.Past = v.Past(m)
	if self {
		v.offer(k, m)
	}
	for _, t := range m.Touches {
		mask := strongest(t.class, v.Cells[t.Cell].Key.Space)
		c := &v.Cells[t.Cell]
		for i := range c.ByThr {
			u := &c.ByThr[i]
			if m.involves(u.Thread) {
				continue
			}
			for _, o := range u.between(m.Past[u.Thread], k[u.Thread]) {
				if mask&(1<<o.class) == 0 {
					continue
				}
				if !v.Out.Spend(len(v.Lines)) {
					return
				}
				f := Ref{u.Thread, o.Seq}
				if c.Key.Space == spaceMapRace {
					v.race(v.Graph, v.Without(v.Without(k, f), m.A), f, m.A)
					continue
				}
				smaller := v.Without(k, f)
				if c.Key.Space == SpaceGroup {
					v.groupRace(smaller, c, u, o, m)
				}
				if c.Key.Space == SpaceMemory && !(m.Kind.IsAtomic() && o.Kind.IsAtomic()) {
					v.race(v.Graph, smaller, f, m.A)
				}
				v.offer(smaller, m)
			}
		}
	}
	v.offerClock(k, m)
}

// race offers two accesses as a race. Under a relaxed memory model there is no need: sequential consistency shows all
// races.
func (v *Reverser) race(g *Graph, k Cut, first, second Ref) {
	if v.Trace.Memory == event.SC {
		v.Out.Race(g, k, first, second)
	}
}

// groupRace offers a Wait and an Add of another thread as a race, if both are next after k and the Add could be the
// first.
func (v *Reverser) groupRace(k Cut, c *CellUse, u *Use, o SeqClass, m *Move) {
	f := Ref{u.Thread, o.Seq}
	switch {
	case v.sumOf(c, k) != 0:
	case o.Kind == event.WaitGroupWait && m.Kind == event.WaitGroupAdd:
		v.race(v.Graph, k, f, m.A)
	case o.Kind == event.WaitGroupAdd && m.Kind == event.WaitGroupWait && int64(o.Value) > 0:
		v.race(v.Graph, k, m.A, f)
	}
}

// strongest is the set of classes that an operation may depend on in a cell, whatever it returns.
func strongest(c class, s space) uint32 {
	switch {
	case c == classRecv || c == classRecvClosed:
		return conflicts[classRecv] | conflicts[classRecvClosed]
	case c == classSend || c == classSendClosed:
		return conflicts[classSend] | conflicts[classSendClosed]
	case s == SpaceOnce:
		return conflicts[classWrite]
	}
	return conflicts[c]
}

// offer passes a configuration and a move on, if the move is enabled; if it is
// not, it tries the smaller configurations in which it may be.
func (v *Reverser) offer(k Cut, m *Move) {
	for _, r := range m.Threads() {
		if k[r.Thread] != r.Seq || !(enabling{v.Graph}).started(k, r.Thread) {
			return
		}
	}
	if v.Out.Seen(v.fingerprint(k, m)) {
		return
	}
	ok, unblock := (enabling{v.Graph}).enabled(k, m)
	if ok {
		v.Out.Candidate(v.Graph, k, m)
		return
	}
next:
	for _, fs := range unblock {
		smaller := k
		for _, f := range fs {
			if m.Past.Has(f) || m.involves(f.Thread) {
				continue next
			}
			smaller = v.Without(smaller, f)
		}
		if !v.Out.Spend(len(v.Lines)) { // there may be a configuration for each subset of the threads
			return
		}
		v.offer(smaller, m)
	}
}

// offerClock offers the reversals of rule DEP9.
func (v *Reverser) offerClock(k Cut, m *Move) {
	if m.clock == nil {
		if len(m.Touches) == 0 {
			return
		}
		for _, b := range v.barriers { // a timer that fired while others could run
			i := v.Lines[b.Thread].Events[b.Seq]
			if w := v.clock[i]; !w.quiet && k.Has(b) && !m.Past.Has(b) && !m.involves(b.Thread) {
				if !v.Out.Spend(len(v.Lines)) {
					return
				}
				v.offer(v.Without(k, b), m)
			}
		}
		return
	}
	if v.free(m.A.Thread, m.Kind, *m.clock) {
		return
	}
	if m.clock.quiet {
		for _, b := range v.barriers {
			if k.Has(b) && !m.Past.Has(b) && !m.involves(b.Thread) {
				if !v.Out.Spend(len(v.Lines)) {
					return
				}
				v.offer(v.Without(k, b), m)
			}
		}
		return
	}
	// It may fire before any event that it does not know. From when on it could depends on the order in which
	// independent events stand here.
	for i := range v.Trace.Events {
		e := &v.Trace.Events[i]
		f := Ref{e.Thread, e.Seq}
		if k.Has(f) && !m.Past.Has(f) && !m.involves(f.Thread) && (len(v.Touches[i]) > 0 || e.Kind.WaitsForClock()) {
			if !v.Out.Spend(len(v.Lines)) {
				return
			}
			v.offer(v.Without(k, f), m)
		}
	}
}
