package explore

import (
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file looks for races that an execution tells of, besides those that it shows.

// A RaceSearch looks for them in one execution after the other, until it has looked at too much.
type RaceSearch struct {
	work int // words of the configurations before races
}

// Look looks at an execution. If cheap is set, it does so only where that takes less than the execution did. It returns
// the happens-before, nil if it did not look.
func (r *RaceSearch) Look(s *Session, t *trace.Trace, rec *causality.Recorder, cheap bool) *causality.Graph {
	words := GraphWords(t)
	if words > MaxGraph || cheap && WordWork(words) > WorkOf(t)/4 {
		return nil
	}
	s.Spend(WordWork(words))
	g := causality.NewGraph(t, rec, false)
	if r.work <= MaxWork {
		from := causality.Keep(t, nil)
		s.Findings.Hidden(g, from)
		(&causality.Reverser{Graph: g, Out: racesOnly{s, r, from}}).Races()
	}
	return g
}

// racesOnly takes the races of an execution, and drops its reversals.
type racesOnly struct {
	*Session
	search *RaceSearch
	from   *causality.Schedule
}

func (racesOnly) Seen(uint64) bool                                           { return true }
func (racesOnly) Candidate(*causality.Graph, causality.Cut, *causality.Move) {}

// Spend bounds the pairs that are looked at. Each race that is new takes an execution, so it ends with the share of the
// work as well: an execution in which thousands of accesses race tells of hundreds.
func (r racesOnly) Spend(words int) bool {
	r.search.work += words
	r.Session.Spend(CutWork(words))
	return r.search.work <= MaxWork && !r.Interrupted() && !r.Used() && !r.OfWork(r.WorkLeft() == 0)
}

func (r racesOnly) Race(g *causality.Graph, k causality.Cut, first, second causality.Ref) {
	r.Findings.Race(g, r.from, k, first, second)
}
