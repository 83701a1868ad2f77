// Package settled says which accesses never race though they conflict, by what is known of a program: its goroutines'
// graphs. It walks no states. The knowledge must be complete. The rules are BEHIND7, BEHIND11, BEHIND13 and
// BEHIND14 of package union.
package settled

import (
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// Spots are the nodes at which an access is made, and the locks that its goroutine holds at all of them.
type Spots struct {
	Nodes []int32
	Locks []known.Held
}

// A Finder finds what keeps accesses apart.
type Finder struct {
	gates     gates
	settling  *settling
	rejecting *rejecting
}

// New returns a finder for a program.
func New(k spec.Rules) *Finder { return &Finder{gates{rules: k}, newSettling(k), newRejecting(k)} }

// ByOnce reports whether a Once keeps two accesses apart.
func (f *Finder) ByOnce(a, b *Spots) bool { return f.gates.precedes(a, b) || f.gates.precedes(b, a) }

// Settled reports whether of two accesses one is always settled where the other is made.
func (f *Finder) Settled(a, b *Spots) bool { return f.settling.apart(a, b) }
