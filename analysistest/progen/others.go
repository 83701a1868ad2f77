package progen

import (
	"fmt"
	"math/rand/v2"
)

// This file draws what goroutines see of each other, and locks that are package variables.

// GenerateOthers is Generate for a program in which goroutines look at others, or locks are package variables.
func GenerateOthers(seed uint64, size int) *Program {
	p := &Program{Seed: seed, Size: size}
	g := newGenerator(rand.New(rand.NewPCG(seed, 2<<40|uint64(size))))
	g.themes = []theme{themeOthers, themeOthers, pick(g, themeChans, themeGroups, themeLocks, themeAtomics, themeTime, themeSelects, themeOnce, themeCond)}
	g.chans = []object{pick(g, object("c"), "d", "e")}
	p.Body = g.starter(size)
	p.Notes = notesOf(p)
	return p
}

// others draws a look at how many goroutines there are, or where they stand, an operation on a lock that is a package
// variable, or a goroutine that ends soon.
func (g *generator) others() *Stmt {
	gm := func(text ...string) *Stmt {
		return &Stmt{Text: text, Bodies: [][]*Stmt{g.inner(1)}, Needs: []object{"gm"}}
	}
	rw := func(text ...string) *Stmt {
		return &Stmt{Text: text, Bodies: [][]*Stmt{g.inner(1)}, Needs: []object{"grw"}}
	}
	switch g.r.IntN(13) {
	case 0, 1, 2:
		return stmt("v = runtime.NumGoroutine()\nl.r(v)", "count")
	case 3:
		return stmt("l.r(stands())", "count")
	case 4:
		return stmt(fmt.Sprintf("for range 2 {\nif runtime.NumGoroutine() > %d {\nruntime.Gosched()\n}\n}", 1+g.k()), "count")
	case 5:
		return gm("gm.Lock()", "gm.Unlock()")
	case 6: // kept
		return stmt("gm.Lock()", "gm")
	case 7:
		return gm("if gm.TryLock() {", "gm.Unlock()\n}")
	case 8:
		return rw("grw.RLock()", "grw.RUnlock()")
	case 9:
		return rw("grw.Lock()", "grw.Unlock()")
	case 10:
		return stmt("grw.RLock()", "grw")
	case 11:
		if g.one(2) {
			return stmt("gm.Unlock()", "gm") // fatal, if nobody holds it
		}
	}
	if g.noGo > 0 || g.next >= 6 {
		return stmt("v = runtime.NumGoroutine()\nl.r(v)", "count")
	}
	s := &Stmt{Text: []string{"go GO{", "}GO"}, Starts: g.number(), Needs: g.paramNeeds()}
	s.Bodies = [][]*Stmt{g.inner(1)}
	return s
}
