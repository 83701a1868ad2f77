package mcr

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// This file is about store buffers in the model of one trace. A walk has them as union has (rules UBUF of package
// spec): the write of a buffer's thread is a move like others.
//
//	MBUF1  A buffer meets nothing, and does not depart: what is in it follows from what its goroutine has met. So it
//	       is no part of what is particular to a prefix. The buffer of a goroutine that has departed is still
//	       emptied: what it stored before is known.
//	MBUF2  A prefix that is made short keeps, with the write of a store, the store; with what waits for an empty
//	       buffer, the writes before it. It may leave a store in the buffer, and the write of it out.

// waits lists the threads of the buffers that must be empty for a move (MBUF2). Of an operation that waits in some
// states alone it lists them, too.
func (m *Model) waits(w *walk, v spec.Move) (out []int32) {
	e := m.e
	if !e.Relaxed() || e.IsBuffer(v.Thread) {
		return nil
	}
	for _, t := range []int32{v.Thread, v.Partner} {
		if t >= 0 && e.Nodes[w.s.Node(t)].Op.AwaitsBuffer() {
			out = append(out, e.BuffersOf(t)...)
		}
	}
	return out
}

// puts lists the threads of the buffers into which a move puts stores, one for each store.
func (m *Model) puts(w *walk, v spec.Move) (out []int32) {
	id, _, _ := m.e.EdgesFor(&w.s, v)
	if id < 0 {
		return nil
	}
	for _, one := range m.e.Edges[id].Stores() {
		out = append(out, m.e.Nodes[one].Thread)
	}
	return slices.Clip(out)
}
