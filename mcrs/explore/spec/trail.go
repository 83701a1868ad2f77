package spec

import "iter"

// This file keeps the ways that lead to states.

// A Step is a move, and the step before it.
type Step struct {
	Move Move
	Prev int32 // in the trail, -1 at the start
	Ends bool  // it ends the program
}

// A Trail holds steps, by number. It is made of blocks, so that it grows without being copied.
type Trail struct {
	Blocks []*[trailBlock]Step
	Count  int32
}

const trailBlock = 1 << 9

// Add adds a step, and returns its number.
func (t *Trail) Add(s Step) int32 {
	i := t.Count
	if int(i/trailBlock) == len(t.Blocks) {
		t.Blocks = append(t.Blocks, new([trailBlock]Step))
	}
	t.Blocks[i/trailBlock][i%trailBlock] = s
	t.Count++
	return i
}

// Back yields a step and those before it.
func (t *Trail) Back(i int32) iter.Seq[Step] {
	return func(yield func(Step) bool) {
		for ; i >= 0; i = t.Blocks[i/trailBlock][i%trailBlock].Prev {
			if !yield(t.Blocks[i/trailBlock][i%trailBlock]) {
				return
			}
		}
	}
}
