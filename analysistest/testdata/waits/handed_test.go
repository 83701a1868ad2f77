package waits

import (
	"sync"
	"testing"
	"time"
)

// This file has goroutines that are blocked at a lock whose holder has ended, while somebody who is alive hands out the
// lock's Unlock as a value: to a timer that may yet fire, or to one that would (LEAK2).

var (
	forTimer, forLate, forWaiter, forCall, onlyLocked, forBoth sync.Mutex

	forReader sync.RWMutex
	forField  struct{ sync.Mutex }
	starts    *time.Timer
	gate      = make(chan int)
)

func holdAndEnd(m sync.Locker) {
	d := make(chan bool)
	go func() { m.Lock(); close(d) }()
	<-d
}

// finds:
func TestHandsToStoppedTimer(t *testing.T) {
	holdAndEnd(&forTimer)
	starts = time.AfterFunc(time.Hour, forTimer.Unlock)
	starts.Stop()
	go func() { forTimer.Lock(); forTimer.Unlock() }()
}

// It fires when go test has given up.
// finds:
func TestHandsToLateTimer(t *testing.T) {
	holdAndEnd(&forLate)
	time.AfterFunc(time.Hour, forLate.Unlock)
	go func() { forLate.Lock(); forLate.Unlock() }()
}

// finds:
func TestHandsToTimer(t *testing.T) {
	holdAndEnd(&forWaiter)
	go func() { <-gate; time.AfterFunc(time.Second, forWaiter.Unlock) }()
	go func() { forWaiter.Lock(); forWaiter.Unlock() }()
}

// finds:
func TestHandsEmbedded(t *testing.T) {
	holdAndEnd(&forField)
	go func() { <-gate; time.AfterFunc(time.Second, forField.Unlock) }()
	go func() { forField.Lock(); forField.Unlock() }()
}

// finds:
func TestHandsExpression(t *testing.T) {
	holdAndEnd(&forCall)
	go func() { <-gate; (*sync.Mutex).Unlock(&forCall) }()
	go func() { forCall.Lock(); forCall.Unlock() }()
}

// finds:
func TestHandsRUnlock(t *testing.T) {
	holdAndEnd(forReader.RLocker())
	go func() { <-gate; time.AfterFunc(time.Second, forReader.RUnlock) }()
	go func() { forReader.Lock(); forReader.Unlock() }()
}

// finds: goroutineleak
func TestHandsLock(t *testing.T) {
	holdAndEnd(&onlyLocked)
	go func() { <-gate; time.AfterFunc(time.Second, onlyLocked.Lock) }()
	go func() { onlyLocked.Lock(); onlyLocked.Unlock() }()
}

// finds: goroutineleak
func TestHandsBoth(t *testing.T) {
	holdAndEnd(&forBoth)
	go func() { <-gate; time.AfterFunc(time.Second, func() { forBoth.Lock(); forBoth.Unlock() }) }()
	go func() { forBoth.Lock(); forBoth.Unlock() }()
}
