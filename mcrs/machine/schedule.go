package machine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program"
)

// This file defines the loop between machine and scheduler: what is enabled,
// one transition, and what happens when nothing is.

// A numbering gives goroutines and bubbles the numbers that they have in all executions.
type numbering struct {
	segments  map[event.ThreadID]int
	names     map[event.ThreadID][]event.ThreadID // of the goroutines that one started, in order
	bubbleIDs map[string]int32                    // by name, which does not depend on the schedule
}

// goroutines are those of an execution.
type goroutines struct {
	gs       []*G
	live     []*G // of gs, those that have not ended, and a few others
	dead     int  // in live
	ran      *G   // took the last transition
	spun     []*G // those whose spins are not 0
	arrivals int  // pending operations so far
	fresh    []*G // goroutines that have not run yet
	main     *G
}

// A pending is the operation at which a goroutine stands, and how far it has come with it.
type pending struct {
	op        event.Op         // the pending operation
	waiting   bool             // op is set
	permit    bool             // the scheduler chose this goroutine's operation
	trans     sched.Transition // and how
	stage     int              // visible operations of the current instruction already performed
	cursor    int              // those met in this attempt
	got       delivery
	sel       []selCase // of a pending select or channel operation
	arrived   int       // when it came to its pending operation, in arrivals
	parked    bool      // it has surely begun to wait at its pending operation
	queued    bool      // likewise, by the rules of testing/synctest: it stands in the queues of its channels
	woken     int       // 1 + the case of its select that it goes on with, 0 if that is open
	preempted bool      // its time slice is over: the pending operation is no instruction of its own
}

// segment returns the segment of memory of a goroutine's name.
func (m *Machine) segment(id event.ThreadID) int {
	if m.mode == running { // of Exec, whose addresses are compared with no others
		return mem.First
	}
	s, ok := m.segments[id]
	if !ok {
		s = mem.First + len(m.segments)
		m.segments[id] = s
	}
	return s
}

// start makes a goroutine that will call f.
func (m *Machine) start(parent *G, f *Func, ctx uint64, args []uint64) *G {
	switch {
	case m.inits && parent == nil:
		return m.startAs("init", nil, f, ctx, args)
	case parent == nil:
		return m.startAs("G1", nil, f, ctx, args)
	}
	parent.kids++
	return m.startAs(m.childID(parent), parent, f, ctx, args)
}

// childID names the newest goroutine that g started.
func (m *numbering) childID(g *G) event.ThreadID {
	kids := m.names[g.id]
	for len(kids) < g.kids {
		kids = append(kids, event.ThreadID(fmt.Sprintf("%s.%d", g.id, len(kids)+1)))
		m.names[g.id] = kids
	}
	return kids[g.kids-1]
}

// startAs is start with the goroutine's name.
func (m *Machine) startAs(id event.ThreadID, parent *G, f *Func, ctx uint64, args []uint64) *G {
	seg := mem.Init
	if !m.inits {
		seg = m.segment(id)
	}
	g := m.newG(id, seg)
	spawn, site, par := int32(-1), event.Site(0), int32(-1)
	if parent != nil {
		g.parent = parent
		if g.flows != nil && parent.flows != nil {
			m.flows.Spawn(g.flows, parent.following())
		}
		parent.bubble.enter(g)
		if b := g.bubble; b != nil && b.main == nil {
			b.main = g
		}
		spawn, par = int32(len(m.tr.Events)-1), parent.idx
		if !parent.ended {
			site = m.siteOf(parent)
		}
	}
	g.idx = int32(len(m.tr.Threads))
	m.tr.Threads = append(m.tr.Threads, trace.Thread{ID: g.id, Parent: par, Spawn: spawn, Site: site, Holder: -1, Bubble: bubbleID(g.bubble)})
	m.gs, m.live = append(m.gs, g), append(m.live, g)
	if f == nil {
		panic("machine: goroutine without a function")
	}
	g.runs = f
	m.pushArgs(g, f, args, ctx, baseFrame)
	return g
}

// spawn performs a go statement.
func (m *Machine) spawn(g *G, f *Func, ctx uint64, args []uint64) status {
	if len(m.segments) >= 1<<16-8 {
		m.limit(g, "limit of 65,528 goroutines reached")
		return halt
	}
	if m.mem.Live > m.collectAt && !m.room(g, 0) {
		return halt
	}
	if m.inits {
		m.initSpawn = true
	}
	if !m.announce(g, event.Op{Kind: event.Spawn}) {
		return yield
	}
	if f.missing == "" {
		m.signatureOf(f)
	}
	m.publish(ctx)
	for _, a := range args { // arguments are typed words; what looks like an address of ours is published
		if a>>48 >= mem.First && a>>48 < 0xffff {
			m.publish(a)
		}
	}
	child := m.start(g, f, ctx, args)
	child.startTicks(g.ticks)
	if i := m.lastEvent; i >= 0 {
		m.tr.Events[i].Other = int64(child.idx)
		m.tr.Events[i].Value = m.startDigest(f, ctx, args, g.ticks)
		m.lastEvent = -1
	}
	m.fresh = append(m.fresh, child)
	return done
}

// startDigest names what a goroutine starts with: with the memory it can reach, it determines what the goroutine does.
func (m *Machine) startDigest(f *Func, ctx uint64, args []uint64, ticks int64) uint64 {
	h := digest([]byte(f.name + "\x00padding"))
	words := append([]uint64{ctx, uint64(ticks)}, args...)
	for _, w := range words {
		h = (h ^ w) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	m.carry(h, words)
	return h
}

// startTicks has the readings of the clock of a goroutine that starts come after those before (TIME5).
func (g *ownTime) startTicks(ticks int64) {
	if ticks > 0 {
		g.ticks, g.readings = ticks, hashMix(g.readings, uint64(ticks))
	}
}

func (m *Machine) signatureOf(f *Func) {
	if !f.compiled {
		m.compile(f)
	}
}

// ended ends a goroutine whose function has returned, or that called Goexit.
func (m *Machine) ended(g *G) status {
	if !m.direct && !g.permit {
		g.stage, g.cursor = 0, 0
		g.op = event.Op{Kind: event.End}
		g.waiting = true
		g.ending = true
		return halt
	}
	m.finish(g)
	return halt
}

func (m *Machine) finish(g *G) {
	if !m.direct {
		m.log(g, plain(event.End, 0, 0))
	}
	m.leave(g)
}

// leave is finish without an event.
func (m *Machine) leave(g *G) {
	g.permit, g.waiting, g.ending = false, false, false
	g.ended = true
	m.dropStack(g)
	g.panics = nil
	m.retire()
	if g == m.main && !(g.exited && m.entry != nil && m.entry.Kind == program.Main) {
		m.entryDone, m.until = true, m.goneAfter()
		if m.entry != nil && m.entry.Kind == program.Main { // the process ends with main
			m.tr.Status = trace.Returned
			m.over = true
		}
	}
}

// advance runs g until it stands at its next visible operation, and the goroutines that it started likewise.
func (m *Machine) advance(g *G) {
	g.parked, g.queued, g.woken, g.secret = false, false, 0, false
	m.run(g)
	for len(m.fresh) > 0 && !m.over {
		c := m.fresh[0]
		m.fresh = m.fresh[1:]
		m.run(c)
	}
}

// loop runs the execution to its end under s.
func (m *Machine) loop(s sched.Scheduler) {
	m.state = sched.State{Last: -1, Threads: m.state.Threads[:0], Enabled: m.state.Enabled[:0], Hash: m.hashState, Local: m.localState, Trace: m.tr}
	for !m.over {
		for _, b := range m.bubbles {
			b.waitReady, b.endReady = false, false
		}
		if m.opts.Timing {
			m.offerEarly()
		}
		m.offer()
		if len(m.bubbles) > 0 && m.settle() {
			m.offer()
		}
		n := len(m.state.Enabled)
		m.others = n > len(m.early)
		m.tr.Timers = m.tr.Timers || (n > 0 || m.manyStarted()) && m.couldBeEarly()
		if len(m.state.Enabled) == 0 {
			if m.pollForEver() {
				m.leftPolling()
				return
			}
			m.lookStuck()
			if m.advanceClock() {
				continue
			}
			m.quiescent()
			return
		}
		if m.allPoll() {
			// Time passes while goroutines poll: what the clock has to offer is offered too.
			if m.polls == 0 && m.advanceClock() {
				m.polls, m.tr.Spun = 1, true
				continue
			}
			m.now += 1 << min(m.polls/4, 36) // a loop that looks at the clock
			m.clockMoved()
			m.tr.Spun = true
			if m.polls++; m.polls > pollEvents+m.roundLength() {
				m.tr.Status, m.tr.Reason = trace.Limit, "goroutines poll without end"
				m.tr.ReasonSite = m.gs[m.state.Enabled[0].Thread].op.Site
				return
			}
		} else {
			m.polls = 0
		}
		if m.cancelled() {
			m.tr.Status, m.tr.Reason = trace.Limit, "cancelled"
			return
		}
		if max := m.opts.MaxEvents; max > 0 && len(m.tr.Events) >= max {
			m.tr.Status, m.tr.Reason = trace.Limit, "limit of events reached"
			m.findLeaks()
			return
		}
		for i, g := range m.gs {
			if i == len(m.state.Threads) {
				m.state.Threads = append(m.state.Threads, sched.Thread{ID: g.id})
			}
			t := &m.state.Threads[i]
			if t.Op = nil; g.waiting {
				t.Op = &g.op
			}
			t.Seq, t.Bubble = g.seq, m.tr.Threads[g.idx].Bubble
			t.Spin = g.spins > spinEvents || g.alone > g.slice()
			t.Early = len(m.early) > 0 && slices.Contains(m.early, g)
			t.Starved = g.passed > starveEvents && !t.Early && m.state.Last >= 0 && m.gs[m.state.Last].alone < starveEvents
		}
		i := s.Next(&m.state)
		if i == sched.Stop {
			m.tr.Status = trace.Stopped
			return
		}
		t := m.state.Transition(i)
		m.state.Step++
		m.state.Last = t.Thread
		m.countPassed(t)
		m.perform(t)
	}
}

// cancelled reports whether nobody waits for the execution any more.
func (m *execution) cancelled() bool { return m.opts.Cancelled != nil && m.opts.Cancelled.Load() }

// offer sets the transitions that the scheduler is offered.
func (m *Machine) offer() {
	m.state.Enabled, m.state.Idle, m.state.Held = m.state.Enabled[:0], m.state.Idle[:0], m.state.Held[:0]
	for _, g := range m.gs {
		if g.waiting {
			from := len(m.state.Enabled)
			if m.state.Enabled = m.enabled(g, m.state.Enabled); m.relaxed() {
				m.state.Enabled = m.undrained(g, m.state.Enabled, from)
			}
		}
	}
}

// allPoll reports whether all that can go on has only repeated itself.
func (m *execution) allPoll() bool {
	for _, t := range m.state.Enabled {
		if !m.goesRound(m.gs[t.Thread]) {
			return false
		}
	}
	return true
}

// roundLength is how many events some of those that poll surely go on for until they have gone round.
func (m *execution) roundLength() int {
	n := 0
	for _, t := range m.state.Enabled {
		n += len(m.gs[t.Thread].looked)
	}
	return roundEvents * n
}

// pollEvents is how many events goroutines that poll may go on for when nothing else can happen.
const pollEvents = 256

// sliceEvents is the number of transitions in a row after which a goroutine counts as polling though they had effects: it
// may be waiting for another one to run. Each time it is one more: else goroutines that go round could always stop at the same point of their rounds, in which
// none of them gets what it waits for.
const sliceEvents = 1000

// slice is the number of transitions in a row after which g counts as polling.
func (g *polling) slice() int { return sliceEvents + g.slices }

// starveEvents is the number of transitions that goroutines which take turns may make before one that could also go on does.
const starveEvents = 128

// countPassed counts for each goroutine how often it could go on and another one did.
func (m *execution) countPassed(t sched.Transition) {
	last := int32(-1)
	for _, e := range m.state.Enabled {
		if e.Thread != last {
			last = e.Thread
			m.gs[last].passed++
		}
	}
	m.gs[t.Thread].passed = 0
	if t.Partner >= 0 {
		m.gs[t.Partner].passed = 0
	}
}

// perform takes a transition.
func (m *Machine) perform(t sched.Transition) {
	g := m.gs[t.Thread]
	before := len(m.tr.Events)
	m.began = before
	g.permit, g.trans = true, t
	if g.early {
		m.moveEarly(g.op.Deadline, g)
	}
	if g.fires != nil {
		m.fire(g)
	} else if g.isBuffer() {
		m.flush(g)
	} else if g.ending {
		m.finish(g)
	} else if g.dying {
		m.die(g)
	} else {
		m.advance(g)
		if t.Partner >= 0 && !m.over {
			m.advance(m.gs[t.Partner])
		}
	}
	g.permit = false
	m.effectOf(m.tr.Events[min(before, len(m.tr.Events)):])
	m.arrived(g)
	if t.Partner >= 0 {
		m.arrived(m.gs[t.Partner])
	}
	if m.ran != nil && m.ran != g {
		if m.ran.alone > m.ran.slice() {
			m.ran.slices++
		}
		m.ran.alone = 0
	}
	m.ran = g
	g.alone++
	effect := g.preempted || m.worked // it computes, or uses locks
	m.worked = false
	for _, e := range m.tr.Events[min(before, len(m.tr.Events)):] {
		if e.Kind.ChangesNothing() {
			continue
		}
		switch e.Kind {
		case event.Goroutines:
			effect = effect || e.Key == movesCount
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
		for _, o := range m.spun {
			o.spins = 0
			clear(o.looked)
		}
		m.spun = m.spun[:0]
	} else {
		if g.spins == 0 {
			m.spun = append(m.spun, g)
		}
		g.spin(m.tr.Events[min(before, len(m.tr.Events)):])
	}
	if m.mode == running { // nobody looks at the events of Exec
		m.tr.Events, m.tr.Cases = m.tr.Events[:0], m.tr.Cases[:0]
	}
}

// enabling says of each kind of operation that can wait, communications apart, when it is enabled for the goroutine that stands at it.
var enabling = [event.NumKinds]func(m *Machine, g *G) bool{
	event.Lock:          (*Machine).lockEnabled,
	event.LockAnnounce:  (*Machine).lockEnabled,
	event.RLock:         (*Machine).lockEnabled,
	event.Fence:         func(m *Machine, g *G) bool { return len(g.stores) == 0 },
	event.WaitGroupWait: func(m *Machine, g *G) bool { return m.wgCounter(g.op.Loc.Addr) == 0 },
	event.OnceBegin:     func(m *Machine, g *G) bool { return m.peek32(g.op.Loc.Addr+4) == 0 },
	event.CondWait:      func(m *Machine, g *G) bool { return int32(m.peek32(g.op.Loc.Addr+4)-uint32(g.op.Key)) > 0 },
	event.Sleep:         func(m *Machine, g *G) bool { return m.line(g).now >= g.op.Deadline || g.early },
	event.TimerFire:     func(*Machine, *G) bool { return true }, // its thread stands there when the clock, or rule TIME4, offers it
	event.Quiesce: func(m *Machine, g *G) bool {
		b := m.bubbleOf(int32(g.op.Key))
		return g == b.root && b.endReady || g != b.root && b.waitReady
	},
}

func (m *heap) lockEnabled(g *G) bool { return m.lockFree(&g.op) }

// enabled appends the transitions of g.
func (m *Machine) enabled(g *G, ts []sched.Transition) []sched.Transition {
	one := sched.Transition{Thread: g.idx, Case: -1, Partner: -1, PartnerCase: -1}
	o := &g.op
	switch {
	case o.IsSelect():
		return m.enabledCases(g, ts)
	case o.Kind.IsComm():
		return m.enabledCase(g, 0, -1, ts)
	}
	rule := enabling[o.Kind]
	ok := rule == nil || rule(m, g)
	if ok && o.Kind == event.Sleep && !g.early && len(m.due) > 0 && g.bubble == nil && m.sendsFirst(g) {
		m.state.Held = append(m.state.Held, one)
		ok = false
	}
	if ok && o.Kind != event.Sleep && !g.choice && m.waitsToPoll(g) {
		m.state.Idle = append(m.state.Idle, one)
	} else if ok {
		ts = append(ts, one)
	}
	return ts
}

// enabledCases appends the transitions of a select.
func (m *Machine) enabledCases(g *G, ts []sched.Transition) []sched.Transition {
	sure := false
	n := len(ts)
	if i := g.woken - 1; i >= 0 {
		return m.enabledCase(g, i, int16(i), ts)
	}
	for i := range g.sel {
		ts = m.enabledCase(g, i, int16(i), ts)
	}
	if !g.op.HasDefault {
		return ts
	}
	for _, t := range ts[n:] {
		if t.Partner < 0 || m.gs[t.Partner].parked {
			sure = true
		}
	}
	if !sure { // CHAN5: a parked sender makes a receive case ready as well
		for i := range g.sel {
			c := &g.sel[i]
			if st := m.chanAt(c.ch); c.ch == 0 || c.send || st == nil || st.cap > 0 {
				continue
			}
			for _, o := range m.live {
				if o != g && o.waiting && o.parked && o.woken == 0 && o.standsAt(c.ch, true) >= 0 {
					sure = true
				}
			}
		}
	}
	if sure {
		return ts
	}
	other := len(ts) > n || m.isPartner(g)
	if d := (sched.Transition{Thread: g.idx, Case: int16(len(g.sel)), Partner: -1, PartnerCase: -1}); m.waitsToPoll(g) && (other || !g.choice) {
		m.state.Idle = append(m.state.Idle, d)
	} else {
		ts = append(ts, d)
	}
	g.other = other
	return ts
}

// standsAt returns the first case of g's pending operation that communicates on ch in the given direction, -1 if none.
func (g *pending) standsAt(ch uint64, send bool) int {
	for i := range g.sel {
		if g.sel[i].ch == ch && g.sel[i].send == send {
			return i
		}
	}
	return -1
}

// enabledCase appends the transitions of communication i of g.
func (m *Machine) enabledCase(g *G, i int, kase int16, ts []sched.Transition) []sched.Transition {
	c := &g.sel[i]
	if c.ch == 0 {
		return ts
	}
	st := m.chanAt(c.ch)
	one := sched.Transition{Thread: g.idx, Case: kase, Partner: -1, PartnerCase: -1}
	if !c.send {
		if st.closed || len(st.buf) > m.before(g, c) {
			ts = append(ts, one)
		}
		return ts
	}
	if st.closed || len(st.buf)+m.before(g, c) < st.cap {
		return append(ts, one)
	}
	if st.cap > 0 || m.before(g, c) > 0 {
		return ts
	}
	for _, r := range m.live {
		if r == g || !r.waiting || r.woken > 0 {
			continue
		}
		for j := range r.sel {
			if r.sel[j].ch == c.ch && !r.sel[j].send && !(m.elsewhere(g) && m.elsewhere(r)) && m.before(r, &r.sel[j]) == 0 {
				t := one
				t.Partner = r.idx
				if r.op.IsSelect() {
					t.PartnerCase = int16(j)
				}
				ts = append(ts, t)
			}
		}
	}
	return ts
}

// before counts the goroutines that are served before g at a channel: they stand in its queue, and g does not yet (CHAN8).
func (m *goroutines) before(g *G, c *selCase) (n int) {
	if g.queued || g.bubble == nil {
		return 0
	}
	for _, o := range m.live {
		if o.queued && o.waiting && o.woken == 0 && o.standsAt(c.ch, c.send) >= 0 {
			n++
		}
	}
	return n
}

// elsewhere reports whether g stands at a select that has something to do without a partner (CHAN7).
func (m *heap) elsewhere(g *G) bool {
	if !g.op.IsSelect() {
		return false
	}
	if g.op.HasDefault {
		return true
	}
	for i := range g.sel {
		c := &g.sel[i]
		if c.ch == 0 {
			continue
		}
		if st := m.chanAt(c.ch); st.closed || c.send && len(st.buf) < st.cap || !c.send && len(st.buf) > 0 {
			return true
		}
	}
	return false
}

// limit ends the execution at a limit.
func (m *Machine) limit(g *G, reason string) {
	m.tr.Status, m.tr.Reason, m.tr.ReasonSite = trace.Limit, reason, m.siteOf(g)
	m.over = true
}

// unseen notes what the execution leaves out, where g stands. The first reason stands.
func (m *Machine) unseen(g *G, reason string) {
	if m.tr.Unseen == "" && !m.inits {
		m.tr.Unseen, m.tr.UnseenSite = reason, m.siteOf(g)
	}
}

// unsupported ends the execution at a function that the machine lacks.
func (m *Machine) unsupported(g *G, f *Func) { m.lacks(g, "function "+f.missing) }

// lacks ends the execution: the machine has no what. Of functions of package testing it names the caller, which is
// the test where one fails it.
func (m *Machine) lacks(g *G, what string) status {
	caller, site := "?", m.siteOf(g)
	for i := len(g.frames) - 1; i >= 0; i-- {
		f := g.frames[i].f
		if f.missing != "" || f.intrinsic != nil {
			continue
		}
		if !f.std || !strings.HasPrefix(f.name, "(*testing.") {
			caller = f.name
			break
		}
		if i > 0 {
			site = m.frameSite(g, i-1)
		}
	}
	m.tr.Status = trace.Unsupported
	m.tr.Reason = fmt.Sprintf("unsupported %s, called by %s", what, caller)
	m.tr.ReasonSite = site
	m.over = true
	return halt
}
