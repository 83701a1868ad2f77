package loop

import (
	"slices"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/naming"
	"github.com/heddle-go/heddle/mcrs/machine/objects"
	"github.com/heddle-go/heddle/mcrs/machine/prim"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
	"golang.org/x/tools/go/ssa"
)

// This file finds goroutines that poll: that repeat themselves until another goroutine changes something.
//
//	POLL1  A goroutine polls if it comes a second time to the same operation in the same state, and since the first
//	       time nothing has had an effect: no goroutine has written, communicated, started or ended anything
//	       (effectOf). Its state is its stack, its random stream, what it read of the clock, and all memory. It then
//	       goes round in the same way for ever, unless something has an effect.
//	POLL2  What a goroutine that polls and holds no lock would do next is idle (sched.State) until something has an
//	       effect. Nothing is lost: each state that another round leads to is the one in which it stands. If a round
//	       went past a communication that was possible, by the default of a select, the next one may be another: then
//	       only that default is idle.
//	POLL3  If nothing is enabled, no timer is pending, and all that sleeps does so within a polling loop, or in a
//	       bubble that does not come to rest, those that poll do so for ever. Before the entry's end that is how the
//	       execution ends; after it, they are left behind.
//	POLL4  One whose rounds sleep is idle nowhere but in its Sleep: who looks at 0, 3 and 6 ms looks at 51 ms too, and
//	       not when something has an effect at 50. The clock passes over its rounds (clock.Advance): when it moves to
//	       another's deadline, the sleep ends with the first round that ends then or later. Nothing is lost: a round
//	       that is passed over leads to the same state. In the second regime of time how many of its sleeps may still
//	       end early is part of its state: so the rounds with those are made, and not passed over. Nor is the last one
//	       before another's deadline, since the clock may move there while the goroutine looks. (If it may in an
//	       earlier round, what follows is the same.)
//	POLL5  The same holds in a bubble of testing/synctest. While somebody outside of the bubble
//	       can move, no round is passed over, for that one may come in between. Where all deadlines in the bubble
//	       are ends of rounds, its clock stands: only somebody outside can change what they look at. If one can at
//	       once, the entry is not exhausted: another round before that would differ in what the time is then.
//	POLL6  To compare two states takes as long as they are large, and most loops do not poll. So a goroutine compares
//	       as many words as its events pay for. What it does not compare it only finds later.
//
// Reading the clock is no effect. Locking and unlocking are none: a loop that locks, looks and unlocks polls. For one
// that tries a lock, unlocking is. Neither is a Signal or Broadcast of a Cond for which nobody waits.

// What does not end by these rules, for some state is always new, is left to a count.
//
//	SPIN1  A goroutine counts as polling after spinEvents events without any effect, unless one of the last lookEvents
//	       of them looked at something that it had not looked at before: then it reads its way through what is large.
//	       What one function looks at is another thing at another depth of calls: a recursion goes nowhere twice.
//	SPIN2  Time passes (docs/machine.md), and in the end the execution is given up, only where all that can go on has
//	       gone on so for roundEvents events for each thing that it looked at: one that polls goes round many times by
//	       then, one that calculates seldom reads the same so often. That is still a guess: a failure after it must
//	       show as well if goroutines have patience times as long (sched.Options.Ticking). So have those of a program
//	       that is run once (Exec), where nothing is confirmed.
//	SPIN3  Where one goroutine alone can go on, and no timer is pending, it is given up aloneTimes as late: most often
//	       it counts its rounds, and comes to an end.
//	SPIN4  No time passes where it would bring nothing about: no timer is pending, nobody sleeps, and nobody who goes
//	       round has read the clock since its last event that had an effect. Who reads it later finds the time that it
//	       was, as it does behind a loop that only calculates.
//	SPIN5  A function of the standard library that calculates, a regular expression's match say, comes to its end by
//	       itself, and looks at the same few things all the time. So of its events one in calculating counts.
//	       The others bring neither the time nor the end of SPIN2 nearer: a loop that draws random numbers ends, too.
//	SPIN6  A goroutine that makes something in each round, and reads, builds what it will use. By plain reads it could
//	       wait for another one only through a data race. So of those reads one in building counts.
//	SPIN7  Who only looks, and at no clock, most often calculates: who looks for the next day of a schedule reads the
//	       same few fields of it thousands of times, who logs asks a thousand times whether it should, and who works
//	       asks in each round whether its context is over. By plain reads it could wait for another one only through a
//	       data race. Who waits otherwise comes back to a state (POLL1), unless it counts its rounds. So of these
//	       events one in calculating counts. Who yields waits, and whose compare-and-swap fails.
//	SPIN8  A step of a range over a map looks at another entry than the one before.

// spinEvents, lookEvents and roundEvents are the counts of SPIN1 and SPIN2.
const (
	spinEvents  = 64
	lookEvents  = 16
	roundEvents = 32
	patience    = 200
	calculating = 64
	building    = 4096
)

// goesRound reports whether g goes round without effect, by rule SPIN2.
func goesRound(m *vm.Machine, g *vm.G) bool {
	rounds := lookEvents + roundEvents*len(g.Looked)
	if m.Options.Ticking || m.Mode == vm.Running {
		rounds *= patience
	}
	return g.Spins-(spinEvents-lookEvents) > rounds
}

// spin counts a transition of g without any effect.
func spin(m *vm.Machine, g *vm.G, events []event.Event) {
	m.Calculates = true
	if g.Spins > spinEvents-lookEvents && len(events) > 0 && (m.SiteTable[events[0].Site].Calculates() /* SPIN5 */ || onlyLooks(g, &events[0]) /* SPIN7 */) {
		if g.Calculated++; g.Calculated%calculating != 0 {
			return
		}
	}
	if builds(m, g, events) { // SPIN6
		if g.Built++; g.Built%building != 0 {
			return
		}
	}
	m.Calculates = false
	if g.Spins++; g.Spins == 1 {
		g.ReadAt = g.Readings
	}
	if g.Spins <= spinEvents-lookEvents || len(events) == 0 {
		return
	}
	e := &events[0]
	l := vm.Look{Site: e.Site, Loc: e.Loc, Key: e.Key, Depth: len(g.Frames)}
	if e.Kind == event.MapRead && e.Key == 0 { // SPIN8
		l.Key = e.Value
	}
	if _, ok := g.Looked[l]; ok {
		return
	}
	if g.Looked == nil {
		g.Looked = make(map[vm.Look]struct{})
	}
	g.Looked[l] = struct{}{}
	g.Spins = spinEvents - lookEvents
}

// onlyLooks reports whether a goroutine has looked at something, and has not read the clock since its last event that
// had an effect (SPIN7).
func onlyLooks(g *vm.G, e *event.Event) bool {
	return g.ReadAt == g.Readings && e.Kind.ChangesNothing() && e.Kind != event.Yield && !e.Swap
}

// builds reports whether a goroutine has made something within its last lookEvents events, and now reads (SPIN6).
func builds(m *vm.Machine, g *vm.G, events []event.Event) bool {
	if g.Unmade++; m.Mem.Count(g.Segment) != g.MadeAt { // no matter what others make
		g.MadeAt, g.Unmade = m.Mem.Count(g.Segment), 0
	}
	return g.Spins > spinEvents-lookEvents && g.Unmade < lookEvents && len(events) == 1 && events[0].Kind == event.Read
}

// timeMatters reports whether time is to pass while all that can go on go round (SPIN4).
func timeMatters(m *vm.Machine) bool {
	if len(m.Pending()) > 0 {
		return true
	}
	for _, g := range m.Live {
		if g.Waiting && (g.Op.Kind == event.Sleep || g.Spins > 0 && g.ReadAt != g.Readings) {
			return true
		}
	}
	return false
}

// maxVisits bounds the operations of a polling loop.
const maxVisits = 32

// effectOf notes the effects of the events that the last transition logged.
func effectOf(m *vm.Machine, events []event.Event) {
	for i := range events {
		e := &events[i]
		p := &m.Threads[e.Thread].Polling
		if e.Loc.Addr == vm.ReadingsObject {
			continue
		}
		switch e.Kind {
		case event.SelectDefault:
			p.Choice = p.Choice || p.Other
		case event.Sleep, event.LockAnnounce, event.WaitGroupWait: // they can go on as often as they come
		case event.Goroutines:
			if event.MovesCount(e.Key) {
				m.Effects++
			}
		case event.OnceBegin:
			if e.Value != 0 { // it runs the function
				m.Effects++
			}
		case event.Lock, event.RLock:
			p.Held++
		case event.Unlock, event.RUnlock:
			if e.Key == event.UndoKey { // it only looked; but somebody may have failed because of it
				if m.Contested[e.Loc.Addr] {
					m.Unlocks++
				}
				break
			}
			p.Held--
			m.Unlocks++
		case event.CondSignal, event.CondBroadcast:
			if e.Other > 0 { // it wakes somebody
				m.Effects++
			}
		case event.TryLock, event.TryRLock:
			p.Tries = true
			switch {
			case e.Key == event.WritersKey: // whether it gets the lock, what it does next decides (rule RW5)
				if m.Contested == nil {
					m.Contested = make(map[uint64]bool)
				}
				m.Contested[e.Loc.Addr] = e.Value == 0
			case e.Value != 0 && e.Key == event.ReadersKey && e.Kind == event.TryLock:
				p.Held += 2 // it unlocks both parts
			case e.Value != 0:
				p.Held++
			}
		default:
			if !e.Kind.ChangesNothing() {
				m.Effects++
			}
		}
	}
}

// arrived notes that g has come to stand at an operation.
func arrived(m *vm.Machine, names *naming.Namer, g *vm.G) {
	p := &g.Polling
	if !g.Waiting || m.Inits || m.Mode == vm.Running {
		return
	}
	names.Vacate(g)
	if g.Sel != nil && !g.Op.HasDefault {
		m.Effects++ // a partner for others
	}
	if p.Effects != m.Effects {
		p.Visits, p.Effects, p.Unlocks, p.Tries, p.Polls = p.Visits[:0], m.Effects, m.Unlocks, false, false
		p.Choice, p.Period = false, 0
	}
	if p.Polls && p.Tries && p.Unlocks != m.Unlocks {
		p.Visits, p.Unlocks, p.Polls = p.Visits[:0], m.Unlocks, false
	}
	if p.Polls || p.Held != 0 {
		return
	}
	for i := range p.Visits {
		if v := &p.Visits[i]; v.Site == g.Op.Site && v.Kind == g.Op.Kind && v.Addr == g.Op.Loc.Addr {
			p.Polls = again(m, g, v)
			m.Trace.Threads[g.Index].Polled = m.Trace.Threads[g.Index].Polled || p.Polls
			return
		}
	}
	if len(p.Visits) < maxVisits {
		p.Visits = append(p.Visits, vm.Visit{Site: g.Op.Site, Kind: g.Op.Kind, Addr: g.Op.Loc.Addr, Count: 1, At: m.Line(g).Now, Slept: g.Slept, Seq: g.Seq, Depth: len(g.Frames)})
	}
}

// comparedWords is how many words a goroutine may compare in any case, and comparedPerEvent how many more for each of
// its events.
const (
	comparedWords    = 1 << 20
	comparedPerEvent = 256
)

// again compares g's state with that of its last visit. What is expensive is compared only if what is cheap is equal.
func again(m *vm.Machine, g *vm.G, v *vm.Visit) bool {
	period, steps := int64(0), g.Seq-v.Seq
	if g.Slept > v.Slept {
		period = m.Line(g).Now - v.At
	}
	v.At, v.Slept, v.Seq = m.Line(g).Now, g.Slept, g.Seq
	if deep := len(g.Frames); v.Depth != deep { // a recursion: its stack is not gone through at each of its steps
		v.Count, v.Depth = 1, deep
		return false
	}
	pays := g.Compared <= comparedWords+comparedPerEvent*int64(g.Seq) // POLL6
	if v.Count == 1 && !pays {
		return false
	}
	stack := vm.HashMix(stackHash(g), vm.SleptEarly(m, g))
	if v.Count == 1 || v.Stack != stack {
		v.Count, v.Stack = 1+int(vm.Word(pays)), stack
		return false
	}
	if v.Count == 2 && !pays {
		return false
	}
	memory := uint64(0)
	m.Mem.Changed(func(o *mem.Object) {
		memory += naming.HashObject(o)
		g.Compared += int64(o.Size) / 8
	})
	if v.Count == 2 || v.Memory != memory {
		v.Count, v.Memory = 2+int(vm.Word(pays)), memory
		return false
	}
	g.Period, g.Steps = period, steps
	return true
}

// stackHash is the hash of what is g's own.
func stackHash(g *vm.G) uint64 {
	h := vm.HashMix(vm.HashMix(g.Rand, g.Readings), uint64(g.Kids)<<32|uint64(g.Timers))
	for i := range g.Frames {
		fr := &g.Frames[i]
		h = vm.HashMix(h, uint64(fr.Func.ID)<<32|uint64(uint32(fr.PC)))
		h = vm.HashBytes(h, unsafe.Slice((*byte)(fr.FP), fr.Func.Frame))
		g.Compared += int64(fr.Func.Frame) / 8
		for _, d := range fr.Defers {
			h = vm.HashMix(h, d.Ctx)
			for _, a := range d.Args {
				h = vm.HashMix(h, a)
			}
		}
	}
	return vm.HashMix(h, uint64(len(g.Panics)))
}

// isPartner reports whether a goroutine that stands at a send could meet g in its select.
func isPartner(m *vm.Machine, g *vm.G) bool {
	for i := range g.Sel {
		c := &g.Sel[i]
		if st := objects.ChanAt(m, c.Chan); c.Chan == 0 || c.Send || st == nil || st.Cap > 0 {
			continue
		}
		for _, o := range m.Live {
			if o != g && o.Waiting && o.StandsAt(c.Chan, true) >= 0 {
				return true
			}
		}
	}
	return false
}

// WaitsToPoll reports whether g would only go round again: rule POLL2.
func WaitsToPoll(m *vm.Machine, g *vm.G) bool {
	return vm.Repeats(m, g) && !inTheWay(m, g)
}

// goesRoundIdly reports whether g polls and would go round, or sleeps before it does. One that has found the lock of
// its round held by another is blocked, and does not.
func goesRoundIdly(m *vm.Machine, g *vm.G) bool {
	return WaitsToPoll(m, g) && (g.Op.Kind == event.Sleep || slices.ContainsFunc(m.State.Idle, func(t sched.Transition) bool { return t.Thread == g.Index }))
}

// inTheWay reports whether g stands within a TryLock of an RWMutex (rule RW5) and keeps somebody from its lock.
func inTheWay(m *vm.Machine, g *vm.G) bool {
	o := &g.Op
	a := o.Loc.Addr
	switch {
	case o.Kind == event.TryLock && o.Key == event.ReadersKey:
		a -= prim.RWReaders
	case o.Key != event.UndoKey || o.Kind != event.Unlock:
		return false
	}
	for _, x := range m.Live {
		if x != g && x.Waiting && x.Op.Kind == event.Lock && x.Op.Loc.Addr == a {
			return true
		}
	}
	return false
}

// pollForEver reports whether nothing but polling is left: rule POLL3. No transition is enabled.
func pollForEver(m *vm.Machine) bool {
	if len(m.Pending()) > 0 {
		return false
	}
	any := false
	for _, g := range m.Threads {
		switch poll := goesRoundIdly(m, g); {
		case !g.Waiting:
		case poll && !g.Choice:
			any = true
		case g.Op.Kind == event.Sleep && g.Bubble == nil:
			return false
		}
	}
	return any
}

// mayLeave reports whether a loop that a goroutine is in has a way out: else it waits for nothing.
func mayLeave(m *vm.Machine, g *vm.G) bool {
	for i := range g.Frames {
		s := g.FrameSite(i)
		if f := g.Frames[i].Func; f.Std || s == 0 || m.SiteTable[s].Instr == nil {
			continue
		}
		if hasWayOut(m.SiteTable[s].Instr.Block()) {
			return true
		}
	}
	return false
}

// hasWayOut reports whether a block is in a loop that some edge leaves.
func hasWayOut(b *ssa.BasicBlock) bool {
	if b == nil {
		return false
	}
	after := reachable(b)
	if !after[b] {
		return false
	}
	for c := range after {
		if !reachable(c)[b] {
			return true
		}
	}
	return false
}

// reachable are the blocks that come after b.
func reachable(b *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	out := map[*ssa.BasicBlock]bool{}
	todo := slices.Clone(b.Succs)
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !out[c] {
			out[c] = true
			todo = append(todo, c.Succs...)
		}
	}
	return out
}

// waitsForNobody reports whether the entry's goroutine does not poll itself, and waits for what those who poll do not
// reach: then it is not they who keep it waiting.
func waitsForNobody(m *vm.Machine) bool {
	return m.Main.Waiting && !goesRoundIdly(m, m.Main) && slices.Contains(stuck(m, false, true), m.Main)
}

// leftPolling ends an execution by rule POLL3.
func leftPolling(m *vm.Machine) {
	m.Trace.Status = trace.Livelocked
	switch {
	case m.EntryDone:
		m.Trace.Status = trace.Returned
		findLeaks(m)
	case idles(m), awaitsOthers(m): // STUCK2, STUCK3
		m.Trace.Status = trace.Returned
		return
	case waitsForNobody(m):
		m.Trace.Status = trace.Deadlocked
		markAlive(m, true)
		return
	}
	for _, g := range m.Threads {
		if g.Waiting && goesRoundIdly(m, g) {
			t := &m.Trace.Threads[g.Index]
			t.Polls, t.Leaked = !m.EntryDone || t.Leaked && mayLeave(m, g), false
		}
	}
}
