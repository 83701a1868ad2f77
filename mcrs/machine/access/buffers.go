package access

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines store buffers under a relaxed memory model (sched.Options.Memory): what a goroutine has stored and
// others do not find yet. The model is that of Huang's dissertation (2019), section 3.2.1, with two holes mended: store
// forwarding, and which operations wait for an empty buffer.
//
// Specification.
//
//	BUF1  A plain write to memory that others can reach is a Store. It goes to the end of its goroutine's buffer. It
//	      is always enabled, and nobody else can tell.
//	BUF2  The oldest store of a buffer reaches memory when the scheduler says so. That is a Write of a thread that the
//	      buffer has. As with timers the thread has a name of its own: "B/" and the goroutine's name. With partial
//	      store order the buffer has a queue for each address, and each queue a thread; "#" and a number are added to
//	      its name. Stores that overlap keep their order.
//	BUF3  A read looks for the newest store of the goroutine's own buffer that has some of its bytes. If that store
//	      has all of them, the read returns them. If it has not, the read waits until that store is in memory, as
//	      processors do. If there is no such store, the read returns what is in memory.
//	BUF4  An operation waits until its goroutine's buffer is empty. These do not wait, for they are plain loads: a
//	      plain read, an atomic load (a plain MOV on amd64), a look at a map, at the length of a channel or at the
//	      number of goroutines, a TryLock or TryRLock of a Mutex that fails, and the default of a select with one
//	      case. (A select of several cases locks its channels first.) event.Kind.Drains has the table. Where an
//	      operation makes no event, for nobody else reaches what it is about, a Fence stands for it. The
//	      dissertation, section 3.3.1, makes every synchronisation wait. For atomic loads that would miss what
//	      processors do.
//	BUF5  The buffer of a goroutine that is blocked is still emptied, and so is that of one that has panicked. The end
//	      of a goroutine waits (BUF4), so nothing is left over.
//	BUF6  Packages whose accesses make no events wait for an empty buffer as well, by a Fence: nearly always they lock
//	      or use atomics. Where they do not, a processor could do more than the machine. Whether there is a Fence
//	      follows from what the goroutine has done, as all its events do. There is one if the goroutine has stored
//	      since it last waited, be the store still in the buffer or not.
//	BUF7  With partial store order a pointer can reach memory before what it leads to. What a goroutine does to memory
//	      that nobody else reaches is no event, and is done at once. Then a Store may publish an object that the
//	      goroutine has allocated since it last waited (BUF4). The words of the object that are not zero are taken
//	      back, and put into the buffer before the Store: what stood there when the object was allocated is zero.
//	      These count as written before: an object allocated earlier, bytes that are read without events (strings,
//	      closures, values in interfaces), channels and maps.
//
// A write to a map is done at once, and waits (BUF4): concurrent ones are fatal errors, not memory.

// buffer puts a store of n bytes at addr, whose event is the last one, into g's buffer. The caller fills the bytes in.
func buffer(m *vm.Machine, g *vm.G, addr, n uint64) unsafe.Pointer {
	data := make([]byte, n)
	g.Unfenced = true
	g.Stores = append(g.Stores, vm.BufferedStore{Addr: addr, Data: data, Site: g.Op.Site})
	offerStores(m, g)
	return unsafe.Pointer(&data[0])
}

// queueOf names the queue of a store: with total order there is one, with partial order one for each address (BUF2).
func queueOf(m *vm.Machine, s *vm.BufferedStore) uint64 {
	if m.Options.Memory == event.PSO {
		return s.Addr
	}
	return 0
}

// bufferThread returns the thread of one of g's queues. It is named after the goroutine's own history, as all threads
// are.
func bufferThread(m *vm.Machine, g *vm.G, queue uint64) *vm.G {
	for _, b := range g.Queues {
		if b.Queue == queue {
			return b
		}
	}
	id := event.BufferOf(g.ID, 0)
	if m.Options.Memory == event.PSO {
		id = event.BufferOf(g.ID, len(g.Queues)+1)
	}
	b := &vm.G{ID: id, Index: int32(len(m.Trace.Threads)), StoreBuffer: vm.StoreBuffer{Buffers: g, Queue: queue}}
	m.Trace.Threads = append(m.Trace.Threads, trace.Thread{ID: id, Parent: -1, Spawn: -1, Holder: -1, Buffers: g.Index + 1, Queue: queue, Bubble: vm.BubbleID(g.Bubble)})
	m.Threads, m.Live = append(m.Threads, b), append(m.Live, b)
	g.Queues = append(g.Queues, b)
	return b
}

// offerStores makes the oldest store of each of g's queues the pending operation of its thread. One that overlaps an
// older one waits for it.
func offerStores(m *vm.Machine, g *vm.G) {
	for _, b := range g.Queues {
		b.Waiting = false
	}
	for i := range g.Stores {
		s := &g.Stores[i]
		b := bufferThread(m, g, queueOf(m, s))
		if b.Waiting || slices.ContainsFunc(g.Stores[:i], func(o vm.BufferedStore) bool { return o.Overlaps(s.Addr, uint64(len(s.Data))) }) {
			continue
		}
		b.Waiting = true
		b.Op = event.Op{Kind: event.Write, Loc: event.Location{Addr: s.Addr, Size: uint32(len(s.Data))}, Site: s.Site}
	}
}

// Flush brings the oldest store of the queue of thread b to memory.
func Flush(m *vm.Machine, b *vm.G) {
	g := b.Buffers
	i := slices.IndexFunc(g.Stores, func(s vm.BufferedStore) bool { return queueOf(m, &s) == b.Queue })
	s := g.Stores[i]
	e := vm.Plain(event.Write, s.Addr, s.Site)
	e.Loc.Size = uint32(len(s.Data))
	m.LastEvent = m.Log(b, e)
	m.Accessed(b, s.Data)
	if _, p := m.Mem.Writable(s.Addr, uint64(len(s.Data))); p != nil {
		copy(unsafe.Slice((*byte)(p), len(s.Data)), s.Data)
	}
	g.Stores = slices.Delete(g.Stores, i, i+1)
	offerStores(m, g)
}

// maxFresh is how many words of an object may be on their way when it is published (BUF7).
const maxFresh = 64

// bufferFresh is rule BUF7 for the objects that g's last store has published.
func bufferFresh(m *vm.Machine, g *vm.G) {
	if m.Options.Memory != event.PSO {
		return
	}
	store := int32(len(m.Trace.Events) - 1)
	for _, o := range m.Newly {
		if o.Flags&mem.Unlogged != 0 || o.Aux != nil || mem.SegmentOf(o.Base) != uint64(g.Segment) || o.Base < g.DrainedAt && !slices.Contains(g.Anew, o.Base) {
			continue
		}
		words := 0
		for off := uint64(0); off < o.Size; off += 8 {
			b := o.Bytes()[off:min(off+8, o.Size)]
			if !slices.ContainsFunc(b, func(c byte) bool { return c != 0 }) {
				continue
			}
			if words++; words > maxFresh {
				m.Unseen(g, fmt.Sprintf("of an object of more than %d words that are not zero, published under partial store order, not all orders are explored", maxFresh))
				break
			}
			g.Stores = append(g.Stores, vm.BufferedStore{Addr: o.Base + off, Data: slices.Clone(b), Site: g.Op.Site})
			m.Trace.Threads[bufferThread(m, g, o.Base+off).Index].Spawn = store
			clear(b)
		}
	}
	m.Newly = m.Newly[:0]
}

// Forwarded returns what g reads of n bytes at addr: p, where memory has them, or the bytes of its own newest store
// (BUF3).
func Forwarded(g *vm.G, addr, n uint64, p unsafe.Pointer) unsafe.Pointer {
	for i := len(g.Stores) - 1; i >= 0; i-- {
		if s := &g.Stores[i]; s.Overlaps(addr, n) {
			return unsafe.Pointer(&s.Data[addr-s.Addr])
		}
	}
	return p
}

// stalls reports whether a read of some bytes must wait for a store that has only a part of them (BUF3).
func stalls(g *vm.G, l event.Location) bool {
	for i := len(g.Stores) - 1; i >= 0; i-- {
		if s := &g.Stores[i]; s.Overlaps(l.Addr, uint64(l.Size)) {
			return l.Addr < s.Addr || l.Addr+uint64(l.Size) > s.End()
		}
	}
	return false
}

// awaitsBuffer reports whether the operation at which g stands waits for its buffer (BUF3, BUF4). A select waits by
// its cases.
func awaitsBuffer(m *vm.Machine, g *vm.G) bool {
	if len(g.Stores) == 0 {
		return false
	}
	switch o := &g.Op; o.Kind {
	case event.Invalid:
		return len(g.Sel) > 1
	case event.Read, event.AtomicLoad:
		return stalls(g, o.Loc)
	case event.TryLock, event.TryRLock:
		return vm.IsRW(o) || o.Key == event.WritersKey || m.Peek32(o.Loc.Addr) == 0
	case event.Goroutines:
		return o.Key != event.SeesCount
	case event.ObjectRead:
		return o.Loc.Addr <= event.Clock // a system call
	default:
		return o.Kind.Drains()
	}
}

// DrainedSilently is drained for an operation that makes no event where its caller makes none.
func DrainedSilently(m *vm.Machine, g *vm.G) bool { return !m.Relaxed() || !g.Silent() || m.Drained(g) }

// drainedAt is drained for an access of the instruction before pc.
func drainedAt(m *vm.Machine, g *vm.G, fr *vm.Frame, pc int32) bool {
	fr.PC = pc - 1
	return m.Drained(g)
}

// Undrained leaves out of a goroutine's transitions those that wait for its buffer, and those of a rendezvous whose
// other side does.
func Undrained(m *vm.Machine, g *vm.G, ts []sched.Transition, from int) []sched.Transition {
	if from == len(ts) {
		return ts
	}
	all := awaitsBuffer(m, g)
	return append(ts[:from], slices.DeleteFunc(ts[from:], func(t sched.Transition) bool {
		if t.Partner >= 0 && len(m.Threads[t.Partner].Stores) > 0 {
			return true
		}
		return all || len(g.Stores) > 0 && g.Sel != nil && int(t.Case) < len(g.Sel) // a communication; one case has no number
	})...)
}

// sharedStore is a plain write of g's to memory that others can reach, which waits for the scheduler if it returns
// nil. src has the bytes.
func sharedStore(m *vm.Machine, g *vm.G, addr, n uint64, src unsafe.Pointer, ptrs *mem.PtrMap) unsafe.Pointer {
	if !m.Announce(g, event.Op{Kind: event.Store, Loc: event.Location{Addr: addr, Size: uint32(n)}}) {
		return nil
	}
	if m.LastEvent < 0 { // done in a former attempt of the instruction
		return unsafe.Pointer(unsafe.SliceData(make([]byte, n)))
	}
	m.Accessed(g, unsafe.Slice((*byte)(src), n))
	m.Newly = m.Newly[:0]
	m.PublishAt(src, n, ptrs)
	bufferFresh(m, g)
	return buffer(m, g, addr, n)
}
