package machine

import (
	"go/token"
	"go/types"
	"path/filepath"
	"sort"
	"strings"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/program"
	"golang.org/x/tools/go/ssa"
)

// This file defines where sites are: the machine is a report.Source.

type unsafePointer = unsafe.Pointer

func d2(p unsafe.Pointer, off uint64) unsafe.Pointer { return unsafe.Add(p, off) }

// Position implements report.Source.
func (m *Machine) Position(s event.Site) token.Position {
	if s == 0 || int(s) >= len(m.siteTable) || m.siteTable[s].in == nil {
		return token.Position{}
	}
	return m.prog.Pos(m.siteTable[s].in)
}

// ownFile is the file that s stands in, whatever //line directives say.
func (m *image) ownFile(s event.Site) string {
	if s == 0 || int(s) >= len(m.siteTable) || m.siteTable[s].in == nil {
		return ""
	}
	return filepath.ToSlash(m.prog.Fset.PositionFor(program.InstrPos(m.siteTable[s].in), false).Filename)
}

// Instr returns the instruction of a site, nil if it has none.
func (m *Machine) Instr(s event.Site) ssa.Instruction {
	if s == 0 || int(s) >= len(m.siteTable) {
		return nil
	}
	return m.siteTable[s].in
}

// Called returns the functions that have been called so far, by package initialisers too.
func (m *Machine) Called() map[*ssa.Function]bool {
	out := make(map[*ssa.Function]bool)
	for _, f := range m.funcs[1:] {
		if f.compiled && f.ssa != nil {
			out[f.ssa] = true
		}
	}
	return out
}

// UserMemory reports whether an address is that of a package variable of the user's, or of what the initialisers of the user's packages have made.
// (Among those may be packages of the standard library, where they come later.)
func (m *Machine) UserMemory(addr uint64) bool {
	o := m.mem.Object(addr)
	if o == nil || addr>>48 != mem.Init || o.Flags&mem.StdVar != 0 {
		return false
	}
	if m.userVars == nil {
		m.userVars = map[uint64]bool{}
		for g, at := range m.globals {
			if g.Pkg != nil && !m.prog.IsStd(g.Pkg.Pkg) {
				m.userVars[at] = true
			}
		}
	}
	return o.Base >= m.userFrom || m.userVars[o.Base]
}

// IsUser implements report.Source.
func (m *Machine) IsUser(s event.Site) bool {
	return s != 0 && int(s) < len(m.siteTable) && !m.siteTable[s].f.std && m.Position(s).Line > 0
}

// Package implements report.Source.
func (m *Machine) Package(s event.Site) string {
	if s == 0 || int(s) >= len(m.siteTable) {
		return ""
	}
	if p := m.pkgOf(m.siteTable[s].f.ssa); p != nil {
		return p.Path()
	}
	return ""
}

// Variable implements report.Source: the address operand of a load or store, as the source writes it.
func (m *Machine) Variable(s event.Site) string {
	if s == 0 || int(s) >= len(m.siteTable) {
		return ""
	}
	switch in := m.siteTable[s].in.(type) {
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
	case *ssa.Call:
		if len(in.Call.Args) > 0 {
			return valueName(in.Call.Args[0])
		}
	}
	return ""
}

func valueName(v ssa.Value) string {
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
		return v.Name()
	case *ssa.FieldAddr:
		st := deref(v.X.Type()).Underlying().(*types.Struct)
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
