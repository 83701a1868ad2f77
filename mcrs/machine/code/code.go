package code

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"golang.org/x/tools/go/ssa"
)

// This file defines register code.

// An Instr is one instruction. A, B and C are byte offsets into the frame, but for jumps, whose A is a pc.
type Instr struct {
	Op      Op
	A, B, C int32
	K       uint64
}

// Code is what a function is compiled to.
type Code struct {
	Instrs    []Instr
	Sites     []event.Site // by pc: numbers of Places, from 1 on, until a machine gives them its own
	Frame     int32        // bytes, without outgoing arguments
	Out       int32        // bytes of outgoing arguments and results, at most
	Params    int32        // bytes of parameters
	Results   int32        // bytes of results
	Ctx       int32        // offset of the closure pointer
	ConstOff  int32
	Consts    []uint64
	Pure      []PureOp
	RecoverPC int32 // of the Recover block, -1 if none
	Links     []Link
	Places    []ssa.Instruction // those that sites are of

	Regs map[ssa.Value]int32 // offsets of registers
	Kept []Kept              // variables in the frame
	Free []Capture           // what the closure keeps, by free variable
}

// A Capture is what a closure keeps of a variable.
type Capture struct {
	At    uint64 // in the closure, in bytes
	Value bool   // its value, not its address (CAPTURE1)
}

// A Kept is a variable in the frame: a local one, or the value that a literal has captured.
type Kept struct {
	Addr  ssa.Value
	At, N int32 // bytes
}

// A PureOp computes a register from registers, and nothing else. It is an instruction too rare to have a number of its
// own.
type PureOp func(fp unsafe.Pointer, in *Instr)

// An Op is the number of an instruction. In the comments, a, b, c and k are its operands. Where k is not an index of a
// table of Code, the machine keeps the table.
type Op uint16

const (
	OpNop Op = iota
	OpMov
	OpMov2
	OpMov3
	OpMovN // k bytes, a multiple of 8
	OpZero // k bytes

	OpJmp // to a; a jump backwards looks at the limits
	OpJT
	OpJF
	OpJEq
	OpJNe
	OpJLtS
	OpJLeS
	OpJLtU
	OpJLeU
	OpJEqI
	OpJNeI
	OpJLtSI
	OpJLeSI
	OpJGtSI
	OpJGeSI

	OpAdd
	OpSub
	OpMul
	OpDivS
	OpDivU
	OpRemS
	OpRemU
	OpAnd
	OpOr
	OpXor
	OpAndNot
	OpShl
	OpShrS
	OpShrU
	OpShlChk // the count is signed and may be negative: panics
	OpAddI
	OpMulI
	OpAndI
	OpShlI
	OpShrSI
	OpShrUI
	OpExt8S
	OpExt16S
	OpExt32S
	OpExt8U
	OpExt16U
	OpExt32U
	OpNeg
	OpNot
	OpNotB
	OpEq
	OpNe
	OpLtS
	OpLeS
	OpLtU
	OpLeU
	OpAddF
	OpSubF
	OpMulF
	OpDivF
	OpLtF
	OpLeF
	OpEqF
	OpNeF

	// Loads: a = *(b + k). c is the size in bytes of OpLdN.
	OpLd8S
	OpLd16S
	OpLd32S
	OpLd8U
	OpLd16U
	OpLd32U
	OpLd64
	OpLdN
	// Stores: *(a + k) = b.
	OpSt8
	OpSt16
	OpSt32
	OpSt64
	OpStP // a pointer
	OpStN // c bytes; k: offset, and index of the pointer map in the high half
	// Loads from the frame (fields of values, and locals kept there).
	OpFLd8S
	OpFLd16S
	OpFLd32S
	OpFLd8U
	OpFLd16U
	OpFLd32U
	OpFMov // k bytes from b to a
	OpFSt8
	OpFSt16
	OpFSt32

	OpIdx    // a = address of element c of the slice b; k element size
	OpIdxArr // a = address of element c of the array at b; k: element size, length in the high half
	OpIdxStr // a = byte c of the string b
	OpLdIdx8U
	OpLdIdx64
	OpStIdx8  // slice a, index b, value c
	OpStIdx64 // no pointers
	OpNew     // a = new object; k: index of layout
	OpAddr    // a = b + k, nil-checked

	OpCall        // funcs[k], frame at a
	OpCallClosure // function value b, frame at a
	OpInvoke      // interface b, method c, frame at a
	OpIntrinsic   // funcs[k], frame at a
	OpSelf        // the function's own intrinsic
	OpRet
	OpRunDefers
	OpClosure // closures[k], of the machine
	OpPure    // Pure[k]
	OpCtx     // k bytes of the closure at offset b to a
	OpCtx1
	OpMissing // the function has no body: Incomplete
	OpFlow    // flows[k]: see package flow
)
