package exploration

import (
	"go/token"
	"sync"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/formula"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/passes/depends"
)

// This file explores entries of a package side by side. A machine executes one entry at a time, so each entry at work
// has one of its own:
//
//   - What comes of an entry does not depend on what its machine has executed before, nor on which machine it is. (The
//     cache, which has some entries left out, relies on that too.)
//   - Sites and addresses are those of one machine. Tests that call t.Parallel are explored on the package's first one,
//     so that their accesses can be compared. Whether a test does shows in its first execution: it is begun again
//     there.
//   - Whoever reports an entry asks its machine where sites are. Meanwhile the machine may already execute the next
//     entry. So each of the two waits for the other.
//   - Entries are reported in their order, whichever ends first.

// A lane is a machine with what belongs to it.
type lane struct {
	t     target
	k     *keeper
	first bool // of its package
}

// A manifold is a target that there can be more of, for the same program.
type manifold interface {
	another() target
	// executed is closed when a first execution has been made: the program is initialised then.
	executed() <-chan struct{}
}

// A crew are the lanes of a package.
type crew struct {
	w     Watcher
	again manifold // the target of the first lane; nil if it is one of a kind
	k     *keeper
	first chan *lane // holds it while nobody is at work there
	more  chan *lane
	mu    sync.Mutex
	made  int // lanes, besides the first
	busy  sync.WaitGroup
}

func newCrew(t target, k *keeper, w Watcher) *crew {
	s := &crew{w: w, k: k, first: make(chan *lane, 1), more: make(chan *lane, w.Slots.Count())}
	s.again, _ = t.(manifold)
	s.first <- &lane{t, k, true}
	return s
}

// A second machine has to initialise the program as well, so it pays only where entries take long. Whether they do
// shows once the first one is initialised: somebody who waits for a machine waits for that, and then for as long as it
// took, both at most mostPatience times as long as Slots.Patience.
const mostPatience = 10

// lane waits for a lane.
func (s *crew) lane() *lane {
	begun, patience := time.Now(), s.w.Slots.Patience
	var executed <-chan struct{}
	if s.again != nil {
		executed = s.again.executed()
	}
	select {
	case l := <-s.first:
		return l
	case l := <-s.more:
		return l
	case <-executed:
		patience = max(patience, min(time.Since(begun), mostPatience*patience))
	case <-time.After(mostPatience * patience):
	}
	select {
	case l := <-s.first:
		return l
	case l := <-s.more:
		return l
	case <-time.After(patience):
	}
	if l := s.newLane(); l != nil {
		return l
	}
	select {
	case l := <-s.first:
		return l
	case l := <-s.more:
		return l
	}
}

// newLane makes a lane, nil if there are enough, or the target is one of a kind.
func (s *crew) newLane() *lane {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.again == nil || s.made >= cap(s.more) {
		return nil
	}
	s.made++
	t := s.again.another()
	return &lane{t: t, k: s.k.on(t)}
}

// test returns what notes a test's accesses. On a lane that is not the first a parallel test ends at once.
func (l *lane) test(e entry, m sched.Machine, w Watcher, at explore.Place, index int) *parallelTest {
	p := &parallelTest{Machine: m, entry: e, at: at, result: index}
	if !l.first {
		p.elsewhere = w.Stop
	}
	return p
}

// free gives a lane back.
func (s *crew) free(l *lane) {
	if l.first {
		s.first <- l
	} else {
		s.more <- l
	}
}

// explore calls f with a lane, when there is a slot for it. f returns what tells of the entry, nil if it has to be
// called with the first lane. Where there are several slots it does not wait for f.
func (s *crew) explore(index int, first bool, f func(l *lane, w Watcher) (tell func())) {
	w, end := s.w.next()
	if s.w.Slots.Count() == 1 {
		l := <-s.first
		f(l, w)()
		s.first <- l
		end()
		return
	}
	x := &slot{order: s.w.Order + int64(index) + 1}
	if !first {
		s.w.Slots.take(x) // in order
	}
	s.busy.Add(1)
	go func() {
		defer s.busy.Done()
		defer end()
		var l *lane
		if !first {
			l = s.lane()
		}
		s.attempts(x, l, w, f)
	}()
}

// attempts calls f until it has an answer. The slot is taken if there is a lane.
func (s *crew) attempts(x *slot, l *lane, w Watcher, f func(l *lane, w Watcher) (tell func())) {
	slots := s.w.Slots
	if l == nil {
		l = <-s.first
		slots.take(x)
	}
	for {
		stop, release := s.w.Stop.Part()
		slots.watch(x, stop)
		w.Stop = stop
		tell := f(l, w)
		aside := slots.leave(x)
		release()
		s.free(l)
		switch {
		case aside && !s.w.Stop.Asked():
			slots.take(x)
			l = s.lane()
		case tell == nil:
			l = <-s.first
			slots.take(x)
		default:
			tell()
			return
		}
	}
}

// wait waits until all is told.
func (s *crew) wait() { s.busy.Wait() }

// A config makes the world of a machine.
type config func(hostRead func(string)) kernel.Config

// another implements manifold: the machine is another one.
func (t *programTarget) another() target {
	out := &programTarget{prog: t.prog, graphs: depends.NewGraphs(t.prog), inputs: t.inputs, config: t.config, faults: t.faults}
	out.start()
	return out
}

func (t *programTarget) executed() <-chan struct{} { return t.ready }

// start makes the machine.
func (t *programTarget) start() {
	t.ready = make(chan struct{})
	cfg := machine.Config{}
	if x, _ := newExplorer(flags.explorer); x != nil {
		if _, ok := x.(*formula.Explorer); ok {
			cfg = depends.Mode(flags.deps).MachineConfig()
		}
	}
	cfg.Kernel, cfg.Faults = t.config(t.hostRead), t.faults
	t.Machine = machine.New(t.prog, cfg)
}

// on is the keeper for entries that are explored on another target.
func (k *keeper) on(t target) *keeper {
	if k == nil {
		return nil
	}
	out := *k
	out.t = t.(*programTarget)
	return &out
}

// instruction is what stands at a site, on whichever machine: nil where nothing does.
func instruction(source any, site event.Site) ssa.Instruction {
	if t, ok := source.(*programTarget); ok {
		return t.Instr(site)
	}
	return nil
}

// A lockedMachine is a machine of a target that somebody may ask for positions.
type lockedMachine struct {
	sched.Machine
	t *programTarget
}

// Run implements sched.Machine.
func (m lockedMachine) Run(s sched.Scheduler, o sched.Options) *trace.Trace {
	m.t.executing.Lock()
	defer m.t.executing.Unlock()
	out := m.Machine.Run(s, o)
	m.t.made.Do(func() { close(m.t.ready) })
	return out
}

// told asks the machine about a site while it executes nothing.
func told[T any](t *programTarget, ask func(event.Site) T, s event.Site) T {
	t.executing.Lock()
	defer t.executing.Unlock()
	return ask(s)
}

// Position implements report.Source.
func (t *programTarget) Position(s event.Site) token.Position { return told(t, t.Machine.Position, s) }

// IsUser implements report.Source.
func (t *programTarget) IsUser(s event.Site) bool { return told(t, t.Machine.IsUser, s) }

// Package implements report.Source.
func (t *programTarget) Package(s event.Site) string { return told(t, t.Machine.Package, s) }

// Variable implements report.Source.
func (t *programTarget) Variable(s event.Site) string { return told(t, t.Machine.Variable, s) }
