package explore

import (
	"fmt"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file turns executions into findings, once per key.

// confirmations bounds the predictions of a race that may fail before its pair of
// sites is given up. Only a compare-and-swap can fail one: whether it writes depends on what came before.
const confirmations = 200

// findings collects what the executions of a session showed.
type findings struct {
	s       *session
	keys    map[string]bool
	failed  map[string]int // predicted races that a replay did not show
	sources []source
}

// A source is an execution that shows a failure, before it is made into a witness.
type source struct {
	category report.Category
	key      string
	seed     seed.Seed
}

func newFindings(s *session) *findings {
	return &findings{s: s, keys: make(map[string]bool), failed: make(map[string]int)}
}

// local records the failures that a run shows by itself.
func (f *findings) local(t *trace.Trace) {
	for _, i := range oracle.AdjacentRaces(t) {
		if key := raceKey(t.Events[i].Site, t.Events[i+1].Site); !f.keys[key] {
			f.keys[key] = true
			f.sources = append(f.sources, source{category: report.DataRace, key: key, seed: sched.SeedOf(t)})
		}
	}
	for _, c := range localKeys(t) {
		if !f.keys[c.key] {
			f.keys[c.key] = true
			f.sources = append(f.sources, source{category: c.category, key: c.key, seed: sched.SeedOf(t)})
		}
	}
}

// A localKey is a failure of a run.
type localKey struct {
	category report.Category
	key      string
}

// localKeys lists the failures of a run, but for its races.
func localKeys(t *trace.Trace) (keys []localKey) {
	add := func(c report.Category, format string, args ...any) {
		keys = append(keys, localKey{c, string(c) + " " + fmt.Sprintf(format, args...)})
	}
	switch t.Status {
	case trace.Failed:
		site := event.Site(0)
		if i := lastOf(t, t.PanicThread); i >= 0 {
			site = t.Events[i].Site
		}
		add(report.Panics, "%d %s", site, firstLine(t.Panic))
	case trace.Deadlocked:
		add(report.Deadlock, "%s", blockedSites(t, false))
	}
	if t.TestFailed {
		site, message := event.Site(0), ""
		if len(t.Failures) > 0 {
			f := &t.Failures[0]
			message = firstLine(f.Message)
			if len(f.Stack) > 0 {
				site = f.Stack[0].Site
			}
		}
		add(report.TestFailure, "%d %s", site, message)
	}
	if leaks := blockedSites(t, true); leaks != "" {
		add(report.GoroutineLeak, "%s", leaks)
	}
	return keys
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
func blockedThreads(t *trace.Trace, leaked bool) (threads []int) {
	for i := range t.Threads {
		th, deadlock := &t.Threads[i], t.Status == trace.Deadlocked
		if th.Pending != nil && deadlock != leaked && (deadlock || th.Leaked) {
			threads = append(threads, i)
		}
	}
	return threads
}

// blockedSites names where the threads stand, whichever threads they are.
func blockedSites(t *trace.Trace, leaked bool) string {
	var sites []string
	for _, i := range blockedThreads(t, leaked) {
		sites = append(sites, fmt.Sprintf("%v at %d", t.Threads[i].Pending.Kind, t.Threads[i].Pending.Site))
	}
	sortBy(sites, func(s string) string { return s })
	return strings.Join(sites, ", ")
}

// race confirms a predicted race: two accesses that are both next after k.
func (f *findings) race(g *graph, from *schedule, k cut, a, b ref) {
	if !k.has(ref{a.thread, a.seq - 1}) || !k.has(ref{b.thread, b.seq - 1}) || k[a.thread] != a.seq || k[b.thread] != b.seq {
		return
	}
	key := raceKey(g.siteOf(a), g.siteOf(b))
	if f.keys[key] || f.failed[key] >= confirmations {
		return
	}
	last := seed.Seed{{Thread: from.ids[a.thread], Case: -1, PartnerCase: -1}, {Thread: from.ids[b.thread], Case: -1, PartnerCase: -1}}
	// The causes of the two accesses are enough, unless one is a compare-and-swap.
	for _, c := range []cut{g.past(&move{a: a, b: b}), k} {
		t := f.s.replay(sched.NewReplay(append(from.seed(c), last...), sched.RunToBlock{}), false)
		if adjacentRace(t, key) >= 0 {
			f.keys[key] = true
			f.sources = append(f.sources, source{category: report.DataRace, key: key, seed: sched.SeedOf(t)})
			return
		}
	}
	f.failed[key]++
}

func raceKey(a, b event.Site) string { return string(report.DataRace) + " " + oracle.RaceKey(a, b) }

// siteOf returns the site of an event or of a pending operation.
func (g *graph) siteOf(r ref) event.Site {
	if events := g.lines[r.thread].events; int(r.seq) < len(events) {
		return g.t.Events[events[r.seq]].Site
	}
	return g.t.Threads[r.thread].Pending.Site
}

// adjacentRace returns the index of the first of two adjacent racing events with a
// key, -1 if there is none.
func adjacentRace(t *trace.Trace, key string) int {
	for _, i := range oracle.AdjacentRaces(t) {
		if raceKey(t.Events[i].Site, t.Events[i+1].Site) == key {
			return i
		}
	}
	return -1
}

// finish makes the witnesses.
func (f *findings) finish() []report.Finding {
	var out []report.Finding
	for _, src := range f.sources {
		s := f.minimise(src)
		t := f.s.replay(sched.NewReplay(s, sched.RunToBlock{}), true)
		if !shows(t, src.key) {
			t = f.s.replay(sched.NewReplay(src.seed, sched.RunToBlock{}), true)
			if !shows(t, src.key) {
				f.s.incomplete("a failing execution could not be repeated: the program is not deterministic")
				continue
			}
		}
		out = append(out, finding(src, t))
	}
	return out
}

// shows reports whether a run shows the failure with a key.
func shows(t *trace.Trace, key string) bool {
	for _, k := range localKeys(t) {
		if k.key == key {
			return true
		}
	}
	return adjacentRace(t, key) >= 0
}

// finding makes the finding of a witness.
func finding(src source, t *trace.Trace) report.Finding {
	f := report.Finding{Category: src.category, Key: src.key, Witness: t, Seed: sched.SeedOf(t)}
	switch src.category {
	case report.DataRace:
		i := adjacentRace(t, src.key)
		f.Events = []int{i, i + 1}
		f.Threads = []int{int(t.Events[i].Thread), int(t.Events[i+1].Thread)}
	case report.Panics:
		f.Threads = []int{int(t.PanicThread)}
		if i := lastOf(t, t.PanicThread); i >= 0 {
			f.Events = []int{i}
		}
	case report.TestFailure:
		if len(t.Failures) > 0 {
			f.Threads = []int{int(t.Failures[0].Thread)}
			if n := t.Failures[0].Event; n > 0 {
				f.Events = []int{int(n) - 1}
			}
		}
	case report.Deadlock:
		f.Threads = blockedThreads(t, false)
	case report.GoroutineLeak:
		f.Threads = blockedThreads(t, true)
	}
	return f
}
