package locks

import (
	"fmt"
	"sync"
	"testing"
)

// This file has WaitGroups that are copied or overwritten beside a Wait. One that has to wait writes the semaphore.

// held runs f beside a Wait of a group with a counter of 1.
func held(f func(wg *sync.WaitGroup)) {
	wg := new(sync.WaitGroup)
	wg.Add(1)
	both(wg.Wait, func() { f(wg) })
}

// finds: datarace
func TestWaiterCopied(t *testing.T) {
	held(func(wg *sync.WaitGroup) { c := *wg; sink = &c; wg.Done() })
}

// finds: datarace
func TestWaiterOverwritten(t *testing.T) { // natively nobody wakes who has parked
	held(func(wg *sync.WaitGroup) { *wg = sync.WaitGroup{} })
}

// finds: datarace
func TestWaiterPrinted(t *testing.T) {
	type pool struct {
		wg sync.WaitGroup
		n  int
	}
	p := new(pool)
	p.wg.Add(1)
	both(p.wg.Wait, func() { sink = fmt.Sprint(p); p.wg.Done() })
}

// finds: datarace
func TestWaiterCopiedBehindDone(t *testing.T) { // the Wait may have come before the Done
	held(func(wg *sync.WaitGroup) { wg.Done(); c := *wg; sink = &c })
}

// finds: datarace
func TestWaiterLocksBefore(t *testing.T) { // likewise
	var mu sync.Mutex
	wg := new(sync.WaitGroup)
	wg.Add(1)
	both(func() { mu.Lock(); mu.Unlock(); wg.Wait() }, func() { mu.Lock(); wg.Done(); mu.Unlock(); c := *wg; sink = &c })
}

// finds: datarace
func TestWaiterTwice(t *testing.T) { // the second Wait has nothing to wait for
	held2 := func(f func(wg *sync.WaitGroup)) {
		wg := new(sync.WaitGroup)
		wg.Add(1)
		both(func() {
			for range 2 {
				wg.Wait()
			}
		}, func() { f(wg) })
	}
	held2(func(wg *sync.WaitGroup) { wg.Done(); c := *wg; sink = &c })
}

func TestWaiterTold(t *testing.T) { // the Wait comes after the Done
	wg := new(sync.WaitGroup)
	wg.Add(1)
	c := make(chan int)
	both(func() { <-c; wg.Wait() }, func() { wg.Done(); c <- 1; d := *wg; sink = &d })
}

func TestWaiterCopiedAfter(t *testing.T) { // the copy knows of the Wait
	wg := new(sync.WaitGroup)
	wg.Add(1)
	both(wg.Wait, wg.Done)
	c := *wg
	sink = &c
}

func TestWaiterCopiedBefore(t *testing.T) { // the Wait knows of the copy
	wg := new(sync.WaitGroup)
	wg.Add(1)
	c := *wg
	both(wg.Wait, wg.Done)
	sink = &c
}

func TestWaiterOverwrittenBefore(t *testing.T) { // the counter is zero where the Wait comes
	wg := new(sync.WaitGroup)
	wg.Add(1)
	*wg = sync.WaitGroup{}
	both(wg.Wait, func() { c := *wg; sink = &c })
}

func TestWaiterBesideField(t *testing.T) { // what stands behind the group is not the group's
	type pool struct {
		wg sync.WaitGroup
		n  int
	}
	p := new(pool)
	p.wg.Add(1)
	both(p.wg.Wait, func() { p.n++; p.wg.Done() })
}

func TestWaitersBesideDone(t *testing.T) { // two that wait do not race
	wg := new(sync.WaitGroup)
	wg.Add(1)
	both(wg.Wait, func() { both(wg.Wait, wg.Done) })
}

func TestWaiterSees(t *testing.T) { // by len that the Done has come
	wg := new(sync.WaitGroup)
	wg.Add(1)
	c := make(chan int, 1)
	both(func() {
		if len(c) == 1 {
			wg.Wait()
		}
	}, func() { wg.Done(); c <- 1; d := *wg; sink = &d })
}
