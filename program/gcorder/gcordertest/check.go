// Package gcordertest checks what package gcorder leaves behind. It is for tests.
package gcordertest

import (
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// Check fails if a value is used where it need not be computed, an instruction does not know its block, or blocks do
// not hang together.
func Check(t testing.TB, fn *ssa.Function) {
	t.Helper()
	split := false
	for i, b := range fn.Blocks {
		split = split || b.Comment == "compare.done"
		if b.Index != i || b.Parent() != fn {
			t.Errorf("%s: block %d says that it is block %d of %s", fn, i, b.Index, b.Parent())
		}
		for _, s := range b.Succs {
			if !slices.Contains(s.Preds, b) {
				t.Errorf("%s: block %s does not know that %s comes before it", fn, s, b)
			}
		}
		for _, p := range b.Preds {
			if !slices.Contains(p.Succs, b) {
				t.Errorf("%s: block %s does not come after %s", fn, b, p)
			}
		}
	}
	if split {
		checkDominators(t, fn)
	}
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
				case !slices.Contains(*(*op).Referrers(), instr):
					t.Errorf("%s: %s does not know that %s uses it", fn, def, instr)
				case def.Block() == b && at[def] >= i:
					t.Errorf("%s: %s uses %s, which comes after it", fn, instr, def)
				case !def.Block().Dominates(b) && b != fn.Recover:
					t.Errorf("%s: %s uses %s, which does not dominate it", fn, instr, def)
				}
			}
		}
	}
}

// checkDominators compares the dominator tree with the definition: a block dominates those that no way without it leads
// to.
func checkDominators(t testing.TB, fn *ssa.Function) {
	t.Helper()
	reach := func(without *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
		seen := map[*ssa.BasicBlock]bool{without: true}
		todo := []*ssa.BasicBlock{fn.Blocks[0]}
		for len(todo) > 0 {
			b := todo[len(todo)-1]
			if todo = todo[:len(todo)-1]; !seen[b] {
				seen[b] = true
				todo = append(todo, b.Succs...)
			}
		}
		delete(seen, without)
		return seen
	}
	all := reach(nil)
	for _, a := range fn.Blocks {
		if !all[a] {
			continue
		}
		left := reach(a)
		for _, b := range fn.Blocks {
			if all[b] && a.Dominates(b) == left[b] {
				t.Errorf("%s: block %s dominates %s: %t", fn, a, b, a.Dominates(b))
			}
		}
	}
}
