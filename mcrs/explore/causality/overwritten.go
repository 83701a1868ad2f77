package causality

import (
	"encoding/binary"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file is about locks whose bytes are touched as memory (rule DEP12): which cells their operations touch, and
// what they enable if the bytes are overwritten, so that counting acquisitions and releases does not say.

// bytesTouches are the touches of an operation of package sync to the bytes of its object, nil if no access touches
// them.
func (g *Record) bytesTouches(bytes event.Location) (ts []Touch) {
	if bytes.Size == 0 {
		return nil
	}
	for _, c := range g.layout.at(bytes) {
		ts = append(ts, Touch{c, classSync})
	}
	return ts
}

// opOf returns the kind, place and key of an event or of a pending operation, and whether it is an event.
func (g *Record) opOf(r Ref) (e event.Event, done bool) {
	if events := g.Lines[r.Thread].Events; int(r.Seq) < len(events) {
		return g.Trace.Events[events[r.Seq]], true
	}
	op := g.Trace.Threads[r.Thread].Pending
	if op == nil { // the firing of a timer that was stopped: no memory of the program
		return event.Event{}, false
	}
	return event.Event{Kind: op.Kind, Loc: op.Loc, Key: op.Key}, false
}

// MayRace reports whether two dependent operations could be a race: an operation of package sync is one to the race
// detector only as far as event.Touches says. What it will do that has not been done is not known.
func (g *Record) MayRace(a, b Ref) bool {
	x, doneX := g.opOf(a)
	y, doneY := g.opOf(b)
	if x.Kind.IsAccess() == y.Kind.IsAccess() {
		return true
	}
	if x.Kind.IsAccess() {
		x, y, doneX = y, x, doneY
	}
	guesses := [2]event.Event{x, x}
	if event.OfMap(&x) { // in another order it may be the first
		guesses[1].Other |= event.MapUsed
	} else if g := &guesses[1]; !doneX {
		g.Value = 1
		if x.Kind == event.WaitGroupAdd {
			g.Value, g.Other = x.Key, int64(x.Key)
		}
	}
	for i := range guesses {
		if event.Touching(&guesses[i], &y) {
			return true
		}
	}
	return false
}

// overwritten reports whether the trace writes the bytes of a lock by other means than the lock's operations, or did
// before they were published.
func (g *Record) overwritten(bytes event.Location) bool {
	if bytes.Size == 0 || int(bytes.Size) > len(lockBytes{}.b) { // a sync.Map is always enabled
		return false
	}
	odd, known := g.odd[bytes]
	if !known {
		odd = g.layout.written(bytes) || g.publishedOtherwise(bytes)
		if g.odd == nil {
			g.odd = make(map[event.Location]bool)
		}
		g.odd[bytes] = odd
	}
	return odd
}

// publishedOtherwise reports whether a lock was published with other bytes than its operations until then have left.
func (g *Record) publishedOtherwise(bytes event.Location) bool {
	pub := g.publication(bytes.Addr)
	if pub < 0 {
		return false
	}
	p := &g.Trace.Published[pub]
	at := p.Offset + int64(bytes.Addr-p.Addr)
	var s lockBytes
	for i := range g.Trace.Events[:p.Event] {
		if e := &g.Trace.Events[i]; e.Loc.Addr-bytes.Addr < uint64(bytes.Size) {
			s.step(g, e, bytes)
		}
	}
	return string(s.b[:bytes.Size]) != string(g.Trace.Bytes[at:at+int64(bytes.Size)])
}

// publication returns the index in Trace.Published of what made an address shared, -1 if nothing did.
func (g *Record) publication(addr uint64) int {
	for i := range g.Trace.Published {
		if p := &g.Trace.Published[i]; p.Addr <= addr && addr < p.Addr+uint64(p.Size) {
			return i
		}
	}
	return -1
}

// lockBytes are the bytes of an object of package sync.
type lockBytes struct{ b [24]byte }

func (s *lockBytes) word(at int) *lockWord { return (*lockWord)(s.b[at : at+4]) }

// A lockWord is four of them.
type lockWord [4]byte

func (w *lockWord) get() int32  { return int32(binary.LittleEndian.Uint32(w[:])) }
func (w *lockWord) set(v int32) { binary.LittleEndian.PutUint32(w[:], uint32(v)) }
func (w *lockWord) add(v int32) { w.set(w.get() + v) }

// step performs an event, if it is about the bytes at a place.
func (s *lockBytes) step(g *Record, e *event.Event, at event.Location) {
	if e.Kind.IsAccess() {
		if e.Kind.IsWrite() && e.Loc.Overlaps(at) {
			for i, v := range g.left(e) {
				if a := e.Loc.Addr + uint64(i); a >= at.Addr && a < at.Addr+uint64(at.Size) {
					s.b[a-at.Addr] = v
				}
			}
		}
		return
	}
	b := event.Bytes(e.Kind, e.Loc, e.Key)
	if b.Size == 0 || !b.Overlaps(at) {
		return
	}
	readers, waits := 16, 20
	if e.Key == event.ReadersKey {
		readers, waits = 0, 4
	}
	switch k := e.Kind; {
	case k == event.WaitGroupAdd:
		s.word(4).set(int32(e.Other))
	case k == event.OnceBegin && e.Value == 1:
		s.word(4).set(1)
	case k == event.OnceEnd:
		s.word(0).set(1)
		s.word(4).set(0)
	case k == event.CondAdd:
		s.word(0).add(1)
	case k == event.CondSignal || k == event.CondBroadcast:
		s.word(4).add(int32(max(e.Other, 0)))
	case (k == event.Unlock || k == event.RUnlock) && e.Value != 0, (k == event.TryLock || k == event.TryRLock) && e.Value == 0:
	case e.Key != event.RWMutexKey && e.Key != event.ReadersKey:
		switch k {
		case event.Lock, event.TryLock:
			s.word(0).set(1)
		case event.Unlock:
			s.word(0).set(0)
		}
	case k == event.RLock || k == event.TryRLock:
		s.word(readers).add(1)
	case k == event.RUnlock:
		s.word(readers).add(-1)
		if s.word(readers).get() < 0 {
			s.word(waits).add(-1)
		}
	case k == event.LockAnnounce || k == event.TryLock:
		s.word(waits).add(s.word(readers).get())
		s.word(readers).add(-rwMax)
		if e.Key == event.RWMutexKey {
			s.word(0).set(1)
		}
	case k == event.Unlock:
		s.word(readers).add(rwMax)
		if e.Key == event.RWMutexKey {
			s.word(0).set(0)
		}
	}
}

// rwMax is what a writer takes from the readers of a sync.RWMutex.
const rwMax = 1 << 30

// left returns the bytes that a write has left.
func (g *Record) left(e *event.Event) []byte {
	v := e.Value
	switch {
	case e.Loc.Size > 8 && e.Kind == event.AtomicRMW: // an atomic.Value, which no lock is
		return nil
	case e.Loc.Size > 8:
		if end := e.Other + int64(e.Loc.Size); e.Other >= 0 && end <= int64(len(g.Trace.Bytes)) {
			return g.Trace.Bytes[e.Other:end]
		}
		return nil
	case e.Kind == event.AtomicRMW:
		v = uint64(e.Other)
	}
	return binary.LittleEndian.AppendUint64(nil, v)[:e.Loc.Size]
}

// enabledByBytes is enabled for an operation on a lock whose bytes are overwritten. Where the operation is not enabled,
// each event that touches the bytes is an alternative: a smaller configuration with all of them has the same bytes.
func (g enabling) enabledByBytes(k Cut, m *Move) (bool, [][]Ref) {
	op, _ := g.opOf(m.A)
	s := g.bytesAfter(k, event.Bytes(op.Kind, op.Loc, op.Key))
	if s.enables(&op, g.ticketOf(k, m)) {
		return true, nil
	}
	var unblock [][]Ref
	for _, t := range m.Touches {
		unblock = append(unblock, g.each(&g.Cells[t.Cell], k, m, func(SeqClass) bool { return true })...)
	}
	return false, unblock
}

// bytesAfter returns the bytes of a lock after a configuration.
func (g *Graph) bytesAfter(k Cut, at event.Location) (s lockBytes) {
	first := int32(0)
	if pub := g.publication(at.Addr); pub >= 0 {
		p := &g.Trace.Published[pub]
		first = p.Event
		copy(s.b[:at.Size], g.Trace.Bytes[p.Offset+int64(at.Addr-p.Addr):])
	}
	for i := range g.Trace.Events {
		if e := &g.Trace.Events[i]; int32(i) >= first && k.Has(Ref{e.Thread, e.Seq}) {
			s.step(&g.Record, e, at)
		}
	}
	return s
}

// ticketOf returns the ticket with which a goroutine waits at a Cond.
func (g enabling) ticketOf(k Cut, m *Move) int32 {
	ticket := int32(0)
	if m.Kind == event.CondWait {
		for i := m.A.Seq - 1; i >= 0; i-- {
			if e := &g.Trace.Events[g.Lines[m.A.Thread].Events[i]]; e.Kind == event.CondAdd {
				return int32(e.Value)
			}
		}
	}
	return ticket
}

// enables reports whether an operation can go on.
func (s *lockBytes) enables(op *event.Event, ticket int32) bool {
	readers := 16
	if op.Key == event.ReadersKey {
		readers = 0
	}
	switch op.Kind {
	case event.WaitGroupWait:
		return s.word(4).get() == 0
	case event.OnceBegin:
		return s.word(4).get() == 0
	case event.CondWait:
		return s.word(4).get()-ticket > 0
	case event.RLock:
		return s.word(readers).get() >= 0
	case event.LockAnnounce:
		if op.Key == event.ReadersKey {
			return s.word(readers).get() >= 0
		}
		return s.word(0).get() == 0
	case event.Lock:
		if op.Key == event.RWMutexKey || op.Key == event.ReadersKey {
			return s.word(readers).get()&(rwMax-1) == 0
		}
		return s.word(0).get() == 0
	}
	return true
}
