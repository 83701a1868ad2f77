package causality

import (
	"cmp"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/sched"
)

// This file says what depends on each other for the sake of those who stand in the queues of channels, in bubbles of
// testing/synctest (rule DEP14). Who is served, and by which case, depends on the order of all that is done to any of
// the channels at which one of them stands; and who has been served goes on before anybody else does anything there
// (CHAN8 and CHAN9 of the Go machine). So the channels at which one stands together are one cell more.

// noteQueued notes those who stand in queues.
func (r *Recorder) noteQueued(s *sched.State) {
	for i, th := range s.Standing {
		if th.Queued {
			r.queued[Ref{int32(i), th.Seq}] = true
		}
	}
}

// noteQueues makes a cell of each set of channels at which somebody stood in the queues.
func (g *Record) noteQueues() {
	if len(g.rec.queued) == 0 {
		return
	}
	stands := make([]Ref, 0, len(g.rec.queued))
	for r := range g.rec.queued {
		stands = append(stands, r)
	}
	slices.SortFunc(stands, func(a, b Ref) int { return cmp.Or(cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.Seq, b.Seq)) })
	g.queues = make(map[uint64][]int32)
	for _, r := range stands {
		comms, _ := g.commsAt(r.Thread, r.Seq)
		var set []uint64
		for _, c := range comms {
			if c.Chan != 0 && !slices.Contains(set, c.Chan) {
				set = append(set, c.Chan)
			}
		}
		if len(set) == 0 {
			continue
		}
		slices.Sort(set)
		name := CellKey{Space: spaceQueue}
		for _, ch := range set {
			name.Addr, name.key = Mix(name.Addr, ch), Mix(name.key^1, ch)
		}
		cell := g.Cell(name)
		for _, ch := range set {
			if !slices.Contains(g.queues[ch], cell) {
				g.queues[ch] = append(g.queues[ch], cell)
			}
		}
	}
}

// queueTouches adds what an operation on a channel does to those who stand in queues (DEP14).
func (g *Record) queueTouches(ts []Touch, ch uint64) []Touch {
	for _, c := range g.queues[ch] {
		if t := (Touch{c, classWrite}); !slices.Contains(ts, t) {
			ts = append(ts, t)
		}
	}
	return ts
}

// CommTouches classifies an operation of thread p on a channel that is no rendezvous.
func (g *Record) CommTouches(p int32, k event.Kind, addr uint64, closed bool) []Touch {
	ts := append([]Touch{g.chanTouch(k, addr, closed)}, g.ClockTouches(p, k, addr)...)
	return g.queueTouches(ts, addr)
}
