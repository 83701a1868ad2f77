package union

import (
	"sync/atomic"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file defines the reduction of the sweep: from a state only the moves of some goroutines are followed, because
// what the others may do until one of these moves cannot concern it (rules RED1 to RED9).

// rely notes that something was left out because of what the goroutines of a state cannot do, as far as is known.
func (k *knowledge) rely(s *state) {
	for _, n := range s.nodes {
		k.nodes[n].rely(k.sweeps)
	}
}

// rely notes that something was left out in a sweep because the node's future lacks it. Hands do so side by side.
func (x *node) rely(sweep int32) {
	if atomic.LoadInt32(&x.relied) != sweep {
		atomic.StoreInt32(&x.relied, sweep)
	}
}

// relyOnce is rely, once in a call of choose.
func (k *knowledge) relyOnce(s *state) {
	if !k.comp.relied {
		k.comp.relied = true
		k.rely(s)
	}
}

// concerns reports whether what goroutine u may yet do, before t moves, could be dependent with the move of t, or enable it. mask is what
// conflictsOf says of t.
func (k *knowledge) concerns(s *state, t, u int32, mask bits, ofLock bool) bool {
	x := &k.nodes[s.nodes[u]]
	if mask.meets(x.future) || ofLock && k.concernsLock(s, t, u) {
		return !k.dormant(s, u) // the clock does not move while t can
	}
	if atomic.LoadInt32(&x.relied) != k.sweeps && !k.dormant(s, u) {
		x.rely(k.sweeps)
	}
	return false
}

// conflictsOf returns what in the future of another goroutine may be dependent with the move of t, or enable it. Of a lock it matters who that is.
func (k *knowledge) conflictsOf(s *state, t int32) (mask bits, ofLock bool) {
	n := s.nodes[t]
	x, a := &k.nodes[n], k.actOf(n)
	c := &k.comp
	mask = c.masks[t][:0]
	o := &k.objects[a.obj].reduction
	for _, y := range a.comms {
		k.conflictsOfComm(s, x, y, &mask)
	}
	switch x.op.Kind {
	case event.Read, event.AtomicLoad:
		for _, y := range a.cells {
			k.conflictsOfCell(s, n, y, -1, &mask)
		}
	case event.Write, event.AtomicStore:
		for _, y := range a.cells {
			k.conflictsOfCell(s, n, y, k.writes(x, y), &mask)
		}
	case event.AtomicRMW:
		for _, y := range a.cells {
			k.conflictsOfCell(s, n, y, -2, &mask)
		}
	case event.MapRead, event.ObjectRead:
		mask.setWay(o, wayWrite)
	case event.MapWrite, event.ObjectWrite:
		mask.setWay(o, wayRead, wayWrite)
	case event.Lock, event.LockAnnounce, event.RLock, event.Unlock, event.RUnlock, event.TryLock, event.TryRLock:
		ofLock = true
	case event.ChanClose:
		mask.setWay(o, waySend, wayRecv, wayClose, wayPoll)
	case event.ChanLen:
		mask.setWay(o, waySend, wayRecv)
	case event.WaitGroupAdd:
		k.conflictsOfAdd(s, t, a.obj, &mask)
	case event.WaitGroupWait:
		mask.setWay(o, wayAdd)
	case event.CondAdd, event.CondSignal, event.CondBroadcast:
		mask.setWay(o, wayTicket, wayNotify, wayWoken)
	case event.CondWait:
		mask.setWay(o, wayNotify)
	case event.TimerStart, event.TimerStop, event.TimerFire:
		mask.setWay(o, wayTimer)
		if a.ch != 0 {
			mask.setWay(&k.objects[a.ch].reduction, waySend, wayRecv, wayClose, wayPoll)
		}
	case event.OnceBegin:
		if k.get(s, a.obj) != 2 { // RED5
			mask.setWay(o, wayBegin, wayDone)
		}
	}
	c.masks[t] = mask
	return mask, ofLock
}

// setWay adds the bits of ways to touch an object.
func (b *bits) setWay(r *reduction, ways ...int) {
	for _, w := range ways {
		if r.way[w] != 0 {
			b.set(r.way[w])
		}
	}
}

// writes returns what an operation writes to a cell, -2 if it is not known.
func (k *knowledge) writes(x *node, c int32) int32 {
	value := int32(-2)
	for _, e := range x.edges {
		for _, y := range k.effectsOf(e) {
			if y.obj == c {
				value = y.value
			}
		}
	}
	return value
}

// conflictsOfCell adds what may be dependent with an access. value is what is written, -1 of a read, -2 if it is not known.
func (k *knowledge) conflictsOfCell(s *state, n, c, value int32, mask *bits) {
	r := &k.objects[c].reduction
	if k.guarded(c, n) {
		return
	}
	same := value // a write of it changes nothing, or nothing but what this operation does
	if value == -1 {
		same = k.get(s, c)
	} else {
		mask.setWay(r, wayRead)
	}
	mask.setWay(r, wayWrite)
	for i := range r.values {
		if w := &r.values[i]; w.value != same || !k.spares(&k.nodes[n], w) {
			mask.set(w.bit)
		}
	}
}

func pairOf(a, b event.Site) [2]event.Site { return [2]event.Site{min(a, b), max(a, b)} }

func (k *knowledge) concernsLock(s *state, t, u int32) bool {
	n := s.nodes[t]
	x, a := &k.nodes[n], k.actOf(n)
	o := &k.objects[a.obj]
	f := k.nodes[s.nodes[u]].future
	v := k.get(s, a.obj)
	others := f.has(o.way[wayLock]) || f.has(o.way[wayRLock]) || f.has(o.way[wayUnlock]) || f.has(o.way[wayTry])
	if o.foreign || !others {
		return others
	}
	holder := k.nodes[s.nodes[u]].holds(a.obj) > 0
	switch x.op.Kind {
	case event.Unlock, event.RUnlock: // RED2: those who want the lock wait, unless they only try
		return f.has(o.way[wayTry]) || x.holds(a.obj) == 0
	case event.Lock:
		if x.holds(a.obj) == heldAnnounced {
			return v >= lockReader && holder // readers are shut out; those inside must leave
		}
		if v != 0 {
			return holder
		}
	case event.LockAnnounce:
		if v&(lockHeld|lockAnnounced) != 0 {
			return holder
		}
	case event.RLock:
		if v&(lockHeld|lockAnnounced) != 0 {
			return holder
		}
		return f.has(o.way[wayLock]) || f.has(o.way[wayTry])
	}
	return true
}

// conflictsOfComm adds what may be dependent with a communication (RED7).
func (k *knowledge) conflictsOfComm(s *state, x *node, c comm, mask *bits) {
	if c.obj == 0 {
		return
	}
	o := &k.objects[c.obj]
	q := k.queueAt(s, c.obj)
	switch {
	case q.closed && (c.send || len(q.buf) == 0):
	case c.send && len(q.buf) < o.cap && !o.timer && !x.op.HasDefault:
		mask.setWay(&o.reduction, waySend, wayClose, wayPoll)
	case !c.send && len(q.buf) > 0 && o.cap > 0 && !o.timer && !x.op.HasDefault:
		mask.setWay(&o.reduction, wayRecv, wayPoll)
	default:
		mask.setWay(&o.reduction, waySend, wayRecv, wayClose, wayPoll)
	}
}

// conflictsOfAdd adds what may be dependent with an Add (RED6): adds commute while the counter cannot become negative, and nobody's Wait can go on
// before this one while what the others may take away leaves the counter positive.
func (k *knowledge) conflictsOfAdd(s *state, t, o int32, mask *bits) {
	r := &k.objects[o].reduction
	switch left := int64(k.get(s, o)) - k.dropsOf(s, o, t); {
	case left < 0 || left+int64(k.nodes[s.nodes[t]].op.Key) < 0:
		mask.setWay(r, wayAdd, wayWait)
	case left < 1:
		mask.setWay(r, wayWait)
		k.relyOnce(s)
	default:
		k.relyOnce(s)
	}
}

// dropsOf sums what all goroutines but one may take from a counter. The sum is kept for a call of choose.
func (k *knowledge) dropsOf(s *state, o, but int32) int64 {
	c := &k.comp
	if c.counter != o {
		c.counter, c.drops = o, 0
		for _, n := range s.nodes {
			if n != 0 {
				c.drops += k.nodes[n].dropOf(o)
			}
		}
	}
	if but < 0 {
		return c.drops
	}
	return c.drops - k.nodes[s.nodes[but]].dropOf(o)
}

// choose returns a set of goroutines whose moves are enough to follow from a state (a persistent set: RED1), by
// thread; all is the list of all moves, by thread, and first the goroutine to begin with. The result is good until the next call.
//
// A set that is closed under concerns is a union of strongly connected components, and of all that these lead to. The best that begins with
// a goroutine that can move is, but for goroutines that cannot, one component, from which no other one with a
// move is reached: the components are found in that order (Tarjan, "Depth-first search and linear graph algorithms", 1972).
func (k *knowledge) choose(s *state, all []move, first int32) (best []bool) {
	c := &k.comp
	c.reset(len(s.nodes))
	for _, m := range all {
		c.moves[m.thread]++
	}
	c.fewest = len(all) + 1
	if int(first) < len(s.nodes) && first >= 0 && c.moves[first] > 0 {
		k.component(s, first)
	}
	for _, m := range all {
		if c.fewest == 1 {
			break
		}
		if c.order[m.thread] == 0 {
			k.component(s, m.thread)
		}
	}
	return c.best
}

// components is the memory of choose.
type components struct {
	moves  []int32 // by thread
	order  []int32 // 0 if it was not visited
	low    []int32
	done   []bool // its component is complete, and reaches no move: or it is known to reach one, see leads
	leads  []bool // it leads to a component with a move
	stack  []int32
	masks  []bits // memory for conflictsOf
	count  int32
	best   []bool
	fewest int

	counter int32 // a wait group
	drops   int64 // what may be taken from it
	relied  bool  // rely was called for the state
}

func (c *components) reset(n int) {
	if len(c.order) < n {
		c.moves, c.order, c.low = make([]int32, n), make([]int32, n), make([]int32, n)
		c.done, c.leads, c.best = make([]bool, n), make([]bool, n), make([]bool, n)
		c.masks = make([]bits, n)
	}
	clear(c.moves)
	clear(c.order)
	clear(c.done)
	clear(c.leads)
	c.stack, c.count = c.stack[:0], 0
	c.counter, c.relied = -1, false
}

// component looks for the first component with a move that thread t leads to. It returns true if it is found; then whatever is on
// the stack leads to one.
func (k *knowledge) component(s *state, t int32) bool {
	c := &k.comp
	k.work += len(s.nodes)
	c.count++
	at := len(c.stack)
	c.order[t], c.low[t] = c.count, c.count
	c.stack = append(c.stack, t)
	visit := func(u int32) bool {
		switch {
		case c.order[u] == 0:
			if k.component(s, u) {
				return true
			}
			c.low[t] = min(c.low[t], c.low[u])
		case c.leads[u]:
			c.abandon()
			return true
		case !c.done[u]:
			c.low[t] = min(c.low[t], c.order[u])
		}
		return false
	}
	if k.dormant(s, t) || k.touchesNothing(s.nodes[t]) {
		// It needs nothing but, if it is dormant, that all that can move does.
	} else if one := k.waitsForAdd(s, t); one >= 0 { // RED8
		if visit(one) {
			return true
		}
	} else {
		mask, ofLock := k.conflictsOf(s, t)
		for u, n := range s.nodes {
			if n == 0 || int32(u) == t || c.done[u] && !c.leads[u] || c.order[u] != 0 && c.order[u] >= c.low[t] && !c.done[u] {
				continue // nothing would come of it
			}
			if k.concerns(s, t, int32(u), mask, ofLock) && visit(int32(u)) {
				return true
			}
		}
	}
	if c.low[t] != c.order[t] {
		return false
	}
	moves := 0
	for _, u := range c.stack[at:] {
		moves += int(c.moves[u])
	}
	if moves == 0 {
		for _, u := range c.stack[at:] {
			c.done[u] = true
		}
		c.stack = c.stack[:at]
		return false
	}
	if moves < c.fewest {
		c.fewest = moves
		clear(c.best)
		for _, u := range c.stack[at:] {
			c.best[u] = true
		}
	}
	c.abandon()
	return true
}

// touchesNothing reports whether nobody else can tell when the operation of a node is performed.
func (k *knowledge) touchesNothing(n int32) bool {
	a, x := k.actOf(n), &k.nodes[n]
	return x.known && a.obj == 0 && a.cells == nil && a.comms == nil
}

// abandon notes that all on the stack lead to a component with a move.
func (c *components) abandon() {
	for _, u := range c.stack {
		c.done[u], c.leads[u] = true, true
	}
	c.stack = c.stack[:0]
}

// waitsForAdd returns for a goroutine blocked at a Wait another one without whose Add it stays blocked, one that was visited
// where there is a choice; -1 if there is none.
func (k *knowledge) waitsForAdd(s *state, t int32) int32 {
	n := s.nodes[t]
	if k.nodes[n].op.Kind != event.WaitGroupWait {
		return -1
	}
	o := k.actOf(n).obj
	c := int64(k.get(s, o))
	if c <= 0 {
		return -1
	}
	total := k.dropsOf(s, o, -1)
	one := int32(-1)
	for u, n := range s.nodes {
		if n != 0 && int32(u) != t && c-(total-k.nodes[n].dropOf(o)) >= 1 && k.nodes[n].dropOf(o) > 0 {
			k.relyOnce(s)
			if k.comp.order[u] != 0 {
				return int32(u)
			}
			if one < 0 {
				one = int32(u)
			}
		}
	}
	return one
}
