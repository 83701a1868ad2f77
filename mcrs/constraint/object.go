package constraint

import (
	"fmt"
	"slices"
	"sort"

	"github.com/heddle-go/heddle/mcrs/constraint/prior"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file says of each operation of a trace what it meets, as a function of what precedes it on the same object:
// the rules QMEM1 to QCHAN5 of the package doc, for the type General.

// A place is a point of a goroutine: where its seq-th operation is, done in the trace or pending at its end.
type place struct {
	thread, seq int32
	op          event.Op
	node        int32 // -1 if it is pending
	case_       int16 // the case that was taken, of a select
}

// A cell is a piece of memory that every access has as a whole or not at all, or a key of a map.
type cell struct {
	writers []write
	start   string // what is there at first; "" if it is not known
}

// A write is a node that leaves something in a cell.
type write struct {
	node int32
	left string
}

// A weight is what a node adds to a count.
type weight struct {
	node, n int32
}

// A bound says that the count of what precedes lies between lo and hi.
type bound struct {
	of     []weight
	lo, hi int32
}

const most = int32(1) << 30

// An outcome is one of the things that an operation can meet.
type outcome struct {
	bounds []bound
	tag    uint64
	fifo   *channel // it receives an element
	conds  []int32  // it is notified: the nodes of the condition variable
}

// A channel lists its sends and receives.
type channel struct {
	cap          int32
	sends, recvs []weight
	closes       []weight
	closed       bool // at the start
}

// An effect is what decides what an operation meets.
type effect struct {
	cells    []int32   // it reads them, all at once
	outcomes []outcome // else one of these, by counts; none holds: it is blocked
	sequence []int32   // else the order of these nodes
	ordered  bool      // sequence is meant
}

// objects indexes a trace.
type objects struct {
	t      *trace.Trace
	ops    func(thread, seq int32) *event.Op
	nodes  []transition
	of     []int32 // node by event
	places [][]place
	cells  []cell
	ranges []uint64 // bounds of the cells of memory, sorted; cell i is ranges[i:i+2] if used
	memory map[uint64]int32
	keys   map[[2]uint64]int32
	wholes map[uint64][]int32 // by map: its keys' cells

	writers  map[uint64]bool  // locks of readers and writers: an announcement was seen
	locks    map[uint64]*lock // by address
	groups   map[uint64]*sums // wait groups
	onces    map[uint64]*once
	conds    map[uint64][]int32
	chans    map[uint64]*channel
	written  map[uint64][]int32 // by map or object: the nodes that write it, in the trace's order
	known    func(addr uint64) (byte, bool)
	buf      *prior.Buffers // nil: there are none
	problems error
}

// A transition is a node: an event, or the two of a rendezvous.
type transition struct {
	event, partner int32
	before         []int32
	clock          []int32
	ends           bool // Panic, Exit
}

type lock struct{ writer, reader, held []weight }

type sums struct {
	start int32
	adds  []weight
}

type once struct {
	begins, ends []weight
	done         bool // at the start
}

func (o *objects) event(n int32) *event.Event { return &o.t.Events[o.nodes[n].event] }

func newObjects(t *trace.Trace, ops func(thread, seq int32) *event.Op, known func(addr uint64) (byte, bool)) (*objects, error) {
	o := &objects{t: t, ops: ops, known: known, of: make([]int32, len(t.Events)), places: make([][]place, len(t.Threads)),
		memory: map[uint64]int32{}, keys: map[[2]uint64]int32{}, wholes: map[uint64][]int32{}, writers: map[uint64]bool{}, locks: map[uint64]*lock{},
		groups: map[uint64]*sums{}, onces: map[uint64]*once{}, conds: map[uint64][]int32{}, chans: map[uint64]*channel{}, written: map[uint64][]int32{}}
	o.buf = prior.BuffersOf(t)
	last := make([]int32, len(t.Threads))
	for i := range last {
		last[i] = -1
	}
	for i := range t.Events {
		e := &t.Events[i]
		if e.Partner >= 0 && e.Kind == event.ChanRecv {
			continue
		}
		n := int32(len(o.nodes))
		x := transition{event: int32(i), partner: e.Partner, ends: e.Kind.EndsProgram(), clock: make([]int32, len(t.Threads))}
		for _, j := range []int32{int32(i), e.Partner} {
			if j < 0 {
				continue
			}
			h := &t.Events[j]
			o.of[j] = n
			if last[h.Thread] >= 0 {
				x.before = append(x.before, last[h.Thread])
			} else if s := t.Threads[h.Thread].Spawn; s >= 0 {
				x.before = append(x.before, o.of[s])
			}
			last[h.Thread] = n
			x.before = append(x.before, o.waits(j)...)
			o.places[h.Thread] = append(o.places[h.Thread], o.place(h.Thread, h.Seq, n, h))
		}
		for _, d := range x.before {
			for th, c := range o.nodes[d].clock {
				x.clock[th] = max(x.clock[th], c)
			}
		}
		x.clock[e.Thread] = e.Seq + 1
		if e.Partner >= 0 {
			x.clock[t.Events[e.Partner].Thread] = t.Events[e.Partner].Seq + 1
		}
		o.nodes = append(o.nodes, x)
	}
	for th := range t.Threads {
		if op := t.Threads[th].Pending; op != nil {
			o.places[th] = append(o.places[th], place{int32(th), int32(len(o.places[th])), *op, -1, -1})
		}
	}
	o.cut()
	for n := range o.nodes {
		o.index(int32(n))
	}
	o.publish()
	o.learn()
	o.checkBuffers()
	return o, o.problems
}

// learn takes what memory holds at the start from the reads of the trace that no write comes before.
func (o *objects) learn() {
	for n := range o.nodes {
		e := o.event(int32(n))
		p := &o.places[e.Thread][e.Seq]
		switch p.op.Kind {
		case event.Read, event.AtomicLoad, event.AtomicRMW:
		default:
			continue
		}
		if o.ownOf(p) != nil {
			continue
		}
		at, _ := slices.BinarySearch(o.ranges, e.Loc.Addr)
		for i, c := range o.cellsOf(e.Loc) {
			x := &o.cells[c]
			if x.start == "" && !slices.ContainsFunc(x.writers, func(w write) bool { return w.node < int32(n) }) {
				x.start = string(o.found(e, &p.op)[o.ranges[at+i]-e.Loc.Addr : o.ranges[at+i+1]-e.Loc.Addr])
			}
		}
	}
}

// place makes the place of an event. What the operation was the scheduler saw; else it is what was done.
func (o *objects) place(th, seq, n int32, e *event.Event) place {
	p := place{th, seq, event.Op{Kind: e.Kind, Loc: e.Loc, Key: e.Key, Site: e.Site}, n, e.Case}
	if op := o.ops(th, seq); op != nil {
		p.op = *op
	}
	k := p.op.Kind
	if !ruled[k.Object()] || k == event.Sleep || k == event.Goroutines || k.IsAccess() && k.IsPlain() && p.op.Key == event.HostKey {
		o.problem(p.op)
	}
	return p
}

// ruled lists the sorts of objects that there are rules for.
var ruled = [event.NumObjects]bool{
	event.NoObject: true, event.Memory: true, event.Whole: true, event.Map: true, event.Mutex: true, event.WaitGroup: true, event.Once: true,
	event.Cond: true, event.Channel: true, event.Threads: true,
}

func (o *objects) problem(op event.Op) {
	if o.problems == nil {
		o.problems = fmt.Errorf("no rule for %v at site %d", op.Kind, op.Site)
	}
}

// cut cuts memory into cells.
func (o *objects) cut() {
	add := func(l event.Location) {
		if l.Size > 0 {
			o.ranges = append(o.ranges, l.Addr, l.Addr+uint64(l.Size))
		}
	}
	for _, ps := range o.places {
		for i := range ps {
			if ps[i].op.Kind.IsAccess() {
				add(ps[i].op.Loc)
			}
		}
	}
	slices.Sort(o.ranges)
	o.ranges = slices.Compact(o.ranges)
	for _, ps := range o.places {
		for i := range ps {
			switch op := &ps[i].op; {
			case op.Kind.IsAccess():
				o.cellsOf(op.Loc)
			case op.Kind.Object() == event.Map:
				if op.Key != 0 {
					o.keyCell(op.Loc.Addr, op.Key)
				}
			}
		}
	}
}

// cellsOf returns the cells of a range.
func (o *objects) cellsOf(l event.Location) (out []int32) {
	if l.Size == 0 {
		return nil
	}
	i, _ := slices.BinarySearch(o.ranges, l.Addr)
	for ; o.ranges[i] < l.Addr+uint64(l.Size); i++ {
		c, ok := o.memory[o.ranges[i]]
		if !ok {
			c = int32(len(o.cells))
			o.memory[o.ranges[i]] = c
			b := make([]byte, 0, 8)
			for a := o.ranges[i]; a < o.ranges[i+1]; a++ {
				v, known := o.known(a)
				if !known {
					b = b[:0]
					break
				}
				b = append(b, v)
			}
			o.cells = append(o.cells, cell{start: string(b)})
		}
		out = append(out, c)
	}
	return out
}

// keyCell returns the cell of a key of a map.
func (o *objects) keyCell(m, key uint64) int32 {
	c, ok := o.keys[[2]uint64{m, key}]
	if !ok {
		c = int32(len(o.cells))
		o.keys[[2]uint64{m, key}] = c
		o.cells = append(o.cells, cell{start: "at first"})
		o.wholes[m] = append(o.wholes[m], c)
	}
	return c
}

// found returns the bytes that an access found, left those that it left.
func (o *objects) found(e *event.Event, op *event.Op) []byte {
	if op.Kind == event.AtomicRMW && e.Loc.Size <= 8 {
		return prior.Sized(e.Key, e.Loc.Size)
	}
	return prior.BytesOf(o.t, e)
}

// updated returns the bytes that an atomic update left.
func (o *objects) updated(e *event.Event) []byte {
	if size := int64(e.Loc.Size); size > 8 {
		if end := e.Other + 2*size; e.Other >= 0 && end <= int64(len(o.t.Bytes)) {
			return o.t.Bytes[e.Other+size : end]
		}
	}
	return prior.Sized(uint64(e.Other), e.Loc.Size)
}

// write notes that a node leaves bytes at an address.
func (o *objects) write(n int32, addr uint64, b []byte) {
	i := sort.Search(len(o.ranges), func(i int) bool { return o.ranges[i] >= addr })
	for ; i+1 < len(o.ranges) && o.ranges[i+1] <= addr+uint64(len(b)); i++ {
		if c, ok := o.memory[o.ranges[i]]; ok {
			o.cells[c].writers = append(o.cells[c].writers, write{n, string(b[o.ranges[i]-addr : o.ranges[i+1]-addr])})
		}
	}
}

// publish notes what became shared as written by the event that shared it.
func (o *objects) publish() {
	for _, p := range o.t.Published {
		n := o.of[p.Event]
		o.write(n, p.Addr, o.t.Unpublished(&p))
		for c := range o.keys {
			if m := c[0]; p.Addr <= m && m < p.Addr+uint64(p.Size) {
				o.cells[o.keys[c]].writers = append(o.cells[o.keys[c]].writers, write{n, fmt.Sprint("shared ", n)})
			}
		}
		for m := range o.written {
			if p.Addr <= m && m < p.Addr+uint64(p.Size) {
				o.written[m] = append(o.written[m], n)
			}
		}
	}
}

func (o *objects) lock(addr uint64) *lock {
	if o.locks[addr] == nil {
		o.locks[addr] = new(lock)
	}
	return o.locks[addr]
}

func (o *objects) group(addr uint64) *sums {
	if o.groups[addr] == nil {
		o.groups[addr] = new(sums)
	}
	return o.groups[addr]
}

func (o *objects) once(addr uint64) *once {
	if o.onces[addr] == nil {
		o.onces[addr] = new(once)
	}
	return o.onces[addr]
}

func (o *objects) channel(addr uint64) *channel {
	c := o.chans[addr]
	if c == nil {
		c = &channel{closed: o.t.Closed[addr]}
		size, ok := o.t.Caps[addr]
		if !ok || size < 0 {
			o.problem(event.Op{Kind: event.ChanSend})
		}
		c.cap = int32(size)
		o.chans[addr] = c
	}
	return c
}

// index notes what a node does to its objects.
func (o *objects) index(n int32) {
	e := o.event(n)
	p := &o.places[e.Thread][e.Seq]
	a := e.Loc.Addr
	add := func(to *[]weight, k int32) { *to = append(*to, weight{n, k}) }
	switch p.op.Kind {
	case event.Write, event.AtomicStore:
		o.write(n, a, prior.BytesOf(o.t, e))
	case event.AtomicRMW:
		if e.Kind == event.AtomicRMW { // else it failed
			o.write(n, a, o.updated(e))
		}
	case event.MapWrite:
		o.written[a] = append(o.written[a], n)
		if e.Key != 0 {
			c := o.keyCell(a, e.Key)
			o.cells[c].writers = append(o.cells[c].writers, write{n, fmt.Sprint("write ", n)})
			break
		}
		for _, c := range o.wholes[a] {
			o.cells[c].writers = append(o.cells[c].writers, write{n, "clear"})
		}
	case event.ObjectWrite:
		o.written[a] = append(o.written[a], n)
	case event.LockAnnounce:
		o.writers[a] = true
		add(&o.lock(a).writer, 1)
	case event.Lock:
		if !o.announced(p) {
			add(&o.lock(a).writer, 1)
		}
		add(&o.lock(a).held, 1)
	case event.Unlock:
		if e.Value == 0 {
			add(&o.lock(a).writer, -1)
			add(&o.lock(a).held, -1)
		}
	case event.RLock:
		add(&o.lock(a).reader, 1)
	case event.RUnlock:
		if e.Value == 0 {
			add(&o.lock(a).reader, -1)
		}
	case event.TryLock:
		if e.Value == 1 {
			add(&o.lock(a).writer, 1)
			add(&o.lock(a).held, 1)
		}
	case event.TryRLock:
		if e.Value == 1 {
			add(&o.lock(a).reader, 1)
		}
	case event.WaitGroupAdd:
		g := o.group(a)
		if len(g.adds) == 0 {
			g.start = int32(e.Other - int64(e.Value))
		}
		add(&g.adds, int32(int64(e.Value)))
	case event.OnceBegin:
		if e.Value == 1 {
			if len(o.once(a).begins) > 0 {
				o.problem(event.Op{Kind: e.Kind, Site: e.Site}) // the program has made it new
			}
			add(&o.once(a).begins, 1)
		} else if len(o.once(a).begins) == 0 {
			o.once(a).done = true
		}
	case event.OnceEnd:
		add(&o.once(a).ends, 1)
	case event.CondAdd, event.CondSignal, event.CondBroadcast:
		o.conds[a] = append(o.conds[a], n)
	case event.ChanClose:
		if e.Value == 0 {
			add(&o.channel(a).closes, 1)
		}
	}
	if e.Partner < 0 && e.Other >= 0 {
		switch e.Kind {
		case event.ChanSend:
			add(&o.channel(a).sends, 1)
		case event.ChanRecv:
			add(&o.channel(a).recvs, 1)
		}
	}
}

// announced reports whether a Lock is the second half of RWMutex.Lock.
func (o *objects) announced(p *place) bool {
	if p.seq == 0 {
		return false
	}
	q := &o.places[p.thread][p.seq-1]
	return q.op.Kind == event.LockAnnounce && q.op.Loc == p.op.Loc
}

func minus(ws []weight) []weight {
	out := slices.Clone(ws)
	for i := range out {
		out[i].n = -out[i].n
	}
	return out
}

// at, not and any are bounds of counts.
func (c *channel) open() bound { return bound{c.closes, -most, c.closedBy(0)} }
func (c *channel) shut() bound { return bound{c.closes, c.closedBy(1), most} }

// closedBy is a bound of the closes, where a channel closed at the start counts as one.
func (c *channel) closedBy(n int32) int32 {
	if c.closed {
		n--
	}
	return n
}

func (c *channel) length(lo, hi int32) bound {
	return bound{append(slices.Clone(c.sends), minus(c.recvs)...), lo, hi}
}

// communication returns what a send or receive meets by itself: a rendezvous is a matter of two.
func (o *objects) communication(send bool, addr uint64) []outcome {
	if addr == 0 {
		return nil
	}
	c := o.channel(addr)
	if send {
		out := []outcome{{bounds: []bound{c.shut()}, tag: 1}}
		if c.cap > 0 {
			out = append(out, outcome{bounds: []bound{c.open(), c.length(-most, c.cap-1)}})
		}
		return out
	}
	return []outcome{
		{bounds: []bound{c.length(1, most)}, fifo: c},
		{bounds: []bound{c.length(-most, 0), c.shut()}, tag: 1},
	}
}

// meets says what decides what the operation at a place meets; kase is the case of a select.
func (o *objects) meets(p *place, kase int16) effect {
	a := p.op.Loc.Addr
	one := func(bs ...bound) effect { return effect{outcomes: []outcome{{bounds: bs}}} }
	two := func(of []weight, n int32, below, from uint64) effect {
		return effect{outcomes: []outcome{{bounds: []bound{{of, -most, n - 1}}, tag: below}, {bounds: []bound{{of, n, most}}, tag: from}}}
	}
	if p.op.IsSelect() {
		if int(kase) == len(p.op.Cases) {
			var bs []bound
			for _, c := range p.op.Cases {
				if c.Chan == 0 {
					continue
				}
				ch := o.channel(c.Chan)
				bs = append(bs, ch.open())
				if c.Kind == event.ChanSend && ch.cap > 0 {
					bs = append(bs, ch.length(ch.cap, most))
				} else if c.Kind != event.ChanSend {
					bs = append(bs, ch.length(-most, 0))
				}
			}
			return one(bs...)
		}
		c := p.op.Cases[kase]
		return effect{outcomes: o.communication(c.Kind == event.ChanSend, c.Chan)}
	}
	switch p.op.Kind {
	case event.Read, event.AtomicLoad, event.AtomicRMW:
		return effect{cells: o.cellsOf(p.op.Loc)}
	case event.MapRead:
		if p.op.Key != 0 {
			return effect{cells: []int32{o.keyCell(a, p.op.Key)}}
		}
		return effect{sequence: o.written[a], ordered: true}
	case event.ObjectRead, event.ObjectWrite:
		return effect{sequence: o.written[a], ordered: true}
	case event.Lock:
		if o.announced(p) {
			return one(bound{o.lock(a).reader, -most, 0})
		}
		return one(bound{o.lock(a).writer, -most, 0}, bound{o.lock(a).reader, -most, 0})
	case event.LockAnnounce, event.RLock:
		return one(bound{o.lock(a).writer, -most, 0})
	case event.TryLock:
		return two(append(slices.Clone(o.lock(a).writer), o.lock(a).reader...), 1, 1, 0)
	case event.TryRLock:
		return two(o.lock(a).writer, 1, 1, 0)
	case event.Unlock:
		return two(o.lock(a).held, 1, 1, 0)
	case event.RUnlock:
		return two(o.lock(a).reader, 1, 1, 0)
	case event.WaitGroupAdd:
		return two(o.group(a).adds, -o.group(a).start-int32(int64(p.op.Key)), 1, 0)
	case event.WaitGroupWait:
		s := o.group(a).start
		return one(bound{o.group(a).adds, -s, -s})
	case event.OnceBegin:
		x := o.once(a)
		if x.done {
			return one()
		}
		return effect{outcomes: []outcome{{bounds: []bound{{x.begins, -most, 0}}, tag: 1}, {bounds: []bound{{x.ends, 1, most}}}}}
	case event.CondWait:
		return effect{outcomes: []outcome{{conds: append([]int32{}, o.conds[a]...)}}}
	case event.ChanSend, event.ChanRecv:
		return effect{outcomes: o.communication(p.op.Kind == event.ChanSend, a)}
	case event.ChanClose:
		c := o.channel(a)
		return effect{outcomes: []outcome{{bounds: []bound{c.open()}}, {bounds: []bound{c.shut()}, tag: 1}}}
	case event.ChanLen:
		c := o.channel(a)
		var e effect
		for v := int32(0); v <= c.cap; v++ {
			e.outcomes = append(e.outcomes, outcome{bounds: []bound{c.length(v, v)}, tag: uint64(v)})
		}
		return e
	}
	return one()
}
