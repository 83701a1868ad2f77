package union

import "iter"

// This file keeps the ways that lead to states.

// A step is a move, and the step before it.
type step struct {
	m    move
	prev int32 // in the trail, -1 at the start
	ends bool  // it ends the program
}

// A trail holds steps, by number. It is made of blocks, so that it grows without being copied.
type trail struct {
	blocks []*[trailBlock]step
	count  int32
}

const trailBlock = 1 << 12

// add adds a step, and returns its number.
func (t *trail) add(s step) int32 {
	i := t.count
	if int(i/trailBlock) == len(t.blocks) {
		t.blocks = append(t.blocks, new([trailBlock]step))
	}
	t.blocks[i/trailBlock][i%trailBlock] = s
	t.count++
	return i
}

// back yields a step and those before it.
func (t *trail) back(i int32) iter.Seq[step] {
	return func(yield func(step) bool) {
		for ; i >= 0; i = t.blocks[i/trailBlock][i%trailBlock].prev {
			if !yield(t.blocks[i/trailBlock][i%trailBlock]) {
				return
			}
		}
	}
}
