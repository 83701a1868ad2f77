package delay

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// A stopping machine ends each execution after so many steps, those that are local not counted.
type stopping struct {
	sched.Machine
	after int
	meets *meetings
}

// Run implements sched.Machine.
func (m stopping) Run(s sched.Scheduler, o sched.Options) *trace.Trace {
	return m.Machine.Run(&stopper{of: s, m: m}, o)
}

type stopper struct {
	of    sched.Scheduler
	m     stopping
	taken int
}

// Next implements sched.Scheduler.
func (x *stopper) Next(s *sched.State) int {
	if x.taken == x.m.after && x.taken > 0 {
		return sched.Stop
	}
	n := x.of.Next(s)
	if n >= 0 && !x.m.meets.local(placeOf(&s.Threads[s.Transition(n).Thread])) {
		x.taken++
	}
	return n
}

// A cutting machine ends each execution by a limit when its second goroutine has taken so many steps, as a machine does
// that lacks what comes next.
type cutting struct {
	sched.Machine
	steps int
}

// Run implements sched.Machine.
func (m cutting) Run(s sched.Scheduler, o sched.Options) *trace.Trace {
	x := &cutter{of: s, left: m.steps}
	t := m.Machine.Run(x, o)
	if x.left < 0 {
		t.Status, t.Reason = trace.Limit, "cut off"
	}
	return t
}

type cutter struct {
	of   sched.Scheduler
	left int
}

// Next implements sched.Scheduler.
func (x *cutter) Next(s *sched.State) int {
	n := x.of.Next(s)
	if n >= 0 && s.Transition(n).Thread == 1 {
		if x.left--; x.left < 0 {
			return sched.Stop
		}
	}
	return n
}

// shown reports whether an execution shows what is shown by one that was stopped: each goroutine was told that, and
// perhaps more.
func shown(o oracle.Outcome, by []oracle.Outcome) bool {
	return slices.ContainsFunc(by, func(x oracle.Outcome) bool {
		for id, told := range o.Threads {
			if more, ok := x.Threads[id]; !ok || !strings.HasPrefix(more, told) {
				return false
			}
		}
		return (o.Failure == "" || o.Failure == x.Failure) && (o.Blocked == "" || o.Blocked == x.Blocked)
	})
}

// withinMisses compares what was executed with all schedules that have at most one delay in the first steps.
func withinMisses(p sched.Machine, steps int, meets *meetings, got []oracle.Outcome, races map[string]bool) (wrong []string, schedules int) {
	by, ok := oracle.SearchDelays(stopping{p, steps, meets}, 1, 3000)
	if !ok {
		return nil, 0
	}
	for k, l := range by {
		schedules += l.Executions
		for key, o := range l.Outcomes {
			if !shown(o, got) {
				wrong = append(wrong, fmt.Sprintf("%d steps, %d delays: missed %s", steps, k, key))
			}
		}
		for r := range l.Races {
			if !races[r] {
				wrong = append(wrong, fmt.Sprintf("%d steps, %d delays: missed the race %s", steps, k, r))
			}
		}
	}
	return wrong, schedules
}

var noLimits = explore.Limits{Executions: math.MaxInt, Events: math.MaxInt, Work: math.MaxInt64}

// TestWithinAgainstBruteForce compares beginnings of random programs of each length with brute force.
func TestWithinAgainstBruteForce(t *testing.T) {
	compared, saved, longest := 0, 0, 0
	for i := range long.Pick[uint64](60, 1000) {
		p := litmus.Generate(i, litmustest.Mixes[i%uint64(len(litmustest.Mixes))], 4, 16)
		for _, steps := range []int{1, 3, 5, 7, 10, 14, 19, 0} {
			s := explore.NewSession(p, noLimits)
			var got []oracle.Outcome
			s.Observe = func(t *trace.Trace) { got = append(got, oracle.OutcomeOf(t)) }
			x := new(Explorer).Begin(s)
			x.bounds, x.within = 2, within{steps: steps, cut: math.MaxInt}
			x.Run()
			if x.Bound == 0 || x.Bound == 1 && len(x.levels) > 1 {
				if x.missed { // it polls
					continue
				}
				t.Fatalf("program %d, %d steps: %d bounds are done\n%s", i, steps, x.Bound, p)
			}
			races := oracle.NewResult()
			litmustest.AddRaces(races, s.Close().Findings)
			wrong, schedules := withinMisses(p, steps, &x.meets, got, races.Races)
			if len(wrong) > 0 {
				t.Fatalf("program %d: %s\n%s", i, strings.Join(wrong, "\n"), p)
			}
			compared, saved, longest = compared+1, saved+max(0, schedules-len(got)), max(longest, len(x.meets.at))
		}
	}
	t.Logf("%d beginnings, %d schedules were not executed, up to %d places met", compared, saved, longest)
	if compared < 200 || saved == 0 {
		t.Errorf("%d beginnings were compared, %d schedules were not executed", compared, saved)
	}
}

// TestWithin compares what is said of random programs, with room for few executions, with brute force. In most of them
// executions are cut off, which brute force knows nothing of.
func TestWithin(t *testing.T) {
	claims, longest := 0, 0
	for i := range long.Pick[uint64](60, 1000) {
		p := litmus.Generate(i, litmustest.Mixes[i%uint64(len(litmustest.Mixes))], 4, 30)
		for _, work := range []int64{60_000, 150_000, 400_000} {
			for _, cut := range []int{math.MaxInt, 1, 4} {
				lim := noLimits
				lim.Work = work
				s := explore.NewSession(cutting{p, cut}, lim)
				var got []oracle.Outcome
				s.Observe = func(t *trace.Trace) { got = append(got, oracle.OutcomeOf(t)) }
				Within(s)
				said := s.Result.Within
				if said.Steps == 0 {
					continue
				}
				races := oracle.NewResult()
				litmustest.AddRaces(races, s.Close().Findings)
				wrong, _ := withinMisses(p, said.Steps, &meetings{all: true}, got, races.Races)
				if len(wrong) > 0 {
					t.Fatalf("program %d, work %d, cut off after %d: %s\n%s", i, work, cut, strings.Join(wrong, "\n"), p)
				}
				if claims++; said.Of > 0 {
					longest = max(longest, said.Steps)
				}
			}
		}
	}
	t.Logf("%d claims, up to %d steps", claims, longest)
	if claims < 100 || longest < 8 {
		t.Errorf("%d claims, up to %d steps", claims, longest)
	}
}

// TestWithinTriesChoices has a goroutine that fails if it goes on by the second case of its last select, far behind the
// beginning for which there is room.
func TestWithinTriesChoices(t *testing.T) {
	p := &litmus.Program{Threads: [][]litmus.Op{{litmus.Cl(0), litmus.Cl(1)}}}
	for i := 1; i <= 4; i++ {
		p.Threads[0] = append(p.Threads[0], litmus.Spawn(i))
		p.Threads = append(p.Threads, slices.Repeat([]litmus.Op{litmus.Do(litmus.Add, 0, 1, 0)}, 60))
	}
	choice := litmus.Op{Code: litmus.Select, Cases: []litmus.Case{{Chan: 0}, {Chan: 1}}}
	p.Threads[4] = append(p.Threads[4], litmus.Cl(2))
	p.Threads[0] = append(p.Threads[0], litmus.Rcv(2), choice, choice, choice, litmus.Do(litmus.Assert, 0, 0, 0))
	lim := noLimits
	lim.Work = 4_000_000
	s := explore.NewSession(p, lim)
	Within(s)
	r := s.Close()
	if len(r.Findings) != 1 || r.Within.Steps == 0 || r.Within.Steps > 120 {
		t.Errorf("%d findings, complete within %d steps after %d runs", len(r.Findings), r.Within.Steps, r.Stats.Executions)
	}
}
