// Package icb is the explorer by iterative context bounding: fewest preemptions first. The comment of Explorer has the
// method, and the argument why nothing is missed.
package icb

import (
	"fmt"
	"math"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// Explorer explores by iterative context bounding: all schedules without a preemption, then those with one, and so on,
// each up to equivalence. So if a limit ends it, something can still be said: up to how many preemptions it is complete
// (Result.Bounds).
//
// # Background
//
// Musuvathi and Qadeer, "Iterative Context Bounding for Systematic Testing of Multithreaded Programs", PLDI 2007. The
// number of schedules with c preemptions is a polynomial in the number of steps, with c in the exponent, and few bugs
// need many preemptions. They preempt at synchronisation alone and look for races (section 3), and they keep states by
// their happens-before (section 4). Coons, Musuvathi and McKinley, "Bounded Partial-Order Reduction", OOPSLA 2013, show
// that persistent sets and sleep sets leave out schedules within the bound. Neither is used here.
//
// # Method
//
// A node is a state in which no goroutine stands at a local operation (ICB1). An execution follows a seed to a node,
// takes one transition there, and goes on without a preemption. At each of its nodes every other transition is a
// branch, with as many preemptions or one more. Branches are executed by their number of preemptions, then first in,
// first out. When none with c is left, c is done.
//
//	ICB1  A local operation is taken as soon as a goroutine stands at it, and nothing else is taken before. These are
//	      local: go; the end of a goroutine, but not of the entry's, after which time is bounded; Done, while every
//	      Add of a group is matched (DEP4). These are local as long as no execution has shown them in a race
//	      (meetings.go): an access to memory, a map or an object, an operation on a lock or a Once, an Add. A race is
//	      here a pair of dependent operations of two goroutines, done or pending, of which the second does not know
//	      the first (REV1); for an Add, a Wait that does not know it and is not known to it. Plain accesses are told
//	      apart by line of code, the others by address. Nothing is local in a goroutine that spins.
//	ICB2  A preemption is a switch away from a goroutine that could go on. It is none if the goroutine stands at
//	      Gosched or Sleep, or (here) at Wait or at synctest's Wait, or is in a loop that polls or spins. After a
//	      rendezvous either of the two goes on without a preemption; to leave both is one if both could go on. A timer
//	      that fires is no switch: who ran goes on. Which case a select takes, whom one meets, and when a timer fires
//	      are choices, and each is made.
//	ICB3  If an execution shows a race at a local operation, or an Add that is not matched, the exploration begins
//	      again with what it knows. Each line and each address does that once. After a hundred addresses none is local
//	      any more.
//	ICB4  A branch is dropped if the exploration has gone on from its state with fewer preemptions. It is also dropped
//	      if it has done so with as many, and the same goroutine was running, or one that could not have gone on. A
//	      state's name is the fingerprint of its happens-before (cover.go). It is foretold from the execution in which
//	      the branch was found. DEP1 to DEP10 of package causality say what depends on what.
//
// # Completeness
//
// When c is done, then for every schedule with at most c preemptions an equivalent one was executed, or one that ends
// with the same failure and goes further (END1). Here it also counts as a preemption to leave a goroutine that could go
// on and that polls, spins, or stands at Wait. So all that such schedules show has been found: failures, races, and who
// is blocked for ever. When no branch is left at all, the exploration is exhausted. docs/completeness.md has the proof.
//
// # Limits
//
// Nothing is claimed from c on if an execution with c preemptions was cut off by a limit, or used what the machine
// lacks. Nor is it if time passed because all that could run only repeated itself: how far is not a matter of the
// happens-before. Nothing is claimed in the second regime of time. A loop without end in which goroutines block has
// infinitely many schedules without a preemption; then not even 0 is ever done. The number of schedules is still
// exponential in the number of goroutines that come to one lock.
type Explorer struct {
	// Bounds is how many bounds it goes through, 0 for all: schedules with so many preemptions and more are left out.
	Bounds int
	// Observe, if not nil, sees every execution.
	Observe func(*trace.Trace)
}

// Explore implements Explorer.
func (x *Explorer) Explore(m sched.Machine, lim explore.Limits) *explore.Result {
	s := explore.NewSession(m, lim)
	s.Observe = x.Observe
	x.Begin(s).Run()
	return s.Close()
}

// Begin returns the exploration in a session that may have begun otherwise.
func (x *Explorer) Begin(s *explore.Session) *Search {
	e := &Search{Session: s, bounds: x.Bounds, meets: meetings{sites: make(map[event.Site]bool), at: make(map[uint64]bool)}}
	e.again()
	return e
}

// again begins again, with what is known of races.
func (e *Search) again() {
	e.met, e.least, e.whole = make(map[uint64]state), make(map[uint64]int32), make(map[uint64]bool)
	e.pending, e.queued, e.ceiling, e.left = [][]branch{{{}}}, 1, math.MaxInt, false
}

// Run goes on until a limit strikes or nothing is left.
func (e *Search) Run() {
	for e.levels() {
		e.again()
	}
	if e.left {
		e.Incomplete(fmt.Sprintf("schedules with %s and more were left out", explore.Preemptions(e.bounds)))
	}
	e.Result.Bounds = e.Bound
}

// Bounds on ICB's own memory and on an execution.
const (
	maxBranches = 2_000_000
	maxSteps    = 20_000
)

// Search is the state of an exploration.
type Search struct {
	*explore.Session
	bounds  int
	Claim   bool // it goes on only as long as it may say more
	meets   meetings
	pending [][]branch // by preemptions
	queued  int
	work    int   // words of the configurations before races
	before  int64 // the work that was done before the execution that is looked at
	lost    bool  // something that it shows was not looked at
	met     map[uint64]state
	least   map[uint64]int32 // by fingerprint: the least number of preemptions with which it was gone on from
	whole   map[uint64]bool  // fingerprints of whole executions

	Bound   int  // bounds that are done: all schedules with fewer preemptions have been explored
	ceiling int  // nothing is known of bounds from here on: something with so many preemptions was cut off, or dropped
	left    bool // schedules were left out
}

// A state says what is known of a fingerprint and who runs.
type state struct {
	queued int32 // 1 + the least number of preemptions with which it waits to be gone on from, 0 if it does not
	done   bool
}

// A branch is a transition that is to be taken after the first steps of an execution.
type branch struct {
	from *causality.Schedule // nil for the first execution
	n    int32               // steps
	by   sched.Transition
	key  uint64 // of icb.met, 0 if it is not known
	sum  uint64 // the fingerprint
}

// levels goes through one bound after the other. It reports whether to begin again.
func (e *Search) levels() bool {
	for c := 0; c < len(e.pending); c++ {
		for len(e.pending[c]) > 0 {
			if e.Claim && e.Stuck() || e.Exhausted() {
				return false
			}
			it := e.pending[c][0]
			e.pending[c][0] = branch{}
			e.pending[c] = e.pending[c][1:]
			if e.queued--; it.key != 0 && e.known(it.sum, it.key, int32(c)) {
				continue
			}
			if e.visit(it, c); e.meets.fresh {
				e.meets.fresh = false
				return true
			}
		}
		if c < e.ceiling {
			e.Bound = max(e.Bound, c+1)
		}
	}
	return false
}

// Stuck reports whether no bound can be done any more.
func (e *Search) Stuck() bool { return e.ceiling <= e.Bound }

// visit executes a branch, which has c preemptions.
func (e *Search) visit(it branch, c int) {
	e.before, e.lost = e.Result.Stats.Work, false
	b := newBounder(it.seed())
	b.known = &e.meets
	rec := causality.NewRecorder(b)
	t := e.Execute(rec)
	if b.diverged {
		e.Result.Stats.Diverged++
		e.Incomplete(fmt.Sprintf("run %d could not follow its schedule of %d steps", e.Result.Stats.Executions, len(b.seed)))
	}
	words := explore.GraphWords(t)
	if words > explore.MaxGraph {
		e.Incomplete(explore.TooLarge(t))
		e.ceiling = min(e.ceiling, c)
		return
	}
	e.Spend(explore.WordWork(words))
	g := causality.NewGraph(t, rec, e.meets.strict)
	if !e.meets.strict && !g.Balanced() {
		e.meets.strict, e.meets.fresh = true, true
	}
	e.meets.learn(g)
	s := causality.Keep(t, nil)
	e.Findings.Hidden(g, s)
	if (&causality.Reverser{Graph: g, Out: icbRaces{e, s}}).Races(); e.lost {
		e.ceiling = min(e.ceiling, c)
	}
	if e.meets.fresh {
		return
	}
	switch {
	case b.cut && !e.Claim: // else others go on, and say why they end
		e.Incomplete(fmt.Sprintf("a run without preemptions does not end within %d steps", maxSteps))
	case t.Spun:
		e.Incomplete("time passes while goroutines poll")
	}
	if b.cut || t.Spun || t.Timing || b.diverged || t.Status == trace.Limit || t.Status == trace.Unsupported {
		e.ceiling = min(e.ceiling, c)
	}
	(&prefixes{Graph: g, from: s, k: make(causality.Cut, len(g.Lines))}).extend(e, b, int32(c))
}

// A prefixes walks over the beginnings of an execution.
type prefixes struct {
	*causality.Graph
	from  *causality.Schedule
	steps int
	k     causality.Cut
	sum   uint64 // the fingerprint of k
}

// extend goes through the nodes of an execution that are new, and queues what else could be done there.
func (p *prefixes) extend(e *Search, b *bounder, c int32) {
	for i, a := range b.arrivals {
		if a.step >= len(p.from.Steps) { // the execution was cut off in this step
			break
		}
		p.to(a.step + 1)
		key := p.key(p.sum, a.runs)
		if e.known(p.sum, key, c) {
			break
		}
		e.arrived(p.sum, key, c)
		if i == len(b.nodes) {
			break
		}
		n := &b.nodes[i]
		if n.free {
			e.arrived(p.sum, p.key(p.sum, running{-1, -1}), c)
		}
		p.to(n.step)
		if e.Spend(int64(len(n.choices)-1) * explore.BranchWork(len(p.Lines))); !e.Affords(e.before) {
			e.ceiling = min(e.ceiling, int(c))
			return
		}
		for j := range n.choices {
			if j != n.taken {
				e.branch(p, b, &n.choices[j], c)
			}
		}
	}
	p.to(len(p.from.Steps))
	if e.whole[p.sum] {
		e.Result.Stats.Redundant++
	}
	e.whole[p.sum] = true
}

// to goes on to the beginning with n steps.
func (p *prefixes) to(n int) {
	for ; p.steps < n; p.steps++ {
		st := &p.from.Steps[p.steps]
		p.add(st.At)
		if st.Partner >= 0 {
			half := &p.Trace.Events[p.Trace.Events[p.Lines[st.At.Thread].Events[st.At.Seq]].Partner]
			p.add(causality.Ref{Thread: half.Thread, Seq: half.Seq})
		}
	}
}

func (p *prefixes) add(r causality.Ref) {
	p.sum += p.Part(r.Thread, r.Seq+1, p.State(r.Thread, r.Seq+1)) - p.Part(r.Thread, r.Seq, p.State(r.Thread, r.Seq))
	p.k[r.Thread] = r.Seq + 1
}

// key names a state by its fingerprint and who runs.
func (p *prefixes) key(sum uint64, r running) uint64 {
	names := uint64(1)
	for _, t := range []int32{r.a, r.b} {
		if t >= 0 {
			names += p.Lines[t].Name
		}
	}
	return causality.Mix(sum, names)
}

// after is the fingerprint after a transition. ok is false if it cannot be told before the transition is executed.
func (p *prefixes) after(t sched.Transition, ops map[causality.Ref]event.Op) (sum uint64, ok bool) {
	m := &causality.Move{A: causality.Ref{Thread: t.Thread, Seq: p.k[t.Thread]}, B: causality.Ref{Thread: -1, Seq: 0}, CaseA: t.Case}
	op, ok := ops[m.A]
	if !ok {
		return 0, false
	}
	m.Kind, m.Key = op.Kind, op.Key
	com := event.Case{Kind: op.Kind, Chan: op.Loc.Addr}
	if op.IsSelect() && int(t.Case) < len(op.Cases) {
		com = op.Cases[t.Case]
		m.Kind = com.Kind
	}
	switch {
	case t.Partner >= 0:
		m.B, m.CaseB = causality.Ref{Thread: t.Partner, Seq: p.k[t.Partner]}, t.PartnerCase
		m.Touches = p.MeetTouches(m.A, m.B, com.Chan)
	case op.IsSelect() && int(t.Case) == len(op.Cases):
		m.Kind, m.Touches = event.SelectDefault, p.DefaultTouches(op.Cases)
	case com.Kind.Object() == event.Channel:
		m.Touches = p.CommTouches(t.Thread, com.Kind, com.Chan, false)
	case op.Kind.WaitsForClock():
		return 0, false
	case op.Kind == event.RUnlock && int(m.A.Seq) < len(p.Lines[t.Thread].Events): // it depends on what its thread holds
		m.Touches = p.Touches[p.Lines[t.Thread].Events[m.A.Seq]]
	default:
		m.Touches = p.PlainTouches(t.Thread, op.Kind, op.Loc, op.Key)
	}
	m.Past = p.Past(m)
	deps := p.DepsAt(p.k, m)
	without := p.sum
	for _, r := range m.Threads() {
		without -= p.Part(r.Thread, r.Seq, p.State(r.Thread, r.Seq))
	}
	if m.B.Thread < 0 {
		return without + p.Part(m.A.Thread, m.A.Seq+1, p.Graph.After(m.A, m.CaseA, deps)), true
	}
	token := p.Meeting(m.A, m.CaseA, m.B, m.CaseB, deps)
	for _, r := range m.Threads() {
		without += p.Part(r.Thread, r.Seq+1, causality.Mix(token, p.Lines[r.Thread].Name))
	}
	return without, true
}

// branch queues a choice at the node where p stands, unless what follows it is known.
func (e *Search) branch(p *prefixes, b *bounder, ch *choice, c int32) {
	c += int32(ch.cost)
	it := branch{from: p.from, n: int32(p.steps), by: ch.Transition}
	if sum, ok := p.after(ch.Transition, b.ops); ok {
		it.sum, it.key = sum, p.key(sum, ch.runs)
		if e.known(it.sum, it.key, c) {
			return
		}
		st := e.met[it.key]
		if st.queued > 0 && st.queued <= c+1 {
			return
		}
		st.queued = c + 1
		e.met[it.key] = st
	}
	if e.bounds > 0 && int(c) >= e.bounds {
		e.left = true
		return
	}
	if e.queued++; e.queued > maxBranches {
		e.Incomplete(explore.StoppedWork)
		e.ceiling = min(e.ceiling, int(c))
		return
	}
	for int(c) >= len(e.pending) {
		e.pending = append(e.pending, nil)
	}
	e.pending[c] = append(e.pending[c], it)
}

// known reports whether all that follows a state within c preemptions has been explored, or is queued.
func (e *Search) known(sum, key uint64, c int32) bool {
	if n, ok := e.least[sum]; ok && n < c {
		return true
	}
	return e.met[key].done || e.met[causality.Mix(sum, 1)].done
}

// arrived notes that a state is gone on from.
func (e *Search) arrived(sum, key uint64, c int32) {
	st := e.met[key]
	st.done = true
	e.met[key] = st
	if _, ok := e.least[sum]; !ok {
		e.least[sum] = c
	}
}

// seed is that of an execution in which a branch is taken.
func (it *branch) seed() seed.Seed {
	if it.from == nil {
		return nil
	}
	out := make(seed.Seed, 0, it.n+1)
	for _, st := range it.from.Steps[:it.n] {
		out = append(out, it.from.SeedStep(st))
	}
	by := seed.Step{Thread: it.from.IDs[it.by.Thread], Case: it.by.Case, PartnerCase: it.by.PartnerCase}
	if it.by.Partner >= 0 {
		by.Partner = it.from.IDs[it.by.Partner]
	}
	return append(out, by)
}

// icbRaces takes the races of an execution.
type icbRaces struct {
	*Search
	from *causality.Schedule
}

func (r icbRaces) Seen(uint64) bool                                           { return true }
func (r icbRaces) Candidate(*causality.Graph, causality.Cut, *causality.Move) {}

// Spend bounds the pairs that are looked at, as it does for the systematic explorer.
func (r icbRaces) Spend(words int) bool {
	r.work += words
	r.Session.Spend(explore.CutWork(words))
	if r.work > explore.MaxWork {
		r.Incomplete(explore.StoppedWork)
		r.lost = true
	} else if !r.Affords(r.before) {
		r.lost = true
	}
	return !r.lost
}

func (r icbRaces) Race(g *causality.Graph, k causality.Cut, first, second causality.Ref) {
	r.meets.plain(g.KindOf(first), g.SiteOf(first))
	r.meets.plain(g.KindOf(second), g.SiteOf(second))
	r.Findings.Race(g, r.from, k, first, second)
}
