package spec

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/explore/known"
)

// This file is the serial specification of the queues of channels, in bubbles of testing/synctest (UBUBBLE5, CHAN8 and
// CHAN9 of the Go machine). A goroutine that waits when its bubble comes to rest stands in the queues of its channels.
// Goroutines of the bubble that come later are served after it, in the order in which they came to wait. What a channel
// holds, its room, or its being closed goes at once to the one that stands there first. That one is then in no queue
// any more, though it takes what is its own by a move of its own. Until then nobody else does anything with the
// channels at which it stands.

// servedBefore counts the goroutines that are served before one at a channel, but for the partner that it would meet,
// -1 if there is none.
func servedBefore(k *Rules, s *State, t, partner int32, c known.Comm) (n int) {
	if k.In(t) == 0 {
		return 0
	}
	for u, x := range s.Nodes {
		if x != 0 && int32(u) != partner && sooner(k, s, int32(u), t) && stands(k, x, c.Object, c.Send) {
			n++
		}
	}
	return n
}

// Queued reports whether a goroutine stands in the queues of its channels.
func Queued(k *Rules, s *State, t int32) bool { return HowParked(k, s, t) >= queued }

// sooner reports whether one stands in the queues of its channels before another one, which may stand in none.
func sooner(k *Rules, s *State, u, t int32) bool {
	return inQueueBefore(k, s, u, HowParked(k, s, t)/queued)
}

// inQueueBefore reports whether a goroutine stands in the queues of its channels before the place of another one, 0 if
// that one stands in none.
func inQueueBefore(k *Rules, s *State, u, place int32) bool {
	first := HowParked(k, s, u) / queued
	return first > 0 && (place == 0 || first < place)
}

// stands reports whether a node is that of a communication on a channel.
func stands(k *Rules, n, ch int32, send bool) bool {
	return slices.ContainsFunc(k.comms(n), func(d known.Comm) bool { return d.Object == ch && d.Send == send })
}

// assigned reports whether one who stands in a queue of a channel before a goroutine is served, here or by another case
// of its select, and has still to take it.
func assigned(k *Rules, s *State, t, ch int32) bool {
	if k.In(t) == 0 || ch == 0 || k.QueueAt(s, ch).Closed {
		return false
	}
	before := HowParked(k, s, t) / queued
	for u, x := range s.Nodes {
		if x != 0 && int32(u) != t && inQueueBefore(k, s, int32(u), before) && (stands(k, x, ch, false) || stands(k, x, ch, true)) && served(k, s, int32(u)) {
			return true
		}
	}
	return false
}

// served reports whether a goroutine that stands in the queues of its channels can go on by itself. It asks assigned of
// those who stand before it alone, and so comes to an end.
func served(k *Rules, s *State, t int32) bool {
	return slices.ContainsFunc(k.comms(s.Nodes[t]), func(c known.Comm) bool {
		if c.Object == 0 {
			return false
		}
		q, size := k.QueueAt(s, c.Object), k.Objects[c.Object].Cap
		ready := q.Closed || c.Send && q.Len < size || !c.Send && q.Len > 0
		return ready && !assigned(k, s, t, c.Object)
	})
}

// BesideQueued yields the channels of those who stand in a queue of a channel, but for one goroutine: what serves them
// keeps others from it, and lets others come first.
func BesideQueued(k *Rules, s *State, t, ch int32, yield func(ch int32)) {
	if k.In(t) == 0 || ch == 0 {
		return
	}
	for u, x := range s.Nodes {
		if x == 0 || int32(u) == t || !Queued(k, s, int32(u)) || !stands(k, x, ch, false) && !stands(k, x, ch, true) {
			continue
		}
		for _, d := range k.comms(x) {
			if d.Object != 0 {
				yield(d.Object)
			}
		}
	}
}
