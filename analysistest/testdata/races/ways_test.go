package races

// This file observes by other ways: reflection, interfaces, method values, what a helper returns, several in a row.

import (
	"context"
	"iter"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestRaceLenByReflection(t *testing.T) {
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; c <- 1 }, func() {
		if reflect.ValueOf(c).Len() == 1 {
			sink = x
		}
	})
}

func TestRaceTrySendByReflection(t *testing.T) {
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; c <- 1 }, func() {
		if v := reflect.ValueOf(c); !v.TrySend(reflect.ValueOf(2)) {
			sink = x
		} else {
			<-c
		}
	})
}

func TestRaceDefaultByReflection(t *testing.T) {
	x, c := 0, make(chan int, 1)
	c <- 1
	beside(func() { x = 1; <-c }, func() {
		v := reflect.ValueOf(c)
		if i, got, _ := reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: v}, {Dir: reflect.SelectDefault}}); i == 1 {
			sink = x
		} else {
			v.Send(got)
		}
	})
}

func TestQuietTryRecvByReflection(t *testing.T) {
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; c <- 1 }, func() {
		if _, ok := reflect.ValueOf(c).TryRecv(); ok {
			sink = x
		} else {
			<-c
		}
	})
}

type try interface{ TryLock() bool }

func TestRaceTryLockByInterface(t *testing.T) {
	var mu sync.Mutex
	x := 0
	beside(func() { x = 1; mu.Lock(); /*hold*/ mu.Unlock() }, func() {
		if l := try(&mu); !l.TryLock() {
			sink = x
		} else {
			mu.Unlock()
		}
	})
}

func TestRaceTryLockByValue(t *testing.T) {
	var mu sync.RWMutex
	x, f := 0, mu.TryRLock
	beside(func() { x = 1; mu.Lock(); /*hold*/ mu.Unlock() }, func() {
		if !f() {
			sink = x
		} else {
			mu.RUnlock()
		}
	})
}

func TestRaceProfile(t *testing.T) {
	x, stop, p := 0, make(chan bool), pprof.Lookup("goroutine")
	before := p.Count()
	beside(func() { x = 1; go func() { <-stop }(); go func() { <-stop }() }, func() {
		if p.Count() == before+2 {
			sink = x
		}
	})
	close(stop)
}

func TestRaceLenOfTwo(t *testing.T) { // what one has seen is handed on
	x, c, d := 0, make(chan int, 1), make(chan int, 1)
	go func() { x = 1; c <- 1 }()
	beside(func() { d <- len(c) }, func() {
		if <-d == 1 {
			sink = x
		}
	})
}

func TestRaceLenInLoop(t *testing.T) {
	x, c := 0, make(chan int, 2)
	beside(func() {
		for i := range 2 {
			x = i
			c <- i
		}
	}, func() {
		for range 2 {
			if len(c) == 2 {
				sink = x
			}
		}
	})
}

func TestQuietCap(t *testing.T) {
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; c <- 1 }, func() {
		if cap(c) == 0 {
			sink = x
		}
	})
}

func TestQuietContextErr(t *testing.T) {
	x := 0
	ctx, cancel := context.WithCancel(context.Background())
	beside(func() { x = 1; cancel() }, func() {
		if ctx.Err() != nil {
			sink = x
		}
	})
}

func TestQuietContextCause(t *testing.T) {
	x := 0
	ctx, cancel := context.WithCancelCause(context.Background())
	beside(func() { x = 1; cancel(os.ErrClosed) }, func() {
		if context.Cause(ctx) == os.ErrClosed {
			sink = x
		}
	})
}

func TestQuietPointer(t *testing.T) {
	var p atomic.Pointer[int]
	x := 0
	beside(func() { x = 1; p.Store(&x) }, func() {
		if q := p.Load(); q != nil {
			sink = *q
		}
	})
}

func TestQuietMapRange(t *testing.T) {
	var m sync.Map
	x := 0
	beside(func() { x = 1; m.Store(1, 1) }, func() {
		m.Range(func(_, _ any) bool { sink = x; return true })
	})
}

func TestRaceMapLoadOfOther(t *testing.T) { // that a key is gone says nothing
	var m sync.Map
	x := 0
	m.Store(1, 1)
	beside(func() { m.Load(1); x = 1; m.Load(2) }, func() {
		m.Load(2)
		sink = x
	})
}

func TestRaceReadDir(t *testing.T) {
	x, dir := 0, t.TempDir()
	beside(func() { x = 1; os.Mkdir(filepath.Join(dir, "d"), 0o777) }, func() {
		if all, _ := os.ReadDir(dir); len(all) == 1 {
			sink = x
		}
	})
}

func TestRaceRemoved(t *testing.T) {
	x, f := 0, filepath.Join(t.TempDir(), "f")
	os.Mkdir(f, 0o777)
	beside(func() { x = 1; os.Remove(f) }, func() {
		if _, err := os.Lstat(f); err != nil {
			sink = x
		}
	})
}

func TestQuietPipe(t *testing.T) {
	x := 0
	a, b := net.Pipe()
	beside(func() { x = 1; a.Write([]byte("1")) }, func() {
		b.Read(make([]byte, 1))
		sink = x
	})
}

// Who sets a limit of the runtime is told what the other has set, and is not after it.
func TestRaceSettingTells(t *testing.T) {
	x := 0
	beside(func() { x = 1; debug.SetMaxThreads(5000) }, func() {
		if debug.SetMaxThreads(6000) == 5000 {
			sink = x
		}
	})
}

func TestRaceProcessorsTell(t *testing.T) {
	x := 0
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	beside(func() { x = 1; runtime.GOMAXPROCS(3) }, func() {
		if runtime.GOMAXPROCS(0) == 3 {
			sink = x
		}
	})
}

func TestQuietProcessorsUnsaid(t *testing.T) { // near miss: nobody sets it to that
	x := 0
	beside(func() { x = 1; runtime.GOMAXPROCS(0) }, func() {
		if runtime.GOMAXPROCS(0) == 3 {
			sink = x
		}
	})
}

// Whether one knows of the other depends on who had the lock first, and nothing else does.

func TestRaceLockThenLen(t *testing.T) {
	var mu sync.Mutex
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; mu.Lock(); mu.Unlock(); c <- 1 }, func() {
		mu.Lock()
		mu.Unlock()
		if len(c) == 1 {
			sink = x
		}
	})
}

func TestRaceLockThenLenOfOther(t *testing.T) {
	var mu sync.Mutex
	x, c := 0, make(chan int, 1)
	beside(func() {
		mu.Lock()
		mu.Unlock()
		if len(c) == 1 {
			sink = x
		}
	}, func() { x = 1; mu.Lock(); mu.Unlock(); c <- 1 })
}

func TestQuietLockThenLen(t *testing.T) { // near miss: it is locked again
	var mu sync.Mutex
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; mu.Lock(); mu.Unlock(); c <- 1 }, func() {
		mu.Lock()
		mu.Unlock()
		if len(c) == 1 {
			mu.Lock()
			mu.Unlock()
			sink = x
		}
	})
}

// A coroutine is in order with itself, and who goes on with it is after who did before.

func TestQuietPullLocked(t *testing.T) {
	var mu sync.Mutex
	x := 0
	next, stop := iter.Pull(func(yield func(int) bool) {
		for yield(x) {
			x++
		}
	})
	defer stop()
	take := func() { mu.Lock(); next(); mu.Unlock() }
	beside(take, take)
}

func TestRacePullBesideBody(t *testing.T) {
	x := 0
	next, stop := iter.Pull(func(yield func(int) bool) { sink = x; yield(1) })
	defer stop()
	beside(func() { x = 1 }, func() { next() })
}

func TestRacePullThenLen(t *testing.T) { // of what the coroutine did before, nothing tells but the length
	x, c := 0, make(chan int, 1)
	next, stop := iter.Pull(func(yield func(int) bool) { x = 1; c <- 1; yield(1) })
	beside(func() { next(); stop() }, func() {
		if len(c) == 1 {
			sink = x
		}
	})
}

// The loop notes that it has ended, and nothing orders that before the second call of its body. If that comes first, the
// loop panics.
func TestRaceRangeEnds(t *testing.T) {
	done := make(chan bool)
	func() {
		defer func() { recover() }()
		for range calledTwice(done) {
			break
		}
	}()
	<-done
}

// The loop is left by a return, and by a continue of the loop around it.
func TestRaceRangeReturns(t *testing.T) {
	done := make(chan bool)
	func() {
		defer func() { recover() }()
		for range calledTwice(done) {
			return
		}
	}()
	<-done
}

func TestRaceRangeContinues(t *testing.T) {
	done := make(chan bool)
	func() {
		defer func() { recover() }()
		left := false
	outer:
		for !left {
			for range calledTwice(done) {
				left = true
				continue outer
			}
		}
	}()
	<-done
}

// The second call waits for the end of the loop.
func TestQuietRangeEnds(t *testing.T) {
	done, ended := make(chan bool), make(chan bool)
	for range func(yield func(int) bool) {
		left := make(chan bool)
		go func() {
			defer close(done)
			defer func() { recover() }()
			yield(1)
			close(left)
			<-ended
			yield(2)
		}()
		<-left
	} {
		break
	}
	close(ended)
	<-done
}

// The loop waits for the second call, and panics.
func TestQuietRangeJoined(t *testing.T) {
	defer func() {
		if recover() == nil {
			panic("the loop does not know of the second call")
		}
	}()
	done := make(chan bool)
	for range func(yield func(int) bool) {
		calledTwice(done)(yield)
		<-done
	} {
		break
	}
}

// calledTwice calls the body of a loop twice, in a goroutine, and waits for the first time.
func calledTwice(done chan bool) func(func(int) bool) {
	return func(yield func(int) bool) {
		left := make(chan bool)
		go func() {
			defer close(done)
			defer func() { recover() }()
			yield(1)
			close(left)
			yield(2)
		}()
		<-left
	}
}

func TestQuietDeadlines(t *testing.T) { // both ring at who may wait, and look not at whether another has
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var made atomic.Bool
	x := 0
	beside(func() {
		x = 1
		made.Store(true)
		l.(*net.TCPListener).SetDeadline(time.Unix(1, 0))
	}, func() {
		l.(*net.TCPListener).SetDeadline(time.Unix(1, 0))
		if made.Load() {
			sink = x
		}
	})
}
