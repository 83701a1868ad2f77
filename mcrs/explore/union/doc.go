// Package union is the explorer by union causality, the default one: it reasons about all executions of a program so
// far at once, and runs what would show a goroutine something new.
//
// The Engine says which execution that is, and runs nothing itself. The Explorer runs what the engine asks for
// (explorer.go), with helpers (team.go), looks behind what goroutines observe without synchronisation (gathering.go),
// and says who goes on where the engine cannot (handover.go).
//
// # Background
//
// The maximal causal model of a trace is the set of all traces that every program must have that has this one
// (Serbanuta, Chen and Rosu, "Maximal Causal Models for Sequentially Consistent Systems", RV 2012; Huang, "Fast and
// Effective Approaches for Verifying and Debugging Concurrent Programs", 2019, chapter 3). It rests on two axioms: a
// goroutine is a deterministic function of what its operations return, and a prefix of an execution is one. Here it is
// the model of a set of traces. The reduction is by persistent sets (Godefroid, "Partial-Order Methods for the
// Verification of Concurrent Systems", 1996, chapter 4).
//
// # Method
//
// Each goroutine, by its spawn path, has a graph (package known): a node is its state before an operation, an edge is
// an operation with what it met. The state of a sweep (sweep.go) is a node for each goroutine and a value for each
// object; no code of the user runs in it. From a state the serial specification (package spec) says what each operation
// would meet. If the graph has an edge for that, the sweep goes on; if not, the move waits, and the way to it is a
// seed. An execution of the seed shows the edge, and whatever lies behind; the sweep goes on from all states that
// waited for it. It is complete when nothing waits.
//
// Reduction (package reduce, rules RED1 to RED21). From a state the sweep follows the moves of a persistent set of
// goroutines, and states that differ in nothing that can matter have one name.
//
// While one goroutine alone is to move, the states between are not kept; but where one ends, whose history nothing can
// see any more, the state is looked up among those visited.
//
// What is known of the future grows. Where something was left out of a sweep because a node's future lacked it, and
// that future grows, the reduction may have been too bold: once nothing waits, the sweep begins again, until one has
// run from start to end without such growth. The same holds for the names of RED10. While much is unknown few futures
// are equal, so the first sweep does without them, unless it grows too large for what it shows. A sweep that must be
// repeated is given up when it has shown nothing for as long as it needed before; every second one follows moves in the
// opposite order, so that others go first. A sweep asks for an execution as soon as a move waits, and what an execution
// lets go on comes after the states that are there already. On the way to the waiting move, and while its goroutine
// stands behind it, others meet something new too, where they can (plan.go).
//
// Questions about several goroutines are asked of the states: in one where nothing can move, those left are blocked; in
// one where two goroutines stand at conflicting accesses, these race. Both are predictions, to be replayed before they
// are reported.
//
// Work is shared (expand.go, crew.go, and team.go). A large sweep expands its states in batches: what follows a state
// is a function of what is known, so several goroutines may look at once; it is settled in the order of the states. And
// executions are asked for ahead: while moves wait for those, the sweep goes on from other states. How many are asked
// for, and when what they show is absorbed, depends on the number of executions alone; so however many goroutines there
// are, the same executions are made in the same order.
//
// # Completeness
//
// When Next says exhausted, the graphs hold every operation of every execution, with what it met; and every race and
// every set of goroutines that can be blocked for ever was predicted. docs/completeness.md has the proof.
//
// # The second regime of time
//
// There the specification lets the clock move while goroutines can run (rules UEARLY1 to UEARLY5 of package spec): an
// early firing is a move of the timer's thread, the early end of a sleep one of the goroutine that sleeps. Executions
// that the program itself rejects are dropped, and with them what they show (explore.ownTimeout). Whether one is
// depends on more than one goroutine, so it is part of a state (UREJECT1 to UREJECT3), and what only dropped executions
// have shown is asked of the states again, at the end (accepted.go). docs/explorers.md has the design.
//
// # Store buffers
//
// Under a relaxed memory model the thread of a store buffer is a goroutine of the sweep. Its state is what is in the
// buffer, and it is told nothing: so its graph is not learned, but made as stores are met (rules UBUF1 to UBUF5 of
// package spec, RBUF1 to RBUF4 of package reduce). Races are not looked for: they are those of sequential consistency.
//
// # What is observed
//
// Everything that a goroutine is told. So every panic, failed assertion and wrong value is met in an execution. Not
// observed: which histories of different goroutines go together, and final memory that nobody reads.
//
// # Checks
//
// Each execution is performed in the specification as well (package learn). If the two do not agree, Absorb says so,
// and nothing is concluded: the explorer hands over to another one. So a primitive without a rule, or state that the
// trace does not show, leads to an honest answer.
//
// # Deviations
//
// The second stage of the plan, constraint solving where the sweep has too many states, is not built.
//
// # Limits
//
// No rule yet: what crosses the border of a bubble of testing/synctest; shared memory that a file is read into; locks
// whose bytes are touched as memory (DEP12 of package causality). docs/explorers.md has the whole list. A loop in which
// something is counted, or something made anew in each round that others come to know, has infinitely many nodes. The
// sweep is bounded by Budget. Names of states are hashes of 128 bits, those of a goroutine's own state of 64.
package union
