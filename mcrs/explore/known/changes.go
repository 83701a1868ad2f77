package known

import "slices"

// This file keeps which nodes have changed.

// A Changes gives the largest number first: children before parents, mostly. It is a binary heap.
type Changes struct {
	Nodes  []int32
	queued []bool    // by node
	Whole  []bool    // the node itself has changed, and not only what these of its edges lead to
	Edges  [][]int32 // by node
}

// grow makes room for n nodes.
func (q *Changes) grow(n int) {
	for len(q.queued) < n {
		q.queued, q.Whole, q.Edges = append(q.queued, false), append(q.Whole, false), append(q.Edges, nil)
	}
}

// Add adds a node that has changed.
func (q *Changes) Add(n int32) {
	q.grow(int(n) + 1)
	q.Whole[n] = true
	q.push(n)
}

// AddEdge adds a node of which an edge leads to what has changed.
func (q *Changes) AddEdge(n, e int32) {
	q.grow(int(n) + 1)
	if !q.Whole[n] && !slices.Contains(q.Edges[n], e) {
		q.Edges[n] = append(q.Edges[n], e)
	}
	q.push(n)
}

func (q *Changes) push(n int32) {
	if q.queued[n] {
		return
	}
	q.queued[n] = true
	q.Nodes = append(q.Nodes, n)
	for i := len(q.Nodes) - 1; i > 0 && q.Nodes[(i-1)/2] < q.Nodes[i]; i = (i - 1) / 2 {
		q.Nodes[i], q.Nodes[(i-1)/2] = q.Nodes[(i-1)/2], q.Nodes[i]
	}
}

// Take takes out the largest.
func (q *Changes) Take() int32 {
	n, last := q.Nodes[0], len(q.Nodes)-1
	q.Nodes[0] = q.Nodes[last]
	q.Nodes = q.Nodes[:last]
	for i := 0; ; {
		c := 2*i + 1
		if c >= last {
			break
		}
		if c+1 < last && q.Nodes[c+1] > q.Nodes[c] {
			c++
		}
		if q.Nodes[i] >= q.Nodes[c] {
			break
		}
		q.Nodes[i], q.Nodes[c] = q.Nodes[c], q.Nodes[i]
		i = c
	}
	q.queued[n] = false
	return n
}
