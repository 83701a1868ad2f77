package union

// This file says in what ways operations touch objects.

// Ways to touch an object. Of a cell, a write of one of the first values has a bit of its own.
const (
	wayRead = iota // cells, maps, objects
	wayWrite
	wayLock = iota - 2 // Lock, LockAnnounce
	wayRLock
	wayUnlock
	wayTry
	waySend = iota - 6 // channels
	wayRecv
	wayClose
	wayPoll             // len; a select with a default, or that may meet another select (CHAN7)
	wayAdd  = iota - 10 // wait groups
	wayWait
	wayTicket = iota - 12 // condition variables
	wayWoken
	wayNotify
	wayBegin = iota - 15 // Once
	wayDone
	wayTimer = iota - 17 // timers: all that is done to them
	ways     = 4
)

// usage is what is known of an object's use.
type usage struct {
	way    [ways]int32  // bit of each way, 0 if nobody does it
	values []valueWrite // of a cell: its first values
	// guards are, of a cell, the locks that every access holds (of a write exclusively).
	guards   []int32
	accessed bool
}

// A valueWrite is the writing of a value to a cell at a site.
type valueWrite struct {
	value, bit int32
	site       int32 // number
	atomic     bool
}
