package audit

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/race"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file audits futures. Where two goroutines have equal futures (RED10 of package reduce), each can go on in place
// of the other, with the same operations at the same sites, and is told the same. The execution shows the same at its
// end: how it ended, failures, races, who is blocked where, and how much was written.
//
// The steps that follow are taken with the two exchanged, and with the goroutines that each starts from then on. What
// is theirs alone then has other addresses. So addresses and values in memory are not compared: Commutation and Names
// compare that they are those that the names of states say.

// A swap is an exchange of two goroutines after some steps.
type swap struct {
	a, b         event.ThreadID
	kidsA, kidsB int // goroutines that they have started before
}

// Swap exchanges goroutines with equal futures in the execution of t, which ran under the scheduler of the same entry.
// found is called for each difference.
func (x *Subject) Swap(t *trace.Trace, found func(Finding)) {
	likes := x.Likes
	if likes == nil && x.Union != nil {
		likes = x.Union.Alike
	}
	if likes == nil || t.Status == trace.Limit || t.Status == trace.Unsupported {
		return
	}
	all := slices.DeleteFunc(likes(t), func(p union.Alike) bool { return !swappable(t, p) })
	for _, p := range spread(all, x.MaxPairs) {
		steps, from := sched.SeedOf(t), p.Step
		at := eventOf(t, from)
		sw := swap{p.Mover, p.Like, kidsBefore(t, p.Mover, at), kidsBefore(t, p.Like, at)}
		for i := from; i < len(steps); i++ {
			steps[i].Thread, steps[i].Partner = sw.of(steps[i].Thread), sw.of(steps[i].Partner)
		}
		follow := sched.NewReplay(steps, sched.RunToBlock{})
		other := x.run.Run(follow, x.Options)
		if x.over() {
			return
		}
		x.Swaps++
		if ds := sw.differ(t, other, from, follow.Diverged()); len(ds) > 0 {
			what := fmt.Sprintf("%s and %s at %s change places", p.Mover, p.Like, x.Machine.Position(t.Events[at].Site))
			found(Finding{Trace: t, What: what, Kinds: "equal futures " + t.Events[at].Kind.String(), Differences: ds})
		}
	}
}

// spread takes at most n of some values, at equal distances. 0: all.
func spread[T any](all []T, n int) []T {
	if n == 0 || len(all) <= n {
		return all
	}
	some := make([]T, n)
	for i := range some {
		some[i] = all[i*len(all)/n]
	}
	return some
}

// swappable reports whether the names of two goroutines, and of those that they start, can be exchanged. Neither may
// have started the other, and neither may make timers, which are named after it.
func swappable(t *trace.Trace, p union.Alike) bool {
	if under(p.Mover, p.Like) || under(p.Like, p.Mover) {
		return false
	}
	return !slices.ContainsFunc(t.Started, func(s trace.TimerStart) bool {
		id := t.Threads[s.Thread].ID
		return under(id, p.Mover) || under(id, p.Like)
	})
}

// under reports whether a goroutine is another one, or was started by it or below it.
func under(id, by event.ThreadID) bool {
	return id == by || strings.HasPrefix(string(id), string(by)+".")
}

// of is who goes on in place of a goroutine.
func (s swap) of(id event.ThreadID) event.ThreadID {
	switch {
	case under(id, s.a):
		return moved(id, s.a, s.b, s.kidsA, s.kidsB)
	case under(id, s.b):
		return moved(id, s.b, s.a, s.kidsB, s.kidsA)
	}
	return id
}

// moved is the name of a goroutine under one that has another's place, if it was started after the exchange.
func moved(id, from, to event.ThreadID, had, has int) event.ThreadID {
	if id == from {
		return to
	}
	rest := string(id[len(from)+1:])
	first, below, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(first)
	if err != nil || n <= had {
		return id
	}
	first = fmt.Sprint(n - had + has)
	if below != "" {
		first += "." + below
	}
	return to + "." + event.ThreadID(first)
}

// eventOf is the index of the event that begins a step.
func eventOf(t *trace.Trace, step int) int {
	n := 0
	for i := range t.Events {
		if _, ok := sched.StepAt(t, i); ok {
			if n == step {
				return i
			}
			n++
		}
	}
	return len(t.Events)
}

// kidsBefore counts the goroutines that one has started before an event.
func kidsBefore(t *trace.Trace, id event.ThreadID, at int) (n int) {
	for i := range t.Events[:at] {
		if e := &t.Events[i]; e.Kind == event.Spawn && t.Threads[e.Thread].ID == id {
			n++
		}
	}
	return n
}

// differ lists how an execution and that with two goroutines exchanged from a step on differ.
func (s swap) differ(t, other *trace.Trace, from, diverged int) (ds []string) {
	if other.Status == trace.Limit || other.Status == trace.Unsupported {
		return nil
	}
	if diverged >= 0 {
		return []string{fmt.Sprintf("after the exchange at step %d, step %d is not possible", from, diverged)}
	}
	if len(t.Events) != len(other.Events) {
		return []string{fmt.Sprintf("%d events, and %d", len(t.Events), len(other.Events))}
	}
	for i := eventOf(t, from); i < len(t.Events); i++ {
		if a, b := s.seen(t, i), plainly(other, i); a != b {
			return append(ds, fmt.Sprintf("event %d: %s, and %s", i, a, b))
		}
	}
	for what, f := range shown {
		if a, b := f(t), f(other); a != b {
			ds = append(ds, fmt.Sprintf("%s: %s, and %s", what, a, b))
		}
	}
	slices.Sort(ds)
	return ds
}

// seen writes an event under the names that its goroutines have after the exchange.
func (s swap) seen(t *trace.Trace, i int) string { return seenAs(t, i, s.of) }

func plainly(t *trace.Trace, i int) string {
	return seenAs(t, i, func(id event.ThreadID) event.ThreadID { return id })
}

func seenAs(t *trace.Trace, i int, of func(event.ThreadID) event.ThreadID) string {
	e := &t.Events[i]
	r := trace.ReplyOf(e)
	what := fmt.Sprintf("%s %v at %d case %d size %d wrong %t", of(t.Threads[e.Thread].ID), e.Kind, e.Site, e.Case, e.Loc.Size, r.Wrong)
	if e.Kind.Tries() {
		what += fmt.Sprint(" told ", r.Value)
	}
	return what
}

// numeral is what two messages of goroutines that do the same with numbers of their own differ in.
var numeral = regexp.MustCompile(`0x[0-9a-f]+|\d+`)

// shown are the things that an execution shows at its end.
var shown = map[string]func(t *trace.Trace) string{
	"status":           func(t *trace.Trace) string { return fmt.Sprint(t.Status, t.TestFailed, t.ExitCode) },
	"panic":            func(t *trace.Trace) string { return numeral.ReplaceAllString(t.Panic, "N") },
	"length of output": func(t *trace.Trace) string { return fmt.Sprint(len(t.Output)) },
	"failures": func(t *trace.Trace) string {
		var all []string
		for _, f := range t.Failures {
			all = append(all, numeral.ReplaceAllString(f.Message, "N"))
		}
		slices.Sort(all)
		return fmt.Sprintf("%q", all)
	},
	"blocked": func(t *trace.Trace) string {
		var all []string
		for i := range t.Threads {
			if th := &t.Threads[i]; th.Pending != nil {
				all = append(all, fmt.Sprintf("%v at %d leaked %t", th.Pending.Kind, th.Pending.Site, th.Leaked))
			}
		}
		slices.Sort(all)
		return fmt.Sprint(all)
	},
	"races": func(t *trace.Trace) string {
		var all []string
		for _, p := range race.Of(t) {
			all = append(all, race.Key(t.Events[p.First].Site, t.Events[p.Second].Site))
		}
		slices.Sort(all)
		return fmt.Sprint(slices.Compact(all))
	},
}
