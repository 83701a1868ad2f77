package race

import "github.com/heddle-go/heddle/mcrs/event"

// This file is the table of what synchronises with what: rules SYNC2 to SYNC13 of the package comment.

// A ledger keeps who knows what. Goroutines know; at the ports, objects keep what one goroutine leaves for others. The
// knowledge itself is vector clocks (order), or sets of accesses (Knowers).
type ledger interface {
	acquire(thread int32, p port)  // the goroutine learns what is at the port
	release(thread int32, p port)  // it leaves what it knows, in place of what was there
	leave(thread int32, p port)    // likewise what it knew before its operation
	merge(thread int32, p port)    // it adds what it knows
	exchange(thread int32, p port) // it learns what was there, and leaves what it knew before
	meet(thread, other int32)      // both learn what the other knows
	gather(thread, bubble int32)   // it learns what all of a bubble know
}

// A channel is what the table must know of one.
type channel struct {
	size    int // capacity, 0 or less if it is not known
	unsized bool
}

// synchronise has the goroutine of an operation learn what the operation tells it, and leave what it tells others.
// partner is the other goroutine of a rendezvous, -1 if it is none.
func synchronise(l ledger, e *event.Event, partner int32, c channel) {
	at, t := port{addr: e.Loc.Addr}, e.Thread
	together := func(p port) {
		l.acquire(t, p)
		l.release(t, p)
	}
	switch e.Kind {
	case event.AtomicLoad: // SYNC2
		l.acquire(t, learnt(e))
	case event.AtomicStore:
		l.release(t, at)
	case event.AtomicRMW:
		l.acquire(t, learnt(e))
		if l.release(t, at); e.Order == event.Makes {
			l.release(t, port{e.Loc.Addr, inits})
		}
	case event.Lock, event.TryLock, event.RLock, event.TryRLock, event.Unlock, event.RUnlock: // SYNC3, SYNC4
		lock(l, e)
	case event.WaitGroupAdd: // SYNC5
		if int64(e.Value) < 0 {
			l.merge(t, at)
		}
	case event.WaitGroupWait:
		l.acquire(t, at)
	case event.OnceBegin: // SYNC6
		if e.Value == 0 {
			l.acquire(t, at)
		}
	case event.OnceEnd: // RACE11
		l.leave(t, at)
	case event.CondSignal, event.CondBroadcast: // SYNC7
		for k := range e.Other {
			l.release(t, port{e.Loc.Addr, slots + e.Value + uint64(k)})
		}
	case event.CondWait:
		l.acquire(t, port{e.Loc.Addr, slots + e.Key})
	case event.ChanSend, event.ChanRecv, event.ChanClose:
		communicate(l, e, partner, c)
	case event.TimerStart: // SYNC10
		l.merge(t, at)
		if e.Other > 0 {
			together(port{e.Loc.Addr, slots})
		}
	case event.TimerFire:
		together(at)
		together(port{e.Loc.Addr, slots})
	case event.ObjectRead, event.ObjectWrite:
		object(l, e)
	case event.FileRead, event.FileWrite: // SYNC13
		move(l, e.Thread, moved(e))
	case event.Quiesce: // SYNC12
		l.gather(t, int32(e.Key))
	}
}

// moves is where writes of bytes leave what reads of bytes find (SYNC13).
var moves = port{addr: event.Kernel}

// move is synchronise for an operation that moves bytes of files, as its key on the kernel says (SYNC13).
func move(l ledger, t int32, how uint64) {
	switch how {
	case event.KernelWrite:
		l.merge(t, moves)
	case event.KernelRead:
		l.acquire(t, moves)
	}
}

// object is synchronise for objects with a specification of their own: SYNC10, SYNC11 and SYNC13.
func object(l ledger, e *event.Event) {
	at, t := port{addr: e.Loc.Addr}, e.Thread
	reads := e.Kind == event.ObjectRead
	switch {
	case e.Loc.Addr == event.Clock:
	case e.Loc.Addr == event.Kernel:
		move(l, t, moved(e))
	case e.Loc.Addr == event.Environ && reads: // it has an RWMutex
		l.acquire(t, at)
		l.merge(t, port{e.Loc.Addr, readers})
	case event.Shares(e):
		onMap(l, e)
	case event.OfPool(e):
		value := port{e.Loc.Addr, keys + uint64(e.Other)&^(event.PoolPut|event.PoolGot)}
		switch {
		case e.Other&event.PoolPut != 0:
			l.merge(t, value)
		case e.Other&event.PoolGot != 0:
			l.acquire(t, value)
		}
	case reads:
		l.acquire(t, at)
	default:
		l.acquire(t, port{e.Loc.Addr, readers})
		l.acquire(t, at)
		l.release(t, at)
	}
}

// onMap is synchronise for operations on what a sync.Map holds. All are after the first one: it has made the Map.
// Writes are in order, for they take a lock, and so are reads that take it (MapLocks). Who reads a key is after who
// wrote it, and who reads all keys after all writes. Clear is after the first operation alone, and all is after Clear.
func onMap(l ledger, e *event.Event) {
	t, locked, looked := e.Thread, port{addr: e.Loc.Addr}, port{e.Loc.Addr, readers}
	made, root := port{e.Loc.Addr, inits}, port{e.Loc.Addr, roots}
	l.acquire(t, made)
	if e.Other&event.MapUsed != 0 { // RACE11
		l.leave(t, made)
	}
	if e.Other&event.MapClear != 0 {
		l.merge(t, root)
		return
	}
	l.acquire(t, root)
	on, keyed := event.OnKey(e)
	key := port{e.Loc.Addr, keys + on}
	switch {
	case e.Other&event.MapLocks != 0:
		l.acquire(t, locked)
		l.acquire(t, looked)
		l.release(t, looked)
	case e.Kind == event.ObjectRead && keyed:
		l.acquire(t, key)
	case e.Kind == event.ObjectRead:
		l.acquire(t, locked)
	case keyed:
		l.acquire(t, looked)
		l.acquire(t, locked)
		l.release(t, locked)
		l.release(t, key)
	default:
		l.acquire(t, looked)
		l.acquire(t, locked)
		l.release(t, locked)
		l.merge(t, root)
	}
}

// learns reports whether an access is after what it finds (SYNC2). What came before the store that it reads is before
// the access itself. So it learns that first, and a plain write that an atomic one of the same goroutine follows does
// not race with it.
func learns(e *event.Event) bool {
	switch e.Kind {
	case event.AtomicLoad, event.AtomicRMW:
		return true
	case event.OnceBegin:
		return e.Value == 0
	}
	return false
}

// learnt is the port of what an access learns.
func learnt(e *event.Event) port {
	if e.Order == event.Stores {
		return port{e.Loc.Addr, inits}
	}
	return port{addr: e.Loc.Addr}
}

// lock is synchronise for operations on locks: SYNC3 and SYNC4.
func lock(l ledger, e *event.Event) {
	if e.Key == event.WritersKey || e.Key == event.UndoKey {
		return // a part of an RWMutex that the race detector does not see
	}
	at := port{addr: e.Loc.Addr}
	switch e.Kind {
	case event.TryLock, event.TryRLock:
		if e.Value == 0 {
			return
		}
	case event.Unlock:
		l.release(e.Thread, at)
		return
	case event.RUnlock:
		l.merge(e.Thread, port{e.Loc.Addr, readers})
		return
	}
	l.acquire(e.Thread, at)
	if e.Kind == event.Lock || e.Kind == event.TryLock { // of a Mutex nobody left anything there
		l.acquire(e.Thread, port{e.Loc.Addr, readers})
	}
}

// communicate is synchronise for operations on channels: SYNC8 and SYNC9.
func communicate(l ledger, e *event.Event, partner int32, c channel) {
	switch {
	case e.Kind == event.ChanClose:
		if e.Value == 0 {
			l.release(e.Thread, port{e.Loc.Addr, closing})
		}
	case e.Other < 0: // it found the channel closed
		if e.Kind == event.ChanRecv {
			l.acquire(e.Thread, port{e.Loc.Addr, closing})
		}
	case partner >= 0:
		l.meet(e.Thread, partner)
	case c.size <= 0 || c.unsized: // SYNC9
		l.acquire(e.Thread, port{e.Loc.Addr, slots})
		l.release(e.Thread, port{e.Loc.Addr, slots})
	default:
		l.exchange(e.Thread, port{e.Loc.Addr, slots + uint64(e.Other)%uint64(c.size)})
	}
}
