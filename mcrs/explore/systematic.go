package explore

import (
	"fmt"

	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// Systematic is the default explorer; the package doc has its method.
type Systematic struct {
	// Start is the seed of the first execution.
	Start seed.Seed
	// Observe, if not nil, sees every execution. For tests and dumps.
	Observe func(*trace.Trace)
}

// Explore implements Explorer.
func (x *Systematic) Explore(m sched.Machine, lim Limits) *Result {
	s := newSession(m, lim)
	s.observe = x.Observe
	x.explore(s)
	return s.result()
}

// explore is Explore in a session that may have begun otherwise.
func (x *Systematic) explore(s *session) { x.begin(s).run() }

// begin returns the exploration in a session that may have begun otherwise.
func (x *Systematic) begin(s *session) *search {
	return &search{session: s, start: x.Start, cover: newCover(), met: make(map[uint64]bool), next: new(item)}
}

// run goes on until a limit strikes or nothing is left.
func (e *search) run() {
	for e.next != nil {
		if it := e.next; it.from == nil || !e.cover.covers(it.need) {
			if e.exhausted() {
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

// A search is the state of a systematic exploration. It is the sink of the reversals.
type search struct {
	*session
	start  seed.Seed
	next   *item // to be executed, nil if nothing is left
	queue  queue
	cover  *cover
	met    map[uint64]bool // fingerprints of the configurations and moves considered
	work   int             // words of configurations considered
	queued int             // words of those queued
	strict bool            // adds of one wait group do not commute (DEP4)
	parent *schedule       // of the execution that is being reversed
}

// visit executes an item and queues the reversals of its trace.
func (e *search) visit(it item, start seed.Seed) {
	prefix, then := start, sched.Scheduler(sched.RunToBlock{})
	if it.from != nil {
		prefix = append(it.from.seed(it.cut), it.step)
	}
	follow := &follower{Replay: *sched.NewReplay(prefix, then), strict: it.from != nil, steps: len(prefix)}
	watch := &switchWatch{follow, make(map[int]bool)}
	rec := newRecorder(watch)
	t := e.execute(rec)
	redundant := false
	if follow.idle {
		redundant = true
	} else if d := follow.Diverged(); d >= 0 && it.from != nil {
		if d < len(prefix)-1 {
			e.res.Stats.Diverged++
			e.incomplete(fmt.Sprintf("run %d could not follow its schedule at step %d of %d", e.res.Stats.Executions, d, len(prefix)))
		}
		redundant = true // the reversal is not enabled there
	}
	if n := len(t.Threads) * len(t.Events); n > maxGraph {
		e.incomplete(tooLarge(t))
		return
	}
	g := newGraph(t, rec, e.strict)
	if !e.strict && !g.balanced() { // DEP4: begin again, with the stricter relation
		e.strict, e.cover, e.met, e.queue = true, newCover(), make(map[uint64]bool), queue{}
		g = newGraph(t, rec, true)
	}
	if e.cover.add(g) || redundant {
		e.res.Stats.Redundant++
	}
	e.parent = keep(t, watch.preempted)
	(&reverser{g, e}).run()
}

// A follower ends the execution where a strict seed cannot be followed, and where its last step, the reversal, would only repeat a state:
// then no state is behind it that is not met without it.
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

func (e *search) seen(fingerprint uint64) bool {
	if e.met[fingerprint] {
		return true
	}
	e.met[fingerprint] = true
	return false
}

// maxQueue bounds the words of the configurations that wait.
const maxQueue = 20_000_000

func (e *search) spend(words int) bool {
	e.work += words
	if e.work > maxWork {
		e.incomplete(stoppedWork)
		return false
	}
	return true
}

func (e *search) candidate(g *graph, k cut, m *move) {
	need := g.needs(k, m)
	if e.cover.covers(need) {
		return
	}
	if e.queued += len(k) + 2*len(need) + 8; e.queued > maxQueue {
		e.incomplete(stoppedWork)
		return
	}
	e.queue.push(e.parent.preemptions(k, m.a.thread), item{e.parent, k, e.parent.step(m), need})
}

func (e *search) race(g *graph, k cut, first, second ref) {
	e.findings.race(g, e.parent, k, first, second)
}
