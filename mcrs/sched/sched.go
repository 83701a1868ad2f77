// Package sched is the contract between the machine and whoever decides which
// goroutine runs.
//
// The machine stops every goroutine before each visible operation. It then
// offers the scheduler all transitions that are enabled, and performs the one
// chosen together with everything invisible that follows it, up to the next
// visible operation of the goroutines involved. So the states between two
// decisions are exactly those that another goroutine could tell apart.
//
// The shape is that of Shuttle's scheduler (one screen, a scheduler is a
// stream of decisions); a transition is finer than a thread because a select
// with several ready cases, and a rendezvous with several partners, are choices too.
package sched

import (
	"sync/atomic"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// A Transition is one step that could be taken now. Those of one state are offered in a fixed order: by
// thread, then case, then partner.
type Transition struct {
	Thread int32 // index in State.Threads
	// Case is the case of a select, -1 if the operation is no select; the
	// number of cases means default.
	Case int16
	// Partner is the receiving thread of a rendezvous on an unbuffered channel,
	// -1 if there is none. The sender is always Thread.
	Partner     int32
	PartnerCase int16 // the receiver's case, if it stands at a select; else -1
}

// A Thread is a goroutine as a scheduler sees it.
type Thread struct {
	ID   event.ThreadID
	Seq  int32     // number of events it has performed
	Op   *event.Op // what it is about to do; nil if it has ended
	Spin bool      // it has only repeated itself since the last event of another thread (a polling loop)
	// Starved says that it could have gone on for long, while others took turns that may never end.
	Starved bool
	// Early says that its timer, or the end of its sleep, is offered though the clock has not come so far. That is so
	// in the second regime of time, where goroutines may be slow.
	Early bool

	Bubble int32 // of testing/synctest that it is in, 0 if none
	Queued bool  // it stands in the queues of its channels, since its bubble came to rest
}

// Ends reports whether the transition ends the program, and so cuts off what
// the other threads would still do.
func (s *State) Ends(t Transition) bool {
	return s.Threads[t.Thread].Op.Kind.EndsProgram()
}

// A State is what a scheduler may look at. It is valid during the call only.
type State struct {
	Step    int   // number of decisions so far
	Last    int32 // the thread of the last transition, -1 at the start
	Threads []Thread
	// Live are the threads, by number and in its order, that may stand at an operation: no other does. Nil are all.
	Live    []int32
	Enabled []Transition // never empty
	// Idle are transitions that would only repeat a state: rounds of a polling loop. Few schedulers want them; a
	// replay takes those that its seed names.
	Idle []Transition
	// Held are ends of sleeps, and firings of timers, whose time has come, and that wait for another timer to fire
	// first. Nobody can take one.
	Held []Transition
	// Hash returns a hash of the whole state, the replies to each goroutine so far among it: two states with equal
	// hashes go on in the same ways. nil if the machine has none.
	Hash func() uint64
	// Trace is the execution so far, to look at and not to keep. nil if the machine does not show it.
	Trace *trace.Trace
	// Local names what a thread, by its index, goes on from while it stands at an operation. It is nil if the machine
	// has no such names.
	Local func(thread int) Local
	// Callers are where the functions stand that have called a thread, by its index, to its operation; the operation's
	// own comes first. It is nil if the machine does not tell.
	Callers func(thread int) []event.Site
}

// A Local is a thread's own state before an operation.
type Local struct {
	// Digest is a hash. Two states of one thread with equal digests, which have done the same in silence, go on in the
	// same ways.
	Digest uint64
	Known  bool // false if the state has no digest
	// Silent says that since its last event the thread did something that no event shows, and that is not in its
	// digest.
	Silent bool
}

// Stop, returned by Next, ends the execution.
const Stop = -1

// Standing are the threads that stand at an operation, by number. It takes as long as there are live ones.
func (s *State) Standing(yield func(int, *Thread) bool) {
	if s.Live == nil {
		for i := range s.Threads {
			if s.Threads[i].Op != nil && !yield(i, &s.Threads[i]) {
				return
			}
		}
		return
	}
	for _, i := range s.Live {
		if s.Threads[i].Op != nil && !yield(int(i), &s.Threads[i]) {
			return
		}
	}
}

// Transition returns what Next means by n.
func (s *State) Transition(n int) Transition {
	if n < len(s.Enabled) {
		return s.Enabled[n]
	}
	return s.Idle[n-len(s.Enabled)]
}

// A Scheduler decides. Next returns an index in s.Enabled, or len(s.Enabled) and an index in s.Idle, or Stop.
//
// Laws: a scheduler is deterministic; it is used for one execution; it does not keep s.
type Scheduler interface {
	Next(s *State) int
}

// A Machine runs the program once, from its start, under a scheduler. The
// litmus programs of tests, the Go machine, and one day an instrumented native
// run are the same to an explorer.
type Machine interface {
	Run(s Scheduler, o Options) *trace.Trace
}

// EarlyMost bounds the firings of an execution, and the sleeps of a goroutine, that may be early in the second regime
// of time. It is compared with the number of all firings, which is the same in equivalent executions. Without a bound a
// ticker would have infinitely many.
const EarlyMost = 16

// Options of one execution. The zero value means no limit and no stacks.
type Options struct {
	MaxEvents int               // events logged before the execution ends with trace.Limit; 0 means none
	MaxSteps  int64             // instructions interpreted; 0 means none
	MaxWords  int64             // looked at to name states of goroutines: what comes then has no name; 0 means none
	MaxMemory int64             // bytes alive in the machine's memory; 0 means none
	Stacks    bool              // record the stack of every event (slow; for witnesses)
	Memory    event.MemoryModel // sequentially consistent, if it is not set
	Timing    bool              // the second regime of time: a timer may fire while goroutines can run
	EarlyMost int               // with Timing: firings, and sleeps of a goroutine, that may be early; 0 means EarlyMost
	AllLeaks  bool              // who waits for what only package variables reach has leaked too
	Ticking   bool              // to confirm witnesses: each reading of the clock brings it on by a nanosecond, and goroutines seem to poll much later
	Instants  []int64           // with Ticking: the first readings are so many nanoseconds ahead
	Clocks    bool              // each reading of the clock is a visible operation, and later than those before (TIME11 of the machine)
	After     int               // moves of the clock after the entry's end, if more than otherwise
	Steps     int               // of the schedule that is followed: after the entry's end the clock moves on up to there

	// Ignores says of the site of a load, or of an atomic addition, that nothing acts upon what it returns. It returns
	// 0 then (rule UNUSED2 of the machine). Nil means of none.
	Ignores func(event.Site) bool
	// Called, if not nil, is set to how many functions executions have called since their notes began.
	Called *int
	// Enough reports whether an execution with so many events that has cost so much ends with trace.Limit. Nil: none
	// does. It is asked before each decision.
	Enough func(events int, cost trace.Cost) bool

	Cancelled *atomic.Bool // ends the execution with trace.Limit soon after it is set; nil means never
}
