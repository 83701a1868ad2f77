package progen

import (
	"fmt"
	"math/rand/v2"

	"github.com/heddle-go/heddle/analysistest/progen/prelude"
)

// A theme is a set of operations that meet on the same objects. A program has one to three.
type theme int

const (
	themeMemory theme = iota
	themeAtomics
	themeLocks
	themeRWLocks
	themeChans
	themeSelects
	themeGroups
	themeOnce
	themeCond
	themePool
	themeSyncMap
	themeContext
	themeErrgroup
	themeMaps
	themeTime
	numThemes
	// themeContents is drawn for each eighth seed.
	themeContents
	// themeFlows is drawn for each sixteenth seed.
	themeFlows
	// themeOthers is drawn for each sixteenth seed.
	themeOthers
	// themeCopies is drawn for each sixteenth seed.
	themeCopies
	// themeObserved is what GenerateObserved draws.
	themeObserved
	// themeDependence is what GenerateFlows draws.
	themeDependence
	// themeCounters is what GenerateCounters draws.
	themeCounters
	// themeBubble is what GenerateBubbles draws.
	themeBubble
	// themeSockets is what GenerateSockets draws.
	themeSockets
	// themeSleeps is what GenerateSleeps draws.
	themeSleeps
)

// Generate draws a program of about size visible operations, beside the start, end and join of its goroutines.
func Generate(seed uint64, size int) *Program {
	r := rand.New(rand.NewPCG(seed, uint64(size)))
	return generate(r, &Program{Seed: seed, Size: size}, false)
}

// GenerateTimed is Generate for a program with timers.
func GenerateTimed(seed uint64, size int) *Program {
	for n := uint64(1); ; n++ {
		r := rand.New(rand.NewPCG(seed, n<<32|uint64(size)))
		if p := generate(r, &Program{Seed: seed, Size: size, Timed: true}, true); p.Notes.Timed {
			return p
		}
	}
}

// GenerateMain is Generate for a test or an example under a TestMain.
func GenerateMain(seed uint64, size int) *Program {
	p := &Program{Seed: seed, Size: size, Main: 1 + int(seed%uint64(len(prelude.Mains))), Timed: seed%4 == 3}
	return generate(rand.New(rand.NewPCG(seed, 10<<40|uint64(size))), p, p.Timed)
}

// GenerateFlows is Generate for a program of branches, loops, calls, closures, phis and indices that depend on what was
// read, on plain memory, atomics and locks. That is what explorers by formulas vary.
func GenerateFlows(seed uint64, size int) *Program {
	p := &Program{Seed: seed, Size: size}
	g := newGenerator(rand.New(rand.NewPCG(seed, 1<<40|uint64(size))))
	g.themes = []theme{themeDependence, themeDependence, pick(g, themeDependence, themeDependence, themeMemory, themeAtomics, themeLocks)}
	g.chans = []object{"d"}
	p.Body = g.starter(size)
	p.Notes = notesOf(p)
	return p
}

func newGenerator(r *rand.Rand) *generator {
	return &generator{draw: draw{r}, names: names{next: 1}, params: r.IntN(4) > 0, ordered: r.IntN(2) == 0}
}

func generate(r *rand.Rand, p *Program, timed bool) *Program {
	g := newGenerator(r)
	for range []int{1, 1, 1, 2, 2, 3}[r.IntN(6)] {
		t := pick(g, theme(r.IntN(int(numThemes))), theme(r.IntN(int(numThemes))), themeChans, themeSelects, themeMemory)
		if t == themeTime && r.IntN(2) == 0 { // a timer gives every order to everything that it races with
			t = themeMemory
		}
		g.themes = append(g.themes, t)
	}
	if timed {
		g.themes = append(g.themes[:1], themeTime)
		if p.Seed%8 == 6 {
			g.themes = append(g.themes, themeOthers)
		}
	} else if p.Seed%8 == 7 {
		g.themes = append(g.themes, themeContents)
	} else if p.Seed%16 == 6 {
		g.themes = append(g.themes, themeFlows, themeFlows)
	} else if p.Seed%16 == 14 {
		g.themes = append(g.themes, themeOthers, themeOthers)
	} else if p.Seed%16 == 5 {
		g.themes = append(g.themes, themeCopies, themeCopies)
	}
	g.chans = []object{pick(g, object("c"), "d", "e")}
	if g.one(2) {
		g.chans = append(g.chans, pick(g, object("c"), "d"))
	}
	if g.has(themeTime) {
		g.clockOnly = r.IntN(2) == 0
	}
	p.Body = g.starter(p.Size)
	p.Notes = notesOf(p)
	return p
}

func notesOf(p *Program) (n Notes) {
	used := uses(p.Body)
	n.Pool = used["pool"]
	n.Locks = used["mu"] || used["mv"] || used["rw"] || used["once"] || used["onceF"] || used["onceV"]
	n.Others = used["gm"] || used["grw"] || used["count"]
	for o := range copiedTypes {
		n.Copies = n.Copies || used[o]
	}
	n.Timed = used["time"] || used["tm"] || used["tk"] || used["dctx"]
	return n
}

// A generator draws one program.
type generator struct {
	draw
	names
	themes []theme
	params bool // references are parameters of goroutines, else captured
	// ordered: plain memory is accessed under a lock or after the join. The compiled program then shows nothing that
	// the machine may not.
	ordered   bool
	apart     bool // files: nothing is renamed
	clockOnly bool // timed, and without locks
	timer     bool // of GenerateSleeps: it has one
	// chans are the channels in play: few, so that goroutines meet.
	chans []object
	kinds []object // likewise, of copies
	// observed are the objects that goroutines look at.
	observed []object
	// links are those of GenerateSockets in play. late: there are deadlines in the future.
	links []link
	late  bool
	depth int
	noGo  int // inside a body that may run twice, or in another's name
	left  int // operations still to draw
}

func (g *generator) has(t theme) bool {
	for _, u := range g.themes {
		if u == t {
			return true
		}
	}
	return false
}

// A draw is where chance comes from.
type draw struct{ r *rand.Rand }

// one is true once in n times.
func (d draw) one(n int) bool { return d.r.IntN(n) == 0 }

// k draws a small number, as what is stored or sent.
func (d draw) k() int { return 1 + d.r.IntN(2) }

func (d draw) index(n int) int { return d.r.IntN(n) }

func pick[T any](d interface{ index(n int) int }, from ...T) T { return from[d.index(len(from))] }

// names are numbers for goroutines, and for variables that only one of them has.
type names struct{ next int }

func (n *names) number() int { i := n.next; n.next++; return i }

func (n *names) variable() int { return n.next }

func stmt(text string, needs ...object) *Stmt { return &Stmt{Text: []string{text}, Needs: needs} }

// starter draws the body of goroutine 0.
func (g *generator) starter(size int) []*Stmt {
	n := 1 + g.r.IntN(3) // others
	if size < 5 {
		n = 1 + g.r.IntN(2)
	}
	join := g.r.IntN(3) // none, WaitGroup, channel
	final := join > 0 && g.r.IntN(4) > 0
	var body []*Stmt
	if join == 1 {
		body = append(body, stmt(fmt.Sprintf("join.Add(%d)", n), "join"))
	}
	shares := make([]int, n+1)
	for range size {
		shares[g.r.IntN(n+1)]++
	}
	for i := range n {
		s := &Stmt{Text: []string{"go GO{", "}GO"}, Starts: g.number(), Needs: g.paramNeeds()}
		b := g.block(shares[i+1])
		switch join {
		case 1:
			b = append([]*Stmt{stmt("defer join.Done()", "join")}, b...)
		case 2:
			b = append(b, stmt("done <- 1", "done"))
		}
		s.Bodies = [][]*Stmt{b}
		body = append(body, s)
	}
	body = append(body, g.block(shares[0])...)
	switch join {
	case 1:
		body = append(body, stmt("join.Wait()", "join"))
	case 2:
		for range n {
			body = append(body, stmt("<-done", "done"))
		}
	}
	if final {
		used := uses(body)
		for _, o := range objects {
			if used[o.name] && o.read != "" {
				body = append(body, stmt("l.r("+o.read+")", o.name))
			}
		}
	}
	return body
}

func (g *generator) paramNeeds() []object {
	if g.params {
		return []object{"params"}
	}
	return nil
}

// block draws statements of about n operations.
func (g *generator) block(n int) (body []*Stmt) {
	outer := g.left
	g.left = n
	g.depth++
	for g.left > 0 {
		body = append(body, g.statement())
	}
	g.depth--
	g.left = outer
	return body
}

// inner is block for a body inside a statement.
func (g *generator) inner(max int) []*Stmt {
	n := min(max, g.left)
	if n <= 0 {
		return nil
	}
	n = g.r.IntN(n + 1)
	g.left -= n
	return g.block(n)
}

// statement draws one statement and counts its operations.
func (g *generator) statement() *Stmt {
	g.left--
	if g.depth < 4 {
		switch g.r.IntN(32) {
		case 0:
			return &Stmt{Text: []string{fmt.Sprintf("if v == %d {", g.r.IntN(3)), "}"}, Bodies: [][]*Stmt{g.inner(3)}}
		case 1:
			return &Stmt{Text: []string{"if v > 0 {", "} else {", "}"}, Bodies: [][]*Stmt{g.inner(2), g.inner(2)}}
		case 2:
			return &Stmt{Text: []string{"for range 2 {", "}"}, Bodies: [][]*Stmt{g.nested(func() []*Stmt { return g.inner(2) })}}
		case 3:
			if g.noGo == 0 && g.next < 6 {
				s := &Stmt{Text: []string{"go GO{", "}GO"}, Starts: g.number(), Needs: g.paramNeeds()}
				s.Bodies = [][]*Stmt{g.inner(3)}
				return s
			}
		case 4:
			return &Stmt{Text: []string{"func() {\ndefer func() {\nif f := recover(); f != nil {\nl.r(77)\n}\n}()", "}()"}, Bodies: [][]*Stmt{g.inner(3)}}
		case 5:
			return g.trouble()
		}
	}
	return g.operation(g.themes[g.r.IntN(len(g.themes))])
}

// nested draws what must not start goroutines of a fixed number.
func (g *generator) nested(f func() []*Stmt) []*Stmt {
	g.noGo++
	b := f()
	g.noGo--
	return b
}

// trouble draws what ends a goroutine, or the program.
func (g *generator) trouble() *Stmt {
	switch g.r.IntN(14) {
	case 0, 1:
		return stmt("if v == 1 {\nreturn\n}")
	case 2:
		return stmt("if v != 0 {\nreturn\n}")
	case 3:
		return stmt("if v == 2 {\npanic(\"v is 2\")\n}")
	case 4:
		return stmt("if v == 1 {\npanic(errs[1])\n}")
	case 5:
		return stmt("runtime.Goexit()")
	case 6:
		return stmt("if v == 1 {\nruntime.Goexit()\n}")
	case 7:
		return stmt("l.r([]int{5}[v%2])") // out of range for odd v
	case 8:
		return stmt("l.r(6 / (2 - v))")
	case 9:
		return stmt("defer l.r(8)")
	case 10:
		return stmt("defer func() {\nif f := recover(); f != nil {\nl.r(78)\n}\n}()")
	default:
		return stmt("runtime.Gosched()")
	}
}
