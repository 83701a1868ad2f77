package constraint

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/solver"
)

// TestLowerBounds asks how much of the first goroutine comes before an event in every prefix that has it. No answer
// depends on that, but how many questions the solver is asked.
func TestLowerBounds(t *testing.T) {
	tr := build(3, []line{
		{1, event.Lock, 8, 0}, {1, event.Write, 16, 1}, {1, event.Unlock, 8, 0}, // 3 to 5
		{2, event.Read, 16, 1}, {2, event.Write, 24, 1}, {2, event.Lock, 8, 0}, {2, event.Unlock, 8, 0}, // 6 to 9
		{3, event.Read, 24, 1}, // 10
	})
	e := encode(tr, Options{}, solver.New(), true)
	for _, test := range []struct {
		rule  string
		event int
		want  int32
	}{
		{"LOW2: what it reads was written", 6, 2},
		{"LOW1: it comes after that read", 7, 2},
		{"LOW1: what it reads was written after that read", 10, 2},
		{"LOW3: the section has begun, so it is over", 8, 3},
	} {
		if got := e.low.need(e.of[test.event])[1]; got != test.want {
			t.Errorf("%s: event %d needs %d events of the first goroutine, want %d", test.rule, test.event, got, test.want)
		}
	}
}
