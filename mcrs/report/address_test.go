package report

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// An address is written down the same whatever numbers the machine has given to the memory of goroutines.
func TestAddressesReadTheSameWhateverTheirNumbers(t *testing.T) {
	at := func(segs ...uint64) *trace.Trace {
		t := new(trace.Trace)
		for i, s := range segs {
			t.Events = append(t.Events, event.Event{Loc: event.Location{Addr: s<<47 | uint64(i)}})
		}
		return t
	}
	a, b := at(1, 3, 2, 3, 0xffff), at(1, 7, 4, 7, 0xffff)
	for i, want := range []uint64{1 << 47, 2<<47 | 1, 3<<47 | 2, 2<<47 | 3, 0xffff<<47 | 4} {
		if x, y := address(a, a.Events[i].Loc.Addr), address(b, b.Events[i].Loc.Addr); x != want || y != want {
			t.Errorf("event %d: %#x and %#x, want %#x", i, x, y, want)
		}
	}
}
