// Package kernels has what the speed of the machine is measured with. Each
// kernel is run natively, in the machine, and, if it imports nothing, by the
// interpreter of x/tools. Its result is compared, so that all do the same work.
package kernels

import (
	"slices"
	"strconv"
	"strings"
)

// Sort sorts n ints.
func Sort(n int) int {
	a, x := make([]int, n), uint32(1)
	for i := range a {
		x = x*1664525 + 1013904223
		a[i] = int(x >> 8)
	}
	slices.Sort(a)
	return a[n/2]
}

// Map makes n inserts into a map and looks each of them up.
func Map(n int) int {
	m, x, s := map[int]int{}, uint32(1), 0
	for i := range n {
		x = x*1664525 + 1013904223
		m[int(x)] = i
	}
	x = 1
	for range n {
		x = x*1664525 + 1013904223
		s += m[int(x)]
	}
	return s
}

// Text makes n rounds of formatting a number, parsing it, and adding it to a text.
func Text(n int) int {
	var b strings.Builder
	s := 0
	for i := range n {
		t := strconv.Itoa(i * 7)
		k, _ := strconv.Atoi(t)
		s += k
		b.WriteString(t)
		b.WriteByte(' ')
	}
	return s + b.Len()
}

type node struct{ left, right *node }

func tree(depth int) *node {
	if depth == 0 {
		return new(node)
	}
	return &node{tree(depth - 1), tree(depth - 1)}
}

func (t *node) count() int {
	if t.left == nil {
		return 1
	}
	return 1 + t.left.count() + t.right.count()
}

// Tree builds a binary tree and counts its nodes.
func Tree(depth int) int { return tree(depth).count() }
