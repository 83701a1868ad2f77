package machine

import (
	"fmt"
	"go/types"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file defines unique.Make. Making a handle is no visible operation: what it returns is a function of the value, whoever made the handle
// first. So the machine keeps that so for addresses too. A handle has a place of its own, which is the same in every execution and is nobody's
// allocation, and the strings in it are the machine's.
//
// A value with pointers or interfaces in it holds those of whoever made it first; they compare equal to the others'.

// handles are the places of handles, by type and value.
type handles struct {
	slots map[string]uint64 // numbers in a segment of their own, the same in all executions
	next  uint64
	inits map[string]uint64 // addresses of those that package initialisers made
}

// rollBack forgets the handles that initialisers have made since base was allocated.
func (hs *handles) rollBack(base uint64) {
	for key, a := range hs.inits {
		if a >= base {
			delete(hs.inits, key)
		}
	}
}

func uniqueMake(m *Machine, f *Func) Intrinsic {
	t := f.ssa.Signature.Params().At(0).Type()
	l := m.layouts.Of(t)
	return func(m *Machine, g *G, w []uint64) status {
		key, nan, bad := m.types.AppendKeyAt([]byte(fmt.Sprintf("%x ", m.types.Of(t))), t, unsafe.Pointer(&w[0]))
		if bad != nil {
			return m.throwComputed(g, "hash of unhashable type "+m.types.Str(bad))
		}
		o, s := m.handle(g, string(key), nan, max(l.Size, 1), l.Ptrs)
		if s != done {
			return s
		}
		w[len(w)-1] = o.Base
		if o.Flags&mem.ReadOnly != 0 { // it was there
			return done
		}
		copy(o.Bytes(), unsafe.Slice((*byte)(unsafe.Pointer(&w[0])), l.Size))
		m.ownStrings(t, o.Data())
		m.publish(o.Base)
		o.Flags |= mem.ReadOnly
		return done
	}
}

// handle returns the object behind the handle of a key, a new one if there is none. A NaN is equal to nothing, so it has a new one each time.
func (m *Machine) handle(g *G, key string, nan bool, size uint64, ptrs *mem.PtrMap) (*mem.Object, status) {
	if !nan {
		for _, made := range []map[string]uint64{m.handles.inits, m.unique} {
			if a, ok := made[key]; ok {
				return m.mem.Object(a), done
			}
		}
	}
	var o *mem.Object
	if m.inits || nan || m.mode == running {
		a, s := m.alloc(g, size, ptrs)
		if s != done {
			return nil, s
		}
		o = m.mem.Object(a)
	} else {
		if m.mem.Live+int64(size) > m.collectAt && !m.room(g, int64(size)) {
			return nil, halt
		}
		o = m.mem.AllocAt(m.segment("unique"), m.handles.slot(key, size), size, ptrs)
	}
	made := &m.unique
	if m.inits {
		made = &m.handles.inits
	}
	if *made == nil {
		*made = map[string]uint64{}
	}
	(*made)[key] = o.Base
	return o, done
}

// slot is the place of a key's handle.
func (hs *handles) slot(key string, size uint64) uint64 {
	slot, ok := hs.slots[key]
	if !ok {
		if hs.slots == nil {
			hs.slots = map[string]uint64{}
		}
		slot = hs.next
		hs.slots[key], hs.next = slot, slot+mem.Slots(size)
	}
	return slot
}

// ownStrings has the strings of a value be the machine's, as unique.Make clones them.
func (m *image) ownStrings(t types.Type, p unsafe.Pointer) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			h := (*[2]uint64)(p)
			h[0], h[1] = m.staticString(m.goString(h[0], h[1]))
		}
	case *types.Array:
		size := m.layouts.Of(u.Elem()).Size
		for i := range u.Len() {
			m.ownStrings(u.Elem(), unsafe.Add(p, uint64(i)*size))
		}
	case *types.Struct:
		fields := make([]*types.Var, u.NumFields())
		for i := range fields {
			fields[i] = u.Field(i)
		}
		for i, off := range types.SizesFor("gc", "amd64").Offsetsof(fields) {
			m.ownStrings(fields[i].Type(), unsafe.Add(p, off))
		}
	}
}
