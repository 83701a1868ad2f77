package union

import (
	"cmp"
	"fmt"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/learn"
	"github.com/heddle-go/heddle/mcrs/explore/reduce"
	"github.com/heddle-go/heddle/mcrs/explore/team"
	"github.com/heddle-go/heddle/mcrs/race"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// Explorer explores by union causality: it reasons about all executions so far at once, and runs what would show a
// goroutine something new. The package union has the method, and what it does not observe.
type Explorer struct {
	// Engine, if not nil, is used instead of a new one. For tests.
	Engine *Engine
	// Observe, if not nil, sees every execution, and the replays that ended blocked.
	Observe func(*trace.Trace)
	// Apart says that the states of a sweep tell goroutines with equal futures apart: they are named by histories
	// alone.
	Apart bool
	// Workers is the number of goroutines that explore, 0 for one. What is found, in what order, does not depend on it.
	Workers int
	// Idle, if not nil, is how many processors nobody needs at the moment. It uses no more of them than that, besides
	// its own.
	Idle func() int
	// Ignores, if not nil, says what executions may ignore.
	Ignores Ignoring
	// IgnoreFirst says that executions ignore from the second on, whatever that saves. For tests.
	IgnoreFirst bool
	// Alone says that no other explorer takes over where this one has no rule, or cannot end.
	Alone bool
}

// Explore implements Explorer.
func (x *Explorer) Explore(m sched.Machine, lim explore.Limits) *explore.Result {
	s := explore.NewSession(m, lim)
	s.Observe = x.Observe
	e := x.Engine
	if e == nil {
		e = New()
	}
	e.NoMerge, e.Apart = e.NoMerge || x.Apart, e.Apart || x.Apart
	e.Stop = lim.Stop
	u := &unite{Session: s, e: e, m: m, workers: x.Workers, idle: x.Idle, ignorance: ignorance{ask: x.Ignores, first: x.IgnoreFirst}, doubtful: make(map[[2]event.Site]bool)}
	if !x.Alone {
		s.First()
		u.until = s.FirstEnds()
		s.Room.Keep()
	}
	s.Patient = true
	u.begin()
	defer u.end()
	u.ask(Task{})
	reason := u.search()
	u.end()
	if x.Engine != nil {
		x.Engine = u.e
	}
	s.Judge(reason == "" && closed(u.e))
	s.All()
	observed := event.Site(0)
	if reason == "" && s.Result.Verdict == explore.Exhausted {
		reason, observed = u.conclude()
	}
	u.count(reason)
	if u.known = !x.Alone && u.keeps(reason); !u.known {
		u.e, e = nil, nil // it may be large, and who goes on does not need it
	}
	if reason != "" {
		if x.Alone {
			s.Incomplete(reason)
		} else {
			s.Result.HandOver = WithoutSites(reason)
			u.handOver(reason)
		}
		LookedBehind(s, observed)
	}
	return s.Close()
}

// begin has the machine shared by workers, end not any more.
func (u *unite) begin() {
	u.team = team.New(u.m)
	u.Machine = u.team
}

func (u *unite) end() {
	u.team.Dismiss()
	u.Machine = u.m
}

// conclude asks what is left to be asked when the knowledge is complete. It returns why that does not tell all. Then
// observed is the operation behind which races may be, if that is all.
func (u *unite) conclude() (reason string, observed event.Site) {
	if reason := u.accepted(); reason != "" {
		return reason, 0
	}
	if reason, observed = behind(u.Session, u.e); reason == "" && u.e.Forever != "" { // others could show no more
		u.IncompleteAt(u.e.Forever, u.e.ForeverAt)
	}
	return reason, observed
}

// count notes how much is known.
func (u *unite) count(reason string) {
	st := &u.Result.Stats
	st.States, st.Histories = u.e.Stats.States, u.e.Stats.Histories
	if u.Result.Verdict != explore.Exhausted || reason != "" {
		st.Histories = -1
	}
}

// unite is the state of an exploration.
type unite struct {
	*explore.Session
	e       *Engine
	m       sched.Machine
	team    *team.Team
	workers int
	idle    func() int
	budget  int            // states of sweeps
	until   int64          // the work up to which sweeps may go, 0 for the limit
	asked   []request      // executions that were asked for, not yet absorbed
	watches []*learn.Watch // of executions that were absorbed
	left    *Task          // that was not asked for any more when the share was used up
	known   bool           // what is known is kept
	// answered says that the engine has no question left. Without that nothing is exhausted.
	answered bool
	ignorance
	large bool // an execution was too large to be learned
	huge  bool // the last one was cut off, and few others have room

	doubtful map[[2]event.Site]bool // pairs that race in executions that were dropped
}

// A request is an execution that was asked for, and what for.
type request struct {
	task   Task
	follow *sched.Replay
	watch  *learn.Watch
	run    *explore.Run
	called *int // sched.Options.Called
}

// Executions are asked for ahead, so that the machine works while the engine does: one for each aheadEvery that were
// made, at most maxAhead. A short exploration asks for each with all that the one before has shown, for what one shows
// may save another.
const (
	maxAhead   = 16
	aheadEvery = 32
)

// search goes on, and sees to it that nothing is exhausted without the engine's answer. It returns what goOn does.
func (u *unite) search() (reason string) {
	u.answered = false
	reason = u.goOn()
	switch {
	case reason == "" && !u.answered && u.Result.Verdict == explore.Exhausted:
		return "the search ended with questions left"
	case endsShort(u.e, reason):
		u.answered = true
		return ""
	}
	return reason
}

// goOn executes what the engine asks for. It returns why the engine cannot go on, "" if it is done or a limit struck.
func (u *unite) goOn() (reason string) {
	defer func() {
		for _, x := range u.asked { // they were made
			switch u.team.Wait(x.run); {
			case x.run.Fault != nil:
			case u.ignorance.of != nil: // it may have acted upon what it ignored
				u.NoteCost(x.run)
			default:
				u.Note(x.run)
			}
		}
		u.asked = nil
	}()
	if u.workers > 1 {
		u.e.Share = func() { // there is a batch
			u.hire()
			u.team.Call()
		}
	}
	for {
		if u.workers > 1 && u.Result.Stats.Executions >= aheadEvery { // before that it would not pay
			u.hire()
		}
		ahead := min(1+u.Result.Stats.Executions/aheadEvery, maxAhead)
		for range min((ahead+1)/2, len(u.asked)) {
			x := u.asked[0]
			u.asked = u.asked[1:]
			if reason := u.absorb(x); reason != "" {
				return reason
			}
		}
		for len(u.asked) == 0 || len(u.asked) < ahead && !u.spent() {
			task, answer := u.next()
			if answer == Later {
				break
			}
			switch {
			case answer == Beyond && u.Used():
				return u.pause()
			case answer == Beyond:
				u.Result.OfWork = u.Result.OfWork || u.e.Budget < u.budget
				return allStates
			case answer == Crowded:
				return reduce.ErrCrowded.Error()
			case answer == Endless:
				u.answered = true
				return "" // see conclude
			case answer == Exhausted && goesFurther(u.e):
			case answer == Exhausted && u.e.Passes && !closed(u.e):
				return "no rule for rounds that the machine passes over after the entry's end"
			case answer == Exhausted:
				u.answered = true
				return ""
			case task.Kind == Race:
				u.race(task)
			case task.Kind == Blocked:
				t := u.lead(task)
				u.Findings.Local(t)
				if u.Observe != nil {
					u.Observe(t)
				}
				u.e.Stuck(task, t)
			case u.UsedWith(len(u.asked)) && !u.mayEnd():
				u.left = &task
				return u.pause()
			case explore.Limited(u.Session): // ANSWER1
				return ""
			default:
				u.ask(task)
			}
		}
	}
}

// mayEnd reports whether the search executes what it asks for though its share is used up: while what is known lets the
// sweep be the last, and the execution has room up to where the search has to end what it is at.
func (u *unite) mayEnd() bool {
	dearest, _ := u.Room.Dearest()
	return !u.e.Grown && u.Result.Stats.Work+dearest <= u.until && !u.UsedButWork(len(u.asked))
}

// keptEvents is how long an execution may have been whose watch serves another one.
const keptEvents = 1 << 12

// pause absorbs what was asked for, when the share is used up.
func (u *unite) pause() string {
	for len(u.asked) > 0 {
		x := u.asked[0]
		u.asked = u.asked[1:]
		if reason := u.absorb(x); reason != "" {
			return reason
		}
	}
	return usedUp
}

// hire hires as many helpers as there may be.
func (u *unite) hire() {
	n := u.workers - 1
	if u.idle != nil {
		n = min(n, u.idle())
	}
	u.team.Hire(n, func() team.Helper { return u.e.NewHelper() })
}

// next asks the engine, and counts the states that it looks at. It looks at no more than the limit of work has room
// for.
func (u *unite) next() (Task, Answer) {
	if u.budget == 0 {
		u.budget = cmp.Or(u.e.Budget, DefaultBudget)
	}
	left := u.WorkLeft()
	if u.until > 0 {
		left = min(left, max(0, u.until-u.Result.Stats.Work))
	}
	e := u.e
	e.states, e.pairs, e.room = e.Stats.States, e.Work, left+1
	e.Budget = min(u.budget, e.states+1+int(left/explore.StateWork))
	task, answer := e.Next(len(u.asked))
	u.Spend(e.took(e.Stats.States, e.Work))
	return task, answer
}

// spent reports whether what was asked for uses up the share, or the limits.
func (u *unite) spent() bool {
	return u.UsedWith(len(u.asked)) || u.Result.Stats.Executions+len(u.asked) >= u.Limits.Executions || u.Result.Stats.Shared >= u.Limits.Events || u.WorkLeft() == 0
}

// ask asks for the execution of a task.
func (u *unite) ask(task Task) {
	x := request{task: task, follow: sched.GoingRound(task.Seed, sched.RunToBlock{Round: true})}
	if n := len(u.watches); n > 0 {
		x.watch, u.watches = u.watches[n-1].Again(x.follow), u.watches[:n-1]
	} else {
		x.watch = learn.NewWatch(x.follow)
	}
	if !u.e.Apart {
		// What the seed meets anew it meets with the last steps of goroutines.
		x.watch.NameStates(func() bool { return x.follow.Diverged() < 0 && x.follow.Followed() < len(task.Seed) })
	}
	o := u.WhatIsLeft()
	o.After = int(u.e.MovesAfter)
	if o.Ignores = u.ignorance.of; u.ignorance.ask != nil {
		x.called = new(int)
		o.Called = x.called
	}
	x.run = u.team.Ask(x.watch, o)
	u.asked = append(u.asked, x)
}

// absorb adds an execution to the knowledge. It returns why the engine cannot go on.
func (u *unite) absorb(x request) string {
	u.team.Wait(x.run)
	if u.mayIgnore(x) {
		u.NoteCost(x.run)
		u.beginAgain()
		return ""
	}
	t := u.Note(x.run)
	u.huge = u.Room.Huge(t)
	if t.Status == trace.Unsupported || t.Status == trace.Limit {
		return cutOff
	}
	u.Room.Free()
	if d := x.follow.Diverged(); d >= 0 {
		u.Result.Stats.Diverged++
		return fmt.Sprintf("execution %d could not follow its seed at step %d of %d", u.Result.Stats.Executions, d, len(x.task.Seed))
	}
	learn := explore.LearnWork(t)
	if u.large = !u.Allows(learn, u.until); u.large {
		if u.until == 0 {
			u.OutOfWork()
		}
		return usedUp
	}
	u.Spend(learn)
	if err := u.e.Absorb(t, x.watch); err != nil {
		return err.Error()
	}
	if len(t.Events) < keptEvents {
		u.watches = append(u.watches, x.watch)
	}
	if x.task.Seed != nil && !u.e.Shown(x.task) {
		return fmt.Sprintf("execution %d did not show what was foreseen: %s", u.Result.Stats.Executions, u.e.Nodes[x.task.want.Node].Op.Kind)
	}
	if t.Dropped {
		return ""
	}
	for _, i := range race.Adjacent(t) {
		u.e.Raced(t.Events[i].Site, t.Events[i+1].Site)
	}
	return ""
}

// race confirms a predicted race.
func (u *unite) race(task Task) {
	key := explore.RaceKey(task.Sites[0], task.Sites[1])
	if u.Findings.Has(key) || u.Findings.Confirm(u.taken(task.Seed), key) {
		u.e.Raced(task.Sites[0], task.Sites[1])
	} else if u.Findings.Dropped(key) {
		u.doubtful[task.Sites] = true
	}
}

// taken returns a seed without the rounds that the machine passes over (UPOLL1).
func (u *unite) taken(s seed.Seed) seed.Seed {
	if !u.e.Passes {
		return s
	}
	follow := sched.GoingRound(s, sched.Halt{})
	u.Replay(follow, false)
	return follow.Taken()
}

// onlyRejected is why an explorer cannot tell whether what it has seen counts.
const onlyRejected = "a failure was met only in executions that the program rejects, and it is not known whether there are others"

// accepted looks for executions that count, where only such as are dropped have shown something. It returns why that
// does not tell all.
func (u *unite) accepted() string {
	for pair := range u.doubtful {
		if !u.Findings.Dropped(explore.RaceKey(pair[0], pair[1])) {
			delete(u.doubtful, pair)
		}
	}
	found, complete := u.e.Accepted(u.doubtful)
	for _, task := range found {
		t := u.Replay(sched.GoingRound(task.Seed, sched.RunToBlock{}), false)
		if complete = complete && !t.Dropped; !t.Dropped {
			u.Findings.Local(t)
		}
	}
	if !complete {
		return onlyRejected
	}
	return ""
}

// roundsAfter bounds the events of an execution behind where goroutines go on for ever.
const roundsAfter = 5000

// lead runs the execution of a task about a state.
func (u *unite) lead(task Task) *trace.Trace {
	follow := sched.GoingRound(task.Seed, sched.RunToBlock{})
	if !task.endless {
		return u.Replay(follow, false)
	}
	return u.ReplayTo(follow, 2*len(task.Seed)+roundsAfter)
}

// settles reports whether an execution that was led to where goroutines go on for ever shows what becomes of the others
// (ENDLESS3).
func settles(t *trace.Trace) bool {
	return t.Status == trace.Deadlocked || t.Status == trace.Livelocked || t.Status == trace.Returned
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
