package gogen

import (
	"fmt"
	"strings"
)

// This file makes programs of statements in which nearly every operand may panic. Which operand does so first shows the order of
// evaluation in all its detail.

// MakePanics makes such a program of data.
func MakePanics(data []byte, prefix string) Program {
	g := &panics{gen{data: data, prefix: prefix}}
	p := Program{Entry: prefix + "Main"}
	var b strings.Builder
	fmt.Fprintf(&b, "func %s() {\n%s", p.Entry, panicsVars)
	for i := 0; len(g.data) > 0 && i < 30; i++ {
		fmt.Fprintf(&b, "Try(func() {\nP(%d)\n%s\n})\n", i, g.statement())
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
var $gs []int
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
fs := []func(int) int{func(x int) int { return x }, nil, func(x int) int { return -x }, nil}
v, str, st := xs[0], strs[0], sts[0]
_, _, _, _, _, _, _, _, _ = bs, psts, is, as, parrs, mi, ms, mst, ma
_, _, _, _, _, _, _ = mb, msl, fs, v, str, st, ps
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
		}
		return "xs[" + g.k() + "]"
	}
	d--
	switch g.n(30) {
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
	}
	return fmt.Sprintf("xs[%s]", g.index(d))
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
	switch g.n(9) {
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
	switch g.n(3) {
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
	switch g.n(11) {
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
	switch g.n(9) {
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

func (g *panics) statement() string {
	const d = 3
	switch g.n(20) {
	case 0, 1, 2:
		return fmt.Sprintf("v = %s; P(v)", g.num(d))
	case 3:
		return fmt.Sprintf("%s = %s", g.place(d), g.num(d))
	case 4:
		return fmt.Sprintf("%s %s= %s", g.place(d), []string{"+", "*", "/", "<<"}[g.n(4)], "("+g.num(d)+"&63)")
	case 5:
		p, q, x, y := g.place(d-1), g.place(d-1), g.num(d-1), g.num(d-1)
		if strings.HasPrefix(p, "mi[") || strings.HasPrefix(p, "ms[") || strings.HasPrefix(q, "mi[") || strings.HasPrefix(q, "ms[") {
			x, y = "id("+x+")", "id("+y+")" // see the package comment
		}
		return fmt.Sprintf("%s, %s = %s, %s", p, q, x, y)
	case 6:
		return fmt.Sprintf("P(%s, %s)", g.num(d), g.str(d))
	case 7:
		return fmt.Sprintf("if (%s) { P(1) } else { P(2) }", g.cond(d))
	case 8:
		return fmt.Sprintf("P(func() (int, string) { return %s, %s }())", g.num(d), g.str(d))
	case 9:
		return fmt.Sprintf("c := make(chan int, 1); c <- %s; P(<-c)", g.num(d))
	case 10:
		return fmt.Sprintf("switch (%s) { case %s: P(1); case %s: P(2); default: P(3) }", g.num(d-1), g.num(d-1), g.num(d-1))
	case 11:
		return fmt.Sprintf("x := %s; P(x)", g.literal(d))
	case 12:
		return fmt.Sprintf("x := []int{%s, %s}; P(x)", g.num(d-1), g.num(d-1))
	case 13:
		return fmt.Sprintf("x, ok := ms[%s]; P(x, ok)", g.str(d))
	case 14:
		return fmt.Sprintf("x, ok := %s.(int); P(x, ok)", g.any(d))
	case 15:
		return fmt.Sprintf("x := append(xs[:%s], %s, %s); P(len(x))", g.index(d-1), g.num(d-1), g.num(d-1))
	case 16:
		return fmt.Sprintf("x := map[string]int{%s: %s, %s: %s}; P(len(x))", g.str(d-1), g.num(d-1), g.str(d-1), g.num(d-1))
	case 17:
		return fmt.Sprintf("defer $two(%s, %s)", g.num(d-1), g.num(d-1))
	case 18:
		return fmt.Sprintf("x := %s; P(x)", g.str(d))
	}
	return fmt.Sprintf("x := %s; P(x)", g.cond(d))
}
