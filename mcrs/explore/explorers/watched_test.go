package explorers

import (
	"math"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/delay"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// A watched is a machine whose executions somebody sees, but not the replays by which explorers confirm what they
// foresee.
type watched struct {
	sched.Machine
	see func(*trace.Trace)
}

// Run implements sched.Machine.
func (w watched) Run(s sched.Scheduler, o sched.Options) *trace.Trace {
	t := w.Machine.Run(s, o)
	if _, replay := s.(*sched.Replay); !replay {
		w.see(t)
	}
	return t
}

// delaysTo is the least number of delays with which a program fails, -1 if it is more than most.
func delaysTo(m sched.Machine, most int) int {
	for k := 0; k <= most; k++ {
		met, stop := false, new(explore.Stop)
		x := &delay.Explorer{Bounds: k + 1, Observe: func(t *trace.Trace) { // no replay: that may have any number of delays
			if fails(t) {
				met = true
				stop.Ask()
			}
		}}
		x.Explore(m, explore.Limits{Executions: math.MaxInt, Events: math.MaxInt, Work: math.MaxInt64, Stop: stop})
		if met {
			return k
		}
	}
	return -1
}
