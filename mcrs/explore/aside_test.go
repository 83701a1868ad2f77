package explore

import (
	"slices"
	"testing"

	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/mcrs/verdict"
)

// scripted is a machine whose executions are given; under the second regime of time, the later ones.
type scripted struct {
	first, second []trace.Trace
	n             [2]int
}

func (m *scripted) Run(_ sched.Scheduler, o sched.Options) *trace.Trace {
	which, list := 0, m.first
	if o.Timing {
		which, list = 1, m.second
	}
	t := list[min(m.n[which], len(list)-1)]
	m.n[which]++
	t.Diverged = -1
	return &t
}

// runsAll makes as many executions as the machine has; the last may cut it short.
type runsAll struct{ first, second int }

func (x *runsAll) Explore(m sched.Machine, lim Limits) *Result {
	s := NewSession(m, lim)
	n := x.first
	if x.first < 0 {
		n = x.second
	}
	x.first = -1
	for range n {
		s.Execute(sched.RunToBlock{})
	}
	return s.Close()
}

func TestKinds(t *testing.T) {
	ran, skips := trace.Trace{}, trace.Trace{TestRun: trace.TestRun{Skipped: true, SkipText: "not here"}}
	early := trace.Clockwork{Timers: true}
	timers := trace.Trace{Clockwork: early}
	limit := trace.Trace{Status: trace.Limit, Reason: "limit of objects reached"}
	lacks := trace.Trace{Status: trace.Unsupported, Reason: "assembly"}
	network := &trace.Refusal{What: "the network", Caller: "p.TestA", Site: 7}
	refused := trace.Trace{Refused: network}
	refusedSkip := trace.Trace{Refused: network, TestRun: trace.TestRun{Skipped: true}}
	failed := trace.Trace{Status: trace.Unsupported, Reason: "refused", Refused: &trace.Refusal{What: "the network", Caller: "p.TestA", Failed: true}}
	env := trace.Trace{Environment: []string{"B=1", "D"}}
	env2 := trace.Trace{Environment: []string{"A", "B=1", "E"}}
	for _, tt := range []struct {
		name          string
		first, second []trace.Trace
		kind          verdict.Kind
		reason        string
		env           []string
	}{
		{name: "runs", first: []trace.Trace{ran, ran}, kind: verdict.Exhausted},
		{name: "one of two skips", first: []trace.Trace{skips, ran}, kind: verdict.Exhausted},
		{name: "all skip", first: []trace.Trace{skips, skips}, kind: verdict.Skipped, reason: `"not here"`},
		{name: "all that are known skip", first: []trace.Trace{skips, limit}, kind: verdict.Sampled, reason: "limit of objects reached"},
		{name: "cut off", first: []trace.Trace{ran, limit}, kind: verdict.Sampled, reason: "limit of objects reached"},
		{name: "not supported", first: []trace.Trace{lacks, ran}, kind: verdict.NotSupported, reason: "assembly"},
		{name: "a limit and then not supported", first: []trace.Trace{limit, lacks}, kind: verdict.Sampled, reason: "limit of objects reached"},
		{name: "refused and passes", first: []trace.Trace{ran, refused}, kind: verdict.Refused, reason: "the network, asked for by p.TestA"},
		{name: "refused and skips", first: []trace.Trace{refusedSkip}, kind: verdict.Refused, reason: "the network, asked for by p.TestA; then every run skips"},
		{name: "refused and fails", first: []trace.Trace{failed}, kind: verdict.Refused, reason: "the network, asked for by p.TestA; then the entry failed"},
		{name: "refused and cut off", first: []trace.Trace{refused, limit}, kind: verdict.Refused, reason: "the network, asked for by p.TestA; limit of objects reached"},
		{name: "timers fire early", first: []trace.Trace{timers}, second: []trace.Trace{ran}, kind: verdict.Exhausted},
		{name: "cut off where they do", first: []trace.Trace{timers}, second: []trace.Trace{ran, limit}, kind: verdict.InTime, reason: "limit of objects reached"},
		{name: "cut off before", first: []trace.Trace{timers, limit}, second: []trace.Trace{ran}, kind: verdict.Sampled, reason: "limit of objects reached"},
		{name: "skips unless they do", first: []trace.Trace{{Clockwork: early, TestRun: trace.TestRun{Skipped: true}}}, second: []trace.Trace{ran}, kind: verdict.Exhausted},
		{name: "skips only if they do", first: []trace.Trace{timers}, second: []trace.Trace{skips}, kind: verdict.Exhausted},
		{name: "refused where they do", first: []trace.Trace{timers}, second: []trace.Trace{refused}, kind: verdict.Refused, reason: "the network, asked for by p.TestA"},
		{name: "environment", first: []trace.Trace{env, {Clockwork: early, Environment: env2.Environment}}, second: []trace.Trace{{Environment: []string{"C"}}},
			kind: verdict.Exhausted, env: []string{"A", "B=1", "C", "D", "E"}},
	} {
		x := &runsAll{len(tt.first), len(tt.second)}
		r := ExploreRegimes(func() Explorer { return x }, &scripted{first: tt.first, second: tt.second}, Limits{}, TimingStructural)
		if r.Kind() != tt.kind || (r.Reason+"; "+r.Then != tt.reason && r.Reason != tt.reason) || !slices.Equal(r.Environment, tt.env) {
			t.Errorf("%s: %s, %q, %v; want %s, %q, %v", tt.name, r.Kind(), r.Reason, r.Environment, tt.kind, tt.reason, tt.env)
		}
		if (r.Verdict == Exhausted) != (r.Kind() == verdict.Exhausted) {
			t.Errorf("%s: %s and %s", tt.name, r.Verdict, r.Kind())
		}
	}
}

func TestKindOfBounds(t *testing.T) {
	for _, tt := range []struct {
		r    Result
		want verdict.Kind
	}{
		{Result{Verdict: Incomplete, Bounds: 1}, verdict.Complete},
		{Result{Verdict: Incomplete, Bounds: 0}, verdict.Sampled},
		{Result{Verdict: Incomplete, Bounds: 2, NotSupported: true}, verdict.NotSupported},
		{Result{Verdict: Incomplete, Bounds: 2, Behind: 1}, verdict.RacesBehind},
		{Result{Verdict: Incomplete, Bounds: 2, Behind: 1, beside: true}, verdict.Complete},
		{Result{Verdict: Incomplete, Behind: 1, TimeDone: TimeDone{FirstDone: true}, beside: true}, verdict.InTime},
		{Result{Verdict: Incomplete, Bounds: 2, TimeDone: TimeDone{FirstDone: true}}, verdict.InTime},
		{Result{Verdict: Exhausted, Bounds: 2}, verdict.Exhausted},
	} {
		if got := tt.r.Kind(); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.r, got, tt.want)
		}
	}
}
