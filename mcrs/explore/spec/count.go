package spec

import (
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
)

// This file is the serial specification of what a goroutine sees of the others: rules UGO2 and UGO3.

// countOf is the number of goroutines of a state.
func (k *Rules) countOf(s *State) uint64 {
	return uint64(aliveIn(k, s)) + uint64(k.Get(s, 0)) + uint64(k.Get(s, k.CountSlot)) // who ends the program is still there
}

// aliveIn counts the goroutines of a state, without timers.
func aliveIn(k *Rules, s *State) (n int) {
	for t, x := range s.Nodes {
		if x != 0 && !strings.HasPrefix(string(k.IDs[t]), "T/") && !k.IsBuffer(int32(t)) {
			n++
		}
	}
	return n
}

// Alone reports whether there is one goroutine alone (UGO3).
func Alone(k *Rules, s *State) bool { return aliveIn(k, s) == 1 }

// stacksOf names what the stacks of all goroutines show in a state (UGO3).
func stacksOf(k *Rules, s *State) uint64 { return k.countOf(s)<<1 | known.OneIf(Alone(k, s)) }

// moved is what an operation with a key adds to the number of goroutines.
func moved(key uint64) int32 {
	switch key {
	case event.AddsOne:
		return 1
	case event.TakesOne:
		return -1
	}
	return 0
}
