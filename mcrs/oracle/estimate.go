package oracle

import (
	"github.com/heddle-go/heddle/mcrs/sched"
)

// walks is how many random schedules an estimate is made of.
const walks = 40

// Estimate returns about how many schedules a program has. Along random schedules it multiplies the numbers of
// transitions that there were to choose from at each step; the result is the mean of these products. Its expectation is
// the number of schedules (Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29,
// 1975). A test that compares with brute force asks first, so as not to begin with a program that is too large.
func Estimate(m sched.Machine, o sched.Options) float64 {
	sum := 0.0
	for i := range walks {
		w := &walk{Scheduler: sched.NewRandom(sched.RandSeed(i)), product: 1}
		m.Run(w, o)
		sum += w.product
	}
	return sum / walks
}

// A walk is a random scheduler that multiplies how many transitions it chooses from.
type walk struct {
	sched.Scheduler
	product float64
}

// Next implements sched.Scheduler.
func (w *walk) Next(s *sched.State) int {
	w.product *= float64(len(s.Enabled))
	return w.Scheduler.Next(s)
}
