package gogen

import (
	"fmt"
	"strings"
)

// This file defines the types of generated programs.

type kind int

const (
	kBool kind = iota
	kInt
	kInt8
	kInt16
	kInt32
	kInt64
	kUint
	kUint8
	kUint16
	kUint32
	kUint64
	kUintptr
	kFloat32
	kFloat64
	kComplex64
	kComplex128
	kString
	kSlice
	kArray
	kMap
	kPtr
	kFunc
	kStruct
	kAny
	kIface
)

var basicNames = [...]string{"bool", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64",
	"uintptr", "float32", "float64", "complex64", "complex128", "string"}

// A typ is a type. Types are equal if their texts are.
type typ struct {
	kind   kind
	name   string // of a named type
	key    *typ
	elem   *typ
	n      int // of an array
	params []*typ
	result *typ // of a function
	fields []field
	text   string
}

type field struct {
	name     string
	t        *typ
	embedded bool
}

var basics = func() []*typ {
	var ts []*typ
	for k, n := range basicNames {
		ts = append(ts, &typ{kind: kind(k), text: n})
	}
	return ts
}()

var anyT = &typ{kind: kAny, text: "any"}

func sliceOf(t *typ) *typ   { return &typ{kind: kSlice, elem: t, text: "[]" + t.text} }
func pointerTo(t *typ) *typ { return &typ{kind: kPtr, elem: t, text: "*" + t.text} }
func mapOf(k, t *typ) *typ {
	return &typ{kind: kMap, key: k, elem: t, text: "map[" + k.text + "]" + t.text}
}
func arrayOf(n int, t *typ) *typ {
	return &typ{kind: kArray, n: n, elem: t, text: fmt.Sprintf("[%d]%s", n, t.text)}
}
func funcOf(params []*typ, result *typ) *typ {
	var ps []string
	for _, p := range params {
		ps = append(ps, p.text)
	}
	return &typ{kind: kFunc, params: params, result: result, text: fmt.Sprintf("func(%s) %s", strings.Join(ps, ", "), result.text)}
}

func (t *typ) String() string { return t.text }

func same(a, b *typ) bool { return a.text == b.text }

func (t *typ) integer() bool  { return kInt <= t.kind && t.kind <= kUintptr }
func (t *typ) signed() bool   { return kInt <= t.kind && t.kind <= kInt64 }
func (t *typ) unsigned() bool { return kUint <= t.kind && t.kind <= kUintptr }
func (t *typ) float() bool    { return t.kind == kFloat32 || t.kind == kFloat64 }
func (t *typ) complex() bool  { return t.kind == kComplex64 || t.kind == kComplex128 }
func (t *typ) numeric() bool  { return kInt <= t.kind && t.kind <= kComplex128 }
func (t *typ) ordered() bool  { return t.integer() || t.float() || t.kind == kString }

// bits is the size of an integer.
func (t *typ) bits() int {
	switch t.kind {
	case kInt8, kUint8:
		return 8
	case kInt16, kUint16:
		return 16
	case kInt32, kUint32:
		return 32
	}
	return 64
}

// comparable reports whether == is defined and does not look at addresses of what it compares.
func (t *typ) comparable() bool {
	switch t.kind {
	case kSlice, kMap, kFunc:
		return false
	case kArray:
		return t.elem.comparable()
	case kStruct:
		for _, f := range t.fields {
			if !f.t.comparable() {
				return false
			}
		}
	}
	return true
}

// key reports whether t can be the key of a map without panics.
func (t *typ) mapKey() bool {
	switch t.kind {
	case kAny, kIface, kPtr:
		return false
	case kArray:
		return t.elem.mapKey()
	case kStruct:
		for _, f := range t.fields {
			if !f.t.mapKey() {
				return false
			}
		}
	}
	return t.comparable()
}

// printable reports whether a value prints without addresses.
func (t *typ) printable() bool {
	switch t.kind {
	case kPtr, kFunc, kIface:
		return false
	case kSlice, kArray:
		return t.elem.printable()
	case kMap:
		return t.key.printable() && t.elem.printable()
	case kStruct:
		for _, f := range t.fields {
			if !f.t.printable() {
				return false
			}
		}
	}
	return true
}

// plain reports whether a value may stand in an any: it is printed, and perhaps compared.
func (t *typ) plain() bool { return t.printable() && t.kind != kAny }

// palette chooses the types of the program.
func (g *gen) palette() {
	g.types = []*typ{basics[kInt], basics[kString], basics[kBool]}
	for range 3 {
		b := basics[g.n(len(basics))]
		if g.one(4) {
			b = g.named(b)
		}
		g.types = append(g.types, b)
	}
	for range g.n(6) {
		g.types = append(g.types, g.newType())
	}
}

// anyType is a type of the palette.
func (g *gen) anyType() *typ { return g.types[g.n(len(g.types))] }

func (g *gen) pick(ok func(*typ) bool) *typ {
	var ts []*typ
	for _, t := range g.types {
		if ok(t) {
			ts = append(ts, t)
		}
	}
	if len(ts) == 0 {
		return nil
	}
	return ts[g.n(len(ts))]
}

// named declares a type with the underlying type t, a method of it, and returns it.
func (g *gen) named(t *typ) *typ {
	n := *t
	n.name = g.top("T")
	n.text = n.name
	g.line("type %s %s", n.name, t)
	g.line("//go:noinline\nfunc (x %s) M(n int) int { step(); P(\"%s.M\", n); return n + 1 }\n", n.name, n.name)
	return &n
}

func (g *gen) newType() *typ {
	switch g.n(11) {
	case 0, 1:
		return sliceOf(g.anyType())
	case 2:
		return arrayOf(1+g.n(4), g.anyType())
	case 3, 4:
		if k := g.pick((*typ).mapKey); k != nil {
			return mapOf(k, g.anyType())
		}
		return sliceOf(basics[kUint8])
	case 5:
		return pointerTo(g.anyType())
	case 6:
		var ps []*typ
		for range g.n(3) {
			ps = append(ps, g.anyType())
		}
		return funcOf(ps, g.anyType())
	case 7:
		return anyT
	case 8:
		return g.iface()
	default:
		return g.structType()
	}
}

func (g *gen) structType() *typ {
	t := &typ{kind: kStruct, name: g.top("S")}
	t.text = t.name
	var body strings.Builder
	for i := range 1 + g.n(4) {
		f := field{name: fmt.Sprintf("F%d", i), t: g.anyType()}
		if f.t.kind == kStruct && g.one(2) {
			f.embedded, f.name = true, f.t.name
		}
		if f.embedded {
			for _, o := range t.fields {
				if o.name == f.name {
					f.embedded = false
					f.name = fmt.Sprintf("F%d", i)
				}
			}
		}
		t.fields = append(t.fields, f)
		if f.embedded {
			fmt.Fprintf(&body, "%s\n", f.t)
		} else {
			fmt.Fprintf(&body, "%s %s\n", f.name, f.t)
		}
	}
	g.line("type %s struct {\n%s}", t.name, body.String())
	recv := t.name
	if g.one(2) {
		recv = "*" + recv
		t.n = 1 // the pointer implements
	}
	what := "0"
	if f := t.fields[0]; f.t.integer() {
		what = fmt.Sprintf("int(x.%s)", f.name)
		if t.n == 1 {
			g.line("//go:noinline\nfunc (x %s) M(n int) int { step(); x.%s++; P(\"%s.M\", n); return n + %s }\n", recv, f.name, t.name, what)
			g.structs = append(g.structs, t)
			return t
		}
	}
	g.line("//go:noinline\nfunc (x %s) M(n int) int { step(); P(\"%s.M\", n); return n + %s }\n", recv, t.name, what)
	g.structs = append(g.structs, t)
	return t
}

var ifaceT = &typ{kind: kIface, text: "I"}

// iface is the interface of the types that have a method M.
func (g *gen) iface() *typ { return ifaceT }

// implementers are the types that have M.
func (g *gen) implementers() []*typ {
	var ts []*typ
	for _, t := range g.types {
		if t.name != "" && t.kind != kStruct {
			ts = append(ts, t)
		}
	}
	for _, t := range g.structs {
		if t.n == 1 {
			ts = append(ts, pointerTo(t))
		} else {
			ts = append(ts, t)
		}
	}
	return ts
}
