package naming

import (
	"slices"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file hashes the words of frames. A test of a large library stands twenty calls deep at each of its operations,
// and between two of them most of these calls have not gone on.
//
//	CALLER1  A frame that has called another one is hashed again only if a word of it has changed, or the instruction
//	         at which it stands, or what it has called. What the hash is of is then the same. The objects that its
//	         words lead to are looked at anew for each name: who runs above it may have changed these.
//
// To compare a word takes a fraction of what it takes to hash it, so a name is charged one word for wordsCompared. That
// is what an execution with a deep stack gets names for.

// wordsCompared is how many words are compared for what it takes to hash one.
const wordsCompared = 8

// A caller is a frame that has called another one, as it was hashed last.
type caller struct {
	fn    *vm.Func
	pc    int32
	above vm.FrameKind // of the frame that it has called
	words []uint64
	framed
}

// framed is what the words of a frame are in a name.
type framed struct {
	hash  uint64
	leads []uint64 // the words that may be addresses, but for those of output
}

// callers are the frames of the goroutines of one execution, by goroutine and depth.
type callers struct {
	of     *trace.Trace
	frames [][]caller
}

// anew forgets the frames of another execution: what has an address there is another object.
func (c *callers) anew(of *trace.Trace) {
	if c.of != of {
		c.of, c.frames = of, c.frames[:0]
	}
}

// at returns a frame of a goroutine.
func (c *callers) at(thread, depth int) *caller {
	for len(c.frames) <= thread {
		c.frames = append(c.frames, nil)
	}
	fs := c.frames[thread]
	for len(fs) <= depth {
		fs = append(fs, caller{})
	}
	c.frames[thread] = fs
	return &fs[depth]
}

// words hashes the words of the i-th frame of a goroutine, and notes the objects that they lead to.
func (w *Namer) words(g *vm.G, i int) {
	fr := &g.Frames[i]
	f := fr.Func
	now := unsafe.Slice((*uint64)(fr.FP), (f.Frame+f.Out)/8)
	if i == len(g.Frames)-1 {
		w.m.LookedAt += int64(len(now))
		w.put(w.hashed(&w.top, g, i, now))
		return
	}
	now = now[:f.Frame/8] // what a call leaves behind these words is the callee's
	c := w.callers.at(int(g.Index), i)
	if c.fn == f && c.pc == fr.PC && c.above == g.Frames[i+1].Kind && slices.Equal(c.words, now) { // CALLER1
		w.m.LookedAt += 1 + int64(len(now))/wordsCompared + int64(len(c.leads))
	} else {
		w.m.LookedAt += int64(len(now))
		c.fn, c.pc, c.above, c.words = f, fr.PC, g.Frames[i+1].Kind, append(c.words[:0], now...)
		w.hashed(&c.framed, g, i, now)
	}
	w.put(&c.framed)
}

// put adds the words of a frame to the name.
func (w *Namer) put(x *framed) {
	w.mix(x.hash)
	for i, a := range x.leads {
		o := w.m.Mem.Object(a)
		if o == nil {
			continue
		}
		if w.meet(o); vm.SortOf(o) != 0 {
			w.h = fold(w.h+uint64(i)*vm.HashMul1, vm.SortOf(o))
		}
	}
}

// hashed hashes the words of a frame.
func (w *Namer) hashed(x *framed, g *vm.G, i int, words []uint64) *framed {
	fr := &g.Frames[i]
	dead := DeadWords(w.m, g, i)
	out := int(fr.Func.Frame / 8) // what a call leaves behind these words, or an operation has so far
	from, to := out, out          // of these, those of an operation that has begun
	if i == len(g.Frames)-1 && g.Stage > 0 {
		from, to = callWords(fr)
	}
	x.leads = x.leads[:0]
	h := uint64(folded)
	for j, a := range words {
		if dead.Has(j) || j >= out && (j < from || j >= to) {
			continue
		}
		if a >= mem.Lowest {
			if o := w.m.Mem.Object(a); o != nil && o.Flags&mem.Output != 0 { // SILENT6
				a = whatever
			} else {
				x.leads = append(x.leads, a)
			}
		}
		h = fold(h+uint64(j)*vm.HashMul1, a) // the word, and where it stands
	}
	x.hash = h
	return x
}

// callWords returns which words of a frame belong to the operation at which it stands: the parameters and results of
// a function of the boundary. What calls before have left behind these is not read any more.
func callWords(fr *vm.Frame) (from, to int) {
	f := fr.Func
	if pc := int(fr.PC); pc >= 0 && pc < len(f.Instrs) && f.Instrs[pc].Op == code.OpIntrinsic {
		in := &f.Instrs[pc]
		callee := f.Funcs[in.K]
		return int(in.A) / 8, int(int64(in.A)+int64(callee.Params+callee.Results)) / 8
	}
	return int(f.Frame / 8), int(f.Frame+f.Out) / 8
}
