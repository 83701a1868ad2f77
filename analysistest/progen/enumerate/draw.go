package enumerate

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// This file draws programs of few plain accesses to few variables, whose order in memory shows: those for which memory
// models differ. Beside them are atomics and locks, near misses. One in ten has all accesses under a lock. What each
// statement means is written down beside its text.
//
// They are made for brute force: what is not access to memory is kept short. The starter is mostly a party itself, and
// a goroutine tells what it has read by the one send with which it ends. The program ends with a panic that says all.

// results are the channels by which goroutines tell the starter what they have read.
var results = []string{"d", "oc", "e"}

// apart is what numbers are multiplied by before another one is added, for the sum to tell which they were.
const apart = 1000003

// The cells, locks and channels of package  Objects that are published have the cells from firstNew on.
const (
	cellQ, cellN, firstNew = 5, 6, 8
	lockMu, lockMv         = 0, 1
)

// A Statement is a line of text, the variables that it uses, and what it means.
type Statement struct {
	Text  string
	Needs []string
	Steps []Step
}

// A Drawn program has what its starter does after it has started the others, and what these do.
type Drawn struct {
	Starter []Statement
	Others  [][]Statement
}

// Draw draws a program.
func Draw(r *rand.Rand, size int) (p Drawn) {
	w := &weak{r: r, two: places[:2], cells: firstNew}
	w.locked = w.one(10)
	if w.one(3) {
		w.two = []place{places[r.IntN(len(places))], places[r.IntN(len(places))]}
	}
	n, most := 1, size/5
	switch { // few are large: what they take is the square, or the cube, of what their parties do
	case size > 9 && w.one(3):
		n, most = 3, 0
	case size > 7 && w.one(3):
		n, most = 2, size/9
	}
	parts := w.litmus()
	for i := range n {
		send := Statement{results[i] + " <- v", []string{results[i]}, []Step{{Code: Send, At: i}}}
		p.Others = append(p.Others, append(w.party(parts, i, n, most), send))
	}
	if n == 1 || n == 2 && w.one(3) {
		p.Starter = w.party(parts, n, n, most)
	}
	for i := range n {
		receive := Step{Code: Receive, At: i, Times: apart}
		p.Starter = append(p.Starter, Statement{fmt.Sprintf("v = %d*v + <-%s", apart, results[i]), []string{results[i]}, []Step{receive}})
	}
	for _, x := range places {
		if p.uses(x.of) {
			p.Starter = append(p.Starter, Statement{fmt.Sprintf("v = %d*v + %s", apart, x.text), []string{x.of}, []Step{loading(x, apart)}})
		}
	}
	p.Starter = append(p.Starter, Statement{"panic(v)", nil, []Step{{Code: Panic}}})
	return p
}

// uses reports whether a statement uses a variable.
func (p *Drawn) uses(variable string) bool {
	for _, party := range append([][]Statement{p.Starter}, p.Others...) {
		for i := range party {
			if slices.Contains(party[i].Needs, variable) {
				return true
			}
		}
	}
	return false
}

// A place is plain memory: an expression, the object that it is of, and the cell.
type place struct {
	text string
	of   string
	cell int
}

var places = []place{{"x", "x", 0}, {"y", "y", 1}, {"p.a", "p", 2}, {"p.b", "p", 3}, {"arr[1]", "arr", 4}}

// weak draws the parties of one program.
type weak struct {
	r      *rand.Rand
	two    []place // what they access
	locked bool    // all accesses are under a lock
	cells  int     // the next one for an object
}

// party draws what one of the parties does: a part of a litmus test, and up to so many statements among it. n
// goroutines are started.
func (w *weak) party(parts [][]Statement, i, n, most int) []Statement {
	var b []Statement
	if i < len(parts) {
		b = parts[i]
	} else {
		b = w.shape(n)
	}
	for range w.r.IntN(1 + most) {
		b = slices.Insert(b, w.r.IntN(1+len(b)), w.near())
	}
	return b
}

// litmus draws the parts of a litmus test, mostly: those that some memory model makes do more.
func (w *weak) litmus() [][]Statement {
	x, y := w.two[0], w.two[1]
	sx, sy, rx, ry := w.storing(x), w.storing(y), w.reading(x), w.reading(y)
	switch w.r.IntN(16) {
	case 0, 1, 2, 3: // store buffering
		return [][]Statement{{sx, ry}, {sy, rx}}
	case 4, 5: // R
		return [][]Statement{{sx, w.storing(y)}, {sy, rx}}
	case 6, 7: // message passing
		return [][]Statement{{sx, sy}, {ry, rx}}
	case 8: // S
		return [][]Statement{{sx, sy}, {ry, w.storing(x)}}
	case 9: // 2+2W
		return [][]Statement{{sx, sy}, {w.storing(y), w.storing(x)}}
	case 10: // publication
		return [][]Statement{{w.publication(true)}, {w.publication(false)}}
	}
	return nil
}

// shape draws a part of a litmus test: two accesses, of two variables, or one, if there are many goroutines.
func (w *weak) shape(n int) []Statement {
	x, y := w.two[0], w.two[1]
	if w.one(2) {
		x, y = y, x
	}
	if n > 1 && w.one(n+1) || n > 2 && w.one(2) {
		return []Statement{w.storing(x)}
	}
	switch w.r.IntN(10) {
	case 0, 1, 2, 3:
		return []Statement{w.storing(x), w.reading(y)}
	case 4, 5:
		return []Statement{w.storing(x), w.storing(y)}
	case 6:
		return []Statement{w.reading(x), w.storing(y)}
	case 7:
		return []Statement{w.publication(w.one(2))}
	}
	return []Statement{w.reading(x), w.reading(y)}
}

// access writes an access to an object, under a lock if all are.
func (w *weak) access(text, of string, steps ...Step) Statement {
	if w.locked {
		steps = append([]Step{{Code: Lock, At: lockMu}}, append(steps, Step{Code: Unlock, At: lockMu})...)
		return Statement{"mu.Lock()\n" + text + "\nmu.Unlock()", []string{of, "mu"}, steps}
	}
	return Statement{text, []string{of}, steps}
}

// one is true once in n times.
func (w *weak) one(n int) bool { return w.r.IntN(n) == 0 }

// k draws a small number.
func (w *weak) k() int { return 1 + w.r.IntN(2) }

func (w *weak) storing(x place) Statement {
	k := w.k()
	return w.access(fmt.Sprintf("%s = %d", x.text, k), x.of, setting(x, k))
}

func (w *weak) reading(x place) Statement {
	return w.access("v = 10*v + "+x.text, x.of, loading(x, 10))
}

func setting(x place, k int) Step {
	return Step{Code: Store, At: x.cell, Words: 1, V: [3]int{k}}
}

func loading(x place, times int) Step {
	return Step{Code: Load, At: x.cell, Words: 1, V: [3]int{1}, Times: times}
}

// publication draws an access to a pointer, and to what it leads to.
func (w *weak) publication(stores bool) Statement {
	if stores && w.cells < Cells {
		k, l := w.k(), w.r.IntN(2)
		w.cells += 2
		return w.access(fmt.Sprintf("q = &struct{ a, b int }{%d, %d}", k, l), "q", Step{Code: Publish, At: cellQ, V: [3]int{k, l, w.cells - 2}})
	}
	return w.access("if r := q; r != nil {\nv = 10*v + r.a + 3*r.b\n}", "q", Step{Code: Pointer, At: cellQ, Skip: 2},
		Step{Code: Follow, At: 0, V: [3]int{1}, Times: 10}, Step{Code: Follow, At: 1, V: [3]int{3}, Times: 1})
}

// near draws a statement between the accesses of a shape.
func (w *weak) near() Statement {
	x := w.two[w.r.IntN(len(w.two))]
	switch w.r.IntN(20) {
	case 0:
		return Statement{"atomic.StoreInt64(&n, 1)", []string{"n"}, []Step{{Code: AtomicStore, At: cellN, V: [3]int{1}}}}
	case 1:
		return Statement{"v = 10*v + int(atomic.LoadInt64(&n))", []string{"n"}, []Step{{Code: AtomicLoad, At: cellN, Times: 10}}}
	case 2:
		return Statement{"mv.Lock()\nmv.Unlock()", []string{"mv"}, []Step{{Code: Lock, At: lockMv}, {Code: Unlock, At: lockMv}}}
	case 3:
		k := w.r.IntN(2)
		return Statement{fmt.Sprintf("if v == %d {\npanic(\"weak\")\n}", k), nil, []Step{{Code: Unless, V: [3]int{k}, Skip: 1}, {Code: Panic, Text: "weak"}}}
	case 4:
		return w.access(fmt.Sprintf("if v == 0 {\n%s = 2\n}", x.text), x.of, Step{Code: Unless, Skip: 1}, setting(x, 2))
	case 5:
		k := w.r.IntN(2)
		return Statement{fmt.Sprintf("v = 10*v + bit(atomic.CompareAndSwapInt64(&n, %d, 1))", k), []string{"n"}, []Step{{Code: Swap, At: cellN, V: [3]int{k, 1}, Times: 10}}}
	case 6:
		return Statement{"if mv.TryLock() {\nmv.Unlock()\n}", []string{"mv"}, []Step{{Code: TryLock, At: lockMv, Skip: 1}, {Code: Unlock, At: lockMv}}}
	case 7:
		return w.access("p = struct{ a, b int }{1, 2}", "p", Step{Code: Store, At: places[2].cell, Words: 2, V: [3]int{1, 2}})
	case 8:
		return w.access("{\nr := p\nv = 10*v + r.a + 3*r.b\n}", "p", Step{Code: Load, At: places[2].cell, Words: 2, V: [3]int{1, 3}, Times: 10})
	case 9:
		return w.publication(w.one(2))
	case 10, 11, 12, 13:
		return w.reading(x)
	}
	return w.storing(x)
}
