package progen

import (
	"fmt"
	"math/rand/v2"
)

// GenerateSleeps is Generate for a program that knows time by sleeps alone or, each second one, by sleeps and a timer
// that is started before all else (RED24 of package reduce).
func GenerateSleeps(seed uint64, size int) *Program {
	p := &Program{Seed: seed, Size: size, Timed: true}
	for n := uint64(1); !p.Notes.Timed; n++ {
		g := newGenerator(rand.New(rand.NewPCG(seed, 20<<40|n<<32|uint64(size))))
		g.themes = []theme{themeSleeps, themeSleeps, pick(g, themeMemory, themeAtomics, themeLocks, themeChans, themeSelects, themeGroups, themeOnce, themeCond, themeOthers)}
		g.chans = []object{pick(g, object("c"), "d", "e")}
		g.clockOnly, g.timer = g.one(2), seed%2 == 1
		p.Body = g.starter(size)
		p.Notes = notesOf(p)
	}
	return p
}

func sleeps(g *generator) *Stmt {
	switch n := g.r.IntN(7); {
	case n == 0:
		return g.channels()
	case n == 1:
		return g.selects()
	case n == 2 && g.timer:
		return pick(g, stmt("<-tm.C\nl.r(9)", "tm"), stmt("v = bit(tm.Stop())\nl.r(v)", "tm"))
	}
	return stmt(fmt.Sprintf("time.Sleep(%d * time.Millisecond)", 1+g.r.IntN(3)), "time")
}
