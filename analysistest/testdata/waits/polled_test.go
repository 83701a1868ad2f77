package waits

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// This file has goroutines that a test leaves in a loop, in which they look at what another test could change, or at
// what nobody can change any more (LEAK6 of package loop). Where in its loop a goroutine is makes no difference.

var (
	polledFlag  atomic.Bool
	polledPlain bool
	polledMu    sync.Mutex
	polledRW    sync.RWMutex
	polledChan  = make(chan int)
	polledMap   = map[string]int{}
	polledState = &struct{ n atomic.Int32 }{}
)

// finds:
// all: livelock
func TestPolledFlag(t *testing.T) {
	go func() {
		for !polledFlag.Load() {
			runtime.Gosched()
		}
	}()
}

// finds: livelock
func TestPolledOwnFlag(t *testing.T) {
	var stop atomic.Bool
	go func() {
		for !stop.Load() {
			runtime.Gosched()
		}
	}()
}

// finds:
// all: livelock
func TestPolledField(t *testing.T) {
	go func() {
		for runtime.Gosched(); polledState.n.Load() == 0; runtime.Gosched() {
		}
	}()
}

// One of the two can change.
//
// finds:
// all: livelock
func TestPolledEither(t *testing.T) {
	var stop atomic.Bool
	go func() {
		for !polledFlag.Load() && !stop.Load() {
			runtime.Gosched()
		}
	}()
}

// finds:
// all: livelock
func TestPolledUnderLock(t *testing.T) {
	go func() {
		for {
			polledMu.Lock()
			done := polledPlain
			polledMu.Unlock()
			if done {
				return
			}
			runtime.Gosched()
		}
	}()
}

// The lock is its own, and what it looks at is not.
//
// finds:
// all: livelock
func TestPolledUnderOwnLock(t *testing.T) {
	var mu sync.Mutex
	go func() {
		for {
			mu.Lock()
			done := polledPlain
			mu.Unlock()
			if done {
				return
			}
		}
	}()
}

// The other way round: who else takes the lock changes nothing.
//
// finds: livelock
func TestPolledOwnUnderLock(t *testing.T) {
	done := false
	go func() {
		for {
			polledMu.Lock()
			stop := done
			polledMu.Unlock()
			if stop {
				return
			}
			runtime.Gosched()
		}
	}()
}

// finds:
// all: livelock
func TestPolledChannel(t *testing.T) {
	go func() {
		for {
			select {
			case <-polledChan:
				return
			default:
				runtime.Gosched()
			}
		}
	}()
}

// finds: livelock
func TestPolledOwnChannel(t *testing.T) {
	c := make(chan int)
	go func() {
		for {
			select {
			case <-c:
				return
			default:
				runtime.Gosched()
			}
		}
	}()
}

// finds:
// all: livelock
func TestPolledEitherChannel(t *testing.T) {
	c := make(chan int)
	go func() {
		for {
			select {
			case <-c:
				return
			case <-polledChan:
				return
			default:
				runtime.Gosched()
			}
		}
	}()
}

// finds:
// all: livelock
func TestPolledLength(t *testing.T) {
	go func() {
		for len(polledMap) == 0 {
			runtime.Gosched()
		}
	}()
}

// Another test may come to an end, or start a goroutine.
//
// finds:
// all:
func TestPolledGoroutines(t *testing.T) {
	go func() {
		for runtime.NumGoroutine() < 100 {
			runtime.Gosched()
		}
	}()
}

// finds:
// all:
func TestPolledFile(t *testing.T) {
	go func() {
		for {
			if _, err := os.Stat("/tmp/nosuchfile"); err == nil {
				return
			}
			runtime.Gosched()
		}
	}()
}

// Its holder has ended, and nobody else unlocks it (LEAK2).
//
// finds: livelock
func TestPolledLostLock(t *testing.T) {
	polledMu.Lock()
	go func() {
		for !polledMu.TryLock() {
			runtime.Gosched()
		}
		polledMu.Unlock()
	}()
}

// finds: livelock
func TestPolledLostRLock(t *testing.T) {
	polledRW.RLock()
	go func() {
		for !polledRW.TryLock() {
			runtime.Gosched()
		}
		polledRW.Unlock()
	}()
}

// finds: livelock
func TestPolledLostWriter(t *testing.T) {
	polledRW.Lock()
	go func() {
		for !polledRW.TryRLock() {
			runtime.Gosched()
		}
		polledRW.RUnlock()
	}()
}

// Its holder waits for what another test could send.
//
// finds:
// all: goroutineleak livelock
func TestPolledHeldLock(t *testing.T) {
	polledMu.Lock()
	go func() {
		<-polledChan
		polledMu.Unlock()
	}()
	go func() {
		for !polledMu.TryLock() {
			runtime.Gosched()
		}
		polledMu.Unlock()
	}()
}

// In the end it polls no more: it waits for a lock whose holder waits for ever.
//
// finds: goroutineleak
func TestPolledThenBlocked(t *testing.T) {
	var mu sync.Mutex
	done := false
	go func() {
		mu.Lock()
		select {}
	}()
	go func() {
		for {
			mu.Lock()
			stop := done
			mu.Unlock()
			if stop {
				return
			}
		}
	}()
}

// What the first one would do then lets the second one go on.
//
// finds:
// all: goroutineleak livelock
func TestPolledThenSends(t *testing.T) {
	c := make(chan int)
	go func() {
		for !polledFlag.Load() {
			runtime.Gosched()
		}
		c <- 1
	}()
	go func() { <-c }()
}

// finds: goroutineleak livelock
func TestPolledOwnThenSends(t *testing.T) {
	var stop atomic.Bool
	c := make(chan int)
	go func() {
		for !stop.Load() {
			runtime.Gosched()
		}
		c <- 1
	}()
	go func() { <-c }()
}

// A goroutine that sleeps in between is alive, as Go's leak profile has it.
//
// finds:
// all:
func TestPolledAsleep(t *testing.T) {
	var stop atomic.Bool
	go func() {
		for !stop.Load() {
			time.Sleep(time.Second)
		}
	}()
}

// The test itself waits for ever, whoever could change what it looks at.
//
// finds: livelock
func TestPolledByTest(t *testing.T) {
	done := make(chan bool)
	go close(done)
	for <-done; !polledFlag.Load(); {
		runtime.Gosched()
	}
}

// finds: livelock
func TestPolledForTest(t *testing.T) {
	var wg sync.WaitGroup
	wg.Go(func() {
		for !polledFlag.Load() {
			runtime.Gosched()
		}
	})
	wg.Wait()
}
