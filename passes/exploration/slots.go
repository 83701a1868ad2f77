package exploration

import (
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"time"

	"github.com/heddle-go/heddle/mcrs/explore"
)

// This file says how many entries are explored side by side. What comes of one is a function of the entry and its
// limits, so none of this is seen in an answer:
//
//	SLOT1 At most as many entries are at work as there are slots. Of those that wait, the one that is first in the
//	      order of the run is next.
//	SLOT2 An entry begins beside others only while less than half of the heap's limit is alive.
//	SLOT3 If more than three quarters are alive and several entries are at work, the last of them in the order of the
//	      run is set aside: it ends, and is begun again when no other is at work. So the first one always goes on.

// Slots are where entries are explored. Nil Slots have one, and no limit.
type Slots struct {
	// Patience is for how long an entry that has a slot waits for a machine of its package to be free before it gets a
	// new one, which has to initialise the program.
	Patience time.Duration

	n     int
	limit uint64        // of the heap, in bytes; 0 is none
	alive func() uint64 // bytes of the heap

	mu      sync.Mutex
	changed *sync.Cond
	working []*slot
	waiting []*slot
}

// A slot is an entry's, while it is explored or waits for that.
type slot struct {
	order int64
	alone bool // it was set aside
	aside bool // it is
	stop  *explore.Stop
}

// NewSlots returns so many slots, 0 for one for each processor, for a heap of so many bytes.
func NewSlots(n int, limit uint64) *Slots {
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
	}
	s := &Slots{n: n, limit: limit, alive: liveHeap}
	s.changed = sync.NewCond(&s.mu)
	return s
}

// Count is the number of slots.
func (s *Slots) Count() int {
	if s == nil {
		return 1
	}
	return s.n
}

// liveHeap is what was alive when the heap was collected last.
func liveHeap() uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return live[0].Value.Uint64()
}

// take waits for a slot (SLOT1, SLOT2).
func (s *Slots) take(x *slot) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = append(s.waiting, x)
	for !s.may(x) {
		s.changed.Wait()
	}
	s.waiting = slices.DeleteFunc(s.waiting, func(y *slot) bool { return x == y })
	s.working = append(s.working, x)
	s.changed.Broadcast() // the next one may, too
}

func (s *Slots) may(x *slot) bool {
	for _, y := range s.waiting {
		if y.order < x.order { // SLOT1
			return false
		}
	}
	switch n := len(s.working); {
	case n == 0:
		return true
	case n >= s.n || x.alone:
		return false
	}
	return s.limit == 0 || s.alive() < s.limit/2 // SLOT2
}

// watch says how to end what is done in a slot.
func (s *Slots) watch(x *slot, stop *explore.Stop) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x.stop = stop
}

// leave gives the slot back, and reports whether the entry was set aside.
func (s *Slots) leave(x *slot) (aside bool) {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.working = slices.DeleteFunc(s.working, func(y *slot) bool { return x == y })
	s.changed.Broadcast()
	aside, x.aside, x.stop = x.aside, false, nil
	return aside
}

// look sets an entry aside if the heap is too large (SLOT3). It is called now and then by those that are at work.
func (s *Slots) look() {
	if s == nil || s.limit == 0 || s.alive() < s.limit/4*3 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var last *slot
	n := 0
	for _, x := range s.working {
		if x.aside || x.stop == nil {
			continue
		}
		if n++; last == nil || x.order > last.order {
			last = x
		}
	}
	if n > 1 {
		last.aside, last.alone = true, true // SLOT3
		last.stop.Ask()
	}
}

// idle is the number of slots that nobody has, or wants: so many processors an entry at work may use besides its own.
func (s *Slots) idle() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(0, s.n-len(s.working)-len(s.waiting))
}
