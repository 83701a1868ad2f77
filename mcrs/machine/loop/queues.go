package loop

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/machine/objects"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file says who is served first at a channel, in a bubble of testing/synctest (CHAN8, CHAN9).

// before counts the goroutines that are served before g at a channel: they stand in its queue before g (CHAN8). The
// partner that g would meet is none of them: it may stand there as a sender and as a receiver.
func before(m *vm.Machine, g, partner *vm.G, c *vm.SelCase) (n int) {
	if g.Bubble == nil {
		return 0
	}
	for _, o := range m.Live {
		if o != partner && sooner(o, g) && o.StandsAt(c.Chan, c.Send) >= 0 {
			n++
		}
	}
	return n
}

// sooner reports whether o stands in the queues of its channels before g, which may not stand there at all.
func sooner(o, g *vm.G) bool {
	return o.Queued > 0 && o.Waiting && o.Woken == 0 && (g.Queued == 0 || o.Queued < g.Queued)
}

// assigned reports whether one who stands in a queue of a channel before g is served, here or by another case of its
// select, and has still to take it: until then nobody else does anything with the channel (CHAN9).
func assigned(m *vm.Machine, g *vm.G, ch uint64) bool {
	if g.Bubble == nil || ch == 0 {
		return false
	}
	if st := objects.ChanAt(m, ch); st == nil || st.Closed {
		return false
	}
	return slices.ContainsFunc(m.Live, func(o *vm.G) bool {
		return o != g && sooner(o, g) && (o.StandsAt(ch, false) >= 0 || o.StandsAt(ch, true) >= 0) && served(m, o)
	})
}

// served reports whether g, which stands in the queues of its channels, has been handed what one of them holds, or its
// room, or has been let go on by close: none of its other cases can be taken any more.
//
// It asks assigned of those who stand before g alone, and so comes to an end.
func served(m *vm.Machine, g *vm.G) bool {
	return slices.ContainsFunc(g.Sel, func(c vm.SelCase) bool {
		if c.Chan == 0 {
			return false
		}
		st := objects.ChanAt(m, c.Chan)
		ready := st.Closed || c.Send && len(st.Buffer) < st.Cap || !c.Send && len(st.Buffer) > 0
		return ready && !assigned(m, g, c.Chan)
	})
}
