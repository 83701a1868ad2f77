package learn

import (
	"encoding/binary"
	"slices"
	"sort"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file tells contents apart that are read without events (UMEM2): the bytes of a string, a closure, a value in an
// interface. In one execution an address of such memory has one content, in two it may have different ones. So the
// contents that were met at an address are numbered. Where a word is such an address, and the content is not the one
// with number 0, a name of both stands in its place: in what memory holds, in what is sent, and in what a goroutine
// starts with.
//
// So a goroutine is a function of what it is told. It comes to an address of another goroutine's memory by being told a
// word, and by following addresses from there. What it finds on the way is in the name of that word, up to memory that
// is read with events. What it tells is a function of that, too: an address in its own memory has a content that
// follows from its history, and it was told every other.

// contents are those of an execution that have another number than 0.
type contents struct {
	ranges  []content // by address, disjoint
	carried map[uint64][]uint64
}

// A content is what is at a range of addresses.
type content struct{ lo, hi, number uint64 }

// contentsOf numbers the contents of an execution.
func contentsOf(k *known.Memory, t *trace.Trace, channels map[uint64]uint64) contents {
	n := numbering{k: k, t: t, at: make(map[uint64]int32), channels: channels}
	for addr, number := range channels {
		n.ranges = append(n.ranges, content{addr, addr + 1, number})
	}
	for i := range t.Published {
		if p := &t.Published[i]; p.Unlogged {
			n.at[p.Addr] = int32(i)
			n.order = append(n.order, p.Addr)
		}
	}
	slices.Sort(n.order)
	for i := range t.Published {
		if t.Published[i].Unlogged {
			n.number(int32(i))
		}
	}
	slices.SortFunc(n.ranges, func(a, b content) int { return int(int64(a.lo) - int64(b.lo)) })
	n.carried = t.Carried
	return n.contents
}

// A numbering is the state of contentsOf. While it lasts the ranges are in the order in which they were numbered.
type numbering struct {
	contents
	k        *known.Memory
	t        *trace.Trace
	at       map[uint64]int32  // addresses of publications
	order    []uint64          // the same, sorted
	done     map[int32]uint64  // numbers, by publication
	channels map[uint64]uint64 // numbers of the channels that are not the first ones at their addresses (UCHAN2)
}

// number numbers what was published. What it leads to comes first.
func (n *numbering) number(i int32) uint64 {
	if v, ok := n.done[i]; ok {
		return v
	}
	if n.done == nil {
		n.done = make(map[int32]uint64)
	}
	n.done[i] = 0 // a content that leads to itself
	p := &n.t.Published[i]
	b := rename(p.Addr, n.t.Bytes[p.Offset:p.Offset+p.Size], func(w uint64) uint64 {
		if number := n.channels[w]; number > 0 {
			return nameOf(w, number)
		}
		j := sort.Search(len(n.order), func(j int) bool { return n.order[j] > w }) - 1
		if j < 0 {
			return w
		}
		o := n.at[n.order[j]]
		if q := &n.t.Published[o]; w >= q.Addr+uint64(q.Size) || o == i {
			return w
		}
		return nameOf(w, n.number(o))
	})
	h := known.HashBytes(b)
	met := n.k.Contents[p.Addr]
	v := slices.Index(met, h)
	if v < 0 {
		v = len(met)
		n.k.Contents[p.Addr] = append(met, h)
	}
	n.done[i] = uint64(v)
	if v > 0 {
		n.ranges = append(n.ranges, content{p.Addr, p.Addr + uint64(p.Size), uint64(v)})
	}
	return uint64(v)
}

// nameOf is what stands for an address where the content has a number.
func nameOf(w, number uint64) uint64 {
	if number == 0 {
		return w
	}
	return known.Mix(known.Mix(w, number), 17)
}

// word is what stands for a word.
func (c *contents) word(w uint64) uint64 {
	i := sort.Search(len(c.ranges), func(i int) bool { return c.ranges[i].hi > w })
	if i == len(c.ranges) || w < c.ranges[i].lo {
		return w
	}
	return nameOf(w, c.ranges[i].number)
}

// bytes is what stands for bytes at an address.
func (c *contents) bytes(addr uint64, b []byte) []byte {
	if len(c.ranges) == 0 {
		return b
	}
	return rename(addr, b, c.word)
}

// rename replaces words of bytes, which are not changed themselves.
func rename(addr uint64, b []byte, word func(uint64) uint64) []byte {
	out := b
	for at := int(-addr & 7); at+8 <= len(b); at += 8 {
		w := binary.LittleEndian.Uint64(b[at:])
		v := word(w)
		if v == w {
			continue
		}
		if &out[0] == &b[0] {
			out = slices.Clone(b)
		}
		binary.LittleEndian.PutUint64(out[at:], v)
	}
	return out
}

// told is what stands for the value of an event, or for a digest of one.
func (c *contents) told(v uint64) uint64 {
	if len(c.ranges) == 0 {
		return v
	}
	h := c.word(v)
	for i, w := range c.carried[v] {
		if x := c.word(w); x != w {
			h = known.Mix(h, known.Mix(x, uint64(i)))
		}
	}
	return h
}

// tells names what an event told its goroutine, 0 if the reply says it.
func (a *absorption) tells(e *event.Event) uint64 {
	if len(a.ranges) == 0 || !e.Kind.TellsValue() || e.OfHost() {
		return 0
	}
	if e.Kind.IsAccess() && e.Loc.Size > 8 {
		b := a.t.Bytes[e.Other:][:e.Loc.Size]
		if r := a.bytes(e.Loc.Addr, b); &r[0] != &b[0] {
			return known.HashBytes(r)
		}
		return 0
	}
	if v := a.told(e.Value); v != e.Value {
		return v
	}
	return 0
}
