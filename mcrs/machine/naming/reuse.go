package naming

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file gives addresses out again, so that a loop that allocates something in each round comes back to a state.
//
//	REUSE1  Where a goroutine comes to stand at an operation, what it has allocated and kept for itself, and cannot
//	        reach any more, is gone. Its address is the next that the goroutine's allocations get, the lowest first.
//	        It reaches what the words of its frames that are read again lead to (code.Liveness), and what the machine
//	        keeps for it.
//	REUSE2  An object is a goroutine's own as long as it was not published, no event names it, and the host keeps no
//	        address of it (mem.Met). So in the events of an execution no address stands for two objects: what is told
//	        of an address, who has touched it, and in what order, is told of one object.
//	REUSE3  A goroutine that has made or entered a coroutine keeps its addresses: while it is on the coroutine's
//	        stack, its own lies in the coroutine, which others may have as well.
//	REUSE4  A look costs no more than the allocations since the last one are worth. Below cheapLook words it is
//	        made at each operation behind an allocation, above it once the goroutine has allocated an object for
//	        each wordsPerObject words. None is made at a go statement, which is about to give the function away
//	        that it starts, nor where all that is new has been given away. A look ends at the stack if the stack
//	        names all that is new: a loop in which something becomes unreachable in each round leaves an object
//	        behind that it does not name. One that meets more than mostLooked words is given up, and what is young
//	        then keeps its address. All of that is counted from the goroutine's own history.
//	REUSE5  Whether an event has named an object is part of its goroutine's state while it is its own, and of no state
//	        once it is shared: it keeps its address whatever names it, and the events of others may.
//
// What is gone, and which addresses come next, is a function of what is in the name of the goroutine: the words that
// are read again, what they lead to, and what of the goroutine's segment is young and what is free. So states of equal
// names still go on in the same ways. (A word that is not read again keeps nothing alive, also if it is an address.)
//
// No program can tell. It holds no pointer to what is gone. Of an address that it has made a number, a hash, an order
// or a text it has the number, the hash, the order or the text, for nothing is renamed: two objects of which the first
// was gone before the second came may have one address, as natively where the collector has done its work between.

const (
	cheapLook      = 512
	wordsPerObject = 16
	mostLooked     = 4096
)

// Vacate gives the addresses out again of what a goroutine cannot reach any more: rule REUSE1.
func (w *Namer) Vacate(g *vm.G) {
	if g.Since == 0 || !g.Waiting || g.Pseudo() || g.Ending || g.Dying || len(g.Panics) > 0 || g.Got.Has || g.Message != "" || g.Text != nil {
		return
	}
	m := w.m
	if g.DropKnown(m) == 0 && len(g.Young) < vm.MostYoung {
		g.Since = 0
		return
	}
	if g.Op.Kind == event.Spawn || g.Walked > cheapLook && g.Since*wordsPerObject < g.Walked {
		return
	}
	w.mark(g)
	w.stackReaches(g)
	held := w.fresh == 0 && len(g.Young) < vm.MostYoung
	known := held || w.reach()
	g.Since, g.Walked = 0, w.looked
	m.LookedAt += w.looked / inRow // most are of frames
	m.Vacating += w.looked / inRow
	if held {
		return
	}
	if !known {
		g.Young, g.Old = g.Young[:0], 0
		return
	}
	gone := false
	g.Young = slices.DeleteFunc(g.Young, func(a uint64) bool {
		o := m.Mem.Object(a)
		if o != nil && o.Seen == w.number {
			return false
		}
		gone = true
		if o != nil {
			m.Mem.Vacate(o)
		}
		g.Vacant = append(g.Vacant, mem.SlotOf(a))
		return true
	})
	g.Old = len(g.Young)
	if gone {
		slices.SortFunc(g.Vacant, func(a, b uint64) int { return int(b) - int(a) })
	}
}

// mark begins a walk that looks for what is young.
func (w *Namer) mark(g *vm.G) {
	w.number += 3
	w.todo, w.looked, w.young, w.fresh = w.todo[:0], int64(len(g.Young)), len(g.Young), len(g.Young)-g.Old
	for i, a := range g.Young {
		if o := w.m.Mem.Object(a); o != nil {
			o.Seen = w.number - 1 - uint32(vm.Word(i < g.Old))
		}
	}
}

// stackReaches meets what the words of a goroutine's stack name of its own, and what the machine keeps for it.
func (w *Namer) stackReaches(g *vm.G) {
	for i := range g.Frames {
		w.looked += int64(g.Frames[i].Func.Frame) / 8
		frameReads(w.m, g, i, w.visitReached)
	}
	w.reached(g.Origin.Data)
	for _, a := range g.Memos {
		w.reached(a)
	}
	for _, f := range w.m.Finalizers {
		if f.By == g.Index {
			w.reached(f.Object)
			for _, a := range f.Uses {
				w.reached(a)
			}
		}
	}
}

// reach meets what is reached from there, until all that is young has been met. It reports whether it came to the end.
func (w *Namer) reach() bool {
	for i := 0; i < len(w.todo) && w.young > 0; i++ {
		o := w.todo[i]
		if w.looked += 1 + int64(o.Size)/8; w.looked > mostLooked {
			return false
		}
		if o.Ptrs != nil {
			o.Ptrs.Scan(o.Data(), o.Size, w.visitReached, true)
		}
		if o.Aux != nil {
			w.looked += o.Aux.Footprint() / 8
			o.Aux.Scan(w.visitReached, true)
		}
	}
	return w.looked <= mostLooked
}

// reached notes what a word leads to, if it may be a goroutine's own.
func (w *Namer) reached(x uint64) {
	if mem.SegmentOf(x) < mem.First {
		return
	}
	o := w.m.Mem.Object(x)
	if o == nil || o.Flags&(mem.Shared|mem.ReadOnly) != 0 || o.Seen == w.number {
		return
	}
	switch w.number - o.Seen {
	case 1:
		w.young--
		w.fresh--
	case 2:
		w.young--
	}
	o.Seen = w.number
	w.todo = append(w.todo, o)
}
