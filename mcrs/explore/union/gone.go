package union

// This file says what becomes of goroutines that an entry leaves behind, and that do not come back to a state: one that
// counts its ticks, or keeps the time for others.
//
//	GONE1 The clock moves for them until their process is gone (UTIME3), if that takes maxAfter moves or less, as far
//	      as those tell that were made. It does so when nothing else is left to be done: a sweep has ended, and has
//	      found states that are cut off.
//	GONE2 If a limit strikes before they are followed to the end, what they do later is all that is not known. So
//	      nobody takes over, and the entry is incomplete for the reason that it was before.

// maxAfter is how often the clock moves at most for what an entry has left behind: a tick of 75 milliseconds. That
// takes the two regimes some seconds together.
const maxAfter = 8192

// closed reports whether what goes on after the entry's end was followed until its process is gone, or has come back to
// states that are known, in all executions.
func closed(e *Engine) bool { return e.sweep != nil && len(e.sweep.cut) == 0 && !e.sweep.short }

// goesFurther reports whether it pays to follow what an entry has left behind until its process is gone. Then the clock
// moves more often from now on (GONE1).
func goesFurther(e *Engine) bool {
	if closed(e) || e.Passes || e.sweep.far > maxAfter || e.sweep.far < e.MovesAfter {
		return false
	}
	e.MovesAfter = e.sweep.far + e.sweep.far/4
	e.Stale = true
	return true
}

// endsShort reports whether a limit, for which the search would hand over, has struck while that was done (GONE2).
func endsShort(e *Engine, reason string) bool {
	if e.MovesAfter == 0 || reason != usedUp && reason != allStates && reason != cutOff {
		return false
	}
	e.sweep.short = true
	return true
}
