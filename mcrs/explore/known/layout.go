package known

import (
	"slices"
	"sort"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file says what an operation touches: cells of memory, and objects with a serial specification.

// A Space is a kind of object.
type Space uint8

const (
	SpaceEnd Space = iota // whether the program has ended
	SpaceCell
	spaceLock
	SpaceChan
	SpaceGroup
	SpaceOnce
	spaceCond
	SpaceMap
	SpaceObject
	SpaceClock
	SpaceTimer
	SpaceParked
	SpaceCount // of goroutines
	SpaceFailed
	spaceOther // objects of which only the specification knows more
)

// An ObjectKey names an object.
type ObjectKey struct {
	Space Space
	Addr  uint64
}

// An Object is a slot of a state.
type Object struct {
	Space Space
	Addr  uint64
	Size  uint64 // of a cell
	Cap   int    // of a channel, -1 if not known
	Start int32  // its value at the start of an execution
	Timer bool   // of a channel: a timer's
	Ticks bool   // of a timer's: a ticker's
	Keeps bool   // of a timer's: what it holds, when the timer is stopped
	Whole bool   // of a map: it is read as a whole
	// Senders and receivers are, of an unbuffered channel, the nodes of selects that stand at it. Once there are some
	// at both sides, no more are added.
	Senders, Receivers map[int32]bool
	Foreign            bool  // of a lock: a goroutine let go of what another took
	Bubble             int32 // that a channel, or a WaitGroup, belongs to, 0 if none
	// Counted says of a channel that it is counted how often goroutines may yet receive and send, Sent what was sent.
	Counted bool
	Sent    Sent
	element uint64
	Usage
}

// Sent says which elements were seen to be sent on a channel.
type Sent uint8

// What may have been sent.
const (
	sentNone Sent = iota
	SentOne       // equal ones
	sentMany
)

// NoteSent notes that an element is sent on a channel.
func NoteSent(k *Knowledge, ch int32, digest uint64) {
	switch o := &k.Objects[ch]; {
	case o.Sent == sentNone:
		o.Sent, o.element = SentOne, digest
	case o.Sent == SentOne && o.element != digest:
		o.Sent, k.Grown = sentMany, true
		k.Epoch++
	}
}

// Channels of fewer elements are not counted, and of a program with many not all.
const (
	leastCounted = 2
	mostCounted  = 32
)

// Count has it counted how often goroutines receive from a channel, and send on it.
func (k *Knowledge) Count(ch int32) {
	if o := &k.Objects[ch]; !o.Counted && o.Cap >= leastCounted && !o.Timer && k.counted < mostCounted {
		o.Counted = true
		k.counted++
		k.Rebuild()
	}
}

// Object numbers an object.
func (k *Knowledge) Object(s Space, addr uint64) int32 {
	ok := ObjectKey{s, addr}
	o, found := k.ObjectAt[ok]
	if !found {
		k.Values.MustAdd()
		o = int32(len(k.Objects))
		k.ObjectAt[ok] = o
		k.Objects = append(k.Objects, Object{Space: s, Addr: addr, Cap: -1})
		if s == SpaceMap || s == SpaceObject {
			i := sort.Search(len(k.holders), func(i int) bool { return k.Objects[k.holders[i]].Addr > addr })
			k.holders = slices.Insert(k.holders, i, o)
		}
	}
	return o
}

// holdersIn returns the maps and other objects in a range of bytes, in the order of their numbers.
func (m *Memory) holdersIn(lo, hi uint64) []int32 {
	at := func(addr uint64) int {
		return sort.Search(len(m.holders), func(i int) bool { return m.Objects[m.holders[i]].Addr >= addr })
	}
	out := slices.Clone(m.holders[at(lo):at(hi)])
	slices.Sort(out)
	return out
}

// A Layout cuts memory into cells, so that each access touches whole cells. A cell that one goroutine alone touches is
// no slot of a state, for what it holds is a function of that goroutine's history. That ends when several histories
// have led to one node: then Disclose gives the cell a slot.
type Layout struct {
	cells   []Cell                // by address, disjoint
	exact   map[[2]uint64][]int32 // positions in cells, by range
	Version int32
	pubs    []Interval // published by known edges, by address, disjoint
	Initial map[uint64]byte
	Now     int32 // number of the execution being absorbed
}

// A Cell is a range of bytes that operations touch as one.
type Cell struct {
	lo, hi uint64
	thread int32 // the one goroutine that touches it; several, nobody
	obj    int32 // 0 if it is local
	born   int32
}

const (
	several = -1
	Nobody  = -2
)

// An Interval is a range of bytes, and who published it when.
type Interval struct {
	Lo, Hi uint64
	thread int32
	born   int32
}

// Rebuild forgets what was computed for an older layout.
func (k *Knowledge) Rebuild() {
	k.Layout.Version++
	k.Stale = true
}

// Publish notes that a goroutine published a range of bytes.
func (k *Knowledge) Publish(lo, hi uint64, thread int32) {
	l := &k.Layout
	i := sort.Search(len(l.pubs), func(i int) bool { return l.pubs[i].Lo >= lo })
	if i == len(l.pubs) || l.pubs[i].Lo != lo {
		l.pubs = slices.Insert(l.pubs, i, Interval{lo, hi, thread, l.Now})
	}
	for i := sort.Search(len(l.cells), func(i int) bool { return l.cells[i].hi > lo }); i < len(l.cells) && l.cells[i].lo < hi; i++ {
		k.touch([]int32{int32(i)}, thread)
	}
}

// Publisher returns who published an address, and when.
func (l *Layout) Publisher(addr uint64) (thread, born int32) {
	i := sort.Search(len(l.pubs), func(i int) bool { return l.pubs[i].Hi > addr })
	if i < len(l.pubs) && l.pubs[i].Lo <= addr {
		return l.pubs[i].thread, l.pubs[i].born
	}
	return Nobody, l.Now
}

// Access notes that a goroutine touches a range of bytes.
func (k *Knowledge) Access(loc event.Location, thread int32) {
	r := Interval{Lo: loc.Addr, Hi: loc.Addr + uint64(loc.Size)}
	if !k.accessed[r] {
		k.accessed[r] = true
		k.order = append(k.order, r)
	}
	k.touch(k.cellsIn(r.Lo, r.Hi), thread)
}

// Even gives all cells of an access slots if one has: what it meets is a function of them together.
func (k *Knowledge) Even() {
	for slots := -1; slots != len(k.Objects); {
		slots = len(k.Objects)
		for _, r := range k.order {
			at := k.cellsIn(r.Lo, r.Hi)
			if slices.ContainsFunc(at, func(i int32) bool { return k.Layout.cells[i].obj != 0 }) {
				k.share(at)
			}
		}
	}
}

func (k *Knowledge) touch(at []int32, thread int32) {
	shared := false
	for _, i := range at {
		switch c := &k.Layout.cells[i]; c.thread {
		case thread, Nobody:
			c.thread = thread
			shared = shared || c.obj == 0 && k.Joined[thread]
		default:
			c.thread, shared = several, true
		}
	}
	if shared {
		k.share(at)
	}
}

func (k *Knowledge) share(at []int32) {
	for _, i := range at {
		c := &k.Layout.cells[i]
		c.thread = several
		if c.obj == 0 {
			k.slot(c)
			if c.born < k.Layout.Now { // what was known before has another shape
				k.Rebuild()
			}
		}
	}
}

// slot gives a cell a slot in the state.
func (k *Knowledge) slot(c *Cell) {
	c.obj = int32(len(k.Objects))
	k.Objects = append(k.Objects, Object{Space: SpaceCell, Addr: c.lo, Size: c.hi - c.lo, Cap: -1, Start: k.initialOf(c)})
}

// find returns the position of the first cell that ends after an address.
func (l *Layout) find(addr uint64) int {
	return sort.Search(len(l.cells), func(i int) bool { return l.cells[i].hi > addr })
}

// cellsIn returns the cells that make up a range, cutting and adding cells as needed.
func (k *Knowledge) cellsIn(lo, hi uint64) []int32 {
	l := &k.Layout
	if at, ok := l.exact[[2]uint64{lo, hi}]; ok {
		return at
	}
	first := sort.Search(len(l.cells), func(i int) bool { return l.cells[i].hi > lo })
	var at []int32
	pos := lo
	for i := first; i < len(l.cells) && pos < hi && l.cells[i].lo == pos && l.cells[i].hi <= hi; i++ {
		pos = l.cells[i].hi
		at = append(at, int32(i))
	}
	if pos != hi {
		k.cut(lo, hi, first)
		return k.cellsIn(lo, hi)
	}
	if l.exact == nil {
		l.exact = make(map[[2]uint64][]int32)
	}
	l.exact[[2]uint64{lo, hi}] = at
	return at
}

// cut makes the bounds of a range bounds of cells, and fills its gaps with new ones.
func (k *Knowledge) cut(lo, hi uint64, first int) {
	l := &k.Layout
	last := first == len(l.cells)
	var out []Cell // in place of those that the range touches
	fill := func(a, b uint64) {
		if a < b {
			c := Cell{lo: a, hi: b}
			c.thread, c.born = l.Publisher(a)
			out = append(out, c)
		}
	}
	pos, i := lo, first
	for ; i < len(l.cells) && l.cells[i].lo < hi; i++ {
		c := l.cells[i]
		fill(pos, c.lo)
		pos = c.hi
		for _, at := range []uint64{lo, hi, c.hi} {
			if at <= c.lo || at > c.hi {
				continue
			}
			p := Cell{lo: c.lo, hi: at, thread: c.thread, obj: c.obj, born: c.born}
			if at < c.hi || c.lo != l.cells[i].lo { // a part: the slot of the whole is dead
				if p.obj != 0 {
					k.slot(&p)
				}
				if p.born < l.Now || p.obj != 0 {
					k.Rebuild()
				}
			}
			out = append(out, p)
			c.lo = at
		}
	}
	fill(pos, hi)
	l.cells = slices.Replace(l.cells, first, i, out...)
	if !last { // others have other positions now
		l.exact = nil
	}
}

// Learn notes what a range held at the start.
func (k *Knowledge) Learn(addr uint64, b []byte) {
	l := &k.Layout
	news := false
	for i, v := range b {
		if _, ok := l.Initial[addr+uint64(i)]; !ok {
			l.Initial[addr+uint64(i)], news = v, true
		}
	}
	if !news {
		return
	}
	for _, i := range k.cellsIn(addr, addr+uint64(len(b))) {
		if c := &l.cells[i]; c.obj != 0 {
			if o := &k.Objects[c.obj]; o.Start == 0 {
				o.Start = k.initialOf(c)
				k.Stale = true
			}
		}
	}
}

// initialOf returns what a cell holds at the start, 0 if it is not known.
func (k *Knowledge) initialOf(c *Cell) int32 {
	b := make([]byte, 0, 8)
	for a := c.lo; a < c.hi; a++ {
		v, ok := k.Layout.Initial[a]
		if !ok {
			return 0
		}
		b = append(b, v)
	}
	return k.Values.Of(b)
}
