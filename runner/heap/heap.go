// Package heap lets the heap of a process that analyses programs grow further than Go's default before it is collected.
package heap

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// floor is the size up to which the heap grows without a collection. Loading a small program allocates about twice as
// much as it keeps, and half of its time would go into collections of a heap that only grows.
const floor = 128 << 20

// step is by how much a large heap grows without a collection, unless a quarter of it is more.
const step = 256 << 20

// least is by how much it grows without one once it has reached the floor: what follows is more of the same loading. So
// a test that links net/http is loaded with two collections.
const least = floor

// growthFor is the value for GOGC with which the heap may next grow to twice what is alive, but by no more than a step
// and no less than least, or to the floor.
func growthFor(live uint64) int {
	switch {
	case live == 0:
		return 100
	case live < floor/2:
		return int((floor - live) * 100 / live)
	}
	return int(max(min(max(live, least), step), live/4) * 100 / live)
}

// Manage sets GOGC after every collection, unless the user has.
func Manage() {
	if os.Getenv("GOGC") != "" {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	type cycle struct{ next *byte } // an object of its own, not part of a block of small ones
	var collected func(*cycle)
	collected = func(c *cycle) {
		metrics.Read(live)
		debug.SetGCPercent(growthFor(live[0].Value.Uint64()))
		runtime.SetFinalizer(c, collected)
	}
	runtime.SetFinalizer(&cycle{new(byte)}, collected)
	debug.SetGCPercent(growthFor(4 << 20)) // the runtime's own least heap
}

// Limit has the heap collected more often where it would grow beyond so many bytes, unless the user has set GOMEMLIMIT.
func Limit(bytes int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(bytes)
	}
}
