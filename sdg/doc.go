// Package sdg builds dependence graphs over go/ssa: which instruction's
// execution, or result, can depend on which other's.
//
// # Background
//
// A program dependence graph has an edge from a branch to what it decides
// (control dependence) and from a value to its uses (data dependence): Ferrante,
// Ottenstein, Warren, "The Program Dependence Graph and Its Use in
// Optimization", TOPLAS 1987. A slice is what reaches a node, or is reached from
// it. The system dependence graph joins the graphs of procedures by call,
// parameter and summary edges (Horwitz, Reps, Binkley, "Interprocedural Slicing
// Using Dependence Graphs", TOPLAS 1990). MCR-S asks it on which reads an event
// depends (S. Huang, "Fast and Effective Approaches for Verifying and Debugging Concurrent Programs", 2019,
// section 4.1 and 4.2). So far the package has the graph of one procedure.
//
// # Method
//
// The flow graph (flow.go) has the function's blocks, an entry and an exit.
//
//	FLOW1 The entry leads to the first block, to the recover block if there is one, and to the exit.
//	FLOW2 Return leads to the exit; Panic to the exit and the recover block.
//	FLOW3 Before the first block of each strongly connected part that cannot be left stands a node that
//	      leads to it and to the exit.
//	FLOW4 With ImplicitExits, so does each instruction that may not return (a call, a failing
//	      check of the run time, an operation that may block for ever): a block is cut after it.
//
// Post-dominators of that graph (postdom.go) give control dependence (control.go):
//
//	CTRL1 An instruction depends on the branch that ends part a, on side s, if its part
//	      post-dominates s and does not strictly post-dominate a.
//
// Data dependence is def-use (data.go):
//
//	DATA1 An instruction depends on its operands that are instructions, parameters or free variables.
//	DATA2 RunDefers depends on each Defer.
//	GATE1 A phi depends on the branches that choose among its edges: those on which its incoming edges
//	      depend by CTRL1, and those on which these depend, as far as the phi's immediate dominator.
//
// # Deviations
//
// Horwitz, Reps and Binkley have no phis; GATE1 makes up for what their def-order edges
// and the paths through assignments say. It is a superset of the gates of Ottenstein, Ballance and MacCabe ("The
// Program Dependence Web", PLDI 1990): a branch with one side that never reaches the phi is a gate here.
// Rule 2 of MCR-S, a path of data edges alone, is to count Gate edges as data.
// Case 4 of section 4.2.2.1 there (a call may crash) is FLOW4; it is an option because it makes everything
// depend on every check before it.
//
// The node of FLOW3 is no instruction: what depends on it depends on what it depends on. So an endless loop
// depends on what leads into it, and what stands behind a branch into one depends on that branch. (An exit from the loop's first block
// itself would make its branch decide what it does not.)
//
// # Limits
//
// Flow through memory makes no edge: a load does not depend on the stores that it may see. Nor does
// what happens in a callee. A range's iterator is a value, its advance no dependence.
package sdg
