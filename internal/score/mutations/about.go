package main

import (
	"path/filepath"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/program"
)

// This file counts the executions that show something new about changed code, and those that show what no execution of
// the other version has shown.

// Shown is what executions have shown of goroutines, by entry: what an operation returned in a state.
type shown map[string]map[fact]bool

// A fact is that an operation returned something to a goroutine in a state. Where that has no name, the history since
// the last one that has stands for it.
type fact struct {
	id   event.ThreadID
	hash uint64
}

// A novelty counts executions.
type novelty struct {
	own     int // of union causality alone
	about   int // that show something new about changed code
	unknown int // that show what the other version has not shown, or something new about changed code
}

// tell explores the entries of packages by union causality, in both regimes of time, each with so many millions of
// work. It says what they show, and what of that is new. The packages are folders of the module in dir. Lost is what
// they have lost, nil for nothing, and was what they have shown before. They are loaded together.
func tell(dir string, folders []string, lost map[string]*deletion, was map[string]shown, work int) (map[string]shown, map[string]novelty, error) {
	cfg := closure.Config(dir)
	cfg.Tests = true
	var patterns []string
	folderOf := map[string]string{}
	for _, folder := range folders {
		patterns = append(patterns, "./"+filepath.ToSlash(folder))
		folderOf[filepath.Join(dir, folder)] = folder
	}
	slices.Sort(patterns)
	l, err := program.List(cfg, patterns...)
	if err != nil {
		return nil, nil, err
	}
	if len(l.Errors) > 0 {
		return nil, nil, l.Errors[0]
	}
	now, news := map[string]shown{}, map[string]novelty{}
	u := program.NewUniverse(cfg)
	for _, r := range l.Recipes {
		folder := folderOf[r.Package(r.Root).Dir]
		p, err := u.Build(r)
		if err != nil {
			return nil, nil, err
		}
		if now[folder], news[folder], err = tellOf(p, lost[folder], was[folder], work); err != nil {
			return nil, nil, err
		}
	}
	return now, news, nil
}

func tellOf(p *program.Program, d *deletion, was shown, work int) (now shown, n novelty, err error) {
	m := machine.New(p, machine.Config{})
	if err := m.Prepare(); err != nil {
		return nil, n, err
	}
	s := &facts{m: m, d: d, sites: map[event.Site]site{}}
	now = shown{}
	for _, e := range p.Entries {
		s.Machine, s.novelty, s.seen, s.came, s.was = m.Entry(e), &n, map[fact]bool{}, map[fact]bool{}, was[e.Name]
		now[e.Name] = s.seen
		x := func() explore.Explorer { return &union.Explorer{Alone: true} }
		n.own += explore.ExploreRegimes(x, s, explore.Limits{Work: int64(work) * 1_000_000}, explore.TimingStructural).Stats.Executions
	}
	return now, n, nil
}

// Facts are those of an entry, and a machine that notes them.
type facts struct {
	sched.Machine // of the entry
	*novelty

	m         *machine.Machine
	d         *deletion // nil if nothing is changed
	sites     map[event.Site]site
	seen, was map[fact]bool
	came      map[fact]bool // histories of goroutines that have come to the changed function
}

// A site is one in any version of the program.
type site struct {
	name    uint64
	changed bool
}

// site returns a site. Its name is that of its function, and the place of the instruction in that.
func (s *facts) site(x event.Site) site {
	if y, ok := s.sites[x]; ok {
		return y
	}
	var y site
	if in := s.m.Instr(x); in != nil {
		for _, c := range in.Parent().String() {
			y.name = known.Mix(y.name, uint64(c))
		}
		y.name = known.Mix(known.Mix(y.name, uint64(in.Block().Index)), uint64(slices.Index(in.Block().Instrs, in)))
	}
	if at := s.m.Position(x); s.d != nil {
		y.changed = filepath.Base(at.Filename) == filepath.Base(s.d.file) && at.Line >= s.d.first && at.Line <= s.d.last
	}
	s.sites[x] = y
	return y
}

// Run implements sched.Machine.
func (s *facts) Run(by sched.Scheduler, o sched.Options) *trace.Trace {
	w := &stands{Scheduler: by, of: s}
	t := s.Machine.Run(w, o)
	n := len(t.Threads)
	state, history, came, seq := make([]uint64, n), make([]uint64, n), make([]bool, n), make([]int, n)
	about, unknown := false, false
	for i := range t.Events {
		e := &t.Events[i]
		th, id := e.Thread, t.Threads[e.Thread].ID
		before, after := w.at(th, seq[th]), w.at(th, seq[th]+1)
		seq[th]++
		if before.name != 0 {
			state[th] = before.name
		}
		r, x := trace.ReplyOf(e), s.site(e.Site)
		what := known.Mix(known.Mix(x.name, uint64(r.Kind)<<16|uint64(uint16(r.Case))), known.Mix(r.Value, known.OneIf(r.Wrong)))
		state[th], history[th] = known.Mix(state[th], what), known.Mix(history[th], what)
		came[th] = came[th] || x.changed
		if f := (fact{id, history[th]}); came[th] && !s.came[f] {
			s.came[f], about = true, true
		}
		if f := (fact{id, state[th]}); !s.seen[f] {
			s.seen[f] = true
			unknown = unknown || before.changed || after.changed || !s.was[f]
		}
	}
	s.about += int(known.OneIf(about))
	s.unknown += int(known.OneIf(unknown))
	return t
}

// Stands is a scheduler that notes the states in which goroutines come to stand.
type stands struct {
	sched.Scheduler
	of  *facts
	met [][]stand // by goroutine, in order
}

// A stand is a state of a goroutine.
type stand struct {
	name    uint64 // 0 if it has none
	changed bool   // the changed function is on its stack
	noted   bool
}

func (w *stands) at(thread int32, seq int) stand {
	if int(thread) < len(w.met) && seq < len(w.met[thread]) {
		return w.met[thread][seq]
	}
	return stand{}
}

// Next implements sched.Scheduler.
func (w *stands) Next(s *sched.State) int {
	for i, th := range s.Standing {
		for len(w.met) <= i {
			w.met = append(w.met, nil)
		}
		for len(w.met[i]) <= int(th.Seq) {
			w.met[i] = append(w.met[i], stand{})
		}
		x := &w.met[i][th.Seq]
		if x.noted {
			continue
		}
		x.noted = true
		if l := s.Local(i); l.Known {
			x.name = l.Digest
		}
		for _, c := range s.Callers(i) {
			x.changed = x.changed || w.of.site(c).changed
		}
	}
	return w.Scheduler.Next(s)
}
