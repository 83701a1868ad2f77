package rtype

import (
	"encoding/binary"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file defines the names of types as the compiler prints them, the encoding of abi.Name, and the
// tables behind NameOff, TypeOff and TextOff.

// Str returns the name of t as reflect's Type.String has it: packages by name, type arguments by path.
func (ts *Facts) Str(t types.Type) string { return ts.str(ts.info(t)) }

func (ts *Facts) str(d *info) string {
	if d.str == "" {
		w := printer{ts: ts}
		w.typ(d.t, false)
		d.str = string(w.b)
	}
	return d.str
}

// Link returns the compiler's LinkString: two types are identical if and only if it is the same.
func (ts *Facts) Link(t types.Type) string {
	w := printer{ts: ts, link: true}
	w.typ(t, false)
	return string(w.b)
}

// A printer writes types. See cmd/compile/internal/types/fmt.go: NameString, and with link LinkString.
type printer struct {
	ts   *Facts
	b    []byte
	link bool
}

func (w *printer) s(s string) { w.b = append(w.b, s...) }

func (w *printer) qualify(p *types.Package) {
	if p == nil {
		return
	}
	if w.link {
		w.s(prefix(w.ts.Path(p)))
	} else {
		w.s(p.Name())
	}
	w.s(".")
}

// typ writes t; short leaves out the word "func".
func (w *printer) typ(t types.Type, short bool) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		switch {
		case t.Kind() == types.UnsafePointer:
			w.s("unsafe.Pointer")
		case t.Info()&types.IsUntyped == 0 && int(t.Kind()) < len(types.Typ):
			w.s(types.Typ[t.Kind()].Name())
		default:
			w.s(t.Name())
		}
	case *types.Named:
		w.qualify(t.Obj().Pkg())
		w.named(t)
	case *types.Pointer:
		w.s("*")
		w.typ(t.Elem(), false)
	case *types.Array:
		w.s("[")
		w.b = strconv.AppendInt(w.b, t.Len(), 10)
		w.s("]")
		w.typ(t.Elem(), false)
	case *types.Slice:
		w.s("[]")
		w.typ(t.Elem(), false)
	case *types.Chan:
		switch t.Dir() {
		case types.RecvOnly:
			w.s("<-chan ")
		case types.SendOnly:
			w.s("chan<- ")
		default:
			w.s("chan ")
			if e, ok := types.Unalias(t.Elem()).(*types.Chan); ok && e.Dir() == types.RecvOnly {
				w.s("(")
				w.typ(e, false)
				w.s(")")
				return
			}
		}
		w.typ(t.Elem(), false)
	case *types.Map:
		w.s("map[")
		w.typ(t.Key(), false)
		w.s("]")
		w.typ(t.Elem(), false)
	case *types.Interface:
		ms := interfaceMethods(w.ts, t)
		w.s("interface {")
		for i, m := range ms {
			if i > 0 {
				w.s(";")
			}
			w.s(" ")
			w.qualify(m.pkg)
			w.s(m.name)
			w.typ(m.fn.Type(), true)
		}
		if len(ms) > 0 {
			w.s(" ")
		}
		w.s("}")
	case *types.Signature:
		if !short {
			w.s("func")
		}
		w.tuple(t.Params(), t.Variadic())
		switch r := t.Results(); r.Len() {
		case 0:
		case 1:
			w.s(" ")
			w.typ(r.At(0).Type(), false)
		default:
			w.s(" ")
			w.tuple(r, false)
		}
	case *types.Struct:
		w.s("struct {")
		for i := range t.NumFields() {
			if i > 0 {
				w.s(";")
			}
			w.s(" ")
			w.field(t.Field(i))
			w.typ(t.Field(i).Type(), false)
			if tag := t.Tag(i); tag != "" {
				w.s(" ")
				w.b = strconv.AppendQuote(w.b, tag)
			}
		}
		if t.NumFields() > 0 {
			w.s(" ")
		}
		w.s("}")
	default:
		w.s(t.String())
	}
}

func (w *printer) tuple(t *types.Tuple, variadic bool) {
	w.s("(")
	for i := range t.Len() {
		if i > 0 {
			w.s(", ")
		}
		p := t.At(i).Type()
		if s, ok := types.Unalias(p).(*types.Slice); ok && variadic && i == t.Len()-1 {
			w.s("...")
			p = s.Elem()
		}
		w.typ(p, false)
	}
	w.s(")")
}

// field writes a field's name where the compiler does.
func (w *printer) field(f *types.Var) {
	sep := " "
	if f.Embedded() {
		if !w.link {
			return
		}
		// An alias may have renamed it: "Name = T", unless Name is what T alone would give.
		sep = " = "
		if name, pkg := w.embedName(f.Type()); name == f.Name() && (f.Exported() || pkg == f.Pkg()) {
			return
		}
	}
	if w.link && !f.Exported() {
		w.qualify(f.Pkg())
	}
	w.s(f.Name())
	w.s(sep)
}

func (w *printer) embedName(t types.Type) (string, *types.Package) {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	switch t := t.(type) {
	case *types.Basic:
		return t.Name(), nil
	case *types.Named:
		n := printer{ts: w.ts, link: true}
		n.named(t)
		return string(n.b), t.Obj().Pkg()
	}
	return "", nil
}

// named writes a defined type's name, without its package: type arguments are always as in a link string.
func (w *printer) named(t *types.Named) {
	w.s(t.Obj().Name())
	if args := t.TypeArgs(); args.Len() > 0 {
		link := w.link
		w.link = true
		w.s("[")
		for i := range args.Len() {
			if i > 0 {
				w.s(",")
			}
			w.typ(args.At(i), false)
		}
		w.s("]")
		w.link = link
	}
	if w.link {
		if g := w.ts.gen(t.Obj()); g > 0 {
			w.s("·")
			w.b = strconv.AppendInt(w.b, int64(g), 10)
		}
	}
}

// gen returns the number that the compiler gives to a type declared in a function, 0 for others.
func (ts *Facts) gen(obj *types.TypeName) int {
	p := obj.Pkg()
	if p == nil || obj.Parent() == p.Scope() {
		return 0
	}
	gens, ok := ts.gens[p]
	if !ok {
		gens = map[token.Pos]int{}
		for i := range p.Scope().NumChildren() { // the files in order; their positions may not be
			var at []token.Pos
			for s := range p.Scope().Child(i).Children() {
				at = localTypes(at, s)
			}
			slices.Sort(at)
			for _, pos := range at {
				gens[pos] = len(gens) + 1
			}
		}
		ts.gens[p] = gens
	}
	return gens[obj.Pos()]
}

// localTypes appends where the defined types of a scope inside a file are declared.
func localTypes(at []token.Pos, s *types.Scope) []token.Pos {
	for _, name := range s.Names() {
		if tn, ok := s.Lookup(name).(*types.TypeName); ok && !tn.IsAlias() {
			if _, ok := tn.Type().(*types.Named); ok { // not a type parameter
				at = append(at, tn.Pos())
			}
		}
	}
	for c := range s.Children() {
		at = localTypes(at, c)
	}
	return at
}

// prefix is cmd/internal/objabi.PathToPrefix: how a symbol's name spells a package path.
func prefix(s string) string {
	slash := strings.LastIndexByte(s, '/')
	special := func(i int) bool {
		c := s[i]
		return c <= ' ' || c == '.' && i > slash || c == '%' || c == '"' || c >= 0x7f
	}
	var b []byte
	for i := range len(s) {
		if !special(i) {
			if b != nil {
				b = append(b, s[i])
			}
			continue
		}
		if b == nil {
			b = append(b, s[:i]...)
		}
		const hex = "0123456789abcdef"
		b = append(b, '%', hex[s[i]>>4], hex[s[i]&15])
	}
	if b == nil {
		return s
	}
	return string(b)
}

// compareNames is the order of methods: exported before others, then by name, then by package path.
func (ts *Facts) compareNames(a, b *method) int {
	if (a.pkg == nil) != (b.pkg == nil) {
		if a.pkg == nil {
			return -1
		}
		return 1
	}
	if c := strings.Compare(a.name, b.name); c != 0 || a.pkg == b.pkg {
		return c
	}
	return strings.Compare(ts.Path(a.pkg), ts.Path(b.pkg))
}

// name returns the offset of an encoded abi.Name. pkg is nil unless the name itself must carry its package.
func (ts *Types) name(name, tag string, pkg *types.Package, exported, embedded bool) int32 {
	b := make([]byte, 1, 1+2+len(name)+2+len(tag)+4)
	if exported {
		b[0] |= 1 << 0
	}
	if tag != "" {
		b[0] |= 1 << 1
	}
	if pkg != nil {
		b[0] |= 1 << 2
	}
	if embedded {
		b[0] |= 1 << 3
	}
	b = binary.AppendUvarint(b, uint64(len(name)))
	b = append(b, name...)
	if tag != "" {
		b = binary.AppendUvarint(b, uint64(len(tag)))
		b = append(b, tag...)
	}
	if pkg != nil {
		b = binary.NativeEndian.AppendUint32(b, uint32(ts.pathName(pkg)))
	}
	if off, ok := ts.nameOff[string(b)]; ok {
		return off
	}
	addr := ts.m.AllocStatic("name "+string(b), b)
	n := numberIn(ts.names, addr, 0)
	ts.names[n] = addr
	ts.nameOff[string(b)] = n << 2
	return n << 2
}

// enter returns the offset of a method's type or function.
func (ts *offsets) enter(e entry) uint32 {
	n := numberIn(ts.entries, e.d.addr, e.m*int32(entryTfn+1)+int32(e.kind))
	ts.entries[n] = e
	return uint32(n)<<2 | 2
}

// maxNumber is the largest number that an offset has room for.
const maxNumber = 1<<29 - 1

// numberIn returns a number that a table has not given yet: for the part of what is at an address.
func numberIn[T any](table map[int32]T, addr mem.Addr, part int32) int32 {
	for n := int32(addr>>16)&maxNumber + part; ; n++ {
		n = max(1, n&maxNumber)
		if _, taken := table[n]; !taken {
			return n
		}
	}
}

// pathName returns the offset of a package's path, 0 for no package.
func (ts *Types) pathName(p *types.Package) int32 {
	if p == nil {
		return 0
	}
	return ts.name(ts.Path(p), "", nil, false, false)
}

func (ts *offsets) nameAddr(off int32) mem.Addr { return ts.names[off>>2] }

// resolve returns what stands behind an offset, 0 if nothing does.
func (ts *Types) resolve(off int32) uint64 {
	if off == 0 || off == -1 {
		return 0
	}
	if off < 0 {
		if i := -2 - int(off); i < len(ts.added) {
			return ts.added[i]
		}
		return 0
	}
	n := off >> 2
	switch off & 3 {
	case 0:
		return ts.names[n]
	case 1:
		if d := ts.descs[n]; d != nil {
			return ts.Of(types.NewPointer(d.t))
		}
	case 2:
		return ts.entry(n)
	}
	return 0
}

func (ts *Types) entry(n int32) uint64 {
	e, ok := ts.entries[n]
	if !ok || e.known {
		return e.addr
	}
	m := &e.d.methods[e.m]
	switch e.kind {
	case entryType:
		e.addr = ts.Of(m.fn.Type())
	case entryIfn:
		e.addr = ts.funcs.MethodText(e.d.t, ts.selection(e.d, m))
	case entryTfn:
		if f, ok := ts.funcs.(FuncTexter); ok {
			e.addr = f.FuncText(e.d.t, ts.selection(e.d, m))
		} else {
			e.addr = ts.funcs.MethodText(e.d.t, ts.selection(e.d, m))
		}
	}
	e.known = true
	ts.entries[n] = e
	return e.addr
}

// Name returns the address of the abi.Name behind a NameOff (runtime.resolveNameOff); 0 if there is none.
func (ts *Types) Name(off int32) mem.Addr { return ts.resolve(off) }

// TypeOff returns the descriptor behind a TypeOff (runtime.resolveTypeOff), 0 if there is none. It takes NameOffs too,
// as reflect relies on.
func (ts *Types) TypeOff(off int32) mem.Addr { return ts.resolve(off) }

// TextOff returns the text address behind a TextOff; 0 if there is none, and for -1, unreachable code.
func (ts *Types) TextOff(off int32) uint64 { return ts.resolve(off) }

// AddReflectOff returns an offset for any address (reflect.addReflectOff). It is the same whenever the
// address is, so it needs no undoing between executions.
func (ts *Types) AddReflectOff(addr mem.Addr) int32 {
	off, ok := ts.addedAt[addr]
	if !ok {
		off = -2 - int32(len(ts.added))
		ts.added = append(ts.added, addr)
		ts.addedAt[addr] = off
	}
	return off
}
