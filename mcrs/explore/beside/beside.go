// Package beside says where other goroutines can stand while one stands at a node, by what is known of a program: its
// goroutines' graphs. It walks no states.
//
// # Background
//
// What a goroutine may yet do is more than what it may do before another one moves: who waits for an answer does
// nothing with it before it has come. Whether two nodes can be stood at side by side is asked by analyses of Ada tasks
// since Callahan and Subhlok, "Static Analysis of Low-level Synchronization", 1988: may this happen in parallel with
// that? The graphs answer it here, for one message after the other.
//
// # Method
//
// A node m is beside a node n of another goroutine t if, as far as is shown below, somebody can stand at m while t has
// not left n: t was not started yet, or stands at n, or at a node from which n is reached.
//
//	BESIDE1 Where goroutines begin that nobody starts, and where the threads of timers stand, is beside all nodes; and
//	        all nodes are beside those of timers' threads.
//	BESIDE2 An edge leads from a node beside n to nodes beside n: to the one behind it, and to where the goroutines
//	        begin that it starts. Of t itself only edges to a node from which n is reached, or to n, do so.
//	BESIDE3 Who receives an element stands beside n behind that only if one who sends such an element on the channel
//	        stands beside n when he does so. Likewise who sends where there is no buffer, and a receiver; who finds a
//	        channel closed, and who closes it; who finds a Once done, and who ends its function.
//
// Let an execution be the first to have somebody stand at a node that is not beside n, while t has not left n. By
// BESIDE1 it is not where he began. So he has come there by an edge from a node beside n, by BESIDE2, and by BESIDE3 it
// needs a giver. One has sent the element, or closed the channel, before that, or in the same step. If that was
// another one, he stood at a node beside n then, for t had not left n; and if it was t, an edge of his to a node from
// which n is reached, or to n, did so. Either way BESIDE3 holds. So there is no such execution.
//
// # Limits
//
// Locks, atomics, groups and conditions order nothing here. Elements of timers' channels, and what is in a channel at
// the start, are nobody's.
package beside

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// maxWords bounds the memory of a table.
const maxWords = 2 << 20

// A Table says of the nodes that there were when it was made which are beside which.
type Table struct {
	Nodes, Edges int  // that there were
	Steps        int  // the work of making it: words that were looked at
	Useful       bool // somebody waits for what others give (BESIDE3)

	words int
	rows  []uint64 // by node: those beside which it is; of its own goroutine, those that are reached from it, and itself
}

// Of reports whether the table is of all that is known.
func (t *Table) Of(k *spec.Rules) bool { return t.Nodes == len(k.Nodes) && t.Edges == len(k.Edges) }

// Beside reports whether somebody can stand at node m while the goroutine of n has not left n. What the table does not
// know may be.
func (t *Table) Beside(m, n int32) bool {
	return t.rows == nil || int(m) >= t.Nodes || int(n) >= t.Nodes || t.rows[int(m)*t.words+int(n>>6)]>>(n&63)&1 != 0
}

// A passage is where goroutines wait for each other.
type passage struct {
	object  int32
	by      event.Kind
	element uint64
}

// A maker makes a table.
type maker struct {
	*Table
	rules  *spec.Rules
	own    [][]uint64 // by goroutine: its nodes
	free   []bool     // by goroutine: whose nodes are beside all
	number map[passage]int32
	gives  []int32 // by edge: the number of the passage, 0 if there is none
	takes  []int32
	takers [][]int32  // by passage: the nodes of those who take
	passed [][]uint64 // by passage: the nodes beside which somebody gives; nil if anything does
	behind []uint64   // memory of spread
	dirty  []bool     // by node
}

// Make makes the table of what is known now; nil if it would be too large.
func Make(k *spec.Rules) *Table {
	t := &Table{Nodes: len(k.Nodes), Edges: len(k.Edges), words: (len(k.Nodes) + 63) / 64}
	if (t.Nodes+len(k.IDs))*t.words > maxWords {
		return nil
	}
	x := &maker{Table: t, rules: k, behind: make([]uint64, t.words), dirty: make([]bool, t.Nodes), number: make(map[passage]int32), takers: make([][]int32, 1)}
	if x.passages(); !slices.ContainsFunc(x.passed, func(p []uint64) bool { return p != nil }) {
		return t
	}
	t.rows = make([]uint64, t.Nodes*t.words)
	x.goroutines()
	x.reach()
	x.begin()
	for grown := true; grown; {
		grown = false
		for n := range x.dirty {
			if x.dirty[n] {
				x.dirty[n], grown = false, true
				x.spread(int32(n))
			}
		}
	}
	t.Useful = x.useful()
	return t
}

// useful reports whether somebody waits.
func (x *maker) useful() bool {
	for i := range x.Edges {
		p := x.takes[i]
		if p == 0 || x.passed[p] == nil {
			continue
		}
		n := x.rules.Edges[i].From
		row, own := x.row(n), x.own[x.rules.Nodes[n].Thread]
		for j, w := range x.passed[p] {
			if row[j]&^own[j]&^w != 0 {
				return true
			}
		}
	}
	return false
}

func (x *maker) row(n int32) []uint64 { return x.rows[int(n)*x.words:][:x.words] }

// goroutines finds whose nodes are whose.
func (x *maker) goroutines() {
	x.own, x.free = make([][]uint64, len(x.rules.IDs)), make([]bool, len(x.rules.IDs))
	all := make([]uint64, len(x.own)*x.words)
	for t := range x.own {
		x.own[t] = all[t*x.words:][:x.words]
	}
	for n := 1; n < x.Nodes; n++ {
		x.own[x.rules.Nodes[n].Thread][n>>6] |= 1 << (n & 63)
	}
	for _, t := range x.rules.Timers {
		x.free[t.Thread] = true
	}
	for t, free := range x.free {
		for n := 1; free && n < x.Nodes; n++ {
			x.add(x.row(int32(n)), x.own[t])
		}
	}
}

// passages finds where edges give and take.
func (x *maker) passages() {
	x.gives, x.takes = make([]int32, x.Edges), make([]int32, x.Edges)
	loose := make([]bool, 1)
	for i := range x.Edges {
		e := &x.rules.Edges[i]
		gives, takes, open := passagesOf(x.rules, e)
		for _, y := range [2]struct {
			passage
			at *int32
		}{{gives, &x.gives[i]}, {takes, &x.takes[i]}} {
			if y.object == 0 {
				continue
			}
			p, ok := x.number[y.passage]
			if !ok {
				p = int32(len(x.takers))
				x.number[y.passage] = p
				x.takers, loose = append(x.takers, nil), append(loose, false)
			}
			*y.at = p
			loose[p] = loose[p] || open
		}
		if p := x.takes[i]; p > 0 {
			x.takers[p] = append(x.takers[p], e.From)
		}
	}
	x.passed = make([][]uint64, len(loose))
	for p, open := range loose {
		if p > 0 && !open && len(x.takers[p]) > 0 {
			x.passed[p] = make([]uint64, x.words)
		}
	}
}

// passagesOf returns what an edge gives to, and what it takes from (BESIDE3). open says that who takes there may have
// been given nothing.
func passagesOf(k *spec.Rules, e *known.Edge) (gives, takes passage, open bool) {
	a := k.ActOf(e.From)
	switch e.Kind {
	case event.OnceEnd:
		gives = passage{object: a.Object, by: event.OnceEnd}
	case event.OnceBegin:
		if e.Reply.Value == 0 {
			takes, open = passage{object: a.Object, by: event.OnceEnd}, k.Objects[a.Object].Start != 0
		}
	case event.ChanClose:
		if !e.Key.Flag {
			gives = passage{object: a.Object, by: event.ChanClose}
		}
	case event.ChanSend, event.ChanRecv:
		c := a.Comms[max(e.Key.Case, 0)].Object
		o := &k.Objects[c]
		open = o.Timer || o.Start != 0
		switch {
		case e.Kind == event.ChanRecv && e.Key.Flag:
			takes = passage{object: c, by: event.ChanClose}
		case e.Kind == event.ChanRecv:
			gives, takes = passage{object: c, by: event.ChanRecv}, passage{c, event.ChanSend, e.Key.Value}
		case !e.Key.Flag && o.Cap == 0:
			gives, takes = passage{c, event.ChanSend, e.Send}, passage{object: c, by: event.ChanRecv}
		case !e.Key.Flag:
			gives = passage{c, event.ChanSend, e.Send}
		}
	}
	return gives, takes, open
}

// reach finds which nodes of a goroutine are reached from which.
func (x *maker) reach() {
	for n := 1; n < x.Nodes; n++ {
		x.row(int32(n))[n>>6] |= 1 << (n & 63)
	}
	for grown := true; grown; {
		grown = false
		for i := x.Edges - 1; i >= 0; i-- { // what comes later is mostly known later
			e := &x.rules.Edges[i]
			grown = x.add(x.row(e.From), x.row(e.To)) || grown
		}
	}
}

// add adds a set to another one, and reports whether that grew.
func (x *maker) add(to, from []uint64) (grew bool) {
	x.Steps += len(to)
	for i, w := range from {
		if w&^to[i] != 0 {
			to[i] |= w
			grew = true
		}
	}
	return grew
}

// begin finds what is beside all nodes (BESIDE1).
func (x *maker) begin() {
	for n := 1; n < x.Nodes; n++ {
		y := &x.rules.Nodes[n]
		x.dirty[n] = true
		if x.free[y.Thread] || y.Parent < 0 && len(y.Spawners) == 0 {
			row, own := x.row(int32(n)), x.own[y.Thread]
			for i := range row {
				row[i] |= ^own[i]
			}
		}
	}
}

// spread finds what follows from a node's row (BESIDE2, BESIDE3).
func (x *maker) spread(n int32) {
	node := &x.rules.Nodes[n]
	row, own := x.row(n), x.own[node.Thread]
	for _, e := range node.Edges {
		y := &x.rules.Edges[e]
		// What the goroutine itself has not left behind the edge.
		behind, after := x.behind, x.row(y.To)
		for i := range behind {
			behind[i] = row[i]&^own[i] | after[i]&own[i]
		}
		x.Steps += len(row)
		if p := x.gives[e]; p > 0 && x.passed[p] != nil && x.add(x.passed[p], behind) {
			for _, t := range x.takers[p] {
				x.dirty[t] = true
			}
		}
		if p := x.takes[e]; p > 0 && x.passed[p] != nil {
			for i, w := range x.passed[p] {
				behind[i] &= w
			}
		}
		for _, to := range x.rules.Leads(e) {
			if to <= 0 {
				continue
			}
			his := x.own[x.rules.Nodes[to].Thread]
			grew, into := false, x.row(to)
			for i, w := range behind {
				if w &^= his[i]; w&^into[i] != 0 {
					into[i] |= w
					grew = true
				}
			}
			x.dirty[to] = x.dirty[to] || grew
		}
	}
}
