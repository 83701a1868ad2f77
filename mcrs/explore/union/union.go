package union

import (
	"slices"
	"sync/atomic"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/learn"
	"github.com/heddle-go/heddle/mcrs/explore/reduce"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// An Engine says which executions would show something new.
type Engine struct {
	hand
	// The options are to be set before the first execution is absorbed.

	allowance
	// Apart says that nodes are histories: states of a goroutine that are equal are told apart.
	Apart bool
	// NoMerge says that goroutines with equal futures are told apart in the names of states.
	NoMerge bool
	// MergeFirst says that the first sweep merges such goroutines as well: for tests.
	MergeFirst bool
	// Full says that there is no reduction: for tests.
	Full bool
	// Retry says that the sweep begins again after each execution, instead of going on where it waited: for tests.
	Retry bool
	// Stop ends sweeps.
	Stop *explore.Stop
	// Share, if not nil, is called when there is something for a Helper to do.
	Share func()

	Stats Stats

	// Forever says which goroutines may go on for ever, and ForeverAt where, if Next says Endless.
	Forever   string
	ForeverAt event.Site

	sweep   *sweep
	tasks   []Task
	blocked map[string]bool // sets that an execution has shown
	stuck   map[uint64]bool // final states that were tried
	ledTo   [][]int32       // where goroutines stood when executions ended that left somebody behind (ENDLESS4)
	endings
	merge   bool // from now on sweeps merge
	unknown bool // a state was met in which the operation of a goroutine is not known
	planned []spec.Move
	batch   []*expansion // memory of advance
	free    stock
	job     atomic.Pointer[job]
	plan    plan
}

// An allowance is how far sweeps may go.
type allowance struct {
	// Budget is the number of states that they may visit; 0 means DefaultBudget.
	Budget int
	// room is the work that they may take, states and comparisons of the reduction together, from so many states and
	// comparisons on; 0 means so many comparisons for each state.
	room          int64
	states, pairs int
}

// took is the work since it was given, where so many states and comparisons were made by now.
func (a *allowance) took(states, pairs int) int64 {
	return explore.StateWork*int64(states-a.states) + explore.PairWork*int64(pairs-a.pairs)
}

// beyond reports whether sweeps have made all the states, or comparisons, that they may.
func (a *allowance) beyond(states, pairs int) bool {
	if a.room > 0 {
		return states >= a.Budget || a.took(states, pairs) >= a.room
	}
	return states >= a.Budget || pairs >= a.Budget*reduce.WorkPerState
}

// endings are the run-time errors that end executions, by edge.
type endings struct {
	dropped   map[int32]bool // shown by executions alone that were dropped
	shownEnds map[int32]bool // shown by others
}

// maxEnded bounds the states in which executions have ended that are kept.
const maxEnded = 1000

// DefaultBudget is the number of states that sweeps may visit, over all their beginnings.
const DefaultBudget = 800_000

// Stats count the work.
type Stats struct {
	States    int // states visited, over all beginnings
	Sweeps    int // beginnings
	Histories int // distinct complete histories, summed over goroutines
}

// A Kind says what a task is about.
type Kind uint8

// The kinds of tasks.
const (
	Execute Kind = iota // the seed shows an operation returning something new
	Race                // the last two steps of the seed race
	Blocked             // the seed leads to a state in which nothing can move
)

// A Task is an execution that the engine asks for.
type Task struct {
	Kind  Kind
	Seed  seed.Seed
	Sites [2]event.Site // of a race
	want  known.EdgeKey

	version int32 // of the layout
	name    string
	endless bool // goroutines go on for ever there (ENDLESS2)
}

// New returns an engine without knowledge.
func New() *Engine {
	e := &Engine{
		hand: hand{Reducer: reduce.NewReducer()}, blocked: make(map[string]bool), stuck: make(map[uint64]bool),
		endings: endings{dropped: make(map[int32]bool), shownEnds: make(map[int32]bool)},
	}
	reduce.Anew(e.Reducer)
	return e
}

// Absorb adds an execution that ran under w. An error says that the program, or the machine, is not as the
// specification has it: nothing can be concluded then.
func (e *Engine) Absorb(t *trace.Trace, w *learn.Watch) error {
	e.ByHistory, e.Distinct, e.Regimes, e.MayBuffer = e.Apart, e.Distinct || e.NoMerge, true, true
	if err := learn.Absorb(&e.Rules, t, w); err != nil {
		return err
	}
	e.Distinct = e.Distinct || e.Stacks // UGO4
	if settles(t) && len(e.ledTo) < maxEnded && slices.ContainsFunc(e.End.Nodes, func(n int32) bool { return n != 0 }) {
		e.ledTo = append(e.ledTo, e.End.Nodes)
	}
	if t.Drops && t.Status == trace.Failed {
		e.noteEnd(t.Dropped)
	}
	return nil
}

// Raced notes that a pair of sites was shown to race.
func (e *Engine) Raced(a, b event.Site) { e.NoteRace(reduce.PairOf(a, b)) }

// Stuck notes what the execution of a task of kind Blocked showed.
func (e *Engine) Stuck(t Task, shown *trace.Trace) {
	if t.endless && settles(shown) || !t.endless && allBlocked(shown) {
		e.blocked[t.name] = true
	}
}

// Shown reports whether a task of kind Execute showed what it was for.
func (e *Engine) Shown(t Task) bool {
	if t.version != e.Layout.Version {
		return true // what it was for has another name now
	}
	return t.want.Key.Case == -2 || e.EdgeOf(t.want.Node, t.want.Key) >= 0 || e.Told[t.want] // it needs another one, for the time that was not known to matter
}

// An Answer is what Next has to say.
type Answer uint8

// The answers.
const (
	Do        Answer = iota // the task
	Later                   // nothing before an execution that was asked for is absorbed
	Exhausted               // nothing: the knowledge is complete
	Beyond                  // it cannot tell: there are too many states
	Crowded                 // it cannot tell: ErrCrowded
	Endless                 // it cannot tell: there are states from which the goroutines go on for ever
)

// Next returns what to execute next. Executions that were asked for before need not be absorbed yet; asked is their
// number. A task of another kind than Execute is to be done at once.
func (e *Engine) Next(asked int) (Task, Answer) {
	if e.Budget == 0 {
		e.Budget = DefaultBudget
	}
	for {
		if len(e.tasks) > 0 {
			t := e.tasks[0]
			e.tasks = e.tasks[1:]
			if t.Kind == Race && e.Racing.Raced[t.Sites] || t.Kind == Blocked && e.blocked[t.name] {
				continue
			}
			return t, Do
		}
		anew := e.sweep == nil || e.Stale || e.Retry && len(e.Arrivals) > 0
		if anew && asked > 0 {
			return Task{}, Later
		}
		if !e.Raise() {
			return Task{}, Crowded
		}
		if anew {
			e.begin()
		}
		e.wake()
		if !e.run() {
			return Task{}, Beyond
		}
		if e.Stale { // UTIME14
			continue
		}
		w := e.sweep
		switch {
		case len(e.tasks) > 0:
		case len(w.pending) > 0:
			x := w.pending[0]
			w.pending = w.pending[1:]
			return Task{Kind: Execute, Seed: e.seedOfMoves(e.execution(w.waiters[x][0])), want: x, version: e.Layout.Version}, Do
		case asked > 0:
			return Task{}, Later
		case w.done() && !e.Grown && reduce.Confirm(e.Reducer):
			if e.Stats.Histories = len(e.Complete); len(e.Joined) > 0 {
				e.Stats.Histories = -1 // nodes are states
			}
			if e.unknown {
				return Task{}, Beyond
			}
			if !w.endless() {
				return Task{}, Exhausted
			}
			if answer := lookAtEnds(e); answer != Do {
				return Task{}, answer
			}
		default:
			e.merge = true
			e.begin()
		}
	}
}

// Loops reports whether a goroutine was seen to come back to a state.
func (e *Engine) Loops() bool { return len(e.Graphs.Loops) > 0 }

// begin starts the sweep anew.
func (e *Engine) begin() {
	e.sweep = newSweep(e.sweep)
	e.Arrivals = nil
	reduce.Anew(e.Reducer)
	e.Stale, e.Grown, e.unknown = false, false, false
	e.Merging = (e.merge || e.MergeFirst) && !e.Distinct
	e.Roomy = e.sweep.met == 0
	e.Sweeps++
	e.Stats.Sweeps = int(e.Sweeps)
	s := e.Start()
	name := e.Fingerprint(&s)
	e.push(frame{s, -1, name}, name)
}
