package progen

import (
	"fmt"
	"math/rand/v2"
)

// This file draws tests whose goroutines are in a bubble of testing/synctest, with goroutines outside of it in some.

// GenerateBubbles is Generate for a test with a bubble.
func GenerateBubbles(seed uint64, size int) *Program {
	p := &Program{Seed: seed, Size: size, Bubble: true}
	g := newGenerator(rand.New(rand.NewPCG(seed, 6<<40|uint64(size))))
	g.themes = []theme{themeBubble}
	for range 2 {
		g.themes = append(g.themes, pick(g, themeTime, themeChans, themeSelects, themeGroups, themeMemory, themeCond, themeLocks, themeAtomics, themeContext, themeOnce))
	}
	g.chans = []object{pick(g, object("c"), "d", "e")}
	if g.one(2) {
		g.chans = append(g.chans, pick(g, object("c"), "d"))
	}
	p.Body = g.starter(size)
	if g.one(3) {
		p.Outside = outside(g, 1+g.r.IntN(2))
		for range 1 + g.r.IntN(2) {
			p.Body = append(p.Body, outer(g))
		}
	}
	walk(p.Body, func(s *Stmt) {
		if s.Starts > 0 {
			fewerWaits(g, s.Bodies[0])
		}
	})
	p.Notes = notesOf(p)
	return p
}

// fewerWaits takes most calls of Wait out of what a goroutine does: of two who wait at once one panics.
func fewerWaits(g *generator, body []*Stmt) {
	walk(body, func(s *Stmt) {
		if s.Text[0] == "synctest.Wait()" && !g.one(5) {
			*s = *stmt("time.Sleep(time.Millisecond)", "time")
		}
	})
}

// bubble draws what has to do with the bubble's rest and its clock.
func bubble(g *generator) *Stmt {
	switch g.r.IntN(12) {
	case 0, 1, 2, 3:
		return stmt("synctest.Wait()")
	case 4, 5:
		return stmt(fmt.Sprintf("time.Sleep(%d * time.Millisecond)", g.k()), "time")
	case 6:
		return stmt("v = int(time.Since(began) / time.Millisecond)\na.Add(int32(v))", "began", "a")
	case 7:
		return &Stmt{Text: []string{fmt.Sprintf("if time.Since(began) >= %d*time.Millisecond {", g.k()), "}"}, Bodies: [][]*Stmt{g.inner(2)}, Needs: []object{"began"}}
	case 8:
		return stmt("<-time.After(0)\nl.r(14)", "time")
	case 9:
		return stmt("v = bit(tm.Reset(0))\nl.r(v)", "tm")
	case 10:
		if g.noGo == 0 && g.next < 6 {
			n := g.number()
			return &Stmt{Text: []string{fmt.Sprintf("time.AfterFunc(%d*time.Millisecond, func() {\nl, v := begin(%d), 0\ndefer l.end()", g.r.IntN(3), n), "_ = v\n})"},
				Bodies: [][]*Stmt{g.inner(1)}, Needs: []object{"time"}}
		}
	}
	return g.time()
}

// outer draws what goroutines on both sides of the border do.
func outer(g *generator) *Stmt {
	switch g.r.IntN(8) {
	case 0:
		return stmt(fmt.Sprintf("oc <- %d", g.k()), "oc")
	case 1:
		return stmt("v = <-oc\nl.r(v)", "oc")
	case 2:
		return stmt("select {\ncase v = <-oc:\nl.r(v)\ndefault:\nl.r(21)\n}", "oc")
	case 3, 4:
		return stmt("v = int(oa.Add(1))\nl.r(v)", "oa")
	case 5:
		return stmt("om.Lock()\nv = int(oa.Load())\nl.r(v)\nom.Unlock()", "om", "oa")
	case 6:
		return stmt("om.Lock()\noa.Add(1)\nom.Unlock()", "om", "oa")
	}
	return stmt("time.Sleep(time.Millisecond)", "time")
}

// outside draws a goroutine outside of the bubble, of n operations.
func outside(g *generator, n int) (body []*Stmt) {
	for range n {
		body = append(body, outer(g))
	}
	return []*Stmt{{Text: []string{"go GO{", "}GO"}, Starts: g.number(), Bodies: [][]*Stmt{body}, Needs: g.paramNeeds()}}
}

// bubbleFunc writes a program with a bubble as a function, not formatted.
func (p *Program) bubbleFunc(name string) string {
	w := &writer{}
	begin, bubble := "(t *testing.T) {", "synctest.Test(t, func(t *testing.T) {"
	if p.Seed%4 > 0 { // without what package testing does it is small
		begin, bubble = "() {", "inBubble(func() {"
	}
	w.line("func " + name + begin)
	w.line("l, v := begin(7), 0\n_, _ = l, v")
	used := uses(p.Body)
	for o := range uses(p.Outside) {
		used[o] = true
	}
	declare := func(outer bool) {
		for _, o := range objects {
			if used[o.name] && o.decl != "" && outerObjects[o.name] == outer {
				w.line(o.decl)
				if o.name == "ctx" || o.name == "dctx" {
					w.line(fmt.Sprintf("_, _ = %s, %scancel", o.name, o.name[:len(o.name)-3]))
				} else {
					w.line(fmt.Sprintf("_ = &%s", o.name))
				}
			}
		}
	}
	declare(true)
	w.body(p.Outside)
	w.line(bubble + "\nl, v := begin(0), 0\ndefer l.end()")
	declare(false)
	w.body(p.Body)
	w.line("_ = v\n})\n}")
	return w.b.String()
}

// outerObjects are those that goroutines on both sides of the border use.
var outerObjects = map[object]bool{"oc": true, "oa": true, "om": true}
