package learn

import (
	"errors"
	"fmt"
	"slices"

	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// This file makes, in the specification, the rounds of goroutines that poll over which the machine's clock has passed.
//
//	UPOLL1 The specification goes round: a round leads to the same state but for the time (POLL4), so the goroutine
//	       stands where it stood, and its sleep ends later. The operations of a round are known, for it was made
//	       before.
//	       A seed that goes round is followed without the rounds that the machine passes over (sched.Replay). In the
//	       second regime of time it may have somebody move the clock in the midst of a round of which the machine
//	       passes over the next ones as well: then it goes on in the round that the machine makes.

// errRounds is why an execution with rounds that were passed over is not one of the specification's.
var errRounds = errors.New("no rule for rounds that the machine passes over, of a goroutine that polls")

// lateness is how much later a thread ends its sleep than it said when it came to it, because rounds were passed over
// before its operation was seen.
func lateness(a *absorption, thread int32) (d int64) {
	for _, p := range a.t.Passed[a.passed:] {
		if p.Thread == thread && p.Event == int32(a.next) {
			d += p.Late
		}
	}
	return d
}

// goRound makes the rounds that were passed over before the i-th event.
func goRound(a *absorption, i int) error {
	left := make(map[int32]int32)
	for ; a.passed < len(a.t.Passed) && a.t.Passed[a.passed].Event <= int32(i); a.passed++ {
		p := &a.t.Passed[a.passed]
		if a.t.Threads[p.Thread].Bubble > 0 {
			return errRounds
		}
		left[a.slot[p.Thread]] += p.Steps
	}
	if len(left) == 0 {
		return nil
	}
	for len(left) > 0 {
		m, ok := nextOfRound(a, left)
		if !ok {
			return fmt.Errorf("%w: somebody else can move", errRounds)
		}
		id, pid, missing := a.EdgesFor(&a.s, m)
		if missing.Node != 0 || pid >= 0 {
			return errRounds
		}
		if a.Apply(&a.s, m, id, pid); left[m.Thread] == 1 {
			delete(left, m.Thread)
		} else {
			left[m.Thread]--
		}
	}
	standing(a)
	return nil
}

// standing finds the moves that there are, apart from those that would move the clock early: the machine's clock has
// passed over the rounds because there was no other. Where there is none it moves the clock first.
func standing(a *absorption) {
	for {
		a.moves = a.moves[:0]
		for t := range a.s.Nodes {
			a.moves = a.Rules.Enabled(&a.s, int32(t), a.moves)
		}
		a.moves = slices.DeleteFunc(a.moves, func(m spec.Move) bool {
			return a.Timing && a.Nodes[a.s.Node(m.Thread)].Op.Kind.WaitsForClock() && a.Face(&a.s, m.Thread).Moves(m.Thread)
		})
		if len(a.moves) > 0 || !a.Tick(&a.s) {
			return
		}
	}
}

// nextOfRound returns the only moves that there may be: of who goes round. The clock moves before it where nobody
// can.
func nextOfRound(a *absorption, left map[int32]int32) (m spec.Move, ok bool) {
	standing(a)
	for _, m := range a.moves {
		if left[m.Thread] == 0 {
			return m, false
		}
	}
	if len(a.moves) == 0 {
		return m, false
	}
	return a.moves[0], true
}
