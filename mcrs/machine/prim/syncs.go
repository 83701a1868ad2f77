// Package prim has the primitives of sync and sync/atomic, each by a serial specification: what enables an operation,
// what it returns, and what it changes. A new primitive is a file here. docs/architecture.md has the steps.
package prim

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/access"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file defines the primitives of sync. Their state is in the bytes of the user's own values, as gc has it while
// no goroutine is parked there, so that a copy of a lock is a copy of its state, as natively (event.Bytes says which
// bytes these are). Who holds a lock is kept beside them.
//
// Specification.
//
//	LOCK1  Mutex: free or held. Lock is enabled while it is free; Unlock of a free one is fatal; TryLock is always
//	       enabled.
//	WG1    WaitGroup: a counter. Add is always enabled and panics below zero; Wait is enabled at zero.
//	ONCE1  Once: new, running, done. The first Do runs its function; others are enabled when it is done.
//	COND1  Cond: tickets. Wait takes the next; Signal notifies the oldest that is not, Broadcast all. A waiter goes on
//	       when its ticket is notified.

// LockFree reports whether an operation that takes a lock is enabled.
func LockFree(m *vm.Machine, o *event.Op) bool {
	if vm.IsRW(o) {
		return rwFree(m, o)
	}
	return m.Peek32(o.Loc.Addr) == 0
}

// reach comes to a lock of so many bytes: the goroutine panics if there is none, and waits if it is in silence and has
// stored what is not in memory yet.
func reach(m *vm.Machine, g *vm.G, a, size uint64) vm.Status {
	switch {
	case m.Mem.At(a, size) == nil:
		return goroutine.ThrowNil(m, g)
	case !access.DrainedSilently(m, g):
		return vm.Yield
	}
	return vm.Done
}

// mutexLock is (*sync.Mutex).Lock.
func mutexLock(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	a := w[0]
	if s := reach(m, g, a, 8); s != vm.Done {
		return s
	}
	if inSilence(m, g, event.Lock) && m.Peek32(a) == 0 {
		*m.Word32(a) = 1
		m.Hold(g, a)
		m.Silently(g, event.Lock, a, 0, 0)
		return vm.Done
	}
	if !m.Announce(g, event.Op{Kind: event.Lock, Loc: event.Location{Addr: a}}) {
		return vm.Yield
	}
	*m.Word32(a) = 1
	m.Hold(g, a)
	return vm.Done
}

// mutexTryLock is (*sync.Mutex).TryLock.
func mutexTryLock(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	a := w[0]
	if m.Mem.At(a, 8) == nil {
		return goroutine.ThrowNil(m, g)
	}
	if !visibleSync(m, g, event.Op{Kind: event.TryLock, Loc: event.Location{Addr: a}}) {
		return vm.Yield
	}
	ok := m.Peek32(a) == 0
	if ok {
		*m.Word32(a) = 1
		m.Hold(g, a)
	}
	tried(m, g, event.TryLock, a, 0, ok)
	w[1] = vm.Word(ok)
	return vm.Done
}

// visibleSync is announce, but silent in silent packages.
func visibleSync(m *vm.Machine, g *vm.G, o event.Op) bool {
	if g.Silent() {
		if !m.Drained(g) {
			return false
		}
		m.LastEvent = -1
		if o.Kind != event.TryLock && o.Kind != event.TryRLock { // see tried
			m.Silently(g, o.Kind, o.Loc.Addr, o.Key, o.Key)
		}
		return true
	}
	return m.Announce(g, o)
}

// tried completes a TryLock or TryRLock.
func tried(m *vm.Machine, g *vm.G, k event.Kind, addr, key uint64, ok bool) {
	if m.LastEvent < 0 && g.Silent() {
		m.Silently(g, k, addr, key, vm.Word(ok))
	}
	vm.Tried(m, g, ok)
}

// inSilence is silent for an operation that may have to wait. A goroutine that waits does so by an event of one of some
// kinds, and makes it.
func inSilence(m *vm.Machine, g *vm.G, kinds ...event.Kind) bool {
	return g.Silent() && !g.ToldTo(kinds...)
}

// mutexUnlock is (*sync.Mutex).Unlock.
func mutexUnlock(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	a := w[0]
	if m.Mem.At(a, 8) == nil {
		return goroutine.ThrowNil(m, g)
	}
	if !visibleSync(m, g, event.Op{Kind: event.Unlock, Loc: event.Location{Addr: a}}) {
		return vm.Yield
	}
	if m.Peek32(a) == 0 {
		m.Logged(g, 1, 0)
		return goroutine.Fatal(m, g, "sync: unlock of unlocked mutex")
	}
	*m.Word32(a) = 0
	delete(m.Takers, a)
	return vm.Done
}

// WaitGroupCounter returns the counter of a WaitGroup: the high half of its state.
func WaitGroupCounter(m *vm.Machine, a uint64) int32 { return int32(m.Peek32(a + 4)) }

// waitGroupAdd is (*sync.WaitGroup).Add.
func waitGroupAdd(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	a, d := w[0], int32(w[1])
	if m.Mem.At(a, 8) == nil {
		return goroutine.ThrowNil(m, g)
	}
	if !visibleSync(m, g, event.Op{Kind: event.WaitGroupAdd, Loc: event.Location{Addr: a}, Key: uint64(int64(d))}) {
		return vm.Yield
	}
	if len(m.BubbleIDs) > 0 {
		if text := wgEnter(m, g, a); text != "" {
			return goroutine.Fatal(m, g, text)
		}
	}
	n := WaitGroupCounter(m, a) + d
	m.Logged(g, uint64(int64(d)), int64(n))
	*m.Word32(a + 4) = uint32(n)
	if n < 0 {
		return goroutine.ThrowPlainPanic(m, g, "sync: negative WaitGroup counter")
	}
	if n == 0 && len(m.BubbleIDs) > 0 {
		wgLeave(m, g, a, false)
	}
	return vm.Done
}

// waitGroupWait is (*sync.WaitGroup).Wait.
func waitGroupWait(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if m.Mem.At(w[0], 8) == nil {
		return goroutine.ThrowNil(m, g)
	}
	if !m.Announce(g, event.Op{Kind: event.WaitGroupWait, Loc: event.Location{Addr: w[0]}}) {
		return vm.Yield
	}
	if len(m.BubbleIDs) > 0 {
		wgLeave(m, g, w[0], true)
	}
	return vm.Done
}

// onceBegin(o *Once) bool. The state is in the bytes of done (1 when done) and of the Mutex behind it (1 while
// running).
func onceBegin(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	a := w[0]
	if m.Mem.At(a, 12) == nil {
		return goroutine.ThrowNil(m, g)
	}
	o := event.Op{Kind: event.OnceBegin, Loc: event.Location{Addr: a}}
	if !access.DrainedSilently(m, g) {
		return vm.Yield
	}
	private := (callerSilent(g) && m.Peek32(a+4) == 0 || onceDone(m, a)) && !g.ToldTo(event.OnceBegin)
	if !private && !m.Announce(g, o) {
		return vm.Yield
	}
	first := m.Peek32(a) == 0
	if first {
		*m.Word32(a + 4) = 1
		m.Hold(g, a)
	}
	if private {
		m.Silently(g, event.OnceBegin, a, 0, vm.Word(first))
	} else {
		m.Logged(g, vm.Word(first), 0)
	}
	w[1] = vm.Word(first)
	return vm.Done
}

// onceDone reports whether a Once of the standard library was done when the execution began (SILENT5).
func onceDone(m *vm.Machine, a uint64) bool {
	return m.Mem.Object(a).Flags&mem.StdVar != 0 && m.Peek32(a) != 0 && !m.Onces[a]
}

// onceEnd ends the function of a Once.
func onceEnd(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	a := w[0]
	if callerSilent(g) {
		m.LastEvent = -1
		m.Silently(g, event.OnceEnd, a, 0, 0)
	} else if !m.Announce(g, event.Op{Kind: event.OnceEnd, Loc: event.Location{Addr: a}}) {
		return vm.Yield
	}
	if m.Onces == nil {
		m.Onces = map[uint64]bool{}
	}
	m.Onces[a] = !m.Inits
	*m.Word32(a) = 1
	if m.Peek32(a+4) == 0 { // it was overwritten
		m.Logged(g, 1, 0)
		return goroutine.Fatal(m, g, "sync: unlock of unlocked mutex")
	}
	*m.Word32(a + 4) = 0
	delete(m.Takers, a)
	return vm.Done
}

// condAdd takes the next ticket of a Cond. The notify list is the next ticket, and the first that is not notified.
func condAdd(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if !m.Announce(g, event.Op{Kind: event.CondAdd, Loc: event.Location{Addr: w[0]}}) {
		return vm.Yield
	}
	p := m.Word32(w[0])
	w[1] = uint64(*p)
	m.Logged(g, uint64(*p), 0)
	*p++
	return vm.Done
}

// condWait waits until a ticket is notified.
func condWait(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if !m.Announce(g, event.Op{Kind: event.CondWait, Loc: event.Location{Addr: w[0]}, Key: w[1] & 0xffffffff}) {
		return vm.Yield
	}
	return vm.Done
}

// condSignal notifies the oldest ticket that is not.
func condSignal(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if !m.Announce(g, event.Op{Kind: event.CondSignal, Loc: event.Location{Addr: w[0]}}) {
		return vm.Yield
	}
	if wait, n := m.Word32(w[0]), m.Word32(w[0]+4); *n != *wait {
		if foreignWaiter(m, g, w[0], *n, false) {
			return goroutine.Fatal(m, g, "semaphore wake of synctest goroutine from outside bubble")
		}
		m.Logged(g, uint64(*n), 1)
		*n++
	} else {
		m.Logged(g, 0, -1)
	}
	return vm.Done
}

// condBroadcast notifies all tickets.
func condBroadcast(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if !m.Announce(g, event.Op{Kind: event.CondBroadcast, Loc: event.Location{Addr: w[0]}}) {
		return vm.Yield
	}
	wait, n := m.Word32(w[0]), m.Word32(w[0]+4)
	if foreignWaiter(m, g, w[0], 0, true) {
		return goroutine.Fatal(m, g, "semaphore wake of synctest goroutine from outside bubble")
	}
	m.Logged(g, uint64(*n), int64(*wait-*n))
	*n = *wait
	return vm.Done
}

// objectEvent(p unsafe.Pointer, how int): the visible operation of a serial specification written in Go. how is, in
// bits: whether it writes; that the object is a Pool; that it is a Map, or both for a copy of a Map; that it is
// cleared. State private to the standard library makes no event.
func objectEvent(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	o := m.Mem.Object(w[0])
	if o == nil {
		return goroutine.ThrowNil(m, g)
	}
	g.Object = -1
	op := event.Op{Kind: event.ObjectRead, Loc: event.Location{Addr: w[0]}, Key: w[1] >> 1 & 3}
	if w[1]&1 != 0 {
		op.Kind = event.ObjectWrite
	}
	if m.Direct || o.Flags&mem.Shared == 0 || callerSilent(g) {
		if !vm.DrainedFor(m, g, op.Kind) {
			return vm.Yield
		}
		m.Silently(g, op.Kind, w[0], op.Key, 0)
		return vm.Done
	}
	if !m.Announce(g, op) {
		return vm.Yield
	}
	if i := m.LastEvent; i >= 0 && op.Key == event.MapKey {
		if w[1]&8 != 0 {
			m.Trace.Events[i].Other |= event.MapClear
		}
		if m.Peek32(w[0]) == 0 {
			m.Trace.Events[i].Other |= event.MapUsed
		}
	}
	g.Object, m.LastEvent = m.LastEvent, -1
	return vm.Done
}

// objectHome(p unsafe.Pointer, to, table, origin uintptr) unsafe.Pointer follows the copies of a Pool or Map.
func objectHome(m *vm.Machine, _ *vm.G, w []uint64) vm.Status {
	at := func(addr, off uint64) uint64 {
		if p := m.Mem.At(addr+off, 8); p != nil {
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
	return vm.Done
}

// objectLook(p unsafe.Pointer): an operation looks at its copy of a Pool or Map, for what it shares with others.
func objectLook(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	return touchesCopy(m, g, event.AtomicLoad, w[0], 24)
}

// objectLookAtNew(p unsafe.Pointer): Get looks at the function by which it makes a value, at p. Go's race detector does
// not see it.
func objectLookAtNew(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	return touchesAs(m, g, event.AtomicLoad, event.Nothing, w[0], 8)
}

// objectStore(p unsafe.Pointer): Clear stores a root in its copy of a Map.
func objectStore(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	return touchesCopy(m, g, event.AtomicStore, w[0]+16, 8)
}

// touchesCopy announces an access to the bytes of a copy.
func touchesCopy(m *vm.Machine, g *vm.G, k event.Kind, addr uint64, size uint32) vm.Status {
	return touchesAs(m, g, k, event.ByKind, addr, size)
}

func touchesAs(m *vm.Machine, g *vm.G, k event.Kind, order event.Order, addr uint64, size uint32) vm.Status {
	o := m.Mem.Object(addr)
	if o == nil || !vm.SharedBytes(o) || m.Direct || callerSilent(g) {
		if !vm.DrainedFor(m, g, k) {
			return vm.Yield
		}
		return vm.Done
	}
	if !m.Announce(g, event.Op{Kind: k, Loc: event.Location{Addr: addr, Size: size}, Order: order}) {
		return vm.Yield
	}
	m.Accessed(g, o.Bytes()[addr-o.Base:][:size])
	return vm.Done
}

// objectResult(x any, ok bool): what the last ObjectEvent of g returned. Several results make one digest.
func objectResult(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if i := g.Object; i >= 0 && i < len(m.Trace.Events) {
		e := &m.Trace.Events[i]
		e.Value = vm.HashMix(e.Value, vm.HashMix(vm.HashMix(w[0], w[1]), w[2]&1+1))
	}
	return vm.Done
}

// callerSilent is silent for the function that called a specification of ours. Nobody called one that a go statement
// has started: it makes events.
func callerSilent(g *vm.G) bool {
	for i := len(g.Frames) - 1; i >= 0; i-- {
		if f := g.Frames[i].Func; f.Intrinsic == nil && !f.Sync {
			g.Secret = g.Secret || f.Silent
			return f.Silent
		}
	}
	return false
}

// stdPrivate(p unsafe.Pointer) bool: whether p is in a package variable of the standard library.
func stdPrivate(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	o := m.Mem.Object(w[0])
	w[1] = vm.Word(o != nil && o.Flags&mem.StdVar != 0)
	return vm.Done
}
