package machine

import (
	"go/ast"
	"go/types"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program"
)

// This file defines what a program can learn of its own calls and functions: runtime.Callers, Caller, FuncForPC, Stack.

// nativeStack is the stack of g with the frames of the runtime below it.
func (m *Machine) nativeStack(g *G) []trace.Frame {
	st := m.callStack(g)
	if g == m.main && m.entry != nil && m.entry.Kind == program.Main {
		st = append(st, trace.Frame{Site: m.pseudoSite("runtime.main")})
	}
	return append(st, trace.Frame{Site: m.pseudoSite("runtime.goexit")})
}

// callers(skip int, pcs []uintptr) int
func callers(m *Machine, g *G, w []uint64) status {
	st := m.nativeStack(g)
	skip := int(w[0]) - 1 // our frames begin with the caller of Callers
	if skip < 0 {
		skip = 0
	}
	n := uint64(0)
	if fn := m.overlay("runtime.Callers"); w[0] == 0 && w[2] > 0 && fn != nil {
		if _, p := m.mem.Writable(w[1], 8); p != nil {
			*(*uint64)(p) = m.text(m.Func(fn)) // its own frame
			n = 1
		}
	}
	for i := skip; i < len(st) && n < w[2]; i++ {
		_, p := m.mem.Writable(w[1]+8*n, 8)
		if p == nil {
			return m.throwFault(g, w[1])
		}
		*(*uint64)(p) = pcBase + uint64(st[i].Site)
		n++
	}
	w[4] = n
	return done
}

// caller(skip int) (pc uintptr, file string, line int, ok bool)
func caller(m *Machine, g *G, w []uint64) status {
	st := m.nativeStack(g)
	skip := int(w[0])
	w[1], w[2], w[3], w[4], w[5] = 0, 0, 0, 0, 0
	if skip < 0 || skip >= len(st) {
		return done
	}
	m.notePosition(g, st[skip].Site)
	pos := m.Position(st[skip].Site)
	w[1] = pcBase + uint64(st[skip].Site)
	w[4], w[5] = uint64(pos.Line), 1
	return m.retString(g, w, 2, m.nativeFile(st[skip].Site))
}

// frameOf(pc uintptr) (fn, file string, line int)
func frameOf(m *Machine, g *G, w []uint64) status {
	if f := m.textFunc(w[0]); f != nil {
		clear(w[1:])
		return m.retString(g, w, 1, m.nativeName(f))
	}
	s := event.Site(w[0] - pcBase)
	clear(w[1:])
	if w[0] < pcBase || int(s) >= len(m.siteTable) {
		return done
	}
	m.notePosition(g, s)
	pos := m.Position(s)
	w[5] = uint64(pos.Line)
	if st := m.retString(g, w, 1, m.nativeName(m.siteTable[s].f)); st != done {
		return st
	}
	return m.retString(g, w, 3, m.nativeFile(s))
}

// nativeFile is the file of a site as the compiler records it: a relative name of a //line directive stays as it is, where
// go/scanner puts it below the folder of the file that has the directive.
func (m *Machine) nativeFile(s event.Site) string {
	pos := m.Position(s)
	if pos.Filename == "" {
		return "??"
	}
	name := filepath.ToSlash(pos.Filename)
	if own := m.ownFile(s); own != name {
		return strings.TrimPrefix(name, path.Dir(own)+"/")
	}
	return name
}

// nativeName is a function's name as the runtime prints it where nothing is inlined: "path.(*T).M" where the machine has
// "(*path.T).M", "path.F.func1.2" and "path.F-range1" for what it has as "path.F$1$2" and "path.F$3", "path.init.0" for
// "path.init#1", and "[...]" for type arguments.
func (m *image) nativeName(f *Func) string {
	if f.ssa == nil {
		return f.name
	}
	pkg := m.pkgOf(f.ssa)
	if pkg == nil {
		return f.name
	}
	return m.linkPath(pkg) + "." + m.localName(f.ssa, pkg)
}

func (m *image) localName(fn *ssa.Function, pkg *types.Package) string {
	inner := func(fn *ssa.Function) bool { return fn.Parent() != nil && m.prog.Declared(fn) == fn }
	if inner(fn) {
		outer := fn.Parent()
		kind := "."
		switch {
		case isRangeBody(fn):
			kind = "-range"
		case !inner(outer):
			kind = ".func"
		}
		n := 1 // literals and bodies are counted apart, in the order of the source
		for _, other := range outer.AnonFuncs {
			if other.Pos() < fn.Pos() && isRangeBody(other) == isRangeBody(fn) {
				n++
			}
		}
		return m.localName(outer, pkg) + kind + strconv.Itoa(n)
	}
	name := m.prog.Declared(fn).RelString(pkg)
	if i := strings.IndexByte(name, '['); i >= 0 && strings.IndexByte(name, ']') > i {
		name = name[:i] + "[...]" + name[strings.LastIndexByte(name, ']')+1:]
	}
	if rest, ok := strings.CutPrefix(name, "("); ok && !strings.HasPrefix(rest, "*") { // (T).M
		name = strings.Replace(rest, ")", "", 1)
	}
	if n, ok := strings.CutPrefix(name, "init#"); ok {
		i, _ := strconv.Atoi(n)
		return "init." + strconv.Itoa(i-1)
	}
	name = strings.TrimSuffix(name, "$thunk")
	if method, ok := strings.CutSuffix(name, "$bound"); ok {
		name = method + "-fm"
	}
	return name
}

// isRangeBody reports whether fn is the body of a range over a function.
func isRangeBody(fn *ssa.Function) bool {
	_, ok := fn.Syntax().(*ast.RangeStmt)
	return ok
}

func funcForPC(m *Machine, g *G, w []uint64) status {
	pc := w[0]
	w[1] = pc
	if pc >= pcBase && pc < pcBase+uint64(len(m.siteTable)) || m.textFunc(pc) != nil {
		return done
	}
	w[1] = 0
	return done
}

func funcNameOf(m *Machine, g *G, w []uint64) status {
	name := ""
	if f := m.textFunc(w[0]); f != nil {
		name = m.nativeName(f)
	} else if w[0] >= pcBase && w[0] < pcBase+uint64(len(m.siteTable)) {
		name = m.nativeName(m.siteTable[w[0]-pcBase].f)
	}
	return m.retString(g, w, 1, name)
}

// funcFileLine is (*Func).FileLine(pc uintptr) (file string, line int).
func funcFileLine(m *Machine, g *G, w []uint64) status {
	at := event.Site(0)
	if pc := w[1]; pc >= pcBase && pc < pcBase+uint64(len(m.siteTable)) {
		at = event.Site(pc - pcBase)
	} else if f := m.textFunc(w[1]); f != nil && f.ssa != nil {
		if !f.compiled {
			m.compile(f)
		}
		at = f.Sites[0]
	}
	m.notePosition(g, at)
	pos := m.Position(at)
	w[4] = uint64(pos.Line)
	return m.retString(g, w, 2, m.nativeFile(at))
}

func (m *heap) funcPC(fv uint64) uint64 {
	if p := m.mem.At(fv, 8); p != nil {
		return *(*uint64)(p)
	}
	return 0
}
