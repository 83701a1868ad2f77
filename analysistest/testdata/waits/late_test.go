package waits

import (
	"context"
	"iter"
	"math/rand"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// This file leaves behind what panics at the 66th tick after the return. Each keeps the count elsewhere; wherever it is,
// what goes on does not repeat itself. An explorer that follows it for 64 ticks alone does not call the entry
// exhausted; the default explorer follows it until the process is gone. Beside them are those that do repeat themselves.

const late = 66

// each calls a function every second until it returns true, and then panics.
func each(f func() bool) {
	go func() {
		for !f() {
			time.Sleep(time.Second)
		}
		panic("late")
	}()
}

// gone: panics
func TestLateInEnvironment(t *testing.T) { // incomplete: the clock moved 64 times
	each(func() bool {
		n, _ := strconv.Atoi(os.Getenv("HEDDLE_LATE"))
		os.Setenv("HEDDLE_LATE", strconv.Itoa(n+1))
		return n == late
	})
}

// gone: panics
func TestLateInFile(t *testing.T) { // incomplete: the clock moved 64 times
	name := os.TempDir() + "/heddle-late"
	each(func() bool {
		f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return false
		}
		f.Write([]byte{1})
		f.Close()
		i, err := os.Stat(name)
		return err == nil && i.Size() == late
	})
}

// gone: panics
func TestLateInBuffer(t *testing.T) { // incomplete: the clock moved 64 times
	c := make(chan struct{}, 2*late)
	each(func() bool { c <- struct{}{}; return len(c) == late })
}

// gone: panics
func TestLateInMap(t *testing.T) { // incomplete: the clock moved 64 times
	m := map[int]bool{}
	each(func() bool { m[len(m)] = true; return len(m) == late })
}

// gone: panics
func TestLateInSyncMap(t *testing.T) { // incomplete: the clock moved 64 times
	var m sync.Map
	each(func() bool {
		n, _ := m.LoadOrStore("n", 0)
		m.Store("n", n.(int)+1)
		return n == late
	})
}

// gone: panics
func TestLateInLock(t *testing.T) { // incomplete: the clock moved 64 times
	var wg sync.WaitGroup
	n := 0
	each(func() bool {
		wg.Add(1)
		if n++; n == late {
			for range late {
				wg.Done()
			}
			wg.Wait()
			return true
		}
		return false
	})
}

// gone: panics
func TestLateInAtomic(t *testing.T) { // incomplete: the clock moved 64 times
	var n atomic.Int64
	each(func() bool { return n.Add(1) == late })
}

// gone: panics
func TestLateInStack(t *testing.T) { // incomplete: the clock moved 64 times
	var deeper func(n int)
	deeper = func(n int) {
		if n == late {
			panic("late")
		}
		time.Sleep(time.Second)
		deeper(n + 1)
	}
	go deeper(0)
}

// gone: panics
func TestLateInDefers(t *testing.T) { // incomplete: the clock moved 64 times
	go func() {
		n := 0
		defer func() {
			if n >= late {
				panic("late")
			}
		}()
		for m := 0; ; m++ {
			defer func() { n++ }()
			if time.Sleep(time.Second); m > 0 && m%late == 0 {
				return
			}
		}
	}()
}

// gone: panics
func TestLateInGoroutines(t *testing.T) { // incomplete: the clock moved 64 times
	var next func(n int)
	next = func(n int) {
		if time.Sleep(time.Second); n == late {
			panic("late")
		}
		go next(n + 1)
	}
	go next(0)
}

// gone: panics
func TestLateInAfterFunc(t *testing.T) { // incomplete: the clock moved 64 times
	var after func(n int)
	after = func(n int) {
		if n == late {
			panic("late")
		}
		time.AfterFunc(time.Second, func() { after(n + 1) })
	}
	after(0)
}

// gone: panics
func TestLateInPeriod(t *testing.T) { // incomplete: the clock moved 64 times
	go func() {
		for d := late * 100 * time.Millisecond; ; d -= 100 * time.Millisecond {
			if <-time.After(d); d == 0 {
				panic("late")
			}
		}
	}()
}

// gone:
func TestLateInRandom(t *testing.T) { // incomplete: the clock moved 64 times
	r := rand.New(rand.NewSource(1))
	each(func() bool { return r.Intn(1<<30) == -1 })
}

// gone: panics
func TestLateInContext(t *testing.T) { // incomplete: the clock moved 64 times
	ctx := context.Background()
	n := 0
	each(func() bool {
		ctx = context.WithValue(ctx, late, n)
		n++
		return ctx.Value(late) == late
	})
}

// gone: panics
func TestLateInCoroutine(t *testing.T) { // incomplete: the clock moved 64 times
	next, _ := iter.Pull(func(yield func(int) bool) {
		for n := 0; yield(n); n++ {
		}
	})
	each(func() bool { n, _ := next(); return n == late })
}

// What comes back to where it was has been seen.
func TestRepeatsInBuffer(t *testing.T) {
	c := make(chan int, 1)
	each(func() bool { c <- 1; return <-c != 1 })
}

func TestRepeatsInAtomic(t *testing.T) {
	var n atomic.Int64
	each(func() bool { return n.Add(1)+n.Add(-1) != 1 })
}

func TestRepeatsInStack(t *testing.T) {
	var deeper func(n int)
	deeper = func(n int) {
		if time.Sleep(time.Second); n > 0 {
			deeper(n - 1)
		}
	}
	go func() {
		for {
			deeper(2)
		}
	}()
}

// At ten milliseconds a tick nobody follows it until the process is gone.
func TestLateAndFast(t *testing.T) { // incomplete: the clock moved 64 times
	go func() {
		for range 50_000 {
			time.Sleep(10 * time.Millisecond)
		}
		panic("late")
	}()
}

// What two leave behind may race when they have counted far enough.
//
// gone: datarace
func TestLateRace(t *testing.T) { // incomplete: the clock moved 64 times
	shared := new(int)
	for range 2 {
		go func() {
			for n := 0; ; n++ {
				if time.Sleep(time.Second); n == 500 {
					*shared = n
				}
			}
		}()
	}
}

// When nine minutes are over the process is still there, and after ten it is gone.
//
// gone: panics
// regimes
func TestLateInTime(t *testing.T) { // incomplete: the clock moved 64 times
	n := 0
	each(func() bool { n++; return n == 540 })
}

// gone:
func TestTooLate(t *testing.T) { // incomplete: the clock moved 64 times
	n := 0
	each(func() bool { n++; return n == 610 })
}
