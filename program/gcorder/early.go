package gcorder

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"github.com/heddle-go/heddle/program/gcorder/equality"
	"golang.org/x/tools/go/ssa"
)

// This file follows what gc does differently where it builds for the race detector.
//
// There it copies an entry of a map, and the result of a type assertion, to a temporary at once (Instrumenting in
// cmd/compile/internal/walk/order.go). Otherwise it reads them after the calls and receives that follow in the
// statement. So in
//
//	return m[k], g.Wait()
//
// m[k] has the value that it has after Wait, and the detector reports a race with a goroutine that Wait waits for. Both
// are so here: what the detector sees is read once before the call, for nothing, and once more where its value is used.
//
// What is read early must not panic, for without the detector the call comes first. So nothing is read early by way of
// a pointer that may be nil, or of an index.

// early emits what is read early, before an instruction at which other code may run, or before the right operand of &&
// or ||.
func (r *run) early() {
	for _, l := range r.waiting {
		look, isLook := l.instr.(*ssa.Lookup)
		_, asserts := l.instr.(*ssa.TypeAssert)
		if l.done || l.early || !isLook && !asserts || isLook && r.stays(look) {
			continue
		}
		l.early = true
		reads := r.readsOf(l.instr, nil)
		if asserts { // the assertion itself reads no memory, and may panic
			reads = reads[:len(reads)-1]
		}
		if !slices.ContainsFunc(reads, r.mayPanicEarly) {
			r.readEarly(reads)
		}
	}
}

// callsBefore reports whether other code may run between b and where the statement goes on.
func (r *run) callsBefore(b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(b.Dominees(), func(d *ssa.BasicBlock) bool {
		return d != r.join && (slices.ContainsFunc(d.Instrs, isAnchor) || r.callsBefore(d))
	})
}

// waits reports whether instr is still to be emitted.
func (r *run) waits(instr ssa.Instruction) bool {
	l := r.byInstr[instr]
	return l != nil && !l.done
}

// readsOf adds instr to reads, after what it depends on and what waits.
func (r *run) readsOf(instr ssa.Instruction, reads []ssa.Instruction) []ssa.Instruction {
	if slices.Contains(reads, instr) {
		return reads
	}
	var buf [8]*ssa.Value
	for _, op := range instr.Operands(buf[:0]) {
		if def, ok := (*op).(ssa.Instruction); ok {
			if r.waits(def) {
				reads = r.readsOf(def, reads)
			}
		}
	}
	return append(reads, instr)
}

// mayPanicEarly reports whether instr can panic, or is none of what can be done twice.
func (r *run) mayPanicEarly(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Lookup:
		m, ok := instr.X.Type().Underlying().(*types.Map)
		return !ok || !hashes(m.Key())
	case *ssa.FieldAddr:
		return !isPlace(instr) && !r.isSafe(instr.X)
	case *ssa.UnOp:
		if instr.Op != token.MUL {
			return false
		}
		if a := rootAlloc(instr.X); a != nil && r.fresh[a] {
			return true // its elements may still wait
		}
		if def, ok := instr.X.(ssa.Instruction); ok && isAddress(def) && !r.waits(def) {
			return false
		}
		return !isPlace(instr.X) && !r.isSafe(rootOf(instr.X))
	case *ssa.Field, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.Convert, *ssa.BinOp:
		return mayPanic(instr)
	}
	return true
}

// isSafe reports whether p is known not to be nil: on every way to the run something has already used it.
func (r *run) isSafe(p ssa.Value) bool {
	if r.used(p) {
		return true
	}
	load, ok := p.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || !r.keeps(load) {
		return false
	}
	for _, ref := range *load.X.Referrers() {
		if other, ok := ref.(*ssa.UnOp); ok && r.used(other) {
			return true
		}
	}
	return false
}

// used reports whether what p points to has been used on every way to the run.
func (r *run) used(p ssa.Value) bool {
	if p.Referrers() == nil {
		return false
	}
	return slices.ContainsFunc(*p.Referrers(), func(ref ssa.Instruction) bool {
		switch ref := ref.(type) {
		case *ssa.FieldAddr:
			return r.before(ref)
		case *ssa.UnOp:
			return ref.Op == token.MUL && r.before(ref)
		case *ssa.Store:
			return ref.Addr == p && r.before(ref)
		}
		return false
	})
}

// captures returns what there is to know of the variables of the function, or nil.
func (o *order) captures() *captures {
	if o.vars == nil {
		o.vars = capturesOf(o.fn, o.info)
	}
	return o.vars
}

// keeps reports whether the variable that load reads has one value for ever.
func (r *run) keeps(load *ssa.UnOp) bool {
	switch load.X.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
	default:
		return false
	}
	id, ok := exprOf(load).(*ast.Ident)
	if !ok {
		return false
	}
	c := r.captures()
	if c == nil {
		return false
	}
	v, ok := c.info.ObjectOf(id).(*types.Var)
	return ok && c.owner[v] != nil && c.flags[v]&(reassigned|addressTaken) == 0
}

// before reports whether instr comes before what the run emits next, on every way there.
func (r *run) before(instr ssa.Instruction) bool {
	if r.stmts[instr] == r.stmt {
		return slices.Contains(r.out, instr)
	}
	b := instr.Block()
	return b == r.in && slices.Index(b.Instrs, instr) < slices.Index(b.Instrs, r.first) || b != r.in && b.Dominates(r.in)
}

// hashes reports whether values of type t, the keys of a map, are hashed without a panic.
func hashes(t types.Type) bool {
	_, basic := t.Underlying().(*types.Basic)
	return basic || equality.RegularMemory(t, true)
}

// readEarly emits copies of reads.
func (r *run) readEarly(reads []ssa.Instruction) {
	copies := make(map[ssa.Value]ssa.Value)
	for _, instr := range reads {
		of := reflect.ValueOf(instr).Elem()
		to := reflect.New(of.Type())
		to.Elem().Set(of)
		dup := to.Interface().(ssa.Instruction)
		*dup.(ssa.Value).Referrers() = nil
		setBlock(dup, r.in)
		var buf [8]*ssa.Value
		for _, op := range dup.Operands(buf[:0]) {
			if c := copies[*op]; c != nil {
				*op = c
			}
			refer(*op, dup)
		}
		copies[instr.(ssa.Value)] = dup.(ssa.Value)
		r.out = append(r.out, dup)
		r.stmts[dup] = r.stmt
		if e := exprOf(instr.(ssa.Value)); e != nil { // who reads for nothing has one (isNilCheck)
			ref := &ssa.DebugRef{Expr: e, X: dup.(ssa.Value)}
			setBlock(ref, r.in)
			refer(ref.X, ref)
			r.out = append(r.out, ref)
		}
	}
}

// stays reports whether gc leaves m[k] where it is, whatever it builds for: it belongs to m[k] op= v, or to m[k] =
// append(m[k], v).
func (r *run) stays(look *ssa.Lookup) bool {
	e := exprOf(look)
	switch s := r.tree.nodes[r.stmt].node.(type) {
	case *ast.IncDecStmt:
		return e == nil || e == ast.Unparen(s.X)
	case *ast.AssignStmt:
		if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
			return e == nil || e == ast.Unparen(s.Lhs[0])
		}
		return e != nil && e == appendedTo(s)
	}
	return false
}

// appendedTo returns the second m[k] of m[k] = append(m[k], v), or nil.
func appendedTo(s *ast.AssignStmt) ast.Expr {
	if len(s.Lhs) != 1 || s.Tok != token.ASSIGN {
		return nil
	}
	index, ok := ast.Unparen(s.Lhs[0]).(*ast.IndexExpr)
	if !ok {
		return nil
	}
	call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return nil
	}
	fun, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || fun.Name != "append" || types.ExprString(index) != types.ExprString(call.Args[0]) {
		return nil
	}
	return ast.Unparen(call.Args[0])
}
