package learn

import (
	"github.com/heddle-go/heddle/mcrs/event"
)

// This file learns from additions whose results nobody looks at: rule UMEM3 of package spec.

// adds is found for an addition whose result nobody looks at: what it found is not in the key of its edge (UMEM3).
func adds(a *absorption, i int, e *event.Event, n int32) error {
	b := a.bytes(e.Loc.Addr, word(e.Key, e.Loc.Size))
	if len(a.ActOf(n).Cells) == 0 {
		a.local(e.Loc.Addr, b)
		a.store(e.Loc.Addr, b)
		return nil
	}
	return a.learnRest(i, n, e.Loc.Addr, b)
}
