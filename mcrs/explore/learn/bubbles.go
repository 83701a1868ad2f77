package learn

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file learns the bubbles of testing/synctest of an execution. The specification says what happens within a
// bubble, and that nothing outside can tell its clock and its rest. What crosses its border has no rule: objects that
// goroutines on both sides use, or of two bubbles, where it would matter to the bubble.

// noteBubbles learns who is in which bubble. The goroutines from known on were not met before.
func noteBubbles(a *absorption, known int32) error {
	t := a.t
	for i := range t.Threads {
		th := &t.Threads[i]
		if !a.Enter(a.slot[i], th.Bubble, a.slot[i] < known) {
			return fmt.Errorf("no rule for a goroutine that is not of one bubble in every execution: %s", th.ID)
		}
		if b := th.Bubble; b > 0 && th.Parent >= 0 && t.Threads[th.Parent].Bubble == 0 {
			x := a.BubbleOf(b)
			if x.Main >= 0 && x.Main != a.slot[i] || x.Root >= 0 && x.Root != a.slot[th.Parent] {
				return fmt.Errorf("no rule for a bubble that is not of one goroutine in every execution: %s", th.ID)
			}
			x.Root, x.Main = a.slot[th.Parent], a.slot[i]
		}
	}
	switch {
	case len(a.Bubbles) > 0 && slices.ContainsFunc(t.Threads, func(th trace.Thread) bool { return th.Buffers > 0 }):
		return errors.New("no rule for bubbles of testing/synctest with store buffers")
	case t.Entered:
		return errors.New("no rule for goroutines that go into a bubble of testing/synctest")
	case strings.Contains(t.Panic, "synctest"): // of channels, timers and locks: whether it is fatal depends on what bubbles there are
		return errors.New("no rule for what crosses the border of a bubble of testing/synctest")
	}
	for addr, b := range t.Bubbled {
		if was, met := a.Border[addr]; met && was != b {
			return errors.New("no rule for an object that is not of one bubble in every execution")
		}
		a.Border[addr] = b
	}
	return nil
}

// border reports what a goroutine does at a node to an object that goroutines outside of its bubble use as well.
func border(a *absorption, n int32) error {
	if len(a.Bubbles) == 0 {
		return nil
	}
	x := &a.Nodes[n]
	b, act := a.In(x.Thread), a.ActOf(n)
	for _, c := range act.Comms {
		if err := ownBubble(a, c.Object, b); err != nil {
			return err
		}
	}
	switch x.Op.Kind {
	case event.ChanClose:
		return ownBubble(a, act.Object, b)
	case event.WaitGroupAdd:
		if b > 0 && a.Objects[act.Object].Start != 0 {
			return errors.New("no rule for a WaitGroup of a bubble that was added to before")
		}
		return usedBy(a, act.Object, b)
	case event.CondAdd, event.CondSignal, event.CondBroadcast:
		return usedBy(a, act.Object, b)
	}
	return nil
}

// ownBubble checks that a channel that belongs to a bubble is used by goroutines of that.
func ownBubble(a *absorption, o, b int32) error {
	if o > 0 && a.Objects[o].Bubble > 0 && a.Objects[o].Bubble != b {
		return errors.New("no rule for a channel of a bubble that others use")
	}
	return nil
}

// usedBy checks that those who use an object are all of one bubble, or all of none.
func usedBy(a *absorption, o, b int32) error {
	if was, met := a.Users[o]; met && was != b {
		return fmt.Errorf("no rule for a %s that is used inside and outside of a bubble", map[bool]string{true: "WaitGroup", false: "Cond"}[a.Objects[o].Space == known.SpaceGroup])
	}
	a.Users[o] = b
	return nil
}

// ownObjects says which channels and WaitGroups belong to a bubble.
func ownObjects(a *absorption) {
	for addr, b := range a.Border {
		for _, space := range []known.Space{known.SpaceChan, known.SpaceGroup} {
			if o, met := a.ObjectAt[known.ObjectKey{Space: space, Addr: addr}]; met {
				a.Objects[o].Bubble = b
			}
		}
	}
}

// firesLater reports a timer of a bubble whose function starts at once when the timer is reset: which goroutine that is
// depends on how often it has fired.
func firesLater(a *absorption) error {
	for i := range a.t.Threads {
		if s := a.t.Threads[i].Spawn; s >= 0 && a.t.Events[s].Kind == event.TimerStart {
			return fmt.Errorf("no rule for a Reset that starts a function at once, at site %d", a.t.Events[s].Site)
		}
	}
	return nil
}
