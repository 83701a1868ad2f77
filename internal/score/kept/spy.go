package main

import (
	"time"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program/digest"
)

// A spy is the machine of an entry, and notes which functions its executions call, and what they show.
type spy struct {
	sched.Machine
	m     *machine.Machine
	d     *digest.Program
	seen  map[fact]bool
	decls map[event.Site]string
	all   names // of functions that any execution calls
	runs  []*run
	took  time.Duration // by the machine
}

type names map[string]bool

// add adds a name, also to no set.
func (n *names) add(name string) {
	if name == "" {
		return
	}
	if *n == nil {
		*n = names{}
	}
	(*n)[name] = true
}

// A fact is that an operation returned something to a goroutine in a state. Where that has no name, the facts since the
// last one that has stand for it.
type fact struct {
	id   event.ThreadID
	hash uint64
}

// A run is an execution, or a replay.
type run struct {
	decisions int
	first     map[string]int // by function: the decisions before its first call
	new       names          // functions through which it shows a new fact
}

func newSpy(m *machine.Machine, d *digest.Program, entry sched.Machine) *spy {
	return &spy{Machine: entry, m: m, d: d, seen: map[fact]bool{}, decls: map[event.Site]string{}, all: names{}}
}

// decl is the declaration in which an instruction stands.
func (s *spy) decl(x event.Site) string {
	name, ok := s.decls[x]
	if !ok {
		if in := s.m.Instr(x); in != nil {
			name = s.d.Decl(in.Parent())
		}
		s.decls[x] = name
	}
	return name
}

// Run implements sched.Machine.
func (s *spy) Run(by sched.Scheduler, o sched.Options) *trace.Trace {
	w := &watch{Scheduler: by, of: s, first: map[string]int{}}
	s.m.BeginNotes()
	start := time.Now()
	t := s.Machine.Run(w, o)
	s.took += time.Since(start)
	w.called = append(w.called, w.calledNow())
	s.runs = append(s.runs, &run{len(w.called), w.first, s.shown(t, w)})
	return t
}

// shown returns the functions through which an execution shows new facts.
func (s *spy) shown(t *trace.Trace, w *watch) (out names) {
	state, seq := make([]uint64, len(t.Threads)), make([]int, len(t.Threads))
	step := 0
	for i := range t.Events {
		e := &t.Events[i]
		th := e.Thread
		before, after := w.at(th, seq[th]), w.at(th, seq[th]+1)
		seq[th]++
		if before.name != 0 {
			state[th] = before.name
		}
		if _, ok := sched.StepAt(t, i); ok {
			step++
		}
		r := trace.ReplyOf(e)
		what := known.Mix(known.Mix(uint64(e.Site), uint64(r.Kind)<<16|uint64(uint16(r.Case))), known.Mix(r.Value, known.OneIf(r.Wrong)))
		state[th] = known.Mix(state[th], what)
		f := fact{t.Threads[th].ID, state[th]}
		if s.seen[f] {
			continue
		}
		s.seen[f] = true
		through := []names{before.stack, after.stack}
		if step < len(w.called) {
			through = append(through, w.called[step])
		}
		for _, set := range through {
			for name := range set {
				out.add(name)
			}
		}
	}
	return out
}

// A watch is a scheduler that notes where goroutines come to stand, and what is called between two decisions.
type watch struct {
	sched.Scheduler
	of     *spy
	stands [][]stand // by goroutine, in order
	called []names   // before each decision, and at the end
	first  map[string]int
}

// A stand is a state of a goroutine.
type stand struct {
	name  uint64 // 0 if it has none
	stack names
	noted bool
}

func (w *watch) at(thread int32, seq int) stand {
	if int(thread) < len(w.stands) && seq < len(w.stands[thread]) {
		return w.stands[thread][seq]
	}
	return stand{}
}

// calledNow returns the functions called since the last decision.
func (w *watch) calledNow() (out names) {
	for _, fn := range w.of.m.SinceNotes() {
		name := w.of.d.Decl(fn)
		out.add(name)
		w.of.all.add(name)
		if _, ok := w.first[name]; !ok {
			w.first[name] = len(w.called)
		}
	}
	return out
}

// Next implements sched.Scheduler.
func (w *watch) Next(s *sched.State) int {
	w.called = append(w.called, w.calledNow())
	for i, th := range s.Standing {
		for len(w.stands) <= i {
			w.stands = append(w.stands, nil)
		}
		for len(w.stands[i]) <= int(th.Seq) {
			w.stands[i] = append(w.stands[i], stand{})
		}
		x := &w.stands[i][th.Seq]
		if x.noted {
			continue
		}
		x.noted = true
		if l := s.Local(i); l.Known {
			x.name = l.Digest
		}
		for _, c := range s.Callers(i) {
			x.stack.add(w.of.decl(c))
		}
	}
	w.of.m.BeginNotes()
	return w.Scheduler.Next(s)
}
