// Package measured has tests in which another goroutine asks for what only a measurement could answer. The answer is
// written to memory of the program's, under a lock.
package measured

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"testing"
)

func seenUnderLock(write func(), seen func() bool) (was bool) {
	var mu sync.Mutex
	done := make(chan bool)
	go func() {
		mu.Lock()
		write()
		mu.Unlock()
		done <- true
	}()
	mu.Lock()
	was = seen()
	mu.Unlock()
	<-done
	return was
}

func TestMemory(t *testing.T) { // verdict: not-supported `runtime.ReadMemStats, and the test failed afterwards`
	m := runtime.MemStats{NumGC: 1 << 31}
	if seenUnderLock(func() { runtime.ReadMemStats(&m) }, func() bool { return m.NumGC == 0 }) {
		t.Error("seen")
	}
}

func TestCollections(t *testing.T) { // verdict: not-supported `runtime/debug.ReadGCStats, and the test failed afterwards`
	s := debug.GCStats{NumGC: -1}
	if seenUnderLock(func() { debug.ReadGCStats(&s) }, func() bool { return s.NumGC == 0 }) {
		t.Error("seen")
	}
}

func TestMetrics(t *testing.T) { // verdict: not-supported `runtime/metrics.Read, and the test failed afterwards`
	s := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}}
	if seenUnderLock(func() { metrics.Read(s) }, func() bool { return s[0].Value.Kind() == metrics.KindUint64 }) {
		t.Error("seen")
	}
}
