package machine

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines the hash of a state: two states of one entry with equal hashes go on in the same ways, and have told every goroutine the same.
//
// A goroutine is a function of what its operations returned, so its stack and registers are left out: the replies stand for them.
// What is in: the replies of each goroutine with its readings of the clock, all memory that is not the snapshot's, with what the machine keeps beside it,
// the clock itself, and output where it is checked. Time is hashed as it is, not relative to now.
//
// What is not in: the kernel's files, how long a goroutine has polled, and the clocks of bubbles. For programs that use none of these.

const (
	hashMul1 = 0x9e3779b97f4a7c15
	hashMul2 = 0xbf58476d1ce4e5b9
)

func hashMix(a, b uint64) uint64 {
	x := a*hashMul1 ^ (b + hashMul2)
	x = (x ^ x>>30) * hashMul2
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func hashBytes(h uint64, b []byte) uint64 {
	h = hashMix(h, uint64(len(b)))
	for ; len(b) >= 8; b = b[8:] {
		h = hashMix(h, *(*uint64)(unsafe.Pointer(&b[0])))
	}
	for _, c := range b {
		h = hashMix(h, uint64(c))
	}
	return h
}

func hashString(s string) uint64 { return hashBytes(0, unsafe.Slice(unsafe.StringData(s), len(s))) }

// hashState returns the hash of the present state.
func (m *Machine) hashState() uint64 {
	replies := make([]uint64, len(m.gs))
	var written map[event.Location]uint64 // of what is the host's: who wrote it, in order. What is read there is in no reply
	for i := range m.tr.Events {
		e := &m.tr.Events[i]
		r := trace.ReplyOf(e)
		h := &replies[e.Thread]
		if e.Kind == event.ObjectRead || e.Kind == event.ObjectWrite {
			*h = hashMix(*h, written[e.Loc])
		}
		if e.Kind == event.ObjectWrite {
			if written == nil {
				written = make(map[event.Location]uint64)
			}
			written[e.Loc] = hashMix(hashMix(written[e.Loc], hashString(string(m.gs[e.Thread].id))), uint64(e.Seq))
		}
		*h = hashMix(hashMix(*h, b2w(r.Wrong)<<32|uint64(r.Kind)<<16|uint64(uint16(r.Case))), r.Value)
	}
	// Goroutines and objects are numbered in the order of a schedule or of a walk: their hashes are added.
	sum := hashMix(hashMix(uint64(m.now), uint64(m.until)), uint64(m.fires)<<2|b2w(m.mainStuck)<<1|b2w(m.entryDone))
	for i, g := range m.gs {
		h := hashMix(hashMix(hashString(string(g.id)), replies[i]), g.readings)
		if g.waiting && g.op.Kind == event.Sleep { // what it read of the clock
			h = hashMix(h, uint64(g.op.Deadline))
		}
		h = g.hashStores(h)
		sum += hashMix(h, b2w(g.waiting)|b2w(g.parked)<<1|b2w(g.ended)<<2|b2w(g.queued)<<3)
	}
	if m.entry != nil && m.entry.HasOutput {
		sum = hashBytes(sum, m.tr.Output)
	}
	m.mem.Changed(func(o *mem.Object) { sum += hashObject(o) })
	if m.opts.Timing { // how many firings may still be early, and whether any was
		sum = hashMix(sum, uint64(m.firings)<<1|b2w(m.tr.Early > 0))
	}
	sum += m.timeline.hash()
	for _, b := range m.bubbles {
		sum += hashMix(hashMix(hashString(b.name), b.timeline.hash()), hashMix(uint64(b.now), uint64(b.active)))
	}
	for a, b := range m.assoc {
		sum += hashMix(a, hashString(b.name))
	}
	return sum
}

// hash is the hash of what waits for a clock.
func (tl *timeline) hash() (sum uint64) {
	for _, t := range tl.timers {
		sum += hashMix(t.addr, uint64(t.when))
	}
	for _, t := range tl.due {
		sum += hashMix(t.addr, hashMul1)
	}
	return sum
}

func hashObject(o *mem.Object) uint64 {
	h := hashBytes(hashMix(o.Base, uint64(o.Flags)), o.Bytes())
	switch a := o.Aux.(type) {
	case nil:
	case *chanState:
		h = hashMix(h, b2w(a.closed))
		for _, v := range a.buf {
			h = hashBytes(h, v)
		}
	case *mapState:
		h = hashBytes(hashBytes(h, a.keys), a.elems)
		for _, s := range a.seqs { // which entries are alive, and their order
			h = hashMix(h, b2w(s != 0))
		}
	default:
		panic("machine: an object's state has no hash")
	}
	return h
}
