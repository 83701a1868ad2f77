package waits

import (
	"sync"
	"testing"
	"time"
)

// This file compares what several goroutines read of the clock. Natively a reading is later than all before it. In the
// machine only readings of one goroutine grow, so a program that can tell is not exhausted (TICK2 of package explore).

func TestReadsLater(t *testing.T) { // incomplete: what happens depends on the order in which several goroutines read the clock
	c, d := make(chan time.Time), make(chan bool)
	go func() { <-d; c <- time.Now() }()
	time.Now()
	a := time.Now()
	d <- true
	if (<-c).After(a) {
		panic("later")
	}
}

func TestReadsUnderLock(t *testing.T) { // incomplete: what happens depends on the order in which several goroutines read the clock
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

func TestReadsFirst(t *testing.T) { // incomplete: what happens depends on the order in which several goroutines read the clock
	a, b := make(chan time.Time, 1), make(chan time.Time, 1)
	go func() { a <- time.Now() }()
	go func() { b <- time.Now() }()
	if x, y := <-a, <-b; x.Before(y) {
		panic("first")
	}
}

func TestReadsSorted(t *testing.T) { // incomplete: what happens depends on the order in which several goroutines read the clock
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
