package progen

import (
	"fmt"
	"math/rand/v2"
)

// This file draws programs with goroutines that go round: for ever, or until another one has done something. They
// sleep in each round, or wait for a ticker. Most of what they do repeats itself.

// GenerateRounds is Generate for a program with one or two goroutines that go round.
func GenerateRounds(seed uint64, size int) *Program {
	p := &Program{Seed: seed, Size: size}
	g := newGenerator(rand.New(rand.NewPCG(seed, 7<<40|uint64(size))))
	for range 2 {
		g.themes = append(g.themes, pick(g, themeChans, themeSelects, themeGroups, themeMemory, themeCond, themeLocks, themeAtomics, themeOnce))
	}
	g.chans = []object{pick(g, object("c"), "d", "e")}
	p.Body = g.starter(size / 2)
	rounds := []*Stmt{goesRound(g)}
	if g.one(3) {
		rounds = append(rounds, goesRound(g))
	}
	p.Body = append(rounds, p.Body...)
	if g.one(2) { // somebody does late what is polled for
		late := stmt(fmt.Sprintf("time.Sleep(%d * time.Millisecond)\n%s", 3+g.r.IntN(12), pick(g, "a.Store(1)", "x = 1", "x = 1")), "time", "a", "mu", "x")
		p.Body = append(p.Body, &Stmt{Text: []string{"go GO{", "}GO"}, Starts: g.number(), Bodies: [][]*Stmt{{late}}, Needs: g.paramNeeds()})
	}
	p.Notes = notesOf(p)
	return p
}

// goesRound draws a goroutine that goes round.
func goesRound(g *generator) *Stmt {
	d := 1 + g.r.IntN(4)
	wait := fmt.Sprintf("time.Sleep(%d * time.Millisecond)", d)
	first := ""
	if g.one(3) {
		n := g.next
		first, wait = fmt.Sprintf("k%d := time.NewTicker(%d * time.Millisecond)\n", n, d), fmt.Sprintf("<-k%d.C", n)
	}
	until := pick(g, "false", "false", "a.Load() > 0", "bit(x == 1) > 0", "a.CompareAndSwap(1, 0)")
	does := pick(g, "", "", "mu.Lock()\nmu.Unlock()", "mu.Lock()\ny = 0\nmu.Unlock()", "y = 0", "a.Store(0)",
		"select {\ncase v = <-d:\ndefault:\n}", "if mu.TryLock() {\nmu.Unlock()\n}", "v = 0")
	if g.one(2) {
		does = makesAnew(g, does)
	}
	text := fmt.Sprintf("%sfor !(%s) {\n%s\n%s\n}", first, until, does, wait)
	body := []*Stmt{stmt(text, "time", "a", "mu", "x", "y", "d", "ap")}
	if g.one(2) {
		body = append(body, g.inner(1)...)
	}
	return &Stmt{Text: []string{"go GO{", "}GO"}, Starts: g.number(), Bodies: [][]*Stmt{body}, Needs: g.paramNeeds()}
}

// makesAnew draws what a round makes for itself, around what it does besides, and what it keeps of that: nothing, a
// value, an address as a number or in an order. Or it leaves a lock locked, a channel filled, or something with others,
// and so keeps the address: that it does in its first round alone.
func makesAnew(g *generator, does string) string {
	around := pick(g, [2]string{"b := []int{v, 1}", "v = b[0]"}, [2]string{"f := func() int { return v + 1 }", "v = f() & 1"}, [2]string{"p := new(int)\n*p = v", "v = int(uintptr(unsafe.Pointer(p))>>16+uintptr(*p)) & 1"},
		[2]string{"p, q := new(int), new(int)\np, q = q, p", "v = bit(uintptr(unsafe.Pointer(p)) < uintptr(unsafe.Pointer(q)))"},
		[2]string{"b := map[*int]int{new(int): v, new(int): 1}", "for p, n := range b {\nv = (*p + n) & 1\n}"},
		[2]string{"if om := new(sync.Mutex); v < 9 {\nom.Lock()", "v = 9\n}"},
		[2]string{"if oc := make(chan *int, 2); v < 9 {\noc <- new(int)", "v = 9\n}"}, [2]string{"if v < 9 {\nap.Store(new(int))", "v = 9\n}"})
	return around[0] + "\n" + does + "\n" + around[1]
}
