package explore

import (
	"fmt"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/race"
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
	// Workers is the number of goroutines that explore, 0 for one. What is found, in what order, does not depend on it.
	Workers int
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
	e.NoMerge, e.Apart = e.NoMerge || x.Apart, e.Apart || x.Apart
	u := &unite{session: s, e: e, team: &team{m: m}, workers: x.Workers}
	s.m = u.team
	defer u.team.dismiss()
	if !x.Alone {
		s.share(share, shares)
	}
	reason := u.run()
	u.team.dismiss()
	s.m, s.part = m, Limits{} // what follows is not shared
	observed := event.Site(0)
	if reason == "" && s.res.Verdict == Exhausted {
		reason, observed = behind(s, e)
	}
	s.res.Stats.States, s.res.Stats.Histories = e.Stats.States, e.Stats.Histories
	if s.res.Verdict != Exhausted || reason != "" {
		s.res.Stats.Histories = -1
	}
	if reason != "" {
		if x.Alone {
			s.incomplete(reason)
		} else {
			handOver(s, reason)
		}
		lookedBehind(s, observed)
	}
	return s.result()
}

// unite is the state of an exploration.
type unite struct {
	*session
	e       *union.Engine
	team    *team
	workers int
	asked   []request // executions that were asked for, not yet absorbed
}

// A request is an execution that was asked for, and what for.
type request struct {
	task   union.Task
	follow *sched.Replay
	watch  *union.Watch
	run    *run
}

// Executions are asked for ahead, so that the machine works while the engine does: one for each aheadEvery that were made, at most maxAhead.
// A short exploration asks for each with all that the one before has shown, for what one shows may save another.
const (
	maxAhead   = 16
	aheadEvery = 32
)

// run executes what the engine asks for. It returns why the engine cannot go on, "" if it is done or a limit struck.
func (u *unite) run() (reason string) {
	defer func() {
		for _, x := range u.asked { // they were made
			if u.team.wait(x.run); x.run.fault == nil {
				u.note(x.run)
			}
		}
	}()
	if u.workers > 1 {
		u.e.Share = func() { // there is a batch
			u.team.hire(u.e, u.workers-1)
			u.team.call()
		}
	}
	for u.ask(union.Task{}); ; {
		if u.workers > 1 && u.res.Stats.Executions >= aheadEvery { // before that it would not pay
			u.team.hire(u.e, u.workers-1)
		}
		ahead := min(1+u.res.Stats.Executions/aheadEvery, maxAhead)
		for range min((ahead+1)/2, len(u.asked)) {
			x := u.asked[0]
			u.asked = u.asked[1:]
			if reason := u.absorb(x); reason != "" {
				return reason
			}
		}
		for len(u.asked) == 0 || len(u.asked) < ahead && !u.spent() {
			task, answer := u.e.Next(len(u.asked))
			if answer == union.Later {
				break
			}
			switch {
			case answer == union.Beyond:
				return "limit of states reached"
			case answer == union.Crowded:
				return union.ErrCrowded.Error()
			case answer == union.Endless:
				return "goroutines may go on for ever"
			case answer == union.Exhausted:
				return ""
			case task.Kind == union.Race:
				u.race(task)
			case task.Kind == union.Blocked:
				t := u.replay(sched.NewReplay(task.Seed, sched.RunToBlock{}), false)
				u.findings.local(t)
				if u.observe != nil {
					u.observe(t)
				}
				u.e.Stuck(task, allBlocked(t))
			case u.usedWith(len(u.asked)):
				return usedUp
			case u.exhausted():
				return ""
			default:
				u.ask(task)
			}
		}
	}
}

// spent reports whether what was asked for uses up the share, or the limits.
func (u *unite) spent() bool {
	return u.usedWith(len(u.asked)) || u.res.Stats.Executions+len(u.asked) >= u.lim.Executions || u.res.Stats.Events >= u.lim.Events
}

// ask asks for the execution of a task.
func (u *unite) ask(task union.Task) {
	x := request{task: task, follow: sched.NewReplay(task.Seed, sched.RunToBlock{Round: true})}
	x.watch = union.NewWatch(x.follow)
	if !u.e.Apart {
		x.watch.NameStates(len(task.Seed)) // what the seed meets anew it meets with the last steps of goroutines
	}
	x.run = u.team.ask(x.watch, u.whatIsLeft())
	u.asked = append(u.asked, x)
}

// absorb adds an execution to the knowledge. It returns why the engine cannot go on.
func (u *unite) absorb(x request) string {
	u.team.wait(x.run)
	t := u.note(x.run)
	if t.Status == trace.Unsupported || t.Status == trace.Limit {
		return "an execution was cut off" // the other explorer says the same of it
	}
	if d := x.follow.Diverged(); d >= 0 {
		u.res.Stats.Diverged++
		return fmt.Sprintf("execution %d could not follow its seed at step %d of %d", u.res.Stats.Executions, d, len(x.task.Seed))
	}
	if err := u.e.Absorb(t, x.watch); err != nil {
		return err.Error()
	}
	if x.task.Seed != nil && !u.e.Shown(x.task) {
		return fmt.Sprintf("execution %d did not show what was foreseen: %v", u.res.Stats.Executions, x.task)
	}
	for _, i := range race.Adjacent(t) {
		u.e.Raced(t.Events[i].Site, t.Events[i+1].Site)
	}
	return ""
}

// race confirms a predicted race.
func (u *unite) race(task union.Task) {
	key := raceKey(task.Sites[0], task.Sites[1])
	if u.findings.has(key) || u.findings.confirm(task.Seed, key) {
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
