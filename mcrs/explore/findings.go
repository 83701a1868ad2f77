package explore

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/race"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file turns executions into findings, once per key.

// confirmations bounds the predictions of a race that may fail before its pair of
// sites is given up. Only a compare-and-swap can fail one: whether it writes depends on what came before.
const confirmations = 200

// Findings collects what the executions of a session showed.
type Findings struct {
	s       *Session
	keys    map[string]bool
	failed  map[string]int  // predicted races that a replay did not show
	dropped map[string]bool // predicted races of which a replay was dropped
	sources []source
	apart   []source // executions with races whose accesses are not next to each other, once per key
	until   int64    // work, until witnesses are made no better
	past    past     // of shortenings
	shown   rerun    // the last replay for a witness
	ticked  rerun    // the last one of ticks
	seen    map[string]bool
	// Races whose keys are known, by their sites: every execution shows them again.
	adjacent, distant map[sites]bool
	lates             map[sites]int // orders that were tried of an Add and a Wait
}

// sites are those of two accesses, in order.
type sites [2]event.Site

func sitesOfPair(t *trace.Trace, i, j int32) sites {
	a, b := t.Events[i].Site, t.Events[j].Site
	return sites{min(a, b), max(a, b)}
}

// A source is an execution that shows a failure, before it is made into a witness.
type source struct {
	category report.Category
	key      string
	seed     seed.Seed
}

// A rerun is a replay of a seed, and what is asked of it. Of all that one execution shows there is one replay.
type rerun struct {
	seed  seed.Seed
	t     *trace.Trace
	cut   bool               // somebody asked to end the exploration meanwhile, so it may have been cut off
	did   seed.Seed          // what it did
	races []race.Pair        // of t, when they have been asked for
	shows [][]report.Finding // what Failures and Apart list, as far as they have been asked
}

// of has r be the replay of a seed. make makes it, unless the last one was of that seed, and whole.
func (r *rerun) of(s seed.Seed, stop *Stop, make func() *trace.Trace) *rerun {
	if r.t == nil || r.cut || !slices.Equal(r.seed, s) {
		asked := stop.Asked()
		*r = rerun{seed: s, t: make()}
		r.cut = !asked && stop.Asked()
	}
	return r
}

// steps returns what the replay did.
func (r *rerun) steps() seed.Seed {
	if r.did == nil {
		r.did = sched.SeedOf(r.t)
	}
	return r.did
}

// pairs returns the races of the replay.
func (r *rerun) pairs() []race.Pair {
	if r.races == nil {
		r.races = race.Of(r.t)
	}
	return r.races
}

// failure returns the failure of the replay with a key, nil if it does not show it.
func (r *rerun) failure(key string) *report.Finding {
	for i, of := range []func(*trace.Trace) []report.Finding{Failures, Apart} {
		if i == len(r.shows) {
			r.shows = append(r.shows, of(r.t))
		}
		if k := slices.IndexFunc(r.shows[i], func(f report.Finding) bool { return f.Key == key }); k >= 0 {
			x := r.shows[i][k]
			return &x
		}
	}
	return nil
}

func newFindings(s *Session) *Findings {
	return &Findings{s: s, keys: make(map[string]bool), failed: make(map[string]int), dropped: make(map[string]bool), seen: make(map[string]bool),
		adjacent: make(map[sites]bool), distant: make(map[sites]bool), lates: make(map[sites]int)}
}

// Local records the failures that a run shows by itself.
func (f *Findings) Local(t *trace.Trace) {
	of := sync.OnceValue(func() seed.Seed { return sched.SeedOf(t) })
	for _, x := range failures(t, f.adjacent) {
		if !f.keys[x.Key] {
			f.keys[x.Key] = true
			f.sources = append(f.sources, source{category: x.Category, key: x.Key, seed: of()})
		}
		if x.Category == report.DataRace {
			f.adjacent[sitesOfPair(t, int32(x.Events[0]), int32(x.Events[1]))] = true
		}
	}
	f.Unordered(t)
}

// Unordered records the races of a run whose accesses are not next to each other.
func (f *Findings) Unordered(t *trace.Trace) {
	found := race.Search(t)
	if !found.Whole {
		f.s.Incomplete(StoppedWork)
	}
	f.unordered(t, found.Races)
	if found.Late && !t.Dropped {
		f.late(t)
	}
}

// unordered records races of a run whose accesses are not next to each other.
func (f *Findings) unordered(t *trace.Trace, pairs []race.Pair) {
	of := sync.OnceValue(func() seed.Seed { return sched.SeedOf(t) })
	for _, x := range apart(t, pairs, f.distant) {
		if !f.keys[x.Key] && !f.seen[x.Key] {
			f.seen[x.Key] = true
			f.apart = append(f.apart, source{category: x.Category, key: x.Key, seed: of()})
		}
		f.distant[sitesOfPair(t, int32(x.Events[0]), int32(x.Events[1]))] = true
	}
}

// late looks for Adds that race with a Wait in another order of what a run has done.
func (f *Findings) late(t *trace.Trace) {
	for _, l := range race.Lates(t) {
		key := RaceKey(l.Sites[0], l.Sites[1])
		if f.Told(key) || f.lates[l.Sites] >= confirmationsLate {
			continue
		}
		f.lates[l.Sites]++
		r := f.s.Replay(sched.NewReplay(sched.SeedOfEvents(t, l.Events), sched.RunToBlock{}), false)
		f.unordered(r, race.Of(r))
	}
}

// confirmationsLate bounds the orders that are tried of one Add and one Wait: another may do what its events in this
// order do not do.
const confirmationsLate = 3

// behind adds the races that no execution showed with the two accesses next to each other. If such an execution is at
// hand, it is the better witness. It is looked for as long as there is work left for better witnesses: where thousands
// of accesses race, each of a hundred races would take two more executions.
func (f *Findings) behind() {
	var of rerun
	for _, src := range f.apart {
		if f.keys[src.key] {
			continue
		}
		f.keys[src.key] = true
		if s := f.together(src, &of); s != nil {
			src.seed = s
		}
		f.sources = append(f.sources, src)
	}
}

// together returns a seed by which the accesses of a race are next to each other. It returns nil if what comes before
// them does not allow it, or no work is left. of is the replay of the last source.
func (f *Findings) together(src source, of *rerun) seed.Seed {
	if f.done() {
		return nil
	}
	of.of(src.seed, f.s.Limits.Stop, func() *trace.Trace { return f.s.Replay(sched.NewReplay(src.seed, sched.RunToBlock{}), false) })
	t := of.t
	for _, p := range of.pairs() {
		if RaceKey(t.Events[p.First].Site, t.Events[p.Second].Site) != src.key {
			continue
		}
		if f.done() {
			return nil
		}
		s := sched.SeedOfEvents(t, race.Before(t, p))
		if t := f.s.Replay(sched.NewReplay(s, sched.RunToBlock{}), false); adjacentRace(t, src.key) >= 0 {
			return sched.SeedOf(t)
		}
	}
	return nil
}

// worked reports whether so much work was done, or somebody asked to end the exploration.
func worked(s *Session, until int64) bool {
	return s.Limits.Stop.Asked() || s.OfWork(s.Result.Stats.Work >= until)
}

// done reports whether witnesses are made no better.
func (f *Findings) done() bool {
	return worked(f.s, f.until)
}

// Apart lists the races of a run whose accesses are not next to each other, each key once. It lists none of an
// execution that is dropped.
func Apart(t *trace.Trace) []report.Finding { return apart(t, race.Of(t), nil) }

// apart is Apart of the races of a run, without those of some sites.
func apart(t *trace.Trace, pairs []race.Pair, but map[sites]bool) (out []report.Finding) {
	if t.Dropped {
		return nil
	}
	for _, p := range pairs {
		a, b := &t.Events[p.First], &t.Events[p.Second]
		if p.Second == p.First+1 && race.Next(a, b) || but[sitesOfPair(t, p.First, p.Second)] {
			continue
		}
		out = append(out, report.Finding{Category: report.DataRace, Key: RaceKey(a.Site, b.Site), Witness: t,
			Events: []int{int(p.First), int(p.Second)}, Threads: []int{int(a.Thread), int(b.Thread)}})
	}
	return out
}

// Shown lists what the replay of a witness shows: its failures and, if it has no race with the two accesses next to
// each other, the races that it has.
func Shown(t *trace.Trace) []report.Finding {
	out := Failures(t)
	if slices.ContainsFunc(out, func(f report.Finding) bool { return f.Category == report.DataRace }) {
		return out
	}
	return append(out, Apart(t)...)
}

// Failures lists what a run shows, each key once: its races with the two accesses next to each other (Apart has the
// others), how it failed, and whom it left behind. It lists nothing of an execution that is dropped. The findings have
// no seed.
func Failures(t *trace.Trace) []report.Finding { return failures(t, nil) }

// failures is Failures without the races of some sites.
func failures(t *trace.Trace, but map[sites]bool) (out []report.Finding) {
	if t.Dropped {
		return nil
	}
	add := func(c report.Category, key string, events, threads []int) {
		out = append(out, report.Finding{Category: c, Key: string(c) + " " + key, Witness: t, Events: events, Threads: threads})
	}
	var races []sites
	for _, i := range race.Adjacent(t) {
		a, b := &t.Events[i], &t.Events[i+1]
		if at := sitesOfPair(t, int32(i), int32(i+1)); !but[at] && !slices.Contains(races, at) {
			races = append(races, at)
			add(report.DataRace, race.Key(a.Site, b.Site), []int{i, i + 1}, []int{int(a.Thread), int(b.Thread)})
		}
	}
	switch t.Status {
	case trace.Failed:
		site, events := event.Site(0), []int(nil)
		if i := lastOf(t, t.PanicThread); i >= 0 {
			site, events = t.Events[i].Site, []int{i}
		}
		add(report.Panics, fmt.Sprintf("%d %s", site, firstLine(t.Panic)), events, []int{int(t.PanicThread)})
	case trace.Deadlocked:
		add(report.Deadlock, blockedSites(t, false), nil, blockedThreads(t, false))
	}
	// A panic makes package testing fail the test too, without a word.
	if t.TestFailed && (t.Status != trace.Failed || saysWhy(t)) {
		var events, threads []int
		if len(t.Failures) > 0 {
			f := &t.Failures[0]
			threads = []int{int(f.Thread)}
			if f.Event > 0 {
				events = []int{int(f.Event) - 1}
			}
		}
		add(report.TestFailure, failingCalls(t), events, threads)
	}
	if polls := threadsThat(t, func(th *trace.Thread) bool { return th.Polls }); len(polls) > 0 {
		add(report.Livelock, sitesOf(t, polls), nil, polls)
	}
	if leaks := blockedSites(t, true); leaks != "" {
		add(report.GoroutineLeak, leaks, nil, blockedThreads(t, true))
	}
	return out
}

// saysWhy reports whether a failing test has printed anything.
func saysWhy(t *trace.Trace) bool {
	return slices.ContainsFunc(t.Failures, func(f trace.Failure) bool { return strings.TrimSpace(f.Message) != "" })
}

// failingCalls names where a test first failed: the calls that led to package testing, so that two
// assertions of one helper are told apart. What the test says of it is left out: a value in it
// would make one failing line many findings.
func failingCalls(t *trace.Trace) string {
	var sites []string
	if len(t.Failures) > 0 {
		for _, f := range t.Failures[0].Stack {
			if !strings.HasPrefix(strings.TrimLeft(f.Func, "(*"), "testing.") {
				sites = append(sites, fmt.Sprint(f.Site))
			}
		}
	}
	return strings.Join(sites, " ")
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// lastOf returns the index of the last event of a thread, -1 if it has none.
func lastOf(t *trace.Trace, thread int32) int {
	for i := len(t.Events) - 1; i >= 0; i-- {
		if t.Events[i].Thread == thread {
			return i
		}
	}
	return -1
}

// blockedThreads lists the threads of a deadlock, or those that leaked.
func blockedThreads(t *trace.Trace, leaked bool) []int {
	if deadlock := t.Status == trace.Deadlocked; deadlock == leaked {
		return nil
	}
	return threadsThat(t, func(th *trace.Thread) bool { return !leaked && !th.Alive || th.Leaked })
}

// threadsThat lists the threads that have not ended and of which f holds.
func threadsThat(t *trace.Trace, f func(*trace.Thread) bool) (threads []int) {
	for i := range t.Threads {
		if th := &t.Threads[i]; th.Pending != nil && f(th) {
			threads = append(threads, i)
		}
	}
	return threads
}

// blockedSites names where the threads stand, whichever threads they are.
func blockedSites(t *trace.Trace, leaked bool) string { return sitesOf(t, blockedThreads(t, leaked)) }

func sitesOf(t *trace.Trace, threads []int) string {
	var sites []string
	for _, i := range threads {
		sites = append(sites, fmt.Sprintf("%v at %d", t.Threads[i].Pending.Kind, t.Threads[i].Pending.Site))
	}
	slices.Sort(sites)
	return strings.Join(sites, ", ")
}

// Race confirms a predicted race: two accesses that are both next after k.
func (f *Findings) Race(g *causality.Graph, from *causality.Schedule, k causality.Cut, a, b causality.Ref) {
	if !k.Has(causality.Ref{Thread: a.Thread, Seq: a.Seq - 1}) || !k.Has(causality.Ref{Thread: b.Thread, Seq: b.Seq - 1}) || k[a.Thread] != a.Seq || k[b.Thread] != b.Seq {
		return
	}
	key := RaceKey(g.SiteOf(a), g.SiteOf(b))
	if !g.MayRace(a, b) {
		return
	}
	if f.keys[key] || f.failed[key] >= confirmations {
		return
	}
	last := seed.Seed{{Thread: from.IDs[a.Thread], Case: -1, PartnerCase: -1}, {Thread: from.IDs[b.Thread], Case: -1, PartnerCase: -1}}
	// The causes of the two accesses are enough, unless one is a compare-and-swap.
	for _, c := range []causality.Cut{g.Past(&causality.Move{A: a, B: b}), k} {
		if f.Confirm(append(from.Seed(c), last...), key) {
			return
		}
	}
	f.failed[key]++
}

// Confirm replays a seed that ends with the two accesses of a race, and reports whether they are next to each other
// there.
func (f *Findings) Confirm(s seed.Seed, key string) bool {
	e := record(s, func(sc sched.Scheduler) *trace.Trace { return f.s.Replay(sc, false) })
	if e.t.Dropped {
		f.dropped[key] = true
	}
	if adjacentRace(e.t, key) < 0 {
		return false
	}
	f.keys[key] = true
	f.past.keep(e) // its witness will be looked for there
	f.sources = append(f.sources, source{category: report.DataRace, key: key, seed: e.did})
	return true
}

// Dropped reports whether replays to confirm a race were dropped, and no other execution has shown it.
func (f *Findings) Dropped(race string) bool { return f.dropped[race] && !f.Told(race) }

// Has reports whether a failure was met.
func (f *Findings) Has(key string) bool { return f.keys[key] }

// Told reports whether a race was met, with its accesses next to each other or not.
func (f *Findings) Told(key string) bool { return f.keys[key] || f.seen[key] }

// OnlyRaces leaves out all findings but races.
func (f *Findings) OnlyRaces() {
	f.sources = slices.DeleteFunc(f.sources, func(src source) bool { return src.category != report.DataRace })
}

// RaceKey is the key of the race of two sites.
func RaceKey(a, b event.Site) string { return string(report.DataRace) + " " + race.Key(a, b) }

// adjacentRace returns the index of the first of two adjacent racing events with a
// key, -1 if there is none.
func adjacentRace(t *trace.Trace, key string) int {
	if t.Dropped {
		return -1
	}
	for _, i := range race.Adjacent(t) {
		if RaceKey(t.Events[i].Site, t.Events[i+1].Site) == key {
			return i
		}
	}
	return -1
}

// finish makes the witnesses.
func (f *Findings) finish() []report.Finding {
	var out []report.Finding
	f.until = f.s.Result.Stats.Work + f.s.Limits.Work/witnessShare
	f.behind()
	for _, src := range f.sources {
		s := f.minimise(src)
		found := f.witness(s, src.key)
		if found == nil {
			found = f.witness(src.seed, src.key)
		}
		if found == nil {
			f.s.Incomplete("a failing run could not be repeated: the program is not deterministic")
			continue
		}
		if race.FindsNothing(found.Witness) { // TICK3
			if found = f.witness(src.seed, src.key); found == nil || race.FindsNothing(found.Witness) {
				f.s.Incomplete("the entry fails where the channel of a timer is found empty whose time has come, natively it is not")
				continue
			}
		}
		if !f.ticks(found) {
			f.s.Incomplete(unconfirmed(found.Witness))
			continue
		}
		out = append(out, *found)
	}
	if len(f.sources) > 0 {
		f.s.Interrupted() // a witness may be longer than it had to be
	}
	return out
}

// witness runs a seed with stacks, and returns the failure with a key, nil if the run does not show it.
func (f *Findings) witness(s seed.Seed, key string) *report.Finding {
	of := f.shown.of(s, f.s.Limits.Stop, func() *trace.Trace { return f.s.Replay(sched.NewReplay(s, sched.RunToBlock{}), true) })
	found := of.failure(key)
	if found != nil {
		found.Seed = of.steps()
	}
	return found
}

// shows reports whether a run shows the failure with a key.
func shows(t *trace.Trace, key string) bool { return failure(t, key) != nil }

// failure returns the failure of a run with a key, nil if it does not show it.
func failure(t *trace.Trace, key string) *report.Finding { return (&rerun{t: t}).failure(key) }
