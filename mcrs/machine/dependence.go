package machine

import (
	"slices"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/trace"
	"golang.org/x/tools/go/ssa"
)

// This file defines dynamic dependence: which events' values have flowed into each register, into memory and into the way that a goroutine
// took. Code that is compiled with Config.Regions has an instruction code.OpFlow beside each instruction that moves values (flows_*.go);
// without it there is none, and nothing here runs.
//
//	FLOW1 A register has the union of what its operands have; a word read from private memory what was stored there;
//	      what an event returned, that event alone.
//	FLOW2 A branch whose condition depends on events, and beside which (before the ways from it meet again) memory may be touched, an
//	      object allocated, a function called or a panic raised, decides all that the goroutine does from there on: the path.
//	FLOW3 So does an operation that may panic: by its operands. Thereby an address is always part of the path.
//	FLOW4 What is assigned where the ways from a branch meet again (a phi), what leaves a loop, and what is returned, depends on the
//	      branches that are open then.
//	FLOW5 What the boundary computes depends on all its arguments and the objects they point to; so do these afterwards.
//	FLOW6 What becomes shared depends, as it is then, on what its owner stored in it: that counts for the event that shares it.

// Regions says of a function where the ways from each of its blocks, by index, meet again: the index of the block's immediate
// post-dominator, -1 if that is the exit.
type Regions func(*ssa.Function) []int

// flows is the state of an execution.
type flows struct {
	dep    *trace.Dependence
	memory map[uint64]trace.Set // by address of a word, >> 3; of a map, by its own address
}

// A gflows is that of a goroutine.
type gflows struct {
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

// A flowOp is what a code.OpFlow does.
type flowOp func(m *Machine, g *G, fp unsafe.Pointer)

func (m *Machine) beginFlows() {
	if m.cfg.Regions == nil {
		return
	}
	m.execution.flows = flows{dep: trace.NewDependence(), memory: make(map[uint64]trace.Set)}
	m.tr.Dependence = m.dep
}

func (m *Machine) union(a, b trace.Set) trace.Set { return m.dep.Union(a, b) }

// startFlows begins the goroutine that parent starts.
func (m *Machine) startFlows(w *gflows, parent *G) {
	from := parent.flows
	w.given = slices.Clone(from.args)
	w.path, w.panics = from.path, from.panics
	if n := min(len(from.frames), len(parent.frames)); n > 0 {
		w.panics = m.union(w.panics, m.control(&from.frames[n-1]))
	}
}

// enterFlows begins a function's frame.
func (m *Machine) enterFlows(g *G, f *Func, fp unsafe.Pointer) {
	w := g.flows
	d := len(g.frames) - 1
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
	switch kind := g.frames[d].kind; {
	case kind == baseFrame:
		copy(params, w.given)
	case kind != callFrame:
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
		fr.outside = m.control(&w.frames[d-1])
	}
	w.frames = append(w.frames, fr)
}

func fill(s []trace.Set, with trace.Set) {
	for i := range s {
		s[i] = with
	}
}

func (w *gflows) end() int {
	if n := len(w.frames); n > 0 {
		return w.frames[n-1].base + w.frames[n-1].n
	}
	return 0
}

// flowFrame returns the innermost frame's state. Those of calls that are over are dropped.
func (g *G) flowFrame() (*flowFrame, []trace.Set) {
	w := g.flows
	w.frames = w.frames[:len(g.frames)]
	fr := &w.frames[len(w.frames)-1]
	return fr, w.words[fr.base : fr.base+fr.n]
}

// control is what the branches open in a frame, and at its call, depend on.
func (m *Machine) control(fr *flowFrame) trace.Set { return m.union(fr.outside, m.opened(fr)) }

func (m *Machine) opened(fr *flowFrame) (on trace.Set) {
	for _, b := range fr.open {
		on = m.union(on, b.on)
	}
	return on
}

// mayPanic puts what an operation's panic depends on into the path (FLOW3).
func (m *Machine) mayPanic(g *G, on trace.Set) {
	if on != 0 {
		g.flows.panics = m.union(g.flows.panics, on)
		g.flows.path = m.union(g.flows.path, on)
	}
}

// beginOp begins an instruction that may make events: value is what it writes.
func (m *Machine) beginOp(g *G, may, value trace.Set) {
	m.mayPanic(g, may)
	w := g.flows
	w.value, w.made, w.opaque, w.self = value, w.made[:0], false, false
}

// events is what the events of the instruction at hand returned.
func (m *Machine) events(g *G) (on trace.Set) {
	for _, e := range g.flows.made {
		on = m.union(on, m.dep.Event(int(e)))
	}
	return on
}

// flowEvent notes what event i of g depends on.
func (m *Machine) flowEvent(g *G, i int) {
	d := m.dep
	var path, control, value trace.Set
	if w := g.flows; w != nil {
		before := m.events(g)
		value = m.union(w.value, before)
		if w.opaque {
			m.mayPanic(g, before)
		}
		path, control = w.path, w.panics
		if n := min(len(w.frames), len(g.frames)); n > 0 {
			control = m.union(control, m.control(&w.frames[n-1]))
		}
		if w.self {
			path, control = m.union(path, d.Event(i)), m.union(control, d.Event(i))
		}
		w.made = append(w.made, int32(i))
		if !m.tr.Events[i].Kind.TellsOnlyValue() { // what comes after it depends on it
			m.mayPanic(g, d.Event(i))
		}
	}
	d.Path, d.Control, d.Value = append(d.Path, path), append(d.Control, control), append(d.Value, value)
}

// finishFlows adds to what an update writes that it depends on what the update found.
func (m *Machine) finishFlows() {
	d := m.dep
	for i := range m.tr.Events {
		if m.tr.Events[i].Kind == event.AtomicRMW {
			d.Value[i] = d.Union(d.Value[i], d.Event(i))
		}
	}
}

// publishedFlows is FLOW6.
func (m *Machine) publishedFlows(o *mem.Object) {
	on := m.contents(o.Base, o.Size)
	if on == 0 || m.began >= len(m.tr.Events) {
		return
	}
	d := m.dep
	if g := m.gs[m.tr.Events[m.began].Thread]; g.flows != nil {
		m.mayPanic(g, on)
	}
	for i := m.began; i < len(m.tr.Events); i++ {
		d.Path[i], d.Control[i] = d.Union(d.Path[i], on), d.Union(d.Control[i], on)
	}
}

// contents is what n bytes at addr depend on.
func (m *Machine) contents(addr, n uint64) (on trace.Set) {
	m.eachWord(addr, n, func(_ uint64, s trace.Set) { on = m.union(on, s) })
	return on
}

// eachWord calls f for each word of n bytes at addr of which something is known.
func (m *Machine) eachWord(addr, n uint64, f func(word uint64, s trace.Set)) {
	if n == 0 || len(m.memory) == 0 {
		return
	}
	lo, hi := addr>>3, (addr+n-1)>>3
	if hi-lo > uint64(len(m.memory)) {
		var words []uint64
		for w := range m.memory {
			if w >= lo && w <= hi {
				words = append(words, w)
			}
		}
		slices.Sort(words)
		for _, w := range words {
			f(w, m.memory[w])
		}
		return
	}
	for w := lo; w <= hi; w++ {
		if s := m.memory[w]; s != 0 {
			f(w, s)
		}
	}
}

// setWord notes what a word of memory depends on.
func (m *Machine) setWord(word uint64, s trace.Set) {
	switch {
	case s != 0:
		m.memory[word] = s
	case len(m.memory) > 0:
		delete(m.memory, word)
	}
}

// setMemory notes what n bytes at addr depend on: from has a set for each of their words. Bytes beside them keep theirs.
func (m *Machine) setMemory(addr, n uint64, from func(i int) trace.Set) {
	for i := uint64(0); i < n; i += 8 {
		s := from(int(i / 8))
		at := addr + i
		if at&7 != 0 || n-i < 8 {
			end := min(i+8, n)
			for w := at >> 3; w <= (addr+end-1)>>3; w++ {
				if s != 0 {
					m.setWord(w, m.union(s, m.memory[w]))
				}
			}
			continue
		}
		m.setWord(at>>3, s)
	}
}

// copyMemory notes that n bytes at src were copied to dst; on is what all of them depend on besides.
func (m *Machine) copyMemory(dst, src, n uint64, on trace.Set) {
	if n == 0 || n > 1<<32 {
		return
	}
	if on == 0 {
		if len(m.memory) == 0 {
			return
		}
		if m.contents(src, n) == 0 && m.contents(dst, n) == 0 {
			return
		}
	}
	sets := make([]trace.Set, (n+7)/8)
	for i := range sets {
		at := uint64(i) * 8
		sets[i] = m.union(on, m.contents(src+at, min(8, n-at)))
	}
	m.setMemory(dst, n, func(i int) trace.Set { return sets[i] })
}

// opaqueResult is FLOW5: what the boundary returned and left in the objects that words of arguments point to.
func (m *Machine) opaqueResult(g *G, args []uint64, on trace.Set) trace.Set {
	on = m.union(on, m.events(g))
	var objects []*mem.Object
	for _, a := range args {
		if a>>48 < mem.First || a>>48 >= 0xffff {
			continue
		}
		if o := m.mem.Object(a); o != nil {
			objects = append(objects, o)
			on = m.union(on, m.contents(o.Base, o.Size))
		}
	}
	if on == 0 {
		return 0
	}
	for _, o := range objects {
		if o.Flags&(mem.Shared|mem.ReadOnly) == 0 {
			for w := o.Base >> 3; w <= (o.Base+o.Size)>>3; w++ {
				m.setWord(w, m.union(m.memory[w], on))
			}
		}
	}
	return on
}
