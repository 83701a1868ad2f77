package pairgen

import (
	"fmt"
	"go/format"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// A Program is a few operations beside each other. Its text form, which Parse reads, is the operations before the
// goroutines start, those of each goroutine, and what else is said of it:
//
//	chan.0 / chan.3 chan.1 / chan.2 bubble
type Program struct {
	Seed    uint64 // 0 if it was not drawn
	before  []call
	threads [][]call
	bubble  bool // in a bubble
	apart   bool // the first goroutine is not the test's own
}

// A call is one use of an operation.
type call struct {
	w *World
	n int
}

func (c call) String() string { return fmt.Sprintf("%s.%d", c.w.name, c.n) }
func (c call) op() op         { return c.w.ops[c.n] }

func (p *Program) String() string {
	var b strings.Builder
	for _, c := range p.before {
		fmt.Fprint(&b, c, " ")
	}
	for _, th := range p.threads {
		b.WriteString("/ ")
		for _, c := range th {
			fmt.Fprint(&b, c, " ")
		}
	}
	if p.bubble {
		b.WriteString("bubble ")
	}
	if p.apart {
		b.WriteString("apart ")
	}
	return strings.TrimSpace(b.String())
}

// Parse reads the text form.
func Parse(text string) (*Program, error) {
	ws, err := worlds()
	if err != nil {
		return nil, err
	}
	p := &Program{}
	for i, part := range strings.Split(text, "/") {
		if i > 0 {
			p.threads = append(p.threads, nil)
		}
		for _, word := range strings.Fields(part) {
			switch word {
			case "bubble":
				p.bubble = true
				continue
			case "apart":
				p.apart = true
				continue
			}
			name, number, _ := strings.Cut(word, ".")
			at := slices.IndexFunc(ws, func(w *World) bool { return w.name == name })
			n, err := strconv.Atoi(number)
			if at < 0 || err != nil || n < 0 || n >= len(ws[at].ops) {
				return nil, fmt.Errorf("no operation %q", word)
			}
			if c := (call{ws[at], n}); i == 0 {
				p.before = append(p.before, c)
			} else {
				p.threads[i-1] = append(p.threads[i-1], c)
			}
		}
	}
	if len(p.threads) == 0 {
		return nil, fmt.Errorf("%q has no goroutines", text)
	}
	return p, nil
}

// Config says which programs are drawn.
type Config struct {
	Worlds []string // of these worlds alone; all if empty
}

// Draw draws the program of a seed.
func (c Config) Draw(seed uint64) (*Program, error) {
	all, err := worlds()
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(seed, 14))
	pick := func(fits func(*World) bool) *World {
		var ws []*World
		for _, w := range all {
			if fits(w) && (len(c.Worlds) == 0 || slices.Contains(c.Worlds, w.name)) {
				ws = append(ws, w)
			}
		}
		if len(ws) == 0 {
			return nil
		}
		return ws[r.IntN(len(ws))]
	}
	first := pick(func(w *World) bool { return w != all[0] || len(c.Worlds) > 0 })
	if first == nil {
		return nil, fmt.Errorf("no world of %v", c.Worlds)
	}
	ws := []*World{first}
	p := &Program{Seed: seed, apart: r.IntN(3) == 0}
	p.bubble = first.has(bubble) || !first.has(nobubble) && r.IntN(5) == 0
	behind := r.IntN(4) == 0
	if !behind && r.IntN(6) == 0 {
		if w := pick(func(w *World) bool {
			return w != first && w != all[0] && !(w.has(bubble) && !p.bubble) && !(w.has(nobubble) && p.bubble)
		}); w != nil {
			ws = append(ws, w)
		}
	}
	draw := func(w *World) call { return call{w, r.IntN(len(w.ops))} }
	some := func(n int) (cs []call) {
		for range n {
			cs = append(cs, draw(ws[r.IntN(len(ws))]))
		}
		return cs
	}
	p.before = some([]int{0, 0, 0, 1, 1, 2}[r.IntN(6)])
	switch shape := r.IntN(10); {
	case behind: // plain memory behind what the operations order
		plain := func() call { return call{all[0], r.IntN(2)} }
		a, b := plain(), plain()
		if a.n == 1 && b.n == 1 {
			a.n = 0
		}
		p.threads = [][]call{append([]call{a}, some(1)...), append(some(1), b)}
		if r.IntN(4) == 0 {
			p.threads[0] = append(p.threads[0], some(1)...)
		}
	case shape < 6:
		p.threads = [][]call{some(2), some(1)}
	case shape < 7:
		p.threads = [][]call{some(1), some(1), some(1)}
	case shape < 8:
		p.threads = [][]call{some(2), some(1), some(1)}
	default:
		p.threads = [][]call{some(2), some(2)}
	}
	return p, nil
}

// calls are all uses of operations.
func (p *Program) calls() []call {
	return append(slices.Clone(p.before), slices.Concat(p.threads...)...)
}

// worlds are those of the operations.
func (p *Program) worlds() (ws []*World) {
	for _, c := range p.calls() {
		if !slices.Contains(ws, c.w) {
			ws = append(ws, c.w)
		}
	}
	return ws
}

// has reports whether one of its worlds has a trait.
func (p *Program) has(trait string) bool {
	return slices.ContainsFunc(p.worlds(), func(w *World) bool { return w.has(trait) })
}

// exact reports whether each operation is one step, so that the orders of operations are all there is.
func (p *Program) exact() bool {
	return !p.has(loose) && !slices.ContainsFunc(p.calls(), func(c call) bool { return c.op().loose })
}

// orders are the orders of the goroutines' operations: "010" has the operation of the second goroutine between two of
// the first.
func (p *Program) orders() (all []string) {
	var next func(done []int, s string)
	next = func(done []int, s string) {
		over := true
		for i, th := range p.threads {
			if done[i] < len(th) {
				over = false
				d := slices.Clone(done)
				d[i]++
				next(d, s+strconv.Itoa(i))
			}
		}
		if over {
			all = append(all, s)
		}
	}
	next(make([]int, len(p.threads)), "")
	return all
}

// Func is the function of the program. It has the same lines natively and in the machine.
func (p *Program) Func(name string) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("// %s is %s", name, p)
	line("func %s(t *testing.T, x *run) string {", name)
	for _, w := range p.worlds() {
		for _, s := range w.setup {
			line("%s", s)
		}
		for _, n := range w.names() {
			line("_ = &%s", n)
		}
	}
	line("var rs [%d][]any", len(p.calls()))
	n := 0
	for _, c := range p.before {
		line("rs[%d] = try(func() []any { %s })", n, c.op().text)
		n++
	}
	line("join := make(chan bool, %d)\n_ = join", len(p.threads))
	line("x.begin()")
	start := 0
	if !p.apart {
		n += len(p.threads[0])
		start = 1
	}
	body := func(i int) {
		for k, c := range p.threads[i] {
			line("x.slot(%d, %d)", i, k)
			line("rs[%d] = try(func() []any { %s })", n, c.op().text)
			n++
		}
	}
	for i := start; i < len(p.threads); i++ {
		line("go func() {\ndefer func() { join <- true }()")
		body(i)
		line("}()")
	}
	if start == 1 {
		n = len(p.before)
		body(0)
	}
	for i := start; i < len(p.threads); i++ {
		line("<-join")
	}
	line("s := text(rs[:])")
	for _, w := range p.worlds() {
		if w.end != "" {
			line("s += text([][]any{try(func() []any { return vals(%s) })})", w.end)
		}
	}
	line("return s\n}\n")
	return b.String()
}

const shared = `package programs

// vals has values as a list.
func vals(vs ...any) []any { return vs }

// try has the value of a panic, if f panics.
func try(f func() []any) (vs []any) {
	defer func() {
		if p := recover(); p != nil {
			vs = []any{"panic", p}
		}
	}()
	return f()
}
`

// file is the programs as the functions P0, P1 … of one file.
func file(ps []*Program) ([]byte, error) {
	var b strings.Builder
	var ws []*World
	for _, p := range ps {
		for _, w := range p.worlds() {
			if !slices.Contains(ws, w) {
				ws = append(ws, w)
			}
		}
	}
	for _, w := range ws {
		for _, d := range w.tops {
			b.WriteString(d + "\n\n")
		}
	}
	b.WriteString(`// text has the results of operations as text.
func text(rs [][]any) string {
	s := ""
	for _, r := range rs {
		s += fmt.Sprintf("%+q", fmt.Sprintf("%v", r))
	}
	return s
}

`)
	for i, p := range ps {
		b.WriteString(p.Func(fmt.Sprint("P", i)))
	}
	text := b.String()
	head := "package programs\n\nimport (\n" + strings.Join(imports(text, ws), "\n") + "\n)\n\n"
	out, err := format.Source([]byte(head + text))
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, head+text)
	}
	return out, nil
}
