package explore

import "github.com/heddle-go/heddle/mcrs/trace"

// This file compares what one execution takes with what is left. Explorers that go through executions have nothing to
// say where few of them have room.

// A Room knows how large the executions of an exploration were, and how many others have room.
type Room struct {
	of      *Session
	threads int   // of the execution with the most
	steps   int   // the same
	work    int64 // the same
	ended   bool  // an execution came to its end
	kept    int64 // work that executions may not use yet
	half    bool  // the last execution was ended when it had taken half of the limit
}

// note notes how large an execution was.
func (r *Room) note(t *trace.Trace) {
	r.threads, r.steps, r.work = max(r.threads, len(t.Threads)), max(r.steps, len(t.Events)), max(r.work, WorkOf(t))
	r.ended = r.ended || t.Status != trace.Limit && t.Status != trace.Unsupported && t.Status != trace.Stopped
}

// Largest is how many goroutines and events an execution had at most.
func (r *Room) Largest() (threads, steps int) { return r.threads, r.steps }

// Dearest is the work that an execution took at most, and whether one came to its end.
func (r *Room) Dearest() (work int64, ended bool) { return r.work, r.ended }

// Left is the work that is left of the share, or of the limit if there is none. Who lets it decide tells OfWork.
func (r *Room) Left() int64 {
	s := r.of
	if s.Part.Work == 0 {
		return s.WorkLeft()
	}
	return max(0, min(s.WorkLeft(), s.Part.Work-s.Result.Stats.Work))
}

// Huge reports whether an execution that was cut off took so much that few others have room.
func (r *Room) Huge(t *trace.Trace) bool {
	lim := &r.of.Limits
	return t.Status == trace.Limit && (r.of.OfWork(WorkOf(t) > lim.Work/largeVisit) || len(t.Events) > lim.Events/largeVisit)
}

// keptShare is the part of the limit of work that the first execution leaves.
const keptShare = 8

// Keep keeps a part of the work for the time after the first execution. If that one is too large for the rest and is
// cut off, something can still be said of its beginning.
func (r *Room) Keep() { r.kept = r.of.Limits.Work / keptShare }

// shared reports whether what is kept ends an execution that has taken half of the limit. If goroutines share the work
// there are other schedules of it, and something can be said of the beginnings of these. If one goroutine alone goes on
// for so long, the rest is better spent on coming to its end.
func (r *Room) shared(work int64, events int, c trace.Cost) bool {
	r.half = r.kept > 0 && work >= r.of.Limits.Work/2 && c.Among > 2*int64(events)
	return r.half
}

// Free gives back what was kept.
func (r *Room) Free() { r.kept = 0 }
