package race

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file notices operations that observe without synchronisation (docs/races.md), for those who have nothing better
// than traces.

// An Observer looks at the executions of a program.
type Observer struct {
	Site      event.Site                // of an operation that observes, 0 if none was seen
	receivers map[uint64]event.ThreadID // by channel with a buffer
	signals   map[uint64]event.ThreadID // by Cond
}

// Look looks at an execution. It may take for an observation what is none.
func (o *Observer) Look(t *trace.Trace) {
	for i := range t.Events {
		if e := &t.Events[i]; o.Site == 0 && o.observes(t, e) {
			o.Site = e.Site
		}
	}
}

func (o *Observer) observes(t *trace.Trace, e *event.Event) bool {
	if t.Unordered[e.Loc.Addr] || !e.Order.Races() { // SYNC15, SYNC16
		return true
	}
	switch e.Kind {
	case event.ChanLen, event.TimerStop, event.TimerStart, event.Goroutines, event.Sleep:
		return true
	case event.TryLock, event.TryRLock:
		return e.Value == 0
	case event.ChanClose, event.Unlock, event.RUnlock: // that it can fail: where it does not, another has closed, or locked
		return e.Value == 1
	case event.ChanSend:
		return e.Other < 0
	case event.SelectDefault:
		for _, c := range t.Cases[e.Cases] {
			if c.Chan != 0 && (t.Caps[c.Chan] != 0 || t.Timers) {
				return true
			}
		}
	case event.ChanRecv:
		return t.Caps[e.Loc.Addr] != 0 && second(&o.receivers, e.Loc.Addr, t.Threads[e.Thread].ID)
	case event.CondSignal, event.CondBroadcast:
		return second(&o.signals, e.Loc.Addr, t.Threads[e.Thread].ID)
	case event.WaitGroupAdd:
		return e.Other < 0
	case event.ObjectRead, event.ObjectWrite:
		return e.Loc.Addr == event.Kernel && e.Key == 0
	case event.FileRead, event.FileWrite:
		return e.Loc.Size == 0
	}
	return false
}

// second notes who does something to an object, and reports whether another one has.
func second(who *map[uint64]event.ThreadID, addr uint64, id event.ThreadID) bool {
	if *who == nil {
		*who = make(map[uint64]event.ThreadID)
	}
	was, ok := (*who)[addr]
	(*who)[addr] = id
	return ok && was != id
}
