package gcorder

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// This file reorders the instructions of a statement, by the method that the package comment describes.

// Func brings the body of fn, which go/ssa has just built, into gc's order. info is that of the package that declares
// fn, nil if no package does. For a package of the standard library InitOrder is enough. The caller makes sure that a
// body is brought into order once.
func Func(fn *ssa.Function, info *types.Info) {
	literalsInPlace(fn)
	removeSelfAssignments(fn, info)
	removeDiscarded(fn, info)
	rangeStates(fn)
	orderFunc(fn, info)
	compareParts(fn)
}

// orderFunc reorders the body of fn.
func orderFunc(fn *ssa.Function, info *types.Info) {
	if !needsOrder(fn) {
		return
	}
	tree := treeOf(fn, info)
	if tree == nil {
		return
	}
	size := 0
	for _, b := range fn.Blocks {
		size += len(b.Instrs)
	}
	o := &order{info: info, fn: fn, tree: tree, stmts: make(map[ssa.Instruction]int, size), carried: make(map[*ssa.BasicBlock]*run)}
	of := make([][]int, len(fn.Blocks))
	for i, b := range fn.Blocks {
		of[i] = tree.stmtsOf(b.Instrs)
		for j, instr := range b.Instrs {
			o.stmts[instr] = of[i][j]
		}
	}
	// A block comes after the one that dominates it: what waits at a branch is known when its join is reached.
	for _, b := range fn.DomPreorder() {
		o.block(b, of[b.Index])
	}
}

// order is the work on one function.
type order struct {
	info    *types.Info // of the package that declares fn, or nil
	fn      *ssa.Function
	tree    *stmtTree
	vars    *captures // of fn, once they are asked for
	stmts   map[ssa.Instruction]int
	carried map[*ssa.BasicBlock]*run // by the join where the run goes on
}

// needsOrder reports whether there is anything to reorder in fn.
func needsOrder(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		if hasAnchor(b.Instrs) {
			return true
		}
		if b.Comment == joinComment && b.Idom() != nil {
			for _, instr := range b.Idom().Instrs {
				if isLate(instr) {
					return true
				}
			}
		}
	}
	return false
}

// isPositive reports whether v is a constant above zero. Other values may be constant too: variables that are never
// assigned to.
func isPositive(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && constant.Sign(c.Value) > 0
}

// isPlace reports whether addr is the address of a part of a variable that is known to exist.
func isPlace(addr ssa.Value) bool {
	for {
		switch x := addr.(type) {
		case *ssa.Alloc, *ssa.Global, *ssa.FreeVar:
			return true
		case *ssa.FieldAddr:
			addr = x.X
		case *ssa.IndexAddr:
			if _, ok := x.Index.(*ssa.Const); !ok {
				return false
			}
			if _, ok := x.X.Type().Underlying().(*types.Pointer); !ok {
				return false
			}
			addr = x.X
		default:
			return false
		}
	}
}

// joinComment is go/ssa's name for the block where the value of && or || is known.
const joinComment = "binop.done"

// joinOf returns the block in which the value is known of the && or || that b branches for, or nil.
func joinOf(b *ssa.BasicBlock) *ssa.BasicBlock {
	if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); !ok {
		return nil
	}
	for _, d := range b.Dominees() {
		if d.Comment == joinComment {
			return d
		}
	}
	return nil
}

// hasAnchor reports whether the order of instrs matters. It does if something among them, with another instruction
// before it, can change what a read behind it sees. It also does if one of them can panic, and another one can panic,
// too, or be seen after that.
func hasAnchor(instrs []ssa.Instruction) bool {
	panics, seen := 0, 0
	for i, instr := range instrs {
		if i > 0 && isAnchor(instr) {
			return true
		}
		switch {
		case mayPanic(instr):
			panics++
		case isSeen(instr):
			seen++
		}
	}
	return panics > 0 && panics+seen > 1
}

// isSeen reports whether instr stores into a variable that others may read after a panic.
func isSeen(instr ssa.Instruction) bool {
	st, ok := instr.(*ssa.Store)
	if !ok || !isPlace(st.Addr) {
		return false
	}
	a := rootAlloc(st.Addr)
	return a == nil || a.Heap
}

// mayPanic reports whether instr can panic.
func mayPanic(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Index, *ssa.SliceToArrayPointer:
		return true
	case *ssa.Slice:
		return instr.Low != nil || instr.High != nil || instr.Max != nil || !isPlace(instr.X)
	case *ssa.FieldAddr:
		return !isPlace(instr)
	case *ssa.IndexAddr:
		return !isPlace(instr)
	case *ssa.UnOp:
		return instr.Op == token.MUL && !isPlace(instr.X)
	case *ssa.Store:
		return !isPlace(instr.Addr)
	case *ssa.BinOp:
		switch instr.Op {
		case token.QUO, token.REM, token.SHL, token.SHR:
			return !isPositive(instr.Y)
		}
		return types.IsInterface(instr.X.Type())
	case *ssa.TypeAssert:
		return !instr.CommaOk
	case *ssa.Call:
		return instr.Call.IsInvoke()
	case *ssa.MapUpdate:
		_, literal := instr.Map.(*ssa.MakeMap)
		return !literal || types.IsInterface(instr.Key.Type())
	case *ssa.Lookup, *ssa.Send:
		return true
	}
	return false
}

// isAnchor reports whether other code may run at instr.
func isAnchor(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Call:
		b, ok := instr.Call.Value.(*ssa.Builtin)
		return !ok || b.Name() == "copy" || b.Name() == "recover"
	case *ssa.UnOp:
		return instr.Op == token.ARROW
	}
	return false
}

// block reorders each run of b; stmts are the statements of its instructions.
func (o *order) block(b *ssa.BasicBlock, stmts []int) {
	join := joinOf(b)
	var out []ssa.Instruction
	i := 0
	if r := o.carried[b]; r != nil {
		// The statement goes on behind the phis.
		for i < len(stmts) && isPhi(b.Instrs[i]) {
			i++
		}
		out = append(out, b.Instrs[:i]...)
		j := i
		for j < len(stmts) && (stmts[j] == noStmt || stmts[j] == r.stmt) {
			j++
		}
		if j == len(stmts) && join != nil {
			r.join = join
		}
		out = append(out, r.all(b.Instrs[i:j])...)
		if r.join != nil {
			o.carried[join] = r.carry()
		}
		i = j
	}
	for i < len(stmts) {
		j := i + 1
		for j < len(stmts) && stmts[j] == stmts[i] {
			j++
		}
		instrs := b.Instrs[i:j]
		atJoin := join != nil && (j == len(stmts) || j == len(stmts)-1 && stmts[j] == noStmt)
		if atJoin {
			instrs, j = b.Instrs[i:], len(stmts)
		}
		switch {
		case stmts[i] == noStmt || !atJoin && !hasAnchor(instrs):
			out = append(out, instrs...)
		default:
			r := o.newRun(stmts[i])
			if atJoin {
				r.join = join
			}
			out = append(out, r.all(instrs)...)
			if atJoin {
				o.carried[join] = r.carry()
			}
		}
		i = j
	}
	b.Instrs = out
	for _, instr := range out {
		if instr.Block() != b {
			setBlock(instr, b)
		}
	}
}

func isPhi(instr ssa.Instruction) bool {
	switch instr.(type) {
	case *ssa.Phi, *ssa.DebugRef:
		return true
	}
	return false
}

// run is the work on one run.
type run struct {
	*order
	stmt    int
	in      *ssa.BasicBlock
	first   ssa.Instruction // of the run in that block
	join    *ssa.BasicBlock // where the statement goes on behind the last instruction, or nil
	out     []ssa.Instruction
	waiting []*late // in source order
	byInstr map[ssa.Instruction]*late
	ahead   []ssa.Instruction      // what follows in the block
	parts   []*part                // of an assignment or return of several values, until they are emitted
	exprs   map[ast.Expr]ssa.Value // if there are parts
	last    bool                   // nothing of the statement waits longer
	fresh   map[*ssa.Alloc]bool    // allocated in this run and not used but for stores into it
}

// late is an instruction that waits, and the DebugRefs of its value.
type late struct {
	instr ssa.Instruction
	refs  []ssa.Instruction
	into  *ssa.Alloc // the fresh variable that a store fills
	done  bool
	early bool // what it reads was read early
}

func (o *order) newRun(stmt int) *run {
	r := &run{order: o, stmt: stmt, byInstr: make(map[ssa.Instruction]*late), fresh: make(map[*ssa.Alloc]bool)}
	if r.parts = o.partsOf(stmt); r.parts != nil {
		r.exprs = make(map[ast.Expr]ssa.Value)
	}
	return r
}

// all returns instrs, and what waited before them, reordered. With a join, what can wait for it still does.
func (r *run) all(instrs []ssa.Instruction) []ssa.Instruction {
	if len(instrs) > 0 {
		r.in, r.first = instrs[0].Block(), instrs[0]
	}
	instrs = indexLast(instrs)
	if r.exprs != nil {
		r.noteExprs(instrs)
	}
	for i, instr := range instrs {
		r.ahead = instrs[i+1:]
		r.next(instr)
	}
	if r.join == nil {
		r.emitAll(nil)
	}
	return r.out
}

// carry is the run as it goes on in its join.
func (r *run) carry() *run {
	return &run{order: r.order, stmt: r.stmt, waiting: r.waiting, byInstr: r.byInstr, fresh: r.fresh, parts: r.parts, exprs: r.exprs}
}

// next takes the next instruction in source order.
func (r *run) next(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.DebugRef:
		if def, ok := instr.X.(ssa.Instruction); ok {
			if l := r.byInstr[def]; l != nil && !l.done {
				l.refs = append(l.refs, instr)
				return
			}
		}
		r.out = append(r.out, instr)
		return

	case *ssa.Alloc:
		r.fresh[instr] = true
		r.out = append(r.out, instr)
		return

	case *ssa.Store:
		if r.waitPart(instr) {
			return
		}
		a := r.freshRoot(instr.Addr)
		if a != nil && a.Comment == "new" && instr.Addr == a {
			break // new(x) copies x at once
		}
		if a != nil {
			r.expose(instr.Val)
			r.wait(&late{instr: instr, into: a})
			return
		}
		r.emitAll(instr)

	case *ssa.MapUpdate:
		if r.waitPart(instr) {
			return
		}
		// An entry of a map literal is stored before the next one is evaluated. What else waits need not be read for
		// it.
		if m, ok := instr.Map.(*ssa.MakeMap); !ok || r.stmts[m] != r.stmt {
			r.emitAll(instr)
		}

	case *ssa.If:
		if r.join == nil {
			r.emitAll(instr)
		} else {
			r.emitNeededBefore(r.join)
			if r.callsBefore(r.in) {
				r.early()
			}
		}

	default:
		r.copyOperands(instr)
		if isLate(instr) && !r.copied(instr) && !r.callee(instr) {
			if !isAddress(instr) {
				r.exposeOperands(instr)
			}
			r.wait(&late{instr: instr})
			return
		}
		if _, isValue := instr.(ssa.Value); !isValue {
			r.emitAll(instr) // sends, jumps, returns and the like end the statement's evaluation
		}
	}
	r.emitFor(instr)
	if isAnchor(instr) {
		r.early()
	}
	r.exposeOperands(instr)
	r.out = append(r.out, instr)
}

func (r *run) wait(l *late) {
	r.waiting = append(r.waiting, l)
	r.byInstr[l.instr] = l
}

// freshRoot returns the fresh variable that addr points into, or nil.
func (r *run) freshRoot(addr ssa.Value) *ssa.Alloc {
	if a := rootAlloc(addr); a != nil && r.fresh[a] {
		return a
	}
	return nil
}

// rootAlloc returns the variable that addr is a part of, or nil.
func rootAlloc(addr ssa.Value) *ssa.Alloc {
	a, _ := rootOf(addr).(*ssa.Alloc)
	return a
}

// rootOf returns what the fields and elements on the way to addr are parts of.
func rootOf(addr ssa.Value) ssa.Value {
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
		case *ssa.IndexAddr:
			addr = x.X
		default:
			return addr
		}
	}
}

// expose ends the freshness of the variable that v is the address of.
func (r *run) expose(v ssa.Value) {
	if a := rootAlloc(v); a != nil {
		delete(r.fresh, a)
	}
}

func (r *run) exposeOperands(instr ssa.Instruction) {
	var buf [8]*ssa.Value
	for _, op := range instr.Operands(buf[:0]) {
		if *op != nil {
			r.expose(*op)
		}
	}
}

// emitFor emits what must come before instr: the waiting instructions it depends on, in source order.
func (r *run) emitFor(instr ssa.Instruction) {
	if len(r.waiting) == 0 {
		return
	}
	need := make(map[*late]bool)
	r.mark(instr, need)
	if len(need) > 0 {
		r.emitBatch(need, instr)
	}
}

// mark adds to need the waiting instructions that instr depends on.
func (r *run) mark(instr ssa.Instruction, need map[*late]bool) {
	var buf [8]*ssa.Value
	for _, op := range instr.Operands(buf[:0]) {
		if *op == nil {
			continue
		}
		if def, ok := (*op).(ssa.Instruction); ok {
			if l := r.byInstr[def]; l != nil && !l.done && !need[l] {
				need[l] = true
				r.mark(def, need)
			}
		}
		for _, l := range r.waiting { // &*p is p, and a load that panics if p is nil
			if load, ok := l.instr.(*ssa.UnOp); ok && load.X == *op && !l.done && !need[l] && l.instr != instr && isNilCheck(load) {
				need[l] = true
			}
		}
		// Whoever uses a variable, and not only to compute an address in it, needs what was stored into it.
		if isAddress(instr) {
			continue
		}
		if st, ok := instr.(*ssa.Store); ok && op == &st.Addr {
			continue
		}
		if a := rootAlloc(*op); a != nil {
			for _, l := range r.waiting {
				if l.into == a && !l.done && !need[l] && l.instr != instr {
					need[l] = true
					r.mark(l.instr, need)
				}
			}
		}
	}
}

// isNilCheck reports whether a load is there for its panic alone. go/ssa makes one for &*p, and no DebugRef of it.
func isNilCheck(load *ssa.UnOp) bool { return load.Op == token.MUL && len(*load.Referrers()) == 0 }

// isAddress reports whether instr computes the address of a part.
func isAddress(instr ssa.Instruction) bool {
	switch instr.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr:
		return true
	}
	return false
}

// emitNeededBefore emits what has a use on the way to join.
func (r *run) emitNeededBefore(join *ssa.BasicBlock) {
	need := make(map[*late]bool)
	for _, l := range r.waiting {
		if v, ok := l.instr.(ssa.Value); ok {
			for _, ref := range *v.Referrers() {
				b := ref.Block()
				if _, debug := ref.(*ssa.DebugRef); debug || b == join || b == l.instr.Block() || join.Dominates(b) {
					continue
				}
				need[l] = true
				r.mark(l.instr, need)
			}
		}
	}
	if len(need) > 0 {
		r.emitBatch(need, nil)
	}
}

// emitAll emits all that waits, for root, which may be nil.
func (r *run) emitAll(root ssa.Instruction) {
	if len(r.waiting) == 0 {
		return
	}
	defer func(was bool) { r.last = was }(r.last)
	r.last = true
	all := make(map[*late]bool, len(r.waiting))
	for _, l := range r.waiting {
		all[l] = true
	}
	r.emitBatch(all, root)
}

// isLate reports whether gc evaluates instr after the calls of its statement.
func isLate(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		return instr.Op != token.ARROW
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Field, *ssa.Index, *ssa.Lookup, *ssa.BinOp, *ssa.ChangeType,
		*ssa.ChangeInterface, *ssa.MultiConvert, *ssa.SliceToArrayPointer, *ssa.MakeClosure:
		return true
	case *ssa.Convert:
		_, toSlice := instr.Type().Underlying().(*types.Slice)
		return !toSlice
	case *ssa.TypeAssert:
		return !instr.CommaOk && isDirect(instr.AssertedType)
	case *ssa.MakeInterface:
		return true // of what is not copied at once
	case *ssa.Slice:
		a, ok := instr.X.(*ssa.Alloc) // a slice literal, or the slice of variadic arguments
		return ok && (a.Comment == "slicelit" || a.Comment == "varargs")
	}
	return false
}
