package union

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file says what guards an object.

// register notes under which locks a node accesses cells.
func (k *knowledge) register(n int32) {
	x := &k.nodes[n]
	if x.op.Kind == event.MapRead && x.op.Key == 0 {
		if o := &k.objects[k.actOf(n).obj]; !o.whole {
			o.whole, k.stale = true, true
		}
	}
	if x.op.Kind == event.Unlock && x.holds(k.actOf(n).obj) != heldWrite || x.op.Kind == event.RUnlock && !x.reads(k.actOf(n).obj) {
		if o := &k.objects[k.actOf(n).obj]; !o.foreign {
			o.foreign, k.grown = true, true
		}
	}
	if !x.op.Kind.IsAccess() {
		return
	}
	for _, c := range k.actOf(n).cells {
		k.guard(c, n)
	}
}

func (k *knowledge) guard(c, n int32) {
	x := &k.nodes[n]
	r := &k.objects[c].usage
	guards := func(o int32) bool {
		mode := x.holds(o)
		return k.objects[o].space == spaceLock && (mode == heldWrite || mode == heldRead && !x.op.Kind.IsWrite())
	}
	if !r.accessed {
		r.accessed = true
		for _, h := range x.locks {
			if guards(h.obj) && !slices.Contains(r.guards, h.obj) {
				r.guards = append(r.guards, h.obj)
			}
		}
		return
	}
	for i := 0; i < len(r.guards); {
		if guards(r.guards[i]) {
			i++
			continue
		}
		r.guards = append(r.guards[:i:i], r.guards[i+1:]...)
		k.grown = true
	}
}
