// Package solver decides order constraints: is there a total order of some nodes, and a value for some booleans, that
// satisfies a set of clauses? It knows no events.
//
// # Background
//
// Predictive analyses ask for a reordering of a trace. Ge, Ma, Huang and Zhang ("SMT Solving for the Theory of Ordering
// Constraints", LCPC 2015) noticed that such formulas need no arithmetic: a set of strict order atoms is satisfiable
// exactly if the graph of its edges has no cycle. He, Sun and Fan ("Satisfiability Modulo Ordering Consistency Theory
// for Multi-threaded Program Verification", PLDI 2021) built a solver for memory models on that.
//
// # Method
//
// The method is conflict-driven clause learning over a theory of acyclicity:
//
//   - Two watched literals, first unique implication point, and back-jumping (Marques-Silva and Sakallah, GRASP, 1999;
//     Moskewicz et al., Chaff, 2001). The loop is that of Eén and Sörensson, "An Extensible SAT-solver", 2003.
//   - Restarts after Luby, Sinclair and Zuckerman, "Optimal Speedup of Las Vegas Algorithms", 1993. Learnt clauses with
//     many levels are dropped (Audemard and Simon, "Predicting Learnt Clauses Quality", IJCAI 2009).
//   - True order atoms are edges of a graph. Its topological order is repaired as edges come (Pearce and Kelly, "A
//     Dynamic Topological Sort Algorithm for Directed Acyclic Graphs", JEA 2006). A cycle is explained by its atoms.
//     The search is breadth first, so explanations are short. Undoing removes edges; the order stays valid.
//
// A decision sets a boolean to false, and an order atom to what the current topological order says. Booleans come
// first. So what nobody asks for stays false, the first order tried is that in which the nodes were made, and deciding
// an atom breaks nothing that holds. A caller may know which few literals a model needs. Then it decides itself
// (Options.Branch), and the others never get a value.
//
// # Deviations
//
// There is no theory propagation: an atom that follows from others by transitivity is found by a conflict. Phases are
// not saved; the maintained order takes their place.
//
// # Limits
//
// Unless the caller branches, every variable in a clause that is not yet a fact gets a value before a model is offered.
// So a Solve is at least linear in their number. A Solver is not safe for concurrent use.
package solver

// A Lit is a boolean variable (positive) or its negation. 0 is no literal.
type Lit int32

// Not returns the negation of l.
func (l Lit) Not() Lit { return -l }

// A Node is an element of the order.
type Node int32

// A Status is the answer of Solve.
type Status uint8

const (
	Unknown Status = iota // the limit struck
	Sat
	Unsat
)

func (s Status) String() string { return [...]string{"unknown", "sat", "unsat"}[s] }

// Options of one Solve. The zero value means no limit and no refinement.
type Options struct {
	// Limit is the number of conflicts, plus models refused by Refine, after
	// which the answer is Unknown; 0 means none. What Branch adds does not count.
	Limit int
	// Refine is asked about each model before Solve returns it. It may look at
	// Value and Order, and refuses the model by adding a clause that the model
	// breaks. (A clause the model satisfies would be asked about again.)
	Refine func()
	// Branch says what to decide next, where the caller knows better than the solver what a model still lacks. It is
	// asked when all consequences are drawn. Value and Order then speak of the search as it stands. A boolean without a
	// value counts as false, an order atom without one as the current order says; Known tells the difference.
	//
	// A literal without a value becomes true. 0 says that all is well: the state is a model. Not all clauses need be
	// true in it; that is the caller's concern. Branch may add clauses, as Refine may. It is then asked again.
	//
	// With Branch set, Refine is not used. A Solver that decides for itself ignores Branch and uses Refine, so give
	// both.
	Branch func() Lit
	// Fresh lets the search begin with the order in which the nodes were made, if the static edges and the facts found
	// allow it. Else it begins with the order that the last Solve left. It promises nothing about the answer.
	Fresh bool
}

// A Solver holds a formula, which only grows.
//
// Semantics: a model is a total order of all nodes that respects the static
// edges, and a boolean for each variable, such that Before(a, b) is true exactly if a
// comes first, and every clause has a true literal.
//
// Laws: equal calls in equal order give equal answers. Solve answers Sat or Unsat rightly or not at
// all. Learnt facts never outlive their truth: assumptions hold for one Solve.
type Solver interface {
	NewVar() Lit
	// NewNode adds a node, which Order lists where in is true; 0 means always.
	NewNode(in Lit) Node
	// AddEdge demands a before b.
	AddEdge(a, b Node)
	// Before returns the order atom "a before b"; Before(b, a) is its negation.
	Before(a, b Node) Lit
	// AddClause demands that one of lits be true.
	AddClause(lits ...Lit)

	// Solve looks for a model in which all assumptions are true.
	Solve(o Options, assumptions ...Lit) Status
	// Value is the value of l in the last model: false for a variable newer than it.
	Value(l Lit) bool
	// Known reports, while Branch runs, whether l has a value in the search so far.
	Known(l Lit) bool
	// Order appends the included nodes to into, as the last model orders them.
	Order(into []Node) []Node
	// Core returns a subset of the assumptions of the last Solve that cannot
	// hold together, if it answered Unsat; empty if none of them is to blame.
	Core() []Lit
}
