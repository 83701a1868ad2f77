package exploration

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
)

// TestSlotIsSetAsideWhenTheHeapIsFull: two entries are at work when the heap has grown too large. One is set aside, and
// begun again when the other has ended; what is told is what is told of them one after the other.
func TestSlotIsSetAsideWhenTheHeapIsFull(t *testing.T) {
	var alive atomic.Uint64
	var mu sync.Mutex
	explorations, asked := 0, 0
	both, released := make(chan bool), make(chan bool)
	by := func(l explore.Limits) *explore.Result {
		mu.Lock()
		explorations++
		n := explorations
		mu.Unlock()
		switch n {
		case 1:
			<-both
			alive.Store(1000)
			l.Progress(explore.Progress{Executions: lookEvery})
		case 2:
			close(both)
		default:
			return &explore.Result{Verdict: explore.Exhausted, Stats: explore.Stats{Executions: 7}}
		}
		select {
		case <-l.Stop.Done():
			asked++
			close(released)
			return &explore.Result{Verdict: explore.Exhausted} // it may not have noticed
		case <-released:
			return &explore.Result{Verdict: explore.Exhausted, Stats: explore.Stats{Executions: 7}}
		}
	}
	_, _, pass := exploredBy(t, func(explore.Limits) *explore.Result { return &explore.Result{Verdict: explore.Exhausted} })
	newExplorer = func(string) (explore.Explorer, error) { return fakeExplorer(by), nil }
	slots := NewSlots(2, 1000)
	slots.alive = alive.Load
	var settled []string
	res, err := Run(pass, Watcher{Slots: slots, Settled: func(_ *Result, e *EntryResult) {
		mu.Lock()
		defer mu.Unlock()
		settled = append(settled, e.Name)
	}})
	if err != nil {
		t.Fatal(err)
	}
	if explorations != 3 || asked != 1 {
		t.Errorf("%d explorations, %d of them asked to end; want 3 and 1", explorations, asked)
	}
	if len(settled) != 2 {
		t.Errorf("told of %v", settled)
	}
	for _, e := range res.(*Result).Entries {
		if e.Result.Stats.Executions != 7 {
			t.Errorf("%s is told with what it had when it was set aside", e.Name)
		}
	}
}

// TestSlots: who waits gets a slot in the order of the run, and beside others only while there is room in the heap.
func TestSlots(t *testing.T) {
	alive := uint64(0)
	s := NewSlots(2, 1000)
	s.alive = func() uint64 { return alive }
	a, b, c := &slot{order: 1}, &slot{order: 2}, &slot{order: 3}
	s.waiting = []*slot{b, a, c}
	may := func() (out []int64) {
		for _, x := range []*slot{a, b, c} {
			if s.may(x) {
				out = append(out, x.order)
			}
		}
		return out
	}
	if got := may(); !slices.Equal(got, []int64{1}) {
		t.Errorf("%v may begin, want the first", got)
	}
	s.waiting, s.working = []*slot{c, b}, []*slot{a}
	if got := may(); !slices.Equal(got, []int64{1, 2}) { // a does not wait
		t.Errorf("%v may begin beside the first, want the second", got)
	}
	alive = 500
	if s.may(b) {
		t.Error("an entry begins beside another one though half of the heap is in use")
	}
	s.working = nil
	if !s.may(b) {
		t.Error("an entry does not begin though none is at work")
	}
	alive, s.working = 0, []*slot{a, b}
	if s.waiting = []*slot{c}; s.may(c) {
		t.Error("a third entry begins")
	}
	alive = 900
	s.look()
	if a.aside || b.aside {
		t.Error("an entry is set aside that cannot be ended")
	}
	a.stop, b.stop = new(explore.Stop), new(explore.Stop)
	s.look()
	s.look()
	if a.aside || !b.aside || !b.stop.Asked() {
		t.Error("not the last is set aside, or not the last alone")
	}
	if !s.leave(b) || s.leave(b) {
		t.Error("that it was set aside is not told, once")
	}
	if s.waiting = []*slot{b}; s.may(b) {
		t.Error("what was set aside begins beside others")
	}
}
