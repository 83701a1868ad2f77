package explore

import (
	"sort"

	"github.com/heddle-go/heddle/mcrs/event"
)

// A cut is a configuration inside a trace: for each thread, how many of its
// events are in it. Invariant: it is closed under happens-before.
type cut []int32

func (k cut) has(f ref) bool { return f.seq < k[f.thread] }

// full is the cut that holds the whole trace.
func (g *graph) full() cut {
	k := make(cut, len(g.lines))
	for i := range g.lines {
		k[i] = int32(len(g.lines[i].events))
	}
	return k
}

// without returns k less f and everything that happens after f.
func (g *graph) without(k cut, f ref) cut {
	out := make(cut, len(k))
	for q := range g.lines {
		out[q] = min(k[q], g.firstAfter(int32(q), f))
	}
	return out
}

// firstAfter returns the number of the first event of thread q that is f or happens after f.
func (g *graph) firstAfter(q int32, f ref) int32 {
	if q == f.thread {
		return f.seq
	}
	as := g.lines[q].anchors
	i := sort.Search(len(as), func(i int) bool { return as[i].clock[f.thread] > f.seq })
	if i == len(as) {
		return int32(len(g.lines[q].events))
	}
	return max(0, as[i].seq)
}

// past returns the cut of all that the threads of a move know, when they stand at it.
func (g *graph) past(m *move) cut {
	k := make(cut, len(g.lines))
	for _, r := range m.threads() {
		for q, n := range g.lines[r.thread].last(r.seq).clock {
			k[q] = max(k[q], n)
		}
	}
	for _, r := range m.threads() {
		k[r.thread] = max(k[r.thread], r.seq)
	}
	return k
}

// between returns the uses of a thread with numbers in [lo, hi).
func (u *use) between(lo, hi int32) []seqClass {
	occ := u.upTo(hi)
	return occ[sort.Search(len(occ), func(i int) bool { return occ[i].seq >= lo }):]
}

// A move is a transition that could be taken where its threads stand: the
// operation of a, and the receiver b of a rendezvous.
type move struct {
	a, b    ref // b.thread is -1 if there is none
	caseA   int16
	caseB   int16
	kind    event.Kind
	key     uint64
	touches []touch // by the strongest class the operation can have
	clock   *ready  // Sleep, TimerFire
	past    cut
}

func (m *move) threads() []ref {
	if m.b.thread < 0 {
		return []ref{m.a}
	}
	return []ref{m.a, m.b}
}

func (m *move) involves(thread int32) bool { return m.a.thread == thread || m.b.thread == thread }

// fingerprint hashes a configuration and the move that follows it, whatever the
// trace they were found in.
func (g *graph) fingerprint(k cut, m *move) uint64 {
	var sum uint64
	for q, n := range k {
		if n > 0 {
			sum += mix(mix(g.state(int32(q), n), g.lines[q].name), uint64(n))
		}
	}
	h := mix(sum, mix(g.lines[m.a.thread].name, uint64(uint16(m.caseA))))
	if m.b.thread >= 0 {
		h = mix(h, mix(g.lines[m.b.thread].name, uint64(uint16(m.caseB))))
	}
	return h
}

// refined returns the touches of a move as they are after k.
func (g *graph) refined(k cut, m *move) []touch {
	ts := m.touches
	if len(ts) == 0 {
		return nil
	}
	out := append([]touch(nil), ts...)
	for i, t := range out {
		c := &g.cells[t.cell]
		switch {
		case t.class == classRecv && g.count(c.recvs, k) >= g.count(c.sends, k):
			out[i].class = classRecvClosed
		case t.class == classSend && g.closed(c, k):
			out[i].class = classSendClosed
		case c.key.space == spaceOnce && m.kind == event.OnceBegin && !g.overwritten(event.Bytes(m.kind, event.Location{Addr: c.key.addr}, 0)) && g.begun(c, k):
			out[i].class = classRead
		}
	}
	return out
}

// count returns how many of a chain of events are in k.
func (g *graph) count(chain []ref, k cut) int {
	return sort.Search(len(chain), func(i int) bool { return !k.has(chain[i]) })
}

// begun reports whether a sync.Once has been begun in k.
func (g *graph) begun(c *cellUse, k cut) bool {
	for i := range c.byThr {
		for _, o := range c.byThr[i].upTo(k[c.byThr[i].thread]) {
			if o.kind == event.OnceBegin && o.value == 1 {
				return true
			}
		}
	}
	return false
}

// sumOf returns the counter of a wait group after k.
func (g *graph) sumOf(c *cellUse, k cut) int64 {
	if b := event.Bytes(event.WaitGroupAdd, event.Location{Addr: c.key.addr}, 0); g.overwritten(b) {
		s := g.bytesAfter(k, b)
		return int64(s.word(4).get())
	}
	sum := c.initial
	for i := range c.byThr {
		u := &c.byThr[i]
		if n := len(u.upTo(k[u.thread])); n > 0 {
			sum += u.sum[n-1]
		}
	}
	return sum
}

// depsAt returns the direct causes that a move would have after k.
func (g *graph) depsAt(k cut, m *move) []ref {
	var deps []ref
	add := func(f ref) {
		if !k.has(f) || m.past.has(f) {
			return
		}
		for _, d := range deps {
			if d == f {
				return
			}
		}
		deps = append(deps, f)
	}
	for _, t := range g.refined(k, m) {
		c := &g.cells[t.cell]
		if c.key.space == spaceMapRace {
			continue
		}
		g.frontAt(k, m, c, t.class, add)
		switch {
		case t.class == classRecv:
			if j := g.count(c.recvs, k); j < len(c.sends) {
				add(c.sends[j])
			}
		case t.class == classSend && c.cap > 0:
			if j := g.count(c.sends, k) - c.cap; j >= 0 && j < len(c.recvs) {
				add(c.recvs[j])
			}
		}
	}
	if m.clock != nil && !g.free(m.a.thread, m.kind, *m.clock) { // DEP9
		for q := range g.lines {
			if m.clock.quiet {
				if n := min(k[q], g.beforeMove(int32(q), m.a.thread, m.kind, m.key, *m.clock)); n > m.past[q] {
					add(ref{int32(q), n - 1})
				}
				continue
			}
			for n := k[q] - 1; n >= m.past[q]; n-- {
				if i := g.lines[q].events[n]; len(g.touches[i]) > 0 || isClock(g.t.Events[i].Kind) {
					add(ref{int32(q), n})
					break
				}
			}
		}
	}
	for i := len(g.barriers) - 1; i >= 0 && len(m.touches) > 0; i-- {
		if k.has(g.barriers[i]) {
			add(g.barriers[i])
			break
		}
	}
	return deps
}

// frontAt visits the events of a cell in k, unknown to the move, that conflict
// with a class and are not hidden: the last ones first, as cellUse.front would hold them.
func (g *graph) frontAt(k cut, m *move, c *cellUse, cl class, visit func(ref)) {
	lists := make([][]seqClass, 0, len(c.byThr))
	threads := make([]int32, 0, len(c.byThr))
	for i := range c.byThr {
		u := &c.byThr[i]
		if occ := u.between(m.past[u.thread], k[u.thread]); len(occ) > 0 {
			lists, threads = append(lists, occ), append(threads, u.thread)
		}
	}
	var hidden uint32 // classes
	for {
		best := -1
		for i, l := range lists {
			if len(l) > 0 && (best < 0 || l[len(l)-1].index > lists[best][len(lists[best])-1].index) {
				best = i
			}
		}
		if best < 0 {
			return
		}
		l := lists[best]
		o := l[len(l)-1]
		l = l[:len(l)-1]
		for o.class == classRead && len(l) > 0 && l[len(l)-1].class == classRead { // known with this one
			l = l[:len(l)-1]
		}
		lists[best] = l
		if cl.conflictsWith(o.class) && hidden&(1<<o.class) == 0 {
			visit(g.canonical(ref{threads[best], o.seq}))
		}
		for d := range numClasses {
			if o.class.hides(d) {
				hidden |= 1 << d
			}
		}
		if conflicts[cl]&^hidden == 0 {
			return
		}
	}
}

// canonical names a rendezvous by its sender's event.
func (g *graph) canonical(f ref) ref {
	e := &g.t.Events[g.lines[f.thread].events[f.seq]]
	if e.Partner >= 0 && e.Kind == event.ChanRecv {
		s := &g.t.Events[e.Partner]
		return ref{s.Thread, s.Seq}
	}
	return f
}
