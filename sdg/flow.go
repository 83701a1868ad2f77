package sdg

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// This file defines the flow graph that dependence is computed on: rules CFG1 to CFG4.

// The first two parts of every flow graph.
const (
	entryPart  = 0
	exitPart   = 1
	returnPart = 2 // all ways to return
)

// A part is a run of instructions of one block that is entered at its first
// and left at its last. The entry, the exit and the return have no block.
type part struct {
	block  *ssa.BasicBlock
	lo, hi int // the instructions block.Instrs[lo:hi]
}

// last returns the instruction that decides where control goes after the part.
func (p part) last() ssa.Instruction { return p.block.Instrs[p.hi-1] }

// A flow is a flow graph. Invariant: the entry reaches every part, except for the return of a function that has none,
// and every part reaches the exit.
type flow struct {
	parts []part
	succs [][]int // of a block's last part, first those of the block in its order
	first []int   // by block index: its first part
	final []int   // by block index: its last part

	holds []int    // by node: its part
	ends  []NodeID // by part: its last node
}

func newFlow(fn *ssa.Function, mode Mode) *flow {
	f := &flow{parts: make([]part, 3), first: make([]int, len(fn.Blocks)), final: make([]int, len(fn.Blocks))}
	for i, b := range fn.Blocks {
		f.first[i] = len(f.parts)
		lo := 0
		for k, instr := range b.Instrs {
			if k == len(b.Instrs)-1 || mode&ImplicitExits != 0 && mayNotReturn(instr) {
				f.parts = append(f.parts, part{b, lo, k + 1})
				lo = k + 1
			}
		}
		f.final[i] = len(f.parts) - 1
	}
	f.succs = make([][]int, len(f.parts))
	f.succs[entryPart] = append(f.succs[entryPart], f.first[0]) // CFG1
	leave := []int{exitPart}
	if fn.Recover != nil {
		leave = append(leave, f.first[fn.Recover.Index])
	}
	f.succs[entryPart] = append(f.succs[entryPart], leave...)
	for p := returnPart + 1; p < len(f.parts); p++ {
		b := f.parts[p].block
		if p < f.final[b.Index] { // CFG4
			f.succs[p] = append([]int{p + 1}, leave...)
			continue
		}
		for _, s := range b.Succs {
			f.succs[p] = append(f.succs[p], f.first[s.Index])
		}
		if _, ok := f.parts[p].last().(*ssa.Panic); ok { // CFG2
			f.succs[p] = append(f.succs[p], leave...)
		} else if len(b.Succs) == 0 {
			f.succs[p] = append(f.succs[p], returnPart)
		}
	}
	f.succs[returnPart] = []int{exitPart}
	f.succs = openLoops(f.succs, exitPart) // CFG3
	f.parts = append(f.parts, make([]part, len(f.succs)-len(f.parts))...)
	return f
}

// openLoops adds nodes until every node reaches exit: one before the first node of each
// strongly connected part that has no edge out of it, with that node and exit for
// successors. Every node but exit must have a successor.
func openLoops(succs [][]int, exit int) [][]int {
	reaches := reaching(succs, exit)
	for n := range succs {
		if reaches[n] {
			continue
		}
		// n is stuck, and so is whatever it reaches. If all of that reaches n, it is n's component, and n its first
		// node.
		from, to := reachable(succs, n), reaching(succs, n)
		last := true
		for m := range from {
			last = last && (!from[m] || to[m])
		}
		if !last {
			continue
		}
		spin := len(succs)
		for m := range succs {
			for i, s := range succs[m] {
				if s == n {
					succs[m][i] = spin
				}
			}
		}
		succs = append(succs, []int{n, exit})
		reaches = reaching(succs, exit)
	}
	return succs
}

func reachable(succs [][]int, n int) []bool {
	seen := make([]bool, len(succs))
	seen[n] = true
	for work := []int{n}; len(work) > 0; {
		n, work = work[len(work)-1], work[:len(work)-1]
		for _, s := range succs[n] {
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return seen
}

func reaching(succs [][]int, n int) []bool { return reachable(invert(succs), n) }

func invert(succs [][]int) [][]int {
	preds := make([][]int, len(succs))
	for n, ss := range succs {
		for _, s := range ss {
			preds[s] = append(preds[s], n)
		}
	}
	return preds
}

// mayNotReturn reports whether control may not go on after instr: it calls,
// it may panic at run time, or it may block for ever.
func mayNotReturn(instr ssa.Instruction) bool {
	switch x := instr.(type) {
	case *ssa.RunDefers, *ssa.Go, *ssa.Send, *ssa.Select, *ssa.MapUpdate, *ssa.MakeSlice, *ssa.MakeChan,
		*ssa.Index, *ssa.IndexAddr, *ssa.Slice, *ssa.SliceToArrayPointer, *ssa.MultiConvert:
		return true
	case *ssa.Lookup: // of a key that cannot be hashed, or beyond a string
		m, ok := x.X.Type().Underlying().(*types.Map)
		return !ok || mayHoldInterface(m.Key())
	case *ssa.Call:
		b, ok := x.Call.Value.(*ssa.Builtin)
		return !ok || !safeBuiltins[b.Name()]
	case *ssa.TypeAssert:
		return !x.CommaOk
	case *ssa.Store, *ssa.FieldAddr:
		return !neverNil(pointerOf(x)) && !followed(x)
	case *ssa.UnOp:
		return x.Op == token.ARROW || x.Op == token.MUL && !neverNil(x.X) && !followed(x)
	case *ssa.BinOp:
		switch x.Op {
		case token.QUO, token.REM:
			return isInteger(x.X.Type()) && !isNonzero(x.Y)
		case token.SHL, token.SHR:
			return isSigned(x.Y.Type()) && !isNonzero(x.Y)
		case token.EQL, token.NEQ: // of interfaces whose values cannot be compared
			return !isNil(x.X) && !isNil(x.Y) && mayHoldInterface(x.X.Type())
		}
	}
	return false
}

var safeBuiltins = map[string]bool{
	"len": true, "cap": true, "append": true, "copy": true, "min": true, "max": true, "real": true, "imag": true,
	"complex": true, "print": true, "println": true, "recover": true,
}

// neverNil reports whether the address v is known to be good, or was checked when it was computed.
func neverNil(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FieldAddr, *ssa.IndexAddr:
		return true
	case *ssa.FreeVar:
		return v.Parent().Synthetic == "" // a captured variable, not the receiver of a method value
	}
	return false
}

// pointerOf returns the pointer that an instruction follows, or nil.
func pointerOf(instr ssa.Instruction) ssa.Value {
	switch x := instr.(type) {
	case *ssa.Store:
		return x.Addr
	case *ssa.FieldAddr:
		return x.X
	case *ssa.UnOp:
		if x.Op == token.MUL {
			return x.X
		}
	}
	return nil
}

// followed reports whether the pointer that instr follows was followed on every way to it: then it is not nil.
func followed(instr ssa.Instruction) bool {
	v, b := pointerOf(instr), instr.Block()
	if v.Referrers() == nil {
		return false
	}
	for _, r := range *v.Referrers() {
		if r == instr || pointerOf(r) != v {
			continue
		}
		if r.Block() != b {
			if r.Block().Dominates(b) {
				return true
			}
			continue
		}
		for _, x := range b.Instrs {
			if x == r {
				return true
			}
			if x == instr {
				break
			}
		}
	}
	return false
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

func mayHoldInterface(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Interface, *types.Struct, *types.Array:
		return true
	}
	return false
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return !ok || b.Info()&types.IsInteger != 0 // a type parameter may be one
}

func isSigned(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return !ok || b.Info()&types.IsUnsigned == 0
}

// isNonzero reports whether v is a constant other than 0 (of a shift count: the compiler has rejected negative ones).
func isNonzero(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.ExactString() != "0"
}
