package goroutine

import (
	"math"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines goroutines and their panics.

// Returned is what happens after the function of frame kind k, at depth len(g.frames), has returned.
func Returned(m *vm.Machine, g *vm.G, k vm.FrameKind) vm.Status {
	switch k {
	case vm.BaseFrame:
		return ended(m, g)
	case vm.PanicFrame:
		return afterDeferred(m, g)
	}
	return vm.Reload
}

// StartPanic begins a panic with an interface value.
func StartPanic(m *vm.Machine, g *vm.G, typ, data uint64) vm.Status {
	o := vm.Origin{Type: typ, Data: data}
	if g.Origin.Type == typ && g.Origin.Data == data && typ != 0 && mem.SegmentOf(data) > mem.Init {
		o = g.Origin
	}
	for i := range g.Panics {
		if p := &g.Panics[i]; p.Recovered && p.Type == typ && p.Data == data {
			o = p.Origin
		}
	}
	stack := CallStack(m, g)
	if o.Site == 0 {
		o.Site, o.Stack = g.Site(), stack
	}
	g.Panics = append(g.Panics, vm.PanicRec{Type: typ, Data: data, Depth: -1, Origin: o, Stack: stack})
	return unwind(m, g)
}

// DeferredPanic is the function that defer panic(v) calls. gc calls panic in a function of its own, which shows in
// stacks, as others of its kind do not. The token of its frame says at which defer statement: deferred and its site.
const DeferredPanic = "builtin.panic"

const deferred = 1 << 63

// PushDeferred calls a deferred function.
func PushDeferred(m *vm.Machine, g *vm.G, d *vm.DeferRec, kind vm.FrameKind) vm.Status {
	s := m.PushArgs(g, d.Func, d.Args, d.Ctx, kind)
	if s == vm.Reload && d.Func.Name == DeferredPanic {
		g.Top().Token = deferred | uint64(d.Site)
	}
	return s
}

// CallStack is the stack as runtime.Callers sees it: the frames that a panic has left are still there while its
// deferred calls run.
func CallStack(m *vm.Machine, g *vm.G) []trace.Frame { return TopOfStack(m, g, math.MaxInt) }

// TopOfStack is as much of it as has n frames, or more. A deep recursion asks at each step who called it.
func TopOfStack(m *vm.Machine, g *vm.G, n int) []trace.Frame {
	var st []trace.Frame
	for i := len(g.Frames) - 1; i >= 0 && len(st) < n; i-- {
		fr := &g.Frames[i]
		if s := g.FrameSite(i); s != 0 && !fr.Func.Wrapper && !(i+1 < len(g.Frames) && callsInit(fr.Func, g.Frames[i+1].Func)) {
			st = append(st, trace.Frame{Func: fr.Func.Name, Site: s})
		}
		if fr.Token&deferred != 0 {
			st = append(st, trace.Frame{Func: DeferredPanic, Site: event.Site(fr.Token &^ deferred)})
		}
		if fr.Kind != vm.PanicFrame {
			continue
		}
		for j := len(g.Panics) - 1; j >= 0; j-- { // one that was recovered may have had this depth
			if p := &g.Panics[j]; p.Depth == i && p.Stack != nil {
				return append(append(st, trace.Frame{Func: "runtime.gopanic", Site: m.PseudoSite("runtime.gopanic")}), p.Stack...)
			}
		}
	}
	return st
}

// callsInit reports whether f, a package's initialiser, calls an init function of the source: the runtime does that
// itself.
func callsInit(f, callee *vm.Func) bool {
	return f.SSA != nil && callee.SSA != nil && f.SSA.Synthetic == "package initializer" && strings.HasPrefix(callee.SSA.Name(), "init#")
}

// Goexit begins runtime.Goexit.
func Goexit(m *vm.Machine, g *vm.G) vm.Status {
	g.Panics = append(g.Panics, vm.PanicRec{Goexit: true, Depth: -1})
	return unwind(m, g)
}

// unwind runs the next deferred call for the newest panic, or ends the goroutine.
func unwind(m *vm.Machine, g *vm.G) vm.Status {
	g.Stage, g.Cursor = 0, 0
	p := &g.Panics[len(g.Panics)-1]
	for i := len(g.Frames) - 1; i >= 0; i-- {
		fr := &g.Frames[i]
		if n := len(fr.Defers); n > 0 {
			for len(g.Frames)-1 > i {
				DropFrame(m, g)
			}
			d := fr.Defers[n-1]
			fr.Defers = fr.Defers[:n-1]
			p = &g.Panics[len(g.Panics)-1]
			p.Depth = len(g.Frames)
			if d.Func == nil {
				return ThrowNil(m, g)
			}
			return PushDeferred(m, g, &d, vm.PanicFrame)
		}
		if fr.Kind == vm.TextFrame && !g.InText {
			return textFails(m, g, p.Type, p.Data)
		}
		if fr.Kind != vm.TestFrame {
			continue
		}
		if p.Goexit {
			return leaveTest(m, g, i)
		}
		return fatalPanic(m, g)
	}
	if p.Goexit {
		for len(g.Frames) > 0 {
			DropFrame(m, g)
		}
		g.Panics = g.Panics[:0]
		g.Exited = true
		return ended(m, g)
	}
	return fatalPanic(m, g)
}

// leaveTest ends the test whose frame is i, which called Goexit: TestMain goes on, as if it had waited for another
// goroutine. So do the panics that are TestMain's own.
func leaveTest(m *vm.Machine, g *vm.G, i int) vm.Status {
	for len(g.Frames) > i {
		DropFrame(m, g)
	}
	g.Panics = slices.DeleteFunc(g.Panics, func(p vm.PanicRec) bool { return p.Depth < 0 || p.Depth >= i })
	return vm.Reload
}

// DropFrame pops a frame that a panic leaves. An older panic whose deferred call it was is aborted.
func DropFrame(m *vm.Machine, g *vm.G) {
	if g.Top().Kind == vm.PanicFrame {
		depth := len(g.Frames) - 1
		last := len(g.Panics) - 1
		for i := last - 1; i >= 0; i-- {
			if g.Panics[i].Depth == depth {
				if g.Panics[i].Goexit {
					// A Goexit is not undone by a panic that replaces it and is recovered.
					g.Panics[i].Depth = -1
					continue
				}
				old := g.Panics[i]
				g.Panics[last].Links = append(append(old.Links, vm.PanicLink{Type: old.Type, Data: old.Data, Recovered: old.Recovered, Goexit: old.Goexit}), g.Panics[last].Links...)
				g.Panics = append(g.Panics[:i], g.Panics[i+1:]...)
				break
			}
		}
	}
	g.Pop()
}

// afterDeferred goes on after a deferred call that a panic ran has returned.
func afterDeferred(m *vm.Machine, g *vm.G) vm.Status {
	p := &g.Panics[len(g.Panics)-1]
	if !p.Recovered {
		return unwind(m, g)
	}
	g.Panics = g.Panics[:len(g.Panics)-1]
	for i := len(g.Panics) - 1; i >= 0; i-- {
		if g.Panics[i].Goexit && g.Panics[i].Depth == -1 {
			return unwind(m, g)
		}
	}
	// The frame whose deferred call recovered returns: its other deferred calls, then its named results.
	fr := g.Top()
	if fr.Func.RecoverPC < 0 {
		clear(vm.FrameBytes(fr.FP, fr.Func.Params, uint64(fr.Func.Results)))
	}
	fr.PC = int32(len(fr.Func.Instrs))
	return vm.Reload
}

// Recover implements recover: it is the newest panic's value if the caller
// is the deferred call that this panic runs.
func Recover(m *vm.Machine, g *vm.G) (typ, data uint64) {
	if len(g.Panics) == 0 {
		return 0, 0
	}
	p := &g.Panics[len(g.Panics)-1]
	i := len(g.Frames) - 1
	if g.Frames[i].Func.Builtin { // defer recover() counts as called by the function that returns, and not if a panic calls it
		if g.Frames[i].Kind != vm.DeferFrame {
			return 0, 0
		}
		i--
	}
	for i > 0 && g.Frames[i].Kind == vm.CallFrame && g.Frames[i-1].Func.Wrapper {
		i--
	}
	if p.Goexit || p.Recovered || g.Frames[i].Kind != vm.PanicFrame || p.Depth != i {
		return 0, 0
	}
	p.Recovered = true
	g.Origin = p.Origin
	return p.Type, p.Data
}

// fatalPanic ends the program with the newest panic of g. As the runtime's preprintpanics does, it first asks the
// values of g's panics for their texts, while others go on.
func fatalPanic(m *vm.Machine, g *vm.G) vm.Status {
	if v := unprinted(m, g); v != nil && !m.Direct && !m.Inits {
		return m.PushArgs(g, m.Func(m.Overlay("runtime.heddlePanicText")), []uint64{v.Type, v.Data}, 0, vm.TextFrame)
	}
	return doom(m, g)
}
