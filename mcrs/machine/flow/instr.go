package flow

import (
	"go/token"
	"go/types"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/trace"
	"golang.org/x/tools/go/ssa"
)

// This file defines the operations that stand beside instructions which move values. What an instruction
// depends on is known before it runs, for it may panic or be an event. What comes of it is noted after.

// A Follower compiles the operations of one function. It is a code.Follower.
type Follower struct {
	*code.Compiler
	Ops []Op // by the number that their code.OpFlow has

	fn       *ssa.Function
	code     *code.Code
	layouts  *layout.Layouts
	callee   func(*ssa.Function) (name string, intrinsic bool)
	branches *branches // how far the function's branches reach; nil if nothing is followed
}

// NewFollower makes the follower of fn, which c compiles to f. If regions is nil, nothing is followed. callee says of a
// function that is called statically whether it is one of the boundary, and its name there.
func NewFollower(c *code.Compiler, f *code.Code, fn *ssa.Function, ls *layout.Layouts, regions Regions,
	callee func(*ssa.Function) (name string, intrinsic bool)) *Follower {
	w := &Follower{Compiler: c, fn: fn, code: f, layouts: ls, callee: callee}
	if regions != nil {
		w.branches = newBranches(fn, regions(fn))
	}
	return w
}

// flow emits a code.OpFlow.
func (c *Follower) flow(f Op) {
	if f != nil {
		c.Emit(code.Instr{Op: code.OpFlow, K: uint64(len(c.Ops))})
		c.Ops = append(c.Ops, f)
	}
}

// One implements code.Follower: it compiles an instruction, with its flows if they are followed.
func (c *Follower) One(in ssa.Instruction) {
	if !c.follows() {
		c.Instr(in)
		return
	}
	pre, post := c.flowsOf(in)
	c.flow(pre)
	c.Instr(in)
	c.flow(post)
}

// A span is a row of bytes of the frame.
type span struct{ at, n int32 }

// spans returns where the values stand that v is made of: v itself, or what it is computed from where it is used.
func (c *Follower) spans(vs ...ssa.Value) (out []span) {
	for _, v := range vs {
		switch x := v.(type) {
		case nil, *ssa.Const, *ssa.Global, *ssa.Function, *ssa.Builtin:
			continue
		case *ssa.ChangeType:
			out = append(out, c.spans(x.X)...)
			continue
		case *ssa.Extract:
			out = append(out, span{c.Reg(x), c.Words(x)})
			continue
		case *ssa.BinOp:
			if c.Fused(x) {
				out = append(out, c.spans(x.X, x.Y)...)
				continue
			}
		}
		if r, ok := c.Register(v); ok {
			out = append(out, span{r, c.Words(v)})
			continue
		}
		switch x := v.(type) {
		case *ssa.FieldAddr:
			if _, ok := c.FrameLoc(x); !ok {
				out = append(out, c.spans(x.X)...)
			}
		case *ssa.IndexAddr:
			if _, ok := c.FrameLoc(x); !ok {
				out = append(out, c.headers(x.X)...)
				out = append(out, c.spans(x.Index)...)
			}
		}
	}
	return out
}

// kept is where a variable is that is kept in the frame.
func (c *Follower) kept(addr ssa.Value) []span {
	at, n := c.Place(addr)
	return []span{{at, n}}
}

// headers is spans of a slice but for its capacity.
func (c *Follower) headers(v ssa.Value) []span {
	s := c.spans(v)
	if _, ok := v.Type().Underlying().(*types.Slice); ok && len(s) == 1 && s[0].n == 24 {
		s[0].n = 16
	}
	return s
}

// word is the part of v's register that begins at byte off.
func (c *Follower) wordAt(v ssa.Value, off int32) []span {
	if s := c.spans(v); len(s) == 1 {
		return []span{{s[0].at + off, 8}}
	}
	return nil
}

func sumOf(r *Run, s []trace.Set, spans []span) (on trace.Set) {
	for _, sp := range spans {
		for i := sp.at / 8; i < (sp.at+sp.n+7)/8; i++ {
			on = r.union(on, s[i])
		}
	}
	return on
}

func setSpan(s []trace.Set, sp span, on trace.Set) {
	for i := sp.at / 8; i < (sp.at+sp.n+7)/8; i++ {
		s[i] = on
	}
}

// assign notes that dst is computed from what stands in from, and from the events of the instruction.
func (c *Follower) assign(dst ssa.Value, from ...span) Op {
	to := c.spans(dst)
	if len(to) != 1 {
		return nil
	}
	return func(r *Run, g *Goroutine, _ unsafe.Pointer) {
		_, s := g.flowFrame()
		setSpan(s, to[0], sumOf(r, s, from))
	}
}

// returnsEvents notes that dst is what the events of the instruction returned; if it made none, what other returns.
func (c *Follower) returnsEvents(dst ssa.Value, other func(r *Run, s []trace.Set, fp unsafe.Pointer) trace.Set) Op {
	to := c.spans(dst)
	if len(to) != 1 {
		return nil
	}
	return func(r *Run, g *Goroutine, fp unsafe.Pointer) {
		_, s := g.flowFrame()
		on := r.events(g)
		if len(g.made) == 0 && other != nil {
			on = other(r, s, fp)
		}
		setSpan(s, to[0], on)
	}
}

// begin is the op before an instruction that may panic because of what stands in may, or make events that write what
// stands in value.
func (c *Follower) begin(may, value []span) Op {
	return func(r *Run, g *Goroutine, _ unsafe.Pointer) {
		_, s := g.flowFrame()
		r.beginOp(g, sumOf(r, s, may), sumOf(r, s, value))
	}
}

// text is what the bytes of strings and slices depend on, whose headers stand at the spans.
func text(r *Run, fp unsafe.Pointer, headers []span) (on trace.Set) {
	for _, h := range headers {
		if h.n >= 16 {
			on = r.union(on, r.contents(ld(fp, h.at), ld(fp, h.at+8)))
		}
	}
	return on
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// flowsOf returns the ops before and after an instruction.
func (c *Follower) flowsOf(in ssa.Instruction) (pre, post Op) {
	switch in := in.(type) {
	case *ssa.Alloc:
		if at, ok := c.Local(in); ok {
			n := int32(c.layouts.Of(deref(in.Type())).Words()) * 8
			return nil, func(_ *Run, g *Goroutine, _ unsafe.Pointer) {
				_, s := g.flowFrame()
				setSpan(s, span{at, n}, 0)
			}
		}
		return nil, c.assign(in)
	case *ssa.UnOp:
		switch in.Op {
		case token.MUL:
			return c.flowLoad(in)
		case token.ARROW:
			return c.begin(c.spans(in.X), nil), c.returnsEvents(in, nil)
		}
		return nil, c.assign(in, c.spans(in.X)...)
	case *ssa.BinOp:
		return c.flowBinOp(in)
	case *ssa.Store:
		return c.flowStore(in)
	case *ssa.FieldAddr:
		if _, ok := c.Register(in); ok {
			return c.begin(c.spans(in.X), nil), c.assign(in, c.spans(in.X)...)
		}
	case *ssa.IndexAddr:
		if _, ok := c.Register(in); ok {
			from := append(c.headers(in.X), c.spans(in.Index)...)
			return c.begin(from, nil), c.assign(in, from...)
		}
	case *ssa.Field:
		to := c.spans(in)
		from := c.spans(in.X)
		if len(from) == 0 || len(to) == 0 {
			return nil, c.assign(in)
		}
		return nil, c.copyWords(to[0].at, from[0].at+int32(c.Layout(in.X).Offs[in.Field]), c.Layout(in).Size)
	case *ssa.Index:
		from := append(c.spans(in.X), c.spans(in.Index)...)
		if !isString(in.X.Type()) {
			return c.begin(c.spans(in.Index), nil), c.assign(in, from...)
		}
		return c.begin(from, nil), c.withText(in, from, c.spans(in.X))
	case *ssa.Slice:
		from := c.spans(in.X, in.Low, in.High, in.Max)
		return c.begin(from, nil), c.assign(in, from...)
	case *ssa.SliceToArrayPointer:
		return c.begin(c.spans(in.X), nil), c.assign(in, c.spans(in.X)...)
	case *ssa.Convert:
		return c.begin(c.textLength(in.X), nil), c.withText(in, c.spans(in.X), c.spans(in.X))
	case *ssa.MultiConvert:
		return c.begin(c.textLength(in.X), nil), c.withText(in, c.spans(in.X), c.spans(in.X))
	case *ssa.MakeInterface:
		return nil, c.flowWords(in, nil, c.spans(in.X))
	case *ssa.ChangeInterface:
		return nil, c.flowWords(in, c.wordAt(in.X, 0), c.wordAt(in.X, 8))
	case *ssa.TypeAssert:
		all := c.spans(in.X)
		if !in.CommaOk {
			return c.begin(c.wordAt(in.X, 0), nil), c.assign(in, all...)
		}
		ok := int32(c.Layout(in).Offs[1])
		to, typ := c.spans(in)[0], c.wordAt(in.X, 0)
		return nil, func(r *Run, g *Goroutine, _ unsafe.Pointer) {
			_, s := g.flowFrame()
			t := sumOf(r, s, typ)
			setSpan(s, to, sumOf(r, s, all))
			setSpan(s, span{to.at + ok, 8}, t)
		}
	case *ssa.MakeClosure:
		return nil, c.flowClosure(in)
	case *ssa.MakeSlice:
		return c.begin(c.spans(in.Len, in.Cap), nil), c.flowWords(in, nil, c.spans(in.Len), c.spans(in.Cap))
	case *ssa.MakeMap:
		return nil, c.assign(in)
	case *ssa.MakeChan:
		return c.begin(c.spans(in.Size), nil), c.assign(in)
	case *ssa.Lookup:
		keys := c.spans(in.Index)
		from := append(c.spans(in.X), keys...)
		if isString(in.X.Type()) {
			return c.begin(from, nil), c.withText(in, from, c.spans(in.X))
		}
		return c.begin(from, nil), c.returnsEvents(in, c.mapContents(in.X, keys))
	case *ssa.MapUpdate:
		at, from := c.regOf(in.Map), c.spans(in.Key, in.Value)
		return c.begin(c.spans(in.Map, in.Key), c.spans(in.Value)), func(r *Run, g *Goroutine, fp unsafe.Pointer) {
			fr, s := g.flowFrame()
			if on := r.union(sumOf(r, s, from), r.control(fr)); on != 0 && at >= 0 {
				w := ld(fp, at) >> 3
				r.setWord(w, r.union(r.memory[w], on))
			}
		}
	case *ssa.Range:
		from := c.spans(in.X)
		if isString(in.X.Type()) {
			return c.begin(from, nil), c.withText(in, from, from)
		}
		return c.begin(from, nil), c.withMap(in, in.X, from)
	case *ssa.Next:
		iter := c.spans(in.Iter)
		r, ok := in.Iter.(*ssa.Range)
		if in.IsString || !ok {
			return c.begin(iter, nil), c.assign(in, iter...)
		}
		after, again := c.withMap(in, r.X, iter), c.withMap(in.Iter, r.X, iter)
		return c.begin(iter, nil), func(r *Run, g *Goroutine, fp unsafe.Pointer) {
			after(r, g, fp)
			again(r, g, fp)
		}
	case *ssa.Send:
		return c.begin(c.spans(in.Chan), c.spans(in.X)), nil
	case *ssa.Select:
		var chans, sent []ssa.Value
		for _, s := range in.States {
			chans = append(chans, s.Chan)
			if s.Send != nil {
				sent = append(sent, s.Send)
			}
		}
		return c.begin(c.spans(chans...), c.spans(sent...)), c.returnsEvents(in, nil)
	case *ssa.Panic:
		return c.begin(c.spans(in.X), nil), nil
	case *ssa.RunDefers:
		return c.begin(nil, nil), nil
	case *ssa.Return:
		return c.flowReturn(in), nil
	case *ssa.Go:
		return c.flowGo(in), nil
	case *ssa.Defer:
		may := append(c.spans(in.Call.Value), c.spans(in.Call.Args...)...)
		return c.begin(may, nil), func(r *Run, g *Goroutine, _ unsafe.Pointer) {
			fr, s := g.flowFrame()
			fr.deferred = r.union(fr.deferred, sumOf(r, s, may))
		}
	case *ssa.Call:
		return c.flowCall(in)
	}
	return nil, nil
}

// textLength is what decides how long a conversion of a string or slice is: that decides what is allocated, and read.
func (c *Follower) textLength(v ssa.Value) []span {
	if c.Words(v) >= 16 {
		return c.spans(v)
	}
	return nil
}

// withText is assign; what the bytes of strings depend on, and events, counts too.
func (c *Follower) withText(dst ssa.Value, from, texts []span) Op {
	to := c.spans(dst)
	if len(to) != 1 {
		return nil
	}
	return func(r *Run, g *Goroutine, fp unsafe.Pointer) {
		_, s := g.flowFrame()
		on := r.union(sumOf(r, s, from), r.events(g))
		if len(r.memory) > 0 {
			on = r.union(on, text(r, fp, texts))
		}
		setSpan(s, to[0], on)
	}
}

// withMap is assign; the contents of a map, and events, count too.
func (c *Follower) withMap(dst, x ssa.Value, from []span) Op {
	to, at := c.spans(dst), c.regOf(x)
	if len(to) != 1 {
		return func(*Run, *Goroutine, unsafe.Pointer) {}
	}
	return func(r *Run, g *Goroutine, fp unsafe.Pointer) {
		_, s := g.flowFrame()
		on := r.union(sumOf(r, s, from), r.events(g))
		if at >= 0 {
			on = r.union(on, r.memory[ld(fp, at)>>3])
		}
		setSpan(s, to[0], on)
	}
}

// regOf is v's register, -1 if it has none.
func (c *Follower) regOf(v ssa.Value) int32 {
	if s := c.spans(v); len(s) == 1 {
		return s[0].at
	}
	return -1
}

// mapContents is what a look-up of a private map depends on.
func (c *Follower) mapContents(x ssa.Value, keys []span) func(*Run, []trace.Set, unsafe.Pointer) trace.Set {
	at := c.regOf(x)
	return func(r *Run, s []trace.Set, fp unsafe.Pointer) trace.Set {
		on := sumOf(r, s, keys)
		if at >= 0 {
			on = r.union(on, r.memory[ld(fp, at)>>3])
		}
		return on
	}
}

// flowWords notes what each word of dst is made of; the last counts for all that follow.
func (c *Follower) flowWords(dst ssa.Value, from ...[]span) Op {
	to := c.spans(dst)
	if len(to) != 1 {
		return nil
	}
	return func(r *Run, g *Goroutine, _ unsafe.Pointer) {
		_, s := g.flowFrame()
		var sums [3]trace.Set
		for i, f := range from {
			sums[i] = sumOf(r, s, f)
		}
		for i := range to[0].n / 8 {
			s[to[0].at/8+i] = sums[min(int(i), len(from)-1)]
		}
	}
}

// copyWords notes that n bytes of the frame were copied.
func (c *Follower) copyWords(to, from int32, n uint64) Op {
	return func(r *Run, g *Goroutine, _ unsafe.Pointer) {
		_, s := g.flowFrame()
		move(r, s, to, from, n, n)
	}
}

// move copies what n bytes at from depend on to to; of the last word, only full bytes of those at to are overwritten.
func move(r *Run, s []trace.Set, to, from int32, n, full uint64) {
	for i := int32(0); uint64(i) < n; i += 8 {
		part := min(8, int32(n)-i)
		on := sumOf(r, s, []span{{(from + i) &^ 7, (from+i)&7 + part}})
		for w := (to + i) / 8; w <= (to+i+part-1)/8; w++ {
			if (to+i)&7 != 0 || uint64(i)+8 > full {
				on = r.union(on, s[w])
			}
			s[w] = on
		}
	}
}

// An access is where a load or store goes.
type access struct {
	base  int32
	off   uint64
	index int32 // -1: none; base is then a slice's
	size  uint64
	of    []span // what the address depends on
}

func (c *Follower) accessTo(addr ssa.Value) access {
	a := access{index: -1, of: c.spans(addr)}
	switch x := addr.(type) {
	case *ssa.IndexAddr:
		if c.Lazy(x) {
			a.base, a.index, a.size = c.Reg(x.X), c.Reg(x.Index), c.layouts.Of(deref(x.Type())).Size
			return a
		}
	case *ssa.FieldAddr:
		if c.Lazy(x) {
			a.base, a.off = c.Address(x)
			return a
		}
	}
	a.base = c.Reg(addr)
	return a
}

// at returns a function that computes the address. Registers of constants have their places only when the function is
// compiled.
func (c *Follower) at(a access) func(fp unsafe.Pointer) uint64 {
	base := c.Ref(a.base)
	if a.index < 0 {
		return func(fp unsafe.Pointer) uint64 { return ld(fp, *base) + a.off }
	}
	index := c.Ref(a.index)
	return func(fp unsafe.Pointer) uint64 { return ld(fp, *base) + ld(fp, *index)*a.size }
}

func (c *Follower) flowLoad(in *ssa.UnOp) (pre, post Op) {
	to, size := c.spans(in), c.Layout(in).Size
	if len(to) != 1 {
		return nil, nil
	}
	if at, ok := c.FrameLoc(in.X); ok {
		return nil, c.copyWords(to[0].at, at, size)
	}
	a := c.accessTo(in.X)
	addr := c.at(a)
	return c.begin(a.of, nil), func(r *Run, g *Goroutine, fp unsafe.Pointer) {
		_, s := g.flowFrame()
		if len(g.made) > 0 {
			setSpan(s, to[0], r.events(g))
			return
		}
		if setSpan(s, to[0], 0); len(r.memory) == 0 {
			return
		}
		p := addr(fp)
		for i := uint64(0); i < size; i += 8 {
			s[uint64(to[0].at)/8+i/8] = r.contents(p+i, min(8, size-i))
		}
	}
}

func (c *Follower) flowStore(in *ssa.Store) (pre, post Op) {
	size, from := c.Layout(in.Val).Size, c.spans(in.Val)
	if at, ok := c.FrameLoc(in.Addr); ok {
		if len(from) == 0 {
			return nil, func(_ *Run, g *Goroutine, _ unsafe.Pointer) {
				_, s := g.flowFrame()
				for i := uint64(0); i+8 <= size; i += 8 {
					s[(uint64(at)+i)/8] = 0
				}
			}
		}
		return nil, func(r *Run, g *Goroutine, _ unsafe.Pointer) {
			_, s := g.flowFrame()
			move(r, s, at, from[0].at, size, size)
		}
	}
	if fa, ok := in.Addr.(*ssa.FieldAddr); ok && deref(fa.X.Type()).Underlying().(*types.Struct).Field(fa.Field).Name() == "_" {
		return nil, nil
	}
	a := c.accessTo(in.Addr)
	addr := c.at(a)
	return c.begin(a.of, from), func(r *Run, g *Goroutine, fp unsafe.Pointer) {
		fr, s := g.flowFrame()
		on := r.control(fr)
		if on == 0 && len(r.memory) == 0 && sumOf(r, s, from) == 0 {
			return
		}
		r.setMemory(addr(fp), size, func(i int) trace.Set {
			if len(from) == 0 {
				return on
			}
			return r.union(on, s[int(from[0].at)/8+i])
		})
	}
}

func (c *Follower) flowBinOp(in *ssa.BinOp) (pre, post Op) {
	if c.Fused(in) {
		return nil, nil
	}
	from := c.spans(in.X, in.Y)
	switch in.Op {
	case token.QUO, token.REM, token.SHL, token.SHR:
		if b, ok := in.X.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
			pre = c.begin(c.spans(in.Y), nil)
		}
	case token.EQL, token.NEQ:
		if c.Words(in.X) > 8 && !isString(in.X.Type()) { // of what cannot be compared
			pre = c.begin(from, nil)
		}
	}
	if isString(in.X.Type()) {
		if in.Op == token.ADD { // allocates
			pre = c.begin(from, nil)
		}
		return pre, c.withText(in, from, from)
	}
	return pre, c.assign(in, from...)
}

// flowClosure notes what a closure captures, word by word.
func (c *Follower) flowClosure(in *ssa.MakeClosure) Op {
	type capture struct {
		from []span
		n    uint64
	}
	var caps []capture
	for _, b := range in.Bindings {
		from, n := c.spans(b), uint64(c.Layout(b).Words())*8
		if _, ok := c.FrameLoc(b); ok {
			from = c.kept(b)
			n = uint64(from[0].n)
		}
		caps = append(caps, capture{from, n})
	}
	to := c.spans(in)[0]
	return func(r *Run, g *Goroutine, fp unsafe.Pointer) {
		_, s := g.flowFrame()
		setSpan(s, to, 0)
		at := ld(fp, to.at) + 8
		for _, cp := range caps {
			r.setMemory(at, cp.n, func(i int) trace.Set {
				switch {
				case len(cp.from) == 1 && cp.from[0].n == int32(cp.n):
					return s[int(cp.from[0].at)/8+i]
				default:
					return sumOf(r, s, cp.from)
				}
			})
			at += cp.n
		}
	}
}

func ld(fp unsafe.Pointer, off int32) uint64 { return *(*uint64)(unsafe.Add(fp, off)) }

func deref(t types.Type) types.Type { return t.Underlying().(*types.Pointer).Elem() }
