package progen

import (
	"fmt"
	"go/format"
	"math/rand/v2"
	"strings"

	"github.com/heddle-go/heddle/analysistest/progen/prelude"
)

// This file draws programs over the API of testing, sync, context, os and runtime. They are tests, whose goroutines
// meet in state that these packages keep.

// apiThemes are the sets of operations of such programs.
const (
	themeTesting theme = 100 + iota
	themeSubtests
	themeFiles
	themeEnvironment
	themeSyncAPI
	themeRuntime
	endOfAPI
)

// GenerateAPI draws a test of about size operations. Its goroutines use the API of the standard library, one to three
// parts of it.
func GenerateAPI(seed uint64, size int) *Program { return generateAPI(seed, size, false) }

// GenerateFiles draws one with operations on files that package kernel tells apart.
func GenerateFiles(seed uint64, size int) *Program { return generateAPI(seed, size, true) }

func generateAPI(seed uint64, size int, apart bool) *Program {
	p := &Program{Seed: seed, Size: size, API: true, Files: apart}
	g := newGenerator(rand.New(rand.NewPCG(seed, 2<<40|uint64(size))))
	if g.apart = apart; apart {
		g.themes = append(g.themes, themeFiles, themeFiles)
	}
	g.ordered = true // races of plain memory are drawn by Generate
	for range 1 + g.r.IntN(2) {
		g.themes = append(g.themes, themeTesting+theme(g.r.IntN(int(endOfAPI-themeTesting))))
	}
	if g.one(3) {
		g.themes = append(g.themes, pick(g, themeChans, themeSyncMap, themeContext, themeGroups, themeLocks))
	}
	g.chans = []object{pick(g, object("c"), "d", "e")}
	p.Body = g.starter(size)
	p.Notes = notesOf(p)
	return p
}

// api draws an operation of such a theme.
func (g *generator) api(t theme) *Stmt {
	switch t {
	case themeTesting:
		return g.testing()
	case themeSubtests:
		return g.subtests()
	case themeFiles:
		return g.files()
	case themeEnvironment:
		return g.environment()
	case themeSyncAPI:
		return g.syncAPI()
	}
	switch g.r.IntN(4) {
	case 0:
		return stmt("runtime.Gosched()")
	case 1:
		return stmt("v = int(a.Add(1))\nl.r(v)", "a")
	}
	return stmt("l.r(runtime.NumGoroutine() - base)", "base")
}

// testing draws what a test's goroutines do to its T.
func (g *generator) testing() *Stmt {
	switch g.r.IntN(16) {
	case 0, 1, 2:
		return stmt(fmt.Sprintf("top.Cleanup(func() { order = order*3 + %d })", g.k()), "order")
	case 3, 4, 5:
		return stmt("l.r(tempNumber(top.TempDir()))", "top")
	case 6:
		return stmt("t.Log(\"a\")")
	case 7:
		return stmt("t.Error(\"e\")")
	case 8:
		return stmt("t.Fail()")
	case 9, 10:
		return stmt("l.r(bit(t.Failed()))")
	case 11:
		return stmt("l.r(bit(t.Skipped()))")
	case 12:
		return stmt("t.SkipNow()")
	case 13:
		return stmt("t.FailNow()")
	case 14:
		return stmt("l.r(errNumber(t.Context().Err()))")
	}
	return stmt("top.Log(\"b\")", "top")
}

// subtests draws subtests, whose names depend on who comes first.
func (g *generator) subtests() *Stmt {
	if g.noGo > 0 || g.next >= 6 || g.one(3) {
		return pick(g, stmt("l.r(nameNumber(t.Name()))"), stmt("l.r(bit(t.Failed()))"), stmt("t.Log(\"c\")"), stmt("t.Fail()"), stmt("t.Skip()"))
	}
	parallel := ""
	if g.one(3) {
		parallel = "\nt.Parallel()"
	}
	on := pick(g, "t", "top", "top")
	n := g.number()
	s := &Stmt{
		Text:  []string{fmt.Sprintf("v = bit(%s.Run(%q, func(t *testing.T) {\nl, v := begin(%d), 0\ndefer l.end()%s\nl.r(nameNumber(t.Name()))", on, pick(g, "x", "x", "y"), n, parallel), "_ = v\n}))\nl.r(v)"},
		Needs: []object{"top"},
	}
	s.Bodies = [][]*Stmt{g.inner(3)}
	return s
}

// files draws operations on files in one folder, and if nothing is renamed on files below it.
func (g *generator) files() *Stmt {
	f, h, n := pick(g, "a", "a", "b"), pick(g, "a", "b", "b"), 12
	if g.apart {
		n = len(prelude.Files)
	}
	call, need := prelude.FileCall(g.r.IntN(n), g.apart, f, h, g.k)
	return stmt("v = "+call+"\nl.r(v)", object(need))
}

// environment draws operations on the process's environment and folder.
func (g *generator) environment() *Stmt {
	k := pick(g, "HK", "HK", "HL")
	switch g.r.IntN(8) {
	case 0, 1:
		return stmt(fmt.Sprintf("os.Setenv(%q, %q)", k, strings.Repeat("x", g.k())))
	case 2, 3:
		return stmt(fmt.Sprintf("v = len(os.Getenv(%q))\nl.r(v)", k))
	case 4:
		return stmt(fmt.Sprintf("os.Unsetenv(%q)", k))
	case 5:
		return stmt(fmt.Sprintf("v = len(os.ExpandEnv(\"$%s.\"))\nl.r(v)", k))
	}
	return stmt(fmt.Sprintf("v = found(%q)\nl.r(v)", k))
}

// syncAPI draws what Generate does not of package sync.
func (g *generator) syncAPI() *Stmt {
	switch g.r.IntN(10) {
	case 0, 1, 2:
		return stmt(fmt.Sprintf("sm.Store(%d, %d)", g.k(), g.k()), "sm")
	case 3:
		return stmt(fmt.Sprintf("sm.Delete(%d)", g.k()), "sm")
	case 4:
		// A return among its statements ends the range: the result has a name.
		return &Stmt{Text: []string{"sm.Range(func(k, w any) (more bool) {\nl.r(number(k)*3 + number(w))", "return true\n})"}, Bodies: [][]*Stmt{g.nested(func() []*Stmt { return g.inner(2) })}, Needs: []object{"sm"}}
	case 5:
		return stmt("sm.Range(func(k, w any) bool {\nl.r(number(k)*3 + number(w))\nreturn true\n})", "sm")
	case 6:
		if g.noGo == 0 && g.next < 6 {
			s := &Stmt{Text: []string{fmt.Sprintf("wg.Go(func() {\nl, v := begin(%d), 0\ndefer l.end()", g.number()), "_ = v\n})"}, Needs: []object{"wg"}}
			s.Bodies = [][]*Stmt{g.inner(2)}
			return s
		}
	case 7:
		return stmt("wg.Wait()", "wg")
	case 8:
		return stmt("v = onceV()\nl.r(v)", "onceV")
	}
	return stmt("sm.Clear()", "sm")
}

// apiFile writes programs of GenerateAPI as the tests P0, P1 … of one file. A test has its program as a subtest, and
// logs whether that has passed, and whether it was skipped.
func apiFile(ps []*Program) ([]byte, error) {
	var b strings.Builder
	b.WriteString(prelude.APIHead)
	for i, p := range ps {
		fmt.Fprintf(&b, "// %s: seed %d, size %d.\n%s\n", Name(i), p.Seed, p.Size, p.Func(strings.ToLower(Name(i))))
		fmt.Fprintf(&b, "func %s(t *testing.T) {\nl := begin(7)\nvar p *testing.T\nok := t.Run(\"p\", func(t *testing.T) { p = t; %s(t) })\nl.r(bit(ok))\nl.r(bit(p.Skipped()))\nl.end()\n}\n\n", Name(i), strings.ToLower(Name(i)))
	}
	return format.Source([]byte(b.String()))
}
