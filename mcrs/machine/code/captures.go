package code

import (
	"go/types"
	"slices"

	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"golang.org/x/tools/go/ssa"
)

// This file says which variables a function literal captures by value.
//
//	CAPTURE1  go/ssa has a literal capture each variable by its address. As gc does, a literal captures by value
//	          what keeps its value from then on: nothing takes its address, no literal writes it, and no write
//	          follows where the literal is made, before the variable is made anew. It has at most maxByValue
//	          bytes. Then the variable is kept in the frame, as locals are, its value in the closure, and reads
//	          of it are no operations.
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
			if !x.Heap || ls.Of(deref(x.Type())).Size > maxByValue {
				return false
			}
			if r := roundOf(x); r != nil {
				return roundByValue(r)
			}
			return capturedByValue(x)
		case *ssa.Phi:
			p, ok := x.Type().Underlying().(*types.Pointer)
			return ok && roundByValue(x) && ls.Of(p.Elem()).Size <= maxByValue
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

// capturedByValue is keepsValue for a small variable that no loop takes from round to round.
func capturedByValue(v *ssa.Alloc) bool {
	u := uses{}
	return u.add(v, true) && len(u.closures) > 0 && !u.changesBehind(u.closures, v)
}

// A loop with three clauses has a variable for each round. In go/ssa its address is a phi of those that are allocated
// before the loop and behind each round.

// roundOf returns the phi that takes a variable into a round, nil if there is none.
func roundOf(v *ssa.Alloc) *ssa.Phi {
	for _, r := range *v.Referrers() {
		if phi, ok := r.(*ssa.Phi); ok {
			return phi
		}
	}
	return nil
}

// roundByValue is keepsValue for the variable of a round: it is a copy of that which was allocated, and nobody uses
// that any more.
func roundByValue(round *ssa.Phi) bool {
	u := uses{}
	if !u.add(round, true) || len(u.closures) == 0 || u.changesBehind(u.closures, round) {
		return false
	}
	for _, e := range round.Edges {
		v, ok := e.(*ssa.Alloc)
		if !ok || !v.Heap {
			return false
		}
		before := uses{round: round}
		if !before.add(v, true) || len(before.closures) > 0 {
			return false
		}
		before.changes = append(before.changes, before.loads...)
		if before.changesBehind([]ssa.Instruction{round}, v) {
			return false
		}
	}
	return true
}

// Uses are what is done with a variable in the function that declares it.
type uses struct {
	round    *ssa.Phi // that may take it into a round
	loads    []ssa.Instruction
	changes  []ssa.Instruction
	closures []ssa.Instruction // that capture it
}

// add notes the uses of an address, which is the variable's or that of a part of it, and reports whether all are loads,
// captures by literals that only load, and, in the function that declares it, stores.
func (u *uses) add(addr ssa.Value, own bool) bool {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			if own {
				u.loads = append(u.loads, r)
			}
		case *ssa.Store:
			if r.Val == addr || !own {
				return false
			}
			u.changes = append(u.changes, r)
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
		case *ssa.Phi:
			if r != u.round {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// changesBehind reports whether a change follows one of the instructions before anew, which makes the variable anew. It
// goes back from the changes: most are not far behind that.
func (u *uses) changesBehind(from []ssa.Instruction, anew ssa.Instruction) bool {
	if len(u.changes) == 0 {
		return false
	}
	w := wayBack{from: make(map[ssa.Instruction]bool, len(from)), anew: anew, seen: make(map[*ssa.BasicBlock]bool)}
	for _, in := range from {
		w.from[in] = true
	}
	return slices.ContainsFunc(u.changes, func(in ssa.Instruction) bool {
		b := in.Block()
		return w.meets(b, slices.Index(b.Instrs, in))
	})
}

// A wayBack goes from instructions to those that come before them.
type wayBack struct {
	from map[ssa.Instruction]bool // that are looked for
	anew ssa.Instruction          // behind which nothing is
	seen map[*ssa.BasicBlock]bool
}

// meets reports whether an instruction that is looked for comes before the i-th of a block.
func (w *wayBack) meets(b *ssa.BasicBlock, i int) bool {
	for _, in := range slices.Backward(b.Instrs[:i]) {
		if w.from[in] {
			return true
		}
		if in == w.anew {
			return false
		}
	}
	for _, p := range b.Preds {
		if !w.seen[p] {
			w.seen[p] = true
			if w.meets(p, len(p.Instrs)) {
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

// Place is where a value is in the frame, and how many bytes it has there. Of the address of a variable that is kept
// there it is the variable's.
func (c *Registers) Place(v ssa.Value) (at, n int32) {
	if at, ok := c.local[v]; ok {
		return at, int32(c.layouts.Of(deref(v.Type())).Words()) * 8
	}
	return c.Reg(v), c.Words(v)
}

// Captured is what a closure keeps of what a literal captures: the layout, and where it is in the frame.
func (c *Registers) Captured(v ssa.Value) (l *layout.Layout, at int32) {
	if at, ok := c.local[v]; ok { // of a local variable nobody takes the address
		return c.layouts.Of(deref(v.Type())), at
	}
	return c.Layout(v), c.Reg(v)
}
