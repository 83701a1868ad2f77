package vm

// This file defines what is known of locks beside their bytes.

// Hold notes who takes the lock at addr. The bytes of a lock do not say.
func (m *Locks) Hold(g *G, addr uint64) {
	if m.Takers == nil {
		m.Takers = make(map[uint64]int32)
	}
	m.Takers[addr] = g.Index
}

// Taker returns who has taken the lock at addr, and not given it back; -1 if that is not known.
func (m *Locks) Taker(addr uint64) int32 {
	if idx, ok := m.Takers[addr]; ok {
		return idx
	}
	return -1
}

// Locks are those that the execution has used, as far as that is not in memory.
type Locks struct {
	Onces     map[uint64]bool // those that have run
	Unlocks   int
	Takers    map[uint64]int32 // who has taken a lock and not given it back, by address
	Contested map[uint64]bool  // locks of writers that somebody tried and failed to get since they were taken
}
