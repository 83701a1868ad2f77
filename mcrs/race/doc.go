// Package race finds the data races of one execution: pairs of accesses that nothing orders.
//
// # Definition
//
// Two accesses conflict if they are of two goroutines, share a byte (or are operations on one map), one of them writes, and not both are
// atomic. Happens-before is the order of each goroutine, and what the table below adds. A race is a pair of conflicting accesses that
// happens-before does not order, and that no race before it orders either (RACE2).
//
//	RACE1  The order is that of one execution: a vector clock for each goroutine and each object that carries an order.
//	RACE2  An access that races with an earlier one comes after it in what follows. So of the races that depend on each other the
//	       first is a race. One that only another race orders is told with it (Behind).
//	RACE3  An access is hidden by a later one that comes after it, touches all of its bytes, and conflicts with all that it conflicts with:
//	       who does not know the first races with the second.
//	RACE4  The Wait of a wait group and the Add that makes its counter positive must be ordered (package sync). They race where they are
//	       next to each other.
//	RACE5  An operation on a map is an access to the map, whatever its key.
//	RACE6  An operation of package sync touches the bytes of its object (event.Touches) before it is after anything: who comes to Lock tries to
//	       take the lock, whoever holds it. An operation on a sync.Map whose goroutine knows of no other one may be the first, in another order of
//	       the same events, or find that the first has not ended: it touches what the first does. Of a Once that is done the operation has only loaded what the
//	       end of the function stored, and is after it.
//	RACE7  A send that finds its channel closed races with the close, unless the close is before it. The panic may be recovered; to Go's
//	       race detector it is a race all the same. The race orders nothing.
//
// # What synchronises
//
// The table (table.go) is the Go memory model, and what the race detector's annotations in the runtime and the standard library add to it.
//
//	SYNC1   go: what the goroutine starts with is after the go statement. (The end of a goroutine is before nothing.)
//	SYNC2   Atomics: a load is after the store whose value it returns; a read-modify-write is both, and a compare-and-swap that fails is
//	        a load. Stores are not ordered among each other.
//	SYNC3   Mutex: Unlock is before every later Lock, and TryLock that succeeds. One that fails is after nothing.
//	SYNC4   RWMutex: Unlock is before every later Lock and RLock, RUnlock before every later Lock; likewise TryLock and TryRLock that
//	        succeed. RUnlock is not before RLock.
//	SYNC5   WaitGroup: an Add below zero (Done) is before every later return from Wait.
//	SYNC6   Once: the end of the function is before every return from Do.
//	SYNC7   Cond: Signal and Broadcast are before the return of each Wait that they wake. Of two Signals neither is.
//	SYNC8   Channels: the k-th send is before the k-th receive, and the k-th receive before the (k+cap)-th send; on an unbuffered channel
//	        each is before what follows the other. Close is before a receive that finds the channel closed. len, cap, and a select that
//	        takes its default, are after nothing; nor is one send after another, nor a send or close that panics after the close.
//	SYNC9   A channel whose elements have no bytes: the race detector has one clock for its buffer, so all sends and receives that
//	        go through the buffer are in order. So they are where the capacity is not known, and on the channel of a timer.
//	SYNC10  Timers: the start is before the firing, the firing before the function that it starts and before the receive of its tick.
//	        Stop is after nothing, and so is the end of a Sleep, and a reading of the clock.
//	SYNC11  Objects with a specification of their own (sync.Pool, sync.Map, the environment, the output of an example): a write is before every
//	        later operation on the object.
//	SYNC12  synctest.Wait is after all that its bubble did.
//	SYNC13  Files: writing bytes to a descriptor is before every later reading of bytes from one. Operations on one descriptor are in order. What
//	        tells whether a file is there (opening one, Stat, ReadDir) is after nothing.
//	SYNC14  Synchronisation of the standard library that makes no event: trace.Trace.Orders.
//
// # Why it is enough
//
// docs/races.md says which races have an execution in which the two accesses are next to each other, and which have none.
package race
