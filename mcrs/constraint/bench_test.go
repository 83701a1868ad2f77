package constraint

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/solver"
	"github.com/heddle-go/heddle/mcrs/solver/z3"
)

// BenchmarkQuery asks 100 random questions "can r return v?" of a trace (20 of the hardest), each at most 3,000
// conflicts long. One operation is one question; what it takes to encode the trace is apart.
func BenchmarkQuery(b *testing.B) {
	for _, name := range familyNames {
		for _, events := range []int{50, 200, 1000, 4000} {
			t := family(name, 4, events)
			ask := probes(t, 100)
			if name == "bubble" && events == 4000 {
				ask = ask[:20] // the hard case
			}
			b.Run(fmt.Sprintf("%s/%d", name, events), func(b *testing.B) {
				var n [3]int
				var st Stats
				var encoding, solving, busy time.Duration
				for b.Loop() {
					n = [3]int{}
					start := time.Now()
					e := Encode(t)
					e.Conflicts = 3000
					encoding += time.Since(start)
					start = time.Now()
					used := processorTime()
					for _, p := range ask {
						n[e.CanReturn(p.r, p.v).Status]++
					}
					solving += time.Since(start)
					busy += processorTime() - used
					st = e.Stats()
				}
				per := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 / float64(b.N) }
				b.ReportMetric(per(solving)/float64(len(ask)), "µs/query")
				b.ReportMetric(per(busy)/float64(len(ask)), "cpu-µs/query") // collection of garbage included
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

// processorTime is what the process has used so far.
func processorTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// BenchmarkZ3 asks the first questions of BenchmarkQuery of Z3, too, with the same lazy rules and without the filter.
func BenchmarkZ3(b *testing.B) {
	for _, name := range familyNames {
		for _, events := range []int{200, 1000} {
			t := family(name, 4, events)
			ask := probes(t, 10)
			if name == "bubble" && events == 1000 {
				ask = ask[:3] // Z3 takes a minute for each
			}
			b.Run(fmt.Sprintf("%s/%d", name, events), func(b *testing.B) {
				var took [2]time.Duration
				var open int
				for b.Loop() {
					z, err := z3.New()
					if err != nil {
						b.Skip("NOT COMPARED WITH Z3: ", err)
					}
					theirs, ours := encode(t, Options{}, z, false), Encode(t)
					theirs.Conflicts, ours.Conflicts = 3000, 3000
					open = 0
					for _, p := range ask {
						start := time.Now()
						want := theirs.CanReturn(p.r, p.v).Status
						took[0] += time.Since(start)
						start = time.Now()
						got := ours.CanReturn(p.r, p.v).Status
						took[1] += time.Since(start)
						switch {
						case want == solver.Unknown:
							open++
						case got != want:
							b.Fatalf("%v: %v, Z3 says %v", p, got, want)
						}
					}
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(took[0].Nanoseconds())/1000/float64(b.N*len(ask)), "z3-µs/query")
				b.ReportMetric(float64(took[1].Nanoseconds())/1000/float64(b.N*len(ask)), "µs/query")
				b.ReportMetric(float64(took[0])/float64(took[1]), "times")
				b.ReportMetric(float64(open), "z3-unknown")
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
