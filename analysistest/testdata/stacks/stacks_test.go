// Package stacks asks for the stacks of all goroutines, as checks for leaks do at the end of a test.
package stacks

import (
	"bytes"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func all() string {
	b := make([]byte, 1<<14)
	return string(b[:runtime.Stack(b, true)])
}

// Nobody else is there.
func TestAlone(t *testing.T) {
	if n := strings.Count(all(), "goroutine "); n < 2 {
		t.Error(n)
	}
}

// A timer is no goroutine.
func TestAloneBesideTimer(t *testing.T) {
	tm := time.NewTimer(time.Second)
	if strings.Contains(all(), "time.") {
		t.Error(all())
	}
	<-tm.C
}

// The profile is that of the one that asks.
func TestAloneProfile(t *testing.T) {
	var b bytes.Buffer
	pprof.Lookup("goroutine").WriteTo(&b, 1)
	if s := b.String(); !strings.Contains(s, "stacks.TestAloneProfile+") || strings.Contains(s, "TestAloneProfile.func") {
		t.Error(s)
	}
}

// The profile shows who has not ended.
func TestSeesInProfile(t *testing.T) {
	c := make(chan int, 1)
	go func() { c <- 1 }()
	<-c
	var b bytes.Buffer
	if pprof.Lookup("goroutine").WriteTo(&b, 1); strings.Contains(b.String(), "TestSeesInProfile.func") {
		t.Error("it has not ended yet")
	}
}

// Others come later.
func TestAloneBefore(t *testing.T) {
	before := all()
	c := make(chan int)
	for range 3 {
		go func() { c <- 1 }()
	}
	for range 3 {
		<-c
	}
	if strings.Contains(before, "TestAloneBefore.func") {
		t.Error(before)
	}
}

// The other one has ended, or not: natively both are seen.
func TestBeside(t *testing.T) {
	c := make(chan int, 1)
	go func() { c <- 1 }()
	<-c
	all()
}

// The function of a timer is a goroutine.
func TestBesideTimer(t *testing.T) {
	c := make(chan int, 1)
	time.AfterFunc(time.Millisecond, func() { c <- 1 })
	<-c
	all()
}

// The text shows at which of its operations the other one stands, also at one that nobody else can tell from the next.
func TestSeesWhere(t *testing.T) { seesWhere(t, func() {}) }

// So it does of one that never ends.
func TestSeesWhereForEver(t *testing.T) { seesWhere(t, func() { <-never }) }

func seesWhere(t *testing.T, end func()) {
	var mu sync.Mutex
	c := make(chan int, 1)
	go func() {
		c <- 1
		mu.Lock()
		mu.Unlock()
		atUnlocked()
		end()
	}()
	<-c
	if strings.Contains(all(), "atUnlocked") {
		t.Error("seen")
	}
}

func atUnlocked() {
	var own sync.Mutex
	own.Lock()
	defer own.Unlock()
}

var never = make(chan int)

// And whether it waits there.
func TestSeesWaiting(t *testing.T) {
	c, started := make(chan int), make(chan int, 1)
	go func() {
		started <- 1
		<-c
	}()
	<-started
	if strings.Contains(all(), "[chan receive]:\nstacks.TestSeesWaiting.func1") {
		t.Error("seen")
	}
	close(c)
}

// Two run the same code, and are called from different places.
func TestSeesCaller(t *testing.T) {
	c := make(chan int, 2)
	end := func(n int) { c <- n }
	go func() { firstCaller(end) }()
	go func() { secondCaller(end) }()
	if s := all(); strings.Contains(s, "secondCaller") && !strings.Contains(s, "firstCaller") {
		t.Error("seen")
	}
	<-c
	<-c
}

//go:noinline
func firstCaller(end func(int)) { end(1) }

//go:noinline
func secondCaller(end func(int)) { end(1) }

// Which of two has ended before the other.
func TestSeesOrder(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(2)
	go firstDone(&wg)
	go secondDone(&wg)
	wg.Wait()
	if s := all(); strings.Contains(s, "secondDone") && !strings.Contains(s, "firstDone") {
		t.Error("seen")
	}
}

func firstDone(wg *sync.WaitGroup) { defer wg.Done() }

func secondDone(wg *sync.WaitGroup) { defer wg.Done() }

// Who has looked as well stands at what comes next.
func TestSeesAfterLook(t *testing.T) {
	c := make(chan string, 1)
	go func() {
		s := all()
		sendsText(c, s)
	}()
	if strings.Contains(all(), "sendsText") {
		t.Error("seen")
	}
	<-c
}

func sendsText(c chan string, s string) { c <- s }

// What goleak does: it looks again until all have ended, or for a while.
func TestUntilGone(t *testing.T) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() { defer wg.Done() }()
	}
	wg.Wait()
	for range 20 {
		if !strings.Contains(all(), "TestUntilGone.func") {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("not gone")
}

// It is there in no order: who waits for it knows that it has ended its work, and it was never started.
func TestNeverThere(t *testing.T) {
	c := make(chan int)
	close(c)
	go func() { <-c }()
	if strings.Contains(all(), "neverCalled") {
		t.Error("seen")
	}
}

// The other one panics, before or after the look: it is still there where it has not panicked yet.
func TestBesidePanic(t *testing.T) {
	go func() { panic("beside") }()
	all()
}

// What the other one finds, and so where it stands, depends on the order, though it only reads.
func TestSeesReader(t *testing.T) {
	var n atomic.Int32
	go reads(&n)
	n.Store(1)
	if strings.Contains(all(), "hasRead") {
		t.Error("seen")
	}
}

func reads(n *atomic.Int32) {
	if n.Load() == 0 && n.Load() == 1 {
		hasRead(n)
	}
	n.Load()
}

func hasRead(n *atomic.Int32) { n.Load() }
