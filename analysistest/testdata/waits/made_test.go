package waits

import (
	"sync"
	"sync/atomic"
	"testing"
)

// This file has locks, queues and published values made of atomics, as programs have them, each right and a little
// wrong.

// A stack is Treiber's.
type node struct {
	v    int
	next *node
}
type stack struct{ head atomic.Pointer[node] }

func (s *stack) push(n *node) {
	for {
		h := s.head.Load()
		n.next = h
		if s.head.CompareAndSwap(h, n) {
			return
		}
	}
}
func (s *stack) pop() *node {
	for {
		h := s.head.Load()
		if h == nil {
			return nil
		}
		if s.head.CompareAndSwap(h, h.next) {
			return h
		}
	}
}

// race: h.next read while another popped it and pushes it again (writes next)
// finds: datarace
func TestMadeABA(t *testing.T) {
	var s stack
	s.push(&node{v: 1})
	s.push(&node{v: 2})
	done := make(chan bool)
	go func() {
		a := s.pop()
		s.pop()
		if a != nil {
			s.push(a)
		}
		close(done)
	}()
	s.pop()
	<-done
}

// without reuse: fine
// finds:
func TestMadeStack(t *testing.T) {
	var s stack
	var n atomic.Int32
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { s.push(&node{v: i}) })
		wg.Go(func() {
			if s.pop() != nil {
				n.Add(1)
			}
		})
	}
	wg.Wait()
	for s.pop() != nil {
		n.Add(1)
	}
	if n.Load() != 2 {
		t.Fatal(n.Load())
	}
}

// ABA with atomic next: logic error, lost node, no race
type anode struct {
	id   int
	next atomic.Pointer[anode]
}

// finds: testfailure
func TestMadeABALost(t *testing.T) {
	var head atomic.Pointer[anode]
	push := func(n *anode) {
		for {
			h := head.Load()
			n.next.Store(h)
			if head.CompareAndSwap(h, n) {
				return
			}
		}
	}
	pop := func() *anode {
		for {
			h := head.Load()
			if h == nil {
				return nil
			}
			nx := h.next.Load()
			if head.CompareAndSwap(h, nx) {
				return h
			}
		}
	}
	a, b := &anode{id: 1}, &anode{id: 2}
	push(b)
	push(a)
	var got [2]*anode
	done := make(chan bool)
	go func() {
		x := pop()
		got[0] = pop()
		if x != nil {
			push(x)
		}
		close(done)
	}()
	y := pop()
	<-done
	seen := map[*anode]int{}
	if got[0] != nil {
		seen[got[0]]++
	}
	if y != nil {
		seen[y]++
	}
	for n := pop(); n != nil; n = pop() {
		seen[n]++
		if seen[n] > 1 {
			t.Fatal("twice", n.id)
		}
	}
}

// seqlock with plain data: race
// finds: datarace
func TestMadeSeqlock(t *testing.T) {
	var seq atomic.Uint32
	var a, b int
	done := make(chan bool)
	go func() {
		seq.Add(1)
		a, b = 1, 1
		seq.Add(1)
		close(done)
	}()
	s := seq.Load()
	x, y := a, b
	if s%2 == 0 && seq.Load() == s && x != y {
		t.Error("torn")
	}
	<-done
}

// seqlock with atomics: right
// finds:
func TestMadeSeqlockAtomic(t *testing.T) {
	var seq, a, b atomic.Uint32
	done := make(chan bool)
	go func() {
		seq.Add(1)
		a.Store(1)
		b.Store(1)
		seq.Add(1)
		close(done)
	}()
	s := seq.Load()
	x, y := a.Load(), b.Load()
	if s%2 == 0 && seq.Load() == s && x != y {
		t.Error("torn")
	}
	<-done
}

// wrong seqlock: writer increments once only
// finds: testfailure
func TestMadeSeqlockOnce(t *testing.T) {
	var seq, a, b atomic.Uint32
	done := make(chan bool)
	go func() {
		a.Store(1)
		b.Store(1)
		seq.Add(2)
		close(done)
	}()
	s := seq.Load()
	x, y := a.Load(), b.Load()
	if s%2 == 0 && seq.Load() == s && x != y {
		t.Error("torn")
	}
	<-done
}

// RCU: readers see whole configurations
type config struct{ a, b int }

// finds:
func TestMadeRCU(t *testing.T) {
	var p atomic.Pointer[config]
	p.Store(&config{1, 1})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if c := p.Load(); c.a != c.b {
				t.Error("torn")
			}
		})
	}
	wg.Go(func() { p.Store(&config{2, 2}) })
	wg.Wait()
}

// RCU modified in place
// finds: datarace
func TestMadeRCUInPlace(t *testing.T) {
	var p atomic.Pointer[config]
	p.Store(&config{1, 1})
	var wg sync.WaitGroup
	wg.Go(func() { c := p.Load(); c.a, c.b = 2, 2; p.Store(c) })
	wg.Go(func() { c := p.Load(); _ = c.a + c.b })
	wg.Wait()
}

// RCU lost update: load-modify-store
// finds: testfailure
func TestMadeRCULost(t *testing.T) {
	var p atomic.Pointer[config]
	p.Store(&config{})
	var wg sync.WaitGroup
	inc := func() { c := *p.Load(); c.a++; p.Store(&c) }
	wg.Go(inc)
	wg.Go(inc)
	wg.Wait()
	if p.Load().a != 2 {
		t.Fatal("lost")
	}
}

// CAS loop
// finds:
func TestMadeRCUCas(t *testing.T) {
	var p atomic.Pointer[config]
	p.Store(&config{})
	var wg sync.WaitGroup
	inc := func() {
		for {
			o := p.Load()
			c := *o
			c.a++
			if p.CompareAndSwap(o, &c) {
				return
			}
		}
	}
	wg.Go(inc)
	wg.Go(inc)
	wg.Wait()
	if p.Load().a != 2 {
		t.Fatal("lost")
	}
}

// double-checked locking with plain pointer
// finds: datarace
func TestMadeDCL(t *testing.T) {
	var mu sync.Mutex
	var p *config
	get := func() *config {
		if p == nil {
			mu.Lock()
			defer mu.Unlock()
			if p == nil {
				p = &config{1, 1}
			}
		}
		return p
	}
	var wg sync.WaitGroup
	wg.Go(func() { get() })
	wg.Go(func() { get() })
	wg.Wait()
}

// with atomic
// finds:
func TestMadeDCLAtomic(t *testing.T) {
	var mu sync.Mutex
	var p atomic.Pointer[config]
	var made atomic.Int32
	get := func() *config {
		if c := p.Load(); c != nil {
			return c
		}
		mu.Lock()
		defer mu.Unlock()
		if c := p.Load(); c != nil {
			return c
		}
		made.Add(1)
		p.Store(&config{1, 1})
		return p.Load()
	}
	var wg sync.WaitGroup
	wg.Go(func() { get() })
	wg.Go(func() { get() })
	wg.Wait()
	if made.Load() != 1 {
		t.Fatal()
	}
}

// second check forgotten
// finds: testfailure
func TestMadeDCLOneCheck(t *testing.T) {
	var mu sync.Mutex
	var p atomic.Pointer[config]
	var made atomic.Int32
	get := func() {
		if p.Load() != nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		made.Add(1)
		p.Store(&config{1, 1})
	}
	var wg sync.WaitGroup
	wg.Go(get)
	wg.Go(get)
	wg.Wait()
	if made.Load() != 1 {
		t.Fatal()
	}
}
