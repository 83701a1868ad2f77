// Package reduce says what need not be looked at: which moves of a state need not be followed (Choose), which states
// need not be told apart (Fingerprint), and which pairs of accesses are settled (LookForRaces). All of it rests on what
// goroutines may yet do, as far as it is known (Raise).
//
// From a state the sweep follows the moves of a persistent set of goroutines.
//
//	RED1   The set is closed: if t is in it, so is every u whose known future, before t moves, may be dependent with
//	       t's operation, or enable it. Of the sets that begin with an enabled goroutine the one with fewest moves is
//	       taken.
//	RED2   Who holds a lock keeps all others from it; its Unlock concerns only those who try.
//	RED3   A cell whose every known access holds one lock (a write exclusively) is nobody else's while it is held.
//	RED4   A write of a value that is there already is independent of atomic operations, and of operations that it is
//	       known to race with.
//	RED5   A Once that is done, and a closed channel that is empty, stay so.
//	RED6   Adds commute while what all others may yet take leaves the counter at zero or more; no Wait goes on while
//	       it leaves it positive. Who adds may take as much behind that, himself or by those whom he starts then, and
//	       it does not count.
//	RED7   A buffered send is dependent with sends, close, len and default, a receive with receives, len and default.
//	       Where others stand in the channel's queues (UBUBBLE5), it is dependent with all operations on all their
//	       channels.
//	RED8   A goroutine at Wait needs one goroutine without whose Add the counter stays positive.
//	RED9   In the name of a state, goroutines that ended and values that nothing known can see are left out.
//	RED10  In the name of a state, a goroutine is named by what is known of its future: operations, sites, edges, what
//	       these do to objects, and where they lead. So goroutines with the same history of what matters, or that run
//	       the same code, may change places. A node that a sweep meets first, and at whose operation the goroutine has
//	       been before, is named by itself until the next one begins: as little is known of its future as was of that
//	       of the round before. So is one on a way to a cycle of which something becomes known (RED20).
//	RED11  A goroutine that sleeps, or a timer that is not due, concerns nobody, and needs nobody: while a goroutine
//	       can move, and what others do is independent of that move, it can still move, and the clock stands. (In the
//	       second regime of time only where the deadline is one that is never early: UEARLY3.)
//	RED12  Of a state from which the set has a move along an edge that closed a cycle of its goroutine's graph, all
//	       moves are followed. Each cycle of states has such a move, so in none of them is anything put off for ever
//	       (Kurshan, Levin, Minea, Peled and Yenigun, "Static Partial Order Reduction", TACAS 1998).
//	RED13  In the second regime of time, a timer that is not active, and that nobody may start again, as far as is
//	       known, concerns nobody, and is no part of the name of a state; nor is the clock where nobody may read it or
//	       wait for it. Who may stop it finds it inactive whatever happens.
//	RED14  In the name of a state deadlines are relative to now (UTIME9), and now is no part of it while nobody may
//	       yet be told the time, as far as is known: nobody who may reads the clock, or looks at what a timer sends.
//	       How much of the bounds of time was used is no part of it either (UTIME11).
//	RED15  Additions whose results nobody looks at (UMEM3) commute, and who yet makes one does not see the cell: it is
//	       no part of the name of a state for that (RED9).
//	RED16  A load that is ignored (UMEM4) is dependent with writes for the sake of races alone, and who yet makes one
//	       does not see the cell either.
//
//	RED17  Receives from a buffered channel of equal elements commute while there are enough of them, and sends while
//	       there is room (takes.go).
//	RED18  Who comes to what concerns t's operation only after t has moved, since he waits for something that somebody
//	       gives only then, need not be in the set (order.go).
//	RED19  Whom RED18 left out in a sweep is asked once more when nothing waits: by what is known then.
//	RED20  Nodes on cycles are alike if no way from them, round after round, tells them apart (cycles.go).
//	RED21  Of edges that are alike all count as closing a cycle, for RED12, if one of them did.
//	RED22  In the second regime of time, a move that can move the clock now is dependent, for the clock's sake, with
//	       what reads the clock alone. Another one that can is to the same time (UEARLY1), and comes to be due by this
//	       one. What is stopped before it had no earlier deadline, and is stopped after it as well. A move that cannot
//	       be made yet needs those who move the clock, and those who stop what is due before.
//	RED23  Where it is looked for which Add to a wait group is the first, and who has to wait (BEHIND15 of package
//	       union), Adds to the group are dependent with each other and with Waits. So who may yet come to a Wait is in
//	       the set of an Add. Who comes to it alone comes earlier than in other orders, and has to wait if he had to
//	       there.
//	RED24  In the second regime of time, a sleep begins at any time, and ends at any time, for all that the clock's
//	       moves and others' sleeps are concerned, where no timer is active, nobody may yet start one or be told the
//	       time, as far as is known, nobody looks at the stacks of others, and no bound of time was met. Where a timer
//	       that is no ticker is active, it only begins at any time. (This is no independence: the deadlines differ.
//	       docs/completeness.md says why it is enough.)
//
// What store buffers add says buffers.go, rules RBUF1 to RBUF4.
package reduce
