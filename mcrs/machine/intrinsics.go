package machine

import (
	"bytes"
	"go/types"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/program"
	"golang.org/x/tools/go/ssa"
)

// This file defines the intrinsics of runtime, os, syscall, internal/bytealg and testing.

func (m *Machine) retString(g *G, w []uint64, at int, s string) status {
	p, n, st := m.newString(g, s)
	w[at], w[at+1] = p, n
	return st
}

// runtimeErrors are the variables of package runtime that others share by linkname: its initialiser is not run.
var runtimeErrors = map[string]string{
	"divideError":   "integer divide by zero",
	"overflowError": "integer overflow",
	"shiftError":    "negative shift amount",
	"memoryError":   "invalid memory address or nil pointer dereference",
}

// initRuntimeVar gives a variable of package runtime its initial value.
func (m *image) initRuntimeVar(v *ssa.Global, o *mem.Object) {
	if v.Name() == "haveHighResSleep" {
		*(*byte)(o.Data()) = 1
	}
	if text, ok := runtimeErrors[v.Name()]; ok {
		t := m.runtimeType("errorString")
		p, n := m.staticString(text)
		w := [2]uint64{p, n}
		data := m.staticData(unsafe.Slice((*byte)(unsafe.Pointer(&w)), 16), m.layouts.Of(t))
		*(*[2]uint64)(o.Data()) = [2]uint64{m.types.Itab(types.Universe.Lookup("error").Type(), t), data}
	}
}

func throwText(m *Machine, g *G, w []uint64) status { return m.fatal(g, m.goString(w[0], w[1])) }

func timeNano(m *Machine, g *G, w []uint64) status {
	if !m.readClock(g) {
		return yield
	}
	now := m.reading(g)
	w[0] = uint64(now - Epoch + 1)
	if g.bubble != nil {
		w[0] = uint64(now)
	}
	return done
}

// timeNow: (sec int64, nsec int32, mono int64)
func timeNow(m *Machine, g *G, w []uint64) status {
	if !m.readClock(g) {
		return yield
	}
	now := m.reading(g)
	w[0], w[1], w[2] = uint64(now/1e9), uint64(now%1e9), uint64(now-Epoch+1)
	if g.bubble != nil { // without a monotonic reading
		w[2] = 0
	}
	return done
}

// gettimeofday(tv *Timeval) syscall.Errno
func gettimeofday(m *Machine, g *G, w []uint64) status {
	g.readings = hashMix(g.readings, uint64(m.now))
	now := m.now + m.gain(m.now)
	tv := [2]uint64{uint64(now / 1e9), uint64(now % 1e9 / 1e3)}
	w[1] = 0
	return m.store(g, w[0], unsafe.Slice((*byte)(unsafe.Pointer(&tv)), 16), nil)
}

// A pc that the program sees is a site.
const pcBase = 1 << 40

func valueTextOf(m *Machine, g *G, w []uint64) status {
	return m.retString(g, w, 2, m.valueText(w[0], w[1]))
}

func randWord(m *Machine, g *G, w []uint64) status {
	// A stream for each goroutine, so that it does not depend on the schedule (SplitMix64).
	g.rand += 0x9e3779b97f4a7c15
	z := g.rand + uint64(g.seg)*0xbf58476d1ce4e5b9
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	w[0] = z ^ z>>31
	return done
}

func rand32(m *Machine, g *G, w []uint64) status {
	randWord(m, g, w)
	w[0] >>= 32
	return done
}

func rand63(m *Machine, g *G, w []uint64) status {
	randWord(m, g, w)
	w[0] >>= 1
	return done
}

// randBelow(n uint32) uint32
func randBelow(m *Machine, g *G, w []uint64) status {
	n := uint64(uint32(w[0]))
	rand32(m, g, w)
	w[0], w[1] = n, w[0]*n>>32
	return done
}

// syscall6(num, a1..a6 uintptr) (r1, r2, errno uintptr)
func syscall6(m *Machine, g *G, w []uint64) status {
	if !m.hostCall(g, w[0]) {
		return yield
	}
	r1, r2, e, ok := m.kernel.Syscall(memory{m}, w[0], w[1], w[2], w[3], w[4], w[5], w[6])
	if !ok {
		return m.lacks(g, "system call "+kernel.Name(w[0]))
	}
	m.refuse(g)
	w[7], w[8], w[9] = r1, r2, e
	return done
}

func sysNoError(m *Machine, g *G, w []uint64) status {
	if !m.hostCall(g, w[0]) {
		return yield
	}
	r1, r2, _, ok := m.kernel.Syscall(memory{m}, w[0], w[1], w[2], w[3], 0, 0, 0)
	if !ok {
		return m.lacks(g, "system call "+kernel.Name(w[0]))
	}
	m.refuse(g)
	w[4], w[5] = r1, r2
	return done
}

// sysFcntl(fd, cmd, arg int32) (int32, int32)
func sysFcntl(m *Machine, g *G, w []uint64) status {
	const fcntl = 72
	r1, _, e, ok := m.kernel.Syscall(memory{m}, fcntl, w[0], w[1], w[2], 0, 0, 0)
	if !ok {
		return m.lacks(g, "system call fcntl")
	}
	w[3], w[4] = uint64(int64(int32(r1))), e
	return done
}

// pollOpen(fd uintptr) (ctx uintptr, errno int)
func pollOpen(m *Machine, g *G, w []uint64) status {
	w[1], w[2] = 0, m.kernel.PollOpen(w[0])
	if w[2] == 0 {
		return m.lacks(g, "waiting on a file descriptor")
	}
	return done
}

// A viewer is view or viewText.
type viewer func(m *Machine, g *G, addr, n uint64) ([]byte, status)

func (m *Machine) indexByte(g *G, w []uint64, view viewer, c, ret int) status {
	b, s := view(m, g, w[0], w[1])
	if s == done {
		w[ret] = uint64(int64(bytes.IndexByte(b, byte(w[c]))))
	}
	return s
}

func (m *Machine) countByte(g *G, w []uint64, view viewer, c, ret int) status {
	b, s := view(m, g, w[0], w[1])
	if s == done {
		w[ret] = uint64(bytes.Count(b, []byte{byte(w[c])}))
	}
	return s
}

func (m *Machine) compareBytes(g *G, w []uint64, view viewer, with, ret int) status {
	a, s := view(m, g, w[0], w[1])
	if s != done {
		return s
	}
	b, s := view(m, g, w[with], w[with+1])
	if s == done {
		w[ret] = uint64(int64(bytes.Compare(a, b)))
	}
	return s
}

func (m *Machine) indexBytes(g *G, w []uint64, view viewer, with, ret int) status {
	a, s := view(m, g, w[0], w[1])
	if s != done {
		return s
	}
	b, s := view(m, g, w[with], w[with+1])
	if s == done {
		w[ret] = uint64(int64(bytes.Index(a, b)))
	}
	return s
}

func (m *Machine) equalBytes(g *G, w []uint64) status {
	a, s := m.view(g, w[0], w[1])
	if s != done {
		return s
	}
	b, s := m.view(g, w[3], w[4])
	if s == done {
		w[6] = b2w(bytes.Equal(a, b))
	}
	return s
}

// makeNoZero(n int) []byte
func makeNoZero(m *Machine, g *G, w []uint64) status {
	if n := int64(w[0]); n < 0 || n > 1<<40 {
		return m.throwRuntime(g, "makeslice: len out of range")
	}
	c := roundSize(w[0])
	if w[0] == 0 {
		c = 0
	}
	p, s := m.alloc(g, c, nil)
	w[1], w[2], w[3] = p, w[0], c
	return s
}

// capture begins to keep what the program writes to its standard output; captured ends that and returns it.
func capture(m *Machine, g *G, w []uint64) status {
	m.kept, m.uncaptured = &bytes.Buffer{}, m.out.Stdout
	m.out.Stdout = m.kept
	return done
}

func captured(m *Machine, g *G, w []uint64) status {
	if m.kept == nil {
		w[0], w[1] = 0, 0
		return done
	}
	m.out.Stdout = m.uncaptured
	s := m.kept.String()
	m.kept = nil
	return m.retString(g, w, 0, s)
}

// maps.clone(m any) any
func mapsClone(m *Machine, g *G, w []uint64) status {
	w[2], w[3] = w[0], 0
	if w[1] == 0 {
		return done
	}
	o := m.mapObject(w[1], nil)
	if !m.mapVisible(g, o, event.MapRead, 0) {
		return yield
	}
	s := o.Aux.(*mapState)
	m.logged(g, uint64(s.live), 0)
	a, st := m.allocAux(g, mapHeader, s.CloneAux())
	w[3] = a
	return st
}

// addCleanup is runtime.AddCleanup: nothing is ever collected while the program can tell.
func addCleanup(*Machine, *Func) Intrinsic {
	asked := finalizer("runtime.AddCleanup")
	return func(m *Machine, g *G, w []uint64) status {
		asked(m, g, w)
		w[len(w)-2], w[len(w)-1] = 0, 0 // runtime.Cleanup{id, ptr}
		return done
	}
}

func entryCount(m *Machine, g *G, w []uint64) status {
	w[0], w[1], w[2] = uint64(len(m.of(program.Test))), uint64(len(m.of(program.Fuzz))), uint64(len(m.of(program.Example)))
	return done
}

func (m *programRun) of(k program.EntryKind) []program.Entry {
	var es []program.Entry
	for _, e := range m.selected {
		if e.Kind == k && (k != program.Example || e.HasOutput) {
			es = append(es, e)
		}
	}
	return es
}

// testAt returns the name and the function of the i-th selected test, or fuzz target.
func testAt(k program.EntryKind) Intrinsic {
	return func(m *Machine, g *G, w []uint64) status {
		e := m.of(k)[w[0]]
		w[1], w[2] = m.staticString(e.Name)
		w[3] = m.funcValue(m.Func(e.Fn))
		return done
	}
}

func exampleAt(m *Machine, g *G, w []uint64) status {
	e := m.of(program.Example)[w[0]]
	w[1], w[2] = m.staticString(e.Name)
	w[3] = m.funcValue(m.Func(e.Fn))
	w[4], w[5] = m.staticString(e.Output)
	w[6] = b2w(e.Unordered)
	return done
}
