package machine

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/flow"
)

// This file defines the stacks of goroutines: frames in chunks of words.

// spares are goroutines and stacks of executions that are over.
type spares struct {
	spareGs     []*G // goroutines and stacks of executions that are over
	spareStacks []spareStack
}

// A goStack is what a goroutine runs on.
type goStack struct {
	frames []frame
	chunks [][]uint64
	limit  uintptr // end of the current chunk
	size   uint64  // bytes of all chunks
	panics []panicRec
	origin origin // where the last recovered panic was raised
}

type frameKind uint8

const (
	callFrame  frameKind = iota
	deferFrame           // a deferred call at a normal return
	panicFrame           // a deferred call while a panic unwinds
	textFrame            // turns the value of a fatal panic into text
	baseFrame            // the goroutine's function
)

type frame struct {
	f      *Func
	fp     unsafe.Pointer
	far    unsafe.Pointer // where results go, if the frame is in a chunk of its own
	defers []deferRec
	token  uint64 // names the frame to range-over-func bodies that defer; 0 if it has none
	pc     int32
	kind   frameKind
	limit  uintptr // of the chunk below, when far is set
}

type deferRec struct {
	f    *Func // nil: a nil function value
	ctx  uint64
	args []uint64
	site event.Site
}

// A spareStack is what a goroutine that has ended leaves to the next: its first chunk, zeroed, and its empty row of frames.
type spareStack struct {
	frames []frame
	chunk  []uint64
}

// newG makes a goroutine with an empty stack.
func (m *Machine) newG(id event.ThreadID, seg int) *G {
	var g *G
	if n := len(m.spareGs) - 1; n >= 0 {
		g = m.spareGs[n]
		m.spareGs = m.spareGs[:n]
		*g = G{}
	} else {
		g = new(G)
	}
	g.id, g.seg = id, seg
	if n := len(m.spareStacks) - 1; n >= 0 {
		g.frames, g.spare = m.spareStacks[n].frames, m.spareStacks[n].chunk
		m.spareStacks = m.spareStacks[:n]
		m.mem.Live += firstChunk * 8
	}
	m.addChunk(g, firstChunk)
	if m.cfg.Regions != nil {
		g.flows = flow.NewGoroutine()
	}
	return g
}

// dropStack takes g's stack away. A leak, and what is alive, is looked for in all words of a stack, so none may be left of another execution.
func (m *spares) dropStack(g *G) {
	if len(g.chunks) > 0 && len(g.chunks[0]) == firstChunk && cap(g.frames) <= 1<<8 {
		clear(g.chunks[0])
		clear(g.frames)
		m.spareStacks = append(m.spareStacks, spareStack{g.frames[:0], g.chunks[0]})
	}
	g.chunks, g.frames, g.spare = nil, nil, nil
}

// recycle takes back the goroutines of an execution that is over.
func (m *Machine) recycle() {
	for _, g := range m.gs {
		m.dropStack(g)
		m.spareGs = append(m.spareGs, g)
	}
	clear(m.gs)
	m.gs = m.gs[:0]
}

// Chunks of a goroutine's stack, in words.
const (
	firstChunk = 1 << 9
	maxStack   = 512 << 20 // bytes
)

// addChunk makes room on g's stack.
func (m *heap) addChunk(g *G, words int) unsafe.Pointer {
	var ch []uint64
	if len(g.spare) >= words { // a call at the end of a chunk may be in a loop
		ch, g.spare = g.spare, nil
		words = len(ch)
	} else {
		ch = make([]uint64, words)
		m.mem.Live += int64(words) * 8
	}
	g.chunks = append(g.chunks, ch)
	g.size += uint64(words) * 8
	p := unsafe.Pointer(&ch[0])
	g.limit = uintptr(p) + uintptr(words)*8
	return p
}

func (g *goStack) top() *frame { return &g.frames[len(g.frames)-1] }

// push starts a call of f whose arguments stand at fp (or in args).
func (m *Machine) push(g *G, f *Func, fp unsafe.Pointer, ctx uint64, kind frameKind) status {
	if f.noted != m.noting {
		m.noteCall(f)
	}
	fr := frame{f: f, fp: fp, kind: kind}
	if uintptr(fp)+uintptr(f.Frame+f.Out) > g.limit {
		if g.size > maxStack || m.opts.MaxMemory > 0 && g.size > uint64(m.opts.MaxMemory)/4 {
			return m.overflow(g)
		}
		need := int(f.Frame+f.Out)/8 + 64
		if m.mem.Live+int64(need)*8 > m.collectAt && !m.room(g, int64(need)*8) {
			return halt
		}
		fr.far, fr.limit = fp, g.limit
		fr.fp = m.addChunk(g, max(need, min(2*len(g.chunks[len(g.chunks)-1]), 1<<16)))
		copy(frameBytes(fr.fp, 0, uint64(f.Params)), frameBytes(fp, 0, uint64(f.Params)))
	}
	if m.cfg.CleanFrames {
		clear(frameBytes(fr.fp, f.Params, uint64(f.Frame+f.Out-f.Params)))
	}
	if ctx != 0 {
		st(fr.fp, f.Ctx, ctx)
	}
	copy(unsafe.Slice((*uint64)(unsafe.Add(fr.fp, f.ConstOff)), len(f.Consts)), f.Consts)
	g.frames = append(g.frames, fr)
	return reload
}

// pushArgs is push with arguments that are not on the stack.
func (m *Machine) pushArgs(g *G, f *Func, args []uint64, ctx uint64, kind frameKind) status {
	if f.noted != m.noting {
		m.noteCall(f)
	}
	m.held, m.heldCtx = args, ctx
	defer m.release()
	var at unsafe.Pointer
	if len(g.frames) == 0 {
		at = unsafe.Pointer(&g.chunks[0][0])
	} else {
		fr := g.top()
		at = unsafe.Add(fr.fp, fr.f.Frame)
	}
	if room := int64(g.limit) - int64(uintptr(at)); room < int64(len(args)*8)+int64(f.Results) {
		// The arguments go to the new chunk directly.
		old := g.limit
		need := int(f.Frame+f.Out)/8 + 64
		if m.mem.Live+int64(need)*8 > m.collectAt && !m.room(g, int64(need)*8) {
			return halt
		}
		p := m.addChunk(g, max(need, firstChunk))
		copy(unsafe.Slice((*uint64)(p), len(args)), args)
		s := m.push(g, f, p, ctx, kind)
		if s == reload {
			g.top().far, g.top().limit = p, old
		}
		return s
	}
	copy(unsafe.Slice((*uint64)(at), len(args)), args)
	return m.push(g, f, at, ctx, kind)
}

// pop ends the innermost call.
func (g *G) pop() {
	fr := g.top()
	if fr.far != nil {
		f := fr.f
		if fr.far != fr.fp {
			copy(frameBytes(fr.far, f.Params, uint64(f.Results)), frameBytes(fr.fp, f.Params, uint64(f.Results)))
		}
		last := len(g.chunks) - 1
		g.size -= uint64(len(g.chunks[last])) * 8
		g.spare, g.chunks[last] = g.chunks[last], nil
		g.chunks = g.chunks[:last]
		g.limit = fr.limit
	}
	*fr = frame{}
	g.frames = g.frames[:len(g.frames)-1]
}

func (g *goStack) frameByToken(t uint64) *frame {
	for i := len(g.frames) - 1; i >= 0; i-- {
		if g.frames[i].token == t {
			return &g.frames[i]
		}
	}
	panic("machine: defer in a range-over-func body whose function has returned")
}
