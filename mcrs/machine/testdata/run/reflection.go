package main

import (
	"fmt"
	"reflect"
	"sort"
	"strings"
	"unsafe"
)

type point struct{ X, Y int }

func (p point) Sum() int                         { return p.X + p.Y }
func (p *point) Scale(k int, s ...string) string { p.X *= k; p.Y *= k; return strings.Join(s, "+") }

type shape interface {
	Area(scale float64) (float64, error)
}

type square float32

func (s square) Area(scale float64) (float64, error) { return float64(s) * float64(s) * scale, nil }

type one struct{ p *int }

func (o one) Get() int { return *o.p }

func try(name string, f func()) {
	defer func() {
		if e := recover(); e != nil {
			fmt.Println(name, "panics:", e)
		}
	}()
	f()
}

func many(a int8, b string, c float32, d [3]uint16, e struct{}, f any, g complex64, h ...bool) (bool, [3]uint16, string, complex64, any, float32) {
	return len(h) == 2, d, b, g, f, c + float32(a)
}

func calls() {
	out := reflect.ValueOf(many).Call([]reflect.Value{
		reflect.ValueOf(int8(-3)), reflect.ValueOf("b"), reflect.ValueOf(float32(1.5)), reflect.ValueOf([3]uint16{1, 2, 3}),
		reflect.ValueOf(struct{}{}), reflect.ValueOf(point{1, 2}), reflect.ValueOf(complex64(1 + 2i)), reflect.ValueOf(true), reflect.ValueOf(false),
	})
	for _, v := range out {
		fmt.Print(v.Type(), " ", v.Interface(), "; ")
	}
	fmt.Println()
	p := &point{1, 2}
	v := reflect.ValueOf(p)
	fmt.Println(v.MethodByName("Sum").Call(nil)[0], v.MethodByName("Scale").Call([]reflect.Value{reflect.ValueOf(3), reflect.ValueOf("a"), reflect.ValueOf("b")})[0], *p)
	fmt.Println(v.Method(0).Interface().(func(int, ...string) string)(2, "z"), *p)
	f := v.Elem().MethodByName("Sum").Interface().(func() int)
	p.X = 100
	fmt.Println(f(), v.Elem().Method(0).Call(nil)[0])
	m, _ := reflect.TypeOf(point{}).MethodByName("Sum")
	fmt.Println(m.Name, m.Type, m.Func.Call([]reflect.Value{reflect.ValueOf(point{5, 6})})[0])
	var s shape = square(2)
	sv := reflect.ValueOf(&s).Elem()
	r := sv.Method(0).Call([]reflect.Value{reflect.ValueOf(2.0)})
	fmt.Println(r[0], r[1].IsNil(), reflect.ValueOf(s).Method(0).Type())
	n := 7
	fmt.Println(reflect.ValueOf(one{&n}).Method(0).Call(nil)[0], reflect.ValueOf(one{&n}).Method(0).Interface().(func() int)())
	try("call", func() { reflect.ValueOf(func() { panic("inside") }).Call(nil) })
	try("few", func() { reflect.ValueOf(many).Call(nil) })
	try("type", func() { reflect.ValueOf(strings.ToUpper).Call([]reflect.Value{reflect.ValueOf(1)}) })
}

func made() {
	swap := func(in []reflect.Value) []reflect.Value { return []reflect.Value{in[1], in[0]} }
	var f func(int8, string) (string, int8)
	reflect.ValueOf(&f).Elem().Set(reflect.MakeFunc(reflect.TypeOf(f), swap))
	fmt.Println(f(-4, "x"))
	var g func(float32, [2]string, ...int) (float64, error)
	reflect.ValueOf(&g).Elem().Set(reflect.MakeFunc(reflect.TypeOf(g), func(in []reflect.Value) []reflect.Value {
		sum := in[0].Float() + float64(in[1].Len()+in[2].Len())
		return []reflect.Value{reflect.ValueOf(sum), reflect.Zero(reflect.TypeFor[error]())}
	}))
	fmt.Println(g(1.5, [2]string{"a", "b"}, 1, 2, 3))
	try("made", func() {
		reflect.MakeFunc(reflect.TypeFor[func()](), func([]reflect.Value) []reflect.Value { panic("in made") }).Call(nil)
	})
	try("wrong", func() {
		var h func() int
		h = reflect.MakeFunc(reflect.TypeOf(h), func([]reflect.Value) []reflect.Value { return nil }).Interface().(func() int)
		h()
	})
}

func maps() {
	m := map[string][]int{"a": {1}, "b": {2, 2}}
	v := reflect.ValueOf(m)
	v.SetMapIndex(reflect.ValueOf("c"), reflect.ValueOf([]int{3, 3, 3}))
	v.SetMapIndex(reflect.ValueOf("a"), reflect.Value{})
	keys := v.MapKeys()
	sort.Slice(keys, func(i, j int) bool { return keys[i].String() < keys[j].String() })
	for _, k := range keys {
		fmt.Print(k, v.MapIndex(k), " ")
	}
	n := 0
	for it := v.MapRange(); it.Next(); {
		n += it.Value().Len() * len(it.Key().String())
	}
	fmt.Println(v.Len(), n, v.MapIndex(reflect.ValueOf("zz")).IsValid())
	type key struct {
		a int
		s string
	}
	mt := reflect.MapOf(reflect.TypeFor[key](), reflect.TypeFor[any]())
	w := reflect.MakeMap(mt)
	w.SetMapIndex(reflect.ValueOf(key{1, "x"}), reflect.ValueOf(2.5))
	fmt.Println(mt, w, w.Interface().(map[key]any)[key{1, "x"}])
	w.Clear()
	fmt.Println(w.Len())
	try("nil map", func() { reflect.Zero(mt).SetMapIndex(reflect.ValueOf(key{}), reflect.ValueOf(1)) })
	try("unhashable", func() {
		reflect.MakeMap(reflect.TypeFor[map[any]int]()).SetMapIndex(reflect.ValueOf([]int{}), reflect.ValueOf(1))
	})
	try("bad key", func() { reflect.MapOf(reflect.TypeFor[[]int](), reflect.TypeFor[int]()) })
	it := reflect.ValueOf(map[int8]bool{-1: true}).MapRange()
	it.Next()
	k := reflect.New(reflect.TypeFor[int8]()).Elem()
	k.SetIterKey(it)
	fmt.Println(k, it.Value(), it.Next())
}

func channels() {
	c := reflect.MakeChan(reflect.ChanOf(reflect.BothDir, reflect.TypeFor[string]()), 2)
	c.Send(reflect.ValueOf("one"))
	fmt.Println(c.TrySend(reflect.ValueOf("two")), c.TrySend(reflect.ValueOf("three")), c.Len(), c.Cap())
	x, ok := c.Recv()
	fmt.Println(x, ok)
	d := make(chan int16)
	go func() { d <- -9 }()
	i, v, ok := reflect.Select([]reflect.SelectCase{
		{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(d)},
		{Dir: reflect.SelectRecv, Chan: reflect.ValueOf((chan int)(nil))},
	})
	fmt.Println(i, v, ok)
	c.Close()
	for range 2 {
		x, ok = c.TryRecv()
		fmt.Printf("%q %v\n", x, ok)
	}
	i, _, _ = reflect.Select([]reflect.SelectCase{
		{Dir: reflect.SelectSend, Chan: reflect.ValueOf(d), Send: reflect.ValueOf(int16(1))},
		{Dir: reflect.SelectDefault},
	})
	fmt.Println(i)
	try("closed", func() { c.Send(reflect.ValueOf("no")) })
}

func constructed() {
	st := reflect.StructOf([]reflect.StructField{
		{Name: "A", Type: reflect.TypeFor[int8](), Tag: `json:"a"`},
		{Name: "B", Type: reflect.SliceOf(reflect.ArrayOf(2, reflect.TypeFor[string]()))},
	})
	v := reflect.New(st).Elem()
	v.Field(0).SetInt(5)
	v.Field(1).Set(reflect.Append(v.Field(1), reflect.ValueOf([2]string{"x", "y"})))
	fmt.Printf("%v %+v %s\n", st, v, st.Field(0).Tag.Get("json"))
	_, same := v.Addr().Interface().(*struct {
		A int8 `json:"a"`
		B [][2]string
	})
	fmt.Println(same, reflect.PointerTo(reflect.PointerTo(st)).Elem().Elem() == st)
	ft := reflect.FuncOf([]reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[[]string]()}, []reflect.Type{reflect.TypeFor[error]()}, true)
	fmt.Println(ft, ft == reflect.TypeFor[func(int, ...string) error](), ft.IsVariadic())
	try("dup", func() {
		reflect.StructOf([]reflect.StructField{{Name: "A", Type: st}, {Name: "A", Type: st}})
	})
	try("len", func() { reflect.ArrayOf(-1, st) })
	s := reflect.MakeSlice(reflect.TypeFor[[]point](), 1, 2)
	s = reflect.AppendSlice(s, reflect.ValueOf([]point{{3, 4}, {5, 6}}))
	s.Index(0).Field(0).SetInt(9)
	fmt.Println(s, reflect.Copy(s, s.Slice(1, 3)), s, reflect.DeepEqual(s.Interface(), []point{{3, 4}, {5, 6}, {5, 6}}))
	reflect.Swapper(s.Interface())(0, 1)
	fmt.Println(s, s.Index(0).Comparable(), s.Index(1).Equal(s.Index(1)), reflect.ValueOf(point{}).IsZero())
	try("unaddressable", func() { reflect.ValueOf(point{}).Field(0).SetInt(1) })
	last := unsafe.Pointer(^uintptr(0))
	try("end", func() { reflect.SliceAt(reflect.TypeFor[int](), last, 2) })
	try("nil", func() { reflect.SliceAt(reflect.TypeFor[int](), nil, 1) })
	var e any = square(3)
	_, impl := reflect.TypeOf(e).Method(0), reflect.TypeOf(e).Implements(reflect.TypeFor[shape]())
	fmt.Println(impl, reflect.ValueOf(e).Convert(reflect.TypeFor[int]()), reflect.ValueOf("é").Convert(reflect.TypeFor[[]rune]()))
}

func main() {
	calls()
	made()
	maps()
	channels()
	constructed()
}
