package own

import (
	"maps"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// Rejecting is what brute force finds under -timing=structural: the failures, races and blocked goroutines of the
// executions that are not dropped. Whether an execution is dropped is known when it has ended, and depends on more than
// the state. So every schedule is run to its end.
//
// Of two equivalent executions the clock may have moved in one only when nothing else could run. That one is also of
// the first regime, where nothing is dropped. So an explorer may leave its findings to the first regime.
type Rejecting struct {
	Machine     sched.Machine // in the second regime
	want, known map[string]bool
}

// Reject runs every schedule of a machine in the second regime, with a call of each, and then, if all of them end, and
// none is too large, in the first.
func Reject(first sched.Machine, l oracle.Limits, each func(*trace.Trace), tooLarge func() bool) (x *Rejecting, r *oracle.Result) {
	x = &Rejecting{explore.InTimingRegime(first, explore.TimingStructural), map[string]bool{}, map[string]bool{}}
	r = oracle.Search(x.Machine, l, func(t *trace.Trace) {
		each(t)
		note(x.want, explore.Failures(t))
	})
	if r.Complete && !tooLarge() {
		oracle.Search(first, l, func(t *trace.Trace) { note(x.known, explore.Failures(t)) })
	}
	return x, r
}

func note(keys map[string]bool, failures []report.Finding) {
	for _, f := range failures {
		keys[f.Key] = true
	}
}

// Problems says how what an explorer has found differs.
func (x *Rejecting) Problems(res *explore.Result) (problems []string) {
	if res.Verdict != explore.Exhausted || res.Stats.Diverged > 0 {
		problems = append(problems, string(res.Verdict)+" "+res.Reason)
	}
	got := map[string]bool{}
	for _, f := range res.Findings {
		got[f.Key] = true
	}
	lacks := func(what string, have, all map[string]bool) {
		for _, k := range slices.Sorted(maps.Keys(all)) {
			if !have[k] {
				problems = append(problems, what+": "+strings.TrimSpace(k))
			}
		}
	}
	lacks("invented", x.want, got)
	maps.Copy(got, x.known)
	lacks("missed", got, x.want)
	return problems
}

// maxFirings is less than the machine's bounds on the firings of an execution.
const maxFirings = 16

// FiresOn reports whether timers fire in an execution until a bound of the machine ends it. What such an execution
// shows depends on the bound.
func FiresOn(t *trace.Trace) bool {
	n := 0
	for i := range t.Events {
		if t.Events[i].Kind == event.TimerFire {
			n++
		}
	}
	return n >= maxFirings
}
