package race

import (
	"maps"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file follows the knowledge of a few accesses, for a search that has states and no trace.

// MaxAccesses is how many accesses Knowers can follow.
const MaxAccesses = 64

// A Knowers says who knows of some accesses. The accesses have numbers; of several with one number, it is about the
// last. Its zero value is the start of an execution.
type Knowers struct {
	made    uint64            // the accesses that were made
	threads map[int32]uint64  // what goroutines know
	ports   map[port]uint64   // what is left at objects
	then    map[int]uint64    // by access, what its goroutine knew then
	sent    map[uint64]uint64 // by channel with a buffer, which place takes the next element
	taken   map[uint64]uint64 // and which gives the next
	used    map[uint64]bool   // sync.Maps
}

// Clone returns a copy.
func (k *Knowers) Clone() *Knowers {
	return &Knowers{k.made, maps.Clone(k.threads), maps.Clone(k.ports), maps.Clone(k.then), maps.Clone(k.sent), maps.Clone(k.taken), maps.Clone(k.used)}
}

// Name hashes the knowledge: two states that are equal but for it, with equal names, go on to the same races.
func (k *Knowers) Name() (sum uint64) {
	mix := func(xs ...uint64) {
		h := uint64(0x9e3779b97f4a7c15)
		for _, x := range xs {
			h = (h ^ x) * 0xff51afd7ed558ccd
			h ^= h >> 32
		}
		sum += h
	}
	mix(1, k.made)
	for t, x := range k.threads {
		if x != 0 {
			mix(2, uint64(t), x)
		}
	}
	for p, x := range k.ports {
		if x != 0 {
			mix(3, p.addr, p.what, x)
		}
	}
	for a, x := range k.then {
		mix(4, uint64(a), x)
	}
	for c, n := range k.sent {
		if n != 0 {
			mix(5, c, n)
		}
	}
	for c, n := range k.taken {
		if n != 0 {
			mix(6, c, n)
		}
	}
	for m := range k.used {
		mix(7, m)
	}
	return sum
}

// End forgets what a goroutine knows that has ended.
func (k *Knowers) End(thread int32) { delete(k.threads, thread) }

// Unknown returns the accesses that were made and that a goroutine does not know of.
func (k *Knowers) Unknown(thread int32) uint64 { return k.made &^ k.threads[thread] }

// Keep forgets all accesses but some.
func (k *Knowers) Keep(some uint64) {
	k.made &= some
	for t := range k.threads {
		k.threads[t] &= some
	}
	for p := range k.ports {
		k.ports[p] &= some
	}
	for a := range k.then {
		if some&(1<<a) == 0 {
			delete(k.then, a)
		} else {
			k.then[a] &= some
		}
	}
}

// Start has a goroutine that another one starts know what that one knows (SYNC1).
func (k *Knowers) Start(parent, child int32) { k.know(child, k.threads[parent]) }

// An Accessing says how an access stands to those that have numbers.
type Accessing struct {
	Number    int    // its own, -1 if it has none
	Conflicts uint64 // with these it conflicts
	Orders    uint64 // and with these so that their order matters
	Hides     uint64 // these it hides if its goroutine knows them
}

// Access makes an access. It returns those that it races with; what comes then knows of them (RACE2).
func (k *Knowers) Access(thread int32, x *Accessing) (races uint64) {
	number := x.Number
	races = x.Conflicts & k.made &^ k.threads[thread]
	for a := range MaxAccesses {
		if races&x.Orders&(1<<a) != 0 {
			k.know(thread, 1<<a|k.then[a])
		}
	}
	k.made &^= x.Hides & k.threads[thread] // RACE3
	if number < 0 {
		return races
	}
	bit := uint64(1) << number
	for t := range k.threads { // of the last one with its number
		k.threads[t] &^= bit
	}
	for p := range k.ports {
		k.ports[p] &^= bit
	}
	for a := range k.then {
		k.then[a] &^= bit
	}
	k.made |= bit
	k.know(thread, bit)
	if x.Orders == 0 { // nobody learns of this one by a race
		return races
	}
	if k.then == nil {
		k.then = make(map[int]uint64)
	}
	k.then[number] = k.threads[thread]
	return races
}

// Uses notes that a sync.Map is used. It reports whether that is the first time.
func (k *Knowers) Uses(addr uint64) bool {
	if k.used[addr] {
		return false
	}
	if k.used == nil {
		k.used = make(map[uint64]bool)
	}
	k.used[addr] = true
	return true
}

// Learn has a goroutine know, before an access, what the access tells it (SYNC2).
func (k *Knowers) Learn(e *event.Event) {
	if learns(e) {
		k.acquire(e.Thread, learnt(e))
	}
}

// Perform has a goroutine perform an operation. partner is the other goroutine of a rendezvous, -1 if it is none. For a
// communication, size is the capacity of the channel, unsized says that its elements have no bytes, and Other is 0 or
// more if the channel was not closed.
func (k *Knowers) Perform(e *event.Event, partner int32, size int, unsized bool) {
	if partner < 0 && e.Other >= 0 && size > 0 {
		switch e.Kind {
		case event.ChanSend:
			e.Other = k.turn(&k.sent, e.Loc.Addr, size)
		case event.ChanRecv:
			e.Other = k.turn(&k.taken, e.Loc.Addr, size)
		}
	}
	synchronise(k, e, partner, channel{size, unsized})
}

// Places at which a goroutine keeps what Writes have left: its own, and those of which messages have told it.
const (
	leaving = ^uint64(0)
	told    = ^uint64(0) - 1
)

// Carry is Perform for an operation that orders nothing by itself (SYNC16): what Writes have left goes with what is
// sent.
func (k *Knowers) Carry(e *event.Event, size int) {
	t := e.Thread
	left, heard := port{uint64(t), leaving}, port{uint64(t), told}
	switch {
	case e.Order == event.Leaves:
		k.put(left, k.ports[left]|k.threads[t])
	case e.Order == event.Finds:
		k.acquire(t, heard)
	case e.Other < 0 || size <= 0:
	case e.Kind == event.ChanSend:
		k.put(port{e.Loc.Addr, slots + uint64(k.turn(&k.sent, e.Loc.Addr, size))}, k.ports[left]|k.ports[heard])
	case e.Kind == event.ChanRecv:
		k.put(heard, k.ports[heard]|k.ports[port{e.Loc.Addr, slots + uint64(k.turn(&k.taken, e.Loc.Addr, size))}])
	}
}

func (k *Knowers) turn(places *map[uint64]uint64, addr uint64, size int) int64 {
	if *places == nil {
		*places = make(map[uint64]uint64)
	}
	n := (*places)[addr]
	(*places)[addr] = (n + 1) % uint64(size)
	return int64(n)
}

func (k *Knowers) know(t int32, x uint64) {
	if x == 0 {
		return
	}
	if k.threads == nil {
		k.threads = make(map[int32]uint64)
	}
	k.threads[t] |= x
}

func (k *Knowers) put(p port, x uint64) {
	if k.ports == nil {
		k.ports = make(map[port]uint64)
	}
	if x == 0 {
		delete(k.ports, p)
	} else {
		k.ports[p] = x
	}
}

func (k *Knowers) acquire(t int32, p port) { k.know(t, k.ports[p]) }
func (k *Knowers) release(t int32, p port) { k.put(p, k.threads[t]) }
func (k *Knowers) merge(t int32, p port)   { k.put(p, k.ports[p]|k.threads[t]) }
func (k *Knowers) leave(t int32, p port)   { k.release(t, p) } // its accesses are operations of their own

func (k *Knowers) exchange(t int32, p port) {
	was := k.ports[p]
	k.put(p, k.threads[t])
	k.know(t, was)
}

func (k *Knowers) meet(t, other int32) {
	k.know(t, k.threads[other])
	k.know(other, k.threads[t])
}

// gather is for who knows the bubbles: see Gather.
func (k *Knowers) gather(int32, int32) {}

// Gather has a goroutine learn what all of a bubble know (SYNC12).
func (k *Knowers) Gather(t int32, of []int32) {
	for _, u := range of {
		k.know(t, k.threads[u])
	}
}
