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
	Effects    int  // events that had one, and arrivals: see loop/polls.go
	Others     bool // something else could be done
	Polls      int  // transitions since all that can go on polls
	Calculates bool // the last transition was one of those of a calculation that do not count (SPIN5 to SPIN7)
}

// A Look is what an event without effect looked at, and at which depth of calls.
type Look struct {
	Site  event.Site
	Loc   event.Location
	Key   uint64
	Depth int
}

// A Visit is one of a goroutine's arrivals at an operation since the last effect.
type Visit struct {
	Site   event.Site
	Kind   event.Kind // RWMutex.Lock stands at two operations, one after the other
	Addr   uint64
	Count  int
	Stack  uint64 // from the second on
	Memory uint64 // from the third on
	At     int64  // the time of the last
	Slept  int    // how often the goroutine had slept then
	Seq    int32  // and how many events it had
	Depth  int    // and how many frames
}

// Polling is what a goroutine keeps of its rounds.
type Polling struct {
	Passed int // transitions of others since it could first have gone on
	Spins  int // events without effect since the last that had one; see SPIN1
	// Calculated counts those that a calculation made: see SPIN5.
	Calculated int
	// Built counts the reads of one that builds something. MadeAt is how much it had made when it last had made
	// something, and Unmade counts its events since: see SPIN6.
	Built, Unmade int
	MadeAt        uint64
	ReadAt        uint64 // G.Readings when they began
	Looked        map[Look]struct{}
	Alone         int // transitions in a row
	Slices        int // how often it had so many that it counted as polling
	Visits        []Visit
	Compared      int64 // words looked at to compare rounds: see POLL6
	Effects       int   // Machine.effects when they began
	Unlocks       int   // Machine.unlocks then
	Tries         bool  // a lock
	Polls         bool  // POLL1
	Period        int64 // how long a round takes of one that sleeps, else 0
	Steps         int32 // and how many transitions
	Held          int   // locks that it holds
	Other         bool  // the select at which it stands could do more than take its default
	Choice        bool  // so could one of these rounds
}

// Quietness is what is kept of the states in which the clock has moved after the entry's end.
type Quietness struct {
	HostWrites  uint64 // system calls that have changed something
	QuietStates map[uint64]bool
}

// Repeats reports whether g polls, and nothing has had an effect since it was found to: rule POLL1.
func Repeats(m *Machine, g *G) bool {
	p := &g.Polling
	return p.Polls && p.Held == 0 && p.Effects == m.Effects && !(p.Tries && p.Unlocks != m.Unlocks)
}

// KeepsTime reports whether rule POLL4 holds for g when it polls.
func KeepsTime(g *G) bool { return g.Period > 0 }

// SleepsInRound reports whether g sleeps, and rule POLL4 holds for it.
func SleepsInRound(m *Machine, g *G) bool {
	return g.Waiting && g.Op.Kind == event.Sleep && KeepsTime(g) && Repeats(m, g)
}
