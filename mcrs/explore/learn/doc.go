// Package learn adds executions to what is known of a program. A Watch notes, while an execution runs, what its trace
// does not have. Absorb performs the execution in the specification as well, and adds what is new.
//
// Before every step the transitions enabled must be those of the machine, and what operations return must agree. A node
// must always stand at the same operation, and an edge do the same, whatever history led there. If not, Absorb says so,
// and nothing is concluded: the explorer hands over to another one. So a primitive without a rule, or state that the
// trace does not show, leads to an honest answer.
package learn
