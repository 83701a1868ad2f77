// Command compares has a loop that locks in each round, and makes no progress but in memory of its own, beside much
// other memory: at each lock the goroutine stands with the stack of the round before.
package main

import "sync"

var mu sync.Mutex

func main() {
	big := make([]int, 1<<18)
	for i := range big {
		big[i] = i
	}
	n := new(int)
	for more(n) {
		mu.Lock()
		mu.Unlock()
	}
	_ = big[0]
}

func more(n *int) bool {
	*n++
	return *n < 3000
}
