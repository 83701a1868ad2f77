package trace

import "github.com/heddle-go/heddle/mcrs/event"

// A Reply is what an operation told the goroutine that performed it: its kind,
// its choice, its value, and whether it went wrong. Two executions in which each goroutine was told the
// same are of one class; what the operation did to others (a counter's new
// value, the number of an element in its channel) does not count.
type Reply struct {
	Kind  event.Kind
	Case  int16
	Value uint64
	// Wrong says that the operation panicked or was fatal (a send on a closed channel, a negative
	// counter, an unlock of an unlocked mutex), or that it found nothing (a receive from a
	// closed channel, a map without the key).
	Wrong bool
}

// ReplyOf returns what event e told its goroutine.
func ReplyOf(e *event.Event) Reply {
	r := Reply{Kind: e.Kind, Case: e.Case, Value: e.Value}
	switch e.Kind {
	case event.ChanSend, event.ChanRecv, event.WaitGroupAdd, event.MapRead:
		r.Wrong = e.Other < 0
	case event.Unlock, event.RUnlock, event.ChanClose, event.OnceEnd:
		r.Wrong = e.Value != 0
	}
	switch e.Kind {
	case event.CondAdd, event.CondWait, event.CondSignal, event.CondBroadcast, // tickets are not the program's to see
		event.Lock, event.Unlock, event.RLock, event.RUnlock, event.LockAnnounce,
		event.WaitGroupAdd, event.WaitGroupWait, event.OnceEnd,
		event.Spawn, event.End, event.Yield, event.TimerFire, event.Quiesce:
		r.Value = 0
	}
	return r
}
