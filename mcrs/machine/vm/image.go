package vm

import (
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/inet"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/rtype"
	"github.com/heddle-go/heddle/program"
	"github.com/heddle-go/heddle/program/assembly"
	"golang.org/x/tools/go/ssa"
)

// This file defines the image of a program: the names, numbers and addresses that it has in all executions.

// An Image is the program as it lies in memory before anything runs. It grows when something is first needed, and
// never changes what is there.
type Image struct {
	Heap
	Text
	Program *program.Program
	Layouts *layout.Layouts
	Types   *rtype.Types

	common   *common
	values   map[*Func]uint64         // static function values
	overlays map[string]*ssa.Function // functions of overlays, by name
	strings  map[string]uint64        // string constants
	data     map[string]uint64        // other constants
	zeroBase uint64                   // where everything without size is

	LayoutList []*layout.Layout // see code.OpNew
	layoutIdx  map[*layout.Layout]uint64
	PtrMaps    []*mem.PtrMap // see code.OpStN
	ptrMapIdx  map[*mem.PtrMap]uint64
	mapTypes   map[*types.Map]*MapType
	itabs      map[itabKey]uint64

	bySSA     map[*ssa.Function]*Func
	Globals   map[*ssa.Global]uint64
	Unordered map[uint64]bool         // objects whose operations order nothing, by address
	originals map[*ssa.Function]*Func // redirected functions, as they are in std
	twins     map[*types.Func][]twin  // see Twin
	Callers   map[*Func]*Func         // by callee: what stands for reflect.call
	Stubs     map[*Func]*types.Signature
	StubOf    map[StubKey]*Func
}

// A Heap is memory as the operations on locks, counters and channels see it: by the words of their objects.
type Heap struct{ Mem *mem.Memory }

func newImage(p *program.Program, shared *common) Image {
	im := Image{
		Program: p, Heap: Heap{mem.New()}, Layouts: shared.layouts.Beside(), common: shared,
		bySSA: map[*ssa.Function]*Func{}, originals: map[*ssa.Function]*Func{}, Globals: map[*ssa.Global]uint64{},
		values: map[*Func]uint64{}, overlays: map[string]*ssa.Function{}, strings: map[string]uint64{}, data: map[string]uint64{},
		layoutIdx: map[*layout.Layout]uint64{}, ptrMapIdx: map[*mem.PtrMap]uint64{},
		mapTypes: map[*types.Map]*MapType{}, itabs: map[itabKey]uint64{}, Text: Text{funcs: map[uint64]*Func{}, pcs: map[uint64]event.Site{}},
	}
	im.Funcs = append(im.Funcs, nil)
	im.SiteTable = append(make([]SiteInfo, 0, usualSites), SiteInfo{})
	im.PtrMaps = append(im.PtrMaps, nil)
	im.zeroBase = im.Mem.AllocStatic("zero", nil)
	return im
}

// FuncValue returns the address of the value of a function that is no closure.
func (im *Image) FuncValue(f *Func) uint64 {
	if v, ok := im.values[f]; ok {
		return v
	}
	w := f.Text
	b := unsafe.Slice((*byte)(unsafe.Pointer(&w)), 8)
	v := im.Mem.AllocStatic("func "+string(b), b)
	im.values[f] = v
	return v
}

// ClosureFunc returns the function of a function value, nil if it is no such value.
func (im *Image) ClosureFunc(fv uint64) *Func {
	p := im.Mem.At(fv, 8)
	if p == nil {
		return nil
	}
	return im.TextFunc(*(*uint64)(p))
}

// ItabFunc returns method i of an itab.
func (im *Image) ItabFunc(itab uint64, i int) *Func {
	return im.TextFunc(*(*uint64)(im.Must(itab+24+8*uint64(i), 8)))
}

// Overlay finds a function of an overlay by "path.name".
func (im *Image) Overlay(name string) *ssa.Function {
	if fn, ok := im.overlays[name]; ok {
		return fn
	}
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' {
			var fn *ssa.Function
			if p := im.Program.PackageByPath(name[:i]); p != nil {
				fn = p.SSA.Func(name[i+1:])
			}
			im.overlays[name] = fn
			return fn
		}
	}
	return nil
}

// PkgOf returns the package that declares fn, or the function that fn stands in; nil if there is none.
func (im *Image) PkgOf(fn *ssa.Function) *types.Package {
	for fn.Parent() != nil && im.Program.Declared(fn) == fn {
		fn = fn.Parent()
	}
	fn = im.Program.Declared(fn)
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	if fn.Pkg != nil {
		return fn.Pkg.Pkg
	}
	if o := fn.Object(); o != nil {
		return o.Pkg()
	}
	return nil
}

// funcName is a function's name in the boundary table: "path.F", "(*path.T).M", "path.F$1"; an instance has its
// origin's name.
func (im *Image) funcName(fn *ssa.Function) string {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if d := im.Program.Declared(fn); d != fn {
		return im.funcName(d)
	}
	if outer := fn.Parent(); outer != nil {
		return im.funcName(outer) + "$" + strconv.Itoa(1+slices.Index(outer.AnonFuncs, fn))
	}
	return fn.RelString(nil)
}

// LinkPath is a package's path as the linker has it.
func (im *Image) LinkPath(p *types.Package) string {
	if p.Name() == "main" && im.Program.Root != nil && p == im.Program.Root.Types && im.Program.Test == im.Program.Root && im.Program.XTest == nil {
		return "main"
	}
	path, _, _ := strings.Cut(p.Path(), " [")
	return path
}

// TypeWord is the first word of an interface of type iface that holds a t.
func (im *Image) TypeWord(iface, t types.Type) uint64 {
	if IsEmpty(iface) {
		return im.Types.Of(t)
	}
	return im.Types.Itab(iface, t)
}

// DynamicType returns the descriptor address of what an interface's first word names.
func (im *Heap) DynamicType(w uint64, empty bool) uint64 {
	if w == 0 || empty {
		return w
	}
	return *(*uint64)(im.Must(w+8, 8)) // abi.ITab.Type
}

type itabKey struct {
	iface types.Type
	typ   uint64
}

// ItabFor returns the itab of interface iface for the type with descriptor typ, 0 if it does not implement it.
func (im *Image) ItabFor(iface types.Type, typ uint64) uint64 {
	k := itabKey{iface, typ}
	if t, ok := im.itabs[k]; ok {
		return t
	}
	t := im.Types.Itab(iface, im.Types.TypeAt(typ))
	im.itabs[k] = t
	return t
}

// StaticString returns the header of a string constant.
func (im *Image) StaticString(s string) (p, n uint64) {
	if s == "" {
		return 0, 0
	}
	p, ok := im.strings[s]
	if !ok {
		p = im.Mem.AllocStatic("string "+s, []byte(s))
		im.strings[s] = p
	}
	return p, uint64(len(s))
}

// StaticData returns the address of a constant's bytes.
func (im *Image) StaticData(b []byte, l *layout.Layout) uint64 {
	k := string(b) + "/" + fmt.Sprint(len(b))
	p, ok := im.data[k]
	if !ok {
		p = im.Mem.AllocStatic("data "+k, b)
		im.data[k] = p
	}
	return p
}

// LayoutIndex returns the number of a layout in instructions.
func (im *Image) LayoutIndex(l *layout.Layout) uint64 {
	i, ok := im.layoutIdx[l]
	if !ok {
		i = uint64(len(im.LayoutList))
		im.LayoutList = append(im.LayoutList, l)
		im.layoutIdx[l] = i
	}
	return i
}

// PtrMapIndex returns the number of a pointer map in instructions; 0 stands for no pointers.
func (im *Image) PtrMapIndex(p *mem.PtrMap) uint64 {
	if p == nil {
		return 0
	}
	i, ok := im.ptrMapIdx[p]
	if !ok {
		i = uint64(len(im.PtrMaps))
		im.PtrMaps = append(im.PtrMaps, p)
		im.ptrMapIdx[p] = i
	}
	return i
}

// PtrMap returns the pointer map of an object of a size with pointers at some offsets, nil if there are none.
func PtrMap(size uint64, offs []uint32) *mem.PtrMap {
	if len(offs) == 0 {
		return nil
	}
	return &mem.PtrMap{Elem: size, Offs: offs}
}

// MapTypeOf returns what operations on maps of type t need to know.
func (im *Image) MapTypeOf(t *types.Map) *MapType {
	if mt, ok := im.mapTypes[t]; ok {
		return mt
	}
	mt := NewMapType(im.Layouts, t)
	im.mapTypes[t] = mt
	return mt
}

// NewMapType returns what operations on maps of type t need to know.
func NewMapType(ls *layout.Layouts, t *types.Map) *MapType {
	mt := &MapType{Key: ls.Of(t.Key()), Elem: ls.Of(t.Elem())}
	if b, ok := t.Key().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
		mt.Str = true
	} else if mt.Key.Class >= layout.Int8 && mt.Key.Class <= layout.Uint64 {
		mt.Word = true
	}
	return mt
}

// Must returns a pointer to n bytes at an address that the guest made; a bad one is the guest's fault.
func (im *Heap) Must(addr, n uint64) unsafe.Pointer {
	p := im.Mem.At(addr, n)
	if p == nil {
		panic(rtype.BadAddr{Addr: addr, Size: n})
	}
	return p
}

// Str returns the bytes of a string in place; they never change.
func (im *Heap) Str(p, n uint64) []byte {
	b, ok := im.Mem.Bytes(p, n)
	if !ok {
		return nil
	}
	return b
}

// GoString copies a string out of the machine.
func (im *Heap) GoString(p, n uint64) string { return string(im.Str(p, n)) }

// runtimeErrors are the variables of package runtime that others share by linkname: its initialiser is not run.
var runtimeErrors = map[string]string{
	"divideError":   "integer divide by zero",
	"overflowError": "integer overflow",
	"shiftError":    "negative shift amount",
	"memoryError":   "invalid memory address or nil pointer dereference",
}

// initRuntimeVar gives a variable of package runtime its initial value.
func (m *Image) initRuntimeVar(v *ssa.Global, o *mem.Object) {
	switch v.Name() {
	case "haveHighResSleep":
		*(*byte)(o.Data()) = 1
	case "MemProfileRate":
		*(*int64)(o.Data()) = 512 << 10
	}
	if text, ok := runtimeErrors[v.Name()]; ok {
		t := m.RuntimeType("errorString")
		p, n := m.StaticString(text)
		w := [2]uint64{p, n}
		data := m.StaticData(unsafe.Slice((*byte)(unsafe.Pointer(&w)), 16), m.Layouts.Of(t))
		*(*[2]uint64)(o.Data()) = [2]uint64{m.Types.Itab(types.Universe.Lookup("error").Type(), t), data}
	}
}

// Func returns the machine's function for fn.
func (m *Machine) Func(fn *ssa.Function) *Func {
	if f, ok := m.bySSA[fn]; ok {
		return f
	}
	f := m.newFunc(fn, m.Library.Redirects[m.funcName(fn)])
	m.bySSA[fn] = f
	return f
}

// Callee is Func for a static call: what an overlay's function calls by the name it stands for is the original.
func (m *Machine) Callee(caller *Func, fn *ssa.Function) *Func {
	if to, ok := m.Library.Redirects[m.funcName(fn)]; !ok || caller.SSA == nil || m.funcName(caller.SSA) != to {
		return m.Func(fn)
	}
	f, ok := m.originals[fn]
	if !ok {
		f = m.newFunc(fn, "")
		m.originals[fn] = f
	}
	return f
}

func (m *Machine) newFunc(fn *ssa.Function, redirect string) *Func {
	f := &Func{SSA: fn, Name: m.funcName(fn)}
	full := f.Name
	if fn.Origin() != nil {
		full = fn.RelString(nil)
	}
	m.add(f, full)
	if redirect != "" {
		if r := m.Overlay(redirect); r != nil {
			f.SSA = r
			fn = r
		}
	}
	m.Program.Build(fn)
	if pkg := m.PkgOf(fn); pkg != nil {
		f.Std = m.Program.IsStd(pkg)
		f.Calculates = f.Std && calculates(pkg.Path())
		f.Inet = f.Std && inet.Own(m.funcName(fn))
		if f.Inet {
			f.Order = orderOf(m.funcName(fn))
		}
		f.Silent = f.Std && m.Config.Silent(pkg.Path()) && !Exposed(m.funcName(fn))
		switch pkg.Path() {
		case "sync", "sync/atomic", "internal/sync", "internal/runtime/atomic", "internal/synctest", "testing/synctest":
			f.Sync = true
		}
		if strings.HasPrefix(fn.Name(), "heddle") && !strings.HasPrefix(fn.Name(), "heddleSeen") && m.Library.Overlaid[pkg.Path()] {
			f.Silent = true // a serial specification of ours, also where the package itself is under test
		}
	}
	if fn.Name() == "init" && fn.Synthetic != "" { // Prepare calls initialisers in the linker's order
		if p := m.Program.Package(m.PkgOf(fn)); p == nil || p.Boundary || p.Path == "unsafe" {
			f.Intrinsic = Nothing
			f.Sign(m.Layouts, f.SSA)
			return f
		}
	}
	f.Wrapper = fn.Synthetic != "" && fn.Parent() == nil && fn.Name() != "init" && fn.Origin() == nil // an instance is none
	if in, ok := m.Library.Intrinsics[f.Name]; ok {
		f.Intrinsic = in
	} else if mk, ok := m.Library.Instances[f.Name]; ok {
		f.Intrinsic = mk(m, f)
	} else if body, symbol := m.Program.Resolve(fn); body != fn {
		if body != nil {
			if in, ok := m.Library.Intrinsics[m.funcName(body)]; ok {
				f.Intrinsic = in
			} else {
				m.Program.Build(body)
				f.SSA = body
				if pkg := m.PkgOf(body); pkg != nil && pkg.Path() == "testing" { // it is no primitive that synctest.Test calls
					f.Sync = false
				}
			}
		} else if in, ok := m.Library.Intrinsics[symbol]; ok {
			f.Intrinsic = in
		} else {
			f.Missing = symbol
			if pkg := m.PkgOf(fn); pkg != nil && m.Program.Package(pkg) != nil && m.Program.Package(pkg).Cgo {
				f.Missing += " of cgo (with CGO_ENABLED=0 there may be Go code in its place)"
			}
		}
	}
	if f.Intrinsic != nil {
		f.Sign(m.Layouts, f.SSA)
		f.Quiet = slices.ContainsFunc(m.Library.Quiet, func(s string) bool { return strings.HasPrefix(f.Name, s) })
	}
	return f
}

// Native makes a function that is an intrinsic and has no declaration. Where several have the name, of tells them
// apart.
func (m *Image) Native(name, of string, params, results int32, in Intrinsic) *Func {
	f := &Func{Name: name, Intrinsic: in, Code: code.Code{Params: params, Results: results}, Std: true}
	f.Ctx = params + results
	f.Frame = f.Ctx + 8
	f.Instrs = []code.Instr{{Op: code.OpSelf}, {Op: code.OpRet}}
	f.Sites = make([]event.Site, 2)
	f.Compiled = true
	f.RecoverPC = -1
	m.add(f, name+" "+of)
	return f
}

// GlobalAddr returns the address of a package variable.
func (m *Machine) GlobalAddr(g *ssa.Global) uint64 {
	if a, ok := m.Globals[g]; ok {
		return a
	}
	if to, _ := m.Program.ResolveVar(g); to != nil && to != g {
		a := m.GlobalAddr(to)
		m.Globals[g] = a
		return a
	}
	l, v := m.Layouts.Of(Deref(g.Type())), m.Program.Assembled(g)
	if v != nil && v.Odd == assembly.Function {
		m.Globals[g] = m.Mem.Code(g.String())
		return m.Globals[g]
	}
	if l.Size == 0 {
		m.Globals[g] = m.zeroBase
		return m.zeroBase
	}
	live := m.Mem.Live // the first execution that meets a variable is like any other
	o := m.Mem.Alloc(mem.Init, l.Size, l.Ptrs)
	m.Mem.Live = live
	o.Flags |= mem.Shared
	if m.Prepared && !m.Inits { // of a package behind the boundary, met late
		o.Flags |= mem.Frozen
	}
	if g.Pkg != nil && m.Program.IsStd(g.Pkg.Pkg) {
		o.Flags |= mem.StdVar
		if memoVars[g.Pkg.Pkg.Path()+"."+g.Name()] != "" {
			o.Flags |= mem.Memo
		}
	}
	m.Globals[g] = o.Base
	if v != nil && v.Odd == "" && l.Ptrs == nil {
		copy(unsafe.Slice((*byte)(o.Data()), l.Size), v.Data)
		if v.ReadOnly {
			o.Flags |= mem.ReadOnly
		}
	}
	if g.Pkg != nil && g.Pkg.Pkg.Path() == "runtime" {
		m.initRuntimeVar(g, o)
	}
	return o.Base
}

// A MapType is what operations on maps of one type need to know.
type MapType struct {
	Key, Elem *layout.Layout
	Word      bool // keys are one integer or pointer word
	Str       bool // keys are strings
}

// RuntimeType returns a named type of package runtime.
func (m *Image) RuntimeType(name string) types.Type {
	if p := m.Program.PackageByPath("runtime"); p != nil {
		if o := p.Types.Scope().Lookup(name); o != nil {
			return o.Type()
		}
	}
	return types.Typ[types.String]
}

// Deref returns the type that a pointer type points to.
func Deref(t types.Type) types.Type { return t.Underlying().(*types.Pointer).Elem() }

// IsEmpty reports whether an interface type has no methods.
func IsEmpty(t types.Type) bool { return t.Underlying().(*types.Interface).NumMethods() == 0 }

// Position implements report.Source.
func (m *Machine) Position(s event.Site) token.Position {
	if s == 0 || int(s) >= len(m.SiteTable) || m.SiteTable[s].Instr == nil {
		return token.Position{}
	}
	return m.Program.Pos(m.SiteTable[s].Instr)
}

// OwnFile is the file that s stands in, whatever //line directives say.
func (m *Image) OwnFile(s event.Site) string {
	if s == 0 || int(s) >= len(m.SiteTable) || m.SiteTable[s].Instr == nil {
		return ""
	}
	return filepath.ToSlash(m.Program.Fset.PositionFor(program.InstrPos(m.SiteTable[s].Instr), false).Filename)
}

// calculators are the packages of the standard library that have no loop of their own which waits for another
// goroutine, with those below them. What they call, a Reader say, stands in another package.
var calculators = map[string]bool{
	"bytes": true, "cmp": true, "compress": true, "container": true, "crypto": true, "encoding": true, "errors": true, "fmt": true, "go": true, "hash": true,
	"html": true, "image": true, "index": true, "maps": true, "math": true, "mime": true, "path": true, "regexp": true, "slices": true, "sort": true,
	"strconv": true, "strings": true, "text": true, "unicode": true,
}

// calculates reports whether a package of the standard library is one of them.
func calculates(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return calculators[first]
}
