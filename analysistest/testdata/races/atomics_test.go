package races

import (
	"sync"
	"sync/atomic"
	"testing"
)

// Who reads what an atomic operation has left is after it, and after the plain write before that, by its own read.
func TestQuietPlainThenAtomic(t *testing.T) {
	var x int32
	c := make(chan int, 1)
	go func() {
		x = 5
		atomic.AddInt32(&x, 1)
		c <- 1
	}()
	if len(c) == 1 && atomic.LoadInt32(&x) != 6 {
		t.Error("not 6")
	}
	<-c
}

func TestQuietPlainThenAtomicFailedCAS(t *testing.T) {
	var x int32
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() {
		x = 5
		atomic.AddInt32(&x, 1)
		mu.Lock()
	})
	if mu.TryLock() {
		mu.Unlock()
	} else if atomic.CompareAndSwapInt32(&x, 9, 10) {
		t.Error("not 6")
	}
	wg.Wait()
}

func TestQuietPlainThenAtomicAdd(t *testing.T) {
	var x int32
	c := make(chan int, 1)
	go func() {
		x = 5
		atomic.StoreInt32(&x, 6)
		c <- 1
	}()
	if len(c) == 1 && atomic.AddInt32(&x, 1) != 7 {
		t.Error("not 7")
	}
	<-c
}

// A plain write after the atomic one is not known to who reads that.
func TestRacePlainAfterAtomic(t *testing.T) {
	var x int32
	c := make(chan int, 1)
	go func() {
		atomic.AddInt32(&x, 1)
		x = 5
		c <- 1
	}()
	if len(c) == 1 && atomic.LoadInt32(&x) != 5 {
		t.Error("not 5")
	}
	<-c
}

// A compare-and-swap that fails is a read (ATOM1).
func TestQuietReadBesideFailedCAS(t *testing.T) {
	x := int32(5)
	beside(func() { sink = int(x) }, func() { atomic.CompareAndSwapInt32(&x, 9, 10) })
}

// Who has locked first decides whether the other one knows of the write; where they stand afterwards is the same
// (BEHIND3).
func TestRaceLenBehindLock(t *testing.T) {
	x, c := 0, make(chan int, 1)
	var mu sync.Mutex
	beside(func() {
		x = 1
		mu.Lock()
		mu.Unlock()
		c <- 1
	}, func() {
		mu.Lock()
		mu.Unlock()
		if len(c) == 1 {
			sink = x
		}
	})
}

func TestRaceLenBehindOtherLock(t *testing.T) {
	x, c := 0, make(chan int, 1)
	var mu sync.Mutex
	beside(func() {
		mu.Lock()
		mu.Unlock()
		if len(c) == 1 {
			sink = x
		}
	}, func() {
		x = 1
		mu.Lock()
		mu.Unlock()
		c <- 1
	})
}
