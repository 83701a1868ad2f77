package causality

import (
	"sort"

	"github.com/heddle-go/heddle/mcrs/event"
)

// A Cut is a configuration inside a trace: for each thread, how many of its
// events are in it. Invariant: it is closed under happens-before.
type Cut []int32

// Has reports whether an event is in the cut.
func (k Cut) Has(f Ref) bool { return f.Seq < k[f.Thread] }

// Full is the cut that holds the whole trace.
func (g *Graph) Full() Cut {
	k := make(Cut, len(g.Lines))
	for i := range g.Lines {
		k[i] = int32(len(g.Lines[i].Events))
	}
	return k
}

// Without returns k less f and everything that happens after f.
func (g *Graph) Without(k Cut, f Ref) Cut {
	out := make(Cut, len(k))
	for q := range g.Lines {
		out[q] = min(k[q], g.firstAfter(int32(q), f))
	}
	return out
}

// firstAfter returns the number of the first event of thread q that is f or happens after f.
func (g *Graph) firstAfter(q int32, f Ref) int32 {
	if q == f.Thread {
		return f.Seq
	}
	as := g.Lines[q].anchors
	i := sort.Search(len(as), func(i int) bool { return as[i].clock[f.Thread] > f.Seq })
	if i == len(as) {
		return int32(len(g.Lines[q].Events))
	}
	return max(0, as[i].seq)
}

// Past returns the cut of all that the threads of a move know, when they stand at it.
func (g *Graph) Past(m *Move) Cut {
	k := make(Cut, len(g.Lines))
	for _, r := range m.Threads() {
		for q, n := range g.Lines[r.Thread].last(r.Seq).clock {
			k[q] = max(k[q], n)
		}
	}
	for _, r := range m.Threads() {
		k[r.Thread] = max(k[r.Thread], r.Seq)
	}
	return k
}

// between returns the uses of a thread with numbers in [lo, hi).
func (u *Use) between(lo, hi int32) []SeqClass {
	occ := u.upTo(hi)
	return occ[sort.Search(len(occ), func(i int) bool { return occ[i].Seq >= lo }):]
}

// A Move is a transition that could be taken where its threads stand: the
// operation of a, and the receiver b of a rendezvous.
type Move struct {
	A, B    Ref // b.thread is -1 if there is none
	CaseA   int16
	CaseB   int16
	Kind    event.Kind
	Key     uint64
	Touches []Touch // by the strongest class the operation can have
	clock   *ready  // Sleep, TimerFire
	Past    Cut
}

// Threads are those of the move, one or two, and where they stand.
func (m *Move) Threads() []Ref {
	if m.B.Thread < 0 {
		return []Ref{m.A}
	}
	return []Ref{m.A, m.B}
}

func (m *Move) involves(thread int32) bool { return m.A.Thread == thread || m.B.Thread == thread }

// fingerprint hashes a configuration and the move that follows it, whatever the
// trace they were found in.
func (g *Graph) fingerprint(k Cut, m *Move) uint64 {
	var sum uint64
	for q, n := range k {
		if n > 0 {
			sum += Mix(Mix(g.State(int32(q), n), g.Lines[q].Name), uint64(n))
		}
	}
	h := Mix(sum, Mix(g.Lines[m.A.Thread].Name, uint64(uint16(m.CaseA))))
	if m.B.Thread >= 0 {
		h = Mix(h, Mix(g.Lines[m.B.Thread].Name, uint64(uint16(m.CaseB))))
	}
	return h
}

// refined returns the touches of a move as they are after k.
func (g *Graph) refined(k Cut, m *Move) []Touch {
	ts := m.Touches
	if len(ts) == 0 {
		return nil
	}
	out := append([]Touch(nil), ts...)
	for i, t := range out {
		c := &g.Cells[t.Cell]
		switch {
		case t.class == classRecv && g.count(c.recvs, k) >= g.count(c.sends, k):
			out[i].class = classRecvClosed
		case t.class == classSend && g.closed(c, k):
			out[i].class = classSendClosed
		case c.Key.Space == SpaceOnce && m.Kind == event.OnceBegin && !g.overwritten(event.Bytes(m.Kind, event.Location{Addr: c.Key.Addr}, 0)) && g.begun(c, k):
			out[i].class = classRead
		}
	}
	return out
}

// count returns how many of a chain of events are in k.
func (g *Graph) count(chain []Ref, k Cut) int {
	return sort.Search(len(chain), func(i int) bool { return !k.Has(chain[i]) })
}

// begun reports whether a sync.Once has been begun in k.
func (g *Graph) begun(c *CellUse, k Cut) bool {
	for i := range c.ByThr {
		for _, o := range c.ByThr[i].upTo(k[c.ByThr[i].Thread]) {
			if o.Kind == event.OnceBegin && o.Value == 1 {
				return true
			}
		}
	}
	return false
}

// sumOf returns the counter of a wait group after k.
func (g *Graph) sumOf(c *CellUse, k Cut) int64 {
	if b := event.Bytes(event.WaitGroupAdd, event.Location{Addr: c.Key.Addr}, 0); g.overwritten(b) {
		s := g.bytesAfter(k, b)
		return int64(s.word(4).get())
	}
	sum := c.initial
	for i := range c.ByThr {
		u := &c.ByThr[i]
		if n := len(u.upTo(k[u.Thread])); n > 0 {
			sum += u.sum[n-1]
		}
	}
	return sum
}

// DepsAt returns the direct causes that a move would have after k.
func (g *Graph) DepsAt(k Cut, m *Move) []Ref {
	var deps []Ref
	add := func(f Ref) {
		if !k.Has(f) || m.Past.Has(f) {
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
		c := &g.Cells[t.Cell]
		if c.Key.Space == spaceMapRace {
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
	if m.clock != nil && !g.free(m.A.Thread, m.Kind, *m.clock) { // DEP9
		for q := range g.Lines {
			if m.clock.quiet {
				if n := min(k[q], g.beforeMove(int32(q), m.A.Thread, m.Kind, m.Key, *m.clock)); n > m.Past[q] {
					add(Ref{int32(q), n - 1})
				}
				continue
			}
			for n := k[q] - 1; n >= m.Past[q]; n-- {
				if i := g.Lines[q].Events[n]; len(g.Touches[i]) > 0 || g.Trace.Events[i].Kind.WaitsForClock() {
					add(Ref{int32(q), n})
					break
				}
			}
		}
	}
	for i := len(g.barriers) - 1; i >= 0 && len(m.Touches) > 0; i-- {
		if k.Has(g.barriers[i]) {
			add(g.barriers[i])
			break
		}
	}
	return deps
}

// frontAt visits the events of a cell in k, unknown to the move, that conflict
// with a class and are not hidden: the last ones first, as CellUse.front would hold them.
func (g *Graph) frontAt(k Cut, m *Move, c *CellUse, cl class, visit func(Ref)) {
	const few = 8 // goroutines: most cells have no more
	var memory struct {
		lists    [few][]SeqClass
		threads  [few]int32
		repeated [few]uint32
	}
	lists, threads := memory.lists[:0], memory.threads[:0]
	for i := range c.ByThr {
		u := &c.ByThr[i]
		if occ := u.between(m.Past[u.Thread], k[u.Thread]); len(occ) > 0 {
			lists, threads = append(lists, occ), append(threads, u.Thread)
		}
	}
	var hidden uint32                                                      // classes
	repeated := append(memory.repeated[:0], make([]uint32, len(lists))...) // those of which a later event of the thread was met, and repeats them
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
		if o.class.repeats(o.class) {
			repeated[best] |= 1 << o.class
		}
		for len(l) > 0 && repeated[best]&(1<<l[len(l)-1].class) != 0 {
			l = l[:len(l)-1]
		}
		lists[best] = l
		if cl.conflictsWith(o.class) && hidden&(1<<o.class) == 0 {
			visit(g.canonical(Ref{threads[best], o.Seq}))
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
func (g *Graph) canonical(f Ref) Ref {
	e := &g.Trace.Events[g.Lines[f.Thread].Events[f.Seq]]
	if e.Partner >= 0 && e.Kind == event.ChanRecv {
		s := &g.Trace.Events[e.Partner]
		return Ref{s.Thread, s.Seq}
	}
	return f
}
