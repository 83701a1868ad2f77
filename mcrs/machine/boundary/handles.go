package boundary

import (
	"fmt"
	"go/types"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file defines unique.Make. Making a handle is no visible operation: what it returns is a function of the value,
// whoever made the handle first. So the machine keeps that so for addresses too. A handle has a place of its own,
// which is the same in every execution and is nobody's allocation, and the strings in it are the machine's.
//
// A value with pointers or interfaces in it holds those of whoever made it first; they compare equal to the others'.

func uniqueMake(m *vm.Machine, f *vm.Func) vm.Intrinsic {
	t := f.SSA.Signature.Params().At(0).Type()
	l := m.Layouts.Of(t)
	return func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
		key, nan, bad := m.Types.AppendKeyAt([]byte(fmt.Sprintf("%x ", m.Types.Of(t))), t, unsafe.Pointer(&w[0]))
		if bad != nil {
			return goroutine.ThrowComputed(m, g, "hash of unhashable type "+m.Types.Str(bad))
		}
		o, s := handle(m, g, string(key), nan, max(l.Size, 1), l.Ptrs)
		if s != vm.Done {
			return s
		}
		w[len(w)-1] = o.Base
		if o.Flags&mem.ReadOnly != 0 { // it was there
			return vm.Done
		}
		copy(o.Bytes(), unsafe.Slice((*byte)(unsafe.Pointer(&w[0])), l.Size))
		ownStrings(m, t, o.Data())
		m.Publish(o.Base)
		o.Flags |= mem.ReadOnly
		return vm.Done
	}
}

// handle returns the object behind the handle of a key, a new one if there is none. A NaN is equal to nothing, so it
// has a new one each time.
func handle(m *vm.Machine, g *vm.G, key string, nan bool, size uint64, ptrs *mem.PtrMap) (*mem.Object, vm.Status) {
	if !nan {
		for _, made := range []map[string]uint64{m.Handles.Inits, m.Unique} {
			if a, ok := made[key]; ok {
				return m.Mem.Object(a), vm.Done
			}
		}
	}
	var o *mem.Object
	if m.Inits || nan || m.Mode == vm.Running {
		a, s := m.Alloc(g, size, ptrs)
		if s != vm.Done {
			return nil, s
		}
		o = m.Mem.Object(a)
	} else {
		if m.Mem.Live+int64(size) > m.CollectAt && !m.Room(g, int64(size)) {
			return nil, vm.Halt
		}
		o = m.Mem.AllocAt(m.Segment(vm.Handles), m.HandleAt(key, size), size, ptrs)
	}
	made := &m.Unique
	if m.Inits {
		made = &m.Handles.Inits
	}
	if *made == nil {
		*made = map[string]uint64{}
	}
	(*made)[key] = o.Base
	return o, vm.Done
}

// ownStrings has the strings of a value be the machine's, as unique.Make clones them.
func ownStrings(m *vm.Machine, t types.Type, p unsafe.Pointer) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			h := (*[2]uint64)(p)
			h[0], h[1] = m.StaticString(m.GoString(h[0], h[1]))
		}
	case *types.Array:
		size := m.Layouts.Of(u.Elem()).Size
		for i := range u.Len() {
			ownStrings(m, u.Elem(), unsafe.Add(p, uint64(i)*size))
		}
	case *types.Struct:
		fields := make([]*types.Var, u.NumFields())
		for i := range fields {
			fields[i] = u.Field(i)
		}
		for i, off := range types.SizesFor("gc", "amd64").Offsetsof(fields) {
			ownStrings(m, fields[i].Type(), unsafe.Add(p, off))
		}
	}
}
