package a

import (
	"sync"
	"testing"
)

func swap(a, b *sync.Mutex) {
	a.Lock()
	defer a.Unlock()
	b.Lock() // want `deadlock: G1\.1 blocked here in Mutex\.Lock \(held by G1\.2\), G1\.2 here \(held by G1\.1\), and 1 more\n.*\n\tin TestCycle`
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
	<-ch // want `deadlock: G1 blocked here in chan receive\n.*\n\tin TestLostWakeup`
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
