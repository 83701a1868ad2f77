package progen

import (
	"fmt"
	"strings"
)

// This file draws operations in which what was read decides what is written, or where, or whether.

// flows draws a few of them: each program of some seeds has them beside other themes.
func (g *generator) flows() *Stmt {
	x := pick(g, object("x"), "y")
	switch g.r.IntN(15) {
	case 0, 1, 2:
		return stmt(fmt.Sprintf("v = %s\nl.r(v)", x), x)
	case 3:
		return stmt(fmt.Sprintf("%s = %d", x, g.k()), x)
	case 4:
		return stmt(fmt.Sprintf("k := 1\nif v > 1 {\nk = 2\n}\n%s = k", x), x).scoped()
	case 5:
		return stmt(fmt.Sprintf("%s = choose(v)", x), x)
	case 6:
		return stmt(fmt.Sprintf("arr[%s&1] = v & 3", x), x, "arr")
	case 7:
		return stmt(fmt.Sprintf("v = arr[%s&1]\nl.r(v)", x), x, "arr")
	case 8:
		return stmt("for i := 0; i < x&1; i++ {\ny = (y + i + 1) & 3\n}", "x", "y")
	case 9:
		return stmt("set := func() { v = 1 }\nif x == 1 {\nset()\n}\ny = v", "x", "y").scoped()
	case 10:
		return stmt(fmt.Sprintf("v = element(%s * 2)\nl.r(v)", x), x)
	case 11:
		return stmt(fmt.Sprintf("%s = max(v, 1)", x), x)
	case 12:
		return stmt("if x == 2 {\ny = 1\n} else {\ny = v & 3\n}", "x", "y")
	case 13:
		return stmt("arr[1], arr[2] = arr[2], v&3", "arr")
	}
	return stmt("t := [2]int{x, 1}\nv = t[y&1]\nl.r(v)", "x", "y").scoped()
}

// dependence draws more of them, for programs that consist of little else.
func (g *generator) dependence() *Stmt {
	x, y := object("x"), object("y")
	if g.one(2) {
		x, y = y, x
	}
	f := func(format string, needs ...object) *Stmt { // $x and $y are the variables
		s := strings.NewReplacer("$x", string(x), "$y", string(y)).Replace(format)
		return stmt(s, needs...).scoped()
	}
	switch g.r.IntN(28) {
	case 0, 1, 2:
		return stmt(fmt.Sprintf("v = %s\nl.r(v)", x), x)
	case 3, 4:
		return stmt(fmt.Sprintf("%s = %d", x, g.k()), x)
	case 5: // phis
		return f("k := 0\nswitch $x {\ncase 0:\nk = v & 3\ncase 1:\nk = $y\ndefault:\nk = 1\n}\n$x = k", x, y)
	case 6:
		return f("if $x == 1 && v == 0 || $y == 2 {\nv = 1\n}\n$y = v", x, y)
	case 7: // loops
		return f("k := 0\nfor i := range 3 {\nif $x == i {\nbreak\n}\nk++\n}\n$y = k", x, y)
	case 8:
		return f("for i := 0; i < $x&1; i++ {\nif v == 1 {\ncontinue\n}\n$y = i + 1\n}", x, y)
	case 9:
		return f("for $x == 1 {\n$x = 2\n}", x)
	case 10: // calls
		return f("$y = sum($x & 3)", x, y)
	case 11:
		return f("$x = pick(v > 0, $x, $y)", x, y)
	case 12:
		return f("var e shape = one{}\nif $x == 1 {\ne = many(v & 3)\n}\n$y = e.area()", x, y)
	case 13:
		return f("h := sum\nif $x == 2 {\nh = choose\n}\nv = h(v & 3)\n$y = v", x, y)
	case 14: // closures
		return f("h := func(i int) int { return v&1 + i }\nif $x > 0 {\nh = func(i int) int { return $y }\n}\n$x = h(1)", x, y)
	case 15:
		return f("func() {\ndefer func() { $y = v & 3 }()\nif $x == 1 {\nreturn\n}\nv = 2\n}()", x, y)
	case 16:
		return f("add := adder($x)\nv = add(1) & 3\nl.r(v)", x)
	case 17: // indices
		return f("arr[$x&1] = $y", x, y, "arr")
	case 18:
		return f("v = arr[(v+$x)&1]\nl.r(v)", x, "arr")
	case 19:
		return f("v = element($x * 2)\nl.r(v)", x)
	case 20:
		return f("t := []int{$x, v & 3, 0}\nt = t[:v&1+1]\n$y = t[len(t)-1]", x, y)
	case 21:
		return f("t := map[int]int{$x: 1}\nv = t[v]\n$y = v", x, y)
	case 22: // pointers
		return f("q := &$x\nif v == 1 {\nq = &$y\n}\n*q = 2", x, y)
	case 23:
		return f("q := &$x\nif $y == 1 {\nq = &v\n}\nv = *q\nl.r(v)", x, y)
	case 24:
		return stmt(fmt.Sprintf("p.%s = v & 3", pick(g, "a", "b")), "p")
	case 25:
		return f("q := p\nif q.a == 1 {\nq.b = $x\n}\np = q", x, "p")
	case 26:
		return f("if $x == 1 {\n$y = $y + 1 & 3\n} else {\nv = $y\n}", x, y)
	}
	return f("v = deref(pick(v == 1, nil, &$x))\nl.r(v)", x)
}
