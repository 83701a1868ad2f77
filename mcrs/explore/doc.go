// Package explore holds the explorers: given a machine that runs a program under a
// scheduler, they choose the schedules, within limits, and report what the executions
// showed. The default explorer is union (the type Union; the package mcrs/explore/union has its doc). Where that has no rule, or does not
// end within half of the limits, systematic (the type Systematic) takes over: it is what the rest of this comment is about. random and
// bruteforce are there to compare with.
//
// # Background
//
// Two executions that differ in the order of independent operations only are
// equivalent (Mazurkiewicz, "Trace Theory", 1987). Dynamic partial-order
// reduction executes one schedule, looks for dependent operations whose order could be
// reversed, and executes those (Flanagan and Godefroid, POPL 2005); optimal DPOR
// reverses the pair (e, e') by the seed notdep(e, E).e' and meets each equivalence class
// once (Abdulla, Aronis, Jonsson and Sagonas, "Optimal Dynamic Partial Order Reduction",
// POPL 2014, section 5). A configuration is a set of events closed under happens-before; the maximal
// configurations of a program are its equivalence classes (McMillan, CAV 1992;
// Rodríguez, Sousa, Sharma and Kroening, "Unfolding-based Partial Order Reduction", CONCUR 2015).
//
// # Method
//
// A queue holds pairs (K, m): a configuration and a move, that is, a transition
// enabled after it. Fewest preemptions first, then first in, first out. An item is executed: K in the
// order of the trace it was found in, m, and then the default schedule
// (sched.RunToBlock). The happens-before of the whole trace is computed (graph.go)
// and every reversal of it is queued (reverse.go). An item is dropped if a trace executed
// since contains K and m: a thread's state hashes its history with all causes, so that is a
// look-up for each thread (cover.go). Hence each complete execution is a new
// equivalence class; what remains redundant are moves that turned out not to be enabled.
//
// Dependence. Two operations are dependent if they are of one thread, or the rules
// say so; class.go has the rules as a table.
//
//	DEP1  Accesses to overlapping bytes, one a write. Atomic or not; a failed compare-and-swap
//	      is a read. Likewise reads and writes of an object. Bytes that one thread touched, or
//	      that nobody wrote, are filtered from the finished trace (layout.go): it changes nothing.
//	DEP2  Operations on one key of a map, one a write; an operation on the whole map and a
//	      write of any key; a clear and anything.
//	DEP3  Operations on one lock, except that RLock and RUnlock commute with each other,
//	      unless a thread unlocks what it did not lock. A blocked Lock is
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
//	       The end of a sleep is after the firing of timers with a channel that its goroutine has started before (TIME12 of the Go machine).
//	DEP10 The clock in the second regime of time, where it may move at any time. Its moves are its writes, in order: the firing of a timer and the end of a sleep. What reads it,
//	      and what changes which deadline is next, are reads of it: time.Now and the start of a sleep or timer, Stop and Reset, and receives from a ticker, which
//	      has nothing to offer while its channel is full. A move depends on nothing else, so it could be anywhere between these. Only where it may not be early any
//	      more (rule TIME4 of the Go machine) is it as in DEP9.
//	DEP11 What goroutines see of each other: NumGoroutine with go, End, and the firing of a timer, which may start a goroutine; a look at the stacks of all with every operation.
//	DEP12 What an operation of package sync does to the bytes of its object (event.Bytes) and an access to them. Among each other such operations
//	      depend by the rules above. If bytes are overwritten, what a lock enables is read from the bytes (overwritten.go).
//	END1  Panic and Exit end the program. They are independent of all, but come last: an execution that
//	      ends so early is contained, up to its last event, in one that ends so late.
//	END2  Spawn and End are dependent with nothing but their threads, and what sees them (DEP11).
//
// Reversals. For a trace T, e in T, after(e) is e with all that happens after it.
//
//	REV1  For e' in T, K = T − after(e'), and each f in K that the operation of e' depends on
//	      and that the thread of e' does not know before e': (K − after(f), e').
//	REV2  The same for the operation p at which a thread stood at the end, with K = T.
//	REV3  For each case of a select other than the one taken, (K, case), and REV1 for it.
//	REV4  For a sender and a receiver on one unbuffered channel, at any of their operations, done
//	      or not, neither knowing the other's: K = T − after(both), (K, the two), and REV1 for it.
//	REV5  If Panic or Exit ended T, (T − that, p) for each pending operation p, and REV2 for it.
//
// A move that is not enabled after K (enabled.go decides, or else a cut-off execution shows
// it) is tried after each K − after(g) for the events g that may block it, and so on.
//
// # Completeness
//
// Claim: when the queue is empty, every maximal trace M was executed, up to equivalence
// (and END1). Suppose not. Among the executed traces choose T such that C = T ∩ M is
// largest. C is a configuration and less than M; let e' be the first event of M that is not in C: its
// causes are, and it is enabled after C. F are the events of T − C that its operation depends on. F is not empty, and
// if the thread of e' has no later event in T, nothing but F keeps e' from happening: else e'
// would be enabled after T, but T is maximal. Among the T with this C choose one where the number of events of F
// before the thread's next event in T is least; where what the operation returned decides how it conflicts (a
// compare-and-swap), count the writes before the reads.
//
// If it is zero, the next event has the causes of e' and is another choice at the
// same operation, or the other thread of a rendezvous is elsewhere: (K, e') is queued by REV3 or
// REV4, with C in K, and the execution contains C and e'. If not, take f in F, before the next event: K' = K − after(f) contains C, for nothing in C is
// after f, and does not contain f. If the operation is enabled after K', the item (K', e”) is queued by REV1 or
// REV2, and its execution has C and fewer events of F before the thread's next one. If it is not,
// some g in F − C blocks it, and going on with K' − after(g) must end, since after C the
// operation is enabled and what is left outside F does not touch it. Each case contradicts the choice of T. An item that was dropped
// was contained in an executed trace, which serves as well.
//
// For a lock held to the end, f is the acquiring event: after T − after(release) the lock is held. Two holders of a read lock that must both
// be gone are removed at once (lockEnabled). ∎
//
// Races are pairs of accesses that are both next after some configuration; that is so if and only if
// some maximal trace has f before e', conflicting, and the thread of e' does not know f before e': REV1
// passes just these. Each is replayed with the two adjacent, and reported only if
// the replay shows it. A Wait and an Add of another thread are such a pair if the counter is 0 there and the Add could be the first: WaitGroup
// misuse, which the race detector reports as well. Operations on different keys of a map race but are independent.
//
// # Deviations
//
// From optimal DPOR: no wake-up trees and no sleep sets; the search is best-first and not
// depth-first, which needs the states of all executed traces in memory, and finds failures with few
// preemptions early. Traces are stored once; an item is a cut of one.
// Early ends (END1) are not executed for their own sake: an outcome cut off by a panic counts as met
// by one with the same failure in which the other goroutines went further.
//
// # Limits
//
// The number of equivalence classes is exponential in the number of racing operations; the limits end the
// search and say so. Hashes of 64 bits stand for histories: a collision could lose a class (with 10^6 states, less than one in 10^7).
// A polling loop has infinitely many traces. Rounds that repeat a state are idle (sched.State.Idle): no explorer takes one, and a reversal
// that only leads to one is redundant. A loop whose rounds differ in state goes on to the limits; each fourth item
// comes from another priority, so that such a loop does not keep the rest waiting. RWMutex.TryLock, Once, Cond and the rules of the
// clock have less of a test here than with the Go machine.
package explore
