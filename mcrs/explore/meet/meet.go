// Package meet asks whether two accesses of tests that run side by side can be next to each other: it makes them meet.
package meet

import (
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// A Conflict asks whether two accesses, one of each of two tests that run side by side, can be next to each other. The
// accesses are those of executions of each test alone.
type Conflict [2]event.Event

// Key is that of the race, if there is one.
func (q *Conflict) Key() string { return explore.RaceKey(q[0].Site, q[1].Site) }

// Explorer asks about conflicts in a machine that runs a pair of tests. It has executions made in which one test comes
// to its access and waits there, and the other goes on until it comes to its own. So each finding is a race that an
// execution has shown. No finding says nothing: the first test may do something before its access that keeps the second
// from coming to its own.
type Explorer struct {
	Conflicts []Conflict
	// Objects are those by which one test may come to what the other has made.
	Objects []uint64
	// Asked is the number of conflicts and objects for which executions were made.
	Asked int
	tests []event.ThreadID
}

// releases is how often a test is let go on beyond its access, to come to it again, before it is given up.
const releases = 20

// Explore implements Explorer. The verdict is Incomplete.
func (x *Explorer) Explore(m sched.Machine, lim explore.Limits) *explore.Result {
	s := explore.NewSession(m, lim)
	x.ask(s)
	s.Incomplete("only some accesses were made to meet")
	s.Findings.OnlyRaces()
	r := s.Close()
	r.Findings = slices.DeleteFunc(r.Findings, func(f report.Finding) bool { return !between(&f, x.tests) })
	return r
}

func (x *Explorer) ask(s *explore.Session) {
	if len(x.Conflicts)+len(x.Objects) == 0 || s.Exhausted() {
		return
	}
	x.tests = s.Execute(sched.RunToBlock{}).Tests // names do not depend on the schedule
	if len(x.tests) != 2 {
		return
	}
	x.askConflicts(s)
	x.askHandovers(s)
}

func (x *Explorer) askConflicts(s *explore.Session) {
	for i := range x.Conflicts {
		q := &x.Conflicts[i]
		for first := range 2 {
			if s.Findings.Has(q.Key()) {
				break
			}
			if s.Exhausted() {
				return
			}
			x.Asked += 1 - first
			t := s.Execute(&rendezvous{q: q, tests: x.tests, first: first})
			if t.Status == trace.Unsupported || t.Status == trace.Limit {
				break
			}
		}
	}
}

// A rendezvous is the scheduler of one conflict: the test numbered first waits at its access for the other.
type rendezvous struct {
	q        *Conflict
	tests    []event.ThreadID
	first    int
	held     int32 // index of the thread that waits, + 1
	released int
	last     bool // the two accesses are next
	met      bool
	then     sched.RunToBlock
}

// Next implements sched.Scheduler.
func (x *rendezvous) Next(s *sched.State) int {
	switch {
	case x.met:
		return x.then.Next(s)
	case x.last:
		x.met = true
		if n := x.enabled(s, func(t int32) bool { return t == x.held-1 }); n >= 0 {
			return n
		}
		return x.then.Next(s)
	case x.held == 0:
		if t := x.at(s, x.first); t >= 0 {
			x.held = t + 1
		}
	}
	if x.held > 0 {
		if t := x.at(s, 1-x.first); t >= 0 {
			x.last = true
			return x.enabled(s, func(th int32) bool { return th == t })
		}
	}
	return x.goOn(s)
}

// goOn chooses who goes on towards the meeting: first the test that is to come to its access, then threads of neither
// test, then the other test.
func (x *rendezvous) goOn(s *sched.State) int {
	toward := x.first
	if x.held > 0 {
		toward = 1 - x.first
	}
	for _, wanted := range []func(int32) bool{
		func(t int32) bool { return x.of(s, t) == toward },
		func(t int32) bool { return x.of(s, t) < 0 },
		func(int32) bool { return true },
	} {
		if n := x.enabled(s, func(t int32) bool { return t != x.held-1 && wanted(t) }); n >= 0 {
			return n
		}
	}
	x.held = 0 // nobody can go on without it
	if x.released++; x.released > releases {
		x.met = true
	}
	return x.then.Next(s)
}

// enabled returns the transition that RunToBlock takes among those of the threads that are wanted, -1 if there is none.
func (x *rendezvous) enabled(s *sched.State, wanted func(int32) bool) int {
	some := *s
	some.Enabled = nil
	var index []int
	for i, t := range s.Enabled {
		if !s.Ends(t) && !s.Threads[t.Thread].Early && wanted(t.Thread) {
			some.Enabled, index = append(some.Enabled, t), append(index, i)
		}
	}
	if len(index) == 0 {
		return -1
	}
	return index[x.then.Next(&some)]
}

// of returns the number of the test whose goroutine a thread is, -1 if it is of neither.
func (x *rendezvous) of(s *sched.State, t int32) int {
	return x.ofID(s.Threads[t].ID)
}

// ofID is of, for the name of a thread.
func (x *rendezvous) ofID(id event.ThreadID) int {
	for i, root := range x.tests {
		if id == root || strings.HasPrefix(string(id), string(root)+".") {
			return i
		}
	}
	return -1
}

// at returns a thread of a test that stands at its access and can go on, -1 if there is none. The second access must be
// at the bytes of the first.
func (x *rendezvous) at(s *sched.State, test int) int32 {
	want := &x.q[test]
	for _, t := range s.Enabled {
		op := s.Threads[t.Thread].Op
		if op.Kind == want.Kind && op.Site == want.Site && op.Loc == want.Loc && x.of(s, t.Thread) == test && t.Thread != x.held-1 {
			return t.Thread
		}
	}
	return -1
}
