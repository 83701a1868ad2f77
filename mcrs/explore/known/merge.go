package known

import (
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file says where histories of a goroutine come to one node.

// A stateKey names a goroutine's state.
type stateKey struct {
	thread              int32
	digest, past, locks uint64
}

// nodeAfter returns the node to which an edge leads: n, whose history has the hash h, or one in the same state.
func (k *Knowledge) nodeAfter(x *Edge, h uint64, state sched.Local, n Node) int32 {
	n.Locks = k.locksAfter(x.From, x)
	if state.Silent || !state.Known {
		n.past = h
	}
	if k.ByHistory || !state.Known || x.Reply.Kind.EndsThread() {
		return k.newNode(n)
	}
	locks := uint64(1)
	for _, l := range n.Locks {
		locks = Mix(locks, uint64(l.Object)<<8|uint64(l.Mode))
	}
	key := stateKey{n.Thread, state.Digest, n.past, locks}
	if at, ok := k.states[key]; ok {
		k.join(n.Thread)
		return at
	}
	n.Hist = Mix(HashBytes([]byte(k.IDs[n.Thread])), Mix(Mix(n.past, locks), state.Digest))
	at := k.newNode(n)
	k.states[key] = at
	return at
}

// deepen makes a node, and what follows it, deeper than another one from which an edge is to lead to it. It returns
// false if the edge would close a cycle.
func (k *Knowledge) deepen(from, to int32) bool {
	if k.Nodes[to].depth > k.Nodes[from].depth {
		return true
	}
	ahead := func(n int32, f func(to int32)) {
		for _, e := range k.Nodes[n].Edges {
			if x := &k.Edges[e]; !x.Back {
				f(x.To)
			}
		}
	}
	seen := map[int32]bool{to: true}
	for todo := []int32{to}; len(todo) > 0; {
		n := todo[len(todo)-1]
		if todo = todo[:len(todo)-1]; n == from {
			return false
		}
		ahead(n, func(m int32) {
			if !seen[m] && k.Nodes[m].depth <= k.Nodes[from].depth {
				seen[m] = true
				todo = append(todo, m)
			}
		})
	}
	k.Nodes[to].depth = k.Nodes[from].depth + 1
	for todo := []int32{to}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		ahead(n, func(m int32) {
			if k.Nodes[m].depth <= k.Nodes[n].depth {
				k.Nodes[m].depth = k.Nodes[n].depth + 1
				todo = append(todo, m)
			}
		})
	}
	return true
}

// join notes that several histories of a goroutine have led to one node.
func (k *Knowledge) join(thread int32) {
	if !k.Joined[thread] {
		k.Joined[thread] = true
		k.joins = append(k.joins, thread)
	}
}

// Disclose gives slots to what goroutines alone touch of which several histories have newly led to one node.
func (k *Knowledge) Disclose() {
	if len(k.joins) == 0 {
		return
	}
	slots := len(k.Objects)
	for i := range k.Layout.cells {
		if c := &k.Layout.cells[i]; c.obj == 0 && slices.Contains(k.joins, c.thread) {
			k.share([]int32{int32(i)})
		}
	}
	k.joins = k.joins[:0]
	if len(k.Objects) > slots {
		k.Even()
		k.Rebuild()
	}
}

// Knows reports whether a history, or the beginning of one, is a way through the graph of a goroutine. The history is
// given as text: each reply as say writes it, in order. (Where nodes are states there are more ways than histories.)
func (k *Knowledge) Knows(id event.ThreadID, history string, say func(trace.Reply) string) bool {
	t, ok := k.Threads[id]
	at := make(map[int32]bool)
	for key, n := range k.roots {
		at[n] = at[n] || ok && key.thread == t
	}
	for history != "" && len(at) > 0 {
		told := ""
		next := make(map[int32]bool)
		for n := range at {
			if !at[n] {
				continue
			}
			for _, x := range k.Nodes[n].Edges {
				if w := say(k.Edges[x].Reply); strings.HasPrefix(history, w) {
					told, next[k.Edges[x].To] = w, true
				}
			}
		}
		history, at = history[len(told):], next
	}
	return history == "" && ok
}
