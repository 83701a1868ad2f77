package merging

import (
	"sync"
	"sync/atomic"
	"testing"
)

// Counters that nobody acts upon, and near misses: see TestUnionIgnoring.

type stats struct {
	mu   sync.Mutex
	hits int
	seq  int
	last atomic.Int64
}

func (s *stats) hit() {
	s.mu.Lock()
	s.hits++
	s.seq = 2*s.hits + 1
	s.mu.Unlock()
}

// TestIgnoresCounter: nobody acts upon what is counted.
func TestIgnoresCounter(t *testing.T) {
	var s stats
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(s.hit)
	}
	wg.Wait()
}

// TestIgnoresLate: a function acts upon it that is called in some orders alone.
func TestIgnoresLate(t *testing.T) {
	var s stats
	var x atomic.Int32
	var wg sync.WaitGroup
	wg.Go(s.hit)
	wg.Go(func() {
		s.hit()
		if x.CompareAndSwap(1, 3) {
			s.late()
		}
	})
	wg.Go(func() {
		x.Store(1)
		x.Store(2)
	})
	wg.Wait()
}

func (s *stats) late() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hits == 2 {
		panic("two")
	}
}

// TestIgnoresText: it is in the text of a failure.
func TestIgnoresText(t *testing.T) {
	var s stats
	go s.hit()
	go func() {
		s.mu.Lock()
		n := s.hits
		s.mu.Unlock()
		panic(n)
	}()
}

// TestIgnoresFailure: what fails has nothing to do with what is counted.
func TestIgnoresFailure(t *testing.T) {
	var s stats
	var x atomic.Int32
	go func() {
		s.hit()
		x.Store(1)
		s.hit()
	}()
	s.hit()
	if x.Load() == 1 {
		panic("one")
	}
}

// TestIgnoresIDs: the numbers that goroutines are given, and load again, are in no condition.
func TestIgnoresIDs(t *testing.T) {
	var s stats
	var x atomic.Int32
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			s.seq2(s.last.Add(1))
			x.CompareAndSwap(0, 1)
			s.seq2(s.last.Load())
			x.CompareAndSwap(1, 2)
		})
	}
	wg.Wait()
}

func (s *stats) seq2(id int64) {
	s.mu.Lock()
	s.seq += int(id)
	s.mu.Unlock()
}

// TestIgnoresRace: a load that is ignored races as others do.
func TestIgnoresRace(t *testing.T) {
	var s stats
	go func() { s.hits++ }()
	s.seq = s.hits
}
