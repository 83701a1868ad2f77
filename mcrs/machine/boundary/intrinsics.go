package boundary

import (
	"bytes"
	"strings"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/access"
	"github.com/heddle-go/heddle/mcrs/machine/clock"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/interp"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/objects"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/program"
)

// This file defines the intrinsics of runtime, os, syscall, internal/bytealg and testing.

func retString(m *vm.Machine, g *vm.G, w []uint64, at int, s string) vm.Status {
	p, n, st := m.NewString(g, s)
	w[at], w[at+1] = p, n
	return st
}

func throwText(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	return goroutine.Fatal(m, g, m.GoString(w[0], w[1]))
}

func timeNano(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if !clock.ReadClock(m, g) {
		return vm.Yield
	}
	now := clock.Reading(m, g)
	w[0] = uint64(now - vm.Epoch + 1)
	if g.Bubble != nil {
		w[0] = uint64(now)
	}
	return vm.Done
}

// timeNow: (sec int64, nsec int32, mono int64)
func timeNow(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if !clock.ReadClock(m, g) {
		return vm.Yield
	}
	now := clock.Reading(m, g)
	date, mono := vm.Date(now), now-vm.Epoch+1
	if g.Bubble != nil { // its date is its time, and there is no monotonic reading
		date, mono = now, 0
	}
	w[0], w[1], w[2] = uint64(date/1e9), uint64(date%1e9), uint64(mono)
	return vm.Done
}

// gettimeofday(tv *Timeval) syscall.Errno
func gettimeofday(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	g.Readings = vm.HashMix(g.Readings, uint64(m.Now))
	vm.Tells(m, g)
	now := vm.Date(m.Now + m.Gain(m.Now))
	tv := [2]uint64{uint64(now / 1e9), uint64(now % 1e9 / 1e3)}
	w[1] = 0
	return access.StoreUnseen(m, g, w[0], unsafe.Slice((*byte)(unsafe.Pointer(&tv)), 16))
}

func valueTextOf(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	return retString(m, g, w, 2, goroutine.ValueText(m, w[0], w[1]))
}

func randWord(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	// A stream for each goroutine, so that it does not depend on the schedule (SplitMix64).
	g.Rand += 0x9e3779b97f4a7c15
	z := g.Rand + uint64(g.Segment)*0xbf58476d1ce4e5b9
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	w[0] = z ^ z>>31
	return vm.Done
}

func rand32(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	randWord(m, g, w)
	w[0] >>= 32
	return vm.Done
}

func rand63(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	randWord(m, g, w)
	w[0] >>= 1
	return vm.Done
}

// randBelow(n uint32) uint32
func randBelow(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	n := uint64(uint32(w[0]))
	rand32(m, g, w)
	w[0], w[1] = n, w[0]*n>>32
	return vm.Done
}

// A viewer is view or ViewText.
type viewer func(m *vm.Machine, g *vm.G, addr, n uint64) ([]byte, vm.Status)

func indexByte(m *vm.Machine, g *vm.G, w []uint64, view viewer, c, ret int) vm.Status {
	b, s := view(m, g, w[0], w[1])
	if s == vm.Done {
		w[ret] = uint64(int64(bytes.IndexByte(b, byte(w[c]))))
	}
	return s
}

func countByte(m *vm.Machine, g *vm.G, w []uint64, view viewer, c, ret int) vm.Status {
	b, s := view(m, g, w[0], w[1])
	if s == vm.Done {
		w[ret] = uint64(bytes.Count(b, []byte{byte(w[c])}))
	}
	return s
}

// ofTwo gives f two runs of bytes: those at w[0], and those at w[with]. Its result goes to w[ret].
func ofTwo(m *vm.Machine, g *vm.G, w []uint64, view viewer, f func(a, b []byte) int, with, ret int) vm.Status {
	a, s := view(m, g, w[0], w[1])
	if s != vm.Done {
		return s
	}
	b, s := view(m, g, w[with], w[with+1])
	if s == vm.Done {
		w[ret] = uint64(int64(f(a, b)))
	}
	return s
}

func equalBytes(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	a, s := access.View(m, g, w[0], w[1])
	if s != vm.Done {
		return s
	}
	b, s := access.View(m, g, w[3], w[4])
	if s == vm.Done {
		w[6] = vm.Word(bytes.Equal(a, b))
	}
	return s
}

// makeNoZero(n int) []byte
func makeNoZero(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if n := int64(w[0]); n < 0 || n > 1<<40 {
		return goroutine.ThrowRuntime(m, g, "makeslice: len out of range")
	}
	c := interp.RoundSize(w[0])
	if w[0] == 0 {
		c = 0
	}
	p, s := m.Alloc(g, c, nil)
	w[1], w[2], w[3] = p, w[0], c
	return s
}

// capture begins to keep what the program writes to its standard output; captured ends that and returns it.
func capture(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	m.Kept, m.Uncaptured = &bytes.Buffer{}, m.Out.Stdout
	m.Out.Stdout = m.Kept
	return vm.Done
}

func captured(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if m.Kept == nil {
		w[0], w[1] = 0, 0
		return vm.Done
	}
	m.Out.Stdout = m.Uncaptured
	s := m.Kept.String()
	m.Kept = nil
	return retString(m, g, w, 0, s)
}

// maps.clone(m any) any
func mapsClone(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	w[2], w[3] = w[0], 0
	if w[1] == 0 {
		return vm.Done
	}
	o := objects.MapObject(m, w[1], nil)
	if !objects.MapVisible(m, g, o, event.MapRead, 0) {
		return vm.Yield
	}
	s := o.Aux.(*objects.MapState)
	m.Logged(g, uint64(s.Live), 0)
	a, st := m.AllocAux(g, objects.MapHeader, s.CloneAux())
	w[3] = a
	return st
}

// addCleanup is runtime.AddCleanup: nothing is ever collected while the program can tell.
func addCleanup(*vm.Machine, *vm.Func) vm.Intrinsic {
	asked := finalizer("runtime.AddCleanup")
	return func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
		asked(m, g, w)
		w[len(w)-2], w[len(w)-1] = 0, 0 // runtime.Cleanup{id, ptr}
		return vm.Done
	}
}

func entryCount(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	w[0], w[1], w[2] = uint64(len(of(m, program.Test))), uint64(len(of(m, program.Fuzz))), uint64(len(of(m, program.Example)))
	return vm.Done
}

func of(m *vm.Machine, k program.EntryKind) []program.Entry {
	var es []program.Entry
	for _, e := range m.Selected {
		if e.Kind == k && (k != program.Example || e.HasOutput) {
			es = append(es, e)
		}
	}
	return es
}

// testAt returns the name and the function of the i-th selected test, or fuzz target.
func testAt(k program.EntryKind) vm.Intrinsic {
	return func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
		e := of(m, k)[w[0]]
		w[1], w[2] = m.StaticString(e.Name)
		w[3] = m.FuncValue(m.Func(e.Fn))
		return vm.Done
	}
}

func exampleAt(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	e := of(m, program.Example)[w[0]]
	w[1], w[2] = m.StaticString(e.Name)
	w[3] = m.FuncValue(m.Func(e.Fn))
	w[4], w[5] = m.StaticString(e.Output)
	w[6] = vm.Word(e.Unordered)
	return vm.Done
}

// setenv is told of changes of the environment. Asking for a setting makes no event: so what a change does to
// goroutines that run beside it is not known.
func setenv(m *vm.Machine, g *vm.G, key, value string) {
	if key != "GODEBUG" {
		return
	}
	m.Settings.Change(value)
	for _, o := range m.Threads {
		if o != g && !o.Ended && !o.Pseudo() && !awaits(o, g) {
			m.Unseen(g, "GODEBUG is changed while other goroutines run")
		}
	}
}

// awaits reports whether o is the goroutine that started g, or the one that started that, and so on: package testing
// has them wait for g.
func awaits(o *vm.G, g *vm.G) bool {
	for p := g.Parent; p != nil; p = p.Parent {
		if p == o {
			return silentNow(p)
		}
	}
	return false
}

// silentNow reports whether a goroutine stands in a package whose state is its own.
func silentNow(g *vm.G) bool {
	for i := len(g.Frames) - 1; i >= 0; i-- {
		if f := g.Frames[i].Func; f.Intrinsic == nil && !f.Sync {
			return f.Silent
		}
	}
	return false
}

// godebugValue is (*godebug.Setting).Value. A setting that nobody has set is empty.
func godebugValue(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	p := (*[2]uint64)(m.Mem.At(w[0], 16)) // Setting.name
	if p == nil {
		return goroutine.ThrowNil(m, g)
	}
	w[1], w[2] = m.StaticString(m.Settings.Value(strings.TrimPrefix(m.GoString(p[0], p[1]), "#")))
	return vm.Done
}

// memoTable is sync.heddleMemo(p unsafe.Pointer) (t *map[any]any, memo bool): the running goroutine's own part of the
// table at p, nil if it has none yet; memo is false if p is no memoVar. What initialisers have stored is in the table
// itself.
func memoTable(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	w[1], w[2] = 0, 0
	if o := m.Mem.Object(w[0]); o != nil && o.Flags&mem.Memo != 0 && !m.Inits {
		w[1], w[2] = g.Memos[w[0]], 1
	}
	return vm.Done
}

// setMemoTable is sync.heddleSetMemo(p unsafe.Pointer, t *map[any]any).
func setMemoTable(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if g.Memos == nil {
		g.Memos = map[uint64]uint64{}
	}
	g.Memos[w[0]] = w[1]
	return vm.Done
}
