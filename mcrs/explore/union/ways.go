package union

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file says in what ways operations touch objects, and what guards an object.

// bits is a set of small numbers: what may be touched, and how.
type bits []uint64

func (b *bits) set(i int32) {
	for int(i>>6) >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[i>>6] |= 1 << (i & 63)
}

func (b bits) has(i int32) bool { return i > 0 && int(i>>6) < len(b) && b[i>>6]&(1<<(i&63)) != 0 }

// meets reports whether the sets have something in common.
func (b bits) meets(c bits) bool {
	for i := range min(len(b), len(c)) {
		if b[i]&c[i] != 0 {
			return true
		}
	}
	return false
}

// add makes b the union with c, and reports whether it grew.
func (b *bits) add(c bits) (grew bool) {
	for len(*b) < len(c) {
		*b = append(*b, 0)
	}
	for i, w := range c {
		grew = grew || w&^(*b)[i] != 0
		(*b)[i] |= w
	}
	return grew
}

// Ways to touch an object. Of a cell, a write of one of the first values has a bit of its own.
const (
	wayRead = iota // cells, maps, objects
	wayWrite
	wayLock = iota - 2 // Lock, LockAnnounce
	wayRLock
	wayUnlock
	wayTry
	waySend = iota - 6 // channels
	wayRecv
	wayClose
	wayPoll             // len; a select with a default, or that may meet another select (CHAN7)
	wayAdd  = iota - 10 // wait groups
	wayWait
	wayTicket = iota - 12 // condition variables
	wayWoken
	wayNotify
	wayBegin = iota - 15 // Once
	wayDone
	wayTimer = iota - 17 // timers: all that is done to them
	ways     = 4
)

// reduction is what is known of an object's use.
type reduction struct {
	way    [ways]int32  // bit of each way, 0 if nobody does it
	values []valueWrite // of a cell: its first values
	// guards are, of a cell, the locks that every access holds (of a write exclusively).
	guards   []int32
	accessed bool
}

// A valueWrite is the writing of a value to a cell at a site.
type valueWrite struct {
	value, bit int32
	site       int32 // number
	atomic     bool
}

// valueBits bounds the writings of a cell that have bits of their own.
const valueBits = 32

func (k *knowledge) bit(o int32, way int) int32 {
	r := &k.objects[o].reduction
	if r.way[way] == 0 {
		r.way[way] = k.bits
		k.bits++
	}
	return r.way[way]
}

// writeBit is the bit of writing a value to a cell by a node.
func (k *knowledge) writeBit(o, value, n int32) int32 {
	r := &k.objects[o].reduction
	w := valueWrite{value, k.bits, k.nodes[n].site, k.nodes[n].op.Kind.IsAtomic()}
	for i := range r.values {
		if v := &r.values[i]; v.value == w.value && v.site == w.site && v.atomic == w.atomic {
			return v.bit
		}
	}
	if len(r.values) >= valueBits {
		return k.bit(o, wayWrite)
	}
	k.bits++
	r.values = append(r.values, w)
	return w.bit
}

// spares reports whether it matters to a node only as a race that is known when the value that is there, or that the node writes, is written (RED4).
func (k *knowledge) spares(x *node, w *valueWrite) bool {
	if k.exact {
		return false
	}
	return w.atomic && x.op.Kind.IsAtomic() || k.races[x.site].has(w.site)
}

// mayMeet reports whether a select may meet another one of those known: then it matters to it whether its other cases are ready (CHAN7). The first time that
// selects stand at both sides of a channel, their futures are computed again.
func (k *knowledge) mayMeet(n int32, comms []comm) bool {
	x := &k.nodes[n]
	if !x.op.IsSelect() || len(comms) < 2 && !x.op.HasDefault {
		return false
	}
	may := false
	for _, c := range comms {
		o := &k.objects[c.obj]
		if c.obj == 0 || o.cap > 0 {
			continue
		}
		mine, others := &o.receivers, o.senders
		if c.send {
			mine, others = &o.senders, o.receivers
		}
		if !slices.Contains(*mine, n) {
			*mine = append(*mine, n)
			if len(others) > 0 {
				for _, y := range slices.Concat(*mine, others) {
					k.queue.add(y)
				}
			}
		}
		may = may || len(others) > 0
	}
	return may
}

// touches returns what the operation of a node may touch, whatever it meets.
func (k *knowledge) touches(n int32) (b bits) {
	x := &k.nodes[n]
	if !x.known {
		return nil
	}
	a := k.actOf(n)
	meets := k.mayMeet(n, a.comms) // also of a select with default: others may meet it
	for _, c := range a.comms {
		if c.obj == 0 {
			continue
		}
		way := wayRecv
		if c.send {
			way = waySend
		}
		b.set(k.bit(c.obj, way))
		if x.op.HasDefault || meets {
			b.set(k.bit(c.obj, wayPoll))
		}
	}
	switch x.op.Kind {
	case event.Read, event.AtomicLoad:
		for _, c := range a.cells {
			b.set(k.bit(c, wayRead))
		}
	case event.Write, event.AtomicStore, event.AtomicRMW:
		for _, c := range a.cells {
			if x.op.Kind == event.AtomicRMW {
				b.set(k.bit(c, wayRead))
			}
			if x.op.Kind == event.AtomicRMW || len(x.edges) == 0 {
				b.set(k.bit(c, wayWrite))
			}
		}
		if x.op.Kind != event.AtomicRMW {
			for _, e := range x.edges {
				for _, f := range k.effectsOf(e) {
					if slices.Contains(a.cells, f.obj) {
						b.set(k.writeBit(f.obj, f.value, n))
					}
				}
			}
		}
	case event.MapRead, event.ObjectRead:
		b.set(k.bit(a.obj, wayRead))
	case event.MapWrite, event.ObjectWrite:
		b.set(k.bit(a.obj, wayWrite))
	case event.Lock, event.LockAnnounce:
		b.set(k.bit(a.obj, wayLock))
	case event.RLock:
		b.set(k.bit(a.obj, wayRLock))
	case event.Unlock, event.RUnlock:
		b.set(k.bit(a.obj, wayUnlock))
	case event.TryLock, event.TryRLock:
		b.set(k.bit(a.obj, wayTry))
	case event.ChanClose:
		b.set(k.bit(a.obj, wayClose))
	case event.ChanLen:
		b.set(k.bit(a.obj, wayPoll))
	case event.WaitGroupAdd:
		b.set(k.bit(a.obj, wayAdd))
	case event.WaitGroupWait:
		b.set(k.bit(a.obj, wayWait))
	case event.CondAdd:
		b.set(k.bit(a.obj, wayTicket))
	case event.CondWait:
		b.set(k.bit(a.obj, wayWoken))
	case event.CondSignal, event.CondBroadcast:
		b.set(k.bit(a.obj, wayNotify))
	case event.OnceBegin:
		b.set(k.bit(a.obj, wayBegin))
	case event.OnceEnd:
		b.set(k.bit(a.obj, wayDone))
	case event.Goroutines:
		if a.obj != 0 {
			b.set(k.bit(a.obj, wayRead))
		}
	case event.Spawn, event.End:
		if a.obj != 0 {
			b.set(k.bit(a.obj, wayWrite))
		}
	case event.TimerStart, event.TimerStop, event.TimerFire:
		if k.countSlot != 0 && x.op.Kind == event.TimerFire { // it may start a goroutine
			b.set(k.bit(k.countSlot, wayWrite))
		}
		b.set(k.bit(a.obj, wayTimer))
		if a.ch != 0 {
			b.set(k.bit(a.ch, waySend))
			b.set(k.bit(a.ch, wayRecv))
		}
	default: // as in conflictsOf
		if a.obj != 0 {
			b.set(k.bit(a.obj, wayWrite))
		}
	}
	return b
}

// register notes under which locks a node accesses cells.
func (k *knowledge) register(n int32) {
	x := &k.nodes[n]
	if x.op.Kind == event.MapRead && x.op.Key == 0 {
		if o := &k.objects[k.actOf(n).obj]; !o.whole {
			o.whole, k.stale = true, true
		}
	}
	if x.op.Kind == event.Unlock && x.holds(k.actOf(n).obj) != heldWrite || x.op.Kind == event.RUnlock && !x.reads(k.actOf(n).obj) {
		if o := &k.objects[k.actOf(n).obj]; !o.foreign {
			o.foreign, k.grown = true, true
		}
	}
	if !x.op.Kind.IsAccess() {
		return
	}
	for _, c := range k.actOf(n).cells {
		k.guard(c, n)
	}
}

func (k *knowledge) guard(c, n int32) {
	x := &k.nodes[n]
	r := &k.objects[c].reduction
	guards := func(o int32) bool {
		mode := x.holds(o)
		return k.objects[o].space == spaceLock && (mode == heldWrite || mode == heldRead && !x.op.Kind.IsWrite())
	}
	if !r.accessed {
		r.accessed = true
		for _, h := range x.locks {
			if guards(h.obj) && !slices.Contains(r.guards, h.obj) {
				r.guards = append(r.guards, h.obj)
			}
		}
		return
	}
	for i := 0; i < len(r.guards); {
		if guards(r.guards[i]) {
			i++
			continue
		}
		r.guards = append(r.guards[:i:i], r.guards[i+1:]...)
		k.grown = true
	}
}

// guarded reports whether a goroutine at node n keeps others away from a cell (RED3).
func (k *knowledge) guarded(c, n int32) bool {
	for _, g := range k.objects[c].guards {
		if !k.objects[g].foreign && k.nodes[n].holds(g) > 0 {
			return true
		}
	}
	return false
}
