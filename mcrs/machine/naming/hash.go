// Package naming names states: of the whole machine (hash.go), of one goroutine (local.go), and of what an entry left
// behind (repeat.go). States of equal names go on in the same ways.
package naming

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/objects"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines the hash of a state: two states of one entry with equal hashes go on in the same ways, and have
// told every goroutine the same.
//
// A goroutine is a function of what its operations returned, so its stack and registers are left out: the replies
// stand for them. What is in: the replies of each goroutine with its readings of the clock, all memory that is not
// the snapshot's, with what the machine keeps beside it, the clock itself, and output where it is checked. Time is
// hashed as it is, not relative to now.
//
// What is not in: the kernel's files, how long a goroutine has polled, and the clocks of bubbles. For programs that
// use none of these.

// State returns the hash of the present state.
func State(m *vm.Machine) uint64 {
	replies := make([]uint64, len(m.Threads))
	var written map[event.Location]uint64 // of what is the host's: who wrote it, in order. What is read there is in no reply
	for i := range m.Trace.Events {
		e := &m.Trace.Events[i]
		r := trace.ReplyOf(e)
		h := &replies[e.Thread]
		loc := event.Location{Addr: e.Loc.Addr}
		if o := e.Kind.Object(); o == event.Whole || o == event.Inode {
			*h = vm.HashMix(*h, written[loc])
		}
		if e.Kind == event.ObjectWrite || e.Kind == event.FileWrite {
			if written == nil {
				written = make(map[event.Location]uint64)
			}
			written[loc] = vm.HashMix(vm.HashMix(written[loc], vm.HashString(string(m.Threads[e.Thread].ID))), uint64(e.Seq))
		}
		*h = vm.HashMix(vm.HashMix(*h, vm.Word(r.Wrong)<<32|uint64(r.Kind)<<16|uint64(uint16(r.Case))), r.Value)
	}
	// Goroutines and objects are numbered in the order of a schedule or of a walk: their hashes are added.
	sum := vm.HashMix(vm.HashMix(uint64(m.Now), uint64(m.Until)), uint64(m.Fires)<<2|vm.Word(m.MainStuck)<<1|vm.Word(m.EntryDone))
	for i, g := range m.Threads {
		h := vm.HashMix(vm.HashMix(vm.HashString(string(g.ID)), replies[i]), g.Readings)
		if g.Waiting && g.Op.Kind == event.Sleep { // what it read of the clock
			h = vm.HashMix(h, uint64(g.Op.Deadline))
		}
		h = vm.HashMix(g.HashStores(h), g.Ranged) // RANGE2
		sum += vm.HashMix(h, vm.Word(g.Waiting)|vm.Word(g.Parked)<<1|vm.Word(g.Ended)<<2|uint64(g.Queued)<<3)
	}
	if m.Entry != nil && m.Entry.HasOutput {
		sum = vm.HashBytes(sum, m.Trace.Output)
	}
	m.Mem.Changed(func(o *mem.Object) { sum += HashObject(o) })
	if m.Options.Timing { // how many firings may still be early, and whether any was
		sum = vm.HashMix(sum, uint64(m.Firings)<<1|vm.Word(m.Trace.Early > 0))
	}
	sum += hash(&m.Timeline)
	for _, b := range m.Bubbles {
		sum += vm.HashMix(vm.HashMix(vm.HashString(b.Name), hash(&b.Timeline)), vm.HashMix(uint64(b.Now), uint64(b.Active)))
		sum += heap(b)
	}
	for a, b := range m.Assoc {
		sum += vm.HashMix(a, vm.HashString(b.Name))
	}
	return sum
}

// hash is the hash of what waits for a clock. Who has started a timer last tells of which of that one's starts, by the
// replies to it, and so how many goroutines and timers it had started then (TIME8 of package clock).
func hash(tl *vm.Timeline) (sum uint64) {
	for _, t := range tl.Timers {
		sum += vm.HashMix(vm.HashMix(t.Addr, uint64(t.When)), vm.HashString(string(t.By.ID)))
	}
	for _, t := range tl.Due {
		sum += vm.HashMix(vm.HashMix(t.Addr, vm.HashMul1+vm.Word(t.First)), vm.HashString(string(t.By.ID)))
	}
	return sum
}

// heap is the hash of what is known of the heap of a bubble (BUBBLE6 of package clock).
func heap(b *vm.Bubble) (sum uint64) {
	name := vm.HashMix(vm.HashString(b.Name), vm.Word(b.Modified))
	for a, s := range b.Stopped {
		is := vm.Word(s.Gone) | vm.Word(s.Cleaned)<<1 | vm.Word(s.Doubtful)<<2 | vm.Word(s.Lost)<<3
		sum += vm.HashMix(vm.HashMix(name, a), vm.HashMix(uint64(s.When)<<4|is, vm.HashString(string(s.By))))
	}
	for _, e := range b.Joined {
		sum += vm.HashMix(vm.HashMix(name, vm.HashString(string(e.By))), e.Addr)
	}
	for c := range b.Waited {
		when, blocked := b.Blocked[c]
		sum += vm.HashMix(vm.HashMix(name, ^c<<1|vm.Word(blocked)), uint64(when))
	}
	for c := range b.Fired {
		sum += vm.HashMix(vm.HashMix(^name, ^c), 1)
	}
	for c, r := range b.Sent {
		sum += vm.HashMix(vm.HashMix(^name, c), vm.HashMix(vm.HashString(string(r.By)), uint64(r.Kids)))
	}
	for _, by := range b.Resumed {
		sum += vm.HashMix(name, ^vm.HashString(string(by)))
	}
	return sum
}

// A hashed is what the rooms above keep beside the bytes of an object.
type hashed interface{ Hash() uint64 }

// HashObject hashes an object, with what the machine keeps beside its bytes.
func HashObject(o *mem.Object) uint64 {
	flags := o.Flags
	if flags&mem.Shared != 0 { // REUSE5
		flags &^= mem.Met
	}
	h := foldBytes(vm.HashMix(o.Base, uint64(flags)), o.Bytes())
	switch a := o.Aux.(type) {
	case nil:
	case *objects.ChanState:
		h = fold(h, vm.Word(a.Closed))
		for _, v := range a.Buffer {
			h = foldBytes(h, v)
		}
	case *objects.MapState:
		h = foldBytes(foldBytes(h, a.Keys), a.Elems)
		for _, s := range a.Seqs { // which entries are alive, and their order
			if s != 0 && !a.Ranged() { // RANGE2
				s = 1
			}
			h = fold(h, s)
		}
	case hashed:
		h = vm.HashMix(h, a.Hash())
	default:
		panic("machine: an object's state has no hash")
	}
	return h
}
