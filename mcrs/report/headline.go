package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file says a finding as vet and staticcheck do: what happened here, and where the other side stands, on one short
// line.
//
// The position of the finding stands before the line, so "here" is that position's line. Where the text has a longer
// and a shorter form, the longest that has room is taken (fit).

// lineRoom is the room for a headline and the name of its check, so that with a position of usual length a line of
// output has less than 160 characters.
const lineRoom = 121

// Headline is the finding on one short line: what, where the other side is, and between which goroutines.
func (v *View) Headline(f *Finding) string {
	room := lineRoom - len(" ()") - len(f.Category)
	switch f.Category {
	case DataRace:
		return fit(room, v.raceHeadlines(f)...)
	case Deadlock:
		return v.blockedHeadline(f, room, "deadlock: ", "blocked %s in")
	case Livelock:
		return v.blockedHeadline(f, room, "livelock: ", "goes round for ever %s in")
	case GoroutineLeak:
		return v.blockedHeadline(f, room, "goroutine leak: ", "blocked %s in")
	case Panics:
		return v.failHeadline(f, room, panicHeadline(f.Witness))
	case TestFailure:
		return v.failHeadline(f, room, v.failureHeadline(f.Witness))
	case Robustness:
		return fit(room, robustnessHeadlines(v, f)...)
	}
	return clip(fmt.Sprintf("%s: %s", f.Category, oneLine(panicText(f.Witness))), maxText)
}

// Message is the finding for drivers that show a position and a message and nothing else: the headline, and on indented
// lines of their own the replay token and the entry.
func (v *View) Message(f *Finding) string {
	s := v.Headline(f)
	if v.Token != "" {
		s += "\n\t" + v.ReplayLine()
	}
	if where := v.EntryLine(f); where != "" {
		s += "\n\t" + where
	}
	return s
}

// ReplayLine says how to see the finding again.
func (v *View) ReplayLine() string { return "replay: heddle replay " + v.Token }

// EntryLine says which entry shows the finding.
func (v *View) EntryLine(f *Finding) string {
	switch {
	case v.Entry == "":
		return ""
	case f.Timing:
		return "in " + v.Entry + ", timing (time passes while a goroutine could still run)" + afterFaults(f)
	case f.Memory != event.SC:
		return "in " + v.Entry + ", " + relaxedMemory(f) + afterFaults(f)
	}
	return "in " + v.Entry + afterFaults(f)
}

// fit returns the first text that has room, the last one cut if none has.
func fit(room int, texts ...string) string {
	for _, s := range texts {
		if len([]rune(s)) <= room {
			return s
		}
	}
	return clip(texts[len(texts)-1], room)
}

// spot says where a stack stands, seen from the finding's position: "here", or "at" the innermost line of user code.
func (v *View) spot(f *Finding, frames []trace.Frame) string {
	near := v.nearest(frames)
	if near < 0 && around(&v.Code, frames) {
		return "in package testing"
	}
	if near < 0 {
		return "at an unknown line"
	}
	if p, at := v.Position(f), v.Source.Position(frames[near].Site); v.standsInCode(f) && p.Filename == at.Filename && p.Line == at.Line {
		return "here"
	}
	return "at " + v.shortLine(frames[near].Site)
}

// longSpot is spot, and the line of the analysed package that called that place, if it is another's.
func (v *View) longSpot(f *Finding, frames []trace.Frame) string {
	s := v.spot(f, frames)
	near, own := v.nearest(frames), v.own(frames)
	if near < 0 || own <= near {
		return s
	}
	if called := v.spot(f, frames[own:]); called == "here" {
		return s + " (called here)"
	}
	return s + " (called at " + v.shortLine(frames[own].Site) + ")"
}

// standsInCode reports whether the finding stands at a line of its witness, and not at the name of its entry.
func (v *Code) standsInCode(f *Finding) bool {
	return slices.ContainsFunc(v.keyStacks(f), func(frames []trace.Frame) bool { return v.own(frames) >= 0 })
}

// callee names the function of the standard library that the innermost line of user code called, "" if it called none.
func (v *Code) callee(frames []trace.Frame) string {
	if near := v.nearest(frames); near > 0 && frames[near-1].Func != "" && frames[near-1].Func != unwinding {
		return " in " + frames[near-1].Func
	}
	return ""
}

func (v *View) raceHeadlines(f *Finding) []string {
	if len(f.Events) != 2 {
		return []string{"data race"}
	}
	t := f.Witness
	k := v.keyAccess(f)
	key, other := f.Events[k], f.Events[1-k]
	a, b := &t.Events[key], &t.Events[other]
	name := v.raced(a, b)
	say := func(spot func(*Finding, []trace.Frame) string, callee func([]trace.Frame) string, misuse string) string {
		af, bf := v.frames(t, key), v.frames(t, other)
		return fmt.Sprintf("data race: %s %s %s%s by %s, %s %s%s by %s%s", name, done(a, b), spot(f, af), callee(af), id(t, int(a.Thread)),
			done(b, a), spot(f, bf), callee(bf), id(t, int(b.Thread)), misuse)
	}
	why := misuse(a, b)
	if why != "" {
		why = " (" + why + ")"
	}
	none := func([]trace.Frame) string { return "" }
	return []string{
		say(v.longSpot, v.callee, why),
		say(v.longSpot, none, why),
		say(v.spot, none, why),
		say(v.spot, none, ""),
	}
}

// done says what an access did that races with another one: verb as a participle.
func done(e, other *event.Event) string {
	switch e.Kind {
	case event.ChanClose:
		return "closed"
	case event.ChanSend:
		return "sent to"
	}
	s := verb(e, other)
	s = strings.Replace(s, "write", "written", 1)
	return strings.Replace(s, "atomic", "atomically", 1)
}

// blockedHeadline names the blocked goroutines that have room: first the one at the finding's position.
func (v *View) blockedHeadline(f *Finding, room int, what, how string) string {
	t := f.Witness
	threads := slices.DeleteFunc(v.byWeight(t, f.Threads), func(i int) bool { return i < 0 || i >= len(t.Threads) })
	if len(threads) == 0 {
		return what + "no goroutine can run"
	}
	first, others := threads[0], threads[1:]
	head := what + id(t, first) + " " + fmt.Sprintf(how, v.spot(f, v.threadFrames(t, first))) + " " + v.waitsHeld(t, first)
	if start := v.startFrames(t, first); start != nil && len(others) == 0 && f.Category != Deadlock {
		return fit(room, head+", started "+v.spot(f, start), head)
	}
	var texts []string
	most := room / leastOther // others that have room
	for form := longForm; form <= shortForm && len(others) <= most; form++ {
		texts = append(texts, head+v.otherBlocked(f, others, form))
	}
	for n := min(len(others)-1, most); n >= 0; n-- {
		texts = append(texts, fmt.Sprintf("%s%s, and %d more", head, v.otherBlocked(f, others[:n], shortForm), len(others)-n))
	}
	return fit(room, texts...)
}

// leastOther is the fewest characters in which another blocked goroutine is named: ", G1 here in go".
const leastOther = 8

// The forms in which the other blocked goroutines are named.
const (
	longForm  = iota // file, line and what is waited for
	lineForm         // a line of the finding's own file without its name
	shortForm        // who holds what is waited for in place of what it is
)

func (v *View) otherBlocked(f *Finding, others []int, form int) string {
	var b strings.Builder
	t := f.Witness
	for _, i := range others {
		spot := v.spot(f, v.threadFrames(t, i))
		if p := v.framePosition(v.threadFrames(t, i)); form > longForm && spot != "here" && p.Filename == v.Position(f).Filename {
			spot = fmt.Sprintf("at line %d", p.Line)
		}
		fmt.Fprintf(&b, ", %s %s", id(t, i), spot)
		if h := holder(t, i); form == shortForm && h != "" {
			fmt.Fprintf(&b, " (held by %s)", h)
			continue
		}
		b.WriteString(" in " + v.waitsHeld(t, i))
	}
	return b.String()
}

// waitsHeld says what a goroutine waits for, and who holds it.
func (v *View) waitsHeld(t *trace.Trace, i int) string {
	s := strings.TrimPrefix(waits(&t.Threads[i]), "sync.")
	if h := holder(t, i); h != "" {
		s += " (held by " + h + ")"
	}
	return s
}

// failHeadline is a text and who failed with it. The text gives way if there is no room for all of it.
func (v *View) failHeadline(f *Finding, room int, text string) string {
	by := ", by " + v.failing(f)
	frames := v.failFrames(f)
	callee := ""
	if v.nearest(frames) >= 0 {
		if spot := v.longSpot(f, frames); spot != "here" {
			by += " " + spot
		}
		if f.Category == Panics {
			callee = v.callee(frames)
		}
	}
	if n := v.furtherFailures(f); n > 0 {
		by = fmt.Sprintf(" (and %d more)", n) + by
	}
	return fit(room, text+by+callee, text+by, clip(text, max(room-len([]rune(by)), 40))+by)
}

// furtherFailures is the number of messages of a failing test after the first.
func (v *View) furtherFailures(f *Finding) int {
	t, n := f.Witness, 0
	if f.Category != TestFailure || len(t.Failures) == 0 {
		return 0
	}
	for i := range t.Failures[1:] {
		if v.said(t, &t.Failures[i+1]) != "" { // a bare FailNow after Error is no second one
			n++
		}
	}
	return n
}

func panicHeadline(t *trace.Trace) string {
	s := oneLine(panicText(t))
	// sync.WaitGroup.Go and testing recover and panic again; that says nothing of the cause.
	for _, suffix := range []string{" [recovered, repanicked]", " [recovered]"} {
		s = strings.ReplaceAll(s, suffix, "")
	}
	if !strings.HasPrefix(s, "panic: ") && !strings.HasPrefix(s, "fatal error: ") {
		s = "panic: " + s
	}
	return s
}

func (v *View) failureHeadline(t *trace.Trace) string {
	text := ""
	if len(t.Failures) > 0 {
		text = Assertion(v.said(t, &t.Failures[0]))
	}
	return "test failure: " + cmp.Or(text, "the test fails")
}
