package oracle

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/sched"
)

// This file tells schedules apart by the number of their delays (mcrs/explore/delay). It defines a delay in its own
// way: while the scheduler would let another goroutine go on than the one that was taken, that one is passed over, with
// all its transitions. Then the goroutine's own are taken away, one after the other, until the scheduler takes the one
// that was taken. Each of these is a delay.

// delayed is brute force that counts delays.
type delayed struct {
	tree   sched.Exhaustive
	delays int
	bound  int
}

// Next implements sched.Scheduler.
func (x *delayed) Next(s *sched.State) int {
	n := x.tree.Next(s)
	left := *s
	left.Enabled = slices.Clone(s.Enabled)
	for {
		i := sched.RunToBlock{Round: true, Patient: true}.Next(&left)
		if left.Enabled[i] == s.Enabled[n] {
			return n
		}
		passed := left.Enabled[i].Thread
		if passed == s.Enabled[n].Thread {
			left.Enabled = slices.Delete(left.Enabled, i, i+1)
		} else {
			left.Enabled = slices.DeleteFunc(left.Enabled, func(t sched.Transition) bool { return t.Thread == passed })
		}
		if x.delays++; x.delays > x.bound {
			return sched.Stop
		}
	}
}

// SearchDelays runs every schedule with at most so many delays. The i-th result is that of the schedules with i delays.
// ok is false if there are more schedules than most.
func SearchDelays(m sched.Machine, bound, most int) (by []*Result, ok bool) {
	x := &delayed{bound: bound}
	for n := 0; ; {
		x.delays = 0
		if t := m.Run(x, sched.Options{}); x.delays <= bound {
			for len(by) <= x.delays {
				by = append(by, NewResult())
			}
			r := by[x.delays]
			r.Executions++
			r.AddRaces(t)
			r.Add(t)
			n++
		}
		if !x.tree.Advance() {
			return by, true
		}
		if n == most {
			return by, false
		}
	}
}
