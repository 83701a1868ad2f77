package progen

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// This file draws races that lie behind what goroutines observe of each other: len of a channel, a default that is
// taken, a TryLock that fails, an Unlock that could have failed, the number of goroutines (docs/races.md has the list).
// Such an observation tells that another has come so far, and orders nothing. Beside them are near misses: observations
// that tell as much and do order.

// GenerateObserved is Generate for a program of plain accesses, observations, and what they observe.
func GenerateObserved(seed uint64, size int) *Program {
	p := &Program{Seed: seed, Size: size}
	g := newGenerator(rand.New(rand.NewPCG(seed, 4<<40|uint64(size))))
	g.themes = []theme{themeObserved}
	if g.one(3) {
		g.themes = []theme{themeObserved, themeObserved, themeObserved, pick(g, themeChans, themeLocks, themeRWLocks, themeGroups, themeSelects, themeOnce, themeCond)}
	}
	g.chans = []object{pick(g, object("d"), "d", "e", "c")}
	g.observed = []object{observable(g)}
	if g.one(2) {
		g.observed = append(g.observed, observable(g))
	}
	p.Body = g.starter(size / 2)
	gate(g, plant(g, &p.Body, pick(g, 1, 1, 2)))
	p.Notes = notesOf(p)
	return p
}

// plant puts a chain into a body and the goroutines that it starts. One makes an access and a change, the next observes
// the change and makes an access and another change, and so on. It returns the bodies.
func plant(g *generator, body *[]*Stmt, hops int) []*[]*Stmt {
	bodies := []*[]*Stmt{body}
	for _, s := range *body {
		if s.Starts > 0 {
			bodies = append(bodies, &s.Bodies[0])
		}
	}
	x := plainly(g)
	at := g.r.IntN(len(bodies))
	var link *Stmt // what observes the last change; its end is where the next access stands
	for i := range hops {
		o := pick(g, g.observed...)
		if o == "chan" {
			o = g.chanName()
		}
		fit := pick(g, fitting[o]...)
		change := stmt(x.Text[0]+"\n"+fit[0], append([]object{o}, x.Needs...)...)
		if link == nil {
			insert(g, bodies[at], change)
		} else {
			link.Bodies[0] = append(link.Bodies[0], change)
		}
		if at = (at + 1) % len(bodies); i < hops-1 && g.one(2) {
			x = plainly(g)
		}
		link = &Stmt{Text: []string{fit[1], fit[2]}, Bodies: [][]*Stmt{nil}, Needs: []object{o}}
		insert(g, bodies[at], link)
	}
	link.Bodies[0] = append(link.Bodies[0], stmt(fmt.Sprintf("%s = 3", x.Needs[0]), x.Needs...))
	return bodies
}

// gate has some programs make accesses in the function of a Once, and behind it. Some Onces are overwritten.
func gate(g *generator, bodies []*[]*Stmt) {
	reset := stmt("mu.Lock()\nonce = sync.Once{}\nmu.Unlock()", "once", "mu")
	for range pick(g, 0, 0, 2, 3) {
		do := &Stmt{Text: []string{"once.Do(func() {", "})"}, Bodies: [][]*Stmt{{plainly(g)}}, Needs: []object{"once"}}
		insert(g, bodies[g.r.IntN(len(bodies))], pick(g, do, do, do, do, do, reset))
	}
}

// insert puts a statement somewhere into a body, behind the goroutines that it starts.
func insert(g *generator, body *[]*Stmt, s *Stmt) {
	first := 0
	for i, t := range *body {
		if t.Starts > 0 || slices.Contains(t.Needs, "join") {
			first = i + 1
		}
	}
	if first == len(*body) && first > 0 && slices.Contains((*body)[first-1].Needs, "join") {
		first-- // before the starter waits for the others
	}
	i := first + g.r.IntN(len(*body)-first+1)
	*body = slices.Insert(*body, i, s)
}

// fitting has, by object, changes and what tells of them.
var fitting = map[object][][3]string{
	"a":     {{"a.Add(1)", "if a.Load() > 0 {", "}"}, {"a.Add(1)", "if !a.CompareAndSwap(0, 1) {", "}"}},
	"sm":    {{"sm.Store(1, 2)", "if pair(sm.Load(1)) > 0 {", "}"}},
	"mu":    {{"mu.Lock()", "if !mu.TryLock() {", "}"}, {"mu.Lock()", "mu.Unlock()", ""}, {"mu.Lock()\nmu.Unlock()", "if !mu.TryLock() {", "}"}},
	"rw":    {{"rw.Lock()", "if !rw.TryRLock() {", "}"}, {"rw.RLock()", "if !rw.TryLock() {", "}"}, {"rw.Lock()", "rw.Unlock()", ""}, {"rw.RLock()", "rw.RUnlock()", ""}},
	"count": {{"if v == 0 {\nreturn\n}", "if runtime.NumGoroutine() == 2 {", "}"}, {"runtime.Goexit()", "if runtime.NumGoroutine() == 3 {", "}"}},
	"wg":    {{"wg.Add(1)", "wg.Done()", ""}, {"wg.Done()", recovering("wg.Done()")[0], recovering("wg.Done()")[1]}},
	"cond":  {{"cond.Signal()", "mu.Lock()\ncond.Wait()\nmu.Unlock()", ""}},
	"c":     {{"close(c)", recovering("close(c)")[0], recovering("close(c)")[1]}, {"close(c)", "select {\ncase <-c:", "default:\n}"}},
	"d":     {{"d <- 1", "if len(d) > 0 {", "}"}, {"d <- 1", "select {\ncase d <- 1:\ndefault:", "}"}, {"close(d)", recovering("d <- 1")[0], recovering("d <- 1")[1]}},
	"e":     {{"e <- 1", "if len(e) > 0 {", "}"}, {"e <- 1\n<-e", "e <- 2\nif <-e == 2 {", "}"}, {"close(e)", recovering("close(e)")[0], recovering("close(e)")[1]}},
}

// observable draws an object that goroutines look at. "count" is their number, "a" and "sm" are near misses.
func observable(g *generator) object {
	return pick(g, object("chan"), "chan", "chan", "mu", "mu", "rw", "rw", "count", "wg", "cond", "a", "sm")
}

// observe draws what others can observe, behind a plain access; or a look at it, with a plain access behind that.
func observe(g *generator) *Stmt {
	o := pick(g, g.observed...)
	if o == "chan" {
		o = g.chanName()
	}
	switch g.r.IntN(8) {
	case 0:
		return plainly(g)
	case 1, 2, 3:
		s := change(g, o)
		if !g.one(4) {
			a := plainly(g)
			s.Text[0] = a.Text[0] + "\n" + s.Text[0]
			s.Needs = append(s.Needs, a.Needs...)
		}
		return s
	}
	return look(g, o)
}

// plainly draws a plain access: of few variables, so that they conflict.
func plainly(g *generator) *Stmt {
	x := pick(g, object("x"), "x", "x", "y")
	switch g.r.IntN(5) {
	case 0, 1, 2:
		return stmt(fmt.Sprintf("%s = %d", x, g.k()), x)
	case 3:
		return stmt(fmt.Sprintf("v = %s\nl.r(v)", x), x)
	}
	return stmt(fmt.Sprintf("%s++", x), x)
}

// change draws an operation on an object that others can observe.
func change(g *generator, o object) *Stmt {
	texts := []string{"a.Add(1)"}
	switch o {
	case "mu":
		texts = []string{"mu.Lock()", "mu.Lock()", "mu.Unlock()", "mu.Lock()\nmu.Unlock()"}
	case "rw":
		texts = []string{"rw.Lock()", "rw.RLock()", "rw.RLock()", "rw.Unlock()", "rw.RUnlock()", "rw.Lock()\nrw.Unlock()", "rw.RLock()\nrw.RUnlock()"}
	case "count":
		texts = []string{"return", "runtime.Gosched()"}
	case "wg":
		texts = []string{"wg.Add(1)", "wg.Add(1)", "wg.Done()", "wg.Wait()"}
	case "cond":
		texts = []string{"cond.Signal()", "cond.Signal()", "cond.Broadcast()", "mu.Lock()\ncond.Wait()\nmu.Unlock()"}
	case "sm":
		texts = []string{"sm.Store(1, 2)", "sm.Delete(1)"}
	case "c", "d", "e":
		texts = []string{"CH <- 1", "CH <- 2", "v = <-CH\nl.r(v)", "<-CH", "close(CH)"}
	}
	text := pick(g, texts...)
	if text == "return" {
		text = "if v == 0 {\nreturn\n}"
	}
	return stmt(strings.ReplaceAll(text, "CH", string(o)), o)
}

// look draws an operation that tells what others have done to an object, and a plain access behind it.
func look(g *generator, o object) *Stmt {
	looks := [][2]string{{"if a.Load() > 0 {", "}"}, {"if !a.CompareAndSwap(0, 1) {", "}"}}
	switch o {
	case "mu":
		looks = [][2]string{{"mu.Lock()", "mu.Unlock()"}, {"mu.Unlock()", ""}, {"if mu.TryLock() {", "mu.Unlock()\n}"}, {"if mu.TryLock() {\nmu.Unlock()\n} else {", "}"}, {"if !mu.TryLock() {", "}"}}
	case "rw":
		looks = [][2]string{{"rw.Lock()", "rw.Unlock()"}, {"rw.RLock()", "rw.RUnlock()"}, {"rw.RUnlock()", ""}, {"rw.Unlock()", ""},
			{"if !rw.TryLock() {", "}"}, {"if rw.TryRLock() {\nrw.RUnlock()\n} else {", "}"}, {"if !rw.TryRLock() {", "}"}}
	case "count":
		looks = [][2]string{{fmt.Sprintf("if runtime.NumGoroutine() == %d {", 2+g.r.IntN(3)), "}"}, {fmt.Sprintf("if runtime.NumGoroutine() < %d {", 2+g.r.IntN(3)), "}"}}
	case "wg":
		looks = [][2]string{{"wg.Done()", ""}, {"wg.Wait()", ""}, recovering("wg.Done()"), {"wg.Add(-1)", ""}}
	case "cond":
		looks = [][2]string{{"mu.Lock()\ncond.Wait()", "mu.Unlock()"}, {"mu.Lock()\ncond.Wait()\nmu.Unlock()", ""}}
	case "sm":
		looks = [][2]string{{"if pair(sm.Load(1)) > 0 {", "}"}, {"if pair(sm.LoadOrStore(1, 1))%2 == 1 {", "}"}}
	case "c", "d", "e":
		looks = [][2]string{{"if len(CH) > 0 {", "}"}, {"if len(CH) == 0 {", "}"}, {"if len(CH) < cap(CH) {", "}"}, {"select {\ncase CH <- 1:\ndefault:", "}"}, {"select {\ncase <-CH:\ndefault:", "}"},
			{"select {\ncase v = <-CH:\nl.r(v)", "default:\n}"}, {"if <-CH == 1 {", "}"}, {"<-CH", ""}, recovering("close(CH)"), recovering("CH <- 1")}
	}
	l := pick(g, looks...)
	body := append([]*Stmt{plainly(g)}, g.inner(1)...)
	if g.one(8) {
		body = body[1:]
	}
	return &Stmt{Text: []string{strings.ReplaceAll(l[0], "CH", string(o)), strings.ReplaceAll(l[1], "CH", string(o))}, Bodies: [][]*Stmt{body}, Needs: []object{o}}
}

// recovering is a look by what panics if another has come first.
func recovering(text string) [2]string {
	return [2]string{"func() {\ndefer func() {\nif recover() == nil {\nreturn\n}", "}()\n" + text + "\n}()"}
}
