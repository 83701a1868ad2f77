package own

import (
	"fmt"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file compares explorations whose executions ignore what nothing acts upon (sched.Options.Ignores) with brute
// force, which ignores nothing: what goroutines are told must be the same but for the values that are ignored.

// Histories are what goroutines were told in executions, each once.
type Histories map[string]*told

// A told is what one goroutine was told: events, without what they did to others.
type told struct {
	id     event.ThreadID
	events []event.Event
}

// Add adds an execution that was not cut off.
func (h Histories) Add(t *trace.Trace) {
	if t.Status == trace.Stopped {
		return
	}
	of := make([]told, len(t.Threads))
	for i := range t.Events {
		x := &of[t.Events[i].Thread]
		x.events = append(x.events, t.Events[i])
	}
	for i := range of {
		of[i].id = t.Threads[i].ID
		h[of[i].text(nil)] = &of[i]
	}
}

// toldOf is oracle.Told without what was written: it may have been computed from what is ignored. Whoever does not
// ignore it reads it.
func toldOf(r trace.Reply) string {
	if r.Kind == event.Write || r.Kind == event.AtomicStore {
		r.Value = 0
	}
	return oracle.Told(r)
}

// text writes a history without what is ignored.
func (x *told) text(ignored func(event.Site) bool) string {
	var b strings.Builder
	for i := range x.events {
		e := x.events[i]
		switch e.Kind {
		case event.Read, event.AtomicLoad, event.AtomicRMW:
			if ignored != nil && ignored(e.Site) {
				e.Value = 0
			}
		}
		b.WriteString(toldOf(trace.ReplyOf(&e)))
	}
	if ignored == nil {
		return fmt.Sprint(x.id, ": ", b.String(), x.sites())
	}
	return b.String()
}

// sites tells apart Histories that differ in where they were told the same.
func (x *told) sites() (out []event.Site) {
	for i := range x.events {
		out = append(out, x.events[i].Site)
	}
	return out
}

// late reports whether histories have a load that could have been ignored, and was not: of a function that was called
// after it was said what can be. It loads what comes of ignored values. Nothing acts upon that, so it need not be what
// brute force loads.
func (h Histories) late(could, were func(event.Site) bool) bool {
	for _, x := range h {
		for i := range x.events {
			switch e := &x.events[i]; e.Kind {
			case event.Read, event.AtomicLoad, event.AtomicRMW:
				if could(e.Site) && !were(e.Site) {
					return true
				}
			}
		}
	}
	return false
}

// CompareIgnoring compares an exploration with all that brute force has told goroutines. It returns what differs.
// answers makes what the explorer asks. Where a load was late, only outcomes are compared.
func CompareIgnoring(m sched.Machine, explorer func(func(*trace.Trace)) explore.Explorer, answers func() union.Ignoring, want *oracle.Result, all Histories) (problems []string, took explore.Stats) {
	problem := func(format string, args ...any) {
		problems = append(problems, "union-ignoring: "+fmt.Sprintf(format, args...))
	}
	got, mine := oracle.NewResult(), Histories{}
	x := explorer(func(t *trace.Trace) {
		Observing(got)(t)
		mine.Add(t)
	}).(*union.Explorer)
	none := func(event.Site) bool { return false }
	ignored := none
	ask, afresh, last := answers(), answers(), 0
	x.Ignores = func(called int) (of func(event.Site) bool, changed bool) {
		last = called
		if of, changed = ask(called); of == nil {
			ignored = none
			return of, changed
		}
		ignored = of
		return of, changed
	}
	res := x.Explore(m, explore.Limits{Executions: 200_000, Events: 1 << 30})
	if res.Verdict != explore.Exhausted || res.Stats.Diverged > 0 {
		problem("%s %s, %d executions, %d diverged", res.Verdict, res.Reason, res.Stats.Executions, res.Stats.Diverged)
	}
	AddRaces(got, res)
	any := func(event.ThreadID, string) bool { return true } // compared below
	for _, k := range Missing(want, got, any) {
		problem("missed: %s", k)
	}
	for _, k := range Missing(got, want, any) {
		problem("invented: %s", k)
	}
	if of, _ := afresh(last); of != nil && all.late(of, ignored) {
		return problems, res.Stats
	}
	met := make(map[string]bool)
	for _, h := range all {
		text := h.text(ignored)
		if met[string(h.id)+text] = true; !x.Engine.Knows(h.id, text, toldOf) {
			problem("missed: history %s: %s", h.id, text)
		}
	}
	for _, h := range mine {
		if text := h.text(ignored); !met[string(h.id)+text] {
			problem("invented: history %s: %s", h.id, text)
		}
	}
	return problems, res.Stats
}
