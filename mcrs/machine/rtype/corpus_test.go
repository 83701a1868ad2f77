package rtype

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/rtype/internal/corpus"
)

// This file compares descriptors with those in the test binary itself: the same types are loaded by go/types and
// compiled.

// randomFile, if set, is read instead of the corpus's random.go: what an overlay gave to the compiler.
const randomFile = "HEDDLE_RTYPE_RANDOM"

var loadCorpus = sync.OnceValues(func() ([]types.Type, error) {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range []string{"internal/corpus/corpus.go", "internal/corpus/random.go"} {
		if f := os.Getenv(randomFile); f != "" && filepath.Base(name) == "random.go" {
			name = f
		}
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil), Sizes: types.SizesFor("gc", "amd64")}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if _, err := conf.Check(reflect.TypeFor[corpus.Empty]().PkgPath(), fset, files, info); err != nil {
		return nil, err
	}
	// The roots are the arguments of new, in the order of the slices that the program builds.
	byFunc := map[string][]types.Type{}
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 1 {
					if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "new" {
						byFunc[fn.Name.Name] = append(byFunc[fn.Name.Name], info.Types[call.Args[0]].Type)
						return false
					}
				}
				return true
			})
		}
	}
	var roots []types.Type
	for _, name := range []string{"Roots", "local", "local2", "random"} {
		roots = append(roots, byFunc[name]...)
	}
	return roots, nil
})

// testFuncs gives an address to every function and remembers what was asked.
type testFuncs struct {
	texts []string
}

func (f *testFuncs) MethodText(recv types.Type, sel *types.Selection) uint64 {
	f.texts = append(f.texts, sel.Obj().Name())
	return uint64(len(f.texts)) << 8
}

func (f *testFuncs) EqualFunc(types.Type) uint64 { return 0xe0 }

var stringType = types.Typ[types.String]

func newTypes() (*Types, *mem.Memory, *testFuncs) {
	m := mem.New()
	f := &testFuncs{}
	return New(m, layout.New("amd64"), f), m, f
}

// The layouts of internal/abi.
type (
	abiType struct {
		size, ptrBytes       uintptr
		hash                 uint32
		tflag, align, falign uint8
		kind                 uint8
		equal                uintptr
		gcdata               uintptr
		str, ptrToThis       int32
	}
	abiUncommon struct {
		pkgPath        int32
		mcount, xcount uint16
		moff, _        uint32
	}
	abiMethod struct{ name, mtyp, ifn, tfn int32 }
)

// A side is one of the two places that hold descriptors.
type side struct {
	at      func(addr uintptr, n uint64) unsafe.Pointer
	nameOff func(off int32) uintptr
	typeOff func(off int32) uintptr
}

func get[T any](s *side, addr uintptr) *T {
	var v T
	p := s.at(addr, uint64(unsafe.Sizeof(v)))
	if p == nil {
		panic(BadAddr{uint64(addr), uint64(unsafe.Sizeof(v))})
	}
	return (*T)(p)
}

// name decodes an abi.Name.
func (s *side) name(addr uintptr) string {
	if addr == 0 {
		return "<none>"
	}
	varint := func(addr uintptr) (n, size uintptr) {
		for i := uintptr(0); ; i++ {
			c := *get[byte](s, addr+i)
			n |= uintptr(c&0x7f) << (7 * i)
			if c&0x80 == 0 {
				return n, i + 1
			}
		}
	}
	text := func(addr uintptr) (string, uintptr) {
		n, k := varint(addr)
		if n == 0 {
			return "", addr + k
		}
		return string(unsafe.Slice((*byte)(s.at(addr+k, uint64(n))), n)), addr + k + n
	}
	flags := *get[byte](s, addr)
	name, next := text(addr + 1)
	out := fmt.Sprintf("%q flags %d", name, flags)
	if flags&2 != 0 {
		var tag string
		tag, next = text(next)
		out += fmt.Sprintf(" tag %q", tag)
	}
	if flags&4 != 0 {
		var off int32
		copy((*[4]byte)(unsafe.Pointer(&off))[:], (*[4]byte)(s.at(next, 4))[:])
		out += " pkg " + s.name(s.nameOff(off))
	}
	return out
}

type eface struct {
	typ  uintptr
	data unsafe.Pointer
}

func nativeType(addr uintptr) reflect.Type {
	var x any
	(*eface)(unsafe.Pointer(&x)).typ = addr
	return reflect.TypeOf(x)
}

func nativeAddr(t reflect.Type) uintptr {
	x := any(t)
	return uintptr((*eface)(unsafe.Pointer(&x)).data)
}

// nativeSide reads the test binary's own. Its offsets count from where the linker put the types. The name of a known
// type gives that away.
func nativeSide() *side {
	t := reflect.TypeFor[corpus.Int]()
	str := t.String()
	s := &side{at: func(addr uintptr, n uint64) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&addr)) }}
	at := get[abiType](s, nativeAddr(t))
	base := uintptr(unsafe.Pointer(unsafe.StringData(str))) - 1 /* star */ - 2 /* flags, length */ - uintptr(at.str)
	s.nameOff = func(off int32) uintptr {
		if off == 0 {
			return 0
		}
		return base + uintptr(off)
	}
	s.typeOff = func(off int32) uintptr {
		if off == 0 || off == -1 {
			return 0
		}
		return base + uintptr(off)
	}
	return s
}

func ourSide(ts *Types, m *mem.Memory) *side {
	return &side{
		at:      func(addr uintptr, n uint64) unsafe.Pointer { return m.At(uint64(addr), n) },
		nameOff: func(off int32) uintptr { return uintptr(ts.Name(off)) },
		typeOff: func(off int32) uintptr { return uintptr(ts.TypeOff(off)) },
	}
}

// describe writes one descriptor without addresses. It returns the descriptors that it refers to, 0 for one that is
// missing.
func (s *side) describe(addr uintptr) (string, []uintptr) {
	var b bytes.Buffer
	var refs []uintptr
	t := get[abiType](s, addr)
	fmt.Fprintf(&b, "size %d ptrbytes %d tflag %b align %d %d kind %d equal %v", t.size, t.ptrBytes, t.tflag, t.align, t.falign, t.kind, t.equal != 0)
	fmt.Fprintf(&b, "\nstr %s", s.name(s.nameOff(t.str)))
	if t.tflag&tflagGCMaskOnDemand == 0 && t.ptrBytes > 0 {
		n := (t.ptrBytes/8 + 7) / 8
		fmt.Fprintf(&b, "\ngc %x", unsafe.Slice((*byte)(s.at(t.gcdata, uint64(n))), n))
	}
	word := func(off uintptr) uintptr { return *get[uintptr](s, addr+off) }
	ref := func(off uintptr) { refs = append(refs, word(off)) }
	end, variable := uintptr(48), uintptr(0)
	uncommon := t.tflag&tflagUncommon != 0
	extra := uintptr(0)
	if uncommon {
		extra = 16
	}
	slice := func(what string) {
		fmt.Fprintf(&b, "\n%s at %d, %d %d", what, word(56)-addr, word(64), word(72))
	}
	switch t.kind {
	case kindPointer, kindSlice:
		end = 56
		ref(48)
	case kindArray:
		end = 72
		ref(48)
		ref(56)
		fmt.Fprintf(&b, "\nlen %d", word(64))
	case kindChan:
		end = 64
		ref(48)
		fmt.Fprintf(&b, "\ndir %d", word(56))
	case kindMap:
		end = 112
		ref(48)
		ref(56)
		fmt.Fprintf(&b, "\ngroup %d slot %d elem at %d flags %b", word(80), word(88), word(96), *get[uint32](s, addr+104))
	case kindFunc:
		end = 56
		in, out := *get[uint16](s, addr+48), *get[uint16](s, addr+50)
		fmt.Fprintf(&b, "\nin %d out %x", in, out)
		n := uintptr(in + out&0x7fff)
		variable = 8 * n
		for i := range n {
			ref(end + extra + 8*i)
		}
	case kindInterface:
		end = 80
		n := word(64)
		variable = 8 * n
		fmt.Fprintf(&b, "\npkg %s", s.name(word(48)))
		slice("methods")
		for i := range n {
			im := get[[2]int32](s, word(56)+8*i)
			fmt.Fprintf(&b, "\n  %s", s.name(s.nameOff(im[0])))
			refs = append(refs, s.typeOff(im[1]))
		}
	case kindStruct:
		end = 80
		n := word(64)
		variable = 24 * n
		fmt.Fprintf(&b, "\npkg %s", s.name(word(48)))
		slice("fields")
		for i := range n {
			f := get[[3]uintptr](s, word(56)+24*i)
			fmt.Fprintf(&b, "\n  %s at %d", s.name(f[0]), f[2])
			refs = append(refs, f[1])
		}
	}
	if uncommon {
		u := get[abiUncommon](s, addr+end)
		fmt.Fprintf(&b, "\nuncommon pkg %s methods %d exported %d at %d", s.name(s.nameOff(u.pkgPath)), u.mcount, u.xcount, u.moff)
		if want := 16 + variable; uintptr(u.moff) != want {
			fmt.Fprintf(&b, " (not %d)", want)
		}
		for i := range uintptr(u.mcount) {
			m := get[abiMethod](s, addr+end+uintptr(u.moff)+16*i)
			fmt.Fprintf(&b, "\n  %s", s.name(s.nameOff(m.name)))
			refs = append(refs, s.typeOff(m.mtyp))
		}
	}
	return b.String(), refs
}

// pairTypes compares the descriptors of the roots and of all that they refer to, and returns the native type of each of
// ours.
func pairTypes(t *testing.T, ts *Types, m *mem.Memory) map[mem.Addr]reflect.Type {
	roots, err := loadCorpus()
	if err != nil {
		t.Fatal(err)
	}
	values := corpus.Roots()
	if len(values) != len(roots) {
		t.Fatalf("%d roots, and %d in the source", len(values), len(roots))
	}
	native, ours := nativeSide(), ourSide(ts, m)
	seen := map[mem.Addr]reflect.Type{}
	failures := 0
	var walk func(path string, n uintptr, o mem.Addr)
	walk = func(path string, n uintptr, o mem.Addr) {
		if n == 0 || o == 0 {
			if n != 0 {
				t.Errorf("%s: no descriptor, want %s", path, nativeType(n))
			}
			return // the linker drops what no one can reach
		}
		rt := nativeType(n)
		if was, ok := seen[o]; ok {
			if was != rt {
				t.Errorf("%s: one descriptor for %s and %s", path, was, rt)
			}
			return
		}
		seen[o] = rt
		path += " " + rt.String()
		want, wantRefs := native.describe(n)
		got, gotRefs := ours.describe(uintptr(o))
		if got != want || len(gotRefs) != len(wantRefs) {
			if failures++; failures < 20 {
				t.Errorf("%s:\ngot:\n%s\nwant:\n%s", path, got, want)
			}
			return
		}
		if got, want := ts.Str(ts.TypeAt(o)), rt.String(); got != want {
			t.Errorf("Str: got %s, want %s", got, want)
		}
		for i := range gotRefs {
			walk(path, wantRefs[i], mem.Addr(gotRefs[i]))
		}
		if p := ts.TypeOff(get[abiType](ours, uintptr(o)).ptrToThis); p != ts.PtrTo(o) || p == 0 {
			t.Errorf("%s: PtrToThis is %#x", path, p)
		}
	}
	for i, v := range values {
		rt := reflect.TypeOf(v).Elem()
		walk("", nativeAddr(rt), ts.Of(roots[i]))
	}
	t.Logf("%d roots, %d descriptors", len(roots), len(seen))
	return seen
}

func TestDescriptors(t *testing.T) {
	ts, m, _ := newTypes()
	seen := pairTypes(t, ts, m)
	native := map[reflect.Type]mem.Addr{}
	hashes := map[uint32]mem.Addr{}
	s := ourSide(ts, m)
	for o, rt := range seen {
		if other, ok := native[rt]; ok {
			t.Errorf("%s has two descriptors, %#x and %#x", rt, o, other)
		}
		native[rt] = o
		h := get[abiType](s, uintptr(o)).hash
		if other, ok := hashes[h]; ok {
			t.Errorf("%s and %s have the same hash", ts.Link(ts.TypeAt(o)), ts.Link(ts.TypeAt(other)))
		}
		hashes[h] = o
		if want := rt.Comparable(); want != ts.Alg(ts.TypeAt(o)).Comparable() {
			t.Errorf("%s: comparable is not %v", rt, want)
		}
	}
	// What stands behind the offsets of methods.
	funcs := ts.funcs.(*testFuncs)
	looked := map[int32]bool{}
	for len(looked) < len(ts.entries) { // a look may make more
		for _, n := range slices.Sorted(maps.Keys(ts.entries)) {
			if looked[n] {
				continue
			}
			looked[n] = true
			got, e := ts.entry(n), ts.entries[n]
			m := &e.d.methods[e.m]
			if e.kind == entryType {
				if sig := ts.TypeAt(got); sig == nil || !types.Identical(sig, m.fn.Type()) {
					t.Errorf("the type of %s is %v", m.fn, sig)
				}
			} else if name := funcs.texts[got>>8-1]; name != m.name {
				t.Errorf("the function of %s is %s", m.fn, name)
			}
		}
	}
	// Who implements what.
	var inters, all []mem.Addr
	for o, rt := range seen {
		all = append(all, o)
		if rt.Kind() == reflect.Interface && rt.NumMethod() > 0 {
			inters = append(inters, o)
		}
	}
	tabs := 0
	for _, i := range inters {
		for _, c := range all {
			it, ct := ts.TypeAt(i), ts.TypeAt(c)
			want := seen[c].Implements(seen[i])
			if got := ts.MissingMethod(it, ct) == nil; got != want {
				t.Errorf("%s implements %s: got %v", seen[c], seen[i], got)
			}
			if seen[c].Kind() == reflect.Interface {
				continue
			}
			tab := ts.Itab(it, ct)
			if (tab != 0) != want {
				t.Errorf("itab of %s for %s: %#x", seen[c], seen[i], tab)
			}
			if tab == 0 {
				continue
			}
			tabs++
			checkItab(t, ts, m, tab, i, c)
		}
	}
	t.Logf("%d interfaces, %d itabs", len(inters), tabs)
}

func checkItab(t *testing.T, ts *Types, m *mem.Memory, tab, inter, concrete mem.Addr) {
	t.Helper()
	it, ct := ts.TypeAt(inter), ts.TypeAt(concrete)
	s := ourSide(ts, m)
	h := get[[2]uint64](s, uintptr(tab))
	if h[0] != inter || h[1] != concrete || *get[uint32](s, uintptr(tab)+16) != get[abiType](s, uintptr(concrete)).hash {
		t.Errorf("itab of %s for %s holds %#x", ct, it, h)
	}
	if ts.ItabType(tab) != ct || ts.ItabInter(tab) != it || ts.Itab(it, ct) != tab {
		t.Errorf("itab of %s for %s is that of %s for %s", ct, it, ts.ItabType(tab), ts.ItabInter(tab))
	}
	u := it.Underlying().(*types.Interface)
	for i := range u.NumMethods() {
		fn := u.Method(i)
		k := ts.ItabMethod(it, fn)
		text := *get[uint64](s, uintptr(tab)+ItabFun+8*uintptr(k))
		if name := ts.funcs.(*testFuncs).texts[text>>8-1]; name != fn.Name() {
			t.Errorf("itab of %s for %s: method %d is %s, not %s", ct, it, k, name, fn.Name())
		}
	}
}

// TestMadeTypesAreThoseOfTheProgram makes types as reflect does and expects those of the program.
func TestMadeTypesAreThoseOfTheProgram(t *testing.T) {
	ts, m, _ := newTypes()
	seen := pairTypes(t, ts, m)
	back := map[reflect.Type]mem.Addr{}
	for o, rt := range seen {
		back[rt] = o
	}
	for o, rt := range seen {
		if rt.Name() != "" {
			continue
		}
		elem := func() mem.Addr { return back[rt.Elem()] }
		list := func(n int, f func(int) reflect.Type) (l []mem.Addr) {
			for i := range n {
				l = append(l, back[f(i)])
			}
			return l
		}
		var got mem.Addr
		switch rt.Kind() {
		case reflect.Pointer:
			got = ts.PtrTo(elem())
		case reflect.Slice:
			got = ts.SliceOf(elem())
		case reflect.Array:
			got = ts.ArrayOf(int64(rt.Len()), elem())
		case reflect.Chan:
			got = ts.ChanOf(int(rt.ChanDir()), elem())
		case reflect.Map:
			got = ts.MapOf(back[rt.Key()], elem())
		case reflect.Func:
			got = ts.FuncOf(list(rt.NumIn(), rt.In), list(rt.NumOut(), rt.Out), rt.IsVariadic())
		case reflect.Struct:
			var fields []Field
			for i := range rt.NumField() {
				f := rt.Field(i)
				fields = append(fields, Field{f.Name, f.PkgPath, string(f.Tag), back[f.Type], f.Anonymous})
			}
			var odd string
			if got, odd = ts.StructOf(fields, func(string) bool { return true }); odd != "" {
				continue // the source has it, with methods
			}
		default:
			continue
		}
		if got != o {
			t.Errorf("%s was made again", rt)
		}
	}
}

func TestOffsets(t *testing.T) {
	ts, m, _ := newTypes()
	ts.Of(types.Typ[types.Int])
	for _, off := range []int32{0, -1, -2, 3, 1 << 20, 1<<20 | 1, 1<<20 | 2} {
		if got := ts.TypeOff(off); got != 0 {
			t.Errorf("TypeOff(%d) = %#x", off, got)
		}
	}
	o := m.Alloc(mem.Init, 8, nil)
	off := ts.AddReflectOff(o.Base)
	if off >= -1 || ts.AddReflectOff(o.Base) != off || ts.TypeOff(off) != o.Base || ts.Name(off) != o.Base {
		t.Errorf("AddReflectOff = %d", off)
	}
	if a, b := ts.Of(types.Universe.Lookup("byte").Type()), ts.Of(types.Typ[types.Uint8]); a != b {
		t.Errorf("byte is not uint8")
	}
	if ts.TypeAt(o.Base) != nil || ts.TypeAt(0) != nil || ts.ItabType(ts.Of(types.Typ[types.Int])) != nil {
		t.Errorf("types where there are none")
	}
}
