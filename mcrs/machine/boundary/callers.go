package boundary

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"go/ast"
	"go/types"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/access"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/interp"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program"
	"golang.org/x/tools/go/ssa"
)

// This file defines what a program can learn of its own calls and functions: runtime.Callers, Caller, FuncForPC, Stack.

// ownStack is the stack of g as the program sees it. Natively a test, or a fuzz target, has a goroutine of its own, and
// what package testing and TestMain do before it are on another one's stack.
func ownStack(m *vm.Machine, g *vm.G) []trace.Frame { return topOfStack(m, g, math.MaxInt) }

// topOfStack is as much of it as has n frames, or more.
func topOfStack(m *vm.Machine, g *vm.G, n int) []trace.Frame {
	st := goroutine.TopOfStack(m, g, n)
	for i := range st {
		if st[i].Func == goroutine.DeferredPanic || m.SiteTable[st[i].Site].Func.Builtin {
			st[i] = deferWrap(m, st[i].Site)
		}
	}
	if i := slices.IndexFunc(st, func(fr trace.Frame) bool { return fr.Func == "testing.heddleTest" || fr.Func == "testing.heddleFuzz" }); i >= 0 {
		return st[:i]
	}
	return st
}

// deferWrap is the frame of the function that gc makes of defer panic(v), or of a go statement that starts a builtin
// function, at a site. gc makes one of each defer and go statement but those of a function without parameters and
// results that is no method, and counts them in each function (normalizeGoDeferCall in cmd/compile/internal/typecheck).
func deferWrap(m *vm.Machine, at event.Site) trace.Frame {
	x := &m.SiteTable[at]
	outer, kind := x.Func, "deferwrap"
	if s, ok := x.Instr.(*ssa.Go); ok { // the site is of the builtin that the statement starts
		outer, kind = m.Func(s.Parent()), "gowrap"
	}
	n := 1
	for _, b := range outer.SSA.Blocks {
		for _, instr := range b.Instrs {
			var call *ssa.CallCommon
			switch instr := instr.(type) {
			case *ssa.Defer:
				call = &instr.Call
			case *ssa.Go:
				call = &instr.Call
			default:
				continue
			}
			if instr.Pos() < x.Instr.Pos() && wraps(call) {
				n++
			}
		}
	}
	file, line := nativePlace(m, at)
	name := fmt.Sprintf("%s.%s%d", NativeName(m, outer), kind, n)
	return trace.Frame{Func: name, Site: m.PseudoSite(fmt.Sprintf("%s\t%s:%d", name, file, line))}
}

// wraps reports whether gc makes a function of the call of a go or defer statement.
func wraps(call *ssa.CallCommon) bool {
	if _, ok := call.Value.(*ssa.Builtin); ok || call.IsInvoke() {
		return true
	}
	sig := call.Signature()
	if sig.Recv() != nil || sig.Params().Len()+sig.Results().Len() > 0 {
		return true
	}
	fn := call.StaticCallee()
	return fn != nil && fn.Parent() == nil && fn.Origin() != nil // it has a dictionary
}

// nativeStack is topOfStack with the frames of the runtime below it, if it has fewer than n.
func nativeStack(m *vm.Machine, g *vm.G, n int) []trace.Frame {
	st := topOfStack(m, g, n)
	if len(st) >= n {
		return st
	}
	if g == m.Main && m.Entry != nil && m.Entry.Kind == program.Main {
		st = append(st, trace.Frame{Site: m.PseudoSite("runtime.main")})
	}
	return append(st, trace.Frame{Site: m.PseudoSite("runtime.goexit")})
}

// callers(skip int, pcs []uintptr) int
func callers(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	skip := max(0, int(w[0])-1) // our frames begin with the caller of Callers
	st := nativeStack(m, g, skip+int(min(w[2], math.MaxInt32)))
	var pcs []byte
	if fn := m.Overlay("runtime.Callers"); w[0] == 0 && w[2] > 0 && fn != nil {
		pcs = binary.LittleEndian.AppendUint64(pcs, m.Func(fn).Text) // its own frame
	}
	for i := skip; i < len(st) && uint64(len(pcs)) < 8*w[2]; i++ {
		pcs = binary.LittleEndian.AppendUint64(pcs, m.PC(st[i].Site))
	}
	w[4] = uint64(len(pcs)) / 8
	return access.Store(m, g, w[1], pcs, nil)
}

// caller(skip int) (pc uintptr, file string, line int, ok bool)
func caller(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	skip := int(w[0])
	st := nativeStack(m, g, max(0, skip)+1)
	w[1], w[2], w[3], w[4], w[5] = 0, 0, 0, 0, 0
	if skip < 0 || skip >= len(st) {
		return vm.Done
	}
	m.NotePosition(g, st[skip].Site)
	file, line := nativePlace(m, st[skip].Site)
	w[1] = m.PC(st[skip].Site)
	w[4], w[5] = uint64(line), 1
	return retString(m, g, w, 2, file)
}

// callerName(skip int) string. Package testing asks for the name of each test's runner.
func callerName(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	skip := int(w[0])
	st := nativeStack(m, g, max(0, skip)+1)
	if skip >= 0 && skip < len(st) {
		return retString(m, g, w, 1, NativeName(m, m.SiteTable[st[skip].Site].Func))
	}
	panic("machine: package testing asks for a caller that it has not")
}

// frameOf(pc uintptr) (fn, file string, line int)
func frameOf(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if f := m.TextFunc(w[0]); f != nil {
		clear(w[1:])
		return retString(m, g, w, 1, NativeName(m, f))
	}
	s := m.PCSite(w[0])
	clear(w[1:])
	if s == 0 {
		return vm.Done
	}
	m.NotePosition(g, s)
	file, line := nativePlace(m, s)
	w[5] = uint64(line)
	if st := retString(m, g, w, 1, NativeName(m, m.SiteTable[s].Func)); st != vm.Done {
		return st
	}
	return retString(m, g, w, 3, file)
}

// runtimePlaces are where functions of the runtime stand that the machine does not have, when they have called what is
// above them: on amd64, in Go 1.26.
var runtimePlaces = map[string]struct {
	file string
	line int
}{
	"runtime.main": {"proc.go", 290}, "runtime.gopanic": {"panic.go", 860}, "runtime.goexit": {"asm_amd64.s", 1771},
}

// nativePlace is the file and line of a site as the compiler records them: a relative name of a //line directive stays
// as it is, where go/scanner puts it below the folder of the file that has the directive.
func nativePlace(m *vm.Machine, s event.Site) (string, int) {
	pos := m.Position(s)
	if pos.Filename == "" {
		f := m.SiteTable[s].Func
		if f != nil && runtimePlaces[f.Name].line > 0 {
			at := runtimePlaces[f.Name]
			return m.Config.Kernel.GOROOT + "/src/runtime/" + at.file, at.line
		}
		if f != nil {
			if _, file, line := cutPlace(f.Name); file != "" {
				return file, line
			}
		}
		return "??", pos.Line
	}
	name := filepath.ToSlash(pos.Filename)
	if own := m.OwnFile(s); own != name {
		name = strings.TrimPrefix(name, path.Dir(own)+"/")
	}
	return name, pos.Line
}

// NativeName is a function's name as the runtime prints it where nothing is inlined: "path.(*T).M" where the machine
// has "(*path.T).M", "path.F.func1.2" and "path.F-range1" for what it has as "path.F$1$2" and "path.F$3",
// "path.init.0" for "path.init#1", and "[...]" for type arguments.
func NativeName(m *vm.Machine, f *vm.Func) string {
	if f.SSA == nil {
		name, _, _ := cutPlace(f.Name)
		return name
	}
	pkg := m.PkgOf(f.SSA)
	if pkg == nil {
		return f.Name
	}
	return m.LinkPath(pkg) + "." + localName(m, f.SSA, pkg)
}

func localName(m *vm.Machine, fn *ssa.Function, pkg *types.Package) string {
	inner := func(fn *ssa.Function) bool { return fn.Parent() != nil && m.Program.Declared(fn) == fn }
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
		return localName(m, outer, pkg) + kind + strconv.Itoa(n)
	}
	name := m.Program.Declared(fn).RelString(pkg)
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

func funcForPC(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	pc := w[0]
	w[1] = pc
	if m.PCSite(pc) != 0 || m.TextFunc(pc) != nil {
		return vm.Done
	}
	w[1] = 0
	return vm.Done
}

func funcNameOf(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	name := ""
	if f := m.TextFunc(w[0]); f != nil {
		name = NativeName(m, f)
	} else if s := m.PCSite(w[0]); s != 0 {
		name = NativeName(m, m.SiteTable[s].Func)
	}
	return retString(m, g, w, 1, name)
}

// funcEntry is (*Func).Entry() uintptr.
func funcEntry(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if w[0] == 0 {
		return goroutine.ThrowNil(m, g)
	}
	w[1] = w[0]
	if s := m.PCSite(w[0]); s != 0 {
		w[1] = m.SiteTable[s].Func.Text
	}
	return vm.Done
}

// funcFileLine is (*Func).FileLine(pc uintptr) (file string, line int).
func funcFileLine(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	at, line := m.PCSite(w[1]), 0
	if f := m.TextFunc(w[1]); at == 0 && f != nil && f.SSA != nil {
		if strings.HasSuffix(f.SSA.Name(), "$bound") {
			w[4] = 1
			return retString(m, g, w, 2, "<autogenerated>")
		}
		if !f.Compiled {
			interp.Compile(m, f)
		}
		if at = f.Sites[0]; entersByStack(f.SSA) {
			line = m.Program.Fset.Position(f.SSA.Pos()).Line
		}
	}
	m.NotePosition(g, at)
	file, first := nativePlace(m, at)
	w[4] = uint64(cmp.Or(line, first))
	return retString(m, g, w, 2, file)
}

// entersByStack reports whether a function calls others. Such a one looks at first whether its stack has room, which is
// code of the line where the function begins; one that calls nobody most often begins with its first statement.
func entersByStack(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if _, ok := in.(ssa.CallInstruction); ok {
				return true
			}
		}
	}
	return false
}

func funcPC(m *vm.Machine, fv uint64) uint64 {
	if p := m.Mem.At(fv, 8); p != nil {
		return *(*uint64)(p)
	}
	return 0
}
