// Package outcomes holds small concurrent programs over all primitives. Each is enumerated by brute force, which must
// meet the same outcomes, races and blocked sets as the default explorer.
package outcomes

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

var sink int

func TestStoreBuffer(t *testing.T) {
	var x, y, a, b int
	done := make(chan bool)
	go func() { x = 1; a = y; done <- true }()
	y = 1
	b = x
	<-done
	sink = a + b
}

func TestCounter(t *testing.T) {
	c := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() { c++; wg.Done() }()
	}
	wg.Wait()
	if c != 2 {
		t.Error("lost update")
	}
}

func TestABBA(t *testing.T) {
	var a, b sync.Mutex
	go func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() }()
	b.Lock()
	a.Lock()
	a.Unlock()
	b.Unlock()
}

func TestRWMutex(t *testing.T) {
	var mu sync.RWMutex
	x := 0
	done := make(chan int, 2)
	go func() { mu.RLock(); v := x; mu.RUnlock(); done <- v }()
	go func() { mu.Lock(); x = 1; mu.Unlock(); done <- 7 }()
	<-done
	<-done
}

func TestReadWriteRead(t *testing.T) {
	var mu sync.RWMutex
	done := make(chan bool)
	go func() { mu.RLock(); mu.RLock(); mu.RUnlock(); mu.RUnlock(); done <- true }()
	mu.Lock()
	mu.Unlock()
	<-done
}

func TestTryLock(t *testing.T) {
	var mu sync.Mutex
	got := make(chan bool, 1)
	go func() {
		ok := mu.TryLock()
		if ok {
			mu.Unlock()
		}
		got <- ok
	}()
	mu.Lock()
	mu.Unlock()
	<-got
}

func TestUnbuffered(t *testing.T) {
	c := make(chan int)
	go func() { c <- 1 }()
	go func() { c <- 2 }()
	a := <-c
	b := <-c
	if a+b != 3 {
		t.Error(a, b)
	}
}

func TestBuffered(t *testing.T) {
	c := make(chan int, 1)
	go func() { c <- 1; c <- 2; close(c) }()
	s := 0
	for v := range c {
		s = s*10 + v
	}
	if s != 12 {
		t.Error(s)
	}
}

func TestLen(t *testing.T) {
	c := make(chan int, 2)
	go func() { c <- 1 }()
	sink = len(c)
	<-c
}

func TestSelectTwo(t *testing.T) {
	a, b := make(chan int, 1), make(chan int, 1)
	go func() { a <- 1 }()
	go func() { b <- 2 }()
	select {
	case v := <-a:
		sink = v
	case v := <-b:
		sink = v
	}
}

func TestSelectDefault(t *testing.T) {
	a := make(chan int)
	done := make(chan bool, 1)
	go func() {
		select {
		case v := <-a:
			sink = v
		default:
		}
		done <- true
	}()
	select {
	case a <- 1:
	default:
	}
	<-done
}

// A goroutine that is about to receive need not have begun to wait.
func TestDefaultAfterReady(t *testing.T) {
	ready, c := make(chan bool), make(chan int)
	go func() { ready <- true; sink = <-c }()
	<-ready
	select {
	case c <- 1:
	default:
		close(c)
	}
}

// After time has passed, everyone who waits has begun to.
func TestDefaultAfterSleep(t *testing.T) {
	c, done := make(chan int), make(chan bool)
	go func() { sink = <-c; done <- true }()
	time.Sleep(time.Millisecond)
	select {
	case c <- 1:
	default:
		t.Error("the receiver was not there")
	}
	<-done
}

func TestSelectSendRecv(t *testing.T) {
	a, b := make(chan int), make(chan int)
	go func() {
		select {
		case a <- 1:
		case v := <-b:
			sink = v
		}
	}()
	select {
	case v := <-a:
		sink = v
	case b <- 2:
	}
}

func TestDropIfFull(t *testing.T) {
	c := make(chan int, 1)
	go func() {
		select {
		case c <- 1:
		default:
		}
	}()
	select {
	case c <- 2:
	default:
	}
	sink = <-c
}

func TestSendOnClosed(t *testing.T) {
	c := make(chan int, 1)
	go func() { close(c) }()
	c <- 1
}

func TestOnce(t *testing.T) {
	var once sync.Once
	n := 0
	done := make(chan int, 1)
	go func() { once.Do(func() { n = 1 }); done <- n }()
	once.Do(func() { n = 2 })
	sink = n + <-done
}

func TestCond(t *testing.T) {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	ready := false
	go func() { mu.Lock(); ready = true; mu.Unlock(); c.Signal() }()
	mu.Lock()
	for !ready {
		c.Wait()
	}
	mu.Unlock()
}

func TestLostSignal(t *testing.T) {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	go func() { c.Signal() }()
	mu.Lock()
	c.Wait()
	mu.Unlock()
}

func TestAtomics(t *testing.T) {
	var x atomic.Int32
	done := make(chan bool)
	go func() { x.CompareAndSwap(0, 5); x.Add(1); done <- true }()
	x.Store(3)
	v := x.Load()
	<-done
	sink = int(v + x.Load())
}

func TestMapRace(t *testing.T) {
	m := map[int]int{}
	done := make(chan bool)
	go func() { m[1] = 1; done <- true }()
	sink = m[2]
	<-done
	sink += len(m)
}

func TestSyncMap(t *testing.T) {
	var m sync.Map
	done := make(chan bool)
	go func() { m.LoadOrStore("k", 1); done <- true }()
	v, _ := m.LoadOrStore("k", 2)
	<-done
	sink = v.(int)
}

func TestPool(t *testing.T) {
	p := sync.Pool{New: func() any { return new(int) }}
	done := make(chan bool)
	go func() { x := p.Get().(*int); *x++; p.Put(x); done <- true }()
	y := p.Get().(*int)
	*y += 2
	p.Put(y)
	<-done
}

func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	res := make(chan error, 1)
	go func() {
		<-ctx.Done()
		res <- ctx.Err()
	}()
	cancel()
	if err := <-res; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestTimeout(t *testing.T) {
	work := make(chan int)
	go func() { work <- 1 }()
	select {
	case v := <-work:
		sink = v
	case <-time.After(time.Second):
		t.Error("timed out")
	}
}

func TestSleepers(t *testing.T) {
	x := 0
	go func() { time.Sleep(2 * time.Millisecond); x = 2 }()
	go func() { time.Sleep(time.Millisecond); x = 1 }()
	time.Sleep(3 * time.Millisecond)
	sink = x
}

func TestAfterFunc(t *testing.T) {
	var n atomic.Int32
	tm := time.AfterFunc(time.Millisecond, func() { n.Add(1) })
	time.Sleep(time.Millisecond)
	tm.Stop()
	sink = int(n.Load())
}

func TestWaitGroupReuse(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(1)
	go wg.Done()
	wg.Wait()
	wg.Add(1)
	go wg.Done()
	wg.Wait()
}

func TestAddConcurrentWithWait(t *testing.T) {
	var wg sync.WaitGroup
	x := 0
	go func() { wg.Add(1); x = 1; wg.Done() }()
	wg.Wait()
	sink = x
}

func TestNilMapPanic(t *testing.T) {
	var mu sync.Mutex
	var m map[string]int
	go func() { mu.Lock(); m = map[string]int{}; mu.Unlock() }()
	mu.Lock()
	defer mu.Unlock()
	m["a"] = 1
}

func TestRecovered(t *testing.T) {
	c := make(chan int)
	go func() {
		defer func() { recover(); close(c) }()
		panic("p")
	}()
	<-c
}

func TestLeak(t *testing.T) {
	c := make(chan int)
	go func() { c <- 1 }()
	go func() { c <- 2 }()
	sink = <-c
}

func TestStructCopy(t *testing.T) {
	type pair struct{ a, b int }
	var p pair
	done := make(chan bool)
	go func() { p.b = 1; done <- true }()
	q := p
	<-done
	sink = q.a
}

func TestSubtests(t *testing.T) {
	x := 0
	for range 2 {
		t.Run("sub", func(t *testing.T) {
			t.Parallel()
			x++
		})
	}
}

func TestEnvironment(t *testing.T) {
	done := make(chan bool)
	go func() { os.Setenv("HEDDLE_X", "1"); done <- true }()
	v := os.Getenv("HEDDLE_X")
	<-done
	sink = len(v)
}

func TestFile(t *testing.T) {
	p := t.TempDir() + "/f"
	done := make(chan bool)
	go func() { os.WriteFile(p, []byte("x"), 0o600); done <- true }()
	_, err := os.Stat(p)
	<-done
	if err == nil {
		sink = 1
	}
}

func Example_order() {
	c := make(chan bool)
	go func() { fmt.Println("a"); c <- true }()
	fmt.Println("b")
	<-c
	// Output:
	// b
	// a
}

func TestTimerStopRace(t *testing.T) {
	tm := time.NewTimer(time.Millisecond)
	time.Sleep(time.Millisecond)
	if tm.Stop() {
		sink = 1
	}
	select {
	case <-tm.C:
		t.Error("a stopped timer has no value")
	default:
	}
}

func TestTwoTimers(t *testing.T) {
	a, b := time.After(time.Millisecond), time.After(time.Millisecond)
	select {
	case <-a:
		sink = 1
	case <-b:
		sink = 2
	}
}

// A timer is stopped at the instant at which it and another are due.
func TestTimersDueTogether(t *testing.T) {
	a, b := time.NewTimer(time.Millisecond), time.NewTimer(time.Millisecond)
	go func() {
		time.Sleep(time.Millisecond)
		a.Stop()
	}()
	go func() { <-a.C }()
	<-b.C
}

func TestDeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	work := make(chan int, 1)
	go func() { time.Sleep(time.Millisecond); work <- 1 }()
	select {
	case v := <-work:
		sink = v
	case <-ctx.Done():
		sink = 2
	}
}

// What package initialisation left behind is no event of the execution.
var (
	closedBefore = make(chan int)
	filledBefore = make(chan int, 1)
	addedBefore  sync.WaitGroup
)

func init() {
	close(closedBefore)
	filledBefore <- 1
	addedBefore.Add(1)
}

func TestClosedBefore(t *testing.T) {
	select {
	case <-closedBefore:
		sink = 1
	case <-closedBefore:
		sink = 2
	}
}

func TestFilledBefore(t *testing.T) {
	go func() { filledBefore <- 2 }()
	select {
	case v := <-filledBefore:
		sink = v
	case v := <-filledBefore:
		sink = 10 * v
	}
	sink += len(filledBefore)
}

func TestAddedBefore(t *testing.T) {
	done := make(chan bool)
	go func() { addedBefore.Wait(); sink = 1; done <- true }()
	addedBefore.Done()
	addedBefore.Add(1)
	addedBefore.Done()
	<-done
}

// TestSleepOfNothing: a sleep of no time is a yield, which waits for nobody.
func TestSleepOfNothing(t *testing.T) {
	var n atomic.Int32
	done := make(chan bool)
	go func() {
		time.Sleep(0)
		if n.Load() == 0 {
			panic("first")
		}
		close(done)
	}()
	n.Store(1)
	<-done
}

// The length of a map is read after a write in the first execution, and may be read before it.
func TestMapLengthFirst(t *testing.T) {
	m := map[int]int{}
	var mu sync.Mutex
	go func() {
		mu.Lock()
		sink = len(m)
		mu.Unlock()
	}()
	m[1] = 1
}

// TestSendToClosed has a send that fails while what was sent before is still in the channel: it is after the close, and after no receive.
func TestSendToClosed(t *testing.T) {
	c := make(chan int, 1)
	go func() { c <- 1 }()
	go func() {
		func() {
			defer func() { recover() }()
			c <- 2
		}()
		sink = len(c)
	}()
	close(c)
	<-c
}

// UCOND1: who waits second knows it, and is not woken first.
func TestCondOrder(t *testing.T) {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	n := 0
	for range 2 {
		go func() {
			mu.Lock()
			n++
			second := n == 2
			c.Wait()
			if second {
				n = 10
			}
			mu.Unlock()
		}()
	}
	mu.Lock()
	c.Signal()
	mu.Unlock()
}

// DEP11, UGO2: how many there are depends on who has ended.
func TestNumGoroutine(t *testing.T) {
	go func() {}()
	sink = runtime.NumGoroutine()
}

// UGO2: a coroutine counts until it ends.
func TestNumGoroutineAndPull(t *testing.T) {
	go func() {
		next, stop := iter.Pull(func(yield func(int) bool) { yield(1) })
		next()
		stop()
	}()
	sink = runtime.NumGoroutine()
}

// DEP12: a copy of a Mutex finds it held, or not.
func TestCopyOfMutex(t *testing.T) {
	mu := new(sync.Mutex)
	go mu.Lock()
	was := *(*[8]byte)(unsafe.Pointer(mu))
	sink = int(was[0])
}

// UGO1: what a goroutine does depends on what it was started with.
func TestSpawnedWith(t *testing.T) {
	var x, y atomic.Int32
	done := make(chan int32, 1)
	go func() { x.Store(1); y.Store(1) }()
	go func(v int32) { done <- v }(x.Load())
	sink = int(<-done)
	sink += int(y.Load())
}

// UTIME5: whether Stop finds the timer active depends on who took what it sent.
func TestStopTells(t *testing.T) {
	var y atomic.Int32
	tm, done := time.NewTimer(time.Millisecond), make(chan bool, 1)
	go func() {
		time.Sleep(time.Millisecond)
		done <- tm.Stop()
		sink = int(y.Load())
	}()
	go y.Store(1)
	select {
	case <-tm.C:
	case <-done:
	}
}
