package waits

import (
	"slices"
	"sync"
	"testing"
	"time"
)

// This file compares what several goroutines read of the clock. Natively a reading is later than all before it. In the
// machine only readings of one goroutine grow, until a program is found to tell (TICK2 and TICK4 of package explore).

// finds: panics
func TestReadsLater(t *testing.T) {
	c, d := make(chan time.Time), make(chan bool)
	go func() { <-d; c <- time.Now() }()
	time.Now()
	a := time.Now()
	d <- true
	if (<-c).After(a) {
		panic("later")
	}
}

// finds: panics
func TestReadsUnderLock(t *testing.T) {
	var mu sync.Mutex
	var last time.Time
	n := 0
	read := func() {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); now.After(last) {
			last = now
			n++
		}
	}
	done := make(chan bool)
	go func() { read(); read(); done <- true }()
	go func() { read(); done <- true }()
	<-done
	<-done
	if n == 3 {
		panic("each after the other")
	}
}

// finds: panics
func TestReadsFirst(t *testing.T) {
	a, b := make(chan time.Time, 1), make(chan time.Time, 1)
	go func() { a <- time.Now() }()
	go func() { b <- time.Now() }()
	if x, y := <-a, <-b; x.Before(y) {
		panic("first")
	}
}

// finds: panics
func TestReadsSorted(t *testing.T) {
	var mu sync.Mutex
	var all []time.Time
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			all = append(all, time.Now())
			mu.Unlock()
		})
	}
	wg.Wait()
	if all[0].Before(all[1]) {
		panic("sorted")
	}
}

// readsInOrder has three goroutines read the clock, and fails where they come in one order, and each reads later than
// the one before.
func readsInOrder(order ...int) {
	var mu sync.Mutex
	var who []int
	var all []time.Time
	var wg sync.WaitGroup
	for i := range order {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			who, all = append(who, i), append(all, time.Now())
		})
	}
	wg.Wait()
	if slices.Equal(who, order) && all[1].After(all[0]) && all[2].After(all[1]) {
		panic("each later than the one before")
	}
}

// finds: panics
func TestReadsInOrder012(t *testing.T) {
	readsInOrder(0, 1, 2)
}

// finds: panics
func TestReadsInOrder021(t *testing.T) {
	readsInOrder(0, 2, 1)
}

// finds: panics
func TestReadsInOrder102(t *testing.T) {
	readsInOrder(1, 0, 2)
}

// finds: panics
func TestReadsInOrder120(t *testing.T) {
	readsInOrder(1, 2, 0)
}

// finds: panics
func TestReadsInOrder201(t *testing.T) {
	readsInOrder(2, 0, 1)
}

// finds: panics
func TestReadsInOrder210(t *testing.T) {
	readsInOrder(2, 1, 0)
}

// No order is this one.
func TestReadsInNoOrder(t *testing.T) {
	readsInOrder(0, 0, 0)
}

// Two readings are a second apart, whoever reads first.
func TestReadsFarApart(t *testing.T) {
	c := make(chan time.Time)
	go func() { c <- time.Now() }()
	if a := time.Now(); (<-c).Sub(a).Abs() > time.Second {
		panic("far apart")
	}
}

// What is read is only printed.
func TestReadsForALog(t *testing.T) {
	done := make(chan bool)
	go func() { t.Log(time.Now().Unix()); done <- true }()
	t.Log(time.Now().Unix())
	<-done
}

// Each goroutine compares its own readings.
func TestReadsItsOwn(t *testing.T) {
	done := make(chan bool)
	own := func() {
		a := time.Now()
		if !time.Now().After(a) {
			panic("not after")
		}
		done <- true
	}
	go own()
	go own()
	<-done
	<-done
}

// The reading of the goroutine that starts another is the earlier one in the machine, too.
//
// finds: panics
func TestReadsOfTheStarter(t *testing.T) {
	time.Now()
	a := time.Now()
	c := make(chan time.Time)
	go func() { c <- time.Now() }()
	if (<-c).After(a) {
		panic("after")
	}
}

// What follows reads the clock in an order that no execution has in which each goroutine reads as soon as it can.

// finds: panics
func TestReadsSecond(t *testing.T) {
	a, b := make(chan time.Time, 1), make(chan time.Time, 1)
	go func() { a <- time.Now() }()
	go func() { b <- time.Now() }()
	if x, y := <-a, <-b; x.After(y) {
		panic("second")
	}
}

// finds: testfailure
func TestReadsLaterThanTheChild(t *testing.T) {
	var b time.Time
	done := make(chan bool)
	go func() { b = time.Now(); close(done) }()
	a := time.Now()
	<-done
	if a.After(b) {
		t.Error("later than the child")
	}
}

// finds: testfailure
func TestReadsInTurn(t *testing.T) {
	var a, b time.Time
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() { mu.Lock(); a = time.Now(); mu.Unlock() })
	wg.Go(func() { mu.Lock(); b = time.Now(); mu.Unlock() })
	wg.Wait()
	if a.After(b) {
		t.Error("the second locks first")
	}
}

// readsOfThree has three goroutines read the clock, and fails if one of the times is later than another one.
func readsOfThree(t *testing.T, late, early int) {
	var at [3]time.Time
	var wg sync.WaitGroup
	for i := range at {
		wg.Go(func() { at[i] = time.Now() })
	}
	wg.Wait()
	if at[late].After(at[early]) {
		t.Error("late")
	}
}

// finds: testfailure
func TestReadsOfThree01(t *testing.T) {
	readsOfThree(t, 0, 1)
}

// finds: testfailure
func TestReadsOfThree02(t *testing.T) {
	readsOfThree(t, 0, 2)
}

// finds: testfailure
func TestReadsOfThree12(t *testing.T) {
	readsOfThree(t, 1, 2)
}

// finds: testfailure
func TestReadsOfThree10(t *testing.T) {
	readsOfThree(t, 1, 0)
}

// finds: testfailure
func TestReadsOfThree20(t *testing.T) {
	readsOfThree(t, 2, 0)
}

// finds: testfailure
func TestReadsOfThree21(t *testing.T) {
	readsOfThree(t, 2, 1)
}

// The first goroutine reads after the message of the second, and so after its first reading, and in any order with its
// second one.
func TestReadsBehindAMessage(t *testing.T) {
	c, done := make(chan time.Time), make(chan bool)
	go func() {
		if early := <-c; time.Now().Before(early) {
			t.Error("before what was sent")
		}
		done <- true
	}()
	c <- time.Now()
	<-done
}

// finds: testfailure
func TestReadsBehindAndBeside(t *testing.T) {
	var mine, other time.Time
	c, done := make(chan bool), make(chan bool)
	go func() { <-c; mine = time.Now(); done <- true }()
	c <- true
	other = time.Now()
	<-done
	if other.After(mine) {
		t.Error("beside")
	}
}

// Of two readings that follow each other and one beside them, this one comes last.
//
// finds: testfailure
func TestReadsBesideTwo(t *testing.T) {
	var first, beside, second time.Time
	c := make(chan bool, 1)
	var wg sync.WaitGroup
	wg.Go(func() { first = time.Now(); c <- true })
	wg.Go(func() { beside = time.Now() })
	wg.Go(func() { <-c; second = time.Now() })
	wg.Wait()
	if second.Before(first) || beside.After(second) {
		t.Error("after the second")
	}
}

// Each reads under a lock, and keeps the latest.
func TestReadsTheLatest(t *testing.T) {
	var mu sync.Mutex
	var last time.Time
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			now := time.Now()
			if now.Before(last) {
				t.Error("before the last")
			}
			last = now
		})
	}
	wg.Wait()
}

// The starter's reading is before those of what it starts, however late it is.
func TestReadsBeforeStarting(t *testing.T) {
	a := time.Now()
	var b [2]time.Time
	var wg sync.WaitGroup
	for i := range b {
		wg.Go(func() { b[i] = time.Now() })
	}
	wg.Wait()
	if c := time.Now(); a.After(b[0]) || a.After(b[1]) || b[0].After(c) || b[1].After(c) {
		t.Error("outside")
	}
}
