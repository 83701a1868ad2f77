package naming

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/objects"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file finds out that what an entry left behind repeats itself.
//
//	REPEAT1 Where the clock is about to move, the state is that of the goroutines that are left, of memory, and of the
//	        timers, times relative to now. If the state in which the execution ends (TIME3) is one in which it was
//	        before, nothing was left out: suppose that a state is reached by some schedule only after more moves than
//	        that, and take the one with fewest. The schedule passes a state at the last move allowed that is equal to
//	        one some moves earlier. From that one the same is reached with fewer moves. What a goroutine reads of the
//	        clock, and the numbers of its random stream, are part of its state: so a loop that looks at the clock does
//	        not repeat itself.

// quietWindow is how many moves before the last states are kept.
const quietWindow = 32

// NoteQuiet keeps the present state.
func NoteQuiet(m *vm.Machine) {
	if m.Mode == vm.Running || m.Fires < max(vm.AfterReturn, m.Options.After)-quietWindow {
		return
	}
	if h, ok := quietState(m); ok {
		if m.QuietStates == nil {
			m.QuietStates = map[uint64]bool{}
		}
		m.QuietStates[h] = true
	}
}

// Repeats reports whether the present state is one of those kept (REPEAT1).
func Repeats(m *vm.Machine) bool {
	h, ok := quietState(m)
	return ok && m.QuietStates[h]
}

// quietState names the present state, if it has a name.
func quietState(m *vm.Machine) (uint64, bool) {
	if m.Coros > 0 || len(m.Bubbles) > 0 || len(m.Fresh) > 0 || len(m.Early) > 0 {
		return 0, false
	}
	sum := vm.HashMix(m.HostWrites, vm.Word(m.EntryDone))
	if m.Options.Timing {
		sum = vm.HashMix(sum, uint64(min(m.Firings, m.Options.EarlyMost))<<1|vm.Word(m.Now > vm.Epoch+vm.EarlyTime))
	}
	for _, g := range m.Threads {
		if g.Ended || g.Pseudo() {
			continue
		}
		if !g.Waiting || len(g.Panics) > 0 || g.Got.Has {
			return 0, false
		}
		sum += quietGoroutine(m, g)
	}
	known := true
	m.Mem.Changed(func(o *mem.Object) {
		switch o.Aux.(type) {
		case nil, *objects.ChanState, *objects.MapState:
			sum += HashObject(o)
		default:
			known = false
		}
	})
	for _, t := range m.Timers {
		sum += vm.HashMix(vm.HashMix(t.Addr, uint64(t.When-m.Now)), uint64(t.Period))
	}
	return sum, known && len(m.Due) == 0
}

// quietGoroutine names the state of a goroutine, times relative to now.
func quietGoroutine(m *vm.Machine, g *vm.G) uint64 {
	h := vm.HashMix(vm.HashMix(vm.HashString(string(g.ID)), g.Rand), vm.HashMix(g.Readings, uint64(g.Kids)))
	h = vm.HashMix(vm.HashMix(h, vm.CourseOf(g)), uint64(g.Op.Kind)<<32|uint64(g.Op.Site))
	if g.Op.Kind == event.Sleep {
		h = vm.HashMix(h, uint64(g.Op.Deadline-m.Now))
		if m.Options.Timing {
			h = vm.HashMix(h, uint64(min(g.Slept, m.Options.EarlyMost)))
		}
	}
	for i := range g.Frames {
		fr := &g.Frames[i]
		h = vm.HashMix(h, uint64(fr.Func.ID)<<32|uint64(uint32(fr.PC)))
		dead := DeadWords(m, g, i)
		for j, x := range unsafe.Slice((*uint64)(fr.FP), fr.Func.Frame/8) {
			if !dead.Has(j) {
				h = vm.HashMix(h, x)
			}
		}
		for _, d := range fr.Defers {
			h = vm.HashMix(h, d.Ctx)
			for _, a := range d.Args {
				h = vm.HashMix(h, a)
			}
		}
	}
	return h
}
