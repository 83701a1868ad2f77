package event

// This file says in which bytes the objects of package sync keep their state. A program may copy, compare, print or
// overwrite a lock, or look at it by way of unsafe.Pointer. It then makes accesses to these bytes. They depend on the
// operations of the lock, and may race with them.
//
// The bytes are gc's, as they are while no goroutine is parked at the object.

// The Key of an operation on a lock says what it is part of.
const (
	MutexKey   = iota // a sync.Mutex
	RWMutexKey        // a sync.RWMutex
	// The two parts of an RWMutex, in a program that calls RWMutex.TryLock. They are objects of their own there (rules
	// RW3 to RW5 of the Go machine).
	ReadersKey // that which counts readers, and knows whether a writer has announced itself; Loc is that of the count
	WritersKey // the Mutex that writers hold among themselves; Loc is that of the RWMutex
	UndoKey    // the same, when a TryLock that has failed lets go of it
)

// IsRW reports whether a key of an operation on a lock is that of a sync.RWMutex, or of a half of one.
func IsRW(key uint64) bool { return key == RWMutexKey || key == ReadersKey || key == WritersKey }

// The Key of an ObjectRead or ObjectWrite of package sync. For a sync.Map, bits of Other say what the operation did to
// the bytes of the Map itself, and whether it took its lock. For a Pool they say what was done with the value of which
// the bits above are a digest.
const (
	PoolKey = 1
	MapKey  = 2
	CopyKey = 3 // an operation on a copy of a Map that was used, with which it shares what it holds: to the bytes of the Map it does nothing

	MapUsed  = 1 // it was the first operation
	MapClear = 2 // Clear
	MapKeyed = 4 // the bits above are a digest of the key; without it an operation may be on all keys
	MapLocks = 8 // a read that took the lock: CompareAndDelete found another value

	PoolPut = 1 // the value was put
	PoolGot = 2 // it was taken out; without either Get found none

	mapBits = MapUsed | MapClear | MapLocks
)

// OfPool reports whether an event is an operation on a sync.Pool.
func OfPool(e *Event) bool {
	return (e.Kind == ObjectRead || e.Kind == ObjectWrite) && e.Key == PoolKey && e.Loc.Addr > Clock
}

// OnKey returns what orders an operation on a sync.Map with others on the same key, and whether it is on one key.
func OnKey(e *Event) (uint64, bool) {
	return uint64(e.Other) &^ mapBits, e.Other&MapKeyed != 0
}

// Shares reports whether an event is an operation on what a sync.Map holds, be it by the Map itself or by a copy.
func Shares(e *Event) bool {
	return (e.Kind == ObjectRead || e.Kind == ObjectWrite) && (e.Key == MapKey || e.Key == CopyKey) && e.Loc.Addr > Clock
}

// OfMap reports whether an event is an operation on a sync.Map.
func OfMap(e *Event) bool { return (e.Kind == ObjectRead || e.Kind == ObjectWrite) && e.Key == MapKey }

// readersAt is the offset of the count of readers in a sync.RWMutex, semaphoreAt that of the semaphore in a WaitGroup,
// mutexAt that of the Mutex in a Once and in a sync.Map.
const readersAt, semaphoreAt, mutexAt = 16, 8, 4

// hadToWait is the Value of a Wait that Waited has returned.
const hadToWait = 1

// Waited returns the Wait of a wait group as one that had to wait. To the race detector it writes the semaphore. An
// event of an execution does not say so: whether the goroutine came before the last Done is no event.
func Waited(e *Event) *Event {
	w := *e
	w.Value = hadToWait
	return &w
}

// UnlockOf returns the Unlock with which the function of a Once ends, or the first operation on a sync.Map.
func UnlockOf(e *Event) *Event {
	u := *e
	u.Kind, u.Key, u.Loc.Addr = Unlock, MutexKey, e.Loc.Addr+mutexAt
	return &u
}

// Bytes returns the range of memory that is the state of an operation's object. Its Size is 0 if there is none: the
// operation is an access itself, or its object is not memory of the program.
func Bytes(k Kind, loc Location, key uint64) Location {
	size := uint32(0)
	switch k.Object() {
	case Mutex:
		switch key {
		case RWMutexKey:
			size = 24
		case ReadersKey:
			size = 8
		default:
			size = 4
		}
	case WaitGroup, Once, Cond:
		size = 8
	case Whole:
		switch key {
		case PoolKey:
			size = 16
		case MapKey, CopyKey:
			size = 48
		}
	}
	return Location{loc.Addr, size}
}

// A Touch is an access that an operation of package sync makes to the bytes of its object, as Go's race detector sees
// it.
type Touch struct {
	Loc           Location
	Write, Atomic bool
}

// Touching reports whether what an operation of package sync does to the bytes of its object conflicts with an access
// of another goroutine.
func Touching(op, access *Event) bool {
	if op.Kind.IsAccess() {
		return false
	}
	ts, n := Touches(op)
	for _, t := range ts[:n] {
		if t.Loc.Overlaps(access.Loc) && (t.Write || access.Kind.IsWrite()) && !(t.Atomic && access.Kind.IsAtomic()) {
			return true
		}
	}
	return false
}

// Touches returns the accesses that Go's race detector sees an event of package sync make. They follow from the source
// of the package. The detector leaves out plain accesses there (NoRaceFunc of cmd/internal/objabi), and sees atomic
// ones. The source hides some from it (race.Disable), and makes up others (race.Read).
//
//	Mutex      An atomic update: Lock, Unlock, and a TryLock that succeeds. One that fails has only looked.
//	RWMutex    Each method: a plain read of the first byte.
//	WaitGroup  The Add that makes the counter positive: a plain read of the semaphore. A Wait that has to wait: a
//	           plain write of it. Whether one had to no event says; mcrs/race asks with Waited (RACE9).
//	Once       An atomic load of done. The first Do also updates its Mutex, and stores done. So does one that comes
//	           before that has ended, but for the store: mcrs/race asks (RACE10).
//	Map        Atomic loads of inited and root. The first operation stores them, and Clear stores root. The first
//	           operation updates its Mutex; so do those that find that it has not ended.
//	Pool, Cond Nothing. (What a Cond does to its copyChecker are events of their own.)
func Touches(e *Event) (ts [3]Touch, n int) {
	add := func(at, size uint32, write, atomic bool) {
		ts[n] = Touch{Location{e.Loc.Addr + uint64(at), size}, write, atomic}
		n++
	}
	switch e.Kind {
	case Lock, Unlock, RLock, RUnlock, LockAnnounce, TryLock, TryRLock:
		switch {
		case e.Key == MutexKey && (e.Kind != TryLock || e.Value == 1):
			add(0, 4, true, true)
		case e.Key == RWMutexKey, e.Key == WritersKey && e.Kind != Unlock:
			add(0, 1, false, false)
		case e.Key == ReadersKey && (e.Kind == Unlock || e.Kind == RLock || e.Kind == RUnlock || e.Kind == TryRLock):
			add(0, 1, false, false)
			ts[0].Loc.Addr -= readersAt
		}
	case WaitGroupAdd:
		if int64(e.Value) > 0 && e.Other == int64(e.Value) {
			add(semaphoreAt, 1, false, false)
		}
	case WaitGroupWait:
		if e.Value == hadToWait {
			add(semaphoreAt, 1, true, false)
		}
	case OnceBegin:
		add(0, 4, false, true)
		if e.Value == 1 {
			add(4, 4, true, true)
		}
	case OnceEnd:
		add(0, 8, true, true)
	case ObjectRead, ObjectWrite:
		if e.Key == MapKey {
			first := e.Other&MapUsed != 0
			add(0, 4, first, true)
			add(16, 8, e.Other&(MapUsed|MapClear) != 0, true)
			if first {
				add(4, 4, true, true)
			}
		}
	}
	return ts, n
}
