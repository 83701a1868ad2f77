package gcorder_test

import (
	"bytes"
	"fmt"
	"go/types"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa/interp"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/heddle-go/heddle/program"
	"github.com/heddle-go/heddle/program/gcorder/gcordertest"
)

// orderCases are bodies of functions that print what gc and the transformed SSA must agree on. In each, f or a function
// like it changes a variable that the same statement reads.
type orderCase struct{ name, body string }

var orderCases = []orderCase{
	{"return", `v := 1; f := func() int { v = 2; return 10 }
		a, b := func() (int, int) { return v, f() }(); println(a, b)`},
	{"return error", `var v error; f := func() error { v = E("x"); return nil }
		a, b := func() (error, error) { return v, f() }(); println(a == nil, b == nil)`},
	{"named result", `v := 1; f := func() int { v = 2; return 10 }
		a, b := func() (x, y int) { x = 7; return v, f() }(); println(a, b)`},
	{"named result with defer", `v := 1; f := func() int { v = 2; return 10 }
		a, b := func() (x, y int) { defer func() { x++ }(); return v, f() }(); println(a, b)`},
	{"sum", `v := 1; f := func() int { v = 2; return 10 }; println(v + f()); println(f() + v)`},
	{"sum of products", `v, w := 3, 5; f := func() int { v, w = 7, 11; return 100 }; println(v*w + f() + v*w)`},
	{"argument", `v := 1; f := func() int { v = 2; return 10 }; g := func(a, b int) { println(a, b) }; g(v, f()); g(f(), v)`},
	{"variadic", `v := 1; f := func() int { v += 2; return 10 }; g := func(a ...int) { println(a[0], a[1], a[2]) }; g(v, f(), v)`},
	{"index", `s := []int{1, 2}; i := 0; f := func() int { s[0] = 5; return 10 }; println(s[i] + f())
		g := func() int { i = 1; return 10 }; println(s[i] + g())
		h := func() int { s = []int{7, 8}; return 10 }; println(s[i] + h())`},
	{"slice bounds", `s, p := []int{1, 2, 3, 4}, &T{1, 2}; f := func() int { p = &T{2, p.b + 1}; return 3 }
		println(len(s[p.a:f()]), len("abcd"[p.a:f()]), len(s[0:p.b-p.b:f()])); a := 1; g := func() int { a = 2; return 3 }; println(len(s[a:g()]), len(s[len(s)-p.a:g()+1]))`},
	{"append to an entry", `type M struct { m map[int][]int; k int }; m := map[int][]int{}; p := &M{m, 1}; f := func() int { p = &M{map[int][]int{}, 2}; return 10 }
		p.m[p.k] = append(p.m[p.k], f()); println(len(m[1]), len(m[2]), len(p.m[1]), len(p.m[2]))
		n, k := m, 1; g := func() int { n, k = p.m, 2; return 10 }; n[k] = append(n[k], g()); println(len(m[1]), len(m[2]), len(p.m[1]), len(p.m[2]))
		q, s := map[string][]int{}, "a"; h := func() int { s = "b"; return 10 }; q[s] = append(q[s], h()); println(len(q["a"]), len(q["b"]))
		u, i := map[uint8][]int{}, uint8(1); l := func() int { i = 2; return 10 }; u[i] = append(u[i], l()); println(len(u[1]), len(u[2]))`},
	{"map key of bytes", `m, b := map[string]int{"a": 1, "b": 2}, []byte("a"); f := func() int { m["a"], b[0] = 5, 'b'; return 10 }; println(m[string(b)] + f()); m[string(b)] += f(); println(m["a"], m["b"])`},
	{"slice argument", `s := []int{1, 2}; f := func() int { s = []int{7, 8, 9}; return 1 }; println(len(s[f():])); println(len(s), f())`},
	{"compared parts", `p, q := &T{1, 2}, &T{1, 3}; for *p == *q || *q != (T{1, 3}) { println("equal") }; println(*p != *q && *p == (T{1, 2}), *p == *p)
		f := func() T { q.b = 2; return *q }; println(*p == f()); println(f() == *p || *q == *p); switch *q { case T{}, *p: println("case") }`},
	{"compared texts", `type U struct { s string; n int; e error; _ int; f [3]int16 }; p, q := &U{s: "a", n: 1, f: [3]int16{1, 2, 3}}, &U{s: "b", n: 1}
		println(*p == *q, *p != *q); q.s = "a"; q.f = p.f; println(*p == *q, *p != *q); q.f[2] = 4; println(*p == *q, p.f == [3]int16{1, 2, 3}, p.f == [3]int16{1, 2, 4})`},
	{"len", `s := []int{1, 2}; f := func() int { s = append(s, 1); return 10 }; println(len(s) + f())`},
	{"op-assign", `v := 1; f := func() int { v = 5; return 10 }; v += f(); println(v)`},
	{"op-assign index", `s := []int{1, 2}; i := 0; f := func() int { i = 1; return 10 }; s[i] += f(); println(s[0], s[1])`},
	{"assign index", `s := []int{1, 2}; i := 0; f := func() int { i = 1; return 10 }; s[i] = f(); println(s[0], s[1])`},
	{"assign index of array", `s := [2]int{1, 2}; i := 0; f := func() int { i = 1; return 10 }; s[i] = f(); println(s[0], s[1])`},
	{"assign through pointer", `a, b := 1, 2; p := &a; f := func() int { p = &b; return 10 }; *p = f(); println(a, b)`},
	{"assign pair", `s := []int{1, 2}; i, x := 0, 0; f := func() (int, int) { i = 1; return 10, 20 }; s[i], x = f(); println(s[0], s[1], x)`},
	{"field", `t := T{1, 2}; f := func() int { t.a = 5; return 10 }; println(t.a + f())`},
	{"field of pointer", `t := &T{1, 2}; f := func() int { t = &T{8, 9}; return 10 }; println(t.a + f())`},
	{"nested pointer", `n := &N{T: &T{1, 2}}; f := func() int { n.T = &T{8, 9}; return 10 }; println(n.a + f()); n.b = f(); println(n.b)`},
	{"dereference", `x, y := 1, 2; p := &x; f := func() int { x = 3; return 10 }; println(*p + f()); g := func() int { p = &y; return 10 }; println(*p + g())`},
	{"assign two", `v := 1; f := func() int { v = 2; return 10 }; x, y := v, f(); println(x, y); x, y = f(), v; println(x, y); x, v = v, f(); println(x, v)`},
	{"swap", `v, w := 1, 2; f := func() { v, w = w, v }; f(); v, w = w, v; println(v, w)`},
	{"swap with call", `v, w := 1, 2; f := func() int { v = 5; return 9 }; v, w = w+f(), v; println(v, w)`},
	{"var", `v := 1; f := func() int { v = 2; return 10 }; var x, y = v, f(); println(x, y)`},
	{"var captured", `v := 1; f := func() int { v = 2; return 10 }; var x, y = v, f(); g := func() { x++; y++ }; g(); println(x, y)`},
	{"array literal", `v := 1; f := func() int { v = 2; return 10 }; a := [3]int{v, f(), v}; println(a[0], a[1], a[2])`},
	{"slice literal", `v := 1; f := func() int { v = 2; return 10 }; a := []int{v, f(), v}; println(a[0], a[1], a[2])`},
	{"struct literal", `v := 1; f := func() int { v = 2; return 10 }; a := T{v, f()}; println(a.a, a.b); p := &T{b: f(), a: v}; println(p.a, p.b)`},
	{"nested literal", `v := 1; f := func() int { v += 2; return v * 10 }; a := []T{{v, f()}, {v, f()}}; println(a[0].a, a[0].b, a[1].a, a[1].b)`},
	{"literal of pointers", `v := 1; f := func() int { v += 2; return v * 10 }; a := []*T{{v, f()}, {v, f()}}; println(a[0].a, a[0].b, a[1].a, a[1].b)`},
	{"literal argument", `v := 1; f := func() int { v = 2; return 10 }; g := func(t T, n int) { println(t.a, t.b, n) }; g(T{v, 4}, f()); v = 1; g(T{v, f()}, v)`},
	{"literal in itself", `t := T{1, 2}; f := func() int { t.b = 7; return 10 }; t = T{t.b, f()}; println(t.a, t.b)`},
	{"map literal", `v := 1; f := func() int { v += 2; return v }; m := map[int]int{v: f(), v + 10: v}; n := 0; for k, e := range m { n += k * 100 + e }; println(n)`},
	{"map literal argument", `v, w := 1, 1; f := func() int { v, w = v+2, 9; return v }; g := func(a int, m map[int]int) { println(a, m[1], m[3], len(m)) }; g(w, map[int]int{v: f()})`},
	{"map read", `m := map[int]int{1: 1}; f := func() int { m[1] = 5; return 10 }; println(m[1] + f())`},
	{"map key", `m := map[int]int{1: 1, 2: 2}; k := 1; f := func() int { k = 2; return 10 }; println(m[k] + f())`},
	{"map assign", `m := map[int]int{}; k := 1; f := func() int { k = 2; return 10 }; m[k] = f(); println(m[1], m[2]); k = 1; m[k] += f(); println(m[1], m[2])`},
	{"comma ok", `m := map[int]int{1: 1}; x := []int{0, 0}; i := 0; f := func() int { i = 1; return 1 }; x[i], _ = m[f()]; println(x[0], x[1])`},
	{"receive", `c := make(chan int); v := 1; go func() { v = 2; c <- 10 }(); println(v + <-c)`},
	{"receive order", `c := make(chan int, 2); c <- 1; c <- 2; println(<-c * 10 + <-c)`},
	{"send", `c := make(chan int, 1); d := make(chan int, 1); e := c; f := func() int { e = d; return 10 }; e <- f(); println(len(c), len(d))`},
	{"if", `v := 1; f := func() int { v = 2; return 2 }; if v == f() { println("equal") } else { println("not") }`},
	{"if with init", `v := 1; f := func() int { v = 2; return 2 }; if x := v; x == f() { println("equal") } else { println("not") }`},
	{"switch tag", `v := 1; f := func() int { v = 2; return 2 }; switch v { case f(): println("equal"); default: println("not") }`},
	{"switch tag call", `v := 1; f := func() int { v = 2; return 2 }; switch v + f() { case 4: println("four"); case 3: println("three") }`},
	{"for", `v := 3; f := func() int { v--; return 1 }; n := 0; for v > f() { n++ }; println(n, v)`},
	{"statement order", `v := 1; f := func() int { v = 2; return 10 }; x := v; y := f(); println(x, y)`},
	{"statement order same line", `v := 1; f := func() { v = 2 }; x := v; f(); println(x)`},
	{"defer", `v := 1; f := func() int { v = 2; return 10 }; g := func(a, b int) { println(a, b) }; func() { defer g(v, f()); v = 3 }()`},
	{"go", `v := 1; f := func() int { v = 2; return 10 }; c := make(chan int); g := func(a, b int) { println(a, b); c <- 1 }; go g(v, f()); <-c`},
	{"method value receiver", `t := T{1, 2}; f := func() int { t.a = 5; return 10 }; t.show(f())`},
	{"method pointer receiver", `t := &T{1, 2}; f := func() int { t = &T{5, 6}; return 10 }; t.showp(f()); t.show(f())`},
	{"interface receiver", `var s S = T{1, 2}; f := func() int { s = U{5, 6}; return 10 }; s.show(f())`},
	{"method value", `t := T{1, 2}; f := func() int { t.a = 5; return 10 }; g := func(m func(int), n int) { m(n) }; g(t.show, f())`},
	{"function variable", `h := func(n int) { println("first", n) }; f := func() int { h = func(n int) { println("second", n) }; return 10 }; h(f())`},
	{"interface of int", `v := 1; f := func() int { v = 2; return 10 }; g := func(a any, n int) { println(a.(int), n) }; g(v, f())`},
	{"interface of int8", `v := int8(1); f := func() int { v = 2; return 10 }; g := func(a any, n int) { println(a.(int8), n) }; g(v, f()); v = 1; g(v+1, f())`},
	{"interface of sum", `v := 1; f := func() int { v = 2; return 10 }; g := func(a any, n int) { println(a.(int), n) }; g(v+1, f())`},
	{"interface of struct", `v := T{1, 2}; f := func() int { v = T{3, 4}; return 10 }; g := func(a any, n int) { println(a.(T).a, n) }; g(v, f())`},
	{"interface of pointer", `v := &T{1, 2}; f := func() int { v = &T{3, 4}; return 10 }; g := func(a any, n int) { println(a.(*T).a, n) }; g(v, f())`},
	{"interface of field pointer", `v := &N{T: &T{1, 2}}; f := func() int { v.T = &T{3, 4}; return 10 }; g := func(a any, n int) { println(a.(*T).a, n) }; g(v.T, f())`},
	{"interface of string", `v := "a"; f := func() int { v = "b"; return 10 }; g := func(a any, n int) { println(a.(string), n) }; g(v, f()); g(v+"c", f())`},
	{"interface of map entry", `m := map[int]T{1: {1, 2}}; f := func() int { m[1] = T{3, 4}; return 10 }; g := func(a any, n int) { println(a.(T).a, n) }; g(m[1], f())`},
	{"type assertion", `var v any = 1; f := func() int { v = 2; return 10 }; println(v.(int) + f())`},
	{"type assertion to pointer", `var v any = &T{1, 2}; f := func() int { v = &T{3, 4}; return 10 }; println(v.(*T).a + f())`},
	{"string", `v := "a"; f := func() string { v = "b"; return "c" }; println(v + f() + v)`},
	{"string index", `v := "abc"; f := func() int { v = "xyz"; return 0 }; println(int(v[1]) + f())`},
	{"string compare", `v := "a"; f := func() string { v = "b"; return "b" }; println(v == f())`},
	{"bytes", `v := "abc"; f := func() int { v = "x"; return 0 }; println(len([]byte(v)) + f())`},
	{"bytes argument", `v := "abc"; f := func() int { v = "x"; return 0 }; g := func(b []byte, n int) { println(len(b), n) }; g([]byte(v), f())`},
	{"string of bytes", `v := []byte("abc"); f := func() int { v[0] = 'x'; return 0 }; g := func(s string, n int) { println(s, n) }; g(string(v), f())`},
	{"struct compare", `v := T{1, 2}; f := func() T { v = T{3, 4}; return T{3, 4} }; println(v == f())`},
	{"conversion", `v := 1; f := func() float64 { v = 2; return 10 }; println(int(float64(v) + f()))`},
	{"closure", `v := 1; f := func() int { v = 2; return 10 }; g := func(h func() int, n int) { println(h(), n) }; g(func() int { return v }, f())`},
	{"append", `s := []int{1}; f := func() int { s = []int{7, 8}; return 10 }; s = append(s, f()); println(len(s), s[0])`},
	{"append with more", `s := []int{1}; v := 1; f := func() int { v = 5; return 10 }; s = append(s, v, f()); println(s[1], s[2])`},
	{"copy", `s := []int{1, 2}; println(s[0] + copy(s, []int{8, 9}))`},
	{"min", `v := 1; f := func() int { v = 2; return 10 }; println(min(v, 5) + f()); v = 1; println(min(v, f()))`},
	{"global", `G = 1; println(G + setG(2)); G = 1; a, b := G, setG(3); println(a, b)`},
	{"global array", `A = [2]int{1, 2}; println(A[0] + setA(0, 9)); println(A[setA(1, 1)] + A[0])`},
	{"calls in order", `n := 0; f := func() int { n++; return n }; println(f()*100 + f()*10 + f()); g := func(a, b, c int) { println(a, b, c) }; g(f(), f(), f())`},
	{"call of call", `v := 1; f := func(n int) int { v += n; return v }; println(f(v) + v); println(v + f(f(v)))`},
	{"increment", `s := []int{0, 0}; i := 0; f := func() int { i++; return 0 }; s[f()]++; println(s[0], s[1], i)`},
	{"unary", `v := 1; b := true; f := func() int { v, b = 2, false; return 10 }; println(-v + f()); g := func(x bool, n int) { println(x, n) }; b = true; g(!b, f())`},
	{"shift", `v := 1; f := func() int { v = 2; return 3 }; println(v << f()); println(1 << v + f())`},
	{"generic", `v := 1; f := func() int { v = 2; return 10 }; println(add(v, f()))`},
	{"generic body", `x := 1; println(bump(&x, func() int { x = 5; return 10 }))`},
	{"range over func", `v := 1; f := func() int { v = 2; return 10 }; for x := range func(yield func(int) bool) { yield(v + f()) } { println(v + x + f()) }`},
	{"label", `v := 1; f := func() int { v++; return 1 }
		L: for { if v + f() > 5 { break L } }; println(v)`},
	{"array by value", `a := [2]int{1, 2}; f := func() int { a[0] = 5; return 10 }; g := func(x [2]int, n int) { println(x[0], n) }; g(a, f())`},
	{"struct by value", `t := T{1, 2}; f := func() int { t.a = 5; return 10 }; g := func(x T, n int) { println(x.a, n) }; g(t, f())`},
	{"select send", `c := make(chan int, 1); v := 1; f := func() int { v = 2; return 10 }; select { case c <- v + f(): println(<-c) }`},
	{"select two", `c := make(chan int, 1); d := make(chan int); v := 1; f := func() chan int { v = 2; return d }; select { case c <- v: println(<-c); case <-f(): }`},
	{"panic", `defer func() { println(recover().(int)) }(); v := 1; f := func() int { v = 2; return 10 }; panic(v + f())`},
	{"complex", `v := 1.0; f := func() float64 { v = 2; return 10 }; println(int(real(complex(v, f()))))`},
	{"variables with names of go/ssa", `var complit, slicelit, varargs, makeslice, new [2]int
		f := func(n int) int { for _, a := range []*[2]int{&complit, &slicelit, &varargs, &makeslice, &new} { a[0] = n }; return n }
		g := func(n int, as ...[2]int) { for _, a := range as { println(n, a[0]) } }
		h := func(s []int, n int) { println(s[0], n) }
		g(f(1), complit, slicelit, varargs, makeslice, new)
		a, b, c, d, e, n := complit, slicelit, varargs, makeslice, new, f(2)
		g(n, a, b, c, d, e)
		h(complit[:], f(3)); h(slicelit[:], f(4)); h(varargs[:], f(5)); h(makeslice[:], f(6)); h(new[:], f(7))
		for _, x := range []any{any(complit), any((complit)), any(slicelit), any(varargs), any(makeslice), any(new), f(8)} { if y, ok := x.([2]int); ok { println(y[0]) } }`},
	{"new", `v := 1; f := func() int { v = 2; return 10 }; g := func(p *int, n int) { println(*p, n) }; g(new(v), f())`},
	{"return and", `v := 1; f := func() bool { v = 2; return true }; a, b := func() (int, bool) { return v, T0 && f() }(); println(a, b)`},
	{"argument or", `v := 1; f := func() bool { v = 2; return true }; g := func(n int, b bool) { println(n, b) }; g(v, !T0 || f())`},
	{"three ands", `v := 1; f := func() bool { v++; return true }; g := func(n int, b bool, m int, c bool) { println(n, b, m, c) }
		g(v, T0 && f() && v == 2, v, T0 && (f() || T0))`},
	{"and in or", `v := 1; f := func() bool { v++; return v > 3 }; g := func(n int, b bool) { println(n, b) }; g(v, T0 && f() || f() && !T0 || f())`},
	{"and in literal", `v := 1; f := func() bool { v++; return T0 }; a := []any{v, T0 && f(), v, func() bool { return T0 && f() }(), T{v, v + 1}}
		println(a[0].(int), a[1].(bool), a[2].(int), a[3].(bool), a[4].(T).b)`},
	{"and in and", `v := 1; f := func() bool { v++; return T0 }; println(v == 2 && (v == func() int { f(); return 3 }() == (T0 && f())), v)`},
	{"and in condition", `v := 1; f := func() bool { v++; return T0 }; if (v == 2) == (T0 && f()) { println("late") } else { println("early") }`},
	{"and in index", `v := []int{1, 2}; i := 0; f := func() bool { i = 1; return T0 }; v[i], T0 = 7, T0 && f(); println(v[0], v[1])`},
	{"and in range", `v := 1; f := func() bool { v++; return T0 }; for _, x := range []any{v, T0 && f()} { switch x := x.(type) { case int: println(x); case bool: println(x) } }`},
	{"and in a loop", `v := 1; f := func() bool { v++; return T0 }; for n := 0; n < 3; n++ { println(v, func() int { return v }(), T0 && f(), v) }`},
	{"and of comparisons", `v, w := 1, 5; f := func() int { v++; w--; return w }; println(v, v < f() && w > f() || v == w, w)`},
	{"and before a divide", `v := 0; f := func() bool { v = 2; return T0 }; println(8 / v, T0 && f()) `},
	{"and", `v := true; f := func() bool { v = false; return true }; println(v && f(), v)`},
}

const orderPrelude = `package main

type T struct{ a, b int }

func (t T) show(n int)   { println(t.a, t.b, n) }
func (t *T) showp(n int) { println(t.a, t.b, n) }

// With a second type behind S the compiler cannot turn calls of its method into static ones, which read s early.
type U struct{ a, b int }

func (u U) show(n int) { println("U", u.a, u.b, n) }

type S interface{ show(int) }
type N struct{ *T }
type E string

func (e E) Error() string { return string(e) }

var T0 = true
var G int

type L struct {
	mu  [3]int
	a   int
	in  struct{ b, c int; d [2]int }
	e   *L
	any any
}

var calls string

//go:noinline
func note(s string, n int) int { calls += s; return n }

var (
	seen = &lit
	lit  = L{a: note("a", 1), in: struct{ b, c int; d [2]int }{c: note("c", 2), d: [2]int{1: note("d", 3)}}, e: &L{a: note("e", 4)}, any: L{a: note("f", 5)}}
	lits = [4]L{2: {a: note("g", 6), in: struct{ b, c int; d [2]int }{note("h", 7), 8, [2]int{}}}, 3: {e: seen, mu: [3]int{note("i", 9)}}}
	both = T{note("j", 1), func() int { if note("k", 2) > 1 && note("l", 3) > 5 { return 1 }; return 2 }()}
	deep = [2][2]T{{{note("m", 1), 2}, {b: note("n", 3)}}, {1: T{note("o", 4), 5}}}
	late = struct{ t, u T; ok bool }{u: (T{note("p", 1), 1}), ok: note("q", 1) > 0 && note("r", 2) > 0}
)

func showL(l *L) { println(l.mu[0], l.mu[2], l.a, l.in.b, l.in.c, l.in.d[0], l.in.d[1], l.e != nil, l.any != nil) }
var A [2]int

//go:noinline
func setG(v int) int { G = v; return 10 }

//go:noinline
func setA(i, v int) int { A[i] = v; return 0 }

func add[X int | string](a, b X) X { return a + b }
func bump[X int](p *X, f func() X) X { return *p + f() }

// Package variables are initialised by code of the same kind.
var pv = 1
var pf = func() int { pv = 2; return 10 }
var px = pv + pf()

`

// TestEvalOrder compares the transformed SSA, interpreted, with what the compiler makes of the same program.
func TestEvalOrder(t *testing.T) {
	if dir := os.Getenv("HEDDLE_TEST_INTERPRET"); dir != "" {
		interpretTransformed(t, dir)
		return
	}
	var src strings.Builder
	src.WriteString(orderPrelude)
	for i, c := range orderCases {
		fmt.Fprintf(&src, "func case%d() {\n%s\n}\n\n", i, c.body)
	}
	src.WriteString("func main() {\nprintln(px)\nprintln(calls); showL(seen); showL(&lit); showL(lit.e); showL(&lits[0]); showL(&lits[2]); showL(&lits[3]); showL(lits[3].e); println(lit.any.(L).a, both.a, both.b, deep[0][0].a, deep[0][0].b, deep[0][1].a, deep[0][1].b, deep[1][0].a, deep[1][1].a, deep[1][1].b, late.t.a, late.u.a, late.u.b, late.ok)\n")
	for i := range orderCases {
		fmt.Fprintf(&src, "println(\"case\", %d)\ncase%d()\n", i, i)
	}
	src.WriteString("}\n")
	native, ours := runBoth(t, src.String())
	want, got := byCase(native), byCase(ours)
	for i, c := range orderCases {
		if want[i+1] != got[i+1] {
			t.Errorf("%s: gc prints %q, SSA prints %q", c.name, want[i+1], got[i+1])
		}
	}
	if want[0] != got[0] {
		t.Errorf("package variables: gc prints %q, SSA prints %q", want[0], got[0])
	}
}

// runBoth runs a program compiled by gc and, after the pass, in the SSA interpreter, and returns what each printed.
func runBoth(t *testing.T, src string) (native, ours string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n", "main.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}

	// Without inlining: an inlined f leaves v a register, and gc is then free to read it at any time.
	cmd := exec.Command("go", "run", "-gcflags=-l", ".")
	cmd.Dir = dir
	var theirs bytes.Buffer
	cmd.Stderr = &theirs
	if err := cmd.Run(); err != nil {
		t.Fatalf("go run: %v\n%s", err, theirs.Bytes())
	}

	// The interpreter prints to the process's own standard error.
	self := exec.Command(os.Args[0], "-test.run=^TestEvalOrder$")
	self.Env = append(os.Environ(), "HEDDLE_TEST_INTERPRET="+dir)
	var stdout, stderr bytes.Buffer
	self.Stdout, self.Stderr = &stdout, &stderr
	if err := self.Run(); err != nil {
		t.Fatalf("interpreter: %v\n%s%s", err, stdout.Bytes(), stderr.Bytes())
	}
	return theirs.String(), stderr.String()
}

// interpretTransformed runs the program in dir after the pass.
func interpretTransformed(t *testing.T, dir string) {
	cfg := program.Config{Dir: dir}
	l, err := program.List(cfg, ".")
	if err != nil || len(l.Errors) > 0 || len(l.Recipes) != 1 {
		t.Fatalf("%d recipes: %v %v", len(l.Recipes), err, l.Errors)
	}
	p, err := program.NewUniverse(cfg).Build(l.Recipes[0])
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	p.Build(p.Root.SSA.Func("main")) // and with it the package's others
	for fn := range ssautil.AllFunctions(p.SSA) {
		if len(fn.Blocks) > 0 {
			p.Build(fn)
			gcordertest.Check(t, fn)
			n++
		}
	}
	if n < 100 {
		t.Fatalf("%d functions are in order, want those of the cases at least", n)
	}
	interp.Interpret(p.Root.SSA, 0, types.SizesFor("gc", "amd64"), "main", nil)
}

func byCase(out string) []string {
	parts := strings.Split(out, "case ")
	for len(parts) <= len(orderCases) {
		parts = append(parts, "(missing)")
	}
	return parts
}

// TestEvalOrderRandom compares on random statements whose calls change what the rest reads.
func TestEvalOrderRandom(t *testing.T) {
	const statements = 400
	rng := rand.New(rand.NewPCG(1, 2))
	var src strings.Builder
	src.WriteString(orderPrelude)
	src.WriteString(`
type W struct {
	v, w int
	s    []int
	a    [4]int
	p    *int
	t    T
	q    *T
	m    map[int]int
	n    int
}

var x W

func reset() { y := 3; x = W{1, 2, []int{1, 2, 3, 4}, [4]int{5, 6, 7, 8}, &y, T{9, 10}, &T{11, 12}, map[int]int{0: 1, 1: 2, 2: 3, 3: 4}, 0} }

// f changes one thing or another.
func f(k int) int {
	x.n++
	y := x.n * 100
	switch (k + x.n) & 7 {
	case 0: x.v += y
	case 1: x.s[x.n&3] += y
	case 2: x.s = []int{y, y + 1, y + 2, y + 3}
	case 3: x.a[x.n&3] += y
	case 4: x.p = &y
	case 5: x.t.a, x.q = y, &T{y, y}
	case 6: x.m[x.n&3] += y
	case 7: x.w, *x.p = x.v+1, y
	}
	return x.n
}

func b2i(b bool) int { if b { return 1 }; return 0 }
func g(a, b, c int) int { return a*3 + b*5 + c*7 }
func h(l []int, t T, any any, p *T) int { return len(l) + l[0] + l[1]*2 + t.a*3 + t.b + any.(int) + p.a*5 }
func sum() int { n := x.v + x.w*3 + x.s[0]*5 + x.s[1]*7 + x.s[2]*11 + x.s[3]*13 + *x.p*17 + x.t.a*19 + x.q.a*23 + x.q.b; for i, a := range x.a { n += a * (i + 29) }; for i := range 4 { n += x.m[i] * (i + 37) }; return n }

`)
	var expr func(depth int) string
	index := func(depth int) string { return "(" + expr(depth) + ")&3" }
	expr = func(depth int) string {
		if depth == 0 {
			return []string{"x.v", "x.w", "*x.p", "x.t.a", "x.q.b", "x.s[1]", "x.a[2]", "x.m[1]", "f(0)", "f(1)", "7"}[rng.IntN(11)]
		}
		d := depth - 1
		switch rng.IntN(13) {
		case 0, 1:
			return fmt.Sprintf("(%s + %s)", expr(d), expr(d))
		case 2:
			return fmt.Sprintf("(%s * %s)", expr(d), expr(d))
		case 3:
			return fmt.Sprintf("f(%s)", expr(d))
		case 4:
			return fmt.Sprintf("g(%s, %s, %s)", expr(d), expr(d), expr(d))
		case 5:
			return fmt.Sprintf("x.s[%s]", index(d))
		case 6:
			return fmt.Sprintf("x.a[%s]", index(d))
		case 7:
			return fmt.Sprintf("x.m[%s]", index(d))
		case 8:
			return fmt.Sprintf("h([]int{%s, %s}, T{%s, %s}, %s, &T{a: %s})", expr(d), expr(d), expr(d), expr(d), expr(d), expr(d))
		case 9:
			return fmt.Sprintf("len(x.s[:%s])", index(d))
		case 10:
			return fmt.Sprintf("int(int64(%s) - int64(%s))", expr(d), expr(d))
		case 11:
			return fmt.Sprintf("b2i(%s > %s %s %s != %s)", expr(d), expr(d), []string{"&&", "||"}[rng.IntN(2)], expr(d), expr(d))
		}
		return expr(d)
	}
	place := func() string {
		return []string{"x.v", "*x.p", "x.t.a", "x.q.a", "x.s[" + index(1) + "]", "x.a[" + index(1) + "]", "x.m[" + index(1) + "]"}[rng.IntN(7)]
	}
	var texts []string
	for i := range statements {
		var s string
		switch d := 1 + rng.IntN(3); rng.IntN(8) {
		case 0:
			s = fmt.Sprintf("%s = %s", place(), expr(d))
		case 1:
			s = fmt.Sprintf("%s += %s", place(), expr(d))
		case 2:
			s = fmt.Sprintf("a, b := %s, %s; println(a, b)", expr(d), expr(d))
		case 3:
			s = fmt.Sprintf("%s, x.w = %s, %s", place(), expr(d), expr(d))
		case 4:
			s = fmt.Sprintf("println(func() (int, int) { return %s, %s }())", expr(d), expr(d))
		case 5:
			s = fmt.Sprintf("if %s < %s { println(1) }", expr(d), expr(d))
		case 6:
			s = fmt.Sprintf("l := append(x.s, %s, %s); println(l[4], l[5])", expr(d), expr(d))
		default:
			s = fmt.Sprintf("println(%s)", expr(d))
		}
		texts = append(texts, s)
		fmt.Fprintf(&src, "func case%d() {\n\treset()\n\t%s\n\tprintln(sum())\n}\n\n", i, s)
	}
	src.WriteString("func main() {\n")
	for i := range statements {
		fmt.Fprintf(&src, "println(\"case\", %d)\ncase%d()\n", i, i)
	}
	src.WriteString("}\n")
	native, ours := runBoth(t, strings.ReplaceAll(src.String(), "println(func() (int, int)", "two(func() (int, int)")+"\nfunc two(a, b int) { println(a, b) }\n")
	want, got := strings.Split(native, "case "), strings.Split(ours, "case ")
	if len(want) != statements+1 || len(got) != len(want) {
		t.Fatalf("gc ran %d statements, the interpreter %d:\n%s", len(want)-1, len(got)-1, ours)
	}
	bad := 0
	for i, text := range texts {
		if want[i+1] != got[i+1] {
			if bad++; bad <= 10 {
				t.Errorf("%s\n\tgc prints %q, SSA %q", text, want[i+1], got[i+1])
			}
		}
	}
	t.Logf("%d of %d statements differ", bad, statements)
}
