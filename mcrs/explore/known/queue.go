package known

import "math/bits"

// This file keeps what is in channels, and says how long lists are kept.
//
// A short queue, or a map of few keys, is interned as the list that it is. A longer one would cost its whole length
// with each operation:
//
//	LONG1  A longer queue is named by its length, what is first in it, and two hashes of its elements, polynomials
//	       modulo the prime 2^61-1 (Karp and Rabin, IBM Journal of Research and Development 31, 1987). Two queues
//	       are taken for one if both agree. What is in it are the last steps of a path in a tree that all queues
//	       share.
//	LONG2  The keys of a larger map are in a tree by the bits of their hashes. Equal nodes are one, and which nodes
//	       there are depends on the keys alone: so equal maps have one name.

const (
	shortQueue = 64 // elements
	shortMap   = 32 // keys
)

// A Queue is what is in a channel: as much of it as an operation asks for. Its value is 0 while it is open and empty.
type Queue struct {
	Closed bool
	Len    int
	First  uint64 // of Len elements
	value  int32
}

// Queue decodes the value of a channel.
func (v *Values) Queue(value int32) Queue {
	if value == 0 {
		return Queue{}
	}
	closed, n := v.word(value, 0) == 1, len(v.Raw[value])/8
	switch {
	case v.Raw[value][0] == 'Q':
		return Queue{closed, int(v.word(value, 1)), v.word(value, 4), value}
	case n > 1:
		return Queue{closed, n - 1, v.word(value, 1), value}
	}
	return Queue{Closed: closed, value: value}
}

// OfQueue interns what is in a channel.
func (v *Values) OfQueue(closed bool, elements []uint64) int32 {
	if !closed && len(elements) == 0 {
		return 0
	}
	short := elements[:min(len(elements), shortQueue)]
	value := v.OfWords('q', append([]uint64{OneIf(closed)}, short...)...)
	for _, e := range elements[len(short):] {
		value = v.Push(v.Queue(value), e)
	}
	return value
}

// Push returns the value of a queue with one element more.
func (v *Values) Push(q Queue, e uint64) int32 {
	if q.Len < shortQueue {
		return v.OfQueue(q.Closed, append(v.elements(q), e))
	}
	l := v.lengthen(q)
	for i, b := range hashBases {
		l.hash[i] = mod61(mul61(l.hash[i], b) + digit(e, i))
	}
	l.size++
	value, added := v.ofLong(q.Closed, l)
	if added {
		v.tails[value] = v.steps.after(l.last, e)
	}
	return value
}

// Pop returns the value of a queue without its first element.
func (v *Values) Pop(q Queue) int32 {
	if q.Len <= shortQueue {
		return v.OfQueue(q.Closed, v.elements(q)[1:])
	}
	l := v.lengthen(q)
	for i, b := range hashBases {
		l.hash[i] = mod61(l.hash[i] + prime61 - mul61(digit(q.First, i), power61(b, l.size-1)))
	}
	if l.size--; l.size == shortQueue {
		return v.OfQueue(q.Closed, v.steps.lastOf(l.last, shortQueue))
	}
	l.first = v.steps.at(l.last, l.size-1)
	value, added := v.ofLong(q.Closed, l)
	if added {
		v.tails[value] = l.last
	}
	return value
}

// Close returns the value of a queue whose channel is closed.
func (v *Values) Close(q Queue) int32 {
	if q.Len <= shortQueue {
		return v.OfQueue(true, v.elements(q))
	}
	l := v.lengthen(q)
	value, added := v.ofLong(true, l)
	if added {
		v.tails[value] = l.last
	}
	return value
}

// elements lists what is in a short queue.
func (v *Values) elements(q Queue) []uint64 {
	if q.value == 0 {
		return nil
	}
	return v.Words(q.value)[1:]
}

// A long is a queue that is longer than shortQueue, or about to be.
type long struct {
	size  int
	hash  [2]uint64
	first uint64
	last  int32 // the step of the last element
}

// lengthen makes a long of a queue.
func (v *Values) lengthen(q Queue) long {
	if q.Len > shortQueue {
		ws := v.Words(q.value)
		return long{q.Len, [2]uint64{ws[2], ws[3]}, q.First, v.tails[q.value]}
	}
	l := long{size: q.Len, first: q.First}
	for _, e := range v.elements(q) {
		for i, b := range hashBases {
			l.hash[i] = mod61(mul61(l.hash[i], b) + digit(e, i))
		}
		v.MustAdd()
		l.last = v.steps.after(l.last, e)
	}
	return l
}

// ofLong interns a long queue (LONG1), and reports whether it is new.
func (v *Values) ofLong(closed bool, l long) (value int32, added bool) {
	n := len(v.Raw)
	value = v.OfWords('Q', OneIf(closed), uint64(l.size), l.hash[0], l.hash[1], l.first)
	return value, len(v.Raw) > n
}

// Steps are the nodes of a tree of elements. The path to a node is what was sent; node 0 is its root.
type steps struct {
	all   []step
	known map[afterStep]int32
}

type step struct {
	up, jump int32 // jump leads to a node further up, so that any is reached in few steps (Myers, 1983)
	depth    int32
	element  uint64
}

type afterStep struct {
	up      int32
	element uint64
}

// after returns the node of an element after another node.
func (s *steps) after(up int32, e uint64) int32 {
	if s.all == nil {
		s.all, s.known = []step{{}}, map[afterStep]int32{}
	}
	n, ok := s.known[afterStep{up, e}]
	if ok {
		return n
	}
	n = int32(len(s.all))
	x := step{up: up, jump: up, depth: s.all[up].depth + 1, element: e}
	if j := s.all[up].jump; s.all[up].depth-s.all[j].depth == s.all[j].depth-s.all[s.all[j].jump].depth {
		x.jump = s.all[j].jump
	}
	s.all = append(s.all, x)
	s.known[afterStep{up, e}] = n
	return n
}

// at returns the element that stands so many before that of a node.
func (s *steps) at(n int32, before int) uint64 {
	for depth := s.all[n].depth - int32(before); s.all[n].depth > depth; {
		if j := s.all[n].jump; s.all[j].depth >= depth {
			n = j
		} else {
			n = s.all[n].up
		}
	}
	return s.all[n].element
}

// lastOf lists the last elements of the path to a node.
func (s *steps) lastOf(n int32, count int) []uint64 {
	out := make([]uint64, count)
	for i := count - 1; i >= 0; i-- {
		out[i], n = s.all[n].element, s.all[n].up
	}
	return out
}

const prime61 = 1<<61 - 1

var hashBases = [2]uint64{0x0b57a1c6d3e9f245, 0x1c3f5a7906e2d8b1}

// digit is what an element is to one of the polynomials.
func digit(e uint64, polynomial int) uint64 { return Mix(e, uint64(polynomial)) % prime61 }

func mod61(x uint64) uint64 {
	if x = x>>61 + x&prime61; x >= prime61 {
		x -= prime61
	}
	return x
}

// mul61 multiplies two numbers below prime61.
func mul61(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return mod61(lo&prime61 + (lo>>61 | hi<<3))
}

func power61(b uint64, n int) uint64 {
	p := uint64(1)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			p = mul61(p, b)
		}
		b = mul61(b, b)
	}
	return p
}
