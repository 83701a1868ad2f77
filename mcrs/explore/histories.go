package explore

import (
	"encoding/binary"
	"slices"
	"sort"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file says what goroutines are told, so that executions under different memory models can be compared.

// histories calls yield for each event that tells a goroutine something, with a digest of all that the goroutine has
// been told up to it, until yield returns false. The threads of store buffers are told nothing.
func histories(t *trace.Trace, yield func(i int, h uint64) bool) {
	told := make([]uint64, len(t.Threads))
	for i := range t.Threads {
		told[i] = causality.HashString(string(t.Threads[i].ID))
	}
	c := contentsOf(t)
	for i := range t.Events {
		e := &t.Events[i]
		switch e.Kind {
		case event.Write, event.Store, event.AtomicStore, event.Fence:
			continue
		}
		x := trace.ReplyOf(e)
		if t.Threads[e.Thread].Buffers > 0 || x.Case < 0 && !x.Wrong && !e.Kind.TellsValue() {
			continue
		}
		kind := uint64(x.Kind)<<16 | uint64(uint16(x.Case))
		if x.Wrong {
			kind |= 1 << 32
		}
		told[e.Thread] = causality.Mix(told[e.Thread], causality.Mix(kind, c.value(e, x.Value)))
		if !yield(i, told[e.Thread]) {
			return
		}
	}
}

// contents are the digests of what is read without events, as the bytes of a string: whoever is told its address is
// told that too. (Package learn gives them numbers, for the same reason.)
type contents struct {
	t      *trace.Trace
	at     []int32 // publications of such memory, by address
	digest map[int32]uint64
}

func contentsOf(t *trace.Trace) *contents {
	c := &contents{t: t, digest: make(map[int32]uint64)}
	for i := range t.Published {
		if t.Published[i].Unlogged {
			c.at = append(c.at, int32(i))
		}
	}
	slices.SortFunc(c.at, func(a, b int32) int { return int(int64(t.Published[a].Addr) - int64(t.Published[b].Addr)) })
	return c
}

// value is the digest of what an event tells.
func (c *contents) value(e *event.Event, v uint64) uint64 {
	if e.Kind.IsAccess() && e.Loc.Size > 8 && e.Kind.TellsValue() && !e.OfHost() {
		return c.bytes(v, c.t.Bytes[e.Other:][:e.Loc.Size])
	}
	words := c.t.Carried[v]
	if len(words) == 0 {
		return c.word(v)
	}
	for _, w := range words {
		v = causality.Mix(v, c.word(w))
	}
	return v
}

// bytes is h with the digests of the words of some bytes, and of what is left.
func (c *contents) bytes(h uint64, b []byte) uint64 {
	for ; len(b) >= 8; b = b[8:] {
		h = causality.Mix(h, c.word(binary.LittleEndian.Uint64(b)))
	}
	return causality.Mix(h, causality.HashString(string(b)))
}

// word is the digest of a word, which may be an address.
func (c *contents) word(w uint64) uint64 {
	j := sort.Search(len(c.at), func(j int) bool { return c.t.Published[c.at[j]].Addr > w }) - 1
	if j < 0 {
		return w
	}
	i := c.at[j]
	p := &c.t.Published[i]
	if w >= p.Addr+uint64(p.Size) {
		return w
	}
	d, ok := c.digest[i]
	if !ok {
		c.digest[i] = 0 // a content that leads to itself
		d = c.bytes(0, c.t.Bytes[p.Offset:p.Offset+p.Size])
		c.digest[i] = d
	}
	return causality.Mix(w, d)
}
