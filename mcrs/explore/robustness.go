package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file looks for what an entry does under a relaxed memory model and not under sequential consistency: the check
// robustness.
//
//	ROB1  Only an entry is asked that is exhausted and has a data race. Without a race no model shows more (see
//	      ExploreMemory). Where not every sequentially consistent execution is accounted for, nobody can say that none
//	      shows something.
//	ROB2  What an entry does sequentially consistently is how its executions fail, and the histories of its
//	      goroutines: what each is told, from its beginning on. To know it, the entry is explored a second time, with
//	      goroutines known by their histories alone, in both regimes of time, and nothing is dropped. If that is not
//	      exhausted, only failures are compared, with those of the first time. If a timer can fire early, nothing is
//	      compared.
//	ROB3  An execution under the relaxed model shows something if it fails as none does there, or if a goroutine is
//	      told what it is not told there after the same history. What its own stores and fences are tells a goroutine
//	      nothing. A panic or a failing test follows from what goroutines are told: it counts only if that is new too.
//	ROB4  Histories of goroutines that poll are not compared: how often they go round depends on how many stores there
//	      are, and the machine leaves rounds out.
//
// The finding stands at an overtaking (report.Overtaking), the last one before what is shown, of a witness with as few
// of them as a bounded search finds. One pair of accesses has one finding: a failure before a value. What an execution
// is told on the way to a failure of its own is no finding.

// A Historian makes the explorers of ExploreRobustness. What observe sees must not depend on the number of workers. If
// apart, goroutines are known by their histories alone.
type Historian func(apart bool, observe func(*trace.Trace)) Explorer

// What is said of an entry that is not robust or not asked.
const (
	notAsked    = "robustness is not known, for not all that it does sequentially consistently is"
	showsNoMore = "its races show nothing more under "
	failsNoMore = "its races make it fail in no other way under "
)

// ExploreRobustness adds to res, the result of m under sequential consistency, a finding for each race that a memory
// model lets show more. The limits are those of the first.
func ExploreRobustness(x Historian, m sched.Machine, lim Limits, model event.MemoryModel, res *Result) *Result {
	switch {
	case res.Verdict != Exhausted:
		res.Memory = notAsked
		return res
	case !slices.ContainsFunc(res.Findings, func(f report.Finding) bool { return f.Category == report.DataRace }):
		res.Memory = raceFree
		return res
	}
	r := &robust{m: InMemory(m, model), res: res, lim: lim, model: model, failures: map[string]bool{}, told: map[uint64]bool{}, met: map[string]*beyond{}}
	if !r.consistently(x, m) {
		return res
	}
	more := x(r.compares, r.observe).Explore(r.m, lim)
	if more == nil {
		return nil
	}
	r.count(more)
	if more.Verdict == Incomplete {
		r.open("with -robustness: "+more.Reason, more)
	}
	r.findings()
	if len(r.found) == 0 && res.Verdict == Exhausted {
		res.Memory = showsNoMore + model.String()
		if !r.compares || r.polled {
			res.Memory = failsNoMore + model.String()
		}
	}
	return res
}

// robust is the state of ExploreRobustness.
type robust struct {
	m     sched.Machine // under the memory model
	res   *Result
	lim   Limits
	model event.MemoryModel

	failures map[string]bool // keys of those that are sequentially consistent
	told     map[uint64]bool // histories that are
	compares bool            // told has all of them
	timers   bool            // one could have fired early
	polled   bool            // a goroutine polled (ROB4)

	met   map[string]*beyond // by what it is a finding of
	order []*beyond
	found map[string]bool // keys of findings
}

// A beyond is an execution that shows what no sequentially consistent one does: a failure, or what a thread is told.
type beyond struct {
	failure string // its key, "" if it is a value
	history uint64 // of the value: what the goroutine has been told with it
	seed    seed.Seed
	score   [2]int // overtakings, steps
}

// consistently explores what m does sequentially consistently (ROB2). It reports whether there is something to compare
// with.
func (r *robust) consistently(x Historian, m sched.Machine) bool {
	next := func() Explorer { return x(true, r.learn) }
	sc := ExploreRegimes(next, m, r.lim, TimingAll)
	r.count(sc)
	for _, f := range r.res.Findings {
		if f.Memory == event.SC {
			r.failures[f.Key] = true
		}
	}
	if r.compares = sc.Verdict == Exhausted; r.compares || !r.timers && !r.res.timers {
		return true
	}
	r.open("with -robustness: "+sc.Reason, sc)
	return false
}

// open notes that what an exploration would have shown is not all known.
func (r *robust) open(reason string, from *Result) {
	if r.res.Verdict == Incomplete {
		return
	}
	r.res.Verdict, r.res.Reason, r.res.ReasonSite, r.res.NotSupported = Incomplete, reason, from.ReasonSite, from.NotSupported
	r.res.beside = true
}

func (r *robust) count(more *Result) {
	r.res.Interrupted, r.res.OfWork = r.res.Interrupted || more.Interrupted, r.res.OfWork || more.OfWork
	r.res.Stats.add(&more.Stats)
}

// learn takes note of what a sequentially consistent execution shows.
func (r *robust) learn(t *trace.Trace) {
	r.timers = r.timers || t.Timers
	r.poll(t)
	histories(t, func(_ int, h uint64) bool {
		r.told[h] = true
		return true
	})
	for _, f := range Failures(t) {
		r.failures[f.Key] = true
	}
}

func (r *robust) poll(t *trace.Trace) {
	r.polled = r.polled || t.Spun || slices.ContainsFunc(t.Threads, func(x trace.Thread) bool { return x.Polled })
}

// observe looks for what an execution under the memory model shows (ROB3).
func (r *robust) observe(t *trace.Trace) {
	r.poll(t)
	if t.Dropped {
		return
	}
	at, h := r.news(t)
	failed := false
	for _, f := range Failures(t) {
		if r.failures[f.Key] || r.compares && !r.polled && at < 0 && (f.Category == report.Panics || f.Category == report.TestFailure) {
			continue
		}
		failed = true
		r.note(f.Key, beyond{failure: f.Key}, t, len(t.Events)-1)
	}
	if o := lastOvertaking(t, at); at >= 0 && !failed && o != nil {
		r.note(overtakingKey(t, o), beyond{history: h}, t, at)
	}
}

// news returns the first event that tells a goroutine what it is not told sequentially consistently, with its history
// up to there; -1 if there is none, or histories are not compared.
func (r *robust) news(t *trace.Trace) (at int, history uint64) {
	at = -1
	if !r.compares || r.polled {
		return at, 0
	}
	histories(t, func(i int, h uint64) bool {
		if !r.told[h] {
			at, history = i, h
		}
		return at < 0
	})
	return at, history
}

// note keeps an execution, if it is the best so far of those that show the same.
func (r *robust) note(what string, b beyond, t *trace.Trace, at int) {
	b.score = [2]int{overtakingsBefore(t, at), len(t.Events)}
	was := r.met[what]
	if was != nil && slices.Compare(was.score[:], b.score[:]) <= 0 {
		return
	}
	b.seed = sched.SeedOf(t)
	if was == nil {
		was = new(beyond)
		r.met[what] = was
		r.order = append(r.order, was)
	}
	*was = b
}

// lastOvertaking is the last overtaking up to an event, nil if there is none.
func lastOvertaking(t *trace.Trace, at int) (last *report.Overtaking) {
	for _, o := range report.Overtakings(t) {
		if o.Access <= at {
			last = &o
		}
	}
	return last
}

func overtakingsBefore(t *trace.Trace, at int) (n int) {
	for _, o := range report.Overtakings(t) {
		if o.Access <= at {
			n++
		}
	}
	return n
}

func overtakingKey(t *trace.Trace, o *report.Overtaking) string {
	return fmt.Sprintf("%s %d %d", report.Robustness, t.Events[o.Store].Site, t.Events[o.Access].Site)
}

// findings makes the witnesses, those of failures first.
func (r *robust) findings() {
	s := NewSession(r.m, r.lim)
	slices.SortStableFunc(r.order, func(a, b *beyond) int { return cmp.Compare(min(1, len(b.failure)), min(1, len(a.failure))) })
	r.found = map[string]bool{}
	until := s.Limits.Work / witnessShare
	for _, b := range r.order {
		if b.failure == "" && r.polled {
			continue // it was met before that was known
		}
		x := &shortening{s: s, shows: b.shownBy, first: b.overtakings, left: replaysPerFinding, until: until}
		f := b.witness(s, x.search(source{seed: b.seed}), r.model)
		if f == nil {
			f = b.witness(s, b.seed, r.model)
		}
		if f == nil {
			r.open("with -robustness: a run could not be repeated: the program is not deterministic", s.Result)
			continue
		}
		if !r.found[f.Key] {
			r.found[f.Key] = true
			r.res.Findings = append(r.res.Findings, *f)
		}
	}
	r.count(s.Result)
	r.res.Stats.Replays += s.Result.Stats.Replays
}

// at is the event that returns the value, or the last one if it is a failure; -1 if t shows neither.
func (b *beyond) at(t *trace.Trace) (at int) {
	at = -1
	if b.failure != "" {
		if shows(t, b.failure) {
			at = len(t.Events) - 1
		}
		return at
	}
	histories(t, func(i int, h uint64) bool {
		if h == b.history {
			at = i
		}
		return at < 0
	})
	return at
}

func (b *beyond) shownBy(t *trace.Trace) bool { return lastOvertaking(t, b.at(t)) != nil }

func (b *beyond) overtakings(t *trace.Trace) int { return overtakingsBefore(t, b.at(t)) }

// witness runs a seed with stacks, and returns the finding, nil if the run does not show it.
func (b *beyond) witness(s *Session, run seed.Seed, model event.MemoryModel) *report.Finding {
	t := s.Replay(sched.NewReplay(run, sched.RunToBlock{}), true)
	at := b.at(t)
	if at < 0 {
		return nil
	}
	shown := strconv.Itoa(at)
	if b.failure != "" {
		shown = string(failure(t, b.failure).Category)
	}
	f := Relaxed(t, model, shown)
	if f != nil {
		f.Seed = sched.SeedOf(t)
	}
	return f
}

// ShownBy says of a finding of category Robustness what its witness shows: the category of a failure, or the number of
// the event that returns a value.
func ShownBy(f *report.Finding) string {
	switch {
	case f.Leads != nil:
		return string(f.Leads.Category)
	case len(f.Events) > 2:
		return strconv.Itoa(f.Events[2])
	}
	return ""
}

// Relaxed returns the finding of category Robustness of a run under a memory model, by what the run shows; nil if it
// does not. That no sequentially consistent execution shows it is not asked again. The finding has no seed.
func Relaxed(t *trace.Trace, model event.MemoryModel, shown string) *report.Finding {
	f := &report.Finding{Category: report.Robustness, Witness: t, Memory: model}
	at, err := strconv.Atoi(shown)
	if err != nil {
		all := Failures(t)
		i := slices.IndexFunc(all, func(g report.Finding) bool { return string(g.Category) == shown })
		if i < 0 {
			return nil
		}
		f.Leads, at = &all[i], len(t.Events)-1
	}
	o := lastOvertaking(t, min(at, len(t.Events)-1))
	if o == nil || at < 0 || at >= len(t.Events) {
		return nil
	}
	f.Events = []int{o.Store, o.Access}
	if f.Leads == nil {
		f.Events = append(f.Events, at)
	}
	for _, i := range f.Events {
		e := &t.Events[i]
		thread := int(e.Thread)
		if b := t.Threads[thread].Buffers; b > 0 {
			thread = int(b) - 1
		}
		if !slices.Contains(f.Threads, thread) {
			f.Threads = append(f.Threads, thread)
		}
	}
	f.Key = overtakingKey(t, o)
	return f
}
