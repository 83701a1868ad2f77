package sdg_test

import (
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/program"
	"github.com/heddle-go/heddle/sdg"
)

// closed loads the closed program of a package's tests.
func closed(t testing.TB, path string) *program.Program {
	t.Helper()
	cfg := program.Config{Tests: true}
	l, err := program.List(cfg, path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := program.NewUniverse(cfg).Build(l.Recipes[0])
	if err != nil {
		t.Fatal(err)
	}
	p.BuildAll()
	return p
}

// TestGraphOfWholeProgram checks the graph of a whole program, and that it is the same each time.
func TestGraphOfWholeProgram(t *testing.T) {
	long.Only(t, "loads a closed program")
	p := closed(t, "errors")
	s := sdg.NewSystem(sdg.Config{Roots: p.Roots(), Body: p.Body})
	if err := s.Sanity(); err != nil {
		t.Error(err)
	}
	again := sdg.NewSystem(sdg.Config{Roots: p.Roots(), Body: p.Body})
	if s.Len() != again.Len() {
		t.Fatalf("%d nodes, then %d", s.Len(), again.Len())
	}
	for n := range s.Len() {
		id := sdg.NodeID(n)
		if s.Label(id) != again.Label(id) || len(s.In(id)) != len(again.In(id)) {
			t.Fatalf("node %d: %s, then %s", n, s.Label(id), again.Label(id))
		}
		for k, e := range s.In(id) {
			if again.In(id)[k] != e {
				t.Fatalf("%s: edge %v, then %v", s.Label(id), e, again.In(id)[k])
			}
		}
	}
}

// processor is the processor time of the process so far, collection of garbage included. On a computer with other work
// it says more than the time that passed.
func processor(b *testing.B) time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// BenchmarkClosed builds the graph of a closed program: of the tests of fmt, and of net/http. Loading is not counted.
func BenchmarkClosed(b *testing.B) {
	for _, path := range []string{"fmt", "net/http"} {
		for _, mode := range []struct {
			name string
			mode sdg.Mode
		}{{"", 0}, {"/implicit", sdg.ImplicitExits}} {
			b.Run(path+mode.name, func(b *testing.B) {
				p := closed(b, path)
				cfg := sdg.Config{Roots: p.Roots(), Body: p.Body, Mode: mode.mode}
				var before, after runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&before)
				var s *sdg.System
				began := processor(b)
				for b.Loop() {
					s = sdg.NewSystem(cfg)
				}
				b.ReportMetric(float64((processor(b)-began).Milliseconds())/float64(b.N), "cpu-ms/op")
				runtime.GC()
				runtime.ReadMemStats(&after)
				instrs := 0
				for _, proc := range s.Procedures {
					for _, block := range proc.Func.Blocks {
						instrs += len(block.Instrs)
					}
				}
				edges := 0
				for _, n := range s.Edges() {
					edges += n
				}
				b.ReportMetric(float64(len(s.Procedures)), "functions")
				b.ReportMetric(float64(instrs), "instructions")
				b.ReportMetric(float64(s.Len()), "nodes")
				b.ReportMetric(float64(edges), "edges")
				b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MiB-kept")
				b.ReportMetric(float64(after.Sys)/(1<<20), "MiB-process")
				runtime.KeepAlive(p)
			})
		}
	}
}
