package machine

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"golang.org/x/tools/go/ssa"
)

// This file defines register code: what an ssa.Function is compiled to.
//
// A frame is a row of 8-byte words: parameters, results, the closure pointer, constants, and a register
// for each SSA value. A value of a scalar type takes one word, extended to 64 bits by its sign; any other
// value takes its bytes in memory layout, rounded up to words. Operands a, b, c are byte offsets into the
// frame. A callee's frame starts where its caller's ends, so arguments are written where the callee reads them.

type instr struct {
	op      op
	a, b, c int32
	k       uint64
}

// A status is what an operation outside the main loop answers.
type status uint8

const (
	done  status = iota
	yield        // the operation is pending: ask the scheduler, then run the instruction again
	panicked
	reload // the goroutine's frames changed: go on with the innermost
	halt   // the execution is over
)

// A closure op is an instruction too rare to have a number of its own.
type closureOp func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status

// An Intrinsic is a function of the boundary. w holds the words of its parameters, then those of its results.
type Intrinsic func(m *Machine, g *G, w []uint64) status

// A Func is a function of the closed program, compiled when it is first called.
type Func struct {
	id        uint32
	ssa       *ssa.Function
	name      string
	code      []instr
	sites     []event.Site // by pc
	frame     int32        // bytes, without outgoing arguments
	out       int32        // bytes of outgoing arguments and results, at most
	params    int32        // bytes of parameters
	results   int32        // bytes of results
	ctx       int32        // offset of the closure pointer
	constOff  int32
	consts    []uint64
	closures  []closureOp
	flows     []flowOp
	funcs     []*Func
	recoverPC int32 // of the Recover block, -1 if none
	compiled  bool
	silent    bool         // its accesses to memory and locks make no events
	loud      []loudAccess // but these (SILENT7)
	std       bool
	sync      bool // of a package of primitives: an event in it stands at its caller's line
	wrapper   bool // synthetic: recover() looks through it
	builtin   bool // a builtin function called by go or defer
	intrinsic Intrinsic
	quiet     bool   // of an intrinsic: see local.go
	missing   string // symbol of a function that has neither a body nor an intrinsic

	regs map[ssa.Value]int32 // offsets of registers
	live *liveness           // nil until it is asked for
}

type op uint16

const (
	opNop op = iota
	opMov
	opMov2
	opMov3
	opMovN // k bytes, a multiple of 8
	opZero // k bytes

	opJmp // to a; a jump backwards looks at the limits
	opJT
	opJF
	opJEq
	opJNe
	opJLtS
	opJLeS
	opJLtU
	opJLeU
	opJEqI
	opJNeI
	opJLtSI
	opJLeSI
	opJGtSI
	opJGeSI

	opAdd
	opSub
	opMul
	opDivS
	opDivU
	opRemS
	opRemU
	opAnd
	opOr
	opXor
	opAndNot
	opShl
	opShrS
	opShrU
	opShlChk // the count is signed and may be negative: panics
	opAddI
	opMulI
	opAndI
	opShlI
	opShrSI
	opShrUI
	opExt8S
	opExt16S
	opExt32S
	opExt8U
	opExt16U
	opExt32U
	opNeg
	opNot
	opNotB
	opEq
	opNe
	opLtS
	opLeS
	opLtU
	opLeU
	opAddF
	opSubF
	opMulF
	opDivF
	opLtF
	opLeF
	opEqF
	opNeF

	// Loads: a = *(b + k). c is the size in bytes of opLdN.
	opLd8S
	opLd16S
	opLd32S
	opLd8U
	opLd16U
	opLd32U
	opLd64
	opLdN
	// Stores: *(a + k) = b.
	opSt8
	opSt16
	opSt32
	opSt64
	opStP // a pointer
	opStN // c bytes; k: offset, and index of the pointer map in the high half
	// Loads from the frame (fields of values, and locals kept there).
	opFLd8S
	opFLd16S
	opFLd32S
	opFLd8U
	opFLd16U
	opFLd32U
	opFMov // k bytes from b to a
	opFSt8
	opFSt16
	opFSt32

	opIdx    // a = address of element c of the slice b; k element size
	opIdxArr // a = address of element c of the array at b; k: element size, length in the high half
	opIdxStr // a = byte c of the string b
	opLdIdx8U
	opLdIdx64
	opStIdx8  // slice a, index b, value c
	opStIdx64 // no pointers
	opNew     // a = new object; k: index of layout
	opAddr    // a = b + k, nil-checked

	opCall        // funcs[k], frame at a
	opCallClosure // function value b, frame at a
	opInvoke      // interface b, method c, frame at a
	opIntrinsic   // funcs[k], frame at a
	opSelf        // the function's own intrinsic
	opRet
	opRunDefers
	opClosure // closures[k]
	opCtx     // k bytes of the closure at offset b to a
	opCtx1
	opMissing // the function has no body: Incomplete
	opFlow    // flows[k]: see dependence.go
)
