package vm

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/flow"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file defines the stacks of goroutines: frames in chunks of words.

// Spares are goroutines and stacks of executions that are over, and memory of Publish.
type Spares struct {
	spareGs     []*G
	spareStacks []spareStack
	spreading   []*mem.Object // they are shared, what they reach is to follow
	sharing     func(uint64)  // share: to make a function of it anew costs more than most objects
}

// A GoStack is what a goroutine runs on.
type GoStack struct {
	Frames []Frame
	Chunks [][]uint64
	limit  uintptr // end of the current chunk
	size   uint64  // bytes of all chunks
	Panics []PanicRec
	Origin Origin          // where the last recovered panic was raised
	Flows  *flow.Goroutine // nil unless Config.Regions is set

	// Below, of a coroutine's stack, is the one to which a goroutine on it comes back; nil of a goroutine's own.
	Below *GoStack
}

// A FrameKind says what a call is for, and so what follows its return.
type FrameKind uint8

// The kinds of frames.
const (
	CallFrame  FrameKind = iota
	DeferFrame           // a deferred call at a normal return
	PanicFrame           // a deferred call while a panic unwinds
	TextFrame            // turns the value of a fatal panic into text
	BaseFrame            // the goroutine's function
	TestFrame            // what package testing runs on a goroutine of its own, and the machine on that of TestMain
)

// A Frame is a call that has not returned.
type Frame struct {
	Func   *Func
	FP     unsafe.Pointer
	far    unsafe.Pointer // where results go, if the frame is in a chunk of its own
	Defers []DeferRec
	Token  uint64 // names the frame to range-over-func bodies that defer; 0 if it has none
	PC     int32
	Kind   FrameKind
	limit  uintptr // of the chunk below, when far is set
}

// A DeferRec is a deferred call.
type DeferRec struct {
	Func *Func // nil: a nil function value
	Ctx  uint64
	Args []uint64
	Site event.Site
}

// A spareStack is what a goroutine that has ended leaves to the next: its first chunk, zeroed, and its empty row of
// frames.
type spareStack struct {
	frames []Frame
	chunk  []uint64
}

// NewG makes a goroutine with an empty stack.
func (m *Machine) NewG(id event.ThreadID, seg int) *G {
	var g *G
	if n := len(m.spareGs) - 1; n >= 0 {
		g = m.spareGs[n]
		m.spareGs = m.spareGs[:n]
		visits, young := g.Visits[:0], g.Young[:0]
		*g = G{}
		g.Visits, g.Young = visits, young
	} else {
		g = new(G)
	}
	g.ID, g.Segment = id, seg
	if n := len(m.spareStacks) - 1; n >= 0 {
		g.Frames, g.spare = m.spareStacks[n].frames, m.spareStacks[n].chunk
		m.spareStacks = m.spareStacks[:n]
		m.Mem.Live += FirstChunk * 8
	}
	m.AddChunk(g, FirstChunk)
	g.Flows = NewFlows(m)
	return g
}

// DropStack takes g's stack away. A leak, and what is alive, is looked for in all words of a stack, so none may be
// left of another execution.
func (m *Spares) DropStack(g *G) {
	if len(g.Chunks) > 0 && len(g.Chunks[0]) == FirstChunk && cap(g.Frames) <= 1<<8 {
		clear(g.Chunks[0])
		clear(g.Frames)
		m.spareStacks = append(m.spareStacks, spareStack{g.Frames[:0], g.Chunks[0]})
	}
	g.Chunks, g.Frames, g.spare = nil, nil, nil
}

// recycle takes back the goroutines of an execution that is over.
func recycle(m *Machine) {
	for _, g := range m.Threads {
		m.DropStack(g)
		m.spareGs = append(m.spareGs, g)
	}
	clear(m.Threads)
	m.Threads = m.Threads[:0]
}

// Chunks of a goroutine's stack, in words.
const (
	FirstChunk = 1 << 9
	maxStack   = 512 << 20 // bytes
)

// AddChunk makes room on g's stack. Its last word stays free. A frame may end where the room does, a callee's begins
// there, and Go's collector ends a process that keeps a pointer to behind an object.
func (m *Heap) AddChunk(g *G, words int) unsafe.Pointer {
	var ch []uint64
	if len(g.spare) >= words { // a call at the end of a chunk may be in a loop
		ch, g.spare = g.spare, nil
		words = len(ch)
	} else {
		ch = make([]uint64, words)
		m.Mem.Live += int64(words) * 8
	}
	g.Chunks = append(g.Chunks, ch)
	g.size += uint64(words) * 8
	p := unsafe.Pointer(&ch[0])
	g.limit = uintptr(p) + uintptr(words-1)*8
	return p
}

// Top returns the innermost frame.
func (g *GoStack) Top() *Frame { return &g.Frames[len(g.Frames)-1] }

// Push starts a call of f whose arguments stand at fp (or in args).
func (m *Machine) Push(g *G, f *Func, fp unsafe.Pointer, ctx uint64, kind FrameKind) Status {
	if f.noted != m.noting {
		noteCall(m, f)
	}
	fr := Frame{Func: f, FP: fp, Kind: kind}
	if uintptr(fp)+uintptr(f.Frame+f.Out) > g.limit {
		if g.size > maxStack || m.Options.MaxMemory > 0 && g.size > uint64(m.Options.MaxMemory)/4 {
			m.Trace.Panic = "runtime: goroutine stack exceeds 1000000000-byte limit\n\nfatal error: stack overflow"
			m.Limit(g, "limit of stack reached: goroutine recurses without end")
			return Halt
		}
		need := int(f.Frame+f.Out)/8 + 64
		if m.Mem.Live+int64(need)*8 > m.CollectAt && !m.Room(g, int64(need)*8) {
			return Halt
		}
		fr.far, fr.limit = fp, g.limit
		fr.FP = m.AddChunk(g, max(need, min(2*len(g.Chunks[len(g.Chunks)-1]), 1<<16)))
		copy(FrameBytes(fr.FP, 0, uint64(f.Params)), FrameBytes(fp, 0, uint64(f.Params)))
	}
	if m.Config.CleanFrames {
		clear(FrameBytes(fr.FP, f.Params, uint64(f.Frame+f.Out-f.Params)))
	}
	if ctx != 0 {
		St(fr.FP, f.Ctx, ctx)
	}
	copy(unsafe.Slice((*uint64)(unsafe.Add(fr.FP, f.ConstOff)), len(f.Consts)), f.Consts)
	g.Frames = append(g.Frames, fr)
	return Reload
}

// PushArgs is push with arguments that are not on the stack.
func (m *Machine) PushArgs(g *G, f *Func, args []uint64, ctx uint64, kind FrameKind) Status {
	if f.noted != m.noting {
		noteCall(m, f)
	}
	m.held, m.heldCtx = args, ctx
	defer m.release()
	var at unsafe.Pointer
	if len(g.Frames) == 0 {
		at = unsafe.Pointer(&g.Chunks[0][0])
	} else {
		fr := g.Top()
		at = unsafe.Add(fr.FP, fr.Func.Frame)
	}
	if room := int64(g.limit) - int64(uintptr(at)); room < int64(len(args)*8)+int64(f.Results) {
		// The arguments go to the new chunk directly.
		old := g.limit
		need := int(f.Frame+f.Out)/8 + 64
		if m.Mem.Live+int64(need)*8 > m.CollectAt && !m.Room(g, int64(need)*8) {
			return Halt
		}
		p := m.AddChunk(g, max(need, FirstChunk))
		copy(unsafe.Slice((*uint64)(p), len(args)), args)
		s := m.Push(g, f, p, ctx, kind)
		if s == Reload {
			g.Top().far, g.Top().limit = p, old
		}
		return s
	}
	copy(unsafe.Slice((*uint64)(at), len(args)), args)
	return m.Push(g, f, at, ctx, kind)
}

// Pop ends the innermost call.
func (g *G) Pop() {
	fr := g.Top()
	if fr.far != nil {
		f := fr.Func
		if fr.far != fr.FP {
			copy(FrameBytes(fr.far, f.Params, uint64(f.Results)), FrameBytes(fr.FP, f.Params, uint64(f.Results)))
		}
		last := len(g.Chunks) - 1
		g.size -= uint64(len(g.Chunks[last])) * 8
		g.spare, g.Chunks[last] = g.Chunks[last], nil
		g.Chunks = g.Chunks[:last]
		g.limit = fr.limit
	}
	*fr = Frame{}
	g.Frames = g.Frames[:len(g.Frames)-1]
}

// FrameByToken returns the frame of a token that a range-over-func body carries.
func (g *GoStack) FrameByToken(t uint64) *Frame {
	for i := len(g.Frames) - 1; i >= 0; i-- {
		if g.Frames[i].Token == t {
			return &g.Frames[i]
		}
	}
	panic("machine: defer in a range-over-func body whose function has returned")
}
