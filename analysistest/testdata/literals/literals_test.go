// Package literals has package variables with locks that a composite literal initialises without naming the lock. A
// ticker is started there, so each execution runs the initialiser. It writes the parts that the literal names, and not
// the lock (LITERAL1).
package literals

import (
	"sync"
	"testing"
	"time"
)

type arbiter struct {
	sync.RWMutex
	meters map[int]int
	ticker *time.Ticker
}

var one = arbiter{ticker: time.NewTicker(time.Second), meters: map[int]int{}}

// The worker of a ticker that was started with the package goes on for ever.
func TestTicker(t *testing.T) {
	go func() {
		for range one.ticker.C {
			one.RLock()
			for range one.meters {
			}
			one.RUnlock()
		}
	}()
	one.Lock()
	one.meters[len(one.meters)] = 1
	one.Unlock()
}

var nested = struct {
	name  string
	inner struct {
		sync.Mutex
		n map[string]int
	}
}{name: "a", inner: struct {
	sync.Mutex
	n map[string]int
}{n: map[string]int{"a": 1}}}

// The literal stands in another one.
func TestNested(t *testing.T) {
	done := make(chan bool)
	go func() {
		nested.inner.Lock()
		nested.inner.n[nested.name]++
		nested.inner.Unlock()
		close(done)
	}()
	nested.inner.Lock()
	nested.inner.n[nested.name]++
	nested.inner.Unlock()
	if <-done; nested.inner.n["a"] != 3 {
		t.Error(nested.inner.n)
	}
}

type shard struct {
	sync.Mutex
	n map[int]int
}

var shards = [3]shard{{n: make(map[int]int)}, 2: {n: make(map[int]int)}}

// Literals are the elements of an array.
func TestElements(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			s := &shards[i&2]
			s.Lock()
			s.n[i]++
			s.Unlock()
		})
	}
	wg.Wait()
	if len(shards[0].n) != 2 || len(shards[2].n) != 2 {
		t.Error(shards[0].n, shards[2].n)
	}
}

var both = struct {
	sync.Mutex
	n    int
	even bool
}{n: len(shards), even: len(nested.name) == 1 && cap(one.ticker.C) == 1 || one.meters == nil}

// A part of the literal has branches.
func TestBranches(t *testing.T) {
	done := make(chan bool)
	go func() {
		both.Lock()
		both.n++
		both.Unlock()
		close(done)
	}()
	both.Lock()
	both.n++
	both.Unlock()
	if <-done; both.n != 5 || both.even {
		t.Error(both.n, both.even)
	}
}
