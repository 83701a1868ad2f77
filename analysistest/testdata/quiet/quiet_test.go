// Package quiet holds correct programs in which an explorer that is not careful finds something.
package quiet

import (
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A group is errgroup.Group in a few lines.
type group struct {
	wg   sync.WaitGroup
	once sync.Once
	err  error
}

func (g *group) Go(f func() error) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err })
		}
	}()
}

func (g *group) Wait() error {
	g.wg.Wait()
	return g.err
}

// gather returns a variable that its goroutines write beside the call that waits for them: gc reads it after the call.
func gather() (int, error) {
	var g group
	v := 0
	g.Go(func() error { v = 42; return nil })
	return v, g.Wait()
}

func gatherSlice() ([]string, error) {
	var g group
	v := make([]string, 2)
	for i := range v {
		g.Go(func() error { v[i] = "x"; return nil })
	}
	return v, g.Wait()
}

type result struct{ n int }

func gatherField() (int, error) {
	var g group
	r := new(result)
	g.Go(func() error { r.n = 7; return nil })
	return r.n, g.Wait()
}

func TestReturnAndWait(t *testing.T) {
	if v, err := gather(); v != 42 || err != nil {
		t.Error(v, err)
	}
	if v, err := gatherSlice(); v[0]+v[1] != "xx" || err != nil {
		t.Error(v, err)
	}
	if v, err := gatherField(); v != 7 || err != nil {
		t.Error(v, err)
	}
}

func two(f func()) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for range 2 {
		wg.Go(func() {
			f()
			mu.Lock()
			n++
			mu.Unlock()
		})
	}
	wg.Wait()
}

func TestPlain(t *testing.T) { two(func() {}) }

func TestPrinting(t *testing.T) {
	two(func() {
		s := fmt.Sprintf("%d %s %v %x", 1, "a", []int{1, 2}, 3.5)
		t.Log(s)
		fmt.Println(s)
	})
}

// TestReflected: what package reflect keeps of the types that it has met is nobody's business (SILENT3).
func TestReflected(t *testing.T) {
	two(func() { reflect.ValueOf(func(int) {}).Call([]reflect.Value{reflect.ValueOf(1)}) })
}

var _ = time.Now().Hour() // so that the time zone is known

// TestHours: that the time zone is known was found out before.
func TestHours(t *testing.T) {
	two(func() { time.Unix(0, 0).Hour() })
}

var box *int

// share has two goroutines make something, and show it to each other.
func share(f func()) {
	two(func() {
		f()
		p := new(int)
		*p = 1
		mu.Lock()
		box = p
		*p++
		mu.Unlock()
	})
}

var mu sync.Mutex

func TestSharing(t *testing.T) { share(func() {}) }

// TestLogBeforeSharing: where output of tests lies makes no difference to what is allocated after it (SILENT6).
func TestLogBeforeSharing(t *testing.T) {
	share(func() { t.Log("a line that is longer than what was there before, and a number: ", 1) })
}

// late reports whether a little more than want has passed: nobody wakes at the very instant that he waited for.
func late(d, want time.Duration) bool { return d > want && d < want+want/1000 }

// TestReadings: of two readings of the clock the second is later, also if a goroutine is started between them, and what is over in
// ten milliseconds is over after two sleeps of five.
func TestReadings(t *testing.T) {
	a := time.Now()
	b := time.Now()
	if !b.After(a) || time.Since(b) <= 0 {
		t.Error("the clock stood still")
	}
	over := time.Now().Add(10 * time.Millisecond)
	later := make(chan time.Time)
	go func() { later <- time.Now() }()
	if !(<-later).After(b) {
		t.Error("who was started later read an earlier time")
	}
	for range 2 {
		time.Sleep(5 * time.Millisecond)
	}
	if !time.Now().After(over) {
		t.Error("not over")
	}
}

// TestVirtualTime: time passes only while everyone waits.
func TestVirtualTime(t *testing.T) {
	start := time.Now()
	if y := start.UTC().Year(); y != 2026 {
		t.Error(y)
	}
	stop, done := make(chan bool), make(chan int)
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	go func() {
		n := 0
		for {
			select {
			case at := <-tick.C:
				n++
				if d := at.Sub(start); !late(d, time.Duration(n)*time.Second) {
					t.Error(d)
				}
			case <-stop:
				done <- n
				return
			}
		}
	}()
	fired := make(chan time.Duration, 1)
	time.AfterFunc(1500*time.Millisecond, func() { fired <- time.Since(start) })
	time.Sleep(3500 * time.Millisecond)
	close(stop)
	if n := <-done; n != 3 {
		t.Error(n, "ticks")
	}
	if d := <-fired; !late(d, 1500*time.Millisecond) {
		t.Error(d)
	}
	if d := time.Since(start); !late(d, 3500*time.Millisecond) {
		t.Error(d)
	}
	tm := time.NewTimer(time.Hour)
	if !tm.Stop() || tm.Reset(time.Minute) {
		t.Error("Stop or Reset")
	}
	<-tm.C
	if d := time.Since(start); !late(d, 3500*time.Millisecond+time.Minute) {
		t.Error(d)
	}
}

// TestPolling ends because time passes for those who poll.
func TestPolling(t *testing.T) {
	var mu sync.Mutex
	ok := false
	go func() {
		time.Sleep(time.Second)
		mu.Lock()
		ok = true
		mu.Unlock()
	}()
	for {
		mu.Lock()
		o := ok
		mu.Unlock()
		if o {
			return
		}
		time.Sleep(300 * time.Millisecond)
	}
}

// TestSignalLoop polls as well: a Signal for which nobody waits changes nothing.
func TestSignalLoop(t *testing.T) {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	done := make(chan bool)
	go func() {
		time.Sleep(time.Millisecond)
		close(done)
	}()
	for {
		select {
		case <-done:
			return
		default:
		}
		mu.Lock()
		c.Signal()
		c.Broadcast()
		mu.Unlock()
	}
}

// TestManyParallel has more parallel subtests than most computers have processors. Natively some of them wait until others end; none
// of that is the program's, and none of it may hide behind what package testing does unseen.
func TestManyParallel(t *testing.T) {
	var any atomic.Bool
	for i := range 9 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			if i < 8 {
				any.Store(true)
			} else if !any.Load() {
				t.Log("the last is the first")
			}
		})
	}
}

// TestScan reads its way through what two goroutines have shared: for long nothing changes, and yet it is no polling.
func TestScan(t *testing.T) {
	var wg sync.WaitGroup
	var items [400]int
	for i := range 2 {
		wg.Go(func() { items[i*399] = 1 })
	}
	wg.Go(func() { _ = items[200] })
	wg.Wait()
	sum := 0
	for i := range items {
		sum += items[i]
	}
	if sum != 2 {
		t.Error(sum)
	}
}

// TestSignals: Signal without the lock is allowed. The Cond's own check whether it was copied is no race.
func TestSignals(t *testing.T) {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	n := 0
	for range 2 {
		go func() {
			mu.Lock()
			n++
			mu.Unlock()
			c.Signal()
		}()
	}
	mu.Lock()
	for n < 2 {
		c.Wait()
	}
	mu.Unlock()
}

// TestSleepsOn leaves a goroutine behind that sleeps until the process is gone.
func TestSleepsOn(t *testing.T) {
	go func() {
		time.Sleep(24 * time.Hour)
		panic("the process is gone")
	}()
}

// TestReturnsResult: to return a result by its name is no write of it, nor is x = x.
func TestReturnsResult(t *testing.T) {
	var done sync.WaitGroup
	for _, f := range []func() int{
		func() (n int) { n = 1; done.Go(func() { _ = n }); return n },
		func() (n int) { n = 1; done.Go(func() { _ = n }); n = n; return },
		func() int { a, _ := pair(&done); return a },
		func() (n int) {
			defer func() { n++ }()
			n = 0
			return n
		},
	} {
		if n := f(); n != 1 {
			t.Error(n)
		}
	}
	done.Wait()
}

func pair(done *sync.WaitGroup) (n int, err error) {
	n = 1
	done.Go(func() { _ = n })
	return n, nil
}

// TestStopped: where two selects both find done closed, they do not meet.
func TestStopped(t *testing.T) {
	work, done, quit := make(chan int), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(quit)
		for {
			select {
			case <-work:
			case <-done:
				return
			}
		}
	}()
	close(done)
	select {
	case work <- 1:
		t.Error("sent after the end")
	case <-done:
	}
	<-quit
}

// TestReadsOn: goroutines that read the same again and again do not poll; no time passes meanwhile.
func TestReadsOn(t *testing.T) {
	table := new([8]atomic.Int32)
	late := time.AfterFunc(time.Second, func() { panic("a second has passed") })
	var done sync.WaitGroup
	for range 2 {
		done.Go(func() {
			n := int32(0)
			for i := range 160 {
				n += table[i%8].Load()
			}
			if n != 0 {
				t.Error(n)
			}
		})
	}
	done.Wait()
	late.Stop()
}

// next returns what it counts to: its callers may look at that.
func next(n *atomic.Int32) int32 { return n.Add(1) }

// TestAddsTold: the result of an atomic addition is looked at by way of a function, and of a method value (UNUSED1).
func TestAddsTold(t *testing.T) {
	var n atomic.Int32
	var wg sync.WaitGroup
	wg.Go(func() { n.Add(-1) })
	wg.Wait()
	if add := n.Add; next(&n) != 0 || add(1) != 1 || n.Add(1) != 2 {
		t.Error("not told")
	}
}
