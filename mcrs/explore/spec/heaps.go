package spec

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/explore/known"
)

// This file says when a timer with a channel is in the heap of its bubble (UBUBBLE9). It is kept in the slot of the
// timer.

// What is in the slot of a timer of a bubble that has a channel.
const (
	heapWaits = 1 << iota // a bit: somebody has come to stand at its channel, and the timer may be in the heap
	heapSent              // a bit: it has sent since it was started last, and is in no heap
)

// comesTo notes that a goroutine of a bubble has come to a receive from the channels of timers.
func comesTo(k *Rules, s *State, t int32) {
	n := s.Node(t)
	if k.In(t) == 0 || n == 0 || !k.Nodes[n].Known || k.Nodes[n].Op.HasDefault {
		return
	}
	for _, c := range k.comms(n) {
		if o := timerOf(k, c); o != 0 {
			k.Set(s, o, k.Get(s, o)|heapWaits)
		}
	}
}

// timerOf returns the object of the timer, in a bubble, at whose channel a communication receives, 0 if there is none.
func timerOf(k *Rules, c known.Comm) int32 {
	if c.Send || c.Object == 0 || !k.Objects[c.Object].Timer {
		return 0
	}
	for i := range k.Timers {
		if t := &k.Timers[i]; t.Chan == c.Object && t.Bubble > 0 {
			return t.Object
		}
	}
	return 0
}

// receivers is how many goroutines of a bubble, but for one, stand at a receive from a channel.
func receivers(k *Rules, s *State, b, ch, but int32) (count int) {
	for t, n := range s.Nodes {
		if n != 0 && int32(t) != but && k.In(int32(t)) == b && slices.ContainsFunc(k.comms(n), func(c known.Comm) bool { return c.Object == ch && !c.Send }) {
			count++
		}
	}
	return count
}

// leavesHeap notes that a timer with a channel has sent, beside a goroutine, -1 for none, that does not stand there.
func leavesHeap(k *Rules, s *State, timer, but int32) {
	t := &k.Timers[timer]
	was := k.Get(s, t.Object)
	if receivers(k, s, t.Bubble, t.Chan, but) < 2 {
		was &^= heapWaits
	}
	if !k.Objects[t.Chan].Keeps {
		was |= heapSent
	}
	k.Set(s, t.Object, was)
}

// joinsHeap notes that a goroutine starts a timer with a channel, whose time has not come.
func joinsHeap(k *Rules, s *State, timer, by int32) {
	t := &k.Timers[timer]
	now := k.Get(s, t.Object) &^ heapSent
	if receivers(k, s, t.Bubble, t.Chan, by) > 0 {
		now |= heapWaits
	}
	k.Set(s, t.Object, now)
}

// restsInHeap reports whether the start of a timer at a node would find it in the heap, and due. It is due if it was so
// where the node's other edges start it.
func restsInHeap(k *Rules, s *State, n, object int32) bool {
	return k.Get(s, object) == heapWaits && slices.ContainsFunc(k.Nodes[n].Edges, func(e int32) bool {
		return slices.ContainsFunc(k.Edges[e].Starts(), func(x known.Starting) bool {
			t := &k.Timers[x.Timer]
			return t.Object == object && t.Bubble > 0 && x.After <= 0
		})
	})
}
