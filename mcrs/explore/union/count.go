package union

import (
	"strings"
)

// This file is the serial specification of runtime.NumGoroutine: rule UGO2.

// countOf is the number of goroutines of a state.
func (k *rules) countOf(s *state) (n uint64) {
	for t, x := range s.nodes {
		if x != 0 && !strings.HasPrefix(string(k.ids[t]), "T/") {
			n++
		}
	}
	return n
}
