package report

import (
	"fmt"
	"strings"

	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file says a finding of the check robustness: which store waits in a buffer, which access overtakes it, and what
// that leads to.

// overtaking are the store and the access that overtakes it, as indices of events.
func overtaking(f *Finding) []int { return f.Events[:min(len(f.Events), 2)] }

// leadsTo says in a few words what only the memory model shows.
func leadsTo(v *View, f *Finding) string {
	t := f.Witness
	if f.Leads == nil {
		if len(f.Events) < 3 {
			return "another value"
		}
		e := &t.Events[f.Events[2]]
		what, gives := e.Kind.String(), "something new"
		if name := v.variable(e, ""); name != "" {
			what += " of " + name
		}
		if n := value(e); n != "" {
			gives = strings.TrimPrefix(n, " = ")
		}
		return fmt.Sprintf("%s's %s gives %s", id(t, int(e.Thread)), what, gives)
	}
	switch f.Leads.Category {
	case TestFailure:
		return v.failureHeadline(t)
	case Panics:
		return panicHeadline(t)
	}
	return shortly[f.Leads.Category]
}

// shownFrames is where what a finding leads to shows.
func shownFrames(v *Code, f *Finding) []trace.Frame {
	if f.Leads == nil {
		return v.frames(f.Witness, f.Events[len(f.Events)-1])
	}
	for _, frames := range v.keyStacks(f.Leads) {
		if v.nearest(frames) >= 0 {
			return frames
		}
	}
	return nil
}

// robustnessHeadlines are the headline, the longest form first.
func robustnessHeadlines(v *View, f *Finding) []string {
	if len(f.Events) < 2 {
		return []string{"not sequentially consistent"}
	}
	t := f.Witness
	store, access := f.Events[0], f.Events[1]
	by, does := id(t, int(t.Events[store].Thread)), overtakes(&v.Code, t, access)
	say := func(then string) string {
		return fmt.Sprintf("under %s %s %s before %s's store %s is in memory%s", f.Memory, does, v.spot(f, v.frames(t, access)), by,
			v.spot(f, v.frames(t, store)), then)
	}
	out := []string{say(": " + leadsTo(v, f))}
	if f.Leads != nil {
		out = append(out, say(": "+shortly[f.Leads.Category]))
	}
	return append(out, say(""))
}

// shortly are failures in few words.
var shortly = map[Category]string{
	TestFailure: "the test fails", Panics: "panic", Deadlock: "deadlock", GoroutineLeak: "goroutine leak", Livelock: "livelock",
}

func robustnessDetail(v *View, f *Finding) string {
	if len(f.Events) < 2 {
		return "not sequentially consistent"
	}
	t := f.Witness
	store, access := f.Events[0], f.Events[1]
	return fmt.Sprintf("not sequentially consistent: %s at %s before what %s stores at %s is in memory: %s", overtakes(&v.Code, t, access), v.at(v.frames(t, access)),
		id(t, int(t.Events[store].Thread)), v.at(v.frames(t, store)), leadsTo(v, f))
}

func robustnessText(b *strings.Builder, v *View, f *Finding) {
	if len(f.Events) < 2 {
		return
	}
	t := f.Witness
	store, access := f.Events[0], f.Events[1]
	by := id(t, int(t.Events[store].Thread))
	fmt.Fprintf(b, "not sequentially consistent: seen under %s alone\n\n", relaxedMemory(f))
	fmt.Fprintf(b, "%s stores %s, which waits in its buffer:\n", by, v.variable(&t.Events[store], "this"))
	v.stackText(b, v.frames(t, store))
	fmt.Fprintf(b, "\n%s before that is in memory:\n", overtakes(&v.Code, t, access))
	v.stackText(b, v.frames(t, access))
	b.WriteString("\nthen ")
	if f.Leads != nil {
		b.WriteString(v.Text(f.Leads))
	} else {
		b.WriteString(leadsTo(v, f) + ":\n")
		v.stackText(b, shownFrames(&v.Code, f))
	}
	b.WriteString("\nNo sequentially consistent schedule shows that: all are accounted for. The two accesses race.")
	if v.Race != "" {
		b.WriteString(" A schedule of the race:\nheddle replay " + v.Race)
	}
	b.WriteString("\nA lock, or sync/atomic, would not let the store wait.\n")
}
