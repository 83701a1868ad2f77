package union

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/settled"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// This file finds operations that observe without synchronisation: what they return tells that another goroutine has
// come so far, and happens-before does not (docs/races.md has the list, and why there are no others).

// A use says which goroutines do something to an object.
type use struct {
	settled.Spots // their locks, without nodes
	threads       []int32
	site          event.Site // where, in one of them
}

func (u *use) add(t int32, n *known.Node) {
	if len(u.threads) == 0 {
		u.site, u.Locks = n.Op.Site, n.Locks
	}
	if u.Hold(n.Locks); !slices.Contains(u.threads, t) {
		u.threads = append(u.threads, t)
	}
}

// other reports whether some goroutine of v is not the only one of u.
func (u *use) other(v *use) bool {
	return slices.ContainsFunc(u.threads, func(t int32) bool {
		return slices.ContainsFunc(v.threads, func(o int32) bool { return o != t })
	})
}

// The ways to use an object.
const (
	useTake   = iota // locks: taken
	useRefuse        // TryLock failed
	useForce         // Unlock of what is not locked; an Add below zero
	useAdd           // wait groups, and Unlock
	useSend
	useRecv
	useHear // a receive that orders nothing (SYNC16)
	useClose
	useShut    // send or close of a closed channel
	useLen     // len
	usePollIn  // a default taken where a receive was possible
	usePollOut // where a send was
	useMeet    // a select meets a select, and could also send here
	useSignal
	useWoken
	useStart // timers
	useStop
	useLook   // at files
	useChange // of files
	uses
)

// observes returns the site of an operation that observes without synchronisation, 0 if there is none. oneRegime says
// that no other regime of time is explored.
func (e *Engine) observes(oneRegime bool) event.Site {
	all := make([][uses]use, len(e.Objects))
	for i := range e.Edges {
		e.useOf(&e.Edges[i], all)
	}
	observer := [...]struct{ observes, observed int }{
		{useRefuse, useTake}, {useLen, useSend}, {useLen, useRecv}, {usePollIn, useRecv}, {usePollOut, useSend}, {useRecv, useRecv}, {useShut, useClose},
		{useMeet, useSend}, {useStop, useStart}, {useLook, useChange}, {useForce, useTake}, {useHear, useSend},
	}
	for i := range e.Edges {
		if n := &e.Nodes[e.Edges[i].From]; e.Edges[i].Kind == event.Goroutines && !event.MovesCount(n.Op.Key) && len(e.IDs) > 1 {
			return n.Op.Site
		}
	}
	if site := e.observesTime(); site != 0 {
		return site
	}
	if site := observesRest(e, oneRegime && !e.Timing); site != 0 {
		return site
	}
	for o := range all {
		u := &all[o]
		for _, x := range observer {
			buffer := e.Objects[o].Space != known.SpaceChan || e.Objects[o].Cap != 0
			if !buffer && x.observed != useClose && x.observes != usePollIn && x.observes != usePollOut {
				continue
			}
			if u[x.observes].other(&u[x.observed]) && !settled.ByLock(&e.Rules, &u[x.observes].Spots, &u[x.observed].Spots) { // BEHIND6
				return u[x.observes].site
			}
		}
		if len(u[useForce].threads) > 0 && len(u[useAdd].threads) > 1 {
			return u[useForce].site
		}
		if len(u[useSignal].threads) > 1 && len(u[useWoken].threads) > 1 {
			return u[useWoken].site
		}
	}
	return 0
}

// useOf notes what an edge does.
func (e *Engine) useOf(x *known.Edge, all [][uses]use) {
	n := x.From
	t, op, a := e.Nodes[n].Thread, &e.Nodes[n].Op, e.ActOf(n)
	note := func(o int32, way int) { all[o][way].add(t, &e.Nodes[n]) }
	loose := !op.Order.Races() || e.Unordered[op.Loc.Addr]
	if loose && op.Kind.CanRace() { // a signal: who looks whether there is one
		for _, c := range a.Cells {
			note(c, useLook)
			if x.Kind.IsWrite() {
				note(c, useChange)
			}
		}
		return
	}
	switch x.Kind {
	case event.Lock, event.LockAnnounce, event.RLock:
		note(a.Object, useTake)
	case event.TryLock, event.TryRLock:
		note(a.Object, [2]int{useRefuse, useTake}[x.Key.Value&1])
	case event.Unlock, event.RUnlock, event.WaitGroupAdd:
		note(a.Object, useAdd)
		if x.Key.Flag {
			note(a.Object, useForce)
		}
	case event.ChanLen:
		note(a.Object, useLen)
	case event.ChanClose:
		note(a.Object, [2]int{useClose, useShut}[known.OneIf(x.Key.Flag)])
	case event.CondSignal, event.CondBroadcast:
		note(a.Object, useSignal)
	case event.CondWait:
		note(a.Object, useWoken)
	case event.TimerStart:
		note(a.Object, useStart)
		note(a.Object, useStop)
	case event.TimerStop:
		note(a.Object, useStop)
	case event.ObjectRead, event.ObjectWrite:
		if loose || op.Loc.Addr == event.Kernel && op.Key == 0 {
			note(a.Object, useLook)
		}
		if (loose || op.Loc.Addr == event.Kernel) && x.Kind == event.ObjectWrite {
			note(a.Object, useChange)
		}
	case event.FileRead, event.FileWrite:
		if loose || op.Loc.Size == 0 {
			note(a.Object, useLook)
		}
		if x.Kind == event.FileWrite {
			note(a.Object, useChange)
		}
	case event.ChanSend, event.ChanRecv, event.SelectDefault:
		e.useOfComm(x, a, note)
	}
}

// useOfComm is useOf for communications.
func (e *Engine) useOfComm(x *known.Edge, a *known.Act, note func(o int32, way int)) {
	if x.Kind == event.SelectDefault {
		if op := &e.Nodes[x.From].Op; op.Key == event.RingKey { // BEHIND12
			return
		}
		for _, c := range a.Comms {
			if c.Object != 0 && (e.Objects[c.Object].Cap != 0 || len(e.Timers) > 0) {
				note(c.Object, [2]int{usePollIn, usePollOut}[known.OneIf(c.Send)])
			}
		}
		return
	}
	c := a.Comms[max(x.Key.Case, 0)]
	switch {
	case c.Send && x.Key.Flag:
		note(c.Object, useShut)
	case c.Send:
		note(c.Object, useSend)
	default:
		note(c.Object, useRecv)
		if e.Nodes[x.From].Op.Order != event.ByKind || e.Unordered[e.Objects[c.Object].Addr] {
			note(c.Object, useHear)
		}
	}
	if o := &e.Objects[c.Object]; o.Cap == 0 && len(o.Senders) > 0 && len(o.Receivers) > 0 {
		for _, d := range a.Comms {
			if d.Send && d.Object != 0 && e.Objects[d.Object].Cap > 0 {
				note(d.Object, useMeet)
			}
		}
	}
}

// observesTime returns the site of an operation that reads the clock in the second regime of time, and may find several
// times there, 0 if there is none. That it is so late can tell that another goroutine has begun a sleep, or a timer. If
// there is one time to be found it tells nothing.
func (e *Engine) observesTime() event.Site {
	if !e.Timing {
		return 0
	}
	for n := range e.Nodes {
		if x := &e.Nodes[n]; x.Known && spec.ReadsClock(&x.Op) && len(x.Edges) > 1 && e.Edges[x.Edges[0]].Key.Now != e.Edges[x.Edges[1]].Key.Now {
			return x.Op.Site
		}
	}
	return 0
}

// observesRest returns the site of a sleep, or of the start of a timer, in a bubble with other goroutines, 0 if there
// is none. That it ends, or fires, tells that all of the bubble have come to rest. If all others must have come to rest
// outside of bubbles too, those count as well (BEHIND10).
func observesRest(e *Engine, outside bool) event.Site {
	told := func(b int32) bool {
		if b == 0 {
			return outside && len(e.IDs) > 1
		}
		return len(e.Members(b)) > 1
	}
	for i := range e.Edges {
		x := &e.Edges[i]
		n := &e.Nodes[x.From]
		timer := slices.ContainsFunc(x.Starts(), func(s known.Starting) bool { return told(e.Timers[s.Timer].Bubble) })
		if timer || x.Kind == event.Sleep && told(e.In(n.Thread)) {
			return n.Op.Site
		}
	}
	return 0
}
