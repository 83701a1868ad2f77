package a

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Nobody sets the flag, and the test is over.
func TestSpin(t *testing.T) { // verdict: exhausted
	var stop atomic.Bool
	go func() {
		for !stop.Load() { // want `livelock: G1\.1 goes round for ever here in atomic load, started at \S+:\d+\n.*\n\tin TestSpin`
		}
	}()
}

// Nobody sends.
func TestSelect(t *testing.T) { // verdict: exhausted
	ch := make(chan int)
	for {
		select { // want `livelock: G1 goes round for ever here in select\n.*\n\tin TestSelect`
		case <-ch:
			return
		default:
		}
	}
}

func TestSleep(t *testing.T) { // verdict: exhausted
	var ready atomic.Bool
	for !ready.Load() {
		time.Sleep(time.Millisecond) // want `livelock: G1 goes round for ever here in sleep\n.*\n\tin TestSleep`
	}
}

// One handler does not count itself down, under a schedule.
func TestHandlers(t *testing.T) { // verdict: exhausted
	var active atomic.Int64
	var closing atomic.Bool
	active.Add(1)
	go func() {
		if closing.Load() {
			return
		}
		active.Add(-1)
	}()
	closing.Store(true)
	for active.Load() > 0 { // want `livelock: G1 goes round for ever here in atomic load\n.*\n\tin TestHandlers`
		runtime.Gosched()
	}
}

// A lock is taken to look.
func TestLocked(t *testing.T) { // verdict: exhausted
	var mu sync.Mutex
	ready := false
	for {
		mu.Lock() // want `livelock: G1 goes round for ever here in Mutex\.Lock\n.*\n\tin TestLocked`
		if ready {
			return
		}
		mu.Unlock()
	}
}

func TestSpinEnds(t *testing.T) { // verdict: exhausted
	var ready atomic.Bool
	go func() { ready.Store(true) }()
	for !ready.Load() {
	}
}

func TestYieldEnds(t *testing.T) { // verdict: exhausted
	var ready atomic.Bool
	go func() { ready.Store(true) }()
	for !ready.Load() {
		runtime.Gosched()
	}
}

func TestSelectEnds(t *testing.T) { // verdict: exhausted
	ch := make(chan int)
	go func() { ch <- 1 }()
	for {
		select {
		case <-ch:
			return
		default:
		}
	}
}

func TestSleepEnds(t *testing.T) { // verdict: exhausted
	var ready atomic.Bool
	go func() {
		time.Sleep(time.Second)
		ready.Store(true)
	}()
	for !ready.Load() {
		time.Sleep(10 * time.Millisecond)
	}
}

// Two that wait for each other in turn.
func TestHandshake(t *testing.T) { // verdict: exhausted
	var a, b atomic.Bool
	go func() {
		a.Store(true)
		for !b.Load() {
		}
	}()
	for !a.Load() {
	}
	b.Store(true)
}

func TestSpinLock(t *testing.T) { // verdict: exhausted
	var held atomic.Int32
	n := 0
	done := make(chan bool)
	add := func() {
		for !held.CompareAndSwap(0, 1) {
			runtime.Gosched()
		}
		n++
		held.Store(0)
	}
	go func() {
		add()
		close(done)
	}()
	add()
	<-done
}

func TestTryLockEnds(t *testing.T) { // verdict: exhausted
	var mu sync.Mutex
	locked := make(chan bool)
	go func() {
		mu.Lock()
		locked <- true
		mu.Unlock()
	}()
	<-locked
	for !mu.TryLock() {
		runtime.Gosched()
	}
}

func TestLockedEnds(t *testing.T) { // verdict: exhausted
	var mu sync.Mutex
	ready := false
	go func() {
		mu.Lock()
		ready = true
		mu.Unlock()
	}()
	for {
		mu.Lock()
		if ready {
			mu.Unlock()
			return
		}
		mu.Unlock()
	}
}

// Time passes while a goroutine looks at the clock.
func TestClock(t *testing.T) { // verdict: exhausted
	for start := time.Now(); time.Since(start) < time.Second; {
		runtime.Gosched()
	}
}

// The rounds are counted.
func TestBounded(t *testing.T) { // verdict: exhausted
	var ready atomic.Bool
	for n := 0; n < 100 && !ready.Load(); n++ {
	}
}

func TestCountedInMemory(t *testing.T) { // verdict: exhausted
	var ready atomic.Bool
	n := new(int)
	for *n < 100 && !ready.Load() {
		*n++
	}
	_ = func() *int { return n }
}

// What changes something goes on, up to a limit, though another goroutine takes part. Package long has one alone.
func TestRetries(t *testing.T) { // verdict: incomplete `stopped at the limit of (events|operations)|limit of \d+ events reached`
	var n atomic.Int64
	go func() {
		n.Load()
	}()
	for n.Add(1) > 0 {
	}
}
