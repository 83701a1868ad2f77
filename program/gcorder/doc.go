// Package gcorder brings code in go/ssa form into gc's order of evaluation.
//
// # Why
//
// The specification orders calls, method calls, receive operations and binary logical operations from left to right. It
// leaves open when a variable that stands beside them is read. In
//
//	g.Go(func() error { v = 1; return nil })
//	return v, g.Wait()
//
// go/ssa reads v first, which is a race with the goroutine. gc waits first, and every program that was ever tested with
// gc relies on that. A checker that reports the race is right by the letter and of no use.
//
// # What gc does
//
// cmd/compile/internal/walk/order.go goes through an expression from left to right. It moves each operation with an
// effect or a cost into a statement of its own before it, and keeps the result in a temporary. These are calls,
// receives, len, cap, append, make, min, max, slicing, conversion of a string to a slice, and type assertion to a type
// that an interface does not hold directly. What remains is evaluated afterwards: reads of variables, fields, elements
// and map entries, dereferencing, arithmetic, comparison, other conversions, composite literals.
//
// # Method
//
// Within a basic block the instructions of one source statement stand together (a run). [Func] emits the run anew:
//
//   - What gc moves out stays in its order (fixed).
//   - The rest (late) waits until a fixed instruction needs its result, until something may change what it reads (a
//     store), or until the run ends. Late instructions keep their order among themselves, except for what walk.go says.
//   - A store into a variable that the run has just allocated (an element of a composite literal, of a variadic
//     argument) is late as well: it waits until the variable is used.
//   - DebugRefs follow the value they describe.
//
// A statement spans blocks where it contains && or ||, whose value gc computes into a temporary as it does a call's.
// go/ssa branches around the right operand and joins in a block named binop.done, which the branch dominates. What
// waits at the branch is not needed on the way there. So it moves to the join and goes on waiting: `return v, a && f()`
// reads v after f.
//
// Nothing moves out of its statement. Between blocks it moves only to one that its own dominates, with all its uses
// behind. So dominance and phis are untouched, and no Referrers change.
//
// # Where to find what
//
//	stmts.go        which statement an instruction was made for
//	order.go        runs: what is fixed, what waits, and for how long
//	temporaries.go  what gc copies to a temporary although it is no call
//	early.go        what gc copies to a temporary only where it builds for the race detector
//	walk.go         the order of what waits: it shows where two operands panic
//	index.go        the string or array of f()[g()] before its index
//	assign.go       the operands of assignments to memory
//	several.go      statements that assign or return several values
//	captures.go     which variables other code may reach
//	rangestate.go   not an order: the states of range loops over functions
//	selfassign.go   x = x, which gc leaves out
//	discards.go     y in `_, v = y, 1`, which gc leaves out
//	literals.go     literals of package variables, made in place
//	compare.go      comparisons of structs and arrays, part by part
//	arrayrange.go   range over an array that is not evaluated: in the syntax, before go/ssa reads it
//
// # Limits
//
// An instruction whose statement is not known stays where it is. docs/machine.md says what of gc's order depends on its
// optimiser and is not followed.
package gcorder
