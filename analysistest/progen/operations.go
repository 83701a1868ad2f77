package progen

import (
	"fmt"
	"strings"
)

// This file draws operations, by theme.

func (g *generator) operation(t theme) *Stmt {
	if t >= themeTesting {
		return g.api(t)
	}
	switch t {
	case themeMemory:
		return g.guarded(g.memory())
	case themeAtomics:
		return g.atomics()
	case themeLocks:
		return g.locks()
	case themeRWLocks:
		return g.rwLocks()
	case themeChans:
		return g.channels()
	case themeSelects:
		return g.selects()
	case themeGroups:
		return g.groups()
	case themeOnce:
		return g.once()
	case themeCond:
		return g.cond()
	case themePool:
		return pick(g,
			stmt(fmt.Sprintf("pool.Put(%d)", g.k()), "pool"),
			stmt("v = number(pool.Get())\nl.r(v)", "pool"))
	case themeSyncMap:
		return g.syncMap()
	case themeContext:
		return g.context()
	case themeErrgroup:
		return g.errgroup()
	case themeMaps:
		return g.guarded(g.maps())
	case themeContents:
		return g.contents()
	case themeOthers:
		return g.others()
	case themeBubble:
		return bubble(g)
	case themeSockets:
		return sockets(g)
	case themeSleeps:
		return sleeps(g)
	case themeCopies:
		return g.copies()
	case themeObserved:
		return observe(g)
	case themeFlows:
		return g.guarded(g.flows())
	case themeCounters:
		return counters(g)
	case themeDependence:
		return g.guarded(g.dependence())
	}
	return g.time()
}

// contents draws operations on strings, values in interfaces and method values that depend on what was read before: one
// address, and different contents behind it.
func (g *generator) contents() *Stmt {
	k := 1000 + g.r.IntN(2)
	read := func(condition string, o object) *Stmt {
		return stmt("v = bit("+condition+")\na.Store(int32(v))", o, "a")
	}
	switch g.r.IntN(14) {
	case 0, 1:
		return stmt("v = int(a.Load())\nl.r(v)", "a")
	case 2:
		return stmt(fmt.Sprintf("a.Store(%d)", g.k()), "a")
	case 3:
		return stmt("v = int(a.Add(1))\nl.r(v)", "a")
	case 4:
		return g.guarded(stmt("str = tag(v)", "str"))
	case 5:
		return g.guarded(read(fmt.Sprintf("str == \"t%d\"", k), "str"))
	case 6:
		return g.guarded(stmt("box = v + 1000", "box"))
	case 7:
		return g.guarded(read(fmt.Sprintf("box == any(%d)", k), "box"))
	case 8:
		return stmt("av.Store(v + 1000)", "av")
	case 9:
		return read(fmt.Sprintf("av.Load() == any(%d)", k), "av")
	case 10:
		return read(fmt.Sprintf("av.CompareAndSwap(%d, v+1000)", k), "av")
	case 11:
		return stmt("sc <- tag(v)", "sc")
	case 12:
		return read(fmt.Sprintf("<-sc == \"t%d\"", k), "sc")
	}
	if g.one(2) {
		return g.guarded(stmt("fn = value(v).get", "fn"))
	}
	return g.guarded(stmt("v = fn()\na.Store(int32(v))", "fn", "a"))
}

// memory draws accesses to plain memory.
func (g *generator) memory() *Stmt {
	x := pick(g, object("x"), "x", "y")
	switch g.r.IntN(11) {
	case 0, 1:
		return stmt(fmt.Sprintf("%s = %d", x, g.k()), x)
	case 2, 3, 4:
		return stmt(fmt.Sprintf("v = %s\nl.r(v)", x), x)
	case 5:
		return stmt(string(x)+"++", x)
	case 6:
		return stmt(fmt.Sprintf("%s = v + 1", x), x)
	case 7:
		return stmt(fmt.Sprintf("p.%s = %d", pick(g, "a", "b"), g.k()), "p")
	case 8:
		return stmt("q := p\nv = q.a + q.b\nl.r(v)", "p").scoped()
	case 9:
		return stmt("s = append(s, 1)", "s")
	}
	return stmt("v = len(s)\nl.r(v)", "s")
}

// maps draws operations on a map.
func (g *generator) maps() *Stmt {
	switch g.r.IntN(6) {
	case 0, 1:
		return stmt(fmt.Sprintf("m[%d] = %d", g.k(), g.k()), "m")
	case 2, 3:
		return stmt(fmt.Sprintf("v = m[%d]\nl.r(v)", g.k()), "m")
	case 4:
		return stmt(fmt.Sprintf("delete(m, %d)", g.k()), "m")
	}
	return stmt("v = len(m)\nl.r(v)", "m")
}

// guarded puts an access to plain memory under a lock, if the program is to be free of races.
func (g *generator) guarded(s *Stmt) *Stmt {
	switch {
	case !g.ordered:
		return s
	case g.clockOnly: // a channel of one element is a lock that the clock understands
		return &Stmt{Text: []string{"e <- 0", "<-e"}, Bodies: [][]*Stmt{{s}}, Needs: []object{"e"}}
	case g.has(themeRWLocks):
		if strings.HasPrefix(s.Text[0], "v = ") {
			return &Stmt{Text: []string{"rw.RLock()", "rw.RUnlock()"}, Bodies: [][]*Stmt{{s}}, Needs: []object{"rw"}}
		}
		return &Stmt{Text: []string{"rw.Lock()", "rw.Unlock()"}, Bodies: [][]*Stmt{{s}}, Needs: []object{"rw"}}
	}
	return &Stmt{Text: []string{"mu.Lock()", "mu.Unlock()"}, Bodies: [][]*Stmt{{s}}, Needs: []object{"mu"}}
}

func (g *generator) atomics() *Stmt {
	k, j := g.k(), g.r.IntN(3)
	read := func(e string, o object) *Stmt { return stmt("v = "+e+"\nl.r(v)", o) }
	switch g.r.IntN(24) {
	case 0, 1:
		return stmt(fmt.Sprintf("a.Store(%d)", k), "a")
	case 2, 3, 4:
		return read("int(a.Load())", "a")
	case 5, 6:
		return read("int(a.Add(1))", "a")
	case 7:
		return read(fmt.Sprintf("int(a.Swap(%d))", k), "a")
	case 8, 9:
		return read(fmt.Sprintf("bit(a.CompareAndSwap(%d, %d))", j, k), "a")
	case 10:
		return read(fmt.Sprintf("int(a.And(%d))", k), "a")
	case 11:
		return read(fmt.Sprintf("int(a.Or(%d))", k), "a")
	case 12:
		return read("int(atomic.AddInt64(&n, -1))", "n")
	case 13:
		return read("int(atomic.LoadInt64(&n))", "n")
	case 14:
		return stmt(fmt.Sprintf("atomic.StoreInt64(&n, %d)", k), "n")
	case 15:
		return read(fmt.Sprintf("bit(atomic.CompareAndSwapInt64(&n, %d, %d))", j, k), "n")
	case 16:
		return stmt(fmt.Sprintf("av.Store(%d)", k), "av")
	case 17:
		return read("number(av.Load())", "av")
	case 18:
		return read(fmt.Sprintf("number(av.Swap(%d))", k), "av")
	case 19:
		return read(fmt.Sprintf("bit(av.CompareAndSwap(%d, %d))", 1, 2), "av")
	case 20:
		return stmt(fmt.Sprintf("ap.Store(ptr(%d))", k), "ap")
	case 21:
		return read("deref(ap.Load())", "ap")
	case 22:
		return read(fmt.Sprintf("bit(ap.CompareAndSwap(nil, ptr(%d)))", k), "ap")
	}
	return read("bit(ab.CompareAndSwap(false, true))", "ab")
}

func (g *generator) locks() *Stmt {
	mu := pick(g, object("mu"), "mu", "mv")
	name := string(mu)
	need := []object{mu}
	switch g.r.IntN(16) {
	case 0: // kept
		return stmt(name+".Lock()", mu)
	case 1:
		return stmt(fmt.Sprintf("%s.Lock()\ndefer %s.Unlock()", name, name), mu)
	case 2, 3, 4:
		return &Stmt{Text: []string{"if " + name + ".TryLock() {\nl.r(1)", name + ".Unlock()\n} else {\nl.r(0)\n}"}, Bodies: [][]*Stmt{g.critical()}, Needs: need}
	case 5:
		if g.one(3) {
			return stmt(name+".Unlock()", mu) // fatal, if nobody holds it
		}
	}
	return &Stmt{Text: []string{name + ".Lock()", name + ".Unlock()"}, Bodies: [][]*Stmt{g.critical()}, Needs: need}
}

// critical draws the inside of a critical section: often an access that the lock protects.
func (g *generator) critical() []*Stmt {
	b := g.inner(2)
	if g.one(2) && g.left > 0 {
		g.left--
		s := g.memory()
		if g.ordered { // only mu protects memory
			s = pick(g, stmt("l.r(3)"), stmt("v = int(a.Add(1))\nl.r(v)", "a"))
		}
		b = append(b, s)
	}
	return b
}

func (g *generator) rwLocks() *Stmt {
	need := []object{"rw"}
	switch g.r.IntN(16) {
	case 0:
		return stmt("rw.RLock()", "rw")
	case 1:
		return stmt("rw.Lock()\ndefer rw.Unlock()", "rw")
	case 2:
		return stmt("rw.RLock()\ndefer rw.RUnlock()", "rw")
	case 3, 4:
		return &Stmt{Text: []string{"if rw.TryLock() {\nl.r(1)", "rw.Unlock()\n} else {\nl.r(0)\n}"}, Bodies: [][]*Stmt{g.critical()}, Needs: need}
	case 5, 6:
		return &Stmt{Text: []string{"if rw.TryRLock() {\nl.r(1)", "rw.RUnlock()\n} else {\nl.r(0)\n}"}, Bodies: [][]*Stmt{g.critical()}, Needs: need}
	case 7:
		if g.one(4) {
			return stmt(pick(g, "rw.Unlock()", "rw.RUnlock()"), "rw") // fatal, if nobody holds it
		}
	case 8:
		return &Stmt{Text: []string{"rw.RLocker().Lock()", "rw.RLocker().Unlock()"}, Bodies: [][]*Stmt{g.critical()}, Needs: need}
	case 9, 10, 11:
		return &Stmt{Text: []string{"rw.Lock()", "rw.Unlock()"}, Bodies: [][]*Stmt{g.critical()}, Needs: need}
	}
	return &Stmt{Text: []string{"rw.RLock()", "rw.RUnlock()"}, Bodies: [][]*Stmt{g.critical()}, Needs: need}
}

func (g *generator) chanName() object { return pick(g, g.chans...) }

func (g *generator) channels() *Stmt {
	c := g.chanName()
	if g.one(30) {
		c = "nc"
	}
	switch g.r.IntN(15) {
	case 0, 1, 2, 3:
		return stmt(fmt.Sprintf("%s <- %d", c, g.k()), c)
	case 4, 5, 6:
		return stmt(fmt.Sprintf("v = <-%s\nl.r(v)", c), c)
	case 7:
		return stmt(fmt.Sprintf("w%[2]d, ok := <-%[1]s\nv = w%[2]d\nl.r(v*2 + bit(ok))", c, g.variable()), c).scoped()
	case 8, 13:
		return stmt(fmt.Sprintf("close(%s)", c), c)
	case 9:
		return stmt(fmt.Sprintf("v = len(%s)\nl.r(v)", c), c)
	case 10:
		return stmt(fmt.Sprintf("v = cap(%s) - len(%s)\nl.r(v)", c, c), c)
	case 11:
		return &Stmt{Text: []string{fmt.Sprintf("for v = range %s {\nl.r(v)", c), "}"}, Bodies: [][]*Stmt{g.nested(func() []*Stmt { return g.inner(1) })}, Needs: []object{c}}
	case 12:
		return stmt(fmt.Sprintf("defer close(%s)", c), c)
	}
	return g.selects()
}

// scoped puts declarations into a block of their own.
func (s *Stmt) scoped() *Stmt {
	s.Text[0] = "{\n" + s.Text[0] + "\n}"
	return s
}

func (g *generator) selects() *Stmt {
	s := &Stmt{}
	text := "select {"
	for range 1 + g.r.IntN(2) {
		c := g.chanName()
		if g.one(30) {
			c = "nc"
		}
		switch {
		case g.has(themeContext) && g.one(4):
			s.Needs = append(s.Needs, "ctx")
			text += "\ncase <-ctx.Done():\nl.r(10)"
		case g.has(themeTime) && g.one(2):
			switch g.r.IntN(4) {
			case 0:
				s.Needs = append(s.Needs, "tm")
				text += "\ncase <-tm.C:\nl.r(11)"
			case 1:
				s.Needs = append(s.Needs, "dctx")
				text += "\ncase <-dctx.Done():\nl.r(12)"
			default:
				s.Needs = append(s.Needs, "time")
				text += fmt.Sprintf("\ncase <-time.After(%d * time.Millisecond):\nl.r(13)", g.k())
			}
		case g.one(2):
			s.Needs = append(s.Needs, c)
			text += fmt.Sprintf("\ncase v = <-%s:\nl.r(v)", c)
		default:
			s.Needs = append(s.Needs, c)
			text += fmt.Sprintf("\ncase %s <- %d:\nl.r(20)", c, g.k())
		}
		s.Text = append(s.Text, text)
		s.Bodies = append(s.Bodies, g.inner(1))
		text = ""
	}
	if g.one(3) {
		text += "\ndefault:\nl.r(21)"
	}
	s.Text = append(s.Text, strings.TrimPrefix(text+"\n}", "\n"))
	for i, t := range s.Text {
		s.Text[i] = strings.TrimPrefix(t, "\n")
	}
	return s
}

func (g *generator) groups() *Stmt {
	switch g.r.IntN(9) {
	case 0, 1:
		return stmt("wg.Add(1)", "wg")
	case 2, 3:
		return stmt("wg.Done()", "wg")
	case 4, 5:
		return stmt("wg.Wait()", "wg")
	case 6:
		return &Stmt{Text: []string{"wg.Add(1)", "wg.Done()"}, Bodies: [][]*Stmt{g.inner(1)}, Needs: []object{"wg"}}
	}
	if g.noGo > 0 || g.next >= 6 {
		return stmt("wg.Wait()", "wg")
	}
	n := g.number()
	return &Stmt{Text: []string{fmt.Sprintf("wg.Go(func() {\nl, v := begin(%d), 0\ndefer l.end()", n), "_ = v\n})"}, Bodies: [][]*Stmt{g.inner(2)}, Needs: []object{"wg"}}
}

func (g *generator) once() *Stmt {
	switch g.r.IntN(6) {
	case 0, 1:
		return stmt("onceF()\nl.r(z)", "onceF")
	case 2, 3:
		return stmt("v = onceV()\nl.r(v)", "onceV")
	}
	return &Stmt{Text: []string{"once.Do(func() {\nl.r(5)", "})"}, Bodies: [][]*Stmt{g.inner(2)}, Needs: []object{"once"}}
}

func (g *generator) cond() *Stmt {
	switch g.r.IntN(7) {
	case 0:
		return stmt("mu.Lock()\ncond.Wait()\nl.r(6)\nmu.Unlock()", "cond")
	case 1, 2:
		return stmt("mu.Lock()\nfor x == 0 {\ncond.Wait()\n}\nl.r(x)\nmu.Unlock()", "cond", "x")
	case 3, 4:
		return stmt(fmt.Sprintf("mu.Lock()\nx = %d\nmu.Unlock()\ncond.%s()", g.k(), pick(g, "Signal", "Broadcast")), "cond", "x")
	case 5:
		return stmt("cond.Signal()", "cond")
	}
	return stmt("cond.Broadcast()", "cond")
}

func (g *generator) syncMap() *Stmt {
	k, j := g.k(), pick(g, 1, 1, 2)
	read := func(e string) *Stmt { return stmt("v = "+e+"\nl.r(v)", "sm") }
	switch g.r.IntN(12) {
	case 0, 1:
		return stmt(fmt.Sprintf("sm.Store(%d, %d)", j, k), "sm")
	case 2, 3:
		return read(fmt.Sprintf("pair(sm.Load(%d))", j))
	case 4, 5:
		return read(fmt.Sprintf("pair(sm.LoadOrStore(%d, %d))", j, k))
	case 6:
		return read(fmt.Sprintf("pair(sm.LoadAndDelete(%d))", j))
	case 7:
		return read(fmt.Sprintf("pair(sm.Swap(%d, %d))", j, k))
	case 8:
		return read(fmt.Sprintf("bit(sm.CompareAndSwap(%d, 1, 2))", j))
	case 9:
		return stmt(fmt.Sprintf("sm.Delete(%d)", j), "sm")
	case 10:
		return stmt("v = 0\nsm.Range(func(_, w any) bool {\nv += number(w)\nreturn true\n})\nl.r(v)", "sm")
	}
	return stmt("sm.Clear()", "sm")
}

func (g *generator) context() *Stmt {
	ctx, cancel := object("ctx"), object("cancel")
	if g.has(themeTime) && g.one(2) {
		ctx, cancel = "dctx", "dcancel"
	}
	switch g.r.IntN(7) {
	case 0, 1:
		return stmt(string(cancel)+"()", cancel)
	case 2, 3:
		return stmt("<-"+string(ctx)+".Done()", ctx)
	case 4:
		if g.noGo == 0 && g.next < 6 {
			n := g.number()
			return &Stmt{Text: []string{fmt.Sprintf("stop%d := context.AfterFunc(%s, func() {\nl, v := begin(%d), 0\ndefer l.end()", n, ctx, n),
				fmt.Sprintf("_ = v\n})\n_ = stop%d", n), fmt.Sprintf("l.r(bit(stop%d()))", n)}, Bodies: [][]*Stmt{g.inner(1), g.inner(1)}, Needs: []object{ctx}}
		}
	}
	return stmt(fmt.Sprintf("v = errNumber(%s.Err())\nl.r(v)", ctx), ctx)
}

func (g *generator) errgroup() *Stmt {
	if g.one(3) || g.noGo > 0 || g.next >= 6 {
		return stmt("v = errNumber(eg.Wait())\nl.r(v)", "eg")
	}
	n := g.number()
	return &Stmt{Text: []string{fmt.Sprintf("eg.Go(func() (err error) {\nl, v := begin(%d), 0\ndefer l.end()\nerr = errs[%d]", n, g.r.IntN(3)), "_ = v\nreturn\n})"},
		Bodies: [][]*Stmt{g.inner(2)}, Needs: []object{"eg"}}
}

func (g *generator) time() *Stmt {
	d := g.k()
	switch g.r.IntN(11) {
	case 0, 1:
		return stmt(fmt.Sprintf("time.Sleep(%d * time.Millisecond)", d), "time")
	case 2:
		return stmt("v = bit(tm.Stop())\nl.r(v)", "tm")
	case 3:
		return stmt(fmt.Sprintf("v = bit(tm.Reset(%d * time.Millisecond))\nl.r(v)", d), "tm")
	case 4:
		return stmt("<-tm.C\nl.r(9)", "tm")
	case 5:
		return stmt("<-tk.C\nl.r(7)", "tk")
	case 6:
		return stmt(fmt.Sprintf("tk.Reset(%d * time.Millisecond)", d), "tk")
	case 7, 8:
		if g.noGo == 0 && g.next < 6 {
			n := g.number()
			return &Stmt{Text: []string{fmt.Sprintf("f%d := time.AfterFunc(%d*time.Millisecond, func() {\nl, v := begin(%d), 0\ndefer l.end()", n, d, n),
				fmt.Sprintf("_ = v\n})\n_ = f%d", n), fmt.Sprintf("l.r(bit(f%d.Stop()))", n)}, Bodies: [][]*Stmt{g.inner(1), g.inner(1)}, Needs: []object{"time"}}
		}
	}
	return g.selects()
}
