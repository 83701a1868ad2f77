package race

// This file defines vector clocks that share what they have in common.
//
// An execution may have ten thousands of goroutines, most of which have ended, and as many accesses and objects at
// which a clock is kept. Clocks that are arrays take the product of the two. Here a clock is a tree over the numbers of
// threads. What a goroutine knows is mostly what others know, too: their clocks have whole subtrees in common.

// A node is a part of a clock. A leaf has the counts of some threads; others have the parts of a larger range. A nil
// node knows nothing.
type node struct {
	by     uint32 // the writer that may change it
	counts [fan]int32
	parts  *[fan]*node // nil in a leaf
}

// The threads of a leaf, and the parts of other nodes, are 1 << fanBits.
const (
	fanBits = 4
	fan     = 1 << fanBits
)

// A clock says of each thread how many of its events are known: event seq of thread t is, if seq < get(t). It never
// changes.
type clock struct {
	root   *node
	height int
	thread int32 // the one whose clock it was, or nobody
	count  int32 // of that thread; root may have less
}

// nobody is the thread of a clock that several have made.
const nobody = -1

func (c *clock) get(t int32) int32 {
	if t == c.thread {
		return c.count
	}
	n := c.root
	for h := c.height - 1; h > 0 && n != nil; h-- {
		n = n.parts[t>>(h*fanBits)%fan]
	}
	if n == nil {
		return 0
	}
	return n.counts[t%fan]
}

// A view is a clock that grows: that of a goroutine, or of what several leave at a port.
type view struct {
	clock
	by      uint32 // may change nodes of its tree, if it is not 0
	learned int32  // count when others last told it something
}

// now is the clock as it is. What the view learns from here on does not change it.
func (v *view) now() clock {
	v.by = 0
	return v.clock
}

// A forest makes the trees of a trace.
type forest struct {
	height int // of each: 1 if they are leaves
	last   uint32
	made   int
	first  []node // the room of the trace before, which is used again
	room   []node
}

// roomSize is for how many nodes room is made at once.
const roomSize = 64

// begin forgets all trees. The next ones are of so many threads.
func (f *forest) begin(threads int) {
	f.height, f.last, f.made = 1, 0, 0
	for n := (threads - 1) >> fanBits; n > 0; n >>= fanBits {
		f.height++
	}
	if f.first == nil {
		f.first = make([]node, 0, roomSize)
	}
	f.room = f.first[:0]
}

// view returns a view that knows nothing.
func (f *forest) view(thread int32) view {
	return view{clock: clock{height: f.height, thread: thread}}
}

// own returns a node that a writer may change, and is like n, which may be nil.
func (f *forest) own(n *node, by uint32, height int) *node {
	if n != nil && n.by == by {
		return n
	}
	f.made++
	if len(f.room) == cap(f.room) {
		f.room = make([]node, 0, roomSize) // the one before lives as long as a node of it
	}
	f.room = f.room[:len(f.room)+1]
	m := &f.room[len(f.room)-1]
	m.by, m.parts = by, nil
	switch {
	case height > 1:
		m.parts = new([fan]*node)
		if n != nil {
			*m.parts = *n.parts
		}
	case n != nil:
		m.counts = n.counts
	default:
		clear(m.counts[:])
	}
	return m
}

// learn has a view know what a clock knows.
func (f *forest) learn(v *view, c clock) {
	was := v.root
	changed := false
	if c.root != was && c.root != nil {
		if v.thread != nobody && c.get(v.thread) > v.learned { // it knows all that v knows, but for v's own events
			v.root, v.by, changed = c.root, 0, true
		} else {
			v.root, changed = f.join(was, c.root, f.writer(v), f.height)
		}
	}
	if c.thread != nobody && c.thread != v.thread && v.get(c.thread) < c.count {
		v.root, changed = f.set(v.root, c.thread, c.count, f.writer(v), f.height), true
	}
	if changed {
		v.learned = v.count
	}
}

// writer is who writes for a view.
func (f *forest) writer(v *view) uint32 {
	if v.by == 0 {
		f.last++
		v.by = f.last
	}
	return v.by
}

// set returns n with another count of a thread.
func (f *forest) set(n *node, t, count int32, by uint32, height int) *node {
	n = f.own(n, by, height)
	if height == 1 {
		n.counts[t%fan] = count
		return n
	}
	k := t >> ((height - 1) * fanBits) % fan
	n.parts[k] = f.set(n.parts[k], t, count, by, height-1)
	return n
}

// join returns a with what b knows besides, and whether that is more than a. What of the two knows all is taken as it
// is, so that they have it in common from then on.
func (f *forest) join(a, b *node, by uint32, height int) (_ *node, more bool) {
	switch {
	case a == b || b == nil:
		return a, false
	case a == nil:
		return b, true
	case height == 1:
		return f.joinLeaf(a, b, by)
	}
	var parts [fan]*node
	same := true // as b
	for k, p := range a.parts {
		j, m := f.join(p, b.parts[k], by, height-1)
		parts[k], more, same = j, more || m, same && j == b.parts[k]
	}
	switch {
	case same:
		return b, more
	case more:
		a = f.own(a, by, height)
		*a.parts = parts
	}
	return a, more
}

func (f *forest) joinLeaf(a, b *node, by uint32) (_ *node, more bool) {
	less := false
	for k, n := range a.counts {
		more, less = more || n < b.counts[k], less || n > b.counts[k]
	}
	switch {
	case !less:
		return b, more
	case !more:
		return a, false
	}
	a = f.own(a, by, 1)
	for k, n := range b.counts {
		a.counts[k] = max(a.counts[k], n)
	}
	return a, true
}
