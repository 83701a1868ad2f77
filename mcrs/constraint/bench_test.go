package constraint

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/solver"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// counter is a trace of goroutines that increment one variable, with or without a lock around it.
func counter(threads, events int, locked bool) *trace.Trace {
	r := rand.New(rand.NewPCG(7, 7))
	c := &recorder{r: r, t: &trace.Trace{Threads: []trace.Thread{{ID: "G1", Parent: -1, Spawn: -1, Holder: -1}}},
		mem: map[event.Location]uint64{}}
	for range threads {
		child := int32(len(c.t.Threads))
		c.event(0, event.Spawn, event.Location{}, 0)
		c.t.Threads = append(c.t.Threads, trace.Thread{ID: event.ThreadID(fmt.Sprintf("G1.%d", child)), Spawn: int32(len(c.t.Events) - 1), Holder: -1})
	}
	x, l := loc(8, 8), loc(100, 0)
	local := make([]uint64, threads+1)
	at := make([]int, threads+1)
	holder := int32(0)
	for len(c.t.Events) < events {
		th := int32(1 + r.IntN(threads))
		guarded := locked && th%2 == 0
		switch step := at[th] % 4; {
		case step == 0 && guarded:
			if holder != 0 {
				continue
			}
			holder = th
			c.event(th, event.Lock, l, 0)
		case step == 1:
			local[th] = c.mem[x]
			c.event(th, event.Read, x, c.mem[x])
		case step == 2:
			c.mem[x] = local[th] + 1
			c.event(th, event.Write, x, c.mem[x])
		case step == 3 && guarded:
			holder = 0
			c.event(th, event.Unlock, l, 0)
		}
		at[th]++
	}
	return c.t
}

// BenchmarkTrace asks for every value of every read of a trace, each question at most 100 conflicts long.
func BenchmarkTrace(b *testing.B) {
	for _, size := range []int{50, 100, 200} {
		for _, locked := range []bool{false, true} {
			t := counter(4, size, locked)
			b.Run(fmt.Sprintf("%d/locked=%v", size, locked), func(b *testing.B) {
				var n [3]int
				var st Stats
				for b.Loop() {
					n = [3]int{}
					e := Encode(t)
					e.Conflicts = 100
					for r, ev := range t.Events {
						if ev.Kind != event.Read {
							continue
						}
						values, _ := e.Values(r)
						for _, v := range values {
							n[e.CanReturn(r, v).Status]++
						}
					}
					st = e.Stats()
				}
				questions := float64(st.Questions)
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/questions, "µs/question")
				b.ReportMetric(questions, "questions")
				b.ReportMetric(float64(n[solver.Sat]), "sat")
				b.ReportMetric(float64(n[solver.Unknown]), "unknown")
				b.ReportMetric(float64(st.Solver.Conflicts)/questions, "conflicts/question")
			})
		}
	}
}
