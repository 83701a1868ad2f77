package outcomes

import (
	"context"
	"sync"
	"testing"
	"time"
)

func TestTicker(t *testing.T) {
	tk := time.NewTicker(time.Millisecond)
	defer tk.Stop()
	done := make(chan bool)
	go func() {
		time.Sleep(2 * time.Millisecond)
		close(done)
	}()
	for n := 0; ; n++ {
		select {
		case <-tk.C:
		case <-done:
			sink = n
			return
		}
	}
}

// A ticker's channel holds one element: ticks that nobody takes are lost.
func TestTicksLost(t *testing.T) {
	tk := time.NewTicker(time.Millisecond)
	time.Sleep(5 * time.Millisecond)
	tk.Reset(10 * time.Millisecond)
	select {
	case <-tk.C:
		t.Error("Reset empties the channel")
	default:
	}
	<-tk.C
	tk.Stop()
}

// Reset and the firing of a function race for the same instant.
func TestResetRace(t *testing.T) {
	var mu sync.Mutex
	n := 0
	tm := time.AfterFunc(time.Millisecond, func() {
		mu.Lock()
		n++
		mu.Unlock()
	})
	time.Sleep(time.Millisecond)
	if tm.Reset(time.Millisecond) {
		sink = 1
	}
	time.Sleep(2 * time.Millisecond)
	mu.Lock()
	sink = n
	mu.Unlock()
}

// What a goroutine reads of the clock is no event, and decides what it does.
func TestClockDecides(t *testing.T) {
	began := time.Now()
	c := make(chan int, 1)
	go func() { time.Sleep(time.Millisecond); c <- 1 }()
	go func() { time.Sleep(2 * time.Millisecond); c <- 2 }()
	v := <-c
	if time.Since(began) > 3*time.Millisecond/2 {
		t.Error("later", v)
	}
	<-c
}

// The same operation at one time or another, and what comes of it.
func TestEarlyOrLate(t *testing.T) {
	began := time.Now()
	var mu sync.Mutex
	var wg sync.WaitGroup
	x := 0
	wg.Add(2)
	go func() {
		defer wg.Done()
		mu.Lock()
		defer mu.Unlock()
		if x == 0 {
			time.Sleep(time.Millisecond)
		}
		x++
	}()
	go func() {
		defer wg.Done()
		mu.Lock()
		x++
		if time.Since(began) > time.Millisecond/2 {
			x += 10
		}
		mu.Unlock()
	}()
	wg.Wait()
	if x == 12 {
		t.Error("waited")
	}
}

func TestCancelOrDeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	go func() {
		time.Sleep(time.Millisecond)
		cancel()
	}()
	<-ctx.Done()
	sink = len(ctx.Err().Error())
}

// Without an end: the leak is there only if the deadline comes first.
func TestTimeoutLeak(t *testing.T) {
	work := make(chan int)
	go func() {
		time.Sleep(time.Millisecond)
		work <- 1
	}()
	select {
	case <-work:
	case <-time.After(time.Millisecond):
	}
}

// A function that is still to run sees what others wrote last.
func TestAfterFuncSees(t *testing.T) {
	var mu sync.Mutex
	x, done := 0, make(chan int)
	time.AfterFunc(time.Millisecond, func() {
		mu.Lock()
		defer mu.Unlock()
		done <- x
	})
	for i := range 2 {
		go func() {
			mu.Lock()
			x = i + 1
			mu.Unlock()
		}()
	}
	if <-done == 1 {
		t.Error("the first came last")
	}
}

// After the entry's end the clock goes on for those it left behind.
func TestAfterReturn(t *testing.T) {
	c := make(chan int)
	go func() {
		select {
		case <-time.After(time.Second):
		case <-c:
		}
	}()
	go func() {
		time.Sleep(time.Millisecond)
		c <- 1
	}()
}

// A timer that is never stopped fires beside what still runs.
func TestTimerRaces(t *testing.T) {
	x := 0
	time.AfterFunc(time.Millisecond, func() { x = 1 })
	time.Sleep(time.Millisecond)
	x = 2
	time.Sleep(time.Millisecond)
	sink = x
}

func TestTimedDeadlock(t *testing.T) {
	var mu sync.Mutex
	c := make(chan int)
	go func() {
		mu.Lock()
		time.Sleep(time.Millisecond)
		c <- 1
		mu.Unlock()
	}()
	time.Sleep(time.Millisecond)
	mu.Lock()
	<-c
	mu.Unlock()
}

// Nothing happens after the end of the program.
func TestPanicBeforeTimer(t *testing.T) {
	tm := time.NewTimer(2 * time.Millisecond)
	go func() {
		time.Sleep(time.Millisecond)
		sink = 1
	}()
	if tm.Reset(time.Millisecond) {
		panic("was active")
	}
}
