// Package team shares the work of one exploration among goroutines: executions that the explorer knows ahead, and what
// its helpers find to do besides. The machine is one, and has a state of its own (what it has compiled, say). So
// executions are made in the order in which they are asked for, whoever makes them.
package team

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// A Team is the explorer's goroutine and its helpers.
type Team struct {
	m       sched.Machine
	helpers []*helper
	over    atomic.Bool

	machine sync.Mutex     // whose turn it is to execute
	queue   []*explore.Run // to be made, in order; under lock
	lock    sync.Mutex
	waiting atomic.Int32 // len(queue)
}

// A helper is a goroutine that looks for work.
type helper struct {
	asleep atomic.Bool
	wake   chan struct{}
	ended  chan struct{}
}

// A Helper says what a helper does besides executions.
type Helper interface {
	Wanted() bool // there is something to help with
	Help() bool   // helps, and reports whether there was something to help with
}

// New returns a team without helpers.
func New(m sched.Machine) *Team { return &Team{m: m} }

// helperPatience is how often a helper looks for work before it sleeps: to be woken takes longer than most work does.
const helperPatience = 2000

// Hire adds helpers up to n.
func (t *Team) Hire(n int, of func() Helper) {
	for len(t.helpers) < n {
		h := &helper{wake: make(chan struct{}, 1), ended: make(chan struct{})}
		t.helpers = append(t.helpers, h)
		go h.help(t, of())
	}
}

func (h *helper) help(t *Team, e Helper) {
	defer close(h.ended)
	for idle := 0; !t.over.Load(); {
		switch {
		case e.Help() || t.execute(): // the explorer waits for a batch to end, and for an execution mostly not yet
			idle = 0
		case idle < helperPatience:
			idle++
			runtime.Gosched()
		default:
			if h.asleep.Store(true); t.waiting.Load() == 0 && !e.Wanted() && !t.over.Load() {
				<-h.wake
			}
			h.asleep.Store(false)
			idle = 0
		}
	}
}

// Call wakes the helpers.
func (t *Team) Call() {
	for _, h := range t.helpers {
		if h.asleep.Load() {
			select {
			case h.wake <- struct{}{}:
			default:
			}
		}
	}
}

// execute makes the next execution that was asked for, unless there is none, or somebody is at it.
func (t *Team) execute() bool {
	if t.waiting.Load() == 0 || !t.machine.TryLock() {
		return false
	}
	defer t.machine.Unlock()
	t.lock.Lock()
	if len(t.queue) == 0 {
		t.lock.Unlock()
		return false
	}
	x := t.queue[0]
	t.queue = t.queue[1:]
	t.waiting.Add(-1)
	t.lock.Unlock()
	x.Make(t.m)
	return true
}

// Ask asks for an execution.
func (t *Team) Ask(sc sched.Scheduler, o sched.Options) *explore.Run {
	x := &explore.Run{Scheduler: sc, Options: o}
	t.lock.Lock()
	t.queue = append(t.queue, x)
	t.waiting.Add(1)
	t.lock.Unlock()
	t.Call()
	if len(t.helpers) == 0 {
		t.execute()
	}
	return x
}

// Wait waits for an execution, and makes those that nobody makes.
func (t *Team) Wait(x *explore.Run) {
	for !x.Made.Load() {
		if !t.execute() {
			runtime.Gosched()
		}
	}
}

// Run implements sched.Machine: it comes after what was asked for.
func (t *Team) Run(sc sched.Scheduler, o sched.Options) *trace.Trace {
	x := t.Ask(sc, o)
	t.Wait(x)
	return x.Trace()
}

// Dismiss ends the helpers, who have nothing to do any more.
func (t *Team) Dismiss() {
	t.over.Store(true)
	t.Call()
	for _, h := range t.helpers {
		<-h.ended
	}
	t.helpers = nil
}

// Still calls f while nobody executes.
func (t *Team) Still(f func()) {
	t.machine.Lock()
	defer t.machine.Unlock()
	f()
}
