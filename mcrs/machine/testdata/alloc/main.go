package main

import "fmt"

type node struct {
	next *node
	n    int
}

// 10^8 allocations, of which the last 2^15 are alive: 1 MiB.
func main() {
	ring := make([]*node, 1<<15)
	for i := range 100_000_000 {
		ring[i%len(ring)] = &node{nil, i}
	}
	fmt.Println(ring[7].n)
}
