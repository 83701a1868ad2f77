package settled

import "slices"

// This file says which Adds to a wait group are never the first: rule BEHIND15. While a goroutine stands at its Add,
// take the least that the counter can be: what its own way there has added, and the ways of those who have started it,
// up to where they did; less the most that they can take behind that, and that those can take who were started on these
// ways (known.Prospect.Drops). If that is positive, the Add never finds the counter at zero.
//
// So it is where each goroutine is counted before it is started, and counts those that it starts before it is Done.

// countedBudget bounds the edges that are looked at to find what a way has added.
const countedBudget = 1_000_000

// unknown is less than any counter can be.
const unknown = -1 << 50

// counting finds the least that counters can be.
type counting struct {
	*settling
	ways     map[[2]int32]map[int32]int64 // by wait group and goroutine: the least that a way has added, by node
	starts   map[[2]int32]int64           // likewise: the least that the counter can be without the goroutine's own Adds
	starters map[int32][]int32            // by goroutine: the edges that start it
	roots    map[int32][]int32            // likewise, the nodes at which it begins
}

// Counted reports whether the counter of a wait group is never zero where an Add is made. What is known of the futures
// of nodes must be up to date.
func (f *Finder) Counted(a *Use) bool {
	c := f.counting
	if c == nil {
		c = &counting{settling: f.settling, ways: make(map[[2]int32]map[int32]int64), starts: make(map[[2]int32]int64)}
		c.begin()
		f.counting = c
	}
	return !slices.ContainsFunc(a.Nodes, func(n int32) bool { return c.least(a.Group, n) < 1 })
}

// begin finds who starts whom.
func (c *counting) begin() {
	c.starters, c.roots = make(map[int32][]int32), make(map[int32][]int32)
	for n := 1; n < len(c.Nodes); n++ {
		if x := &c.Nodes[n]; x.Parent < 0 {
			c.roots[x.Thread] = append(c.roots[x.Thread], int32(n))
		}
	}
	for e := range c.Edges {
		for _, n := range c.Leads(int32(e))[1:] {
			t := c.Nodes[n].Thread
			c.starters[t] = append(c.starters[t], int32(e))
		}
	}
}

// least is the least that a counter can be where a goroutine stands at a node.
func (c *counting) least(o, n int32) int64 {
	t := c.Nodes[n].Thread
	own, ok := c.waysOf(o, t)[n]
	if !ok {
		return unknown
	}
	return max(c.startOf(o, t)+own, unknown)
}

// startOf is the least that a counter can be, at any time, without what a goroutine adds itself, and those whom it
// starts, once it has been started.
func (c *counting) startOf(o, t int32) int64 {
	key := [2]int32{o, t}
	if least, ok := c.starts[key]; ok {
		return least
	}
	c.starts[key] = unknown // if it starts itself
	least := int64(-unknown)
	if len(c.starters[t]) == 0 {
		least = int64(c.Objects[o].Start)
		for u, roots := range c.roots {
			if u != t && len(c.starters[u]) == 0 {
				least -= c.dropOf(o, roots)
			}
		}
	}
	for _, e := range c.starters[t] {
		then := c.least(o, c.Edges[e].From) - c.dropOf(o, []int32{c.Edges[e].To})
		for _, n := range c.Leads(e)[1:] {
			if c.Nodes[n].Thread != t {
				then -= c.Nodes[n].DropOf(o)
			}
		}
		least = min(least, then)
	}
	c.starts[key] = max(least, unknown)
	return c.starts[key]
}

// dropOf is the most that can be taken from a counter from one of some nodes on.
func (c *counting) dropOf(o int32, nodes []int32) (most int64) {
	for _, n := range nodes {
		if n > 0 {
			most = max(most, c.Nodes[n].DropOf(o))
		}
	}
	return most
}

// waysOf returns the least that a goroutine has added on a way to each of its nodes, less what those can take whom it
// has started on the way. It is empty if that takes too long: the goroutine may go round, and take something each time.
func (c *counting) waysOf(o, t int32) map[int32]int64 {
	key := [2]int32{o, t}
	if least, ok := c.ways[key]; ok {
		return least
	}
	least := make(map[int32]int64)
	c.ways[key] = least
	todo := slices.Clone(c.roots[t])
	for _, n := range todo {
		least[n] = 0
	}
	for looked := 0; len(todo) > 0; {
		n := todo[0]
		todo = todo[1:]
		for _, e := range c.Nodes[n].Edges {
			if looked++; looked > countedBudget {
				clear(least)
				return least
			}
			y := &c.Edges[e]
			d := max(least[n]+c.addedBy(o, e), unknown)
			if was, ok := least[y.To]; y.To > 0 && !y.Kind.EndsThread() && (!ok || d < was) {
				least[y.To] = d
				todo = append(todo, y.To)
			}
		}
	}
	return least
}

// addedBy is what an edge adds to a counter, less what those can take whom it starts.
func (c *counting) addedBy(o, e int32) (added int64) {
	if y := &c.Edges[e]; y.Delta != 0 && c.ActOf(y.From).Object == o {
		added = y.Delta
	}
	for _, n := range c.Leads(e)[1:] {
		added -= c.Nodes[n].DropOf(o)
	}
	return added
}
