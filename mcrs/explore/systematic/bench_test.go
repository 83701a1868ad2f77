package systematic

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
)

// BenchmarkSystematic measures an execution with all that follows from it.
func BenchmarkSystematic(b *testing.B) {
	r, p, l, u := litmus.R, litmus.P, litmus.L, litmus.U
	for _, bench := range []struct {
		name string
		prog [][]litmus.Op
	}{
		{"counter 4", litmustest.Threads(litmustest.Loop(4, r(0), p(0, 1)), litmustest.Loop(4, r(0), p(0, -1)))},
		{"lockcnt 7", litmustest.Times(7, []litmus.Op{l(0), r(0), p(0, 1), u(0)})},
	} {
		b.Run(bench.name, func(b *testing.B) {
			executions := 0
			for b.Loop() {
				res := new(Explorer).Explore(&litmus.Program{Threads: bench.prog}, explore.Limits{})
				executions += res.Stats.Executions
				b.ReportMetric(float64(res.Stats.Executions), "executions")
				b.ReportMetric(float64(res.Stats.Classes), "classes")
				b.ReportMetric(float64(res.Stats.Redundant), "redundant")
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(executions), "µs/execution")
		})
	}
}
