package progen

import (
	"math/rand/v2"
	"strings"

	"github.com/heddle-go/heddle/analysistest/progen/prelude"
)

// GenerateCounters is Generate for a program with counters that mostly nobody acts upon, and near misses.
func GenerateCounters(seed uint64, size int) *Program {
	p := &Program{Seed: seed, Size: size}
	g := newGenerator(rand.New(rand.NewPCG(seed, 9<<40|uint64(size))))
	g.themes = []theme{themeCounters, themeCounters, pick(g, themeCounters, themeMemory, themeAtomics, themeLocks, themeChans)}
	g.chans = []object{pick(g, object("d"), "e")}
	p.Body = g.starter(size)
	p.Notes = notesOf(p)
	return p
}

// counters draws an operation on counters: two of three only count.
func counters(g *generator) *Stmt {
	from := prelude.Counting
	if g.one(3) {
		from = prelude.Acting
	}
	t := pick(g, from...)
	s := stmt(strings.NewReplacer("$", pick(g, "cnt.hits", "cnt.seq"), "#", pick(g, "cnt.hits", "cnt.seq")).Replace(t.Text), "cnt").scoped()
	for _, o := range t.Uses {
		s.Needs = append(s.Needs, object(o))
	}
	if t.Plain {
		return g.guarded(s)
	}
	return s
}
