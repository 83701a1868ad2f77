package machine

import (
	"encoding/binary"
	"fmt"
	"go/types"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/program"
	"github.com/heddle-go/heddle/program/tables"
)

// This file lays out the tables of the standard library (package tables), as the linker does.

// layTables sets the variables of a package that are tables.
func layTables(m *vm.Machine, p *program.Package) error {
	for i := range p.Tables {
		t := &p.Tables[i]
		v := p.SSA.Var(t.Var)
		if v == nil {
			return &InitError{Reason: fmt.Sprintf("internal: %s has no variable %s", p.Path, t.Var)}
		}
		typ := vm.Deref(v.Type())
		_, at := m.Mem.Writable(m.GlobalAddr(v), m.Layouts.Of(typ).Size)
		if at == nil {
			return &InitError{Reason: fmt.Sprintf("internal: %s.%s is in no memory", p.Path, t.Var)}
		}
		l := &tableLayer{m: m, table: t, steps: t.Steps}
		if err := l.value(unsafe.Slice((*byte)(at), m.Layouts.Of(typ).Size), typ); err != nil {
			return &InitError{Reason: fmt.Sprintf("internal: the table %s.%s: %v", p.Path, t.Var, err)}
		}
	}
	return nil
}

// A tableLayer follows the steps of a table.
type tableLayer struct {
	m     *vm.Machine
	table *tables.Table
	steps []tables.Step // that are left
}

// value writes what the next steps say, a value of a type.
func (l *tableLayer) value(to []byte, t types.Type) error {
	s := l.steps[0]
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if s.Kind != tables.IntStep || u.Info()&types.IsInteger == 0 {
			break
		}
		l.steps = l.steps[1:]
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], s.N)
		copy(to, word[:])
		return nil
	case *types.Pointer:
		if s.Kind == tables.PointerStep { // elsewhere &T may be left out
			l.steps = l.steps[1:]
		}
		lay := l.m.Layouts.Of(u.Elem())
		o := l.m.Mem.Alloc(mem.Init, max(lay.Size, 1), lay.Ptrs)
		binary.LittleEndian.PutUint64(to, o.Base)
		return l.value(o.Bytes(), u.Elem())
	case *types.Slice:
		if s.Kind != tables.BeginStep {
			break
		}
		elems := types.NewArray(u.Elem(), int64(s.N))
		lay := l.m.Layouts.Of(elems)
		o := l.m.Mem.Alloc(mem.Init, max(lay.Size, 1), lay.Ptrs)
		for i, w := range []uint64{o.Base, s.N, s.N} {
			binary.LittleEndian.PutUint64(to[i*8:], w)
		}
		return l.value(o.Bytes(), elems)
	case *types.Array, *types.Struct:
		if s.Kind == tables.BeginStep {
			return l.elements(to, u)
		}
	}
	return fmt.Errorf("step %d is not of type %s", len(l.table.Steps)-len(l.steps), t)
}

// elements writes a composite literal.
func (l *tableLayer) elements(to []byte, t types.Type) error {
	l.steps = l.steps[1:]
	for i := 0; ; i++ {
		s := l.steps[0]
		switch s.Kind {
		case tables.EndStep:
			l.steps = l.steps[1:]
			return nil
		case tables.IndexStep:
			i = int(s.N)
			l.steps = l.steps[1:]
		case tables.FieldStep:
			st, ok := t.(*types.Struct)
			if !ok {
				return fmt.Errorf("%s is no field of %s", l.table.Fields[s.N], t)
			}
			for i = 0; i < st.NumFields() && st.Field(i).Name() != l.table.Fields[s.N]; i++ {
			}
			l.steps = l.steps[1:]
		}
		elem, off, ok := l.part(t, i)
		if !ok {
			return fmt.Errorf("%s has no element %d", t, i)
		}
		if err := l.value(to[off:][:l.m.Layouts.Of(elem).Size], elem); err != nil {
			return err
		}
	}
}

// part returns the type and the offset of element i of an array or a struct.
func (l *tableLayer) part(t types.Type, i int) (types.Type, uint64, bool) {
	switch t := t.(type) {
	case *types.Array:
		return t.Elem(), uint64(i) * l.m.Layouts.Of(t.Elem()).Size, int64(i) < t.Len()
	case *types.Struct:
		if i < t.NumFields() {
			return t.Field(i).Type(), l.m.Layouts.Of(t).Offs[i], true
		}
	}
	return nil, 0, false
}
