// Package systematic is the explorer by dynamic partial-order reduction. Where the default explorer, union, has no rule, or does not end within
// its share of the limits, this one takes over.
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
// Which operations depend on each other, and what the reversals of a trace are, says the package causality (rules DEP1 to DEP12, REV1 to REV5, END1 and END2).
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
package systematic
