package union

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file learns the timers and the times of an execution.

// noteTimers learns the timers of an execution.
func (a *absorption) noteTimers() {
	for i := range a.t.Started {
		n := &a.t.Started[i]
		thread := a.thread(n.Timer)
		root := a.root(thread, n.Code)
		tk := timerKey{thread, root, n.Object}
		id, ok := a.timerAt[tk]
		if !ok {
			id = int32(len(a.timers))
			a.timerAt[tk] = id
			x := timer{thread: thread, root: root, object: a.object(spaceTimer, n.Object)}
			if n.Channel {
				x.ch = a.object(spaceChan, n.Object)
				a.objects[x.ch].cap, a.objects[x.ch].timer, a.objects[x.ch].keeps = 1, true, n.Keeps
			}
			a.timers = append(a.timers, x)
			a.fires(root, n.Object)
		}
		a.starts = append(a.starts, starting{id, n.After, n.Period})
	}
}

// fires says that the next operation of a timer's thread is to fire.
func (a *absorption) fires(n int32, object uint64) {
	if x := &a.nodes[n]; !x.known {
		x.known, x.operation = true, a.operationOf(event.Op{Kind: event.TimerFire, Loc: event.Location{Addr: object}})
		a.queue.add(n)
	}
}

// startedBy returns the timers that an event started; first says that it is the first of its transition, and partner is the thread of the
// other half of a rendezvous, -1 if there is none.
func (a *absorption) startedBy(i int32, first bool, e *event.Event, partner int32) (out []starting) {
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
