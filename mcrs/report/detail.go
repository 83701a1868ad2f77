package report

// This file says a finding on one line however long that gets: every blocked goroutine, every place. headline.go has
// the short form.

import (
	"fmt"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

const (
	maxText   = 300 // characters of a panic's or failing test's own text in a message
	maxListed = 4   // blocked goroutines named in a message
)

// Detail is the finding on one line: what, where, between which goroutines, and in which entry. Programs that compare
// findings read it (-stats).
func (v *View) Detail(f *Finding) string {
	var b strings.Builder
	switch f.Category {
	case DataRace:
		b.WriteString(v.raceDetail(f))
	case Deadlock:
		b.WriteString("deadlock: " + v.blockedDetail(f))
	case Livelock:
		b.WriteString("livelock: " + v.blockedDetail(f) + "; nothing can change what it waits for")
	case GoroutineLeak:
		b.WriteString("goroutine leak: " + v.leakDetail(f))
	case Panics:
		b.WriteString(v.panicDetail(f))
	case TestFailure:
		b.WriteString(v.failureDetail(f))
	case Robustness:
		b.WriteString(robustnessDetail(v, f))
	default:
		fmt.Fprintf(&b, "%s: %s", f.Category, clip(oneLine(panicText(f.Witness)), maxText))
	}
	if v.Entry != "" {
		fmt.Fprintf(&b, ", in %s", v.Entry)
	}
	if f.Timing {
		b.WriteString(", timing (time passes while a goroutine could still run)")
	}
	if f.Memory != event.SC {
		b.WriteString(", " + relaxedMemory(f))
	}
	return b.String()
}

// relaxedMemory says that a finding needs a relaxed memory model.
func relaxedMemory(f *Finding) string {
	return f.Memory.String() + " (what is stored reaches memory later)"
}

func (v *View) raceDetail(f *Finding) string {
	if len(f.Events) != 2 {
		return "data race"
	}
	t := f.Witness
	key, other, word := f.Events[1], f.Events[0], "after"
	if v.keyAccess(f) == 0 {
		key, other, word = other, key, "before"
	}
	k, o := &t.Events[key], &t.Events[other]
	name := v.raced(k, o)
	switch m := misuse(k, o); {
	case isMisuse(k, o):
		name += " (WaitGroup misuse: " + m + ")"
	case m != "":
		name += " (" + m + ")"
	}
	return fmt.Sprintf("data race: %s of %s by %s at %s %s %s by %s at %s",
		verb(k, o), name, id(t, int(k.Thread)), v.at(v.frames(t, key)),
		word, verb(o, k), id(t, int(o.Thread)), v.at(v.frames(t, other)))
}

// isMisuse reports whether a race is one of WaitGroup's Add and Wait.
func isMisuse(a, b *event.Event) bool {
	return !a.Kind.IsAccess() && b.Kind.Object() == event.WaitGroup
}

// verb says what an access does that races with another one, in the words of Go's race detector. An operation of
// package sync is what it does to the bytes of its object. A Do, or an operation on a sync.Map, that races with what
// only reads has taken the Mutex of its object, which no event says (rules RACE6 and RACE10 of mcrs/race).
func verb(e, other *event.Event) string {
	k := e.Kind
	if (k == event.OnceBegin || event.OfMap(e)) && other.Kind.IsAccess() && !other.Kind.IsWrite() {
		return "atomic write"
	}
	if k == event.AtomicRMW && e.Order == event.Unheard { // of package testing, under a lock
		return "write"
	}
	touches, n := event.Touches(e)
	for _, t := range touches[:n] {
		switch {
		case t.Write && t.Atomic:
			return "atomic write"
		case t.Write:
			return "write"
		case t.Atomic:
			k = event.AtomicLoad
		}
	}
	switch {
	case k == event.ChanClose:
		return "close"
	case k == event.ChanSend:
		return "send"
	case k == event.WaitGroupWait:
		return "write" // as package sync tells the race detector
	case k.IsAtomic() && k.IsWrite():
		return "atomic write"
	case k.IsAtomic():
		return "atomic read"
	case k.IsWrite():
		return "write"
	default:
		return "read"
	}
}

func (v *View) blockedDetail(f *Finding) string {
	if len(f.Threads) == 0 {
		return "no goroutine can run"
	}
	return strings.Join(v.blocked(f), "; ")
}

func (v *View) leakDetail(f *Finding) string {
	return strings.Join(v.blocked(f), "; ") + "; nothing can wake it any more"
}

// blocked says of each blocked goroutine what it waits for, as far as a message has room.
func (v *View) blocked(f *Finding) []string {
	t := f.Witness
	var parts []string
	for n, i := range f.Threads {
		if n == maxListed && len(f.Threads) > maxListed+1 {
			return append(parts, fmt.Sprintf("and %d more", len(f.Threads)-n))
		}
		if i < 0 || i >= len(t.Threads) {
			continue
		}
		does := "blocked in"
		if t.Threads[i].Polls {
			does = "goes round for ever in"
		}
		s := fmt.Sprintf("%s %s %s", id(t, i), does, waits(&t.Threads[i]))
		if frames := v.threadFrames(t, i); len(frames) > 0 {
			s += " at " + v.place(frames)
		}
		if h := holder(t, i); h != "" {
			s += " (held by " + h + ")"
		}
		if start := v.startFrames(t, i); start != nil && f.Category != Deadlock {
			s += ", started at " + v.place(start)
		}
		parts = append(parts, s)
	}
	return parts
}

// waits names what a goroutine waits for.
func waits(th *trace.Thread) string {
	switch {
	case th.Waits != "":
		return th.Waits
	case th.Pending == nil:
		return "ended"
	case th.Pending.IsSelect():
		return "select"
	default:
		return th.Pending.Kind.String()
	}
}

func panicText(t *trace.Trace) string {
	if t == nil || t.Panic == "" {
		return "no text was recorded"
	}
	return t.Panic
}

func (v *View) panicDetail(f *Finding) string {
	s := oneLine(panicText(f.Witness))
	// sync.WaitGroup.Go and testing recover and panic again; that says nothing of the cause.
	for _, suffix := range []string{" [recovered, repanicked]", " [recovered]"} {
		s = strings.ReplaceAll(s, suffix, "")
	}
	s = clip(s, maxText)
	if !strings.HasPrefix(s, "panic: ") && !strings.HasPrefix(s, "fatal error: ") {
		s = "panic: " + s
	}
	s += ", by " + v.failing(f)
	if frames := v.failFrames(f); len(frames) > 0 {
		s += " at " + v.at(frames)
	}
	return s
}

func (v *View) failureDetail(f *Finding) string {
	t := f.Witness
	text := "the test fails"
	if len(t.Failures) > 0 {
		if m := Assertion(v.said(t, &t.Failures[0])); m != "" {
			text = clip(m, maxText)
		}
		if n := v.furtherFailures(f); n > 0 {
			text += fmt.Sprintf(" (and %d more)", n)
		}
	}
	s := fmt.Sprintf("test failure: %s, by %s", text, v.failing(f))
	if frames := v.failFrames(f); len(frames) > 0 {
		s += " at " + v.place(frames)
	}
	return s
}

// failing names the goroutine that panicked or failed the test.
func (v *View) failing(f *Finding) string {
	if len(f.Threads) > 0 {
		return id(f.Witness, f.Threads[0])
	}
	if f.Category == TestFailure && len(f.Witness.Failures) > 0 {
		return id(f.Witness, int(f.Witness.Failures[0].Thread))
	}
	return id(f.Witness, int(f.Witness.PanicThread))
}

// failFrames is the stack of a panic or of the first message of a failing test.
func (v *Code) failFrames(f *Finding) []trace.Frame {
	t := f.Witness
	if f.Category == TestFailure && len(t.Failures) > 0 && len(t.Failures[0].Stack) > 0 {
		return v.called(t.Failures[0].Stack)
	}
	if len(f.Events) > 0 {
		return v.frames(t, f.Events[0])
	}
	return nil
}
