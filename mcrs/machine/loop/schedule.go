// Package loop goes back and forth between the machine and the scheduler: it says which operations are enabled,
// performs the one that is chosen, and decides what happens when nothing is enabled.
//
//   - Under a scheduler: schedule.go; with the deterministic schedule of `heddle run`: execloop.go
//   - Goroutines that poll: polls.go
//   - Goroutines that can never go on: leaks.go, unlocks.go
package loop

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/access"
	"github.com/heddle-go/heddle/mcrs/machine/clock"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/naming"
	"github.com/heddle-go/heddle/mcrs/machine/objects"
	"github.com/heddle-go/heddle/mcrs/machine/prim"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines the loop between machine and scheduler: what is enabled,
// one transition, and what happens when nothing is.

// callers is what sched.State.Callers is.
func callers(m *vm.Machine, thread int) (out []event.Site) {
	for _, f := range goroutine.CallStack(m, m.Threads[thread]) {
		out = append(out, f.Site)
	}
	return out
}

// Run runs the execution to its end under s. names names the states of goroutines.
func Run(m *vm.Machine, names *naming.Namer, s sched.Scheduler) {
	m.Left, m.Stood = m.Left[:0], m.Stood[:0]
	var view showing
	var who crowd
	m.State = sched.State{Last: -1, Threads: m.State.Threads[:0], Live: m.State.Live[:0], Enabled: m.State.Enabled[:0], Hash: func() uint64 { return naming.State(m) }, Local: names.Local, Trace: m.Trace}
	m.State.Callers = func(thread int) []event.Site { return callers(m, thread) }
	for !m.Over {
		for _, b := range m.Bubbles {
			b.WaitReady, b.EndReady = false, false
		}
		if m.Options.Timing {
			clock.OfferEarly(m)
		}
		offer(m, &who)
		if len(m.Bubbles) > 0 && clock.Settle(m) {
			offer(m, &who)
		}
		n := len(m.State.Enabled)
		m.Others = n > len(m.Early)
		m.Trace.Timers = m.Trace.Timers || (n > 0 || clock.ManyStarted(m)) && clock.CouldBeEarly(m)
		if len(m.State.Enabled) == 0 {
			if pollForEver(m) {
				leftPolling(m)
				return
			}
			lookStuck(m)
			if clock.Advance(m) {
				continue
			}
			quiescent(m)
			return
		}
		if polls := allPoll(m); polls && !m.Calculates {
			// Time passes while goroutines poll: what the clock has to offer is offered too.
			if m.Polls == 0 && clock.Advance(m) {
				m.Polls, m.Trace.Spun = 1, true
				continue
			}
			if timeMatters(m) {
				m.Now += 1 << min(m.Polls/4, 36) // a loop that looks at the clock
				clock.ClockMoved(m)
				m.Trace.Spun = true
			}
			if m.Polls++; m.Polls > pollRounds(m) {
				m.Trace.Status, m.Trace.Reason = trace.Limit, "goroutines seem to poll without end"
				m.Trace.ReasonSite = m.Threads[m.State.Enabled[0].Thread].Op.Site
				return
			}
		} else if !polls {
			m.Polls = 0
		}
		if m.Cancelled() {
			m.Trace.Status, m.Trace.Reason = trace.Limit, "cancelled"
			return
		}
		if max := m.Options.MaxEvents; max > 0 && len(m.Trace.Events) >= max {
			m.Trace.Status, m.Trace.Reason = trace.Limit, "limit of events reached"
			findLeaks(m)
			return
		}
		m.Among += int64(len(m.Live))
		if enough := m.Options.Enough; enough != nil && enough(len(m.Trace.Events), m.Cost()) {
			m.Trace.Status, m.Trace.Reason = trace.Limit, "limit of work reached"
			return
		}
		view.show(m)
		i := s.Next(&m.State)
		if i == sched.Stop {
			m.Trace.Status = trace.Stopped
			return
		}
		t := m.State.Transition(i)
		m.State.Step++
		m.State.Last = t.Thread
		countPassed(m, t)
		perform(m, names, t)
	}
}

// A crowd is memory of offer: who receives at the channel that was asked about last. Else thousands of senders would
// look through as many goroutines each.
type crowd struct {
	channel   uint64 // 0 is none
	receivers []*vm.G
	senders   map[event.ThreadID]clock.Start // due timers with a channel; nil if not asked yet
}

// at returns the goroutines that stand at a receive from a channel.
func (x *crowd) at(m *vm.Machine, ch uint64) []*vm.G {
	if x.channel != ch {
		x.channel, x.receivers = ch, x.receivers[:0]
		for _, r := range m.Live {
			if r.Waiting && r.Woken == 0 && r.StandsAt(ch, false) >= 0 {
				x.receivers = append(x.receivers, r)
			}
		}
	}
	return x.receivers
}

// anew forgets what was asked about before.
func (x *crowd) anew() *crowd {
	x.channel, x.senders = 0, nil
	return x
}

// holds reports whether something that waits for the clock alone waits for a timer to fire first (TIME8, BUBBLE7).
func (x *crowd) holds(m *vm.Machine, g *vm.G) bool {
	if !g.Op.Kind.WaitsForClock() || g.Op.Kind == event.Quiesce {
		return false
	}
	if g.Bubble != nil || g.Op.Kind == event.TimerFire && g.Fires.Bubble != nil {
		return clock.HeldInBubble(g)
	}
	if len(m.Due) == 0 || g.Early {
		return false
	}
	if x.senders == nil {
		x.senders = make(map[event.ThreadID]clock.Start)
		clock.Senders(m, x.senders)
	}
	return len(x.senders) > 0 && clock.Held(g, x.senders)
}

// offer sets the transitions that the scheduler is offered.
func offer(m *vm.Machine, who *crowd) {
	who.anew()
	m.State.Idle, m.State.Held = m.State.Idle[:0], m.State.Held[:0]
	ts, relaxed := m.State.Enabled[:0], m.Relaxed()
	for _, g := range m.Live {
		if !g.Waiting {
			continue
		}
		from := len(ts)
		if ts = enabled(m, g, ts, who); relaxed {
			ts = access.Undrained(m, g, ts, from)
		}
	}
	m.State.Enabled = ts
}

// allPoll reports whether all that can go on has only repeated itself.
func allPoll(m *vm.Machine) bool {
	for _, t := range m.State.Enabled {
		if !goesRound(m, m.Threads[t.Thread]) {
			return false
		}
	}
	return true
}

// roundLength is how many events some of those that poll surely go on for until they have gone round.
func roundLength(m *vm.Machine) int {
	n := 0
	for _, t := range m.State.Enabled {
		n += len(m.Threads[t.Thread].Looked)
	}
	return roundEvents * n
}

// pollEvents is how many events goroutines that poll may go on for when nothing else can happen, and aloneTimes how
// many times as long a goroutine may that is alone (SPIN3).
const (
	pollEvents = 256
	aloneTimes = 32
)

// pollRounds is how many events those that poll may go on for.
func pollRounds(m *vm.Machine) int {
	n := pollEvents + roundLength(m)
	if ts := m.State.Enabled; ts[0].Thread == ts[len(ts)-1].Thread && len(m.Pending()) == 0 {
		n *= aloneTimes
	}
	return n
}

// starveEvents is the number of transitions that goroutines which take turns may make before one that could also go
// on does.
const starveEvents = 128

// starveEarly is that number for a sleep or a timer that would come early: goroutines that start others for ever, each
// of which does a little, leave no time in which it would come else.
const starveEarly = 1024

// countPassed counts for each goroutine how often it could go on and another one did.
func countPassed(m *vm.Machine, t sched.Transition) {
	last := int32(-1)
	for _, e := range m.State.Enabled {
		if e.Thread != last {
			last = e.Thread
			g := m.Threads[last]
			if g.Passed++; g.Passed == starveEvents+1 || g.Passed == starveEarly+1 {
				vm.Restood(m, g)
			}
		}
	}
	m.Threads[t.Thread].Passed = 0
	if t.Partner >= 0 {
		m.Threads[t.Partner].Passed = 0
	}
}

// perform takes a transition. names is nil where nothing is explored.
func perform(m *vm.Machine, names *naming.Namer, t sched.Transition) {
	g := m.Threads[t.Thread]
	before := len(m.Trace.Events)
	m.Began = before
	g.Permit, g.Transition = true, t
	if g.Early {
		clock.WakeEarly(m, g)
	}
	if g.Fires != nil {
		clock.Fire(m, g)
	} else if g.IsBuffer() {
		access.Flush(m, g)
	} else if g.Ending {
		goroutine.Finish(m, g)
	} else if g.Dying {
		goroutine.Die(m, g)
	} else {
		goroutine.Advance(m, g)
		if t.Partner >= 0 && !m.Over {
			goroutine.Advance(m, m.Threads[t.Partner])
		}
	}
	g.Permit = false
	effectOf(m, m.Trace.Events[min(before, len(m.Trace.Events)):])
	arrived(m, names, g)
	vm.Restood(m, g)
	if t.Partner >= 0 {
		arrived(m, names, m.Threads[t.Partner])
		vm.Restood(m, m.Threads[t.Partner])
	}
	if m.Ran != nil && m.Ran != g {
		if m.Ran.Alone > m.Ran.Slice() {
			m.Ran.Slices++
		}
		m.Ran.Alone = 0
		vm.Restood(m, m.Ran)
	}
	m.Ran = g
	g.Alone++
	effect := g.Preempted || m.Worked // it computes, or uses locks
	m.Worked = false
	for _, e := range m.Trace.Events[min(before, len(m.Trace.Events)):] {
		if e.Kind.ChangesNothing() || e.Loc.Addr == vm.ReadingsObject {
			continue
		}
		switch e.Kind {
		case event.Goroutines:
			effect = effect || event.MovesCount(e.Key)
		case event.TryLock, event.TryRLock:
			effect = effect || e.Value != 0 && e.Key != event.WritersKey // it may only be a look (rule RW5)
		case event.Unlock:
			effect = effect || e.Key != event.UndoKey
		case event.CondSignal, event.CondBroadcast:
			effect = effect || e.Other > 0
		default:
			effect = true
		}
	}
	if effect {
		m.Calculates = false
		for _, o := range m.Spun {
			o.Spins = 0
			clear(o.Looked)
			vm.Restood(m, o)
		}
		m.Spun = m.Spun[:0]
	} else {
		if g.Spins == 0 {
			m.Spun = append(m.Spun, g)
		}
		spin(m, g, m.Trace.Events[min(before, len(m.Trace.Events)):])
	}
	if m.Mode == vm.Running { // nobody looks at the events of Exec
		m.Trace.Events, m.Trace.Cases = m.Trace.Events[:0], m.Trace.Cases[:0]
	}
}

// enabling says of each kind of operation that can wait, communications apart, when it is enabled for the goroutine
// that stands at it.
var enabling = func() [event.NumKinds]func(m *vm.Machine, g *vm.G) bool {
	all := prim.Enabling()
	all[event.Fence] = func(m *vm.Machine, g *vm.G) bool { return len(g.Stores) == 0 }
	all[event.Sleep] = func(m *vm.Machine, g *vm.G) bool { return m.Line(g).Now >= g.Op.Deadline || g.Early }
	all[event.TimerFire] = func(*vm.Machine, *vm.G) bool { return true } // its thread stands there when the clock, or rule TIME4, offers it
	all[event.Quiesce] = func(m *vm.Machine, g *vm.G) bool {
		b := m.BubbleOf(int32(g.Op.Key))
		return g == b.Root && b.EndReady || g != b.Root && b.WaitReady
	}
	return all
}()

// enabled appends the transitions of g.
func enabled(m *vm.Machine, g *vm.G, ts []sched.Transition, who *crowd) []sched.Transition {
	one := sched.Transition{Thread: g.Index, Case: -1, Partner: -1, PartnerCase: -1}
	o := &g.Op
	switch {
	case (o.Kind == event.Read || o.Kind == event.Write) && !g.Polls: // most of all operations
		return append(ts, one)
	case o.IsSelect():
		return enabledCases(m, g, ts, who)
	case o.Kind.IsComm():
		return enabledCase(m, g, 0, -1, ts, who)
	case o.Kind == event.ChanClose, o.Kind == event.ChanLen, o.Kind == event.TimerStart, o.Kind == event.TimerStop:
		if assigned(m, g, o.Loc.Addr) {
			return ts
		}
	}
	rule := enabling[o.Kind]
	ok := rule == nil || rule(m, g)
	if ok && who.holds(m, g) {
		m.State.Held = append(m.State.Held, one)
		ok = false
	}
	if ok && o.Kind != event.Sleep && !g.Choice && !vm.KeepsTime(g) && WaitsToPoll(m, g) {
		m.State.Idle = append(m.State.Idle, one)
	} else if ok {
		ts = append(ts, one)
	}
	return ts
}

// enabledCases appends the transitions of a select.
func enabledCases(m *vm.Machine, g *vm.G, ts []sched.Transition, who *crowd) []sched.Transition {
	sure := false
	n := len(ts)
	if i := g.Woken - 1; i >= 0 {
		return enabledCase(m, g, i, int16(i), ts, who)
	}
	for i := range g.Sel {
		ts = enabledCase(m, g, i, int16(i), ts, who)
	}
	if !g.Op.HasDefault {
		return ts
	}
	for _, t := range ts[n:] {
		if t.Partner < 0 || m.Threads[t.Partner].Parked {
			sure = true
		}
	}
	if !sure { // CHAN5: a parked sender makes a receive case ready as well
		for i := range g.Sel {
			c := &g.Sel[i]
			if st := objects.ChanAt(m, c.Chan); c.Chan == 0 || c.Send || st == nil || st.Cap > 0 {
				continue
			}
			for _, o := range m.Live {
				if o != g && o.Waiting && o.Parked && o.Woken == 0 && o.StandsAt(c.Chan, true) >= 0 {
					sure = true
				}
			}
		}
	}
	if sure || slices.ContainsFunc(g.Sel, func(c vm.SelCase) bool { return assigned(m, g, c.Chan) }) {
		return ts
	}
	other := len(ts) > n || isPartner(m, g)
	if d := (sched.Transition{Thread: g.Index, Case: int16(len(g.Sel)), Partner: -1, PartnerCase: -1}); !vm.KeepsTime(g) && WaitsToPoll(m, g) && (other || !g.Choice) {
		m.State.Idle = append(m.State.Idle, d)
	} else {
		ts = append(ts, d)
	}
	g.Other = other
	return ts
}

// enabledCase appends the transitions of communication i of g.
func enabledCase(m *vm.Machine, g *vm.G, i int, kase int16, ts []sched.Transition, who *crowd) []sched.Transition {
	c := &g.Sel[i]
	if c.Chan == 0 {
		return ts
	}
	st := objects.ChanAt(m, c.Chan)
	one := sched.Transition{Thread: g.Index, Case: kase, Partner: -1, PartnerCase: -1}
	if !c.Send {
		if (st.Closed || len(st.Buffer) > 0) && !assigned(m, g, c.Chan) {
			ts = append(ts, one)
		}
		return ts
	}
	if (st.Closed || len(st.Buffer) < st.Cap) && !assigned(m, g, c.Chan) {
		return append(ts, one)
	}
	if st.Cap > 0 || g.Queued > 0 && served(m, g) {
		return ts
	}
	for _, r := range who.at(m, c.Chan) {
		if r == g || before(m, g, r, c) > 0 || r.Queued > 0 && served(m, r) {
			continue
		}
		for j := range r.Sel {
			if r.Sel[j].Chan == c.Chan && !r.Sel[j].Send && !(elsewhere(m, g) && elsewhere(m, r)) && before(m, r, g, &r.Sel[j]) == 0 {
				t := one
				t.Partner = r.Index
				if r.Op.IsSelect() {
					t.PartnerCase = int16(j)
				}
				ts = append(ts, t)
			}
		}
	}
	return ts
}

// elsewhere reports whether g stands at a select that has something to do without a partner (CHAN7).
func elsewhere(m *vm.Machine, g *vm.G) bool {
	if !g.Op.IsSelect() {
		return false
	}
	if g.Op.HasDefault {
		return true
	}
	for i := range g.Sel {
		c := &g.Sel[i]
		if c.Chan == 0 {
			continue
		}
		if st := objects.ChanAt(m, c.Chan); st.Closed || c.Send && len(st.Buffer) < st.Cap || !c.Send && len(st.Buffer) > 0 {
			return true
		}
	}
	return false
}
