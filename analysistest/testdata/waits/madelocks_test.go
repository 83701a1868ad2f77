package waits

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// This file has queues, locks and barriers of the same kind.

// ring buffer SPSC with atomics
type ring struct {
	buf        [2]int
	head, tail atomic.Uint32
}

func (r *ring) put(v int) bool {
	h := r.head.Load()
	if h-r.tail.Load() == 2 {
		return false
	}
	r.buf[h%2] = v
	r.head.Store(h + 1)
	return true
}
func (r *ring) get() (int, bool) {
	x := r.tail.Load()
	if x == r.head.Load() {
		return 0, false
	}
	v := r.buf[x%2]
	r.tail.Store(x + 1)
	return v, true
}

// finds:
func TestMadeRing(t *testing.T) {
	var r ring
	done := make(chan bool)
	go func() {
		for i := range 3 {
			r.put(i)
		}
		close(done)
	}()
	last := -1
	for range 3 {
		if v, ok := r.get(); ok {
			if v <= last {
				t.Error("order")
			}
			last = v
		}
	}
	<-done
}

// head advanced before the write
type badRing struct{ ring }

func (r *badRing) put(v int) bool {
	h := r.head.Load()
	if h-r.tail.Load() == 2 {
		return false
	}
	r.head.Store(h + 1)
	r.buf[h%2] = v
	return true
}

// finds: datarace
func TestMadeRingBad(t *testing.T) {
	var r badRing
	done := make(chan bool)
	go func() { r.put(1); close(done) }()
	r.get()
	<-done
}

// two producers on SPSC
// finds: datarace
func TestMadeRingTwo(t *testing.T) {
	var r ring
	var wg sync.WaitGroup
	wg.Go(func() { r.put(1) })
	wg.Go(func() { r.put(2) })
	wg.Wait()
}

// Michael-Scott-like queue with atomics
type qnode struct {
	v    int
	next atomic.Pointer[qnode]
}
type queue struct{ head, tail atomic.Pointer[qnode] }

func newQueue() *queue {
	q := &queue{}
	n := &qnode{}
	q.head.Store(n)
	q.tail.Store(n)
	return q
}
func (q *queue) put(v int) {
	n := &qnode{v: v}
	for {
		t := q.tail.Load()
		nx := t.next.Load()
		if nx != nil {
			q.tail.CompareAndSwap(t, nx)
			continue
		}
		if t.next.CompareAndSwap(nil, n) {
			q.tail.CompareAndSwap(t, n)
			return
		}
	}
}
func (q *queue) get() (int, bool) {
	for {
		h := q.head.Load()
		nx := h.next.Load()
		if nx == nil {
			return 0, false
		}
		if q.head.CompareAndSwap(h, nx) {
			return nx.v, true
		}
	}
}

// finds:
func TestMadeMSQueue(t *testing.T) {
	q := newQueue()
	var wg sync.WaitGroup
	wg.Go(func() { q.put(1) })
	wg.Go(func() { q.put(2) })
	wg.Wait()
	a, _ := q.get()
	b, _ := q.get()
	if a+b != 3 {
		t.Fatal(a, b)
	}
}

// tail not helped: put after a stalled one loses? here tail.Store unconditional: goes back
// finds: testfailure
func TestMadeMSQueueBad(t *testing.T) {
	q := newQueue()
	put := func(v int) {
		n := &qnode{v: v}
		t := q.tail.Load()
		t.next.Store(n)
		q.tail.Store(n)
	}
	var wg sync.WaitGroup
	wg.Go(func() { put(1) })
	wg.Go(func() { put(2) })
	wg.Wait()
	a, _ := q.get()
	b, _ := q.get()
	if a+b != 3 {
		t.Error(a, b)
	}
}

// spin lock
type spin struct{ s atomic.Int32 }

func (l *spin) lock() {
	for !l.s.CompareAndSwap(0, 1) {
	}
}
func (l *spin) unlock() { l.s.Store(0) }

// finds:
func TestMadeSpin(t *testing.T) {
	var l spin
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { l.lock(); n++; l.unlock() })
	}
	wg.Wait()
	if n != 2 {
		t.Fatal()
	}
}

// load-then-store lock
// finds: datarace
// only: union
func TestMadeSpinBad(t *testing.T) {
	var s atomic.Int32
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for s.Load() != 0 {
			}
			s.Store(1)
			n++
			s.Store(0)
		})
	}
	wg.Wait()
}

// Peterson with atomics: right under SC
// finds:
// only: union
func TestMadePeterson(t *testing.T) {
	var want [2]atomic.Bool
	var turn atomic.Int32
	n := 0
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			want[i].Store(true)
			turn.Store(int32(1 - i))
			for want[1-i].Load() && turn.Load() == int32(1-i) {
			}
			n++
			want[i].Store(false)
		})
	}
	wg.Wait()
	if n != 2 {
		t.Fatal(n)
	}
}

// Peterson with turn before want
// finds: datarace
// only: union
func TestMadePetersonBad(t *testing.T) {
	var want [2]atomic.Bool
	var turn atomic.Int32
	n := 0
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			turn.Store(int32(1 - i))
			want[i].Store(true)
			for want[1-i].Load() && turn.Load() == int32(1-i) {
			}
			n++
			want[i].Store(false)
		})
	}
	wg.Wait()
}

// ticket lock
// finds:
func TestMadeTicket(t *testing.T) {
	var next, serving atomic.Int32
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			me := next.Add(1) - 1
			for serving.Load() != me {
			}
			n++
			serving.Add(1)
		})
	}
	wg.Wait()
}

// barrier, sense-reversing
// finds:
func TestMadeBarrier(t *testing.T) {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	n, gen := 0, 0
	wait := func() {
		mu.Lock()
		defer mu.Unlock()
		g := gen
		if n++; n == 2 {
			n = 0
			gen++
			c.Broadcast()
			return
		}
		for g == gen {
			c.Wait()
		}
	}
	var phase [2]int
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			phase[i] = 1
			wait()
			if phase[1-i] != 1 {
				t.Error("too early")
			}
			wait()
			phase[i] = 2
		})
	}
	wg.Wait()
}

// barrier without generation
// finds: deadlock
func TestMadeBarrierBad(t *testing.T) {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	n := 0
	wait := func() {
		mu.Lock()
		defer mu.Unlock()
		if n++; n == 2 {
			n = 0
			c.Broadcast()
			return
		}
		for n != 0 {
			c.Wait()
		}
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { wait(); wait() })
	}
	wg.Wait()
}

// dining philosophers, 2
// finds: deadlock
func TestMadeDining(t *testing.T) {
	var forks [2]sync.Mutex
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			forks[i].Lock()
			forks[(i+1)%2].Lock()
			forks[(i+1)%2].Unlock()
			forks[i].Unlock()
		})
	}
	wg.Wait()
}

// three, last one reversed
// finds:
func TestMadeDiningOK(t *testing.T) {
	var forks [3]sync.Mutex
	var wg sync.WaitGroup
	for i := range 3 {
		a, b := i, (i+1)%3
		if a > b {
			a, b = b, a
		}
		wg.Go(func() {
			forks[a].Lock()
			forks[b].Lock()
			forks[b].Unlock()
			forks[a].Unlock()
		})
	}
	wg.Wait()
}

// TryLock back-off: no deadlock, may livelock? finite tries
// finds:
func TestMadeDiningTry(t *testing.T) {
	var forks [2]sync.Mutex
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			for range 2 {
				forks[i].Lock()
				if forks[1-i].TryLock() {
					forks[1-i].Unlock()
					forks[i].Unlock()
					return
				}
				forks[i].Unlock()
			}
		})
	}
	wg.Wait()
}

// unsafe-cast atomic beside plain
// finds: datarace
func TestMadeMixedAtomic(t *testing.T) {
	var x int32
	done := make(chan bool)
	go func() { atomic.AddInt32((*int32)(unsafe.Pointer(&x)), 1); close(done) }()
	x = 5
	<-done
}

// atomic.Value of different... same type
// finds:
func TestMadeAtomicValue(t *testing.T) {
	var v atomic.Value
	v.Store([]int{1})
	done := make(chan bool)
	go func() { v.Store([]int{1, 2}); close(done) }()
	s := v.Load().([]int)
	if len(s) == 0 || s[len(s)-1] != len(s) {
		t.Error()
	}
	<-done
}

// inconsistent types
// finds: panics
func TestMadeAtomicValueTypes(t *testing.T) {
	var v atomic.Value
	go func() { v.Store(1) }()
	v.Store("a")
}

// finds:
func TestMadeCtxTree(t *testing.T) {
	root, cancel := context.WithCancel(context.Background())
	child, c2 := context.WithTimeout(root, time.Hour)
	defer c2()
	go cancel()
	<-child.Done()
	if !errors.Is(child.Err(), context.Canceled) || root.Err() == nil {
		t.Fatal()
	}
}
