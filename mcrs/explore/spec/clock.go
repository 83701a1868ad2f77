package spec

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
)

// This file is the serial specification of the virtual clock, and of sleeps; timers.go has that of timers. What the
// second regime of time adds is in early.go.
//
//	UTIME1  Sleep is enabled when the clock has reached its deadline.
//	UTIME2  When nothing is enabled, the clock moves to the earliest deadline (tick). The timers whose time has come
//	        are due: their threads can fire. So is one whose time has come when it is started. A timer's channel
//	        receives the time unless it is full. A timer's function runs in a goroutine of its own.
//	UTIME3  After the entry has returned, the clock moves at most afterReturn times, or MovesAfter times if that is
//	        more, and to no deadline that is later by more than leftTime: than the return, or, in the second regime,
//	        than the start, unless the entry went on for longer than that.
//	UTIME4  A goroutine may read the clock at any time, without an event. So what an operation meets has the time in
//	        it if the goroutine reads the clock before its next one. Whether it does is known before it is told what
//	        the time is, so one execution shows it for all times. In the second regime a reading is an operation. Only
//	        that, and what starts a timer again that others know, has the time in it (TOLD4 of package vm).
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
//	UTIME15 How many of its sleeps have ended is no part of a goroutine's state (UEARLY3). It is a bound of the state,
//	        kept for each goroutine, and used, met and counted as the others are (UTIME11, UTIME14). In states of one
//	        name goroutines may have changed places (RED10), and take what they have used along: so these are
//	        compared by how the name has them.
//	UTIME16 What runs a timer's function starts with what the timer was started with last: whoever starts it again may
//	        have read the clock more often (TIME5). So its graph is named after that start, too.

// The bounds are the machine's.
const (
	afterReturn = 64
	leftTime    = 10 * 60 * 1_000_000_000
)

// A Clock is the decoded value of the clock's slot.
type Clock struct {
	Now    int64
	Moves  int64 // after the entry's end
	ended  int64 // when that was, 0 if it has not come
	Fired  int64 // firings, up to EarlyMost: of the second regime
	Active []ActiveTimer
	Asleep []Sleeper // by thread
	slept  naps      // sleeps that have ended, of the second regime
	rest   rest      // of a bubble
	name   int32     // of now, in clockwork.instants
	latest int64     // deadline

	listed *listing // nil where the active timers have changed since
}

// A Sleeper is a goroutine at Sleep, by the clock of the machine.
type Sleeper struct {
	Thread int32
	When   int64
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
	// EarlyMost bounds the firings, and the sleeps of a goroutine, that may be early (UEARLY3).
	EarlyMost int64
	// MovesAfter is how often the clock moves after the entry's end, if more than afterReturn (UTIME3).
	MovesAfter int64
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

func (k *Rules) setClock(s *State, b int32, c Clock) {
	rank(k, c.Active)
	ws := append(make([]uint64, 0, 4+4*len(c.Active)+2*len(c.Asleep)+len(c.slept)),
		uint64(c.Now), uint64(c.Moves)<<8|uint64(c.Fired)|uint64(c.rest)<<60, uint64(c.ended))
	for _, a := range c.Active {
		ws = append(ws, uint64(a.by)<<32|uint64(a.Timer)<<2|known.OneIf(a.first)<<1|known.OneIf(a.Due), uint64(a.when), uint64(a.period), uint64(a.order)<<32|uint64(a.kids))
	}
	for _, a := range c.Asleep {
		ws = append(ws, uint64(a.Thread), uint64(a.When))
	}
	for _, x := range c.slept {
		ws = append(ws, uint64(x.thread)<<8|uint64(x.ended))
	}
	ws = append(ws, uint64(len(c.Active))<<32|uint64(len(c.slept)))
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
	if !found || c.ended != 0 && next > goneAfter(k, &c) {
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

// Arrive notes that a goroutine has come to stand at a node: its sleep begins, or it may wait for a timer (UBUBBLE9).
func Arrive(k *Rules, s *State, t int32) {
	comesTo(k, s, t)
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
			a.Due, a.first = true, f.nobodyAt(a) // UBUBBLE8
		}
	}
}

// wakes reports whether the clock lets a goroutine that sleeps, or a timer, go on.
func (f Face) wakes(t int32) bool {
	if x := &f.k.Nodes[f.s.Nodes[t]]; x.Op.Kind == event.Sleep && f.c.Now >= f.wakesAt(t) {
		w, _ := f.waits(t)
		return !f.held(w)
	} else if x.Op.Kind == event.TimerFire {
		if i := f.dueOf(t); i >= 0 {
			return !f.held(f.c.Active[i].follower())
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
