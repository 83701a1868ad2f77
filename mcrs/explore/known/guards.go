package known

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file says what guards an object.

// Register notes under which locks a node accesses cells.
func (k *Knowledge) Register(n int32) {
	x := &k.Nodes[n]
	if x.Op.Kind == event.MapRead && x.Op.Key == 0 {
		if o := &k.Objects[k.ActOf(n).Object]; !o.Whole {
			o.Whole, k.Stale = true, true
		}
	}
	if x.Op.Kind == event.Unlock && x.Holds(k.ActOf(n).Object) != HeldWrite || x.Op.Kind == event.RUnlock && !x.reads(k.ActOf(n).Object) {
		if o := &k.Objects[k.ActOf(n).Object]; !o.Foreign {
			o.Foreign, k.Grown = true, true
		}
	}
	if !x.Op.Kind.IsAccess() {
		return
	}
	for _, c := range k.ActOf(n).Cells {
		k.guard(c, n)
	}
}

func (k *Knowledge) guard(c, n int32) {
	x := &k.Nodes[n]
	r := &k.Objects[c].Usage
	guards := func(o int32) bool {
		mode := x.Holds(o)
		return k.Objects[o].Space == spaceLock && (mode == HeldWrite || mode == heldRead && !x.Op.Kind.IsWrite())
	}
	if !r.Accessed {
		r.Accessed = true
		for _, h := range x.Locks {
			if guards(h.Object) && !slices.Contains(r.Guards, h.Object) {
				r.Guards = append(r.Guards, h.Object)
			}
		}
		return
	}
	for i := 0; i < len(r.Guards); {
		if guards(r.Guards[i]) {
			i++
			continue
		}
		r.Guards = append(r.Guards[:i:i], r.Guards[i+1:]...)
		k.Grown = true
	}
}
