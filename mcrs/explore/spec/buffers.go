package spec

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
)

// This file is the serial specification of store buffers, under a relaxed memory model. The rules are those of the Go
// machine (BUF1 to BUF7 of its buffers.go), as a state has them.
//
//	UBUF1  A Store is always enabled. What it stores goes to the end of its goroutine's buffer: the node of the
//	       buffer's thread, which names what is in it, oldest store first. With partial store order a buffer has a
//	       thread for each address, and a Store that publishes an object puts words of that into it first (BUF7).
//	UBUF2  The thread of a buffer that is not empty can move: the oldest store is written to memory.
//	UBUF3  A read takes what the newest store of its goroutine's buffer has of its bytes. If that has a part of
//	       them only, the read waits until it is in memory.
//	UBUF4  What BUF4 says waits until the buffer is empty. A Try that would fail, and the default of a select with
//	       one case, do not wait; where they would succeed they do.
//	UBUF5  A rendezvous waits for the buffers of both.
//	UBUF6  With partial store order, stores of a goroutine that overlap and begin at different addresses are in
//	       different queues, and keep their order. Each store has a place: one more than the places of what it
//	       overlaps in the other queues when it is made. Of two that overlap, and are both in the buffer, the one
//	       with the smaller place is older: it is written first, and the other one is what a read finds.

// A Buffering is the store buffers of a state.
type Buffering struct {
	k *Rules
	s *State
}

// BufferingIn returns the store buffers of a state.
func BufferingIn(k *Rules, s *State) Buffering { return Buffering{k, s} }

// Of appends the threads of a goroutine's buffer that have something to bring to memory.
func (b Buffering) Of(t int32, out []int32) []int32 {
	for _, u := range b.k.BuffersOf(t) {
		if b.s.Node(u) != 0 {
			out = append(out, u)
		}
	}
	return out
}

// unwritten reports whether something is in a goroutine's buffer.
func (b Buffering) unwritten(t int32) bool {
	return slices.ContainsFunc(b.k.BuffersOf(t), func(u int32) bool { return b.s.Node(u) != 0 })
}

// Own returns what a read of a goroutine takes from its buffer: the bytes, and whether there are any. They are nil if
// it must wait (UBUF3); then by is the thread that it waits for.
func (b Buffering) Own(t int32, loc event.Location) (bytes []byte, by int32, found bool) {
	newest := int32(-1)
	for _, u := range b.k.BuffersOf(t) { // what has all of the bytes overlaps all others: places say which is newer
		if own, place := b.k.Newest(b.s.Node(u), loc); place > newest {
			bytes, by, found, newest = own, u, true, place
		}
	}
	return bytes, by, found
}

// Behind returns the thread of a queue that has an older store which overlaps the oldest one of thread t of a buffer
// (UBUF6), -1 if there is none.
func (b Buffering) Behind(t int32) int32 {
	n := b.s.Node(t)
	if b.k.Model != event.PSO || n == 0 || !b.k.IsBuffer(t) {
		return -1
	}
	place := known.PlaceOf(&b.k.Knowledge, n)
	if place == 0 {
		return -1
	}
	for _, u := range b.k.BuffersOf(b.k.Owner(t)) {
		for one := range known.StoresIn(&b.k.Knowledge, b.s.Node(u)) {
			if u != t && known.PlaceOf(&b.k.Knowledge, one) < place && b.k.Nodes[one].Op.Loc.Overlaps(b.k.Nodes[n].Op.Loc) {
				return u
			}
		}
	}
	return -1
}

// placed returns the node of a buffer that holds a store alone, of which one is the node, with its place (UBUF6).
func (b Buffering) placed(one int32) int32 {
	if b.k.Model != event.PSO {
		return one
	}
	place, t := int32(0), b.k.Nodes[one].Thread
	for _, u := range b.k.BuffersOf(b.k.Owner(t)) {
		for o := range known.StoresIn(&b.k.Knowledge, b.s.Node(u)) {
			if u != t && b.k.Nodes[o].Op.Loc.Overlaps(b.k.Nodes[one].Op.Loc) {
				place = max(place, known.PlaceOf(&b.k.Knowledge, o)+1)
			}
		}
	}
	return known.Later(&b.k.Knowledge, one, place)
}

// A Waiting says how an operation waits for its goroutine's buffer.
type Waiting uint8

// The ways to wait.
const (
	Free      Waiting = iota // not at all
	Forwarded                // it takes what is there
	Waits                    // it can do nothing before
	Depends                  // it can do something else instead
)

// Awaits says how the operation at which a goroutine stands waits for its buffer (UBUF3, UBUF4).
func (b Buffering) Awaits(t int32) Waiting {
	if !b.unwritten(t) {
		return Free
	}
	x := &b.k.Nodes[b.s.Node(t)]
	switch o := &x.Op; o.Kind {
	case event.Invalid:
		if len(o.Cases) > 1 {
			return Waits
		}
		return Depends
	case event.Read, event.AtomicLoad:
		bytes, _, found := b.Own(t, o.Loc)
		switch {
		case !found:
			return Free
		case bytes == nil:
			return Waits
		}
		return Forwarded
	case event.TryLock, event.TryRLock:
		if event.IsRW(o.Key) {
			return Waits
		}
		return Depends
	default:
		return waitsIf(o.AwaitsBuffer())
	}
}

func waitsIf(yes bool) Waiting {
	if yes {
		return Waits
	}
	return Free
}

// mustWait reports whether a goroutine can do nothing before its buffer is empty. Of a Mutex that is free TryLock
// would succeed.
func (b Buffering) mustWait(t int32) bool {
	switch b.Awaits(t) {
	case Waits:
		return true
	case Depends:
		n := b.s.Node(t)
		return b.k.Nodes[n].Op.Kind.Tries() && b.k.Get(b.s, b.k.ActOf(n).Object) == 0
	}
	return false
}

// undrained leaves out of the communications of a goroutine, which begin at from, those that wait for a buffer
// (UBUF4, UBUF5).
func (b Buffering) undrained(t int32, out []Move, from int) []Move {
	if !b.k.Relaxed() {
		return out
	}
	cases := int16(len(b.k.comms(b.s.Node(t))))
	full := b.unwritten(t)
	return append(out[:from], slices.DeleteFunc(out[from:], func(m Move) bool {
		return full && m.Case < cases || m.Partner >= 0 && b.unwritten(m.Partner)
	})...)
}

// store puts what an operation stores into a buffer (UBUF1).
func (b Buffering) store(x *known.Edge) {
	for _, one := range x.Stores() {
		u := b.k.Nodes[one].Thread
		b.s.SetNode(u, b.k.After(b.s.Node(u), b.placed(one)))
	}
}
