package waits

// This file starts timers whose time has come. Natively who looks at the channel of such a timer finds that it has sent
// (TIME10).

import (
	"context"
	"sync"
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
