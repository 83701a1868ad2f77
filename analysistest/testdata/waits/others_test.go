package waits

import (
	"iter"
	"os"
	"os/signal"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"
)

// finds: testfailure
func TestSentAndStillThere(t *testing.T) {
	n, c := runtime.NumGoroutine(), make(chan int, 1)
	go func() { c <- 1 }()
	<-c
	if runtime.NumGoroutine() > n {
		t.Error("it has not ended yet")
	}
}

// finds: testfailure
func TestDoneAndStillThere(t *testing.T) {
	n := runtime.NumGoroutine()
	var wg sync.WaitGroup
	wg.Go(func() {})
	wg.Wait()
	if runtime.NumGoroutine() > n {
		t.Error("it has not ended yet")
	}
}

// finds: testfailure
func TestOneOfTwo(t *testing.T) {
	n := runtime.NumGoroutine()
	for range 2 {
		go func() {}()
	}
	if runtime.NumGoroutine() == n+1 {
		t.Error("one has ended")
	}
}

// finds: testfailure
func TestGrandchild(t *testing.T) {
	n := runtime.NumGoroutine()
	c := make(chan int)
	go func() { go func() { c <- 1 }() }()
	if runtime.NumGoroutine() == n+2 {
		t.Error("both are there")
	}
	<-c
}

// finds: testfailure
func TestCountOfProfile(t *testing.T) {
	p, c := pprof.Lookup("goroutine"), make(chan int, 1)
	n := p.Count()
	go func() { c <- 1 }()
	<-c
	if p.Count() > n {
		t.Error("it has not ended yet")
	}
}

// finds: testfailure
func TestEndsBesideAFunction(t *testing.T) {
	n, c := runtime.NumGoroutine(), make(chan int, 1)
	time.AfterFunc(time.Second, func() { c <- 1 })
	<-c
	if runtime.NumGoroutine() > n {
		t.Error("the function of the timer has not returned yet")
	}
}

// finds: testfailure
func TestStackOfOther(t *testing.T) {
	c := make(chan int, 1)
	go func() { c <- 1 }()
	<-c
	buf := make([]byte, 1<<14)
	if strings.Contains(string(buf[:runtime.Stack(buf, true)]), "TestStackOfOther.func1") {
		t.Error("it is still there")
	}
}

// The goroutine that waits in package testing is in the text, and has started that of the test.
func TestStackOfTesting(t *testing.T) {
	c := make(chan int)
	go func() { <-c }()
	buf := make([]byte, 1<<14)
	all := strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n")
	if len(all) != runtime.NumGoroutine() || len(all) != 3 {
		t.Errorf("%d texts of %d goroutines", len(all), runtime.NumGoroutine())
	}
	if !strings.Contains(all[0], "created by testing.(*T).Run in goroutine 1\n") || strings.HasPrefix(all[0], "goroutine 1 ") {
		t.Error(all[0])
	}
	if !strings.HasPrefix(all[1], "goroutine 1 [chan receive]:\ntesting.(*T).Run(") || !strings.Contains(all[1], "main.main()") {
		t.Error(all[1])
	}
	if !strings.Contains(all[2], "created by ") || !strings.Contains(all[2], ".TestStackOfTesting in goroutine ") {
		t.Error(all[2])
	}
	close(c)
}

// Package os/signal's goroutine stands where it does natively: leak checkers know it by its name.
func TestStackOfSignals(t *testing.T) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	buf := make([]byte, 1<<14)
	all := string(buf[:runtime.Stack(buf, true)])
	if i := strings.Index(all, "os/signal.loop()\n"); i > 0 {
		over := all[strings.LastIndex(all[:i], "]:\n")+3 : i]
		if over != "" && !strings.HasPrefix(over, "os/signal.signal_recv()\n") {
			t.Error(all)
		}
	}
	signal.Reset(os.Interrupt)
}

// Who waits stands where leak checkers look for it: in the function of the runtime.
// only: union
func TestStackOfParked(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var rw sync.RWMutex
	var wg sync.WaitGroup
	mu.Lock()
	rw.Lock()
	wg.Add(1)
	c := sync.NewCond(new(sync.Mutex))
	go r.Read(make([]byte, 1))
	go mu.Lock()
	go rw.RLock()
	go wg.Wait()
	go func() { c.L.Lock(); c.Wait(); c.L.Unlock() }()
	go time.Sleep(time.Hour)
	for _, top := range []string{"IO wait]:\ninternal/poll.runtime_pollWait(", "sync.Mutex.Lock]:\ninternal/sync.runtime_SemacquireMutex(", "sync.RWMutex.RLock]:\nsync.runtime_SemacquireRWMutexR(", "sync.WaitGroup.Wait]:\nsync.runtime_SemacquireWaitGroup(", "sync.Cond.Wait]:\nsync.runtime_notifyListWait(", "sleep]:\ntime.Sleep("} {
		time.Sleep(time.Minute)
		buf := make([]byte, 1<<14)
		if all := string(buf[:runtime.Stack(buf, true)]); !strings.Contains(all, top) || strings.Contains(all, "heddle") {
			t.Error(top, all)
		}
	}
	w.Close()
	mu.Unlock()
	rw.Unlock()
	wg.Done()
	c.Broadcast()
}

func TestCountInTest(t *testing.T) {
	if n := runtime.NumGoroutine(); n != 2 {
		t.Error(n)
	}
	t.Run("sub", func(t *testing.T) {
		if n := runtime.NumGoroutine(); n != 3 {
			t.Error(n)
		}
	})
}

func TestCountUntilEnded(t *testing.T) {
	n, c := runtime.NumGoroutine(), make(chan int, 1)
	go func() { c <- 1 }()
	<-c
	for runtime.NumGoroutine() > n {
		time.Sleep(time.Millisecond)
	}
}

func TestCountWaiting(t *testing.T) {
	n, c := runtime.NumGoroutine(), make(chan int)
	go func() { <-c }()
	if runtime.NumGoroutine() != n+1 {
		t.Error("it is there, and waits")
	}
	c <- 1
}

func TestTimersAreNotCounted(t *testing.T) {
	n := runtime.NumGoroutine()
	<-time.After(time.Second)
	if runtime.NumGoroutine() != n {
		t.Error("a timer is no goroutine")
	}
}

func TestCoroutinesAreCounted(t *testing.T) {
	n := runtime.NumGoroutine()
	next, stop := iter.Pull(func(yield func(int) bool) { yield(1) })
	next()
	if runtime.NumGoroutine() != n+1 {
		t.Error("a coroutine is one")
	}
	stop()
	if runtime.NumGoroutine() != n {
		t.Error("it has ended")
	}
}

func TestStackOfWaiting(t *testing.T) {
	c := make(chan int)
	go wait(c)
	buf := make([]byte, 1<<14)
	if !strings.Contains(string(buf[:runtime.Stack(buf, true)]), "created by waits.TestStackOfWaiting") {
		t.Error("it is there")
	}
	c <- 1
}

func wait(c chan int) { <-c }

// What a stopped timer would run can be run, where somebody alive has the timer.

var kept *time.Timer

// finds:
func TestStoppedTimerKept(t *testing.T) {
	c := make(chan int)
	kept = time.AfterFunc(time.Hour, func() { c <- 1 })
	kept.Stop()
	go func() { <-c }()
}

// finds:
func TestStoppedTimerOfSleeper(t *testing.T) {
	c := make(chan int, 1)
	timer := time.AfterFunc(time.Hour, func() { c <- 1 })
	timer.Stop()
	go func() { <-c }()
	go func() {
		time.Sleep(time.Minute)
		timer.Reset(time.Second)
	}()
}

// finds: goroutineleak
func TestStoppedTimerLost(t *testing.T) {
	c := make(chan int)
	timer := time.AfterFunc(time.Hour, func() { c <- 1 })
	timer.Stop()
	go func() { <-c }()
}

var next func() (int, bool)

// finds:
func TestPullKept(t *testing.T) {
	c := make(chan int)
	next, _ = iter.Pull(func(yield func(int) bool) {
		yield(1)
		c <- 1
	})
	next()
	go func() { <-c }()
}

// A loop that changes nothing but its own count, and ends: nobody else can go on.

// finds:
// only: union
func TestLooksOften(t *testing.T) {
	c := make(chan int)
	go func() {}()
	n := 0
	for range 1000 {
		select {
		case <-c:
		default:
			n++
		}
	}
	if n < 1000 {
		t.Error(n)
	}
}

// No time passes for one who looks often, and reads the clock before and after alone (but for the nanosecond by which
// two readings of a goroutine differ).
//
// finds:
// only: union
func TestLooksInNoTime(t *testing.T) {
	c := make(chan int)
	go func() {}()
	start, n := time.Now(), 0
	for range 1000 {
		select {
		case <-c:
		default:
			n++
		}
	}
	if d := time.Since(start); d > 1 || n < 1000 {
		t.Error(d, n)
	}
}
