package reduce

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// This file says what in the future of other goroutines may be dependent with an operation, or enable it.

// A conflict is what ConflictsOf said of a node that stands at an access of one cell.
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

// remember notes what ConflictsOf said of a node that stands at an access of one cell, if it takes little to keep it.
func (k *Reducer) remember(s *spec.State, n int32, mask known.Bits) {
	c, x := &k.Scratch.choice, &k.Nodes[n]
	if len(x.Act.Cells) != 1 || len(mask) > len(conflict{}.mask) {
		return
	}
	y := conflict{node: n, epoch: k.Epoch, words: int32(len(mask))}
	if !x.Op.Kind.IsWrite() {
		y.cell = x.Act.Cells[0]
		y.value = k.Get(s, y.cell)
	}
	copy(y.mask[:], mask)
	at := int((2*n | y.value&1) % remembered)
	if more := at + 1 - len(c.known); more > 0 { // few programs have so many nodes that all of it is needed
		c.known = append(c.known, make([]conflict, more)...)
	}
	c.known[at] = y
}

// recall returns what remember noted of a node, if that holds still. No lock is concerned then.
func (k *Reducer) recall(s *spec.State, n int32) (mask known.Bits, ok bool) {
	c, at := k.Scratch.known, int(2*n%remembered)
	for i := at; i < min(at+2, len(c)); i++ {
		if y := &c[i]; y.node == n && y.epoch == k.Epoch && (y.cell == 0 || k.Get(s, y.cell) == y.value) {
			return y.mask[:y.words], true
		}
	}
	return nil, false
}

// ConflictsOf returns what in the future of another goroutine may be dependent with the move of t, or enable it. ofLock
// says that it matters which goroutine that is, as with a lock.
func (k *Reducer) ConflictsOf(s *spec.State, t int32) (mask known.Bits, ofLock bool) {
	n := s.Nodes[t]
	x, a := &k.Nodes[n], k.ActOf(n)
	c := &k.Scratch.choice
	mask = c.masks[t][:0]
	o := &k.Objects[a.Object].Usage
	for _, y := range a.Comms {
		k.conflictsOfComm(s, t, y, &mask)
	}
	switch x.Op.Kind {
	case event.Read, event.AtomicLoad:
		for _, y := range a.Cells {
			k.conflictsOfCell(s, n, y, -1, &mask)
		}
	case event.Write, event.AtomicStore:
		for _, y := range a.Cells {
			k.conflictsOfCell(s, n, y, k.writes(x, y), &mask)
		}
	case event.AtomicRMW:
		for _, y := range a.Cells {
			k.conflictsOfCell(s, n, y, -2, &mask)
		}
	case event.MapRead, event.ObjectRead, event.FileRead:
		setWay(&mask, o, known.WayWrite)
		if k.Exact && x.Op.Key == event.MapKey && k.Unused[x.Op.Loc.Addr] { // DEP15 of package causality
			setWay(&mask, o, known.WayRead)
		}
	case event.MapWrite, event.ObjectWrite, event.FileWrite:
		setWay(&mask, o, known.WayRead, known.WayWrite)
	case event.Lock, event.LockAnnounce, event.RLock, event.Unlock, event.RUnlock, event.TryLock, event.TryRLock:
		ofLock = true
	case event.ChanClose:
		setWay(&mask, o, known.WaySend, known.WayRecv, known.WayClose, known.WayPoll)
		conflictsOfQueues(k, s, t, a.Object, &mask)
	case event.ChanLen:
		setWay(&mask, o, known.WaySend, known.WayRecv)
		conflictsOfQueues(k, s, t, a.Object, &mask)
	case event.WaitGroupAdd:
		k.conflictsOfAdd(s, t, a.Object, &mask)
	case event.WaitGroupWait:
		setWay(&mask, o, known.WayAdd)
	case event.CondAdd, event.CondSignal, event.CondBroadcast:
		setWay(&mask, o, known.WayTicket, known.WayNotify, known.WayWoken)
	case event.CondWait:
		setWay(&mask, o, known.WayNotify)
	case event.Goroutines:
		if !event.MovesCount(x.Op.Key) {
			setWay(&mask, o, known.WayWrite)
		} else {
			setWay(&mask, o, known.WayRead)
		}
	case event.Spawn, event.End:
		setWay(&mask, o, known.WayRead)
	case event.TimerStart, event.TimerStop, event.TimerFire:
		if x.Op.Kind == event.TimerFire {
			setWay(&mask, &k.Objects[k.CountSlot].Usage, known.WayRead)
		}
		setWay(&mask, o, known.WayTimer)
		if a.Chan != 0 {
			setWay(&mask, &k.Objects[a.Chan].Usage, known.WaySend, known.WayRecv, known.WayClose, known.WayPoll)
			conflictsOfQueues(k, s, t, a.Chan, &mask)
		}
	case event.OnceBegin:
		if k.Get(s, a.Object) != 2 { // RED5
			setWay(&mask, o, known.WayBegin, known.WayDone)
		}
	case event.OnceEnd: // all others wait for it
	default: // a primitive without a rule: all that is done to it is dependent
		if a.Object != 0 {
			setWay(&mask, o, known.WayRead, known.WayWrite)
		}
	}
	k.conflictsOfClock(s, t, &mask)
	k.conflictsOfVerdict(n, &mask)
	if k.Stacks { // UGO4
		r := &k.Objects[k.CountSlot].Usage
		if setWay(&mask, r, known.WayStacks); looksAtStacks(x) {
			setWay(&mask, r, known.WayStand)
		}
	}
	c.masks[t] = mask
	k.remember(s, n, mask)
	return mask, ofLock
}

// setWay adds to a set the bits of ways to touch an object.
func setWay(b *known.Bits, r *known.Usage, ways ...int) {
	for _, w := range ways {
		if r.Way[w] != 0 {
			b.Set(r.Way[w])
		}
	}
}

// writes returns what an operation writes to a cell, -2 if it is not known.
func (k *Reducer) writes(x *known.Node, c int32) int32 {
	value := int32(-2)
	for _, e := range x.Edges {
		for _, y := range k.EffectsOf(e) {
			if y.Object == c {
				value = y.Value
			}
		}
	}
	return value
}

// conflictsOfCell adds what may be dependent with an access. value is what is written, -1 for a read, -2 if it is not
// known.
func (k *Reducer) conflictsOfCell(s *spec.State, n, c, value int32, mask *known.Bits) {
	r, x := &k.Objects[c].Usage, &k.Nodes[n]
	if k.guarded(c, n) {
		return
	}
	if x.Op.Blind != 0 {
		conflictsOfLook(k, x, r, mask)
		return
	}
	if !x.Op.Adds || k.Exact { // RED15
		setWay(mask, r, known.WaySum)
	}
	same := value // a write of it changes nothing, or nothing but what this operation does
	if value == -1 {
		same = k.Get(s, c)
	} else {
		setWay(mask, r, known.WayRead, known.WayLook)
	}
	setWay(mask, r, known.WayWrite)
	for i := range r.Values {
		if w := &r.Values[i]; w.Value != same || !k.spares(x, w) {
			mask.Set(w.Bit)
		}
	}
}

// conflictsOfLook adds what may be dependent with a load that is ignored: what it may race with, or learn from (RED16).
func conflictsOfLook(k *Reducer, x *known.Node, r *known.Usage, mask *known.Bits) {
	if setWay(mask, r, known.WayWrite); k.Exact || !x.Op.Kind.IsAtomic() {
		setWay(mask, r, known.WaySum)
	}
	for i := range r.Values {
		if w := &r.Values[i]; !k.spares(x, w) {
			mask.Set(w.Bit)
		}
	}
}

func (k *Reducer) concernsLock(s *spec.State, t, u int32) bool {
	return k.LockConcerns(s, t, u, k.Nodes[s.Nodes[u]].Future)
}

// LockConcerns reports whether what u may do, which is f, may be dependent with the operation of t on a lock, or enable
// it.
func (k *Reducer) LockConcerns(s *spec.State, t, u int32, f known.Bits) bool {
	n := s.Nodes[t]
	x, a := &k.Nodes[n], k.ActOf(n)
	o := &k.Objects[a.Object]
	v := k.Get(s, a.Object)
	others := f.Has(o.Way[known.WayLock]) || f.Has(o.Way[known.WayRLock]) || f.Has(o.Way[known.WayUnlock]) || f.Has(o.Way[known.WayTry])
	if o.Foreign || !others {
		return others
	}
	holder := k.Nodes[s.Nodes[u]].Holds(a.Object) > 0
	switch x.Op.Kind {
	case event.Unlock, event.RUnlock: // RED2: those who want the lock wait, unless they only try
		return f.Has(o.Way[known.WayTry]) || x.Holds(a.Object) == 0
	case event.Lock:
		if x.Holds(a.Object) == known.HeldAnnounced {
			return v >= spec.LockReader && holder // readers are shut out; those inside must leave
		}
		if v != 0 {
			return holder
		}
	case event.LockAnnounce:
		if v&(spec.LockHeld|spec.LockAnnounced) != 0 {
			return holder
		}
	case event.RLock:
		if v&(spec.LockHeld|spec.LockAnnounced) != 0 {
			return holder
		}
		return f.Has(o.Way[known.WayLock]) || f.Has(o.Way[known.WayTry])
	}
	return true
}

// conflictsOfComm adds what may be dependent with a communication (RED7, RED17).
func (k *Reducer) conflictsOfComm(s *spec.State, t int32, c known.Comm, mask *known.Bits) {
	if c.Object == 0 {
		return
	}
	x, o := &k.Nodes[s.Nodes[t]], &k.Objects[c.Object]
	conflictsOfQueues(k, s, t, c.Object, mask)
	q := k.QueueAt(s, c.Object)
	switch {
	case q.Closed && (c.Send || q.Len == 0):
	case c.Send && q.Len < o.Cap && !o.Timer && !x.Op.HasDefault:
		if setWay(mask, &o.Usage, known.WayClose, known.WayPoll); !plenty(k, s, t, c, o.Cap-q.Len) {
			setWay(mask, &o.Usage, known.WaySend)
		}
	case !c.Send && q.Len > 0 && o.Cap > 0 && !o.Timer && !x.Op.HasDefault:
		if setWay(mask, &o.Usage, known.WayPoll); !plenty(k, s, t, c, q.Len) {
			setWay(mask, &o.Usage, known.WayRecv)
		}
	default:
		setWay(mask, &o.Usage, known.WaySend, known.WayRecv, known.WayClose, known.WayPoll)
	}
}

// conflictsOfAdd adds what may be dependent with an Add (RED6). Adds commute while the counter cannot become negative.
// Nobody's Wait can go on before this Add while what the others may take away leaves the counter positive.
func (k *Reducer) conflictsOfAdd(s *spec.State, t, o int32, mask *known.Bits) {
	r := &k.Objects[o].Usage
	if k.Groups.Has(o) { // RED23
		setWay(mask, r, known.WayAdd, known.WayWait)
		return
	}
	switch left := int64(k.Get(s, o)) - k.dropsOf(s, o, t); {
	case left < 0 || left+int64(k.Nodes[s.Nodes[t]].Op.Key) < 0:
		setWay(mask, r, known.WayAdd, known.WayWait)
	case left < 1:
		setWay(mask, r, known.WayWait)
		k.relyOnce(s)
	default:
		k.relyOnce(s)
	}
}

// dropsOf sums what all goroutines but one may take from a counter. The sum is kept for a call of choose.
func (k *Reducer) dropsOf(s *spec.State, o, but int32) int64 {
	c := &k.Scratch.choice
	if c.counter != o {
		c.counter, c.drops = o, 0
		for _, n := range s.Nodes {
			if n != 0 {
				c.drops += k.Nodes[n].DropOf(o)
			}
		}
	}
	if but < 0 {
		return c.drops
	}
	return c.drops - k.Nodes[s.Nodes[but]].DropOf(o)
}

// conflictsOfQueues adds what may be dependent with an operation on a channel for the sake of those who stand in its
// queues (UBUBBLE5): all that is done to their channels may serve them, and so decides what this one meets, and when.
func conflictsOfQueues(k *Reducer, s *spec.State, t, ch int32, mask *known.Bits) {
	spec.BesideQueued(&k.Rules, s, t, ch, func(d int32) {
		setWay(mask, &k.Objects[d].Usage, known.WaySend, known.WayRecv, known.WayClose, known.WayPoll)
	})
}
