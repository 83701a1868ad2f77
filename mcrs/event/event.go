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

import "fmt"

// A ThreadID names a goroutine by its spawn path: "G1" is the goroutine of the
// entry, "G1.2" the second one that it started, and so on. The name does not
// depend on the schedule.
type ThreadID string

// The addresses of pseudo-objects, which stand for state outside of the program's memory.
const (
	// Kernel is files, descriptors and the current folder. Key of an operation that writes bytes to a descriptor is KernelWrite, of one that reads bytes
	// KernelRead.
	Kernel  = 1
	Environ = 2 // the environment
	Stdout  = 3 // the output of an example
	Clock   = 4 // the virtual clock: in the second regime of time a reading of it is an ObjectRead there
)

// Keys of operations on Kernel.
const (
	KernelWrite = 1
	KernelRead  = 2
)

// A Kind says what an event does.
type Kind uint8

// The kinds of events. The comment says what enables the operation, where it
// is not always enabled, and what Value and Other hold.
const (
	Invalid Kind = iota

	// Memory. Loc is the range of bytes; Value is a digest of the bytes read
	// or written (the bytes themselves for at most eight of them). Of more than eight, Other is the
	// offset of the bytes in Trace.Bytes. Key 1 says that the bytes are not known: the host writes or reads them.
	Read
	Write
	AtomicLoad
	AtomicStore
	// AtomicRMW is a read-modify-write; Value is what it returned (1 for a compare-and-swap), Key what it found,
	// Other what it left. Of more than eight bytes (an atomic.Value), Other is the offset in Trace.Bytes of what it found, behind which stands what it
	// left; Value is 0 for a store. One that failed, and changed nothing, is an AtomicLoad with the same fields.
	AtomicRMW

	// Objects with a serial specification that are read or written as a whole
	// (sync.Pool, sync.Map, the virtual clock, output where it is observed):
	// reads of one object commute.
	ObjectRead
	ObjectWrite

	// Maps. Loc is the map; Key is a digest of the key, 0 for the whole map
	// (len, range, clear).
	MapRead
	MapWrite

	// Locks. Loc is the lock. Lock is enabled while nobody holds it, RLock
	// while no writer holds or has announced itself, LockAnnounce (the first half of
	// RWMutex.Lock, which shuts out new readers) when no other writer holds or has
	// announced, Lock of an RWMutex then when no reader is left.
	Lock
	Unlock // Value is 1 if the lock was not held, which is fatal
	RLock
	RUnlock // likewise
	LockAnnounce
	TryLock  // Value is 1 on success
	TryRLock // Value is 1 on success

	// sync.WaitGroup. Value of WaitGroupAdd is the delta (as int64) and Other
	// the counter after it; WaitGroupWait is enabled at counter zero.
	WaitGroupAdd
	WaitGroupWait

	// sync.Once. OnceBegin is enabled unless another goroutine is inside; Value
	// is 1 for the one that runs the function, which ends with OnceEnd (Value 1 if the Once was overwritten meanwhile, which is fatal).
	OnceBegin
	OnceEnd

	// sync.Cond. CondAdd takes a ticket (Value); CondWait is enabled once the
	// ticket is notified. Other of a CondSignal and a CondBroadcast is how many waiters it notifies; not above 0 if none.
	CondAdd
	CondWait
	CondSignal
	CondBroadcast

	// Channels. Loc is the channel; Value is a digest of the element. Other is the
	// number of the element in the channel's history (the k-th send matches the
	// k-th receive), -1 for an operation that found the channel closed, and for a select's default.
	ChanSend
	ChanRecv
	ChanClose     // Value is 1 if it was closed already
	ChanLen       // len or cap of a buffered channel; Value is the result
	SelectDefault // a select that took its default; Trace.Cases has the channels it looked at

	// Goroutines.
	Spawn // Other is the index of the child in Trace.Threads; Value a digest of its function and arguments
	End   // the goroutine's last event
	// Goroutines is what a goroutine sees of the others. Key 0: how many there are (Value). Key 1: they become more or less, but not by go or an End.
	// Key 2: where they stand; Value is a digest.
	Goroutines
	Yield // runtime.Gosched: nothing, but a place to switch

	// Time. Sleep is enabled when the virtual clock has reached its deadline;
	// the clock moves only when no goroutine can run. TimerFire belongs to
	// a thread that the timer has, "T/" and its name.
	Sleep
	TimerStart
	TimerStop // Value is 1 if the timer was active
	// Of a timer with a channel Value is the time, 0 if the channel was full, and Key a digest of the element.
	TimerFire

	// testing/synctest: Wait, and the end of Run. Key is the bubble; enabled when all its other
	// goroutines are durably blocked.
	Quiesce

	// The end of the program.
	Panic // an unrecovered panic or a fatal error
	Exit  // os.Exit, or the return of main

	numKinds
)

var kindNames = [numKinds]string{
	Invalid: "invalid",
	Read:    "read", Write: "write", AtomicLoad: "atomic load", AtomicStore: "atomic store", AtomicRMW: "atomic update",
	ObjectRead: "object read", ObjectWrite: "object write", MapRead: "map read", MapWrite: "map write",
	Lock: "lock", Unlock: "unlock", RLock: "rlock", RUnlock: "runlock", LockAnnounce: "lock (announce)",
	TryLock: "trylock", TryRLock: "tryrlock",
	WaitGroupAdd: "waitgroup add", WaitGroupWait: "waitgroup wait", OnceBegin: "once begin", OnceEnd: "once end",
	CondAdd: "cond wait (ticket)", CondWait: "cond wait", CondSignal: "cond signal", CondBroadcast: "cond broadcast",
	ChanSend: "send", ChanRecv: "receive", ChanClose: "close", ChanLen: "len", SelectDefault: "select default",
	Spawn: "go", End: "end", Goroutines: "goroutines", Yield: "yield",
	Sleep: "sleep", TimerStart: "timer start", TimerStop: "timer stop", TimerFire: "timer fire",
	Quiesce: "synctest wait",
	Panic:   "panic", Exit: "exit",
}

func (k Kind) String() string {
	if k < numKinds {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// IsAccess reports whether k is an access to a range of bytes.
func (k Kind) IsAccess() bool { return k >= Read && k <= AtomicRMW }

// IsAtomic reports whether k is an atomic access.
func (k Kind) IsAtomic() bool { return k >= AtomicLoad && k <= AtomicRMW }

// IsWrite reports whether k changes the bytes, map or object it names.
func (k Kind) IsWrite() bool {
	switch k {
	case Write, AtomicStore, AtomicRMW, ObjectWrite, MapWrite:
		return true
	}
	return false
}

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
	// Timer says that a Sleep, or a wait on a channel, can be ended by the clock alone.
	Deadline int64 // Sleep: virtual nanoseconds at which it ends
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
