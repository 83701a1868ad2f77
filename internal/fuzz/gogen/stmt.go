package gogen

import (
	"fmt"
	"strings"
)

// This file makes statements.

// declare declares a variable.
func (g *gen) declare() {
	t := g.anyType()
	v := &variable{g.name("x"), t}
	switch g.n(4) {
	case 0, 1:
		g.line("var %s %s = %s", v.name, t, g.expr(t, 2))
	case 2:
		g.line("var %s %s", v.name, t)
	case 3:
		u := g.anyType()
		w := &variable{g.name("x"), u}
		if call := g.callReturning([]*typ{t, u}, 2); call != "" && g.one(2) {
			g.line("%s, %s := %s", v.name, w.name, call)
		} else {
			g.line("%s, %s := %s, %s", v.name, w.name, g.conv(t, 2), g.conv(u, 2))
		}
		g.declared(w)
	}
	g.declared(v)
}

// declared uses a new variable. The compiler may find out the type that an interface holds. It then notices before the
// arguments of a call of its method whether it is nil. It does not if what it holds comes from a call.
func (g *gen) declared(v *variable) {
	if v.t.kind == kIface {
		g.line("%s = id(%s)", v.name, v.name)
	} else {
		g.line("_ = %s", v.name)
	}
	g.scope = append(g.scope, v)
}

// block makes the statements of a nested block.
func (g *gen) block(n, d int, vars ...*variable) string {
	mark := len(g.scope)
	g.scope = append(g.scope[:mark:mark], vars...)
	s := g.into(func() {
		if g.one(3) {
			g.declare()
		}
		g.statements(n, d)
	})
	g.scope = g.scope[:mark]
	return s
}

// statements makes up to n statements, nested at most d deep.
func (g *gen) statements(n, d int) {
	for range 1 + g.n(n) {
		if g.budget <= 0 || len(g.data) == 0 {
			return
		}
		g.statement(d)
	}
}

func (g *gen) statement(d int) {
	g.budget--
	if d <= 0 {
		g.simple()
		return
	}
	switch g.n(20) {
	case 0, 1, 2, 3, 4:
		g.simple()
	case 5:
		g.declare()
	case 6, 7:
		g.ifStmt(d)
	case 8, 9:
		g.forStmt(d)
	case 10, 11, 12:
		g.rangeStmt(d)
	case 13:
		g.switchStmt(d)
	case 14:
		g.typeSwitch(d)
	case 15:
		g.jump()
	case 16:
		g.gotoStmt(d)
	case 17:
		g.deferred()
	case 18:
		g.selectStmt(d)
	case 19:
		if g.one(3) {
			g.line("if %s {", g.expr(basics[kBool], 2))
			g.returns()
			g.line("}")
		} else {
			g.line("{\n%s}", g.block(2, d-1))
		}
	}
}

// simple makes a statement without a body.
func (g *gen) simple() {
	switch g.n(15) {
	case 0, 1, 2:
		t := g.anyType()
		if p := g.path(t, true); p != "" {
			g.line("%s = %s", p, g.expr(t, 3))
		}
	case 3, 4:
		if t := g.pick(func(t *typ) bool { return t.numeric() || t.kind == kString }); t != nil {
			if p := g.path(t, true); p != "" {
				g.opAssign(p, t)
			}
		}
	case 5, 6: // several at once
		var ls, rs []string
		maps := false
		for range 2 + g.n(2) {
			t := g.anyType()
			if p := g.path(t, true); p != "" {
				ls, rs = append(ls, p), append(rs, g.conv(t, 2))
				maps = maps || g.mapElement(p)
			}
		}
		if maps { // see the package comment
			for i, r := range rs {
				rs[i] = "id(" + r + ")"
			}
		}
		if len(ls) > 1 {
			g.line("%s = %s", strings.Join(ls, ", "), strings.Join(rs, ", "))
		}
	case 7: // from one call, or a comma-ok form
		t, u := g.anyType(), g.anyType()
		if call := g.callReturning([]*typ{t, u}, 2); call != "" {
			p, q := g.path(t, true), g.path(u, true)
			if p == "" {
				p = "_"
			}
			if q == "" {
				q = "_"
			}
			g.line("%s, %s = %s", p, q, call)
			return
		}
		g.commaOK(t)
	case 8:
		g.commaOK(g.anyType())
	case 9, 10:
		if len(g.funcs) > 0 && g.one(2) {
			g.line("%s", g.call(g.funcs[g.n(len(g.funcs))], 2))
			return
		}
		if t := g.pick((*typ).printable); t != nil {
			g.line("P(%s)", g.conv(t, 3))
		}
	case 11: // the builtins that are statements
		m := g.pick(func(t *typ) bool { return t.kind == kMap || t.kind == kSlice })
		if m == nil {
			return
		}
		p := g.path(m, false)
		switch {
		case p == "":
		case m.kind == kMap && g.one(2):
			g.line("delete(%s, %s)", p, g.expr(m.key, 2))
		case g.one(3):
			g.line("clear(%s)", p)
		case m.kind == kSlice:
			g.line("copy(%s, %s)", p, g.expr(m, 2))
		}
	case 12: // append to oneself
		if t := g.pick(func(t *typ) bool { return t.kind == kSlice }); t != nil {
			if p := g.path(t, true); p != "" {
				g.line("%s = clip(append(lims(%s), %s, %s))", p, p, g.expr(t.elem, 2), g.expr(t.elem, 1))
			}
		}
	case 13:
		var args []string
		for range 1 + g.n(3) {
			if t := g.pick(func(t *typ) bool { return t.kind <= kString }); t != nil {
				args = append(args, g.expr(t, 2))
			}
		}
		g.line("println(%s)", strings.Join(args, ", "))
	case 14:
		if g.one(3) {
			g.line("if %s { panic(%s) }", g.expr(basics[kBool], 1), g.anyExpr(1))
		} else {
			g.line("P(async(func() %s { return %s }))", basics[kInt], g.expr(basics[kInt], 2))
		}
	}
}

func (g *gen) opAssign(p string, t *typ) {
	if t.kind == kString {
		g.line("%s = lim(%s + %s)", p, p, g.expr(t, 2))
		return
	}
	if g.one(4) {
		g.line("%s%s", p, []string{"++", "--"}[g.n(2)])
		return
	}
	ops := []string{"+", "-", "*"}
	if t.integer() {
		ops = []string{"+", "-", "*", "/", "%", "&", "|", "^", "&^", "<<", ">>"}
	}
	switch op := ops[g.n(len(ops))]; op {
	case "/", "%":
		g.line("%s %s= %s", p, op, g.live(t, 2))
	case "<<", ">>":
		g.line("%s %s= %s", p, op, g.live(g.pick((*typ).integer), 2))
	default:
		g.line("%s %s= %s", p, op, g.expr(t, 2))
	}
}

// commaOK makes an assignment whose second result says whether the first is there.
func (g *gen) commaOK(t *typ) {
	p, ok := g.path(t, true), g.path(basics[kBool], true)
	if p == "" {
		p = "_"
	}
	if ok == "" {
		ok = "_"
	}
	switch g.n(3) {
	case 0:
		g.line("%s, %s = map[int]%s{%s: %s}[%s]", p, ok, t, g.live(basics[kInt], 1), g.expr(t, 2), g.expr(basics[kInt], 2))
	case 1:
		if t.kind != kAny && t.kind != kIface {
			g.line("%s, %s = any(%s).(%s)", p, ok, g.anyExpr(2), t)
		}
	case 2:
		g.line("%s, %s = <-box(%s)", p, ok, g.conv(t, 2))
	}
}

func (g *gen) ifStmt(d int) {
	init := ""
	var vars []*variable
	if g.one(3) {
		t := g.anyType()
		v := &variable{g.name("x"), t}
		vars = append(vars, v)
		init = fmt.Sprintf("%s := %s; ", v.name, g.conv(t, 2))
		mark := len(g.scope)
		defer func() { g.scope = g.scope[:mark] }()
		g.scope = append(g.scope, v)
	}
	use := ""
	if vars != nil {
		use = "_ = " + vars[0].name + "\n"
	}
	g.line("if %s%s {\n%s%s}", init, g.paren(g.expr(basics[kBool], 3)), use, g.block(2, d-1))
	if g.one(2) {
		g.out.WriteString("else ")
		if g.one(3) {
			g.line("if %s {\n%s} else {\n%s}", g.paren(g.expr(basics[kBool], 2)), g.block(2, d-1), g.block(1, d-1))
		} else {
			g.line("{\n%s}", g.block(2, d-1))
		}
		s := g.out.String() // "}\nelse" is two statements
		g.out.Reset()
		g.out.WriteString(strings.ReplaceAll(s, "}\nelse ", "} else "))
	}
}

// paren protects a composite literal in the head of a statement.
func (g *gen) paren(s string) string { return "(" + s + ")" }

// loop makes a loop with the given head and body, with a label in front if the body used one.
func (g *gen) loop(head string, conts bool, body func() string) {
	l := &label{name: g.name("L"), loop: conts}
	g.fn.labels = append(g.fn.labels, l)
	g.fn.loops++
	if conts {
		g.fn.conts++
	}
	s := body()
	g.fn.labels = g.fn.labels[:len(g.fn.labels)-1]
	g.fn.loops--
	if conts {
		g.fn.conts--
	}
	if l.used {
		g.line("%s:", l.name)
	}
	g.line("%s {\n%s}", head, s)
}

func (g *gen) forStmt(d int) {
	i := &variable{g.name("i"), basics[kInt]}
	switch g.n(4) {
	case 0, 1:
		limit := 1 + g.n(4)
		mark := len(g.scope)
		g.scope = append(g.scope, i)
		head := fmt.Sprintf("for %s := 0; %s < %d; %s++", i.name, i.name, limit, i.name)
		if g.one(3) {
			head = fmt.Sprintf("for %s := 0; %s < %d && %s; %s++", i.name, i.name, limit, g.paren(g.expr(basics[kBool], 2)), i.name)
		}
		g.scope = g.scope[:mark]
		g.loop(head, true, func() string { return "step()\n" + g.block(2, d-1, i) })
	case 2:
		g.loop("for "+g.paren(g.expr(basics[kBool], 2)), true, func() string { return "step()\n" + g.block(3, d-1) })
	case 3:
		g.loop("for", true, func() string {
			return "step()\n" + g.block(2, d-1) + "if " + g.paren("!"+g.live(basics[kBool], 2)) + " { break }\n"
		})
	}
}

func (g *gen) rangeStmt(d int) {
	k, v := g.name("k"), g.name("e")
	pre := func(vars ...*variable) func() string {
		return func() string {
			use := "step()\n"
			for _, x := range vars {
				use += "_ = " + x.name + "\n"
			}
			return use + g.block(3, d-1, vars...)
		}
	}
	intT := basics[kInt]
	switch g.n(9) {
	case 0, 1: // a slice
		if t := g.pick(func(t *typ) bool { return t.kind == kSlice }); t != nil {
			x := g.expr(t, 2)
			if g.one(4) && g.path(t.elem, true) != "" { // into existing variables
				if p, q := g.path(intT, true), g.path(t.elem, true); p != "" && q != "" {
					g.loop(fmt.Sprintf("for %s, %s = range %s", p, q, g.paren(x)), true, pre())
					return
				}
			}
			g.loop(fmt.Sprintf("for %s, %s := range %s", k, v, g.paren(x)), true, pre(&variable{k, intT}, &variable{v, t.elem}))
			return
		}
		fallthrough
	case 2: // a string
		g.loop(fmt.Sprintf("for %s, %s := range %s", k, v, g.paren(g.expr(basics[kString], 2))), true, pre(&variable{k, intT}, &variable{v, basics[kInt32]}))
	case 3: // an integer
		if t := g.pick((*typ).integer); t != nil {
			g.loop(fmt.Sprintf("for %s := range %s(%s)", k, t, g.live(t, 2)), true, func() string {
				return "if " + k + " > 4 { break }\n" + pre(&variable{k, t})()
			})
		}
	case 4: // an array, by value or through a pointer
		if t := g.pick(func(t *typ) bool { return t.kind == kArray }); t != nil {
			x := g.expr(t, 2)
			if p := g.addressable(t); p != "" && g.one(2) {
				x = "&" + p
			}
			g.loop(fmt.Sprintf("for %s, %s := range %s", k, v, g.paren(x)), true, pre(&variable{k, intT}, &variable{v, t.elem}))
		}
	case 5: // a map, in an order that cannot be seen
		if t := g.pick(func(t *typ) bool { return t.kind == kMap }); t != nil {
			n := g.name("n")
			g.line("%s := 0", n)
			g.line("for %s := range %s { step(); %s += len(S(%s)) }", k, g.paren(g.expr(t, 2)), n, k)
			g.line("P(%s)", n)
		}
	case 6, 7: // a function
		t := g.anyType()
		if g.one(3) {
			g.loop(fmt.Sprintf("for %s := range seq(%s, %s)", k, g.conv(t, 2), g.expr(t, 2)), true, pre(&variable{k, t}))
			return
		}
		g.loop(fmt.Sprintf("for %s, %s := range seq2(%s, %s)", k, v, g.conv(t, 2), g.expr(t, 2)), true, pre(&variable{k, intT}, &variable{v, t}))
	case 8: // a channel
		t := g.anyType()
		g.loop(fmt.Sprintf("for %s := range closed(%s, %s)", k, g.conv(t, 2), g.expr(t, 2)), true, pre(&variable{k, t}))
	}
}

func (g *gen) switchStmt(d int) {
	t := g.pick(func(t *typ) bool { return t.comparable() })
	head := "switch"
	if !g.one(3) {
		head = "switch " + g.paren(g.conv(t, 2))
		if g.one(3) {
			head = "switch step(); " + g.paren(g.conv(t, 2))
		}
	} else {
		t = basics[kBool]
	}
	g.loop(head, false, func() string {
		return g.into(func() {
			n := 1 + g.n(4)
			dflt := g.n(n + 2)
			for i := range n {
				if i == dflt {
					g.line("default:")
				} else {
					var es []string
					for range 1 + g.n(2) {
						es = append(es, "id("+g.conv(t, 2)+")")
					}
					g.line("case %s:", strings.Join(es, ", "))
				}
				g.out.WriteString(g.block(2, d-1))
				if i+1 < n && g.one(3) {
					g.line("fallthrough")
				}
			}
		})
	})
}

func (g *gen) typeSwitch(d int) {
	x := g.name("y")
	head := fmt.Sprintf("switch %s := any(%s).(type)", x, g.anyExpr(2))
	if p := g.path(anyT, false); p != "" && g.one(2) {
		head = fmt.Sprintf("switch %s := %s.(type)", x, p)
	}
	g.loop(head, false, func() string {
		return g.into(func() {
			seen := map[string]bool{}
			for range 1 + g.n(4) {
				t := g.anyType()
				if seen[t.text] || t.kind == kAny {
					continue
				}
				seen[t.text] = true
				if u := g.anyType(); g.one(4) && !seen[u.text] && u.kind != kAny {
					seen[u.text] = true
					g.line("case %s, %s:\n_ = %s", t, u, x)
					g.out.WriteString(g.block(1, d-1))
					continue
				}
				g.line("case %s:\n_ = %s", t, x)
				g.out.WriteString(g.block(2, d-1, &variable{x, t}))
			}
			if g.one(2) {
				g.line("case nil:\n_ = %s", x)
			}
			g.line("default:\n_ = %s", x)
			g.out.WriteString(g.block(1, d-1))
		})
	})
}

// jump leaves a loop or begins its next round.
func (g *gen) jump() {
	if g.fn.loops == 0 {
		g.simple()
		return
	}
	cond := g.paren(g.expr(basics[kBool], 2))
	if g.n(2) == 0 {
		l := g.fn.labels[g.n(len(g.fn.labels))]
		what := "break"
		if l.loop && g.one(2) {
			what = "continue"
		}
		l.used = true
		g.line("if %s { %s %s }", cond, what, l.name)
		return
	}
	if g.fn.conts > 0 && g.one(2) {
		g.line("if %s { continue }", cond)
		return
	}
	g.line("if %s { break }", cond)
}

func (g *gen) gotoStmt(d int) {
	l := g.name("G")
	if g.one(2) { // forward
		g.line("{\n{\n%sif %s { goto %s }\n%s}\n%s:\n}", g.block(1, d-1), g.paren(g.expr(basics[kBool], 2)), l, g.block(2, d-1), l)
		return
	}
	g.line("{\n%s:\nstep()\n{\n%s}\nif %s { goto %s }\n}", l, g.block(2, d-1), g.paren(g.expr(basics[kBool], 2)), l)
}

func (g *gen) deferred() {
	switch g.n(4) {
	case 0: // recovers, and may set results
		mark := len(g.scope)
		set := g.into(func() {
			if len(g.fn.named) > 0 {
				i := g.n(len(g.fn.named))
				g.line("%s = %s", g.fn.named[i], g.expr(g.fn.results[i], 1))
			}
		})
		g.line("defer func() {\nif e := recover(); e != nil { P(\"recovered\", E(e)) }\n%s}()", set)
		g.scope = g.scope[:mark]
	case 1:
		g.line("defer func() {"+notInlined+"\n%s}()", g.body(nil, nil, nil))
	case 2:
		if len(g.funcs) > 0 {
			g.line("defer %s", g.call(g.funcs[g.n(len(g.funcs))], 2))
		}
	case 3:
		if t := g.pick((*typ).printable); t != nil {
			g.line("defer P(%s)", g.conv(t, 2))
		}
	}
}

func (g *gen) selectStmt(d int) {
	t := g.anyType()
	v := &variable{g.name("x"), t}
	switch g.n(3) {
	case 0:
		g.loop("select", false, func() string {
			return fmt.Sprintf("case %s := <-box(%s):\n_ = %s\n%s", v.name, g.conv(t, 2), v.name, g.block(2, d-1, v))
		})
	case 1:
		g.loop("select", false, func() string {
			return fmt.Sprintf("case room[%s](%s) <- %s:\n%sdefault:\n%s", t, g.expr(basics[kBool], 1), g.expr(t, 2), g.block(2, d-1), g.block(1, d-1))
		})
	case 2:
		p := g.path(t, true)
		if p == "" {
			p = "_"
		}
		g.loop("select", false, func() string {
			return fmt.Sprintf("case %s = <-room[%s](%s):\n%scase room[int](false) <- %s:\ndefault:\n%s", p, t, g.expr(basics[kBool], 1), g.block(2, d-1), g.expr(basics[kInt], 2), g.block(1, d-1))
		})
	}
}
