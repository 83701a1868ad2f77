package machine

import (
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/flow"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines goroutines and their panics.

// A panicRec is a panic, or a Goexit, on its way up.
type panicRec struct {
	typ, data uint64
	depth     int // frames below the deferred call that runs now
	recovered bool
	goexit    bool
	origin    origin
	links     []panicLink // older panics that this one replaced, the oldest first
}

// A panicLink is what is printed of a panic that another one replaced.
type panicLink struct {
	typ, data                     uint64
	recovered, repanicked, goexit bool
}

// An origin is where a panic was raised. A panic with the value of one just recovered keeps its origin.
type origin struct {
	typ, data uint64
	site      event.Site
	stack     []trace.Frame
}

// A delivery is what another goroutine, or the clock, completed on this one's behalf.
type delivery struct {
	has  bool
	ok   bool
	kase int
	val  []byte
}

// made counts what a goroutine has made. The numbers are parts of names, so names are the same in all executions.
type made struct {
	kids    int
	bubbles int // that it has made
	inet    socketCount
	tokens  uint64
}

// A G is a goroutine.
type G struct {
	goStack
	pending
	polling
	storeBuffer
	ownTime
	ends
	made

	flows     *flow.Goroutine // nil unless Config.Regions is set
	id        event.ThreadID
	idx       int32 // in Trace.Threads
	seg       int   // its segment of memory
	parent    *G
	seq       int32
	bubble    *bubble
	rand      uint64            // state of the goroutine's random stream
	spare     []uint64          // the chunk that was dropped last
	indicator uint8             // of crypto/internal/fips140
	secret    bool              // since its last event it has done something that makes none: see local.go
	runs      *Func             // what it was started with
	others    string            // what runtime.Stack has seen of the others
	object    int               // index of the event of the last objectEvent, -1 if it made none
	outputs   int               // the depth of a frame that makes output of a test, 0 for none (SILENT6)
	memos     map[uint64]uint64 // its tables of results, by variable (SILENT3)
}

// returned is what happens after the function of frame kind k, at depth len(g.frames), has returned.
func (m *Machine) returned(g *G, k frameKind) status {
	switch k {
	case baseFrame:
		return m.ended(g)
	case panicFrame:
		return m.afterDeferred(g)
	}
	return reload
}

// startPanic begins a panic with an interface value.
func (m *Machine) startPanic(g *G, typ, data uint64) status {
	o := origin{typ: typ, data: data}
	if g.origin.typ == typ && g.origin.data == data && typ != 0 && data>>48 > mem.Init {
		o = g.origin
	}
	for i := range g.panics {
		if p := &g.panics[i]; p.recovered && p.typ == typ && p.data == data {
			o = p.origin
		}
	}
	if o.site == 0 {
		o.site, o.stack = m.siteOf(g), m.callStack(g)
	}
	g.panics = append(g.panics, panicRec{typ: typ, data: data, depth: -1, origin: o})
	return m.unwind(g)
}

// callStack is the stack as runtime.Callers sees it: the frames that a panic has left are still there while its deferred
// calls run.
func (m *Machine) callStack(g *G) []trace.Frame {
	var st []trace.Frame
	for i := len(g.frames) - 1; i >= 0; i-- {
		fr := &g.frames[i]
		if s := m.frameSite(g, i); s != 0 && !fr.f.wrapper && !(i+1 < len(g.frames) && callsInit(fr.f, g.frames[i+1].f)) {
			st = append(st, trace.Frame{Func: fr.f.name, Site: s})
		}
		if fr.kind != panicFrame {
			continue
		}
		for j := range g.panics {
			if p := &g.panics[j]; p.depth == i && p.origin.stack != nil {
				return append(append(st, trace.Frame{Func: "runtime.gopanic", Site: m.pseudoSite("runtime.gopanic")}), p.origin.stack...)
			}
		}
	}
	return st
}

// callsInit reports whether f, a package's initialiser, calls an init function of the source: the runtime does that itself.
func callsInit(f, callee *Func) bool {
	return f.ssa != nil && callee.ssa != nil && f.ssa.Synthetic == "package initializer" && strings.HasPrefix(callee.ssa.Name(), "init#")
}

// goexit begins runtime.Goexit.
func (m *Machine) goexit(g *G) status {
	g.panics = append(g.panics, panicRec{goexit: true, depth: -1})
	return m.unwind(g)
}

// unwind runs the next deferred call for the newest panic, or ends the goroutine.
func (m *Machine) unwind(g *G) status {
	g.stage, g.cursor = 0, 0
	p := &g.panics[len(g.panics)-1]
	for i := len(g.frames) - 1; i >= 0; i-- {
		fr := &g.frames[i]
		if n := len(fr.defers); n > 0 {
			for len(g.frames)-1 > i {
				m.dropFrame(g)
			}
			d := fr.defers[n-1]
			fr.defers = fr.defers[:n-1]
			p = &g.panics[len(g.panics)-1]
			p.depth = len(g.frames)
			if d.f == nil {
				return m.throwNil(g)
			}
			return m.pushArgs(g, d.f, d.args, d.ctx, panicFrame)
		}
	}
	if p.goexit {
		for len(g.frames) > 0 {
			m.dropFrame(g)
		}
		g.panics = g.panics[:0]
		g.exited = true
		return m.ended(g)
	}
	return m.fatalPanic(g)
}

// dropFrame pops a frame that a panic leaves. An older panic whose deferred call it was is aborted.
func (m *Machine) dropFrame(g *G) {
	if g.top().kind == panicFrame {
		depth := len(g.frames) - 1
		last := len(g.panics) - 1
		for i := last - 1; i >= 0; i-- {
			if g.panics[i].depth == depth {
				if g.panics[i].goexit {
					// A Goexit is not undone by a panic that replaces it and is recovered.
					g.panics[i].depth = -1
					continue
				}
				old := g.panics[i]
				g.panics[last].links = append(append(old.links, panicLink{old.typ, old.data, old.recovered, false, old.goexit}), g.panics[last].links...)
				g.panics = append(g.panics[:i], g.panics[i+1:]...)
				break
			}
		}
	}
	g.pop()
}

// afterDeferred goes on after a deferred call that a panic ran has returned.
func (m *Machine) afterDeferred(g *G) status {
	p := &g.panics[len(g.panics)-1]
	if !p.recovered {
		return m.unwind(g)
	}
	g.panics = g.panics[:len(g.panics)-1]
	for i := len(g.panics) - 1; i >= 0; i-- {
		if g.panics[i].goexit && g.panics[i].depth == -1 {
			return m.unwind(g)
		}
	}
	// The frame whose deferred call recovered returns: its other deferred calls, then its named results.
	fr := g.top()
	if fr.f.RecoverPC < 0 {
		clear(frameBytes(fr.fp, fr.f.Params, uint64(fr.f.Results)))
	}
	fr.pc = int32(len(fr.f.Instrs))
	return reload
}

// recovered implements recover: it is the newest panic's value if the caller
// is the deferred call that this panic runs.
func (m *Machine) recover(g *G) (typ, data uint64) {
	if len(g.panics) == 0 {
		return 0, 0
	}
	p := &g.panics[len(g.panics)-1]
	i := len(g.frames) - 1
	if g.frames[i].f.builtin { // defer recover() counts as called by the function that returns, and not if a panic calls it
		if g.frames[i].kind != deferFrame {
			return 0, 0
		}
		i--
	}
	for i > 0 && g.frames[i].kind == callFrame && g.frames[i-1].f.wrapper {
		i--
	}
	if p.goexit || p.recovered || g.frames[i].kind != panicFrame || p.depth != i {
		return 0, 0
	}
	p.recovered = true
	g.origin = p.origin
	return p.typ, p.data
}
