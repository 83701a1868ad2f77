package naming

import (
	"maps"
	"slices"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/objects"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/sched"
	"golang.org/x/tools/go/ssa"
)

// This file names the state of one goroutine: where two histories of it lead to states of the same name, it goes on
// in the same ways.
//
// In the name is what the goroutine can still see without an event: its frames, deferred calls, and the memory that
// is its own and that these reach, with the bytes of what is shared but read without events (strings, closures,
// values in interfaces); its random stream, and how often it has read the clock (TOLD6); what names the objects,
// goroutines and timers that it makes next; and its tables of results (SILENT3). A register that is not read again
// (code.Liveness) is left out, whatever it holds: what a goroutine reaches is looked for in the others (LEAK5 of
// package loop).
//
//	HEARD1  In the midst of an instruction that makes several visible operations, what these have read so far is
//	        in the name: it is in no register yet. So it is at the second operand of bytes.Equal, and where a copy
//	        writes.
//
// What it has done in silence, in the packages whose accesses make no events and by functions of the boundary that
// keep something, is not in the name: that it has done so is said beside it (sched.Local.Silent).

// maxLocal is how many bytes of memory are looked at for one name.
const maxLocal = 1 << 13

// A name must be cheap beside the execution that it may save. So an execution has so many words to look at for all
// its names, and so many more for each instruction; what stands behind has none. (A function of 9,000 values, all in
// one frame, would take a hundred times as long to be named as to be run.)
const (
	namedWords        = 1 << 21
	namedWordsPerStep = 6
)

// The words of a frame stand in a row, so that many cost as much as one of an object, which has to be found first.
const inRow = 4

// mostWords is how many words an execution may look at for its names so far.
func mostWords(m *vm.Machine) int64 {
	n := namedWords + namedWordsPerStep*m.Steps
	if most := m.Options.MaxWords; most > 0 {
		n = min(n, most)
	}
	return n
}

// New returns what names the states of goroutines of m.
func New(m *vm.Machine) *Namer {
	w := &Namer{m: m}
	w.visitWord, w.visitReached = w.word, w.reached
	return w
}

// Local implements sched.State.Local.
func (w *Namer) Local(thread int) sched.Local {
	m := w.m
	g := m.Threads[thread]
	l := sched.Local{Silent: g.Secret}
	if g.Pseudo() || g.Dying || len(g.Panics) > 0 || m.Coros > 0 || g.Got.Has || g.Message != "" || g.Text != nil {
		return l
	}
	if g.Ending {
		return sched.Local{Digest: 1, Known: true, Silent: g.Secret}
	}
	if m.LookedAt-m.Vacating > mostWords(m) {
		return l
	}
	w.number++
	w.h, w.todo, w.size, w.lost = vm.HashMix(g.Rand, g.Told), w.todo[:0], 0, false
	for _, x := range []uint64{
		uint64(vm.BubbleID(g.Bubble)), uint64(g.Bubbles), uint64(g.Ticks), uint64(g.Kids), uint64(g.Timers), g.Tokens, uint64(g.Stage), vm.CourseOf(g), uint64(g.Indicator), g.Holds, vm.Word(g.Exited), g.Origin.Type, g.Origin.Data,
		m.Mem.Count(g.Segment), uint64(len(g.Frames)),
	} {
		w.mix(x)
	}
	w.site(g.Origin.Site)
	if g.Stage > 0 { // HEARD1
		w.mix(g.Heard)
	}
	w.own(g)
	w.operation(&g.Op, g.Bubble != nil)
	if m.Relaxed() {
		w.buffers(g)
	}
	for i := range g.Frames {
		w.frame(g, i)
	}
	if len(g.Memos) > 0 { // few goroutines have one, and this is computed at every operation
		for _, at := range slices.Sorted(maps.Keys(g.Memos)) {
			w.mix(at)
			w.word(g.Memos[at])
		}
	}
	w.objects()
	l.Digest, l.Known = w.h, !w.lost
	return l
}

// A Namer hashes what a goroutine can see.
type Namer struct {
	m *vm.Machine
	// The methods word and reached: to make a function of one anew for each walk costs more than most walks.
	visitWord, visitReached func(uint64)

	number uint32 // of the naming, in this machine
	h      uint64
	todo   []*mem.Object // met, from the first on
	size   uint64        // of their bytes
	lost   bool          // there is what has no hash, or too much
	looked int64         // words looked at in the last walk of reuse.go
	young  int           // young objects that this walk has still to meet
	fresh  int           // those of them that no walk has met before
}

func (w *Namer) mix(x uint64) { w.h = fold(w.h, x) }

// site hashes a site. Its number depends on what was compiled before, its function's address and its own place there do
// not.
func (w *Namer) site(s event.Site) {
	if s == 0 {
		w.mix(0)
		return
	}
	w.mix(w.m.SiteTable[s].Func.Text)
	w.mix(w.m.Offset(s))
}

// own hashes what decides which addresses a goroutine's allocations get (reuse.go).
func (w *Namer) own(g *vm.G) {
	w.mix(vm.Word(g.Settled) | vm.Word(g.Since > 0)<<1)
	if g.Walked > cheapLook {
		w.mix(uint64(g.Since))
		w.mix(uint64(g.Walked))
	}
	fresh := uint64(0)
	for i, a := range g.Young {
		if !vm.IsKnown(w.m, a) {
			w.mix(a)
			fresh += vm.Word(i >= g.Old)
		}
	}
	w.mix(fresh)
	for _, a := range g.Vacant {
		w.mix(a)
	}
}

// buffers hashes what a goroutine has stored, as far as it decides what its next operations are: whether there is a
// Fence (BUF6), what a Store publishes (BUF7), and which threads its buffer has. What is on its way others know by
// the events.
func (w *Namer) buffers(g *vm.G) {
	w.mix(vm.Word(g.Unfenced))
	w.mix(g.DrainedAt)
	for _, a := range g.Anew {
		w.mix(a)
	}
	for _, b := range g.Queues {
		w.mix(b.Queue)
	}
}

// operation hashes the pending operation. The ticket of a Cond is a matter of all goroutines, and whether a sleep may
// end early one of the bounds of time (UTIME15 of package spec).
func (w *Namer) operation(o *event.Op, bubbled bool) {
	w.mix(uint64(o.Kind))
	w.site(o.Site)
	w.mix(o.Loc.Addr)
	w.mix(uint64(o.Loc.Size)<<2 | vm.Word(o.Adds)<<1 | vm.Word(o.HasDefault))
	if o.Kind != event.CondWait && o.Kind != event.Sleep {
		w.mix(o.Key)
	}
	if w.mix(uint64(o.After)); bubbled { // else the deadline is a matter of the clock (UTIME9 of package spec)
		w.mix(uint64(o.Deadline))
	}
	w.mix(o.Blind)
	for _, c := range o.Cases {
		w.mix(uint64(c.Kind))
		w.mix(c.Chan)
	}
}

// frame hashes the i-th frame of a goroutine.
func (w *Namer) frame(g *vm.G, i int) {
	fr := &g.Frames[i]
	f := fr.Func
	w.mix(f.Text)
	w.mix(uint64(uint32(fr.PC)))
	w.mix(fr.Token<<8 | uint64(fr.Kind))
	for _, d := range fr.Defers {
		if w.site(d.Site); d.Func != nil {
			w.mix(d.Func.Text)
		}
		w.word(d.Ctx)
		for _, a := range d.Args {
			w.word(a)
		}
	}
	dead := DeadWords(w.m, g, i)
	w.m.LookedAt += int64(f.Frame+f.Out) / 8 / inRow
	out := int(f.Frame / 8) // what a call leaves behind these words, or an operation has so far
	from, to := out, out    // of these, those of an operation that has begun
	if i == len(g.Frames)-1 && g.Stage > 0 {
		from, to = callWords(fr)
	}
	h := w.h
	for j, x := range unsafe.Slice((*uint64)(fr.FP), (f.Frame+f.Out)/8) {
		if dead.Has(j) || j >= out && (j < from || j >= to) {
			continue
		}
		if x >= mem.Lowest {
			switch o := w.m.Mem.Object(x); {
			case o == nil:
			case o.Flags&mem.Output != 0: // SILENT6
				x = whatever
			default:
				w.meet(o)
				x += vm.SortOf(o) * vm.HashMul1
			}
		}
		h = fold(h+uint64(j)*vm.HashMul1, x) // the word, and where it stands
	}
	w.h = h
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

// Reads calls f for each word that a goroutine can still read without reading memory, and that may be an address: of
// its stack, of those below if it is on a coroutine's, of what it panics with, which it may recover, and of what is on
// its way.
func Reads(m *vm.Machine, g *vm.G, f func(uint64)) {
	for i := range g.Frames {
		frameReads(m, g, i, f)
	}
	for i := range g.Panics {
		f(g.Panics[i].Data)
	}
	for s := g.Below; s != nil; s = s.Below {
		s.Roots(f)
	}
	g.Underway(f)
}

// frameReads is Reads for the i-th frame, with its deferred calls. What calls have left behind the frame is not read,
// but for the parameters and results of an operation that has begun.
func frameReads(m *vm.Machine, g *vm.G, i int, f func(uint64)) {
	fr := &g.Frames[i]
	for _, d := range fr.Defers {
		f(d.Ctx)
		for _, a := range d.Args {
			f(a)
		}
	}
	dead := DeadWords(m, g, i)
	words := unsafe.Slice((*uint64)(fr.FP), (fr.Func.Frame+fr.Func.Out)/8)
	for j, x := range words[:fr.Func.Frame/8] {
		if x >= mem.Lowest && !dead.Has(j) {
			f(x)
		}
	}
	if i == len(g.Frames)-1 && g.Stage > 0 {
		if from, to := callWords(fr); from < to {
			for _, x := range words[from:to] {
				f(x)
			}
		}
	}
}

// DeadWords returns the words of a frame that are not read again, none if that is not known.
func DeadWords(m *vm.Machine, g *vm.G, i int) code.Words {
	fr := &g.Frames[i]
	f := fr.Func
	last := i == len(g.Frames)-1
	if f.Intrinsic != nil {
		if !last || g.Stage > 0 {
			return nil
		}
		return code.Range(f.Params/8, (f.Params+f.Results)/8)
	}
	pc := int(fr.PC)
	if !last {
		switch g.Frames[i+1].Kind {
		case vm.CallFrame:
			pc--
		case vm.DeferFrame:
		default:
			return nil
		}
	}
	if pc < 0 || pc >= len(f.Sites) || f.Sites[pc] == 0 {
		return nil
	}
	in := m.SiteTable[f.Sites[pc]].Instr
	if in == nil || f.Regs == nil {
		return nil
	}
	_, call := in.(*ssa.Call)
	p := code.Point{In: in}
	switch {
	case !last && g.Frames[i+1].Kind == vm.CallFrame:
		if p.After = true; !call {
			return nil
		}
	case !last:
		if _, ok := in.(*ssa.RunDefers); !ok {
			return nil
		}
	default:
		p.Own = g.Stage > 0 || !call && pc > 0 && f.Sites[pc-1] == f.Sites[pc]
	}
	if f.Live == nil {
		f.Live = code.NewLiveness(m.Layouts, f.SSA, &f.Code)
	}
	return f.Live.DeadAt(p)
}

// word hashes a word that may be an address.
func (w *Namer) word(x uint64) {
	o := w.m.Mem.Object(x)
	if o != nil && o.Flags&mem.Output != 0 { // SILENT6
		return
	}
	if w.mix(x); o != nil {
		if s := vm.SortOf(o); s != 0 {
			w.mix(s)
		}
		w.meet(o)
	}
}

// meet notes an object whose contents belong to the name.
func (w *Namer) meet(o *mem.Object) {
	if o.Flags&mem.ReadOnly != 0 || o.Flags&(mem.Shared|mem.Unlogged) == mem.Shared || o.Seen == w.number {
		return
	}
	o.Seen = w.number
	w.todo = append(w.todo, o)
}

// objects hashes the objects met, and what they reach.
func (w *Namer) objects() {
	for i := 0; i < len(w.todo) && !w.lost; i++ {
		o := w.todo[i]
		if w.size += o.Size; w.size > maxLocal {
			w.lost = true
			return
		}
		if t := w.m.Records[o.Base]; t != nil {
			w.timer(t)
		}
		switch o.Aux.(type) {
		case nil, *objects.ChanState, *objects.MapState:
		default:
			w.lost = true
			return
		}
		w.m.LookedAt += int64(o.Size) / 8
		w.mix(HashObject(o))
		if o.Ptrs != nil {
			o.Ptrs.Scan(o.Data(), o.Size, w.visitWord, true)
		}
		if o.Aux != nil {
			o.Aux.Scan(w.visitWord, true)
		}
	}
}

// timer hashes what a goroutine's own timer was made of. Whether it is active, and when it fires, is a matter of the
// clock (UTIME9 of package spec), and the goroutine is told of it by events alone.
func (w *Namer) timer(t *vm.Timer) {
	if t.Func != nil {
		w.mix(t.Func.Text)
	}
	w.mix(uint64(t.Period))
	w.mix(uint64(t.Ticks))
	w.mix(vm.HashString(string(t.Name)))
	for _, x := range []uint64{t.Closure, t.Arg, t.Arg2} {
		w.word(x)
	}
}
