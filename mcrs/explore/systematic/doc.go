// Package systematic is the explorer by dynamic partial-order reduction. Where the default explorer, union, has no
// rule, or does not end within its share of the limits, this one takes over.
//
// # Background
//
// Two executions that differ only in the order of independent operations are equivalent (Mazurkiewicz, "Trace Theory",
// 1987). Dynamic partial-order reduction executes one schedule, looks for dependent operations whose order could be
// reversed, and executes those (Flanagan and Godefroid, POPL 2005). Optimal DPOR reverses the pair (e, e') by the seed
// notdep(e, E).e' and meets each equivalence class once (Abdulla, Aronis, Jonsson and Sagonas, "Optimal Dynamic Partial
// Order Reduction", POPL 2014, section 5). A configuration is a set of events closed under happens-before. The maximal
// configurations of a program are its equivalence classes (McMillan, CAV 1992; Rodríguez, Sousa, Sharma and Kroening,
// "Unfolding-based Partial Order Reduction", CONCUR 2015).
//
// # Method
//
// A queue holds pairs (K, m): a configuration and a move, that is, a transition enabled after it. Those with the fewest
// preemptions come first, then first in, first out. An item is executed: K in the order of the trace it was found in,
// m, and then the default schedule (sched.RunToBlock). The happens-before of the whole trace is computed (graph.go) and
// every reversal of it is queued (reverse.go). An item is dropped if a trace executed since contains K and m. A
// thread's state hashes its history with all causes, so that is a look-up for each thread (cover.go). Hence each
// complete execution is a new equivalence class. What remains redundant are moves that turned out not to be enabled.
//
// Package causality says which operations depend on each other, and what the reversals of a trace are (rules DEP1 to
// DEP14, REV1 to REV5, END1 and END2).
//
// A move may not be enabled after K: enabled.go decides that, or else a cut-off execution shows it. Then it is tried
// after each K − after(g) for the events g that may block it, and so on.
//
// # Completeness
//
// When the queue is empty, every maximal trace was executed, up to equivalence and END1. Races are pairs of accesses
// that are both next after some configuration; REV1 passes just these. Each is replayed with the two adjacent, and
// reported only if the replay shows it. docs/completeness.md has the proof.
//
// An Add and a Wait of another thread are such a pair if the counter is 0 there and the Add could be the first. That is
// a misuse of the WaitGroup, which the race detector reports as well. Operations on different keys of a map race but
// are independent.
//
// # Deviations
//
// There are no wake-up trees and no sleep sets, as in optimal DPOR. The search is best-first and not depth-first. So it
// needs the states of all executed traces in memory, and finds failures with few preemptions early. Traces are stored
// once; an item is a cut of one. Early ends (END1) are not executed for their own sake. An outcome cut off by a panic
// counts as met by one with the same failure in which the other goroutines went further.
//
// # Limits
//
// The number of equivalence classes is exponential in the number of racing operations. The limits end the search and
// say so. Hashes of 64 bits stand for histories: a collision could lose a class (with 10^6 states, less than one in
// 10^7). A polling loop has infinitely many traces. Rounds that repeat a state are idle (sched.State.Idle): no explorer
// takes one, and a reversal that only leads to one is redundant. A loop whose rounds differ in state goes on to the
// limits. Each fourth item comes from another priority, so that such a loop does not keep the rest waiting.
// RWMutex.TryLock, Once, Cond and the rules of the clock have less of a test here than with the Go machine.
package systematic
