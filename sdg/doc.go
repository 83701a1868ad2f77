// Package sdg builds dependence graphs over go/ssa: which instruction's execution, or result, can depend on which
// other's.
//
// # Background
//
// A program dependence graph has an edge from a branch to what it decides (control dependence), and from a value to its
// uses (data dependence): Ferrante, Ottenstein, Warren, "The Program Dependence Graph and Its Use in Optimization",
// TOPLAS 1987. A slice is what reaches a node, or is reached from it. The system dependence graph joins the graphs of
// procedures by call, parameter and summary edges (Horwitz, Reps, Binkley, "Interprocedural Slicing Using Dependence
// Graphs", TOPLAS 1990). MCR-S asks it on which reads an event depends (S. Huang, "Fast and Effective Approaches for
// Verifying and Debugging Concurrent Programs", 2019, sections 4.1 and 4.2).
//
// [New] makes the graph of one function, [NewSystem] that of a closed program. [System.Backward] and its relatives
// answer questions.
//
// # Method
//
// The flow graph (flow.go) has the function's blocks, an entry and an exit.
//
//	CFG1 The entry leads to the first block, to the recover block if there is one, and to the exit.
//	CFG2 All Returns lead to one node, and that to the exit; Panic leads to the exit and the recover block.
//	CFG3 Before the first block of each strongly connected part that cannot be left stands a node that leads to it and
//	     to the exit.
//	CFG4 With ImplicitExits, so does each instruction that may not return (a call, a failing check of the run time, an
//	     operation that may block for ever): a block is cut after it.
//
// Post-dominators of that graph (postdom.go) give control dependence, and the gates of phis (control.go):
//
//	CTRL1 An instruction depends on the branch that ends part a, on side s, if its part post-dominates s and does not
//	      strictly post-dominate a.
//
// Data dependence is def-use (procedure.go):
//
//	DATA1 An instruction depends on its operands that are instructions, parameters or free variables.
//	DATA2 RunDefers depends on each Defer.
//	GATE1 A phi depends on the branches that choose among its edges: those on which its incoming edges depend by
//	      CTRL1, and those on which these depend, as far as the phi's immediate dominator.
//
// # Systems
//
// Functions and calls come from rapid and variable type analysis (calls.go). A system has the nodes of its procedures,
// and (join.go):
//
//	CALL1 Each function has an outcome for each result, and one for that it returns. A result depends on what is
//	      returned, on the branches that choose among several returns (as gates), and on what decides that the
//	      function returns.
//	CALL2 Each call has an argument node for each argument, the receiver first, and an outcome for each of the
//	      callee's. What used the call's value uses its outcome. What depended on the call as a branch depends on that
//	      it returned.
//	CALL3 A Call edge leads from the call, or from Go, Defer and RunDefers, to the entry of each possible callee.
//	CALL4 ParamIn edges lead from arguments to parameters, and from what a closure binds to its free variables.
//	CALL5 ParamOut edges lead from the outcomes of functions to those of calls.
//	CALL6 Outcomes of a function without a body depend on all its parameters. Those of a call that nothing known can
//	      answer depend on all arguments. With [Config.Effects], both depend on what the effect says.
//	CALL7 Calls of append and copy have an outcome, too. It depends on what they are given and on what decides that
//	      they execute, but not on the elements that they copy: those go from memory to memory.
//	SUM1  A Summary edge leads from an argument to an outcome of the same call, if the parameter leads to the outcome
//	      inside the callee (summary.go). It is a SummaryValue edge if it does so by data and gates alone.
//
// Memory is divided into classes (memory.go). Each is a node. An access makes an edge to or from its class, so the
// number of edges is linear:
//
//	MEM1  The class of an address is that of what it is: the field of the struct type, the elements of the type, or
//	      pointers to the type. A struct as a whole is all its fields.
//	MEM2  Some variables have classes of their own, one for each field: those whose address is only used to access
//	      them, or parts of them, or is captured by function literals that do the same.
//	MEM3  The address of a part that is used as a value joins the part's class with that of pointers to its type.
//	MEM4  A conversion of pointers joins the classes of what they point to. One to or from unsafe.Pointer joins them
//	      with all such.
//	MEM5  Loads and stores, builtin functions, maps (by type), channels (by element type), panics and recover touch
//	      their classes.
//	MEM6  A function without a body, and a call of what is not known, touches all that the types of its parameters
//	      lead to.
//
// A slice is context-sensitive (slice.go): Horwitz, Reps and Binkley, section 4. A walk through memory starts anew, for
// a class has no calling context. From then on it also asks whether things execute: what memory holds depends on
// whether it was written.
//
// # Deviations
//
// Horwitz, Reps and Binkley have no phis. GATE1 makes up for what their def-order edges and the paths through
// assignments say. It gives a superset of the gates of Ottenstein, Ballance and MacCabe ("The Program Dependence Web",
// PLDI 1990): a branch with one side that never reaches the phi is a gate here. Rule 2 of MCR-S, a path of data edges
// alone, has to count Gate edges as data. Case 4 of section 4.2.2.1 there (a call may crash) is CFG4. It is an option,
// because it makes everything depend on every check before it.
//
// The node of CFG3 is no instruction: what depends on it depends on what it depends on. So an endless loop depends on
// what leads into it, and what stands behind a branch into one depends on that branch. (An exit from the loop's first
// block itself would make its branch decide what it does not.)
//
// Horwitz, Reps and Binkley pass global variables as parameters. Classes of memory keep the graph linear instead, at
// the price of calling context. Return statements are not on the way from a value to an outcome; a slice has the
// outcome in their place. A call stands for two things there. Here it is two nodes: that it executes, and what comes of
// it.
//
// # Limits
//
// Classes are insensitive to the order of accesses. Package reflect, or assembly, may change a struct's fields through
// pointers that were converted elsewhere: that is seen only as far as MEM4 and MEM6 go. A range's iterator is a value,
// its advance no dependence. Values of panics by the run time count with ImplicitExits. Functions that only reflection
// calls have no callers. Explorers must not rely on the graph for soundness: they check what a seed does.
package sdg
