package vm

import (
	"github.com/heddle-go/heddle/mcrs/event"
)

// This file defines what a goroutine has stored and others do not find yet. The rules are in access/buffers.go.

// A StoreBuffer is what a goroutine has stored and others do not find yet, and the threads that empty it.
type StoreBuffer struct {
	Stores    []BufferedStore // on their way to memory: see access/buffers.go
	Unfenced  bool            // it has stored since it last waited for its buffer
	Queue     uint64          // of a store buffer's thread: the queue that it empties
	Anew      []uint64        // objects since then whose addresses are those of others before
	DrainedAt uint64          // the address of the first object that it has allocated since it last waited for its buffer
	Queues    []*G            // the threads of its store buffer, in the order in which they came
	Buffers   *G              // of a store buffer's thread: whose it is
}

// A BufferedStore is a store on its way to memory.
type BufferedStore struct {
	Addr uint64
	Data []byte
	Site event.Site
}

// End returns the address behind the store.
func (s *BufferedStore) End() uint64 { return s.Addr + uint64(len(s.Data)) }

// Overlaps reports whether the store has one of n bytes at addr.
func (s *BufferedStore) Overlaps(addr, n uint64) bool { return s.Addr < addr+n && addr < s.End() }

// Relaxed reports whether plain writes go into buffers.
func (m *Budget) Relaxed() bool { return m.Options.Memory != event.SC }

// IsBuffer reports whether g is the thread of a store buffer, and no goroutine.
func (g *StoreBuffer) IsBuffer() bool { return g.Buffers != nil }

// Drained has g wait until its buffer is empty, before something that makes no event (BUF6). It returns false if g
// must wait, as visible does.
func (m *Machine) Drained(g *G) bool {
	if g.Permit && g.Op.Kind == event.Fence {
		g.Permit, g.Waiting = false, false
		m.Log(g, Plain(event.Fence, 0, g.Op.Site))
		return true
	}
	if !g.Unfenced {
		fenced(m, g)
		return true
	}
	m.Stand(g, event.Op{Kind: event.Fence, Site: g.Site()})
	return false
}

// DrainedFor has g wait like Drained before an operation that makes no event because nobody else reaches what it is
// about, if its kind waits for the buffer (BUF4): a locked instruction waits wherever its operand is.
func DrainedFor(m *Machine, g *G, k event.Kind) bool {
	return !m.Relaxed() || !k.Drains() || m.Drained(g)
}

// fenced notes that g has waited for its buffer.
func fenced(m *Machine, g *G) {
	if g.Unfenced = false; m.Options.Memory == event.PSO {
		g.DrainedAt, g.Anew = m.Mem.Next(g.Segment), g.Anew[:0]
	}
}

// bufferRoots visits what stores on their way hold.
func (g *StoreBuffer) bufferRoots(visit func(uint64)) {
	for i := range g.Stores {
		visit(g.Stores[i].Addr)
		bytesRoots(g.Stores[i].Data, visit)
	}
}

// HashStores hashes the stores on their way.
func (g *StoreBuffer) HashStores(h uint64) uint64 {
	for i := range g.Stores {
		h = HashBytes(HashMix(h, g.Stores[i].Addr), g.Stores[i].Data)
	}
	return h
}
