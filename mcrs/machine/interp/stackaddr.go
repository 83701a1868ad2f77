package interp

import (
	"go/types"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"golang.org/x/tools/go/ssa"
)

// This file is for numbers that are made of the address of a local variable. The compiler has such a variable on the
// stack of its goroutine. So the number is the same in each call from one place, and programs tell goroutines apart by
// it. In the machine the variable is allocated anew in each call, so the number is another one (NUMBER4 of package vm).
// That cannot be told from the number of the variable's place, if nobody makes a pointer of it again.

// stackSlots is how many such variables a function can have, of a word at most.
const stackSlots = 8

// numberOf compiles the conversion of a pointer to a number.
func (c *compiler) numberOf(in *ssa.Convert, dst int32) {
	slot, ok := c.onStack(in)
	if !ok {
		c.Move(dst, c.Eval(in.X), 8)
		return
	}
	c.closure(dst, 0, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		vm.St(fp, in.A, vm.StackNumber(m, g, slot))
		return vm.Done
	})
}

// onStack reports whether the pointer is the address of a local variable whose pointers all become numbers, and these
// no pointers again. slot numbers the variables of the function.
func (c *compiler) onStack(in *ssa.Convert) (slot int, ok bool) {
	from, ok := in.X.(*ssa.Convert)
	if !ok {
		return 0, false
	}
	v, ok := from.X.(*ssa.Alloc)
	if !ok {
		return 0, false
	}
	if size := c.layouts.Of(vm.Deref(v.Type())).Size; size == 0 || size > 8 {
		return 0, false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
		case *ssa.Store:
			if r.Val == v {
				return 0, false
			}
		case *ssa.Convert:
			for _, n := range *r.Referrers() {
				if _, debug := n.(*ssa.DebugRef); debug {
					continue
				}
				if n, is := n.(*ssa.Convert); !is || !isKind(n, types.Uintptr) || !c.staysNumber(n, map[ssa.Value]bool{}) {
					return 0, false
				}
			}
		default:
			return 0, false
		}
	}
	for _, b := range in.Parent().Blocks {
		for _, i := range b.Instrs {
			if i == v {
				return slot, slot < stackSlots
			}
			if a, is := i.(*ssa.Alloc); is && a.Heap {
				slot++
			}
		}
	}
	return 0, false
}

func isKind(v ssa.Value, k types.BasicKind) bool {
	b, ok := v.Type().Underlying().(*types.Basic)
	return ok && b.Kind() == k
}

// staysNumber reports whether no pointer is made of a number, by what its function does with it and those that it
// calls.
func (c *compiler) staysNumber(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Return: // behind the return the variable is gone
		case *ssa.BinOp:
			if !isKind(r, types.Bool) && !isKind(r, types.UntypedBool) && !c.staysNumber(r, seen) {
				return false
			}
		case *ssa.IndexAddr: // it is the index
		case *ssa.Phi:
			if !c.staysNumber(r, seen) {
				return false
			}
		case *ssa.Convert:
			if isKind(r, types.UnsafePointer) || !c.staysNumber(r, seen) {
				return false
			}
		case *ssa.Call:
			f := r.Call.StaticCallee()
			if f == nil {
				return false
			}
			if f = c.body(f); f.Blocks == nil {
				return false
			}
			for i, arg := range r.Call.Args {
				if arg == v && !c.staysNumber(f.Params[i], seen) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}
