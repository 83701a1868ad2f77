package waits

// This file has timers that are due at one instant with other timers, and with sleeps, and looks at the channel of one
// of them. Natively it is full for everybody who must know that its time has come (TIME8).

import (
	"context"
	"sync"
	"testing"
	"time"
)

func TestTieGo(t *testing.T) {
	tm := time.NewTimer(time.Millisecond)
	var wg sync.WaitGroup
	wg.Go(func() {
		time.Sleep(time.Millisecond)
		if !sent(tm.C) {
			t.Error("empty")
		}
	})
	wg.Wait()
}

func TestTieGoGo(t *testing.T) { // two go statements between, and a child before
	done := make(chan bool)
	go func() {}()
	tm := time.NewTimer(time.Millisecond)
	go func() {
		go func() {
			time.Sleep(time.Millisecond)
			done <- sent(tm.C)
		}()
	}()
	if !<-done {
		t.Error("empty")
	}
}

func TestTieTimers(t *testing.T) {
	a := time.NewTimer(time.Millisecond)
	b := time.NewTimer(time.Millisecond)
	go func() {}()
	<-b.C
	if !sent(a.C) {
		t.Error("empty")
	}
}

func TestTieFunc(t *testing.T) {
	a := time.NewTimer(time.Millisecond)
	done := make(chan bool)
	time.AfterFunc(time.Millisecond, func() { done <- sent(a.C) })
	if !<-done {
		t.Error("empty")
	}
}

func TestTieContext(t *testing.T) {
	a := time.After(time.Millisecond)
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	<-ctx.Done()
	if !sent(a) {
		t.Error("empty")
	}
}

func TestTieTickers(t *testing.T) {
	a := time.NewTicker(2 * time.Millisecond)
	b := time.NewTicker(3 * time.Millisecond)
	go func() {}()
	<-b.C
	if !sent(a.C) { // that of the second millisecond
		t.Error("empty")
	}
	<-b.C
	if !sent(a.C) { // that of the sixth, or the fourth
		t.Error("empty")
	}
}

func TestTieAfterSleep(t *testing.T) {
	a := time.NewTimer(3 * time.Millisecond)
	go func() {}()
	time.Sleep(time.Millisecond)
	b := time.NewTimer(2 * time.Millisecond)
	<-b.C
	if !sent(a.C) {
		t.Error("empty")
	}
}

func TestTieThree(t *testing.T) { // the third waits for the first by way of the second, and alone when that is stopped
	a := time.NewTimer(time.Millisecond)
	b := time.NewTimer(time.Millisecond)
	c := time.NewTimer(time.Millisecond)
	go b.Stop()
	<-c.C
	if !sent(a.C) {
		t.Error("empty")
	}
}

func TestTieStopped(t *testing.T) { // what others stop is not waited for
	a := time.NewTimer(time.Millisecond)
	b := time.NewTimer(time.Millisecond)
	go a.Stop()
	<-b.C
}

// finds: testfailure
func TestTieReset(t *testing.T) { // what is started again is later than what was started in between
	a := time.NewTimer(time.Hour)
	b := time.NewTimer(time.Millisecond)
	a.Reset(time.Millisecond)
	go func() {}()
	<-b.C
	if !sent(a.C) {
		t.Fatal("empty, as it may be")
	}
}

// finds: testfailure
func TestTieOther(t *testing.T) { // the other way round
	a := time.NewTimer(time.Millisecond)
	b := time.NewTimer(time.Millisecond)
	go func() {}()
	<-a.C
	if !sent(b.C) {
		t.Fatal("empty, as it may be")
	}
}

// finds: testfailure
func TestTieGoBefore(t *testing.T) { // the sleep and the timer begin in any order
	tm := time.NewTimer(time.Hour)
	done := make(chan bool)
	go func() {
		time.Sleep(time.Millisecond)
		done <- sent(tm.C)
	}()
	tm.Reset(time.Millisecond)
	if !<-done {
		t.Fatal("empty, as it may be")
	}
}

// finds: testfailure
func TestTieFunctions(t *testing.T) { // that of a function may be late
	var mu sync.Mutex
	ran := false
	time.AfterFunc(time.Millisecond, func() {
		mu.Lock()
		ran = true
		mu.Unlock()
	})
	time.Sleep(time.Millisecond)
	mu.Lock()
	defer mu.Unlock()
	if !ran {
		t.Fatal("not run, as it may be")
	}
}

// A timer whose function runs twice, and starts goroutines: each has a name of its own.
func TestTieFiredAgain(t *testing.T) {
	var mu sync.Mutex
	total := 0
	var wg sync.WaitGroup
	wg.Add(6)
	f := func() {
		defer wg.Done()
		for range 2 {
			go func() {
				defer wg.Done()
				mu.Lock()
				total++
				mu.Unlock()
			}()
		}
	}
	tm := time.AfterFunc(time.Millisecond, f)
	time.Sleep(2 * time.Millisecond)
	tm.Reset(time.Millisecond)
	wg.Wait()
	if total != 4 {
		t.Error("total")
	}
}

// finds: datarace
func TestTieFiredAgainRaces(t *testing.T) { // of what the first run starts with the second run
	n, done := 0, make(chan bool)
	first := true
	f := func() {
		if first {
			first = false
			go func() { done <- true }()
			go func() { n++; done <- true }()
			return
		}
		n++
		done <- true
	}
	tm := time.AfterFunc(time.Millisecond, f)
	<-done
	tm.Reset(time.Millisecond)
	<-done
	<-done
}

// Between two timers that a select waits for another one was started, for which nobody waits. It fires before the
// second of them can (UTIME8), and nothing else orders the two cases of a slow goroutine.

// finds: testfailure
func TestTieBetween(t *testing.T) {
	a := time.NewTimer(time.Millisecond)
	b := time.NewTimer(time.Millisecond)
	defer b.Stop()
	select {
	case <-a.C:
	case <-time.After(time.Millisecond):
		t.Error("the second")
	}
}

// finds: testfailure
func TestTieBetweenTicker(t *testing.T) {
	a := time.NewTimer(2 * time.Millisecond)
	b := time.NewTicker(2 * time.Millisecond)
	defer b.Stop()
	select {
	case <-a.C:
	case <-time.After(2 * time.Millisecond):
		t.Error("the second")
	}
}

// finds: testfailure
func TestTieBetweenMany(t *testing.T) {
	a := time.NewTimer(time.Millisecond)
	for range 3 {
		time.NewTimer(time.Millisecond)
	}
	c := time.After(time.Millisecond)
	go func() {}()
	select {
	case <-a.C:
	case <-c:
		t.Error("the second")
	}
}

// finds: testfailure
func TestTieBetweenContext(t *testing.T) {
	a := time.NewTimer(time.Millisecond)
	time.NewTimer(time.Millisecond)
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	select {
	case <-a.C:
	case <-ctx.Done():
		t.Error("the second")
	}
}

// finds: testfailure
func TestTieBetweenStarted(t *testing.T) { // who starts the second one was started behind the other
	a := time.NewTimer(time.Millisecond)
	time.NewTimer(time.Millisecond)
	c := make(chan (<-chan time.Time))
	go func() { c <- time.After(time.Millisecond) }()
	select {
	case <-a.C:
	case <-<-c:
		t.Error("the second")
	}
}

// finds: datarace
func TestTieBetweenFunc(t *testing.T) { // the second one runs a function
	x := 0
	a := time.NewTimer(time.Millisecond)
	time.NewTimer(time.Millisecond)
	time.AfterFunc(time.Millisecond, func() { x = 1 })
	<-a.C
	x++
}

func TestTieBetweenSent(t *testing.T) {
	a := time.NewTimer(time.Millisecond)
	b := time.NewTimer(time.Millisecond)
	select {
	case <-a.C:
	case <-time.After(time.Millisecond):
		if !sent(a.C) || !sent(b.C) {
			t.Error("empty")
		}
	}
}

func TestTieBetweenJoined(t *testing.T) {
	a := time.NewTimer(time.Millisecond)
	time.NewTimer(time.Millisecond)
	done := make(chan bool, 1)
	time.AfterFunc(time.Millisecond, func() { done <- true })
	select {
	case <-a.C:
		<-done
	case <-done:
		<-a.C
	}
}
