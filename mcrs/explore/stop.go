package explore

import "sync/atomic"

// This file ends explorations from outside, when who waits has seen enough.

// Interrupted is why an exploration is incomplete that was asked to end.
const Interrupted = "interrupted"

// A Stop asks explorations to end. The execution at work is cut off, and they keep what they have found. A nil Stop never asks.
type Stop struct{ asked atomic.Bool }

// Ask asks.
func (s *Stop) Ask() { s.asked.Store(true) }

// flag is what cuts off an execution.
func (s *Stop) flag() *atomic.Bool {
	if s == nil {
		return nil
	}
	return &s.asked
}

// Asked reports whether somebody has asked.
func (s *Stop) Asked() bool { return s != nil && s.asked.Load() }
