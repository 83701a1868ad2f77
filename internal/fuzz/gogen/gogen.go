// Package gogen makes small sequential Go programs out of bytes.
//
// # Method
//
// The bytes are the choices. Each decision of the generator takes the next byte (two if it has more than 256 ways), and
// takes its first way when none is left. The first ways are the smallest ones. So a program ends with its bytes, a
// mutation of the bytes is a mutation of the program, and to shrink the bytes is to shrink the program (the idea is
// that of MacIver and Donaldson, Test-Case Reduction via Test-Case Generation, ECOOP 2020).
//
// Programs are correct by construction as far as go/types is concerned. They end: every call and every round of a loop
// costs fuel. They do nothing that the language or the compiler leaves to chance: no map is ranged over where the order
// can be seen, no address is printed, no select has two ready cases.
//
// What the language leaves open but the compiler decides is in: the order of evaluation, or a conversion out of range.
// What depends on the compiler's optimiser is not in:
//
//   - The order of arguments in calls that it inlines. (Functions with several parameters and literals are not
//     inlined.)
//   - Which variables literals that it inlines still capture.
//   - When it notices that an interface is nil (see declared).
//   - The capacity of slices that it puts on the stack (see clip).
//
// A parallel assignment to an element of a map evaluates its values before. The compiler makes the element first, and
// keeps it if a value panics, against the specification.
package gogen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A Program is the source of one generated program.
type Program struct {
	// Source declares func Entry() and what it needs, without package clause and imports. Every name declared
	// at package level begins with the prefix the program was made with.
	Source string
	Entry  string
	// Alone says that the program is to end by itself, with an unrecovered panic or a fatal error perhaps, and not to
	// be run among others.
	Alone bool
}

// SeedBytes returns the bytes that stand for a seed.
func SeedBytes(seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 0x6865646464))
	b := make([]byte, 200+r.IntN(1000))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// Make makes the program that data stands for. prefix is an identifier.
func Make(data []byte, prefix string) Program {
	g := &gen{data: data, prefix: prefix, budget: 40}
	return g.program()
}

// gen is the state of one generation.
type gen struct {
	data   []byte // what is left
	prefix string
	budget int // nodes that may still be made in this part; leaves only when it is used up

	decls strings.Builder // finished declarations
	out   *strings.Builder
	names int
	paths int // nested calls of path

	types   []*typ // the palette
	structs []*typ
	funcs   []*function // functions and methods that may be called
	scope   []*variable
	fn      *frame
}

// A variable is in scope.
type variable struct {
	name string
	t    *typ
}

// A function can be called as call(args).
type function struct {
	name     string
	recv     *typ // of a method, with ptr for a pointer receiver
	ptr      bool
	params   []*typ
	results  []*typ
	variadic bool // the last parameter, a slice
}

// A frame is the function whose body is being made.
type frame struct {
	results []*typ
	named   []string
	labels  []*label
	loops   int // breakable statements around
	conts   int // loops around
}

type label struct {
	name string
	loop bool
	used bool
}

// n makes a choice among k ways.
func (g *gen) n(k int) int {
	if k <= 1 || len(g.data) == 0 {
		return 0
	}
	b := int(g.data[0])
	g.data = g.data[1:]
	if k > 256 && len(g.data) > 0 {
		b = b<<8 | int(g.data[0])
		g.data = g.data[1:]
	}
	return b % k
}

// one is true in one of k cases, and not when the bytes are used up.
func (g *gen) one(k int) bool { return g.n(k) == k-1 && k > 1 }

func (g *gen) name(kind string) string {
	g.names++
	return fmt.Sprintf("%s%d", kind, g.names)
}

func (g *gen) top(kind string) string { return g.prefix + g.name(kind) }

func (g *gen) line(format string, args ...any) {
	fmt.Fprintf(g.out, format, args...)
	g.out.WriteByte('\n')
}

// into collects what f writes.
func (g *gen) into(f func()) string {
	old := g.out
	var b strings.Builder
	g.out = &b
	f()
	g.out = old
	return b.String()
}

// program makes the whole program.
func (g *gen) program() Program {
	g.out = &g.decls
	p := Program{Entry: g.prefix + "Main", Alone: g.one(48)}
	g.palette()
	g.packageVars()
	for range 1 + g.n(3) {
		g.budget = 30
		g.function()
	}
	parts := 1 + g.n(3)
	body := g.into(func() {
		for range parts {
			g.budget = 60
			if p.Alone {
				g.line("func() {"+notInlined+"\n%s}()", g.body(nil, nil, nil))
			} else {
				g.line("Try(func() {\n%s})", g.body(nil, nil, nil))
			}
		}
	})
	g.line("func %s() {\n%s}", p.Entry, body)
	p.Source = g.decls.String()
	return p
}

// function declares a function, a method or a generic function.
func (g *gen) function() {
	f := &function{name: g.top("f")}
	var recv *variable
	if g.one(3) && len(g.structs) > 0 {
		f.recv, f.ptr = g.structs[g.n(len(g.structs))], g.one(2)
		f.name = g.name("m")
		t := f.recv
		if f.ptr {
			t = pointerTo(t)
		}
		recv = &variable{g.name("r"), t}
	}
	var params []*variable
	for range g.n(4) {
		t := g.anyType()
		f.params = append(f.params, t)
		params = append(params, &variable{g.name("a"), t})
	}
	if len(f.params) > 0 && f.params[len(f.params)-1].kind == kSlice && g.one(2) {
		f.variadic = true
	}
	for range 1 + g.n(2) {
		f.results = append(f.results, g.anyType())
	}
	var named []string
	if g.one(2) {
		for range f.results {
			named = append(named, g.name("o"))
		}
	}
	if g.one(2) || len(f.params) > 1 || len(f.params) == 1 && f.recv != nil { // see notInlined
		g.line("//go:noinline")
	}
	head := "func "
	if recv != nil {
		head += fmt.Sprintf("(%s %s) ", recv.name, recv.t)
	}
	head += f.name + f.signature(params, named)
	all := params
	if recv != nil {
		all = append([]*variable{recv}, params...)
	}
	g.line("%s {\n%s}\n", head, g.body(all, f.results, named))
	g.funcs = append(g.funcs, f)
}

func (f *function) signature(params []*variable, named []string) string {
	var b strings.Builder
	b.WriteString("(")
	for i, p := range params {
		if i > 0 {
			b.WriteString(", ")
		}
		if f.variadic && i == len(params)-1 {
			fmt.Fprintf(&b, "%s ...%s", p.name, p.t.elem)
		} else {
			fmt.Fprintf(&b, "%s %s", p.name, p.t)
		}
	}
	b.WriteString(") (")
	for i, r := range f.results {
		if i > 0 {
			b.WriteString(", ")
		}
		if named != nil {
			b.WriteString(named[i] + " ")
		}
		b.WriteString(r.String())
	}
	b.WriteString(")")
	return b.String()
}

// body makes the body of a function. What is in scope already can be used: a function literal captures it.
func (g *gen) body(params []*variable, results []*typ, named []string) string {
	savedFn, mark := g.fn, len(g.scope)
	g.fn = &frame{results: results, named: named}
	g.scope = append(g.scope[:mark:mark], params...)
	for i, n := range named {
		g.scope = append(g.scope, &variable{n, results[i]})
	}
	s := g.into(func() {
		g.line("step()")
		if g.one(4) {
			g.deferred()
		}
		for range 2 + g.n(3) {
			g.declare()
		}
		g.statements(3, 3)
		g.dump()
		g.returns()
	})
	g.fn, g.scope = savedFn, g.scope[:mark]
	return s
}

// dump prints the variables in scope that can be printed.
func (g *gen) dump() {
	var args []string
	for _, v := range g.scope {
		if v.t.printable() && len(args) < 12 {
			args = append(args, v.name)
		}
	}
	if len(args) > 0 {
		g.line("P(%s)", strings.Join(args, ", "))
	}
}

func (g *gen) returns() {
	switch {
	case len(g.fn.results) == 0:
		g.line("return")
	case g.fn.named != nil && g.n(3) == 1:
		g.line("return")
	case g.one(5):
		if call := g.callReturning(g.fn.results, 2); call != "" {
			g.line("return %s", call)
			return
		}
		fallthrough
	default:
		var vs []string
		for _, t := range g.fn.results {
			vs = append(vs, g.expr(t, 3))
		}
		g.line("return %s", strings.Join(vs, ", "))
	}
}

// packageVars declares package variables and puts them in scope of what follows.
func (g *gen) packageVars() {
	for range g.n(3) {
		t := g.anyType()
		name := g.top("v")
		g.line("var %s %s = %s", name, t, g.text(g.leaf(t)))
		g.scope = append(g.scope, &variable{name, t})
	}
}
