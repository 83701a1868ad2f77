package oracle

import (
	"encoding/binary"
	"hash/fnv"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file names who knows of which accesses after an execution. Where brute force tells executions that come to one
// state apart by that, it misses no race behind the state.

// doubts are the accesses for which it matters who knows of them: those at sites that touch the same bytes as sites of
// another goroutine, and were not seen to race with these.
//
// The Adds of wait groups, and the Waits of other goroutines, are among them if they were not seen to race. Then it
// also matters who has found the counter positive since its last operation: a Wait that comes next has to wait. Of a
// Once or a sync.Map it matters who stands where it stood before the last end.
type doubts struct {
	uses   map[use]bool
	groups map[use]bool // Adds and Waits
	sites  map[event.Site]bool
	waits  map[event.Location]bool // wait groups
	ends   map[uint64]bool         // Onces and sync.Maps, by address
}

// A use is an access, whoever made it in which execution.
type use struct {
	thread event.ThreadID
	site   event.Site
	kind   event.Kind
	loc    event.Location
	does   [3]int64 // Key, Value and Other of an operation of package sync: event.Touches
}

func newDoubts() *doubts {
	return &doubts{uses: make(map[use]bool), groups: make(map[use]bool), sites: make(map[event.Site]bool), waits: make(map[event.Location]bool), ends: make(map[uint64]bool)}
}

// look notes the accesses of an execution.
func (d *doubts) look(t *trace.Trace) {
	for i := range t.Events {
		e := &t.Events[i]
		u := use{thread: t.Threads[e.Thread].ID, site: e.Site, kind: e.Kind, loc: e.Loc}
		if e.Kind == event.WaitGroupWait || e.Kind == event.WaitGroupAdd && int64(e.Value) > 0 {
			d.groups[u] = true
		}
		switch {
		case e.Kind.CanRace():
		case ofClose(e):
			u.does[2] = min(e.Other, 0)
		case event.Bytes(e.Kind, e.Loc, e.Key).Size > 0:
			e = touching(e, true)
			if u.does = [3]int64{int64(e.Key), int64(e.Value), e.Other}; event.OfMap(e) {
				u.does[1] = 0
			}
		default:
			continue
		}
		d.uses[u] = true
	}
}

// event returns an event of the use, of some thread.
func (u *use) event(thread int32) *event.Event {
	return &event.Event{Thread: thread, Kind: u.kind, Loc: u.loc, Key: uint64(u.does[0]), Value: uint64(u.does[1]), Other: u.does[2]}
}

// left finds the accesses in doubt after a search, and reports whether there are any.
func (d *doubts) left(r *Result) bool {
	for a := range d.uses {
		for b := range d.uses {
			if a.thread != b.thread && conflicting(a.event(0), b.event(1)) && !r.Races[RaceKey(a.site, b.site)] {
				d.sites[a.site] = true
				for _, u := range [...]use{a, b} {
					switch {
					case u.kind == event.WaitGroupWait:
						d.waits[u.loc] = true
					case u.kind.Object() == event.Once, u.kind.Object() == event.Whole:
						d.ends[u.loc.Addr] = true
					}
				}
			}
		}
	}
	for a := range d.groups {
		for b := range d.groups {
			if a.kind == event.WaitGroupAdd && b.kind == event.WaitGroupWait && a.loc == b.loc && a.thread != b.thread && !r.Races[RaceKey(a.site, b.site)] {
				d.sites[a.site], d.sites[b.site], d.waits[a.loc] = true, true, true
			}
		}
	}
	return len(d.sites) > 0
}

// knowledge names who knows of which accesses in doubt after an execution: each goroutine, and each operation that
// others may yet learn from. If two executions come to one state and agree in this, they go on to the same races.
func (h *history) knowledge(d *doubts) uint64 {
	shared := slices.Clone(h.plain)
	late := make(map[int]bool) // first Adds, and Waits that had to wait: others race with what touches their bytes alone
	if len(d.waits) > 0 {
		for i := range h.ops {
			if d.waits[h.ops[i].Loc] && (h.firstAdd(i) || h.hadToWait(i)) {
				shared, late[i] = append(shared, i), true
			}
		}
		slices.Sort(shared)
		shared = slices.Compact(shared)
	}
	shared = h.lastOnes(slices.DeleteFunc(shared, func(i int) bool { return !d.sites[h.ops[i].Site] }))
	last := make(map[int32]int) // by thread, its last operation
	sum := uint64(0)
	for j := range h.ops {
		last[h.ops[j].Thread] = j
		if h.leaves(j) && !h.overtaken(j) {
			sum += h.nameOf(j, shared, late, 1)
		}
	}
	for _, j := range last {
		sum += h.nameOf(j, shared, late, 2)
	}
	if len(d.waits) == 0 && len(d.ends) == 0 {
		return sum
	}
	for i := range h.ops { // who has been started, and has not moved
		for thread := range h.t.Threads {
			if _, ok := last[int32(thread)]; !ok && h.ops[i].index >= 0 && int32(h.ops[i].index) == h.t.Threads[thread].Spawn {
				last[int32(thread)] = i
			}
		}
	}
	came := func(thread int32, addr uint64) uint64 {
		f := fnv.New64a()
		f.Write([]byte(h.t.Threads[thread].ID))
		f.Write(binary.LittleEndian.AppendUint64(nil, addr))
		return f.Sum64()
	}
	for thread, j := range last {
		for g := range d.waits {
			if h.positiveSince(g, j) {
				sum += came(thread, g.Addr)
			}
		}
		for addr := range d.ends {
			if h.lastEnd(addr) > j {
				sum += came(thread, addr)
			}
		}
	}
	return sum
}

// positiveSince reports whether the counter of a wait group was above zero after operation j.
func (h *history) positiveSince(g event.Location, j int) bool {
	counter := int64(0)
	for i := range h.ops {
		counter = h.counted(i, g, counter)
		if i >= j && counter > 0 {
			return true
		}
	}
	return false
}

// leaves reports whether others may learn from operation j what its goroutine knows.
func (h *history) leaves(j int) bool {
	o := &h.ops[j].Event
	switch o.Kind {
	case event.AtomicStore, event.AtomicRMW, event.ObjectRead, event.ObjectWrite, event.FileRead, event.FileWrite, event.Unlock, event.RUnlock, event.WaitGroupAdd, event.OnceEnd, event.TimerStart,
		event.TimerFire, event.ChanClose:
		return true
	case event.CondSignal, event.CondBroadcast:
		return o.Other > 0
	case event.ChanSend, event.ChanRecv:
		return o.Other >= 0 && o.Partner < 0
	}
	return o.Kind.CanRace() // by a race
}

// overtaken reports whether nobody can learn from operation j any more, because another one comes after it and leaves
// all that j does, in the same place.
func (h *history) overtaken(j int) bool {
	a := &h.ops[j].Event
	size := int64(h.t.Caps[a.Loc.Addr])
	for k := j + 1; k < len(h.ops); k++ {
		b := &h.ops[k].Event
		if b.Loc != a.Loc || !h.before[k].has(j) {
			continue
		}
		switch a.Kind {
		case event.CondSignal:
			if b.Kind == event.CondWait && b.Key == a.Value {
				return true
			}
		case event.ChanSend, event.ChanRecv:
			if !b.Kind.IsComm() || b.Other < 0 {
				continue
			}
			if size <= 0 || h.t.Unsized[a.Loc.Addr] || h.ofChannel(j, k) {
				return true
			}
		case event.ObjectRead, event.ObjectWrite:
			used := int64(0) // what counts is made, and that is always kept
			if event.Shares(a) {
				used = event.MapUsed
			}
			if b.Kind == a.Kind && !h.ops[j].made && b.Other&^used == a.Other&^used {
				return true
			}
		default:
			if b.Kind == a.Kind {
				return true
			}
		}
	}
	return false
}

// nameOf hashes which of some accesses an operation knows, and which of these are late. Of the accesses of one
// goroutine at one site to the same bytes, only the last one counts.
func (h *history) nameOf(j int, accesses []int, late map[int]bool, what uint64) uint64 {
	own := h.hash(j, what)
	sum, known := own, h.before[j]
	if what == 1 && h.throughBuffer(j) {
		known = h.left[j]
	}
	for _, i := range accesses {
		if i != j && !known.has(i) {
			continue
		}
		if sum += h.hash(i, own); late[i] {
			sum += h.hash(i, own+1)
		}
	}
	return sum
}

// lastOnes leaves out accesses that their goroutine has made again.
func (h *history) lastOnes(accesses []int) (out []int) {
	seen := make(map[use]bool)
	for _, i := range slices.Backward(accesses) {
		o := &h.ops[i]
		if u := (use{thread: h.t.Threads[o.Thread].ID, site: o.Site, kind: o.Kind, loc: o.Loc}); !seen[u] {
			seen[u] = true
			out = append(out, i)
		}
	}
	return out
}

// hash names an operation, whatever the order of the threads. What came through the buffer of a channel is named by its
// place there.
func (h *history) hash(i int, salt uint64) uint64 {
	o := &h.ops[i]
	d := fnv.New64a()
	d.Write([]byte(h.t.Threads[o.Thread].ID))
	place := uint64(0)
	if size := h.t.Caps[o.Loc.Addr]; size > 0 && o.Kind.IsComm() {
		place = uint64(o.Other) % uint64(size)
	}
	for _, x := range []uint64{salt, uint64(o.Kind), uint64(o.Site), o.Loc.Addr, place} {
		d.Write(binary.LittleEndian.AppendUint64(nil, x))
	}
	return d.Sum64()
}
