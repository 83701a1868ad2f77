package gcorder

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// This file orders assignments to memory as gc does: see walk.go. Statements that assign several values are in
// several.go, except for range statements and what a select statement receives.

// mapUpdate orders m[k] = v: v comes first. m[k] op= v is m[k] = v followed by the operation, except for operations
// that may panic.
func (w *walker) mapUpdate(u *ssa.MapUpdate) {
	v := u.Value
	if m, ok := u.Map.(*ssa.MakeMap); (!ok || w.stmts[m] != w.stmt) && len(w.assignments(u)) > 1 {
		w.assign(u)
		return
	}
	if b, ok := v.(*ssa.BinOp); ok {
		if x, ok := b.X.(*ssa.Lookup); ok && x.X == u.Map && x.Index == u.Key && w.of(x) != nil {
			if b.Op == token.QUO || b.Op == token.REM {
				w.sequence(u.Map, u.Key, v)
			} else {
				w.statement(b.Y)
			}
			v = nil
		}
	}
	w.sequence(v)
	w.walk(u.Map)
	w.walk(u.Key)
	w.hoistCalls(u.Map, u.Key)
}

// assign orders an assignment to a variable in memory, with the others of its statement: what the first one might
// change is saved before it (ascompatee in cmd/compile/internal/walk/assign.go).
func (w *walker) assign(first ssa.Instruction) {
	stores := w.assignments(first)
	memory := false // an assignment so far may change any memory
	for _, s := range stores {
		switch s := s.(type) {
		case *ssa.Store:
			if memory {
				w.saveAddr(s.Addr)
				w.statement(s.Val)
			}
			a := rootAlloc(s.Addr)
			memory = memory || a == nil || a.Heap
		case *ssa.MapUpdate:
			if memory {
				w.sequence(s.Map, s.Key, s.Value)
			}
			memory = true
		}
	}
	for _, s := range stores {
		w.assignment(s)
	}
}

// assignment orders the operands of one assignment.
func (w *walker) assignment(store ssa.Instruction) {
	switch s := store.(type) {
	case *ssa.Store:
		w.walk(s.Addr)
		w.safeAddr(s.Addr)
		w.statement(s.Val)
		w.eval(s.Addr)
	case *ssa.MapUpdate:
		w.walk(s.Map)
		w.walk(s.Key)
		w.hoistCalls(s.Map, s.Key)
		w.sequence(s.Map, s.Key, s.Value)
	}
}

// assignments returns first and the other assignments of its statement.
func (w *walker) assignments(first ssa.Instruction) []ssa.Instruction {
	stores := []ssa.Instruction{first}
	for _, instr := range w.ahead {
		switch instr.(type) {
		case *ssa.Store, *ssa.MapUpdate:
			stores = append(stores, instr)
		case *ssa.DebugRef, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Extract, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface:
			// of the next one
		default:
			return stores
		}
	}
	return stores
}

// saveAddr emits what addr is computed from.
func (w *walker) saveAddr(addr ssa.Value) {
	switch in := addr.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar:
	case *ssa.FieldAddr:
		w.saveAddr(in.X)
	case *ssa.IndexAddr:
		if _, ok := in.X.Type().Underlying().(*types.Pointer); ok { // to an array
			w.statement(in.Index)
			w.saveAddr(in.X)
			return
		}
		w.sequence(in.X, in.Index)
	default:
		w.statement(addr)
	}
}
