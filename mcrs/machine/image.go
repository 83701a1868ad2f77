package machine

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/rtype"
	"github.com/heddle-go/heddle/program"
	"golang.org/x/tools/go/ssa"
)

// This file defines the image of a program: the names, numbers and addresses that it has in all executions.

// An image is the program as it lies in memory before anything runs. It grows when something is first needed, and never changes what is there.
type image struct {
	heap
	prog    *program.Program
	layouts *layout.Layouts
	types   *rtype.Types

	funcs    []*Func                  // by id
	values   map[*Func]uint64         // static function values
	overlays map[string]*ssa.Function // functions of overlays, by name
	strings  map[string]uint64        // string constants
	data     map[string]uint64        // other constants
	zeroBase uint64                   // where everything without size is

	layoutList []*layout.Layout // see code.OpNew
	layoutIdx  map[*layout.Layout]uint64
	ptrMaps    []*mem.PtrMap // see code.OpStN
	ptrMapIdx  map[*mem.PtrMap]uint64
	mapTypes   map[*types.Map]*mapType
	itabs      map[itabKey]uint64

	bySSA     map[*ssa.Function]*Func
	globals   map[*ssa.Global]uint64
	originals map[*ssa.Function]*Func // redirected functions, as they are in std
	callers   map[*Func]*Func         // by callee: what stands for reflect.call
	stubs     map[*Func]*types.Signature
	stubOf    map[stubKey]*Func

	siteTable []siteInfo // by event.Site
	pseudo    map[string]event.Site
}

// A heap is memory as the operations on locks, counters and channels see it: by the words of their objects.
type heap struct{ mem *mem.Memory }

type siteInfo struct {
	f  *Func
	in ssa.Instruction
}

func newImage(p *program.Program) image {
	im := image{
		prog: p, heap: heap{mem.New()}, layouts: layout.New("amd64"),
		bySSA: map[*ssa.Function]*Func{}, originals: map[*ssa.Function]*Func{}, globals: map[*ssa.Global]uint64{},
		values: map[*Func]uint64{}, overlays: map[string]*ssa.Function{}, strings: map[string]uint64{}, data: map[string]uint64{},
		layoutIdx: map[*layout.Layout]uint64{}, ptrMapIdx: map[*mem.PtrMap]uint64{},
		mapTypes: map[*types.Map]*mapType{}, itabs: map[itabKey]uint64{},
	}
	im.funcs = append(im.funcs, nil)
	im.siteTable = append(im.siteTable, siteInfo{})
	im.ptrMaps = append(im.ptrMaps, nil)
	im.zeroBase = im.mem.AllocStatic(nil, nil)
	return im
}

// textBase is the segment of code addresses.
const textBase = 0xffff << 48

func (im *image) text(f *Func) uint64 { return textBase | uint64(f.id)<<4 }

func (im *image) textFunc(text uint64) *Func {
	i := text &^ textBase >> 4
	if text>>48 != 0xffff || i >= uint64(len(im.funcs)) {
		return nil
	}
	return im.funcs[i]
}

// funcValue returns the address of the value of a function that is no closure.
func (im *image) funcValue(f *Func) uint64 {
	if v, ok := im.values[f]; ok {
		return v
	}
	w := im.text(f)
	v := im.mem.AllocStatic(unsafe.Slice((*byte)(unsafe.Pointer(&w)), 8), nil)
	im.values[f] = v
	return v
}

// closureFunc returns the function of a function value, nil if it is no such value.
func (im *image) closureFunc(fv uint64) *Func {
	p := im.mem.At(fv, 8)
	if p == nil {
		return nil
	}
	return im.textFunc(*(*uint64)(p))
}

// itabFunc returns method i of an itab.
func (im *image) itabFunc(itab uint64, i int) *Func {
	return im.textFunc(*(*uint64)(im.must(itab+24+8*uint64(i), 8)))
}

// overlay finds a function of an overlay by "path.name".
func (im *image) overlay(name string) *ssa.Function {
	if fn, ok := im.overlays[name]; ok {
		return fn
	}
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' {
			var fn *ssa.Function
			if p := im.prog.PackageByPath(name[:i]); p != nil {
				fn = p.SSA.Func(name[i+1:])
			}
			im.overlays[name] = fn
			return fn
		}
	}
	return nil
}

// pkgOf returns the package that declares fn, or the function that fn stands in; nil if there is none.
func (im *image) pkgOf(fn *ssa.Function) *types.Package {
	for fn.Parent() != nil && im.prog.Declared(fn) == fn {
		fn = fn.Parent()
	}
	fn = im.prog.Declared(fn)
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

// funcName is a function's name in the boundary table: "path.F", "(*path.T).M", "path.F$1"; an instance has its origin's name.
func (im *image) funcName(fn *ssa.Function) string {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if d := im.prog.Declared(fn); d != fn {
		return im.funcName(d)
	}
	if outer := fn.Parent(); outer != nil {
		return im.funcName(outer) + "$" + strconv.Itoa(1+slices.Index(outer.AnonFuncs, fn))
	}
	return fn.RelString(nil)
}

// linkPath is a package's path as the linker has it.
func (im *image) linkPath(p *types.Package) string {
	if p.Name() == "main" && im.prog.Root != nil && p == im.prog.Root.Types && im.prog.Test == im.prog.Root && im.prog.XTest == nil {
		return "main"
	}
	path, _, _ := strings.Cut(p.Path(), " [")
	return path
}

// typeWord is the first word of an interface of type iface that holds a t.
func (im *image) typeWord(iface, t types.Type) uint64 {
	if isEmpty(iface) {
		return im.types.Of(t)
	}
	return im.types.Itab(iface, t)
}

// dynamicType returns the descriptor address of what an interface's first word names.
func (im *heap) dynamicType(w uint64, empty bool) uint64 {
	if w == 0 || empty {
		return w
	}
	return *(*uint64)(im.must(w+8, 8)) // abi.ITab.Type
}

type itabKey struct {
	iface types.Type
	typ   uint64
}

// itabFor returns the itab of interface iface for the type with descriptor typ, 0 if it does not implement it.
func (im *image) itabFor(iface types.Type, typ uint64) uint64 {
	k := itabKey{iface, typ}
	if t, ok := im.itabs[k]; ok {
		return t
	}
	t := im.types.Itab(iface, im.types.TypeAt(typ))
	im.itabs[k] = t
	return t
}

// staticString returns the header of a string constant.
func (im *image) staticString(s string) (p, n uint64) {
	if s == "" {
		return 0, 0
	}
	p, ok := im.strings[s]
	if !ok {
		p = im.mem.AllocStatic([]byte(s), nil)
		im.strings[s] = p
	}
	return p, uint64(len(s))
}

// staticData returns the address of a constant's bytes.
func (im *image) staticData(b []byte, l *layout.Layout) uint64 {
	k := string(b) + "/" + fmt.Sprint(len(b))
	p, ok := im.data[k]
	if !ok {
		p = im.mem.AllocStatic(b, nil)
		im.data[k] = p
	}
	return p
}

func (im *image) layoutIndex(l *layout.Layout) uint64 {
	i, ok := im.layoutIdx[l]
	if !ok {
		i = uint64(len(im.layoutList))
		im.layoutList = append(im.layoutList, l)
		im.layoutIdx[l] = i
	}
	return i
}

func (im *image) ptrMapIndex(p *mem.PtrMap) uint64 {
	if p == nil {
		return 0
	}
	i, ok := im.ptrMapIdx[p]
	if !ok {
		i = uint64(len(im.ptrMaps))
		im.ptrMaps = append(im.ptrMaps, p)
		im.ptrMapIdx[p] = i
	}
	return i
}

func ptrMap(size uint64, offs []uint32) *mem.PtrMap {
	if len(offs) == 0 {
		return nil
	}
	return &mem.PtrMap{Elem: size, Offs: offs}
}

func (im *image) mapTypeOf(t *types.Map) *mapType {
	if mt, ok := im.mapTypes[t]; ok {
		return mt
	}
	mt := &mapType{key: im.layouts.Of(t.Key()), elem: im.layouts.Of(t.Elem())}
	if b, ok := t.Key().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
		mt.str = true
	} else if mt.key.Class >= layout.Int8 && mt.key.Class <= layout.Uint64 {
		mt.word = true
	}
	im.mapTypes[t] = mt
	return mt
}

// must returns a pointer to n bytes at an address that the guest made; a bad one is the guest's fault.
func (im *heap) must(addr, n uint64) unsafe.Pointer {
	p := im.mem.At(addr, n)
	if p == nil {
		panic(rtype.BadAddr{Addr: addr, Size: n})
	}
	return p
}

// str returns the bytes of a string in place; they never change.
func (im *heap) str(p, n uint64) []byte {
	b, ok := im.mem.Bytes(p, n)
	if !ok {
		return nil
	}
	return b
}

// goString copies a string out of the machine.
func (im *heap) goString(p, n uint64) string { return string(im.str(p, n)) }

// site returns the number of an instruction.
func (im *image) site(f *Func, in ssa.Instruction) event.Site {
	id := event.Site(len(im.siteTable))
	im.siteTable = append(im.siteTable, siteInfo{f, in})
	return id
}

// pseudoSite is a site in a function of the runtime that the machine does not have.
func (im *image) pseudoSite(name string) event.Site {
	if s, ok := im.pseudo[name]; ok {
		return s
	}
	s := im.site(&Func{name: name, std: true}, nil)
	if im.pseudo == nil {
		im.pseudo = map[string]event.Site{}
	}
	im.pseudo[name] = s
	return s
}
