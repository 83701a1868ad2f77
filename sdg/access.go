package sdg

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// This file makes the Memory edges of instructions: rules MEM5 and MEM6.

func (b *systemBuilder) write(n NodeID, h hub) { b.edge(n, b.hubs+NodeID(b.mem.find(h)), Memory) }
func (b *systemBuilder) read(n NodeID, h hub)  { b.edge(b.hubs+NodeID(b.mem.find(h)), n, Memory) }

// addLinks makes the edges between classes, after all of them are known.
func (b *systemBuilder) addLinks() {
	for _, l := range b.mem.links {
		if from, to := b.mem.find(l[0]), b.mem.find(l[1]); from != to {
			b.edge(b.hubs+NodeID(from), b.hubs+NodeID(to), Memory)
		}
	}
}

// addMemory makes the Memory edges of a procedure: MEM5 and, without a body, MEM6.
func (b *systemBuilder) addMemory(i int32) {
	p, base, m := b.Procedures[i], b.base[i], b.mem
	if len(p.Func.Blocks) == 0 {
		b.addOpaque(i)
		return
	}
	for id := range p.Nodes {
		n := base + NodeID(id)
		instr := p.Nodes[id].Instr
		if b.mode&ImplicitExits != 0 && instr != nil && mayNotReturn(instr) {
			if _, isCall := instr.(ssa.CallInstruction); !isCall {
				b.write(n, m.hub(hubKey{kind: panicHub}))
			}
		}
		switch x := instr.(type) {
		case *ssa.UnOp:
			switch x.Op {
			case token.MUL:
				b.read(n, m.place(x.X).r)
			case token.ARROW:
				b.read(n, m.channel(x.X.Type()))
			}
		case *ssa.Store:
			b.write(n, m.place(x.Addr).w)
		case *ssa.Send:
			b.write(n, m.channel(x.Chan.Type()))
		case *ssa.Select:
			for _, st := range x.States {
				if h := m.channel(st.Chan.Type()); st.Dir == types.SendOnly {
					b.write(n, h)
				} else {
					b.read(n, h)
				}
			}
		case *ssa.MapUpdate:
			b.write(n, m.mapping(x.Map.Type()))
		case *ssa.Lookup:
			b.readMap(n, x.X.Type())
		case *ssa.Range:
			b.readMap(n, x.X.Type())
		case *ssa.Next:
			if r, ok := x.Iter.(*ssa.Range); ok {
				b.readMap(n, r.X.Type())
			}
		case *ssa.Convert:
			if e := elementOf(x.X.Type()); e != nil { // a string of a slice
				b.read(n, m.elem(e).r)
			}
			if e := elementOf(x.Type()); e != nil {
				b.write(n, m.elem(e).w)
			}
		case *ssa.Panic:
			b.write(n, m.hub(hubKey{kind: panicHub}))
		case ssa.CallInstruction:
			if f, ok := x.Common().Value.(*ssa.Builtin); ok {
				b.addBuiltin(n, f.Name(), x.Common().Args)
			}
		}
	}
}

func (b *systemBuilder) readMap(n NodeID, t types.Type) {
	if _, ok := t.Underlying().(*types.Map); ok {
		b.read(n, b.mem.mapping(t))
	}
}

// elementOf returns the element type of a slice, or nil.
func elementOf(t types.Type) types.Type {
	if s, ok := t.Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	return nil
}

func (b *systemBuilder) addBuiltin(n NodeID, name string, args []ssa.Value) {
	m := b.mem
	switch name {
	case "append", "copy":
		for _, arg := range args[1:] {
			if e := elementOf(arg.Type()); e != nil { // else a string
				b.read(n, m.elem(e).r)
			}
		}
		if e := elementOf(args[0].Type()); e != nil {
			b.read(n, m.elem(e).r) // append may move what was there
			b.write(n, m.elem(e).w)
		}
	case "clear", "delete":
		switch t := args[0].Type().Underlying().(type) {
		case *types.Slice:
			b.write(n, m.elem(t.Elem()).w)
		case *types.Map:
			b.write(n, m.mapping(t))
		}
	case "len", "cap":
		switch t := args[0].Type().Underlying().(type) {
		case *types.Map:
			b.read(n, m.mapping(t))
		case *types.Chan:
			b.read(n, m.channel(t))
		}
	case "close":
		b.write(n, m.channel(args[0].Type()))
	case "recover":
		b.read(n, m.hub(hubKey{kind: panicHub}))
	}
}

// addOpaque lets a function without a body read and write all that its parameters lead to: MEM6. Its entry stands for its code.
func (b *systemBuilder) addOpaque(i int32) {
	p, base := b.Procedures[i], b.base[i]
	seen := make(map[types.Type]bool)
	var touch func(t types.Type)
	all := func(pl place, t types.Type) {
		for id := range p.Nodes { // the entry and the parameters
			b.write(base+NodeID(id), pl.w)
		}
		for k := range outcomes(p.Func.Signature) {
			b.read(b.results[i]+NodeID(k), pl.r)
		}
		if t != nil {
			touch(t)
		}
	}
	touch = func(t types.Type) {
		t = t.Underlying()
		if seen[t] {
			return
		}
		seen[t] = true
		m := b.mem
		switch t := t.(type) {
		case *types.Pointer:
			all(m.deref(t.Elem()), t.Elem())
		case *types.Slice:
			all(m.elem(t.Elem()), t.Elem())
		case *types.Array:
			touch(t.Elem())
		case *types.Struct:
			for f := range t.Fields() {
				touch(f.Type())
			}
		case *types.Map:
			h := m.mapping(t)
			all(place{h, h}, t.Key())
			touch(t.Elem())
		case *types.Chan:
			h := m.channel(t)
			all(place{h, h}, t.Elem())
		case *types.Basic:
			if t.Kind() == types.UnsafePointer {
				h := m.hub(hubKey{kind: unsafeHub})
				all(place{h, h}, nil)
			}
		}
	}
	for _, v := range p.Func.Params {
		touch(v.Type())
	}
}
