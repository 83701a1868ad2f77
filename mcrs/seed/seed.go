// Package seed holds seed interleavings: prefixes of schedules that make an
// execution start in a chosen way, after which the default schedule goes on.
// Its text form is the replay token that a finding carries.
//
// # Background
//
// A seed interleaving is what a constraint solver or a partial-order search
// hands to the machine (Huang, "Fast and Effective Approaches for Verifying and
// Debugging Concurrent Programs", 2019, section 3.1). Shuttle and Loom print theirs as
// strings to paste into a replay; so does Heddle.
//
// # Method
//
// A seed names threads by spawn path and counts on each thread's determinism:
// the n-th step of a thread is its n-th visible operation, whatever the others
// did. token.go has the armour of the text form, body.go the encoding: thread
// names relative to their parents, runs of one thread folded, deflated when that
// is smaller. A token of a few hundred switches fits in a line or two.
//
// # Limits
//
// The bytes of a deflated token depend on the release of compress/flate; what they
// mean does not. Parse refuses bodies above 64 MiB and seeds above 2^24 steps.
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
