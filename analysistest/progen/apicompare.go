package progen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/audit"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file compares explorers with brute force on programs of GenerateAPI. What such a program sees need not be what an event returned, so its own log is compared; and
// what it does need not be in the hash of a state, so brute force tells states apart by all that the audit compares.

// A whole is a machine whose states are named by all that is in them.
type whole struct {
	sched.Machine
	m *machine.Machine
}

// Run implements sched.Machine.
func (w whole) Run(s sched.Scheduler, o sched.Options) *trace.Trace {
	return w.Machine.Run(naming{s, w.m}, o)
}

type naming struct {
	sched.Scheduler
	m *machine.Machine
}

// Next implements sched.Scheduler.
func (n naming) Next(s *sched.State) int {
	s.Hash = func() uint64 { return audit.DumpOf(n.m, s).Hash(viewOf(&trace.Trace{Output: n.m.Output()}).String()) }
	return n.Scheduler.Next(s)
}

// shows is what executions of a program show.
type shows struct {
	*oracle.Result
	views    map[string]view
	own      map[string]bool // what one goroutine logs
	failures map[string]bool
}

func newShows() *shows {
	return &shows{oracle.NewResult(), map[string]view{}, map[string]bool{}, map[string]bool{}}
}

func (x *shows) add(t *trace.Trace) {
	if t.Status == trace.Stopped {
		return
	}
	v := viewOf(t)
	if t.Status == trace.Failed {
		x.failures[v.failed] = true
	} else {
		x.views[v.String()] = v
		for n, l := range v.logs {
			x.own[fmt.Sprintf("goroutine %d logs%s", n, l)] = true
		}
	}
	x.Result.Add(t)
}

// CompareAPI compares systematic and union with brute force on the i-th program, of executions of which brute force may make so many.
func (l *Loaded) CompareAPI(i, executions int) *Result {
	m, e := l.Entry(i)
	r := &Result{Work: map[string]explore.Stats{}}
	all := newShows()
	r.Oracle = oracle.SearchStates(whole{m.Entry(e), m}, oracle.Limits{Executions: executions, Options: sched.Options{MaxEvents: maxEvents}}, all.add)
	if !r.Oracle.Complete {
		r.TooLarge = r.Oracle.Reason
		return r
	}
	all.Races = r.Oracle.Races
	for _, s := range Subjects {
		if s.Name != "systematic" && s.Name != "union" {
			continue
		}
		got := newShows()
		res := s.New(got.add).Explore(m.Entry(e), explore.Limits{Executions: 50_000, Events: 1 << 30})
		r.Work[s.Name] = res.Stats
		addRaces(got.Result, res)
		problem := func(format string, args ...any) {
			r.Problems = append(r.Problems, s.Name+": "+fmt.Sprintf(format, args...))
		}
		if res.Verdict != explore.Exhausted {
			problem("%s %s", res.Verdict, res.Reason)
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
		lacks("invented", got.own, all.own)
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
		ps = append(ps, GenerateAPI(s, Size(s)))
	}
	for len(ps) > 0 {
		file, err := File(ps)
		if err != nil {
			return t, err
		}
		l, err := LoadWith(file, MachineLog, machine.Config{CleanFrames: true})
		if err != nil {
			return t, err
		}
		var again []*Program
		for i, p := range ps {
			r := l.CompareAPI(i, max(c.Executions, 300))
			switch {
			case r.TooLarge == "":
				if t.add(r); len(r.Problems) > 0 {
					failed(Failure{p, r})
				}
			case p.Size <= 2:
				t.Large++
			default:
				t.Redrawn++
				again = append(again, GenerateAPI(p.Seed, p.Size-max(1, p.Size/3)))
			}
		}
		ps = again
	}
	return t, nil
}
