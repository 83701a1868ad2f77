package boundary

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
)

// TestNumbersOfGoroutines asks for a number of its own for each goroutine, out of its name alone (SEEN3).
func TestNumbersOfGoroutines(t *testing.T) {
	for id, want := range map[event.ThreadID]int{"G1": 1, "G1.1": 2, "G1.65000": 65001, "G1.1.1": 2<<20 + 1, "G1.2.1": 3<<20 + 1, "G1.1.2": 2<<20 + 2} {
		if got := numberOf(id); got != want {
			t.Errorf("%s has number %d, want %d", id, got, want)
		}
	}
	by := map[int]event.ThreadID{}
	ids := []event.ThreadID{"G1", "G1.1", "G1.1.1", "G1.1.1.1", "G1.2.1.1", "G1.1.1.1.1", "G1.1.1.1.2", "G1.1.1.1.1.1", "G1.t1", "G1.t2", "G1.t1#2", "G1.t1.1", "G1.t1#2.1", "G1.1.t1", "G1.c1"}
	for _, id := range ids {
		n := numberOf(id)
		if by[n] != "" || n <= 0 {
			t.Errorf("%s and %s have number %d", id, by[n], n)
		}
		by[n] = id
	}
}
