package progen

import (
	"maps"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// structural compares what is found under -timing=structural: the failures, races and blocked goroutines of the
// executions that are not dropped. Whether an execution is dropped is known when it has ended, and depends on more than
// the state. So the oracle runs every schedule to its end.
//
// Of two equivalent executions the clock may have moved in one only when nothing else could run. That one is also of
// the first regime, where nothing is dropped. So an explorer may leave its findings to the first regime.
func (r *Result) structural(first sched.Machine, executions int) {
	m := explore.InTimingRegime(first, explore.TimingStructural)
	want, known := map[string]bool{}, map[string]bool{}
	l := oracle.Limits{Executions: executions, Options: sched.Options{MaxEvents: maxEvents}}
	r.Oracle = oracle.Search(m, l, func(t *trace.Trace) {
		r.endless(t)
		for _, f := range explore.Failures(t) {
			want[f.Key] = true
		}
	})
	if !r.Oracle.Complete {
		r.TooLarge = r.Oracle.Reason
	}
	if r.TooLarge != "" {
		return
	}
	oracle.Search(first, l, func(t *trace.Trace) {
		for _, f := range explore.Failures(t) {
			known[f.Key] = true
		}
	})
	for _, s := range Subjects {
		got := map[string]bool{}
		res := s.New(nil).Explore(m, explore.Limits{Executions: 200_000, Events: 1 << 30})
		r.Work[s.Name] = res.Stats
		if res.Verdict != explore.Exhausted || res.Stats.Diverged > 0 {
			r.Problems = append(r.Problems, s.Name+": "+string(res.Verdict)+" "+res.Reason)
		}
		for _, f := range res.Findings {
			got[f.Key] = true
		}
		lacks := func(what string, have, all map[string]bool) {
			for _, k := range slices.Sorted(maps.Keys(all)) {
				if !have[k] {
					r.Problems = append(r.Problems, s.Name+": "+what+": "+strings.TrimSpace(k))
				}
			}
		}
		lacks("invented", want, got)
		maps.Copy(got, known)
		lacks("missed", got, want)
	}
}

// maxFirings is less than the machine's bounds on the firings of an execution.
const maxFirings = 16

// endless notes an execution in which timers fire until a bound of the machine ends it. What such an execution shows
// depends on the bound.
func (r *Result) endless(t *trace.Trace) {
	n := 0
	for i := range t.Events {
		if t.Events[i].Kind == event.TimerFire {
			n++
		}
	}
	if n >= maxFirings {
		r.TooLarge = "a ticker goes on to the bound of firings"
	}
}
