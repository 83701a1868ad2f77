package union

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/explore/learn"
	"github.com/heddle-go/heddle/mcrs/explore/reduce"
	"github.com/heddle-go/heddle/mcrs/race"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file looks for races whose accesses are never next to each other. It does so at the end of explorations that
// meet every operation with every answer, but not every order of what goroutines learn from each other (docs/races.md).

// racesBehind is why such an explorer hands over, or has come to its end alone.
const racesBehind = "what is observed without synchronisation tells too much to be followed"

// behind looks for them in the knowledge of an engine that holds all that was executed. If that does not tell all, it
// returns why, and where something is observed without synchronisation.
func behind(s *explore.Session, e *Engine) (reason string, observed event.Site) {
	if e.Relaxed() { // races are those of sequential consistency
		return "", 0
	}
	most := int(s.WorkLeft() / 2 / explore.StateWork)
	b := e.Behind(most, s.OneRegime())
	s.OfWork(b.States > most)
	s.Spend(explore.StateWork * int64(b.States))
	sure := b.Complete
	shown := make(map[string]bool)
	for _, task := range b.Races {
		key := explore.RaceKey(task.Sites[0], task.Sites[1])
		if _, told := shown[key]; !told {
			shown[key] = false
		}
		if !s.Findings.Told(key) {
			rec := causality.NewRecorder(sched.GoingRound(task.Seed, sched.RunToBlock{}))
			t := s.Replay(rec, false)
			s.Findings.Unordered(t)
			if !s.Findings.Told(key) {
				s.Findings.Unordered(s.Replay(sched.GoingRound(alone(t, rec, task.Sites), sched.RunToBlock{}), false))
			}
		}
		shown[key] = s.Findings.Told(key)
	}
	for _, ok := range shown {
		sure = sure && ok
	}
	if !sure {
		return racesBehind, b.Observed
	}
	return "", 0
}

// alone is the schedule of two accesses that conflict, and of what they depend on: without what happened beside them,
// and may order them by accident (SYNC16 of package race). It is nil if they do not happen.
func alone(t *trace.Trace, rec *causality.Recorder, sites [2]event.Site) seed.Seed {
	for j := range t.Events {
		for i := range j {
			a, b := &t.Events[i], &t.Events[j]
			if reduce.PairOf(a.Site, b.Site) != sites || !race.Conflict(a, b) {
				continue
			}
			g := causality.NewGraph(t, rec, false)
			k := g.Causes(causality.Ref{Thread: b.Thread, Seq: b.Seq})
			for p, n := range g.Causes(causality.Ref{Thread: a.Thread, Seq: a.Seq}) {
				k[p] = max(k[p], n)
			}
			if order, ok := g.Linearise(k, a.Thread); ok {
				return sched.SeedOfEvents(t, order)
			}
			return nil
		}
	}
	return nil
}

// LookedBehind says what an exploration leaves open whose only open question is what races are behind an observation.
func LookedBehind(s *explore.Session, observed event.Site) {
	if observed != 0 && s.Result.Verdict == explore.Incomplete {
		s.Result.Behind = observed
	}
}

// A Gathering is the knowledge of all executions of an explorer that reasons about one at a time.
type Gathering struct {
	s        *explore.Session
	e        *Engine
	err      error // why the engine knows nothing
	observer race.Observer
}

// NewGathering returns a gathering that knows nothing.
func NewGathering(s *explore.Session) *Gathering { return &Gathering{s: s} }

// Add adds an execution that ran under w.
func (g *Gathering) Add(t *trace.Trace, w *learn.Watch) {
	if g.e == nil {
		g.e = New()
		g.e.NoMerge, g.e.Apart = true, true
	}
	if g.observer.Look(t); g.err != nil {
		return
	}
	g.err = g.e.Absorb(t, w)
	for _, i := range race.Adjacent(t) {
		g.e.Raced(t.Events[i].Site, t.Events[i+1].Site)
	}
}

// Behind looks for races behind what was gathered.
func (g *Gathering) Behind() (reason string, observed event.Site) {
	switch {
	case g.e == nil || g.observer.Site == 0 && g.err != nil:
		return "", 0
	case g.err != nil:
		return g.err.Error(), g.observer.Site
	default:
		return behind(g.s, g.e)
	}
}
