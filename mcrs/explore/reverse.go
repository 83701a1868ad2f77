package explore

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

// A sink takes what the reversals find.
type sink interface {
	// seen reports whether a configuration and move was met before, and records it.
	seen(fingerprint uint64) bool
	// candidate takes a configuration and a move that is, as far as is known, enabled after it.
	candidate(g *graph, k cut, m *move)
	// race takes two conflicting accesses that are both next after k.
	race(g *graph, k cut, first, second ref)
	// spend counts the work of making a configuration, in words. It returns false when there has been too much.
	spend(words int) bool
}

// A reverser walks over a graph.
type reverser struct {
	*graph
	out sink
}

// run offers every reversal of the trace.
func (v *reverser) run() {
	for p := range v.lines {
		for n := range v.lines[p].events {
			v.executed(ref{int32(p), int32(n)})
		}
		if op := v.t.Threads[p].Pending; op != nil {
			v.pendingOp(int32(p), op)
		} else if w, ok := v.pending[int32(p)]; ok {
			v.withdrawn(int32(p), w)
		}
	}
	v.meetings()
}

// executed offers the reversals of one event: REV1, and REV3 for the other cases of a select.
func (v *reverser) executed(r ref) {
	if !v.out.spend(len(v.lines)) {
		return
	}
	i := v.lines[r.thread].events[r.seq]
	e := &v.t.Events[i]
	if ts := v.touches[i]; e.Partner < 0 && (len(ts) > 0 || isClock(e.Kind)) {
		m := &move{a: r, b: ref{-1, 0}, caseA: e.Case, kind: e.Kind, key: e.Key, touches: ts}
		if w, ok := v.clock[i]; ok {
			m.clock = &w
		}
		v.offerAll(v.without(v.full(), r), m, false)
	}
	if e.Cases >= 0 {
		v.selectMoves(r, v.t.Cases[e.Cases], v.hasDefault(r.thread, r.seq), e.Case, v.without(v.full(), r))
	}
}

// pendingOp offers the reversals of an operation at which a thread stood at the
// end: REV2, and REV5 if the program was ended.
func (v *reverser) pendingOp(p int32, op *event.Op) {
	r := ref{p, int32(len(v.lines[p].events))}
	k, cut := v.beforeEnd()
	if op.IsSelect() {
		v.selectMoves(r, op.Cases, op.HasDefault, -2, k)
		return
	}
	m := &move{a: r, b: ref{-1, 0}, caseA: -1, kind: op.Kind, key: op.Key}
	switch op.Kind {
	case event.ChanSend, event.ChanRecv, event.ChanClose, event.ChanLen:
		m.touches = append([]touch{v.chanTouch(op.Kind, op.Loc.Addr, false)}, v.clockTouches(p, op.Kind, op.Loc.Addr)...)
	default:
		m.touches = v.plainTouches(p, op.Kind, op.Loc, op.Key)
	}
	m.touches = v.stepTouch(m.touches, op.Kind, op.Key)
	if w, ok := v.pending[p]; ok {
		m.clock = &w
	}
	v.offerAll(k, m, cut)
}

// withdrawn offers the firing of a timer that could have fired and then could not any more: it was stopped.
func (v *reverser) withdrawn(p int32, w ready) {
	k, cut := v.beforeEnd()
	r := ref{p, int32(len(v.lines[p].events))}
	v.offerAll(k, &move{a: r, b: ref{-1, 0}, caseA: -1, kind: event.TimerFire, touches: v.stepTouch(v.plainTouches(p, event.TimerFire, w.loc, 0), event.TimerFire, 0), clock: &w}, cut)
}

// beforeEnd returns the whole trace without the event that ended the program, and
// whether there was one.
func (v *reverser) beforeEnd() (cut, bool) {
	k := v.full()
	if n := len(v.t.Events); n > 0 {
		if e := &v.t.Events[n-1]; e.Kind == event.Panic || e.Kind == event.Exit {
			k[e.Thread] = e.Seq
			return k, true
		}
	}
	return k, v.t.Status == trace.Stopped || v.t.Status == trace.Limit // anything may still be enabled
}

// selectMoves offers the cases of a select, except the one taken, that need no partner.
func (v *reverser) selectMoves(r ref, cases []event.Case, hasDefault bool, taken int16, k cut) {
	for i, c := range cases {
		if int16(i) == taken || c.Chan == 0 {
			continue
		}
		m := &move{a: r, b: ref{-1, 0}, caseA: int16(i), kind: c.Kind, touches: v.stepTouch(append([]touch{v.chanTouch(c.Kind, c.Chan, false)}, v.clockTouches(r.thread, c.Kind, c.Chan)...), c.Kind, 0)}
		v.offerAll(k, m, true)
	}
	if n := int16(len(cases)); hasDefault && taken != n {
		m := &move{a: r, b: ref{-1, 0}, caseA: n, kind: event.SelectDefault, touches: v.stepTouch(v.defaultTouches(cases), event.SelectDefault, 0)}
		v.offerAll(k, m, true)
	}
}

// A stand is a place where a thread stands at a communication.
type stand struct {
	at   ref
	num  int16
	done bool
}

// meetings offers every rendezvous of two threads that could stand at the two
// sides of an unbuffered channel at once: REV4.
func (v *reverser) meetings() {
	type sides struct{ send, recv map[int32][]stand }
	chans := make(map[uint64]*sides)
	var order []uint64
	for p := range v.lines {
		last := len(v.lines[p].events)
		for n := 0; n <= last; n++ {
			comms, num := v.commsAt(int32(p), int32(n))
			for i, c := range comms {
				if c.Chan == 0 || v.cells[v.cell(cellKey{space: spaceChan, addr: c.Chan})].cap > 0 {
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
				st := stand{ref{int32(p), int32(n)}, num, n < last}
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
func (v *reverser) pair(addr uint64, sends, recvs []stand) {
	for _, s := range sends {
		for _, r := range recvs {
			if r.done && v.knows(s.at.thread, s.at.seq, r.at) {
				continue
			}
			if s.done && v.knows(r.at.thread, r.at.seq, s.at) {
				break // and so does every later one
			}
			if !v.out.spend(len(v.lines)) {
				return
			}
			m := &move{a: s.at, b: r.at, caseA: s.num, caseB: r.num, kind: event.ChanSend,
				touches: v.meetTouches(s.at, r.at, addr)}
			k, _ := v.beforeEnd()
			if s.done {
				k = v.without(k, s.at)
			}
			if r.done {
				k = v.without(k, r.at)
			}
			met := v.met(s, r)
			if met {
				m.touches = v.touches[v.lines[s.at.thread].events[s.at.seq]]
			}
			v.offerAll(k, m, !met)
		}
	}
}

// met reports whether the trace has just this rendezvous.
func (v *reverser) met(s, r stand) bool {
	if !s.done || !r.done {
		return false
	}
	e := &v.t.Events[v.lines[s.at.thread].events[s.at.seq]]
	return e.Partner >= 0 && e.Partner == v.lines[r.at.thread].events[r.at.seq] &&
		e.Kind == event.ChanSend && e.Case == s.num && v.t.Events[e.Partner].Case == r.num
}

// offerAll offers a move after k, if self, and after k without each event that the
// move depends on and that its threads do not know.
func (v *reverser) offerAll(k cut, m *move, self bool) {
	m.past = v.past(m)
	if self {
		v.offer(k, m)
	}
	for _, t := range m.touches {
		mask := strongest(t.class, v.cells[t.cell].key.space)
		c := &v.cells[t.cell]
		for i := range c.byThr {
			u := &c.byThr[i]
			if m.involves(u.thread) {
				continue
			}
			for _, o := range u.between(m.past[u.thread], k[u.thread]) {
				if mask&(1<<o.class) == 0 {
					continue
				}
				if !v.out.spend(len(v.lines)) {
					return
				}
				f := ref{u.thread, o.seq}
				if c.key.space == spaceMapRace {
					v.out.race(v.graph, v.without(v.without(k, f), m.a), f, m.a)
					continue
				}
				smaller := v.without(k, f)
				if c.key.space == spaceGroup {
					v.groupRace(smaller, c, u, o, m)
				}
				if c.key.space == spaceMemory && !(m.kind.IsAtomic() && o.kind.IsAtomic()) {
					v.out.race(v.graph, smaller, f, m.a)
				}
				v.offer(smaller, m)
			}
		}
	}
	v.offerClock(k, m)
}

// groupRace offers a Wait and an Add of another thread that are both next after k as a race, if the Add could be the first.
func (v *reverser) groupRace(k cut, c *cellUse, u *use, o seqClass, m *move) {
	f := ref{u.thread, o.seq}
	switch {
	case v.sumOf(c, k) != 0:
	case o.kind == event.WaitGroupWait && m.kind == event.WaitGroupAdd:
		v.out.race(v.graph, k, f, m.a)
	case o.kind == event.WaitGroupAdd && m.kind == event.WaitGroupWait && int64(o.value) > 0:
		v.out.race(v.graph, k, m.a, f)
	}
}

// strongest is the set of classes that an operation may depend on in a cell, whatever it returns.
func strongest(c class, s space) uint32 {
	switch {
	case c == classRecv || c == classRecvClosed:
		return conflicts[classRecv] | conflicts[classRecvClosed]
	case c == classSend || c == classSendClosed:
		return conflicts[classSend] | conflicts[classSendClosed]
	case s == spaceOnce:
		return conflicts[classWrite]
	}
	return conflicts[c]
}

// offer passes a configuration and a move on, if the move is enabled; if it is
// not, it tries the smaller configurations in which it may be.
func (v *reverser) offer(k cut, m *move) {
	for _, r := range m.threads() {
		if k[r.thread] != r.seq || !v.started(k, r.thread) {
			return
		}
	}
	if v.out.seen(v.fingerprint(k, m)) {
		return
	}
	ok, unblock := v.enabled(k, m)
	if ok {
		v.out.candidate(v.graph, k, m)
		return
	}
next:
	for _, fs := range unblock {
		smaller := k
		for _, f := range fs {
			if m.past.has(f) || m.involves(f.thread) {
				continue next
			}
			smaller = v.without(smaller, f)
		}
		v.offer(smaller, m)
	}
}

// offerClock offers the reversals of rule DEP9.
func (v *reverser) offerClock(k cut, m *move) {
	if m.clock == nil {
		if len(m.touches) == 0 {
			return
		}
		for _, b := range v.barriers { // a timer that fired while others could run
			i := v.lines[b.thread].events[b.seq]
			if w := v.clock[i]; !w.quiet && k.has(b) && !m.past.has(b) && !m.involves(b.thread) {
				v.offer(v.without(k, b), m)
			}
		}
		return
	}
	if v.free(m.a.thread, m.kind, *m.clock) {
		return
	}
	if m.clock.quiet {
		for _, b := range v.barriers {
			if k.has(b) && !m.past.has(b) && !m.involves(b.thread) {
				v.offer(v.without(k, b), m)
			}
		}
		return
	}
	// It may fire before any event that it does not know. Since when it could is a matter of the order in which independent events stand here.
	for i := range v.t.Events {
		e := &v.t.Events[i]
		f := ref{e.Thread, e.Seq}
		if k.has(f) && !m.past.has(f) && !m.involves(f.thread) && (len(v.touches[i]) > 0 || isClock(e.Kind)) {
			v.offer(v.without(k, f), m)
		}
	}
}
