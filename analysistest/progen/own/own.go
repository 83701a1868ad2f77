// Package own compares what explorers that meet every goroutine's own outcomes show with what brute force does.
package own

import (
	"maps"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// Observing adds executions that have not been cut off to a result.
func Observing(got *oracle.Result) func(*trace.Trace) {
	return func(t *trace.Trace) {
		if t.Status != trace.Stopped {
			got.Add(t)
		}
	}
}

// AddRaces adds the races among the findings of an explorer.
func AddRaces(got *oracle.Result, res *explore.Result) {
	for _, f := range res.Findings {
		if f.Category == report.DataRace {
			a, b := &f.Witness.Events[f.Events[0]], &f.Witness.Events[f.Events[1]]
			k := oracle.RaceKey(a.Site, b.Site)
			if got.Races[k] = true; a.Kind == event.ChanClose || b.Kind == event.ChanClose {
				got.Closes[k] = true
			}
		}
	}
}

// Executed returns a function that says whether an execution has told a goroutine a history. The history of a goroutine
// that was left blocked may be the beginning of one.
func Executed(r *oracle.Result) func(id event.ThreadID, history string) bool {
	all := make(map[string]bool)
	for _, o := range r.Outcomes {
		for id, replies := range o.Threads {
			all[string(id)+": "+replies] = true
		}
	}
	have := slices.Sorted(maps.Keys(all))
	return func(id event.ThreadID, history string) bool {
		h := string(id) + ": " + history
		i, ok := slices.BinarySearch(have, h)
		return ok || i < len(have) && strings.HasPrefix(have[i], h)
	}
}

// Missing lists what want shows of single goroutines, and got does not: what their operations returned, by told,
// their failures, races, and the blocked sets.
func Missing(want, got *oracle.Result, told func(id event.ThreadID, history string) bool) (out []string) {
	histories := make(map[string]bool)
	for _, o := range want.Outcomes {
		for id, replies := range o.Threads {
			if _, buffer := event.BufferOwner(id); buffer { // it is told nothing, and does what its goroutine has stored
				continue
			}
			if h := string(id) + ": " + replies; !o.Cut && !histories[h] {
				if histories[h] = true; !told(id, replies) {
					out = append(out, "history "+h)
				}
			}
		}
	}
	failures := func(r *oracle.Result) map[string]bool {
		m := make(map[string]bool)
		for _, o := range r.Outcomes {
			m[o.Failure] = o.Failure != ""
		}
		return m
	}
	lacks := func(what string, want, got map[string]bool) {
		for k := range want {
			if want[k] && !got[k] {
				out = append(out, what+" "+k)
			}
		}
	}
	lacks("failure", failures(want), failures(got))
	lacks("race", want.Races, got.Races)
	lacks("blocked", want.Blocked, got.Blocked)
	slices.Sort(out)
	return out
}
