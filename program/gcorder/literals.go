package gcorder

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file makes the composite literals that initialise package variables where they go, as gc does: it lays the
// variable out as data, and assigns the parts that have to be computed, one by one (staticinit, sched.go, initplan).
// go/ssa makes the literal elsewhere, and stores all of it. A lock in the variable, which the literal does not name,
// would have its bytes written then.
//
//	LITERAL1  In a package's initialiser, a literal that is stored into a variable, or into a part of one that is made
//	          in place, is made in place.

// literalsInPlace is LITERAL1 for the initialiser of a package.
func literalsInPlace(fn *ssa.Function) {
	if fn.Synthetic != "package initializer" {
		return
	}
	places := map[ssa.Value]bool{} // addresses of parts that are made in place
	gone := map[*ssa.BasicBlock]map[ssa.Instruction]bool{}
	leave := func(instr ssa.Instruction) {
		if gone[instr.Block()] == nil {
			gone[instr.Block()] = map[ssa.Instruction]bool{}
		}
		gone[instr.Block()][instr] = true
	}
	order := fn.DomPreorder()
	for i := len(order) - 1; i >= 0; i-- { // what surrounds a literal is stored after it
		for j := len(order[i].Instrs) - 1; j >= 0; j-- {
			s, ok := order[i].Instrs[j].(*ssa.Store)
			if !ok {
				continue
			}
			if _, whole := s.Addr.(*ssa.Global); !whole && !places[s.Addr] {
				continue
			}
			load, lit := literal(s)
			if lit == nil || !comesBefore(s.Addr, lit) {
				continue
			}
			for _, r := range *lit.Referrers() {
				if r != load {
					*r.Operands(nil)[0] = s.Addr // of a FieldAddr, and of an IndexAddr
					places[r.(ssa.Value)] = true
					refer(s.Addr, r)
				}
			}
			*lit.Referrers() = nil
			leave(lit)
			leave(load)
			for _, r := range *load.Referrers() { // the store, and what is noted for debugging
				leave(r)
			}
		}
	}
	for _, b := range fn.Blocks {
		drop(b, gone[b])
	}
}

// literal returns the composite literal that a store stores, and the load of its value, if the store is all that uses
// it.
func literal(s *ssa.Store) (load *ssa.UnOp, lit *ssa.Alloc) {
	load, ok := s.Val.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || usedBesides(load, map[ssa.Instruction]bool{s: true}) {
		return nil, nil
	}
	lit, ok = load.X.(*ssa.Alloc)
	if !ok || lit.Comment != "complit" {
		return nil, nil
	}
	for _, r := range *lit.Referrers() {
		switch x := r.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr:
		case *ssa.UnOp:
			if x != load {
				return nil, nil
			}
		default:
			return nil, nil
		}
	}
	return load, lit
}

// comesBefore reports whether an address is known where a literal begins.
func comesBefore(addr ssa.Value, lit *ssa.Alloc) bool {
	def, ok := addr.(ssa.Instruction)
	if !ok {
		return true
	}
	if b := def.Block(); b != lit.Block() {
		return b.Dominates(lit.Block())
	}
	is := lit.Block().Instrs
	return slices.Index(is, def) < slices.Index(is, ssa.Instruction(lit))
}
