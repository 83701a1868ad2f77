package causality

import (
	"cmp"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file filters the memory accesses of a finished trace: it finds the bytes
// that several threads touched and one of them wrote, and cuts them into cells such that
// every access covers whole cells. The bytes of a lock are among them if some access touches them (DEP12).

// A span is a range of bytes with who touched it.
type span struct {
	lo, hi uint64
	thread int32 // -1: several
	write  bool
	access bool    // not only operations of package sync
	wrote  bool    // some access wrote
	cells  []int32 // the cells it covers; nil if it was not shared
}

// A layout maps ranges to cells.
type layout struct {
	spans map[event.Location]*span
	wrote map[int32]bool // cells that some access wrote; nil until somebody asks
}

// written reports whether some access wrote a cell of a range that the trace accessed.
func (l *layout) written(loc event.Location) bool {
	cells := l.at(loc)
	if cells == nil {
		return false
	}
	if l.wrote == nil {
		l.wrote = make(map[int32]bool)
		for _, s := range l.spans {
			for _, c := range s.cells {
				l.wrote[c] = l.wrote[c] || s.wrote
			}
		}
	}
	return slices.ContainsFunc(cells, func(c int32) bool { return l.wrote[c] })
}

// newLayout makes the cells of a trace, with newCell as the maker of cells.
func newLayout(t *trace.Trace, newCell func() int32) *layout {
	l := &layout{spans: make(map[event.Location]*span)}
	for i := range t.Events {
		e := &t.Events[i]
		l.noteOp(e.Kind, e.Loc, e.Key, owner(t, e.Thread))
	}
	for i := range t.Threads {
		if op := t.Threads[i].Pending; op != nil {
			l.noteOp(op.Kind, op.Loc, op.Key, owner(t, int32(i)))
		}
	}
	spans := make([]*span, 0, len(l.spans))
	for _, s := range l.spans {
		spans = append(spans, s)
	}
	slices.SortFunc(spans, func(a, b *span) int {
		return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.hi, b.hi))
	})
	for len(spans) > 0 { // one cluster of overlapping spans after the other
		n, hi := 1, spans[0].hi
		for n < len(spans) && spans[n].lo < hi {
			hi = max(hi, spans[n].hi)
			n++
		}
		carve(spans[:n], t.Memory != event.SC, newCell)
		spans = spans[n:]
	}
	return l
}

// noteOp notes what an operation touches.
func (l *layout) noteOp(k event.Kind, loc event.Location, key uint64, thread int32) {
	if k.IsAccess() {
		l.note(loc, thread, k.IsWrite())
		s := l.spans[loc]
		s.access, s.wrote = true, s.wrote || k.IsWrite()
	} else if b := event.Bytes(k, loc, key); b.Size > 0 {
		l.note(b, thread, true)
	}
}

func (l *layout) note(loc event.Location, thread int32, write bool) {
	s := l.spans[loc]
	if s == nil {
		s = &span{lo: loc.Addr, hi: loc.Addr + max(1, uint64(loc.Size)), thread: thread}
		l.spans[loc] = s
	}
	if s.thread != thread {
		s.thread = -1
	}
	s.write = s.write || write
}

// owner is the goroutine whose buffer a thread is, or the thread itself. What only one goroutine touches it finds as it
// left it, in its buffer or in memory.
func owner(t *trace.Trace, p int32) int32 {
	if o := t.Threads[p].Buffers; o > 0 {
		return o - 1
	}
	return p
}

// carve gives the spans of a cluster their cells, if the cluster was shared. With store buffers one whose spans differ
// counts as shared: a read may wait for a part of it.
func carve(cluster []*span, buffers bool, newCell func() int32) {
	thread, write, access := cluster[0].thread, false, false
	var ends []uint64
	for _, s := range cluster {
		if s.thread != thread {
			thread = -1
		}
		write = write || s.write
		access = access || s.access
		ends = append(ends, s.lo, s.hi)
	}
	if thread >= 0 && !(buffers && len(cluster) > 1) || !write || !access {
		return
	}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	first := newCell()
	for range len(ends) - 2 {
		newCell()
	}
	for _, s := range cluster {
		i, _ := slices.BinarySearch(ends, s.lo)
		j, _ := slices.BinarySearch(ends, s.hi)
		for ; i < j; i++ {
			s.cells = append(s.cells, first+int32(i))
		}
	}
}

// at returns the cells of a range that the trace accessed, nil if it was not shared.
func (l *layout) at(loc event.Location) []int32 {
	if s := l.spans[loc]; s != nil {
		return s.cells
	}
	return nil
}
