package locks

import (
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

// This file copies, moves and compares locks by what does not look like it: arrays, elements of slices and maps, values
// bound to functions, reflection.

// finds: datarace testfailure
func TestCopyOfArray(t *testing.T) {
	a := new([2]sync.Mutex)
	both(func() { a[1].Lock(); a[1].Unlock() }, func() {
		b := *a
		if !b[1].TryLock() {
			t.Error("the copy is locked")
		}
	})
}

func TestCopyOfOtherElement(t *testing.T) { // near miss
	a := new([2]sync.Mutex)
	both(func() { a[1].Lock(); a[1].Unlock() }, func() {
		b := a[0]
		b.Lock()
	})
}

// finds: datarace deadlock
func TestCopyByRange(t *testing.T) {
	all := make([]counter, 2)
	both(all[1].touch, func() {
		for _, c := range all {
			c.mu.Lock()
		}
	})
}

func TestRangeByIndex(t *testing.T) { // near miss
	all := make([]counter, 2)
	both(all[1].touch, func() {
		for i := range all {
			all[i].touch()
		}
	})
}

// A slice that grows takes the lock along as it is: who unlocks the old one leaves the new one locked.
//
// finds: testfailure
func TestGrownWhileHeld(t *testing.T) {
	all := make([]counter, 1, 1)
	c := &all[0]
	locked, grown := make(chan bool), make(chan bool)
	both(func() { c.mu.Lock(); locked <- true; <-grown; c.mu.Unlock() }, func() {
		<-locked
		all = append(all, counter{})
		grown <- true
		if !all[0].mu.TryLock() {
			t.Error("still locked")
		}
	})
}

func TestGrownInPlace(t *testing.T) { // near miss
	all := make([]counter, 1, 2)
	c := &all[0]
	both(c.touch, func() {
		all = append(all, counter{})
		all[0].touch()
	})
}

// A method value keeps its receiver as it was.
//
// finds: deadlock
func TestCopyByMethodValue(t *testing.T) {
	c := new(counter)
	c.mu.Lock()
	get := c.Get
	c.mu.Unlock()
	both(func() {}, func() { get() })
}

func TestMethodValueOfPointer(t *testing.T) { // near miss
	c := new(counter)
	c.mu.Lock()
	touch := c.touch
	c.mu.Unlock()
	both(func() {}, touch)
}

// finds: datarace testfailure
func TestCopyByDefer(t *testing.T) {
	c := new(counter)
	both(c.touch, func() {
		defer func(c counter) {
			if !c.mu.TryLock() {
				t.Error("locked")
			}
		}(*c)
	})
}

// finds: testfailure
func TestCopyByGo(t *testing.T) {
	c := new(counter)
	done := make(chan bool)
	c.mu.Lock()
	go func(c counter) { done <- c.mu.TryLock() }(*c)
	c.mu.Unlock()
	if !<-done {
		t.Error("locked")
	}
}

// finds: datarace testfailure
func TestCopyByReflection(t *testing.T) {
	c, d := new(counter), new(counter)
	both(c.touch, func() {
		reflect.ValueOf(d).Elem().Set(reflect.ValueOf(c).Elem())
		if !d.mu.TryLock() {
			t.Error("locked")
		}
	})
}

// finds: datarace panics
func TestSetZeroByReflection(t *testing.T) {
	c := new(counter)
	both(c.touch, func() { reflect.ValueOf(c).Elem().SetZero() })
}

func TestSwapped(t *testing.T) { // no alarm: what was locked is in the other place
	c, d := new(counter), new(counter)
	c.mu.Lock()
	*c, *d = *d, *c
	both(c.touch, func() {
		if d.mu.TryLock() {
			t.Error("it has moved")
		}
	})
}

// finds: datarace panics
func TestReversed(t *testing.T) {
	all := make([]sync.Mutex, 2)
	both(func() { all[0].Lock(); all[0].Unlock() }, func() { slices.Reverse(all) })
}

// finds: datarace panics
func TestCleared(t *testing.T) {
	all := make([]sync.Mutex, 1)
	both(func() { all[0].Lock(); all[0].Unlock() }, func() { clear(all) })
}

// finds: datarace testfailure
func TestInMap(t *testing.T) {
	c, m := new(counter), map[int]counter{}
	both(c.touch, func() {
		m[1] = *c
		d := m[1]
		if !d.mu.TryLock() {
			t.Error("locked")
		}
	})
}

// finds: datarace testfailure
func TestAsKey(t *testing.T) { // a locked Mutex is another key
	c, m := new(counter), map[counter]int{{}: 1}
	both(c.touch, func() {
		if m[*c] == 0 {
			t.Error("another one")
		}
	})
}

func TestAsKeyOfInterface(t *testing.T) {
	c, m := new(counter), map[any]int{counter{}: 1}
	c.mu.Lock()
	k := any(*c)
	both(func() { c.mu.Unlock() }, func() {
		if m[k] == 1 {
			t.Error("it was locked when it was boxed")
		}
	})
}

// finds: datarace testfailure
func TestComparedInInterface(t *testing.T) {
	c := new(counter)
	both(c.touch, func() {
		if any(*c) != any(counter{}) {
			t.Error("another one")
		}
	})
}

func TestPointersCompared(t *testing.T) { // near miss
	c := new(counter)
	both(c.touch, func() {
		if any(c) != any(c) || len(map[*counter]int{c: 1}) != 1 {
			t.Error("another one")
		}
	})
}

func copied[T any](p *T) T { return *p }

// finds: deadlock
func TestCopyByTypeParameter(t *testing.T) {
	rw := new(sync.RWMutex)
	rw.RLock()
	d := copied(rw)
	rw.RUnlock()
	both(func() { d.Lock() }, func() {})
}

// finds: datarace testfailure
func TestBytesOfLock(t *testing.T) {
	mu := new(sync.Mutex)
	both(func() { mu.Lock(); mu.Unlock() }, func() {
		for _, b := range unsafe.Slice((*byte)(unsafe.Pointer(mu)), unsafe.Sizeof(*mu)) {
			if b != 0 {
				t.Error("locked")
			}
		}
	})
}

func TestBytesBesideLock(t *testing.T) { // near miss
	c := new(counter)
	both(func() { c.mu.Lock(); c.mu.Unlock() }, func() {
		for _, b := range unsafe.Slice((*byte)(unsafe.Pointer(&c.n)), unsafe.Sizeof(c.n)) {
			if b != 0 {
				t.Error("changed")
			}
		}
	})
}

// finds: datarace
func TestCopyOfAtomic(t *testing.T) { // an atomic is memory, too
	s := new(shared[atomic.Int32])
	both(func() { s.l.Add(1) }, func() { d := *s; d.l.Add(1) })
}

// A Pool and a Map that are overwritten forget what they had.
func TestOverwriteMap(t *testing.T) {
	s := new(shared[sync.Map])
	s.l.Store(1, 1)
	*s = shared[sync.Map]{}
	both(func() { s.l.Store(2, 2) }, func() {
		if _, ok := s.l.Load(1); ok {
			t.Error("still there")
		}
	})
}

// finds: deadlock
func TestMoveWaitGroup(t *testing.T) { // the count goes along
	s := new(shared[sync.WaitGroup])
	s.l.Add(1)
	d := *s
	both(d.l.Done, d.l.Wait)
	s.l.Wait()
}
