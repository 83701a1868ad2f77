package race

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
)

// A tally counts what the table has goroutines learn and leave.
type tally int

func (c *tally) acquire(int32, port)  { *c++ }
func (c *tally) release(int32, port)  { *c++ }
func (c *tally) leave(int32, port)    { *c++ }
func (c *tally) merge(int32, port)    { *c++ }
func (c *tally) exchange(int32, port) { *c++ }
func (c *tally) meet(int32, int32)    { *c++ }
func (c *tally) gather(int32, int32)  { *c++ }

// TestTableIsComplete shows that the table has a rule for each kind of operation that synchronises, and for no other.
func TestTableIsComplete(t *testing.T) {
	for k := range event.NumKinds {
		var c tally
		for _, value := range []uint64{0, 1, ^uint64(0)} {
			for _, other := range []int64{-1, 0, 1} {
				for _, size := range []uint32{0, event.KernelWrite, event.KernelRead} {
					synchronise(&c, &event.Event{Kind: k, Loc: event.Location{Addr: 64, Size: size}, Value: value, Other: other}, -1, channel{size: 1})
				}
			}
		}
		if (c > 0) != k.Synchronises() {
			t.Errorf("%v: mcrs/event says that it synchronises: %v; table.go has a rule: %v", k, k.Synchronises(), c > 0)
		}
	}
}
