package explore

import (
	"math"

	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file tells operations that goroutines share from those that each performs for itself. A limit of events is
// there for programs that have many orders; what is on an object that one goroutine alone uses in an execution, as a
// test does that builds tables, parses and logs before it starts anything, has no order. It takes work, and no events.

// ownEvents counts the events of executions that are a goroutine's own.
type ownEvents struct {
	users map[uint64]int32 // of an execution: who uses an object, by its address; several if it is shared
	most  int              // of one execution
	known bool             // there was one
}

// several stands for more than one goroutine.
const several = -1

// count counts those of an execution. An operation without an object, such as the start of a goroutine, is shared if
// there are several.
func (o *ownEvents) count(t *trace.Trace) (n int) {
	if o.users == nil {
		o.users = map[uint64]int32{}
	}
	clear(o.users)
	for i := range t.Events {
		e := &t.Events[i]
		if by, ok := o.users[e.Loc.Addr]; !ok {
			o.users[e.Loc.Addr] = e.Thread
		} else if by != e.Thread {
			o.users[e.Loc.Addr] = several
		}
	}
	for i := range t.Events {
		if e := &t.Events[i]; e.Cases < 0 && o.users[e.Loc.Addr] != several {
			n++
		}
	}
	o.known, o.most = true, max(o.most, n)
	return n
}

// firstOwn is how many the first execution may have, of which nothing is known yet.
const firstOwn = 10_000

// events is how many the next execution may have.
func (o *ownEvents) events() int {
	if !o.known {
		return firstOwn
	}
	return o.most
}

// withOwn adds what goroutines may do for themselves to a limit of events.
func withOwn(limit, own int) int { return limit + min(own, math.MaxInt-limit) }
