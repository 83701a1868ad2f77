// Package races has programs in which a goroutine learns that another has come so far. Where that synchronises nothing, what the other did before is a
// race, though the two accesses are never next to each other: TestRace…, with one race each. Where it does, or something else keeps them apart, there is
// none: TestQuiet…. The race detector says the same, where the comment "pause" is a sleep.
package races

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var sink int

// beside runs f beside g.
func beside(f, g func()) {
	done := make(chan bool)
	go func() { defer close(done); f() }()
	/*pause*/
	g()
	<-done
}

// The length of a channel.

func TestRaceLen(t *testing.T) {
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; c <- 1 }, func() {
		if len(c) == 1 {
			sink = x
		}
	})
}

func TestRaceLenBesideLock(t *testing.T) { // who locks first is not seen in what comes
	var mu sync.Mutex
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; /*hold*/ mu.Lock(); mu.Unlock(); c <- 1 }, func() {
		mu.Lock()
		mu.Unlock()
		/*hold*/
		if len(c) == 1 {
			sink = x
		}
	})
}

func TestRaceLenOfEmptied(t *testing.T) {
	x, c := 0, make(chan int, 1)
	c <- 1
	beside(func() { x = 1; <-c }, func() {
		if len(c) == 0 {
			sink = x
		}
	})
}

func TestRaceLenOfSends(t *testing.T) { // a send is not before the next one
	x, c := 0, make(chan int, 2)
	beside(func() { x = 1; c <- 1 }, func() {
		if len(c) == 1 {
			c <- 2
			sink = x
		}
	})
}

func TestRaceLenThenAtomic(t *testing.T) { // what is stored too late says nothing
	var f atomic.Int32
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; c <- 1; /*hold*/ f.Store(1) }, func() {
		if len(c) == 1 && f.Load() == 0 {
			sink = x
		}
	})
}

func TestQuietLenOfMany(t *testing.T) { // more accesses than can be followed at once
	var xs [40]int
	c := make(chan int, 1)
	var sent atomic.Bool
	beside(func() {
		for i := range xs {
			xs[i] = 1
		}
		sent.Store(true)
		c <- 1
	}, func() {
		if len(c) == 1 {
			sent.Load()
			for i := range xs {
				sink += xs[i]
			}
		}
	})
}

func TestQuietLenOfManyAtOnce(t *testing.T) { // and one that touches what they all touch
	var xs [40]int
	c := make(chan int, 1)
	var sent atomic.Bool
	beside(func() {
		for i := range xs {
			xs[i] = 1
		}
		sent.Store(true)
		c <- 1
	}, func() {
		if len(c) == 1 {
			sent.Load()
			ys := xs
			sink = ys[0]
			for i := range xs {
				sink += xs[i]
			}
		}
	})
}

func TestRaceLenOfManyKeys(t *testing.T) { // one map, at one site
	m, c := map[int]int{}, make(chan int, 1)
	beside(func() {
		for i := range 70 {
			m[i] = i
		}
		c <- 1
	}, func() {
		if len(c) == 1 {
			sink = m[3]
		}
	})
}

func TestQuietLenOfManyKeys(t *testing.T) {
	m, c := map[int]int{}, make(chan int, 1)
	var sent atomic.Bool
	beside(func() {
		for i := range 70 {
			m[i] = i
		}
		sent.Store(true)
		c <- 1
	}, func() {
		if len(c) == 1 {
			sent.Load()
			sink = m[3]
		}
	})
}

func TestQuietLenThenLong(t *testing.T) { // what comes after the read can show nothing any more
	x, c := 0, make(chan int, 1)
	var n atomic.Int32
	add := func() { n.Add(1); n.Add(1); n.Add(1) }
	beside(func() { x = 1; n.Add(1); c <- 1; add() }, func() {
		if len(c) == 1 {
			n.Load()
			sink = x
		}
		add()
	})
}

func TestQuietLenUnderOneLock(t *testing.T) { // who holds the lock later knows what came before it
	x, c := 0, make(chan int, 1)
	var mu sync.Mutex
	beside(func() {
		x = 1
		mu.Lock()
		c <- 1
		mu.Unlock()
	}, func() {
		mu.Lock()
		n := len(c)
		mu.Unlock()
		if n == 1 {
			sink = x
		}
	})
}

func TestRaceLenUnderLockOfOne(t *testing.T) { // who sends does not hold it
	x, c := 0, make(chan int, 1)
	var mu sync.Mutex
	beside(func() { x = 1; c <- 1 }, func() {
		mu.Lock()
		n := len(c)
		mu.Unlock()
		if n == 1 {
			sink = x
		}
	})
}

func TestRaceLenUnderReadLocks(t *testing.T) { // which both can hold
	x, c := 0, make(chan int, 1)
	var mu sync.RWMutex
	beside(func() {
		x = 1
		mu.RLock()
		c <- 1
		mu.RUnlock()
	}, func() {
		mu.RLock()
		n := len(c)
		mu.RUnlock()
		if n == 1 {
			sink = x
		}
	})
}

func TestQuietLenOfNothings(t *testing.T) { // elements without bytes: the race detector has one clock for all
	x, c := 0, make(chan struct{}, 2)
	beside(func() { x = 1; c <- struct{}{} }, func() {
		if len(c) == 1 {
			c <- struct{}{}
			sink = x
		}
	})
}

func TestQuietLenThenReceive(t *testing.T) {
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; c <- 1 }, func() {
		if len(c) == 1 {
			<-c
			sink = x
		}
	})
}

func TestQuietLenAndLock(t *testing.T) {
	var mu sync.Mutex
	x, c := 0, make(chan int, 1)
	beside(func() { mu.Lock(); x = 1; mu.Unlock(); c <- 1 }, func() {
		if len(c) == 1 {
			mu.Lock()
			sink = x
			mu.Unlock()
		}
	})
}

func TestQuietLenThenLock(t *testing.T) { // who has come so far has unlocked
	var mu sync.Mutex
	x, c := 0, make(chan int, 1)
	beside(func() { mu.Lock(); x = 1; mu.Unlock(); c <- 1 }, func() {
		if len(c) == 1 {
			mu.Lock()
			mu.Unlock()
			sink = x
		}
	})
}

// A select that takes its default.

func TestRaceDefaultOfSend(t *testing.T) {
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; c <- 1 }, func() {
		select {
		case c <- 2:
			<-c
		default:
			sink = x
		}
	})
}

func TestRaceDefaultOfReceive(t *testing.T) {
	x, c := 0, make(chan int, 1)
	c <- 1
	beside(func() { x = 1; <-c }, func() {
		select {
		case v := <-c:
			c <- v
		default:
			sink = x
		}
	})
}

func TestQuietDefaultOfDone(t *testing.T) { // that it is not closed says that nothing has happened
	x, done := 0, make(chan bool)
	beside(func() { x = 1; close(done) }, func() {
		select {
		case <-done:
			sink = x
		default:
		}
	})
}

func TestQuietDefaultThenReceive(t *testing.T) {
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; c <- 1 }, func() {
		select {
		case c <- 2:
			<-c
		default:
			<-c
			sink = x
		}
	})
}

// Locks.

func TestRaceTryLock(t *testing.T) {
	var mu sync.Mutex
	x := 0
	beside(func() { x = 1; mu.Lock(); /*hold*/ mu.Unlock() }, func() {
		if mu.TryLock() {
			mu.Unlock()
		} else {
			sink = x
		}
	})
}

func TestRaceTryRLock(t *testing.T) {
	var mu sync.RWMutex
	x := 0
	beside(func() { x = 1; mu.Lock(); /*hold*/ mu.Unlock() }, func() {
		if mu.TryRLock() {
			mu.RUnlock()
		} else {
			sink = x
		}
	})
}

func TestRaceTryLockOfReader(t *testing.T) {
	var mu sync.RWMutex
	x := 0
	beside(func() { x = 1; mu.RLock(); /*hold*/ mu.RUnlock() }, func() {
		if mu.TryLock() {
			mu.Unlock()
		} else {
			sink = x
		}
	})
}

func TestRaceUnlockOfAnothers(t *testing.T) { // panics: where it does not fail, the other has locked
	var mu sync.Mutex
	x := 0
	beside(func() { x = 1; mu.Lock() }, func() { mu.Unlock(); sink = x })
}

func TestRaceRUnlockOfAnothers(t *testing.T) { // panics
	var mu sync.RWMutex
	x := 0
	beside(func() { x = 1; mu.RLock() }, func() { mu.RUnlock(); sink = x })
}

func TestRaceUnlockThenLock(t *testing.T) { // panics: what is locked again was unlocked by who locks it
	var mu sync.Mutex
	x := 0
	beside(func() { x = 1; mu.Lock() }, func() { mu.Unlock(); mu.Lock(); sink = x })
}

func TestQuietUnlockForAnother(t *testing.T) {
	var mu sync.Mutex
	x, c := 0, make(chan bool)
	beside(func() { x = 1; mu.Lock(); c <- true }, func() { <-c; mu.Unlock(); mu.Lock(); sink = x })
}

func TestQuietTryLockThenLock(t *testing.T) {
	var mu sync.Mutex
	x := 0
	beside(func() { x = 1; mu.Lock(); /*hold*/ mu.Unlock() }, func() {
		if mu.TryLock() {
			mu.Unlock()
		} else {
			mu.Lock()
			sink = x
			mu.Unlock()
		}
	})
}

func TestQuietTryRLockThenRLock(t *testing.T) {
	var mu sync.RWMutex
	x := 0
	beside(func() { x = 1; mu.Lock(); /*hold*/ mu.Unlock() }, func() {
		if mu.TryRLock() {
			mu.RUnlock()
		} else {
			mu.RLock()
			sink = x
			mu.RUnlock()
		}
	})
}

// What another has left in a channel.

func TestRaceClosedAndEmptied(t *testing.T) {
	x, c := 0, make(chan int, 1)
	c <- 1
	close(c)
	beside(func() { x = 1; <-c }, func() {
		if _, ok := <-c; !ok {
			sink = x
		}
	})
}

func TestRaceSecondElement(t *testing.T) {
	x, c := 0, make(chan int, 2)
	c <- 1
	c <- 2
	beside(func() { x = 1; <-c }, func() {
		if <-c == 2 {
			sink = x
		}
	})
}

func TestRaceSendRecovered(t *testing.T) {
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; close(c) }, func() {
		defer func() {
			if recover() != nil {
				sink = x
			}
		}()
		c <- 1
	})
}

// recovered calls f, and recovers its panic.
func recovered(f func()) {
	defer func() { recover() }()
	f()
}

func TestRaceSendBesideClose(t *testing.T) {
	c := make(chan int, 1)
	beside(func() { close(c) }, func() { recovered(func() { c <- 1 }) })
}

func TestRaceSelectBesideClose(t *testing.T) {
	c, d := make(chan int, 1), make(chan int, 1)
	d <- 1
	beside(func() { close(c) }, func() {
		recovered(func() {
			select {
			case c <- 1:
			case <-d:
			}
		})
	})
}

func TestRaceTrySendBesideClose(t *testing.T) {
	c := make(chan int)
	beside(func() { close(c) }, func() {
		recovered(func() {
			select {
			case c <- 1:
			default:
			}
		})
	})
}

func TestRaceLockedSendBesideClose(t *testing.T) {
	c := make(chan int, 1)
	var mu sync.Mutex
	beside(func() { close(c) }, func() {
		mu.Lock()
		defer mu.Unlock()
		recovered(func() { c <- 1 })
	})
}

// Whoever sends has seen that the channel was closed, if the select takes its first case; else it has not.
func TestRaceSendAfterPolling(t *testing.T) {
	c, closed := make(chan int, 1), make(chan bool, 1)
	beside(func() { close(c); closed <- true }, func() {
		select {
		case <-closed:
		default:
		}
		recovered(func() { c <- 1 })
	})
}

func TestQuietLockedSendAndClose(t *testing.T) {
	c := make(chan int, 1)
	var mu sync.Mutex
	beside(func() { mu.Lock(); close(c); mu.Unlock() }, func() {
		mu.Lock()
		defer mu.Unlock()
		recovered(func() { c <- 1 })
	})
}

func TestQuietSendAfterClose(t *testing.T) {
	c, closed := make(chan int, 1), make(chan bool)
	beside(func() { close(c); close(closed) }, func() {
		<-closed
		recovered(func() { c <- 1 })
	})
}

func TestQuietSendReceivedBeforeClose(t *testing.T) {
	c := make(chan int, 1)
	beside(func() { <-c; close(c) }, func() { recovered(func() { c <- 1 }) })
}

func TestQuietClosedTwice(t *testing.T) { // the second close only looks
	c := make(chan int)
	beside(func() { recovered(func() { close(c) }) }, func() { recovered(func() { close(c) }) })
}

// Stop says that the function was started, and does not wait for it.
func TestRaceStoppedTooLate(t *testing.T) {
	x := 0
	timer := time.AfterFunc(time.Millisecond, func() { x = 1 })
	time.Sleep(time.Millisecond)
	if !timer.Stop() {
		sink = x
	}
}

func TestQuietStoppedTooLate(t *testing.T) {
	x, ran := 0, make(chan bool)
	timer := time.AfterFunc(time.Millisecond, func() { x = 1; close(ran) })
	time.Sleep(time.Millisecond)
	if !timer.Stop() {
		<-ran
		sink = x
	}
}

func TestRaceContextAfterFunc(t *testing.T) {
	x := 0
	ctx, cancel := context.WithCancel(context.Background())
	stop := context.AfterFunc(ctx, func() { x = 1 })
	beside(cancel, func() {
		if !stop() {
			sink = x
		}
	})
}

func TestQuietContextAfterFunc(t *testing.T) {
	x, ran := 0, make(chan bool)
	ctx, cancel := context.WithCancel(context.Background())
	stop := context.AfterFunc(ctx, func() { x = 1; close(ran) })
	beside(cancel, func() {
		if !stop() {
			<-ran
			sink = x
		}
	})
}

func TestRaceTimerThatStartsItself(t *testing.T) { // it may fire before it has its name
	var timer *time.Timer
	n, done := 0, make(chan bool)
	timer = time.AfterFunc(time.Second, func() {
		if n++; n == 2 || timer == nil {
			close(done)
			return
		}
		timer.Reset(time.Second)
	})
	<-done
}

func TestQuietOnlyReceiver(t *testing.T) {
	x, c := 0, make(chan int, 2)
	beside(func() { c <- 1; x = 1; c <- 2 }, func() {
		<-c
		if <-c == 2 {
			sink = x
		}
	})
}

func TestQuietReturned(t *testing.T) { // as a semaphore: the receive is before the send that it makes room for
	x, c := 0, make(chan int, 1)
	c <- 1
	beside(func() { x = 1; <-c }, func() {
		c <- 1
		sink = x
	})
}

// Signals of a Cond.

func TestRaceSecondSignal(t *testing.T) {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	x, n := 0, make(chan bool)
	waiter := func(f func()) {
		mu.Lock()
		n <- true
		cond.Wait()
		mu.Unlock()
		f()
	}
	first, second := make(chan bool), make(chan bool)
	go func() { waiter(func() {}); close(first) }()
	<-n
	go func() { waiter(func() { sink = x }); close(second) }()
	<-n
	mu.Lock()
	mu.Unlock()
	beside(func() { x = 1; cond.Signal() }, func() { cond.Signal() })
	<-first
	<-second
}

// Files.

func TestRaceStat(t *testing.T) {
	x, f := 0, filepath.Join(t.TempDir(), "f")
	beside(func() { x = 1; os.Mkdir(f, 0o777) }, func() {
		if _, err := os.Stat(f); err == nil {
			sink = x
		}
	})
}

func TestRaceExists(t *testing.T) {
	x, f := 0, filepath.Join(t.TempDir(), "f")
	beside(func() { x = 1; os.Mkdir(f, 0o777) }, func() {
		if os.IsExist(os.Mkdir(f, 0o777)) {
			sink = x
		}
	})
}

func TestQuietContents(t *testing.T) { // reading bytes comes after writing them
	x := 0
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	beside(func() { x = 1; f.Write([]byte("1")) }, func() {
		if n, _ := f.ReadAt(make([]byte, 1), 0); n == 1 {
			sink = x
		}
	})
}

func TestQuietEnvironment(t *testing.T) {
	x := 0
	beside(func() { x = 1; os.Setenv("RACES", "1") }, func() {
		if os.Getenv("RACES") != "" {
			sink = x
		}
	})
}

// The number of goroutines.

func TestRaceNumGoroutine(t *testing.T) {
	x, stop, before := 0, make(chan bool), runtime.NumGoroutine()
	beside(func() { x = 1; go func() { <-stop }(); go func() { <-stop }() }, func() {
		if runtime.NumGoroutine() == before+2 {
			sink = x
		}
	})
	close(stop)
}

func TestQuietNumGoroutine(t *testing.T) {
	var mu sync.Mutex
	x, before := 0, runtime.NumGoroutine()
	beside(func() { mu.Lock(); x = 1; mu.Unlock() }, func() {
		if runtime.NumGoroutine() == before {
			mu.Lock()
			sink = x
			mu.Unlock()
		}
	})
}

// Atomics synchronise, also where they fail.

func TestQuietLoad(t *testing.T) {
	var f atomic.Int32
	x := 0
	beside(func() { x = 1; f.Store(1) }, func() {
		if f.Load() == 1 {
			sink = x
		}
	})
}

func TestQuietFailedSwap(t *testing.T) {
	var f atomic.Int32
	x := 0
	beside(func() { x = 1; f.Store(1) }, func() {
		if !f.CompareAndSwap(0, 2) {
			sink = x
		}
	})
}

func TestQuietOnce(t *testing.T) {
	var o sync.Once
	x := 0
	beside(func() { o.Do(func() { x = 1 }) }, func() {
		o.Do(func() { x = 1 })
		sink = x
	})
}

func TestQuietMap(t *testing.T) {
	var m sync.Map
	x := 0
	beside(func() { x = 1; m.Store(1, 1) }, func() {
		if _, ok := m.Load(1); ok {
			sink = x
		}
	})
}

// Synchronisation of the standard library that makes no event.

func TestQuietLocal(t *testing.T) {
	beside(func() { sink = time.Now().Day() }, func() { _ = time.Local.String() })
}

func TestQuietLog(t *testing.T) { // a lock of package testing
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; t.Log("a"); c <- 1 }, func() {
		if len(c) == 1 {
			t.Log("b")
			sink = x
		}
	})
}

// Time passes, and orders nothing.

func TestRaceSleep(t *testing.T) {
	x := 0
	beside(func() { x = 1 }, func() {
		time.Sleep(time.Second)
		sink = x
	})
}

// What is evaluated for nothing is a read where the compiler makes one: the race detector says so.

func TestRaceBlank(t *testing.T) {
	p := new(int)
	beside(func() { *p = 1 }, func() { _ = *p })
}

func TestRaceBlankField(t *testing.T) {
	p := new(struct{ a, b int })
	beside(func() { p.b = 1 }, func() { _ = p.b })
}

func TestQuietBlankOther(t *testing.T) {
	p := new(struct{ a, b int })
	beside(func() { p.b = 1 }, func() { _ = p.a })
}

func TestQuietBlankAddress(t *testing.T) {
	p := new(struct{ a, b int })
	beside(func() { p.b = 1 }, func() { _ = &p.b })
}

// A variable that is given to a blank operand beside one that is not blank is not read.

func TestQuietBlankBeside(t *testing.T) {
	x := 0
	beside(func() { x = 1 }, func() { _, sink = x, 1 })
}

func TestQuietBlankDeclared(t *testing.T) {
	x := 0
	beside(func() { x = 1 }, func() {
		var y, _, z = 1, (x), 2
		v, _ := 3, x
		sink = y + z + v
	})
}

var blank int

func TestQuietBlankOfPackage(t *testing.T) {
	beside(func() { blank = 1 }, func() { sink, _ = 1, blank })
}

func TestRaceBlankAlone(t *testing.T) { // all are blank
	x := 0
	beside(func() { x = 1 }, func() { _, _ = x, 1 })
}

func TestRaceBlankBesideField(t *testing.T) {
	p := new(struct{ a, b int })
	beside(func() { p.b = 1 }, func() { _, sink = p.b, 1 })
}

func TestRaceBlankBesideSum(t *testing.T) {
	x := 0
	beside(func() { x = 1 }, func() { _, sink = x+1, 1 })
}

func TestRaceBlankOther(t *testing.T) { // the other one is read
	x := 0
	beside(func() { x = 1 }, func() { _, sink = 1, x })
}

func TestQuietBlankArray(t *testing.T) { // its length is a constant
	p := new([2]int)
	beside(func() { p[1] = 1 }, func() {
		_ = p[:]
		for range p {
		}
	})
}
