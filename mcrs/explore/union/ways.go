package union

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file numbers the ways in which operations touch objects, and says which of them are of no matter.

// valueBits bounds the writings of a cell that have bits of their own.
const valueBits = 32

func (k *reducer) bit(o int32, way int) int32 {
	r := &k.objects[o].usage
	if r.way[way] == 0 {
		r.way[way] = k.bits
		k.bits++
	}
	return r.way[way]
}

// writeBit is the bit of writing a value to a cell by a node.
func (k *reducer) writeBit(o, value, n int32) int32 {
	r := &k.objects[o].usage
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
func (k *reducer) spares(x *node, w *valueWrite) bool {
	if k.exact {
		return false
	}
	return w.atomic && x.op.Kind.IsAtomic() || k.races[x.site].has(w.site)
}

// mayMeet reports whether a select may meet another one of those known: then it matters to it whether its other cases are ready (CHAN7). The first time that
// selects stand at both sides of a channel, their futures are computed again.
func (k *reducer) mayMeet(n int32, comms []comm) bool {
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
func (k *reducer) touches(n int32) (b bits) {
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

// guarded reports whether a goroutine at node n keeps others away from a cell (RED3).
func (k *reducer) guarded(c, n int32) bool {
	for _, g := range k.objects[c].guards {
		if !k.objects[g].foreign && k.nodes[n].holds(g) > 0 {
			return true
		}
	}
	return false
}
