package races

// This file has what Stores of an atomic.Value, and Signals of a Cond, order. A Store is after the first one, and no
// other. A Signal finds by a plain read of package sync that there was one before.

import (
	"sync"
	"sync/atomic"
	"testing"
)

// stored has one goroutine write x and operate on a Value. Another learns of it by the length of a channel, operates
// too, and reads x. The Value holds 0 before, if there is a first.
func stored(first bool, op, then func(v *atomic.Value)) {
	var v atomic.Value
	if first {
		v.Store(0)
	}
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; op(&v); c <- 1 }, func() {
		if len(c) == 1 {
			then(&v)
			sink = x
		}
	})
}

func store(v *atomic.Value) { v.Store(1) }

func TestRaceValueStores(t *testing.T) { stored(true, store, store) }

func TestRaceValueSwapAndStore(t *testing.T) {
	stored(true, func(v *atomic.Value) { v.Swap(1) }, store)
}

func TestRaceValueReplacedAndStore(t *testing.T) {
	stored(true, func(v *atomic.Value) { v.CompareAndSwap(0, 1) }, store)
}

func TestQuietValueFirstStore(t *testing.T) { stored(false, store, store) }

func TestQuietValueFirstSwap(t *testing.T) {
	stored(false, func(v *atomic.Value) { v.Swap(1) }, store)
}

func TestQuietValueFirstReplaced(t *testing.T) {
	stored(false, func(v *atomic.Value) { v.CompareAndSwap(nil, 1) }, store)
}

func TestQuietValueStoreAndSwap(t *testing.T) {
	stored(true, store, func(v *atomic.Value) { v.Swap(2) })
}

func TestQuietValueStoreAndLoad(t *testing.T) {
	stored(true, store, func(v *atomic.Value) { v.Load() })
}

func TestQuietValueStoreAndCompare(t *testing.T) {
	stored(true, store, func(v *atomic.Value) { v.CompareAndSwap(7, 2) })
}

// The first Store is of a third goroutine, and the Store of the one that writes x is not.
func TestRaceValueSecondStore(t *testing.T) {
	var v atomic.Value
	v.Store(0)
	x, c := 0, make(chan int, 2)
	go func() { v.Store(3); c <- 1 }()
	beside(func() { x = 1; v.Store(1); c <- 1 }, func() {
		if len(c) == 2 {
			v.Store(2)
			sink = x
		}
	})
}

// signalled is stored for a Cond.
func signalled(first bool, op, then func(c *sync.Cond)) {
	cond := sync.NewCond(new(sync.Mutex))
	if first {
		cond.Signal()
	}
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; op(cond); c <- 1 }, func() {
		if len(c) == 1 {
			then(cond)
			sink = x
		}
	})
}

func TestRaceCondFirstSignals(t *testing.T) {
	signalled(false, (*sync.Cond).Signal, (*sync.Cond).Signal)
}

func TestRaceCondSignals(t *testing.T) { signalled(true, (*sync.Cond).Signal, (*sync.Cond).Signal) }

func TestRaceCondFirstBroadcasts(t *testing.T) {
	signalled(false, (*sync.Cond).Broadcast, (*sync.Cond).Broadcast)
}

func TestRaceCondSignalAndBroadcast(t *testing.T) {
	signalled(false, (*sync.Cond).Signal, (*sync.Cond).Broadcast)
}

func TestQuietCondUnderLock(t *testing.T) {
	under := func(c *sync.Cond) {
		c.L.Lock()
		c.Signal()
		c.L.Unlock()
	}
	signalled(false, under, under)
}
