package spec

import (
	"cmp"
	"iter"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
)

// This file is the serial specification of timers. A timer fires in a thread of its own, whose graph begins where the
// timer is made. The rules are those of clock.go.

// A Timer is one as it was made.
type Timer struct {
	Thread, Root int32
	Object, Chan int32 // slots; ch is 0 if it has no channel
	Bubble       int32 // whose clock it follows, 0 if that of the machine
	Ticks        int64 // what it sends is so much ahead of the clock
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

// An ActiveTimer is a timer that has been started, and has neither fired for the last time nor been stopped.
type ActiveTimer struct {
	Timer        int32
	Due          bool
	first        bool  // it is due, and fires before all else in its bubble (UBUBBLE8)
	by           int32 // the goroutine that started it last
	kids         int32 // goroutines that by had started then
	order        int32 // among the active timers that by has started
	when, period int64
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
type follower struct {
	by, order int32 // who began to sleep, or started the timer, and its order
	first     bool  // it is a timer that fires before all else in its bubble (UBUBBLE8)
}

// follower is the firing of a timer.
func (a *ActiveTimer) follower() follower { return follower{a.by, a.order, a.first} }

// waits says what the operation of a thread is, a sleep or the firing of a timer. There is none if no timer of the
// thread is active.
func (f Face) waits(t int32) (follower, bool) {
	if f.k.Nodes[f.s.Nodes[t]].Op.Kind == event.Sleep {
		return follower{by: t, order: 1<<31 - 1}, true
	}
	for i := range f.timersOf(t) {
		return f.c.Active[i].follower(), true
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

// held reports whether timers that are due must send before w happens (UTIME8, UBUBBLE8).
func (f Face) held(w follower) bool {
	if f.bubble > 0 {
		return !w.first && slices.ContainsFunc(f.c.Active, func(a ActiveTimer) bool { return a.first })
	}
	l := f.c.listed
	if l == nil {
		return slices.ContainsFunc(f.c.Active, func(a ActiveTimer) bool { return a.Due && f.sendsBefore(&a, w) })
	}
	return follows(f.k, w, l.senders)
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
// on (UTIME8, UBUBBLE8).
func (f Face) HoldsBack(t int32) (objects []int32) {
	w, ok := f.waits(t)
	if i := f.dueOf(t); i >= 0 {
		w = f.c.Active[i].follower()
	}
	if !ok || !f.held(w) {
		return nil
	}
	for i := range f.c.Active {
		if a := &f.c.Active[i]; a.first || a.Due && f.sendsBefore(a, w) {
			objects = append(objects, f.k.Timers[a.Timer].Object)
		}
	}
	return objects
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

// stopTimer takes a timer away, and what is in its channel. Of one with a function, in a bubble, it notes that it was
// active (UBUBBLE4).
func (k *Rules) stopTimer(s *State, object, ch int32) {
	for b := range int32(max(1, len(k.Bubbles))) {
		c := *clockIn(k, s, b)
		if is := func(a ActiveTimer) bool { return k.Timers[a.Timer].Object == object }; b == 0 || slices.ContainsFunc(c.Active, is) {
			c.Active = slices.DeleteFunc(slices.Clone(c.Active), is)
			k.setClock(s, b, c)
			if b > 0 && ch == 0 {
				k.Set(s, object, 1)
			}
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
				leavesHeap(k, s, x.Timer, x.By)
			}
			continue
		}
		if t.Bubble > 0 && t.Chan != 0 && x.After > 0 {
			joinsHeap(k, s, x.Timer, x.By)
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
		c.Fired = min(c.Fired+1, k.EarlyMost)
	}
	a := &c.Active[i]
	if ch := k.Timers[a.Timer].Chan; ch != 0 {
		if b == 0 { // UTIME10
			sent = tickAt(k, c.Now, a.Timer)
		}
		sendTime(k, s, ch, sent)
		if b > 0 && a.period == 0 {
			leavesHeap(k, s, a.Timer, -1)
		}
	}
	if a.period > 0 {
		a.Due, a.first = false, false
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
