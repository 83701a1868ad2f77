package goroutine

import (
	"fmt"
	"go/types"
	"math"
	"strconv"
	"strings"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program/gcorder"
	"golang.org/x/tools/go/ssa"
)

// This file defines run-time errors, fatal errors, and what Go prints for them.

// throwString panics with a constant of type string, or of the one of package runtime that typ names: the same
// address each time.
func throwString(m *vm.Machine, g *vm.G, typ, text string) vm.Status {
	p, n := m.StaticString(text)
	w := [2]uint64{p, n}
	t := types.Type(types.Typ[types.String])
	if typ != "" {
		t = m.RuntimeType(typ)
	}
	data := m.StaticData(unsafe.Slice((*byte)(unsafe.Pointer(&w)), 16), m.Layouts.Of(t))
	return StartPanic(m, g, m.Types.Of(t), data)
}

// ThrowRuntime panics with a runtime.Error that prints as "runtime error: text".
func ThrowRuntime(m *vm.Machine, g *vm.G, text string) vm.Status {
	return throwString(m, g, "errorString", text)
}

// ThrowComputed is ThrowRuntime for errors that say more than a constant. Each is a value of its own, which shows
// where one follows another: the same value twice is a panic that was repeated, and printed once.
func ThrowComputed(m *vm.Machine, g *vm.G, text string) vm.Status {
	t := m.RuntimeType("errorString")
	l := m.Layouts.Of(t)
	data, s := m.AllocUnlogged(g, l.Size, l.Ptrs)
	if s != vm.Done {
		return s
	}
	w := (*[2]uint64)(unsafe.Pointer(unsafe.SliceData(m.Mem.Object(data).Bytes())))
	w[0], w[1] = m.StaticString(text)
	return StartPanic(m, g, m.Types.Of(t), data)
}

// ThrowPlain panics with a runtime.Error that prints as text.
func ThrowPlain(m *vm.Machine, g *vm.G, text string) vm.Status {
	return throwString(m, g, "plainError", text)
}

// ThrowPlainPanic panics with a string.
func ThrowPlainPanic(m *vm.Machine, g *vm.G, text string) vm.Status {
	return throwString(m, g, "", text)
}

// ThrowNil panics as an access by a nil pointer does.
func ThrowNil(m *vm.Machine, g *vm.G) vm.Status {
	return ThrowRuntime(m, g, "invalid memory address or nil pointer dereference")
}

// ThrowFault is what an access to no memory does. An address that was never given out is one that the program has
// computed. Natively it may be one: programs pack addresses into less than 64 bits, as the machine's do not allow.
func ThrowFault(m *vm.Machine, g *vm.G, addr uint64) vm.Status {
	if addr < 1<<16 {
		return ThrowNil(m, g)
	}
	if !m.Mem.Given(addr) {
		return m.Lacks(g, fmt.Sprintf("access to address %#x, where nothing was ever allocated", addr))
	}
	return Fatal(m, g, fmt.Sprintf("fault: unexpected fault address %#x", addr))
}

// ThrowPanicNil is panic(nil).
func ThrowPanicNil(m *vm.Machine, g *vm.G) vm.Status {
	if m.Settings.Number("panicnil") == 1 {
		return StartPanic(m, g, 0, 0)
	}
	t := types.NewPointer(m.RuntimeType("PanicNilError"))
	l := m.Layouts.Of(t.Elem())
	p, s := m.Alloc(g, max(l.Size, 8), l.Ptrs)
	if s != vm.Done {
		return s
	}
	return StartPanic(m, g, m.Types.Of(t), p)
}

// ThrowAssert panics with a *runtime.TypeAssertionError {_interface, concrete, asserted *_type; missingMethod string}.
func ThrowAssert(m *vm.Machine, g *vm.G, iface types.Type, concrete uint64, asserted types.Type) vm.Status {
	t := types.NewPointer(m.RuntimeType("TypeAssertionError"))
	missing := ""
	if concrete != 0 && types.IsInterface(asserted) {
		if f := m.Types.MissingMethod(asserted, m.Types.TypeAt(concrete)); f != nil {
			missing = f.Name()
		}
	}
	sp, sn := m.StaticString(missing)
	l := m.Layouts.Of(t.Elem())
	p, s := m.Alloc(g, l.Size, l.Ptrs)
	if s != vm.Done {
		return s
	}
	from := uint64(0)
	if !types.IsInterface(asserted) {
		from = m.Types.Of(iface)
	}
	*(*[5]uint64)(m.Mem.Object(p).Data()) = [5]uint64{from, concrete, m.Types.Of(asserted), sp, sn}
	return StartPanic(m, g, m.Types.Of(t), p)
}

// AssertText is (*runtime.TypeAssertionError).Error.
func AssertText(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	e := (*[5]uint64)(m.Mem.At(w[0], 40))
	if e == nil {
		return ThrowNil(m, g)
	}
	str := func(a uint64) string { return m.Types.Str(m.Types.TypeAt(a)) }
	inter := "interface"
	if e[0] != 0 {
		inter = str(e[0])
	}
	var s string
	missing := m.GoString(e[3], e[4])
	switch {
	case e[1] == 0:
		s = "interface conversion: " + inter + " is nil, not " + str(e[2])
	case missing == "":
		s = "interface conversion: " + inter + " is " + str(e[1]) + ", not " + str(e[2])
		if str(e[1]) == str(e[2]) {
			if typePath(m.Types.TypeAt(e[1])) != typePath(m.Types.TypeAt(e[2])) {
				s += " (types from different packages)"
			} else {
				s += " (types from different scopes)"
			}
		}
	default:
		s = "interface conversion: " + str(e[1]) + " is not " + str(e[2]) + ": missing method " + missing
	}
	p, n, st := m.NewString(g, s)
	w[1], w[2] = p, n
	return st
}

func typePath(t types.Type) string {
	if n, ok := t.(interface{ Obj() *types.TypeName }); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path()
	}
	return ""
}

// Fatal ends the program with a fatal error, which no one can recover.
func Fatal(m *vm.Machine, g *vm.G, text string) vm.Status {
	g.Message = text
	return doom(m, g)
}

// doom makes the end of the program the goroutine's pending operation.
func doom(m *vm.Machine, g *vm.G) vm.Status {
	g.Stage, g.Cursor = 0, 0
	if g.InText { // the value's own method failed
		failed(m, g, "fatal error: "+textPanics)
		return vm.Halt
	}
	if !m.Direct && !m.Inits {
		g.Dying, g.Waiting = true, true
		vm.Restood(m, g)
		site := g.Site()
		if n := len(g.Panics); n > 0 && g.Message == "" {
			site = g.Panics[n-1].Origin.Site
		}
		g.Op = event.Op{Kind: event.Panic, Site: site}
		return vm.Halt
	}
	Die(m, g)
	return vm.Halt
}

// Die ends the program at g's panic or fatal error.
func Die(m *vm.Machine, g *vm.G) {
	g.Permit, g.Waiting = false, false
	m.Log(g, vm.Plain(event.Panic, 0, g.Op.Site))
	if g.Message != "" {
		failed(m, g, "fatal error: "+g.Message)
		return
	}
	p := &g.Panics[len(g.Panics)-1]
	if s := p.Origin.Site; s > 0 && int(s) < len(m.SiteTable) {
		in, call := m.SiteTable[s].Instr.(*ssa.Panic)
		if call {
			_, misuse := gcorder.MisusedRange(in)
			call = !misuse
		}
		m.Trace.PanicCalled = call && !m.SiteTable[s].Func.Std
	}
	if m.Options.Stacks && p.Origin.Stack != nil && len(m.Trace.Stacks) > 0 {
		m.Trace.Stacks[len(m.Trace.Stacks)-1] = p.Origin.Stack
	}
	// As the runtime's preprintpanics and printpanics do.
	chain := panicsOf(g)
	for i := len(chain) - 1; i > 0; i-- {
		if c, l := &chain[i], &chain[i-1]; l.Type == c.Type && l.Data == c.Data && !l.Goexit {
			l.Repanicked = true
		}
	}
	var b strings.Builder
	for i, c := range chain {
		if i > 0 && chain[i-1].Repanicked {
			continue
		}
		if i > 0 && !chain[i-1].Goexit {
			b.WriteString("\t")
		}
		if c.Goexit {
			continue
		}
		text, ok := panicText(m, g, c.Type, c.Data)
		if !ok {
			return
		}
		b.WriteString("panic: " + text)
		switch {
		case c.Recovered && c.Repanicked:
			b.WriteString(" [recovered, repanicked]")
		case c.Recovered:
			b.WriteString(" [recovered]")
		}
		b.WriteString("\n")
	}
	failed(m, g, strings.TrimSuffix(b.String(), "\n"))
}

// textPanics is the fatal error where the Error or String method of a panic's value panics.
const textPanics = "panic while printing panic value"

// panicsOf lists the panics of g, the oldest first.
func panicsOf(g *vm.G) (chain []vm.PanicLink) {
	for _, p := range g.Panics {
		chain = append(append(chain, p.Links...), vm.PanicLink{Type: p.Type, Data: p.Data, Recovered: p.Recovered, Goexit: p.Goexit})
	}
	return chain
}

// unprinted returns the newest panic of g whose value is said by an Error or String method of the program's own that
// has not been called. Such a method may wait, and touch what others touch. Those of the standard library are called
// when the program ends, in one step, if they do not hold a value of the program's (errors.Join).
func unprinted(m *vm.Machine, g *vm.G) *vm.PanicLink {
	chain := panicsOf(g)
	for i := len(chain) - 1; i >= 0; i-- {
		if c := &chain[i]; c.Type != 0 && g.Texts[vm.PanicValue{Type: c.Type, Data: c.Data}] == nil && saidByProgram(m, m.Types.TypeAt(c.Type), c.Data, map[uint64]bool{}) {
			return c
		}
	}
	return nil
}

// saidByProgram reports whether the runtime prints the value of an interface by a method of the program's own, or by
// one of the standard library that may call such a method of what the value holds.
func saidByProgram(m *vm.Machine, t types.Type, data uint64, seen map[uint64]bool) bool {
	own, std := printsItself(m, t)
	if own || !std || data == 0 || seen[data] {
		return own
	}
	seen[data] = true
	if p, is := t.Underlying().(*types.Pointer); is {
		return holdsOwn(m, p.Elem(), data, seen)
	}
	return !m.Layouts.Of(t).Direct && holdsOwn(m, t, data, seen)
}

// holdsOwn reports whether an interface in the value of type t at an address holds a value that saidByProgram is true
// of.
func holdsOwn(m *vm.Machine, t types.Type, at uint64, seen map[uint64]bool) bool {
	each := func(elem types.Type, at, n uint64) bool {
		if _, basic := elem.Underlying().(*types.Basic); basic {
			return false
		}
		size := m.Layouts.Of(elem).Size
		for i := range n {
			if holdsOwn(m, elem, at+i*size, seen) {
				return true
			}
		}
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		word, data := m.Peek64(at), m.Peek64(at+8)
		switch {
		case word == 0:
			return false
		case vm.IsEmpty(t):
			return saidByProgram(m, m.Types.TypeAt(word), data, seen)
		}
		return saidByProgram(m, m.Types.ItabType(word), data, seen)
	case *types.Pointer:
		p := m.Peek64(at)
		if p == 0 || seen[p] {
			return false
		}
		seen[p] = true
		return holdsOwn(m, u.Elem(), p, seen)
	case *types.Slice:
		return each(u.Elem(), m.Peek64(at), m.Peek64(at+8))
	case *types.Array:
		return each(u.Elem(), at, uint64(u.Len()))
	case *types.Struct:
		offs := m.Layouts.Of(t).Offs
		for i := range u.NumFields() {
			if holdsOwn(m, u.Field(i).Type(), at+offs[i], seen) {
				return true
			}
		}
	}
	return false
}

// printsItself reports whether the runtime prints values of type t by a method: of the program's own, or of the
// standard library.
func printsItself(m *vm.Machine, t types.Type) (own, std bool) {
	for _, name := range []string{"Error", "String"} {
		obj, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
		f, ok := obj.(*types.Func)
		if !ok {
			continue
		}
		if s := f.Signature(); s.Params().Len() == 0 && s.Results().Len() == 1 && types.Identical(s.Results().At(0).Type(), types.Typ[types.String]) {
			own = f.Pkg() == nil || !m.Program.IsStd(f.Pkg())
			return own, !own
		}
	}
	return false, false
}

// textFails ends the program where the method panics that says a panic's value.
func textFails(m *vm.Machine, g *vm.G, typ, data uint64) vm.Status {
	if typ != 0 && m.Types.TypeAt(typ) == types.Typ[types.String] {
		return Fatal(m, g, textPanics+": "+ValueText(m, typ, data))
	}
	if typ != 0 {
		return Fatal(m, g, textPanics+": type "+m.Types.Str(m.Types.TypeAt(typ)))
	}
	return Fatal(m, g, textPanics)
}

// Printed is called when a method that fatalPanic has called has returned, in the function f at fp.
func Printed(m *vm.Machine, g *vm.G, f *vm.Func, fp unsafe.Pointer) vm.Status {
	GotText(m, g, f, fp)
	if g.Texts == nil {
		g.Texts = map[vm.PanicValue]*string{}
	}
	if c := unprinted(m, g); c != nil { // nil: somebody has changed what the value holds
		g.Texts[vm.PanicValue{Type: c.Type, Data: c.Data}] = g.Text
	}
	return fatalPanic(m, g)
}

// panicText is the text of a panic's value, by its own Error or String method if it has one. ok is false if that
// method failed.
func panicText(m *vm.Machine, g *vm.G, typ, data uint64) (text string, ok bool) {
	if s := g.Texts[vm.PanicValue{Type: typ, Data: data}]; s != nil {
		return *s, true
	}
	fn := m.Overlay("runtime.heddlePanicText")
	if fn == nil {
		return ValueText(m, typ, data), true
	}
	direct := m.Direct
	m.Direct, g.InText, g.Text = true, true, nil
	m.PushArgs(g, m.Func(fn), []uint64{typ, data}, 0, vm.TextFrame)
	m.Library.Interpret(m, g)
	m.Direct, g.InText = direct, false
	if m.Over {
		return "", false
	}
	if g.Text == nil {
		return ValueText(m, typ, data), true
	}
	return *g.Text, true
}

// GotText is called when the text of a panic's value is known: the results of heddlePanicText.
func GotText(m *vm.Machine, g *vm.G, f *vm.Func, fp unsafe.Pointer) {
	s := strings.ReplaceAll(m.GoString(vm.Ld(fp, f.Params), vm.Ld(fp, f.Params+8)), "\n", "\n\t")
	g.Text = &s
}

func failed(m *vm.Machine, g *vm.G, text string) {
	m.Over = true
	m.Trace.Status = trace.Failed
	m.Trace.PanicThread = g.Index
	m.Trace.ExitCode = 2
	m.Trace.Panic = text
}

// ValueText prints a panic value without methods, as the runtime's printpanicval does.
func ValueText(m *vm.Machine, typ, data uint64) string {
	if typ == 0 {
		return "nil"
	}
	t := m.Types.TypeAt(typ)
	l := m.Layouts.Of(t)
	var w [2]uint64
	if l.Direct {
		w[0] = data
	} else if p := m.Mem.At(data, l.Size); p != nil && l.Size <= 16 {
		vm.ToRegister(l.Class, unsafe.Pointer(&w), p, l.Size)
	}
	s, ok := "", true
	b, _ := t.Underlying().(*types.Basic)
	switch {
	case b == nil:
		ok = false
	case b.Info()&types.IsString != 0:
		s = m.GoString(w[0], w[1])
		if _, basic := t.(*types.Basic); !basic {
			s = `"` + s + `"`
		}
	case b.Info()&types.IsBoolean != 0:
		s = strconv.FormatBool(w[0]&1 != 0)
	case b.Info()&types.IsUnsigned != 0:
		s = strconv.FormatUint(w[0], 10)
	case b.Info()&types.IsInteger != 0:
		s = strconv.FormatInt(int64(w[0]), 10)
	case b.Kind() == types.Float32:
		s = RuntimeFloat(float64(math.Float32frombits(uint32(w[0]))), 32)
	case b.Kind() == types.Float64:
		s = RuntimeFloat(math.Float64frombits(w[0]), 64)
	case b.Info()&types.IsComplex != 0:
		s = RuntimeComplex(code.Complex(unsafe.Pointer(&w), 0, l.Size == 8), int(l.Size)*8)
		if _, basic := t.(*types.Basic); !basic {
			return m.Types.Str(t) + s
		}
	default:
		ok = false
	}
	if !ok {
		return fmt.Sprintf("(%s) %#x", m.Types.Str(t), data)
	}
	if _, basic := t.(*types.Basic); basic {
		return s
	}
	return m.Types.Str(t) + "(" + s + ")"
}

// RuntimeFloat and RuntimeComplex format as the print builtin does (runtime/print.go).
func RuntimeFloat(v float64, bits int) string { return strconv.FormatFloat(v, 'g', -1, bits) }

// RuntimeComplex formats as the print builtin does.
func RuntimeComplex(c complex128, bits int) string { return strconv.FormatComplex(c, 'g', -1, bits) }
