package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// Text is the finding at length, without the table: a race as Go's race
// detector prints it, the blocked goroutines of a deadlock or leak, the text and
// stack of a panic or failing test. It ends with a newline.
func (v *View) Text(f *Finding) string {
	var b strings.Builder
	switch f.Category {
	case DataRace:
		v.raceText(&b, f)
	case Deadlock:
		b.WriteString("fatal error: all goroutines are asleep - deadlock!\n")
		v.blockedText(&b, f)
	case Livelock:
		b.WriteString("livelock: what can go on only repeats itself\n")
		v.blockedText(&b, f)
	case GoroutineLeak:
		fmt.Fprintf(&b, "goroutine leak: %d blocked for ever after %s returned\n", len(f.Threads), v.entryName())
		v.blockedText(&b, f)
	case TestFailure:
		v.failureText(&b, f)
	case Robustness:
		robustnessText(&b, v, f)
	default:
		b.WriteString(strings.TrimRight(panicText(f.Witness), "\n") + "\n")
		fmt.Fprintf(&b, "\n%s:\n", v.failing(f))
		v.stackText(&b, v.failFrames(f))
	}
	return b.String()
}

func (v *View) entryName() string {
	if v.Entry == "" {
		return "the entry"
	}
	return v.Entry
}

const rule = "==================\n"

// raceText follows the form of the race detector's reports (runtime/race,
// tsan_report.cpp's PrintReport for Go), which people and tools know: a
// goroutine has a number there, so the last lines say which name it has here.
func (v *View) raceText(b *strings.Builder, f *Finding) {
	if len(f.Events) != 2 {
		return
	}
	t := f.Witness
	second, first := f.Events[1], f.Events[0]
	b.WriteString(rule + "WARNING: DATA RACE\n")
	for i, ev := range []int{second, first} {
		e := &t.Events[ev]
		what := verb(e, &t.Events[f.Events[i]])
		switch e.Kind { // to the detector they are accesses to the channel
		case event.ChanClose:
			what = "write"
		case event.ChanSend:
			what = "read"
		}
		if i == 1 {
			what = "previous " + what
		}
		fmt.Fprintf(b, "%s at %#012x by %s:\n", capital(what), address(t, e.Loc.Addr), v.goroutine(int(e.Thread)))
		v.stackText(b, v.frames(t, ev))
		b.WriteString("\n")
	}
	for _, ev := range []int{second, first} {
		i := int(t.Events[ev].Thread)
		frames := v.startFrames(t, i)
		if frames == nil {
			continue
		}
		fmt.Fprintf(b, "%s (running) created at:\n", capital(v.goroutine(i)))
		v.stackText(b, frames)
		b.WriteString("\n")
	}
	for _, ev := range []int{second, first} {
		i := int(t.Events[ev].Thread)
		fmt.Fprintf(b, "%s is %s\n", v.goroutine(i), id(t, i))
	}
	b.WriteString(rule)
}

func (v *View) goroutine(i int) string {
	if i == 0 && v.Entry == "main" {
		return "main goroutine"
	}
	return fmt.Sprintf("goroutine %d", i+1)
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// stackText writes a stack in the form of the runtime's and the race detector's.
func (v *Code) stackText(b *strings.Builder, frames []trace.Frame) {
	if len(frames) == 0 {
		b.WriteString("  [no stack was recorded]\n")
		return
	}
	if around(v, frames) {
		b.WriteString("  [package testing]\n")
		return
	}
	for _, f := range frames {
		if strings.Contains(f.Func, ".heddle") {
			continue // a stand-in of ours below the test or in a primitive
		}
		if f.Func == unwinding {
			b.WriteString("  panic()\n")
			continue
		}
		if f.Func != "" {
			fmt.Fprintf(b, "  %s()\n", f.Func)
		}
		fmt.Fprintf(b, "      %s\n", v.Line(f.Site))
	}
}

// blockedText lists what each blocked goroutine waits for and who holds it.
func (v *Code) blockedText(b *strings.Builder, f *Finding) {
	t := f.Witness
	for _, i := range f.Threads {
		if i < 0 || i >= len(t.Threads) {
			continue
		}
		th := &t.Threads[i]
		fmt.Fprintf(b, "\n%s [%s]", th.ID, waits(th))
		if name := v.pendingVariable(th); name != "" {
			fmt.Fprintf(b, " on %s", name)
		}
		if h := holder(t, i); h != "" {
			fmt.Fprintf(b, ", held by %s", h)
			if at := v.acquired(t, i); at != "" {
				fmt.Fprintf(b, " since %s", at)
			}
		}
		b.WriteString(":\n")
		v.stackText(b, v.threadFrames(t, i))
		if start := v.startFrames(t, i); start != nil {
			fmt.Fprintf(b, "  created by %s at %s\n", id(t, int(th.Parent)), v.place(start))
		}
	}
}

func (v *Code) pendingVariable(th *trace.Thread) string {
	if th.Pending == nil || th.Waits == ioWait {
		return "" // the variable is the overlay's
	}
	return v.Source.Variable(th.Pending.Site)
}

// acquired says where the holder of the lock that thread i waits for took it.
func (v *Code) acquired(t *trace.Trace, i int) string {
	if n := v.acquisition(t, i); n >= 0 {
		return v.at(v.frames(t, n))
	}
	return ""
}

// acquisition returns the event in which the lock was taken that thread i waits for, -1 if there is none.
func (v *Code) acquisition(t *trace.Trace, i int) int {
	th, all := &t.Threads[i], holders(t, i)
	for n := len(t.Events) - 1; n >= 0; n-- {
		e := &t.Events[n]
		if !slices.Contains(all, int(e.Thread)) || e.Loc != th.Pending.Loc {
			continue
		}
		if e.Kind.Holds() {
			return n
		}
	}
	return -1
}

func (v *View) failureText(b *strings.Builder, f *Finding) {
	t := f.Witness
	fmt.Fprintf(b, "--- FAIL: %s\n", v.entryName())
	for i := range t.Failures {
		fail := &t.Failures[i]
		at := "by " + id(t, int(fail.Thread))
		if frames := v.called(fail.Stack); v.nearest(frames) >= 0 {
			at = v.Line(frames[v.nearest(frames)].Site)
		}
		text := strings.TrimRight(withoutTrace(v.said(t, fail)), "\n")
		fmt.Fprintf(b, "    %s: %s\n", at, strings.ReplaceAll(text, "\n", "\n        "))
	}
}

// address is a location as it is written down. The machine numbers the memory of goroutines as their names come up, in
// whatever it has executed before, other entries with it. So the number is that of the order in which the witness meets
// them.
func address(t *trace.Trace, a uint64) uint64 {
	const shift, first, last = 47, 2, 0xffff // package mem: those below and above belong to no goroutine
	number := uint64(first)
	met := map[uint64]uint64{}
	for i := range t.Events {
		s := t.Events[i].Loc.Addr >> shift
		if _, ok := met[s]; !ok && s >= first && s < last {
			met[s] = number
			number++
		}
	}
	s := a >> shift
	if n, ok := met[s]; ok {
		s = n
	}
	return s<<shift | a&(1<<shift-1)
}
