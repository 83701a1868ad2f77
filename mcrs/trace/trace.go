// Package trace holds what one execution of the machine did: an immutable
// sequence of events with what is needed to reason about it.
package trace

import (
	"github.com/heddle-go/heddle/mcrs/event"
)

// A Thread is one goroutine of an execution.
type Thread struct {
	ID     event.ThreadID
	Parent int32 // index in Trace.Threads, -1 for the entry's goroutine and the clock
	Spawn  int32 // index in Trace.Events of the event that started it, -1 if none
	Site   event.Site
	// Pending is the operation at which the goroutine stood when the execution
	// ended; nil if it had ended.
	Pending *event.Op
	// Leaked says that the goroutine was blocked, at quiescence after the entry
	// returned, on objects that nothing alive reaches.
	Leaked bool
	// Alive says, where the execution is a deadlock, that the goroutine is no part of it: it could have gone on.
	Alive bool
	// Stack of the pending operation, innermost frame first, where the
	// execution recorded stacks.
	Stack []Frame
	// Polls says that the goroutine goes round for ever in a loop that waits for a change that nothing can make any
	// more.
	Polls bool
	// Polled says that it has gone round in such a loop until something changed. How often is left out.
	Polled bool
	// Waits is what the pending operation waits for, in words ("chan receive",
	// "sync.Mutex.Lock" …), as the runtime's goroutine dumps say it.
	Waits string
	// Holder is the index of the thread that holds the lock waited for, -1 if none.
	Holder int32
	// Buffers is 1 + the index of the goroutine whose store buffer the thread is, 0 if it is none.
	Buffers int32
	// Queue, with partial store order, is the address whose stores it brings to memory. Spawn is then the event that
	// published what stood there before any of them.
	Queue uint64
	// Bubble is the number of the bubble of testing/synctest that the goroutine (or clock) is in, 0 if none.
	Bubble int32
}

// A Frame is one call of a stack.
type Frame struct {
	Func string     // as runtime.Func.Name gives it
	Site event.Site // the instruction it stands at
}

// A Refusal is something that the program asked for, that the machine does not have, and that natively it might well
// have been given.
type Refusal struct {
	What   string // "the network", "another process", …
	Caller string // the function outside the standard library that asked for it
	Site   event.Site
	Failed bool // the execution then failed, or left goroutines blocked
}

// A Status says how an execution ended.
type Status uint8

const (
	// Returned: the entry returned (or called os.Exit) and what it left behind
	// ran until it ended, blocked, or the entry's process would have gone.
	Returned Status = iota
	// Deadlocked: no goroutine can run and no timer is pending.
	Deadlocked
	// Failed: an unrecovered panic or a fatal error ended the program.
	Failed
	// Stopped: the scheduler stopped the execution, or ended it as redundant.
	Stopped
	// Limit: a limit struck; Reason says which.
	Limit
	// Unsupported: the machine lacks an operation; Reason names it, its caller and line.
	Unsupported
	// Livelocked: what can go on only repeats itself, for ever; the entry has not returned.
	Livelocked
)

func (s Status) String() string {
	return [...]string{"returned", "deadlocked", "failed", "stopped", "limit", "unsupported", "livelocked"}[s]
}

// Places say where events stand, if the execution recorded stacks.
type Places struct {
	// Stacks holds the stack of each event, innermost frame first.
	Stacks [][]Frame
	// Meanings says in words what an event of a stand-in of the machine's means, by its index in Events: "" if it means
	// nothing by itself. Those of the program's own code are not in it.
	Meanings map[int]string
}

// Mean says what the event at index i means.
func (p *Places) Mean(i int, words string) {
	if p.Meanings == nil {
		p.Meanings = map[int]string{}
	}
	p.Meanings[i] = words
}

// A Cost is what an execution took, besides its events.
type Cost struct {
	Steps     int64 // instructions interpreted
	Allocated int64 // bytes, those of frames left out
	LookedAt  int64 // words, to name states of goroutines
	Among     int64 // live goroutines, summed over the choices of one of them
}

// A Trace is one execution. It is not modified after the machine returned it.
type Trace struct {
	Threads []Thread
	Events  []event.Event
	Cases   [][]event.Case // of selects; see event.Event.Cases
	Channels
	Sharing
	Clockwork
	Failing
	TestRun

	// Silent lists the synchronisation that made no event, in order.
	Silent []Silent
	Status Status
	Reason string // of Limit and Unsupported
	// ReasonSite is where Reason struck, 0 if nowhere.
	ReasonSite event.Site
	// Memory is the memory model of the execution.
	Memory event.MemoryModel
	Omission
	// Full says that the limit was that of the program's own memory: nothing comes after that.
	Full bool
	// Spun says that time passed, or the execution was given up, because all goroutines that could run seemed to poll.
	Spun bool
	// Dropped says that the execution counts for nothing but itself: whoever asked for it does not want its failures.
	Dropped bool
	// Refused is the first thing that code outside the standard library asked for and was refused, nil if there is
	// none.
	Refused *Refusal
	// Environment are the environment variables that code outside the standard library asked for and the program had
	// not set itself, as NAME=VALUE, or NAME if it is not set; sorted, each once.
	Environment []string
	// Unordered holds the objects whose operations order nothing, by address: those of signals. It is not to be
	// changed.
	Unordered map[uint64]bool
	Places
	// Diverged is the index in the seed of the first step that could not be followed, -1 if none.
	Diverged int
	Cost
	// Output is what the program wrote to its standard output and error.
	Output []byte
	// Dependence says what each event depends on, nil unless the machine followed it.
	Dependence *Dependence
}

// An Omission says what an execution left out, "" if nothing: then the entry cannot be exhausted. UnseenSite is where.
type Omission struct {
	Unseen     string
	UnseenSite event.Site
}

// Channels are what is known of the channels of an execution, by address.
type Channels struct {
	// Caps holds the capacity of each channel with an event or a pending operation, or of which it was asked. Explorers
	// use it to see what a channel enables without running the program. It is nil if the machine does not say. It is -1
	// for a channel that held elements before the execution began.
	Caps map[uint64]int
	// Unsized holds the buffered ones whose elements have no bytes.
	Unsized map[uint64]bool
	// Closed holds the channels that package initialisation closed.
	Closed map[uint64]bool
	// Filled holds those that held elements before the execution began.
	Filled map[uint64]Filling
}

// A Filling is what a channel held before the execution began.
type Filling struct {
	Cap      int
	Elements []uint64 // digests
}

// Sharing is what became visible to other goroutines without an event of its own.
type Sharing struct {
	// Published lists what became shared, in order. Bytes holds its content, and that of accesses to more than eight
	// bytes (see event.Event.Other).
	Published []Publication
	Bytes     []byte
	// Carried has the words of values of which events have the digest alone, where one of the words is an address of
	// Unlogged memory, or of a channel.
	Carried map[uint64][]uint64
}

// A Clockwork says what the virtual clock did.
type Clockwork struct {
	// Timing says that it is an execution of the second regime of time, and EarlyMost how many firings, and sleeps of a
	// goroutine, may be early in it.
	Timing    bool
	EarlyMost int
	// Timers says that a timer was pending, or a goroutine asleep, while another could run, or could have run had it
	// been slower. The second regime of time may show more.
	Timers bool
	// ClockReaders are the threads that read the clock outside of bubbles, a bit each, the last one for all from the
	// 64th on.
	ClockReaders uint64
	// Readings are what ClockReaders read, in order, if readings bring the clock on (sched.Options.Ticking).
	Readings []Reading
	// Ordered says that readings of the clock are visible operations (sched.Options.Clocks).
	Ordered bool
	// Told lists who was told the time outside of bubbles, and when: in the first regime nothing else shows it.
	Told []Told
	// Early is how often the clock moved while a goroutine could run. Drops says that an execution in which it has is
	// dropped if the program itself rejects it.
	Early int
	Drops bool
	// GoesOn says that Unseen is only what the entry left behind, which goes on in new states (TIME3).
	GoesOn bool
	// Start is the virtual time at which the execution began. Clock lists the moves of the clock, and Started the
	// timers that were started, in order. Clock has no moves of the clocks of bubbles.
	Start   int64
	Clock   []ClockMove
	Started []TimerStart
	// Passed lists the rounds of goroutines that poll over which the clock has passed (POLL4), in order.
	Passed []Passing
	Bubbling
}

// A Reading is one of the clock: of which thread, after how many events of it, and at what time.
type Reading struct {
	Thread, Seq int32
	Now         int64
}

// A Passing is what a goroutine that polls has not done, since each round would have led to the same state.
type Passing struct {
	Event  int32 // number of events before it
	Thread int32
	Steps  int32 // transitions
	Round  int32 // those of one round
	Late   int64 // how much later it ends its sleep
}

// Bubbling says what the bubbles of testing/synctest have to do with.
type Bubbling struct {
	// Bubbled holds the channels at which goroutines of a bubble stood, or any if a bubble has made them, and the
	// WaitGroups to which they added: the number of the bubble that each belongs to, 0 if it belongs to none.
	Bubbled map[uint64]int32
	// First lists the firings of timers that came before all else that was due in their bubble (BUBBLE7 of the Go
	// machine): indices in Trace.Events, in order.
	First []int32
	// Entered says that a goroutine went into a bubble that has not started it, or kept one from coming to rest.
	Entered bool
}

// Bubble notes whose an object is.
func (b *Bubbling) Bubble(addr uint64, of int32) {
	if b.Bubbled == nil {
		b.Bubbled = map[uint64]int32{}
	}
	b.Bubbled[addr] = of
}

// Told says that a thread has read the clock after so many events of its own, and before the next one.
type Told struct {
	Thread, Seq int32
}

// Failing says how the program failed.
type Failing struct {
	// Panic is the text Go prints for the failure ("panic: …", "fatal error: …"), without stacks.
	Panic string
	// PanicThread is the index of the thread that failed.
	PanicThread int32
	// PanicCalled says that the panic is a call of panic in the user's code.
	PanicCalled bool
	// TestFailed says that the entry's test failed (t.Fail and its kin, or Example output
	// that differs); Failures holds the messages in order.
	TestFailed bool
	Failures   []Failure
	ExitCode   int
}

// A TestRun says what the entry's test told package testing.
type TestRun struct {
	// Skipped says that the test skipped itself, SkipText what it said of that.
	Skipped  bool
	SkipText string
	// Parallel is 1 + the number of events before the entry's test called t.Parallel, 0 if it did not.
	Parallel int
	// Older are the addresses, from Older[0] up to Older[1], of what the first goroutine made before the test began: in
	// an initialiser, or in TestMain.
	Older [2]uint64
	// Tests are the goroutines of the tests, in the order in which they were started, if the entry is a pair of them.
	Tests []event.ThreadID
}

// A Publication is a range of memory that other goroutines could reach for the first time after an event. Nothing of
// what its owner did to it before is an event.
type Publication struct {
	Event  int32 // index in Trace.Events of the first event of the transition
	Addr   uint64
	Offset int64 // in Trace.Bytes: its content
	Size   int64 // bytes
	// Unlogged says that reads of it make no event, since it is not written any more: the bytes of a string, a value in
	// an interface, a closure.
	Unlogged bool
}

// A Silent is an operation that synchronises and makes no event: on a lock, a Once or an atomic of the standard
// library's own.
type Silent struct {
	At int32       // number of events before it
	Op event.Event // what would have been logged; Seq means nothing
}

// A ClockMove is a change of the virtual time: what happens from the event on happens then.
type ClockMove struct {
	Event int32 // number of events before it
	Now   int64
	Early bool // the event moves it, in the second regime of time; else it moved because nothing could run
}

// A TimerStart is the start of a timer, by what a goroutine does after an event.
type TimerStart struct {
	Event   int32          // index in Trace.Events of the first event of the transition, -1 if it comes before all
	Thread  int32          // who starts it
	Kids    int32          // goroutines that this one has started before
	Timer   event.ThreadID // the thread in which it fires
	Object  uint64         // what its events name
	Channel bool           // Object is the channel that receives the time
	Keeps   bool           // and keeps it when the timer is stopped or started again, as before Go 1.23
	After   int64          // nanoseconds from now, before the deadline is rounded up
	Period  int64          // of a ticker, else 0
	Code    uint64         // digest of what it runs
	Bubble  int32          // whose clock it follows, 0 if the machine's
	Sent    uint64         // if it fires at once (BUBBLE4 of the Go machine): digest of what its channel receives
	Rests   bool           // it is due, and fires when its bubble comes to rest (BUBBLE4 of the Go machine)
	Stopped bool           // in a bubble: it may have been in the heap of the bubble since it was started before (BUBBLE6)
	Offered bool           // it is due, and can fire until then (BUBBLE6)
	Ticks   int64          // readings of the clock before it was started: what is sent on the channel is so many nanoseconds ahead
}

// A Failure is one message of a failing test: t.Error, t.Fatal, t.Fail.
type Failure struct {
	Thread  int32
	Event   int32 // number of events before it
	Message string
	Stack   []Frame // innermost frame first, in every execution
}
