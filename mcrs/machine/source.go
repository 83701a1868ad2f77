package machine

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/naming"
	"github.com/heddle-go/heddle/mcrs/machine/objects"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/program/gcorder"
	"golang.org/x/tools/go/ssa"
)

// This file defines where sites are: the machine is a report.Source.

// Instr returns the instruction of a site, nil if it has none.
func (m *Machine) Instr(s event.Site) ssa.Instruction {
	if s == 0 || int(s) >= len(m.vm.SiteTable) {
		return nil
	}
	return m.vm.SiteTable[s].Instr
}

// Called returns the functions that have been called so far, by package initialisers too.
func (m *Machine) Called() map[*ssa.Function]bool {
	out := make(map[*ssa.Function]bool)
	for _, f := range m.vm.Funcs[1:] {
		if f.Compiled && f.SSA != nil {
			out[f.SSA] = true
		}
	}
	return out
}

// UserMemory reports whether an address is that of a package variable of the user's, or of what the initialisers of
// the user's packages have made. (Among those may be packages of the standard library, where they come later.)
func (m *Machine) UserMemory(addr uint64) bool {
	o := m.vm.Mem.Object(addr)
	if o == nil || mem.SegmentOf(addr) != mem.Init || o.Flags&mem.StdVar != 0 {
		return false
	}
	if m.userVars == nil {
		m.userVars = map[uint64]bool{}
		for g, at := range m.vm.Globals {
			if g.Pkg != nil && !m.vm.Program.IsStd(g.Pkg.Pkg) {
				m.userVars[at] = true
			}
		}
	}
	return o.Base >= m.vm.UserFrom || m.userVars[o.Base]
}

// IsUser implements report.Source.
func (m *Machine) IsUser(s event.Site) bool {
	return s != 0 && int(s) < len(m.vm.SiteTable) && !m.vm.SiteTable[s].Func.Std && m.Position(s).Line > 0
}

// Package implements report.Source.
func (m *Machine) Package(s event.Site) string {
	if s == 0 || int(s) >= len(m.vm.SiteTable) {
		return ""
	}
	fn := m.vm.SiteTable[s].Func.SSA
	if in, ok := m.vm.SiteTable[s].Instr.(*ssa.Go); ok && fn == nil {
		fn = in.Parent() // a builtin that a go statement starts stands there
	}
	if fn == nil {
		return ""
	}
	if p := m.vm.PkgOf(fn); p != nil {
		return p.Path()
	}
	return ""
}

// Variable implements report.Source: the address operand of a load or store, as the source writes it.
func (m *Machine) Variable(s event.Site) string {
	if s == 0 || int(s) >= len(m.vm.SiteTable) {
		return ""
	}
	switch in := m.vm.SiteTable[s].Instr.(type) {
	case *ssa.UnOp:
		return valueName(in.X)
	case *ssa.Store:
		return valueName(in.Addr)
	case *ssa.MapUpdate:
		return valueName(in.Map)
	case *ssa.Lookup:
		return valueName(in.X)
	case *ssa.Send:
		return valueName(in.Chan)
	case *ssa.Go:
		if _, ok := in.Call.Value.(*ssa.Builtin); ok && len(in.Call.Args) > 0 {
			return valueName(in.Call.Args[0])
		}
	case *ssa.Call:
		if len(in.Call.Args) > 0 {
			name := valueName(in.Call.Args[0])
			if fn := in.Call.StaticCallee(); fn != nil && fn.String() == "(*testing.common).setRan" && name != "" {
				name += ".ran" // which it is about to write
			}
			return name
		}
	}
	return ""
}

func valueName(v ssa.Value) string {
	if gcorder.IsRangeState(v) {
		return "state of the range loop"
	}
	switch v := v.(type) {
	case *ssa.Global:
		return v.Name()
	case *ssa.Alloc:
		switch v.Comment {
		case "complit", "slicelit", "makeslice", "varargs", "new", "":
			return "" // the compiler's own names
		}
		if token.IsIdentifier(v.Comment) {
			return v.Comment
		}
	case *ssa.FreeVar:
		return v.Name()
	case *ssa.Parameter:
		return parameterName(v)
	case *ssa.FieldAddr:
		st := vm.Deref(v.X.Type()).Underlying().(*types.Struct)
		if x := valueName(v.X); x != "" {
			return x + "." + st.Field(v.Field).Name()
		}
		return st.Field(v.Field).Name()
	case *ssa.IndexAddr:
		if x := valueName(v.X); x != "" {
			return x + "[" + indexName(v.Index) + "]"
		}
	case *ssa.UnOp:
		return valueName(v.X)
	case *ssa.Phi:
		if v.Comment != "" && token.IsIdentifier(v.Comment) {
			return v.Comment
		}
	}
	return ""
}

// parameterName is the name of a parameter. Those of the body of a range over a function are the variables of the
// range statement; go/ssa names them after the parameters of the yield function's type, which mostly have no names.
func parameterName(p *ssa.Parameter) string {
	body, ok := p.Parent().Syntax().(*ast.RangeStmt)
	if !ok {
		return p.Name()
	}
	variables := []ast.Expr{body.Key, body.Value}
	if i := slices.Index(p.Parent().Params, p); i < len(variables) {
		if id, ok := variables[i].(*ast.Ident); ok {
			return id.Name
		}
	}
	return ""
}

func indexName(v ssa.Value) string {
	if k, ok := v.(*ssa.Const); ok && k.Value != nil {
		return k.Value.String()
	}
	if n := valueName(v); n != "" {
		return n
	}
	return "…"
}

func sortedLines(s string) string {
	l := strings.Split(s, "\n")
	sort.Strings(l)
	return strings.Join(l, "\n")
}

// DeadWords returns which words of a frame of a goroutine are not read again, nil if that is not known. Goroutines
// are counted as in a trace.
func (m *Machine) DeadWords(thread, frame int) code.Words {
	return naming.DeadWords(m.vm, m.vm.Threads[thread], frame)
}

// MapsOf returns the addresses of the maps that a package variable holds, directly or by one pointer.
func (m *Machine) MapsOf(path, name string) (maps []uint64) {
	p := m.vm.Program.PackageByPath(path)
	if p == nil || p.SSA.Var(name) == nil {
		return nil
	}
	looked := map[uint64]bool{}
	var look func(a uint64, depth int)
	look = func(a uint64, depth int) {
		o := m.vm.Mem.Object(a)
		if o == nil || looked[o.Base] {
			return
		}
		looked[o.Base] = true
		if _, ok := o.Aux.(*objects.MapState); ok {
			maps = append(maps, o.Base)
		} else if depth > 0 {
			vm.Pointers(o, func(a uint64) { look(a, depth-1) })
		}
	}
	look(m.vm.GlobalAddr(p.SSA.Var(name)), 2)
	return maps
}

// BubbleNow returns what the clock of a goroutine's bubble says, if it is in one.
func (m *Machine) BubbleNow(thread int) (int64, bool) {
	b := m.vm.Threads[thread].Bubble
	if b == nil {
		return 0, false
	}
	return b.Now, true
}
