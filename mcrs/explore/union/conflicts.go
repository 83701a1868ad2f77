package union

import "github.com/heddle-go/heddle/mcrs/event"

// This file says what in the future of other goroutines may be dependent with an operation, or enable it.

// A conflict is what conflictsOf said of a node that stands at an access of one cell.
type conflict struct {
	node  int32
	epoch int32 // of the knowledge
	value int32 // of the cell that it reads
	cell  int32 // 0 if it only writes
	words int32 // of mask
	mask  [4]uint64
}

// remembered is how many conflicts are kept: of each node up to two, where it matters which value it reads.
const remembered = 1 << 12

// remember notes what conflictsOf said of a node that stands at an access of one cell, if it takes little to keep it.
func (k *reducer) remember(s *state, n int32, mask bits) {
	c, x := &k.own.choice, &k.nodes[n]
	if len(x.act.cells) != 1 || len(mask) > len(conflict{}.mask) {
		return
	}
	y := conflict{node: n, epoch: k.epoch, words: int32(len(mask))}
	if !x.op.Kind.IsWrite() {
		y.cell = x.act.cells[0]
		y.value = k.get(s, y.cell)
	}
	copy(y.mask[:], mask)
	if c.known == nil {
		c.known = make([]conflict, remembered)
	}
	c.known[(2*n|y.value&1)%remembered] = y
}

// recall returns what remember noted of a node, if that holds still. No lock is concerned then.
func (k *reducer) recall(s *state, n int32) (mask bits, ok bool) {
	if k.own.known == nil {
		return nil, false
	}
	for i := range int32(2) {
		if y := &k.own.known[(2*n|i)%remembered]; y.node == n && y.epoch == k.epoch && (y.cell == 0 || k.get(s, y.cell) == y.value) {
			return y.mask[:y.words], true
		}
	}
	return nil, false
}

// conflictsOf returns what in the future of another goroutine may be dependent with the move of t, or enable it. Of a lock it matters who that is.
func (k *reducer) conflictsOf(s *state, t int32) (mask bits, ofLock bool) {
	n := s.nodes[t]
	x, a := &k.nodes[n], k.actOf(n)
	c := &k.own.choice
	mask = c.masks[t][:0]
	o := &k.objects[a.obj].usage
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
		setWay(&mask, o, wayWrite)
	case event.MapWrite, event.ObjectWrite:
		setWay(&mask, o, wayRead, wayWrite)
	case event.Lock, event.LockAnnounce, event.RLock, event.Unlock, event.RUnlock, event.TryLock, event.TryRLock:
		ofLock = true
	case event.ChanClose:
		setWay(&mask, o, waySend, wayRecv, wayClose, wayPoll)
	case event.ChanLen:
		setWay(&mask, o, waySend, wayRecv)
	case event.WaitGroupAdd:
		k.conflictsOfAdd(s, t, a.obj, &mask)
	case event.WaitGroupWait:
		setWay(&mask, o, wayAdd)
	case event.CondAdd, event.CondSignal, event.CondBroadcast:
		setWay(&mask, o, wayTicket, wayNotify, wayWoken)
	case event.CondWait:
		setWay(&mask, o, wayNotify)
	case event.Goroutines:
		setWay(&mask, o, wayWrite)
	case event.Spawn, event.End:
		setWay(&mask, o, wayRead)
	case event.TimerStart, event.TimerStop, event.TimerFire:
		if x.op.Kind == event.TimerFire {
			setWay(&mask, &k.objects[k.countSlot].usage, wayRead)
		}
		setWay(&mask, o, wayTimer)
		if a.ch != 0 {
			setWay(&mask, &k.objects[a.ch].usage, waySend, wayRecv, wayClose, wayPoll)
		}
	case event.OnceBegin:
		if k.get(s, a.obj) != 2 { // RED5
			setWay(&mask, o, wayBegin, wayDone)
		}
	case event.OnceEnd: // all others wait for it
	default: // a primitive without a rule: all that is done to it is dependent
		if a.obj != 0 {
			setWay(&mask, o, wayRead, wayWrite)
		}
	}
	c.masks[t] = mask
	k.remember(s, n, mask)
	return mask, ofLock
}

// setWay adds to a set the bits of ways to touch an object.
func setWay(b *bits, r *usage, ways ...int) {
	for _, w := range ways {
		if r.way[w] != 0 {
			b.set(r.way[w])
		}
	}
}

// writes returns what an operation writes to a cell, -2 if it is not known.
func (k *reducer) writes(x *node, c int32) int32 {
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
func (k *reducer) conflictsOfCell(s *state, n, c, value int32, mask *bits) {
	r := &k.objects[c].usage
	if k.guarded(c, n) {
		return
	}
	same := value // a write of it changes nothing, or nothing but what this operation does
	if value == -1 {
		same = k.get(s, c)
	} else {
		setWay(mask, r, wayRead)
	}
	setWay(mask, r, wayWrite)
	for i := range r.values {
		if w := &r.values[i]; w.value != same || !k.spares(&k.nodes[n], w) {
			mask.set(w.bit)
		}
	}
}

func (k *reducer) concernsLock(s *state, t, u int32) bool {
	return k.lockConcerns(s, t, u, k.nodes[s.nodes[u]].future)
}

// lockConcerns reports whether what u may do, which is f, may be dependent with the operation of t on a lock, or enable it.
func (k *reducer) lockConcerns(s *state, t, u int32, f bits) bool {
	n := s.nodes[t]
	x, a := &k.nodes[n], k.actOf(n)
	o := &k.objects[a.obj]
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
func (k *reducer) conflictsOfComm(s *state, x *node, c comm, mask *bits) {
	if c.obj == 0 {
		return
	}
	o := &k.objects[c.obj]
	q := k.queueAt(s, c.obj)
	switch {
	case q.closed && (c.send || len(q.buf) == 0):
	case c.send && len(q.buf) < o.cap && !o.timer && !x.op.HasDefault:
		setWay(mask, &o.usage, waySend, wayClose, wayPoll)
	case !c.send && len(q.buf) > 0 && o.cap > 0 && !o.timer && !x.op.HasDefault:
		setWay(mask, &o.usage, wayRecv, wayPoll)
	default:
		setWay(mask, &o.usage, waySend, wayRecv, wayClose, wayPoll)
	}
}

// conflictsOfAdd adds what may be dependent with an Add (RED6): adds commute while the counter cannot become negative, and nobody's Wait can go on
// before this one while what the others may take away leaves the counter positive.
func (k *reducer) conflictsOfAdd(s *state, t, o int32, mask *bits) {
	r := &k.objects[o].usage
	switch left := int64(k.get(s, o)) - k.dropsOf(s, o, t); {
	case left < 0 || left+int64(k.nodes[s.nodes[t]].op.Key) < 0:
		setWay(mask, r, wayAdd, wayWait)
	case left < 1:
		setWay(mask, r, wayWait)
		k.relyOnce(s)
	default:
		k.relyOnce(s)
	}
}

// dropsOf sums what all goroutines but one may take from a counter. The sum is kept for a call of choose.
func (k *reducer) dropsOf(s *state, o, but int32) int64 {
	c := &k.own.choice
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
