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
	for i = 0; i < 2; i++ { // want `data race: i written here by G1, read at \S+:\d+ by G1\.1\n.*\n\tin TestLoopVariable`
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
		err = work() // want `data race: err written here by G1\.1, read at \S+:\d+ by G1\n.*\n\tin TestCapturedErr`
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
	return 1 // want `data race: n written here by G1, read at \S+:\d+ by G1\.1\n.*\n\tin TestNamedResult`
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
		all = append(all, n) // want `data race: all written here by G1\.1, read at \S+:\d+ by G1\.2\n.*\n\tin TestSliceHeader`
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
			part[len(part)-1]++ // want `data race: part\[…\] written here by G1\.1, read at \S+:\d+ by G1\.2\n.*\n\tin TestOverlappingParts`
		})
	}
	wg.Wait()
}

// 6. A map is written and read.
func TestMap(t *testing.T) {
	m := map[string]int{"a": 1}
	done := make(chan bool)
	go func() {
		m["b"] = 2 // want `data race: m written here by G1\.1, read at \S+:\d+ by G1\n.*\n\tin TestMap`
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
			*g.n++ // want `data race: g\.n written here by G1\.1, read here by G1\.2\n.*\n\tin TestCopiedLock`
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
		wg.Go(func() { n++ }) // want `data race: n written here by G1\.1, read here by G1\.2\n.*\n\tin TestCounter`
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
			s.ready = true // want `data race: s\.ready written here by G1\.1, read at \S+:\d+ by G1\.2\n.*\n\tin TestDoubleChecked`
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
		ready = true // want `data race: ready written here by G1\.1, read at \S+:\d+ by G1\n.*\n\tin TestFlag`
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
		v = "one" // want `data race: v written here by G1\.1, read at \S+:\d+ by G1\n.*\n\tin TestInterface`
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
		s = strings.Repeat("long", 10) // want `data race: s written here by G1\.1, read at \S+:\d+ by G1\n.*\n\tin TestString`
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
		n++ // want `data race: n written here by G1\.1, read at \S+:\d+ by G1\n.*\n\tin TestOneSideLocks`
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
			hits++ // want `data race: hits written here by G1\.1, read here by G1\.2\n.*\n\tin TestWriteUnderReadLock`
		})
	}
	wg.Wait()
}

// 15. Add is within the goroutine, so Wait may be over before it.
func TestLateAdd(t *testing.T) {
	var wg sync.WaitGroup
	n := 0
	go func() {
		wg.Add(1) // want `data race: wg read here by G1\.1, written at \S+:\d+ by G1 \(Add concurrent with Wait\)\n.*\n\tin TestLateAdd`
		defer wg.Done()
		n = 1 // want `data race: n written here by G1\.1, read at \S+:\d+ by G1\n.*\n\tin TestLateAdd`
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
		n = 1 // want `data race: n written here by G1\.1, read at \S+:\d+ by G1\n.*\n\tin TestWriteAfterSend`
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
			n++ // want `data race: n written here by G1\.1, read here by G1\.2\n.*\n\tin TestWideSemaphore`
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
		atomic.AddInt64(&n, 1) // want `data race: n atomically written here by G1\.1, read at \S+:\d+ by G1\n.*\n\tin TestMixedAtomic`
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
		once.Do(func() { conf = new(int) }) // want `data race: conf written here by G1\.1, read at \S+:\d+ by G1\n.*\n\tin TestBesideOnce`
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
			sum++ // want `data race: sum written here by G1\.1, read here by G1\.2\n.*\n\tin TestParallelSubtests`
		})
	}
}

// 21. append to one slice.
func TestAppend(t *testing.T) {
	var all []int
	var wg sync.WaitGroup
	for n := range 2 {
		wg.Go(func() { all = append(all, n) }) // want `data race: all written here by G1\.1, read here by G1\.2\n.*\n\tin TestAppend` `data race: all written here by G1\.1, written here by G1\.2\n.*\n\tin TestAppend`
	}
	wg.Wait()
}

// Races inside the standard library are reported at the call.
func TestBuffer(t *testing.T) {
	var b bytes.Buffer
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { b.WriteByte('x') }) // want `data race: b\.lastRead written here by G1\.[12], written here by G1\.[12]\n.*\n\tin TestBuffer`
	}
	wg.Wait()
}

func TestSort(t *testing.T) {
	s := []int{2, 1}
	done := make(chan bool)
	go func() {
		slices.Sort(s) // want `data race: data\[…\] written here( in slices\.Sort)? by G1\.1, read at \S+:\d+ by G1\n.*\n\tin TestSort`
		done <- true
	}()
	_ = s[0]
	<-done
}

func TestListPush(t *testing.T) {
	l := list.New()
	done := make(chan bool)
	go func() {
		l.PushBack(1) // want `data race: l\.len written here by G1\.1, read at \S+:\d+ by G1\n.*\n\tin TestListPush`
		done <- true
	}()
	l.Len()
	<-done
}
