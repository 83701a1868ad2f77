package race

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file tells executions in which a goroutine finds the channel of a timer empty though it must know that its time
// has come. Natively whoever looks at such a channel finds it full (TIME8 of the Go machine, where only the order of a
// goroutine and of go statements counts).

// A running is a timer with a channel that has been started, and has not fired.
type running struct {
	thread, seq int32 // who knows this event knows that it was started
	due, period int64
	over        [][2]int32 // who knows one of these events (thread and number) knows that its time has come
}

// A waking is a timer that has been started: what its starter knew then.
type waking struct{ knew clock }

// FindsNothing reports whether a goroutine takes the default of a select though a timer with a channel among its cases
// is due, and must be to all that it knows. The timer was started before a sleep began, or another timer was started,
// that ended, or fired, before the select. Before is happens-before.
func FindsNothing(t *trace.Trace) bool {
	if len(t.Started) == 0 || t.Memory != event.SC {
		return false
	}
	const epoch = 946684800 * 1_000_000_000 // the machine's clock at the start
	o := newOrder()
	o.begin(t)
	timers, wakings := map[uint64]*running{}, map[uint64]waking{}
	started, moved, now := 0, 0, int64(epoch)
	// start has the timers run that event i has started, -1 for those before the first event.
	start := func(i int32) {
		for ; started < len(t.Started) && t.Started[started].Event <= i; started++ {
			s := &t.Started[started]
			knew := o.threads[s.Thread].now()
			wakings[s.Object] = waking{knew}
			if s.Channel && !s.Keeps && s.Bubble == 0 && s.Sent == 0 {
				timers[s.Object] = &running{s.Thread, knew.get(s.Thread) - 1, rounded(now, s.After), s.Period, nil}
			}
		}
	}
	wake := func(i int32, knew clock) {
		for _, x := range timers {
			if x.due <= now && knew.get(x.thread) > x.seq {
				x.over = append(x.over, [2]int32{t.Events[i].Thread, t.Events[i].Seq})
			}
		}
	}
	start(-1)
	for i := range int32(len(t.Events)) {
		for ; moved < len(t.Clock) && t.Clock[moved].Event <= i; moved++ {
			now = t.Clock[moved].Now
		}
		e := &t.Events[i]
		o.before(i)
		switch e.Kind {
		case event.Sleep:
			wake(i, o.threads[e.Thread].now())
		case event.TimerFire:
			if x := timers[e.Loc.Addr]; x != nil && x.period > 0 && x.due <= now {
				x.due, x.over = x.due+x.period*(1+(now-x.due)/x.period), nil
			} else {
				delete(timers, e.Loc.Addr)
			}
			if w, ok := wakings[e.Loc.Addr]; ok {
				wake(i, w.knew)
			}
		case event.TimerStop, event.TimerStart:
			delete(timers, e.Loc.Addr)
		case event.SelectDefault:
			for _, c := range t.Cases[e.Cases] {
				x := timers[c.Chan]
				if x == nil || c.Kind != event.ChanRecv {
					continue
				}
				for _, known := range x.over {
					if o.threads[e.Thread].get(known[0]) > known[1] {
						return true
					}
				}
			}
		}
		o.perform(i)
		start(i)
	}
	return false
}

// rounded is when a timer is due that is started now: the machine rounds deadlines up (TIME5).
func rounded(now, after int64) int64 {
	const unit = 1000
	due := now + after
	if after > 0 && due < now {
		return 1<<63 - 1
	}
	if over := due % unit; over > 0 && after >= unit && due < 1<<63-unit {
		due += unit - over
	}
	return due
}
