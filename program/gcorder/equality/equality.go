// Package equality says which parts of structs and arrays gc compares, and in which order: where they stand in an
// expression, and in the functions of equality that it makes.
package equality

import (
	"go/types"
	"slices"
)

// This file says what a comparison in an expression reads: rules PARTS2 to PARTS4 of package gcorder.

// Sizes are gc's.
var Sizes = types.SizesFor("gc", "amd64")

// A Piece is what is read at once of an operand.
type Piece struct {
	Way  []int // the fields and elements on the way to it
	Type types.Type
	// If not zero, it is as many elements of the array that the way leads to, from number from on.
	From, N int64
}

// A Condition compares a piece.
type Condition struct {
	Piece  *Piece
	Length bool // the length of a string alone
	late   bool // gc calls a function for it
}

// Conditions returns what is compared of values of type t, in gc's order. way leads to them.
func Conditions(t types.Type, way []int) []Condition {
	to := func(i int) []int { return append(slices.Clone(way), i) }
	if !IsAggregate(t) || !ComparesParts(t) { // PARTS2
		return []Condition{{Piece: &Piece{Way: way, Type: t}}}
	}
	switch t := t.Underlying().(type) {
	case *types.Array:
		return elements(t, way)
	case *types.Struct:
		var all, together []Condition
		flush := func() {
			for _, late := range []bool{false, true} {
				for _, c := range together {
					if c.late == late { // PARTS3
						all = append(all, c)
					}
				}
			}
			together = nil
		}
		for i := range t.NumFields() {
			f := t.Field(i)
			if f.Name() == "_" {
				continue
			}
			if isString(f.Type()) {
				p := &Piece{Way: to(i), Type: f.Type()}
				together = append(together, Condition{Piece: p, Length: true}, Condition{Piece: p, late: true})
				continue
			}
			panics := comparePanics(f.Type())
			if panics { // PARTS3
				flush()
			}
			for _, c := range Conditions(f.Type(), to(i)) {
				c.late = false // those of a field stay together
				together = append(together, c)
			}
			if panics {
				flush()
			}
		}
		flush()
		return all
	}
	return nil
}

// elements is conditions of an array (PARTS4).
func elements(t *types.Array, way []int) (all []Condition) {
	size := Sizes.Sizeof(t.Elem())
	basic, _ := t.Elem().Underlying().(*types.Basic)
	small := basic != nil && basic.Info()&types.IsInteger != 0 && size <= 4
	for i := int64(0); i < t.Len(); {
		n := int64(1)
		for at := int64(8); small && at > size; at /= 2 {
			if left := (t.Len() - i) * size; left >= at {
				n = at / size
				break
			}
		}
		if n == 1 { // PARTS4
			all = append(all, Conditions(t.Elem(), append(slices.Clone(way), int(i)))...)
		} else {
			all = append(all, Condition{Piece: &Piece{Way: way, Type: types.NewArray(t.Elem(), n), From: i, N: n}})
		}
		i += n
	}
	return all
}

// comparePanics reports whether a comparison of values of type t may panic (EqCanPanic).
func comparePanics(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Array:
		return comparePanics(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if f.Name() != "_" && comparePanics(f.Type()) {
				return true
			}
		}
	}
	return false
}

// IsAggregate reports whether t is a struct or an array.
func IsAggregate(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// ComparesParts reports whether gc compares structs or arrays of type t part by part where they stand, and not by a
// call (walkCompare in cmd/compile/internal/walk/compare.go).
func ComparesParts(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Array:
		if t.Len() <= 1 {
			return true
		}
		if e, ok := t.Elem().Underlying().(*types.Basic); ok && e.Info()&types.IsString == 0 && e.Kind() != types.UnsafePointer {
			return t.Len() <= 4 || t.Len()*Sizes.Sizeof(e) <= 16
		}
	case *types.Struct:
		return structCost(t) <= 4
	}
	return false
}

// structCost is EqStructCost of cmd/compile/internal/compare: the number of words to compare, and of runs of fields.
func structCost(t *types.Struct) int64 {
	offsets := offsetsOf(t)
	cost := int64(0)
	for i := 0; i < len(offsets); {
		if t.Field(i).Name() == "_" {
			i++
			continue
		}
		next, size := memoryRun(t, offsets, i)
		cost += (size + 7) / 8
		i = next
	}
	return cost
}

// RegularMemory reports whether values of type t are compared byte by byte. Unless pointers is set, they must hold
// no pointers.
func RegularMemory(t types.Type, pointers bool) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&(types.IsInteger|types.IsBoolean) != 0 || pointers && t.Kind() == types.UnsafePointer
	case *types.Pointer, *types.Chan:
		return pointers
	case *types.Array:
		return RegularMemory(t.Elem(), pointers)
	case *types.Struct:
		size := int64(0)
		for f := range t.Fields() {
			if f.Name() == "_" || !RegularMemory(f.Type(), pointers) {
				return false
			}
			size += Sizes.Sizeof(f.Type())
		}
		return size == Sizes.Sizeof(t) // no padding
	}
	return false
}

// offsetsOf returns where the fields of a struct are.
func offsetsOf(t *types.Struct) []int64 {
	fields := make([]*types.Var, t.NumFields())
	for i := range fields {
		fields[i] = t.Field(i)
	}
	return Sizes.Offsetsof(fields)
}

// memoryRun returns the end of the run of fields from the i-th on that is compared byte by byte, and its size (Memrun).
func memoryRun(t *types.Struct, offsets []int64, i int) (next int, size int64) {
	end := func(i int) int64 { return offsets[i] + Sizes.Sizeof(t.Field(i).Type()) }
	next = i + 1
	for next < t.NumFields() && offsets[next] == end(next-1) && t.Field(next).Name() != "_" && RegularMemory(t.Field(next).Type(), true) {
		next++
	}
	return next, end(next-1) - offsets[i]
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}
