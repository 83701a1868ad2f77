package gcorder

import (
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// setBlock makes b the block of instr. go/ssa has no way to move an instruction to another block, so this writes the
// field that Block returns. If a new version of go/ssa has it otherwise, the tests of evaluation order fail.
func setBlock(instr ssa.Instruction, b *ssa.BasicBlock) {
	f := reflect.ValueOf(instr).Elem().FieldByName("block")
	*(**ssa.BasicBlock)(unsafe.Pointer(f.UnsafeAddr())) = b
}
