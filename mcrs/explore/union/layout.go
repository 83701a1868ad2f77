package union

import (
	"slices"
	"sort"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file says what an operation touches: cells of memory, and objects with a serial specification.

// A space is a kind of object.
type space uint8

const (
	spaceEnd space = iota // whether the program has ended
	spaceCell
	spaceLock
	spaceChan
	spaceGroup
	spaceOnce
	spaceCond
	spaceMap
	spaceObject
	spaceClock
	spaceTimer
	spaceParked
	spaceCount // of goroutines
)

type objectKey struct {
	space space
	addr  uint64
}

// An object is a slot of a state.
type object struct {
	space space
	addr  uint64
	size  uint64 // of a cell
	cap   int    // of a channel, -1 if not known
	start int32  // its value at the start of an execution
	timer bool   // of a channel: a timer's
	keeps bool   // of a timer's: what it holds, when the timer is stopped
	whole bool   // of a map: it is read as a whole
	// senders and receivers are, of an unbuffered channel, the nodes of selects that stand at it.
	senders, receivers []int32
	foreign            bool // of a lock: a goroutine let go of what another took
	usage
}

func (k *knowledge) object(s space, addr uint64) int32 {
	ok := objectKey{s, addr}
	o, found := k.objectAt[ok]
	if !found {
		k.values.mustAdd()
		o = int32(len(k.objects))
		k.objectAt[ok] = o
		k.objects = append(k.objects, object{space: s, addr: addr, cap: -1})
	}
	return o
}

// A layout cuts memory into cells, so that each access touches whole cells. A cell that one goroutine alone
// touches is no slot of a state: what it holds is a function of that goroutine's history. Once several histories have led to one node, it is none of that node.
type layout struct {
	cells   []cell                // by address, disjoint
	exact   map[[2]uint64][]int32 // positions in cells, by range
	version int32
	pubs    []interval // published by known edges, by address, disjoint
	initial map[uint64]byte
	now     int32 // number of the execution being absorbed
}

type cell struct {
	lo, hi uint64
	thread int32 // the one goroutine that touches it; several, nobody
	obj    int32 // 0 if it is local
	born   int32
}

const (
	several = -1
	nobody  = -2
)

type interval struct {
	lo, hi uint64
	thread int32
	born   int32
}

// rebuild forgets what was computed for an older layout.
func (k *knowledge) rebuild() {
	k.lay.version++
	k.stale = true
}

// publish notes that a goroutine published a range of bytes.
func (k *knowledge) publish(lo, hi uint64, thread int32) {
	l := &k.lay
	i := sort.Search(len(l.pubs), func(i int) bool { return l.pubs[i].lo >= lo })
	if i == len(l.pubs) || l.pubs[i].lo != lo {
		l.pubs = slices.Insert(l.pubs, i, interval{lo, hi, thread, l.now})
	}
	for i := sort.Search(len(l.cells), func(i int) bool { return l.cells[i].hi > lo }); i < len(l.cells) && l.cells[i].lo < hi; i++ {
		k.touch([]int32{int32(i)}, thread)
	}
}

// publisher returns who published an address, and when.
func (l *layout) publisher(addr uint64) (thread, born int32) {
	i := sort.Search(len(l.pubs), func(i int) bool { return l.pubs[i].hi > addr })
	if i < len(l.pubs) && l.pubs[i].lo <= addr {
		return l.pubs[i].thread, l.pubs[i].born
	}
	return nobody, l.now
}

// access notes that a goroutine touches a range of bytes.
func (k *knowledge) access(loc event.Location, thread int32) {
	r := interval{lo: loc.Addr, hi: loc.Addr + uint64(loc.Size)}
	if !k.accessed[r] {
		k.accessed[r] = true
		k.order = append(k.order, r)
	}
	k.touch(k.cellsIn(r.lo, r.hi), thread)
}

// even gives all cells of an access slots if one has: what it meets is a function of them together.
func (k *knowledge) even() {
	for slots := -1; slots != len(k.objects); {
		slots = len(k.objects)
		for _, r := range k.order {
			at := k.cellsIn(r.lo, r.hi)
			if slices.ContainsFunc(at, func(i int32) bool { return k.lay.cells[i].obj != 0 }) {
				k.share(at)
			}
		}
	}
}

func (k *knowledge) touch(at []int32, thread int32) {
	shared := false
	for _, i := range at {
		switch c := &k.lay.cells[i]; c.thread {
		case thread, nobody:
			c.thread = thread
			shared = shared || c.obj == 0 && k.joined[thread]
		default:
			c.thread, shared = several, true
		}
	}
	if shared {
		k.share(at)
	}
}

func (k *knowledge) share(at []int32) {
	for _, i := range at {
		c := &k.lay.cells[i]
		c.thread = several
		if c.obj == 0 {
			k.slot(c)
			if c.born < k.lay.now { // what was known before has another shape
				k.rebuild()
			}
		}
	}
}

// slot gives a cell a slot in the state.
func (k *knowledge) slot(c *cell) {
	c.obj = int32(len(k.objects))
	k.objects = append(k.objects, object{space: spaceCell, addr: c.lo, size: c.hi - c.lo, cap: -1, start: k.initialOf(c)})
}

// find returns the position of the first cell that ends after an address.
func (l *layout) find(addr uint64) int {
	return sort.Search(len(l.cells), func(i int) bool { return l.cells[i].hi > addr })
}

// cellsIn returns the cells that make up a range, cutting and adding cells as needed.
func (k *knowledge) cellsIn(lo, hi uint64) []int32 {
	l := &k.lay
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
func (k *knowledge) cut(lo, hi uint64, first int) {
	l := &k.lay
	out := slices.Clone(l.cells[:first])
	fill := func(a, b uint64) {
		if a < b {
			c := cell{lo: a, hi: b}
			c.thread, c.born = l.publisher(a)
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
			p := cell{lo: c.lo, hi: at, thread: c.thread, obj: c.obj, born: c.born}
			if at < c.hi || c.lo != l.cells[i].lo { // a part: the slot of the whole is dead
				if p.obj != 0 {
					k.slot(&p)
				}
				if p.born < l.now || p.obj != 0 {
					k.rebuild()
				}
			}
			out = append(out, p)
			c.lo = at
		}
	}
	fill(pos, hi)
	l.cells = append(out, l.cells[i:]...)
	l.exact = nil
}

// learn notes what a range held at the start.
func (k *knowledge) learn(addr uint64, b []byte) {
	l := &k.lay
	news := false
	for i, v := range b {
		if _, ok := l.initial[addr+uint64(i)]; !ok {
			l.initial[addr+uint64(i)], news = v, true
		}
	}
	if !news {
		return
	}
	for _, i := range k.cellsIn(addr, addr+uint64(len(b))) {
		if c := &l.cells[i]; c.obj != 0 {
			if o := &k.objects[c.obj]; o.start == 0 {
				o.start = k.initialOf(c)
				k.stale = true
			}
		}
	}
}

// initialOf returns what a cell holds at the start, 0 if it is not known.
func (k *knowledge) initialOf(c *cell) int32 {
	b := make([]byte, 0, 8)
	for a := c.lo; a < c.hi; a++ {
		v, ok := k.lay.initial[a]
		if !ok {
			return 0
		}
		b = append(b, v)
	}
	return k.values.of(b)
}
