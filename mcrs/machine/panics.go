package machine

import (
	"fmt"
	"go/types"
	"math"
	"strconv"
	"strings"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/trace"
	"golang.org/x/tools/go/ssa"
)

// This file defines run-time errors, fatal errors, and what Go prints for them.

// ends says how far a goroutine has come with its end, and what it says then.
type ends struct {
	ended   bool
	ending  bool // its function has returned: the pending operation is its end
	dying   bool // it ends the program: the pending operation is the panic
	exited  bool // by Goexit
	inText  bool
	text    *string // of a panic's value
	message string  // of a fatal error
}

// runtimeType returns a named type of package runtime.
func (m *image) runtimeType(name string) types.Type {
	if p := m.prog.PackageByPath("runtime"); p != nil {
		if o := p.Types.Scope().Lookup(name); o != nil {
			return o.Type()
		}
	}
	return types.Typ[types.String]
}

// throwString panics with a constant of type string, or of the one of package runtime that typ names: the same address each time.
func (m *Machine) throwString(g *G, typ, text string) status {
	p, n := m.staticString(text)
	w := [2]uint64{p, n}
	t := types.Type(types.Typ[types.String])
	if typ != "" {
		t = m.runtimeType(typ)
	}
	data := m.staticData(unsafe.Slice((*byte)(unsafe.Pointer(&w)), 16), m.layouts.Of(t))
	return m.startPanic(g, m.types.Of(t), data)
}

// throwRuntime panics with a runtime.Error that prints as "runtime error: text".
func (m *Machine) throwRuntime(g *G, text string) status {
	return m.throwString(g, "errorString", text)
}

// throwComputed is throwRuntime for errors that say more than a constant. Each is a value of its own, which shows where one
// follows another: the same value twice is a panic that was repeated, and printed once.
func (m *Machine) throwComputed(g *G, text string) status {
	t := m.runtimeType("errorString")
	l := m.layouts.Of(t)
	data, s := m.allocUnlogged(g, l.Size, l.Ptrs)
	if s != done {
		return s
	}
	w := (*[2]uint64)(unsafe.Pointer(unsafe.SliceData(m.mem.Object(data).Bytes())))
	w[0], w[1] = m.staticString(text)
	return m.startPanic(g, m.types.Of(t), data)
}

// throwPlain panics with a runtime.Error that prints as text.
func (m *Machine) throwPlain(g *G, text string) status { return m.throwString(g, "plainError", text) }

// throwPlainPanic panics with a string.
func (m *Machine) throwPlainPanic(g *G, text string) status { return m.throwString(g, "", text) }

func (m *Machine) throwNil(g *G) status {
	return m.throwRuntime(g, "invalid memory address or nil pointer dereference")
}

// throwFault is what an access to no memory does.
func (m *Machine) throwFault(g *G, addr uint64) status {
	if addr < 1<<16 {
		return m.throwNil(g)
	}
	return m.fatal(g, fmt.Sprintf("fault: unexpected fault address %#x", addr))
}

func (m *Machine) throwPanicNil(g *G) status {
	if m.runtimeSetting("panicnil") == 1 {
		return m.startPanic(g, 0, 0)
	}
	t := types.NewPointer(m.runtimeType("PanicNilError"))
	l := m.layouts.Of(t.Elem())
	p, s := m.alloc(g, max(l.Size, 8), l.Ptrs)
	if s != done {
		return s
	}
	return m.startPanic(g, m.types.Of(t), p)
}

// throwAssert panics with a *runtime.TypeAssertionError {_interface, concrete, asserted *_type; missingMethod string}.
func (m *Machine) throwAssert(g *G, iface types.Type, concrete uint64, asserted types.Type) status {
	t := types.NewPointer(m.runtimeType("TypeAssertionError"))
	missing := ""
	if concrete != 0 && types.IsInterface(asserted) {
		if f := m.types.MissingMethod(asserted, m.types.TypeAt(concrete)); f != nil {
			missing = f.Name()
		}
	}
	sp, sn := m.staticString(missing)
	l := m.layouts.Of(t.Elem())
	p, s := m.alloc(g, l.Size, l.Ptrs)
	if s != done {
		return s
	}
	from := uint64(0)
	if !types.IsInterface(asserted) {
		from = m.types.Of(iface)
	}
	*(*[5]uint64)(m.mem.Object(p).Data()) = [5]uint64{from, concrete, m.types.Of(asserted), sp, sn}
	return m.startPanic(g, m.types.Of(t), p)
}

// assertText is (*runtime.TypeAssertionError).Error.
func assertText(m *Machine, g *G, w []uint64) status {
	e := (*[5]uint64)(m.mem.At(w[0], 40))
	if e == nil {
		return m.throwNil(g)
	}
	str := func(a uint64) string { return m.types.Str(m.types.TypeAt(a)) }
	inter := "interface"
	if e[0] != 0 {
		inter = str(e[0])
	}
	var s string
	missing := m.goString(e[3], e[4])
	switch {
	case e[1] == 0:
		s = "interface conversion: " + inter + " is nil, not " + str(e[2])
	case missing == "":
		s = "interface conversion: " + inter + " is " + str(e[1]) + ", not " + str(e[2])
		if str(e[1]) == str(e[2]) {
			if typePath(m.types.TypeAt(e[1])) != typePath(m.types.TypeAt(e[2])) {
				s += " (types from different packages)"
			} else {
				s += " (types from different scopes)"
			}
		}
	default:
		s = "interface conversion: " + str(e[1]) + " is not " + str(e[2]) + ": missing method " + missing
	}
	p, n, st := m.newString(g, s)
	w[1], w[2] = p, n
	return st
}

func typePath(t types.Type) string {
	if n, ok := t.(interface{ Obj() *types.TypeName }); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path()
	}
	return ""
}

func (m *Machine) overflow(g *G) status {
	m.tr.Panic = "runtime: goroutine stack exceeds 1000000000-byte limit\n\nfatal error: stack overflow"
	m.limit(g, "limit of stack reached: goroutine recurses without end")
	return halt
}

// fatal ends the program with a fatal error, which no one can recover.
func (m *Machine) fatal(g *G, text string) status {
	g.message = text
	return m.doom(g)
}

// fatalPanic ends the program with the newest panic of g.
func (m *Machine) fatalPanic(g *G) status { return m.doom(g) }

// doom makes the end of the program the goroutine's pending operation.
func (m *Machine) doom(g *G) status {
	g.stage, g.cursor = 0, 0
	if g.inText { // the value's own method failed
		m.failed(g, "fatal error: panic while printing panic value")
		return halt
	}
	if !m.direct && !m.inits {
		g.dying, g.waiting = true, true
		site := m.siteOf(g)
		if n := len(g.panics); n > 0 && g.message == "" {
			site = g.panics[n-1].origin.site
		}
		g.op = event.Op{Kind: event.Panic, Site: site}
		return halt
	}
	m.die(g)
	return halt
}

// die ends the program at g's panic or fatal error.
func (m *Machine) die(g *G) {
	g.permit, g.waiting = false, false
	m.log(g, plain(event.Panic, 0, g.op.Site))
	if g.message != "" {
		m.failed(g, "fatal error: "+g.message)
		return
	}
	p := &g.panics[len(g.panics)-1]
	if s := p.origin.site; s > 0 && int(s) < len(m.siteTable) {
		_, call := m.siteTable[s].in.(*ssa.Panic)
		m.tr.PanicCalled = call && !m.siteTable[s].f.std
	}
	if m.opts.Stacks && p.origin.stack != nil && len(m.tr.Stacks) > 0 {
		m.tr.Stacks[len(m.tr.Stacks)-1] = p.origin.stack
	}
	// As the runtime's preprintpanics and printpanics do.
	var chain []panicLink
	for _, p := range g.panics {
		chain = append(append(chain, p.links...), panicLink{p.typ, p.data, p.recovered, false, p.goexit})
	}
	for i := len(chain) - 1; i > 0; i-- {
		if c, l := &chain[i], &chain[i-1]; l.typ == c.typ && l.data == c.data && !l.goexit {
			l.repanicked = true
		}
	}
	var b strings.Builder
	for i, c := range chain {
		if i > 0 && chain[i-1].repanicked {
			continue
		}
		if i > 0 && !chain[i-1].goexit {
			b.WriteString("\t")
		}
		if c.goexit {
			continue
		}
		text, ok := m.panicText(g, c.typ, c.data)
		if !ok {
			return
		}
		b.WriteString("panic: " + text)
		switch {
		case c.recovered && c.repanicked:
			b.WriteString(" [recovered, repanicked]")
		case c.recovered:
			b.WriteString(" [recovered]")
		}
		b.WriteString("\n")
	}
	m.failed(g, strings.TrimSuffix(b.String(), "\n"))
}

// panicText is the text of a panic's value, by its own Error or String method if it has one. ok is false if that method failed.
func (m *Machine) panicText(g *G, typ, data uint64) (text string, ok bool) {
	fn := m.overlay("runtime.heddlePanicText")
	if fn == nil {
		return m.valueText(typ, data), true
	}
	direct := m.direct
	m.direct, g.inText, g.text = true, true, nil
	m.pushArgs(g, m.Func(fn), []uint64{typ, data}, 0, textFrame)
	m.run(g)
	m.direct, g.inText = direct, false
	if m.over {
		return "", false
	}
	if g.text == nil {
		return m.valueText(typ, data), true
	}
	return *g.text, true
}

// gotText is called when the text of a panic's value is known: the results of heddlePanicText.
func (m *heap) gotText(g *G, f *Func, fp unsafe.Pointer) {
	s := strings.ReplaceAll(m.goString(ld(fp, f.Params), ld(fp, f.Params+8)), "\n", "\n\t")
	g.text = &s
}

func (m *execution) failed(g *G, text string) {
	m.over = true
	m.tr.Status = trace.Failed
	m.tr.PanicThread = g.idx
	m.tr.ExitCode = 2
	m.tr.Panic = text
}

// valueText prints a panic value without methods, as the runtime's printpanicval does.
func (m *Machine) valueText(typ, data uint64) string {
	if typ == 0 {
		return "nil"
	}
	t := m.types.TypeAt(typ)
	l := m.layouts.Of(t)
	var w [2]uint64
	if l.Direct {
		w[0] = data
	} else if p := m.mem.At(data, l.Size); p != nil && l.Size <= 16 {
		m.toRegister(l.Class, unsafe.Pointer(&w), p, l.Size)
	}
	s, ok := "", true
	b, _ := t.Underlying().(*types.Basic)
	switch {
	case b == nil:
		ok = false
	case b.Info()&types.IsString != 0:
		s = m.goString(w[0], w[1])
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
		s = runtimeFloat(float64(math.Float32frombits(uint32(w[0]))), 32)
	case b.Kind() == types.Float64:
		s = runtimeFloat(math.Float64frombits(w[0]), 64)
	case b.Info()&types.IsComplex != 0:
		s = runtimeComplex(code.Complex(unsafe.Pointer(&w), 0, l.Size == 8), int(l.Size)*8)
		if _, basic := t.(*types.Basic); !basic {
			return m.types.Str(t) + s
		}
	default:
		ok = false
	}
	if !ok {
		return fmt.Sprintf("(%s) %#x", m.types.Str(t), data)
	}
	if _, basic := t.(*types.Basic); basic {
		return s
	}
	return m.types.Str(t) + "(" + s + ")"
}

// runtimeFloat and runtimeComplex format as the print builtin does (runtime/print.go).
func runtimeFloat(v float64, bits int) string { return strconv.FormatFloat(v, 'g', -1, bits) }

func runtimeComplex(c complex128, bits int) string { return strconv.FormatComplex(c, 'g', -1, bits) }
