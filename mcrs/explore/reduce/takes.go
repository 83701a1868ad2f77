package reduce

import (
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// This file counts what goroutines may yet receive from channels, and send on them: rule RED17.
//
// Two receives from a buffered channel commute if all its elements are equal, as far as any is known, and there is one
// for each of them: both can be made in either order, what they return is the same, and so is what is left. So it is
// with two sends of equal elements for which there is room. A receive is independent of the others' while what all
// others may yet receive leaves an element, whatever they send; a send while what all others may yet send leaves room,
// whatever they receive. Only plain operations, on channels that do not hold elements at the start, and that are no
// timer's and no bubble's. The walk that looks for races behind observations keeps both orders, for who receives what
// was sent when is an order.
//
// In Prospect.Drops a channel stands for what is received from it, and the complement of its number for what is sent.
// It is the most by which receives may be ahead of the sends of the same goroutine that come before them, and the
// other way round: what a goroutine has sent itself it may receive again.

// commsOf says what a communication along an edge adds to what is taken from channels behind it.
func commsOf(k *Reducer, n int32, y *known.Edge, sum []known.Drop) []known.Drop {
	comms := k.ActOf(n).Comms
	if i := max(int(y.Key.Case), 0); y.Kind.IsComm() && i < len(comms) {
		for _, d := range takes(k, &comms[i]) {
			sum = addDrops(sum, []known.Drop{d})
			if !y.Key.Flag {
				giveBack(sum, ^d.Object, 1)
			}
		}
	}
	return sum
}

// giveBack takes off from what is taken from a counter, or a channel, behind an operation what that gives it.
func giveBack(sum []known.Drop, o int32, n int64) {
	for i := range sum {
		if d := &sum[i]; d.Object == o && d.Max < endless {
			d.Max = max(0, d.Max-n)
		}
	}
}

// takes is what a communication takes, if that is counted.
func takes(k *Reducer, c *known.Comm) []known.Drop {
	switch {
	case c.Object == 0 || !k.Objects[c.Object].Counted:
		return nil
	case c.Send:
		return []known.Drop{{Object: ^c.Object, Max: 1}}
	}
	return []known.Drop{{Object: c.Object, Max: 1}}
}

// plenty reports whether a communication commutes with all others of its direction (RED17). room is how many there can
// be.
func plenty(k *Reducer, s *spec.State, t int32, c known.Comm, room int) bool {
	o, what := &k.Objects[c.Object], c.Object
	if k.Exact || c.Case >= 0 || !o.Counted || o.Sent != known.SentOne || o.Start != 0 || o.Bubble > 0 || k.In(t) > 0 {
		return false
	}
	if c.Send {
		what = ^what
	}
	if int64(room)-k.dropsOf(s, what, t) < 1 {
		return false
	}
	k.relyOnce(s)
	return true
}
