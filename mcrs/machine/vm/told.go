package vm

import "github.com/heddle-go/heddle/mcrs/trace"

// This file says whom an execution tells the time. A goroutine that is told none goes on in the same way whatever it
// is: that is what states are named by (rule UTIME9 of package spec).
//
//	TOLD1  A goroutine is told the time by a reading of the clock, and by what a timer's channel gives it; what the
//	       file system keeps is an event.
//	TOLD2  Who starts a timer is not: package time reads the clock for it, in time.when, to say when the timer is due,
//	       and the machine takes the same reading away again. Nothing else sees it, so it is none of the readings of
//	       TIME5 either.
//	TOLD3  What a timer's channel gives is not looked at where the instruction that receives it has a result that no
//	       instruction refers to (event.Op.Blind). So it gets zeroes, and its event has no value: whatever the time
//	       was, the goroutine is in one state, whoever looks at it.

// Tells notes that g is told the time.
func Tells(m *Machine, g *G) {
	g.Told = HashMix(g.Told, uint64(m.Line(g).Now))
	if m.Mode == Running || m.Inits {
		return
	}
	is := trace.Told{Thread: g.Index, Seq: g.Seq}
	if n := len(m.Trace.Told); n == 0 || m.Trace.Told[n-1] != is {
		m.Trace.Told = append(m.Trace.Told, is)
	}
}

// SleptEarly is how many sleeps of g count for whether its next ones may end early (TIME4).
func SleptEarly(m *Machine, g *G) uint64 {
	if !m.Options.Timing {
		return 0
	}
	return uint64(min(g.Slept, EarlySleeps))
}
