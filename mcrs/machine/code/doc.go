// Package code compiles functions from go/ssa form to register code.
//
// It knows layouts of types and no goroutines. What stops, allocates, communicates, or panics in ways of its own is the
// machine's. The machine gives a [Host] for each function, which compiles the instructions that code has none for.
// Addresses and numbers of what code names stand in links ([Link]): each machine has its own.
//
// # Registers
//
// A frame is a row of 8-byte words: parameters, results, the closure pointer, registers, constants. Each SSA value has
// a register. A value of a scalar type takes one word, extended to 64 bits by its sign. Any other value takes its bytes
// in memory layout, rounded up to words. Operands are byte offsets into the frame. A callee's frame starts where its
// caller's ends, so arguments are written where the callee reads them.
//
// Some values need no register:
//
//   - A local variable whose address is only loaded from and stored to is kept in the frame.
//   - The address of a field or element that is used once is part of its load or store (lazy).
//   - A comparison that only decides a branch is part of the jump (fused).
//   - A value that only flows into a phi is computed in the phi's register (coalesced).
//
// # Instructions
//
// Those that programs spend their time in have a number ([Op]), and the machine's loop has a case for each. What only
// computes, and is rare, is a Go function on the frame ([PureOp]). The rest is the machine's (OpClosure). So is what
// stands beside instructions where dependence is followed (OpFlow).
//
// # Where to find what
//
//	code.go       the instructions, and what a function is compiled to
//	host.go       what a compiler leaves to the machine
//	links.go      the numbers that each machine has its own of
//	compile.go    a compiler, and what it is done with
//	registers.go  where values stand in a frame
//	blocks.go     jumps, conditions, phis
//	instr.go      single instructions
//	arith.go      operators and conversions
//	memory.go     addresses, loads and stores
//	call.go       calls
//	liveness.go   which words of a frame can still be read
package code
