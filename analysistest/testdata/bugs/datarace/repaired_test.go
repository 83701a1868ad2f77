package datarace

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func TestLoopVariableRepaired(t *testing.T) { // verdict: exhausted
	var wg sync.WaitGroup
	got := make([]int, 2)
	for i := 0; i < 2; i++ {
		wg.Go(func() { got[i] = i })
	}
	wg.Wait()
}

func TestCapturedErrRepaired(t *testing.T) { // verdict: exhausted
	work := func() error { return errors.New("x") }
	err := work()
	done := make(chan error)
	go func() {
		err := work()
		done <- err
	}()
	if err == nil {
		t.Log("fine")
	}
	<-done
}

func namedRepaired(done chan int) (n int) {
	n = 1
	go func(n int) { done <- n + 1 }(n)
	return n
}

func TestNamedResultRepaired(t *testing.T) { // verdict: exhausted
	done := make(chan int, 1)
	namedRepaired(done)
	<-done
}

func TestSliceHeaderRepaired(t *testing.T) { // verdict: exhausted
	var mu sync.Mutex
	var all []int
	add := func(s *[]int, n int) {
		mu.Lock()
		defer mu.Unlock()
		*s = append(*s, n)
	}
	var wg sync.WaitGroup
	for n := range 2 {
		wg.Go(func() { add(&all, n) })
	}
	wg.Wait()
}

func TestPartsRepaired(t *testing.T) { // verdict: exhausted
	s := make([]int, 4)
	var wg sync.WaitGroup
	for _, part := range [][]int{s[:2], s[2:]} {
		wg.Go(func() {
			part[0]++
			part[len(part)-1]++
		})
	}
	wg.Wait()
}

func TestMapRepaired(t *testing.T) { // verdict: exhausted
	m := map[string]int{"a": 1}
	var mu sync.Mutex
	done := make(chan bool)
	go func() {
		mu.Lock()
		m["b"] = 2
		mu.Unlock()
		done <- true
	}()
	mu.Lock()
	_ = m["a"]
	mu.Unlock()
	<-done
}

// Two goroutines may read a map.
func TestMapReaders(t *testing.T) { // verdict: exhausted
	m := map[string]int{"a": 1}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { _ = m["a"] })
	}
	wg.Wait()
}

func TestCopiedLockRepaired(t *testing.T) { // verdict: exhausted
	n := 0
	g := &guarded{n: &n}
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func(g *guarded) {
			defer wg.Done()
			g.mu.Lock()
			*g.n++
			g.mu.Unlock()
		}(g)
	}
	wg.Wait()
}

func TestCounterRepaired(t *testing.T) { // verdict: exhausted
	var n atomic.Int64
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { n.Add(1) })
	}
	wg.Wait()
}

func TestDoubleCheckedRepaired(t *testing.T) { // verdict: exhausted
	var mu sync.Mutex
	var ready atomic.Bool
	var addr string
	get := func() string {
		if !ready.Load() {
			mu.Lock()
			if !ready.Load() {
				addr = "localhost"
				ready.Store(true)
			}
			mu.Unlock()
		}
		return addr
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { get() })
	}
	wg.Wait()
}

func TestFlagRepaired(t *testing.T) { // verdict: exhausted
	var data int
	var ready atomic.Bool
	done := make(chan bool)
	go func() {
		data = 1
		ready.Store(true)
		done <- true
	}()
	if ready.Load() {
		_ = data
	}
	<-done
}

func TestInterfaceRepaired(t *testing.T) { // verdict: exhausted
	var v atomic.Value
	v.Store("zero")
	done := make(chan bool)
	go func() {
		v.Store("one")
		done <- true
	}()
	_ = v.Load().(string)
	<-done
}

func TestStringRepaired(t *testing.T) { // verdict: exhausted
	var s atomic.Pointer[string]
	short := "short"
	s.Store(&short)
	done := make(chan bool)
	go func() {
		long := strings.Repeat("long", 10)
		s.Store(&long)
		done <- true
	}()
	_ = len(*s.Load())
	<-done
}

func TestOneSideLocksRepaired(t *testing.T) { // verdict: exhausted
	var mu sync.Mutex
	n := 0
	done := make(chan bool)
	go func() {
		mu.Lock()
		n++
		mu.Unlock()
		done <- true
	}()
	mu.Lock()
	_ = n
	mu.Unlock()
	<-done
}

func TestReadLockRepaired(t *testing.T) { // verdict: exhausted
	var mu sync.RWMutex
	var hits atomic.Int64
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.RLock()
			defer mu.RUnlock()
			hits.Add(1)
		})
	}
	wg.Wait()
}

func TestLateAddRepaired(t *testing.T) { // verdict: exhausted
	var wg sync.WaitGroup
	n := 0
	wg.Add(1)
	go func() {
		defer wg.Done()
		n = 1
	}()
	wg.Wait()
	_ = n
}

func TestWriteBeforeSend(t *testing.T) { // verdict: exhausted
	n := 0
	ch := make(chan *int, 1)
	go func() {
		n = 1
		ch <- &n
	}()
	_ = *<-ch
}

// On an unbuffered channel the receive comes before the end of the send.
func TestWriteAfterRendezvous(t *testing.T) { // verdict: exhausted
	n := 0
	ch := make(chan bool)
	done := make(chan bool)
	go func() {
		ch <- true
		n = 2
		done <- true
	}()
	n = 1
	<-ch
	<-done
	_ = n
}

func TestSemaphoreRepaired(t *testing.T) { // verdict: exhausted
	sem := make(chan bool, 1)
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			sem <- true
			n++
			<-sem
		})
	}
	wg.Wait()
}

func TestAtomicRepaired(t *testing.T) { // verdict: exhausted
	var n int64
	done := make(chan bool)
	go func() {
		atomic.AddInt64(&n, 1)
		done <- true
	}()
	_ = atomic.LoadInt64(&n)
	<-done
}

func TestOnceRepaired(t *testing.T) { // verdict: exhausted
	var once sync.Once
	var conf *int
	get := func() *int {
		once.Do(func() { conf = new(int) })
		return conf
	}
	done := make(chan bool)
	go func() {
		get()
		done <- true
	}()
	_ = get() != nil
	<-done
}

func TestParallelSubtestsRepaired(t *testing.T) { // verdict: exhausted
	var sum atomic.Int64
	for range 2 {
		t.Run("sub", func(t *testing.T) {
			t.Parallel()
			sum.Add(1)
		})
	}
}

func TestAppendRepaired(t *testing.T) { // verdict: exhausted
	parts := make([][]int, 2)
	var wg sync.WaitGroup
	for n := range 2 {
		wg.Go(func() { parts[n] = append(parts[n], n) })
	}
	wg.Wait()
	_ = append(parts[0], parts[1]...)
}
