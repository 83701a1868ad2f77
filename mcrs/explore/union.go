package explore

import (
	"fmt"

	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// Union explores by union causality: it reasons about all executions so far at once, and runs what would show a
// goroutine something new. The package union has the method, and what it does not observe.
type Union struct {
	// Engine, if not nil, is used instead of a new one. For tests.
	Engine *union.Engine
	// Observe, if not nil, sees every execution, and the replays that ended blocked.
	Observe func(*trace.Trace)
	// Apart says that the states of a sweep tell goroutines with equal futures apart: they are named by histories alone.
	Apart bool
	// Alone says that no other explorer takes over where this one has no rule, or cannot end.
	Alone bool
}

// The part of the limits after which the other explorer takes over: three in four.
const share, shares = 3, 4

// Explore implements Explorer.
func (x *Union) Explore(m sched.Machine, lim Limits) *Result {
	s := newSession(m, lim)
	s.observe = x.Observe
	e := x.Engine
	if e == nil {
		e = union.New()
	}
	e.NoMerge = e.NoMerge || x.Apart
	u := &unite{session: s, e: e}
	if !x.Alone {
		u.executions, u.events = s.lim.Executions*share/shares, s.lim.Events*share/shares
	}
	reason := u.run()
	s.res.Stats.States, s.res.Stats.Histories = e.Stats.States, e.Stats.Histories
	if s.res.Verdict != Exhausted || reason != "" {
		s.res.Stats.Histories = -1
	}
	if reason != "" {
		if x.Alone {
			s.incomplete(reason)
		} else {
			(&Systematic{Observe: x.Observe}).explore(s)
		}
	}
	return s.result()
}

// unite is the state of an exploration.
type unite struct {
	*session
	e                  *union.Engine
	executions, events int // how far to go, 0 for the session's limits
}

// run executes what the engine asks for. It returns why the engine cannot go on, "" if it is done or a limit struck.
func (u *unite) run() string {
	prefix := sched.NewReplay(nil, sched.RunToBlock{Round: true})
	for task := (union.Task{}); ; {
		switch task.Kind {
		case union.Race:
			u.race(task)
		case union.Blocked:
			t := u.replay(sched.NewReplay(task.Seed, sched.RunToBlock{}), false)
			u.findings.local(t)
			if u.observe != nil {
				u.observe(t)
			}
			u.e.Stuck(task, allBlocked(t))
		default:
			if u.executions > 0 && (u.res.Stats.Executions >= u.executions || u.res.Stats.Events >= u.events) {
				return "its share of the limits is used up"
			}
			if u.exhausted() {
				return ""
			}
			w := union.NewWatch(prefix)
			t := u.execute(w)
			if t.Status == trace.Unsupported || t.Status == trace.Limit {
				return "an execution was cut off" // the other explorer says the same of it
			}
			if d := prefix.Diverged(); d >= 0 {
				u.res.Stats.Diverged++
				return fmt.Sprintf("execution %d could not follow its seed at step %d of %d", u.res.Stats.Executions, d, len(task.Seed))
			}
			if err := u.e.Absorb(t, w); err != nil {
				return err.Error()
			}
			if task.Seed != nil && !u.e.Shown(task) {
				return fmt.Sprintf("execution %d did not show what was foreseen: %v", u.res.Stats.Executions, task)
			}
			for _, i := range oracle.AdjacentRaces(t) {
				u.e.Raced(t.Events[i].Site, t.Events[i+1].Site)
			}
		}
		next, ok, exhausted := u.e.Next()
		if !ok {
			if !exhausted {
				return "limit of states reached"
			}
			return ""
		}
		task = next
		prefix = sched.NewReplay(task.Seed, sched.RunToBlock{Round: true})
	}
}

// race confirms a predicted race.
func (u *unite) race(task union.Task) {
	key := raceKey(task.Sites[0], task.Sites[1])
	if u.findings.keys[key] {
		u.e.Raced(task.Sites[0], task.Sites[1])
		return
	}
	t := u.replay(sched.NewReplay(task.Seed, sched.RunToBlock{}), false)
	if adjacentRace(t, key) >= 0 {
		u.findings.keys[key] = true
		u.findings.sources = append(u.findings.sources, source{category: report.DataRace, key: key, seed: sched.SeedOf(t)})
		u.e.Raced(task.Sites[0], task.Sites[1])
	}
}

// allBlocked reports whether all goroutines that an execution left behind are blocked for ever.
func allBlocked(t *trace.Trace) bool {
	if t.Status != trace.Deadlocked && t.Status != trace.Returned {
		return false
	}
	for i := range t.Threads {
		if th := &t.Threads[i]; th.Pending != nil && t.Status != trace.Deadlocked && !th.Leaked {
			return false
		}
	}
	return true
}
