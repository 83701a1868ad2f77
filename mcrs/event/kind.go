package event

import "fmt"

// This file is the one home of what a kind of operation is. A new primitive begins here: see "Where a new primitive
// goes" in docs/architecture.md.

// A Kind says what an event does.
type Kind uint8

// The kinds of events. The comment says what enables the operation, where it
// is not always enabled, and what Value and Other hold.
const (
	Invalid Kind = iota

	// Memory. Loc is the range of bytes; Value is a digest of the bytes read
	// or written (the bytes themselves for at most eight of them). Of more than eight, Other is the
	// offset of the bytes in Trace.Bytes. HostKey says that the bytes are not known: the host reads them.
	Read
	Write
	AtomicLoad
	AtomicStore
	// AtomicRMW is a read-modify-write. Value is what it returned (1 for a compare-and-swap), Key what it found, Other
	// what it left. Of more than eight bytes (an atomic.Value), Other is the offset in Trace.Bytes of what it found.
	// What it left stands behind that, and Value is 0 for a store. A compare-and-swap that failed changed nothing: it
	// is an AtomicLoad with the same fields. Value is 0 where nobody looks at it (Op.Adds).
	AtomicRMW
	// Store is a plain write under a relaxed memory model (MemoryModel): it goes into the goroutine's store buffer.
	// Loc, Value and Other are those of the Write that follows when it reaches memory. That Write belongs to a thread
	// of the buffer, "B/" and the goroutine's name.
	Store
	// Fence, likewise, waits until the goroutine's store buffer is empty: before what makes no event of its own.
	Fence

	// Objects with a serial specification that are read or written as a whole
	// (sync.Pool, sync.Map, the virtual clock, output where it is observed):
	// reads of one object commute.
	ObjectRead
	ObjectWrite

	// Files. Loc is an inode, whose Size says whether bytes move, as the Key of an operation on Kernel does. Key is
	// an entry of it (a name in a folder, a descriptor of a file), 0 for all. A FileWrite also finds what it changes.
	FileRead
	FileWrite

	// Maps. Loc is the map; Key is a digest of the key, 0 for the whole map
	// (len, range, clear). Of a write of a key Other is a digest of its bytes, and Value one of the element's, or
	// MapDeleted.
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

	// sync.Once. OnceBegin is enabled unless another goroutine is inside. Value is 1 for the one that runs the
	// function. That one ends with OnceEnd, whose Value is 1 if the Once was overwritten meanwhile, which is fatal.
	OnceBegin
	OnceEnd

	// sync.Cond. CondAdd takes a ticket (Value). CondWait is enabled once the ticket is notified. Other of a CondSignal
	// and a CondBroadcast is how many waiters it notifies, 0 or less if none.
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
	Spawn      // Other is the index of the child in Trace.Threads; Value a digest of its function and arguments
	End        // the goroutine's last event
	Goroutines // what a goroutine sees of the others, and what changes their number beside Spawn and End; Key says what
	Yield      // runtime.Gosched: nothing, but a place to switch

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

	// NumKinds is the number of kinds, for tables with a row for each.
	NumKinds
)

// An Object is the sort of thing that an operation's Loc names.
type Object uint8

const (
	NoObject Object = iota
	Memory          // a range of bytes
	Whole           // an object that is read or written as a whole: see ObjectRead
	Map
	Inode // of a file or a folder
	Mutex // a sync.Mutex, a sync.RWMutex, or a part of one: see MutexKey
	WaitGroup
	Once
	Cond
	Channel
	Timer
	Bubble  // of testing/synctest
	Threads // the goroutines themselves

	// NumObjects is the number of sorts, for tables with a row for each.
	NumObjects
)

// A property is one thing that is true of some kinds of operations.
type property uint32

const (
	// reads: what the operation returns is what it found in its object.
	reads property = 1 << iota
	// writes: it changes the bytes, the map or the object that it names.
	writes
	// atomic: an access that cannot race with another atomic one.
	atomic
	// harmless: whatever it returns, it leaves everything as it was.
	harmless
	// takes: an operation that gives can make it possible. gives: it gives something back, or makes others ready.
	takes
	gives
	// syncs: what a goroutine did before it may happen before what another one does after it (mcrs/race). Spawn always
	// orders so, and does not have this.
	syncs
	// holds: afterwards its goroutine has the object, until it gives it back. A Try has it if Value is 1.
	holds
	// clocked: the virtual clock, or the goroutines' coming to rest, decides when it is enabled.
	clocked
	// untold: its goroutine is not told Value.
	untold
	// failsByOther: it went wrong, or found nothing, if Other is negative. failsByValue: likewise if Value is not 0.
	failsByOther
	failsByValue
	// tellsAll: Value is all that its goroutine learns by it. Other operations may fail, or lead to state that is read
	// without an event.
	tellsAll
	// relaxed: a goroutine may do it while what it stored is not in memory yet.
	relaxed
	// last: it is the last one of its goroutine. final: it is the last one of the program.
	last
	final
)

// A row says all that is to be known of a kind of operation without knowing an execution.
type row struct {
	kind   Kind // its own index in the table
	is     property
	object Object
	name   string // as steps of a report say it
	// waits says what a goroutine that stands at the operation waits for, in the words of the runtime's goroutine
	// dumps. It is "" if the operation is always enabled.
	waits string
}

// table has a row for each kind, in their order. What an operation does in detail is in the specifications: that of the
// machine (mcrs/machine), and that of the explorers (mcrs/explore/spec).
var table = [...]row{
	{kind: Invalid, name: "invalid"},

	{kind: Read, object: Memory, is: relaxed | reads | harmless | tellsAll, name: "read"},
	{kind: Write, object: Memory, is: writes | tellsAll, name: "write"},
	{kind: AtomicLoad, object: Memory, is: relaxed | syncs | reads | atomic | harmless | tellsAll, name: "atomic load"},
	{kind: AtomicStore, object: Memory, is: syncs | writes | atomic | tellsAll, name: "atomic store"},
	{kind: AtomicRMW, object: Memory, is: syncs | reads | writes | atomic | tellsAll, name: "atomic update"},
	{kind: Store, is: relaxed | untold | tellsAll, name: "store"},
	{kind: Fence, is: harmless | untold | tellsAll, name: "fence", waits: "store buffer"},

	{kind: ObjectRead, object: Whole, is: relaxed | syncs | reads | harmless, name: "object read"},
	{kind: ObjectWrite, object: Whole, is: syncs | writes, name: "object write"},

	{kind: FileRead, object: Inode, is: relaxed | syncs | reads | harmless, name: "file read"},
	{kind: FileWrite, object: Inode, is: syncs | writes, name: "file write"},

	{kind: MapRead, object: Map, is: relaxed | reads | harmless | failsByOther | tellsAll, name: "map read"},
	{kind: MapWrite, object: Map, is: writes | tellsAll, name: "map write"},

	{kind: Lock, object: Mutex, is: syncs | takes | holds | untold, name: "lock", waits: "sync.Mutex.Lock"},
	{kind: Unlock, object: Mutex, is: syncs | gives | untold | failsByValue, name: "unlock"},
	{kind: RLock, object: Mutex, is: syncs | takes | holds | untold, name: "rlock", waits: "sync.RWMutex.RLock"},
	{kind: RUnlock, object: Mutex, is: syncs | gives | untold | failsByValue, name: "runlock"},
	{kind: LockAnnounce, object: Mutex, is: holds | untold, name: "lock (announce)", waits: "sync.RWMutex.Lock"},
	{kind: TryLock, object: Mutex, is: relaxed | syncs | takes | holds | tellsAll, name: "trylock"},
	{kind: TryRLock, object: Mutex, is: relaxed | syncs | takes | holds | tellsAll, name: "tryrlock"},

	{kind: WaitGroupAdd, object: WaitGroup, is: syncs | gives | untold | failsByOther, name: "waitgroup add"},
	{kind: WaitGroupWait, object: WaitGroup, is: syncs | takes | untold, name: "waitgroup wait", waits: "sync.WaitGroup.Wait"},

	{kind: OnceBegin, object: Once, is: syncs | takes | holds, name: "once begin", waits: "sync.Once.Do"},
	{kind: OnceEnd, object: Once, is: syncs | gives | untold | failsByValue, name: "once end"},

	{kind: CondAdd, object: Cond, is: untold, name: "cond wait (ticket)"},
	{kind: CondWait, object: Cond, is: syncs | takes | untold, name: "cond wait", waits: "sync.Cond.Wait"},
	{kind: CondSignal, object: Cond, is: syncs | gives | untold, name: "cond signal"},
	{kind: CondBroadcast, object: Cond, is: syncs | gives | untold, name: "cond broadcast"},

	{kind: ChanSend, object: Channel, is: syncs | failsByOther, name: "send", waits: "chan send"},
	{kind: ChanRecv, object: Channel, is: syncs | failsByOther | tellsAll, name: "receive", waits: "chan receive"},
	{kind: ChanClose, object: Channel, is: syncs | failsByValue, name: "close"},
	{kind: ChanLen, object: Channel, is: relaxed | reads | harmless | tellsAll, name: "len"},
	{kind: SelectDefault, is: relaxed | harmless | tellsAll, name: "select default"},

	{kind: Spawn, object: Threads, is: untold | tellsAll, name: "go"},
	{kind: End, object: Threads, is: untold | tellsAll | last, name: "end"},
	{kind: Goroutines, object: Threads, is: relaxed, name: "goroutines"},
	{kind: Yield, is: harmless | untold | tellsAll, name: "yield"},

	{kind: Sleep, is: clocked, name: "sleep", waits: "sleep"},
	{kind: TimerStart, object: Timer, is: syncs, name: "timer start"},
	{kind: TimerStop, object: Timer, name: "timer stop"},
	{kind: TimerFire, object: Timer, is: syncs | clocked | untold, name: "timer fire", waits: "timer fire"},

	{kind: Quiesce, object: Bubble, is: syncs | clocked | untold, name: "synctest wait", waits: "synctest.Wait"},

	{kind: Panic, is: last | final, name: "panic"},
	{kind: Exit, is: last | final, name: "exit"},
}

// A kind without a row does not compile.
var _ [NumKinds]row = table

func (k Kind) is(p property) bool { return int(k) < len(table) && table[k].is&p != 0 }

func (k Kind) String() string {
	if k < NumKinds {
		return table[k].name
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Object returns the sort of thing that the operation's Loc names. A select names none: its cases do.
func (k Kind) Object() Object {
	if int(k) < len(table) {
		return table[k].object
	}
	return NoObject
}

// IsAccess reports whether k is an access to a range of bytes.
func (k Kind) IsAccess() bool { return k.Object() == Memory }

// IsAtomic reports whether k is an atomic access.
func (k Kind) IsAtomic() bool { return k.is(atomic) }

// IsWrite reports whether k changes the bytes, map or object it names.
func (k Kind) IsWrite() bool { return k.is(writes) }

// IsPlain reports whether k is an access to bytes or to a map that does not synchronise.
func (k Kind) IsPlain() bool { return k.CanRace() && !k.is(atomic) }

// CanRace reports whether k is an access to bytes or to a map. Two of them can make a data race.
func (k Kind) CanRace() bool {
	o := k.Object()
	return o == Memory || o == Map
}

// Reads reports whether k returns what it found in its object.
func (k Kind) Reads() bool { return k.is(reads) }

// OnlyReads reports whether k looks at its object, and changes nothing.
func (k Kind) OnlyReads() bool { return k.is(reads) && !k.is(writes) }

// ChangesNothing reports whether k leaves everything as it was, whatever it returns.
func (k Kind) ChangesNothing() bool { return k.is(harmless) }

// IsComm reports whether k is a communication, which may be a case of a select.
func (k Kind) IsComm() bool { return k == ChanSend || k == ChanRecv }

// CanWait reports whether a goroutine may stand at the operation while it is not enabled. A select waits by its cases.
func (k Kind) CanWait() bool { return k.Waits() != "" }

// Waits returns what a goroutine that stands at the operation waits for, in the words of the runtime's goroutine dumps.
// It returns "" if the operation is always enabled.
func (k Kind) Waits() string {
	if int(k) < len(table) {
		return table[k].waits
	}
	return ""
}

// WaitsForLock reports whether k waits for a lock.
func (k Kind) WaitsForLock() bool { return k.Object() == Mutex && k.CanWait() }

// WaitsForClock reports whether the virtual clock, or that goroutines come to rest, enables k.
func (k Kind) WaitsForClock() bool { return k.is(clocked) }

// Takes reports whether k can be what a k that Gives, on the same object, made possible.
func (k Kind) Takes() bool { return k.is(takes) }

// Gives reports whether k gives back what a k that Takes may be waiting for.
func (k Kind) Gives() bool { return k.is(gives) }

// Synchronises reports whether k can order what goroutines do, as mcrs/race says. (Spawn does too; the trace says whom
// it starts.)
func (k Kind) Synchronises() bool { return k.is(syncs) }

// Holds reports whether the goroutine has the object after k, alone or with other readers. After a Try it has if Value
// is 1.
func (k Kind) Holds() bool { return k.is(holds) }

// Tries reports whether k takes a lock only if it is free.
func (k Kind) Tries() bool { return k == TryLock || k == TryRLock }

// TellsValue reports whether the goroutine is told the event's Value.
func (k Kind) TellsValue() bool { return !k.is(untold) }

// TellsOnlyValue reports whether Value is all that the goroutine learns. Other operations may fail, or lead to state
// that is read without an event.
func (k Kind) TellsOnlyValue() bool { return k.is(tellsAll) }

// EndsThread reports whether k is the last event of its goroutine.
func (k Kind) EndsThread() bool { return k.is(last) }

// EndsProgram reports whether k is the last event of all.
func (k Kind) EndsProgram() bool { return k.is(final) }

// Wrong reports whether the operation failed or found nothing. It fails by a panic or a fatal error: a send on a closed
// channel, a negative counter, an unlock of an unlocked mutex. It finds nothing in a closed channel, or in a map
// without the key.
func (e *Event) Wrong() bool {
	return e.Kind.is(failsByOther) && e.Other < 0 || e.Kind.is(failsByValue) && e.Value != 0
}
