package explore

import (
	"sync"
	"sync/atomic"
)

// This file ends explorations from outside, when who waits has seen enough.

// Interrupted is why an exploration is incomplete that was asked to end.
const Interrupted = "interrupted"

// A Stop asks explorations to end. The execution at work is cut off, and they keep what they have found. A nil Stop
// never asks.
type Stop struct {
	asked atomic.Bool

	mu    sync.Mutex
	parts map[*Stop]bool // that are asked with it
	done  chan struct{}  // closed when it is asked; nil if nobody waits for that
}

// Ask asks.
func (s *Stop) Ask() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked.Swap(true) {
		return
	}
	for p := range s.parts {
		p.Ask()
	}
	if s.done != nil {
		close(s.done)
	}
}

// Part returns a Stop that is asked when s is, and can be asked alone. release is to be called when it is not needed
// any more.
func (s *Stop) Part() (part *Stop, release func()) {
	part = new(Stop)
	if s == nil {
		return part, func() {}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Asked() {
		part.Ask()
		return part, func() {}
	}
	if s.parts == nil {
		s.parts = map[*Stop]bool{}
	}
	s.parts[part] = true
	return part, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.parts, part)
	}
}

// Done is closed when s is asked.
func (s *Stop) Done() <-chan struct{} {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done == nil {
		s.done = make(chan struct{})
		if s.Asked() {
			close(s.done)
		}
	}
	return s.done
}

// flag is what cuts off an execution.
func (s *Stop) flag() *atomic.Bool {
	if s == nil {
		return nil
	}
	return &s.asked
}

// Asked reports whether somebody has asked.
func (s *Stop) Asked() bool { return s != nil && s.asked.Load() }
