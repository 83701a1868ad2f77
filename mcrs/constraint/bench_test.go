package constraint

import (
	"fmt"
	"testing"
	"time"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/solver"
)

// BenchmarkQuery asks 100 random questions "can r return v?" of a trace, each at most 3,000 conflicts long. One operation is one question;
// what it takes to encode the trace is apart.
func BenchmarkQuery(b *testing.B) {
	for _, name := range familyNames {
		for _, events := range []int{50, 200, 1000, 4000} {
			t := family(name, 4, events)
			ask := probes(t, 100)
			b.Run(fmt.Sprintf("%s/%d", name, events), func(b *testing.B) {
				var n [3]int
				var st Stats
				var encoding, solving time.Duration
				for b.Loop() {
					n = [3]int{}
					start := time.Now()
					e := Encode(t)
					e.Conflicts = 3000
					encoding += time.Since(start)
					start = time.Now()
					for _, p := range ask {
						n[e.CanReturn(p.r, p.v).Status]++
					}
					solving += time.Since(start)
					st = e.Stats()
				}
				per := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 / float64(b.N) }
				b.ReportMetric(per(solving)/float64(len(ask)), "µs/query")
				b.ReportMetric(per(encoding), "µs/encoding")
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(n[solver.Sat]), "sat")
				b.ReportMetric(float64(n[solver.Unsat]), "unsat")
				b.ReportMetric(float64(n[solver.Unknown]), "unknown")
				b.ReportMetric(float64(st.Filtered), "filtered")
				b.ReportMetric(float64(st.Solver.Conflicts)/float64(len(ask)), "conflicts/query")
			})
		}
	}
}

// BenchmarkTrace asks for every value of every read of a trace.
func BenchmarkTrace(b *testing.B) {
	for _, name := range familyNames {
		t := family(name, 4, 200)
		b.Run(name, func(b *testing.B) {
			var n [3]int
			questions := 0
			for b.Loop() {
				n, questions = [3]int{}, 0
				e := Encode(t)
				e.Conflicts = 3000
				for r, ev := range t.Events {
					if ev.Kind != event.Read {
						continue
					}
					values, _ := e.Values(r)
					for _, v := range values {
						n[e.CanReturn(r, v).Status]++
						questions++
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/1000/float64(b.N*questions), "µs/query")
			b.ReportMetric(float64(questions), "queries")
			b.ReportMetric(float64(n[solver.Sat]), "sat")
			b.ReportMetric(float64(n[solver.Unknown]), "unknown")
		})
	}
}
