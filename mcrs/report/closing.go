package report

import (
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file has what is particular to the race of a close and a send that finds its channel closed (rule RACE7 of
// mcrs/race).

// misuse names a race that is no access to memory, "" for others.
func misuse(a, b *event.Event) string {
	switch {
	case isMisuse(a, b):
		return "Add concurrent with Wait"
	case a.Kind == event.ChanClose || b.Kind == event.ChanClose:
		return "send concurrent with close"
	}
	return ""
}

// Told reports whether a finding is the race of a close and a send, and another one is the panic of the send.
func (v *View) Told(f *Finding, all []Finding) bool {
	if f.Category != DataRace || len(f.Events) != 2 || f.Witness.Events[f.Events[0]].Kind != event.ChanClose && f.Witness.Events[f.Events[1]].Kind != event.ChanClose {
		return false
	}
	return slices.ContainsFunc(all, func(p Finding) bool {
		if p.Category != Panics || !strings.HasPrefix(p.Witness.Panic, "panic: send on closed channel") {
			return false
		}
		at := v.framePosition(v.failFrames(&p))
		return slices.ContainsFunc(f.Events, func(i int) bool { return v.framePosition(v.frames(f.Witness, i)) == at })
	})
}
