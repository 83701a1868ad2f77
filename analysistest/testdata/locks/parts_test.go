package locks

import (
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

// This file overwrites an RWMutex while a goroutine stands between two steps of it. Each step touches its own part of the bytes and no other.

// parts returns the words of a lock: the Mutex of writers, and the count of readers.
func parts(rw *sync.RWMutex) (w, readers int32) {
	p := unsafe.Pointer(rw)
	return atomic.LoadInt32((*int32)(p)), atomic.LoadInt32((*int32)(unsafe.Add(p, 16)))
}

// announcedAlone fails if a writer has announced itself and the Mutex of writers is free.
func announcedAlone(t *testing.T, rw *sync.RWMutex) {
	if w, readers := parts(rw); w == 0 && readers < 0 {
		t.Error("announced alone")
	}
}

// finds: datarace testfailure
func TestOverwriteBetweenSteps(t *testing.T) {
	rw := new(sync.RWMutex)
	both(func() { rw.Lock() }, func() { *rw = sync.RWMutex{} })
	announcedAlone(t, rw)
}

// finds: datarace testfailure
func TestOverwriteBetweenStepsOfTryLock(t *testing.T) {
	rw := new(sync.RWMutex)
	both(func() { rw.TryLock() }, func() { *rw = sync.RWMutex{} })
	announcedAlone(t, rw)
}

// finds: datarace panics
func TestOverwriteWhileTryLockFails(t *testing.T) { // it lets go of what it does not hold
	rw := new(sync.RWMutex)
	rw.RLock()
	both(func() { rw.TryLock() }, func() { *rw = sync.RWMutex{} })
}

// finds: datarace panics testfailure
func TestOverwriteBesideUnlock(t *testing.T) { // two writers may be inside; what is read depends on where the other one stands
	rw := new(sync.RWMutex)
	both(func() { rw.Lock(); rw.Unlock() }, func() {
		*rw = sync.RWMutex{}
		rw.Lock()
		rw.Unlock()
		announcedAlone(t, rw)
	})
}

// finds: datarace testfailure
func TestStoreBetweenSteps(t *testing.T) { // an atomic store; Lock is a plain read of the first byte to the race detector
	rw := new(sync.RWMutex)
	both(func() { rw.Lock() }, func() { atomic.StoreInt32((*int32)(unsafe.Pointer(rw)), 0) })
	announcedAlone(t, rw)
}

func TestOverwriteBeforeLock(t *testing.T) { // near miss: nobody stands between two steps
	rw := new(sync.RWMutex)
	*rw = sync.RWMutex{}
	both(func() { rw.Lock() }, func() { parts(rw) })
	announcedAlone(t, rw)
}

func TestLockBetweenSteps(t *testing.T) { // near miss: nobody overwrites
	rw := new(sync.RWMutex)
	both(func() { rw.Lock(); rw.Unlock() }, func() { rw.RLock(); rw.RUnlock() })
	announcedAlone(t, rw)
}
