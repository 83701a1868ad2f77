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
	return uint64(aliveIn(k, s)) + uint64(len(leavers(k, s))) + uint64(k.Get(s, k.CountSlot)) // who ends the program is still there
}

// leave notes that a goroutine at a node ends the program (UEND1). Where somebody asks for the stacks of all, it is
// noted which one, and where it stands.
func leave(k *Rules, s *State, t, n int32) {
	var at uint64
	if k.Looked {
		at = uint64(t)<<32 | uint64(n)
	}
	ws := append(leavers(k, s), at)
	slices.Sort(ws)
	k.Set(s, 0, k.Values.OfWords('e', ws...))
}

// leavers are those who have ended the program, as leave has noted them.
func leavers(k *Rules, s *State) []uint64 { return k.Values.Words(k.Get(s, 0)) }

// aliveIn counts the goroutines of a state, without timers.
func aliveIn(k *Rules, s *State) (n int) {
	for t := range s.Nodes {
		if counts(k, s, int32(t)) {
			n++
		}
	}
	return n
}

// counts reports whether a thread is a goroutine that is left, and neither a timer nor a store buffer.
func counts(k *Rules, s *State, t int32) bool {
	return s.Nodes[t] != 0 && !strings.HasPrefix(string(k.IDs[t]), "T/") && !k.IsBuffer(t)
}

// Beside counts the goroutines beside one.
func Beside(k *Rules, s *State) int64 { return int64(aliveIn(k, s)) - 1 }

// stacksOf names what the stacks of all goroutines show t in a state (UGO3, UGO4). Who has ended the program could
// still be on the way there while the others do what they do (UEND1): so that is where it is seen.
func stacksOf(k *Rules, s *State, t int32) uint64 {
	h := uint64(1)
	moves := EnabledOfAll(k, s, nil, new(Crowd))
	ended := leavers(k, s)
	for u, x := range s.Nodes {
		u := int32(u)
		if len(ended) > 0 && int32(ended[0]>>32) == u && ended[0] != 0 {
			h = known.Mix(known.Mix(h, ended[0]), 1)
			ended = ended[1:]
		} else if u != t && counts(k, s, u) {
			goesOn := !(atSleep(&k.Nodes[x]) && k.Face(s, u).Moves(u)) && slices.ContainsFunc(moves, func(m Move) bool { return m.Thread == u || m.Partner == u })
			h = known.Mix(known.Mix(h, uint64(u)<<32|uint64(x)), known.OneIf(goesOn))
		}
	}
	return h
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
