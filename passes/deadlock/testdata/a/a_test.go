package a

import (
	"sync"
	"testing"
)

func swap(a, b *sync.Mutex) {
	a.Lock()
	defer a.Unlock()
	b.Lock() // want `deadlock: .*G1.1 blocked in sync.Mutex.Lock at a_test.go:11 \(held by G1.2\); G1.2 blocked in sync.Mutex.Lock at a_test.go:11 \(held by G1.1\), in TestCycle; replay`
	defer b.Unlock()
}

func TestCycle(t *testing.T) { // verdict: exhausted
	var a, b sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() { swap(&a, &b) })
	wg.Go(func() { swap(&b, &a) })
	wg.Wait()
}

func TestSameOrder(t *testing.T) { // verdict: exhausted
	var a, b sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() { swap(&a, &b) })
	wg.Go(func() { swap(&a, &b) })
	wg.Wait()
}

func TestLostWakeup(t *testing.T) { // verdict: exhausted
	ch := make(chan int)
	go func() {
		select {
		case ch <- 1:
		default:
		}
	}()
	<-ch // want `deadlock: G1 blocked in chan receive at a_test.go:39, in TestLostWakeup`
}

func TestBuffered(t *testing.T) { // verdict: exhausted
	ch := make(chan int, 1)
	go func() {
		select {
		case ch <- 1:
		default:
		}
	}()
	<-ch
}
