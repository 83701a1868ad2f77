package code

import (
	"go/types"
	"slices"

	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"golang.org/x/tools/go/ssa"
)

// This file says which variables a function literal captures by value.
//
//	CAPTURE1  go/ssa has a literal capture each variable by its address. As gc does, a literal captures by value what
//	          keeps its value from then on: nothing takes its address, no literal writes it, and no write follows where
//	          the literal is made, before the variable is made anew. It has at most maxByValue bytes. Then the variable
//	          is kept in the frame, as locals are, its value in the closure, and reads of it are no operations.
//
// No program can tell. What the literal reads is what the variable has held since it was made. The address is nowhere,
// so nobody compares it. And no race is lost, but one behind another: all writes come before the closure is made. Where
// one is not ordered before a read in the literal, the write of the closure's address into the memory from which it was
// read is not ordered before that read either, and that is a race, too. (gc decides by the source: a variable that is
// assigned to twice before the literal stands there is captured by reference. That differs in nothing else.)

// maxByValue is the size in bytes of the largest variable that a literal captures by value.
const maxByValue = 128

// keepsValue reports whether the literals that capture an address capture the value there (CAPTURE1). It is the same
// for a variable and for what captures it in each of the literals.
func keepsValue(ls *layout.Layouts, v ssa.Value) bool {
	for {
		switch x := v.(type) {
		case *ssa.Alloc:
			return x.Heap && ls.Of(deref(x.Type())).Size <= maxByValue && capturedByValue(x)
		case *ssa.FreeVar:
			made := madeAt(x.Parent())
			if made == nil {
				return false
			}
			v = made.Bindings[slices.Index(x.Parent().FreeVars, x)]
		default:
			return false
		}
	}
}

// madeAt returns the instruction that makes the closures of a function literal, nil if there is not just one.
func madeAt(fn *ssa.Function) (made *ssa.MakeClosure) {
	if fn.Parent() == nil {
		return nil
	}
	for _, r := range *fn.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.MakeClosure:
			if made != nil {
				return nil
			}
			made = r
		default:
			return nil
		}
	}
	return made
}

// capturedByValue is keepsValue for a small variable.
func capturedByValue(v *ssa.Alloc) bool {
	u := uses{}
	if !u.add(v, true) || len(u.closures) == 0 {
		return false
	}
	if len(u.stores) == 0 {
		return true
	}
	seen := make(map[*ssa.BasicBlock]bool)
	for _, in := range u.closures {
		b := in.Block()
		if storesBehind(b, slices.Index(b.Instrs, in)+1, v, u.stores, seen) {
			return false
		}
	}
	return true
}

// Uses are what is done with a variable in the function that declares it.
type uses struct {
	stores   []ssa.Instruction
	closures []ssa.Instruction // that capture it
}

// add notes the uses of an address, which is the variable's or that of a part of it, and reports whether all are loads,
// captures by literals that only load, and, in the function that declares it, stores.
func (u *uses) add(addr ssa.Value, own bool) bool {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
		case *ssa.Store:
			if r.Val == addr || !own {
				return false
			}
			u.stores = append(u.stores, r)
		case *ssa.FieldAddr:
			if !u.add(r, own) {
				return false
			}
		case *ssa.IndexAddr:
			if !constantElement(r, addr) || !u.add(r, own) {
				return false
			}
		case *ssa.MakeClosure:
			fn := r.Fn.(*ssa.Function)
			if madeAt(fn) != r {
				return false
			}
			for i, b := range r.Bindings {
				if b == addr && !u.add(fn.FreeVars[i], false) {
					return false
				}
			}
			if own {
				u.closures = append(u.closures, r)
			}
		default:
			return false
		}
	}
	return true
}

// storesBehind reports whether one of the stores follows the i-th instruction of a block, before the variable is made
// anew.
func storesBehind(b *ssa.BasicBlock, i int, v *ssa.Alloc, stores []ssa.Instruction, seen map[*ssa.BasicBlock]bool) bool {
	for _, in := range b.Instrs[i:] {
		if in == ssa.Instruction(v) {
			return false
		}
		if slices.Contains(stores, in) {
			return true
		}
	}
	for _, s := range b.Succs {
		if !seen[s] {
			seen[s] = true
			if storesBehind(s, 0, v, stores, seen) {
				return true
			}
		}
	}
	return false
}

// constantElement reports whether x is the address of an element of the array at addr, by an index that is in range
// whatever happens.
func constantElement(x *ssa.IndexAddr, addr ssa.Value) bool {
	k, ok := x.Index.(*ssa.Const)
	if x.X != addr || !ok {
		return false
	}
	arr, ok := deref(x.X.Type()).Underlying().(*types.Array)
	i, exact := constantIndex(k)
	return ok && exact && i >= 0 && i < arr.Len()
}

// Captured is what a closure keeps of what a literal captures: the layout, and where it is in the frame.
func (c *Registers) Captured(v ssa.Value) (l *layout.Layout, at int32) {
	if at, ok := c.local[v]; ok && keepsValue(c.layouts, v) {
		return c.layouts.Of(deref(v.Type())), at
	}
	return c.Layout(v), c.Reg(v)
}
