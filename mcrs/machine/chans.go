package machine

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/rtype"
)

// This file defines channels.
//
// Specification. A channel is a queue of at most cap elements and a flag.
//
//	CHAN1  send: enabled while the queue has room; it appends. On a closed channel it is enabled, and panics.
//	CHAN2  receive: enabled while the queue holds an element, which it takes; on a closed, empty one it yields the zero value.
//	CHAN3  cap 0: a send and a receive of two goroutines that both stand at theirs are one transition, of the sender, and two events.
//	CHAN4  nil: never enabled.
//	CHAN5  select: a case is enabled as its operation would be. Default is enabled when no case is, or when those that are
//	       need a partner that may not have arrived yet: a goroutine about to wait has not begun to wait until something
//	       that needs everyone to wait (the clock) has happened.
//	CHAN6  close panics on a nil or closed channel. Waiting receivers go on by CHAN2, waiting senders by CHAN1.
//	CHAN7  Two selects do not meet where both have something else to do: a case that needs no partner, or a default. A select of gc waits for a partner
//	       only if nothing else is ready, and goes on as soon as something is; so of two who meet one had nothing else.
//	CHAN8  In a bubble of testing/synctest who has blocked durably stands in the queues of its channels, which are served in order: what becomes free, or is
//	       sent, is for one of those, and who comes later waits.

type chanState struct {
	elem   *layout.Layout
	cap    int
	buf    [][]byte
	closed bool
	early  bool // closed by package initialisation
	timer  bool // a timer's: the clock sends on it
	synced bool // a timer's, which the runtime knows: see TIME7
	bubble *bubble
	sent   int64
	recvd  int64
}

func (c *chanState) CloneAux() mem.Aux {
	d := *c
	d.buf = append([][]byte(nil), c.buf...)
	return &d
}

// chanHeader is the size of runtime.hchan.
const chanHeader = 96

func (m *Machine) newChan(g *G, elem *layout.Layout, n int) (uint64, status) {
	c := &chanState{elem: elem, cap: n, bubble: g.bubble}
	if g.frames[len(g.frames)-1].f.silent { // of a socket: who waits there does not block durably
		c.bubble = nil
	}
	a, s := m.allocAux(g, chanHeader, c)
	return a, s
}

// Scan implements mem.Aux.
func (c *chanState) Scan(visit func(uint64), maybe bool) {
	if c.elem.Ptrs == nil {
		return
	}
	for _, v := range c.buf {
		c.elem.Ptrs.Scan(unsafe.Pointer(unsafe.SliceData(v)), c.elem.Size, visit, maybe)
	}
}

// Footprint implements mem.Aux: the room for all elements is the channel's from the start.
func (c *chanState) Footprint() int64 { return int64(c.cap)*int64(c.elem.Size) + 24*int64(len(c.buf)) }

func (m *heap) chanAt(addr uint64) *chanState {
	if o := m.mem.Object(addr); o != nil {
		c, _ := o.Aux.(*chanState)
		return c
	}
	return nil
}

// checkChan makes it a fault that ch is no channel of such elements; the program has made the value up.
func (m *heap) checkChan(ch uint64, elem *layout.Layout) {
	if ch == 0 {
		return
	}
	if c := m.chanAt(ch); c == nil || elem != nil && c.elem.Size != elem.Size {
		panic(rtype.BadAddr{Addr: ch, Size: chanHeader})
	}
}

// chanForWrite is chanAt for an operation that changes the channel.
func (m *heap) chanForWrite(addr uint64) *chanState {
	return m.thawed(m.mem.Object(addr)).Aux.(*chanState)
}

// A selCase is a communication that a goroutine stands at. at is a register: the value to send, or the place for the received one.
type selCase struct {
	ch   uint64
	elem *layout.Layout
	send bool
	at   unsafe.Pointer
}

func (c *selCase) bytes() []byte { return unsafe.Slice((*byte)(c.at), c.elem.Size) }

func kindOf(send bool) event.Kind {
	if send {
		return event.ChanSend
	}
	return event.ChanRecv
}

func (m *Machine) chanSend(g *G, ch uint64, at unsafe.Pointer, elem *layout.Layout) status {
	_, _, s := m.communicate(g, []selCase{{ch, elem, true, at}}, event.Op{Kind: event.ChanSend, Loc: event.Location{Addr: ch}})
	return s
}

func (m *Machine) chanRecv(g *G, ch uint64, at unsafe.Pointer, elem *layout.Layout) (bool, status) {
	_, ok, s := m.communicate(g, []selCase{{ch, elem, false, at}}, event.Op{Kind: event.ChanRecv, Loc: event.Location{Addr: ch}})
	return ok, s
}

func (m *Machine) selectOp(g *G, cs []selCase, blocking bool) (int, bool, status) {
	o := event.Op{HasDefault: !blocking, Cases: make([]event.Case, len(cs))}
	for i, c := range cs {
		o.Cases[i] = event.Case{Kind: kindOf(c.send), Chan: c.ch}
	}
	return m.communicate(g, cs, o)
}

// communicate performs one of cs. The case is chosen by the scheduler, or a partner has performed it already.
func (m *Machine) communicate(g *G, cs []selCase, o event.Op) (int, bool, status) {
	if g.got.has {
		d := g.got
		g.got = delivery{}
		g.waiting, g.sel = false, nil
		c := &cs[d.kase]
		if !c.send {
			m.toRegister(c.elem.Class, c.at, unsafe.Pointer(&append(d.val, make([]byte, 8)...)[0]), c.elem.Size)
		}
		return d.kase, d.ok, done
	}
	if !g.permit {
		for i := range cs {
			m.checkChan(cs[i].ch, cs[i].elem)
		}
		if len(m.bubbles) > 0 {
			for _, c := range cs {
				what := [...]string{"receive", "send"}[b2w(c.send)]
				if o.IsSelect() {
					what = "select"
				}
				if m.foreign(g, c.ch) {
					return 0, false, m.fatal(g, what+" on synctest channel from outside bubble")
				}
			}
		}
		o.Site = m.siteOf(g)
		g.sel = cs
		m.stand(g, o)
		return 0, false, yield
	}
	g.permit, g.waiting = false, false
	isSelect := g.op.IsSelect()
	k := int(g.trans.Case)
	cases := int32(-1)
	if isSelect {
		cases = int32(len(m.tr.Cases))
		m.tr.Cases = append(m.tr.Cases, g.op.Cases)
	} else {
		k = 0
	}
	for i := range cs {
		if st := m.chanAt(cs[i].ch); st != nil {
			m.noteCap(cs[i].ch, st)
		}
	}
	if k == len(cs) {
		m.log(g, event.Event{Kind: event.SelectDefault, Case: int16(k), Cases: cases, Other: -1, Partner: -1, Site: g.op.Site})
		g.sel = nil
		return -1, false, done
	}
	c := &cs[k]
	e := event.Event{Kind: kindOf(c.send), Loc: event.Location{Addr: c.ch}, Case: -1, Cases: cases, Partner: -1, Site: g.op.Site}
	if isSelect {
		e.Case = int16(k)
	}
	st := m.chanForWrite(c.ch)
	g.sel = nil
	if c.send {
		e.Value = m.carried(c.at, c.elem.Size, c.elem.Ptrs)
		if st.closed {
			e.Other = -1
			m.log(g, e)
			return 0, false, m.throwPlain(g, "send on closed channel")
		}
		val := append([]byte(nil), c.bytes()...)
		m.publishAt(c.at, c.elem.Size, c.elem.Ptrs)
		e.Other = st.sent
		st.sent++
		if st.cap > 0 {
			st.buf = append(st.buf, val)
			m.log(g, e)
			return k, false, done
		}
		r := m.gs[g.trans.Partner]
		rk := max(int(g.trans.PartnerCase), 0)
		st.recvd++
		r.got = delivery{has: true, ok: true, kase: rk, val: val}
		re := event.Event{Kind: event.ChanRecv, Loc: e.Loc, Value: e.Value, Other: e.Other, Case: -1, Cases: -1, Site: r.op.Site}
		if r.op.IsSelect() {
			re.Case = int16(rk)
			re.Cases = int32(len(m.tr.Cases))
			m.tr.Cases = append(m.tr.Cases, r.op.Cases)
		}
		at := len(m.tr.Events)
		e.Partner, re.Partner = int32(at+1), int32(at)
		m.log(g, e)
		m.log(r, re)
		return k, false, done
	}
	if len(st.buf) > 0 {
		v := st.buf[0]
		st.buf = st.buf[1:]
		e.Value, e.Other = digest(v), st.recvd
		st.recvd++
		m.log(g, e)
		m.toRegister(c.elem.Class, c.at, unsafe.Pointer(&append(v[:len(v):len(v)], make([]byte, 8)...)[0]), c.elem.Size)
		return k, true, done
	}
	e.Other = -1
	m.log(g, e)
	clear(unsafe.Slice((*byte)(c.at), c.elem.Words()*8))
	return k, false, done
}

// noteCap records a channel's capacity in the trace.
func (m *Machine) noteCap(ch uint64, c *chanState) {
	if c.timer {
		return // it is filled and emptied by more than sends and receives
	}
	if m.mode == running {
		return
	}
	if m.tr.Caps == nil {
		m.tr.Caps = map[uint64]int{}
	}
	if _, ok := m.tr.Caps[ch]; ok {
		return
	}
	// Every operation comes here first: the channel is as the snapshot has it.
	m.tr.Caps[ch] = c.cap
	if c.cap > 0 && c.elem.Size == 0 {
		if m.tr.Unsized == nil {
			m.tr.Unsized = map[uint64]bool{}
		}
		m.tr.Unsized[ch] = true
	}
	if len(c.buf) > 0 {
		m.tr.Caps[ch] = -1
	}
	if c.early {
		if m.tr.Closed == nil {
			m.tr.Closed = map[uint64]bool{}
		}
		m.tr.Closed[ch] = true
	}
}

func (m *Machine) chanClose(g *G, ch uint64) status {
	if ch == 0 {
		return m.throwPlain(g, "close of nil channel")
	}
	if m.foreign(g, ch) {
		return m.fatal(g, "close of synctest channel from outside bubble")
	}
	m.checkChan(ch, nil)
	if !m.announce(g, event.Op{Kind: event.ChanClose, Loc: event.Location{Addr: ch}}) {
		return yield
	}
	c := m.chanForWrite(ch)
	m.noteCap(ch, c)
	if c.closed {
		m.logged(g, 1, 0)
		return m.throwPlain(g, "close of closed channel")
	}
	m.logged(g, 0, 0)
	c.closed, c.early = true, m.inits
	if m.mode == running {
		m.wake(ch)
	}
	return done
}

// chanLen returns len(ch), or cap(ch).
func (m *Machine) chanLen(g *G, ch uint64, capacity bool) (uint64, status) {
	if ch == 0 {
		return 0, done
	}
	m.checkChan(ch, nil)
	c := m.chanAt(ch)
	if c.synced && !m.asyncTimers() {
		return 0, done
	}
	if capacity || c.cap == 0 {
		return uint64(c.cap) * b2w(capacity), done
	}
	if !m.announce(g, event.Op{Kind: event.ChanLen, Loc: event.Location{Addr: ch}}) {
		return 0, yield
	}
	m.noteCap(ch, c)
	m.logged(g, uint64(len(c.buf)), 0)
	return uint64(len(c.buf)), done
}
