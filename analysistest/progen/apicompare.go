package progen

import (
	"cmp"
	"fmt"
	"github.com/heddle-go/heddle/analysistest/progen/view"
	"maps"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/analysistest/progen/own"
	"github.com/heddle-go/heddle/analysistest/progen/prelude"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file compares explorers with random schedules on programs of GenerateAPI. What such a program sees need not be
// what an event returned, so its own log is compared. The programs are too large for brute force: a test with a subtest
// has some fifty events.

// shows is what executions of a program show.
type shows struct {
	*oracle.Result
	views    map[string]view.View
	own      map[string]bool // what one goroutine logs
	failures map[string]bool
}

func newShows() *shows {
	return &shows{oracle.NewResult(), map[string]view.View{}, map[string]bool{}, map[string]bool{}}
}

func (x *shows) add(t *trace.Trace) {
	if x.view(t) {
		x.AddRaces(t)
		x.Result.Add(t)
	}
}

// view adds what does not name sites, which another machine numbers in another way.
func (x *shows) view(t *trace.Trace) bool {
	v := view.Of(t)
	switch t.Status {
	case trace.Stopped, trace.Limit, trace.Unsupported:
		return false
	case trace.Failed:
		x.failures[v.Failed] = true
		return true
	}
	x.views[v.String()] = v
	for n, l := range v.Logs {
		x.own[ownLog(n, l)] = true
	}
	return true
}

// CompareAPI runs the i-th program under so many random schedules. What these show must be among what systematic and
// union show, where these are exhausted; likewise on a machine whose files are one object, if there is one.
func (l *Loaded) CompareAPI(i, schedules int, whole *Loaded) *Result {
	m, e := l.Entry(i)
	r := &Result{Work: map[string]explore.Stats{}}
	all := newShows()
	r.Oracle = all.Result
	for s := range schedules {
		all.add(m.Entry(e).Run(sched.NewRandom(sched.RandSeed(s)), sched.Options{MaxEvents: maxEvents}))
		if whole != nil {
			n, f := whole.Entry(i)
			all.view(n.Entry(f).Run(sched.NewRandom(sched.RandSeed(s)), sched.Options{MaxEvents: maxEvents}))
		}
	}
	for _, s := range Subjects {
		if s.Name != "systematic" && s.Name != "union" {
			continue
		}
		got := newShows()
		res := s.New(got.add).Explore(m.Entry(e), explore.Limits{Executions: 4000, Events: 100_000})
		r.Work[s.Name] = res.Stats
		own.AddRaces(got.Result, res)
		problem := func(format string, args ...any) {
			r.Problems = append(r.Problems, s.Name+": "+fmt.Sprintf(format, args...))
		}
		if res.Verdict != explore.Exhausted {
			r.TooLarge = res.Reason
			continue
		}
		lacks := func(what string, want, have map[string]bool) {
			for _, k := range slices.Sorted(maps.Keys(want)) {
				if !have[k] {
					problem("%s: %s", what, k)
				}
			}
		}
		lacks("missed", all.own, got.own)
		lacks("missed failure", all.failures, got.failures)
		lacks("missed race", all.Races, got.Races)
		lacks("missed blocked", all.Blocked, got.Blocked)
		if !s.Own {
			for _, k := range slices.Sorted(maps.Keys(all.views)) {
				if _, ok := got.views[k]; !ok {
					problem("missed view: %s", strings.TrimSpace(k))
				}
			}
		}
	}
	return r
}

// RunAPI is Run for programs of GenerateAPI.
func RunAPI(from uint64, n int, c Config, failed func(Failure)) (Tally, error) {
	var t Tally
	var ps []*Program
	for s := from; s < from+uint64(n); s++ {
		ps = append(ps, generateAPI(s, min(Size(s), 6), c.Files))
	}
	for len(ps) > 0 {
		file, err := File(ps)
		if err != nil {
			return t, err
		}
		var whole *Loaded
		l, err := LoadWith(file, prelude.MachineLog, machine.Config{CleanFrames: true})
		if err == nil && c.Files {
			whole, err = LoadWith(file, prelude.MachineLog, machine.Config{CleanFrames: true, Kernel: kernel.Config{Whole: true}})
		}
		if err != nil {
			return t, err
		}
		var again []*Program
		for i, p := range ps {
			r := l.CompareAPI(i, cmp.Or(c.Executions, 150), whole)
			switch {
			case r.TooLarge == "" || len(r.Problems) > 0:
				if t.add(r); len(r.Problems) > 0 {
					failed(Failure{p, r})
				}
			case p.Size <= 2:
				t.Large++
			default:
				t.Redrawn++
				again = append(again, generateAPI(p.Seed, p.Size-max(1, p.Size/3), p.Files))
			}
		}
		ps = again
	}
	return t, nil
}
