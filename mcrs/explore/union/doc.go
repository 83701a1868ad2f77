// Package union is the engine of the union explorer: it reasons about all executions of a program so far at once, and
// says which execution would show a goroutine something new. It runs nothing itself.
//
// # Background
//
// The maximal causal model of a trace is the set of all traces that every program must have that has this one
// (Serbanuta, Chen and Rosu, "Maximal Causal Models for Sequentially Consistent Systems", RV 2012; Huang, "Fast and Effective
// Approaches for Verifying and Debugging Concurrent Programs", 2019, chapter 3). It rests on two axioms: a goroutine is a
// deterministic function of what its operations return, and a prefix of an execution is one. Here it is the model of a set of traces.
// The reduction is by persistent sets (Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", 1996, chapter 4).
//
// # Method
//
// Each goroutine, by its spawn path, has a graph (know.go): a node is its state before an operation, an edge is an operation with what it met.
// The state of a sweep (sweep.go) is a node for each goroutine and a value for each object; no code of the user runs in
// it. From a state the serial specification (spec.go) says what each operation would meet. If the graph has an
// edge for that, the sweep goes on; if not, the move waits, and the way to it is a seed. An execution of the seed shows the edge, and whatever
// lies behind; the sweep goes on from all states that waited for it. It is complete when nothing waits.
//
//	UMEM1   A read returns the bytes last written, or published; those at the start of an execution are learned from the first that reads them.
//	       A read-modify-write is one operation: what it found decides what it returns and what it leaves.
//	UMAP1   A key of a map: the write that last wrote it. The map as a whole: all writes, in order.
//	UOBJ1   An object with a specification written in Go: all its writes, in order.
//	ULOCK1  Lock of a mutex is enabled while nobody holds it.
//	ULOCK2  LockAnnounce and RLock are enabled while no writer holds the lock or has announced itself.
//	ULOCK3  Lock after LockAnnounce is enabled when no reader is left.
//	ULOCK4  Unlock and RUnlock of what is not locked fail.
//	UWG1    Add changes the counter, and fails below zero.
//	UWG2    Wait is enabled at zero.
//	UONCE1  The first OnceBegin is told so; others are enabled at OnceEnd.
//	UCOND1  Tickets are a queue of goroutines; Signal takes the first, Broadcast all.
//	UCOND2  CondWait is enabled when the goroutine is not in the queue.
//	CHAN   The rules CHAN1 to CHAN7 of the Go machine.
//	TIME   The rules UTIME1 to UTIME6: see clock.go. The clock moves in a state in which nothing is enabled; no move
//	       of a goroutine does it.
//	UGO1    A goroutine's graph begins with its function and arguments; what these reach is published by its start.
//	UGO2    NumGoroutine meets the number of goroutines of the state, not of timers, and those that the program has beside them: the same
//	       number always. So go, the end of a goroutine, and the firing of a timer, which may start one, are dependent with it. Where
//	       nobody asks, they are dependent with nothing (count.go).
//	UEND1   Panic and Exit end one goroutine, and mark the state: nothing is concluded from what is blocked in it. The others
//	       go on, for an execution that ends so early is a prefix of one that does not.
//
// Where the machine can name the state of a goroutine (sched.Local), all histories that lead to equal names lead to one node: what one execution
// shows behind it is known of all. In the name is what the goroutine can still see without an operation of its own; beside it the node has the locks that it holds, and, if the goroutine has
// done something that neither an operation nor the name shows, the history until then. A goroutine that goes round in a loop comes back to a node, and its graph has a
// cycle. Where a state has no name, and if Apart is set, the node is a history.
//
// Memory (layout.go) is cut into cells along the accesses seen. A cell that one goroutine touches is no part of a state, for the history of that goroutine says what is there. When
// an execution shows another goroutine there, or two histories of that goroutine lead to one node, the shape of states changes, and the sweep begins again; nothing is executed for that.
//
// Reduction (reduce.go). From a state the sweep follows the moves of a persistent set of goroutines.
//
//	RED1   The set is closed: if t is in it, so is every u whose known future, before t moves, may be dependent with
//	       t's operation, or enable it. Of the sets that begin with an enabled goroutine the one with fewest moves is taken.
//	RED2   Who holds a lock keeps all others from it; its Unlock concerns only those who try.
//	RED3   A cell whose every known access holds one lock (a write exclusively) is nobody else's while it is held.
//	RED4   A write of a value that is there already is independent of atomic operations, and of operations that it is known to race with.
//	RED5   A Once that is done, and a closed channel that is empty, stay so.
//	RED6   Adds commute while what all others may yet take leaves the counter at zero or more; no Wait goes on while it leaves it positive.
//	RED7   A buffered send is dependent with sends, close, len and default, a receive with receives, len and default.
//	RED8   A goroutine at Wait needs one goroutine without whose Add the counter stays positive.
//	RED9   In the name of a state, goroutines that ended and values that nothing known can see are left out.
//	RED10  In the name of a state, a goroutine is named by what is known of its future: operations, sites, edges, what these do to objects, and where they
//	       lead. So goroutines with the same history of what matters, or that run the same code, may change places. (Not where their graphs have cycles.)
//	RED11  A goroutine that sleeps, or a timer that is not due, concerns nobody, and needs nobody: while a goroutine can move, and what others do is
//	       independent of that move, it can still move, and the clock stands.
//	RED12  Of a state from which the set has a move along an edge that closed a cycle of its goroutine's graph, all moves are followed. Each cycle of
//	       states has such a move, so in none of them is anything put off for ever (Kurshan, Levin, Minea, Peled and Yenigun, "Static Partial Order Reduction", TACAS 1998).
//
// While one goroutine alone is to move, the states between are not kept; but where one ends, whose history nothing can see any more, the state is looked up
// among those visited.
//
// What is known of the future grows. Where something was left out of a sweep because a node's future lacked it, and that future grows, the
// reduction may have been too bold: once nothing waits, the sweep begins again, until one has run from start to end without such growth.
// The same holds for the names of RED10. While much is unknown few futures are equal, so the first sweep does without them, unless it grows too large for what
// it shows. A sweep that must be repeated is given up when it has shown nothing for as long as it needed before; every second one follows moves in the opposite order, so
// that others go first. A sweep asks for an execution as soon as a move waits, and what an execution lets go on comes after
// the states that are there already. On the way to the waiting move, and while its goroutine stands behind it, others meet something new too, where they can (plan.go).
//
// Questions about several goroutines are asked of the states: in one where nothing can move, those left are blocked; in
// one where two goroutines stand at conflicting accesses, these race. Both are predictions, to be replayed before they are reported.
//
// Work is shared (expand.go, crew.go, and team.go). A large sweep expands its states in batches: what follows a state is a function of what is known, so
// several goroutines may look at once; it is settled in the order of the states. And executions are asked for ahead: while moves wait for those, the sweep
// goes on from other states. How many are asked for, and when what they show is absorbed, depends on the number of executions alone; so however many goroutines there are, the
// same executions are made in the same order.
//
// # Completeness
//
// Claim: when Next says exhausted, the graphs hold every operation of every execution, with what it met.
//
// Suppose not. Take an execution and its first event whose edge is missing. All events before it are in the graphs, for an edge from the node of a goroutine's state leads to the node
// of the state after it, whoever's history has shown it; and by
// the specification they lead through states of the (unreduced) sweep to one where this operation meets something for which there is no edge:
// a state with a waiting move. In the last sweep nothing waited. With the reduction: the transition system of the graphs is finite, a waiting move taken as the end of its
// goroutine. If it has no cycles, a persistent-set search meets, for each of its maximal executions, an
// equivalent one (Godefroid, theorem 4.3 and its proof), so it meets the waiting move. With cycles, RED12 is the proviso under which it does so for executions
// without end as well. ∎
//
// Blocked sets: states without moves are met by every persistent-set search. Races: let a and b be next together in some state, and
// take the maximal execution with a, b in a row, and the equivalent one that was met, with a first, at state s. The set chosen at s has t, who moves
// a, and u, whose future has b (RED3 and RED4 except only pairs that cannot race or that are known). What leads u to b from s does not need a. The
// first step of it that is in the set of s is enabled there and commutes to the front; if there is none, u stands at b in s. By induction on
// its length a state with both next is met; lookForRaces looks at every state with more than one move to follow. ∎
//
// Executions without end: in a loop the specification has no missing edge, so that goroutines can go on for ever, while others wait in vain, is seen in no execution that the engine asks for. So,
// where graphs have cycles, the last sweep keeps which states follow which: if from one of them no state is reached in which nothing can move, Next says Endless, and nothing is concluded. (By
// the proviso the sweep meets such a state if there is one: an execution that goes on from it for ever has an equivalent there.) What the machine calls idle, a round of a polling loop, is a
// step like others to the specification, where the states that it goes through have names.
//
// RED10: in the last sweep the names of futures did not change. States with equal names have the same successors but for who is who, so what
// is said above holds of the states up to such renaming, and with them a missing edge, a race and a blocked state are kept: their sites are part of
// the name. Who is blocked is not kept, nor whether somebody could still reach what it waits for; so once a state is met in which a goroutine is blocked, sweeps
// merge no more, and begin again. Where none is met there is none.
//
// # What is observed
//
// Everything that a goroutine is told. So every panic, failed assertion and wrong value is met in an execution. Not observed:
// which histories of different goroutines go together, and final memory that nobody reads.
//
// # Checks
//
// Each execution is performed in the specification as well: before every step the transitions enabled must be those of the machine,
// and what operations return must agree; a node must always stand at the same operation, and an edge do the same, whatever history led there. If not, Absorb says so, and nothing is
// concluded: the explorer hands over to another one. So a primitive without a rule, or state that the trace does not show, leads to an honest answer.
//
// # Deviations
//
// The second stage of the plan, constraint solving where the sweep has too many states, is not built.
//
// # Limits
//
// No rule yet: the second regime of time; bubbles of testing/synctest; memory that the host reads or writes; locks whose bytes are touched as memory (DEP12 of package causality); strings,
// closures and values in interfaces that differ and have one address, for their content is read without events. A loop in which something is
// counted, or made anew in each round, has infinitely many nodes. The sweep is bounded by Budget. Names of states are hashes of 128 bits, those of a goroutine's own state of 64.
package union
