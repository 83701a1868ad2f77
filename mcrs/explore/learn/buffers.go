package learn

import (
	"errors"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file learns what goroutines put into store buffers (rules UBUF of package spec).

// noteBuffers notes whose buffers the threads of an execution are.
func (a *absorption) noteBuffers() error {
	if a.t.Memory == event.SC {
		return nil
	}
	if !a.MayBuffer || a.t.Timing {
		return errors.New("no rule for store buffers")
	}
	if a.Layout.Now > 1 && a.Model != a.t.Memory {
		return errors.New("executions have several memory models")
	}
	a.Model = a.t.Memory
	for i := range a.t.Threads {
		if owner := a.t.Threads[i].Buffers; owner > 0 {
			a.NoteBuffer(a.slot[i], a.slot[owner-1])
		}
	}
	return nil
}

// owner is the goroutine whose accesses those of a thread of the trace are.
func (a *absorption) owner(thread int) int32 { return a.Owner(a.slot[thread]) }

// touchesMemory reports whether an operation is an access, or will be one when it reaches memory.
func touchesMemory(op *event.Op) bool {
	return op.Loc.Size > 0 && (op.Kind.IsAccess() || op.Kind == event.Store)
}

// storesOf returns what a Store puts into its goroutine's buffer. n is the node before it.
func (a *absorption) storesOf(i int32, e *event.Event, n int32) (out []int32) {
	for b := range a.t.Threads { // the words of what it publishes come first (BUF7)
		if x := &a.t.Threads[b]; x.Buffers == e.Thread+1 && x.Spawn == i {
			if one := a.fresh(i, e, n, int32(b)); one > 0 {
				out = append(out, one)
			} else {
				a.refused = errors.New("a store buffer has what no execution has published")
			}
		}
	}
	for b := range a.t.Threads {
		if x := &a.t.Threads[b]; x.Buffers == e.Thread+1 && (a.Model == event.TSO || x.Queue == e.Loc.Addr) {
			write := *e
			write.Kind = event.Write
			out = append(out, a.one(int32(b), n, &write, a.bytesOf(e)))
		}
	}
	return out
}

// fresh is a word that a Store publishes with its object, and that is on its way to memory: the node of a buffer with
// it alone, 0 if it is not known.
func (a *absorption) fresh(i int32, e *event.Event, n, b int32) int32 {
	lo := a.t.Threads[b].Queue
	for j := range a.t.Published {
		p := &a.t.Published[j]
		if p.Event != i || lo < p.Addr || lo >= p.Addr+uint64(p.Size) {
			continue
		}
		word := a.t.Bytes[p.Offset : p.Offset+p.Size][lo-p.Addr:]
		word = word[:min(8, len(word))]
		write := event.Event{Kind: event.Write, Loc: event.Location{Addr: lo, Size: uint32(len(word))}, Case: -1, Value: digest(word), Site: e.Site}
		return a.one(b, n, &write, a.bytes(lo, word))
	}
	return 0
}

// digest is the value of an access to at most eight bytes.
func digest(b []byte) (v uint64) {
	for i := len(b) - 1; i >= 0; i-- {
		v = v<<8 | uint64(b[i])
	}
	return v
}

// one returns the node of a buffer's thread, of the trace, that holds one store alone.
func (a *absorption) one(b, n int32, write *event.Event, raw []byte) int32 {
	one, isNew := a.One(known.Stored{
		Buffer: a.slot[b], Op: event.Op{Kind: event.Write, Loc: write.Loc, Site: write.Site}, Raw: raw, Reply: trace.ReplyOf(write), Locks: a.Nodes[n].Locks,
	})
	if isNew {
		a.Register(one)
		if err := a.rule(one); err != nil && a.refused == nil {
			a.refused = err
		}
	}
	return one
}

// flushed compares the write of a buffer's thread with what the specification has in the buffer.
func (a *absorption) flushed(i int, e *event.Event, n, id int32) error {
	if at := a.Nodes[n].Op.Loc; n == 0 || at != e.Loc {
		return a.fail(i, "it is the write of %x, the specification says %x", e.Loc, at)
	}
	if b := a.bytesOf(e); string(b) != string(a.Edges[id].Raw) {
		return a.fail(i, "it writes %x, the specification says %x", b, a.Edges[id].Raw)
	}
	return nil
}

// forwarded compares what a read took from its goroutine's buffer with what the specification says. It is false if it
// took nothing.
func (a *absorption) forwarded(i int, e *event.Event, x *known.Key) (bool, error) {
	own, _, ok := spec.BufferingIn(a.Rules, &a.s).Own(a.slot[e.Thread], e.Loc)
	if !ok {
		return false, nil
	}
	b := a.bytesOf(e)
	if x.Value = known.HashBytes(b); string(own) != string(b) {
		return true, a.fail(i, "found %x, the store buffer has %x", b, own)
	}
	return true, nil
}
