package prior

import (
	"encoding/binary"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file reads the store buffers out of a trace, for the rules TSO1 to TSO5: what each write to memory was
// when it was stored, what has to be in memory before an operation, and which store of its own a read may find.

// A Stored is a plain write under a relaxed memory model: the store, and the write of the buffer's thread.
type Stored struct {
	Issue  int32 // event: a Store; of a word that came with its object, the Store that published it
	Flush  int32 // event: the write; -1 if the trace ends before
	Thread int32 // of the buffer, or of the queue
	Loc    event.Location
	Bytes  []byte
}

// Buffers are the store buffers of a trace.
type Buffers struct {
	t *trace.Trace
	// Stores has, by event of a write to memory, what it was. Issued lists all stores by thread of the queue.
	Stores map[int32]*Stored
	Issued [][]*Stored
	// Waits lists, by event, the writes (and stores) that come before it beyond its goroutine's own order.
	Waits map[int32][]int32
	// Own has, by event of a read, the newest store of its goroutine that has its bytes, if that may be on its way
	// then.
	Own map[int32]*Stored
	// Before lists, by event, what its goroutine has stored since it last waited, oldest first.
	Before [][]*Stored
	// Left lists, by goroutine, what its pending operation finds stored since it last waited, oldest first.
	Left [][]*Stored
}

// BuffersOf returns the store buffers of a trace, nil if it has none.
func BuffersOf(t *trace.Trace) *Buffers {
	if t.Memory == event.SC {
		return nil
	}
	b := &Buffers{t: t, Stores: make(map[int32]*Stored), Issued: make([][]*Stored, len(t.Threads)), Waits: make(map[int32][]int32),
		Own: make(map[int32]*Stored), Before: make([][]*Stored, len(t.Events)), Left: make([][]*Stored, len(t.Threads))}
	writes := make([][]int32, len(t.Threads)) // by thread of a queue
	for i := range t.Events {
		if th := t.Events[i].Thread; t.Threads[th].Buffers > 0 {
			writes[th] = append(writes[th], int32(i))
		}
	}
	for i := range t.Events {
		e, n := &t.Events[i], int32(i)
		b.Before[i] = b.Left[e.Thread]
		switch {
		case t.Threads[e.Thread].Buffers > 0:
		case e.Kind == event.Store:
			for _, s := range b.storesOf(n) {
				b.issue(e.Thread, s, writes)
			}
		case t.Drained(e):
			for _, s := range b.Left[e.Thread] { // TSO3
				b.wait(n, s.Flush)
			}
			b.Left[e.Thread] = nil
		case e.Kind == event.Read || e.Kind == event.AtomicLoad:
			if s, whole := Newest(b.Left[e.Thread], e.Loc); whole {
				b.Own[n] = s
			} else if s != nil { // TSO2
				b.wait(n, s.Flush)
			}
		}
	}
	return b
}

// storesOf lists what a Store puts into its goroutine's buffer: first the words of what it publishes (BUF7).
func (b *Buffers) storesOf(i int32) (out []*Stored) {
	e := &b.t.Events[i]
	for th := range b.t.Threads {
		if x := &b.t.Threads[th]; x.Buffers == e.Thread+1 && x.Spawn == i {
			word := wordOf(b.t, i, x.Queue)
			out = append(out, &Stored{Issue: i, Thread: int32(th), Loc: event.Location{Addr: x.Queue, Size: uint32(len(word))}, Bytes: word})
		}
	}
	for th := range b.t.Threads {
		if x := &b.t.Threads[th]; x.Buffers == e.Thread+1 && (b.t.Memory == event.TSO || x.Queue == e.Loc.Addr) {
			out = append(out, &Stored{Issue: i, Thread: int32(th), Loc: e.Loc, Bytes: BytesOf(b.t, e)})
		}
	}
	return out
}

// wordOf returns the word at an address of what event i published.
func wordOf(t *trace.Trace, i int32, addr uint64) []byte {
	for k := range t.Published {
		if p := &t.Published[k]; p.Event == i && p.Addr <= addr && addr < p.Addr+uint64(p.Size) {
			b := t.Bytes[p.Offset : p.Offset+p.Size][addr-p.Addr:]
			return b[:min(8, len(b))]
		}
	}
	return nil
}

// issue puts a store into the buffer of goroutine g. writes has, by thread of a queue, its writes that are left.
func (b *Buffers) issue(g int32, s *Stored, writes [][]int32) {
	s.Flush = -1
	if w := writes[s.Thread]; len(w) > 0 {
		s.Flush, writes[s.Thread] = w[0], w[1:]
		b.Stores[s.Flush] = s
		b.wait(s.Flush, s.Issue) // TSO1
		for _, o := range b.Left[g] {
			if o.Thread != s.Thread && o.Loc.Overlaps(s.Loc) { // TSO1
				b.wait(s.Flush, o.Flush)
			}
		}
	}
	b.Issued[s.Thread] = append(b.Issued[s.Thread], s)
	b.Left[g] = append(b.Left[g], s)
}

func (b *Buffers) wait(i, before int32) {
	if before >= 0 {
		b.Waits[i] = append(b.Waits[i], before)
	}
}

// Newest returns the newest of some stores that overlaps a range, and whether it has all of that.
func Newest(of []*Stored, l event.Location) (s *Stored, whole bool) {
	for _, s := range slices.Backward(of) {
		if s.Loc.Overlaps(l) {
			return s, s.Loc.Addr <= l.Addr && l.Addr+uint64(l.Size) <= s.Loc.Addr+uint64(s.Loc.Size)
		}
	}
	return nil, false
}

// Sized returns the bytes of a word.
func Sized(v uint64, size uint32) []byte {
	b := binary.LittleEndian.AppendUint64(nil, v)
	for len(b) < int(size) {
		b = append(b, 0)
	}
	return b[:size]
}

// BytesOf returns the bytes of an access or a Store.
func BytesOf(t *trace.Trace, e *event.Event) []byte {
	if e.Loc.Size > 8 {
		if end := e.Other + int64(e.Loc.Size); e.Other >= 0 && end <= int64(len(t.Bytes)) {
			return t.Bytes[e.Other:end]
		}
	}
	return Sized(e.Value, e.Loc.Size)
}
