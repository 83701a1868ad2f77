package union

import "slices"

// This file keeps which nodes have changed.

// A nodeQueue gives the largest number first: children before parents, mostly. It is a binary heap.
type nodeQueue struct {
	ns     []int32
	queued []bool    // by node
	whole  []bool    // the node itself has changed, and not only what these of its edges lead to
	edges  [][]int32 // by node
}

// grow makes room for n nodes.
func (q *nodeQueue) grow(n int) {
	for len(q.queued) < n {
		q.queued, q.whole, q.edges = append(q.queued, false), append(q.whole, false), append(q.edges, nil)
	}
}

// add adds a node that has changed.
func (q *nodeQueue) add(n int32) {
	q.grow(int(n) + 1)
	q.whole[n] = true
	q.push(n)
}

// addEdge adds a node of which an edge leads to what has changed.
func (q *nodeQueue) addEdge(n, e int32) {
	q.grow(int(n) + 1)
	if !q.whole[n] && !slices.Contains(q.edges[n], e) {
		q.edges[n] = append(q.edges[n], e)
	}
	q.push(n)
}

func (q *nodeQueue) push(n int32) {
	if q.queued[n] {
		return
	}
	q.queued[n] = true
	q.ns = append(q.ns, n)
	for i := len(q.ns) - 1; i > 0 && q.ns[(i-1)/2] < q.ns[i]; i = (i - 1) / 2 {
		q.ns[i], q.ns[(i-1)/2] = q.ns[(i-1)/2], q.ns[i]
	}
}

func (q *nodeQueue) take() int32 {
	n, last := q.ns[0], len(q.ns)-1
	q.ns[0] = q.ns[last]
	q.ns = q.ns[:last]
	for i := 0; ; {
		c := 2*i + 1
		if c >= last {
			break
		}
		if c+1 < last && q.ns[c+1] > q.ns[c] {
			c++
		}
		if q.ns[i] >= q.ns[c] {
			break
		}
		q.ns[i], q.ns[c] = q.ns[c], q.ns[i]
		i = c
	}
	q.queued[n] = false
	return n
}
