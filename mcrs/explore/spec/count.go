package spec

import (
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
)

// This file is the serial specification of what a goroutine sees of the others: rules UGO2 to UGO4.

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

// Beside counts the goroutines beside one.
func Beside(k *Rules, s *State) int64 { return int64(aliveIn(k, s)) - 1 }

// stacksOf names what the stacks of all goroutines show t in a state (UGO3, UGO4).
func stacksOf(k *Rules, s *State, t int32) uint64 {
	h := k.countOf(s)<<1 | known.OneIf(Alone(k, s))
	if h&1 == 1 {
		return h
	}
	for u, x := range s.Nodes {
		if x == 0 || int32(u) == t || strings.HasPrefix(string(k.IDs[u]), "T/") || k.IsBuffer(int32(u)) {
			continue
		}
		h = known.Mix(known.Mix(h, uint64(u)<<32|uint64(x)), known.OneIf(mayGoOn(k, s, int32(u))))
	}
	return h
}

// mayGoOn reports whether a goroutine can go on where it stands, alone or as somebody's partner.
func mayGoOn(k *Rules, s *State, t int32) bool {
	for u, x := range s.Nodes {
		if x != 0 && slices.ContainsFunc(k.Enabled(s, int32(u), nil), func(m Move) bool { return m.Thread == t || m.Partner == t }) {
			return true
		}
	}
	return false
}

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
