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
	if !p.hasBody() {
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
				b.read(n, m.hub(m.channel(x.X.Type())))
			}
		case *ssa.Store:
			b.write(n, m.place(x.Addr).w)
		case *ssa.Send:
			b.write(n, m.hub(m.channel(x.Chan.Type())))
		case *ssa.Select:
			for _, st := range x.States {
				if h := m.hub(m.channel(st.Chan.Type())); st.Dir == types.SendOnly {
					b.write(n, h)
				} else {
					b.read(n, h)
				}
			}
		case *ssa.MapUpdate:
			b.write(n, m.hub(m.mapping(x.Map.Type())))
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
		b.read(n, b.mem.hub(b.mem.mapping(t)))
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
			b.write(n, m.hub(m.mapping(t)))
		}
	case "len", "cap":
		switch t := args[0].Type().Underlying().(type) {
		case *types.Map:
			b.read(n, m.hub(m.mapping(t)))
		case *types.Chan:
			b.read(n, m.hub(m.channel(t)))
		}
	case "close":
		b.write(n, m.hub(m.channel(args[0].Type())))
	case "recover":
		b.read(n, m.hub(hubKey{kind: panicHub}))
	}
}

// addOpaque lets a function without a body read and write all that its parameters lead to (MEM6). Its entry stands for
// its code.
func (b *systemBuilder) addOpaque(i int32) {
	p, base := b.Procedures[i], b.base[i]
	e, known := b.effects(p.Func)
	if known && !e.Memory {
		return
	}
	t := toucher{b: b, seen: make(map[types.Type]bool)}
	for id := range p.Nodes {
		t.writers = append(t.writers, base+NodeID(id))
	}
	for k := range outcomes(p.Func.Signature) {
		t.readers = append(t.readers, b.results[i]+NodeID(k))
	}
	for _, typ := range parameterTypes(p.Func) {
		t.touch(typ)
	}
	if known {
		t.all(b.mem.one(hubKey{kind: hiddenHub}))
	}
}

// addUnknown does the same for a call of what the graph does not have.
func (b *systemBuilder) addUnknown(s site) {
	t := toucher{b: b, seen: make(map[types.Type]bool), writers: append([]NodeID{s.call}, s.args...), readers: s.outs}
	c := s.instr.Common()
	t.touch(c.Value.Type())
	for _, v := range c.Args {
		t.touch(v.Type())
	}
	t.all(b.mem.one(hubKey{kind: hiddenHub}))
}

// A toucher makes edges from writers to all memory that values of a type lead to, and from there to readers.
type toucher struct {
	b                *systemBuilder
	writers, readers []NodeID
	seen             map[types.Type]bool
}

func (t *toucher) all(p place) {
	for _, n := range t.writers {
		t.b.write(n, p.w)
	}
	for _, n := range t.readers {
		t.b.read(n, p.r)
	}
}

func (t *toucher) touch(typ types.Type) {
	typ = typ.Underlying()
	if t.seen[typ] {
		return
	}
	t.seen[typ] = true
	m := t.b.mem
	switch u := typ.(type) {
	case *types.Pointer:
		t.all(m.deref(u.Elem()))
		t.touch(u.Elem())
	case *types.Slice:
		t.all(m.elem(u.Elem()))
		t.touch(u.Elem())
	case *types.Array:
		t.touch(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			t.touch(f.Type())
		}
	case *types.Map:
		t.all(m.one(m.mapping(u)))
		t.touch(u.Key())
		t.touch(u.Elem())
	case *types.Chan:
		t.all(m.one(m.channel(u)))
		t.touch(u.Elem())
	case *types.Basic:
		if u.Kind() == types.UnsafePointer {
			t.all(m.one(hubKey{kind: unsafeHub}))
		}
	}
}
