package explore

import (
	"hash/maphash"
	"slices"

	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file keeps what the replays of a session's shortenings have shown. Findings of one entry ask for the same
// executions: the one of the default schedule, those of its first runs, and the one that showed several of them.

// mostSteps bounds the steps of the seeds that are kept, and mostEvents the events of the executions that are kept
// whole.
const (
	mostSteps  = 1 << 17
	mostEvents = 1 << 14
)

// A past is what replays have shown. What was used last comes last.
type past struct {
	replays  []made
	steps    int // of their seeds
	recorded []*recorded
	events   int // of these
}

// A made is a replay with the failures that it shows.
type made struct {
	attempt  // shown is about the failure that it was made for
	sums     []uint64
	failures []failing
	apart    bool // failures has the races whose accesses are not next to each other
}

// A failing is a failure of a replay. switches counts those before the two accesses of a race that are next to each
// other, else it is -1.
type failing struct {
	key      string
	switches int
}

// A recorded is the execution of a seed, with what it takes to ask what happens before what.
type recorded struct {
	attempt
	t   *trace.Trace
	rec *causality.Recorder
	g   *causality.Graph
}

// record runs a seed.
func record(s seed.Seed, run func(sched.Scheduler) *trace.Trace) *recorded {
	rec := causality.NewRecorder(sched.NewReplay(s, sched.RunToBlock{}))
	t := run(rec)
	return &recorded{attempt: attempt{asked: s, did: sched.SeedOf(t)}, t: t, rec: rec}
}

// graph returns what happens before what.
func (e *recorded) graph() *causality.Graph {
	if e.g == nil {
		e.g = causality.NewGraph(e.t, e.rec, false)
	}
	return e.g
}

// repeatable reports whether a seed leads to the same execution whenever it is replayed: the limit of work is met where
// the work that is left says.
func repeatable(t *trace.Trace) bool { return t.Status != trace.Limit && t.Status != trace.Stopped }

var sumSeed = maphash.MakeSeed()

// sumsOf hashes the beginnings of a seed, the empty one first. Equal seeds have equal sums.
func sumsOf(s seed.Seed) []uint64 {
	sums := make([]uint64, 1, len(s)+1)
	for i := range s {
		sums = append(sums, causality.Mix(sums[i], maphash.Comparable(sumSeed, s[i])))
	}
	return sums
}

// madeOf says what the replay of a seed has shown. key is the failure that it was made for.
func madeOf(asked seed.Seed, t *trace.Trace, key string) *made {
	m := &made{attempt: attempt{asked: asked, did: sched.SeedOf(t)}}
	m.note(Failures(t))
	if m.find(key) == nil {
		m.note(Apart(t))
		m.apart = true
	}
	m.shown = m.find(key) != nil
	return m
}

func (m *made) note(shown []report.Finding) {
	for _, f := range shown {
		x := failing{f.Key, -1}
		if f.Category == report.DataRace && f.Events[1] == f.Events[0]+1 {
			x.switches = switchesBefore(f.Witness, f.Events[1])
		}
		m.failures = append(m.failures, x)
	}
}

// find returns the failure with a key, nil if the replay does not show it.
func (m *made) find(key string) *failing {
	for i := range m.failures {
		if m.failures[i].key == key {
			return &m.failures[i]
		}
	}
	return nil
}

// switches counts those before the two accesses of the race with a key, if they are next to each other. Else it is -1.
func (m *made) switches(key string) int {
	if f := m.find(key); f != nil {
		return f.switches
	}
	return -1
}

// add keeps what a replay has shown.
func (p *past) add(m *made) {
	if p == nil {
		return
	}
	m.sums = sumsOf(m.did)
	p.replays = append(p.replays, *m)
	for p.steps += len(m.did); p.steps > mostSteps; p.replays = p.replays[1:] {
		p.steps -= len(p.replays[0].did)
	}
}

// recall returns the replay that says whether a seed leads to the failure with a key, nil if none does.
func (p *past) recall(s seed.Seed, key string) *made {
	if p == nil || len(p.replays) == 0 {
		return nil
	}
	n, sum := len(s), sumsOf(s)[len(s)]
	for i := range p.replays {
		m := &p.replays[i]
		if n < len(m.sums) && m.sums[n] == sum && m.leadsTo(s) && (m.apart || m.find(key) != nil) {
			return m
		}
	}
	return nil
}

// keep keeps an execution.
func (p *past) keep(e *recorded) {
	if p == nil || !repeatable(e.t) {
		return
	}
	p.recorded = append(p.recorded, e)
	for p.events += len(e.t.Events); p.events > mostEvents; p.recorded = slices.Delete(p.recorded, 0, 1) {
		p.events -= len(p.recorded[0].t.Events)
	}
}

// execution returns the execution of a seed, nil if it is not kept.
func (p *past) execution(s seed.Seed) *recorded {
	if p == nil {
		return nil
	}
	for i, e := range p.recorded {
		if e.leadsTo(s) {
			p.recorded = append(slices.Delete(p.recorded, i, i+1), e)
			return e
		}
	}
	return nil
}
