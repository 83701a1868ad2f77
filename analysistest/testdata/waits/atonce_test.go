package waits

// This file starts timers whose time has come. Natively who looks at the channel of such a timer finds that it has sent
// (TIME10).

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func sent(c <-chan time.Time) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func TestAtOnceNew(t *testing.T) {
	go func() {}()
	for _, d := range []time.Duration{0, -1, -time.Hour} {
		if tm := time.NewTimer(d); !sent(tm.C) || sent(tm.C) {
			t.Error("not sent, or twice")
		}
	}
}

func TestAtOnceAfter(t *testing.T) {
	go func() {}()
	select {
	case <-time.After(0):
	default:
		t.Error("not sent")
	}
}

func TestAtOnceLater(t *testing.T) { // the deadline passes while others run
	tm := time.NewTimer(time.Until(time.Now()))
	c := make(chan bool)
	go func() { c <- sent(tm.C) }()
	if !<-c {
		t.Error("not sent")
	}
}

// finds: testfailure
func TestAtOnceTakenByOne(t *testing.T) {
	tm := time.NewTimer(0)
	var a, b bool
	var wg sync.WaitGroup
	wg.Go(func() { a = sent(tm.C) })
	wg.Go(func() { b = sent(tm.C) })
	wg.Wait()
	if a == b {
		panic("taken twice, or never")
	}
	if b {
		t.Error("by the second")
	}
}

// finds: deadlock goroutineleak
func TestAtOnceTakenTwice(t *testing.T) {
	tm := time.NewTimer(0)
	go func() { <-tm.C }()
	<-tm.C
}

// Stop finds it active until somebody has received.
//
// finds: testfailure
func TestAtOnceStopped(t *testing.T) {
	tm := time.NewTimer(0)
	c := make(chan bool)
	go func() { c <- sent(tm.C) }()
	stopped := tm.Stop()
	if got := <-c; got == stopped {
		panic("both, or none")
	}
	if stopped {
		t.Error("stopped")
	}
}

func TestAtOnceEmpty(t *testing.T) {
	tm := time.NewTimer(0)
	go func() {}()
	if len(tm.C) != 0 || !tm.Stop() || sent(tm.C) || tm.Stop() {
		t.Error("not empty")
	}
}

// What others find of a Reset depends on who comes first.
//
// finds: panics testfailure
func TestAtOnceReset(t *testing.T) {
	tm := time.NewTimer(time.Hour)
	var got, active bool
	var wg sync.WaitGroup
	wg.Go(func() {
		tm.Reset(-1)
		got = sent(tm.C)
	})
	wg.Go(func() { active = tm.Reset(-1) })
	wg.Wait()
	switch {
	case !got:
		panic("not sent")
	case active:
		t.Error("active")
	default:
		var p *int
		*p++
	}
}

func TestAtOnceResetOrders(t *testing.T) {
	tm := time.NewTimer(time.Hour)
	x := 0
	go func() {
		x = 1
		tm.Reset(0)
	}()
	<-tm.C
	x++
}

// finds: datarace
func TestAtOnceResetOrdersNotWhatFollows(t *testing.T) {
	tm := time.NewTimer(time.Hour)
	x := 0
	go func() {
		tm.Reset(0)
		x = 1
	}()
	<-tm.C
	x++
}

func TestAtOnceTime(t *testing.T) { // it sends its deadline
	began := time.Now()
	tm := time.NewTimer(0)
	time.Sleep(time.Hour)
	if d := (<-tm.C).Sub(began); d > time.Minute {
		t.Error(d)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	if ctx.Err() == nil {
		t.Error("not over")
	}
}

// A Reset takes away what was sent.
func TestAtOncePostponed(t *testing.T) {
	tm := time.NewTimer(0)
	began := time.Now()
	c := make(chan bool)
	go func() { c <- tm.Reset(time.Hour) }()
	if !<-c {
		t.Error("not active")
	}
	if d := (<-tm.C).Sub(began); d < time.Hour {
		t.Error(d)
	}
}

// What follows starts functions whose time has come. They may run from then on, before the clock moves.

// finds: testfailure
func TestAtOnceFunction(t *testing.T) {
	var n atomic.Int32
	time.AfterFunc(0, func() { n.Add(1) })
	if n.Load() == 1 {
		t.Error("already")
	}
}

// finds: testfailure
func TestAtOnceFunctionLater(t *testing.T) {
	c := make(chan int, 1)
	time.AfterFunc(-time.Hour, func() { c <- 1 })
	time.Sleep(time.Second)
	if len(c) == 0 {
		panic("not yet")
	}
	t.Error("it has run")
}

// finds: panics testfailure
func TestAtOnceFunctionStopped(t *testing.T) {
	tm := time.AfterFunc(0, func() {})
	if tm.Stop() {
		t.Error("stopped")
	}
	if tm.Stop() {
		t.Error("stopped twice")
	}
	panic("too late")
}

// finds: panics testfailure
func TestAtOnceFunctionReset(t *testing.T) {
	var n atomic.Int32
	tm := time.AfterFunc(time.Hour, func() { n.Add(1) })
	go func() { tm.Reset(0) }()
	if !tm.Stop() {
		t.Error("already")
	}
	time.Sleep(time.Second)
	if n.Load() == 1 {
		panic("started after Stop")
	}
}

// finds: testfailure
func TestAtOnceTwoFunctions(t *testing.T) { // in any order
	var mu sync.Mutex
	var order []int
	add := func(i int) {
		mu.Lock()
		order = append(order, i)
		mu.Unlock()
	}
	time.AfterFunc(0, func() { add(1) })
	time.AfterFunc(0, func() { add(2) })
	time.Sleep(time.Second)
	mu.Lock()
	defer mu.Unlock()
	if len(order) != 2 {
		panic("not both")
	}
	if order[0] == 2 {
		t.Error("the second comes first")
	}
}

// finds: testfailure
func TestAtOnceFunctionBetween(t *testing.T) {
	var a, b atomic.Int32
	var wg sync.WaitGroup
	time.AfterFunc(0, func() { b.Store(a.Load()) })
	wg.Go(func() {
		a.Store(1)
		a.Store(2)
	})
	wg.Wait()
	if b.Load() == 1 {
		t.Error("between")
	}
}

// finds: testfailure
func TestAtOnceFunctionOfOther(t *testing.T) {
	var a atomic.Int32
	c := make(chan int)
	go func() {
		time.AfterFunc(0, func() { a.Store(1) })
		close(c)
	}()
	if a.Load() == 1 {
		t.Error("before the other has gone on")
	}
	<-c
}

// finds: testfailure
func TestAtOnceFunctionBeforeSleepers(t *testing.T) { // the clock does not move before it has fired
	var a, b atomic.Int32
	go func() {
		time.Sleep(time.Second)
		b.Store(a.Load())
	}()
	go time.AfterFunc(0, func() { a.Store(1) })
	time.Sleep(2 * time.Second)
	if b.Load() == 0 {
		panic("it was early")
	}
	t.Error("it was not")
}

// finds: datarace
func TestAtOnceFunctionRaces(t *testing.T) {
	x := 0
	_ = x
	tm := time.AfterFunc(0, func() { x = 1 })
	if tm.Stop() {
		x = 2 // never run
	} else {
		x = 3
	}
}

func TestAtOnceFunctionStoppedIsQuiet(t *testing.T) {
	x := 0
	done := make(chan int)
	tm := time.AfterFunc(0, func() {
		x = 1
		close(done)
	})
	if tm.Stop() {
		close(done)
	}
	<-done
	x++
}

// finds: testfailure
func TestAtOnceFunctionRestarts(t *testing.T) {
	var n atomic.Int32
	var tm *time.Timer
	ready, done := make(chan int), make(chan int)
	tm = time.AfterFunc(0, func() {
		<-ready
		if n.Add(1) == 2 {
			close(done)
			return
		}
		tm.Reset(0)
	})
	close(ready)
	if n.Load() == 2 {
		t.Error("twice")
	}
	<-done
}

// It may run before what comes before its start by accident.
//
// finds: panics testfailure
func TestAtOnceFunctionBesideBlocked(t *testing.T) {
	var a atomic.Int32
	c, d := make(chan int), make(chan int)
	go func() {
		time.AfterFunc(0, func() {
			if a.Load() == 0 {
				t.Error("before")
			} else {
				defer panic("after")
			}
			close(c)
		})
		<-c
		close(d)
	}()
	a.Store(1)
	<-d
}

// finds: panics
// regimes: both
// only: union
func TestFunctionOffered(t *testing.T) { // it could have fired early when it is started again, and is due
	var ran atomic.Bool
	soon := time.After(time.Millisecond)
	tm := time.AfterFunc(2*time.Millisecond, func() { ran.Store(true) })
	defer tm.Stop()
	if sent(soon) && tm.Reset(0) && ran.Load() {
		close(make(map[bool]chan int)[true]) // at once: a panic that is not the program's own
	}
}
