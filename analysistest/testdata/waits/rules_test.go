package waits

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// This file has an entry for each rule of the Go machine that no other test needs. A comment says which rule it is.

// ENV3: what initialisers ask for counts for every entry.
var _ = os.Getenv("HEDDLE_C")

// ENV1: what the standard library asks for by itself does not count.
//
// asks: HEDDLE_A HEDDLE_C
func TestRuleAsks(t *testing.T) {
	os.Getenv("HEDDLE_A")
	os.TempDir()
}

// ENV2: what it has set itself is no input.
//
// asks: HEDDLE_C
func TestRuleSets(t *testing.T) {
	t.Setenv("HEDDLE_B", "x")
	os.Getenv("HEDDLE_B")
}

// TIME2: two timers are due that two goroutines have started, and either may fire first.
//
// finds: testfailure
func TestRuleDueTogether(t *testing.T) {
	b := time.NewTimer(time.Hour)
	go b.Reset(time.Second)
	a := time.NewTimer(time.Second)
	<-b.C
	select {
	case <-a.C:
	default:
		t.Error("the second was first")
	}
}

// TIME4: the other goroutine may be slow.
//
// finds: datarace
// regimes: both
// only: union
func TestRuleSlow(t *testing.T) {
	tm, c, x := time.NewTimer(time.Millisecond), make(chan bool, 1), 0
	go func() {
		x++
		c <- true
	}()
	select {
	case <-c:
	case <-tm.C:
		x++
	}
}

// TIME5: more than a second has passed after a sleep of one, and of two readings the later is the greater.
func TestRuleLate(t *testing.T) {
	start := time.Now()
	time.Sleep(time.Second)
	if time.Since(start) <= time.Second {
		t.Error("nobody wakes at once")
	}
	if a, b := time.Now(), time.Now(); !a.Before(b) {
		t.Error("two readings at one instant")
	}
}

// BUBBLE1: Wait waits until the other one is blocked.
func TestRuleBubbleWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var x atomic.Bool
		go func() {
			x.Store(true)
			<-t.Context().Done()
		}()
		synctest.Wait()
		if !x.Load() {
			t.Error("Wait did not wait")
		}
	})
}

// BUBBLE2: the bubble's clock does not wait for who is outside.
//
// finds: testfailure
func TestRuleBubbleOutside(t *testing.T) {
	var x atomic.Bool
	go x.Store(true)
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Second)
		if !x.Load() {
			t.Error("the bubble's second was over first")
		}
	})
}

// BUBBLE3: Run panics if a goroutine is left, and waits if it sleeps.
//
// finds: panics
func TestRuleBubbleLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		go func() { <-make(chan int) }()
	})
}

// BUBBLE4: a timer that is due when it is started sends with its start.
func TestRuleBubbleDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm := time.NewTimer(time.Hour)
		tm.Reset(0)
		select {
		case <-tm.C:
		default:
			t.Error("not yet")
		}
	})
}

// BUBBLE5: a timer of a bubble cannot be stopped from outside.
//
// finds: panics
func TestRuleBubbleStop(t *testing.T) {
	var tm *time.Timer
	synctest.Test(t, func(t *testing.T) { tm = time.NewTimer(time.Hour) })
	tm.Stop()
}

// VALUE1: Load finds type and data of one Store, and nil before the first.
func TestRuleValueLoad(t *testing.T) {
	var v atomic.Value
	go v.Store(7)
	if x := v.Load(); x != nil && x != 7 {
		t.Error("a part of a value")
	}
}

// VALUE2: a Store of another type panics, and changes nothing.
func TestRuleValueTypes(t *testing.T) {
	var v atomic.Value
	v.Store(1)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("it does not panic")
			}
		}()
		v.Store("a")
	}()
	if v.Load() != 1 {
		t.Error("it was changed")
	}
}

// VALUE3: of two swaps one finds what the other one has put.
func TestRuleValueSwaps(t *testing.T) {
	var v atomic.Value
	var n atomic.Int32
	v.Store(0)
	done := make(chan bool)
	swap := func() {
		if v.CompareAndSwap(0, 1) {
			n.Add(1)
		}
		done <- true
	}
	go swap()
	go swap()
	<-done
	<-done
	if n.Load() != 1 {
		t.Error("both swapped")
	}
}

// VALUE4: nil is no value, whatever the other one stores.
//
// finds: panics
func TestRuleValueNil(t *testing.T) {
	var v atomic.Value
	v.Store(nil)
}

// CHAN5: who is about to send may not have begun to wait.
//
// finds: testfailure
func TestRuleAboutToSend(t *testing.T) {
	c, about := make(chan int), make(chan bool, 1)
	go func() {
		about <- true
		c <- 1
	}()
	<-about
	select {
	case <-c:
	default:
		go func() { <-c }()
		t.Error("nobody was there")
	}
}

// SEEN3: the number of a goroutine does not depend on who was started first.
func TestRuleNumbers(t *testing.T) {
	var mu sync.Mutex
	n := 0
	numbers := [2]chan string{make(chan string, 1), make(chan string, 1)}
	start := func(i int) {
		mu.Lock()
		n = 2*n + i
		go func() {
			b := make([]byte, 32)
			numbers[i] <- string(b[:runtime.Stack(b, false)])
		}()
		mu.Unlock()
	}
	go start(0)
	go start(1)
	if a, b := <-numbers[0], <-numbers[1]; len(a) == len(b) && a > b {
		t.Errorf("%q and %q", a, b)
	}
}

// POLL1: who looks again and again goes on when somebody has done something.
//
// only: union
func TestRulePollEnds(t *testing.T) {
	var ready atomic.Bool
	go ready.Store(true)
	for !ready.Load() {
	}
}

// POLL2: who goes round in the same way for ever need not be followed.
//
// finds: livelock
func TestRulePollsForEver(t *testing.T) {
	var ready atomic.Bool
	go ready.Load()
	for !ready.Load() {
	}
}
