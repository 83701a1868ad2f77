package learn

import (
	"fmt"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
	"github.com/heddle-go/heddle/mcrs/sched"
)

// This file learns who is told the time: rules UTIME4, UTIME9 and UTIME10 of package spec.

// noteTold notes behind which events a goroutine reads the clock. What it reads before its first event counts as read
// behind the event that starts it.
func (a *absorption) noteTold() {
	if a.Timing || len(a.t.Told) == 0 { // in the second regime a reading is an event
		return
	}
	a.clocked = make(map[int32]bool)
	own := make([][]int32, len(a.t.Threads))
	for i := range a.t.Events {
		e := &a.t.Events[i]
		own[e.Thread] = append(own[e.Thread], int32(i))
	}
	for _, x := range a.t.Told {
		if x.Seq > 0 {
			a.clocked[own[x.Thread][x.Seq-1]] = true
		} else if at := a.t.Threads[x.Thread].Spawn; at >= 0 { // the entry begins at the same time always
			a.clocked[at] = true
		}
	}
}

// toldBehind adds the time to what an operation met, if the goroutine reads the clock behind it. What it asks the file
// system may have the time in it.
func (a *absorption) toldBehind(i int, n int32, x *known.Key) error {
	op := &a.Nodes[n].Op
	if a.In(a.Nodes[n].Thread) > 0 { // it is told the time by whatever it is told
		delete(a.clocked, int32(i))
		x.Now = spec.ToldAt(a.Rules, &a.s, n, *x)
		return nil
	}
	ofFiles := op.Loc.Addr == event.Kernel && op.Kind.Object() == event.Whole || op.Kind.Object() == event.Inode
	told := a.clocked[int32(i)] || !a.Timing && ofFiles
	delete(a.clocked, int32(i))
	x.Now = 0
	if !spec.NoteTold(a.Rules, n, *x, told) {
		return a.fail(i, "whether the goroutine reads the clock behind it is not a function of what its operations returned")
	}
	x.Now = spec.ToldAt(a.Rules, &a.s, n, *x)
	return nil
}

// sleeps compares when a sleep ends with what the specification says.
func (a *absorption) sleeps(thread int32, op *event.Op) error {
	if op.Kind != event.Sleep || a.In(a.slot[thread]) > 0 {
		return nil
	}
	c := a.ClockOf(&a.s)
	if ends := c.Now + c.LeftOf(a.slot[thread]) + lateness(a, thread); ends != op.Deadline {
		return fmt.Errorf("the sleep of %s at site %d ends at %d, the specification says %d", a.t.Threads[thread].ID, op.Site, op.Deadline, ends)
	}
	if many := a.Timing && spec.SleptAll(a.Rules, c, a.slot[thread]); many != (op.Key != 0) {
		return fmt.Errorf("that the sleep of %s at site %d may not end early is %v, the specification says %v", a.t.Threads[thread].ID, op.Site, op.Key != 0, many)
	}
	return nil
}

// received is what stands for what an event has received.
func (a *absorption) received(e *event.Event, n int32) uint64 {
	if tick, ok := a.ticks[e.Value]; ok && a.Objects[a.ActOf(n).Comms[max(e.Case, 0)].Object].Timer {
		return tick
	}
	return a.told(e.Value)
}

// stateAfter names the state of a goroutine behind an event. A timer with a channel is what it was when it has fired.
func (a *absorption) stateAfter(e *event.Event) sched.Local {
	if e.Kind != event.TimerFire {
		return a.w.local(e.Thread, e.Seq+1)
	}
	if _, ok := a.Face(&a.s, a.slot[e.Thread]).Ticks(a.slot[e.Thread]); ok && !a.ByHistory {
		return sched.Local{Digest: known.Mix(e.Loc.Addr, 43), Known: true}
	}
	return sched.Local{}
}
