package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// note says what event i did. number gives the number of the step an event is in.
func (v *Code) note(t *trace.Trace, i, from int, number func(int) (int, bool)) string {
	e := &t.Events[i]
	name := v.Source.Variable(e.Site)
	s := e.Kind.String()
	if name != "" {
		s += " " + name
	}
	source := func() string {
		if from < 0 {
			return " (initial value)"
		}
		if n, ok := number(from); ok {
			return fmt.Sprintf(" (value from step %d)", n)
		}
		return fmt.Sprintf(" (value from %s at %s)", id(t, int(t.Events[from].Thread)), v.at(v.frames(t, from)))
	}
	if isFlush(t, e) {
		return id(t, int(e.Thread)) + ": flush " + flushed(t, e, name) + value(e)
	}
	switch e.Kind {
	case event.AtomicRMW:
		if e.Value == 0 && e.Loc.Size <= 8 { // mostly because nobody looks at it (event.Op.Adds)
			found, left := event.Event{Loc: e.Loc, Value: e.Key}, event.Event{Loc: e.Loc, Value: uint64(e.Other)}
			return s + strings.Replace(value(&found), " =", ": from", 1) + source() + strings.Replace(value(&left), " =", " to", 1)
		}
		return s + strings.Replace(value(e), " =", ": returns", 1) + source()
	case event.Read, event.AtomicLoad:
		return s + value(e) + source()
	case event.MapRead, event.ObjectRead, event.FileRead:
		return s + source()
	case event.Write, event.AtomicStore, event.Store:
		return s + value(e)
	case event.TryLock, event.TryRLock:
		return s + outcome(e.Value == 1, ": got it", ": not free")
	case event.TimerStop:
		return s + outcome(e.Value == 1, ": stopped", ": too late")
	case event.WaitGroupAdd:
		return fmt.Sprintf("%s %+d, now %d", s, int64(e.Value), e.Other)
	case event.OnceBegin:
		return s + outcome(e.Value == 1, ": runs the function", ": already done")
	case event.ChanSend:
		return s + chosen(e)
	case event.ChanRecv:
		if e.Other < 0 {
			if from < 0 {
				return s + ": closed" + chosen(e)
			}
			return s + ": closed" + chosen(e) + source()
		}
		if from < 0 {
			return s + chosen(e) // from a timer
		}
		return s + chosen(e) + source()
	case event.ChanLen:
		return fmt.Sprintf("%s = %d", s, int64(e.Value))
	case event.Spawn:
		return "starts " + id(t, int(e.Other))
	case event.Panic:
		return clip(oneLine(panicText(t)), maxText)
	}
	return s
}

func outcome(yes bool, t, f string) string {
	if yes {
		return t
	}
	return f
}

func chosen(e *event.Event) string {
	if e.Case < 0 {
		return ""
	}
	return fmt.Sprintf(" (case %d of select)", e.Case+1)
}

// Numbers from small on are rather addresses, digests or bits of a float, which tell people nothing.
const small = 1 << 20

// value writes the value of an access of at most eight bytes. Whether it is
// signed is not known, so a small negative number is taken for one.
func value(e *event.Event) string {
	var signed int64
	switch e.Loc.Size {
	case 1, 2:
		signed = int64(e.Value)
	case 4:
		signed = int64(int32(e.Value))
	case 8:
		signed = int64(e.Value)
	default:
		return ""
	}
	if signed <= -small || signed >= small {
		return ""
	}
	return " = " + strconv.FormatInt(signed, 10)
}
