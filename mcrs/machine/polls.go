package machine

import (
	"slices"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/trace"
	"golang.org/x/tools/go/ssa"
)

// This file finds goroutines that poll: that repeat themselves until another goroutine changes something.
//
//	POLL1  A goroutine polls if it comes a second time to the same operation in the same state, and since the first time nothing has
//	       had an effect: no goroutine has written, communicated, started or ended anything (effectOf). Its state is its stack,
//	       its random stream, what it read of the clock, and all memory. It then goes round in the same way for ever, unless something has an effect.
//	POLL2  What a goroutine that polls and holds no lock would do next is idle (sched.State) until something has an effect. Nothing is lost: each state that
//	       another round leads to is the one in which it stands. If a round went past a communication that was possible, by the default of a
//	       select, the next one may be another: then only that default is idle.
//	POLL3  If nothing is enabled, no timer is pending, and all that sleeps does so within a polling loop, those that poll do so
//	       for ever. Before the entry's end that is how the execution ends; after it, they are left behind.
//
// Locking and unlocking are no effects: a loop that locks, looks and unlocks polls. For one that tries a lock, unlocking is. Neither is a Signal or
// Broadcast of a Cond for which nobody waits.

// progress says whether anything has happened that lets a goroutine go on which polls.
type progress struct {
	effects int  // events that had one, and arrivals: see polls.go
	others  bool // something else could be done
	polls   int  // transitions since all that can go on polls
}

// What does not end by these rules, for some state is always new, is left to a count.
//
//	SPIN1  A goroutine counts as polling after spinEvents events without any effect, unless one of the last lookEvents of them looked at
//	       something that it had not looked at before: then it reads its way through what is large.
//	SPIN2  Time passes (docs/machine.md), and in the end the execution is given up, only where all that can go on has gone on so for roundEvents events for each thing that it looked at:
//	       one that polls goes round many times by then, one that calculates seldom reads the same so often. That is still a guess: a failure after it must
//	       show as well if goroutines have patience times as long (sched.Options.Ticking).

// spinEvents, lookEvents and roundEvents are the counts of SPIN1 and SPIN2.
const (
	spinEvents  = 64
	lookEvents  = 16
	roundEvents = 32
	patience    = 200
)

// goesRound reports whether g goes round without effect, by rule SPIN2.
func (m *budget) goesRound(g *G) bool {
	rounds := lookEvents + roundEvents*len(g.looked)
	if m.opts.Ticking {
		rounds *= patience
	}
	return g.spins-(spinEvents-lookEvents) > rounds
}

// A look is what an event without effect looked at.
type look struct {
	site event.Site
	loc  event.Location
	key  uint64
}

// spin counts a transition of g without any effect.
func (g *polling) spin(events []event.Event) {
	g.spins++
	if g.spins <= spinEvents-lookEvents || len(events) == 0 {
		return
	}
	e := &events[0]
	l := look{e.Site, e.Loc, e.Key}
	if _, ok := g.looked[l]; ok {
		return
	}
	if g.looked == nil {
		g.looked = make(map[look]struct{})
	}
	g.looked[l] = struct{}{}
	g.spins = spinEvents - lookEvents
}

// A visit is one of a goroutine's arrivals at an operation since the last effect.
type visit struct {
	site   event.Site
	addr   uint64
	count  int
	stack  uint64 // from the second on
	memory uint64 // from the third on
}

// maxVisits bounds the operations of a polling loop.
const maxVisits = 32

// polling is what a goroutine keeps of its rounds.
type polling struct {
	passed  int // transitions of others since it could first have gone on
	spins   int // events without effect since the last that had one; see SPIN1
	looked  map[look]struct{}
	alone   int // transitions in a row
	slices  int // how often it had so many that it counted as polling
	visits  []visit
	effects int  // Machine.effects when they began
	unlocks int  // Machine.unlocks then
	tries   bool // a lock
	polls   bool // POLL1
	held    int  // locks that it holds
	other   bool // the select at which it stands could do more than take its default
	choice  bool // so could one of these rounds
}

// effectOf notes the effects of the events that the last transition logged.
func (m *execution) effectOf(events []event.Event) {
	for i := range events {
		e := &events[i]
		p := &m.gs[e.Thread].polling
		switch e.Kind {
		case event.SelectDefault:
			p.choice = p.choice || p.other
		case event.Sleep, event.LockAnnounce, event.WaitGroupWait: // they can go on as often as they come
		case event.Goroutines:
			if e.Key == movesCount {
				m.effects++
			}
		case event.OnceBegin:
			if e.Value != 0 { // it runs the function
				m.effects++
			}
		case event.Lock, event.RLock:
			p.held++
		case event.Unlock, event.RUnlock:
			if e.Key == event.UndoKey { // it only looked; but somebody may have failed because of it
				if m.contested[e.Loc.Addr] {
					m.unlocks++
				}
				break
			}
			p.held--
			m.unlocks++
		case event.CondSignal, event.CondBroadcast:
			if e.Other > 0 { // it wakes somebody
				m.effects++
			}
		case event.TryLock, event.TryRLock:
			p.tries = true
			switch {
			case e.Key == event.WritersKey: // whether it gets the lock, what it does next decides (rule RW5)
				if m.contested == nil {
					m.contested = make(map[uint64]bool)
				}
				m.contested[e.Loc.Addr] = e.Value == 0
			case e.Value != 0 && e.Key == event.ReadersKey && e.Kind == event.TryLock:
				p.held += 2 // it unlocks both parts
			case e.Value != 0:
				p.held++
			}
		default:
			if !e.Kind.ChangesNothing() {
				m.effects++
			}
		}
	}
}

// arrived notes that g has come to stand at an operation.
func (m *Machine) arrived(g *G) {
	p := &g.polling
	if !g.waiting || m.inits || m.mode == running {
		return
	}
	if g.sel != nil && !g.op.HasDefault {
		m.effects++ // a partner for others
	}
	if p.effects != m.effects {
		p.visits, p.effects, p.unlocks, p.tries, p.polls = p.visits[:0], m.effects, m.unlocks, false, false
		p.choice = false
	}
	if p.polls && p.tries && p.unlocks != m.unlocks {
		p.visits, p.unlocks, p.polls = p.visits[:0], m.unlocks, false
	}
	if p.polls || p.held != 0 {
		return
	}
	for i := range p.visits {
		if v := &p.visits[i]; v.site == g.op.Site && v.addr == g.op.Loc.Addr {
			p.polls = m.again(g, v)
			return
		}
	}
	if len(p.visits) < maxVisits {
		p.visits = append(p.visits, visit{site: g.op.Site, addr: g.op.Loc.Addr, count: 1})
	}
}

// again compares g's state with that of its last visit. What is expensive is compared only if what is cheap is equal.
func (m *heap) again(g *G, v *visit) bool {
	stack := g.stackHash()
	if v.count == 1 || v.stack != stack {
		v.count, v.stack = 2, stack
		return false
	}
	memory := uint64(0)
	m.mem.Changed(func(o *mem.Object) { memory += hashObject(o) })
	if v.count == 2 || v.memory != memory {
		v.count, v.memory = 3, memory
		return false
	}
	return true
}

// stackHash is the hash of what is g's own.
func (g *G) stackHash() uint64 {
	h := hashMix(hashMix(g.rand, g.readings), uint64(g.kids)<<32|uint64(g.timers))
	for i := range g.frames {
		fr := &g.frames[i]
		h = hashMix(h, uint64(fr.f.id)<<32|uint64(uint32(fr.pc)))
		h = hashBytes(h, unsafe.Slice((*byte)(fr.fp), fr.f.Frame))
		for _, d := range fr.defers {
			h = hashMix(h, d.ctx)
			for _, a := range d.args {
				h = hashMix(h, a)
			}
		}
	}
	return hashMix(h, uint64(len(g.panics)))
}

// isPartner reports whether a goroutine that stands at a send could meet g in its select.
func (m *Machine) isPartner(g *G) bool {
	for i := range g.sel {
		c := &g.sel[i]
		if st := m.chanAt(c.ch); c.ch == 0 || c.send || st == nil || st.cap > 0 {
			continue
		}
		for _, o := range m.gs {
			if o != g && o.waiting && o.standsAt(c.ch, true) >= 0 {
				return true
			}
		}
	}
	return false
}

// waitsToPoll reports whether g would only go round again: rule POLL2.
func (m *execution) waitsToPoll(g *G) bool {
	p := &g.polling
	return p.polls && p.held == 0 && p.effects == m.effects && !(p.tries && p.unlocks != m.unlocks) && !m.inTheWay(g)
}

// inTheWay reports whether g stands within a TryLock of an RWMutex (rule RW5) and keeps somebody from its lock.
func (m *goroutines) inTheWay(g *G) bool {
	o := &g.op
	a := o.Loc.Addr
	switch {
	case o.Kind == event.TryLock && o.Key == event.ReadersKey:
		a -= rwReaders
	case o.Key != event.UndoKey || o.Kind != event.Unlock:
		return false
	}
	for _, x := range m.live {
		if x != g && x.waiting && x.op.Kind == event.Lock && x.op.Loc.Addr == a {
			return true
		}
	}
	return false
}

// pollForEver reports whether nothing but polling is left: rule POLL3. No transition is enabled.
func (m *execution) pollForEver() bool {
	if len(m.bubbles) > 0 || len(m.pending()) > 0 {
		return false
	}
	any := false
	for _, g := range m.gs {
		switch poll := m.waitsToPoll(g); {
		case !g.waiting:
		case poll && !g.choice:
			any = true
		case g.op.Kind == event.Sleep:
			return false
		}
	}
	return any
}

// mayLeave reports whether a loop that a goroutine is in has a way out: else it waits for nothing.
func (m *Machine) mayLeave(g *G) bool {
	for i := range g.frames {
		s := m.frameSite(g, i)
		if f := g.frames[i].f; f.std || s == 0 || m.siteTable[s].in == nil {
			continue
		}
		if hasWayOut(m.siteTable[s].in.Block()) {
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

// waitsForNobody reports whether the entry's goroutine does not poll itself, and waits for what those who poll do not reach: then it is not they who keep it waiting.
func (m *Machine) waitsForNobody() bool {
	return m.main.waiting && !m.waitsToPoll(m.main) && slices.Contains(m.stuck(false, true), m.main)
}

// leftPolling ends an execution by rule POLL3.
func (m *Machine) leftPolling() {
	m.tr.Status = trace.Livelocked
	switch {
	case m.entryDone:
		m.tr.Status = trace.Returned
		m.findLeaks()
	case m.waitsForNobody():
		m.tr.Status = trace.Deadlocked
		m.markAlive(true)
		return
	}
	for _, g := range m.gs {
		if g.waiting && m.waitsToPoll(g) {
			t := &m.tr.Threads[g.idx]
			t.Polls, t.Leaked = !m.entryDone || t.Leaked && m.mayLeave(g), false
		}
	}
}
