package reduce

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
)

// This file numbers the ways in which operations touch objects, and says which of them are of no matter.

// valueBits bounds the writings of a cell that have bits of their own.
const valueBits = 32

func (k *Reducer) bit(o int32, way int) int32 {
	r := &k.Objects[o].Usage
	if r.Way[way] == 0 {
		r.Way[way] = k.bits
		k.bits++
	}
	return r.Way[way]
}

// writeBit is the bit of writing a value to a cell by a node.
func (k *Reducer) writeBit(o, value, n int32) int32 {
	r := &k.Objects[o].Usage
	w := known.ValueWrite{Value: value, Bit: k.bits, Site: k.Nodes[n].Site, Atomic: k.Nodes[n].Op.Kind.IsAtomic()}
	for i := range r.Values {
		if v := &r.Values[i]; v.Value == w.Value && v.Site == w.Site && v.Atomic == w.Atomic {
			return v.Bit
		}
	}
	if len(r.Values) >= valueBits {
		return k.bit(o, known.WayWrite)
	}
	k.bits++
	r.Values = append(r.Values, w)
	return w.Bit
}

// spares reports whether the write w, of a value that is there already or that x writes itself, is independent of x's
// operation, apart from races already known (RED4).
func (k *Reducer) spares(x *known.Node, w *known.ValueWrite) bool {
	if k.Exact {
		return false
	}
	return w.Atomic && x.Op.Kind.IsAtomic() || k.Races[x.Site].Has(w.Site)
}

// mayMeet reports whether a select may meet another one of those known. Then it matters to it whether its other cases
// are ready (CHAN7). The first time that selects stand at both sides of a channel, the futures of those that were there
// are computed again.
func (k *Reducer) mayMeet(n int32, comms []known.Comm) bool {
	x := &k.Nodes[n]
	if !x.Op.IsSelect() || len(comms) < 2 && !x.Op.HasDefault {
		return false
	}
	may := false
	for _, c := range comms {
		o := &k.Objects[c.Object]
		if c.Object == 0 || o.Cap > 0 {
			continue
		}
		mine, others := &o.Receivers, o.Senders
		if c.Send {
			mine, others = &o.Senders, o.Receivers
		}
		if len(*mine) == 0 || len(others) == 0 { // else who comes now changes nothing for others
			if *mine == nil {
				*mine = make(map[int32]bool)
			}
			(*mine)[n] = true
			for y := range others {
				k.Changed.Add(y)
			}
		}
		may = may || len(others) > 0
	}
	return may
}

// Touches returns what the operation of a node may touch, whatever it meets.
func (k *Reducer) Touches(n int32) (b known.Bits) {
	x := &k.Nodes[n]
	if !x.Known {
		return nil
	}
	a := k.ActOf(n)
	meets := k.mayMeet(n, a.Comms) // also of a select with default: others may meet it
	for _, c := range a.Comms {
		if c.Object == 0 {
			continue
		}
		way := known.WayRecv
		if c.Send {
			way = known.WaySend
		}
		b.Set(k.bit(c.Object, way))
		if x.Op.HasDefault || meets {
			b.Set(k.bit(c.Object, known.WayPoll))
		}
	}
	for _, e := range x.Edges {
		for _, z := range k.Edges[e].Starts() {
			b.Set(k.bit(k.Timers[z.Timer].Object, known.WayStart))
		}
	}
	k.touchesClock(n, &b)
	k.touchesVerdict(n, &b)
	if k.Stacks { // UGO4
		b.Set(k.bit(k.CountSlot, known.WayStand))
		if looksAtStacks(x) {
			b.Set(k.bit(k.CountSlot, known.WayStacks))
		}
	}
	switch x.Op.Kind {
	case event.Read, event.AtomicLoad:
		for _, c := range a.Cells {
			if x.Op.Blind != 0 {
				b.Set(k.bit(c, known.WayLook))
				continue
			}
			b.Set(k.bit(c, known.WayRead))
		}
	case event.Write, event.AtomicStore, event.AtomicRMW:
		for _, c := range a.Cells {
			if x.Op.Adds {
				b.Set(k.bit(c, known.WaySum))
				continue
			}
			if x.Op.Kind == event.AtomicRMW {
				b.Set(k.bit(c, known.WayRead))
			}
			if x.Op.Kind == event.AtomicRMW || len(x.Edges) == 0 {
				b.Set(k.bit(c, known.WayWrite))
			}
		}
		if x.Op.Kind != event.AtomicRMW {
			for _, e := range x.Edges {
				for _, f := range k.EffectsOf(e) {
					if slices.Contains(a.Cells, f.Object) {
						b.Set(k.writeBit(f.Object, f.Value, n))
					}
				}
			}
		}
	case event.MapRead, event.ObjectRead, event.FileRead:
		b.Set(k.bit(a.Object, known.WayRead))
	case event.MapWrite, event.ObjectWrite, event.FileWrite:
		b.Set(k.bit(a.Object, known.WayWrite))
	case event.Lock, event.LockAnnounce:
		b.Set(k.bit(a.Object, known.WayLock))
	case event.RLock:
		b.Set(k.bit(a.Object, known.WayRLock))
	case event.Unlock, event.RUnlock:
		b.Set(k.bit(a.Object, known.WayUnlock))
	case event.TryLock, event.TryRLock:
		b.Set(k.bit(a.Object, known.WayTry))
	case event.ChanClose:
		b.Set(k.bit(a.Object, known.WayClose))
	case event.ChanLen:
		b.Set(k.bit(a.Object, known.WayPoll))
	case event.WaitGroupAdd:
		b.Set(k.bit(a.Object, known.WayAdd))
	case event.WaitGroupWait:
		b.Set(k.bit(a.Object, known.WayWait))
	case event.CondAdd:
		b.Set(k.bit(a.Object, known.WayTicket))
	case event.CondWait:
		b.Set(k.bit(a.Object, known.WayWoken))
	case event.CondSignal, event.CondBroadcast:
		b.Set(k.bit(a.Object, known.WayNotify))
	case event.OnceBegin:
		b.Set(k.bit(a.Object, known.WayBegin))
	case event.OnceEnd:
		b.Set(k.bit(a.Object, known.WayDone))
	case event.Goroutines:
		if !event.MovesCount(x.Op.Key) {
			b.Set(k.bit(a.Object, known.WayRead))
		} else {
			b.Set(k.bit(a.Object, known.WayWrite))
		}
	case event.Spawn, event.End:
		if a.Object != 0 {
			b.Set(k.bit(a.Object, known.WayWrite))
		}
	case event.TimerStart, event.TimerStop, event.TimerFire:
		if k.CountSlot != 0 && x.Op.Kind == event.TimerFire { // it may start a goroutine
			b.Set(k.bit(k.CountSlot, known.WayWrite))
		}
		b.Set(k.bit(a.Object, known.WayTimer))
		if x.Op.Kind == event.TimerStart {
			b.Set(k.bit(a.Object, known.WayStart))
		}
		if a.Chan != 0 {
			b.Set(k.bit(a.Chan, known.WaySend))
			b.Set(k.bit(a.Chan, known.WayRecv))
		}
	default: // as in ConflictsOf
		if a.Object != 0 {
			b.Set(k.bit(a.Object, known.WayWrite))
		}
	}
	return b
}

// looksAtStacks reports whether a goroutine at a node asks for the stacks of all.
func looksAtStacks(x *known.Node) bool {
	return x.Known && x.Op.Kind == event.Goroutines && x.Op.Key == event.SeesStacks
}

// guarded reports whether a goroutine at node n keeps others away from a cell (RED3).
func (k *Reducer) guarded(c, n int32) bool {
	for _, g := range k.Objects[c].Guards {
		if !k.Objects[g].Foreign && k.Nodes[n].Holds(g) > 0 {
			return true
		}
	}
	return false
}
