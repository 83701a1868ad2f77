package union

// This file says which accesses in doubt can come after a node (BEHIND5). Where a state cannot lead to a race any more,
// the walk of behind.go leaves it.

// An outlook is what can come after a node: in its own goroutine, and in those that are started there. Both are sets of
// numbers of accesses in doubt.
type outlook struct {
	made  uint64 // accesses that can be made
	meets uint64 // accesses with which an access that can be made conflicts
}

func (o *outlook) add(x outlook) {
	o.made |= x.made
	o.meets |= x.meets
}

// lookAhead says what comes after each node. What timers' threads do can come at any time.
func (w *follower) lookAhead() {
	w.ahead = make([]outlook, len(w.Nodes))
	own, timers := make([]outlook, len(w.Edges)), make(map[int32]bool)
	for _, t := range w.Timers {
		timers[t.Thread] = true
	}
	for i := range w.Edges {
		x := &w.Edges[i]
		d, ok := w.doubtOf(x.From, x)
		if !ok {
			continue
		}
		how := w.how(d)
		if own[i].meets = how.Conflicts; how.Number >= 0 {
			own[i].made = 1 << how.Number
		}
	}
	for grown := true; grown; {
		grown = false
		for i := len(w.Edges) - 1; i >= 0; i-- { // what comes later is mostly known later
			x := &w.Edges[i]
			o, was := own[i], w.ahead[x.From]
			for _, n := range [2]int32{x.To, x.Child} {
				if n > 0 {
					o.add(w.ahead[n])
				}
			}
			w.ahead[x.From].add(o)
			grown = grown || was != w.ahead[x.From]
		}
	}
	for n := range w.ahead {
		if timers[w.Nodes[n].Thread] {
			w.timers.add(w.ahead[n])
		}
	}
}

// matters forgets what cannot matter any more after a state. It reports whether the state can lead to a race. A
// goroutine that is started knows what the one that starts it knows.
func (w *follower) matters(y *stand) bool {
	after := w.timers
	matter := after.meets
	for t := range w.IDs {
		if n := y.s.Node(int32(t)); n > 0 {
			after.add(w.ahead[n])
			matter |= w.ahead[n].meets & y.know.Unknown(int32(t))
		}
	}
	matter |= after.meets & after.made
	y.know.Keep(matter)
	return matter != 0
}
