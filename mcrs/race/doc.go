// Package race finds the data races of one execution: pairs of accesses that nothing orders.
//
// # Definition
//
// Two accesses conflict if they are of two goroutines, share a byte or are operations on one map, one of them writes,
// and not both are atomic. Happens-before is the order of each goroutine, together with what the table below adds. A
// race is a pair of conflicting accesses that happens-before does not order. A race before them may order them too;
// then they are none (RACE2).
//
//	RACE1  The order is that of one execution. Each goroutine has a vector clock, and each object that carries an
//	       order.
//	RACE2  An access that races with an earlier one comes after it in what follows. So of races that depend on each
//	       other only the first is a race. One that only another race orders is told with it (Behind).
//	RACE3  A later access hides an earlier one if it comes after it, touches all of its bytes, and conflicts with all
//	       that it conflicts with. Who does not know the earlier one races with the later one.
//	RACE4  The Wait of a wait group and the Add that makes its counter positive must be ordered (package sync). They
//	       race where they are next to each other: the Add could have come first.
//	RACE5  An operation on a map is an access to the map, whatever its key.
//	RACE6  An operation of package sync touches the bytes of its object (event.Touches) before it is after anything.
//	       Lock tries to take the lock, whoever holds it. An operation on a Once that is done has only loaded what
//	       the end of the function stored, and is after it. An operation on a sync.Map touches what the first one
//	       does if its goroutine came to it before that one, and does not know of it: it may be the first itself, or
//	       find that the first has not ended. One that came later in the trace is asked for in another order of the
//	       same operations (Lates). If its goroutine has seen that the Map was used, there is no such order.
//	RACE7  A send that finds its channel closed races with the close, unless the close is before it. The panic may be
//	       recovered; to Go's race detector it is a race all the same. The race orders nothing.
//	RACE8  The two race, too, where the Wait had to wait: to Go's race detector the Add reads, and the first to wait
//	       writes when it comes. What happens before that is what its goroutine knew then. This race orders nothing.
//	       Two Waits that write, and that nothing orders, are not told: the Add between them races with one of them.
//	       Where the two do not race in an execution, another one of the same operations may have the race (Lates): an
//	       Add may be the first one that was not, or the Wait may come before the Dones.
//	RACE9  A Wait that had to wait has written the semaphore of its wait group when it came, as the race detector has
//	       it. So it races with an access to these bytes (a copy of the wait group, or what overwrites it) that it did
//	       not know of then, and that does not know of the Wait. This race orders nothing. A Wait that could have come
//	       before the Dones is asked for in another order of the same operations (Lates).
//	RACE10 A Do that does not run the function, and came before its end, takes the Mutex of the Once. To the race
//	       detector it writes that when it comes, like a Wait that has to wait, and this race orders nothing. A Do
//	       that came later is asked for in another order (Lates).
//	RACE11 The function of a Once ends in two steps: that it is over is stored, and then the Mutex is unlocked. Who
//	       finds that it is over is after the first step alone. So a copy of the Once that it makes races with the
//	       Unlock, unless it knows of that by other means. So it is with the first operation on a sync.Map.
//
// # What synchronises
//
// The table (table.go) is the Go memory model, and what the race detector's annotations add to it in the runtime and in
// the standard library.
//
//	SYNC1   go: what the goroutine starts with is after the go statement. The end of a goroutine is before nothing.
//	SYNC2   Atomics: a load is after the store whose value it returns. A read-modify-write is both a load and a store;
//	        a compare-and-swap that fails is a load. Stores are not ordered among each other. Those of an atomic.Value
//	        are after the first one, for they look at the type that it has stored.
//	SYNC3   Mutex: Unlock is before every later Lock, and before every later TryLock that succeeds. A TryLock that
//	        fails is after nothing. Where a goroutine unlocks what another one has locked, the last Unlock alone is
//	        before the next Lock: the race detector keeps no other one.
//	SYNC4   RWMutex: Unlock is before every later Lock and RLock. RUnlock is before every later Lock, and not before
//	        RLock. The same holds for TryLock and TryRLock that succeed.
//	SYNC5   WaitGroup: an Add below zero (Done) is before every later return from Wait.
//	SYNC6   Once: the end of the function is before every return from Do.
//	SYNC7   Cond: Signal and Broadcast are before the return of each Wait that they wake. Two Signals are not ordered:
//	        that the second finds what the first one has noted, who copies it, it finds by a plain read (Unheard).
//	SYNC8   Channels: the k-th send is before the k-th receive, and the k-th receive before the (k+cap)-th send. On an
//	        unbuffered channel each is before what follows the other. In a buffer each leaves what its goroutine knew
//	        when it came: a receive that a send has waited for is not before who receives what was sent. Close is
//	        before a receive that finds the channel closed. These are after nothing: len, cap, a select that takes its
//	        default, a send after another send, and a send or close that panics because the channel is closed.
//	SYNC9   A channel whose elements have no bytes: all sends and receives that go through the buffer are in order,
//	        for the race detector has one clock for the buffer. The same holds where the capacity is not known, and
//	        for the channel of a timer.
//	SYNC10  Timers: the start is before the firing. The firing is before the function that it starts, and before the
//	        receive of its tick. So is a start that sends at once. Stop, the end of a Sleep, and a reading of the
//	        clock are after nothing.
//	SYNC11  Objects with a specification of their own (the environment, the output of an example): a write is before
//	        every later operation on the object. Of a sync.Map: the first operation is before all others; a write is
//	        before later writes, before later reads of the same key, and before a Range. What could write and does
//	        not is a read; but a CompareAndDelete that finds another value is in order with the writes, and with its
//	        like, for it has taken the lock. All but Clear is after Clear. Of a sync.Pool: the Put of a value is
//	        before the Get that returns it.
//	SYNC12  synctest.Wait is after all that its bubble did.
//	SYNC13  Files: writing bytes to a descriptor is before every later reading of bytes from one. Operations on one
//	        descriptor are in order. What tells whether a file is there (Open, Stat, ReadDir) is after nothing.
//	SYNC14  Synchronisation of the standard library that makes no event orders too, at its place (trace.Trace.Silent).
//	SYNC15  Signals of the process to itself order nothing (trace.Trace.Unordered): who is told of one has observed.
//	        So it is with settings of the runtime and of runtime/debug, and with the count of faults of the network.
//	SYNC16  Sockets and pipes are programs (package inet), whose own operations order nothing (event.Order). The edges
//	        are the detector's: syscall.Write is before every later syscall.Read that does not fail (of bytes, or of
//	        the end of a stream; SYNC13), whatever the descriptors. Each operation on a descriptor is an atomic update
//	        of its own (SYNC14). So an Accept is not after the Dial, the end of a stream not after the Close, and a
//	        datagram of ReadFrom not after its sending. Where states are walked (Knowers), who reads is after the
//	        Writes alone of which the message tells: in some other order of the same operations it is after no others.
//	SYNC17  A write of one file and a read of another are independent, and SYNC13 orders them as they happen to
//	        come. An explorer that executes one order of independent operations looks for the races of the others as
//	        well (ByAccident): there a read of bytes is after the writes alone that come before it in all of these
//	        orders. One order shows each such race: what need not be after a write that knows of the first access
//	        comes before it. No read learns of the access there but from a write that must come first.
//
// # Why it is enough
//
// docs/races.md says which races have an execution in which the two accesses are next to each other, and which have
// none.
package race
