package event

import (
	"fmt"
	"strings"
)

// A MemoryModel says when what a goroutine stores reaches memory, where others find it. (Huang's dissertation, 2019,
// section 3.2; Owens, Sarkar and Sewell, "A Better x86 Memory Model: x86-TSO", TPHOLs 2009.)
type MemoryModel uint8

const (
	// SC is sequential consistency: at once.
	SC MemoryModel = iota
	// TSO is total store order: later, in the order in which it was stored. Processors of the amd64 family are so.
	TSO
	// PSO is partial store order: later, and in the order in which it was stored only where the same bytes are
	// concerned.
	PSO

	numMemoryModels
)

var memoryModels = [numMemoryModels]string{SC: "sc", TSO: "tso", PSO: "pso"}

// String returns the name that the flag -memory has for m.
func (m MemoryModel) String() string { return memoryModels[m] }

// ParseMemoryModel is the inverse of String.
func ParseMemoryModel(name string) (MemoryModel, error) {
	for m, s := range memoryModels {
		if s == name {
			return MemoryModel(m), nil
		}
	}
	return SC, fmt.Errorf("there is no memory model %q: sc, tso or pso", name)
}

// Drains reports whether a goroutine that does an operation of kind k waits until all that it has stored is in memory
// (rule BUF4 of the Go machine). Of a TryLock or TryRLock that is so if it succeeds.
func (k Kind) Drains() bool { return !k.is(relaxed) }

// AwaitsBuffer reports whether an operation waits for its goroutine's store buffer in some state (rule BUF4), but for a
// read of what the buffer has a part of. A Try and a select do not wait in every state.
func (o *Op) AwaitsBuffer() bool {
	switch o.Kind {
	case Goroutines:
		return o.Key != 0
	case ObjectRead: // a system call
		return o.Loc.Addr <= Clock
	}
	return o.Kind.Tries() || o.Kind.Drains()
}

// bufferPrefix begins the names of the threads that bring stores to memory; the name of the goroutine whose store
// buffer it is follows.
const bufferPrefix = "B/"

// BufferOf returns the name of the thread of a goroutine's store buffer: of its n-th queue, or of the buffer as a
// whole, if n is 0.
func BufferOf(g ThreadID, n int) ThreadID {
	if n == 0 {
		return bufferPrefix + g
	}
	return ThreadID(fmt.Sprintf("%s%s#%d", bufferPrefix, g, n))
}

// BufferOwner returns the name of the goroutine whose store buffer a thread empties. ok is false if it is the thread
// of none.
func BufferOwner(id ThreadID) (g ThreadID, ok bool) {
	s, ok := strings.CutPrefix(string(id), bufferPrefix)
	s, _, _ = strings.Cut(s, "#")
	return ThreadID(s), ok
}
