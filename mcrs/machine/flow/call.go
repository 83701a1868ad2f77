package flow

import (
	"go/types"
	"strings"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/trace"
	"golang.org/x/tools/go/ssa"
)

// This file defines the operations of calls, builtin functions among them.

// Entry emits the operation at a function's start, after its free variables have been loaded.
func (c *Follower) Entry() {
	if !c.follows() {
		return
	}
	f := c.code
	var free []span
	for _, fv := range c.fn.FreeVars {
		at, n := c.Place(fv)
		free = append(free, span{at, n})
	}
	c.flow(func(r *Run, g *Goroutine, fp unsafe.Pointer) {
		r.enter(g, f)
		if len(free) == 0 || len(r.memory) == 0 {
			return
		}
		_, s := g.flowFrame()
		at := ld(fp, f.Ctx) + 8
		for _, sp := range free {
			for i := int32(0); i < sp.n; i += 8 {
				s[(sp.at+i)/8] = r.contents(at, 8)
				at += 8
			}
		}
	})
}

func (c *Follower) flowReturn(in *ssa.Return) Op {
	type part struct {
		from []span
		n    int32
	}
	var parts []part
	for _, r := range in.Results {
		parts = append(parts, part{c.spans(r), c.Words(r) / 8})
	}
	return func(r *Run, g *Goroutine, _ unsafe.Pointer) {
		fr, s := g.flowFrame()
		w := g
		w.result.depth, w.result.words = g.Depth-1, w.result.words[:0]
		open := r.opened(fr) // FLOW4
		for _, p := range parts {
			for i := range p.n {
				on := open
				if len(p.from) == 1 && p.from[0].n == p.n*8 {
					on = r.union(on, s[p.from[0].at/8+i])
				} else {
					on = r.union(on, sumOf(r, s, p.from))
				}
				w.result.words = append(w.result.words, on)
			}
		}
	}
}

func (c *Follower) flowGo(in *ssa.Go) Op {
	may, args := c.spans(in.Call.Value), c.argSpans(&in.Call)
	value := append(c.spans(in.Call.Value), c.spans(in.Call.Args...)...)
	return func(r *Run, g *Goroutine, fp unsafe.Pointer) {
		_, s := g.flowFrame()
		r.beginOp(g, sumOf(r, s, may), sumOf(r, s, value))
		g.args = argSets(r, s, args, g.args[:0])
	}
}

// argSpans returns the arguments of a call by word, the receiver of an invoked method first. A word without a span
// depends on nothing.
func (c *Follower) argSpans(com *ssa.CallCommon) (out [][]span) {
	if com.IsInvoke() {
		out = append(out, c.wordAt(com.Value, 8))
	}
	for _, a := range com.Args {
		s, n := c.spans(a), c.Words(a)
		for i := int32(0); i < n; i += 8 {
			if len(s) == 1 && s[0].n == n {
				out = append(out, []span{{s[0].at + i, 8}})
			} else {
				out = append(out, s)
			}
		}
	}
	return out
}

func argSets(r *Run, s []trace.Set, args [][]span, into []trace.Set) []trace.Set {
	for _, a := range args {
		into = append(into, sumOf(r, s, a))
	}
	return into
}

// atomics reports whether an intrinsic is one of sync/atomic, whose first argument is an address, and whose others are
// values. It also reports whether it writes only if it finds what it expects.
func atomics(name string) (is, swaps bool) {
	op, is := strings.CutPrefix(strings.Replace(name, "runtime.heddleAtomic", "sync/atomic.", 1), "sync/atomic.")
	return is, strings.HasPrefix(op, "CompareAndSwap") || op == "heddleValuePut" || op == "heddleValueReplace"
}

func (c *Follower) flowCall(in *ssa.Call) (pre, post Op) {
	com := &in.Call
	if b, ok := com.Value.(*ssa.Builtin); ok {
		return c.flowBuiltin(in, b.Name())
	}
	args := c.argSpans(com)
	fn, static := com.Value.(*ssa.Function)
	var may []span // decides what is called
	opaque, self := false, false
	switch {
	case com.IsInvoke():
		may = c.wordAt(com.Value, 0)
	case !static:
		may = c.spans(com.Value)
	default:
		name, intrinsic := c.callee(fn)
		if !intrinsic {
			break
		}
		opaque = true
		if is, swaps := atomics(name); is && len(com.Args) > 0 {
			opaque, self = false, swaps
			may = c.spans(com.Args[0])
			if swaps {
				may = append(may, c.spans(com.Args[1])...)
			}
		} else {
			may = c.spans(com.Args...)
		}
	}
	intrinsic := false
	if static {
		_, intrinsic = c.callee(fn)
	}
	pre = func(r *Run, g *Goroutine, _ unsafe.Pointer) {
		_, s := g.flowFrame()
		w := g
		w.args = argSets(r, s, args, w.args[:0])
		w.all = 0
		for _, a := range w.args {
			w.all = r.union(w.all, a)
		}
		r.beginOp(g, sumOf(r, s, may), w.all)
		w.opaque, w.self = opaque, self
		w.depth, w.exact = g.Depth, !intrinsic
		w.result.depth = -1
	}
	to, n := c.spans(in), int32(0)
	if len(to) == 1 {
		n = to[0].n / 8
	}
	words := c.argWords(com)
	atomic := intrinsic && !opaque
	post = func(r *Run, g *Goroutine, fp unsafe.Pointer) {
		_, s := g.flowFrame()
		w := g
		w.depth = -1
		if w.result.depth == g.Depth && !intrinsic {
			for i := range n {
				s[to[0].at/8+i] = 0
				if int(i) < len(w.result.words) {
					s[to[0].at/8+i] = w.result.words[i]
				}
			}
			w.result.depth = -1
			return
		}
		var on trace.Set
		if atomic && len(w.made) > 0 {
			on = r.events(g)
			for _, a := range args[1:] {
				on = r.union(on, sumOf(r, s, a))
			}
		} else {
			for _, a := range args {
				on = r.union(on, sumOf(r, s, a))
			}
			on = r.opaqueResult(g, words(fp), on)
		}
		if n > 0 {
			setSpan(s, to[0], on)
		}
	}
	return pre, post
}

// argWords returns a function that collects the words of a call's arguments.
func (c *Follower) argWords(com *ssa.CallCommon) func(fp unsafe.Pointer) []uint64 {
	var at []*int32
	add := func(v ssa.Value) {
		switch v := v.(type) {
		case *ssa.Const, *ssa.Function:
			return
		case *ssa.FieldAddr:
			if c.Lazy(v) {
				base, _ := c.Address(v)
				at = append(at, c.Ref(base))
				return
			}
		}
		r, n := c.Reg(v), c.Words(v)
		for i := int32(0); i < n; i += 8 {
			at = append(at, c.Ref(r+i))
		}
	}
	if com.IsInvoke() {
		add(com.Value)
	}
	for _, a := range com.Args {
		add(a)
	}
	return func(fp unsafe.Pointer) []uint64 {
		out := make([]uint64, len(at))
		for i, p := range at {
			out[i] = ld(fp, *p)
		}
		return out
	}
}

func (c *Follower) flowBuiltin(in *ssa.Call, name string) (pre, post Op) {
	args := in.Call.Args
	all := c.spans(args...)
	switch name {
	case "len", "cap":
		off := int32(8)
		if name == "cap" {
			off = 16
		}
		switch args[0].Type().Underlying().(type) {
		case *types.Slice, *types.Basic:
			return nil, c.assign(in, c.wordAt(args[0], off)...)
		case *types.Map:
			return c.begin(all, nil), c.returnsEvents(in, c.mapContents(args[0], nil))
		case *types.Chan:
			return c.begin(all, nil), c.returnsEvents(in, nil)
		}
		return nil, c.assign(in)
	case "min", "max", "complex", "real", "imag":
		return nil, c.assign(in, all...)
	case "append", "copy":
		return c.flowCopy(in, name)
	}
	// The others may panic, write or print.
	words := c.argWords(&in.Call)
	to := c.spans(in)
	return c.begin(all, all), func(r *Run, g *Goroutine, fp unsafe.Pointer) {
		_, s := g.flowFrame()
		on := r.opaqueResult(g, words(fp), sumOf(r, s, all))
		if len(to) == 1 {
			setSpan(s, to[0], on)
		}
	}
}

// flowCopy is append and copy: what is allocated, and which memory is touched, depends on the lengths.
func (c *Follower) flowCopy(in *ssa.Call, name string) (pre, post Op) {
	dst, src := in.Call.Args[0], in.Call.Args[1]
	from := append(c.spans(dst), c.headers(src)...)
	t, ok := dst.Type().Underlying().(*types.Slice)
	if !ok {
		return c.begin(from, nil), c.assign(in, from...)
	}
	size := c.layouts.Of(t.Elem()).Size
	d, s, to := c.Ref(c.Reg(dst)), c.Ref(c.Reg(src)), c.spans(in)
	_, constSrc := src.(*ssa.Const)
	pre = func(r *Run, g *Goroutine, fp unsafe.Pointer) {
		_, sets := g.flowFrame()
		value := trace.Set(0)
		if !constSrc && len(r.memory) > 0 {
			value = r.contents(ld(fp, *s), ld(fp, *s+8)*size)
		}
		r.beginOp(g, sumOf(r, sets, from), value)
	}
	post = func(r *Run, g *Goroutine, fp unsafe.Pointer) {
		fr, sets := g.flowFrame()
		on := r.union(r.events(g), r.control(fr))
		was, wasLen, p, n := ld(fp, *d), ld(fp, *d+8), ld(fp, *s), ld(fp, *s+8)
		if name == "copy" {
			r.copyMemory(was, p, min(n, wasLen)*size, on)
		} else if len(to) == 1 {
			now := ld(fp, to[0].at)
			if now != was {
				r.copyMemory(now, was, wasLen*size, on)
			}
			r.copyMemory(now+wasLen*size, p, n*size, on)
		}
		if len(to) == 1 {
			setSpan(sets, to[0], sumOf(r, sets, from))
		}
	}
	return pre, post
}
