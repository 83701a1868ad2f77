package union

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
func (k *knowledge) nodeAfter(x *edge, h uint64, state sched.Local, n node) int32 {
	n.locks = k.locksAfter(x.from, x)
	if state.Silent || !state.Known {
		n.past = h
	}
	if k.histories || !state.Known || x.reply.Kind.EndsThread() {
		return k.newNode(n)
	}
	locks := uint64(1)
	for _, l := range n.locks {
		locks = mix(locks, uint64(l.obj)<<8|uint64(l.mode))
	}
	key := stateKey{n.thread, state.Digest, n.past, locks}
	if at, ok := k.states[key]; ok {
		k.join(n.thread)
		return at
	}
	n.hist = mix(hashBytes([]byte(k.ids[n.thread])), mix(mix(n.past, locks), state.Digest))
	at := k.newNode(n)
	k.states[key] = at
	return at
}

// deepen makes a node, and what follows it, deeper than another one from which an edge is to lead to it. It returns false if the edge would close a cycle.
func (k *knowledge) deepen(from, to int32) bool {
	if k.nodes[to].depth > k.nodes[from].depth {
		return true
	}
	ahead := func(n int32, f func(to int32)) {
		for _, e := range k.nodes[n].edges {
			if x := &k.edges[e]; !x.back {
				f(x.to)
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
			if !seen[m] && k.nodes[m].depth <= k.nodes[from].depth {
				seen[m] = true
				todo = append(todo, m)
			}
		})
	}
	k.nodes[to].depth = k.nodes[from].depth + 1
	for todo := []int32{to}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		ahead(n, func(m int32) {
			if k.nodes[m].depth <= k.nodes[n].depth {
				k.nodes[m].depth = k.nodes[n].depth + 1
				todo = append(todo, m)
			}
		})
	}
	return true
}

// join notes that several histories of a goroutine have led to one node.
func (k *knowledge) join(thread int32) {
	if !k.joined[thread] {
		k.joined[thread] = true
		k.joins = append(k.joins, thread)
	}
}

// disclose gives slots to what goroutines alone touch of which several histories have newly led to one node.
func (k *knowledge) disclose() {
	if len(k.joins) == 0 {
		return
	}
	slots := len(k.objects)
	for i := range k.lay.cells {
		if c := &k.lay.cells[i]; c.obj == 0 && slices.Contains(k.joins, c.thread) {
			k.share([]int32{int32(i)})
		}
	}
	k.joins = k.joins[:0]
	if len(k.objects) > slots {
		k.even()
		k.rebuild()
	}
}

// Knows reports whether a history, or the beginning of one, is a way through the graph of a goroutine. It is given as text: each reply as say writes it, in order.
// (Where nodes are states there are more ways than histories.)
func (k *knowledge) Knows(id event.ThreadID, history string, say func(trace.Reply) string) bool {
	t, ok := k.threads[id]
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
			for _, x := range k.nodes[n].edges {
				if w := say(k.edges[x].reply); strings.HasPrefix(history, w) {
					told, next[k.edges[x].to] = w, true
				}
			}
		}
		history, at = history[len(told):], next
	}
	return history == "" && ok
}
