package machine

import (
	"go/types"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/program"
)

// This file defines sync.RWMutex. Its bytes are those of gc: the Mutex w that writers hold among themselves, the count of
// readers, from which a writer that has announced itself takes rwMax, and the readers that it waits for.
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
// between. In such a program each RWMutex is two objects, the Mutex w (event.WritersKey) and the rest (event.ReadersKey):
//
//	RW3  Lock is three operations: it locks w, announces itself, and is held when no reader is left.
//	RW4  Unlock is two operations: it takes the announcement back, and unlocks w.
//	RW5  TryLock tries w. If that fails so does TryLock. Else it looks at the readers. If there are any it unlocks w
//	     and fails.
//
// Mutex.TryLock has no such steps. It fails in three cases:
//
//   - The Mutex is held.
//   - It is starving: it is handed over to one who stands at Lock, who then is said to hold it.
//   - Its state changes between a look and the compare-and-swap. A free state changes when somebody takes it. It also
//     changes when an Unlock that has made it free, and is not over, sets a flag for one who waits. (That Unlock was the
//     last to make it free: each one before it has set the flag, or found nobody, or found the Mutex taken.) Since it is
//     not over, TryLock can be said to come before it.
//
// So each failure is one of a Mutex that is held.
//
// TryRLock has no such steps either: it fails when it finds that a writer has announced itself, and tries again when
// another reader has come in between.

// Offsets in sync.RWMutex.
const (
	rwReaders = 16
	rwWait    = 20
	rwSize    = 24
	rwMax     = 1 << 30
)

// mentionsTryLock reports whether a package that is not of the standard library has RWMutex.TryLock in its code, or a method of that name of an
// interface. One that is called by way of reflection is not seen here: see rwTryLock.
func mentionsTryLock(p *program.Program) bool {
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

func isRW(o *event.Op) bool { return o.Key == event.RWMutexKey || o.Key == event.ReadersKey }

// rwFree is lockFree for an RWMutex, or the part of it that counts readers.
func (m *heap) rwFree(o *event.Op) bool {
	a := o.Loc.Addr
	if o.Key == event.ReadersKey {
		a -= rwReaders
	}
	switch o.Kind {
	case event.Lock:
		return m.readersOf(a) == 0
	case event.LockAnnounce:
		if o.Key == event.RWMutexKey {
			return m.peek32(a) == 0
		}
	}
	return !m.announcedAt(a)
}

func (m *heap) announcedAt(a uint64) bool { return int32(m.peek32(a+rwReaders)) < 0 }

// readersOf counts those that hold the lock for reading.
func (m *heap) readersOf(a uint64) int32 {
	if n := int32(m.peek32(a + rwReaders)); n >= 0 {
		return n
	}
	return int32(m.peek32(a+rwReaders)) + rwMax
}

// heldAt reports whether a writer holds the lock: one has announced itself, and nobody stands behind an announcement.
func (m *Machine) heldAt(a uint64) bool {
	if !m.announcedAt(a) {
		return false
	}
	for _, g := range m.live {
		if g.waiting && g.op.Kind == event.Lock && isRW(&g.op) && g.op.Loc == m.readersPart(a) {
			return false
		}
	}
	return true
}

// announceAt has a writer announce itself.
func (m *heap) announceAt(a uint64) {
	n := m.word32(a + rwReaders)
	if *n != 0 {
		*m.word32(a + rwWait) += *n
	}
	*n -= rwMax
}

// rwOp is an operation on the part of an RWMutex that counts readers; where there are no parts, on the whole.
func (m *Machine) rwOp(k event.Kind, a uint64) event.Op {
	if m.triesRW {
		return event.Op{Kind: k, Loc: m.readersPart(a), Key: event.ReadersKey}
	}
	return event.Op{Kind: k, Loc: m.readersPart(a), Key: event.RWMutexKey}
}

// readersPart is where rwOp is.
func (m *Machine) readersPart(a uint64) event.Location {
	if m.triesRW {
		a += rwReaders
	}
	return event.Location{Addr: a}
}

func (m *Machine) writersOp(k event.Kind, a uint64) event.Op {
	return event.Op{Kind: k, Loc: event.Location{Addr: a}, Key: event.WritersKey}
}

// first reports whether the operation that was announced when g was at a stage is performed now, and not in a former attempt.
func (g *pending) first(stage int) bool { return g.stage > stage }

func rwLock(m *Machine, g *G, w []uint64) status {
	a := w[0]
	if m.mem.At(a, rwSize) == nil {
		return m.throwNil(g)
	}
	if !m.drainedSilently(g) {
		return yield
	}
	if m.inSilence(g, event.LockAnnounce, event.Lock) && m.peek32(a) == 0 && m.readersOf(a) == 0 {
		if !m.takesCleanup(g, a) {
			return yield
		}
		*m.word32(a) = 1
		m.announceAt(a)
		m.hold(g, a)
		m.silently(g, event.Lock, m.readersPart(a).Addr, event.RWMutexKey, 0)
		return done
	}
	if m.triesRW {
		before := g.stage
		if !m.announce(g, m.writersOp(event.Lock, a)) {
			return yield
		}
		if g.first(before) {
			*m.word32(a) = 1
			m.hold(g, a)
		}
	}
	before := g.stage
	if !m.announce(g, m.rwOp(event.LockAnnounce, a)) {
		return yield
	}
	if g.first(before) {
		if !m.triesRW {
			*m.word32(a) = 1
		}
		m.announceAt(a)
		m.hold(g, m.readersPart(a).Addr)
	}
	if !m.announce(g, m.rwOp(event.Lock, a)) {
		return yield
	}
	return done
}

func rwTryLock(m *Machine, g *G, w []uint64) status {
	a := w[0]
	if m.mem.At(a, rwSize) == nil {
		return m.throwNil(g)
	}
	if !m.drainedSilently(g) {
		return yield
	}
	if g.silent() {
		if w[1] = b2w(m.peek32(a) == 0 && m.takeRW(g, a)); w[1] != 0 {
			*m.word32(a) = 1
			m.hold(g, a)
		}
		m.silently(g, event.TryLock, m.readersPart(a).Addr, event.RWMutexKey, w[1])
		return done
	}
	if !m.triesRW && !m.direct {
		return m.lacks(g, "call of RWMutex.TryLock by reflection")
	}
	w[1] = 0 // not what the call before has left there: the name of a state between has it
	before := g.stage
	if !m.announce(g, m.writersOp(event.TryLock, a)) {
		return yield
	}
	if g.first(before) {
		ok := m.peek32(a) == 0
		m.logged(g, b2w(ok), 0)
		if !ok {
			w[1] = 0
			return done
		}
		*m.word32(a) = 1
		m.hold(g, a)
	}
	before = g.stage
	if !m.announce(g, m.rwOp(event.TryLock, a)) {
		return yield
	}
	if g.first(before) {
		ok := m.takeRW(g, a)
		m.logged(g, b2w(ok), 0)
		if ok {
			w[1] = 1
			return done
		}
	}
	undo := m.writersOp(event.Unlock, a)
	undo.Key = event.UndoKey
	if !m.announce(g, undo) {
		return yield
	}
	w[1] = 0
	return m.unlockWriters(g, a)
}

// takeRW takes the part of a lock that counts readers for writing, if no reader is there. The Mutex w is not touched: who has it may have had it overwritten since.
func (m *Machine) takeRW(g *G, a uint64) bool {
	if m.peek32(a+rwReaders) != 0 {
		return false
	}
	m.announceAt(a)
	m.hold(g, m.readersPart(a).Addr)
	return true
}

func rwUnlock(m *Machine, g *G, w []uint64) status {
	a := w[0]
	if m.mem.At(a, rwSize) == nil {
		return m.throwNil(g)
	}
	before := g.stage
	if !m.visibleSync(g, m.rwOp(event.Unlock, a)) {
		return yield
	}
	if silent := g.silent(); silent || g.first(before) {
		if !m.heldAt(a) {
			m.logged(g, 1, 0)
			return m.fatal(g, "sync: Unlock of unlocked RWMutex")
		}
		whole := silent || !m.triesRW
		if whole && m.peek32(a) == 0 {
			return m.unlockWriters(g, a) // which fails, and has changed nothing
		}
		*m.word32(a + rwReaders) += rwMax
		delete(m.takers, m.readersPart(a).Addr)
		if whole {
			return m.unlockWriters(g, a)
		}
	}
	if !m.announce(g, m.writersOp(event.Unlock, a)) {
		return yield
	}
	return m.unlockWriters(g, a)
}

// unlockWriters is the end of Unlock. That w is not held needs bytes that were overwritten.
func (m *Machine) unlockWriters(g *G, a uint64) status {
	if m.peek32(a) == 0 {
		m.logged(g, 1, 0)
		return m.fatal(g, "sync: unlock of unlocked mutex")
	}
	*m.word32(a) = 0
	delete(m.takers, a)
	return done
}

func rwRLock(m *Machine, g *G, w []uint64) status {
	a := w[0]
	if m.mem.At(a, rwSize) == nil {
		return m.throwNil(g)
	}
	if !m.drainedSilently(g) {
		return yield
	}
	if m.inSilence(g, event.RLock) && !m.announcedAt(a) {
		m.silently(g, event.RLock, m.readersPart(a).Addr, event.RWMutexKey, 0)
	} else if !m.announce(g, m.rwOp(event.RLock, a)) {
		return yield
	}
	*m.word32(a + rwReaders)++
	return done
}

func rwTryRLock(m *Machine, g *G, w []uint64) status {
	a := w[0]
	if m.mem.At(a, rwSize) == nil {
		return m.throwNil(g)
	}
	if !m.visibleSync(g, m.rwOp(event.TryRLock, a)) {
		return yield
	}
	ok := !m.announcedAt(a)
	if ok {
		*m.word32(a + rwReaders)++
	}
	m.tried(g, event.TryRLock, m.readersPart(a).Addr, event.RWMutexKey, ok)
	w[1] = b2w(ok)
	return done
}

func rwRUnlock(m *Machine, g *G, w []uint64) status {
	a := w[0]
	if m.mem.At(a, rwSize) == nil {
		return m.throwNil(g)
	}
	if !m.visibleSync(g, m.rwOp(event.RUnlock, a)) {
		return yield
	}
	if m.readersOf(a) == 0 {
		m.logged(g, 1, 0)
		return m.fatal(g, "sync: RUnlock of unlocked RWMutex")
	}
	*m.word32(a + rwReaders)--
	if m.announcedAt(a) {
		*m.word32(a + rwWait)--
	}
	return done
}
