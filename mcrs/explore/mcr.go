package explore

import (
	"fmt"
	"slices"
	"sort"

	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// MCR explores by maximal causality reduction.
type MCR struct {
	// Switch drops the prefixes that an execution has shown already, in whatever order.
	Switch bool
	// Observe, if not nil, sees every execution.
	Observe func(*trace.Trace)
	// Alone says that no other explorer takes over where this one has no rule.
	Alone bool
}

// Explore implements Explorer.
func (x *MCR) Explore(m sched.Machine, lim Limits) *Result {
	s := newSession(m, lim)
	s.observe = x.Observe
	e := &causal{session: s, facts: union.NewFacts(), asked: make(map[uint64]bool), skip: x.Switch}
	if reason := e.run(); reason != "" {
		if x.Alone {
			s.incomplete(reason)
		} else {
			(&Systematic{Observe: x.Observe}).explore(s)
		}
	}
	s.res.Stats.States = e.states
	return s.result()
}

// modelStates is the number of states that the walk of one model may visit.
const modelStates = 200_000

// A causal is the state of an exploration by maximal causality.
type causal struct {
	*session
	facts  *union.Facts
	queue  []union.Prefix
	asked  map[uint64]bool // prefixes that were queued, and ends of executions
	shown  evidence
	skip   bool
	again  []executed // walks that must know what memory holds at the start
	known  int        // bytes known when they began
	states int
}

// An executed trace, and the scheduler that saw it.
type executed struct {
	t *trace.Trace
	w *union.Watch
}

// run executes prefixes until none is left. It returns why it cannot go on, "" if it is done or a limit struck.
func (c *causal) run() string {
	for p := (union.Prefix{}); ; {
		if c.exhausted() {
			return ""
		}
		follow := sched.NewReplay(p.Seed(), sched.RunToBlock{})
		x := executed{w: union.NewWatch(follow)}
		known := len(c.classes)
		x.t = c.execute(x.w)
		if x.t.Status == trace.Unsupported || x.t.Status == trace.Limit {
			return "an execution was cut off"
		}
		if d := follow.Diverged(); d >= 0 {
			c.res.Stats.Diverged++
			return fmt.Sprintf("execution %d could not follow its seed at step %d", c.res.Stats.Executions, d)
		}
		for _, i := range oracle.AdjacentRaces(x.t) {
			c.facts.Raced(x.t.Events[i].Site, x.t.Events[i+1].Site)
		}
		again := c.again
		if c.again = nil; len(again) > 0 {
			if _, err := union.NewModel(x.t, x.w, c.facts); err != nil {
				return err.Error()
			}
			if c.facts.Known() == c.known {
				return "what memory holds at the start stays unknown"
			}
		}
		if len(c.classes) == known {
			c.res.Stats.Redundant++
		} else {
			again = append(again, x)
		}
		for _, x := range again {
			if reason := c.reason(x); reason != "" {
				return reason
			}
		}
		var ok bool
		if p, ok = c.next(); !ok {
			return ""
		}
	}
}

// next returns the prefix to execute next, ok is false if there is none.
func (c *causal) next() (p union.Prefix, ok bool) {
	for len(c.queue) > 0 {
		p = c.queue[0]
		c.queue = c.queue[1:]
		if p.Needs == nil || p.Blocked || !c.skip || !c.shown.has(p.Needs) {
			return p, true
		}
	}
	return p, false
}

// reason asks the model of an execution what else its program must be able to do.
func (c *causal) reason(x executed) string {
	m, err := union.NewModel(x.t, x.w, c.facts)
	if err != nil {
		return err.Error()
	}
	c.shown.add(m.Shown(x.t))
	c.asked[sum(m.Whole(), true)] = true
	m.Race = c.race
	m.Found = func(p union.Prefix) {
		h := sum(p.Needs, p.Blocked)
		if c.asked[h] || c.skip && !p.Blocked && c.shown.has(p.Needs) {
			return
		}
		c.asked[h] = true
		c.queue = append(c.queue, p)
	}
	states, complete := m.Walk(modelStates)
	c.states += states
	switch {
	case m.Unknown != nil:
		if len(c.again) == 0 {
			c.queue, c.known = append([]union.Prefix{*m.Unknown}, c.queue...), c.facts.Known()
		}
		c.again = append(c.again, x)
	case !complete:
		return "limit of states reached"
	}
	return ""
}

// race confirms a predicted race.
func (c *causal) race(task union.Task) {
	key := raceKey(task.Sites[0], task.Sites[1])
	if !c.findings.keys[key] {
		t := c.replay(sched.NewReplay(task.Seed, sched.RunToBlock{}), false)
		if adjacentRace(t, key) < 0 {
			return
		}
		c.findings.keys[key] = true
		c.findings.sources = append(c.findings.sources, source{category: report.DataRace, key: key, seed: sched.SeedOf(t)})
	}
	c.facts.Raced(task.Sites[0], task.Sites[1])
}

func sum(needs []uint64, blocked bool) (h uint64) {
	if blocked {
		h = 1
	}
	for _, n := range needs {
		h += mix(n, 0x9d)
	}
	return h
}

// An evidence knows what each execution has shown.
type evidence struct {
	in    map[uint64][]int32 // by what was shown: the executions, in order
	count int32
}

func (v *evidence) add(shown []uint64) {
	if v.in == nil {
		v.in = make(map[uint64][]int32)
	}
	for _, h := range shown {
		if l := v.in[h]; len(l) == 0 || l[len(l)-1] != v.count {
			v.in[h] = append(l, v.count)
		}
	}
	v.count++
}

// has reports whether one execution has shown all of needs.
func (v *evidence) has(needs []uint64) bool {
	lists := make([][]int32, len(needs))
	for i, h := range needs {
		if lists[i] = v.in[h]; len(lists[i]) == 0 {
			return false
		}
	}
	slices.SortFunc(lists, func(a, b []int32) int { return len(a) - len(b) })
next:
	for _, x := range lists[0] {
		for _, l := range lists[1:] {
			if i := sort.Search(len(l), func(i int) bool { return l[i] >= x }); i == len(l) || l[i] != x {
				continue next
			}
		}
		return true
	}
	return false
}
