package vm

import (
	"cmp"
	"math"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines clocks, timers and bubbles as far as goroutines and other rooms know them. The rules are in
// package clock.
//
// It also says whom an execution tells the time. A goroutine that is told none goes on in the same way whatever it
// is: that is what states are named by (rule UTIME9 of package spec).
//
//	TOLD1  A goroutine is told the time by a reading of the clock, and by what a timer's channel gives it; what the
//	       file system keeps is an event.
//	TOLD2  Who starts a timer is not. What package time reads of the clock for it (time.when) goes to the start of the
//	       timer alone, and both are one operation, at one time. Between the two a goroutine may be slow: then the
//	       timer is due sooner after its start. Of a timer that nobody else knows, nobody can tell that from an
//	       earlier start: what is due by then may fire late as well.
//	TOLD3  What a timer's channel gives is not looked at where the instruction that receives it has a result that no
//	       instruction refers to (event.Op.Blind). So it gets zeroes, and its event has no value: whatever the time
//	       was, the goroutine is in one state, whoever looks at it.
//	TOLD4  Where others know the timer, and timers may fire early, the reading is an operation of its own, and tells
//	       the time: they may stop the timer, or start it, and time may pass, before it starts.
//	TOLD5  Who asks for a context with a timeout is told no time either, outside of bubbles, if the context, and
//	       all that it is derived from, are of package context. The deadline goes nowhere but to the timer, and to
//	       who asks for it: by Deadline, by the context's text, or for a context with a timeout within this one.
//	       The last is told the time, and which deadline comes first. That may depend on when the outer one was made,
//	       which nothing that the goroutine was told may say: the entry is incomplete then, but where only one answer
//	       is possible (clock.Sooner), or the outer one is over. Of the others no source outside of package context
//	       has one: code outside the standard library names no method Deadline and embeds no context, and package
//	       net, which asks, is not there. Who asks by reflection or for the text is answered, and the entry is
//	       incomplete for that. Between the reading of the clock and the start of the timer, natively two, a
//	       goroutine may be slow. As with TOLD2 nobody can tell that from an earlier start. If the timeout is over by
//	       then, the context is over as if its timer had fired at once. What is read of a context for all this is an
//	       event, as natively.
//	TOLD6  When a goroutine outside of bubbles has read the clock is no part of the name of its state. What it has
//	       kept of that is in its frames and in its memory, or others were told it by events; of a timer that it is
//	       about to start again (TOLD4), in what the instruction has heard (HEARD1). How often it has read the clock
//	       is part of the name: its next reading is later by that (TIME5).

// A Bubble is one of testing/synctest: goroutines with a clock of their own. The rules are in clock/bubble.go.
type Bubble struct {
	Timeline
	ID      int32
	Name    string
	Root    *G   // in Run; it belongs to the bubble and has no part in it
	Main    *G   // runs Run's function
	Threads []*G // the others that have not ended, by the order of their start
	Active  int  // what else keeps it from being idle

	WaitReady bool // BUBBLE1 holds
	EndReady  bool // BUBBLE3 holds

	TimerHeap
}

// A TimerHeap is what rule BUBBLE6 asks of the heap in which the runtime has the timers of a bubble. What follows from
// it is in clock/stopped.go.
type TimerHeap struct {
	Stopped  map[uint64]Stopped  // what is in the heap, and would not fire: see clock/stopped.go
	Waited   map[uint64]bool     // channels of timers at which somebody may have blocked since the timer fired last
	Blocked  map[uint64]int64    // those of active timers at which somebody was blocked when the bubble was idle last, and the deadlines
	Fired    map[uint64]bool     // channels of timers that have sent, and were not started for later since: they are not in the heap
	Sent     map[uint64]Resetter // channels at which nobody stood when a timer was reset, and so sent at once, since the bubble was idle
	Modified bool                // a timer was started again that may have been in the heap
	Joined   []HeapEntry         // since the bubble was idle: a set, in order
	Resumed  []event.ThreadID    // who has started stopped ones again since then that are in the heap: likewise
}

// A Resetter is who has reset a timer, and how many goroutines that one had started then.
type Resetter struct {
	By   event.ThreadID
	Kids int
}

// A HeapEntry says that a goroutine has put a timer into the heap, or its sleep: the address is 0 then.
type HeapEntry struct {
	By   event.ThreadID
	Addr uint64
}

func (e HeapEntry) compare(o HeapEntry) int {
	return cmp.Or(cmp.Compare(e.By, o.By), cmp.Compare(e.Addr, o.Addr))
}

// A Stopped is a timer that was active when it was stopped, or left by who was blocked at its channel, as far as rule
// BUBBLE6 asks.
type Stopped struct {
	When     int64          // its deadline
	By       event.ThreadID // who stopped it; "" if it was left
	Gone     bool           // it has been taken out of the heap
	Cleaned  bool           // likewise, but if a goroutine was to be preempted
	Doubtful bool           // in some order of what goroutines did it has
	Lost     bool           // nobody knows
}

// BubbleID returns the number of a bubble, 0 for none.
func BubbleID(b *Bubble) int32 {
	if b == nil {
		return 0
	}
	return b.ID
}

// BubbleOf returns the bubble of a number, nil if it is over.
func (m *Clockwork) BubbleOf(id int32) *Bubble {
	for _, b := range m.Bubbles {
		if b.ID == id {
			return b
		}
	}
	return nil
}

// Enter puts g into b.
func (b *Bubble) Enter(g *G) {
	if g.Bubble = b; b != nil {
		b.Threads = append(b.Threads, g)
	}
}

// HeapReason is why an entry is not exhausted in which rule BUBBLE6 would tell more orders apart than explorers do.
const HeapReason = "which of two goroutines comes first that start timers, or sleep, in one bubble " +
	"decides how a stopped timer starts again, and is not explored"

// SendReason is why an entry is not exhausted in which a timer would send later in an order that explorers do not tell
// apart.
const SendReason = "a timer of a bubble, at whose channel a goroutine may have blocked, sends at once or when the bubble " +
	"is idle if it is reset to a time that has come: the latter is not explored"

// SendsAtOnce notes that g has reset a timer to a time that has come, and it has sent to its channel at once.
func (b *Bubble) SendsAtOnce(ch uint64, g *G) {
	if b.Sent == nil {
		b.Sent = map[uint64]Resetter{}
	}
	b.Sent[ch] = Resetter{g.ID, g.Kids}
}

// MayHaveStood reports whether g, which comes to a channel, may have stood there before a timer was reset.
func (b *Bubble) MayHaveStood(g *G, ch uint64) bool {
	r, sent := b.Sent[ch]
	return sent && g.ID != r.By && !g.ID.StartedAfter(r.By, r.Kids)
}

// Waits notes that somebody may have blocked at the channel of a timer.
func (b *Bubble) Waits(ch uint64) {
	if b.Waited == nil {
		b.Waited = map[uint64]bool{}
	}
	b.Waited[ch] = true
}

// Stays notes that a timer stays in the heap, and would not fire.
func (b *Bubble) Stays(addr uint64, s Stopped) {
	if b.Stopped == nil {
		b.Stopped = map[uint64]Stopped{}
	}
	b.Stopped[addr] = s
}

// JoinsHeap notes that g puts a timer into the heap, or its sleep: addr is 0 then. If that is not sure it may be there
// already.
func (b *Bubble) JoinsHeap(m *Machine, g *G, addr uint64, sure bool) {
	sure = sure && b.others(g) <= 1
	for a, s := range b.Stopped {
		if a != addr {
			s.Cleaned, s.Doubtful = s.Cleaned || sure, s.Doubtful || !sure
			b.Stopped[a] = s
		}
	}
	e := HeapEntry{By: g.ID, Addr: addr}
	if i, is := slices.BinarySearchFunc(b.Joined, e, HeapEntry.compare); !is {
		b.Joined = slices.Insert(b.Joined, i, e)
	}
	if slices.ContainsFunc(b.Resumed, func(by event.ThreadID) bool { return by != g.ID }) {
		m.Unseen(g, HeapReason)
	}
}

// Resumes notes that g has started a timer again that is in the heap.
func (b *Bubble) Resumes(g *G) {
	if i, is := slices.BinarySearch(b.Resumed, g.ID); !is {
		b.Resumed = slices.Insert(b.Resumed, i, g.ID)
	}
}

// others is how many timers and sleeps are in the heap of a bubble at most that have not been stopped, but for g's.
func (b *Bubble) others(g *G) int {
	n := len(b.Timers) + len(b.Due)
	for _, o := range b.Threads {
		if o != g && o.Sleeping {
			n++
		}
	}
	return n
}

// A Clockwork is what the clock of an execution knows: timers, bubbles, and who waits for the clock.
type Clockwork struct {
	Timeline // of what is in no bubble
	Bubbles  []*Bubble
	Assoc    map[uint64]*Bubble // internal/synctest.Associate
	Records  map[uint64]*Timer  // the last start of each timer, by address
	TimerSeq uint64
	Clocks   map[event.ThreadID]*G // the threads of timers
	Early    []*G                  // those whose firing, or end of a sleep, is offered by rule TIME4
	Asleep   []*G                  // at Sleep by the machine's clock, in the order in which they came
	Firings  int
	Ticks    int64            // readings of the clock so far (TIME5)
	Promised map[uint64]int64 // the deadlines of contexts that are told nobody, by address (TOLD5)
}

// A Timer is one of package time. addr is the *time.Timer, whose first word is its channel.
type Timer struct {
	Addr    uint64
	When    int64
	Asked   int64 // when it was to fire first, before that was rounded (TIME5)
	Period  int64
	Seq     uint64
	Func    *Func // sendTime, goFunc, or another function of (arg, seq, delta)
	Closure uint64
	Arg     uint64 // the interface arg, two words
	Arg2    uint64
	Owner   *G
	By      *G             // who started it last
	Kids    int            // goroutines that By had started then
	Began   uint64         // Seq at the last start; that of a ticker changes with each tick
	Ticks   int64          // of the goroutine that started it, when it did
	Site    event.Site     // where it was made
	Bubble  *Bubble        // of the goroutine that made it; nil: it follows the machine's clock
	Name    event.ThreadID // of the goroutine its function runs in; its own thread is this after "T/"
	Fired   *int           // how often it ran one
	Offered bool           // it may fire since it was started (BUBBLE6)
	First   bool           // it is due, and fires before all else in its bubble (BUBBLE7)
}

// NoTimer is that of a timer's thread that has nothing to fire now.
var NoTimer = &Timer{}

// Object is what the events of a timer name: its channel, if it has one.
func (t *Timer) Object() uint64 {
	if t.Func != nil && t.Func.Name == "time.sendTime" {
		return t.Arg2
	}
	return t.Addr
}

// Epoch is the virtual time at which an execution starts: 2000-01-01T00:00:00Z, as in testing/synctest.
const Epoch = 946684800 * 1_000_000_000

// wallAhead is how far the date is ahead of the virtual time, outside of bubbles: an execution starts on
// 2026-11-04T10:20:30Z. Programs compare the date with dates that stand in them, of certificates and tokens above all,
// and are written for the present. It is an ordinary day, and no midnight.
const wallAhead = 1793787630*1_000_000_000 - Epoch

// Date is the date at a virtual time outside of bubbles, in nanoseconds since 1970.
func Date(now int64) int64 {
	if now > math.MaxInt64-wallAhead {
		return math.MaxInt64
	}
	return now + wallAhead
}

// AfterReturn is how often the clock moves on behalf of what an entry that has come to its end left behind (TIME3).
const AfterReturn = 64

// EarlyTime is when go test gives a test up, if it is not told otherwise. A goroutine that is slower than that is
// none that anybody sees: who sets a time-out of an hour, or of 15 minutes, means that it never strikes.
const EarlyTime = 10 * 60 * 1_000_000_000

// lateness is that of rule TIME5: 10 microseconds are told from their end, and in a second the clock gains less than
// a busy computer does.
const lateness = 10_000

// Gain is how far a reading of the machine's clock at an instant is ahead of it (TIME5).
func (m *Execution) Gain(now int64) int64 { return (now - Epoch) / lateness }

// A Timeline is a clock and what waits for it: the machine's own, and one for each bubble of testing/synctest.
type Timeline struct {
	Now    int64
	Timers []*Timer // in the order in which they fire
	Due    []*Timer // their time has come
}

// Compare orders timers by their deadlines, and then by when they were started.
func (t *Timer) Compare(u *Timer) int {
	return cmp.Or(cmp.Compare(t.When, u.When), cmp.Compare(t.Seq, u.Seq))
}

// Add adds a timer that waits.
func (tl *Timeline) Add(t *Timer) {
	i, _ := slices.BinarySearchFunc(tl.Timers, t, (*Timer).Compare)
	tl.Timers = slices.Insert(tl.Timers, i, t)
}

// Remove removes a timer that waits, and reports whether it did.
func (tl *Timeline) Remove(t *Timer) bool {
	i, ok := slices.BinarySearchFunc(tl.Timers, t, (*Timer).Compare)
	if ok {
		tl.Timers = slices.Delete(tl.Timers, i, i+1)
	}
	return ok
}

// Line is the timeline that a goroutine lives on.
func (m *Clockwork) Line(g *G) *Timeline {
	if g.Bubble != nil {
		return &g.Bubble.Timeline
	}
	return &m.Timeline
}

// Pending are the timers that can still fire.
func (m *Clockwork) Pending() []*Timer {
	all := slices.Concat(m.Timers, m.Due)
	for _, b := range m.Bubbles {
		all = slices.Concat(all, b.Timers, b.Due)
	}
	return all
}

// Line is the timeline that a timer follows.
func (t *Timer) Line(m *Machine) *Timeline {
	if t.Bubble != nil {
		return &t.Bubble.Timeline
	}
	return &m.Timeline
}

// StartTicks has the readings of the clock of a goroutine that starts come after those before (TIME5).
func (g *OwnTime) StartTicks(ticks int64) {
	if ticks > 0 {
		g.Ticks, g.Readings = ticks, HashMix(g.Readings, uint64(ticks))
	}
}

// OwnTime is what a goroutine has to do with the clock.
type OwnTime struct {
	Timers   int    // started so far
	Fires    *Timer // of a timer's thread: the timer that is offered, or NoTimer
	WakeAt   int64  // Sleep: virtual time
	Sleeping bool
	AskedAt  int64  // when the clock was read for a timer that starts again
	Early    bool   // the end of its sleep is offered by rule TIME4
	Slept    int    // sleeps that have ended
	Readings uint64 // hash of the clock's readings
	Told     uint64 // likewise, of those in a bubble that tell it something (TOLD2, TOLD6)
	Ticks    int64  // how many there were, those of the goroutine that started it included (TIME5)
}

// Tells notes that g is told the time.
func Tells(m *Machine, g *G) {
	if g.Bubble != nil { // TOLD6
		g.Told = HashMix(g.Told, uint64(m.Line(g).Now))
	}
	if m.Mode == Running || m.Inits {
		return
	}
	is := trace.Told{Thread: g.Index, Seq: g.Seq}
	if n := len(m.Trace.Told); n == 0 || m.Trace.Told[n-1] != is {
		m.Trace.Told = append(m.Trace.Told, is)
	}
}

// SleptEarly is how many sleeps of g count for whether its next ones may end early (TIME4).
func SleptEarly(m *Machine, g *G) uint64 {
	if !m.Options.Timing {
		return 0
	}
	return uint64(min(g.Slept, m.Options.EarlyMost))
}
