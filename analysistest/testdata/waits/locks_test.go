// Package waits has goroutines that wait for ever, and such as do not, beside what still runs. The comment of an entry says what is found in it.
package waits

import (
	"sync"
	"testing"
	"time"
)

var (
	ga, gb   sync.Mutex
	grw      sync.RWMutex
	gonce    sync.Once
	gwg      sync.WaitGroup
	gch      = make(chan int)
	released = make(chan int)
)

// Two goroutines hold one lock each and want the other's.
//
// finds: goroutineleak
func TestABBA(t *testing.T) {
	c := make(chan int)
	go func() { ga.Lock(); c <- 1; gb.Lock() }()
	go func() { gb.Lock(); <-c; ga.Lock() }()
}

// finds: goroutineleak
func TestDouble(t *testing.T) {
	go func() { ga.Lock(); ga.Lock() }()
}

// finds: goroutineleak
func TestHolderEnded(t *testing.T) {
	ga.Lock()
	go func() { ga.Lock(); ga.Unlock() }()
}

// In one order only.
//
// finds: goroutineleak
func TestHolderMayEnd(t *testing.T) {
	go func() {
		if !ga.TryLock() {
			return
		}
		gb.Lock()
		gb.Unlock()
	}()
	go func() { ga.Lock(); ga.Unlock() }()
}

// finds: goroutineleak
func TestTryHolderEnded(t *testing.T) {
	ga.TryLock()
	go ga.Lock()
}

// finds: goroutineleak
func TestReaderEnded(t *testing.T) {
	grw.RLock()
	go func() { grw.Lock(); grw.Unlock() }()
}

// A writer that waits shuts out a reader that holds the lock already.
//
// finds: goroutineleak
func TestReadAgain(t *testing.T) {
	go func() { grw.RLock(); grw.RLock(); grw.RUnlock(); grw.RUnlock() }()
	go func() { grw.Lock(); grw.Unlock() }()
}

// finds: goroutineleak
func TestUpgrade(t *testing.T) {
	go func() { grw.RLock(); grw.Lock() }()
}

// finds: goroutineleak
func TestReadersAndMutex(t *testing.T) {
	c := make(chan int)
	go func() { grw.RLock(); c <- 1; ga.Lock() }()
	go func() { ga.Lock(); <-c; grw.Lock() }()
}

// finds: goroutineleak
func TestOnceInItself(t *testing.T) {
	go gonce.Do(func() { gonce.Do(func() {}) })
}

// finds: goroutineleak
func TestLockAndChannel(t *testing.T) {
	c, held := make(chan int), make(chan int)
	go func() { ga.Lock(); held <- 1; <-c; ga.Unlock() }()
	<-held
	go func() { ga.Lock(); c <- 1; ga.Unlock() }()
}

// finds: goroutineleak
func TestLockAndGroup(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(1)
	held := make(chan int)
	go func() { ga.Lock(); held <- 1; wg.Wait(); ga.Unlock() }()
	<-held
	go func() { ga.Lock(); wg.Done(); ga.Unlock() }()
}

// The one who still runs uses another lock, and does so in pairs.
//
// finds: goroutineleak
func TestOtherLockBeside(t *testing.T) {
	go func() { ga.Lock(); ga.Lock() }()
	go func() {
		for {
			time.Sleep(time.Minute)
			gb.Lock()
			gb.Unlock()
		}
	}()
}

// From here on nothing is found: somebody could let go, or the wait is one that package variables reach.

// all:
func TestHolderSleeps(t *testing.T) {
	ga.Lock()
	go func() { time.Sleep(time.Second); ga.Unlock() }()
	go func() { ga.Lock(); ga.Unlock() }()
}

// all: goroutineleak
func TestHolderWaitsForOthers(t *testing.T) {
	go func() { ga.Lock(); <-gch; ga.Unlock() }()
	go func() { ga.Lock(); ga.Unlock() }()
}

// The holder has ended, and who unlocks for it waits for a package variable.
//
// all: goroutineleak
func TestHandedOver(t *testing.T) {
	ga.Lock()
	go func() { <-gch; ga.Unlock() }()
	go func() { ga.Lock(); ga.Unlock() }()
}

func release() { ga.Unlock() }

func TestHandedOverInACall(t *testing.T) {
	ga.Lock()
	go func() { <-gch; release() }()
	go func() { ga.Lock(); ga.Unlock() }()
}

func TestHandedOverByAValue(t *testing.T) {
	ga.Lock()
	f := ga.Unlock
	go func() { <-gch; f() }()
	go func() { ga.Lock(); ga.Unlock() }()
}

// A cycle that somebody else breaks.
func TestCycleBroken(t *testing.T) {
	ga.Lock()
	go func() { <-gch; ga.Unlock() }()
	done := make(chan int)
	go func() { <-done }()
	go func() { ga.Lock(); close(done); ga.Unlock() }()
}

func TestReaderWaitsForOthers(t *testing.T) {
	grw.RLock()
	go func() { <-gch; grw.RUnlock() }()
	go func() { grw.Lock(); grw.Unlock() }()
}

// all: goroutineleak
func TestGlobalChannel(t *testing.T) { go func() { <-gch }() }

// all: goroutineleak
func TestGlobalGroup(t *testing.T) {
	gwg.Add(1)
	go gwg.Wait()
}

func TestOnceWaits(t *testing.T) {
	go gonce.Do(func() { <-gch })
	go gonce.Do(func() {})
}

// all:
func TestInOrder(t *testing.T) {
	for range 2 {
		go func() { ga.Lock(); gb.Lock(); gb.Unlock(); ga.Unlock() }()
	}
}
