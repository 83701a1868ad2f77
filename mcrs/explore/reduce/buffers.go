package reduce

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// This file is about store buffers: whom what is on its way to memory concerns, and how states with buffers are
// named.
//
//	RBUF1  A Store concerns nobody: it commutes with all that others do, the thread of its own buffer included.
//	       The writes that it leads to are in its goroutine's future.
//	RBUF2  What waits for its buffer needs a thread of that, and nobody else. So does a read of what the buffer
//	       has: what others write it finds only after that thread has moved. A Try, and a select with a default,
//	       which could do something else instead, need what they need without a buffer as well.
//	       The write of a store that is behind one in another queue (UBUF6) needs the thread of that.
//	RBUF3  A store keeps others away from its cells like an access of its goroutine: who lets go of a lock waits
//	       for the buffer (RED3).
//	RBUF4  In the name of a state, a goroutine and its buffer are named together: each can tell what becomes of
//	       the other.

// concernedByBuffer adds to a row those of a goroutine's own buffer whom its operation concerns. It reports whether
// that is all.
func concernedByBuffer(k *Reducer, s *spec.State, t int32, row Threads) bool {
	if !k.Relaxed() {
		return false
	}
	b := spec.BufferingIn(&k.Rules, s)
	if u := b.Behind(t); u >= 0 {
		row.set(u)
		return true
	}
	w := b.Awaits(t)
	if w == spec.Free {
		return false
	}
	if op := &k.Nodes[s.Nodes[t]].Op; op.Kind == event.Read || op.Kind == event.AtomicLoad {
		_, by, _ := b.Own(t, op.Loc)
		row.set(by)
		return true
	}
	row.set(b.Of(t, k.Scratch.buffers[:0])[0]) // without it the others do not suffice
	return w == spec.Waits
}

// whoIs names a goroutine or the thread of a buffer in a state, by what is known of its future and of that of its
// buffer, or of its owner (RBUF4).
func whoIs(k *Reducer, s *spec.State, t int32) uint64 {
	w := classIn(k, s.Node(t))
	if !k.Relaxed() {
		return w
	}
	if owner := k.Owner(t); owner != t {
		return known.Mix(w, whoIs(k, s, owner))
	}
	for _, b := range k.BuffersOf(t) {
		if n := s.Node(b); n != 0 {
			w += known.Mix(classIn(k, n), 29)
		}
	}
	return w
}

// classIn is the class of a node that is in the name of a state.
func classIn(k *Reducer, n int32) uint64 {
	x := &k.Nodes[n]
	NameIn(x, k.Sweeps)
	return x.Class
}

// Alike reports whether two goroutines may change places in a state: their futures are equal (RED10), and so are
// those of their buffers (RBUF4).
func Alike(k *Reducer, s *spec.State, t, u int32) bool {
	if k.Nodes[s.Nodes[t]].Class != k.Nodes[s.Nodes[u]].Class {
		return false
	}
	return !k.Relaxed() || k.IsBuffer(t) == k.IsBuffer(u) && whoIs(k, s, t) == whoIs(k, s, u)
}

// raiseQueue says at once what is known of the future of a node of a buffer, for a sweep makes such nodes. It is what
// is in the buffer.
func raiseQueue(k *Reducer, n int32) {
	x := &k.Nodes[n]
	x.Future.Add(k.Touches(n))
	if rest := k.Edges[x.Edges[0]].To; rest != 0 {
		x.Future.Add(k.Nodes[rest].Future)
	}
	k.held += cap(x.Future)
	x.Class = k.classOf(n, true, x.Edges)
}
