package gcorder

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// This file gives a range loop over a function the states that gc gives it.
//
// Both compilers keep the state of such a loop in a variable, and look at it in the function that is the loop's body.
// go/ssa panics with a string where an iterator misuses that function. gc panics with a runtime.Error that says how.
// It notes that this has happened, and panics again after an iterator that recovers it. And gc notes that the loop has
// ended also where a break or a return has ended it. go/ssa does so only where the iterator came to its end.

// The comments that go/ssa gives the blocks concerned.
const (
	yieldComment   = "yield-invalid"          // of the body: the loop is not ready for it
	resumedComment = "rangefunc.resume.busy"  // after the iterator: the loop's body has not come to its end
	exitsComment   = "rangefunc.resume.exits" // after the iterator: the body has left the loop
)

// The states of a loop: its body runs or has panicked, and the loop has ended. Zero is that of a loop that may go on,
// and a number above zero says by which way the body has left it.
const (
	stateBusy = -1 // the body runs or has panicked, or was misused
	stateDone = -2
)

// A RangeMisuse says how an iterator has misused the body of its loop, by the state of the loop.
func RangeMisuse(state int64, afterIterator bool) string {
	switch {
	case afterIterator:
		return "range function recovered a loop body panic and did not resume panicking"
	case state == stateDone:
		return "range function continued iteration after whole loop exit"
	case state > 0:
		return "range function continued iteration after function for loop body returned false"
	}
	return "range function continued iteration after loop body panic"
}

// MisusedRange reports whether a panic is that of a loop over a function. Its operand is the state of the loop then,
// an int.
func MisusedRange(p *ssa.Panic) (afterIterator, ok bool) {
	if types.IsInterface(p.X.Type()) {
		return false, false
	}
	return p.Block().Comment == resumedComment, true
}

// IsRangeState reports whether v is the variable that keeps the state of a loop, by the name that go/ssa gives it.
func IsRangeState(v ssa.Value) bool {
	name := ""
	switch v := v.(type) {
	case *ssa.Alloc:
		name = v.Comment
	case *ssa.FreeVar:
		name = v.Name()
	}
	return strings.HasPrefix(name, "jump$")
}

// rangeStates changes the body of fn.
func rangeStates(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		switch b.Comment {
		case yieldComment, resumedComment:
			panicWithState(b)
		case exitsComment:
			endLoop(b)
		}
	}
}

// panicWithState makes the state of the loop the operand of the panic in b.
func panicWithState(b *ssa.BasicBlock) {
	p, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Panic)
	if !ok || len(b.Preds) != 1 {
		return
	}
	state := stateIn(b.Preds[0])
	box, ok := p.X.(*ssa.MakeInterface)
	if !ok || state == nil || len(*box.Referrers()) != 1 {
		return
	}
	b.Instrs = slices.DeleteFunc(b.Instrs, func(i ssa.Instruction) bool { return i == ssa.Instruction(box) })
	p.X = state
	*state.Referrers() = append(*state.Referrers(), p)
	if b.Comment == yieldComment { // the loop panics, too, if the iterator recovers this panic
		setState(b, state.X, stateBusy)
	}
}

// endLoop notes in b that the loop has ended.
func endLoop(b *ssa.BasicBlock) {
	if len(b.Preds) != 1 {
		return
	}
	state := stateIn(b.Preds[0])
	if state == nil {
		return
	}
	setState(b, state.X, stateDone)
}

// setState puts an assignment to the variable at addr, which has the state of a loop, before the rest of b.
func setState(b *ssa.BasicBlock, addr ssa.Value, state int64) {
	s := &ssa.Store{Addr: addr, Val: ssa.NewConst(constant.MakeInt64(state), types.Typ[types.Int])}
	setBlock(s, b)
	b.Instrs = slices.Insert(b.Instrs, 0, ssa.Instruction(s))
	if refs := addr.Referrers(); refs != nil {
		*refs = append(*refs, s)
	}
}

// stateIn is the state of a loop that b compares with a constant at its end, or nil.
func stateIn(b *ssa.BasicBlock) *ssa.UnOp {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return nil
	}
	cond, ok := branch.Cond.(*ssa.BinOp)
	if !ok || cond.Op != token.EQL {
		return nil
	}
	load, ok := cond.X.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil
	}
	return load
}
