package gogen

import (
	"fmt"
	"strings"
)

// This file makes programs of statements in which nearly every operand may panic. The operand that panics first shows
// the order of evaluation in all its detail.

// MakePanics makes such a program of data.
func MakePanics(data []byte, prefix string) Program {
	g := &panics{gen{data: data, prefix: prefix}}
	p := Program{Entry: prefix + "Main"}
	var b strings.Builder
	fmt.Fprintf(&b, "func %s() {\n%s", p.Entry, panicsVars)
	for i := 0; len(g.data) > 0 && i < 30; i++ {
		fmt.Fprintf(&b, "Try(func() {\nP(%d)\n%s%s\n})\n", i, panicsLocals, g.statement())
	}
	b.WriteString("}\n")
	p.Source = strings.ReplaceAll(panicsDecls, "$", prefix) + strings.ReplaceAll(b.String(), "$", prefix)
	return p
}

const panicsDecls = `
type $S struct { a int; s string }
type $N int
//go:noinline
func (n $N) M(x int) int { return x + int(n) }
//go:noinline
func $two(x, y int) int { return x - y }
//go:noinline
func $add(x, y int) int { return x + y }
//go:noinline
func $cat(s string, x int) string { return s[:min(len(s), x&7)] }
//go:noinline
func $pair(x, y int) (int, int) { return x, y }
var $gs []int
var $g, $h int
`

// panicsLocals declares the variables of a statement that no literal captures.
const panicsLocals = `l, z := id(1), id(0)
_, _ = l, z
`

// panicsVars declares what expressions are made of: slices of four elements, the last of them nil or zero.
const panicsVars = `
xs, bs := []int{1, 2, 3, 0}, []byte{1, 2, 3, 0}
strs := []string{"a", "bc", "longer", ""}
ps := []*int{&xs[0], &xs[1], &xs[2], nil}
sts := []$S{{1, "a"}, {2, "b"}, {3, "c"}, {}}
psts := []*$S{&sts[0], &sts[1], &sts[2], nil}
is := []I{$N(1), $N(2), $N(3), nil}
as := []any{1, "a", $S{1, "a"}, nil}
arr := [4]int{1, 2, 3, 0}
parrs := []*[4]int{&arr, &arr, &arr, nil}
mi, ms, mst, ma := map[int]int{1: 1}, map[string]int{"a": 1}, map[$S]int{{1, "a"}: 1}, map[any]int{1: 1}
mb := map[byte]int{1: 1}
msl := map[string][]int{"a": xs}
cs := []complex128{1, 2, 3, 0}
mc := map[complex128]int{1: 1}
arrs := [][4]int{arr, arr, arr, {}}
oks := []bool{true, false, true, false}
chs := []chan int{make(chan int, 1), nil, make(chan int, 1), nil}
fs := []func(int) int{func(x int) int { return x }, nil, func(x int) int { return -x }, nil}
v, str, st := xs[0], strs[0], sts[0]
_, _, _, _, _, _, _, _, _ = bs, psts, is, as, parrs, mi, ms, mst, ma
_, _, _, _, _, _, _, _, _, _, _, _ = mb, msl, fs, v, str, st, ps, cs, mc, arrs, chs, oks
`

type panics struct{ gen }

// k is an index into the slices of four elements.
func (g *panics) k() string {
	if g.one(3) {
		return fmt.Sprint(4 + g.n(90))
	}
	return fmt.Sprint(g.n(4))
}

func (g *panics) index(d int) string {
	if d > 0 && g.one(2) {
		return g.num(d - 1)
	}
	return g.k()
}

// num makes an expression of type int.
func (g *panics) num(d int) string {
	if d <= 0 {
		switch g.n(12) {
		case 0:
			return "v"
		case 1:
			return "*ps[" + g.k() + "]"
		case 2:
			return "sts[" + g.k() + "].a"
		case 3:
			return "psts[" + g.k() + "].a"
		case 4:
			return "int(bs[" + g.k() + "])"
		case 5:
			return "arr[xs[" + g.k() + "]]"
		case 6:
			return `msl["b"][` + g.k() + "]"
		case 7:
			return "parrs[" + g.k() + "][" + g.n4() + "]"
		case 8:
			return []string{"l", "$g"}[g.n(2)]
		case 9:
			return []string{"(l / z)", "(l % z)", "($g / z)", "(v / z)"}[g.n(4)]
		}
		return "xs[" + g.k() + "]"
	}
	d--
	switch g.n(42) {
	case 0, 1:
		return fmt.Sprintf("(%s %s %s)", g.num(d), []string{"+", "-", "*", "&", "|", "^"}[g.n(6)], g.num(d))
	case 2:
		return fmt.Sprintf("(%s %s %s)", g.num(d), []string{"/", "%"}[g.n(2)], g.num(d))
	case 3:
		return fmt.Sprintf("(%s %s uint8(%s))", g.num(d), []string{"<<", ">>"}[g.n(2)], g.num(d))
	case 4:
		return fmt.Sprintf("(-%s)", g.num(d))
	case 5:
		return fmt.Sprintf("len(%s)", g.str(d))
	case 6:
		return fmt.Sprintf("mi[%s]", g.num(d))
	case 7:
		return fmt.Sprintf("ms[%s]", g.str(d))
	case 8:
		return fmt.Sprintf("mst[%s]", g.structure(d))
	case 9:
		return fmt.Sprintf("ma[%s]", g.any(d))
	case 10:
		return fmt.Sprintf("mb[byte(%s)]", g.num(d))
	case 11:
		return fmt.Sprintf("msl[%s][%s]", g.str(d), g.index(d))
	case 12:
		return fmt.Sprintf("[]int{%s, %s, %s}[%s]", g.num(d), g.num(d), g.num(d), g.index(d))
	case 13:
		return fmt.Sprintf("[2]int{%s, %s}[%s&1]", g.num(d), g.num(d), g.num(d))
	case 14:
		return fmt.Sprintf("%s.a", g.structure(d))
	case 15:
		return fmt.Sprintf("psts[%s].a", g.index(d))
	case 16:
		return fmt.Sprintf("*ps[%s]", g.index(d))
	case 17:
		return fmt.Sprintf("id(%s)", g.num(d))
	case 18, 19:
		return fmt.Sprintf("$two(%s, %s)", g.num(d), g.num(d))
	case 20:
		return fmt.Sprintf("$add(%s, %s)", g.num(d), g.num(d))
	case 21:
		return fmt.Sprintf("%s.(int)", g.any(d))
	case 22:
		return fmt.Sprintf("is[%s].M(%s)", g.index(d), g.num(d))
	case 23:
		return fmt.Sprintf("fs[%s](%s)", g.index(d), g.num(d))
	case 24:
		return fmt.Sprintf("parrs[%s][%s]", g.index(d), g.num(d-1))
	case 25:
		return fmt.Sprintf("int(%s[%s])", g.str(d), g.index(d))
	case 26:
		return fmt.Sprintf("arr[%s&3]", g.num(d))
	case 27:
		return fmt.Sprintf("min(%s, %s)", g.num(d), g.num(d))
	case 28:
		return fmt.Sprintf("(&%s).a", g.literal(d))
	case 29, 30:
		return fmt.Sprintf([]string{"int(%s)", "(+%s)"}[g.n(2)], g.num(d))
	case 31:
		return fmt.Sprintf("int(real(%s))", g.cplx(d))
	case 32:
		return fmt.Sprintf("mc[%s]", g.cplx(d))
	case 33:
		return fmt.Sprintf("%s[%s&3]", g.array(d), g.num(d))
	case 34:
		return fmt.Sprintf("len([4]int{%s, id(%s)})", g.num(d), g.num(d)) // no constant
	case 35:
		return fmt.Sprintf("sum(%s, %s)", g.num(d), g.num(d))
	case 36:
		return fmt.Sprintf("I($N(%s)).M(%s)", g.num(d), g.num(d))
	case 37:
		return fmt.Sprintf("func() int {"+notInlined+" return %s }()", g.num(d))
	case 38:
		return fmt.Sprintf("struct{ a int; b []int }{%s, xs[%s:]}.b[%s]", g.num(d), g.index(d), g.index(d))
	case 39:
		return fmt.Sprintf("map[int]int{%s: %s}[%s]", g.num(d), g.num(d), g.num(d))
	case 40:
		return fmt.Sprintf("[][]int{{%s}, xs[%s:], append(xs[:2:2], %s)}[%s][%s]", g.num(d), g.index(d), g.num(d), g.index(d), g.index(d))
	}
	return fmt.Sprintf("xs[%s]", g.index(d))
}

func (g *panics) cplx(d int) string {
	if d <= 0 {
		return "cs[" + g.k() + "]"
	}
	d--
	switch g.n(6) {
	case 0, 1:
		return fmt.Sprintf("(%s / %s)", g.cplx(d), g.cplx(d))
	case 2:
		return fmt.Sprintf("(%s %s %s)", g.cplx(d), []string{"+", "-", "*"}[g.n(3)], g.cplx(d))
	case 3:
		return fmt.Sprintf("complex(float64(%s), 1)", g.num(d))
	case 4:
		return fmt.Sprintf("complex128(%s)", g.cplx(d))
	}
	return fmt.Sprintf("cs[%s]", g.index(d))
}

func (g *panics) array(d int) string {
	switch g.n(5) {
	case 0:
		return fmt.Sprintf("[4]int{%s, %s}", g.num(d-1), g.num(d-1))
	case 1:
		return fmt.Sprintf("[4]int([4]int{%s, 2: %s})", g.num(d-1), g.num(d-1))
	case 2:
		return fmt.Sprintf("[4]int(arrs[%s])", g.index(d))
	case 3:
		return fmt.Sprintf("(*parrs[%s])", g.index(d))
	}
	return fmt.Sprintf("arrs[%s]", g.index(d))
}

func (g *panics) str(d int) string {
	if d <= 0 {
		switch g.n(6) {
		case 0:
			return "str"
		case 1:
			return "sts[" + g.k() + "].s"
		case 2:
			return "psts[" + g.k() + "].s"
		}
		return "strs[" + g.k() + "]"
	}
	d--
	switch g.n(10) {
	case 8:
		return fmt.Sprintf("string(%s)", g.str(d))
	case 0:
		return fmt.Sprintf("(%s + %s)", g.str(d), g.str(d))
	case 1:
		return fmt.Sprintf("(%s + %s + %s)", g.str(d), g.str(d), g.str(d))
	case 2:
		return fmt.Sprintf("string(rune(%s))", g.num(d))
	case 3:
		return fmt.Sprintf("string([]byte(%s))", g.str(d))
	case 4:
		return fmt.Sprintf("%s[%s:]", g.str(d), g.index(d))
	case 5:
		return fmt.Sprintf("$cat(%s, %s)", g.str(d), g.num(d))
	case 6:
		return fmt.Sprintf("%s.s", g.structure(d))
	case 7:
		return fmt.Sprintf("string(bs[%s:])", g.index(d))
	}
	return fmt.Sprintf("strs[%s]", g.index(d))
}

func (g *panics) structure(d int) string {
	switch g.n(4) {
	case 2:
		return "$S(sts[" + g.index(d) + "])"
	case 0:
		return "sts[" + g.index(d) + "]"
	case 1:
		return "(*psts[" + g.index(d) + "])"
	}
	return g.literal(d)
}

func (g *panics) literal(d int) string {
	return fmt.Sprintf("$S{%s, %s}", g.num(d-1), g.str(d-1))
}

func (g *panics) any(d int) string {
	switch g.n(7) {
	case 0:
		return "any(" + g.num(d-1) + ")"
	case 1:
		return "any(" + g.str(d-1) + ")"
	case 2:
		return "any(" + g.structure(d-1) + ")"
	case 3:
		return "any(" + g.cond(d-1) + ")"
	case 4:
		return "any(ps[" + g.index(d) + "])"
	case 5:
		return "any(is[" + g.index(d) + "])"
	}
	return "as[" + g.index(d) + "]"
}

func (g *panics) cond(d int) string {
	if d <= 0 {
		return "xs[" + g.k() + "] > 0"
	}
	d--
	eq := []string{"==", "!="}[g.n(2)]
	switch g.n(13) {
	case 9:
		return fmt.Sprintf("(%s %s %s)", g.cplx(d), eq, g.cplx(d))
	case 10:
		return fmt.Sprintf("(%s %s %s)", g.array(d), eq, g.array(d))
	case 0:
		return fmt.Sprintf("(%s %s %s)", g.str(d), []string{"==", "!=", "<"}[g.n(3)], g.str(d))
	case 1:
		return fmt.Sprintf("(%s %s %s)", g.str(d), eq, []string{`""`, `"bc"`, `"longer than sixteen bytes"`}[g.n(3)])
	case 2:
		return fmt.Sprintf("(%s %s %s)", g.any(d), eq, g.any(d))
	case 3:
		return fmt.Sprintf("(%s %s %s)", g.any(d), eq, g.num(d))
	case 4:
		return fmt.Sprintf("(%s %s %s)", g.structure(d), eq, g.structure(d))
	case 5:
		return fmt.Sprintf("(%s && %s)", g.cond(d), g.cond(d))
	case 6:
		return fmt.Sprintf("(%s || %s)", g.cond(d), g.cond(d))
	case 7:
		return fmt.Sprintf("!(%s)", g.cond(d))
	case 8:
		return fmt.Sprintf("(*parrs[%s] %s [4]int{%s, %s})", g.index(d), eq, g.num(d), g.num(d))
	}
	return fmt.Sprintf("(%s %s %s)", g.num(d), []string{"<", "==", ">="}[g.n(3)], g.num(d))
}

// place is what can be assigned an int.
func (g *panics) place(d int) string {
	switch g.n(13) {
	case 9:
		return "$g"
	case 10:
		return "l"
	case 11:
		return "parrs[" + g.index(d) + "][" + g.num(d-1) + "]"
	case 0:
		return "v"
	case 1:
		return "*ps[" + g.index(d) + "]"
	case 2:
		return "psts[" + g.index(d) + "].a"
	case 3:
		return "sts[" + g.index(d) + "].a"
	case 4:
		return "ms[" + g.str(d-1) + "]"
	case 5:
		return "mi[" + g.num(d-1) + "]"
	case 6:
		return "arr[" + g.index(d) + "&3]"
	case 7:
		return "msl[" + g.str(d-1) + "][" + g.index(d) + "]"
	}
	return "xs[" + g.index(d) + "]"
}

func (g *panics) n4() string { return fmt.Sprint(g.n(4)) }

// places are what n ints can be assigned to, with values for them.
func (g *panics) places(n, d int) (places, values string) {
	var ps, vs []string
	maps := false
	for range n {
		p := g.place(d)
		maps = maps || strings.HasPrefix(p, "mi[") || strings.HasPrefix(p, "ms[")
		ps, vs = append(ps, p), append(vs, g.num(d))
	}
	if maps { // see the package comment
		for i, v := range vs {
			vs[i] = "id(" + v + ")"
		}
	}
	return strings.Join(ps, ", "), strings.Join(vs, ", ")
}

// results is a call of a literal with two results.
func (g *panics) results(d int) string {
	head, first := "int, string", g.num(d)
	if g.one(2) {
		head = "a int, b string"
		first = []string{first, "a", "(a / " + first + ")"}[g.n(3)]
	}
	second := g.str(d)
	if head != "int, string" && g.one(2) {
		second = "(b + " + second + ")"
	}
	before := ""
	switch g.n(4) {
	case 0:
		before = " defer id(0);"
	case 1:
		if head != "int, string" {
			before = " defer func() { P(a, b) }();"
		}
	case 2:
		before = fmt.Sprintf(" if %s { return %s, %s };", g.cond(0), g.num(1), g.str(1))
	}
	return fmt.Sprintf("func() (%s) {"+notInlined+"%s return %s, %s }()", head, before, first, second)
}

// captured uses x and y, which literals may capture.
func (g *panics) captured() string {
	switch g.n(4) {
	case 0:
		return "f := func() {" + notInlined + " P(x, y) }; f(); id(f)()"
	case 1:
		return "f := func() {" + notInlined + " x = x; P(x, y) }; f(); id(f)()"
	case 2:
		return "P(&x != nil, y)"
	}
	return "P(x, y)"
}

func (g *panics) statement() string {
	const d = 3
	switch g.n(40) {
	case 34, 35, 36, 37, 38:
		return g.wide(2)
	case 0, 1, 2:
		return fmt.Sprintf("v = %s; P(v)", g.num(d))
	case 3:
		return fmt.Sprintf("%s = %s", g.place(d), g.num(d))
	case 4:
		return fmt.Sprintf("%s %s= %s", g.place(d), []string{"+", "*", "/", "<<"}[g.n(4)], "("+g.num(d)+"&63)")
	case 5, 6, 7:
		ps, vs := g.places(2+g.n(2), d-1)
		return fmt.Sprintf("%s = %s; P($g, l)", ps, vs)
	case 8:
		return fmt.Sprintf("P(%s, %s)", g.num(d), g.str(d))
	case 9:
		return fmt.Sprintf("if (%s) { P(1) } else { P(2) }", g.cond(d))
	case 10, 11:
		return fmt.Sprintf("P(%s)", g.results(d))
	case 12:
		return fmt.Sprintf("c := make(chan int, 1); c <- %s; P(<-c)", g.num(d))
	case 13:
		return fmt.Sprintf("switch (%s) { case %s: P(1); case %s: P(2); default: P(3) }", g.num(d-1), g.num(d-1), g.num(d-1))
	case 14:
		return fmt.Sprintf("x := %s; P(x)", g.literal(d))
	case 15:
		return fmt.Sprintf("x := []int{%s, %s}; P(x)", g.num(d-1), g.num(d-1))
	case 16:
		return fmt.Sprintf("x, ok := ms[%s]; P(x, ok)", g.str(d))
	case 17:
		return fmt.Sprintf("x, ok := %s.(int); P(x, ok)", g.any(d))
	case 18:
		return fmt.Sprintf("x := append(xs[:%s], %s, %s); P(len(x))", g.index(d-1), g.num(d-1), g.num(d-1))
	case 19:
		return fmt.Sprintf("x := map[string]int{%s: %s, %s: %s}; P(len(x))", g.str(d-1), g.num(d-1), g.str(d-1), g.num(d-1))
	case 20:
		return fmt.Sprintf("defer $two(%s, %s)", g.num(d-1), g.num(d-1))
	case 21:
		return fmt.Sprintf("x := %s; P(x)", g.str(d))
	case 22, 23:
		return fmt.Sprintf("x, y := int(%s), string(%s); %s", g.num(d), g.str(d), g.captured())
	case 24:
		return fmt.Sprintf("x, y := %s, %s; %s", g.array(d), g.num(d), g.captured())
	case 25:
		return fmt.Sprintf("var x complex128 = %s; y := 1; %s", g.cplx(d), g.captured())
	case 26:
		return fmt.Sprintf("x, y := [2][]int([2][]int{append(xs[:2:2], %s), []int{%s}}), %s; %s", g.num(d-1), g.num(d-1), g.str(d), g.captured())
	case 27:
		return fmt.Sprintf("%s, %s = $pair(%s, %s)", g.place(d-1), g.place(d-1), g.num(d-1), g.num(d-1))
	case 28:
		return fmt.Sprintf("select { case chs[%s] <- %s: P(1); default: P(2) }", g.index(d-1), g.num(d-1))
	case 29:
		return fmt.Sprintf("delete(ms, %s); delete(mc, %s)", g.str(d), g.cplx(d))
	case 30:
		return fmt.Sprintf("f := $N(%s).M; P(f(%s)); copy(xs[%s:], xs[%s:])", g.num(d-1), g.num(d-1), g.index(d-1), g.index(d-1))
	case 31:
		return fmt.Sprintf("for x := range seq(%s, %s) { P(x, %s) }", g.num(d-1), g.num(d-1), g.num(1))
	case 32:
		return fmt.Sprintf("sts[%s].s += %s; $g = %s; P($g)", g.index(d-1), g.str(d-1), g.num(d-1))
	}
	return fmt.Sprintf("x := %s; P(x)", g.cond(d))
}

// wide makes a statement about values that are no integers, or a form with ok.
func (g *panics) wide(d int) string {
	place := func() (string, string) {
		switch g.n(5) {
		case 0:
			return "sts[" + g.index(d) + "]", g.structure(d)
		case 1:
			return "*psts[" + g.index(d) + "]", g.structure(d)
		case 2:
			return "arrs[" + g.index(d) + "]", g.array(d)
		case 3:
			return "*parrs[" + g.index(d) + "]", g.array(d)
		}
		return "as[" + g.index(d) + "]", g.any(d)
	}
	p, x := place()
	switch g.n(9) {
	case 0, 1:
		return fmt.Sprintf("%s = %s", p, x)
	case 2:
		q, y := place()
		return fmt.Sprintf("%s, %s = %s, %s", p, q, x, y)
	case 3:
		q := g.place(d)
		if strings.HasPrefix(q, "mi[") || strings.HasPrefix(q, "ms[") {
			return fmt.Sprintf("%s, %s = id(%s), id(%s)", p, q, x, g.num(d))
		}
		return fmt.Sprintf("%s, %s = %s, %s", p, q, x, g.num(d))
	case 4:
		return fmt.Sprintf("%s, oks[%s] = %s", g.place(d), g.index(d), []string{"mi[" + g.num(d) + "]", "mst[" + g.structure(d) + "]", g.any(d) + ".(int)",
			"<-box(" + g.num(d) + ")"}[g.n(4)])
	case 5:
		return fmt.Sprintf("for oks[%s], %s = range map[bool]int{%s: %s} { P(1) }", g.index(d), g.place(d), g.cond(1), g.num(d))
	case 6:
		return fmt.Sprintf("for %s, %s = range []int{%s, %s} { P(1) }", g.place(d), g.place(d), g.num(d), g.num(d))
	case 7:
		return fmt.Sprintf("switch y := %s.(type) { case int: P(y); case $S: P(y.s); default: P(3) }", g.any(d))
	}
	return fmt.Sprintf("func() (x, y any) {"+notInlined+" return %s, %s }()", x, g.any(d))
}
