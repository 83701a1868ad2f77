package prim

import (
	"go/types"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/program"
)

// This file defines sync.RWMutex. Its bytes are those of gc: the Mutex w that writers hold among themselves, the count
// of readers, from which a writer that has announced itself takes rwMax, and the readers that it waits for.
//
// In the source Lock takes w, announces itself, and waits for the readers. Unlock takes its announcement back, and then
// lets go of w. TryLock takes w, looks at the readers, and lets go of w if there are any. That w is held shows in Lock,
// which waits for it, and in TryLock, which fails. Who only waits cannot tell how long one step is after the other. So:
//
//	RW1  RLock is enabled while no writer has announced itself. TryRLock succeeds then.
//	RW2  Lock is two operations: it announces itself (enabled while no other writer has), and it is held when no
//	     reader is left. Unlock is one.
//
// A program that calls TryLock can tell: TryLock may fail though TryRLock succeeds after it and nobody has unlocked in
// between. In such a program each RWMutex is two objects, the Mutex w (event.WritersKey) and the rest
// (event.ReadersKey):
//
//	RW3  Lock is three operations: it locks w, announces itself, and is held when no reader is left.
//	RW4  Unlock is two operations: it takes the announcement back, and unlocks w.
//	RW5  TryLock tries w. If that fails so does TryLock. Else it looks at the readers. If there are any it unlocks w
//	     and fails.
//
// In every program:
//
//	RW6  Unlock is fatal where no writer has announced itself. Where one has, and waits for readers, it takes back the
//	     announcement: natively readers may come in, other writers too, and the writer may wait for ever. That is not
//	     followed: the program does something that is not supported.
//	RW7  A writer that has announced itself, and for whom no reader is left, has the lock already: another goroutine
//	     may unlock it, and the writer goes on.
//
// Mutex.TryLock has no such steps. It fails in three cases:
//
//   - The Mutex is held.
//   - It is starving: it is handed over to one who stands at Lock, who then is said to hold it.
//   - Its state changes between a look and the compare-and-swap. A free state changes when somebody takes it. It also
//     changes when an Unlock that has made it free, and is not over, sets a flag for one who waits. (That Unlock was
//     the last to make it free: each one before it has set the flag, or found nobody, or found the Mutex taken.) Since
//     it is not over, TryLock can be said to come before it.
//
// So each failure is one of a Mutex that is held.
//
// TryRLock has no such steps either: it fails when it finds that a writer has announced itself, and tries again when
// another reader has come in between.

// Offsets in sync.RWMutex.
const (
	RWReaders = 16
	rwWait    = 20
	rwSize    = 24
	rwMax     = 1 << 30
)

// MentionsTryLock reports whether a package that is not of the standard library has RWMutex.TryLock in its code, or a
// method of that name of an interface. One that is called by way of reflection is not seen here: see rwTryLock.
func MentionsTryLock(p *program.Program) bool {
	for _, pkg := range p.Init {
		if pkg.Std {
			continue
		}
		for id, o := range pkg.Info.Uses {
			f, ok := o.(*types.Func)
			if !ok || id.Name != "TryLock" {
				continue
			}
			recv := f.Signature().Recv()
			if recv == nil {
				continue
			}
			t := recv.Type()
			if p, ok := t.(*types.Pointer); ok {
				t = p.Elem()
			}
			if n, ok := t.(*types.Named); types.IsInterface(t) || ok && n.Obj().Name() == "RWMutex" {
				return true
			}
		}
	}
	return false
}

// rwFree is LockFree for an RWMutex, or the part of it that counts readers.
func rwFree(m *vm.Machine, o *event.Op) bool {
	a := o.Loc.Addr
	if o.Key == event.ReadersKey {
		a -= RWReaders
	}
	switch o.Kind {
	case event.Lock:
		return ReadersOf(m, a) == 0
	case event.LockAnnounce:
		if o.Key == event.RWMutexKey {
			return m.Peek32(a) == 0
		}
	}
	return !announcedAt(m, a)
}

func announcedAt(m *vm.Machine, a uint64) bool { return int32(m.Peek32(a+RWReaders)) < 0 }

// ReadersOf counts those that hold the lock for reading.
func ReadersOf(m *vm.Machine, a uint64) int32 {
	if n := int32(m.Peek32(a + RWReaders)); n >= 0 {
		return n
	}
	return int32(m.Peek32(a+RWReaders)) + rwMax
}

// heldAt reports whether a writer holds the lock: one has announced itself, and no reader is left (RW7), or nobody
// stands behind an announcement.
func heldAt(m *vm.Machine, a uint64) bool {
	if !announcedAt(m, a) || ReadersOf(m, a) == 0 {
		return announcedAt(m, a)
	}
	at := readersPart(m, a)
	if holder, ok := m.Takers[at.Addr]; ok { // nobody else has announced itself since
		return !standsBehind(m.Threads[holder], at)
	}
	for _, g := range m.Live {
		if standsBehind(g, at) {
			return false
		}
	}
	return true
}

// standsBehind reports whether a writer has announced itself, and waits for the readers to go.
func standsBehind(g *vm.G, at event.Location) bool {
	return g.Waiting && g.Op.Kind == event.Lock && vm.IsRW(&g.Op) && g.Op.Loc == at
}

// announceAt has a writer announce itself.
func announceAt(m *vm.Machine, a uint64) {
	n := m.Word32(a + RWReaders)
	if *n != 0 {
		*m.Word32(a + rwWait) += *n
	}
	*n -= rwMax
}

// rwOp is an operation on the part of an RWMutex that counts readers; where there are no parts, on the whole.
func rwOp(m *vm.Machine, k event.Kind, a uint64) event.Op {
	if m.TriesRW {
		return event.Op{Kind: k, Loc: readersPart(m, a), Key: event.ReadersKey}
	}
	return event.Op{Kind: k, Loc: readersPart(m, a), Key: event.RWMutexKey}
}

// readersPart is where rwOp is.
func readersPart(m *vm.Machine, a uint64) event.Location {
	if m.TriesRW {
		a += RWReaders
	}
	return event.Location{Addr: a}
}

func writersOp(m *vm.Machine, k event.Kind, a uint64) event.Op {
	return event.Op{Kind: k, Loc: event.Location{Addr: a}, Key: event.WritersKey}
}

// rwLock is (*sync.RWMutex).Lock.
func rwLock(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	a := w[0]
	if s := reach(m, g, a, rwSize); s != vm.Done {
		return s
	}
	if inSilence(m, g, event.LockAnnounce, event.Lock) && m.Peek32(a) == 0 && ReadersOf(m, a) == 0 {
		if !m.Library.UnderLock(m, g, a) {
			return vm.Yield
		}
		*m.Word32(a) = 1
		announceAt(m, a)
		m.Hold(g, a)
		m.Silently(g, event.Lock, readersPart(m, a).Addr, event.RWMutexKey, 0)
		return vm.Done
	}
	if m.TriesRW {
		before := g.Stage
		if !m.Announce(g, writersOp(m, event.Lock, a)) {
			return vm.Yield
		}
		if g.First(before) {
			*m.Word32(a) = 1
			m.Hold(g, a)
		}
	}
	before := g.Stage
	if !m.Announce(g, rwOp(m, event.LockAnnounce, a)) {
		return vm.Yield
	}
	if g.First(before) {
		if !m.TriesRW {
			*m.Word32(a) = 1
		}
		announceAt(m, a)
		m.Hold(g, readersPart(m, a).Addr)
	}
	if !m.Announce(g, rwOp(m, event.Lock, a)) {
		return vm.Yield
	}
	return vm.Done
}

// rwTryLock is (*sync.RWMutex).TryLock.
func rwTryLock(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	a := w[0]
	if s := reach(m, g, a, rwSize); s != vm.Done {
		return s
	}
	if g.Silent() {
		if !vm.DrainedFor(m, g, event.Fence) {
			return vm.Yield
		}
		if w[1] = vm.Word(m.Peek32(a) == 0 && takeRW(m, g, a)); w[1] != 0 {
			*m.Word32(a) = 1
			m.Hold(g, a)
		}
		m.Silently(g, event.TryLock, readersPart(m, a).Addr, event.RWMutexKey, w[1])
		return vm.Done
	}
	if !m.TriesRW && !m.Direct {
		return m.Lacks(g, "call of RWMutex.TryLock by reflection")
	}
	w[1] = 0 // not what the call before has left there: the name of a state between has it
	before := g.Stage
	if !m.Announce(g, writersOp(m, event.TryLock, a)) {
		return vm.Yield
	}
	if g.First(before) {
		ok := m.Peek32(a) == 0
		vm.Tried(m, g, ok)
		if !ok {
			w[1] = 0
			return vm.Done
		}
		*m.Word32(a) = 1
		m.Hold(g, a)
	}
	before = g.Stage
	if !m.Announce(g, rwOp(m, event.TryLock, a)) {
		return vm.Yield
	}
	if g.First(before) {
		ok := takeRW(m, g, a)
		vm.Tried(m, g, ok)
		if ok {
			w[1] = 1
			return vm.Done
		}
	}
	undo := writersOp(m, event.Unlock, a)
	undo.Key = event.UndoKey
	if !m.Announce(g, undo) {
		return vm.Yield
	}
	w[1] = 0
	return unlockWriters(m, g, a)
}

// takeRW takes the part of a lock that counts readers for writing, if no reader is there. The Mutex w is not touched:
// who has it may have had it overwritten since.
func takeRW(m *vm.Machine, g *vm.G, a uint64) bool {
	if m.Peek32(a+RWReaders) != 0 {
		return false
	}
	announceAt(m, a)
	m.Hold(g, readersPart(m, a).Addr)
	return true
}

// rwUnlock is (*sync.RWMutex).Unlock.
func rwUnlock(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	a := w[0]
	if m.Mem.At(a, rwSize) == nil {
		return goroutine.ThrowNil(m, g)
	}
	before := g.Stage
	if !visibleSync(m, g, rwOp(m, event.Unlock, a)) {
		return vm.Yield
	}
	if silent := g.Silent(); silent || g.First(before) {
		if !heldAt(m, a) {
			if announcedAt(m, a) {
				return m.Lacks(g, "Unlock of an RWMutex that is not locked, while a writer waits for it") // RW6
			}
			m.Logged(g, 1, 0)
			return goroutine.Fatal(m, g, "sync: Unlock of unlocked RWMutex")
		}
		whole := silent || !m.TriesRW
		if whole && m.Peek32(a) == 0 {
			return unlockWriters(m, g, a) // which fails, and has changed nothing
		}
		*m.Word32(a + RWReaders) += rwMax
		delete(m.Takers, readersPart(m, a).Addr)
		if whole {
			return unlockWriters(m, g, a)
		}
	}
	if !m.Announce(g, writersOp(m, event.Unlock, a)) {
		return vm.Yield
	}
	return unlockWriters(m, g, a)
}

// unlockWriters is the end of Unlock. That w is not held needs bytes that were overwritten.
func unlockWriters(m *vm.Machine, g *vm.G, a uint64) vm.Status {
	if m.Peek32(a) == 0 {
		m.Logged(g, 1, 0)
		return goroutine.Fatal(m, g, "sync: unlock of unlocked mutex")
	}
	*m.Word32(a) = 0
	delete(m.Takers, a)
	return vm.Done
}

// rwRLock is (*sync.RWMutex).RLock.
func rwRLock(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	a := w[0]
	if s := reach(m, g, a, rwSize); s != vm.Done {
		return s
	}
	if inSilence(m, g, event.RLock) && !announcedAt(m, a) {
		m.Silently(g, event.RLock, readersPart(m, a).Addr, event.RWMutexKey, 0)
	} else if !m.Announce(g, rwOp(m, event.RLock, a)) {
		return vm.Yield
	}
	*m.Word32(a + RWReaders)++
	return vm.Done
}

// rwTryRLock is (*sync.RWMutex).TryRLock.
func rwTryRLock(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	a := w[0]
	if m.Mem.At(a, rwSize) == nil {
		return goroutine.ThrowNil(m, g)
	}
	if !visibleSync(m, g, rwOp(m, event.TryRLock, a)) {
		return vm.Yield
	}
	ok := !announcedAt(m, a)
	if ok {
		*m.Word32(a + RWReaders)++
	}
	tried(m, g, event.TryRLock, readersPart(m, a).Addr, event.RWMutexKey, ok)
	w[1] = vm.Word(ok)
	return vm.Done
}

// rwRUnlock is (*sync.RWMutex).RUnlock.
func rwRUnlock(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	a := w[0]
	if m.Mem.At(a, rwSize) == nil {
		return goroutine.ThrowNil(m, g)
	}
	if !visibleSync(m, g, rwOp(m, event.RUnlock, a)) {
		return vm.Yield
	}
	if ReadersOf(m, a) == 0 {
		m.Logged(g, 1, 0)
		return goroutine.Fatal(m, g, "sync: RUnlock of unlocked RWMutex")
	}
	*m.Word32(a + RWReaders)--
	if announcedAt(m, a) {
		*m.Word32(a + rwWait)--
	}
	return vm.Done
}
