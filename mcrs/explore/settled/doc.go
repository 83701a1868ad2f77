// Package settled says which accesses never race though they conflict, by what is known of a program: its goroutines'
// graphs. It walks no states. The knowledge must be complete. The rules are BEHIND7, BEHIND11, BEHIND13 to
// BEHIND16 of package union.
package settled

import "github.com/heddle-go/heddle/mcrs/explore/spec"

// A Finder finds what keeps accesses apart.
type Finder struct {
	gates     gates
	settling  *settling
	rejecting *rejecting
	counting  *counting // nil until it is asked
}

// New returns a finder for a program.
func New(k spec.Rules) *Finder {
	return &Finder{gates: gates{rules: k}, settling: newSettling(k), rejecting: newRejecting(k)}
}

// ByOnce reports whether a Once keeps two accesses apart.
func (f *Finder) ByOnce(a, b *Spots) bool { return f.gates.precedes(a, b) || f.gates.precedes(b, a) }

// Settled reports whether of two accesses one is always settled where the other is made.
func (f *Finder) Settled(a, b *Spots) bool { return f.settling.apart(a, b) }
