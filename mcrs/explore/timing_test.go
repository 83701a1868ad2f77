package explore

import (
	"fmt"
	"slices"
	"testing"

	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/mcrs/verdict"
)

// ticking is a machine that says under which bound it runs.
type ticking struct{}

func (ticking) Run(_ sched.Scheduler, o sched.Options) *trace.Trace {
	return &trace.Trace{Clockwork: trace.Clockwork{Timers: true, Timing: o.Timing, EarlyMost: o.EarlyMost}}
}

// roomFor is an explorer that comes to the end where so many firings may be early, or none. With each bound it finds
// something else.
type roomFor struct {
	most int
	work int64 // what it takes
	saw  *[]int
}

func (x roomFor) Explore(m sched.Machine, lim Limits) *Result {
	t := m.Run(nil, sched.Options{})
	*x.saw = append(*x.saw, t.EarlyMost)
	r := &Result{Verdict: Exhausted, Stats: Stats{Work: min(x.work, lim.Work), Executions: 1, Shared: 1}}
	if t.Timing && (t.EarlyMost == 0 || t.EarlyMost > x.most) || x.work > lim.Work {
		r.Verdict, r.Reason = Incomplete, stoppedWork
	}
	r.Findings = []report.Finding{{Key: fmt.Sprint(t.Timing, t.EarlyMost)}}
	return r
}

// TestClimbing explores parts of the second regime of time in the order of EARLY1, and says of the last one that was
// exhausted that it is.
func TestClimbing(t *testing.T) {
	for _, tt := range []struct {
		most  int
		work  int64
		saw   []int // the first is the first regime, the second the whole second one, the last looks back
		early int
	}{
		{0, 1, []int{0, 0, 1, 0}, 0},
		{1, 1, []int{0, 0, 1, 2, 0}, 1},
		{5, 1, []int{0, 0, 1, 2, 4, 8, 0}, 4},
		{99, 1, []int{0, 0, 1, 2, 4, 8, 0}, 8},
		{99, 100, []int{0, 0, 1, 2, 4, 0}, 2}, // a quarter of the limit has room for two
	} {
		var saw []int
		x := roomFor{tt.most, tt.work, &saw}
		r := ExploreRegimes(func() Explorer { return x }, ticking{}, Limits{Work: 1000}, TimingStructural)
		if !slices.Equal(saw, tt.saw) || r.Early != tt.early || r.Kind() != verdict.InTime {
			t.Errorf("%+v: the bounds were %v, exhausted up to %d: %s", tt, saw, r.Early, r.Kind())
		}
		for _, f := range r.Findings {
			if want := fmt.Sprint(f.Timing, f.EarlyMost); f.Key != want {
				t.Errorf("%+v: what was found with %s is taken for one of %s", tt, f.Key, want)
			}
		}
	}
}
