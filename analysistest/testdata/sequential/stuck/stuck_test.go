package stuck

import (
	"fmt"
	"sync"
	"testing"
)

func TestDouble(t *testing.T) { // verdict: exhausted
	c := &cache{m: map[string]int{}}
	c.add("x")
}

func TestWaitGroup(t *testing.T) { // verdict: exhausted
	var wg sync.WaitGroup
	wg.Add(1)
	wg.Wait() // want `deadlock: .*WaitGroup.Wait`
}

func TestReceive(t *testing.T) { // verdict: exhausted
	for range make(chan int) { // want `deadlock: .*chan receive`
	}
}

func TestNilChannel(t *testing.T) { // verdict: exhausted
	var c chan int
	c <- 1 // want `deadlock: .*chan send \(nil chan\)`
}

func TestSubtest(t *testing.T) { // verdict: exhausted
	t.Run("a", func(t *testing.T) { // want `deadlock: .*chan receive`
		select {}
	})
}

func TestByInterface(t *testing.T) { // verdict: exhausted
	_ = fmt.Sprint(late{make(chan int)})
}

func TestPipe(t *testing.T) { // verdict: exhausted
	read()
}

func TestOnce(t *testing.T) { // verdict: exhausted
	var o sync.Once
	o.Do(func() { o.Do(func() {}) }) // want `deadlock: .*Once.Do`
}

func TestMethodValue(t *testing.T) { // verdict: exhausted
	var mu sync.Mutex
	lock := mu.Lock
	lock()
	apply(lock)
}

func TestEmbedded(t *testing.T) { // verdict: exhausted
	var b both
	b.RLock()
	var l sync.Locker = &b
	l.Lock() // want `deadlock: .*RWMutex.Lock`
}

func TestUnlock(t *testing.T) { // verdict: exhausted
	var mu sync.Mutex
	mu.Unlock() // want `fatal error: sync: unlock of unlocked mutex`
}

func TestSelectOneWay(t *testing.T) { // verdict: exhausted
	a, b := make(chan int, 1), make(chan int, 1)
	a <- 1
	b <- 1
	select {
	case <-a:
	case <-b:
		<-b // want `deadlock: .*chan receive`
	}
}

// Near misses. What go test shows as well is not reported.

func TestGet(t *testing.T) { // verdict: exhausted
	c := &cache{m: map[string]int{}}
	c.get("x")
}

func TestFails(t *testing.T) { // verdict: exhausted
	c := make(chan int, 1)
	c <- 1
	if <-c == 1 {
		t.Error("no")
	}
}

func TestPanics(t *testing.T) { // verdict: exhausted
	c := make(chan int)
	close(c)
	<-c
	close(c)
}

func TestLong(t *testing.T) { // verdict: sampled `-limit.events|within 20000 steps`
	var mu sync.Mutex
	for i := 0; i < 1e9; i++ {
		mu.Lock()
		mu.Unlock()
	}
}

// Not run: nothing in them waits.

func TestPure(t *testing.T) {
	if fmt.Sprint(1) != "1" {
		t.Error("no")
	}
}

func TestAtNoTime(t *testing.T) {
	var f func()
	if f != nil {
		apply(f)
	}
	for i := 0; ; i++ {
		if i == 1e12 {
			return
		}
	}
}
