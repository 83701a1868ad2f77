package vm

import (
	"github.com/heddle-go/heddle/mcrs/event"
)

// This file defines what is kept of goroutines that repeat themselves, and of what an entry left behind. The rules
// are in package loop.

// An Aftermath is what becomes of an execution when its entry has returned.
type Aftermath struct {
	EntryDone bool
	Until     int64 // how far the clock moves from then on (TIME3)
	MainStuck bool  // the entry's goroutine is blocked for ever (STUCK1)
	StillAt   int32 // its number of events
	Still     int   // moves of the clock since the last of them
	LookAt    int   // how many it takes for the next look
	CutOff    bool  // the clock could have moved on, after AfterReturn moves
	Quietness       // see naming/repeat.go
	Gone      bool  // os.Exit was called while a test was run: whoever is blocked then has not leaked, for its process is gone
	Fires     int   // moves of the clock since the entry returned
}

// Progress says whether anything has happened that lets a goroutine go on which polls.
type Progress struct {
	Effects int  // events that had one, and arrivals: see loop/polls.go
	Others  bool // something else could be done
	Polls   int  // transitions since all that can go on polls
}

// A Look is what an event without effect looked at.
type Look struct {
	Site event.Site
	Loc  event.Location
	Key  uint64
}

// A Visit is one of a goroutine's arrivals at an operation since the last effect.
type Visit struct {
	Site   event.Site
	Addr   uint64
	Count  int
	Stack  uint64 // from the second on
	Memory uint64 // from the third on
}

// Polling is what a goroutine keeps of its rounds.
type Polling struct {
	Passed  int // transitions of others since it could first have gone on
	Spins   int // events without effect since the last that had one; see SPIN1
	Looked  map[Look]struct{}
	Alone   int // transitions in a row
	Slices  int // how often it had so many that it counted as polling
	Visits  []Visit
	Effects int  // Machine.effects when they began
	Unlocks int  // Machine.unlocks then
	Tries   bool // a lock
	Polls   bool // POLL1
	Held    int  // locks that it holds
	Other   bool // the select at which it stands could do more than take its default
	Choice  bool // so could one of these rounds
}

// Quietness is what is kept of the states in which the clock has moved after the entry's end.
type Quietness struct {
	HostWrites  uint64 // system calls that have changed something
	QuietStates map[uint64]bool
}
