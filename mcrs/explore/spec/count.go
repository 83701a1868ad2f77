package spec

import (
	"strings"
)

// This file is the serial specification of runtime.NumGoroutine: rule UGO2.

// countOf is the number of goroutines of a state.
func (k *Rules) countOf(s *State) (n uint64) {
	for t, x := range s.Nodes {
		if x != 0 && !strings.HasPrefix(string(k.IDs[t]), "T/") && !k.IsBuffer(int32(t)) {
			n++
		}
	}
	return n + uint64(k.Get(s, 0)) + uint64(k.Get(s, k.CountSlot)) // who ends the program is still there
}

// moved is what an operation with a key adds to the number of goroutines.
func moved(key uint64) int32 {
	switch key {
	case 1:
		return 1
	case 3:
		return -1
	}
	return 0
}
