package races

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// This file has Adds that must happen before a Wait, and do not. Each is a race where it is the first, and the Wait has
// to wait (RACE8).

// Another Add comes between: the counter is never zero when both are next.
func TestRaceGroupAddBetween(t *testing.T) {
	var wg sync.WaitGroup
	added, done := make(chan bool, 1), make(chan bool)
	go func() {
		defer close(done)
		wg.Add(1)
		/*pause*/
		<-added
		wg.Done()
		wg.Done()
	}()
	/*hold*/
	wg.Add(1)
	added <- true
	wg.Wait()
	<-done
}

func TestRaceGroupAddBetweenOfTwo(t *testing.T) { // the workers wait for what comes behind the other's Add
	var wg sync.WaitGroup
	begin := make(chan bool)
	go func() {
		wg.Go(func() { /*pause*/ })
		close(begin)
	}()
	/*hold*/
	wg.Add(2)
	for range 2 {
		go func() {
			defer wg.Done()
			<-begin
			/*pause*/
		}()
	}
	wg.Wait()
}

func TestRaceGroupAddBetweenOfThird(t *testing.T) { // who waits adds nothing
	var wg sync.WaitGroup
	added, again, done := make(chan bool), make(chan bool, 1), make(chan bool)
	go func() {
		wg.Add(1)
		/*pause*/
		<-again
		wg.Done()
		wg.Done()
		close(done)
	}()
	go func() {
		/*hold*/
		wg.Add(1)
		again <- true
		added <- true
	}()
	<-added
	wg.Wait()
	<-done
}

func TestRaceGroupAddBetweenInSecondRound(t *testing.T) {
	var wg sync.WaitGroup
	wg.Go(func() {})
	wg.Wait()
	added, done := make(chan bool, 1), make(chan bool)
	go func() {
		defer close(done)
		wg.Add(2)
		/*pause*/
		<-added
		wg.Done()
		wg.Done()
		wg.Done()
	}()
	/*hold*/
	wg.Add(1)
	added <- true
	wg.Wait()
	<-done
}

// Who has to wait has waited before, and then one more was added.
func TestRaceGroupSecondWait(t *testing.T) {
	var wg sync.WaitGroup
	added, done := make(chan bool, 1), make(chan bool)
	go func() {
		defer close(done)
		/*pause*/
		wg.Add(1)
		/*pause*/
		wg.Done()
		<-added
		wg.Done()
	}()
	wg.Wait()
	/*hold*/
	wg.Add(1)
	added <- true
	wg.Wait()
	<-done
}

func TestRaceGroupSecondWaitOfThird(t *testing.T) { // another one adds
	var wg sync.WaitGroup
	again, added, done := make(chan bool), make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		/*pause*/
		wg.Add(1)
		/*pause*/
		wg.Done()
	}()
	go func() {
		<-again
		wg.Add(1)
		close(added)
		/*pause*/
		wg.Done()
	}()
	wg.Wait()
	close(again)
	<-added
	wg.Wait()
	<-done
}

// In a bubble the end of a sleep tells that the Wait is over.
func TestRaceGroupSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var wg sync.WaitGroup
		done := make(chan bool)
		go func() {
			defer close(done)
			time.Sleep(10 * time.Millisecond)
			wg.Go(func() {})
		}()
		go func() { wg.Go(func() { /*hold*/ }) }()
		wg.Wait()
		<-done
	})
}

func TestRaceGroupTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var wg sync.WaitGroup
		time.AfterFunc(10*time.Millisecond, func() { wg.Go(func() {}) })
		go func() { wg.Go(func() { /*hold*/ }) }()
		wg.Wait()
		time.Sleep(20 * time.Millisecond)
	})
}

// Behind what is observed.
func TestRaceGroupLen(t *testing.T) {
	var wg sync.WaitGroup
	c := make(chan int, 1)
	beside(func() {
		wg.Add(1)
		c <- 1
		/*hold*/
		wg.Done()
	}, func() {
		if len(c) == 1 {
			wg.Wait()
		}
	})
}

func TestRaceGroupTryLock(t *testing.T) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	beside(func() {
		wg.Add(1)
		mu.Lock()
		/*hold*/
		wg.Done()
		mu.Unlock()
	}, func() {
		if mu.TryLock() {
			mu.Unlock()
		} else {
			wg.Wait()
		}
	})
}

func TestRaceGroupDefault(t *testing.T) {
	var wg sync.WaitGroup
	c := make(chan int, 1)
	beside(func() {
		wg.Go(func() { /*hold*/ })
		c <- 1
	}, func() {
		select {
		case c <- 2:
			<-c
		default:
			wg.Wait()
		}
	})
}

// A Wait that never has to wait writes nothing.
func TestQuietGroupLenAfterDone(t *testing.T) {
	var wg sync.WaitGroup
	c := make(chan int, 1)
	beside(func() {
		wg.Add(1)
		wg.Done()
		c <- 1
	}, func() {
		if len(c) == 1 {
			wg.Wait()
		}
	})
}

// Nor is an Add a race that finds the counter positive, whatever else was added.
func TestQuietGroupNested(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(2)
	for range 2 {
		go func() {
			defer wg.Done()
			wg.Go(func() {})
		}()
	}
	wg.Wait()
}

func TestQuietGroupNestedBesideOther(t *testing.T) {
	var wg sync.WaitGroup
	wg.Go(func() {
		/*pause*/
		wg.Go(func() {})
	})
	go func() {}()
	wg.Add(1)
	go wg.Done()
	wg.Wait()
}

func TestQuietGroupLenAdded(t *testing.T) { // one more was added before
	var wg sync.WaitGroup
	c := make(chan int, 1)
	wg.Add(1)
	beside(func() {
		wg.Add(1)
		c <- 1
		/*pause*/
		wg.Done()
		wg.Done()
	}, func() {
		if len(c) == 1 {
			wg.Wait()
		}
	})
}

func TestQuietGroupHeld(t *testing.T) { // who takes what was there waits for the Add
	var wg sync.WaitGroup
	added := make(chan bool)
	wg.Add(1)
	go func() {
		wg.Add(1)
		close(added)
		/*pause*/
		wg.Done()
	}()
	go func() {
		<-added
		wg.Done()
	}()
	wg.Wait()
}

func TestQuietGroupSecondWait(t *testing.T) { // the first Wait knows of the Add
	var wg sync.WaitGroup
	added := make(chan bool)
	go func() {
		wg.Add(1)
		close(added)
		/*pause*/
		wg.Done()
	}()
	<-added
	wg.Wait()
	wg.Go(func() { /*hold*/ })
	wg.Wait()
}

func TestQuietGroupSleep(t *testing.T) { // who adds behind the sleep has been told of the Wait
	synctest.Test(t, func(t *testing.T) {
		var wg sync.WaitGroup
		waited, done := make(chan bool), make(chan bool)
		go func() {
			defer close(done)
			time.Sleep(10 * time.Millisecond)
			<-waited
			wg.Go(func() {})
		}()
		wg.Go(func() { /*hold*/ })
		wg.Wait()
		close(waited)
		<-done
	})
}

func TestQuietGroupSleepBesideOther(t *testing.T) { // the counter is positive until the sleeper has added
	synctest.Test(t, func(t *testing.T) {
		var wg sync.WaitGroup
		wg.Go(func() {
			time.Sleep(10 * time.Millisecond)
			wg.Go(func() {})
		})
		go func() { /*hold*/ }()
		wg.Wait()
	})
}

// Who has received knows of the Add.
func TestQuietGroupReceived(t *testing.T) {
	var wg sync.WaitGroup
	c := make(chan int, 1)
	beside(func() {
		wg.Add(1)
		c <- 1
		/*pause*/
		wg.Done()
	}, func() {
		<-c
		wg.Wait()
	})
}

func TestQuietGroupLockedAdd(t *testing.T) { // the lock orders the two
	var wg sync.WaitGroup
	var mu sync.Mutex
	open := true
	beside(func() {
		mu.Lock()
		if open {
			wg.Add(1)
			defer wg.Done()
		}
		mu.Unlock()
		/*pause*/
	}, func() {
		mu.Lock()
		open = false
		mu.Unlock()
		wg.Wait()
	})
}
