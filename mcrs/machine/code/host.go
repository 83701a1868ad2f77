package code

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A Host compiles what package code does not. There is one for each function that is compiled.
type Host interface {
	Extension
	Follower
}

// An Extension compiles what there is no instruction for, to OpClosure.
type Extension interface {
	Start()                                                          // after the function's free variables have been loaded
	Rare(in ssa.Instruction)                                         // allocates, communicates, or may panic in ways of its own
	Builtin(name string, args []Operand, result int32, t types.Type) // a built-in function whose result is of type t
	Lacks(what string)                                               // ends the execution as unsupported
	Accessed(addr ssa.Value)                                         // is told that the instruction emitted last loads from an address, or stores to it
}

// A Follower may emit instructions beside others, see OpFlow.
type Follower interface {
	One(in ssa.Instruction)              // compiles an instruction that is no jump: by Compiler.Instr
	Join(b *ssa.BasicBlock)              // at the start of a block
	Branch(in *ssa.If)                   // before an If
	Phis(succ *ssa.BasicBlock, edge int) // before the moves of the phis of succ, on its way in of that number
}
