package oracle

import (
	"fmt"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file leaves out of a search the orders of steps that concern one goroutine alone. Programs over sockets have
// many of them: what package net reads of a connection, and the locks of a descriptor that nobody else uses.
//
//	QUIET1  An access to memory, or an operation on a lock, is quiet if no other goroutine performs one on the same
//	        words in any execution, or if all are plain reads.
//	QUIET2  Where somebody stands at a quiet operation that is enabled, it is the only one that is taken. It commutes
//	        with all that others do before it, and nothing that they do disables it. So the schedules left out
//	        differ from one that is run in the place of the quiet step, and nobody is told anything else.
//	QUIET3  What is quiet is assumed, and looked for in every execution. A search that meets words which are not quiet
//	        begins anew and knows of them. If no execution of a search contradicts its assumption, none at all does.
//	        For of all executions that do, take the shortest: only its last step contradicts it. Up to there it is
//	        an order of an execution that was run, in which that step is the same.
//
// Quiet steps are left out where two accesses are looked for that are next to each other. Programs in which a goroutine
// is told how far all others have come (the stacks of all) are not to be searched so.

// quiet knows which words several goroutines use. Its nil value takes nothing for quiet.
type quiet struct {
	words map[uint64]*user
	news  bool // since the search began words were found that are not quiet
}

// A user is who has used a word.
type user struct {
	thread event.ThreadID // the first
	others bool           // there are others
	writes bool           // not only plain reads
	shared bool           // by several goroutines, and not only by plain reads
}

// mayBeQuiet reports whether an operation is of a kind that QUIET1 is about.
func mayBeQuiet(k event.Kind) bool {
	switch k {
	case event.Lock, event.Unlock, event.RLock, event.RUnlock, event.TryLock:
		return true
	}
	return k.IsAccess()
}

// span returns the first and the last word that an operation uses, by number.
func span(k event.Kind, loc event.Location, key uint64) (first, last uint64) {
	size := uint64(max(loc.Size, event.Bytes(k, loc, key).Size, 1))
	return loc.Addr >> 3, (loc.Addr + size - 1) >> 3
}

// is reports whether an operation is quiet, as far as is known.
func (q *quiet) is(k event.Kind, loc event.Location, key uint64) bool {
	if q == nil || !mayBeQuiet(k) {
		return false
	}
	first, last := span(k, loc, key)
	for w := first; w <= last; w++ {
		if u := q.words[w]; u != nil && u.shared {
			return false
		}
	}
	return true
}

// take returns the transition of QUIET2, -1 if there is none.
func (q *quiet) take(s *sched.State) int {
	if q == nil {
		return -1
	}
	for i, t := range s.Enabled {
		if op := s.Threads[t.Thread].Op; !op.IsSelect() && q.is(op.Kind, op.Loc, op.Key) {
			return i
		}
	}
	return -1
}

// look notes what an execution uses: its events, and what goroutines stand at in the end. It reports whether something
// that was taken for quiet is not.
func (q *quiet) look(t *trace.Trace) bool {
	if q == nil {
		return false
	}
	for i := range t.Events {
		e := &t.Events[i]
		q.note(t.Threads[e.Thread].ID, e.Kind, e.Loc, e.Key)
	}
	for i := range t.Threads {
		if op := t.Threads[i].Pending; op != nil {
			q.note(t.Threads[i].ID, op.Kind, op.Loc, op.Key)
		}
	}
	return q.news
}

func (q *quiet) note(id event.ThreadID, k event.Kind, loc event.Location, key uint64) {
	size := loc.Size
	if !k.IsAccess() {
		if size = event.Bytes(k, loc, key).Size; size == 0 {
			return
		}
	}
	writes := k != event.Read
	first, last := span(k, loc, key)
	for w := first; w <= last; w++ {
		u := q.words[w]
		if u == nil {
			q.words[w] = &user{thread: id, writes: writes}
			continue
		}
		u.others, u.writes = u.others || u.thread != id, u.writes || writes
		if u.others && u.writes && !u.shared {
			u.shared, q.news = true, true
		}
	}
}

// searchQuiet searches until nothing contradicts what was taken for quiet (QUIET3).
func searchQuiet(m sched.Machine, l Limits, each func(*trace.Trace)) *Result {
	q := &quiet{words: make(map[uint64]*user)}
	executions, events := 0, 0
	for {
		q.news = false
		all := l
		all.Executions = l.Executions - executions
		r := searchStates(m, all, each, q)
		executions, events = executions+r.Executions, events+r.Events
		if !q.news || l.Executions > 0 && executions >= l.Executions {
			r.Executions, r.Events = executions, events
			if q.news {
				r.Complete, r.Reason = false, fmt.Sprintf("limit of %d executions reached", l.Executions)
			}
			return r
		}
	}
}

// loudBefore returns the last event before the n-th that is not quiet, -1 if there is none.
func (r *Result) loudBefore(t *trace.Trace, n int) int {
	for n--; n >= 0; n-- {
		if e := &t.Events[n]; !r.quiet.is(e.Kind, e.Loc, e.Key) {
			break
		}
	}
	return n
}
