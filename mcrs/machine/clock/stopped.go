package clock

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file says when the function of a stopped timer of a bubble starts that is reset to a time that has come
// (BUBBLE6). A timer that is stopped stays in the heap of its bubble (runtime/time.go, stop). As long as it is there,
// Reset makes it active again, and it fires when the heap is looked at: when the bubble is idle. It is taken out in two
// ways:
//
//   - Whoever puts another timer into the heap, or begins to sleep, takes stopped ones out at both ends of it
//     (cleanHead). If the heap holds at most one that is active, that is all of them. The runtime leaves it out if the
//     goroutine is to be preempted just then, so afterwards the timer may be there or not.
//   - When the bubble is idle and its clock has come to the deadline that the timer had, or if that comes before those
//     of all others in the heap.
//
// A timer with a channel is in the heap while a goroutine is blocked at it. It stays there when that one goes on with
// something else, or somebody stops the timer, until it is taken out like a timer that was stopped. One that is reset
// while it is there, and is due, sends when the bubble is idle. Whether a goroutine is blocked is known of those that
// were when the bubble was idle, before all that was done since. Where another one may be, which may also have come too
// late, the timer sends at once, and the entry is not exhausted. Nor is it if one comes to the channel only behind such
// a Reset, unless the bubble was idle between, or the one that made the Reset has started it since: it may have come
// before. No event says when a goroutine comes to a channel, so explorers do not tell these orders apart.
//
// A timer that has sent is in no heap (unlockAndRun), and a Reset of it to a time that has come sends at once, whoever
// is blocked at its channel (modify).
//
// The order of what several goroutines put into the heap is not among the orders that explorers tell apart. Where a
// Reset would tell them apart, the entry is not exhausted.

// staysInHeap notes that g stops a timer. If it was to fire, the bubble having been idle, the heap is looked at just
// then.
func staysInHeap(g *vm.G, t *vm.Timer) {
	b := t.Bubble
	fires := slices.Contains(b.Due, t)
	if _, waits := slices.BinarySearchFunc(b.Timers, t, (*vm.Timer).Compare); !fires && !waits || t.Func.Name != "time.goFunc" {
		return
	}
	b.Stays(t.Addr, vm.Stopped{When: t.When, By: g.ID, Cleaned: fires && !t.Offered})
}

// leavesHeap notes that a timer has sent. One of a bubble that does so once is in no heap then, whoever is blocked at
// its channel, and if it is due when it is started again it sends at once (runtime/time.go, unlockAndRun and modify).
func leavesHeap(m *vm.Machine, t *vm.Timer) {
	b := t.Bubble
	if b == nil || t.Period > 0 {
		return
	}
	if standAt(b, t.Arg2) < 2 { // or one that does not receive what it sends is still blocked
		delete(b.Waited, t.Arg2)
	}
	delete(b.Blocked, t.Arg2)
	delete(b.Stopped, t.Arg2)
	if drains(m, t) {
		if b.Fired == nil {
			b.Fired = map[uint64]bool{}
		}
		b.Fired[t.Arg2] = true
	}
}

// standAt is how many goroutines of a bubble stand at a channel to receive.
func standAt(b *vm.Bubble, ch uint64) (n int) {
	for _, g := range b.Threads {
		if g.StandsAt(ch, false) >= 0 {
			n++
		}
	}
	return n
}

// heapRests notes that a bubble is idle: all that was done in it comes before what follows.
func heapRests(b *vm.Bubble) {
	for a, s := range b.Stopped {
		s.Doubtful = s.Doubtful || joinedBeside(b, a, s)
		b.Stopped[a] = s
	}
	was := b.Blocked
	b.Blocked = nil
	for _, t := range b.Timers {
		if t.Func.Name == "time.sendTime" && standAt(b, t.Arg2) > 0 {
			if b.Blocked == nil {
				b.Blocked = map[uint64]int64{}
			}
			b.Blocked[t.Arg2] = t.When
			delete(b.Stopped, t.Arg2)
		}
	}
	for c, when := range was {
		if _, is := b.Blocked[c]; !is {
			others := slices.ContainsFunc(b.Joined, func(e vm.HeapEntry) bool { return e.Addr != c })
			b.Stays(c, vm.Stopped{When: when, Doubtful: others})
		}
	}
	b.Joined, b.Resumed, b.Sent = nil, nil, nil
}

// heapRuns notes that the clock of a bubble has moved: its heap is looked at. A timer that was reset while it was in
// the heap may have all stopped ones taken out (adjust).
func heapRuns(b *vm.Bubble) {
	for a, s := range b.Stopped {
		if s.When <= b.Now || firstInHeap(b, s.When) {
			s.Gone = true
		}
		s.Lost = s.Lost || b.Modified
		b.Stopped[a] = s
	}
}

// A resumption says how a timer of a bubble starts again whose time has come.
type resumption int

const (
	atOnce  resumption = iota // its function starts with it
	rests                     // when the bubble is idle
	offered                   // at any time from now on, until the bubble is idle
)

// restarts says how a timer of a bubble starts again if its time has come, and whether it was stopped before; g does
// it. One that was active is in the heap (BUBBLE4).
func restarts(m *vm.Machine, g *vm.G, t *vm.Timer, active bool) (how resumption, stopped bool) {
	b, due := t.Bubble, t.When <= t.Bubble.Now
	if t.Func.Name != "time.goFunc" {
		if !due {
			if delete(b.Fired, t.Arg2); standAt(b, t.Arg2) > 0 {
				b.Waits(t.Arg2)
			}
			b.JoinsHeap(m, g, t.Arg2, false)
			if s, stays := b.Stopped[t.Arg2]; stays {
				s.Lost = true
				b.Stopped[t.Arg2] = s
			}
		} else if b.Fired[t.Arg2] {
			return atOnce, false
		} else if b.Waited[t.Arg2] {
			return sendsAgain(m, g, t), true
		} else {
			b.SendsAtOnce(t.Arg2, g)
		}
		return atOnce, false
	}
	s, stopped := b.Stopped[t.Addr]
	delete(b.Stopped, t.Addr)
	if !active && !due {
		b.JoinsHeap(m, g, t.Addr, !stopped || s.Gone)
	}
	b.Modified = b.Modified || active || stopped && !s.Gone
	switch {
	case active:
		how = rests
	case stopped && due:
		how = resume(m, g, t, s)
	}
	return how, stopped
}

// resume says how a timer that was stopped starts again (BUBBLE6); g does it.
func resume(m *vm.Machine, g *vm.G, t *vm.Timer, s vm.Stopped) resumption {
	b := t.Bubble
	switch {
	case s.Gone:
		return atOnce
	case s.Lost:
		m.Lacks(g, "Reset of a timer of a bubble that was stopped before others were started again")
		return rests
	case s.Cleaned:
		return offered
	case s.Doubtful || joinedBeside(b, t.Addr, s):
		m.Unseen(g, vm.HeapReason)
	}
	b.Resumes(g)
	return rests
}

// sendsAgain says when a timer sends again whose time has come, and at whose channel somebody may have blocked.
func sendsAgain(m *vm.Machine, g *vm.G, t *vm.Timer) resumption {
	b := t.Bubble
	s, stays := b.Stopped[t.Arg2]
	delete(b.Stopped, t.Arg2)
	_, blocked := b.Blocked[t.Arg2]
	if !blocked && stays && !s.Cleaned {
		b.Modified = b.Modified || !s.Gone
		how := resume(m, g, t, s)
		if how == rests {
			b.Stays(t.Arg2, s) // until it sends
		}
		return how
	}
	b.Modified = true
	if !blocked {
		m.Unseen(g, vm.SendReason)
		return atOnce
	}
	if slices.ContainsFunc(b.Joined, func(e vm.HeapEntry) bool { return e.Addr != t.Arg2 }) {
		m.Unseen(g, vm.HeapReason)
	}
	b.Resumes(g)
	return rests
}

// joinedBeside reports whether another goroutine than the one that stopped a timer has put something into the heap
// since the bubble was idle: it may have come before the Stop, or behind it.
func joinedBeside(b *vm.Bubble, addr uint64, s vm.Stopped) bool {
	return slices.ContainsFunc(b.Joined, func(e vm.HeapEntry) bool { return e.By != s.By && e.Addr != addr })
}

// firstInHeap reports whether a deadline comes before all others of a bubble that have not come.
func firstInHeap(b *vm.Bubble, when int64) bool {
	return !slices.ContainsFunc(b.Timers, func(t *vm.Timer) bool { return t.When <= when }) &&
		!slices.ContainsFunc(b.Threads, func(g *vm.G) bool { return g.Sleeping && b.Now < g.WakeAt && g.WakeAt <= when })
}
