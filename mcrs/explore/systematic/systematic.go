package systematic

import (
	"fmt"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// Explorer is the explorer of this package; the package doc has its method.
type Explorer struct {
	// Start is the seed of the first execution.
	Start seed.Seed
	// Observe, if not nil, sees every execution. For tests and dumps.
	Observe func(*trace.Trace)
}

// Explore implements Explorer.
func (x *Explorer) Explore(m sched.Machine, lim explore.Limits) *explore.Result {
	s := explore.NewSession(m, lim)
	s.Observe = x.Observe
	x.Continue(s)
	return s.Close()
}

// Continue is Explore in a session that may have begun otherwise.
func (x *Explorer) Continue(s *explore.Session) { x.Begin(s).Run() }

// Begin returns the exploration in a session that may have begun otherwise.
func (x *Explorer) Begin(s *explore.Session) *Search {
	return &Search{Session: s, start: x.Start, cover: causality.NewCover(), met: make(map[uint64]bool), next: new(item)}
}

// Run goes on until a limit strikes or nothing is left.
func (e *Search) Run() {
	for e.next != nil {
		if it := e.next; it.from == nil || !e.cover.Covers(it.need) {
			if e.Exhausted() {
				return
			}
			e.visit(*it, e.start)
		}
		e.next = nil
		if it, ok := e.queue.pop(); ok {
			e.next = &it
			e.queued -= len(it.cut) + 2*len(it.need) + 8
		}
	}
}

// A Search is the state of a systematic exploration. It is the sink of the reversals.
type Search struct {
	*explore.Session
	start  seed.Seed
	next   *item // to be executed, nil if nothing is left
	queue  queue
	cover  *causality.Cover
	met    map[uint64]bool     // fingerprints of the configurations and moves considered
	work   int                 // words of configurations considered
	queued int                 // words of those queued
	before int64               // work, before the visit
	strict bool                // adds of one wait group do not commute (DEP4)
	parent *causality.Schedule // of the execution that is being reversed
}

// visit executes an item and queues the reversals of its trace.
func (e *Search) visit(it item, start seed.Seed) {
	e.before = e.Result.Stats.Work
	prefix, then := start, sched.Scheduler(sched.RunToBlock{})
	if it.from != nil {
		prefix = append(it.from.Seed(it.cut), it.step)
	}
	follow := &follower{Replay: *sched.NewReplay(prefix, then), strict: it.from != nil, steps: len(prefix)}
	watch := &causality.SwitchWatch{Scheduler: follow, Preempted: make(map[int]bool)}
	rec := causality.NewRecorder(watch)
	t := e.Execute(rec)
	redundant := false
	if follow.idle {
		redundant = true
	} else if d := follow.Diverged(); d >= 0 && it.from != nil {
		if d < len(prefix)-1 {
			e.Result.Stats.Diverged++
			e.Incomplete(fmt.Sprintf("run %d could not follow its schedule at step %d of %d", e.Result.Stats.Executions, d, len(prefix)))
		}
		redundant = true // the reversal is not enabled there
	}
	words := explore.GraphWords(t)
	if words > explore.MaxGraph {
		e.Incomplete(explore.TooLarge(t))
		return
	}
	e.Session.Spend(explore.WordWork(words))
	g := causality.NewGraph(t, rec, e.strict)
	if !e.strict && !g.Balanced() { // DEP4: begin again, with the stricter relation
		e.strict, e.cover, e.met, e.queue = true, causality.NewCover(), make(map[uint64]bool), queue{}
		g = causality.NewGraph(t, rec, true)
	}
	if e.cover.Add(g) || redundant {
		e.Result.Stats.Redundant++
	}
	e.parent = causality.Keep(t, watch.Preempted)
	e.Findings.Hidden(g, e.parent)
	(&causality.Reverser{Graph: g, Out: e}).Run()
}

// A follower ends the execution where a strict seed cannot be followed. It also ends it where the last step of the
// seed, the reversal, would only repeat a state: each state behind it is also met without it.
type follower struct {
	sched.Replay
	strict bool
	steps  int
	idle   bool
}

// Next implements sched.Scheduler.
func (f *follower) Next(s *sched.State) int {
	n := f.Replay.Next(s)
	if f.strict && n >= len(s.Enabled) && f.Followed() == f.steps {
		f.idle = true
		return sched.Stop
	}
	if f.strict && f.Diverged() >= 0 {
		return sched.Stop
	}
	return n
}

// Seen implements causality.Sink.
func (e *Search) Seen(fingerprint uint64) bool {
	if e.met[fingerprint] {
		return true
	}
	e.met[fingerprint] = true
	return false
}

// maxQueue bounds the words of the configurations that wait.
const maxQueue = 20_000_000

// Spend implements causality.Sink.
func (e *Search) Spend(words int) bool {
	e.work += words
	e.Session.Spend(explore.CutWork(words))
	if e.work > explore.MaxWork {
		e.Incomplete(explore.StoppedWork)
		return false
	}
	return e.Affords(e.before)
}

// Candidate implements causality.Sink: it queues the move, unless a trace has it.
func (e *Search) Candidate(g *causality.Graph, k causality.Cut, m *causality.Move) {
	need := g.Needs(k, m)
	if e.cover.Covers(need) {
		return
	}
	if e.queued += len(k) + 2*len(need) + 8; e.queued > maxQueue {
		e.Incomplete(explore.StoppedWork)
		return
	}
	e.queue.push(e.parent.Preemptions(k, m.A.Thread), item{e.parent, k, e.parent.Step(m), need})
}

// Race implements causality.Sink.
func (e *Search) Race(g *causality.Graph, k causality.Cut, first, second causality.Ref) {
	e.Findings.Race(g, e.parent, k, first, second)
}
