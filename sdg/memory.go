package sdg

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// This file divides memory into classes: rules MEM1 to MEM6.

// A hub stands for a class of memory, in one of the ways in which it can be accessed. What is read from it may be
// anything that is written to it.
type hub int32

// A place is what an access through an address touches: a write goes to w, a read comes from r. They are one
// hub, but for a struct, whose parts can also be accessed alone: w leads to all of them, and they to r.
type place struct{ w, r hub }

type hubKind uint8

const (
	derefHub  hubKind = iota // what a pointer of unknown origin points to
	elemHub                  // elements of slices and arrays
	fieldHub                 // a field of a struct type
	wholeHub                 // a whole struct, written (index 0) or read (1)
	objectHub                // a variable whose address goes nowhere
	chanHub                  // what is sent and received
	mapHub                   // entries of maps
	unsafeHub                // what unsafe.Pointer has touched
	panicHub                 // the values of panics
	hiddenHub                // what functions of which only the effect is known keep to themselves
)

type hubKey struct {
	kind  hubKind
	typ   int32     // by memory.types; of a struct, pointee, element
	obj   ssa.Value // of an object
	index int32     // of a field
}

// A memory assigns places to addresses.
type memory struct {
	ids      map[types.Type]int32
	same     typeutil.Map // types.Type -> int32
	byID     []types.Type
	keys     []hubKey // by hub
	hubs     map[hubKey]hub
	parent   []hub // union-find
	links    [][2]hub
	whole    map[int32]place
	objects  map[ssa.Value]place
	escaped  map[ssa.Value]bool // variables that are not private
	captured map[*ssa.FreeVar]ssa.Value
}

func newMemory() *memory {
	return &memory{
		ids: make(map[types.Type]int32), hubs: make(map[hubKey]hub), whole: make(map[int32]place),
		objects: make(map[ssa.Value]place), escaped: make(map[ssa.Value]bool), captured: make(map[*ssa.FreeVar]ssa.Value),
	}
}

// typeID numbers types: identical ones get one number.
func (m *memory) typeID(t types.Type) int32 {
	if id, ok := m.ids[t]; ok {
		return id
	}
	id, ok := m.same.At(t).(int32)
	if !ok {
		id = int32(len(m.byID))
		m.same.Set(t, id)
		m.byID = append(m.byID, t)
	}
	m.ids[t] = id
	return id
}

func (m *memory) hub(key hubKey) hub {
	if h, ok := m.hubs[key]; ok {
		return h
	}
	h := hub(len(m.keys))
	m.hubs[key] = h
	m.keys = append(m.keys, key)
	m.parent = append(m.parent, h)
	return h
}

func (m *memory) find(h hub) hub {
	for m.parent[h] != h {
		m.parent[h] = m.parent[m.parent[h]]
		h = m.parent[h]
	}
	return h
}

func (m *memory) link(from, to hub) { m.links = append(m.links, [2]hub{from, to}) }

// unify makes one class of two places of the same type.
func (m *memory) unify(a, b place) {
	m.union(a.w, b.w)
	m.union(a.r, b.r)
}

func (m *memory) union(a, b hub) {
	if a, b = m.find(a), m.find(b); a < b { // the smaller one represents, whatever the order of unions
		m.parent[b] = a
	} else {
		m.parent[a] = b
	}
}

// at returns the place of a value of type t that is a part of something (MEM1): a struct is all
// structs of its type, an array its elements; leaf is the class of anything else.
func (m *memory) at(t types.Type, leaf hubKey) place {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return m.struct_(u)
	case *types.Array:
		return m.elem(u.Elem())
	}
	return m.one(leaf)
}

func (m *memory) deref(t types.Type) place {
	return m.at(t, hubKey{kind: derefHub, typ: m.typeID(t.Underlying())})
}

func (m *memory) elem(t types.Type) place {
	return m.at(t, hubKey{kind: elemHub, typ: m.typeID(t.Underlying())})
}

func (m *memory) field(u *types.Struct, i int) place {
	return m.at(u.Field(i).Type(), hubKey{kind: fieldHub, typ: m.typeID(u), index: int32(i)})
}

func (m *memory) struct_(u *types.Struct) place {
	id := m.typeID(u)
	if p, ok := m.whole[id]; ok {
		return p
	}
	p := place{m.hub(hubKey{kind: wholeHub, typ: id}), m.hub(hubKey{kind: wholeHub, typ: id, index: 1})}
	m.whole[id] = p
	for i := range u.NumFields() {
		f := m.field(u, i)
		m.link(p.w, f.w)
		m.link(f.r, p.r)
	}
	return p
}

// object returns the place of a private variable (MEM2), or of one of its fields if field >= 0 and it is a struct.
func (m *memory) object(obj ssa.Value, field int) place {
	u, isStruct := pointee(obj).Underlying().(*types.Struct)
	whole, ok := m.objects[obj]
	if !ok {
		if !isStruct {
			whole = m.one(hubKey{kind: objectHub, obj: obj})
		} else {
			whole = place{m.hub(hubKey{kind: objectHub, obj: obj, index: -1}), m.hub(hubKey{kind: objectHub, obj: obj, index: -2})}
			for i := range u.NumFields() {
				f := m.hub(hubKey{kind: objectHub, obj: obj, index: int32(i)})
				m.link(whole.w, f)
				m.link(f, whole.r)
			}
		}
		m.objects[obj] = whole
	}
	if field >= 0 && isStruct {
		return m.one(hubKey{kind: objectHub, obj: obj, index: int32(field)})
	}
	return whole
}

func (m *memory) channel(t types.Type) hubKey {
	return hubKey{kind: chanHub, typ: m.typeID(t.Underlying().(*types.Chan).Elem())}
}

func (m *memory) mapping(t types.Type) hubKey {
	return hubKey{kind: mapHub, typ: m.typeID(t.Underlying())}
}

// one is a place that is one hub.
func (m *memory) one(key hubKey) place {
	h := m.hub(key)
	return place{h, h}
}

func pointee(v ssa.Value) types.Type { return v.Type().Underlying().(*types.Pointer).Elem() }

// origin follows an address to what it is a part of, and says which field of that it is in, or -1.
func origin(v ssa.Value) (root ssa.Value, field int) {
	field = -1
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v, field = x.X, x.Field
		case *ssa.IndexAddr:
			if _, isArray := x.X.Type().Underlying().(*types.Pointer); !isArray {
				return v, field
			}
			v, field = x.X, -1
		default:
			return v, field
		}
	}
}

// variable returns the private variable that v is the address of, or nil.
func (m *memory) variable(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.Alloc, *ssa.Global:
			if m.escaped[v] {
				return nil
			}
			return v
		case *ssa.FreeVar:
			if m.escaped[v] || m.captured[x] == nil {
				return nil
			}
			v = m.captured[x]
		default:
			return nil
		}
	}
}

// place returns what an access through the address touches (MEM1, MEM2).
func (m *memory) place(addr ssa.Value) place {
	root, field := origin(addr)
	if obj := m.variable(root); obj != nil {
		return m.object(obj, field)
	}
	switch x := addr.(type) {
	case *ssa.FieldAddr:
		return m.field(pointee(x.X).Underlying().(*types.Struct), x.Field)
	case *ssa.IndexAddr:
		return m.elem(pointee(addr))
	}
	return m.deref(pointee(addr))
}

// classify finds the variables of the program whose address goes nowhere (MEM2), and joins the classes
// between which addresses are passed (MEM3, MEM4).
func (m *memory) classify(funcs []*ssa.Function) {
	var passed []ssa.Value // addresses of parts that are used as values
	var buf [16]*ssa.Value
	for _, fn := range funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				switch x := instr.(type) {
				case *ssa.DebugRef:
					continue
				case *ssa.MakeClosure:
					m.bind(x)
					continue
				}
				for _, v := range instr.Operands(buf[:0]) {
					if *v != nil && isAddress(*v) && !isAccess(instr, v) {
						root, _ := origin(*v)
						m.escape(root)
						if root != *v {
							passed = append(passed, *v)
						}
					}
				}
			}
		}
	}
	m.escapeCaptured()
	for _, v := range passed {
		m.unify(m.place(v), m.deref(pointee(v))) // MEM3
	}
	for _, fn := range funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				switch x := instr.(type) {
				case *ssa.Convert:
					m.reinterpret(x.X.Type(), x.Type())
				case *ssa.ChangeType:
					m.reinterpret(x.X.Type(), x.Type())
				}
			}
		}
	}
}

// bind notes what the free variables of a closure are.
func (m *memory) bind(x *ssa.MakeClosure) {
	for i, fv := range x.Fn.(*ssa.Function).FreeVars {
		b := x.Bindings[i]
		switch b.(type) {
		case *ssa.Alloc, *ssa.Global, *ssa.FreeVar:
			if old, ok := m.captured[fv]; !ok {
				m.captured[fv] = b
			} else if old != b {
				m.escape(fv)
				m.escape(b)
			}
		default:
			m.escape(fv)
			if root, _ := origin(b); root != b {
				m.escape(root)
			}
		}
	}
}

func (m *memory) escape(root ssa.Value) {
	switch root.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar:
		m.escaped[root] = true
	}
}

// escapeCaptured carries what escapes from a closure to the captured variable.
func (m *memory) escapeCaptured() {
	for changed := true; changed; {
		changed = false
		for fv, v := range m.captured {
			if m.escaped[fv] != m.escaped[v] {
				m.escaped[fv], m.escaped[v] = true, true
				changed = true
			}
		}
	}
}

// isAddress reports whether v is the address of a variable or a part of one.
func isAddress(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FieldAddr, *ssa.IndexAddr:
		return true
	case *ssa.FreeVar:
		_, ok := v.Type().Underlying().(*types.Pointer)
		return ok
	}
	return false
}

// isAccess reports whether instr uses its operand v only to read, write or go on to a part of what it points to.
func isAccess(instr ssa.Instruction, v *ssa.Value) bool {
	switch x := instr.(type) {
	case *ssa.UnOp:
		return x.Op == token.MUL
	case *ssa.Store:
		return v == &x.Addr
	case *ssa.FieldAddr:
		return true
	case *ssa.IndexAddr:
		return v == &x.X
	}
	return false
}

// reinterpret joins the classes of what two pointer types point to, where a conversion makes one of the other (MEM4).
func (m *memory) reinterpret(from, to types.Type) {
	a, okA := from.Underlying().(*types.Pointer)
	b, okB := to.Underlying().(*types.Pointer)
	switch {
	case okA && okB:
		m.mix(a.Elem(), b.Elem())
	case okA && isUnsafePointer(to):
		m.exposeToUnsafe(a.Elem())
	case okB && isUnsafePointer(from):
		m.exposeToUnsafe(b.Elem())
	}
}

func isUnsafePointer(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

// mix joins two types of identical underlying types but for tags.
func (m *memory) mix(a, b types.Type) {
	ua, okA := a.Underlying().(*types.Struct)
	ub, okB := b.Underlying().(*types.Struct)
	if !okA || !okB {
		m.unify(m.deref(a), m.deref(b))
		return
	}
	if m.typeID(ua) == m.typeID(ub) {
		return
	}
	m.unify(m.struct_(ua), m.struct_(ub))
	for i := range ua.NumFields() {
		m.unify(m.field(ua, i), m.field(ub, i))
	}
}

func (m *memory) exposeToUnsafe(t types.Type) {
	u := m.hub(hubKey{kind: unsafeHub})
	p := m.deref(t)
	m.link(u, p.w)
	m.link(p.r, u)
	if p.w == p.r { // one class, so an access of it is one of u
		m.union(u, p.w)
	}
}

// name describes a hub.
func (m *memory) name(h hub) string {
	k := m.keys[h]
	var t types.Type
	text := ""
	if k.kind < objectHub || k.kind == chanHub || k.kind == mapHub {
		t = m.byID[k.typ]
		text = types.TypeString(t, (*types.Package).Name)
	}
	switch k.kind {
	case derefHub:
		return "*" + text
	case elemHub:
		return "element " + text
	case fieldHub:
		return fmt.Sprintf("field %s of %s", t.(*types.Struct).Field(int(k.index)).Name(), text)
	case wholeHub:
		return [...]string{"write ", "read "}[k.index] + text
	case chanHub:
		return "chan " + text
	case mapHub:
		return text
	case unsafeHub:
		return "unsafe"
	case panicHub:
		return "panic"
	case hiddenHub:
		return "hidden"
	}
	name := k.obj.Name()
	if a, ok := k.obj.(*ssa.Alloc); ok && a.Comment != "" {
		name = a.Comment
	}
	if k.index >= 0 {
		if u, ok := pointee(k.obj).Underlying().(*types.Struct); ok {
			return name + "." + u.Field(int(k.index)).Name()
		}
	}
	return name
}
