package machine

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines the primitives of sync. Their state is in the bytes of the user's own values, as gc has it while no goroutine is parked
// there, so that a copy of a lock is a copy of its state, as natively (event.Bytes says which bytes these are). Who holds a lock is kept beside them.
//
// Specification.
//
//	LOCK1  Mutex: free or held. Lock is enabled while it is free; Unlock of a free one is fatal; TryLock is always enabled.
//	WG1    WaitGroup: a counter. Add is always enabled and panics below zero; Wait is enabled at zero.
//	ONCE1  Once: new, running, done. The first Do runs its function; others are enabled when it is done.
//	COND1  Cond: tickets. Wait takes the next; Signal notifies the oldest that is not, Broadcast all. A waiter goes on when its ticket is notified.

// word32 returns a 32-bit word of a primitive's state, nil if it is no memory.
func (m *heap) word32(addr uint64) *uint32 {
	_, p := m.mem.Writable(addr, 4)
	return (*uint32)(p)
}

func (m *heap) peek32(addr uint64) uint32 {
	if p := m.mem.At(addr, 4); p != nil {
		return *(*uint32)(p)
	}
	return 0
}

// hold notes who takes the lock at addr. The bytes of a lock do not say.
func (m *locks) hold(g *G, addr uint64) {
	if m.takers == nil {
		m.takers = make(map[uint64]int32)
	}
	m.takers[addr] = g.idx
}

// taker returns who has taken the lock at addr, and not given it back; -1 if that is not known.
func (m *locks) taker(addr uint64) int32 {
	if idx, ok := m.takers[addr]; ok {
		return idx
	}
	return -1
}

// lockFree reports whether an operation that takes a lock is enabled.
func (m *heap) lockFree(o *event.Op) bool {
	if isRW(o) {
		return m.rwFree(o)
	}
	return m.peek32(o.Loc.Addr) == 0
}

func mutexLock(m *Machine, g *G, w []uint64) status {
	a := w[0]
	if m.mem.At(a, 8) == nil {
		return m.throwNil(g)
	}
	if !m.drainedSilently(g) {
		return yield
	}
	if m.inSilence(g, event.Lock) && m.peek32(a) == 0 {
		*m.word32(a) = 1
		m.hold(g, a)
		m.silently(g, event.Lock, a, 0, 0)
		return done
	}
	if !m.announce(g, event.Op{Kind: event.Lock, Loc: event.Location{Addr: a}}) {
		return yield
	}
	*m.word32(a) = 1
	m.hold(g, a)
	return done
}

func mutexTryLock(m *Machine, g *G, w []uint64) status {
	a := w[0]
	if m.mem.At(a, 8) == nil {
		return m.throwNil(g)
	}
	if !m.visibleSync(g, event.Op{Kind: event.TryLock, Loc: event.Location{Addr: a}}) {
		return yield
	}
	ok := m.peek32(a) == 0
	if ok {
		*m.word32(a) = 1
		m.hold(g, a)
	}
	m.tried(g, event.TryLock, a, 0, ok)
	w[1] = b2w(ok)
	return done
}

// visibleSync is announce, but silent in silent packages.
func (m *Machine) visibleSync(g *G, o event.Op) bool {
	if g.silent() {
		if !m.drained(g) {
			return false
		}
		m.lastEvent = -1
		if o.Kind != event.TryLock && o.Kind != event.TryRLock { // see tried
			m.silently(g, o.Kind, o.Loc.Addr, o.Key, o.Key)
		}
		return true
	}
	return m.announce(g, o)
}

// tried completes a TryLock or TryRLock.
func (m *Machine) tried(g *G, k event.Kind, addr, key uint64, ok bool) {
	if m.lastEvent < 0 && g.silent() {
		m.silently(g, k, addr, key, b2w(ok))
	}
	m.logged(g, b2w(ok), 0)
}

// inSilence is silent for an operation that may have to wait. Who waits does so by an event of one of some kinds, and makes it.
func (m *Machine) inSilence(g *G, kinds ...event.Kind) bool { return g.silent() && !g.toldTo(kinds...) }

// toldTo reports whether g was told to perform an operation of one of some kinds that it has announced.
func (g *pending) toldTo(kinds ...event.Kind) bool {
	return g.permit && slices.Contains(kinds, g.op.Kind)
}

// silently notes in the trace an operation that synchronises and makes no event. What the first goroutine does while it is alone all others know.
func (m *Machine) silently(g *G, k event.Kind, addr, key, value uint64) {
	m.silentlyAt(int32(len(m.tr.Events)), g, k, addr, key, value)
}

// silentlyAt is silently for an operation that comes before an event that is logged already.
func (m *Machine) silentlyAt(at int32, g *G, k event.Kind, addr, key, value uint64) {
	if m.direct || m.inits || m.mode == running || len(m.gs) < 2 && k != event.TimerStart {
		return
	}
	op := plain(k, addr, 0)
	op.Thread, op.Key, op.Value = g.idx, key, value
	m.tr.Silent = append(m.tr.Silent, trace.Silent{At: at, Op: op})
}

func mutexUnlock(m *Machine, g *G, w []uint64) status {
	a := w[0]
	if m.mem.At(a, 8) == nil {
		return m.throwNil(g)
	}
	if !m.visibleSync(g, event.Op{Kind: event.Unlock, Loc: event.Location{Addr: a}}) {
		return yield
	}
	if m.peek32(a) == 0 {
		m.logged(g, 1, 0)
		return m.fatal(g, "sync: unlock of unlocked mutex")
	}
	*m.word32(a) = 0
	delete(m.takers, a)
	return done
}

// The counter of a WaitGroup is the high half of its state.
func (m *heap) wgCounter(a uint64) int32 { return int32(m.peek32(a + 4)) }

func wgAdd(m *Machine, g *G, w []uint64) status {
	a, d := w[0], int32(w[1])
	if m.mem.At(a, 8) == nil {
		return m.throwNil(g)
	}
	if !m.visibleSync(g, event.Op{Kind: event.WaitGroupAdd, Loc: event.Location{Addr: a}, Key: uint64(int64(d))}) {
		return yield
	}
	if len(m.bubbles) > 0 {
		if text := m.wgEnter(g, a); text != "" {
			return m.fatal(g, text)
		}
	}
	n := m.wgCounter(a) + d
	m.logged(g, uint64(int64(d)), int64(n))
	*m.word32(a + 4) = uint32(n)
	if n < 0 {
		return m.throwPlainPanic(g, "sync: negative WaitGroup counter")
	}
	if n == 0 && len(m.bubbles) > 0 {
		m.wgLeave(g, a, false)
	}
	return done
}

func wgWait(m *Machine, g *G, w []uint64) status {
	if m.mem.At(w[0], 8) == nil {
		return m.throwNil(g)
	}
	if !m.announce(g, event.Op{Kind: event.WaitGroupWait, Loc: event.Location{Addr: w[0]}}) {
		return yield
	}
	if len(m.bubbles) > 0 {
		m.wgLeave(g, w[0], true)
	}
	return done
}

// onceBegin(o *Once) bool. The state is in the bytes of done (1 when done) and of the Mutex behind it (1 while running).
func onceBegin(m *Machine, g *G, w []uint64) status {
	a := w[0]
	if m.mem.At(a, 12) == nil {
		return m.throwNil(g)
	}
	o := event.Op{Kind: event.OnceBegin, Loc: event.Location{Addr: a}}
	if !m.drainedSilently(g) {
		return yield
	}
	private := (callerSilent(g) && m.peek32(a+4) == 0 || m.onceDone(a)) && !g.toldTo(event.OnceBegin)
	if !private && !m.announce(g, o) {
		return yield
	}
	first := m.peek32(a) == 0
	if first {
		*m.word32(a + 4) = 1
		m.hold(g, a)
	}
	if private {
		m.silently(g, event.OnceBegin, a, 0, b2w(first))
	} else {
		m.logged(g, b2w(first), 0)
	}
	w[1] = b2w(first)
	return done
}

// onceDone reports whether a Once of the standard library was done when the execution began (SILENT5).
func (m *Machine) onceDone(a uint64) bool {
	return m.mem.Object(a).Flags&mem.StdVar != 0 && m.peek32(a) != 0 && !m.onces[a]
}

func onceEnd(m *Machine, g *G, w []uint64) status {
	a := w[0]
	if callerSilent(g) {
		m.lastEvent = -1
		m.silently(g, event.OnceEnd, a, 0, 0)
	} else if !m.announce(g, event.Op{Kind: event.OnceEnd, Loc: event.Location{Addr: a}}) {
		return yield
	}
	if m.onces == nil {
		m.onces = map[uint64]bool{}
	}
	m.onces[a] = !m.inits
	*m.word32(a) = 1
	if m.peek32(a+4) == 0 { // it was overwritten
		m.logged(g, 1, 0)
		return m.fatal(g, "sync: unlock of unlocked mutex")
	}
	*m.word32(a + 4) = 0
	delete(m.takers, a)
	return done
}

// The notify list of a Cond: the next ticket, and the first that is not notified.
func condAdd(m *Machine, g *G, w []uint64) status {
	if !m.announce(g, event.Op{Kind: event.CondAdd, Loc: event.Location{Addr: w[0]}}) {
		return yield
	}
	p := m.word32(w[0])
	w[1] = uint64(*p)
	m.logged(g, uint64(*p), 0)
	*p++
	return done
}

func condWait(m *Machine, g *G, w []uint64) status {
	if !m.announce(g, event.Op{Kind: event.CondWait, Loc: event.Location{Addr: w[0]}, Key: w[1] & 0xffffffff}) {
		return yield
	}
	return done
}

func condSignal(m *Machine, g *G, w []uint64) status {
	if !m.announce(g, event.Op{Kind: event.CondSignal, Loc: event.Location{Addr: w[0]}}) {
		return yield
	}
	if wait, n := m.word32(w[0]), m.word32(w[0]+4); *n != *wait {
		if m.foreignWaiter(g, w[0], *n, false) {
			return m.fatal(g, "semaphore wake of synctest goroutine from outside bubble")
		}
		m.logged(g, uint64(*n), 1)
		*n++
	} else {
		m.logged(g, 0, -1)
	}
	return done
}

func condBroadcast(m *Machine, g *G, w []uint64) status {
	if !m.announce(g, event.Op{Kind: event.CondBroadcast, Loc: event.Location{Addr: w[0]}}) {
		return yield
	}
	wait, n := m.word32(w[0]), m.word32(w[0]+4)
	if m.foreignWaiter(g, w[0], 0, true) {
		return m.fatal(g, "semaphore wake of synctest goroutine from outside bubble")
	}
	m.logged(g, uint64(*n), int64(*wait-*n))
	*n = *wait
	return done
}

// objectEvent(p unsafe.Pointer, how int): the visible operation of a serial specification written in Go. how is, in bits: whether it writes; that the object is a
// Pool; that it is a Map, or both for a copy of a Map; that it is cleared. State private to the standard library makes no event.
func objectEvent(m *Machine, g *G, w []uint64) status {
	o := m.mem.Object(w[0])
	if o == nil {
		return m.throwNil(g)
	}
	g.object = -1
	op := event.Op{Kind: event.ObjectRead, Loc: event.Location{Addr: w[0]}, Key: w[1] >> 1 & 3}
	if w[1]&1 != 0 {
		op.Kind = event.ObjectWrite
	}
	if m.direct || o.Flags&mem.Shared == 0 || callerSilent(g) {
		m.silently(g, op.Kind, w[0], op.Key, 0)
		return done
	}
	if !m.announce(g, op) {
		return yield
	}
	if i := m.lastEvent; i >= 0 && op.Key == event.MapKey {
		if w[1]&8 != 0 {
			m.tr.Events[i].Other |= event.MapClear
		}
		if m.peek32(w[0]) == 0 {
			m.tr.Events[i].Other |= event.MapUsed
		}
	}
	g.object, m.lastEvent = m.lastEvent, -1
	return done
}

// objectHome(p unsafe.Pointer, to, table, origin uintptr) unsafe.Pointer follows the copies of a Pool or Map.
func objectHome(m *Machine, _ *G, w []uint64) status {
	at := func(addr, off uint64) uint64 {
		if p := m.mem.At(addr+off, 8); p != nil {
			return *(*uint64)(p)
		}
		return 0
	}
	p := w[0]
	for {
		if t := at(p, w[2]); t != 0 {
			p = at(t, w[3])
			break
		}
		next := at(p, w[1])
		if next == 0 || next == p {
			break
		}
		p = next
	}
	w[4] = p
	return done
}

// objectLook(p unsafe.Pointer): an operation looks at its copy of a Pool or Map, for what it shares with others.
func objectLook(m *Machine, g *G, w []uint64) status {
	return m.touchesCopy(g, event.AtomicLoad, w[0], 24)
}

// objectStore(p unsafe.Pointer): Clear stores a root in its copy of a Map.
func objectStore(m *Machine, g *G, w []uint64) status {
	return m.touchesCopy(g, event.AtomicStore, w[0]+16, 8)
}

// touchesCopy announces an access to the bytes of a copy.
func (m *Machine) touchesCopy(g *G, k event.Kind, addr uint64, size uint32) status {
	o := m.mem.Object(addr)
	if o == nil || !sharedBytes(o) || m.direct || callerSilent(g) {
		return done
	}
	if !m.announce(g, event.Op{Kind: k, Loc: event.Location{Addr: addr, Size: size}}) {
		return yield
	}
	m.accessed(g, o.Bytes()[addr-o.Base:][:size])
	return done
}

// objectResult(x any, ok bool): what the last objectEvent of g returned. Several results make one digest.
func objectResult(m *Machine, g *G, w []uint64) status {
	if i := g.object; i >= 0 && i < len(m.tr.Events) {
		e := &m.tr.Events[i]
		e.Value = hashMix(e.Value, hashMix(hashMix(w[0], w[1]), w[2]&1+1))
	}
	return done
}

// callerSilent is silent for the function that called a specification of ours. Nobody called one that a go statement has started: it makes events.
func callerSilent(g *G) bool {
	for i := len(g.frames) - 1; i >= 0; i-- {
		if f := g.frames[i].f; f.intrinsic == nil && !f.sync {
			g.secret = g.secret || f.silent
			return f.silent
		}
	}
	return false
}

// stdPrivate(p unsafe.Pointer) bool: whether p is in a package variable of the standard library.
func stdPrivate(m *Machine, g *G, w []uint64) status {
	o := m.mem.Object(w[0])
	w[1] = b2w(o != nil && o.Flags&mem.StdVar != 0)
	return done
}
