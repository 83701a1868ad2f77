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
func (k *knowledge) remember(s *state, n int32, mask bits) {
	c, x := &k.comp, &k.nodes[n]
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
func (k *knowledge) recall(s *state, n int32) (mask bits, ok bool) {
	if k.comp.known == nil {
		return nil, false
	}
	for i := range int32(2) {
		if y := &k.comp.known[(2*n|i)%remembered]; y.node == n && y.epoch == k.epoch && (y.cell == 0 || k.get(s, y.cell) == y.value) {
			return y.mask[:y.words], true
		}
	}
	return nil, false
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
	case event.Goroutines:
		mask.setWay(o, wayWrite)
	case event.Spawn, event.End:
		mask.setWay(o, wayRead)
	case event.TimerStart, event.TimerStop, event.TimerFire:
		if x.op.Kind == event.TimerFire {
			mask.setWay(&k.objects[k.countSlot].reduction, wayRead)
		}
		mask.setWay(o, wayTimer)
		if a.ch != 0 {
			mask.setWay(&k.objects[a.ch].reduction, waySend, wayRecv, wayClose, wayPoll)
		}
	case event.OnceBegin:
		if k.get(s, a.obj) != 2 { // RED5
			mask.setWay(o, wayBegin, wayDone)
		}
	case event.OnceEnd: // all others wait for it
	default: // a primitive without a rule: all that is done to it is dependent
		if a.obj != 0 {
			mask.setWay(o, wayRead, wayWrite)
		}
	}
	c.masks[t] = mask
	k.remember(s, n, mask)
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

func (k *knowledge) concernsLock(s *state, t, u int32) bool {
	return k.lockConcerns(s, t, u, k.nodes[s.nodes[u]].future)
}

// lockConcerns reports whether what u may do, which is f, may be dependent with the operation of t on a lock, or enable it.
func (k *knowledge) lockConcerns(s *state, t, u int32, f bits) bool {
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
