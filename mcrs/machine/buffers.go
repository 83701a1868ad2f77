package machine

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
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
//	      case. (A select of several cases locks its channels first.) event.Kind.Drains has the table. The
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

// A storeBuffer is what a goroutine has stored and others do not find yet, and the threads that empty it.
type storeBuffer struct {
	stores    []bufferedStore // on their way to memory: see buffers.go
	unfenced  bool            // it has stored since it last waited for its buffer
	queue     uint64          // of a store buffer's thread: the queue that it empties
	drainedAt uint64          // the address of the first object that it has allocated since it last waited for its buffer
	queues    []*G            // the threads of its store buffer, in the order in which they came
	buffers   *G              // of a store buffer's thread: whose it is
}

// A bufferedStore is a store on its way to memory.
type bufferedStore struct {
	addr uint64
	data []byte
	site event.Site
}

func (s *bufferedStore) end() uint64 { return s.addr + uint64(len(s.data)) }

func (s *bufferedStore) overlaps(addr, n uint64) bool { return s.addr < addr+n && addr < s.end() }

// relaxed reports whether plain writes go into buffers.
func (m *budget) relaxed() bool { return m.opts.Memory != event.SC }

// isBuffer reports whether g is the thread of a store buffer, and no goroutine.
func (g *storeBuffer) isBuffer() bool { return g.buffers != nil }

// buffer puts a store of n bytes at addr, whose event is the last one, into g's buffer. The caller fills the bytes in.
func (m *execution) buffer(g *G, addr, n uint64) unsafe.Pointer {
	data := make([]byte, n)
	g.unfenced = true
	g.stores = append(g.stores, bufferedStore{addr: addr, data: data, site: g.op.Site})
	m.offerStores(g)
	return unsafe.Pointer(&data[0])
}

// queueOf names the queue of a store: with total order there is one, with partial order one for each address (BUF2).
func (m *budget) queueOf(s *bufferedStore) uint64 {
	if m.opts.Memory == event.PSO {
		return s.addr
	}
	return 0
}

// bufferThread returns the thread of one of g's queues. It is named after the goroutine's own history, as all threads are.
func (m *execution) bufferThread(g *G, queue uint64) *G {
	for _, b := range g.queues {
		if b.queue == queue {
			return b
		}
	}
	id := event.BufferOf(g.id, 0)
	if m.opts.Memory == event.PSO {
		id = event.BufferOf(g.id, len(g.queues)+1)
	}
	b := &G{id: id, idx: int32(len(m.tr.Threads)), storeBuffer: storeBuffer{buffers: g, queue: queue}}
	m.tr.Threads = append(m.tr.Threads, trace.Thread{ID: id, Parent: -1, Spawn: -1, Holder: -1, Buffers: g.idx + 1, Queue: queue, Bubble: bubbleID(g.bubble)})
	m.gs, m.live = append(m.gs, b), append(m.live, b)
	g.queues = append(g.queues, b)
	return b
}

// offerStores makes the oldest store of each of g's queues the pending operation of its thread. One that overlaps an older one waits for it.
func (m *execution) offerStores(g *G) {
	for _, b := range g.queues {
		b.waiting = false
	}
	for i := range g.stores {
		s := &g.stores[i]
		b := m.bufferThread(g, m.queueOf(s))
		if b.waiting || slices.ContainsFunc(g.stores[:i], func(o bufferedStore) bool { return o.overlaps(s.addr, uint64(len(s.data))) }) {
			continue
		}
		b.waiting = true
		b.op = event.Op{Kind: event.Write, Loc: event.Location{Addr: s.addr, Size: uint32(len(s.data))}, Site: s.site}
	}
}

// flush brings the oldest store of the queue of thread b to memory.
func (m *Machine) flush(b *G) {
	g := b.buffers
	i := slices.IndexFunc(g.stores, func(s bufferedStore) bool { return m.queueOf(&s) == b.queue })
	s := g.stores[i]
	e := plain(event.Write, s.addr, s.site)
	e.Loc.Size = uint32(len(s.data))
	m.lastEvent = m.log(b, e)
	m.accessed(b, s.data)
	if _, p := m.mem.Writable(s.addr, uint64(len(s.data))); p != nil {
		copy(unsafe.Slice((*byte)(p), len(s.data)), s.data)
	}
	g.stores = slices.Delete(g.stores, i, i+1)
	m.offerStores(g)
}

// maxFresh is how many words of an object may be on their way when it is published (BUF7).
const maxFresh = 64

// bufferFresh is rule BUF7 for the objects that g's last store has published.
func (m *Machine) bufferFresh(g *G) {
	if m.opts.Memory != event.PSO {
		return
	}
	store := int32(len(m.tr.Events) - 1)
	for _, o := range m.newly {
		if o.Flags&mem.Unlogged != 0 || o.Aux != nil || o.Base>>48 != uint64(g.seg) || o.Base < g.drainedAt {
			continue
		}
		words := 0
		for off := uint64(0); off < o.Size; off += 8 {
			b := o.Bytes()[off:min(off+8, o.Size)]
			if !slices.ContainsFunc(b, func(c byte) bool { return c != 0 }) {
				continue
			}
			if words++; words > maxFresh {
				m.unseen(g, fmt.Sprintf("of an object of more than %d words that are not zero, published under partial store order, not all orders are explored", maxFresh))
				break
			}
			g.stores = append(g.stores, bufferedStore{addr: o.Base + off, data: slices.Clone(b), site: g.op.Site})
			m.tr.Threads[m.bufferThread(g, o.Base+off).idx].Spawn = store
			clear(b)
		}
	}
	m.newly = m.newly[:0]
}

// forwarded returns what g reads of n bytes at addr: p, where memory has them, or the bytes of its own newest store (BUF3).
func (g *storeBuffer) forwarded(addr, n uint64, p unsafe.Pointer) unsafe.Pointer {
	for i := len(g.stores) - 1; i >= 0; i-- {
		if s := &g.stores[i]; s.overlaps(addr, n) {
			return unsafe.Pointer(&s.data[addr-s.addr])
		}
	}
	return p
}

// stalls reports whether a read of some bytes must wait for a store that has only a part of them (BUF3).
func (g *storeBuffer) stalls(l event.Location) bool {
	for i := len(g.stores) - 1; i >= 0; i-- {
		if s := &g.stores[i]; s.overlaps(l.Addr, uint64(l.Size)) {
			return l.Addr < s.addr || l.Addr+uint64(l.Size) > s.end()
		}
	}
	return false
}

// awaitsBuffer reports whether the operation at which g stands waits for its buffer (BUF3, BUF4). A select waits by its cases.
func (m *heap) awaitsBuffer(g *G) bool {
	if len(g.stores) == 0 {
		return false
	}
	switch o := &g.op; o.Kind {
	case event.Invalid:
		return len(g.sel) > 1
	case event.Read, event.AtomicLoad:
		return g.stalls(o.Loc)
	case event.TryLock, event.TryRLock:
		return isRW(o) || o.Key == event.WritersKey || m.peek32(o.Loc.Addr) == 0
	case event.Goroutines:
		return o.Key != seesCount
	case event.ObjectRead:
		return o.Loc.Addr <= event.Clock // a system call
	default:
		return o.Kind.Drains()
	}
}

// drained has g wait until its buffer is empty, before something that makes no event (BUF6). It returns false if g must wait, as visible does.
func (m *Machine) drained(g *G) bool {
	if g.permit && g.op.Kind == event.Fence {
		g.permit, g.waiting = false, false
		m.log(g, plain(event.Fence, 0, g.op.Site))
		return true
	}
	if !g.unfenced {
		return true
	}
	m.stand(g, event.Op{Kind: event.Fence, Site: m.siteOf(g)})
	return false
}

// drainedSilently is drained for an operation that makes no event where its caller makes none.
func (m *Machine) drainedSilently(g *G) bool { return !m.relaxed() || !g.silent() || m.drained(g) }

// drainedAt is drained for an access of the instruction before pc.
func (m *Machine) drainedAt(g *G, fr *frame, pc int32) bool {
	fr.pc = pc - 1
	return m.drained(g)
}

// undrained leaves out of a goroutine's transitions those that wait for its buffer, and those of a rendezvous whose other side does.
func (m *Machine) undrained(g *G, ts []sched.Transition, from int) []sched.Transition {
	if from == len(ts) {
		return ts
	}
	all := m.awaitsBuffer(g)
	return append(ts[:from], slices.DeleteFunc(ts[from:], func(t sched.Transition) bool {
		if t.Partner >= 0 && len(m.gs[t.Partner].stores) > 0 {
			return true
		}
		return all || len(g.stores) > 0 && g.sel != nil && int(t.Case) < len(g.sel) // a communication; one case has no number
	})...)
}

// bufferRoots visits what stores on their way hold.
func (g *storeBuffer) bufferRoots(visit func(uint64)) {
	for i := range g.stores {
		visit(g.stores[i].addr)
		bytesRoots(g.stores[i].data, visit)
	}
}

// buffers hashes what a goroutine has stored, as far as it decides what its next operations are: whether there is a
// Fence (BUF6), what a Store publishes (BUF7), and which threads its buffer has. What is on its way others know by
// the events.
func (w *naming) buffers(g *G) {
	w.mix(b2w(g.unfenced))
	w.mix(g.drainedAt)
	for _, b := range g.queues {
		w.mix(b.queue)
	}
}

// hashStores hashes the stores on their way.
func (g *storeBuffer) hashStores(h uint64) uint64 {
	for i := range g.stores {
		h = hashBytes(hashMix(h, g.stores[i].addr), g.stores[i].data)
	}
	return h
}

// sharedStore is a plain write of g's to memory that others can reach, which waits for the scheduler if it returns nil. src has the bytes.
func (m *Machine) sharedStore(g *G, addr, n uint64, src unsafe.Pointer, ptrs *mem.PtrMap) unsafe.Pointer {
	if !m.announce(g, event.Op{Kind: event.Store, Loc: event.Location{Addr: addr, Size: uint32(n)}}) {
		return nil
	}
	if m.lastEvent < 0 { // done in a former attempt of the instruction
		return unsafe.Pointer(unsafe.SliceData(make([]byte, n)))
	}
	m.accessed(g, unsafe.Slice((*byte)(src), n))
	m.newly = m.newly[:0]
	m.publishAt(src, n, ptrs)
	m.bufferFresh(g)
	return m.buffer(g, addr, n)
}
