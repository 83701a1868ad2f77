// Package constraint turns a trace into a formula whose models are the prefixes that any
// program with this trace can also execute, asks questions of it, and turns a model into a seed.
//
// # Background
//
// The maximal causal model (Serbanuta, Chen and Rosu, "Maximal Causal Models for Sequentially
// Consistent Systems", RV 2012) of a trace is the set of executions that every program with
// that trace has, by two axioms: prefixes of executions are executions, and a goroutine's next
// operation is determined by its own history. Maximal causality reduction asks it for
// an execution in which a read returns a new value (S. Huang, "Fast and Effective Approaches for Verifying
// and Debugging Concurrent Programs", 2019, section 3.1.2; J. Huang, PLDI 2015).
//
// # Rules
//
// in(e) says that e is in the prefix; x < y orders. A node is a transition: one event,
// or the two of a rendezvous. "Free" and "fixed" are explained under Deviations.
//
//	MHB1  d < e, where d precedes e in its goroutine, or is the go statement that started it
//	MHB2  in(e) → in(d) for each such d
//	QLOCK1 in(l1) ∧ in(l2) → u1 < l2 ∨ u2 < l1, for critical sections (l1,u1), (l2,u2)
//	      of one lock in two goroutines; without u1 or u2 that alternative is absent
//	QLOCK2 u1 < l2 ∧ in(l2) → in(u1)
//	VAL1  in(r) → ∨ rf(w, r) over the sources w of the value that the free read r returned
//	VAL2  rf(w, r) → in(w), w < r
//	VAL3  rf(w, r) ∧ in(w') → w' < w ∨ r < w', for each other write w' of the location
//	NEW1  at(r) → in(d) for each d that precedes r; ¬in(r); r* is a node after them: r is about to run
//	NEW2  new(r, v) → at(r) ∧ ∨ rf(w, r*) over the sources w of v; VAL2, VAL3 hold of r*
//	ADJ1  adjacent(e1, e2) → in(d) for each d that precedes e1 or e2; ¬in(e1); ¬in(e2)
//	JOIN1 d < wait, in(wait) → in(d) for each Done d before the Wait of a WaitGroup that is a join (joins.go)
//	KEEP1 in(e) → keep(r) for each read r that e needs (Options.Needs);
//	      with Options.TargetKeeps at(r') → keep(r) for all r before r'
//	KEEP2 rf(w, r') → keep(r) for each read r that the value of w needs
//	KEEP3 under relaxed validity VAL1 is in(r) ∧ keep(r) → ∨ rf(w, r)
//	BASE1 in(e) for the events of Options.Base; what of the base does not come before r* comes behind it, and the seed
//	      goes on to there
//	TSO1  under a relaxed memory model a plain store is two nodes: issue(w), a Store, in its goroutine's order, and
//	      flush(w), the write of the buffer's thread, in that thread's order: issue(w) < flush(w). Under partial store
//	      order each location has a thread; flushes to bytes that overlap keep their order
//	TSO2  r reads bytes of which w, the goroutine's newest store to any of them, has a part: flush(w) < r
//	TSO3  f waits for an empty buffer, w is before it in its goroutine: flush(w) < f
//	TSO4  w is the goroutine's newest store before r to what r reads: rf(w, r) does not need VAL2. VAL3 is as it
//	      was: where r < flush(w), a write is before flush(w), or behind r
//	TSO5  w as in TSO4, w' another write: rf(w', r) → in(flush(w)), flush(w) < r
//	OBS1  fixed events keep their observed order, and none is in without those before it
//	OBS2  what precedes a barrier in the trace comes before it, what follows comes after it
//
// These are the rules of an Encoding. They cover the dissertation's alphabet, and questions about reads. The type
// General has rules for all primitives. It asks what each operation could meet, not only reads. An operation f in the
// prefix must meet there what it met in the trace. What it meets is a function of what comes before it on its objects.
// "#" counts nodes that are in and before f.
//
//	QMEM1  each cell that f reads was last written by a write that left in it what f found. Cells cut all ranges that
//	       are accessed; a read-modify-write reads and writes; an event writes what it shares for the first time
//	QMAP1  the key that f reads was last written, or cleared, by the same write
//	SEQ1   before a read or write of an object, or a read of a whole map, stand the same writes in the same order
//	QLOCK3 f = Lock, LockAnnounce: #(locks and announcements) = #unlocks, and of a mutex #rlocks = #runlocks;
//	       f = the Lock after an announcement: #rlocks = #runlocks
//	QLOCK4 f = RLock: #(locks and announcements) = #unlocks. TryLock and TryRLock succeed if that is so, else they
//	       fail. Unlock and RUnlock fail if nothing is held
//	QWG1   f = Wait: the counter at the start and the sum of the deltas before f are 0. Add fails if that sum, with
//	       its own delta, is negative
//	QONCE1 the OnceBegin that is told to run has none before it; the others have an OnceEnd before them
//	QCOND1 tickets are a queue of goroutines. Signal takes the first, Broadcast all. f = CondWait: its goroutine is
//	       not in the queue
//	QCHAN1 f = send: #sends − #receives < capacity, and no close before it. It fails after a close
//	QCHAN2 f = receive: #sends − #receives > 0, or = 0 after a close, which it is told
//	QCHAN3 the receive with k receives before it gets the element of the send with k sends before it
//	QCHAN4 f = a rendezvous: one node in both goroutines, and no close before it. Close fails after a close. len is
//	       #sends − #receives
//	QCHAN5 f = select: its case, by QCHAN1 to QCHAN4. The default: no case by itself; a partner who stands there does
//	       not count
//	QBUF1  issue, flush and what waits for an empty buffer are ordered by TSO1 to TSO3, at nodes
//	QBUF2  a read finds the goroutine's newest store before it to what it reads, unless that has its flush before f;
//	       then QMEM1 holds
//	QBUF3  f is about to run, and waits for an empty buffer: the flushes of all stores of its goroutine are before f
//	QBUF4  at the end (QSTUCK1) a flush is in if its issue is
//	QEND1  Panic and Exit are not in: they are independent of all and come last
//	NEW3   departs(f) → NEW1, and f meets, by these rules, what it did not meet. Each x that it can meet is a question
//	       of its own
//	MEET1  a send and a receive that did not meet are both about to run: NEW1 of both, QCHAN4
//	CUT1   of the prefixes that answer a question all longest ones are given. An answer is made longer while that can
//	       be. The next one has something in that this one has not
//	QSTUCK1 at the end every operation that cannot be blocked is in. Of the others, none at which a goroutine stands
//	       is enabled. Not all of the trace is in
//
// A source of a value for r is a write of it to r's location by another goroutine, the own
// goroutine's last write, or what the location held at first; left out are
// those that MHB1, OBS1 and OBS2 put after r, or before another write that they put before r.
//
// # Method
//
// MHB, VAL1, VAL2, NEW and OBS are stated at once. QLOCK1, QLOCK2 and VAL3, which is cubic, are stated only for pairs
// that a candidate order breaks: the order is executed, and each read with a wrong value, and each lock taken twice,
// adds its clause. Such clauses are true of the trace, not of the question, so they are kept. The first candidate is
// the observed order, and an event that nothing demands stays out. So seeds are short. One solver serves all questions
// about a trace.
//
// The rules TSO are those of the dissertation's section 3.3.1, Φ_ww, Φ_rr, Φ_rw and Φ_sync, with issue and flush told
// apart: there one variable stands for both, so that a goroutine's own read comes after its store has reached memory,
// and real executions have no solution. MHB1 keeps the order of reads, and of reads and later stores.
//
// All rules of a General are lazy. A candidate is executed in the serial specification. What an operation should not
// meet there is refuted by a clause with the reason:
//
//   - for a count: the nodes that made it too large or too small. They are those that add to it and are before, and
//     those that take from it and are not
//   - for a cell: its last write, and that nothing comes between which would do
//   - else: the nodes of the object, and their order where it matters
//
// A reason is true of the trace, so its clause is kept.
//
// # Deviations
//
// The dissertation asserts QLOCK for the whole trace and lets Φ_validity choose events. Here every axiom is guarded by
// in(e): a prefix may end inside a critical section.
//
// In an Encoding only the dissertation's alphabet is free: Read, Write, AtomicLoad, AtomicStore, Lock, Unlock, Spawn,
// and WaitGroups that are joins. Yield, Fence, End and the issue of a store are free too, for they touch nothing. All
// other kinds are fixed (OBS1): channels, other WaitGroups, Once, Cond, RWMutex, maps, atomic updates. Fixed as well
// are accesses to bytes that a fixed event or an access of another extent touches, locks with other operations than
// Lock and Unlock, and locks that another goroutine unlocks. Sleep, TimerFire, Panic and Exit are barriers (OBS2), for
// they depend on all goroutines. This loses prefixes and invents none: a seed can be executed, but Unsat does not mean
// "never" in a trace with fixed events. Encoding.Fixed counts them.
//
// Relaxed validity (chapter 4, algorithms 4 to 6) is asked of an interface, Needs: the machine's dynamic dependence, or
// a static graph. A write in a prefix whose value nobody needs may write anything. It still must not come between a
// read that keeps its value and its source. The dissertation's Φ_validity(e) ends at events that e needs. Here all
// events before e in its goroutine are in the prefix, for a seed goes through them, and what they need is needed. A
// read that nobody needs keeps its value where it can. That is no rule: it is the phase in which the solver decides it.
//
// The race property is O(e1) = O(e2) in the dissertation; that both are next after one prefix says
// the same, since accesses are always enabled.
//
// # Limits
//
// Two selects do not meet where both have something else to do (CHAN7 of the Go machine). A General has no rule for
// that. So an answer may have a rendezvous that is not enabled. Who follows the seed in the specification notices
// (mcr.Model.Follow), and gives the trace up. A General never lacks an answer that is possible.
//
// A General has no rule for the clock (Sleep, timers), for bubbles, for a Once that runs its function twice (RENEW1 of
// package learn), and for memory that the host reads or writes: NewGeneral says so, as it does of a program that ends
// while stores are in a buffer. It has no lower bounds and no
// cheap questions. Where both have rules it is some hundred times slower than an Encoding.
//
// A location's first value is known only if some read returned it; else it is asked for apart (CanReturnInitial). A
// clock and a lower bound (lower.go) per node make memory grow with events times goroutines.
package constraint
