package report

import (
	"fmt"
	"go/token"
	"path"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file picks the events of a witness that matter and groups them into the
// steps of the table; table.go lays them out.

// A step is what one goroutine did on one line without another goroutine in between.
type step struct {
	n      int // number shown, from 1
	thread int
	at     string // file and line
	pos    token.Position
	text   string   // its source text, if it is at hand
	notes  []string // what was read, written, awaited …
	pinned bool     // not to be folded away
	final  bool     // it makes the failure
}

const maxNotes = 6 // of one step; loops on a line have more

// A stepper collects the steps of a witness.
type stepper struct {
	*Code
	out     []step
	dropped []int // notes of out[i] that are not shown
}

// at returns the index of the step that a goroutine is at: the last one, if that is of the same goroutine and line, or
// else a new one.
func (s *stepper) at(thread int, pos token.Position, at, text string) int {
	last := len(s.out) - 1
	if last < 0 || s.out[last].thread != thread || s.out[last].at != at {
		s.out = append(s.out, step{n: len(s.out) + 1, thread: thread, at: at, pos: pos, text: text})
		s.dropped = append(s.dropped, 0)
		last++
	}
	return last
}

// final adds what makes the failure and is no event.
func (s *stepper) final(thread int, frames []trace.Frame, note string) {
	pos, at, text := s.stepLine(frames)
	x := &s.out[s.at(thread, pos, at, text)]
	x.notes = append(x.notes, note)
	x.pinned, x.final = true, true
}

// end returns the steps; each says how many of its notes were dropped.
func (s *stepper) end() []step {
	for i, n := range s.dropped {
		if n > 0 {
			s.out[i].notes = append(s.out[i].notes, fmt.Sprintf("... and %d more", n))
		}
	}
	return s.out
}

// steps returns the steps of the witness, in order, and for each event the index of its step, -1 if it is not shown.
func (v *Code) steps(f *Finding) ([]step, []int) {
	t := f.Witness
	keep := mattering(f)
	from := readsFrom(t)
	steps := stepper{Code: v}
	stepOf := make([]int, len(t.Events)) // index of the step, -1 if not shown
	for i := range stepOf {
		stepOf[i] = -1
	}
	said := failures(f)
	for i := range t.Events {
		for len(said) > 0 && int(said[0].Event) <= i {
			steps.failing(t, said[0])
			if said = said[1:]; len(said) == 0 { // what comes behind the last message shows nothing
				return steps.end(), stepOf
			}
		}
		if !keep[i] && !isFault(t.Meanings[i]) {
			continue
		}
		e := &t.Events[i]
		meaning, meant := t.Meanings[i]
		if meant && meaning == "" {
			continue
		}
		pos, at, text := v.stepLine(v.frames(t, i))
		if isFlush(t, e) { // it is no line's doing
			at, text = "", ""
		}
		last := steps.at(int(ownerOf(t, e.Thread)), pos, at, text)
		stepOf[i] = last
		out := steps.out
		s := &out[last]
		note := v.note(t, i, from[i], func(j int) (int, bool) { return stepOf[j] + 1, stepOf[j] >= 0 })
		if meant {
			note = meaning
			if w := from[i]; w >= 0 && stepOf[w] >= 0 && t.Events[w].Thread != e.Thread {
				note += fmt.Sprintf(" (from step %d)", stepOf[w]+1)
			}
		}
		if isFault(note) {
			s.pinned = true
		}
		if m := f.mark(i); m != "" {
			s.pinned, s.final = true, true
			note += m
		}
		if w := from[i]; w >= 0 && stepOf[w] >= 0 && t.Events[w].Thread != e.Thread {
			out[stepOf[w]].pinned = true
		}
		if e.Kind == event.Spawn && slices.Contains(f.Threads, int(e.Other)) {
			s.pinned = true
		}
		switch {
		case slices.Contains(s.notes, note):
		case len(s.notes) >= maxNotes && !slices.Contains(f.Events, i) && f.mark(i) == "":
			steps.dropped[last]++
		default:
			s.notes = append(s.notes, note)
		}
	}
	for _, fail := range said {
		steps.failing(t, fail)
	}
	steps.blocked(f)
	return steps.end(), stepOf
}

// failures are the messages of the test's failure that are shown, in order.
func failures(f *Finding) []*trace.Failure {
	if f = f.ends(); f.Category != TestFailure {
		return nil
	}
	var fails []*trace.Failure
	for i := range f.Witness.Failures[:min(len(f.Witness.Failures), maxListed)] {
		fails = append(fails, &f.Witness.Failures[i])
	}
	return fails
}

// mark points at an event that makes the finding, "" if it does not. That of a failing test is its last before the test
// ended, somewhere in package testing: it has none.
func (f *Finding) mark(i int) string {
	x := f.ends()
	switch at := slices.Contains(x.Events, i); {
	case f.Category == Robustness && slices.Contains(overtaking(f), i):
		return "  <== race"
	case f.Category == Robustness && f.Leads == nil && at:
		return "  <== not sequentially consistent"
	case x.Category == DataRace && at:
		return "  <== race"
	case x.Category == Panics && at:
		return "  <== panic"
	}
	return ""
}

// failing adds a message of the test's failure.
func (s *stepper) failing(t *trace.Trace, fail *trace.Failure) {
	s.final(int(fail.Thread), s.called(fail.Stack), clip(Assertion(s.said(t, fail)), maxText)+"  <== failure")
}

// blocked adds the operations that goroutines are blocked at when the witness ends, which are no events.
func (s *stepper) blocked(f *Finding) {
	t := f.Witness
	f = f.ends()
	switch f.Category {
	case Deadlock, GoroutineLeak, Livelock:
		for _, i := range f.Threads {
			note := "waits: " + waits(&t.Threads[i])
			if name := s.pendingVariable(&t.Threads[i]); name != "" {
				note += " " + name
			}
			if h := holder(t, i); h != "" {
				note += ", held by " + h
			}
			s.final(i, s.threadFrames(t, i), note+"  <== blocked")
		}
	}
}

// stepLine is the user's line a stack stands at, as messages name it, and its source text.
func (v *Code) stepLine(frames []trace.Frame) (pos token.Position, at, text string) {
	i := v.nearest(frames)
	if i < 0 {
		return pos, "", ""
	}
	site := frames[i].Site
	l, ok := v.lines[site]
	if !ok {
		l = [2]string{v.shortLine(site), v.snippet(v.Source.Position(site))}
		if v.lines == nil {
			v.lines = map[event.Site][2]string{}
		}
		v.lines[site] = l
	}
	return v.Source.Position(site), l[0], l[1]
}

// shortLine is Line with no more than the last element of an import path: columns are narrow.
func (v *Code) shortLine(s event.Site) string {
	l := v.Line(s)
	dir, file := path.Split(l)
	return path.Join(path.Base(dir), file)
}
