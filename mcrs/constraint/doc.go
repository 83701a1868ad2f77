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
//	LOCK1 in(l1) ∧ in(l2) → u1 < l2 ∨ u2 < l1, for critical sections (l1,u1), (l2,u2)
//	      of one lock in two goroutines; without u1 or u2 that alternative is absent
//	LOCK2 u1 < l2 ∧ in(l2) → in(u1)
//	VAL1  in(r) → ∨ rf(w, r) over the sources w of the value that the free read r returned
//	VAL2  rf(w, r) → in(w), w < r
//	VAL3  rf(w, r) ∧ in(w') → w' < w ∨ r < w', for each other write w' of the location
//	NEW1  at(r) → in(d) for each d that precedes r; ¬in(r); r* is a node after them: r is about to run
//	NEW2  new(r, v) → at(r) ∧ ∨ rf(w, r*) over the sources w of v; VAL2, VAL3 hold of r*
//	ADJ1  adjacent(e1, e2) → in(d) for each d that precedes e1 or e2; ¬in(e1); ¬in(e2)
//	JOIN1 d < wait, in(wait) → in(d) for each Done d before the Wait of a WaitGroup that is a join (joins.go)
//	KEEP1 in(e) → keep(r) for each read r that e needs (Options.Needs); with Options.TargetKeeps at(r') → keep(r) for all r before r'
//	KEEP2 rf(w, r') → keep(r) for each read r that the value of w needs
//	KEEP3 under relaxed validity VAL1 is in(r) ∧ keep(r) → ∨ rf(w, r)
//	OBS1  fixed events keep their observed order, and none is in without those before it
//	OBS2  what precedes a barrier in the trace comes before it, what follows comes after it
//
// A source of a value for r is a write of it to r's location by another goroutine, the own
// goroutine's last write, or what the location held at first; left out are
// those that MHB1, OBS1 and OBS2 put after r, or before another write that they put before r.
//
// # Method
//
// MHB, VAL1, VAL2, NEW and OBS are stated at once; LOCK1, LOCK2 and the cubic VAL3 only for pairs that a candidate
// order breaks: the order is executed, and each read with a wrong value, each lock taken twice, adds its
// clause. Such clauses are true of the trace, not of the question, and are kept. The first candidate is the observed
// order, and an event that nothing demands stays out, so that seeds are short. One solver serves all questions about a trace.
//
// # Deviations
//
// The dissertation asserts LOCK for the whole trace and lets Φ_validity choose events. Here every axiom is guarded by
// in(e): a prefix may end inside a critical section.
//
// Only the dissertation's alphabet is free: Read, Write, AtomicLoad, AtomicStore, Lock, Unlock, Spawn (and Yield, End,
// which touch nothing), and WaitGroups that are joins. All other kinds are fixed (OBS1): channels, other WaitGroups, Once, Cond, RWMutex, maps, atomic updates. So are
// accesses to bytes that a fixed event or an access of another extent touches, and locks with other operations
// than Lock and Unlock or unlocked by another goroutine. Sleep, TimerFire, Panic and Exit are
// barriers (OBS2), for they depend on all goroutines. This loses prefixes and invents none: a seed can be
// executed, but Unsat does not mean "never" in a trace with fixed events. Encoding.Fixed counts them.
//
// Relaxed validity (chapter 4, algorithms 4 to 6) is asked of an interface, Needs: the machine's dynamic dependence or a static graph. A write in a prefix whose value
// nobody needs may write anything; it still must not come between a read that keeps its value and its source. The dissertation's
// Φ_validity(e) ends at events that e needs; here all before e in its goroutine are in the prefix, for a seed goes through them, and what they need
// is needed.
//
// The race property is O(e1) = O(e2) in the dissertation; that both are next after one prefix says
// the same, since accesses are always enabled.
//
// # Limits
//
// A location's first value is known only if some read returned it; else it is asked for apart (CanReturnInitial). A
// clock and a lower bound (lower.go) per node make memory grow with events times goroutines.
package constraint
