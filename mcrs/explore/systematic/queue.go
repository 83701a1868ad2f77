package systematic

import (
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/seed"
)

// This file defines in which order the systematic explorer executes what waits.

// An item waits to be executed.
type item struct {
	from *causality.Schedule // nil for the initial seed
	cut  causality.Cut
	step seed.Step
	need []causality.Need
}

// A queue gives items by priority, then first in first out. Each turn-th is the next of another priority, in rotation.
// Else a loop that can always go round once more without a preemption would keep all others waiting.
type queue struct {
	buckets [][]item
	size    int
	popped  int
	served  int // the bucket that had the last turn
}

const turn = 4

func (q *queue) push(priority int, it item) {
	for len(q.buckets) <= priority {
		q.buckets = append(q.buckets, nil)
	}
	q.buckets[priority] = append(q.buckets[priority], it)
	q.size++
}

func (q *queue) pop() (item, bool) {
	first := 0
	if q.popped++; q.popped%turn == 0 && len(q.buckets) > 0 {
		q.served = (q.served + 1) % len(q.buckets)
		first = q.served
	}
	for n := range q.buckets {
		i := (first + n) % len(q.buckets)
		if b := q.buckets[i]; len(b) > 0 {
			it := b[0]
			b[0] = item{}
			q.buckets[i] = b[1:]
			q.size--
			return it, true
		}
	}
	return item{}, false
}
