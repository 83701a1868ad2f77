// Package locks holds programs in which the state of a lock is more than who waits for it: locks that are copied, compared, printed and overwritten,
// sync.Map.Range beside stores, and RWMutex.TryLock. All explorers must find what brute force finds.
package locks

import (
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

var sink any

type counter struct {
	mu sync.Mutex
	n  int
}

// Get locks a copy, which is locked if the original was.
func (c counter) Get() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

func (c *counter) touch() {
	c.mu.Lock()
	c.mu.Unlock()
}

// both runs two functions side by side and waits for the first.
func both(f, g func()) {
	done := make(chan bool)
	go func() { f(); done <- true }()
	g()
	<-done
}

// finds: datarace deadlock
func TestCopyByReceiver(t *testing.T) {
	c := new(counter)
	both(c.touch, func() { sink = c.Get() })
}

func TestCopyAfterwards(t *testing.T) { // no race, no deadlock
	c := new(counter)
	done := make(chan bool)
	go func() { c.touch(); done <- true }()
	<-done
	sink = c.Get()
}

// finds: deadlock
func TestCopyOfHeld(t *testing.T) { // always blocked: no race, for the channel orders the copy
	c := new(counter)
	c.mu.Lock()
	done := make(chan bool)
	go func() { d := *c; d.mu.Lock(); done <- true }()
	<-done
}

// finds: datarace testfailure
func TestCopyTryLock(t *testing.T) {
	c := new(counter)
	both(c.touch, func() {
		d := *c
		if !d.mu.TryLock() {
			t.Error("the copy is locked")
		}
	})
}

// finds: datarace panics
func TestOverwriteWhileHeld(t *testing.T) { // unlock of unlocked mutex
	c := new(counter)
	both(c.touch, func() { *c = counter{} })
}

// finds: datarace deadlock testfailure
func TestOverwriteLetsIn(t *testing.T) { // both may be inside
	c := new(counter)
	in := int32(0)
	enter := func() {
		c.mu.Lock()
		if atomic.AddInt32(&in, 1) == 2 {
			t.Error("two inside")
		}
		atomic.AddInt32(&in, -1)
	}
	done := make(chan bool)
	go func() { enter(); done <- true }()
	go func() { *c = counter{}; done <- true }()
	<-done
	enter()
	<-done
}

func TestOverwriteBeforehand(t *testing.T) { // no alarm: it is free again before anybody else sees it
	c := new(counter)
	c.mu.Lock()
	*c = counter{}
	done := make(chan bool)
	for range 2 {
		go func() { c.touch(); done <- true }()
	}
	<-done
	<-done
}

// finds: datarace testfailure
func TestPrint(t *testing.T) {
	c := new(counter)
	both(c.touch, func() {
		if s := fmt.Sprintf("%v", c); s != "&{{{} {0 0}} 0}" {
			t.Error(s)
		}
	})
}

// finds: datarace testfailure
func TestCompare(t *testing.T) {
	c := new(counter)
	both(c.touch, func() {
		if *c != (counter{}) {
			t.Error("not equal")
		}
	})
}

// finds: datarace testfailure
func TestDeepEqual(t *testing.T) {
	c := new(counter)
	both(c.touch, func() {
		if !reflect.DeepEqual(c, new(counter)) {
			t.Error("not equal")
		}
	})
}

// finds: datarace deadlock
func TestSend(t *testing.T) {
	c, ch := new(counter), make(chan counter, 1)
	both(c.touch, func() { ch <- *c; d := <-ch; d.mu.Lock() })
}

// finds: datarace testfailure
func TestAppendAndBox(t *testing.T) {
	c := new(counter)
	var all []counter
	both(c.touch, func() {
		all = append(all, *c)
		sink = all[0]
		d := sink.(counter)
		if !d.mu.TryLock() {
			t.Error("locked")
		}
	})
}

// finds: testfailure
func TestPointerToBytes(t *testing.T) { // atomic: no race
	mu := new(sync.Mutex)
	both(func() { mu.Lock(); mu.Unlock() }, func() {
		if atomic.LoadInt32((*int32)(unsafe.Pointer(mu))) != 0 {
			t.Error("locked")
		}
	})
}

// finds: datarace testfailure
func TestPlainPointerToBytes(t *testing.T) {
	mu := new(sync.Mutex)
	both(func() { mu.Lock(); mu.Unlock() }, func() {
		if *(*int32)(unsafe.Pointer(mu)) != 0 {
			t.Error("locked")
		}
	})
}

func TestStoreFrees(t *testing.T) { // an atomic store frees the lock for a third
	mu := new(sync.Mutex)
	done := make(chan bool)
	mu.Lock()
	go func() { mu.Lock(); done <- true }()
	go func() { atomic.StoreInt32((*int32)(unsafe.Pointer(mu)), 0); done <- true }()
	<-done
	<-done
}

type shared[T any] struct {
	l T
	n int
}

// finds: deadlock
func TestCopyRWMutex(t *testing.T) { // no race: the race detector sees none
	s := new(shared[sync.RWMutex])
	both(func() { s.l.RLock(); s.l.RUnlock() }, func() { d := *s; d.l.Lock() })
}

// finds: testfailure
func TestCopyRWMutexWriter(t *testing.T) {
	s := new(shared[sync.RWMutex])
	both(func() { s.l.Lock(); s.l.Unlock() }, func() {
		d := *s
		if !d.l.TryRLock() {
			t.Error("locked")
		}
	})
}

// finds: datarace panics
func TestOverwriteRWMutex(t *testing.T) {
	s := new(shared[sync.RWMutex])
	both(func() { s.l.RLock(); s.l.RUnlock() }, func() { *s = shared[sync.RWMutex]{} })
}

func TestPrintRWMutex(t *testing.T) {
	s := new(sync.RWMutex)
	both(func() { s.RLock(); s.RUnlock() }, func() { t.Log(fmt.Sprint(s)); sink = fmt.Sprint(s) })
	if s := fmt.Sprint(s); s != "&{{{} {0 0}} 0 0 {{} 0} {{} 0}}" {
		t.Error(s)
	}
}

// finds: datarace deadlock testfailure
func TestCopyOnce(t *testing.T) {
	s := new(shared[sync.Once])
	both(func() { s.l.Do(func() {}) }, func() {
		d := *s
		ran := false
		d.l.Do(func() { ran = true })
		if !ran {
			t.Error("done")
		}
	})
}

func TestCopyDoneOnce(t *testing.T) { // no race: what is done only looks
	s := new(shared[sync.Once])
	s.l.Do(func() {})
	both(func() { s.l.Do(func() {}) }, func() { d := *s; d.l.Do(func() { t.Error("ran") }) })
}

// finds: datarace panics testfailure
func TestResetOnce(t *testing.T) {
	s := new(shared[sync.Once])
	n := int32(0)
	run := func() { s.l.Do(func() { atomic.AddInt32(&n, 1) }) }
	both(func() { run(); run() }, func() { s.l = sync.Once{} })
	if n == 2 {
		t.Error("ran twice")
	}
}

// finds: deadlock
func TestCopyWaitGroup(t *testing.T) {
	s := new(shared[sync.WaitGroup])
	s.l.Add(1)
	both(s.l.Done, func() { d := *s; d.l.Wait() })
}

// finds: datarace panics
func TestResetWaitGroup(t *testing.T) { // negative counter
	s := new(shared[sync.WaitGroup])
	both(func() { s.l.Add(1); s.l.Done() }, func() { s.l = sync.WaitGroup{} })
	s.l.Wait()
}

// finds: datarace testfailure
func TestCopyMap(t *testing.T) {
	s := new(shared[sync.Map])
	both(func() { s.l.Store(1, 1) }, func() {
		d := *s
		d.l.Store(2, 2)
		if _, ok := d.l.Load(1); ok {
			t.Error("shared")
		}
	})
}

// finds: testfailure
func TestCopyUsedMap(t *testing.T) { // no race: the copy shares what the original holds
	s := new(shared[sync.Map])
	s.l.Load(0)
	both(func() { s.l.Store(1, 1) }, func() {
		d := *s
		if _, ok := d.l.Load(1); ok {
			t.Error("seen")
		}
	})
}

// Who comes to Lock tries to take the lock, while its holder copies it.
//
// finds: datarace
func TestCopyByHolder(t *testing.T) {
	s := new(shared[sync.Mutex])
	both(func() {
		s.l.Lock()
		d := *s
		sink = &d
		s.l.Unlock()
	}, func() { s.l.Lock(); s.l.Unlock() })
}

func TestCopyByHolderBefore(t *testing.T) { // no race: the other one comes later
	s := new(shared[sync.Mutex])
	over := make(chan bool)
	both(func() {
		s.l.Lock()
		d := *s
		sink = &d
		s.l.Unlock()
		close(over)
	}, func() { <-over; s.l.Lock(); s.l.Unlock() })
}

// Of two that use a Map for the first time the second may find that the first has not ended, and lock its Mutex after that.
//
// finds: datarace
func TestCopyMapAfterUse(t *testing.T) {
	s := new(shared[sync.Map])
	both(func() {
		s.l.Load(1)
		d := *s
		sink = &d
	}, func() { s.l.Load(2) })
}

func TestCopyMapAfterUseOfBoth(t *testing.T) { // no race: the second knows of the first
	s := new(shared[sync.Map])
	used := make(chan bool)
	both(func() {
		s.l.Load(1)
		close(used)
		d := *s
		sink = &d
	}, func() { <-used; s.l.Load(2) })
}

func TestClearCopyOfMap(t *testing.T) { // no race: Clear stores a root in the copy
	s := new(shared[sync.Map])
	s.l.Load(0)
	both(func() { d := *s; d.l.Clear() }, func() { d := *s; sink = &d })
}

// finds: datarace
func TestClearMapBesideCopy(t *testing.T) {
	s := new(shared[sync.Map])
	s.l.Load(0)
	both(func() { s.l.Clear() }, func() { d := *s; sink = &d })
}

func TestDrainMap(t *testing.T) {
	s := new(shared[sync.Map])
	s.l.Store(1, 1)
	old := *s
	*s = shared[sync.Map]{}
	both(func() { s.l.Store(2, 2) }, func() {
		if _, ok := old.l.Load(1); !ok {
			t.Error("lost")
		}
		if _, ok := old.l.Load(2); ok {
			t.Error("shared")
		}
	})
}

// finds: testfailure
func TestCopyPool(t *testing.T) {
	s := new(shared[sync.Pool])
	s.l.Put(1)
	both(func() { s.l.Get() }, func() {
		d := *s
		if d.l.Get() == nil {
			t.Error("taken")
		}
	})
}

// finds: datarace panics
func TestCopyCond(t *testing.T) { // a copy of one that was used panics
	s := &shared[sync.Cond]{}
	both(func() { s.l.Signal() }, func() { d := *s; d.l.Signal() })
}

// word is the word that says whether mu is locked.
func word(mu *sync.Mutex) *int32 { return (*int32)(unsafe.Pointer(mu)) }

// The second Lock finds what was stored, so the store is before the copy. The race detector agrees where Lock still spins.
//
// finds: deadlock
func TestStoreLetsIn(t *testing.T) {
	var c counter
	go func() { atomic.StoreInt32(word(&c.mu), 0) }()
	c.mu.Lock()
	c.mu.Lock()
	d := c
	_ = d.mu.TryLock()
	c.mu.Unlock()
}

// Here the store may come after the Lock, and then beside the copy.
//
// finds: datarace
func TestStoreBesideCopy(t *testing.T) {
	var c counter
	go func() { atomic.StoreInt32(word(&c.mu), 0) }()
	c.mu.Lock()
	d := c
	_ = d.mu.TryLock()
}

// A TryLock of what one holds oneself succeeds after the store only.
func TestStoreThenTryLock(t *testing.T) {
	var c counter
	x := 0
	go func() { x = 1; atomic.StoreInt32(word(&c.mu), 0) }()
	c.mu.Lock()
	if c.mu.TryLock() && x == 0 {
		t.Error(x)
	}
}

func TestUnlockThenLoad(t *testing.T) {
	var mu sync.Mutex
	x := 0
	mu.Lock()
	go func() { x = 1; mu.Unlock() }()
	if atomic.LoadInt32(word(&mu)) == 0 && x == 0 {
		t.Error(x)
	}
}

// finds: datarace
func TestUnlockThenLoadTooEarly(t *testing.T) {
	var mu sync.Mutex
	x := 0
	mu.Lock()
	go func() { mu.Unlock(); x = 1 }()
	if atomic.LoadInt32(word(&mu)) == 0 && x == 2 {
		t.Error(x)
	}
}
