package settled

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
)

// This file says which Waits settle accesses: rule BEHIND13. A goroutine goes on from a Wait when the counter is zero.
// Take the least that it can be while the accesses are still to come: what it is at the start, with the least that the
// one who waits has added to it on a way to the Wait, and the least that the one who makes the accesses can have added
// before them, less the most that each of the others can have taken from it by then. If that is positive, the accesses
// are made when Wait goes on; and their goroutine has taken something from the counter behind them, so they are known.
// If the one who makes the accesses has made the group as well, he has published it before another can wait for it.
//
// Others are all goroutines but those that are started behind the Wait alone.

// endless is more than is ever taken from a counter: what is taken in a loop.
const endless = 1 << 40

// A ledger is what goroutines do to the counter of a group.
type ledger struct {
	least map[int32]map[int32]int64 // by goroutine and node: the least that it can have added on a way there
	most  map[int32]int64           // by goroutine: the most that it can take, less what it has added before
}

// joins reports whether no access is to come that a goroutine makes at some nodes, once an edge of another one at a
// Wait is behind it. before is those nodes, and all from which they are reached.
func (x *settling) joins(e, own int32, before known.Bits) bool {
	from := x.Edges[e].From
	waits := x.Nodes[from].Thread
	if x.Edges[e].Kind != event.WaitGroupWait || waits == own || x.Loops[waits] || x.Loops[own] || x.IsBuffer(own) {
		return false
	}
	o := x.ActOf(from).Object
	l := x.ledgerOf(o)
	sum, known := l.least[waits][from]
	if !known {
		return false
	}
	sum += int64(x.Objects[o].Start)
	least := int64(endless)
	after, publishes := x.publishedBy(own, x.Nodes[from].Op.Loc.Addr) // BEHIND16
	for n, d := range l.least[own] {
		if before.Has(n) && (!publishes || after.Has(n)) {
			least = min(least, d)
		}
	}
	if least == endless {
		return false
	}
	sum += least
	ahead := x.before([]int32{from})
	for t, d := range l.most {
		if t != own && t != waits && d > 0 && !x.startedBehind(t, waits, ahead, len(x.IDs)) {
			sum -= d
		}
	}
	return sum > 0
}

// startedBehind reports whether a goroutine is started behind a node of another one alone: ahead is that node, and all
// from which it is reached.
func (x *settling) startedBehind(t, waits int32, ahead known.Bits, depth int) bool {
	spawners := x.spawners[t]
	if len(spawners) == 0 || depth == 0 {
		return false
	}
	return !slices.ContainsFunc(spawners, func(e int32) bool {
		if e < 0 {
			return true
		}
		n := x.Edges[e].From
		if by := x.Nodes[n].Thread; by != waits {
			return by == t || !x.startedBehind(by, waits, ahead, depth-1)
		}
		return ahead.Has(n)
	})
}

// ledgerOf returns what goroutines do to the counter of a group.
func (x *settling) ledgerOf(o int32) *ledger {
	if l := x.ledgers[o]; l != nil {
		return l
	}
	if x.spawners == nil {
		x.spawners = make(map[int32][]int32)
		for n := range x.Nodes {
			if y := &x.Nodes[n]; y.Parent < 0 && n > 0 {
				all := y.Spawners
				if len(all) == 0 {
					all = []int32{-1} // from the beginning, or by a timer
				}
				x.spawners[y.Thread] = append(x.spawners[y.Thread], all...)
			}
		}
	}
	l := &ledger{make(map[int32]map[int32]int64), make(map[int32]int64)}
	x.ledgers[o] = l
	touches := make(map[int32]bool)
	for i := range x.Edges {
		if from := x.Edges[i].From; x.Edges[i].Delta != 0 && x.ActOf(from).Object == o {
			touches[x.Nodes[from].Thread] = true
		}
	}
	for n := range x.Nodes {
		if y := &x.Nodes[n]; n > 0 && y.Parent < 0 {
			t := y.Thread
			if l.least[t] == nil {
				l.least[t] = make(map[int32]int64)
			}
			switch {
			case !touches[t]:
				l.least[t][int32(n)] = 0
				x.spread(o, int32(n), l.least[t])
			case x.Loops[t]:
				l.most[t] = endless
			default:
				x.spread(o, int32(n), l.least[t])
				for _, d := range l.least[t] {
					l.most[t] = max(l.most[t], -d)
				}
			}
		}
	}
	return l
}

// spread finds the least that a goroutine has added on a way to each node behind one at which it begins. Its graph has
// no cycles, or it adds nothing.
func (x *settling) spread(o, root int32, least map[int32]int64) {
	least[root] = min(least[root], 0)
	for todo := []int32{root}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range x.Nodes[n].Edges {
			x.looked++
			y := &x.Edges[e]
			d := least[n]
			if y.Delta != 0 && x.ActOf(n).Object == o {
				d += y.Delta
			}
			if was, ok := least[y.To]; !y.Kind.EndsThread() && (!ok || d < was) {
				least[y.To] = d
				todo = append(todo, y.To)
			}
		}
	}
}
