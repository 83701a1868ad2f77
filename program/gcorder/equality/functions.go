package equality

import (
	"go/types"
	"slices"
)

// This file says what gc's function of equality of a struct or array reads (geneq and eqFunc in
// cmd/compile/internal/reflectdata/alg.go). reflect.Value.IsZero calls it by the type's descriptor.
//
//	EQUAL1  It compares parts in their order, as PARTS3 has them, and stops at the first difference. A part that is a
//	        struct or an array is taken apart as PARTS2 says.
//	EQUAL2  Where a type, or more than four words of fields, is compared byte by byte, a function of the runtime does
//	        it, of which Go's race detector sees nothing. So it is where an only field or element is a string, a
//	        floating-point number or an interface.
//	EQUAL3  Of the elements of an array of structs what needs no call comes first, unless a field may panic. So it is
//	        with an array of strings, of which nobody can tell: IsZero has an empty string to compare with.

// A Part is what a function of equality reads at once of each value.
type Part struct {
	Offset, Size int64
	Type         types.Type
	Length       bool // the length of a string alone
	Unseen       bool // by a function of the runtime
	call         bool // gc calls a function for it
}

// Parts returns what the function of equality of t reads, in order.
func Parts(t types.Type) []Part {
	whole := []Part{{Size: Sizes.Sizeof(t), Type: t, Unseen: true}}
	if RegularMemory(t, true) || !IsAggregate(sole(t)) { // EQUAL2
		return whole
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		parts, _ := structParts(u)
		return parts
	case *types.Array:
		return arrayParts(u)
	}
	return whole
}

// sole is the type of the only field or element of t, and so on.
func sole(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if u.NumFields() == 1 && u.Field(0).Name() != "_" {
			return sole(u.Field(0).Type())
		}
	case *types.Array:
		if u.Len() == 1 {
			return sole(u.Elem())
		}
	}
	return t
}

// structParts returns the parts of a struct, and whether one of them may panic (EqStruct).
func structParts(t *types.Struct) (all []Part, panics bool) {
	offsets := offsetsOf(t)
	var together []Part
	flush := func() {
		slices.SortStableFunc(together, func(p, q Part) int {
			switch {
			case p.call == q.call:
				return 0
			case p.call:
				return 1
			}
			return -1
		})
		all, together = append(all, together...), nil
	}
	for i := 0; i < t.NumFields(); {
		f := t.Field(i)
		if f.Name() == "_" {
			i++
			continue
		}
		if !RegularMemory(f.Type(), true) {
			may := comparePanics(f.Type())
			if may {
				flush()
			}
			together = append(together, partsAt(f.Type(), offsets[i])...)
			if may {
				flush()
				panics = true
			}
			i++
			continue
		}
		next, size := memoryRun(t, offsets, i)
		if size > 4*8 {
			run := types.NewArray(types.Typ[types.Uint8], size)
			together = append(together, Part{Offset: offsets[i], Size: size, Type: run, Unseen: true, call: true})
			i = next
		}
		for ; i < next; i++ {
			together = append(together, partsAt(t.Field(i).Type(), offsets[i])...)
		}
	}
	flush()
	return all, panics
}

// partsAt returns what p == q reads of an element or field, which is read where it stands.
func partsAt(t types.Type, offset int64) (all []Part) {
	if isString(t) {
		p := Part{Offset: offset, Size: Sizes.Sizeof(t), Type: t, Length: true}
		bytes := p
		bytes.Length, bytes.call = false, true
		return []Part{p, bytes}
	}
	for _, c := range Conditions(t, nil) {
		p := Part{Offset: offset, Type: c.Piece.Type, Length: c.Length}
		at := t
		for _, i := range c.Piece.Way {
			switch u := at.Underlying().(type) {
			case *types.Struct:
				p.Offset += offsetsOf(u)[i]
				at = u.Field(i).Type()
			case *types.Array:
				at = u.Elem()
				p.Offset += int64(i) * Sizes.Sizeof(at)
			}
		}
		if c.Piece.N > 0 {
			p.Offset += c.Piece.From * Sizes.Sizeof(at.Underlying().(*types.Array).Elem())
		}
		p.Size = Sizes.Sizeof(p.Type)
		all = append(all, p)
	}
	return all
}

// arrayParts is structParts of an array (EQUAL3).
func arrayParts(t *types.Array) (all []Part) {
	e := t.Elem()
	each := func(parts []Part, of func(Part) bool) {
		for i := range t.Len() {
			for _, p := range parts {
				if of(p) {
					p.Offset += i * Sizes.Sizeof(e)
					all = append(all, p)
				}
			}
		}
	}
	parts, apart := partsAt(e, 0), false
	if u, ok := e.Underlying().(*types.Struct); ok {
		flat, panics := structParts(u)
		isCall := func(p Part) bool { return p.call }
		if n := len(slices.DeleteFunc(slices.Clone(flat), isCall)); n > 0 && n < len(flat) && !panics {
			parts, apart = flat, true
		}
	}
	each(parts, func(p Part) bool { return !apart || !p.call })
	if apart {
		each(parts, func(p Part) bool { return p.call })
	}
	return all
}
