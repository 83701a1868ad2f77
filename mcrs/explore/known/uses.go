package known

// This file says in what ways operations touch objects.

// Ways to touch an object. Of a cell, a write of one of the first values has a bit of its own.
const (
	WayRead = iota // cells, maps, objects
	WayWrite
	WayLock = iota - 2 // Lock, LockAnnounce
	WayRLock
	WayUnlock
	WayTry
	WaySend = iota - 6 // channels
	WayRecv
	WayClose
	WayPoll             // len; a select with a default, or that may meet another select (CHAN7)
	WayAdd  = iota - 10 // wait groups
	WayWait
	WayTicket = iota - 12 // condition variables
	WayWoken
	WayNotify
	WayBegin = iota - 15 // Once
	WayDone
	WayTimer = iota - 17 // timers: all that is done to them
	WayStart             // and what starts one
	ways     = 5
	// WaySum is to add to a cell what nobody looks at (UMEM3), WayLook to load what is ignored (UMEM4).
	WaySum  = 2
	WayLook = 3
	// WayStand and WayStacks are ways to touch the count of goroutines: to take a step, where that may be seen, and to
	// look at the stacks of all (UGO4).
	WayStand  = 2
	WayStacks = 3
	// WayTold is a way to touch the clock: to be told what the time is.
	WayTold = 2
	// WayFree is one, too: to take a deadline away.
	WayFree = 3
	// WayNap is one, too: to begin a sleep.
	WayNap = 4
)

// Usage is what is known of an object's use.
type Usage struct {
	Way    [ways]int32  // bit of each way, 0 if nobody does it
	Values []ValueWrite // of a cell: its first values
	// Guards are, of a cell, the locks that every access holds (of a write exclusively).
	Guards   []int32
	Accessed bool
}

// A ValueWrite is the writing of a value to a cell at a site.
type ValueWrite struct {
	Value, Bit int32
	Site       int32 // number
	Atomic     bool
}
