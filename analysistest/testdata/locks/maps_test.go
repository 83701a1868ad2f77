package locks

import (
	"sync"
	"testing"
)

// This file has sync.Maps that are copied beside an operation whose goroutine does not know of the first one. If it
// comes before that has ended, it takes the lock of the Map, or is the first itself. If it has seen that the Map was
// used, it does neither.

func copyOfMap(m *sync.Map) {
	c := *m
	sink = &c
}

// seen has one goroutine use a Map, and another one load a key if it sees that this was done. Then the first one copies
// the Map.
func seen(sees func(c chan int, mu *sync.Mutex) bool, says func(c chan int, mu *sync.Mutex)) {
	var m sync.Map
	var mu sync.Mutex
	c := make(chan int, 1)
	both(func() {
		/*nap*/
		if sees(c, &mu) {
			m.Load("k")
		}
	}, func() {
		m.Store("k", 1)
		says(c, &mu)
		/*nap*/
		copyOfMap(&m)
	})
}

func TestMapSeenByLen(t *testing.T) {
	seen(func(c chan int, _ *sync.Mutex) bool { return len(c) == 1 }, func(c chan int, _ *sync.Mutex) { c <- 1 })
}

func TestMapSeenByTryLock(t *testing.T) {
	seen(func(_ chan int, mu *sync.Mutex) bool { return !mu.TryLock() }, func(_ chan int, mu *sync.Mutex) { mu.TryLock() })
}

func TestMapSeenByDefault(t *testing.T) {
	seen(func(c chan int, _ *sync.Mutex) bool {
		select {
		case c <- 1:
			return false
		default:
			return true
		}
	}, func(c chan int, _ *sync.Mutex) {
		select {
		case c <- 1:
		default:
		}
	})
}

// finds: datarace
func TestMapNotSeen(t *testing.T) {
	seen(func(c chan int, _ *sync.Mutex) bool { return true }, func(c chan int, _ *sync.Mutex) { c <- 1 })
}

// finds: datarace
func TestMapSeenInOperation(t *testing.T) { // it has begun, and not ended
	var m sync.Map
	c := make(chan int, 1)
	both(func() {
		/*nap*/
		if len(c) == 1 {
			m.Load("k")
		}
	}, func() {
		c <- 1
		/*nap*/
		m.Store("k", 1)
		copyOfMap(&m)
	})
}

func TestMapTold(t *testing.T) {
	seen(func(c chan int, _ *sync.Mutex) bool { return <-c == 1 }, func(c chan int, _ *sync.Mutex) { c <- 1 })
}

// finds: datarace
func TestMapStoredThough(t *testing.T) { // who has seen it writes no byte of the Map, but may clear it
	var m sync.Map
	c := make(chan int, 1)
	both(func() {
		/*nap*/
		if len(c) == 1 {
			m.Clear()
		}
	}, func() {
		m.Store("k", 1)
		c <- 1
		/*nap*/
		copyOfMap(&m)
	})
}

func TestMapStoredBesideCopy(t *testing.T) {
	var m sync.Map
	c := make(chan int, 1)
	both(func() {
		/*nap*/
		if len(c) == 1 {
			m.Store("j", 1)
		}
	}, func() {
		m.Store("k", 1)
		c <- 1
		/*nap*/
		copyOfMap(&m)
	})
}

// finds: datarace
func TestMapFoundAndCopied(t *testing.T) { // the first operation's Unlock comes after what this one finds
	var m sync.Map
	both(func() { m.Load("j"); copyOfMap(&m) }, func() { m.Load("k") })
}

func TestMapFoundStore(t *testing.T) { // the Store comes after that Unlock
	var m sync.Map
	c := make(chan int, 1)
	both(func() {
		/*nap*/
		if len(c) == 1 {
			m.Load("k")
			copyOfMap(&m)
		}
	}, func() { m.Store("k", 1); c <- 1 })
}

// finds: datarace
func TestMapFoundOther(t *testing.T) {
	var m sync.Map
	c := make(chan int, 1)
	both(func() {
		/*nap*/
		if len(c) == 1 {
			m.Load("j")
			copyOfMap(&m)
		}
	}, func() { m.Store("k", 1); c <- 1 })
}
