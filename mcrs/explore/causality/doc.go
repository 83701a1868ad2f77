// Package causality says what happens before what in an execution, and which reversals of it lead elsewhere. It runs
// nothing.
//
// A Recorder watches an execution as its scheduler. NewGraph computes the happens-before relation from its trace
// (graph.go), by the objects that operations touch (touch.go) and by classes of operations on one object (class.go). A
// Cut is a part of the trace that is closed under happens-before. A Reverser offers every reversal: a cut, and a move
// enabled after it (reverse.go, enabled.go). A Schedule is an execution as it is kept; a cut takes a part of it
// (schedule.go). A Cover remembers which parts the executed traces have (cover.go).
//
// Four answers need no reversals: which accesses of a trace race (races.go), which other orders a cut has
// (linearise.go), which neighbouring transitions are independent (neighbours.go), and in which orders goroutines may
// have read the clock (instants.go).
//
// # Dependence
//
// Two operations are dependent if they are of one thread, or if the rules say so. class.go has the rules as a table.
//
//	DEP1  Accesses to overlapping bytes, of which one is a write, atomic or not. A failed compare-and-swap is a read.
//	      The same holds for reads and writes of an object. Bytes that one thread touched, or that nobody wrote, are
//	      filtered from the finished trace (layout.go): that changes nothing.
//	DEP2  Operations on one key of a map, of which one is a write. An operation on the whole map, and a write of any
//	      key. A clear, and anything.
//	DEP3  Operations on one lock. RLock and RUnlock commute with each other, unless some thread of the trace unlocks
//	      what it did not lock. A blocked Lock is reversed with the events that acquired, not with the release:
//	      without the acquisition the release is gone too.
//	DEP4  WaitGroup: Add and Wait. Adds commute with each other as long as in every trace each unit of a negative Add
//	      has its own positive one before it (balance.go): then no order panics. If a trace is otherwise, the
//	      exploration begins again, and all Adds are dependent.
//	DEP5  Once: the first OnceBegin and the OnceEnd are writes. A later OnceBegin is a read.
//	DEP6  Cond: taking a ticket and notifying, with each other. CondWait, with notifying.
//	DEP7  Buffered channels: send with send, and receive with receive. The k-th receive is after the k-th send, and
//	      the (k+cap)-th send after the k-th receive; other sends and receives commute. Close with sends, and with
//	      receives that find the channel closed; these commute with each other. A send that finds it closed is after
//	      the close, and commutes with all else. len with all but close. If the capacity is not known, all operations
//	      on the channel.
//	DEP8  Unbuffered channels: a rendezvous with close. Two rendezvous of different threads commute, for the channel
//	      has no state. Which threads meet is a choice (REV4). A select that takes its default depends on what could
//	      have made a case ready: sends, receives, rendezvous and close. It does not depend on a thread that comes to
//	      stand at the other side of an unbuffered channel. That thread may not have begun to wait yet (CHAN5 of the
//	      Go machine), so the default can be taken before and after. A thread waits for sure once the clock has moved;
//	      then it is after all that came before (DEP9). The default can be taken again once that thread has gone on.
//	      What lets it go on is the first of the two in every order. A rendezvous of two selects also depends on what
//	      makes the other cases of either ready: where both have something else to do they do not meet (CHAN7 of the
//	      Go machine).
//	DEP9  The clock, where it moves only when nothing else can run. Sleep and TimerFire are after everything before
//	      that moment. Nothing is reversed across it, since nothing else was enabled. Each timer fires in a thread of
//	      its own, so timers that are due at one moment are independent of each other. The clock of a bubble of
//	      testing/synctest, and Wait (Quiesce), are likewise after everything before in the bubble. Where goroutines
//	      that poll let the clock move, what it lets happen depends on every operation that a rule names. Start, stop
//	      and firing of one timer are dependent. They are dependent with all operations on its channel, whose capacity
//	      the trace leaves unknown. A sleep of no time is a Yield and none of this. The end of a sleep, and the
//	      firing of a timer, are after the firing of timers with a channel that were started before (TIME8 of the Go
//	      machine), and after the Stop or Reset by which others have taken one away. In a bubble they are after the
//	      firings that come first there (BUBBLE7).
//	DEP10 The clock in the second regime of time, where it may move at any time. Its moves are its writes, in order:
//	      the firing of a timer, and the end of a sleep. These are its reads: what asks for the time (time.Now), and
//	      what changes which deadline is next. That is the start of a sleep or timer, Stop, Reset, and a receive from
//	      a ticker, which has nothing to offer while its channel is full. A move depends on nothing else, so it could
//	      be anywhere between these. Where it may not be early any more (TIME4 of the Go machine) it is as in DEP9.
//	DEP11 What goroutines see of each other. NumGoroutine with go, with End, and with the firing of a timer, which may
//	      start a goroutine. A look at the stacks of all with every operation.
//	DEP12 What an operation of package sync does to the bytes of its object (event.Bytes), and an access to them.
//	      Among each other such operations depend by the rules above. If bytes are overwritten, what a lock enables is
//	      read from the bytes (overwritten.go).
//	DEP13 Store buffers: the k-th store into a buffer, and the k-th write that its thread makes. What waits for an
//	      empty buffer (BUF4 of the Go machine), and the writes before it. A read of what the goroutine's own buffer
//	      has depends on the write by which that reaches memory (DEP1): a write of another goroutine can come in
//	      between.
//	DEP14 Queues of channels, in bubbles of testing/synctest. Where one has surely blocked, all that is done to the
//	      channels at which it stands is dependent: see queues.go.
//	DEP15 A sync.Map that nobody has used: the first operation, which makes it, and all others. Two operations that
//	      take its lock and change nothing. What they return does not depend on the order, but races behind them may.
//	DEP16 A timer whose time has come when it is started (TIME2 of the Go machine). It does not wait for the clock,
//	      but for its start alone, which is an operation of the same timer. So DEP9 does not hold of its firing, but
//	      of the later ones of a ticker.
//	END1  Panic and Exit end the program. They are independent of all, but come last: an execution that ends early is
//	      contained, up to its last event, in one that ends late.
//	END2  Spawn and End are dependent with nothing but their threads, and with what sees them (DEP11).
//
// # Reversals
//
// For a trace T, and e in T, after(e) is e with all that happens after it.
//
//	REV1  For e' in T, let K = T − after(e'). For each f in K that the operation of e' depends on, and that the thread
//	      of e' does not know before e': (K − after(f), e').
//	REV2  The same for the operation p at which a thread stood at the end, with K = T.
//	REV3  For each case of a select other than the one taken: (K, case), and REV1 for it.
//	REV4  For a sender and a receiver on one unbuffered channel, at any of their operations, done or not, neither
//	      knowing the other's: K = T − after(both), (K, the two), and REV1 for it.
//	REV5  If Panic or Exit ended T: (T − that, p) for each pending operation p, and REV2 for it.
package causality
