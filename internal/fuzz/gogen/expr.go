package gogen

import (
	"fmt"
	"strconv"
	"strings"
)

// This file makes expressions. An expression of generated code is never constant where that would matter: constant
// overflow, division by a constant zero and the like are errors of the compiler.

// An operand is the text of an expression; konst says that it is constant.
type operand struct {
	s     string
	konst bool
}

func konst(format string, args ...any) operand   { return operand{fmt.Sprintf(format, args...), true} }
func dynamic(format string, args ...any) operand { return operand{fmt.Sprintf(format, args...), false} }

// text is the expression where it does not matter whether it is constant.
func (g *gen) text(o operand) string { return o.s }

// live is the expression, not constant.
func live(o operand) string {
	if o.konst {
		return "id(" + o.s + ")"
	}
	return o.s
}

// expr makes an expression of type t, at most d levels deep.
func (g *gen) expr(t *typ, d int) string { return g.operand(t, d).s }

// live makes an expression of type t that is not constant.
func (g *gen) live(t *typ, d int) string { return live(g.operand(t, d)) }

func (g *gen) operand(t *typ, d int) operand {
	g.budget--
	if d <= 0 || g.budget <= 0 || len(g.data) == 0 {
		return g.leaf(t)
	}
	switch g.n(10) {
	case 0:
		return g.leaf(t)
	case 1:
		if call := g.callReturning([]*typ{t}, d-1); call != "" {
			return dynamic("%s", call)
		}
	case 2:
		return dynamic("T(%q, %s)", g.name("t"), g.conv(t, d-1))
	case 3:
		return g.special(t, d)
	}
	switch {
	case t.kind == kBool:
		return g.boolean(t, d)
	case t.integer():
		return g.integer(t, d)
	case t.float() || t.complex():
		return g.floating(t, d)
	case t.kind == kString:
		return g.str(t, d)
	case t.kind == kSlice:
		return g.slice(t, d)
	}
	return g.literal(t, d)
}

// conv makes an expression whose type is t also where a constant would get another one.
func (g *gen) conv(t *typ, d int) string {
	o := g.operand(t, d)
	switch {
	case t.kind == kPtr || t.kind == kFunc || t.kind == kSlice || t.kind == kMap || t.kind == kAny || t.kind == kIface:
		return fmt.Sprintf("(%s)(%s)", t, o.s)
	}
	return fmt.Sprintf("%s(%s)", t, o.s)
}

// leaf is a variable or a literal.
func (g *gen) leaf(t *typ) operand {
	if len(g.scope) > 0 && g.n(4) > 0 || len(g.data) == 0 && t.kind >= kFunc {
		if p := g.path(t, false); p != "" {
			return dynamic("%s", p)
		}
	}
	return g.literal(t, 0)
}

// special are the forms that every type has.
func (g *gen) special(t *typ, d int) operand {
	switch g.n(9) {
	case 0: // a function literal, called at once
		return dynamic("func() %s {"+notInlined+"\n%s}()", t, g.body(nil, []*typ{t}, nil))
	case 1: // a receive
		return dynamic("(<-box(%s))", g.conv(t, d-1))
	case 2:
		return dynamic("as[%s](%s)", t, g.anyExpr(d-1))
	case 3: // may panic
		if t.kind != kAny && t.kind != kIface {
			if g.one(2) {
				return dynamic("any(%s).(%s)", g.conv(t, d-1), t)
			}
			if v := g.path(anyT, false); v != "" {
				return dynamic("%s.(%s)", v, t)
			}
		}
		return dynamic("pick(%s, %s, %s)", g.expr(basics[kBool], d-1), g.conv(t, d-1), g.expr(t, d-1))
	case 4:
		return dynamic("pick(%s, %s, %s)", g.expr(basics[kBool], d-1), g.conv(t, d-1), g.expr(t, d-1))
	case 5:
		return dynamic("(*ref(%s))", g.conv(t, d-1))
	case 6:
		return dynamic("[]%s{%s, %s}[%s]", t, g.expr(t, d-1), g.expr(t, d-1), g.index(d-1))
	case 7:
		return dynamic("map[int]%s{%d: %s, %s: %s}[%s]", t, 7, g.expr(t, d-1), g.live(basics[kInt], d-1), g.expr(t, d-1), g.expr(basics[kInt], d-1))
	default:
		return dynamic("struct{ a int; b %s }{%s, %s}.b", t, g.expr(basics[kInt], d-1), g.expr(t, d-1))
	}
}

// index is a small int, rarely out of range.
func (g *gen) index(d int) string {
	switch g.n(8) {
	case 1:
		return "1"
	case 2:
		return fmt.Sprintf("id(%d)", g.n(3))
	case 3, 4:
		if d > 0 {
			return fmt.Sprintf("%s&1", g.live(basics[kInt], d-1))
		}
	case 5:
		if t := g.pick((*typ).integer); t != nil && d > 0 {
			return g.live(t, d-1)
		}
	}
	return "0"
}

// constIndex is an index for an array of n elements: a constant one is in range.
func (g *gen) arrayIndex(n, d int) string {
	s := g.index(d)
	if s == "1" && n < 2 {
		return "0"
	}
	return s
}

// path is a variable of type t, or a part of one. With lvalue it can be assigned to.
func (g *gen) path(t *typ, lvalue bool) string {
	type candidate struct {
		make func() string
	}
	var cs []candidate
	key := func(t *typ) string { // of a map on the path: not by way of ever more maps
		if g.paths++; g.paths > 2 {
			g.paths--
			return g.literal(t, 0).s
		}
		defer func() { g.paths-- }()
		return g.expr(t, 1)
	}
	var walk func(mk func() string, u *typ, depth int, addressable bool)
	walk = func(mk func() string, u *typ, depth int, addressable bool) {
		if same(u, t) && (addressable || !lvalue) {
			cs = append(cs, candidate{mk})
		}
		if depth == 0 {
			return
		}
		switch u.kind {
		case kStruct:
			for _, f := range u.fields {
				walk(func() string { return mk() + "." + f.name }, f.t, depth-1, addressable)
			}
		case kArray:
			walk(func() string { return mk() + "[" + g.arrayIndex(u.n, 1) + "]" }, u.elem, depth-1, addressable)
		case kSlice:
			walk(func() string { return mk() + "[" + g.index(1) + "]" }, u.elem, depth-1, true)
		case kMap:
			if same(u.elem, t) {
				walk(func() string { return mk() + "[" + key(u.key) + "]" }, u.elem, 0, true)
			} else if !lvalue {
				walk(func() string { return mk() + "[" + key(u.key) + "]" }, u.elem, depth-1, false)
			}
		case kPtr:
			walk(func() string { return "(*" + mk() + ")" }, u.elem, depth-1, true)
		}
	}
	for i := len(g.scope) - 1; i >= 0; i-- {
		v := g.scope[i]
		walk(func() string { return v.name }, v.t, 2, true)
	}
	if len(cs) == 0 {
		return ""
	}
	return cs[g.n(len(cs))].make()
}

// addressable is an expression whose address can be taken, or "".
func (g *gen) addressable(t *typ) string {
	for range 3 {
		p := g.path(t, true)
		if p == "" || !g.mapElement(p) {
			return p
		}
	}
	return ""
}

// mapElement reports whether the path ends in an element of a map variable.
func (g *gen) mapElement(p string) bool {
	if !strings.HasSuffix(p, "]") {
		return false
	}
	for _, v := range g.scope {
		if strings.Contains(v.t.text, "map[") && strings.HasPrefix(strings.TrimLeft(p, "(*"), v.name) {
			return true
		}
	}
	return false
}

var intEdges = []string{"0", "1", "2", "3", "-1", "7", "-128", "127", "255", "256", "32767", "-32768", "65535", "1 << 31", "-1 << 31",
	"1<<31 - 1", "1<<32 - 1", "1<<63 - 1", "-1 << 63", "1<<64 - 1", "10", "100", "-7", "5", "63", "64", "8"}

// literalInt is a constant of type t.
func (g *gen) literalInt(t *typ) string {
	for range 4 {
		e := intEdges[g.n(len(intEdges))]
		if fits(e, t) {
			return e
		}
	}
	return "1"
}

func fits(e string, t *typ) bool {
	bits := t.bits()
	switch e {
	case "1<<64 - 1":
		return t.unsigned() && bits == 64
	case "-1 << 63":
		return t.signed() && bits == 64
	case "1<<63 - 1":
		return bits == 64
	case "1 << 31", "1<<32 - 1":
		return bits == 64 || t.unsigned() && bits == 32
	case "-1 << 31":
		return t.signed() && bits >= 32
	case "1<<31 - 1":
		return bits >= 32
	}
	v, _ := strconv.Atoi(e)
	if t.unsigned() {
		return v >= 0 && (bits == 64 || v < 1<<bits)
	}
	return bits == 64 || -1<<(bits-1) <= v && v < 1<<(bits-1)
}

var floatEdges = []string{"0", "1", "-1", "0.5", "2.5", "-3.75", "1e10", "-1e10", "1e-7", "3", "16777217", "1e20", "-1e20", "4294967296", "9.3e18", "0.1", "1e38", "-0.0"}

var stringEdges = []string{`""`, `"a"`, `"bc"`, `"héé"`, `"\xff\xfe"`, `"日本語"`, `"a\xe6\x97b"`, `"\U0001F600x"`, `"zz\x00y"`, `"longer than thirty-two bytes, to be sure of it"`, `"\xed\xa0\x80"`}

// literal makes a composite or basic literal.
func (g *gen) literal(t *typ, d int) operand {
	switch {
	case t.kind == kBool:
		return konst("%s(%s)", t, []string{"false", "true"}[g.n(2)])
	case t.integer():
		return konst("%s(%s)", t, g.literalInt(t))
	case t.float():
		if g.one(12) {
			return dynamic("%s(%s)", t, []string{"NaN", "Inf", "NegInf", "NegZero"}[g.n(4)])
		}
		return konst("%s(%s)", t, floatEdges[g.n(len(floatEdges))])
	case t.complex():
		return konst("%s(complex(%s, %s))", t, floatEdges[g.n(len(floatEdges))], floatEdges[g.n(len(floatEdges))])
	case t.kind == kString:
		return konst("%s(%s)", t, stringEdges[g.n(len(stringEdges))])
	}
	if d <= 0 && len(g.data) == 0 {
		return g.zero(t)
	}
	switch t.kind {
	case kSlice:
		switch g.n(6) {
		case 4:
			return dynamic("make(%s, %d, %d)", t, 1+g.n(2), 2+g.n(3))
		case 5:
			return dynamic("%s(nil)", t)
		}
		var es []string
		for i := range 1 + g.n(3) {
			e := g.expr(t.elem, d-1)
			if i == 1 && g.one(5) {
				e = "3: " + e
				es = append(es, e)
				break
			}
			es = append(es, e)
		}
		return dynamic("%s{%s}", t, strings.Join(es, ", "))
	case kArray:
		var es []string
		for range g.n(t.n + 1) {
			es = append(es, g.expr(t.elem, d-1))
		}
		return dynamic("%s{%s}", t, strings.Join(es, ", "))
	case kMap:
		if g.one(5) {
			return dynamic("make(%s)", t)
		}
		var es []string
		for range g.n(3) {
			es = append(es, g.live(t.key, d-1)+": "+g.expr(t.elem, d-1))
		}
		return dynamic("%s{%s}", t, strings.Join(es, ", "))
	case kPtr:
		switch g.n(4) {
		case 0:
			if p := g.addressable(t.elem); p != "" {
				return dynamic("&%s", p)
			}
		case 1:
			if t.elem.kind == kStruct {
				return dynamic("&%s", g.structLit(t.elem, d))
			}
		case 2:
			if g.one(3) {
				return dynamic("(%s)(nil)", t)
			}
		}
		return dynamic("ref(%s)", g.conv(t.elem, d-1))
	case kFunc:
		return dynamic("%s", g.funcLit(t, d))
	case kStruct:
		return dynamic("%s", g.structLit(t, d))
	case kAny:
		return dynamic("any(%s)", g.anyExpr(d-1))
	case kIface:
		is := g.implementers()
		if len(is) == 0 {
			return dynamic("I(nil)")
		}
		return dynamic("I(%s)", g.conv(is[g.n(len(is))], d-1))
	}
	return g.zero(t)
}

func (g *gen) zero(t *typ) operand { return dynamic("zero[%s]()", t) }

func (g *gen) structLit(t *typ, d int) string {
	var es []string
	if g.one(2) {
		for _, f := range t.fields {
			if g.one(2) {
				es = append(es, f.name+": "+g.expr(f.t, d-1))
			}
		}
		return fmt.Sprintf("%s{%s}", t, strings.Join(es, ", "))
	}
	for _, f := range t.fields {
		es = append(es, g.expr(f.t, d-1))
	}
	return fmt.Sprintf("%s{%s}", t, strings.Join(es, ", "))
}

func (g *gen) funcLit(t *typ, d int) string {
	if d > 0 && g.one(3) { // a method value
		if s := g.pick(func(t *typ) bool { return t.kind == kIface || t.name != "" && t.kind != kStruct }); s != nil && t.text == "func(int) int" {
			return g.live(s, d-1) + ".M"
		}
	}
	for _, f := range g.funcs {
		if f.recv == nil && !f.variadic && len(f.results) == 1 && same(f.results[0], t.result) && len(f.params) == len(t.params) {
			equal := true
			for i, p := range f.params {
				equal = equal && same(p, t.params[i])
			}
			if equal && g.one(2) {
				return f.name
			}
		}
	}
	var ps []*variable
	var head []string
	for _, p := range t.params {
		v := &variable{g.name("a"), p}
		ps = append(ps, v)
		head = append(head, v.name+" "+p.text)
	}
	if d <= 0 {
		saved := g.scope
		g.scope = append(g.scope[:len(g.scope):len(g.scope)], ps...)
		s := fmt.Sprintf("func(%s) %s {%s return %s }", strings.Join(head, ", "), t.result, notInlined, g.leaf(t.result).s)
		g.scope = saved
		return s
	}
	return fmt.Sprintf("func(%s) %s {%s\n%s}", strings.Join(head, ", "), t.result, notInlined, g.body(ps, []*typ{t.result}, nil))
}

// notInlined begins the body of a function literal with a statement that the compiler does not inline. What it inlines
// is its own affair, and shows: arguments are evaluated in another order, and variables are no longer captured. The
// latter decides what a parallel assignment evaluates first.
const notInlined = " select { default: };"

// anyExpr is a value of a plain type, by its own type. A slice comes from a call: in a composite literal of constants,
// gc 1.26 may take an interface that holds a nil slice for a nil interface (docs/machine.md).
func (g *gen) anyExpr(d int) string {
	t := g.pick((*typ).plain)
	if t.kind == kSlice {
		return "id(" + g.conv(t, d) + ")"
	}
	return g.conv(t, d)
}

// callReturning is a call whose results have the types ts, or "".
func (g *gen) callReturning(ts []*typ, d int) string {
	var cs []func() string
	for _, f := range g.funcs {
		if len(f.results) != len(ts) {
			continue
		}
		equal := true
		for i, r := range f.results {
			equal = equal && same(r, ts[i])
		}
		if equal {
			cs = append(cs, func() string { return g.call(f, d) })
		}
	}
	if len(ts) == 1 {
		t := ts[0]
		for _, v := range g.scope {
			if v.t.kind == kFunc && same(v.t.result, t) {
				cs = append(cs, func() string { return v.name + "(" + g.args(v.t.params, d) + ")" })
			}
			if t.text == "int" && (v.t.name != "" || v.t.kind == kIface) {
				cs = append(cs, func() string { return v.name + ".M(" + g.onlyArg(t, d) + ")" })
			}
		}
		if t.text == "int" {
			for _, s := range g.implementers() {
				if s.kind != kPtr {
					cs = append(cs, func() string { return g.conv(s, d) + ".M(" + g.expr(t, d) + ")" },
						func() string { return s.text + ".M(" + g.conv(s, d) + ", " + g.expr(t, d) + ")" })
				}
			}
			cs = append(cs, func() string { return "I(" + g.literal(g.iface(), d).s + ").M(" + g.onlyArg(t, d) + ")" })
		}
	}
	if len(cs) == 0 {
		return ""
	}
	return cs[g.n(len(cs))]()
}

// onlyArg is an argument of a method that has no other. It may be a shift by a negative count, which panics behind a
// nil receiver and before the call. Among other operands that panic its turn would depend on whether the compiler
// inlines the call.
func (g *gen) onlyArg(t *typ, d int) string {
	if d > 0 && g.one(6) {
		return fmt.Sprintf("(%s << %s)", g.live(t, d-1), g.live(basics[kInt], d-1))
	}
	return g.expr(t, d)
}

func (g *gen) args(ts []*typ, d int) string {
	var as []string
	for _, t := range ts {
		as = append(as, g.expr(t, d))
	}
	return strings.Join(as, ", ")
}

// call is a call of a declared function or method.
func (g *gen) call(f *function, d int) string {
	name := f.name
	if f.recv != nil {
		switch p := g.addressable(f.recv); {
		case p != "":
			name = p + "." + name
		case f.ptr:
			name = "ref(" + g.conv(f.recv, d-1) + ")." + name
		default:
			name = g.conv(f.recv, d-1) + "." + name
		}
	}
	if !f.variadic {
		return name + "(" + g.args(f.params, d) + ")"
	}
	last := f.params[len(f.params)-1]
	as := f.params[:len(f.params)-1]
	s := g.args(as, d)
	if len(as) > 0 {
		s += ", "
	}
	if g.one(2) {
		return name + "(" + s + g.expr(last, d) + "...)"
	}
	for range g.n(3) {
		s += g.expr(last.elem, d) + ", "
	}
	return name + "(" + strings.TrimSuffix(s, ", ") + ")"
}

func (g *gen) boolean(t *typ, d int) operand {
	wrap := func(s string) operand {
		if t.name != "" {
			s = t.name + "(" + s + ")"
		}
		return dynamic("%s", s)
	}
	switch g.n(6) {
	case 0, 1:
		if u := g.pick((*typ).ordered); u != nil {
			op := []string{"<", "<=", ">", ">=", "==", "!="}[g.n(6)]
			return wrap(fmt.Sprintf("(%s %s %s)", g.live(u, d-1), op, g.expr(u, d-1)))
		}
	case 2:
		u := g.pick((*typ).comparable)
		return wrap(fmt.Sprintf("(%s %s %s)", live(dynamic("%s", g.liveConv(u, d-1))), []string{"==", "!="}[g.n(2)], g.conv(u, d-1)))
	case 3:
		return dynamic("(%s && %s)", g.live(t, d-1), g.expr(t, d-1))
	case 4:
		return dynamic("(%s || %s)", g.live(t, d-1), g.expr(t, d-1))
	}
	return dynamic("!%s", g.live(t, d-1))
}

func (g *gen) liveConv(t *typ, d int) string { return "id(" + g.conv(t, d) + ")" }

func (g *gen) integer(t *typ, d int) operand {
	switch g.n(12) {
	case 0, 1, 2:
		op := []string{"+", "-", "*", "&", "|", "^", "&^"}[g.n(7)]
		return dynamic("(%s %s %s)", g.live(t, d-1), op, g.expr(t, d-1))
	case 3:
		op := []string{"/", "%"}[g.n(2)]
		if g.one(3) {
			return dynamic("(%s %s %s)", g.live(t, d-1), op, []string{"3", "1", "7", "2", "10", "8"}[g.n(6)])
		}
		return dynamic("(%s %s %s)", g.live(t, d-1), op, g.live(t, d-1))
	case 4, 5:
		op := []string{"<<", ">>"}[g.n(2)]
		if g.one(2) {
			return dynamic("(%s %s %d)", g.live(t, d-1), op, []int{1, 3, 7, 8, 31, 32, 63, 64, 65, 0}[g.n(10)])
		}
		// For negative counts see onlyArg.
		u := g.pick((*typ).integer)
		if u.signed() {
			return dynamic("(%s %s (%s & 127))", g.live(t, d-1), op, g.live(u, d-1))
		}
		return dynamic("(%s %s %s)", g.live(t, d-1), op, g.live(u, d-1))
	case 6:
		return dynamic("(%s%s)", []string{"-", "^", "+"}[g.n(3)], g.live(t, d-1))
	case 7:
		u := g.pick(func(u *typ) bool { return u.integer() || u.float() })
		return dynamic("%s(%s)", t, g.live(u, d-1))
	case 8:
		return g.length(t, d)
	case 9:
		return dynamic("%s(%s, %s)", []string{"min", "max"}[g.n(2)], g.live(t, d-1), g.expr(t, d-1))
	case 10:
		if t.kind == kUint8 {
			return dynamic("%s(%s[%s])", t, g.live(basics[kString], d-1), g.index(d-1))
		}
		return dynamic("sum(%s, %s)", g.conv(t, d-1), g.expr(t, d-1))
	}
	return dynamic("id(%s)", g.conv(t, d-1))
}

// length is len or cap of something, or copy.
func (g *gen) length(t *typ, d int) operand {
	u := g.pick(func(u *typ) bool { return u.kind == kString || u.kind == kSlice || u.kind == kMap || u.kind == kArray })
	f := "len"
	if u.kind == kSlice {
		switch g.n(4) {
		case 2:
			if p := g.path(u, false); p != "" {
				return dynamic("%s(cap(%s))", t, p)
			}
		case 3:
			if p := g.path(u, false); p != "" {
				return dynamic("%s(copy(%s, %s))", t, p, g.live(u, d-1))
			}
		}
	}
	return dynamic("%s(id(%s(%s)))", t, f, g.live(u, d-1))
}

func (g *gen) floating(t *typ, d int) operand {
	switch g.n(8) {
	case 0, 1, 2, 3:
		op := []string{"+", "-", "*", "/"}[g.n(4)]
		return dynamic("(%s %s %s)", g.live(t, d-1), op, g.expr(t, d-1))
	case 4:
		return dynamic("(-%s)", g.live(t, d-1))
	case 5:
		if t.complex() {
			f := basics[kFloat64]
			if t.kind == kComplex64 {
				f = basics[kFloat32]
			}
			return dynamic("%s(complex(%s, %s))", t, g.live(f, d-1), g.expr(f, d-1))
		}
		if c := g.pick((*typ).complex); c != nil && g.one(2) {
			return dynamic("%s(%s(%s))", t, []string{"real", "imag"}[g.n(2)], g.live(c, d-1))
		}
		return dynamic("%s(%s, %s)", []string{"min", "max"}[g.n(2)], g.live(t, d-1), g.expr(t, d-1))
	case 6:
		if t.complex() {
			if u := g.pick((*typ).complex); u != nil {
				return dynamic("%s(%s)", t, g.live(u, d-1))
			}
		} else if u := g.pick(func(u *typ) bool { return u.integer() || u.float() }); u != nil {
			return dynamic("%s(%s)", t, g.live(u, d-1))
		}
	}
	return dynamic("id(%s)", g.conv(t, d-1))
}

func (g *gen) str(t *typ, d int) operand {
	switch g.n(8) {
	case 0, 1:
		return dynamic("lim(%s + %s)", g.live(t, d-1), g.expr(t, d-1))
	case 2:
		return dynamic("%s[%s:]", g.live(t, d-1), g.index(d-1))
	case 3:
		return dynamic("%s[:%s]", g.live(t, d-1), live(operand{g.index(d - 1), true}))
	case 4:
		return dynamic("%s(rune(%s))", t, g.live(basics[kInt], d-1))
	case 5:
		return dynamic("%s([]byte(%s))", t, g.live(basics[kString], d-1))
	case 6:
		return dynamic("%s([]rune(%s))", t, g.live(basics[kString], d-1))
	}
	return dynamic("%s(S(%s))", t, g.anyExpr(d-1))
}

func (g *gen) slice(t *typ, d int) operand {
	switch g.n(8) {
	case 0, 1, 2:
		var es []string
		for range 1 + g.n(2) {
			es = append(es, g.expr(t.elem, d-1))
		}
		return dynamic("clip(append(%s, %s))", g.limited(t, d), strings.Join(es, ", "))
	case 3:
		return dynamic("clip(append(%s, %s...))", g.limited(t, d), g.limited(t, d))
	case 4:
		lo := g.index(d - 1)
		switch g.n(4) {
		case 0:
			return dynamic("%s[%s:]", g.live(t, d-1), lo)
		case 1:
			return dynamic("%s[:%s]", g.live(t, d-1), lo)
		case 2:
			return dynamic("%s[id(0):%s]", g.live(t, d-1), lo)
		}
		return dynamic("%s[%s:%s:%s]", g.live(t, d-1), live(operand{lo, true}), live(operand{g.index(d - 1), true}), live(operand{g.index(d - 1), true}))
	case 5:
		for _, v := range g.scope {
			if v.t.kind == kArray && same(v.t.elem, t.elem) {
				return dynamic("%s[%s:]", v.name, g.arrayIndex(v.t.n, d-1))
			}
		}
	case 6:
		switch t.elem.text {
		case "uint8", "int32":
			return dynamic("clip(%s(%s))", t, g.live(basics[kString], d-1))
		}
	}
	return g.literal(t, d)
}

// limited is a slice that is not too long to append to.
func (g *gen) limited(t *typ, d int) string {
	if g.one(3) {
		return "lims(" + g.conv(t, d-1) + ")"
	}
	if p := g.path(t, false); p != "" {
		return "lims(" + p + ")"
	}
	return "lims(" + g.conv(t, d-1) + ")"
}
