// Package event is the alphabet of traces: what a goroutine does that another
// goroutine can notice.
//
// # Background
//
// A visible operation (in the code) becomes an event (in a trace) when the
// machine performs it. Between two visible operations of a goroutine nothing
// happens that another goroutine could see, so an execution is determined by
// the order of its events and the choices made in them (Huang, "Fast and
// Effective Approaches for Verifying and Debugging Concurrent Programs", 2019,
// section 2.1, whose alphabet is reads, writes, lock operations, wait/notify,
// fork and join; Go's channels and sync primitives are added here).
//
// The package imports nothing of this project.
package event

import (
	"strconv"
	"strings"
)

// A ThreadID names a goroutine by its spawn path: "G1" is the goroutine of the
// entry, "G1.2" the second one that it started, and so on. The name does not
// depend on the schedule.
type ThreadID string

// Ancestry yields the goroutine's ancestors, the nearest first: each one's name, and which of its goroutines, counted
// from 1, is the goroutine itself or its ancestor. The function of a timer has none, and nothing above it counts.
func (id ThreadID) Ancestry(yield func(by ThreadID, child int) bool) {
	for {
		i := strings.LastIndexByte(string(id), '.')
		if i < 0 {
			return
		}
		child, err := strconv.Atoi(string(id[i+1:]))
		if id = id[:i]; err != nil || !yield(id, child) {
			return
		}
	}
}

// StartedAfter reports whether a goroutine was started, by itself or by way of others, by one that had started kids
// goroutines before.
func (id ThreadID) StartedAfter(by ThreadID, kids int) bool {
	for p, child := range id.Ancestry {
		if p == by {
			return child > kids
		}
	}
	return false
}

// The addresses of pseudo-objects, which stand for state outside of the program's memory.
const (
	// Kernel is files, descriptors and the current folder. The Key of an operation that writes bytes to a descriptor is
	// KernelWrite, that of one that reads bytes KernelRead.
	Kernel  = 1
	Environ = 2 // the environment
	Stdout  = 3 // the output of an example
	Clock   = 4 // the virtual clock: in the second regime of time a reading of it is an ObjectRead there
)

// SleepKey is the key of a reading of Clock by which a sleep begins: only its deadline depends on what is read.
const SleepKey = 3

// Keys of operations on Kernel, and sizes of those on inodes.
const (
	KernelWrite = 1
	KernelRead  = 2
)

// MapDeleted is the Value of a MapWrite that deletes a key.
const MapDeleted = 0x6fd1c7a9b3e58d21

// A Location is a range of bytes of the machine's memory, or an object in it
// (then Size is 0 and Addr the object's first byte). Addresses are synthetic: they do not depend
// on the schedule.
type Location struct {
	Addr uint64
	Size uint32 // bytes
}

// Overlaps reports whether two ranges share a byte. Two objects (Size 0)
// overlap when they are the same.
func (l Location) Overlaps(m Location) bool {
	if l.Size == 0 || m.Size == 0 {
		return l.Addr == m.Addr && l.Size == m.Size
	}
	return l.Addr < m.Addr+uint64(m.Size) && m.Addr < l.Addr+uint64(l.Size)
}

// A Site identifies an instruction of the closed program; the machine's site
// table turns it into a position. 0 is no site.
type Site uint32

// An Order says what an operation orders.
type Order uint8

const (
	ByKind  Order = iota // what its kind says
	Nothing              // nothing: the race detector sees nothing of it
	Leaves               // likewise, but what its goroutine knows goes with what is sent from then on (SYNC16 of package race)
	Finds                // likewise, but its goroutine learns what came with what it received
	Unheard              // nothing, but it races as its kind does: a plain access of package sync, atomic here
	Makes                // what its kind says, and it is before each later Store: it puts the first value into an atomic.Value
	Stores               // a later Store: it is after the first one alone, and before who finds its value
)

// Loose reports whether an operation synchronises with nothing by itself.
func (o Order) Loose() bool { return o != ByKind && o != Makes && o != Stores }

// Races reports whether an operation races as its kind says.
func (o Order) Races() bool { return !o.Loose() || o == Unheard }

// HostKey is the key of a Read of which the bytes are not known.
const HostKey = 1

// OfHost reports whether an access to memory is by the host, and what it read is not known.
func (e *Event) OfHost() bool { return e.Kind == Read && e.Key == HostKey }

// RingKey is the key of a select with a default whose goroutine does not look which of the two it took.
const RingKey = 1

// The keys of Goroutines.
const (
	SeesCount  = iota // Value is how many goroutines there are
	AddsOne           // a coroutine begins, or a goroutine of package testing begins to wait for a test
	SeesStacks        // where they stand: Value is a digest of the text, Other how many other goroutines it has
	TakesOne          // what AddsOne has begun ends
)

// MovesCount reports whether an operation on goroutines with a key changes their number. Others look at them.
func MovesCount(key uint64) bool { return key == AddsOne || key == TakesOne }

// An Op is a visible operation: what a goroutine is about to do. It is a
// function of the goroutine's own history.
type Op struct {
	Kind  Kind
	Loc   Location
	Key   uint64 // maps: digest of the key
	Site  Site
	Cases []Case // select: its cases in source order; nil otherwise. Kind is then Invalid
	// HasDefault says that a select has a default case.
	HasDefault bool
	Deadline   int64 // Sleep: virtual nanoseconds at which it ends
	After      int64 // Sleep: how long after it began that is
	// Blind has a bit for each communication of the operation, the first for one that is no select. It is set if the
	// goroutine does not look at what it receives. Only communications on a timer's channel have it, loads that are
	// ignored (sched.Options.Ignores), and what is written to a stream that nobody looks at.
	Blind uint64
	// Adds says of an AtomicRMW that it adds Key to a word, and that its goroutine does not look at what comes of it.
	// The Value of its event is 0.
	Adds  bool
	Order Order
}

// IsSelect reports whether the operation is a select statement.
func (o *Op) IsSelect() bool { return o.Kind == Invalid }

// A Case is one communication of a select statement. Chan 0 is a nil channel.
type Case struct {
	Kind Kind // ChanSend or ChanRecv
	Chan uint64
}

// An Event is a visible operation that was performed.
type Event struct {
	Thread int32 // index in Trace.Threads
	Seq    int32 // number among the thread's events, from 0
	Kind   Kind
	Swap   bool // an AtomicLoad that is a compare-and-swap which failed
	Order  Order
	// Case is the chosen case of a select (its index in source order), -1 if the
	// operation is no select. A SelectDefault has the number of cases.
	Case    int16
	Loc     Location
	Key     uint64
	Value   uint64 // what the operation returned or stored; see the kinds
	Other   int64  // see the kinds
	Partner int32  // the index of the other half of a rendezvous in Trace.Events, -1 if none
	Cases   int32  // select: index in Trace.Cases of the cases it looked at, -1 if none
	Site    Site
}
