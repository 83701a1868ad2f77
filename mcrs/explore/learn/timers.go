package learn

import (
	"fmt"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file learns the timers and the times of an execution.

// noteTimers learns the timers of an execution.
func (a *absorption) noteTimers() error {
	for i := range a.t.Started {
		n := &a.t.Started[i]
		if n.Stopped && n.After <= 0 {
			return fmt.Errorf("no rule for a timer of a bubble that may be in its heap and is due when it starts again: %s", n.Timer)
		}
		met := int32(len(a.IDs))
		thread := a.Thread(n.Timer)
		if !a.Enter(thread, n.Bubble, thread < met) {
			return fmt.Errorf("no rule for a timer that is not of one bubble in every execution: %s", n.Timer)
		}
		root := a.Root(thread, known.Mix(a.told(n.Code), n.Object)) // UTIME13
		tk := spec.TimerKey{Thread: thread, Root: root, Object: n.Object}
		id, ok := a.TimerAt[tk]
		if !ok {
			id = int32(len(a.Timers))
			a.TimerAt[tk] = id
			x := spec.Timer{Thread: thread, Root: root, Object: a.Object(known.SpaceTimer, n.Object), Bubble: n.Bubble, Ticks: n.Ticks}
			if n.Channel {
				x.Chan = a.Object(known.SpaceChan, n.Object)
				o := &a.Objects[x.Chan]
				o.Cap, o.Timer, o.Ticks, o.Keeps = 1, true, o.Ticks || n.Period > 0, n.Keeps
			}
			a.Timers = append(a.Timers, x)
			a.fires(root, n.Object)
		}
		x := known.Starting{Timer: id, By: a.slot[n.Thread], Kids: n.Kids, After: n.After, Period: n.Period, Sent: n.Sent, Rests: n.Rests}
		if x.Sent != 0 && n.Bubble == 0 { // what it sends has a name of the time (UTIME12)
			x.After, x.Sent = 0, 1
		}
		a.starts = append(a.starts, x)
	}
	return firesLater(a)
}

// noteSent learns what the timers have sent that were due when event i started them (UTIME12). The state is that after
// the event.
func (a *absorption) noteSent(i int32) {
	for j := range a.t.Started {
		if n := &a.t.Started[j]; n.Event == i && n.Sent != 0 && n.Bubble == 0 {
			a.ticks[n.Sent] = a.TickNow(&a.s, a.starts[j].Timer)
		}
	}
}

// fires says that the next operation of a timer's thread is to fire.
func (a *absorption) fires(n int32, object uint64) {
	if x := &a.Nodes[n]; !x.Known {
		x.Known, x.Operation = true, a.OperationOf(event.Op{Kind: event.TimerFire, Loc: event.Location{Addr: object}})
		a.Changed.Add(n)
	}
}

// startedBy returns the timers that an event started. first says that it is the first of its transition. partner is the
// thread of the other half of a rendezvous, -1 if there is none.
func (a *absorption) startedBy(i int32, first bool, e *event.Event, partner int32) (out []known.Starting) {
	for j := range a.t.Started {
		n := &a.t.Started[j]
		if n.Event == i && (first && n.Thread != partner || !first && n.Thread == e.Thread) {
			out = append(out, a.starts[j])
		}
	}
	return out
}

// timeAt returns the virtual time of an event. Events come in order.
func (a *absorption) timeAt(i int) int64 {
	for a.moved < len(a.t.Clock) && int(a.t.Clock[a.moved].Event) <= i {
		a.now = a.t.Clock[a.moved].Now
		a.moved++
	}
	return a.now
}

// firedBy returns the thread that the firing of a timer started, -1 if none.
func firedBy(t *trace.Trace, i int) int32 {
	for j := range t.Threads {
		if int(t.Threads[j].Spawn) == i {
			return int32(j)
		}
	}
	return -1
}
