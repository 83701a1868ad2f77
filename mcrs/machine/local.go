package machine

import (
	"maps"
	"slices"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/sched"
	"golang.org/x/tools/go/ssa"
)

// This file names the state of one goroutine: where two histories of it lead to states of the same name, it goes on in the same ways.
//
// In the name is what the goroutine can still see without an event: its frames, deferred calls, and the memory that is its own and that these reach, with the bytes of what is
// shared but read without events (strings, closures, values in interfaces); its random stream and its readings of the clock; what names the objects,
// goroutines and timers that it makes next; and its tables of results (SILENT3). A register that is not read again (code.Liveness) is left out unless it holds an address: for what is
// reachable is looked for in all words of a stack (leaks.go).
//
// What it has done in silence, in the packages whose accesses make no events and by functions of the boundary that keep something, is not in the name: that it has done
// so is said beside it (sched.Local.Silent).

// maxLocal is how many bytes of memory are looked at for one name.
const maxLocal = 1 << 13

// A name must be cheap beside the execution that it may save. So an execution has so many words to look at for all its names, and so many more for each
// instruction; what stands behind has none. (A function of 9,000 values, all in one frame, would take a hundred times as long to be named as to be run.)
const (
	namedWords        = 1 << 22
	namedWordsPerStep = 16
)

// quiet are the functions of the boundary that keep nothing beside the memory of the program and what events show, by the beginning of their names.
var quiet = []string{
	"(*sync.Mutex).", "(*internal/sync.Mutex).", "(*sync.RWMutex).", "(*sync.WaitGroup).", "sync.heddleOnce", "sync.heddleMemo", "sync.heddleSetMemo", "sync.runtime_notifyList", "sync/atomic.", "(*sync/atomic.",
	"internal/runtime/atomic.", "runtime.Gosched", "runtime.KeepAlive", "runtime.Goexit", "time.Sleep", "time.now", "time.runtimeNano", "time.runtimeNow", "math.", "math/bits.", "internal/bytealg.", "bytes.Equal",
}

// localState implements sched.State.Local.
func (m *Machine) localState(thread int) sched.Local {
	g := m.gs[thread]
	l := sched.Local{Silent: g.secret}
	if g.pseudo() || g.dying || len(g.panics) > 0 || m.coros > 0 || g.bubble != nil || g.got.has || g.message != "" || g.text != nil {
		return l
	}
	if g.ending {
		return sched.Local{Digest: 1, Known: true, Silent: g.secret}
	}
	if m.lookedAt > namedWords+namedWordsPerStep*m.steps {
		return l
	}
	m.naming.number++
	w := &m.naming
	w.m, w.h, w.todo, w.size, w.lost = m, hashMix(g.rand, g.readings), w.todo[:0], 0, false
	for _, x := range []uint64{
		uint64(g.ticks), uint64(g.kids), uint64(g.timers), g.tokens, uint64(g.stage), uint64(g.slept), uint64(g.indicator), b2w(g.exited), g.origin.typ, g.origin.data,
		uint64(g.origin.site), m.mem.Count(g.seg), uint64(len(g.frames)),
	} {
		w.mix(x)
	}
	w.operation(&g.op)
	if m.relaxed() {
		w.buffers(g)
	}
	for i := range g.frames {
		w.frame(g, i)
	}
	if len(g.memos) > 0 { // few goroutines have one, and this is computed at every operation
		for _, at := range slices.Sorted(maps.Keys(g.memos)) {
			w.mix(at)
			w.word(g.memos[at])
		}
	}
	w.objects()
	l.Digest, l.Known = w.h, !w.lost
	return l
}

// A naming hashes what a goroutine can see.
type naming struct {
	m      *Machine
	number uint32 // of the naming, in this machine
	h      uint64
	todo   []*mem.Object // met, from the first on
	size   uint64        // of their bytes
	lost   bool          // there is what has no hash, or too much
}

func (w *naming) mix(x uint64) { w.h = hashMix(w.h, x) }

// operation hashes the pending operation. The ticket of a Cond is a matter of all goroutines.
func (w *naming) operation(o *event.Op) {
	w.mix(uint64(o.Kind)<<32 | uint64(o.Site))
	w.mix(o.Loc.Addr)
	w.mix(uint64(o.Loc.Size)<<1 | b2w(o.HasDefault))
	if o.Kind != event.CondWait {
		w.mix(o.Key)
	}
	w.mix(uint64(o.Deadline))
	for _, c := range o.Cases {
		w.mix(uint64(c.Kind))
		w.mix(c.Chan)
	}
}

// frame hashes the i-th frame of a goroutine.
func (w *naming) frame(g *G, i int) {
	fr := &g.frames[i]
	f := fr.f
	w.mix(uint64(f.id)<<32 | uint64(uint32(fr.pc)))
	w.mix(fr.token<<8 | uint64(fr.kind))
	for _, d := range fr.defers {
		if w.mix(uint64(d.site)); d.f != nil {
			w.mix(uint64(d.f.id))
		}
		w.word(d.ctx)
		for _, a := range d.args {
			w.word(a)
		}
	}
	dead := w.m.deadWords(g, i)
	w.m.lookedAt += int64(f.Frame+f.Out) / 8
	out := int(f.Frame / 8) // what a call leaves behind these words, or an operation has so far
	from, to := out, out    // of these, those of an operation that has begun
	if i == len(g.frames)-1 && g.stage > 0 {
		from, to = callWords(fr)
	}
	for j, x := range unsafe.Slice((*uint64)(fr.fp), (f.Frame+f.Out)/8) {
		if (dead.Has(j) || j >= out && (j < from || j >= to)) && !w.m.Addresses(x) {
			continue
		}
		w.mix(uint64(j))
		w.word(x)
	}
}

// callWords returns which words of a frame belong to the operation at which it stands: the parameters and results of a function of the boundary. What calls before have left behind
// these is not read any more.
func callWords(fr *frame) (from, to int) {
	f := fr.f
	if pc := int(fr.pc); pc >= 0 && pc < len(f.Instrs) && f.Instrs[pc].Op == code.OpIntrinsic {
		in := &f.Instrs[pc]
		callee := f.funcs[in.K]
		return int(in.A) / 8, int(int64(in.A)+int64(callee.Params+callee.Results)) / 8
	}
	return int(f.Frame / 8), int(f.Frame+f.Out) / 8
}

// deadWords returns the words of a frame that are not read again, none if that is not known.
func (m *image) deadWords(g *G, i int) code.Words {
	fr := &g.frames[i]
	f := fr.f
	last := i == len(g.frames)-1
	if f.intrinsic != nil {
		if !last || g.stage > 0 {
			return nil
		}
		return code.Range(f.Params/8, (f.Params+f.Results)/8)
	}
	pc := int(fr.pc)
	if !last {
		switch g.frames[i+1].kind {
		case callFrame:
			pc--
		case deferFrame:
		default:
			return nil
		}
	}
	if pc < 0 || pc >= len(f.Sites) || f.Sites[pc] == 0 {
		return nil
	}
	in := m.siteTable[f.Sites[pc]].in
	if in == nil || f.Regs == nil {
		return nil
	}
	_, call := in.(*ssa.Call)
	p := code.Point{In: in}
	switch {
	case !last && g.frames[i+1].kind == callFrame:
		if p.After = true; !call {
			return nil
		}
	case !last:
		if _, ok := in.(*ssa.RunDefers); !ok {
			return nil
		}
	default:
		p.Own = g.stage > 0 || !call && pc > 0 && f.Sites[pc-1] == f.Sites[pc]
	}
	if f.live == nil {
		f.live = code.NewLiveness(m.layouts, f.ssa, &f.Code)
	}
	return f.live.DeadAt(p)
}

// word hashes a word that may be an address.
func (w *naming) word(x uint64) {
	o := w.m.mem.Object(x)
	if o != nil && o.Flags&mem.Output != 0 { // SILENT6
		return
	}
	w.mix(x)
	if o == nil || o.Flags&mem.ReadOnly != 0 || o.Flags&(mem.Shared|mem.Unlogged) == mem.Shared || o.Seen == w.number {
		return
	}
	o.Seen = w.number
	w.todo = append(w.todo, o)
}

// objects hashes the objects met, and what they reach.
func (w *naming) objects() {
	for i := 0; i < len(w.todo) && !w.lost; i++ {
		o := w.todo[i]
		if w.size += o.Size; w.size > maxLocal || w.m.records[o.Base] != nil {
			w.lost = true
			return
		}
		switch o.Aux.(type) {
		case nil, *chanState, *mapState:
		default:
			w.lost = true
			return
		}
		w.m.lookedAt += int64(o.Size) / 8
		w.mix(hashObject(o))
		if o.Ptrs != nil {
			o.Ptrs.Scan(o.Data(), o.Size, w.word, true)
		}
		if o.Aux != nil {
			o.Aux.Scan(w.word, true)
		}
	}
}
