package gcorder

import (
	"go/token"

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
	for _, b := range fn.Blocks {
		gone := map[ssa.Instruction]bool{}
		for i := len(b.Instrs) - 1; i >= 0; i-- { // what surrounds a literal comes before it
			s, ok := b.Instrs[i].(*ssa.Store)
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
				switch x := r.(type) {
				case *ssa.FieldAddr:
					x.X = s.Addr
					places[x] = true
				case *ssa.IndexAddr:
					x.X = s.Addr
					places[x] = true
				default:
					continue
				}
				if refs := s.Addr.Referrers(); refs != nil {
					*refs = append(*refs, r)
				}
			}
			*lit.Referrers() = nil
			gone[s], gone[lit] = true, true
			for _, r := range append(*load.Referrers(), load) {
				gone[r] = true
			}
		}
		drop(b, gone)
	}
}

// literal returns the composite literal that a store stores, and the load of its value, if the store is all that uses
// it. All is in one block then.
func literal(s *ssa.Store) (load *ssa.UnOp, lit *ssa.Alloc) {
	load, ok := s.Val.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || load.Block() != s.Block() || usedBesides(load, map[ssa.Instruction]bool{s: true}) {
		return nil, nil
	}
	lit, ok = load.X.(*ssa.Alloc)
	if !ok || lit.Comment != "complit" || lit.Block() != s.Block() {
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

// comesBefore reports whether an address is known where a literal of its block begins.
func comesBefore(addr ssa.Value, lit *ssa.Alloc) bool {
	def, ok := addr.(ssa.Instruction)
	if !ok {
		return true
	}
	if def.Block() != lit.Block() {
		return false
	}
	for _, instr := range def.Block().Instrs {
		switch instr {
		case def:
			return true
		case lit:
			return false
		}
	}
	return false
}
