package rtype

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file compares Equal, AppendKey and Hash with the compiler's == and maps, on random values.

// values makes random native values and puts them into memory.
type values struct {
	*rand.Rand
	ts   *Types
	m    *mem.Memory
	back map[reflect.Type]mem.Addr
	all  []reflect.Type
	impl map[reflect.Type][]reflect.Type
	ptrs map[reflect.Type][]unsafe.Pointer
}

// make sets the value of type rt at p.
func (v *values) make(rt reflect.Type, p unsafe.Pointer, depth int) {
	switch rt.Kind() {
	case reflect.Bool:
		*(*bool)(p) = v.IntN(2) == 0
	case reflect.Float32:
		*(*float32)(p) = v.float32()
	case reflect.Float64:
		*(*float64)(p) = float64(v.float32())
	case reflect.Complex64:
		*(*complex64)(p) = complex(v.float32(), v.float32())
	case reflect.Complex128:
		*(*complex128)(p) = complex(float64(v.float32()), float64(v.float32()))
	case reflect.String:
		*(*string)(p) = strings.Clone([]string{"", "a", "b", "ab", "\x00"}[v.IntN(5)])
	case reflect.Array:
		for i := range rt.Len() {
			v.make(rt.Elem(), unsafe.Add(p, uintptr(i)*rt.Elem().Size()), depth)
		}
	case reflect.Struct:
		for i := range rt.NumField() {
			f := rt.Field(i)
			v.make(f.Type, unsafe.Add(p, f.Offset), depth)
		}
	case reflect.Interface:
		x := reflect.NewAt(rt, p).Elem()
		x.SetZero()
		impl := v.impls(rt)
		if len(impl) > 0 && depth > 0 && v.IntN(4) > 0 {
			dt := impl[v.IntN(min(len(impl), 1<<v.IntN(10)))]
			d := reflect.New(dt)
			v.make(dt, d.UnsafePointer(), depth-1)
			x.Set(d.Elem())
		}
	case reflect.Pointer, reflect.UnsafePointer:
		pool := v.ptrs[rt]
		if pool == nil {
			for range 2 {
				e := reflect.TypeFor[int]()
				if rt.Kind() == reflect.Pointer {
					e = rt.Elem()
				}
				pool = append(pool, reflect.New(e).UnsafePointer())
			}
			v.ptrs[rt] = append(pool, nil)
		}
		*(*unsafe.Pointer)(p) = v.ptrs[rt][v.IntN(3)]
	case reflect.Chan, reflect.Slice, reflect.Map, reflect.Func:
		reflect.NewAt(rt, p).Elem().SetZero()
	default:
		b := unsafe.Slice((*byte)(p), rt.Size())
		clear(b)
		b[v.IntN(len(b))] = byte(v.IntN(2))
	}
}

func (v *values) float32() float32 {
	return []float32{0, float32(math.Copysign(0, -1)), 1, -1, float32(math.NaN()), float32(math.Inf(1)), 2, 2, 2, 2}[v.IntN(10)]
}

func (v *values) impls(it reflect.Type) []reflect.Type {
	l, ok := v.impl[it]
	if !ok {
		for _, rt := range v.all {
			if rt.Kind() != reflect.Interface && rt.Size() <= 1024 && rt.Implements(it) {
				l = append(l, rt)
			}
		}
		v.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] })
		v.impl[it] = l
	}
	return l
}

// put copies the value of type rt at p to dst, as the machine has it. Padding is rubbish.
func (v *values) put(rt reflect.Type, dst, p unsafe.Pointer) {
	switch rt.Kind() {
	case reflect.String:
		s := *(*string)(p)
		*(*stringHeader)(dst) = stringHeader{v.m.AllocStatic("string "+s, []byte(s)), uint64(len(s))}
	case reflect.Array:
		for i := range uintptr(rt.Len()) {
			off := i * rt.Elem().Size()
			v.put(rt.Elem(), unsafe.Add(dst, off), unsafe.Add(p, off))
		}
	case reflect.Struct:
		for i := range rt.NumField() {
			f := rt.Field(i)
			v.put(f.Type, unsafe.Add(dst, f.Offset), unsafe.Add(p, f.Offset))
		}
	case reflect.Interface:
		x := reflect.NewAt(rt, p).Elem().Elem()
		h := (*ifaceHeader)(dst)
		*h = ifaceHeader{}
		if !x.IsValid() {
			return
		}
		dt := x.Type()
		c := reflect.New(dt)
		c.Elem().Set(x)
		ct := v.ts.TypeAt(v.back[dt])
		h.tab = v.back[dt]
		if rt.NumMethod() > 0 {
			h.tab = v.ts.Itab(v.ts.TypeAt(v.back[rt]), ct)
		}
		if v.ts.Direct(ct) {
			v.put(dt, unsafe.Pointer(&h.data), c.UnsafePointer())
			return
		}
		h.data = v.store(dt, c.UnsafePointer())
	default:
		copy(unsafe.Slice((*byte)(dst), rt.Size()), unsafe.Slice((*byte)(p), rt.Size()))
	}
}

func (v *values) store(rt reflect.Type, p unsafe.Pointer) mem.Addr {
	o := v.m.Alloc(mem.Init, uint64(rt.Size()), nil)
	for i := range o.Bytes() {
		o.Bytes()[i] = byte(v.Uint32())
	}
	v.put(rt, o.Data(), p)
	return o.Base
}

// try returns what f returns, or its panic.
func try[T any](f func() T) (v T, msg string) {
	defer func() {
		if r := recover(); r != nil {
			msg = fmt.Sprint(r)
		}
	}()
	return f(), ""
}

func TestEqualityIsThatOfTheCompiler(t *testing.T) {
	ts, m, _ := newTypes()
	seen := pairTypes(t, ts, m)
	v := &values{Rand: rand.New(rand.NewPCG(1, 2)), ts: ts, m: m, back: map[reflect.Type]mem.Addr{},
		impl: map[reflect.Type][]reflect.Type{}, ptrs: map[reflect.Type][]unsafe.Pointer{}}
	for o, rt := range seen {
		v.back[rt] = o
	}
	addrs := make([]mem.Addr, 0, len(seen))
	for o := range seen {
		addrs = append(addrs, o)
	}
	slices.Sort(addrs)
	for _, o := range addrs {
		v.all = append(v.all, seen[o])
	}
	native := nativeSide()
	equals, panics, nans := 0, 0, 0
	for _, o := range addrs {
		rt, ty := seen[o], ts.TypeAt(o)
		if !rt.Comparable() || rt.Size() > 4096 {
			continue
		}
		equal := *get[func(p, q unsafe.Pointer) bool](native, nativeAddr(rt)+offEqual)
		for round := range 60 {
			x, y := reflect.New(rt), reflect.New(rt)
			seed := v.Uint64()
			fresh := func(p unsafe.Pointer) {
				old := v.Rand
				v.Rand = rand.New(rand.NewPCG(seed, 0))
				v.make(rt, p, 3)
				v.Rand = old
			}
			fresh(x.UnsafePointer())
			if round%3 > 0 {
				seed = v.Uint64()
			}
			fresh(y.UnsafePointer()) // every third time the same
			ax, ay := v.store(rt, x.UnsafePointer()), v.store(rt, y.UnsafePointer())
			want, wantPanic := try(func() bool { return equal(x.UnsafePointer(), y.UnsafePointer()) })
			got, pt := ts.Equal(ty, ax, ay)
			gotPanic := ""
			if pt != nil {
				gotPanic = "runtime error: comparing uncomparable type " + ts.Str(pt)
			}
			if got != want || gotPanic != wantPanic {
				t.Fatalf("%s: %#v == %#v: got %v %s, want %v %s", rt, x.Elem(), y.Elem(), got, gotPanic, want, wantPanic)
			}
			at, _ := ts.EqualAt(ty, m.At(ax, uint64(rt.Size())), m.At(ay, uint64(rt.Size())))
			if at != got {
				t.Fatalf("%s: EqualAt differs", rt)
			}

			key := func(v reflect.Value, a mem.Addr) (string, bool, bool) {
				_, wantPanic := try(func() bool { return mapAny(v.Interface()) })
				k, nan, pt := ts.AppendKey([]byte("x"), ty, a)
				gotPanic := ""
				if pt != nil {
					gotPanic = "runtime error: hash of unhashable type " + ts.Str(pt)
				}
				if gotPanic != wantPanic {
					t.Fatalf("%s: hash of %#v: got %q, want %q", rt, v, gotPanic, wantPanic)
				}
				if pt == nil {
					if p := v.Addr().UnsafePointer(); equal(p, p) == nan {
						t.Fatalf("%s: NaN in %#v: %v", rt, v, nan)
					}
				}
				return string(k), nan, pt == nil
			}
			kx, nan, ok1 := key(x.Elem(), ax)
			ky, _, ok2 := key(y.Elem(), ay)
			if !ok1 || !ok2 {
				panics++
				continue
			}
			if nan {
				nans++
				continue
			}
			if (kx == ky) != want {
				t.Fatalf("%s: keys of %#v and %#v: %q and %q", rt, x.Elem(), y.Elem(), kx, ky)
			}
			if want {
				equals++
				h1, _ := ts.Alg(ty).Hash(m.At(ax, uint64(rt.Size())), seed)
				h2, _ := ts.Alg(ty).Hash(m.At(ay, uint64(rt.Size())), seed)
				if h1 != h2 {
					t.Fatalf("%s: equal values hash differently", rt)
				}
			}
		}
	}
	t.Logf("%d equal pairs, %d unhashable, %d with NaN", equals, panics, nans)
}

// mapAny makes a lookup hash its key; one in an empty map has another message ("hash of unhashable type: T").
func mapAny(x any) bool { return map[any]bool{1: true, 2: true}[x] }

// TestKeyPrefix: no encoding of a string is the start of another's, so encodings may stand side by side.
func TestKeyPrefix(t *testing.T) {
	ts, m, _ := newTypes()
	v := &values{ts: ts, m: m}
	var keys [][]byte
	for _, s := range [][2]string{{"", "ab"}, {"a", "b"}, {"ab", ""}, {"\x01a", "b"}} {
		var h [2]stringHeader
		v.put(reflect.TypeFor[[2]string](), unsafe.Pointer(&h), unsafe.Pointer(&s))
		rt := ts.ArrayOf(2, ts.Of(stringType))
		k, _, _ := ts.AppendKeyAt(nil, ts.TypeAt(rt), unsafe.Pointer(&h))
		for _, other := range keys {
			if bytes.Equal(k, other) {
				t.Errorf("%q has the key of another", s)
			}
		}
		keys = append(keys, k)
	}
}

func TestBadAddr(t *testing.T) {
	ts, _, _ := newTypes()
	h := stringHeader{1 << 40, 3}
	defer func() {
		if r, ok := recover().(BadAddr); !ok || r.Addr != 1<<40 || r.Size != 3 {
			t.Errorf("got %v", r)
		}
	}()
	ts.AppendKeyAt(nil, stringType, unsafe.Pointer(&h))
}
