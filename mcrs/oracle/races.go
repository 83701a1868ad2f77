package oracle

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file finds the races of one execution by definition. It asks of every pair of operations which synchronises with
// which. Happens-before is a set of operations for each.

// A doing is an operation of an execution: an event, or synchronisation that makes none.
type doing struct {
	event.Event
	index int   // of the event, -1 if it is none
	made  bool  // the first operation on a sync.Map
	found []int // the operations of which it has found that they are over, up to their Unlock
}

// A history is an execution with, for each operation, the set of those that happen before it. A race before an
// operation orders as well.
type history struct {
	t      *trace.Trace
	ops    []doing
	before []set    // by operation
	left   []set    // likewise, what one that goes through the buffer of a channel leaves there: see throughBuffer
	plain  []int    // the accesses among them
	races  [][2]int // pairs of operations
	late   [][2]int // an Add of a wait group and a Wait that had to wait, that race, in either order
	silent int      // number of trace.Silent among ops
	events int      // number of events among ops
}

// A set is a set of operations, by index.
type set []uint64

func (s set) has(i int) bool { return i>>6 < len(s) && s[i>>6]&(1<<(i&63)) != 0 }

func (s *set) add(i int) {
	for len(*s) <= i>>6 {
		*s = append(*s, 0)
	}
	(*s)[i>>6] |= 1 << (i & 63)
}

func (s *set) join(o set) {
	for len(*s) < len(o) {
		*s = append(*s, 0)
	}
	for i, w := range o {
		(*s)[i] |= w
	}
}

func historyOf(t *trace.Trace) *history {
	h := &history{t: t}
	h.extend()
	return h
}

// of returns the history of an execution that goes on, with what it has done since.
func (h *history) of(t *trace.Trace) *history {
	if h == nil || h.t != t {
		h = &history{t: t}
	}
	h.extend()
	return h
}

// extend adds what the execution has done since the last call.
func (h *history) extend() {
	for {
		switch t := h.t; {
		case h.silent < len(t.Silent) && int(t.Silent[h.silent].At) <= h.events:
			h.add(doing{Event: t.Silent[h.silent].Op, index: -1})
			h.silent++
		case h.events < len(t.Events):
			e := t.Events[h.events]
			h.add(doing{Event: e, index: h.events, made: event.OfMap(&e) && e.Other&event.MapUsed != 0})
			h.events++
		default:
			return
		}
	}
}

func (h *history) add(o doing) {
	j := len(h.ops)
	h.ops = append(h.ops, o)
	var before, arrival set // arrival: of what its goroutine did before
	for i := j - 1; i >= 0; i-- {
		if h.programOrder(i, j) {
			arrival.add(i)
			arrival.join(h.before[i])
		} else if !before.has(i) && h.synchronises(i, j) {
			if before.join(h.left[i]); !h.throughBuffer(i) || !o.Kind.IsComm() {
				before.join(h.before[i])
			}
			if h.unlocksLater(i, j) {
				h.ops[j].found = append(h.ops[j].found, i)
				continue
			}
			before.add(i)
		}
	}
	before.join(arrival)
	h.left = append(h.left, nil)
	if h.throughBuffer(j) {
		h.left[j] = arrival
	}
	h.ofGroup(j, arrival)
	from := len(h.races)
	if o.Kind.CanRace() || ofClose(&o.Event) || event.Bytes(o.Kind, o.Loc, o.Key).Size > 0 {
		early := h.early(j, arrival)
		h.ops[j].Event = *touching(&h.ops[j].Event, early || h.hadToWait(j))
		known := arrival
		if o.Kind.CanRace() || o.Kind == event.OnceBegin && o.Value == 0 && !early { // an atomic finds what it is after
			known = before
		}
		for _, i := range h.plain {
			if !known.has(i) && conflicting(h.unknownPart(i, known), &h.ops[j].Event) {
				h.races = append(h.races, [2]int{i, j})
			}
		}
		h.plain = append(h.plain, j)
	}
	for _, r := range h.races[from:] {
		if o.Kind.IsComm() || o.Kind == event.ChanClose {
			continue // with a close: what else its goroutine did races by itself
		}
		if h.whenItCame(r[0]) || h.whenItCame(j) {
			continue // it wrote when it came, and goes on later
		}
		if a := &h.ops[r[0]]; !a.Kind.IsAccess() && a.Kind.CanRace() && a.Key != o.Key && a.Key != 0 && o.Key != 0 {
			continue // on different keys of a map: in which order nobody can tell
		}
		before.add(r[0])
		before.join(h.before[r[0]])
	}
	h.before = append(h.before, before)
}

// ofGroup notes the races of operation j, if it is the Wait of a wait group that had to wait, or an Add that is the
// first. Nothing orders the two. arrival is what happens before it comes.
func (h *history) ofGroup(j int, arrival set) {
	b := &h.ops[j]
	if b.Kind != event.WaitGroupAdd && b.Kind != event.WaitGroupWait {
		return
	}
	for i := range j {
		a := &h.ops[i]
		if a.Loc == b.Loc && a.Thread != b.Thread && !arrival.has(i) && (h.firstAdd(i) && h.hadToWait(j) || h.hadToWait(i) && h.firstAdd(j)) {
			h.late = append(h.late, [2]int{i, j})
		}
	}
}

// firstAdd reports whether an operation brings the counter of a wait group above zero.
func (h *history) firstAdd(i int) bool {
	o := &h.ops[i]
	return o.index >= 0 && o.Kind == event.WaitGroupAdd && int64(o.Value) > 0 && o.Other == int64(o.Value)
}

// hadToWait reports whether an operation is the Wait of a wait group whose counter was above zero when its goroutine
// had come to it.
func (h *history) hadToWait(j int) bool {
	if h.ops[j].Kind != event.WaitGroupWait {
		return false
	}
	counter, waits := int64(0), false
	for i := range j {
		counter = h.counted(i, h.ops[j].Loc, counter)
		if h.adds(i, h.ops[j].Loc) && h.unseen(i, j) { // what has overwritten it is no event: nobody else could reach it
			counter = 0
		}
		if h.programOrder(i, j) { // it comes now
			waits = false
		}
		waits = waits || counter > 0
	}
	return waits
}

// adds reports whether an operation is an Add to a wait group.
func (h *history) adds(i int, group event.Location) bool {
	o := &h.ops[i]
	return o.index >= 0 && o.Kind == event.WaitGroupAdd && o.Loc == group
}

// counted returns the counter of a wait group after operation i. Of what an access has written there it is 0.
func (h *history) counted(i int, group event.Location, before int64) int64 {
	switch o := &h.ops[i]; {
	case h.adds(i, group):
		return o.Other
	case o.Kind.IsAccess() && o.Kind.IsWrite() && o.Loc.Overlaps(event.Bytes(event.WaitGroupWait, group, 0)):
		return 0
	}
	return before
}

// unseen reports whether the counter of a wait group has changed between operation i, an Add, and what comes next to it
// up to operation j, a Wait.
func (h *history) unseen(i, j int) bool {
	group := h.ops[j].Loc
	for k := i + 1; k < j; k++ {
		if h.adds(k, group) {
			return h.ops[i].Other != h.ops[k].Other-int64(h.ops[k].Value)
		}
		if h.counted(k, group, -1) == 0 { // overwritten
			return false
		}
	}
	return h.ops[i].Other != 0
}

// programOrder reports whether operation i is before j for one of three reasons: they are of one goroutine, i starts
// the goroutine of j, or i is the receive of an unbuffered channel that the goroutine of j sent to.
func (h *history) programOrder(i, j int) bool { return h.programOrderOf(&h.ops[i], &h.ops[j]) }

func (h *history) programOrderOf(a, b *doing) bool {
	switch {
	case a.Thread == b.Thread:
		return true
	case a.Kind == event.ChanRecv && a.Partner >= 0:
		return h.t.Events[a.Partner].Thread == b.Thread
	}
	return a.index >= 0 && int32(a.index) == h.t.Threads[b.Thread].Spawn
}

// synchronises reports whether operation i synchronises with j, which comes later.
func (h *history) synchronises(i, j int) bool {
	a, b := &h.ops[i].Event, &h.ops[j].Event
	if b.Kind == event.Quiesce {
		return h.t.Threads[a.Thread].Bubble == int32(b.Key)
	}
	if a.Kind.Object() == event.Inode && b.Kind.Object() == event.Inode { // bytes written before bytes read, of whatever files
		return a.Loc.Size == event.KernelWrite && b.Loc.Size == event.KernelRead
	}
	loose := func(e *event.Event) bool {
		return e.Order != event.ByKind && e.Order != event.Makes && e.Order != event.Stores
	}
	if a.Loc.Addr != b.Loc.Addr || h.t.Unordered[a.Loc.Addr] || loose(a) || loose(b) { // of signals and sockets the race detector knows nothing
		return false
	}
	if b.Order == event.Stores { // it looks at the type alone, which the first one stores
		return a.Order == event.Makes
	}
	if a.Key == event.WritersKey || a.Key == event.UndoKey || b.Key == event.WritersKey || b.Key == event.UndoKey {
		switch a.Kind {
		case event.Lock, event.Unlock, event.TryLock:
			return false // a part of an RWMutex, which the detector does not see
		}
	}
	acquires := func(rw bool) bool { // b takes a lock that a has given up
		switch b.Kind {
		case event.Lock:
			return true
		case event.TryLock:
			return b.Value == 1
		case event.RLock:
			return rw
		case event.TryRLock:
			return rw && b.Value == 1
		}
		return false
	}
	switch a.Kind {
	case event.AtomicStore, event.AtomicRMW: // of the word of a lock: who takes the lock then finds what was stored
		return (b.Kind == event.AtomicLoad || b.Kind == event.AtomicRMW || acquires(true)) && h.lastWrite(i, j)
	case event.ObjectRead, event.ObjectWrite:
		return h.ops[i].made && event.Shares(b) || ofObject(a, b)
	case event.Unlock:
		return acquires(true) && h.lastUnlock(i, j) || (b.Kind == event.AtomicLoad || b.Kind == event.AtomicRMW) && h.lastWrite(i, j)
	case event.RUnlock:
		return acquires(false)
	case event.WaitGroupAdd:
		return b.Kind == event.WaitGroupWait && int64(a.Value) < 0
	case event.OnceEnd:
		return b.Kind == event.OnceBegin && b.Value == 0
	case event.CondSignal, event.CondBroadcast:
		return b.Kind == event.CondWait && a.Other > 0 && b.Key >= a.Value && b.Key < a.Value+uint64(a.Other)
	case event.TimerStart:
		return b.Kind == event.TimerFire || b.Kind == event.ChanRecv && a.Other > 0
	case event.TimerFire:
		return b.Kind == event.TimerFire || b.Kind == event.ChanRecv
	case event.ChanClose:
		return b.Kind == event.ChanRecv && b.Other < 0
	case event.ChanSend, event.ChanRecv:
		return h.ofChannel(i, j)
	}
	return false
}

// ofObject is synchronises for objects with a specification of their own.
func ofObject(a, b *event.Event) bool {
	if b.Kind.Object() != event.Whole {
		return false
	}
	writes := a.Kind == event.ObjectWrite
	switch {
	case event.Shares(a):
		return ofMap(a, b)
	case event.OfPool(a): // a value that was put, and is taken out
		return a.Other&event.PoolPut != 0 && b.Other&event.PoolGot != 0 && a.Other^b.Other == event.PoolPut|event.PoolGot
	}
	switch a.Loc.Addr {
	case event.Clock:
		return false
	case event.Kernel:
		return a.Key == event.KernelWrite && b.Key == event.KernelRead
	case event.Environ:
		return writes || b.Kind == event.ObjectWrite
	}
	return writes // what the first operation on a sync.Map stores, another that comes at once may not find (early)
}

// ofMap is synchronises for an operation on what a sync.Map holds, which is not the first, and a later one.
func ofMap(a, b *event.Event) bool {
	locks := func(e *event.Event) bool { return e.Kind == event.ObjectWrite || e.Other&event.MapLocks != 0 }
	switch {
	case !locks(a) || b.Other&event.MapClear != 0:
		return false
	case a.Kind != event.ObjectWrite:
		return locks(b)
	}
	ka, onA := event.OnKey(a)
	kb, onB := event.OnKey(b)
	return a.Other&event.MapClear != 0 || locks(b) || !onA || !onB || ka == kb
}

// lastWrite reports whether i is the last atomic write of its bytes before j. Unlock is one of a lock's word.
func (h *history) lastWrite(i, j int) bool {
	for k := i + 1; k < j; k++ {
		if o := &h.ops[k].Event; (o.Kind == event.AtomicStore || o.Kind == event.AtomicRMW || o.Kind == event.Unlock) && o.Loc.Addr == h.ops[i].Loc.Addr {
			return false
		}
	}
	return true
}

// lastUnlock reports whether i is the last Unlock of its lock before j: what another leaves, who may have unlocked
// without having locked, takes its place.
func (h *history) lastUnlock(i, j int) bool {
	for k := i + 1; k < j; k++ {
		if o := &h.ops[k].Event; o.Kind == event.Unlock && o.Loc.Addr == h.ops[i].Loc.Addr {
			return false
		}
	}
	return true
}

// ofChannel is synchronises for sends and receives of one channel.
func (h *history) ofChannel(i, j int) bool {
	a, b := &h.ops[i].Event, &h.ops[j].Event
	size := int64(h.t.Caps[a.Loc.Addr])
	switch {
	case !b.Kind.IsComm() || a.Other < 0 || b.Other < 0:
		return b.Kind == event.TimerFire && size <= 0
	case a.Partner >= 0:
		return int(a.Partner) == h.ops[j].index
	case size <= 0 || h.t.Unsized[a.Loc.Addr]: // the detector has one clock for all
		return true
	case a.Kind == event.ChanSend:
		return b.Kind == event.ChanRecv && a.Other == b.Other
	}
	return b.Kind == event.ChanSend && a.Other+size == b.Other
}

// throughBuffer reports whether an operation goes through one place of a channel's buffer. It learns what the last one
// there has left, and leaves what its goroutine knew when it came. So the receive that a send has waited for is before
// what follows the send, and not before who receives what was sent.
func (h *history) throughBuffer(i int) bool {
	o := &h.ops[i]
	return o.Kind.IsComm() && o.Other >= 0 && o.Partner < 0 && h.t.Caps[o.Loc.Addr] > 0 && !h.t.Unsized[o.Loc.Addr]
}

// conflicting reports whether two events are conflicting accesses. They are of two threads, and one is a write. Either
// they are to overlapping bytes, and not both atomic, or they are operations on one map, whatever the keys. (A lock's
// operations are such accesses: see event.Touches. A compare-and-swap that failed is a read.)
func conflicting(a, b *event.Event) bool {
	if a.Thread == b.Thread {
		return false
	}
	if ofClose(a) && ofClose(b) { // a close, and a send that found the channel closed
		return a.Loc.Addr == b.Loc.Addr && a.Kind != b.Kind
	}
	if a.Kind.IsAccess() != b.Kind.IsAccess() {
		return event.Touching(a, b) || event.Touching(b, a)
	}
	if !a.Kind.IsWrite() && !b.Kind.IsWrite() || !a.Loc.Overlaps(b.Loc) {
		return false
	}
	onMap := func(k event.Kind) bool { return k.Object() == event.Map }
	if onMap(a.Kind) && onMap(b.Kind) {
		return true
	}
	return a.Kind.IsAccess() && b.Kind.IsAccess() && !(a.Kind.IsAtomic() && b.Kind.IsAtomic())
}

// ofClose reports whether an operation closes a channel, or finds when it sends that this was done.
func ofClose(e *event.Event) bool {
	return e.Kind == event.ChanClose && e.Value == 0 || e.Kind == event.ChanSend && e.Other < 0
}

// adjacent reports whether two events, one right after the other, are a race. They are if they are accesses that
// conflict. So are the Wait of a wait group and the Add that makes its counter positive: the Add must happen before it
// (package sync), and to Go's race detector it is a race.
func adjacent(a, b *event.Event) bool {
	if a.Kind == event.WaitGroupWait {
		return a.Thread != b.Thread && a.Loc == b.Loc && b.Kind == event.WaitGroupAdd && int64(b.Value) > 0 && b.Other == int64(b.Value)
	}
	return conflicting(a, b)
}

// AddRaces records the races of an execution.
func (r *Result) AddRaces(t *trace.Trace) {
	r.addAdjacent(t)
	h := historyOf(t)
	for _, x := range h.races {
		if !h.hidden(x[0], x[1]) {
			r.addRace(&h.ops[x[0]].Event, &h.ops[x[1]].Event)
		}
	}
	for _, x := range h.late {
		r.addRace(&h.ops[x[0]].Event, &h.ops[x[1]].Event)
	}
}

// addAdjacent records the races of an execution with the two accesses next to each other.
func (r *Result) addAdjacent(t *trace.Trace) {
	for j := range t.Events {
		if i := r.loudBefore(t, j); i >= 0 && adjacent(&t.Events[i], &t.Events[j]) {
			r.addRace(&t.Events[i], &t.Events[j])
		}
	}
}

func (r *Result) addRace(a, b *event.Event) {
	k := RaceKey(a.Site, b.Site)
	r.Races[k] = true
	if ofClose(a) && ofClose(b) {
		r.Closes[k] = true
	}
}

// hidden reports whether another race tells of that of i and j: one of j with an access that comes after i, touches all
// of its bytes, and conflicts with all that i conflicts with.
func (h *history) hidden(i, j int) bool {
	a := &h.ops[i].Event
	for k := i + 1; k < j; k++ {
		b := &h.ops[k].Event
		sort := a.Kind.CanRace() && a.Kind.Object() == b.Kind.Object()
		all := b.Loc.Addr <= a.Loc.Addr && a.Loc.Addr+uint64(a.Loc.Size) <= b.Loc.Addr+uint64(b.Loc.Size)
		if sort && all && h.before[k].has(i) && (b.Kind.IsWrite() || !a.Kind.IsWrite()) && (!b.Kind.IsAtomic() || a.Kind.IsAtomic()) {
			return true
		}
	}
	return false
}
