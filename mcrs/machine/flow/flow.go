// Package flow follows dynamic dependence: which events' values have flowed into each register, into memory, and into
// the way that a goroutine took. Explorers ask for it to know which events decide about an event (trace.Dependence).
//
// A [Follower] compiles operations that stand beside the instructions which move values (code.OpFlow). The machine
// performs them. If nobody asks, it compiles none, and nothing here runs. The package knows code and memory. It
// knows no machine.
//
//	FLOW1 A register has the union of what its operands have. A word read from private memory has what was stored
//	      there. What an event returned has that event alone.
//	FLOW2 A branch decides all that the goroutine does from there on (the path), if its condition depends on events
//	      and if something may happen beside it before its ways meet again: memory may be touched, an object
//	      allocated, a function called or a panic raised.
//	FLOW3 So does an operation that may panic: by its operands. Thereby an address is always part of the path.
//	FLOW4 These depend on the branches that are open then: what is assigned where the ways from a branch meet again
//	      (a phi), what leaves a loop, and what is returned.
//	FLOW5 What the boundary computes depends on all its arguments and the objects they point to. So do these objects
//	      afterwards.
//	FLOW6 What becomes shared depends, as it is then, on what its owner stored in it. That counts for the event that
//	      shares it.
package flow

import (
	"slices"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/trace"
	"golang.org/x/tools/go/ssa"
)

// Regions says of a function where the ways from each of its blocks, by index, meet again: the index of the block's
// immediate post-dominator, -1 if that is the exit.
type Regions func(*ssa.Function) []int

// A Run is what has flowed where in one execution.
type Run struct {
	heap   *mem.Memory
	tr     *trace.Trace
	dep    *trace.Dependence
	memory map[uint64]trace.Set // by address of a word, >> 3; of a map, by its own address
}

// NewRun begins an execution. What its events depend on is written into tr.Dependence.
func NewRun(heap *mem.Memory, tr *trace.Trace) *Run {
	tr.Dependence = trace.NewDependence()
	return &Run{heap: heap, tr: tr, dep: tr.Dependence, memory: make(map[uint64]trace.Set)}
}

// A Start says how a function came to be called.
type Start uint8

const (
	Called   Start = iota // by a call
	Spawned               // as the function of a goroutine
	Deferred              // as a deferred call, or by the machine itself
)

// A Goroutine is what has flowed where in one goroutine. Who performs an operation sets Depth and Start first.
type Goroutine struct {
	Depth int   // number of frames of the goroutine
	Start Start // of the innermost of them

	frames []flowFrame
	words  []trace.Set // of all frames
	path   trace.Set
	panics trace.Set // the part of the path that FLOW3 made

	// Of the instruction at hand:
	value  trace.Set // what it writes
	made   []int32   // its events
	opaque bool      // a later event of it may depend on what an earlier one returned
	self   bool      // whether it writes depends on what it reads

	// Of the call that comes:
	args   []trace.Set // by word
	all    trace.Set
	depth  int  // of the callee's frame
	exact  bool // args are the callee's parameters
	given  []trace.Set
	result struct { // of the call that has returned
		depth int
		words []trace.Set
	}
}

type flowFrame struct {
	base, n  int
	open     []openBranch
	outside  trace.Set // the branches open at the call
	deferred trace.Set // arguments of deferred calls
}

// An openBranch is a set of branches whose ways meet again at one block.
type openBranch struct {
	until int
	on    trace.Set
}

// NewGoroutine returns a goroutine that has not called anything yet.
func NewGoroutine() *Goroutine { return &Goroutine{depth: -1} }

// An Op is what a code.OpFlow does.
type Op func(r *Run, g *Goroutine, fp unsafe.Pointer)

func (r *Run) union(a, b trace.Set) trace.Set { return r.dep.Union(a, b) }

// Spawn begins goroutine w, which from starts.
func (r *Run) Spawn(w, from *Goroutine) {
	w.given = slices.Clone(from.args)
	w.path, w.panics = from.path, from.panics
	if n := min(len(from.frames), from.Depth); n > 0 {
		w.panics = r.union(w.panics, r.control(&from.frames[n-1]))
	}
}

// Switch lets a goroutine go on with what flows on another stack of its own, that of a coroutine or the one that called
// it. The way that it took on the one decides that it goes on with the other.
func (r *Run) Switch(to, from *Goroutine) {
	to.path, to.panics = r.union(to.path, from.path), r.union(to.panics, from.panics)
	if n := min(len(from.frames), from.Depth); n > 0 {
		to.panics = r.union(to.panics, r.control(&from.frames[n-1]))
	}
}

// enter begins the frame of f.
func (r *Run) enter(w *Goroutine, f *code.Code) {
	d := w.Depth - 1
	for len(w.frames) > d {
		w.frames = w.frames[:len(w.frames)-1]
	}
	for len(w.frames) < d { // of natives
		w.frames = append(w.frames, flowFrame{base: w.end()})
	}
	fr := flowFrame{base: w.end(), n: int(f.Frame+f.Out)/8 + 1}
	if need := fr.base + fr.n; need > len(w.words) {
		w.words = append(w.words, make([]trace.Set, need-len(w.words))...)
	}
	s := w.words[fr.base : fr.base+fr.n]
	clear(s)
	params := s[:f.Params/8]
	switch {
	case w.Start == Spawned:
		copy(params, w.given)
	case w.Start == Deferred:
		if d > 0 {
			fill(params, w.frames[d-1].deferred)
		}
	case w.depth == d && w.exact:
		copy(params, w.args)
	case w.depth == d:
		fill(params, w.all)
	}
	w.depth = -1
	if d > 0 {
		fr.outside = r.control(&w.frames[d-1])
	}
	w.frames = append(w.frames, fr)
}

func fill(s []trace.Set, with trace.Set) {
	for i := range s {
		s[i] = with
	}
}

func (w *Goroutine) end() int {
	if n := len(w.frames); n > 0 {
		return w.frames[n-1].base + w.frames[n-1].n
	}
	return 0
}

// flowFrame returns the innermost frame's state. Those of calls that are over are dropped.
func (w *Goroutine) flowFrame() (*flowFrame, []trace.Set) {
	w.frames = w.frames[:w.Depth]
	fr := &w.frames[len(w.frames)-1]
	return fr, w.words[fr.base : fr.base+fr.n]
}

// control is what the branches open in a frame, and at its call, depend on.
func (r *Run) control(fr *flowFrame) trace.Set { return r.union(fr.outside, r.opened(fr)) }

func (r *Run) opened(fr *flowFrame) (on trace.Set) {
	for _, b := range fr.open {
		on = r.union(on, b.on)
	}
	return on
}

// mayPanic puts what an operation's panic depends on into the path (FLOW3).
func (r *Run) mayPanic(g *Goroutine, on trace.Set) {
	if on != 0 {
		g.panics = r.union(g.panics, on)
		g.path = r.union(g.path, on)
	}
}

// beginOp begins an instruction that may make events: value is what it writes.
func (r *Run) beginOp(w *Goroutine, may, value trace.Set) {
	r.mayPanic(w, may)
	w.value, w.made, w.opaque, w.self = value, w.made[:0], false, false
}

// events is what the events of the instruction at hand returned.
func (r *Run) events(g *Goroutine) (on trace.Set) {
	for _, e := range g.made {
		on = r.union(on, r.dep.Event(int(e)))
	}
	return on
}

// Event notes what event i of w depends on. w is nil if it is of none.
func (r *Run) Event(w *Goroutine, i int) {
	d := r.dep
	var path, control, value trace.Set
	if w != nil {
		before := r.events(w)
		value = r.union(w.value, before)
		if w.opaque {
			r.mayPanic(w, before)
		}
		path, control = w.path, w.panics
		if n := min(len(w.frames), w.Depth); n > 0 {
			control = r.union(control, r.control(&w.frames[n-1]))
		}
		if w.self || mayTurnOut(&r.tr.Events[i]) {
			path, control = r.union(path, d.Event(i)), r.union(control, d.Event(i))
		}
		w.made = append(w.made, int32(i))
		if !r.tr.Events[i].Kind.TellsOnlyValue() { // what comes after it depends on it
			r.mayPanic(w, d.Event(i))
		}
	}
	d.Path, d.Control, d.Value = append(d.Path, path), append(d.Control, control), append(d.Value, value)
}

// mayTurnOut reports whether an operation on a sync.Map may turn out to be a read, by what it finds.
func mayTurnOut(e *event.Event) bool {
	return event.OfMap(e) && (e.Kind == event.ObjectWrite || e.Swap)
}

// Finish adds to what an update writes that it depends on what the update found.
func (r *Run) Finish() {
	d := r.dep
	for i := range r.tr.Events {
		if r.tr.Events[i].Kind == event.AtomicRMW {
			d.Value[i] = d.Union(d.Value[i], d.Event(i))
		}
	}
}

// Published is FLOW6: w made o shared by the events from number from on. w is nil if it is of no goroutine.
func (r *Run) Published(w *Goroutine, o *mem.Object, from int) {
	on := r.contents(o.Base, o.Size)
	if on == 0 {
		return
	}
	d := r.dep
	if w != nil {
		r.mayPanic(w, on)
	}
	for i := from; i < len(r.tr.Events); i++ {
		d.Path[i], d.Control[i] = d.Union(d.Path[i], on), d.Union(d.Control[i], on)
	}
}

// contents is what n bytes at addr depend on.
func (r *Run) contents(addr, n uint64) (on trace.Set) {
	r.eachWord(addr, n, func(_ uint64, s trace.Set) { on = r.union(on, s) })
	return on
}

// eachWord calls f for each word of n bytes at addr of which something is known.
func (r *Run) eachWord(addr, n uint64, f func(word uint64, s trace.Set)) {
	if n == 0 || len(r.memory) == 0 {
		return
	}
	lo, hi := addr>>3, (addr+n-1)>>3
	if hi-lo > uint64(len(r.memory)) {
		var words []uint64
		for w := range r.memory {
			if w >= lo && w <= hi {
				words = append(words, w)
			}
		}
		slices.Sort(words)
		for _, w := range words {
			f(w, r.memory[w])
		}
		return
	}
	for w := lo; w <= hi; w++ {
		if s := r.memory[w]; s != 0 {
			f(w, s)
		}
	}
}

// setWord notes what a word of memory depends on.
func (r *Run) setWord(word uint64, s trace.Set) {
	switch {
	case s != 0:
		r.memory[word] = s
	case len(r.memory) > 0:
		delete(r.memory, word)
	}
}

// Anew says that n bytes at addr are those of a new object: nothing of what was there before is in them.
func (r *Run) Anew(addr, n uint64) {
	for w := addr >> 3; w <= (addr+n)>>3; w++ {
		r.setWord(w, 0)
	}
}

// setMemory notes what n bytes at addr depend on. from has a set for each of their words. Bytes beside them keep
// theirs.
func (r *Run) setMemory(addr, n uint64, from func(i int) trace.Set) {
	for i := uint64(0); i < n; i += 8 {
		s := from(int(i / 8))
		at := addr + i
		if at&7 != 0 || n-i < 8 {
			end := min(i+8, n)
			for w := at >> 3; w <= (addr+end-1)>>3; w++ {
				if s != 0 {
					r.setWord(w, r.union(s, r.memory[w]))
				}
			}
			continue
		}
		r.setWord(at>>3, s)
	}
}

// copyMemory notes that n bytes at src were copied to dst; on is what all of them depend on besides.
func (r *Run) copyMemory(dst, src, n uint64, on trace.Set) {
	if n == 0 || n > 1<<32 {
		return
	}
	if on == 0 {
		if len(r.memory) == 0 {
			return
		}
		if r.contents(src, n) == 0 && r.contents(dst, n) == 0 {
			return
		}
	}
	sets := make([]trace.Set, (n+7)/8)
	for i := range sets {
		at := uint64(i) * 8
		sets[i] = r.union(on, r.contents(src+at, min(8, n-at)))
	}
	r.setMemory(dst, n, func(i int) trace.Set { return sets[i] })
}

// opaqueResult is FLOW5: what the boundary returned and left in the objects that words of arguments point to.
func (r *Run) opaqueResult(g *Goroutine, args []uint64, on trace.Set) trace.Set {
	on = r.union(on, r.events(g))
	var objects []*mem.Object
	for _, a := range args {
		if mem.SegmentOf(a) < mem.First || mem.SegmentOf(a) >= mem.Text {
			continue
		}
		if o := r.heap.Object(a); o != nil {
			objects = append(objects, o)
			on = r.union(on, r.contents(o.Base, o.Size))
		}
	}
	if on == 0 {
		return 0
	}
	for _, o := range objects {
		if o.Flags&(mem.Shared|mem.ReadOnly) == 0 {
			for w := o.Base >> 3; w <= (o.Base+o.Size)>>3; w++ {
				r.setWord(w, r.union(r.memory[w], on))
			}
		}
	}
	return on
}
