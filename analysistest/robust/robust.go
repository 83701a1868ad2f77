// Package robust compares the check robustness with brute force, which goes through all states of a program twice:
// sequentially consistently, and under a memory model. What goroutines are told is written down here a second time, on
// purpose.
package robust

import (
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// A side is what brute force meets under one memory model.
type side struct {
	*oracle.Result
	told   map[string]bool // the histories of goroutines, and their beginnings
	polled bool
}

func (s *side) each(t *trace.Trace) {
	for i := range t.Threads {
		s.polled = s.polled || t.Threads[i].Polled || t.Spun
	}
	for _, h := range historiesOf(t) {
		s.told[h] = true
	}
}

// historiesOf returns, for each event of a trace, what its goroutine has been told with it; "" where that is nothing.
func historiesOf(t *trace.Trace) []string {
	so := make([]string, len(t.Threads))
	out := make([]string, len(t.Events))
	for i := range t.Events {
		e := &t.Events[i]
		id := t.Threads[e.Thread].ID
		if _, buffer := event.BufferOwner(id); buffer {
			continue
		}
		switch e.Kind {
		case event.Write, event.Store, event.Fence, event.AtomicStore: // its own doing
			continue
		}
		so[e.Thread] += " " + oracle.Told(trace.ReplyOf(e))
		out[i] = string(id) + so[e.Thread]
	}
	return out
}

// A Result is what the comparison of one program gave.
type Result struct {
	Oracle   *oracle.Result // under the memory model, with the races of sequential consistency
	TooLarge string         // why brute force could not go through it, "" if it did
	Problems []string       // what differs
	Found    bool           // the check reports something
	Stats    explore.Stats  // of the check
}

// Compare compares the check with what brute force shows, in so many executions of so many events. A program without a
// data race has to do the same under both models.
func Compare(m sched.Machine, executions, maxEvents int, model event.MemoryModel) (r *Result) {
	r = new(Result)
	problem := func(what ...string) { r.Problems = append(r.Problems, "robustness: "+strings.Join(what, " ")) }
	var sides [2]side
	for i, model := range []event.MemoryModel{event.SC, model} {
		s := &sides[i]
		s.told = map[string]bool{}
		s.Result = oracle.SearchStates(explore.InMemory(m, model), oracle.Limits{Executions: executions, Options: sched.Options{MaxEvents: maxEvents}}, s.each)
		if r.Oracle = s.Result; !s.Complete {
			r.TooLarge = s.Reason
			return r
		}
	}
	sc, relaxed := &sides[0], &sides[1]
	r.Oracle.Races = sc.Races // a relaxed memory model has no others
	limits := explore.Limits{Executions: 200_000, Events: 1 << 30}
	res := (&union.Explorer{}).Explore(m, limits)
	res = explore.ExploreRobustness(explorers.Historian("union"), m, limits, model, res)
	r.Stats = res.Stats
	if res.Verdict != explore.Exhausted {
		problem(string(res.Verdict), res.Reason)
	}
	var news []string
	for h := range relaxed.told {
		if !sc.told[h] {
			news = append(news, "told "+h)
		}
	}
	if sc.polled || relaxed.polled {
		news = nil
	}
	for k := range relaxed.Blocked {
		if !sc.Blocked[k] {
			news = append(news, "blocked "+k)
		}
	}
	slices.Sort(news)
	found := slices.DeleteFunc(slices.Clone(res.Findings), func(f report.Finding) bool { return f.Category != report.Robustness })
	r.Found = len(found) > 0
	switch {
	case len(sc.Races) == 0 && len(found)+len(news) > 0:
		problem("without a race:", strings.Join(news, "; "))
	case len(news) > 0 && len(found) == 0:
		problem("missed:", news[0])
	}
	for i := range found {
		if why := refuted(m, &found[i], sc); why != "" {
			problem("invented:", why)
		}
	}
	return r
}

// replays is how often each finding is run again.
const replays = 10

// refuted returns why a finding of the check is none, "" if it is one: it has to show each time it is run again, and
// brute force must not meet what it shows.
func refuted(m sched.Machine, f *report.Finding, sc *side) string {
	regime, err := explore.ParseRegime(explore.RegimeOf(f, false).String())
	if err != nil {
		return err.Error()
	}
	for range replays {
		s := sched.NewReplay(f.Seed, sched.Halt{})
		again := regime.Shown(regime.Machine(m).Run(s, sched.Options{Stacks: true}))
		if s.Diverged() >= 0 || len(again) != 1 || again[0].Key != f.Key || !slices.Equal(again[0].Events, f.Events) {
			return "a replay does not show " + f.Key
		}
	}
	told := historiesOf(f.Witness)
	switch {
	case f.Leads == nil && !sc.polled && sc.told[told[f.Events[2]]]:
		return "told sequentially consistently too: " + told[f.Events[2]]
	case f.Leads != nil && f.Leads.Category == report.Deadlock && sc.Blocked[oracle.BlockedKey(f.Witness)]:
		return "blocked sequentially consistently too: " + oracle.BlockedKey(f.Witness)
	case f.Leads != nil && (f.Leads.Category == report.Panics || f.Leads.Category == report.TestFailure) && !sc.polled &&
		!slices.ContainsFunc(told, func(h string) bool { return h != "" && !sc.told[h] }):
		return "nobody is told anything new: " + f.Leads.Key
	}
	return ""
}
