// Package causality says what happens before what in an execution, and which reversals of it lead elsewhere. It runs nothing.
//
// A Recorder watches an execution as its scheduler. NewGraph computes from its trace the happens-before relation (graph.go), by the objects that
// operations touch (touch.go) and the classes of operations on one object (class.go). A Cut is a part of the trace that is closed under it. A
// Reverser offers every reversal: a cut, and a move enabled after it (reverse.go, enabled.go). A Schedule is an execution as it is kept, of which a cut takes
// a part (schedule.go). A Cover remembers which parts the executed traces have (cover.go).
//
// # Dependence
//
// Two operations are dependent if they are of one thread, or the rules
// say so; class.go has the rules as a table.
//
//	DEP1  Accesses to overlapping bytes, one a write. Atomic or not; a failed compare-and-swap
//	      is a read. Likewise reads and writes of an object. Bytes that one thread touched, or
//	      that nobody wrote, are filtered from the finished trace (layout.go): it changes nothing.
//	DEP2  Operations on one key of a map, one a write; an operation on the whole map and a
//	      write of any key; a clear and anything.
//	DEP3  Operations on one lock, except that RLock and RUnlock commute with each other,
//	      unless some thread of the trace unlocks what it did not lock. A blocked Lock is
//	      reversed with the events that acquired, not with the release: without the
//	      acquisition the release is gone too.
//	DEP4  WaitGroup: Add and Wait. Adds commute with each other as long as in every trace each
//	      unit of a negative add has its own positive one before it (balance.go), for then no
//	      order panics; if a trace is otherwise, the exploration begins again with all adds dependent.
//	DEP5  Once: the first OnceBegin and OnceEnd are writes, the OnceBegin of those that come later is a read.
//	DEP6  Cond: taking a ticket and notifying, with each other; CondWait with notifying.
//	DEP7  Buffered channels: send with send, receive with receive; the k-th receive is after the
//	      k-th send, and the (k+cap)-th send after the k-th receive; else they commute. Close with
//	      sends and with receives that find it closed; these commute with each other. A send that finds it closed is after the close, and commutes with all else. len with all but close.
//	      If the capacity is not known, all operations on the channel.
//	DEP8  Unbuffered channels: a rendezvous with close. Two rendezvous of different threads commute:
//	      the channel has no state. Which threads meet is a choice (REV4). A select that takes its default
//	      depends on what could have made a case ready: sends, receives, rendezvous and close. On a thread that comes to stand at the other side of an
//	      unbuffered channel it does not: that thread may not have begun to wait yet (CHAN5 of the Go machine), so the default can be taken before and
//	      after. Who waits for sure does so since the clock moved, after all that came before (DEP9); the default can be taken once that thread has gone on,
//	      and what lets it go on is the first of the two in every order.
//	      A rendezvous of two selects also depends on what makes the other cases of either ready: where both have something else to do they do not meet
//	      (CHAN7 of the Go machine).
//	DEP9  The clock. Where it moves only when nothing else can run, Sleep and TimerFire are after everything
//	      before that moment, and nothing is reversed across it, since nothing else was enabled. Each timer fires in a thread of its own, so
//	      those due at one moment are independent of each other.
//	      The clock of a bubble of testing/synctest, and Wait (Quiesce), are likewise after everything before in the bubble.
//	      Where goroutines that poll let the clock move, what it lets happen depends on every operation
//	      that a rule names. Start, stop and firing of one timer are dependent,
//	      and dependent with all operations on its channel, whose capacity the trace leaves unknown.
//	      A sleep of no time is a Yield and none of this.
//	       The end of a sleep is after the firing of timers with a channel that its goroutine has started before (TIME8 of the Go machine), and after
//	       the Stop or Reset by which others have taken one away.
//	DEP10 The clock in the second regime of time, where it may move at any time. Its moves are its writes, in order: the firing of a timer and the end of a sleep. What reads it,
//	      and what changes which deadline is next, are reads of it: time.Now and the start of a sleep or timer, Stop and Reset, and receives from a ticker, which
//	      has nothing to offer while its channel is full. A move depends on nothing else, so it could be anywhere between these. Only where it may not be early any
//	      more (rule TIME4 of the Go machine) is it as in DEP9.
//	DEP11 What goroutines see of each other: NumGoroutine with go, End, and the firing of a timer, which may start a goroutine; a look at the stacks of all with every operation.
//	DEP12 What an operation of package sync does to the bytes of its object (event.Bytes) and an access to them. Among each other such operations
//	      depend by the rules above. If bytes are overwritten, what a lock enables is read from the bytes (overwritten.go).
//	DEP13 Store buffers: the k-th store into a buffer and the k-th write that its thread makes; what waits for an empty buffer (BUF4 of the Go machine) and the writes before
//	      it. A read of what the goroutine's own buffer has depends on the write by which that reaches memory (DEP1): in between another's can come.
//	END1  Panic and Exit end the program. They are independent of all, but come last: an execution that
//	      ends so early is contained, up to its last event, in one that ends so late.
//	END2  Spawn and End are dependent with nothing but their threads, and what sees them (DEP11).
//
// # Reversals
//
// For a trace T, e in T, after(e) is e with all that happens after it.
//
//	REV1  For e' in T, K = T − after(e'), and each f in K that the operation of e' depends on
//	      and that the thread of e' does not know before e': (K − after(f), e').
//	REV2  The same for the operation p at which a thread stood at the end, with K = T.
//	REV3  For each case of a select other than the one taken, (K, case), and REV1 for it.
//	REV4  For a sender and a receiver on one unbuffered channel, at any of their operations, done
//	      or not, neither knowing the other's: K = T − after(both), (K, the two), and REV1 for it.
//	REV5  If Panic or Exit ended T, (T − that, p) for each pending operation p, and REV2 for it.
package causality
