package spec

import (
	"cmp"
	"iter"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
)

// This file is the serial specification of the virtual clock, and of timers. What the second regime of time adds is in
// early.go. A timer fires in a thread of its own, whose graph begins where the timer is made.
//
//	UTIME1  Sleep is enabled when the clock has reached its deadline.
//	UTIME2  When nothing is enabled, the clock moves to the earliest deadline (tick). The timers whose time has come
//	        are due: their threads can fire. So is one whose time has come when it is started. A timer's channel
//	        receives the time unless it is full. A timer's function runs in a goroutine of its own.
//	UTIME3  After the entry has returned, the clock moves at most afterReturn times, and to no deadline that is later
//	        by more than leftTime.
//	UTIME4  A goroutine may read the clock at any time, without an event. So what an operation meets has the time in
//	        it if the goroutine reads the clock before its next one. Whether it does is known before it is told what
//	        the time is, so one execution shows it for all times. In the second regime a reading is an operation. Only
//	        that, and what starts a timer again, has the time in it.
//	UTIME5  Stopping or starting a timer again empties its channel, unless it is one that keeps what it holds, and
//	        tells whether it was active.
//	UTIME6  When the clock moves because nothing is enabled, all that wait have surely begun to wait: a select beside
//	        them does not take its default.
//	UTIME7  A tick that comes while its ticker's channel is full is lost, if the clock passes it.
//	UTIME8  A sleep does not end, and a timer does not fire, before a timer with a channel that was started before it
//	        began, and that is due. Before is the order of one goroutine, and of go statements: the names of
//	        goroutines say it, with how many the starter of the timer had started then, and the order of its timers.
//	UTIME9  Deadlines are named relative to now, and now is no part of the name of a state in which nobody may yet be
//	        told the time, as far as is known (package reduce, RED14). A sleep is as long as its operation says.
//	        Nobody else can tell: the clock moves to the earliest deadline, and which that is, and what is due then,
//	        depends on differences alone.
//	UTIME10 A timer's channel receives a name of the time. A goroutine that does not look at what it receives
//	        (event.Op.Blind) meets the same at all times.
//	UTIME11 Take two states that are equal but for how much of the bounds (UTIME3, UEARLY3) was used. The one that has
//	        used less enables all that the other one enables, and what follows is related in the same way. So how much
//	        was used is no part of a name, and sweeps follow a state again that has used less than those of its name
//	        before it (RED14). A state is cut off where only the number of moves after the entry's end keeps the clock
//	        from moving (UTIME3).
//	UTIME12 A timer with a channel whose time has come when it is started sends at once, and is not active.
//	UTIME13 With another past a goroutine may make its first timer at another address. The two fire in one thread, in
//	        two graphs: the firing of the one is independent of what is done to the other.
//	UTIME14 A bound decides nothing in a state that has not used it up, and in which no deadline is beyond it. So
//	        while no state of a sweep is another one (Met), it is enough to follow one state of each name, whatever
//	        that has used of the bound. Where one is met, the sweep begins again, and counts what is used of it;
//	        states with fewer firings come first.

// The bounds are the machine's.
const (
	afterReturn = 64
	leftTime    = 10 * 60 * 1_000_000_000
)

// A Timer is one as it was made.
type Timer struct {
	Thread, Root int32
	Object, Chan int32 // slots; ch is 0 if it has no channel
	Bubble       int32 // whose clock it follows, 0 if that of the machine
	Ticks        int64 // what it sends is so much ahead of the clock
}

// A Clock is the decoded value of the clock's slot.
type Clock struct {
	Now    int64
	Moves  int64 // after the entry's end
	ended  int64 // when that was, 0 if it has not come
	Fired  int64 // firings, up to earlyFirings: of the second regime
	Active []ActiveTimer
	Asleep []Sleeper // by thread
	rest   rest      // of a bubble
	name   int32     // of now, in clockwork.instants
	latest int64     // deadline

	listed *listing // nil where the active timers have changed since
}

// A listing has what is looked up of a clock for one thread after the other: there may be thousands of them, and as
// many timers.
type listing struct {
	timers  []timerAt                  // the active ones, by thread
	due     bool                       // one of them is
	soonest int64                      // the first deadline of those that fire once and are not due
	senders map[event.ThreadID]starts  // those with a channel that are due, by who started them
	next    map[event.ThreadID]starts  // and those with the first deadline that fire once
	tickers []int32                    // the others with a channel, by their places
	started map[event.ThreadID][]int32 // kids of those with a channel, smallest first, by who started them
}

// A starts says when the due timers with a channel were started that one goroutine has started (UTIME8).
type starts struct{ order, kids int32 } // the first one's, and the fewest

// A timerAt says where among the active timers that of a thread is.
type timerAt struct{ thread, at int32 }

func list(k *Rules, c *Clock) *listing {
	l := &listing{timers: make([]timerAt, len(c.Active)), soonest: 1<<63 - 1}
	for i := range c.Active {
		a := &c.Active[i]
		l.timers[i] = timerAt{k.Timers[a.Timer].Thread, int32(i)}
		if l.due = l.due || a.Due; a.period == 0 && !a.Due {
			l.soonest = min(l.soonest, a.when)
		}
		if !sends(k, a) {
			continue
		}
		if l.started == nil {
			l.started = make(map[event.ThreadID][]int32)
		}
		l.started[k.IDs[a.by]] = append(l.started[k.IDs[a.by]], a.kids)
		if a.Due {
			noteStart(k, &l.senders, a)
		}
		if a.period > 0 {
			l.tickers = append(l.tickers, int32(i))
		}
	}
	for i := range c.Active {
		if a := &c.Active[i]; a.when == l.soonest && a.period == 0 && !a.Due && sends(k, a) {
			noteStart(k, &l.next, a)
		}
	}
	for _, kids := range l.started {
		slices.Sort(kids)
	}
	slices.SortStableFunc(l.timers, func(a, b timerAt) int { return int(a.thread - b.thread) })
	return l
}

// noteStart notes who started a timer, and when.
func noteStart(k *Rules, m *map[event.ThreadID]starts, a *ActiveTimer) {
	if *m == nil {
		*m = make(map[event.ThreadID]starts)
	}
	id := k.IDs[a.by]
	x, ok := (*m)[id]
	if !ok {
		x = starts{a.order, a.kids}
	}
	(*m)[id] = starts{min(x.order, a.order), min(x.kids, a.kids)}
}

// timersOf are the active timers of a thread, in their order, by their places.
func (f Face) timersOf(t int32) iter.Seq[int] {
	return func(yield func(int) bool) {
		if l := f.c.listed; l != nil {
			i, _ := slices.BinarySearchFunc(l.timers, t, func(x timerAt, t int32) int { return int(x.thread - t) })
			for ; i < len(l.timers) && l.timers[i].thread == t && yield(int(l.timers[i].at)); i++ {
			}
			return
		}
		for i := range f.c.Active {
			if f.k.Timers[f.c.Active[i].Timer].Thread == t && !yield(i) {
				return
			}
		}
	}
}

// A Sleeper is a goroutine at Sleep, by the clock of the machine.
type Sleeper struct {
	Thread int32
	When   int64
}

// An ActiveTimer is a timer that has been started, and has neither fired for the last time nor been stopped.
type ActiveTimer struct {
	Timer        int32
	Due          bool
	by           int32 // the goroutine that started it last
	kids         int32 // goroutines that by had started then
	order        int32 // among the active timers that by has started
	when, period int64
}

// Clockwork is what is known of timers and of times.
type Clockwork struct {
	Timers      []Timer
	TimerAt     map[TimerKey]int32
	instants    map[int64]int32
	clocks      map[int32]*Clock
	Began       Clock            // at the start of an execution
	Early       []known.Starting // before the first event
	parkedSlots []int32
	// Told are the operations, by what they met, behind which a goroutine reads the clock (UTIME4).
	Told map[known.EdgeKey]bool
	// Timing says that it is the second regime of time. Regimes says that this may be, and that there may be bubbles.
	Timing, Regimes bool
	// Passes says that the machine has passed over rounds of goroutines that poll (UPOLL1 of package learn).
	Passes bool
	// Restless says that bubbles do not come to rest: somebody of them is left out of the states.
	Restless bool
}

// ClockSlot is the slot of the clock.
const ClockSlot = 1

// ClockOf returns the clock of a state, not to be changed.
func (k *Rules) ClockOf(s *State) *Clock { return clockIn(k, s, 0) }

// clockIn returns the clock of a bubble, that of the machine if b is 0, not to be changed.
func clockIn(k *Rules, s *State, b int32) *Clock {
	v := k.Get(s, clockSlot(k, b))
	if v == 0 {
		return &k.Began
	}
	return k.clocks[v]
}

func clockSlot(k *Rules, b int32) int32 {
	if b == 0 {
		return ClockSlot
	}
	return k.Bubbles[b].Clock
}

// rank renames what rule UTIME8 asks of the active timers: where no timer sends it is 0, and the orders of those that
// one goroutine has started have no gaps.
func rank(k *Rules, active []ActiveTimer) {
	some, ordered := false, false
	for i := range active {
		a := &active[i]
		if ordered = ordered || a.order > 0; sends(k, a) {
			some = true
		} else if a.kids > 0 {
			a.kids = 0
		}
	}
	if !ordered {
		return
	}
	var of []*ActiveTimer
	for i := range active {
		if a := &active[i]; some {
			of = append(of, a)
		} else if a.order > 0 {
			a.order = 0
		}
	}
	slices.SortFunc(of, func(a, b *ActiveTimer) int { return cmp.Or(cmp.Compare(a.by, b.by), cmp.Compare(a.order, b.order)) })
	for i, a := range of {
		order := int32(0)
		if i > 0 && of[i-1].by == a.by {
			order = of[i-1].order + 1
		}
		if a.order != order { // what is in order is shared, and not written
			a.order = order
		}
	}
}

func (k *Rules) setClock(s *State, b int32, c Clock) {
	rank(k, c.Active)
	ws := append(make([]uint64, 0, 4+4*len(c.Active)+2*len(c.Asleep)),
		uint64(c.Now), uint64(c.Moves)<<8|uint64(c.Fired)|uint64(c.rest)<<60, uint64(c.ended))
	for _, a := range c.Active {
		ws = append(ws, uint64(a.by)<<32|uint64(a.Timer)<<1|known.OneIf(a.Due), uint64(a.when), uint64(a.period), uint64(a.order)<<32|uint64(a.kids))
	}
	for _, a := range c.Asleep {
		ws = append(ws, uint64(a.Thread), uint64(a.When))
	}
	ws = append(ws, uint64(len(c.Active)))
	v := k.Values.OfWords('t', ws...)
	if k.clocks[v] == nil {
		c.name = k.instant(c.Now)
		c.Active, c.Asleep = slices.Clone(c.Active), slices.Clone(c.Asleep)
		c.listed = list(k, &c)
		c.latest = latestOf(&c)
		k.clocks[v] = &c
	}
	k.Set(s, clockSlot(k, b), v)
}

// instant numbers the times that were met, from 1 on. That of the start is 1.
func (k *Rules) instant(now int64) int32 {
	if now == k.Began.Now {
		return 1
	}
	n, ok := k.instants[now]
	if !ok {
		k.Values.MustAdd()
		n = int32(len(k.instants)) + 2
		k.instants[now] = n
	}
	return n
}

// Tick moves the clock of a state in which nothing is enabled. It returns false if nothing waits for it.
func (k *Rules) Tick(s *State) bool {
	if k.Get(s, 0) != 0 { // who ends the program could still move while the others do what they do here
		return false
	}
	c := *k.ClockOf(s)
	if s.Node(0) == 0 {
		if c.Moves >= mostMoves(k) {
			return false
		}
		c.Moves++
	}
	next, found := nextDeadline(k, s, &c)
	if !found || c.ended != 0 && next > c.ended+leftTime {
		return false
	}
	Face{k, s, &c, 0}.moveTo(next, nil)
	k.setClock(s, 0, c)
	for t, n := range s.Nodes {
		if n != 0 && len(k.ActOf(n).Comms) > 0 {
			park(k, s, int32(t), parked)
		}
	}
	return true
}

// sleeps reports whether a sleeper is there. Who plans an execution may have taken it away.
func sleeps(k *Rules, s *State, a *Sleeper) bool { return atSleep(&k.Nodes[s.Node(a.Thread)]) }

// atSleep reports whether a node is known to be a sleep.
func atSleep(x *known.Node) bool { return x.Known && x.Op.Kind == event.Sleep }

// Arrive notes that a goroutine has come to stand at a node: its sleep begins.
func Arrive(k *Rules, s *State, t int32) {
	x := &k.Nodes[s.Node(t)]
	if !atSleep(x) || k.In(t) > 0 {
		return
	}
	c := *k.ClockOf(s)
	i, is := slices.BinarySearchFunc(c.Asleep, t, func(a Sleeper, t int32) int { return int(a.Thread - t) })
	if is {
		return
	}
	when := c.Now + x.Op.After
	if when < c.Now {
		when = 1<<63 - 1
	}
	c.Asleep = slices.Insert(slices.Clone(c.Asleep), i, Sleeper{t, when})
	k.setClock(s, 0, c)
}

// wakesAt returns when the sleep of a goroutine ends. The operation says it of one in a bubble.
func (f Face) wakesAt(t int32) int64 {
	if f.bubble > 0 {
		return f.k.Nodes[f.s.Node(t)].Op.Deadline
	}
	return f.c.wakesAt(t)
}

// wakesAt returns when the sleep of a goroutine ends.
func (c *Clock) wakesAt(t int32) int64 {
	if i, is := slices.BinarySearchFunc(c.Asleep, t, func(a Sleeper, t int32) int { return int(a.Thread - t) }); is {
		return c.Asleep[i].When
	}
	return 1<<63 - 1
}

// What is in the slot of a goroutine that surely waits.
const (
	parked = 1 << iota // a bit: since the clock moved (UTIME6)
	queued             // times its place in the queues of its channels, since its bubble came to rest (UBUBBLE5)
)

// park notes that a goroutine surely waits.
func park(k *Rules, s *State, t, how int32) {
	o := k.parkedSlot(t)
	k.Set(s, o, k.Get(s, o)|how)
}

// parkedSlot is the slot that says whether a goroutine waits since the clock moved (UTIME6).
func (k *Rules) parkedSlot(t int32) int32 {
	for int(t) >= len(k.parkedSlots) {
		k.Values.MustAdd()
		k.parkedSlots = append(k.parkedSlots, 0)
	}
	if k.parkedSlots[t] == 0 {
		k.Values.MustAdd()
		k.parkedSlots[t] = k.Object(known.SpaceParked, uint64(t))
	}
	return k.parkedSlots[t]
}

// Parked reports whether a goroutine waits since the clock moved (UTIME6).
func (k *Rules) Parked(s *State, t int32) bool { return HowParked(k, s, t) != 0 }

// HowParked says whether a goroutine surely waits, and how; 0 is no.
func HowParked(k *Rules, s *State, t int32) int32 {
	if int(t) >= len(k.parkedSlots) || k.parkedSlots[t] == 0 {
		return 0
	}
	return k.Get(s, k.parkedSlots[t])
}

// unpark notes that a goroutine has moved.
func (k *Rules) unpark(s *State, t int32) {
	if k.Parked(s, t) {
		k.Set(s, k.parkedSlots[t], 0)
	}
}

// moveTo moves the clock to a time, and makes the timers whose time has come due. If w is not nil, it has brought the
// clock there.
func (f Face) moveTo(when int64, w *follower) {
	c := f.c
	c.Now = max(c.Now, when)
	c.Active, c.listed = slices.Clone(c.Active), nil
	for i := range c.Active {
		a := &c.Active[i]
		switch {
		case a.Due || a.when > c.Now:
		case f.full(a) && (a.when < c.Now || w != nil && f.sendsBefore(a, *w)): // UTIME7
			a.next(c.Now)
		default:
			a.Due = true
		}
	}
}

// next has a ticker wait for the first tick that is still to come.
func (a *ActiveTimer) next(now int64) {
	was := a.when
	if a.when += a.period * (1 + (now-a.when)/a.period); a.when < was {
		a.when = 1<<63 - 1
	}
}

// full reports whether a timer is a ticker whose channel holds a tick.
func (f Face) full(a *ActiveTimer) bool {
	k, s := f.k, f.s
	ch := k.Timers[a.Timer].Chan
	return a.period > 0 && ch != 0 && k.QueueAt(s, ch).Len >= max(1, k.Objects[ch].Cap)
}

// A follower is what happens after the timers with a channel that were started before it (UTIME8): the end of a sleep,
// or the firing of a timer.
type follower struct{ by, order int32 } // who began to sleep, or started the timer, and its order

// waits says what the operation of a thread is, a sleep or the firing of a timer. There is none if no timer of the
// thread is active.
func (f Face) waits(t int32) (follower, bool) {
	if f.k.Nodes[f.s.Nodes[t]].Op.Kind == event.Sleep {
		return follower{t, 1<<31 - 1}, true
	}
	for i := range f.timersOf(t) {
		return follower{f.c.Active[i].by, f.c.Active[i].order}, true
	}
	return follower{}, false
}

// sendsBefore reports whether a timer must send, once it is due, before w happens (UTIME8).
func (f Face) sendsBefore(a *ActiveTimer, w follower) bool {
	if f.bubble > 0 || !sends(f.k, a) {
		return false
	}
	if a.by == w.by {
		return a.order < w.order
	}
	return f.k.IDs[w.by].StartedAfter(f.k.IDs[a.by], int(a.kids))
}

// sends reports whether rule UTIME8 is about a timer of the machine's clock.
func sends(k *Rules, a *ActiveTimer) bool {
	ch := k.Timers[a.Timer].Chan
	return ch != 0 && k.Timers[a.Timer].Bubble == 0 && !k.Objects[ch].Keeps
}

// dueOf returns which of the active timers is that of a thread and can fire, -1 if it cannot.
func (f Face) dueOf(t int32) int {
	if l := f.c.listed; l != nil && !l.due {
		return -1
	}
	for i := range f.timersOf(t) {
		if f.c.Active[i].Due {
			return i
		}
	}
	return -1
}

// held reports whether timers that are due must send before w happens (UTIME8).
func (f Face) held(w follower) bool {
	l := f.c.listed
	if l == nil {
		return slices.ContainsFunc(f.c.Active, func(a ActiveTimer) bool { return a.Due && f.sendsBefore(&a, w) })
	}
	return f.bubble == 0 && follows(f.k, w, l.senders)
}

// follows reports whether one of the senders must send before w happens (UTIME8).
func follows(k *Rules, w follower, senders map[event.ThreadID]starts) bool {
	if len(senders) == 0 {
		return false
	}
	id := k.IDs[w.by]
	if x, ok := senders[id]; ok && x.order < w.order {
		return true
	}
	for by, child := range id.Ancestry {
		if x, ok := senders[by]; ok && child > int(x.kids) {
			return true
		}
	}
	return false
}

// HoldsBack returns the objects of the timers without whose firing a goroutine that has slept, or a timer, does not go
// on (UTIME8).
func (f Face) HoldsBack(t int32) (objects []int32) {
	w, ok := f.waits(t)
	if !ok || !f.held(w) {
		return nil
	}
	for i := range f.c.Active {
		if a := &f.c.Active[i]; a.Due && f.sendsBefore(a, w) {
			objects = append(objects, f.k.Timers[a.Timer].Object)
		}
	}
	return objects
}

// wakes reports whether the clock lets a goroutine that sleeps, or a timer, go on.
func (f Face) wakes(t int32) bool {
	if x := &f.k.Nodes[f.s.Nodes[t]]; x.Op.Kind == event.Sleep && f.c.Now >= f.wakesAt(t) {
		w, _ := f.waits(t)
		return !f.held(w)
	} else if x.Op.Kind == event.TimerFire {
		if i := f.dueOf(t); i >= 0 {
			return !f.held(follower{f.c.Active[i].by, f.c.Active[i].order})
		}
	}
	_, early := f.early(t)
	return early
}

// Dormant reports whether a goroutine, or a timer, waits for the clock to move. The clock does not move while anything
// can move, except in the second regime.
func (k *Rules) Dormant(s *State, t int32) bool {
	x := &k.Nodes[s.Nodes[t]]
	switch {
	case x.Op.Kind == event.Quiesce: // UBUBBLE6
		return !atRest(k, s, t)
	case k.Timing && k.In(t) == 0:
		return x.Op.Kind.WaitsForClock() && k.Face(s, t).never(t)
	case x.Op.Kind == event.Sleep:
		f := k.Face(s, t)
		return f.c.Now < f.wakesAt(t)
	case x.Op.Kind == event.TimerFire:
		return k.Face(s, t).dueOf(t) < 0
	}
	return false
}

// activeTimers yields the timers of all clocks.
func activeTimers(k *Rules, s *State) iter.Seq[*ActiveTimer] {
	return func(yield func(*ActiveTimer) bool) {
		for b := range max(1, len(k.Bubbles)) {
			for i, c := 0, clockIn(k, s, int32(b)); i < len(c.Active); i++ {
				if !yield(&c.Active[i]) {
					return
				}
			}
		}
	}
}

// isActive reports whether stopping a timer would find it active (UTIME5).
func (k *Rules) isActive(s *State, object, ch int32) bool {
	for a := range activeTimers(k, s) {
		if k.Timers[a.Timer].Object == object {
			return true
		}
	}
	return ch != 0 && !k.Objects[ch].Keeps && k.QueueAt(s, ch).Len > 0
}

// stopTimer takes a timer away, and what is in its channel.
func (k *Rules) stopTimer(s *State, object, ch int32) {
	for b := range int32(max(1, len(k.Bubbles))) {
		c := *clockIn(k, s, b)
		if is := func(a ActiveTimer) bool { return k.Timers[a.Timer].Object == object }; b == 0 || slices.ContainsFunc(c.Active, is) {
			c.Active = slices.DeleteFunc(slices.Clone(c.Active), is)
			k.setClock(s, b, c)
		}
	}
	if ch != 0 && !k.Objects[ch].Keeps {
		k.Set(s, ch, k.Values.OfQueue(k.QueueAt(s, ch).Closed, nil))
	}
}

// startTimers starts timers.
func (k *Rules) startTimers(s *State, ss []known.Starting) {
	for _, x := range ss {
		t := &k.Timers[x.Timer]
		if s.Node(t.Thread) == 0 {
			s.SetNode(t.Thread, t.Root)
		}
		if t.Bubble > 0 && x.After <= 0 && !x.Rests { // UBUBBLE4
			if t.Chan != 0 {
				sendTime(k, s, t.Chan, x.Sent)
			}
			continue
		}
		if t.Bubble == 0 && x.Sent != 0 { // UTIME12
			sendTime(k, s, t.Chan, k.TickNow(s, x.Timer))
			continue
		}
		c := *clockIn(k, s, t.Bubble)
		a := ActiveTimer{Timer: x.Timer, by: x.By, kids: x.Kids, when: c.Now + x.After, period: x.Period}
		if t.Bubble > 0 {
			a.by, a.kids = 0, 0 // nobody's sleep waits for it
		} else {
			for i := range c.Active {
				if o := &c.Active[i]; o.by == a.by {
					a.order = max(a.order, o.order+1)
				}
			}
			a.when = dueAt(k, c.Now, x.After)
			a.Due = a.when <= c.Now // UTIME2
		}
		at, _ := slices.BinarySearchFunc(c.Active, a.Timer+1, func(a ActiveTimer, timer int32) int { return int(a.Timer - timer) })
		c.Active = slices.Insert(slices.Clone(c.Active), at, a)
		k.setClock(s, t.Bubble, c)
	}
}

// sendTime puts a time into the channel of a timer, unless that is full.
func sendTime(k *Rules, s *State, ch int32, sent uint64) {
	if q := k.QueueAt(s, ch); q.Len < max(1, k.Objects[ch].Cap) {
		k.Set(s, ch, k.Values.Push(q, sent))
	}
}

// dueAt is when a timer fires that is started now. Its deadline is before now if it was computed long ago, and the
// machine rounds those that are ahead (TIME5).
func dueAt(k *Rules, now, after int64) int64 {
	const unit = 1000
	when := now + after
	if after > 0 && when < now { // beyond the end of time
		return 1<<63 - 1
	}
	if over := (when - k.Began.Now) % unit; over > 0 && after >= unit && when < 1<<63-unit {
		when += unit - over
	}
	return when
}

// fire fires the timer of a thread; sent is what its channel receives, if it is in a bubble.
func (k *Rules) fire(s *State, t int32, sent uint64) {
	b := k.In(t)
	c := *clockIn(k, s, b)
	f := Face{k, s, &c, b}
	if when, early := f.early(t); early {
		w, _ := f.waits(t)
		f.moveTo(when, &w)
	} else {
		c.Active = slices.Clone(c.Active)
	}
	i := f.dueOf(t)
	if i < 0 {
		return
	}
	if k.Timing && b == 0 {
		c.Fired = min(c.Fired+1, earlyFirings)
	}
	a := &c.Active[i]
	if ch := k.Timers[a.Timer].Chan; ch != 0 {
		if b == 0 { // UTIME10
			sent = tickAt(k, c.Now, a.Timer)
		}
		sendTime(k, s, ch, sent)
	}
	if a.period > 0 {
		a.Due = false
		a.next(c.Now)
	} else {
		c.Active = slices.Delete(c.Active, i, i+1)
	}
	k.setClock(s, b, c)
}

// lateness is the machine's (TIME5).
const lateness = 10_000

// tickAt names what a timer sends at a time.
func tickAt(k *Rules, now int64, timer int32) uint64 {
	return known.Mix(uint64(now+(now-k.Began.Now)/lateness+k.Timers[timer].Ticks), 31)
}

// TickNow names what a timer sends in a state.
func (k *Rules) TickNow(s *State, timer int32) uint64 { return tickAt(k, k.ClockOf(s).Now, timer) }

// Ticks returns what the timer of a thread sends if it fires now.
func (f Face) Ticks(t int32) (uint64, bool) {
	k := f.k
	now := f.At(t)
	for i := range f.c.Active {
		if a := &f.c.Active[i]; f.bubble == 0 && k.Timers[a.Timer].Thread == t && k.Timers[a.Timer].Chan != 0 {
			return tickAt(k, now, a.Timer), true
		}
	}
	return 0, false
}

// A TimerKey tells timers apart.
type TimerKey struct {
	Thread, Root int32
	Object       uint64
}
