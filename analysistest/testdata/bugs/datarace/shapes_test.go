// Package datarace has the traditional shapes of data races, one test each. repaired_test.go has their repairs.
package datarace

import (
	"bytes"
	"container/list"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// 1. The loop's variable is declared outside, so the goroutines share it.
func TestLoopVariable(t *testing.T) {
	var wg sync.WaitGroup
	got := make([]int, 2)
	var i int
	for i = 0; i < 2; i++ { // want `data race: write of i by G1 at \S+:\d+ before read by G1\.1 at \S+:\d+, in TestLoopVariable`
		wg.Add(1)
		go func(slot int) {
			defer wg.Done()
			got[slot] = i
		}(i)
	}
	wg.Wait()
}

// 2. A goroutine assigns the err of the function around it.
func TestCapturedErr(t *testing.T) {
	work := func() error { return errors.New("x") }
	err := work()
	done := make(chan bool)
	go func() {
		err = work() // want `data race: write of err by G1\.1 at \S+:\d+ before read by G1 at \S+:\d+, in TestCapturedErr`
		done <- true
	}()
	if err == nil {
		t.Log("fine")
	}
	<-done
}

func named(done chan bool) (n int) {
	go func() {
		n++
		done <- true
	}()
	return 1 // want `data race: write of n by G1 at \S+:\d+ before read by G1\.1 at \S+:\d+, in TestNamedResult`
}

// 3. return assigns the named result that a goroutine still uses.
func TestNamedResult(t *testing.T) {
	done := make(chan bool, 1)
	named(done)
	<-done
}

// 4. The append is locked, the copy of the slice's header for the call is not.
func TestSliceHeader(t *testing.T) {
	var mu sync.Mutex
	var all []int
	add := func(_ []int, n int) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, n) // want `data race: write of all by G1\.1 at \S+:\d+ after read by G1\.2 at \S+:\d+, in TestSliceHeader`
	}
	var wg sync.WaitGroup
	for n := range 2 {
		wg.Go(func() { add(all, n) })
	}
	wg.Wait()
}

// 5. The parts of the slice overlap.
func TestOverlappingParts(t *testing.T) {
	s := make([]int, 4)
	var wg sync.WaitGroup
	for _, part := range [][]int{s[:3], s[2:]} {
		wg.Go(func() {
			part[0]++
			part[len(part)-1]++ // want `data race: write of part\[…\] by G1\.1 at \S+:\d+ after read by G1\.2 at \S+:\d+, in TestOverlappingParts`
		})
	}
	wg.Wait()
}

// 6. A map is written and read.
func TestMap(t *testing.T) {
	m := map[string]int{"a": 1}
	done := make(chan bool)
	go func() {
		m["b"] = 2 // want `data race: write of m by G1\.1 at \S+:\d+ before read by G1 at \S+:\d+, in TestMap`
		done <- true
	}()
	_ = m["a"]
	<-done
}

type guarded struct {
	mu sync.Mutex
	n  *int
}

// 7. The struct is copied, and its lock with it: each goroutine locks its own.
func TestCopiedLock(t *testing.T) {
	n := 0
	g := guarded{n: &n}
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func(g guarded) {
			defer wg.Done()
			g.mu.Lock()
			*g.n++ // want `data race: write of g\.n by G1\.1 at \S+:\d+ after read by G1\.2 at \S+:\d+, in TestCopiedLock`
			g.mu.Unlock()
		}(g)
	}
	wg.Wait()
}

// 8. A counter.
func TestCounter(t *testing.T) {
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { n++ }) // want `data race: write of n by G1\.1 at \S+:\d+ after read by G1\.2 at \S+:\d+, in TestCounter`
	}
	wg.Wait()
}

type service struct {
	mu    sync.Mutex
	ready bool
	addr  string
}

func (s *service) get() string {
	if !s.ready {
		s.mu.Lock()
		if !s.ready {
			s.addr = "localhost"
			s.ready = true // want `data race: write of s\.ready by G1\.1 at \S+:\d+ after read by G1\.2 at \S+:\d+, in TestDoubleChecked`
		}
		s.mu.Unlock()
	}
	return s.addr
}

// 9. The first check of a double-checked flag is outside the lock.
func TestDoubleChecked(t *testing.T) {
	var s service
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { s.get() })
	}
	wg.Wait()
}

// 10. A flag says that data is there.
func TestFlag(t *testing.T) {
	var data int
	var ready bool
	done := make(chan bool)
	go func() {
		data = 1
		ready = true // want `data race: write of ready by G1\.1 at \S+:\d+ before read by G1 at \S+:\d+, in TestFlag`
		done <- true
	}()
	if ready {
		_ = data
	}
	<-done
}

// 11. An interface has two words.
func TestInterface(t *testing.T) {
	var v any = 1
	done := make(chan bool)
	go func() {
		v = "one" // want `data race: write of v by G1\.1 at \S+:\d+ after read by G1 at \S+:\d+, in TestInterface`
		done <- true
	}()
	if _, ok := v.(int); !ok {
		t.Log("a string")
	}
	<-done
}

// 12. A string has two words as well.
func TestString(t *testing.T) {
	s := "short"
	done := make(chan bool)
	go func() {
		s = strings.Repeat("long", 10) // want `data race: write of s by G1\.1 at \S+:\d+ after read by G1 at \S+:\d+, in TestString`
		done <- true
	}()
	_ = len(s)
	<-done
}

// 13. Only the writer locks.
func TestOneSideLocks(t *testing.T) {
	var mu sync.Mutex
	n := 0
	done := make(chan bool)
	go func() {
		mu.Lock()
		n++ // want `data race: write of n by G1\.1 at \S+:\d+ before read by G1 at \S+:\d+, in TestOneSideLocks`
		mu.Unlock()
		done <- true
	}()
	_ = n
	<-done
}

// 14. A write under a read lock.
func TestWriteUnderReadLock(t *testing.T) {
	var mu sync.RWMutex
	hits := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.RLock()
			defer mu.RUnlock()
			hits++ // want `data race: write of hits by G1\.1 at \S+:\d+ after read by G1\.2 at \S+:\d+, in TestWriteUnderReadLock`
		})
	}
	wg.Wait()
}

// 15. Add is within the goroutine, so Wait may be over before it.
func TestLateAdd(t *testing.T) {
	var wg sync.WaitGroup
	n := 0
	go func() {
		wg.Add(1) // want `data race: read of wg \(WaitGroup misuse: Add concurrent with Wait\) by G1\.1 at \S+:\d+ after write by G1 at \S+:\d+, in TestLateAdd`
		defer wg.Done()
		n = 1 // want `data race: write of n by G1\.1 at \S+:\d+ before read by G1 at \S+:\d+, in TestLateAdd`
	}()
	wg.Wait()
	_ = n
}

// 16. What is written after the send is not covered by it.
func TestWriteAfterSend(t *testing.T) {
	n := 0
	ch := make(chan *int, 1)
	go func() {
		ch <- &n
		n = 1 // want `data race: write of n by G1\.1 at \S+:\d+ after read by G1 at \S+:\d+, in TestWriteAfterSend`
	}()
	_ = *<-ch
}

// 17. A semaphore of two is no lock.
func TestWideSemaphore(t *testing.T) {
	sem := make(chan bool, 2)
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			sem <- true
			n++ // want `data race: write of n by G1\.1 at \S+:\d+ before read by G1\.2 at \S+:\d+, in TestWideSemaphore`
			<-sem
		})
	}
	wg.Wait()
}

// 18. One side is atomic, the other is not.
func TestMixedAtomic(t *testing.T) {
	var n int64
	done := make(chan bool)
	go func() {
		atomic.AddInt64(&n, 1) // want `data race: atomic write of n by G1\.1 at \S+:\d+ after read by G1 at \S+:\d+, in TestMixedAtomic`
		done <- true
	}()
	_ = n
	<-done
}

// 19. The value is read without passing through the Once.
func TestBesideOnce(t *testing.T) {
	var once sync.Once
	var conf *int
	done := make(chan bool)
	go func() {
		once.Do(func() { conf = new(int) }) // want `data race: write of conf by G1\.1 at \S+:\d+ before read by G1 at \S+:\d+, in TestBesideOnce`
		done <- true
	}()
	_ = conf != nil
	<-done
}

// 20. Parallel subtests share a variable.
func TestParallelSubtests(t *testing.T) {
	sum := 0
	for range 2 {
		t.Run("sub", func(t *testing.T) {
			t.Parallel()
			sum++ // want `data race: write of sum by G1\.1 at \S+:\d+ after read by G1\.2 at \S+:\d+, in TestParallelSubtests`
		})
	}
}

// 21. append to one slice.
func TestAppend(t *testing.T) {
	var all []int
	var wg sync.WaitGroup
	for n := range 2 {
		wg.Go(func() { all = append(all, n) }) // want `data race: write of all by G1\.1 at \S+:\d+ after read by G1\.2 at \S+:\d+, in TestAppend` `data race: write of all by G1\.1 at \S+:\d+ after write by G1\.2 at \S+:\d+, in TestAppend`
	}
	wg.Wait()
}

// Races inside the standard library are reported at the call.
func TestBuffer(t *testing.T) {
	var b bytes.Buffer
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { b.WriteByte('x') }) // want `data race: write of b\.lastRead by G1\.1 at \S+:\d+ in \(\*bytes\.Buffer\)\.WriteByte after write by G1\.2 at \S+:\d+ in \(\*bytes\.Buffer\)\.WriteByte, in TestBuffer`
	}
	wg.Wait()
}

func TestSort(t *testing.T) {
	s := []int{2, 1}
	done := make(chan bool)
	go func() {
		slices.Sort(s) // want `data race: write of data\[…\] by G1\.1 at \S+:\d+( in slices.Sort)? before read by G1 at \S+:\d+, in TestSort`
		done <- true
	}()
	_ = s[0]
	<-done
}

func TestListPush(t *testing.T) {
	l := list.New()
	done := make(chan bool)
	go func() {
		l.PushBack(1) // want `data race: write of l\.len by G1\.1 at \S+:\d+ in \(\*container/list\.List\)\.PushBack before read by G1 at \S+:\d+ in \(\*container/list\.List\)\.Len, in TestListPush`
		done <- true
	}()
	l.Len()
	<-done
}
