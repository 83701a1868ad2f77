package union

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file finds operations that observe without synchronisation: what they return tells that another goroutine has come so far, and
// happens-before does not (docs/races.md has the list, and why there are no others).

// A use says which goroutines do something to an object.
type use struct {
	threads []int32
	site    event.Site // where, in one of them
}

func (u *use) add(t int32, site event.Site) {
	if !slices.Contains(u.threads, t) {
		u.threads = append(u.threads, t)
	}
	if u.site == 0 {
		u.site = site
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

// observes returns the site of an operation that observes without synchronisation, 0 if there is none.
func (e *Engine) observes() event.Site {
	all := make([][uses]use, len(e.objects))
	for i := range e.edges {
		e.useOf(&e.edges[i], all)
	}
	observer := [...]struct{ observes, observed int }{
		{useRefuse, useTake}, {useLen, useSend}, {useLen, useRecv}, {usePollIn, useRecv}, {usePollOut, useSend}, {useRecv, useRecv}, {useShut, useClose},
		{useMeet, useSend}, {useStop, useStart}, {useLook, useChange},
	}
	for i := range e.edges {
		if n := &e.nodes[e.edges[i].from]; e.edges[i].kind == event.Goroutines && n.op.Key == 0 && len(e.ids) > 1 {
			return n.op.Site
		}
	}
	for o := range all {
		u := &all[o]
		for _, x := range observer {
			buffer := e.objects[o].space != spaceChan || e.objects[o].cap != 0
			if !buffer && x.observed != useClose && x.observes != usePollIn && x.observes != usePollOut {
				continue
			}
			if u[x.observes].other(&u[x.observed]) {
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
func (e *Engine) useOf(x *edge, all [][uses]use) {
	n := x.from
	t, op, a := e.nodes[n].thread, &e.nodes[n].op, e.actOf(n)
	note := func(o int32, way int) { all[o][way].add(t, op.Site) }
	switch x.kind {
	case event.Lock, event.LockAnnounce, event.RLock:
		note(a.obj, useTake)
	case event.TryLock, event.TryRLock:
		note(a.obj, [2]int{useRefuse, useTake}[x.key.val&1])
	case event.Unlock, event.RUnlock, event.WaitGroupAdd:
		note(a.obj, useAdd)
		if x.key.flag {
			note(a.obj, useForce)
		}
	case event.ChanLen:
		note(a.obj, useLen)
	case event.ChanClose:
		note(a.obj, [2]int{useClose, useShut}[b2w(x.key.flag)])
	case event.CondSignal, event.CondBroadcast:
		note(a.obj, useSignal)
	case event.CondWait:
		note(a.obj, useWoken)
	case event.TimerStart:
		note(a.obj, useStart)
		note(a.obj, useStop)
	case event.TimerStop:
		note(a.obj, useStop)
	case event.ObjectRead, event.ObjectWrite:
		if op.Loc.Addr == event.Kernel && op.Key == 0 {
			note(a.obj, useLook)
		}
		if op.Loc.Addr == event.Kernel && x.kind == event.ObjectWrite {
			note(a.obj, useChange)
		}
	case event.ChanSend, event.ChanRecv, event.SelectDefault:
		e.useOfComm(x, a, note)
	}
}

// useOfComm is useOf for communications.
func (e *Engine) useOfComm(x *edge, a *act, note func(o int32, way int)) {
	if x.kind == event.SelectDefault {
		for _, c := range a.comms {
			if c.obj != 0 && (e.objects[c.obj].cap != 0 || len(e.timers) > 0) {
				note(c.obj, [2]int{usePollIn, usePollOut}[b2w(c.send)])
			}
		}
		return
	}
	c := a.comms[max(x.key.kase, 0)]
	switch {
	case c.send && x.key.flag:
		note(c.obj, useShut)
	case c.send:
		note(c.obj, useSend)
	default:
		note(c.obj, useRecv)
	}
	if o := &e.objects[c.obj]; o.cap == 0 && len(o.senders) > 0 && len(o.receivers) > 0 {
		for _, d := range a.comms {
			if d.send && d.obj != 0 && e.objects[d.obj].cap > 0 {
				note(d.obj, useMeet)
			}
		}
	}
}
