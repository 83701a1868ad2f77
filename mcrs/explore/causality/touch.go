package causality

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file says which cells an event touches, and how.

// notePairs notes the locks of which a thread gives back a read lock that it does not hold. Then RLock and RUnlock do
// not commute, for an RUnlock may find that there is none.
func (g *Record) notePairs() {
	type holding struct {
		thread int32
		addr   uint64
	}
	held := make(map[holding]int)
	note := func(thread int32, k event.Kind, addr, value uint64) {
		h := holding{thread, addr}
		switch {
		case k == event.RLock, k == event.TryRLock && value == 1:
			held[h]++
		case k == event.RUnlock:
			if held[h]--; held[h] < 0 {
				g.unpaired[addr] = true
			}
		}
	}
	for i := range g.Trace.Events {
		e := &g.Trace.Events[i]
		note(e.Thread, e.Kind, e.Loc.Addr, e.Value)
	}
	for i := range g.Trace.Threads {
		if op := g.Trace.Threads[i].Pending; op != nil && op.Kind == event.RUnlock {
			note(int32(i), op.Kind, op.Loc.Addr, 0)
		}
	}
}

// touchesOf classifies event i, which is no rendezvous.
func (g *Record) touchesOf(i int32) []Touch {
	e := &g.Trace.Events[i]
	var ts []Touch
	switch {
	case e.Kind.Object() == event.Channel:
		ts = g.CommTouches(e.Thread, e.Kind, e.Loc.Addr, e.Other < 0)
	case e.Kind == event.SelectDefault:
		ts = g.DefaultTouches(g.Trace.Cases[e.Cases])
	default:
		ts = g.PlainTouches(e.Thread, e.Kind, e.Loc, e.Key)
		if e.Kind == event.OnceBegin && e.Value == 0 {
			ts[0].class = classRead
		}
		ts = g.mapTouches(ts, e)
	}
	return g.drainTouches(g.stepTouch(ts), e)
}

// The cells of a sync.Map beside that of the object itself (DEP15).
const (
	madeCell = iota + 1 // what the first operation makes
	lockCell
)

// mapTouches corrects and adds to what an operation on a sync.Map touches, for what it has turned out to be.
func (g *Record) mapTouches(ts []Touch, e *event.Event) []Touch {
	if !event.Shares(e) {
		return ts
	}
	if e.Other&event.MapUsed != 0 {
		ts[len(ts)-1].class = classWrite
	}
	if e.Other&event.MapLocks != 0 {
		ts = append(ts, Touch{g.Cell(CellKey{SpaceObject, e.Loc.Addr, lockCell}), classWrite})
	}
	return ts
}

// PlainTouches classifies an operation that is no communication, whatever it will return.
func (g *Record) PlainTouches(p int32, k event.Kind, loc event.Location, key uint64) []Touch {
	rw := classRead
	if k.IsWrite() {
		rw = classWrite
	}
	switch k.Object() {
	case event.Threads:
		return g.countTouches(k, key)
	case event.Memory:
		cells := g.layout.at(loc)
		if cells == nil {
			return nil
		}
		ts := make([]Touch, len(cells))
		for i, c := range cells {
			ts[i] = Touch{c, rw}
		}
		return ts
	case event.Map:
		race := Touch{g.Cell(CellKey{Space: spaceMapRace, Addr: loc.Addr}), rw}
		whole := Touch{g.Cell(CellKey{Space: spaceMap, Addr: loc.Addr}), classWholeRead + rw - classRead}
		if key == 0 {
			return []Touch{whole, race}
		}
		whole.class = classKeyRead + rw - classRead
		return []Touch{{g.Cell(CellKey{spaceKey, loc.Addr, key}), rw}, whole, race}
	}
	if k.Object() == event.Inode {
		whole := Touch{g.Cell(CellKey{Space: spaceMap, Addr: loc.Addr}), classWholeRead + rw - classRead}
		if key == 0 {
			return []Touch{whole}
		}
		whole.class = classKeyRead + rw - classRead
		return []Touch{{g.Cell(CellKey{spaceKey, loc.Addr, key}), rw}, whole}
	}
	ck, c, ok := simpleTouch(k, loc)
	if !ok {
		return g.ClockTouches(p, k, loc.Addr)
	}
	if k == event.WaitGroupAdd && g.strict {
		c = classAddStrict
	}
	bytes := event.Bytes(k, loc, key)
	if (k == event.RLock || k == event.RUnlock) && (g.unpaired[loc.Addr] || g.overwritten(bytes)) {
		c = classLock // RUnlock may find that nobody holds it
	}
	ts := append([]Touch{{g.Cell(ck), c}}, g.bytesTouches(bytes)...)
	if g.made[loc.Addr] && key == event.MapKey {
		ts = append(ts, Touch{g.Cell(CellKey{SpaceObject, loc.Addr, madeCell}), classRead})
	}
	if k.Object() == event.Timer { // a timer fills and empties its channel (rule DEP9)
		ts = append(ts, Touch{g.Cell(CellKey{Space: spaceChan, Addr: loc.Addr}), classAny})
		ts = append(ts, g.ClockTouches(p, k, loc.Addr)...)
		ts = g.queueTouches(ts, loc.Addr)
		if k == event.TimerFire { // it may start a goroutine
			ts = append(ts, g.countTouches(k, 0)...)
		}
	}
	return ts
}

// countTouches are those of rule DEP11 on the number of goroutines.
func (g *Record) countTouches(k event.Kind, key uint64) []Touch {
	c := classSeen
	switch {
	case !g.Counts:
		return nil
	case k == event.Goroutines && key == event.SeesStacks:
		return []Touch{{g.Cell(CellKey{Space: spaceSteps}), classSees}}
	case k == event.Goroutines && key == event.SeesCount:
		c = classSees
	}
	return []Touch{{g.Cell(CellKey{Space: spaceCount}), c}}
}

// stepTouch adds to what an operation touches that it is a step, which others may see (DEP11). A look is one, too.
func (g *Record) stepTouch(ts []Touch) []Touch {
	if !g.Looks {
		return ts
	}
	return append(ts, Touch{g.Cell(CellKey{Space: spaceSteps}), classSeen})
}

// noteLooks notes whether anybody looks at other goroutines.
func (g *Record) noteLooks() {
	note := func(k event.Kind, key uint64) {
		g.Counts = g.Counts || k == event.Goroutines && !event.MovesCount(key)
		g.Looks = g.Looks || k == event.Goroutines && key == event.SeesStacks
	}
	for i := range g.Trace.Events {
		note(g.Trace.Events[i].Kind, g.Trace.Events[i].Key)
	}
	for i := range g.Trace.Threads {
		if op := g.Trace.Threads[i].Pending; op != nil {
			note(op.Kind, op.Key)
		}
	}
}

// chanTouch is what an operation that is no rendezvous does to the state of its channel.
func (g *Record) chanTouch(k event.Kind, addr uint64, closed bool) Touch {
	t := Touch{Cell: g.Cell(CellKey{Space: spaceChan, Addr: addr})}
	switch k {
	case event.ChanClose:
		t.class = classClose
	case event.ChanLen:
		t.class = classLen
	case event.ChanSend:
		t.class = classSend
		if closed {
			t.class = classSendClosed
		}
	case event.ChanRecv:
		t.class = classRecv
		if closed {
			t.class = classRecvClosed
		}
	}
	if g.Cells[t.Cell].cap < 0 && (t.class == classSend || t.class == classRecv) {
		t.class = classAny
	}
	return t
}

// DefaultTouches are those of a select that takes its default.
func (g *Record) DefaultTouches(cases []event.Case) (ts []Touch) {
next:
	for i, c := range cases {
		for _, d := range cases[:i] {
			if d == c {
				continue next
			}
		}
		if c.Chan != 0 {
			poll := classPollSend
			if c.Kind == event.ChanRecv {
				poll = classPollRecv
			}
			ts = append(ts, Touch{g.Cell(CellKey{Space: spaceChan, Addr: c.Chan}), poll})
		}
	}
	for _, c := range cases {
		ts = g.queueTouches(ts, c.Chan)
	}
	return ts
}

// MeetTouches are those of a rendezvous on a channel: with what could make other cases ready, if both are selects.
func (g *Record) MeetTouches(a, b Ref, addr uint64) []Touch {
	ts := g.queueTouches([]Touch{{g.Cell(CellKey{Space: spaceChan, Addr: addr}), classMeet}}, addr)
	ca, _ := g.beside(a)
	cb, _ := g.beside(b)
	if ca == nil || cb == nil {
		return g.emptied(g.emptied(g.stepTouch(ts), a.Thread), b.Thread)
	}
	for _, t := range g.DefaultTouches(append(append([]event.Case(nil), ca...), cb...)) {
		if c := &g.Cells[t.Cell]; c.Key.Space == spaceChan && c.cap == 0 { // ready when it is closed
			t.class = classMeet
		}
		if t.Cell != ts[0].Cell && !slices.Contains(ts, t) {
			ts = append(ts, t)
		}
	}
	return g.emptied(g.emptied(g.stepTouch(ts), a.Thread), b.Thread)
}

// commsAt lists the communications of the n-th operation of a thread, done or
// pending. number is that of the first: 0 in a select, else -1.
func (g *Record) commsAt(p, n int32) (comms []event.Case, number int16) {
	if events := g.Lines[p].Events; int(n) < len(events) {
		e := &g.Trace.Events[events[n]]
		switch {
		case e.Cases >= 0:
			return g.Trace.Cases[e.Cases], 0
		case e.Kind.IsComm():
			return []event.Case{{Kind: e.Kind, Chan: e.Loc.Addr}}, -1
		}
		return nil, -1
	} else if int(n) > len(events) {
		return nil, -1
	}
	switch op := g.Trace.Threads[p].Pending; {
	case op == nil:
	case op.IsSelect():
		return op.Cases, 0
	case op.Kind.IsComm():
		return []event.Case{{Kind: op.Kind, Chan: op.Loc.Addr}}, -1
	}
	return nil, -1
}

// hasDefault reports whether the n-th operation of a thread is a select with a default.
func (g *Record) hasDefault(p, n int32) bool {
	if events := g.Lines[p].Events; int(n) < len(events) {
		return g.Trace.Events[events[n]].Kind == event.SelectDefault || g.rec.polls[Ref{p, n}]
	}
	op := g.Trace.Threads[p].Pending
	return op != nil && op.IsSelect() && op.HasDefault
}

// beside lists the communications of a select that has more than one thing to do, and reports whether it has a default.
func (g *Record) beside(r Ref) (others []event.Case, always bool) {
	comms, _ := g.commsAt(r.Thread, r.Seq)
	always = g.hasDefault(r.Thread, r.Seq)
	if len(comms) < 2 && !always {
		return nil, false
	}
	for _, c := range comms {
		if c.Chan != 0 {
			g.Cell(CellKey{Space: spaceChan, Addr: c.Chan})
			others = append(others, c)
		}
	}
	return others, always
}
