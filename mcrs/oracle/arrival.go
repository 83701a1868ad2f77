package oracle

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file says of operations of package sync what they do to the bytes of their objects because of when their
// goroutines came, and what comes after the end of a Once's function.

// touching returns an operation as what it does to the bytes of its object if its goroutine came while they were in
// use: a Wait that had to wait, a Do before the function has ended, an operation on a sync.Map before the first has.
func touching(e *event.Event, early bool) *event.Event {
	if !early {
		return e
	}
	o := *e
	switch {
	case e.Kind == event.WaitGroupWait:
		return event.Waited(e)
	case e.Kind == event.OnceBegin:
		o.Value = 1
	case event.OfMap(e):
		o.Other |= event.MapUsed
	}
	return &o
}

// ends reports whether the function of a Once ends with operation i, or whether it is the first operation on a
// sync.Map. Both give up the Mutex of their object.
func (h *history) ends(i int) bool { return h.ops[i].Kind == event.OnceEnd || h.ops[i].made }

// early reports whether operation j, a Do or an operation on a sync.Map, came before the end that it finds. arrival is
// what happens before it comes.
func (h *history) early(j int, arrival set) bool {
	o := &h.ops[j]
	if !(o.Kind == event.OnceBegin && o.Value == 0 || event.OfMap(&o.Event) && !o.made) {
		return false
	}
	last := h.lastEnd(o.Loc.Addr)
	return last >= 0 && !arrival.has(last) && !h.found(last, arrival) && !slices.ContainsFunc(h.ops[last+1:j], func(k doing) bool { return h.programOrderOf(&k, o) })
}

// lastEnd is the last end of an object, -1 if there is none.
func (h *history) lastEnd(addr uint64) int {
	for i := len(h.ops) - 1; i >= 0; i-- {
		if h.ops[i].Loc.Addr == addr && h.ends(i) {
			return i
		}
	}
	return -1
}

// found reports whether one of some operations has found that operation i is over.
func (h *history) found(i int, some set) bool {
	for k := i + 1; k < len(h.ops); k++ {
		if some.has(k) && slices.Contains(h.ops[k].found, i) {
			return true
		}
	}
	return false
}

// unlocksLater reports whether j, which finds that i is over, need not come after the Unlock of i.
func (h *history) unlocksLater(i, j int) bool {
	return h.ops[i].index >= 0 && (h.ops[i].Kind == event.OnceEnd || h.ops[i].made && !ofObject(&h.ops[i].Event, &h.ops[j].Event))
}

// unknownPart is what of operation i somebody does not know who knows others.
func (h *history) unknownPart(i int, known set) *event.Event {
	if e := &h.ops[i].Event; !h.ends(i) || !h.found(i, known) {
		return e
	}
	return event.UnlockOf(&h.ops[i].Event)
}

// whenItCame reports whether what an operation does to the bytes of its object it does when its goroutine comes.
func (h *history) whenItCame(i int) bool {
	o := &h.ops[i]
	return o.Kind == event.WaitGroupWait || o.Kind == event.OnceBegin && o.Value == 1 && o.index >= 0 && h.t.Events[o.index].Value == 0
}
