// Package gcordertest checks what package gcorder leaves behind. It is for tests.
package gcordertest

import (
	"testing"

	"golang.org/x/tools/go/ssa"
)

// Check fails if a value is used where it need not be computed, or an instruction does not know its block.
func Check(t testing.TB, fn *ssa.Function) {
	t.Helper()
	for _, b := range fn.Blocks {
		at := make(map[ssa.Instruction]int)
		for i, instr := range b.Instrs {
			at[instr] = i
			if instr.Block() != b {
				t.Errorf("%s: %s stands in block %s and says %s", fn, instr, b, instr.Block())
			}
		}
		for i, instr := range b.Instrs {
			if _, ok := instr.(*ssa.Phi); ok {
				continue
			}
			for _, op := range instr.Operands(nil) {
				def, ok := (*op).(ssa.Instruction)
				switch {
				case !ok:
				case def.Block() == b && at[def] >= i:
					t.Errorf("%s: %s uses %s, which comes after it", fn, instr, def)
				case !def.Block().Dominates(b) && b != fn.Recover:
					t.Errorf("%s: %s uses %s, which does not dominate it", fn, instr, def)
				}
			}
		}
	}
}
