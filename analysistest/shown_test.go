package analysistest

import (
	"slices"
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/sched"
)

// TestShownAreThere: what a scheduler is shown of the goroutines, where few of them have changed since it was asked
// last, is what the events and the transitions say of them, in both regimes of time.
func TestShownAreThere(t *testing.T) {
	var seen looker
	for _, dir := range []string{"testdata/outcomes", "testdata/waits", "testdata/bench"} {
		m, p := loadDir(t, dir)
		for i, e := range p.Entries {
			if dir == "testdata/bench" && e.Name != "TestNWriters64" { // in which goroutines starve
				continue
			}
			for _, em := range []sched.Machine{m.Entry(e), explore.InTimingRegime(m.Entry(e), explore.TimingAll)} {
				l := looker{t: t, name: e.Name, then: sched.NewRandom(sched.RandSeed(i))}
				if dir == "testdata/bench" {
					l.then = sched.RunToBlock{}
				}
				em.Run(&l, sched.Options{MaxEvents: 300})
				seen.starved, seen.ended, seen.fired = seen.starved+l.starved, seen.ended+l.ended, seen.fired+l.fired
			}
		}
	}
	if seen.starved == 0 || seen.ended == 0 || seen.fired == 0 {
		t.Errorf("%d starved, %d had ended, %d timers were about to fire: the programs show nothing", seen.starved, seen.ended, seen.fired)
	}
}

// A looker is a scheduler that compares what it is shown with what it has seen.
type looker struct {
	t                     *testing.T
	name                  string
	then                  sched.Scheduler
	events                int     // of the trace
	seqs                  []int32 // events, by thread
	passed                []int   // how often it could have gone on since it last did, by thread
	alone                 int     // decisions for the last thread, one after the other
	starved, ended, fired int
}

// Next implements sched.Scheduler.
func (l *looker) Next(s *sched.State) int {
	l.seqs = append(l.seqs, make([]int32, len(s.Threads)-len(l.seqs))...)
	l.passed = append(l.passed, make([]int, len(s.Threads)-len(l.passed))...)
	for ; l.events < len(s.Trace.Events); l.events++ {
		l.seqs[s.Trace.Events[l.events].Thread]++
	}
	offered := make(map[int32]bool)
	for _, ts := range [][]sched.Transition{s.Enabled, s.Idle, s.Held} {
		for _, t := range ts {
			offered[t.Thread] = true
			if t.Partner >= 0 {
				offered[t.Partner] = true
			}
		}
	}
	for i := range s.Threads {
		th := &s.Threads[i]
		live := slices.Contains(s.Live, int32(i))
		switch {
		case th.Seq != l.seqs[i]:
			l.t.Errorf("%s, decision %d: %s has %d events, and is said to have %d", l.name, s.Step, th.ID, l.seqs[i], th.Seq)
		case offered[int32(i)] != (th.Op != nil) && (th.Op == nil || !th.Op.IsSelect() && !th.Op.Kind.CanWait() && !heldUp(th.Op.Kind)):
			l.t.Errorf("%s, decision %d: %s can go on: %v, it stands at %+v", l.name, s.Step, th.ID, offered[int32(i)], th.Op)
		case th.Op != nil && th.Op.Kind == event.TimerFire && !offered[int32(i)]:
			l.t.Errorf("%s, decision %d: %s is shown, and not offered", l.name, s.Step, th.ID)
		case live && th.Starved != (l.passed[i] > 128 && l.alone < 128 && !th.Early):
			l.t.Errorf("%s, decision %d: %s was passed over %d times, and starves: %v", l.name, s.Step, th.ID, l.passed[i], th.Starved)
		case th.Op != nil && !live:
			l.t.Errorf("%s, decision %d: %s stands at %v, and is not live", l.name, s.Step, th.ID, th.Op.Kind)
		}
		if th.Starved {
			l.starved++
		}
		if th.Op == nil && th.Seq > 0 {
			l.ended++
		} else if th.Op != nil && th.Op.Kind == event.TimerFire {
			l.fired++
		}
	}
	next := l.then.Next(s)
	l.count(s, s.Transition(next))
	return next
}

// heldUp reports whether one who is served at a channel, and has still to take it, holds k up (CHAN9).
func heldUp(k event.Kind) bool {
	return k == event.ChanClose || k == event.ChanLen || k == event.TimerStart || k == event.TimerStop
}

// count counts who is passed over by a decision.
func (l *looker) count(s *sched.State, chosen sched.Transition) {
	last := int32(-1)
	for _, t := range s.Enabled {
		if t.Thread != last {
			last = t.Thread
			l.passed[last]++
		}
	}
	l.passed[chosen.Thread] = 0
	if chosen.Partner >= 0 {
		l.passed[chosen.Partner] = 0
	}
	if s.Last != chosen.Thread {
		l.alone = 0
	}
	l.alone++
}
