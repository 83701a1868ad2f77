package learn

import (
	"errors"
	"maps"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file tells channels apart that have one address (UCHAN2). An address is the goroutine's, and the number of its
// allocation: where it has allocated other things before, another channel has the address, or a timer. In one execution
// an address stands for one channel. So where an execution has one of another sort there, that is another object. It
// gets an address of its own, one within the channel, that nothing else has; and where a word is the address of the
// channel, a name of both stands in its place (UMEM2). So a goroutine is told which one it is. If it has made the
// channel itself, the machine says it in the name of its state (vm.SortOf).

// timersChannel is the sort of a timer's channel. Those of others have their capacity, and whether elements have bytes.
const timersChannel = -1 << 16

// errChannel is why an execution with bubbles cannot be learned.
var errChannel = errors.New("no rule for a channel of a bubble at the address that another execution has another channel at")

// tellChannelsApart gives such channels their addresses in the execution.
func tellChannelsApart(a *absorption) (numbers map[uint64]uint64, err error) {
	kinds := make(map[uint64]int32)
	for addr, size := range a.t.Caps {
		if f, filled := a.t.Filled[addr]; filled {
			size = f.Cap
		}
		kinds[addr] = int32(size)<<1 | int32(known.OneIf(a.t.Unsized[addr]))
	}
	for i := range a.t.Started {
		if n := &a.t.Started[i]; n.Channel {
			kinds[n.Object] = timersChannel
		}
	}
	other := make(map[uint64]uint64)
	numbers = make(map[uint64]uint64)
	for _, addr := range slices.Sorted(maps.Keys(kinds)) {
		kind := kinds[addr]
		n := slices.Index(a.Channels[addr], kind)
		if n < 0 {
			n = len(a.Channels[addr])
			a.Channels[addr] = append(a.Channels[addr], kind)
		}
		switch {
		case n > 0 && len(a.Bubbles) > 1:
			return nil, errChannel
		case n > 0:
			other[addr], numbers[addr] = addr+uint64(n), uint64(n)
		}
	}
	if len(other) > 0 {
		a.t = renameChannels(a.t, other)
		a.w.renameChannels(other)
	}
	return numbers, nil
}

// renameChannels returns an execution with other addresses for channels.
func renameChannels(t *trace.Trace, other map[uint64]uint64) *trace.Trace {
	y := *t
	y.Events = slices.Clone(t.Events)
	for i := range y.Events {
		if e := &y.Events[i]; isOfChannel(e.Kind) {
			e.Loc.Addr = to(other, e.Loc.Addr)
		}
	}
	y.Threads = slices.Clone(t.Threads)
	for i := range y.Threads {
		if op := y.Threads[i].Pending; op != nil {
			one := *op
			renameIn(&one, other)
			y.Threads[i].Pending = &one
		}
	}
	y.Started = slices.Clone(t.Started)
	for i := range y.Started {
		if n := &y.Started[i]; n.Channel {
			n.Object = to(other, n.Object)
		}
	}
	y.Caps, y.Unsized, y.Closed = keys(t.Caps, other), keys(t.Unsized, other), keys(t.Closed, other)
	y.Filled, y.Unordered = keys(t.Filled, other), keys(t.Unordered, other)
	return &y
}

// isOfChannel reports whether an operation is on a channel, or on a timer, which may have one.
func isOfChannel(kind event.Kind) bool {
	return kind.Object() == event.Channel || kind.Object() == event.Timer
}

func to(other map[uint64]uint64, addr uint64) uint64 {
	if x, ok := other[addr]; ok {
		return x
	}
	return addr
}

// keys returns a map with other keys.
func keys[V any](m map[uint64]V, other map[uint64]uint64) map[uint64]V {
	out := make(map[uint64]V, len(m))
	for addr, v := range m {
		out[to(other, addr)] = v
	}
	return out
}

// renameIn gives channels other addresses in an operation.
func renameIn(op *event.Op, other map[uint64]uint64) {
	if isOfChannel(op.Kind) {
		op.Loc.Addr = to(other, op.Loc.Addr)
	}
	for i, c := range op.Cases {
		if x, ok := other[c.Chan]; ok {
			op.Cases = slices.Clone(op.Cases) // the machine has others
			op.Cases[i].Chan = x
		}
	}
}

// renameChannels gives channels other addresses in the operations that were seen.
func (w *Watch) renameChannels(other map[uint64]uint64) {
	for i := range w.ops {
		for _, op := range w.ops[i] {
			if op != nil {
				renameIn(op, other)
			}
		}
	}
}
