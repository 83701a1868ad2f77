package delay

import (
	"math"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file goes through the bounds of the beginning of a program of which a whole bound has no room.
//
//	BEGIN1 A run ends when it has taken so many steps that are not local (DELAY2), or takes what ends the program if
//	       somebody stands at that. Local steps do not count.
//	BEGIN2 A run that a limit of one execution, or what the machine lacks, cuts off before that is like one that ends
//	       there: nothing is said of more steps than it has taken. It is the same where a run leaves something out, or
//	       where time passes because all that could go on only repeated themselves.
//
// Claim: when c is done, then for every schedule of the whole program that has at most c delays in its first n steps,
// an execution has shown what it does in these: each goroutine has come at least as far, and was told the same.
// docs/completeness.md has the proof. So what one of them shows in these steps, a race or a panic, was shown. If a test
// has failed by then, the first such run with that message goes on to the end, for a failure is reported there.

// A within is up to where the beginning goes.
type within struct {
	steps  int // that are not local, 0 if all is gone through
	cut    int // the fewest after which a run was cut off, if one was
	failed map[string]bool
}

// A beginning is what a run knows of that.
type beginning struct {
	of      *within
	meets   *meetings
	taken   int  // steps that are not local
	past    bool // it has come to the end of the beginning
	left    bool // before that it left something out, or time passed for nothing
	until   int  // the steps before that
	profile *profile
	stop    bool // it is to end at once
}

func (w *within) begin(m *meetings) beginning { return beginning{of: w, meets: m} }

// ends reports whether a run has taken all steps that it is to take.
func (b *beginning) ends(s *sched.State) bool {
	b.look(s.Trace)
	if !b.stop && (b.of.steps == 0 || b.taken < b.of.steps) {
		return false
	}
	b.past = true
	return true
}

// look notes the first time that a run leaves something out.
func (b *beginning) look(t *trace.Trace) {
	if t != nil && !b.left && !b.past && (t.Spun || t.Unseen != "") {
		b.left, b.until = true, b.taken
	}
}

// last is what a run that ends takes: what ends the program, or nothing. If its test has failed it goes on.
func (b *beginning) last(s *sched.State) int {
	if s.Trace != nil && s.Trace.TestFailed && !b.of.known(s.Trace) {
		return order.Next(s)
	}
	return sched.Panics(s)
}

// known reports whether a run that failed where another one has is stopped. It goes on if none has failed there.
func (w *within) known(t *trace.Trace) bool {
	return len(t.Failures) == 0 || w.failed[t.Failures[0].Message]
}

// took counts a step.
func (b *beginning) took(s *sched.State, n int) {
	if n < 0 {
		return
	}
	at := placeOf(&s.Threads[s.Transition(n).Thread])
	if !b.meets.local(at) {
		b.taken++
	}
	if b.profile != nil {
		b.profile.add(s, at)
		b.profile.choose(s, s.Transition(n).Thread)
	}
}

// lost reports whether a run does not show what it is to show.
func (b *beginning) lost(t *trace.Trace) bool {
	if b.of.steps == 0 {
		return t.Spun || t.Status == trace.Limit && !t.Full
	}
	return b.left || !b.past && t.Status == trace.Limit
}

// note notes how a run ended.
func (w *within) note(d *delayer, t *trace.Trace) {
	if w.steps == 0 {
		return
	}
	if t.TestFailed && len(t.Failures) > 0 {
		if w.failed == nil {
			w.failed = map[string]bool{}
		}
		w.failed[t.Failures[0].Message] = true
	}
	d.look(t)
	switch {
	case d.left:
		w.cut = min(w.cut, d.until)
	case !d.past && (t.Status == trace.Limit || t.Status == trace.Unsupported):
		w.cut = min(w.cut, d.taken)
	}
}

// A profile is what the schedule without a departure does, step by step.
type profile struct {
	steps   []profiled
	choices []departure // to another transition of the goroutine whose turn it is
	spent   int64       // so far
}

type profiled struct {
	at         place
	departures int32 // with one delay
	work       int64 // before it
}

func (p *profile) add(s *sched.State, at place) {
	departures := int32(0)
	if len(s.Enabled) > 1 {
		departures = 1
		for _, c := range costs(s) {
			if c == 1 {
				departures++
			}
		}
		departures = max(1, departures-1)
	}
	p.steps = append(p.steps, profiled{at, departures, p.spent})
}

// choose notes what a goroutine could do in place of what it does.
func (p *profile) choose(s *sched.State, thread int32) {
	rank := int32(0)
	for i := range s.Enabled {
		if s.Enabled[i].Thread == thread {
			if rank > 0 {
				p.choices = append(p.choices, departure{int32(s.Step), rank})
			}
			rank++
		}
	}
}

// within is how many steps have room, if all departures from them take so much work. If none of them has a choice, it
// is as many as have one, if these have room in most.
func (p *profile) within(m *meetings, room, most int64) (steps int) {
	departures := int64(0)
	for i := range p.steps {
		x := &p.steps[i]
		if m.local(x.at) {
			continue
		}
		before := departures
		departures += int64(x.departures)
		if work := departures * x.work; work > most || work > room && before > 0 {
			if before == 0 {
				return 0
			}
			return steps
		}
		steps++
	}
	if departures == 0 {
		return 0
	}
	return steps
}

// work is what all departures from so many steps are expected to take.
func (p *profile) work(m *meetings, n int) (work int64) {
	departures, steps := int64(0), 0
	for i := range p.steps {
		if x := &p.steps[i]; !m.local(x.at) {
			if steps++; steps > n {
				break
			}
			departures += int64(x.departures)
			work = departures * x.work
		}
	}
	return max(1, work)
}

// The beginning is gone through at first up to where a part of the room is expected to be used up. Then it is tried
// whether there is room for one that is so much longer.
const (
	firstPart   = 3
	pilotPart   = 8
	choicesPart = 2
	tries       = 8
	longer      = 5.0 / 4 // times
	reserve     = 4.0 / 5
)

// Within goes through the schedules with at most one delay of a beginning that is as long as the share has room for. It
// says in the result how long.
func Within(s *explore.Session) {
	if s.Exhausted() {
		return
	}
	s.OfWork(true) // what is left decides how long the beginning is
	known := meetings{at: make(map[place]bool)}
	p, length := pilot(s, &known)
	p.tryChoices(s, &known)
	room, cut, done := s.Room.Left()/firstPart, math.MaxInt, 0
	for range tries {
		left := s.Room.Left()
		n := min(cut, p.within(&known, room, int64(reserve*float64(left))))
		if n == 0 || s.Exhausted() || float64(n) < longer*float64(done) {
			return
		}
		before := s.Result.Stats
		x := new(Explorer).Begin(s)
		x.Fit, x.bounds, x.meets, x.within = true, 2, known, within{steps: n, cut: math.MaxInt}
		x.Run()
		known = meetings{at: x.meets.at, all: x.meets.all}
		cut = min(cut, x.within.cut)
		switch {
		case x.Bound == 2 && len(x.levels) > 1:
			done = n
			s.Result.Within = explore.Within{Delays: 1, Steps: n, Of: p.whole(&known, n, length)}
			as := float64(s.Result.Stats.Work-before.Work) / float64(p.work(&known, n))
			room = int64(reserve * float64(s.Room.Left()) / max(as, 1.0/firstPart))
		case x.within.cut < n: // the next one is as long as the run that was cut off
		default:
			room = min(room, p.work(&known, n)) / 2
		}
	}
}

// whole is about how many steps that are not local the whole has, if it has so many events and the beginning has n
// steps; 0 if nobody knows.
func (p *profile) whole(m *meetings, n, events int) int {
	steps := 0
	for i := range p.steps {
		if m.local(p.steps[i].at) {
			continue
		}
		if steps++; steps == n {
			return int(float64(n) * float64(events) / float64(i+1))
		}
	}
	return max(steps, n)
}

// pilot makes the run without a departure, up to a part of the room. It returns what it does, and how many events it
// has if it comes to its end.
func pilot(s *explore.Session, m *meetings) (p *profile, length int) {
	p = new(profile)
	d := &delayer{beginning: beginning{of: new(within), meets: m, profile: p}}
	t, g := d.run(s, s.Room.Left()/pilotPart)
	if g != nil && !d.unfair {
		m.learn(g)
		m.left = nil
	}
	if t.Status != trace.Stopped && t.Status != trace.Limit && t.Status != trace.Unsupported {
		length = len(t.Events)
	} else if _, ended := s.Room.Dearest(); ended {
		_, length = s.Room.Largest()
	}
	return p, length
}

// run makes a run that takes at most so much work.
func (d *delayer) run(s *explore.Session, most int64) (*trace.Trace, *causality.Graph) {
	rec := causality.NewRecorder(d)
	x := explore.Run{Scheduler: rec, Options: s.WhatIsLeft()}
	enough := x.Options.Enough
	x.Options.Enough = func(events int, c trace.Cost) bool {
		work := explore.WorkAt(events, c)
		if d.profile != nil {
			d.profile.spent = work
		}
		d.stop = work >= most
		return enough(events, c)
	}
	x.Make(s.Machine)
	t := s.Note(&x)
	return t, new(explore.RaceSearch).Look(s, t, rec, true)
}

// tryChoices makes the runs that depart from the pilot once, by another choice of the goroutine whose turn it is:
// another case of a select, or a fault of the network. They are few, and what a program does then is often what nobody
// has tried. So they are made of the whole, and not only of a beginning, as far as a part of the room goes.
func (p *profile) tryChoices(s *explore.Session, m *meetings) {
	until := s.Result.Stats.Work + s.Room.Left()/choicesPart
	for _, c := range p.choices {
		if s.Exhausted() || s.Result.Stats.Work >= until {
			return
		}
		d := &delayer{departures: []departure{c}, beginning: beginning{of: new(within), meets: m}}
		d.run(s, s.Room.Left()/pilotPart)
	}
}
