// Package clock has virtual time: clocks that move when no goroutine can go on, or under their feet (clock.go),
// timers and sleeps (timers.go), and the bubbles of testing/synctest, each with a clock of its own (bubble.go).
package clock

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/naming"
	"github.com/heddle-go/heddle/mcrs/machine/objects"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines virtual time, in the two regimes of docs/machine.md. In the first the clock stands still while a
// goroutine can run; when none can, it moves to the next deadline, as testing/synctest has it.
//
// Specification.
//
//	TIME1  Sleep is enabled when the clock has reached its deadline.
//	TIME2  When nothing is enabled, the clock moves to the earliest deadline. Each timer due then fires in a thread of
//	       its own, one transition, so those due at the same instant fire in any order, as in a bubble of
//	       testing/synctest, but for TIME8. (An order by who was started first would make starts of different timers
//	       dependent.) A
//	       timer's channel receives the time unless it is full; a timer's function runs in a goroutine of its own. A
//	       timer that is started when its time has come is due at once, in both regimes, but see TIME10.
//	TIME3  After the entry has returned, the clock moves on behalf of what it left behind for as long as go test would
//	       wait (EarlyTime): later the process is gone. In the second regime the end may come before or after a move
//	       of the clock, and what may follow is the same: so the process is gone EarlyTime after its start, unless the
//	       entry went on for longer. After AfterReturn moves the execution ends, or after sched.Options.After if that
//	       is more, or as far as the schedule goes (Options.Steps). If what is left has not come back to a state in
//	       which it was before, so that all that follows has been seen (REPEAT1, naming/repeat.go), the entry is not
//	       exhausted.
//	TIME4  In the second regime (sched.Options.Timing) the clock may also move while a goroutine can run, to the next
//	       deadline: of a timer or a sleep. What is due then fires, as in TIME2, or ends. So goroutines are slow, but
//	       timers fire and sleeps end in order, and never before their time; that one who has slept goes on late needs
//	       no more. A ticker whose channel is full has nothing to offer. The clock moves so before the first
//	       Options.EarlyMost firings of an execution and sleeps of a goroutine, and up to EarlyTime after the start;
//	       from then on the first regime holds. What reads the clock (time.Now, Sleep, the start of a timer) is a read
//	       of it, hence a visible operation. Readings within testing and os are none.
//	TIME5  Outside of bubbles readings of the clock run ahead of deadlines, by one part in lateness of the time since
//	       the start: natively nobody wakes at the very instant that he waited for, so more than d has passed after
//	       Sleep(d), and a deadline d ahead is over. And no two readings of one goroutine are equal: each is ahead by
//	       another nanosecond for every earlier one of the goroutine, and of the one that started it until then. That
//	       is known from the goroutine's own past, so it makes no two goroutines dependent; but of readings by two
//	       goroutines at one instant the later can be the smaller. With sched.Options.Ticking the nanoseconds count
//	       all readings of the execution: by that witnesses are confirmed. Readings within testing and os do not
//	       count. Deadlines a microsecond ahead or more are rounded up to whole ones, so that what is due at one
//	       instant stays so.
//	TIME6  A tick that came while the ticker's channel was full is lost. In the second regime the clock may pass such
//	       a tick, since the ticker has nothing to offer; who then makes room finds the next tick, and not that one.
//	TIME7 Stop and Reset empty the channel of a timer, and len and cap of it are 0. Not so with
//	      GODEBUG=asynctimerchan=1, the default where the go line says less than 1.23: then the channel is one of
//	      capacity 1, which keeps what was sent (package godebug).
//	TIME8 Outside of bubbles the sleep of a goroutine ends, and a timer fires, after the timers with a channel that
//	      were started before it began, and that are due by then, have sent, or found their channel full. Before means
//	      in the order of one goroutine, and of go statements: what is started so has read the clock later, so its
//	      deadline is later. Whoever it wakes, or runs, and all that these tell of it, look at the channel when its
//	      time has come, and it is looked for then (runtime/time.go, maybeRunChan). What other synchronisation orders
//	      is not followed here: see TICK3 of package explore. Nor is that a timer on whose channel somebody has waited
//	      may be late natively (docs/limits.md, "Late timers").
//	TIME9 What package testing reads of the clock is the time at the start, but in benchmarks. It is in the durations
//	      alone that it prints. Else the end of a test would depend on how far the clock has come.
//	TIME10 A timer with a channel whose time has come when it is started, outside of bubbles, has sent at once:
//	      natively every operation on the channel looks first whether the timer is due, and sends what it would have
//	      sent (runtime/time.go, maybeRunChan). So nobody finds the channel empty, and Stop and Reset find the timer
//	      active until somebody has received. Not so with asynctimerchan=1, where the timer's thread comes first.
//	TIME11 With sched.Options.Clocks a reading of the clock is a visible operation, outside of bubbles: it adds to a
//	      counter that all goroutines have, and is ahead by as many nanoseconds as that says. It orders nothing, and
//	      races with nothing. Who starts a goroutine or a timer hands on what it was told last.

// AfterReturnReason is why an entry is not exhausted whose rest goes on for ever (TIME3).
var AfterReturnReason = fmt.Sprintf("the clock moved %d times after the entry had come to its end, and what it left behind goes on", vm.AfterReturn)

// Reading is what g reads of its clock.
func Reading(m *vm.Machine, g *vm.G) int64 {
	tick(m, g)
	if m.Mode == vm.Exploring && g.Bubble == nil && printsTime(m, g) { // TIME9
		return vm.Epoch
	}
	g.Readings = vm.HashMix(g.Readings, uint64(m.Line(g).Now))
	vm.Tells(m, g)
	if g.Bubble != nil {
		return g.Bubble.Now
	}
	if m.Mode == vm.Exploring && !m.Inits && !clockReader(m, g).Silent {
		if !m.Options.Clocks {
			g.Ticks++
			m.Ticks++
		}
		m.Trace.ClockReaders |= 1 << min(g.Index, 63)
		m.Trace.Ordered = m.Options.Clocks
		if m.Options.Ticking && !m.Options.Clocks {
			m.Trace.Readings = append(m.Trace.Readings, trace.Reading{Thread: g.Index, Seq: g.Seq, Now: m.Now})
			if n := len(m.Trace.Readings) - 1; n < len(m.Options.Instants) {
				return m.Now + m.Gain(m.Now) + m.Options.Instants[n]
			}
		}
	}
	return m.Now + m.Gain(m.Now) + ticked(m, g.Ticks)
}

// ticked is how many nanoseconds the readings of a goroutine that has come to ticks have brought the clock on (TIME5).
func ticked(m *vm.Machine, ticks int64) int64 {
	if m.Options.Ticking && !m.Options.Clocks {
		return m.Ticks
	}
	return ticks
}

// OfferEarly offers what is next by rule TIME4.
func OfferEarly(m *vm.Machine) {
	withdrawEarly(m)
	if len(m.Due) > 0 || m.Inits {
		return
	}
	next := nextFirings(m)
	at := int64(1<<63 - 1)
	if len(next) > 0 {
		at = next[0].When
	}
	for _, g := range m.Asleep {
		if g.Waiting && g.Op.Deadline <= m.Now { // it comes first
			return
		}
		if g.Waiting {
			at = min(at, g.Op.Deadline)
		}
	}
	if at > vm.Epoch+vm.EarlyTime {
		return
	}
	senders := map[event.ThreadID]Start{} // of those with room in their channels (nextFirings)
	if len(next) > 0 && next[0].When == at {
		noteSenders(m, next, senders)
	}
	for _, t := range next {
		if t.When == at && m.Firings < m.Options.EarlyMost && !fires(t).follows(senders) {
			m.Early = append(m.Early, offerFiring(m, t))
		}
	}
	for _, g := range m.Asleep {
		if g.Waiting && g.Op.Deadline == at && g.Slept < m.Options.EarlyMost && !wakes(g).follows(senders) {
			g.Early = true
			m.Early = append(m.Early, g)
		}
	}
}

// CouldBeEarly reports whether rule TIME4 would have something to offer.
func CouldBeEarly(m *vm.Machine) bool {
	soon := func(at int64) bool { return at > m.Now && at <= vm.Epoch+vm.EarlyTime }
	return slices.ContainsFunc(m.Timers, func(t *vm.Timer) bool { return soon(t.When) }) ||
		slices.ContainsFunc(m.Asleep, func(g *vm.G) bool { return g.Waiting && soon(g.Op.Deadline) })
}

// ManyStarted reports whether the execution has started a goroutine beside the entry's, alive or not. Where one has,
// it may still have had something to do when the clock could move, in an equivalent order of the same events: whether
// it had in this one is the scheduler's accident, and explorers run one order of many.
func ManyStarted(m *vm.Machine) bool {
	return slices.ContainsFunc(m.Threads, func(g *vm.G) bool { return g.Parent != nil && !g.Pseudo() })
}

// withdrawEarly takes back what OfferEarly has offered.
func withdrawEarly(m *vm.Machine) {
	for _, c := range m.Early {
		if c.Early {
			c.Early = false
		} else {
			c.Waiting, c.Fires = false, vm.NoTimer
		}
	}
	m.Early = m.Early[:0]
}

// A follower is what happens at its deadline, after all that was started before it (TIME8): the end of a sleep, or the
// firing of a timer.
type follower struct {
	by    event.ThreadID // who began to sleep, or started the timer
	since uint64         // what by itself started before that has a smaller number
	at    int64
}

func wakes(g *vm.G) follower { return follower{g.ID, 1<<64 - 1, g.Op.Deadline} }

func fires(t *vm.Timer) follower { return follower{t.By.ID, t.Began, t.When} }

// sendsBefore reports whether a timer with a channel was started before w began (TIME8).
func sendsBefore(m *vm.Machine, t *vm.Timer, w follower) bool {
	if t.By.ID == w.by {
		return t.Began < w.since && sends(m, t)
	}
	return w.by.StartedAfter(t.By.ID, t.Kids) && sends(m, t)
}

// sends reports whether rules TIME8 and BUBBLE7 are about a timer.
func sends(m *vm.Machine, t *vm.Timer) bool {
	return m.Mode == vm.Exploring && t.Func != nil && t.Func.Name == "time.sendTime" && drains(m, t)
}

// A Start says when timers were started, as far as rule TIME8 asks for it.
type Start struct {
	Began uint64 // the first of them
	Kids  int    // fewest goroutines that were started before one
}

// Senders are the timers with a channel that are due, by who started them.
func Senders(m *vm.Machine, out map[event.ThreadID]Start) { noteSenders(m, m.Due, out) }

func noteSenders(m *vm.Machine, timers []*vm.Timer, out map[event.ThreadID]Start) {
	for _, t := range timers {
		if !sends(m, t) {
			continue
		}
		x, ok := out[t.By.ID]
		if !ok {
			x = Start{t.Began, t.Kids}
		}
		out[t.By.ID] = Start{min(x.Began, t.Began), min(x.Kids, t.Kids)}
	}
}

// Held reports whether the end of g's sleep, or its firing if it is the thread of a timer, waits for one of the senders
// (TIME8).
func Held(g *vm.G, senders map[event.ThreadID]Start) bool {
	if g.Op.Kind == event.TimerFire {
		return fires(g.Fires).follows(senders)
	}
	return wakes(g).follows(senders)
}

// follows reports whether one of the senders must send before w happens (TIME8).
func (w follower) follows(senders map[event.ThreadID]Start) bool {
	if len(senders) == 0 {
		return false
	}
	if x, ok := senders[w.by]; ok && x.Began < w.since {
		return true
	}
	for by, child := range w.by.Ancestry {
		if x, ok := senders[by]; ok && child > x.Kids {
			return true
		}
	}
	return false
}

// WakeEarly moves the clock to the end of g's sleep, which was offered by rule TIME4.
func WakeEarly(m *vm.Machine, g *vm.G) { moveEarly(m, wakes(g)) }

// moveEarly moves the clock to what was offered by rule TIME4.
func moveEarly(m *vm.Machine, w follower) {
	withdrawEarly(m)
	m.Now = max(m.Now, w.at)
	if m.Mode == vm.Exploring {
		m.Trace.Clock = append(m.Trace.Clock, trace.ClockMove{Event: int32(len(m.Trace.Events)), Now: m.Now, Early: true})
	}
	if m.Others {
		m.Trace.Early++
	}
	CollectDue(m, &m.Timeline, &w)
}

// nextFirings are the timers with the earliest deadline of all that have something to do.
func nextFirings(m *vm.Machine) (next []*vm.Timer) {
	for _, t := range m.Timers {
		if len(next) > 0 && t.When > next[0].When {
			break
		}
		if full(m, t) {
			continue
		}
		next = append(next, t)
	}
	return next
}

// ReadClock announces that g is told the time, where the clock can move under a goroutine's feet.
func ReadClock(m *vm.Machine, g *vm.G) bool {
	return clockReader(m, g).Silent || counted(m, g) && changesNext(m, g, 0)
}

// counted announces that g counts its reading of the clock, where all are counted (TIME11).
func counted(m *vm.Machine, g *vm.G) bool {
	if !m.Options.Clocks || m.Direct || m.Inits || g.Bubble != nil {
		return true
	}
	stage := g.Stage
	if !m.Announce(g, event.Op{Kind: event.AtomicRMW, Loc: event.Location{Addr: vm.ReadingsObject, Size: 8}, Order: event.Nothing}) {
		return false
	}
	if g.First(stage) {
		m.Trace.Events[m.LastEvent].Key = uint64(m.Ticks)
		m.Ticks++
		g.Ticks = m.Ticks
		m.Means("reads the clock")
		m.Logged(g, uint64(m.Ticks), m.Ticks)
	}
	return true
}

// changesNext announces that g may change which deadline is next, where the clock can move under a goroutine's feet.
// That is no state of the function's own, so it is an event wherever it is done (TIME4). The key is event.SleepKey if
// the goroutine is told nothing.
func changesNext(m *vm.Machine, g *vm.G, key uint64) bool {
	return !m.Options.Timing || m.Direct || g.Bubble != nil || m.HostObject(g, vm.ClockObject, key, false)
}

// printsTime reports whether it is package testing that reads the clock, to print how long a test has taken.
func printsTime(m *vm.Machine, g *vm.G) bool {
	f := clockReader(m, g)
	return f.Silent && strings.HasPrefix(f.Name, "testing.") && !slices.ContainsFunc(g.Frames, func(fr vm.Frame) bool { return strings.HasPrefix(fr.Func.Name, "(*testing.B)") })
}

// clockReader is the function for which package time reads the clock.
func clockReader(m *vm.Machine, g *vm.G) *vm.Func {
	i := len(g.Frames) - 1
	for i > 0 && (g.Frames[i].Func.Intrinsic != nil || strings.HasPrefix(g.Frames[i].Func.Name, "time.") || strings.HasPrefix(g.Frames[i].Func.Name, "runtime.")) {
		i--
	}
	return g.Frames[i].Func
}

// tick moves the machine's clock on by a nanosecond at each reading of Exec's program, since no two instants are
// equal natively. A deadline is only reached by TIME2.
func tick(m *vm.Machine, g *vm.G) {
	if m.Mode == vm.Exploring || m.Inits || g.Bubble != nil {
		return
	}
	next := m.Now + 1
	if len(m.Timers) > 0 && m.Timers[0].When <= next {
		return
	}
	for _, o := range m.Asleep {
		if o.Waiting && o.Op.Kind == event.Sleep && o.Op.Deadline <= next {
			return
		}
	}
	m.Now = next
}

// Advance moves the machine's clock to the next deadline. It returns false if there is none.
func Advance(m *vm.Machine) bool {
	if !advance1(m, nil, false) {
		return false
	}
	for _, g := range m.Threads {
		g.Parked = g.Waiting
	}
	return true
}

// ClockMoved notes the time in the trace.
func ClockMoved(m *vm.Machine) {
	if m.Mode == vm.Exploring {
		m.Trace.Clock = append(m.Trace.Clock, trace.ClockMove{Event: int32(len(m.Trace.Events)), Now: m.Now})
	}
}

// after is how long after now a timer is to fire first, the same for all that never do.
func after(t *vm.Timer, now int64) int64 {
	if t.Asked == 1<<63-1 {
		return t.Asked
	}
	return t.Asked - now
}

// noteTimer notes in the trace that g has started a timer.
func noteTimer(m *vm.Machine, g *vm.G, t *vm.Timer, how resumption, stopped bool) {
	m.Silently(g, event.TimerStart, t.Object(), 0, 0)
	if m.Mode == vm.Running || m.Inits || m.Direct {
		return
	}
	now := t.Line(m).Now
	n := trace.TimerStart{
		Event: int32(m.Began), Thread: g.Index, Timer: "T/" + t.Name, Object: t.Object(), After: after(t, now), Period: t.Period,
		Bubble: vm.BubbleID(t.Bubble), Ticks: t.Ticks, Kids: int32(t.Kids), Stopped: stopped,
	}
	if n.After <= 0 {
		n.Rests, n.Offered = how == rests, how == offered
	}
	if len(m.Trace.Events) == 0 {
		n.Event = -1
	}
	if f := t.Func; f != nil {
		n.Channel = f.Name == "time.sendTime"
		n.Keeps = n.Channel && !drains(m, t)
		switch {
		case n.Channel && t.Bubble != nil && n.After <= 0 && !n.Rests:
			n.Sent = vm.Digest(timeValue(m, now, true))
		case sentAtOnce(m, t):
			n.Sent = vm.Digest(timeValue(m, now+m.Gain(now)+ticked(m, t.Ticks), false))
		}
		if c := m.ClosureFunc(t.Arg2); f.Name == "time.goFunc" && c != nil {
			f = c
		}
		n.Code = goroutine.StartDigest(m, f, t.Closure, []uint64{t.Arg, t.Arg2}, t.Ticks)
	}
	m.Trace.Started = append(m.Trace.Started, n)
}

// advance1 moves the clock of a bubble, or of those in none. Beside says that somebody outside of the bubble can move.
func advance1(m *vm.Machine, b *vm.Bubble, beside bool) bool {
	tl := &m.Timeline
	if b != nil {
		tl = &b.Timeline
	}
	over := m.EntryDone || m.MainStuck
	next := int64(-1)
	var rounds []*vm.G
	for _, g := range m.Threads {
		switch {
		case !g.Waiting || g.Bubble != b || g.Op.Kind != event.Sleep:
		case vm.SleepsInRound(m, g):
			rounds = append(rounds, g)
		case next < 0 || g.Op.Deadline < next:
			next = g.Op.Deadline
		}
	}
	if len(tl.Timers) > 0 && (next < 0 || tl.Timers[0].When < next) {
		next = tl.Timers[0].When
	}
	switch {
	case b != nil && next < 0: // POLL5
		if beside && len(rounds) > 0 {
			m.Unseen(rounds[0], "of a goroutine that polls and sleeps, in a bubble beside which others can move, not all rounds are explored")
		}
	case beside:
		for _, g := range rounds {
			next = min(next, g.Op.Deadline)
		}
	default:
		next = passRounds(m, rounds, next, b != nil || !m.Options.Timing)
	}
	if next < 0 || over && b == nil && next > m.Until {
		return false
	}
	if over && m.Fires >= max(vm.AfterReturn, m.Options.After) && m.State.Step >= m.Options.Steps {
		m.CutOff = true
		return false
	}
	if over {
		naming.NoteQuiet(m)
		m.Fires++
	}
	tl.Now = max(tl.Now, next)
	if b == nil {
		ClockMoved(m)
	}
	CollectDue(m, tl, nil)
	if b != nil {
		heapRuns(b)
	}
	return true
}

// passRounds passes over the rounds of goroutines that poll until next, the next deadline of the others (POLL4). It
// returns when the clock's move ends. If the others have no deadline, next is negative: then a round goes on. With
// whole the round before next is passed over as well.
func passRounds(m *vm.Machine, rounds []*vm.G, next int64, whole bool) int64 {
	if next < 0 {
		for _, g := range rounds {
			if next < 0 || g.Op.Deadline < next {
				next = g.Op.Deadline
			}
		}
		return next
	}
	move := next
	for _, g := range rounds {
		behind := next - g.Op.Deadline
		if behind <= 0 {
			continue
		}
		n := (behind - 1) / g.Period
		if whole {
			n++
		}
		if n > 0 {
			g.Op.Deadline += n * g.Period
			m.Trace.Passed = append(m.Trace.Passed, trace.Passing{Event: int32(len(m.Trace.Events)), Thread: g.Index, Steps: int32(n) * g.Steps, Round: g.Steps, Late: n * g.Period})
			g.WakeAt = g.Op.Deadline
		}
		move = min(move, g.Op.Deadline)
	}
	return move
}

// CollectDue makes the timers whose time has come due: the pending operation of each one's thread is to fire it. If w
// is not nil, it has brought the clock there.
func CollectDue(m *vm.Machine, tl *vm.Timeline, w *follower) {
	n := 0
	for n < len(tl.Timers) && tl.Timers[n].When <= tl.Now {
		n++
	}
	due := slices.Clone(tl.Timers[:n])
	tl.Timers = slices.Delete(tl.Timers, 0, n)
	for _, t := range due {
		if full(m, t) && (t.When < tl.Now || w != nil && sendsBefore(m, t, *w)) { // TIME6, TIME8
			nextTick(m, t, tl)
			continue
		}
		if nobodyAt(m, t) { // BUBBLE7
			first := *t
			first.First = true
			t = &first
			m.Records[t.Addr] = t
		}
		tl.Due = append(tl.Due, t)
	}
	offerDue(m, tl)
}

// full reports whether t is a ticker whose channel holds a tick.
func full(m *vm.Machine, t *vm.Timer) bool {
	if t.Period <= 0 || t.Func == nil || t.Func.Name != "time.sendTime" {
		return false
	}
	st := objects.ChanAt(m, t.Arg2)
	return st != nil && len(st.Buffer) >= max(st.Cap, 1)
}

// nextTick has a ticker wait for the first tick that is still to come.
func nextTick(m *vm.Machine, t *vm.Timer, tl *vm.Timeline) {
	n := *t
	n.First = false
	n.When += t.Period * (1 + (tl.Now-t.When)/t.Period)
	if n.When < t.When { // beyond the end of time
		n.When = 1<<63 - 1
	}
	m.TimerSeq++
	n.Seq = m.TimerSeq
	tl.Add(&n)
	m.Records[t.Addr] = &n
}

// offerDue offers the firing of the timers that are due: of all, or for Exec, where one thread serves all timers and
// nothing is explored, of the first.
func offerDue(m *vm.Machine, tl *vm.Timeline) {
	for _, t := range tl.Due {
		offerFiring(m, t)
		if m.Mode == vm.Running {
			break
		}
	}
}

// offerFiring makes t's firing the pending operation of its thread.
func offerFiring(m *vm.Machine, t *vm.Timer) *vm.G {
	id := "T/" + t.Name
	if m.Mode == vm.Running {
		id = "T/" + event.ThreadID(fmt.Sprint(vm.BubbleID(t.Bubble)))
	}
	c := m.Clocks[id]
	if c == nil {
		c = &vm.G{ID: id, Index: int32(len(m.Trace.Threads))}
		m.Trace.Threads = append(m.Trace.Threads, trace.Thread{ID: id, Parent: -1, Spawn: -1, Holder: -1, Bubble: vm.BubbleID(t.Bubble)})
		m.Threads, m.Live = append(m.Threads, c), append(m.Live, c)
		if m.Clocks == nil {
			m.Clocks = map[event.ThreadID]*vm.G{}
		}
		m.Clocks[id] = c
	}
	c.Fires, c.Waiting = t, true
	vm.Restood(m, c)
	c.Op = event.Op{Kind: event.TimerFire, Loc: event.Location{Addr: t.Object()}}
	return c
}

// Fire fires the timer of thread c.
func Fire(m *vm.Machine, c *vm.G) {
	t := c.Fires
	tl := t.Line(m)
	if len(m.Early) > 0 && tl == &m.Timeline {
		moveEarly(m, fires(t))
	}
	m.Firings++
	c.Waiting, c.Fires = false, vm.NoTimer
	tl.Due = slices.DeleteFunc(slices.Clone(tl.Due), func(o *vm.Timer) bool { return o == t })
	offerDue(m, tl)
	if t.Period > 0 {
		nextTick(m, t, tl)
	}
	at := m.Log(c, vm.Plain(event.TimerFire, t.Object(), 0))
	if t.First && at >= 0 {
		m.Trace.First = append(m.Trace.First, int32(at))
	}
	switch t.Func.Name {
	case "time.sendTime":
		sendTime(m, t, at)
		leavesHeap(m, t)
	case "time.goFunc":
		if f := m.ClosureFunc(t.Arg2); f != nil {
			fireIn(m, t, f, t.Arg2, nil)
		}
	default:
		fireIn(m, t, t.Func, t.Closure, []uint64{t.Arg, t.Arg2, 0, 0})
	}
}

// sendTime puts the time into a timer's channel, unless it is full; event at, if there is one, does it.
func sendTime(m *vm.Machine, t *vm.Timer, at int) {
	st := objects.ChanForWrite(m, t.Arg2)
	now := t.Line(m).Now
	read := now
	if t.Bubble == nil {
		read += m.Gain(now) + ticked(m, t.Ticks)
	}
	v := timeValue(m, read, t.Bubble != nil)
	if at >= 0 {
		m.Trace.Events[at].Key = vm.Digest(v)
	}
	if len(st.Buffer) >= max(st.Cap, 1) {
		return
	}
	if at >= 0 {
		m.Trace.Events[at].Value, m.Trace.Events[at].Other = uint64(now), st.Sent
	}
	st.Sent++
	st.Buffer = append(st.Buffer, v)
}

// fireIn runs a timer's function in a goroutine of its own.
func fireIn(m *vm.Machine, t *vm.Timer, f *vm.Func, ctx uint64, args []uint64) {
	g := startFired(m, t, f, ctx, args)
	m.Trace.Threads[g.Index].Spawn = int32(len(m.Trace.Events) - 1)
	goroutine.StartFired(m, g)
}

// startFired makes the goroutine of a timer's function. It is named after the goroutine that made the timer.
func startFired(m *vm.Machine, t *vm.Timer, f *vm.Func, ctx uint64, args []uint64) *vm.G {
	*t.Fired++
	id := t.Name
	if *t.Fired > 1 {
		id = event.ThreadID(fmt.Sprintf("%s#%d", t.Name, *t.Fired)) // after a dot the goroutines that the first one starts are counted
	}
	g := goroutine.StartAs(m, id, t.Owner, f, ctx, args)
	g.StartTicks(t.Ticks)
	if g.Bubble != t.Bubble {
		t.Bubble.Enter(g)
	}
	th := &m.Trace.Threads[g.Index]
	th.Bubble, th.Site = vm.BubbleID(t.Bubble), t.Site
	return g
}

// timeValue is the time.Time of a virtual instant (time.Time: wall, ext, loc). It has a monotonic reading, but in a
// bubble.
func timeValue(m *vm.Machine, now int64, bubbled bool) []byte {
	const wallToInternal = (1884*365 + 1884/4 - 1884/100 + 1884/400) * 86400
	const unixToInternal = (1969*365 + 1969/4 - 1969/100 + 1969/400) * 86400
	date := vm.Date(now)
	if bubbled {
		date = now
	}
	sec, nsec := date/1e9, date%1e9
	w := [3]uint64{1<<63 | uint64(sec+unixToInternal-wallToInternal)<<30 | uint64(nsec), uint64(now - vm.Epoch + 1), 0}
	if bubbled {
		w[0], w[1] = uint64(nsec), uint64(sec+unixToInternal)
	}
	if g := localLoc(m); g != 0 {
		w[2] = g
	}
	return append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(&w)), 24)...)
}

// localLoc is the address of time.localLoc.
func localLoc(m *vm.Machine) uint64 {
	p := m.Program.PackageByPath("time")
	if p == nil {
		return 0
	}
	g := p.SSA.Var("localLoc")
	if g == nil {
		return 0
	}
	return m.GlobalAddr(g)
}
