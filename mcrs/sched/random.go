package sched

import "math/rand/v2"

// A RandSeed starts a source of random numbers. (A seed interleaving is a seed.Seed.)
type RandSeed uint64

// Random takes every enabled transition with the same probability.
type Random struct{ r *rand.Rand }

// NewRandom returns the random schedule of a RandSeed.
func NewRandom(s RandSeed) *Random {
	return &Random{rand.New(rand.NewPCG(uint64(s), 0x9e3779b97f4a7c15))}
}

// Next implements Scheduler.
func (r *Random) Next(s *State) int { return r.r.IntN(len(s.Enabled)) }
