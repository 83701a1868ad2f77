package machine

import (
	"go/types"
	"strings"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/trace"
	"golang.org/x/tools/go/ssa"
)

// This file defines the instructions code.OpFlow of calls, builtin functions among them.

// flowEntry is the op at a function's start, after its free variables have been loaded.
func (c *follower) flowEntry() {
	if !c.follows() {
		return
	}
	f := c.f
	var free []span
	for _, fv := range c.f.ssa.FreeVars {
		free = append(free, span{c.Reg(fv), c.Words(fv)})
	}
	c.flow(func(m *Machine, g *G, fp unsafe.Pointer) {
		m.enterFlows(g, f, fp)
		if len(free) == 0 || len(m.memory) == 0 {
			return
		}
		_, s := g.flowFrame()
		at := ld(fp, f.Ctx) + 8
		for _, sp := range free {
			for i := int32(0); i < sp.n; i += 8 {
				s[(sp.at+i)/8] = m.contents(at, 8)
				at += 8
			}
		}
	})
}

func (c *follower) flowReturn(in *ssa.Return) flowOp {
	type part struct {
		from []span
		n    int32
	}
	var parts []part
	for _, r := range in.Results {
		parts = append(parts, part{c.spans(r), c.Words(r) / 8})
	}
	return func(m *Machine, g *G, _ unsafe.Pointer) {
		fr, s := g.flowFrame()
		w := g.flows
		w.result.depth, w.result.words = len(g.frames)-1, w.result.words[:0]
		open := m.opened(fr) // FLOW4
		for _, p := range parts {
			for i := range p.n {
				on := open
				if len(p.from) == 1 && p.from[0].n == p.n*8 {
					on = m.union(on, s[p.from[0].at/8+i])
				} else {
					on = m.union(on, sumOf(m, s, p.from))
				}
				w.result.words = append(w.result.words, on)
			}
		}
	}
}

func (c *follower) flowGo(in *ssa.Go) flowOp {
	may, args := c.spans(in.Call.Value), c.argSpans(&in.Call)
	value := append(c.spans(in.Call.Value), c.spans(in.Call.Args...)...)
	return func(m *Machine, g *G, fp unsafe.Pointer) {
		_, s := g.flowFrame()
		m.beginOp(g, sumOf(m, s, may), sumOf(m, s, value))
		g.flows.args = argSets(m, s, args, g.flows.args[:0])
	}
}

// argSpans returns the arguments of a call by word, the receiver of an invoked method first; a word without a span depends on nothing.
func (c *follower) argSpans(com *ssa.CallCommon) (out [][]span) {
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

func argSets(m *Machine, s []trace.Set, args [][]span, into []trace.Set) []trace.Set {
	for _, a := range args {
		into = append(into, sumOf(m, s, a))
	}
	return into
}

// atomics reports whether an intrinsic is one of sync/atomic: its first argument is an address, the others are values; and whether it
// writes if it finds what it expects.
func atomics(name string) (is, swaps bool) {
	op, is := strings.CutPrefix(name, "sync/atomic.")
	return is, strings.HasPrefix(op, "CompareAndSwap") || op == "heddleValuePut" || op == "heddleValueReplace"
}

func (c *follower) flowCall(in *ssa.Call) (pre, post flowOp) {
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
		f := c.m.callee(c.f, fn)
		if f.intrinsic == nil {
			break
		}
		opaque = true
		if is, swaps := atomics(f.name); is && len(com.Args) > 0 {
			opaque, self = false, swaps
			may = c.spans(com.Args[0])
			if swaps {
				may = append(may, c.spans(com.Args[1])...)
			}
		} else {
			may = c.spans(com.Args...)
		}
	}
	intrinsic := static && c.m.callee(c.f, fn).intrinsic != nil
	pre = func(m *Machine, g *G, _ unsafe.Pointer) {
		_, s := g.flowFrame()
		w := g.flows
		w.args = argSets(m, s, args, w.args[:0])
		w.all = 0
		for _, a := range w.args {
			w.all = m.union(w.all, a)
		}
		m.beginOp(g, sumOf(m, s, may), w.all)
		w.opaque, w.self = opaque, self
		w.depth, w.exact = len(g.frames), !intrinsic
		w.result.depth = -1
	}
	to, n := c.spans(in), int32(0)
	if len(to) == 1 {
		n = to[0].n / 8
	}
	words := c.argWords(com)
	atomic := intrinsic && !opaque
	post = func(m *Machine, g *G, fp unsafe.Pointer) {
		_, s := g.flowFrame()
		w := g.flows
		w.depth = -1
		if w.result.depth == len(g.frames) && !intrinsic {
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
			on = m.events(g)
			for _, a := range args[1:] {
				on = m.union(on, sumOf(m, s, a))
			}
		} else {
			for _, a := range args {
				on = m.union(on, sumOf(m, s, a))
			}
			on = m.opaqueResult(g, words(fp), on)
		}
		if n > 0 {
			setSpan(s, to[0], on)
		}
	}
	return pre, post
}

// argWords returns a function that collects the words of a call's arguments.
func (c *follower) argWords(com *ssa.CallCommon) func(fp unsafe.Pointer) []uint64 {
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

func (c *follower) flowBuiltin(in *ssa.Call, name string) (pre, post flowOp) {
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
	return c.begin(all, all), func(m *Machine, g *G, fp unsafe.Pointer) {
		_, s := g.flowFrame()
		on := m.opaqueResult(g, words(fp), sumOf(m, s, all))
		if len(to) == 1 {
			setSpan(s, to[0], on)
		}
	}
}

// flowCopy is append and copy: what is allocated, and which memory is touched, depends on the lengths.
func (c *follower) flowCopy(in *ssa.Call, name string) (pre, post flowOp) {
	dst, src := in.Call.Args[0], in.Call.Args[1]
	from := append(c.spans(dst), c.headers(src)...)
	t, ok := dst.Type().Underlying().(*types.Slice)
	if !ok {
		return c.begin(from, nil), c.assign(in, from...)
	}
	size := c.m.layouts.Of(t.Elem()).Size
	d, s, to := c.Ref(c.Reg(dst)), c.Ref(c.Reg(src)), c.spans(in)
	_, constSrc := src.(*ssa.Const)
	pre = func(m *Machine, g *G, fp unsafe.Pointer) {
		_, sets := g.flowFrame()
		value := trace.Set(0)
		if !constSrc && len(m.memory) > 0 {
			value = m.contents(ld(fp, *s), ld(fp, *s+8)*size)
		}
		m.beginOp(g, sumOf(m, sets, from), value)
	}
	post = func(m *Machine, g *G, fp unsafe.Pointer) {
		fr, sets := g.flowFrame()
		on := m.union(m.events(g), m.control(fr))
		was, wasLen, p, n := ld(fp, *d), ld(fp, *d+8), ld(fp, *s), ld(fp, *s+8)
		if name == "copy" {
			m.copyMemory(was, p, min(n, wasLen)*size, on)
		} else if len(to) == 1 {
			now := ld(fp, to[0].at)
			if now != was {
				m.copyMemory(now, was, wasLen*size, on)
			}
			m.copyMemory(now+wasLen*size, p, n*size, on)
		}
		if len(to) == 1 {
			setSpan(sets, to[0], sumOf(m, sets, from))
		}
	}
	return pre, post
}
