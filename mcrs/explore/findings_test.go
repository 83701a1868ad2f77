package explore

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// TestRerun: a seed is replayed once, and again after another one, or if somebody asked to end the exploration
// meanwhile: such a replay may have been cut off, and the next one is not.
func TestRerun(t *testing.T) {
	stop := new(Stop)
	var r rerun
	made := 0
	of := func(id event.ThreadID, during func()) {
		r.of(seed.Seed{{Thread: id, Case: -1, PartnerCase: -1}}, stop, func() *trace.Trace {
			made++
			during()
			return new(trace.Trace)
		})
	}
	for i, x := range []struct {
		id     event.ThreadID
		during func()
		made   int
	}{
		{"G1", func() {}, 1},
		{"G1", func() {}, 1},
		{"G1.1", func() {}, 2},
		{"G1", stop.Ask, 3},
		{"G1", func() {}, 4},
		{"G1", func() {}, 4},
	} {
		if of(x.id, x.during); made != x.made {
			t.Errorf("after call %d there were %d replays, want %d", i+1, made, x.made)
		}
	}
}
