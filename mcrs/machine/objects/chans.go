// Package objects has the objects of the language that keep a state beside their bytes: channels and maps.
package objects

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/inet"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/rtype"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines channels.
//
// Specification. A channel is a queue of at most cap elements and a flag.
//
//	CHAN1  send: enabled while the queue has room; it appends. On a closed channel it is enabled, and panics.
//	CHAN2  receive: enabled while the queue holds an element, which it takes. On a closed, empty channel it yields the
//	       zero value.
//	CHAN3  cap 0: a send and a receive of two goroutines that both stand at theirs are one transition, of the sender,
//	       and two events.
//	CHAN4  nil: never enabled.
//	CHAN5  select: a case is enabled as its operation would be. Default is enabled when no case is, or when those that
//	       are need a partner that may not have arrived yet: a goroutine about to wait has not begun to wait until
//	       something that needs everyone to wait (the clock) has happened.
//	CHAN6  close panics on a nil or closed channel. Waiting receivers go on by CHAN2, waiting senders by CHAN1.
//	CHAN7  Two selects do not meet where both have something else to do: a case that needs no partner, or a default. A
//	       select of gc waits for a partner only if nothing else is ready, and goes on as soon as something is. So of
//	       two that meet one had nothing else.
//	CHAN8  In a bubble of testing/synctest a goroutine that has blocked durably stands in the queues of its channels,
//	       which are served in order: what becomes free, or is sent, is for one of those, and a goroutine that comes
//	       later waits. Those that blocked before the bubble was idle once come before those that blocked later. Of
//	       equals any may be first.
//	CHAN9  The goroutine that stands first in a queue is served at once by what another one sends, makes room for or
//	       closes, and is in no queue any more. But it takes what is its own by a transition of its own. Until then
//	       all others wait with what they do to any channel at which it stands: send, receive, close, len, default,
//	       and Stop and Reset of the channel's timer. A closed channel has something for everybody, so nobody waits
//	       for it.

// A ChanState is a channel, kept beside the bytes of its object.
type ChanState struct {
	Elem     *layout.Layout
	Cap      int
	Buffer   [][]byte
	Closed   bool
	early    bool // closed by package initialisation
	Timer    bool // a timer's: the clock sends on it
	Synced   bool // a timer's, which the runtime knows: see TIME7
	Bubble   *vm.Bubble
	Sent     int64
	Received int64
}

// Sort says which of the channels it is that can have one address: see vm.SortOf.
func (s *ChanState) Sort() uint64 {
	return uint64(s.Cap+1)<<2 | vm.Word(s.Timer)<<1 | vm.Word(s.Elem.Size == 0)
}

// CloneAux implements mem.Aux.
func (c *ChanState) CloneAux() mem.Aux {
	d := *c
	d.Buffer = append([][]byte(nil), c.Buffer...)
	return &d
}

// chanHeader is the size of runtime.hchan.
const chanHeader = 96

// NewChan makes a channel for n elements.
func NewChan(m *vm.Machine, g *vm.G, elem *layout.Layout, n int) (uint64, vm.Status) {
	c := &ChanState{Elem: elem, Cap: n, Bubble: g.Bubble}
	if g.Frames[len(g.Frames)-1].Func.Silent { // of a socket: who waits there does not block durably
		c.Bubble = nil
	}
	a, s := m.AllocAux(g, chanHeader, c)
	return a, s
}

// Scan implements mem.Aux.
func (c *ChanState) Scan(visit func(uint64), maybe bool) {
	if c.Elem.Ptrs == nil {
		return
	}
	for _, v := range c.Buffer {
		c.Elem.Ptrs.Scan(unsafe.Pointer(unsafe.SliceData(v)), c.Elem.Size, visit, maybe)
	}
}

// Footprint implements mem.Aux: the room for all elements is the channel's from the start.
func (c *ChanState) Footprint() int64 {
	return int64(c.Cap)*int64(c.Elem.Size) + 24*int64(len(c.Buffer))
}

// ChanAt returns the channel at an address, nil if there is none.
func ChanAt(m *vm.Machine, addr uint64) *ChanState {
	if o := m.Mem.Object(addr); o != nil {
		c, _ := o.Aux.(*ChanState)
		return c
	}
	return nil
}

// checkChan makes it a fault that ch is no channel of such elements; the program has made the value up.
func checkChan(m *vm.Machine, ch uint64, elem *layout.Layout) {
	if ch == 0 {
		return
	}
	if c := ChanAt(m, ch); c == nil || elem != nil && c.Elem.Size != elem.Size {
		panic(rtype.BadAddr{Addr: ch, Size: chanHeader})
	}
}

// ChanForWrite is ChanAt for an operation that changes the channel.
func ChanForWrite(m *vm.Machine, addr uint64) *ChanState {
	return m.Thawed(m.Mem.Object(addr)).Aux.(*ChanState)
}

func kindOf(send bool) event.Kind {
	if send {
		return event.ChanSend
	}
	return event.ChanRecv
}

// ChanSend sends the value in the register at.
func ChanSend(m *vm.Machine, g *vm.G, ch uint64, at unsafe.Pointer, elem *layout.Layout) vm.Status {
	_, _, s := communicate(m, g, []vm.SelCase{{Chan: ch, Elem: elem, Send: true, At: at}}, event.Op{Kind: event.ChanSend, Loc: event.Location{Addr: ch}})
	return s
}

// ChanRecv receives into the register at. ok is false if the channel is closed and empty.
func ChanRecv(m *vm.Machine, g *vm.G, ch uint64, at unsafe.Pointer, elem *layout.Layout) (bool, vm.Status) {
	_, ok, s := communicate(m, g, []vm.SelCase{{Chan: ch, Elem: elem, At: at}}, event.Op{Kind: event.ChanRecv, Loc: event.Location{Addr: ch}})
	return ok, s
}

// SelectOp performs one of cs, or returns -1 for the default. ok is that of a receive.
func SelectOp(m *vm.Machine, g *vm.G, cs []vm.SelCase, blocking bool) (int, bool, vm.Status) {
	o := event.Op{HasDefault: !blocking, Cases: make([]event.Case, len(cs))}
	for i, c := range cs {
		o.Cases[i] = event.Case{Kind: kindOf(c.Send), Chan: c.Chan}
	}
	if f := g.Frames[len(g.Frames)-1].Func; !blocking && f.Silent && inet.Rings(f.Name) {
		o.Key = event.RingKey
	}
	return communicate(m, g, cs, o)
}

// joinsHeap notes that g may come to wait at the channel of a timer of its bubble, which is in the heap then.
func joinsHeap(m *vm.Machine, g *vm.G, cs []vm.SelCase, hasDefault bool) {
	if g.Bubble == nil || hasDefault {
		return
	}
	for i := range cs {
		if st := ChanAt(m, cs[i].Chan); st != nil && st.Timer {
			if g.Bubble.JoinsHeap(m, g, cs[i].Chan, false); g.Bubble.MayHaveStood(g, cs[i].Chan) {
				m.Unseen(g, vm.SendReason)
			}
			if s := g.Bubble.Stopped[cs[i].Chan]; s.Gone || s.Cleaned || s.Doubtful {
				delete(g.Bubble.Stopped, cs[i].Chan) // it may be there again
			}
			g.Bubble.Waits(cs[i].Chan)
		}
	}
}

// communicate performs one of cs. The case is chosen by the scheduler, or a partner has performed it already.
func communicate(m *vm.Machine, g *vm.G, cs []vm.SelCase, o event.Op) (int, bool, vm.Status) {
	if g.Got.Has {
		d := g.Got
		g.Got = vm.Delivery{}
		g.Waiting, g.Sel = false, nil
		c := &cs[d.Case]
		if !c.Send {
			vm.ToRegister(c.Elem.Class, c.At, unsafe.Pointer(&append(d.Value, make([]byte, 8)...)[0]), c.Elem.Size)
		}
		return d.Case, d.OK, vm.Done
	}
	if !g.Permit {
		for i := range cs {
			checkChan(m, cs[i].Chan, cs[i].Elem)
			if st := ChanAt(m, cs[i].Chan); st != nil {
				NoteCap(m, cs[i].Chan, st)
			}
		}
		if len(m.BubbleIDs) > 0 {
			if fatal := crossing(m, g, cs); fatal != "" {
				return 0, false, goroutine.Fatal(m, g, fatal)
			}
			joinsHeap(m, g, cs, o.HasDefault)
		}
		o.Site = g.Site()
		o.Blind = blind(m, o.Site, cs)
		g.Sel = cs
		m.Stand(g, o)
		return 0, false, vm.Yield
	}
	g.Permit, g.Waiting = false, false
	isSelect, unseen := g.Op.IsSelect(), g.Op.Blind>>max(g.Transition.Case, 0)&1 != 0
	k := int(g.Transition.Case)
	cases := int32(-1)
	if isSelect {
		cases = int32(len(m.Trace.Cases))
		m.Trace.Cases = append(m.Trace.Cases, g.Op.Cases)
	} else {
		k = 0
	}
	if k == len(cs) {
		m.Log(g, event.Event{Kind: event.SelectDefault, Case: int16(k), Cases: cases, Other: -1, Partner: -1, Site: g.Op.Site})
		g.Sel = nil
		return -1, false, vm.Done
	}
	c := &cs[k]
	e := event.Event{Kind: kindOf(c.Send), Loc: event.Location{Addr: c.Chan}, Case: -1, Cases: cases, Partner: -1, Site: g.Op.Site}
	if isSelect {
		e.Case = int16(k)
	}
	st := ChanForWrite(m, c.Chan)
	g.Sel = nil
	if c.Send {
		e.Value = m.Carried(c.At, c.Elem.Size, c.Elem.Ptrs)
		if st.Closed {
			e.Other = -1
			m.Log(g, e)
			return 0, false, goroutine.ThrowPlain(m, g, "send on closed channel")
		}
		val := append([]byte(nil), c.Bytes()...)
		m.PublishAt(c.At, c.Elem.Size, c.Elem.Ptrs)
		e.Other = st.Sent
		st.Sent++
		if st.Cap > 0 {
			st.Buffer = append(st.Buffer, val)
			m.Log(g, e)
			return k, false, vm.Done
		}
		r := m.Threads[g.Transition.Partner]
		rk := max(int(g.Transition.PartnerCase), 0)
		st.Received++
		r.Got = vm.Delivery{Has: true, OK: true, Case: rk, Value: val}
		re := event.Event{Kind: event.ChanRecv, Loc: e.Loc, Value: e.Value, Other: e.Other, Case: -1, Cases: -1, Site: r.Op.Site}
		if r.Op.IsSelect() {
			re.Case = int16(rk)
			re.Cases = int32(len(m.Trace.Cases))
			m.Trace.Cases = append(m.Trace.Cases, r.Op.Cases)
		}
		at := len(m.Trace.Events)
		e.Partner, re.Partner = int32(at+1), int32(at)
		m.Log(g, e)
		m.Log(r, re)
		return k, false, vm.Done
	}
	if len(st.Buffer) > 0 {
		v := st.Buffer[0]
		st.Buffer = st.Buffer[1:]
		e.Value, e.Other = vm.Digest(v), st.Received
		if unseen { // TOLD3
			v, e.Value = make([]byte, len(v)), 0
		}
		st.Received++
		m.Log(g, e)
		vm.ToRegister(c.Elem.Class, c.At, unsafe.Pointer(&append(v[:len(v):len(v)], make([]byte, 8)...)[0]), c.Elem.Size)
		return k, true, vm.Done
	}
	e.Other = -1
	m.Log(g, e)
	clear(unsafe.Slice((*byte)(c.At), c.Elem.Words()*8))
	return k, false, vm.Done
}

// NoteCap records a channel's capacity in the trace.
func NoteCap(m *vm.Machine, ch uint64, c *ChanState) {
	if c.Timer {
		return // it is filled and emptied by more than sends and receives
	}
	if m.Mode == vm.Running {
		return
	}
	if m.Trace.Caps == nil {
		m.Trace.Caps = map[uint64]int{}
	}
	if _, ok := m.Trace.Caps[ch]; ok {
		return
	}
	// Who comes to stand at an operation comes here first: the channel is as the snapshot has it.
	m.Trace.Caps[ch] = c.Cap
	if c.Cap > 0 && c.Elem.Size == 0 {
		if m.Trace.Unsized == nil {
			m.Trace.Unsized = map[uint64]bool{}
		}
		m.Trace.Unsized[ch] = true
	}
	if len(c.Buffer) > 0 {
		m.Trace.Caps[ch] = -1
		if m.Trace.Filled == nil {
			m.Trace.Filled = map[uint64]trace.Filling{}
		}
		f := trace.Filling{Cap: c.Cap}
		for _, v := range c.Buffer {
			f.Elements = append(f.Elements, vm.Digest(v))
		}
		m.Trace.Filled[ch] = f
	}
	if c.early {
		if m.Trace.Closed == nil {
			m.Trace.Closed = map[uint64]bool{}
		}
		m.Trace.Closed[ch] = true
	}
}

// ChanClose closes a channel.
func ChanClose(m *vm.Machine, g *vm.G, ch uint64) vm.Status {
	if ch == 0 {
		return goroutine.ThrowPlain(m, g, "close of nil channel")
	}
	if foreign(m, g, ch) {
		return goroutine.Fatal(m, g, "close of synctest channel from outside bubble")
	}
	checkChan(m, ch, nil)
	if len(m.BubbleIDs) > 0 {
		noteBorder(m, g, ch)
	}
	if !m.Announce(g, event.Op{Kind: event.ChanClose, Loc: event.Location{Addr: ch}}) {
		return vm.Yield
	}
	c := ChanForWrite(m, ch)
	NoteCap(m, ch, c)
	if c.Closed {
		m.Logged(g, 1, 0)
		return goroutine.ThrowPlain(m, g, "close of closed channel")
	}
	m.Logged(g, 0, 0)
	c.Closed, c.early = true, m.Inits
	if m.Mode == vm.Running {
		wake(m, ch)
	}
	return vm.Done
}

// ChanLen returns len(ch), or cap(ch).
func ChanLen(m *vm.Machine, g *vm.G, ch uint64, capacity bool) (uint64, vm.Status) {
	if ch == 0 {
		return 0, vm.Done
	}
	checkChan(m, ch, nil)
	c := ChanAt(m, ch)
	if c.Synced && !m.Settings.AsyncTimers() {
		return 0, vm.Done
	}
	if capacity || c.Cap == 0 {
		NoteCap(m, ch, c) // what its goroutine has found (UCHAN2)
		return uint64(c.Cap) * vm.Word(capacity), vm.Done
	}
	if !m.Announce(g, event.Op{Kind: event.ChanLen, Loc: event.Location{Addr: ch}}) {
		return 0, vm.Yield
	}
	NoteCap(m, ch, c)
	m.Logged(g, uint64(len(c.Buffer)), 0)
	return uint64(len(c.Buffer)), vm.Done
}

// crossing checks communications, and notes them. "" is no error.
func crossing(m *vm.Machine, g *vm.G, cs []vm.SelCase) (fatal string) {
	for _, c := range cs {
		if foreign(m, g, c.Chan) {
			what := [...]string{"receive", "send"}[vm.Word(c.Send)]
			if len(cs) > 1 { // a select of one case is compiled to that
				what = "select"
			}
			return what + " on synctest channel from outside bubble"
		}
	}
	for _, c := range cs {
		noteBorder(m, g, c.Chan)
	}
	return ""
}

// foreign reports whether a channel belongs to a bubble that g is not in, which may have ended.
func foreign(m *vm.Machine, g *vm.G, ch uint64) bool {
	if len(m.BubbleIDs) == 0 || ch == 0 {
		return false
	}
	c := ChanAt(m, ch)
	return c != nil && c.Bubble != nil && c.Bubble != g.Bubble
}

// noteBorder notes a channel that a goroutine of a bubble uses, or one of a bubble that any goroutine uses.
func noteBorder(m *vm.Machine, g *vm.G, ch uint64) {
	if st := ChanAt(m, ch); st != nil && (st.Bubble != nil || g.Bubble != nil) {
		m.Trace.Bubble(ch, vm.BubbleID(st.Bubble))
	}
}

// wake makes the selects that have parked at ch, which was just closed, go on with its case. They have left the
// queues of their other channels.
func wake(m *vm.Machine, ch uint64) {
	for _, g := range m.Live {
		if !g.Parked || !g.Waiting || g.Woken > 0 || !g.Op.IsSelect() {
			continue
		}
		for i := range g.Sel {
			if g.Sel[i].Chan == ch {
				g.Woken = i + 1
				break
			}
		}
	}
}
