package predict

import (
	"fmt"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file says who holds which locks, and where goroutines ask for each other's.

// A lock is one that a goroutine holds.
type lock struct {
	at   uint64
	read bool // others may hold it as well
}

// A held is the locks that a goroutine holds when it comes to an event. It is shared by events, and not modified.
type held []lock

// exclude reports whether two goroutines cannot hold these at once.
func (h held) exclude(o held) bool {
	for _, a := range h {
		for _, b := range o {
			if a.at == b.at && !(a.read && b.read) {
				return true
			}
		}
	}
	return false
}

// heldIn returns, for each event of a trace, what its goroutine holds before it.
func heldIn(t *trace.Trace) []held {
	out := make([]held, len(t.Events))
	now := make([]held, len(t.Threads))
	for i := range t.Events {
		e := &t.Events[i]
		h := now[e.Thread]
		out[i] = h
		switch e.Kind {
		case event.Lock, event.RLock:
			h = append(slices.Clip(h), lock{e.Loc.Addr, e.Kind == event.RLock})
		case event.TryLock, event.TryRLock:
			if e.Value != 0 {
				h = append(slices.Clip(h), lock{e.Loc.Addr, e.Kind == event.TryRLock})
			}
		case event.Unlock, event.RUnlock:
			if k := slices.Index(h, lock{e.Loc.Addr, e.Kind == event.RUnlock}); k >= 0 {
				h = slices.Delete(slices.Clone(h), k, k+1)
			}
		}
		now[e.Thread] = h
	}
	return out
}

// A request is an event that asks for a lock while its goroutine holds others.
type request struct {
	event  int
	thread int32
	wants  lock
	has    held
}

// mostRequests bounds those of a window that are put together. Of those of one goroutine, at one site, for one lock the
// last is kept.
const mostRequests = 64

// requestsIn lists them.
func requestsIn(t *trace.Trace, locks []held, from, to int) (out []request) {
	for i := to - 1; i >= from && len(out) < mostRequests; i-- {
		e := &t.Events[i]
		if e.Kind != event.Lock && e.Kind != event.RLock || len(locks[i]) == 0 {
			continue
		}
		r := request{i, e.Thread, lock{e.Loc.Addr, e.Kind == event.RLock}, locks[i]}
		same := func(o request) bool {
			return o.thread == r.thread && o.wants == r.wants && t.Events[o.event].Site == e.Site && slices.Equal(o.has, r.has)
		}
		if !slices.ContainsFunc(out, same) {
			out = append(out, r)
		}
	}
	slices.Reverse(out)
	return out
}

// waitsFor reports whether r would wait for who has made o.
func (r *request) waitsFor(o *request) bool {
	return r.thread != o.thread && held{r.wants}.exclude(o.has)
}

// cycles lists the candidates for deadlocks in a window: two or three goroutines, each of which waits for the next one.
func cycles(t *trace.Trace, locks []held, from, to int) (out []candidate) {
	rs := requestsIn(t, locks, from, to)
	add := func(of ...*request) {
		var events []int
		for _, r := range of {
			events = append(events, r.event)
		}
		slices.Sort(events)
		out = append(out, candidate{key: keyOf(t, events), events: events})
	}
	for i := range rs {
		a := &rs[i]
		for j := range rs {
			b := &rs[j]
			if !a.waitsFor(b) || a.has.exclude(b.has) {
				continue
			}
			if b.waitsFor(a) {
				if i < j {
					add(a, b)
				}
				continue
			}
			for k := range rs {
				c := &rs[k]
				if i < j && i < k && c.thread != a.thread && b.waitsFor(c) && c.waitsFor(a) && !a.has.exclude(c.has) && !b.has.exclude(c.has) {
					add(a, b, c)
				}
			}
		}
	}
	return out
}

// keyOf names a cycle by the sites where its goroutines stand.
func keyOf(t *trace.Trace, events []int) string {
	var sites []string
	for _, i := range events {
		sites = append(sites, fmt.Sprint(t.Events[i].Site))
	}
	slices.Sort(sites)
	return fmt.Sprint("cycle ", sites)
}
