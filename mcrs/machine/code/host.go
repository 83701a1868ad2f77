package code

import (
	"go/types"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"golang.org/x/tools/go/ssa"
)

// A Host is what a compiler asks of the machine that runs its code. There is one for each function that is compiled.
type Host interface {
	Program
	Extension
	Follower
}

// A Program has numbers and addresses for what code names.
type Program interface {
	GlobalAddr(g *ssa.Global) uint64
	FuncValue(fn *ssa.Function) uint64                       // the address of the value of a function that is no closure
	StringData(s string) (p, n uint64)                       // the header of a string constant
	Callee(fn *ssa.Function) (index uint64, intrinsic bool)  // of a static call: its index among the functions that this one calls
	Method(iface types.Type, method *types.Func) (index int) // its index in an itab
	LayoutIndex(l *layout.Layout) uint64                     // see OpNew
	PtrMapIndex(p *mem.PtrMap) uint64                        // see OpStN
	Site(in ssa.Instruction) event.Site                      // a new number for the place of an instruction
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
