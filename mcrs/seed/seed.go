// Package seed holds seed interleavings: prefixes of schedules that make an
// execution start in a chosen way, after which the default schedule goes on.
// Its text form is the replay token that a finding carries.
package seed

import "github.com/heddle-go/heddle/mcrs/event"

// A Step names one transition: the thread that moves, and the choices in it.
type Step struct {
	Thread      event.ThreadID
	Case        int16          // of a select; -1 if none
	Partner     event.ThreadID // the receiver of a rendezvous; "" if none
	PartnerCase int16
}

// A Seed is an interleaving to start with. Thread names do not depend on the schedule, so a seed
// means the same in every run of the same sources.
type Seed []Step
