package progen

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// This file draws programs of few plain accesses to few variables, whose order in memory shows: those for which memory
// models differ. Beside them are atomics and locks, near misses.

// GenerateWeak is Generate for such a program: two goroutines, or three, and a starter that waits for them and reads
// what is left.
func GenerateWeak(seed uint64, size int) *Program {
	p := &Program{Seed: seed, Size: size}
	g := newGenerator(rand.New(rand.NewPCG(seed, 5<<40|uint64(size))))
	n := 2
	if size > 4 && g.one(4) {
		n++
	}
	p.Body = []*Stmt{stmt(fmt.Sprintf("join.Add(%d)", n), "join")}
	for i := range n {
		s := &Stmt{Text: []string{"go GO{", "}GO"}, Starts: g.number(), Needs: g.paramNeeds()}
		b := []*Stmt{stmt("defer join.Done()", "join")}
		b = append(b, shape(g)...)
		for range g.r.IntN(1 + max(1, size/4)) {
			b = slices.Insert(b, 1+g.r.IntN(len(b)), weakly(g))
		}
		b = append(b, stmt(fmt.Sprintf("arr[%d] = v", i), "arr")) // what it has read is told to the starter
		s.Bodies = [][]*Stmt{b}
		p.Body = append(p.Body, s)
	}
	p.Body = append(p.Body, stmt("join.Wait()", "join"), stmt("l.r(x)", "x"), stmt("l.r(y)", "y"), stmt("l.r(arr[0]*100 + arr[1]*10 + arr[2])", "arr"))
	p.Notes = notesOf(p)
	return p
}

// shape draws a part of a litmus test: two accesses, of two variables.
func shape(g *generator) []*Stmt {
	x, y := object("x"), object("y")
	if g.one(2) {
		x, y = y, x
	}
	switch g.r.IntN(5) {
	case 0, 1:
		return []*Stmt{storing(g, x), reading(y)}
	case 2:
		return []*Stmt{storing(g, x), storing(g, y)}
	case 3:
		return []*Stmt{reading(x), storing(g, y)}
	}
	return []*Stmt{reading(x), reading(y)}
}

func storing(g *generator, x object) *Stmt { return stmt(fmt.Sprintf("%s = %d", x, g.k()), x) }

func reading(x object) *Stmt { return stmt(fmt.Sprintf("v = 10*v + %s", x), x) }

// weakly draws an access.
func weakly(g *generator) *Stmt {
	x := pick(g, object("x"), "y")
	switch g.r.IntN(16) {
	case 0:
		return stmt("atomic.StoreInt64(&n, 1)", "n")
	case 1:
		return stmt("v = 10*v + int(atomic.LoadInt64(&n))", "n")
	case 2:
		return stmt("mu.Lock()\nmu.Unlock()", "mu")
	case 3:
		return stmt(fmt.Sprintf("if v == %d {\npanic(\"weak\")\n}", g.r.IntN(2)))
	case 4:
		return stmt(fmt.Sprintf("if v == 0 {\n%s = 2\n}", x), x)
	case 5, 6, 7, 8, 9:
		return reading(x)
	}
	return storing(g, x)
}
