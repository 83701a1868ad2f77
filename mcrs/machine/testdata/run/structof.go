// Struct types that reflect makes, with embedded fields that have methods.
package main

import (
	"fmt"
	"reflect"
)

type Named interface{ Name() string }
type Two interface {
	Zed() int
	Abe(int) string
}
type Impl struct{ n int }

func (i Impl) Name() string     { return "Impl" }
func (i Impl) Zed() int         { return i.n }
func (i Impl) Abe(x int) string { return fmt.Sprint(i.n, x) }

type Big struct{ a, b, c int }

func (b Big) Name() string { return fmt.Sprint("Big", b.a, b.c) }
func (b *Big) Set(x int)   { b.a = x }

func try(what string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Printf("%s: panic %v\n", what, r)
		}
	}()
	f()
}

func show(what string, t reflect.Type, set any) {
	fmt.Println(what, t, t.NumMethod(), t.Kind(), t.Size())
	for i := range t.NumMethod() {
		m := t.Method(i)
		fmt.Println("   ", m.Name, m.Type, m.Index)
	}
	p := reflect.PointerTo(t)
	fmt.Println("  ptr", p, p.NumMethod(), p.Implements(reflect.TypeFor[Named]()), t.Implements(reflect.TypeFor[Named]()), t.Implements(reflect.TypeFor[Two]()))
	v := reflect.New(t).Elem()
	if set != nil {
		v.Field(0).Set(reflect.ValueOf(set))
	}
	try("call", func() {
		n, ok := v.Interface().(Named)
		fmt.Println("  named", ok)
		if ok {
			fmt.Println("  ", n.Name())
		}
	})
	try("ptr", func() {
		n, ok := v.Addr().Interface().(Named)
		fmt.Println("  ptr named", ok)
		if ok {
			fmt.Println("  ", n.Name())
		}
	})
	try("Two", func() {
		n, ok := v.Interface().(Two)
		fmt.Println("  two", ok)
		if ok {
			fmt.Println("  ", n.Abe(7))
		}
	})
	try("value", func() {
		m := v.MethodByName("Name")
		fmt.Println("  method", m.IsValid())
		if m.IsValid() {
			fmt.Println("  ", m.Call(nil))
		}
	})
	try("defer", func() {
		if n, ok := v.Interface().(Two); ok {
			defer n.Abe(3)
		}
	})
	try("method func", func() {
		if m, ok := t.MethodByName("Name"); ok {
			fmt.Println(m.Func.Call([]reflect.Value{v}))
		}
	})
	if what != "*set" {
		try("print", func() { fmt.Printf("%v %T\n", v.Interface(), v.Interface()) })
	}
}

func main() {
	f := func(t reflect.Type) reflect.StructField {
		return reflect.StructField{Anonymous: true, Name: t.Name(), Type: t}
	}
	named := reflect.TypeFor[Named]()
	n := reflect.StructOf([]reflect.StructField{f(named)})
	show("iface", n, Impl{1})
	show("nil", n, nil)
	show("iface and more", reflect.StructOf([]reflect.StructField{f(named), {Name: "X", Type: reflect.TypeFor[int]()}}), Impl{1})
	show("iface second", reflect.StructOf([]reflect.StructField{{Name: "X", Type: reflect.TypeFor[int]()}, f(named)}), 2)
	show("two", reflect.StructOf([]reflect.StructField{f(reflect.TypeFor[Two]())}), Impl{2})
	show("Impl", reflect.StructOf([]reflect.StructField{f(reflect.TypeFor[Impl]())}), Impl{3})
	show("Big", reflect.StructOf([]reflect.StructField{f(reflect.TypeFor[Big]())}), Big{3, 4, 5})
	nested := f(n)
	nested.Name = "N"
	show("nested", reflect.StructOf([]reflect.StructField{nested}), nil)
	show("field", reflect.StructOf([]reflect.StructField{{Name: "N", Type: n}}), nil)
}

type Set struct{ x int }

func (s *Set) Name() string { return "set" }

func init() {
	show("set", reflect.StructOf([]reflect.StructField{{Anonymous: true, Name: "Set", Type: reflect.TypeFor[Set]()}}), Set{4})
	show("second set", reflect.StructOf([]reflect.StructField{{Name: "X", Type: reflect.TypeFor[int]()}, {Anonymous: true, Name: "Set", Type: reflect.TypeFor[Set]()}}), 3)
	show("*set", reflect.StructOf([]reflect.StructField{{Anonymous: true, Name: "Set", Type: reflect.TypeFor[*Set]()}}), &Set{4})
	show("plain", reflect.StructOf([]reflect.StructField{{Anonymous: true, Name: "Plain", Type: reflect.TypeFor[struct{ X int }]()}}), nil)
}

func init() {
	f := func(t reflect.Type) reflect.StructField {
		return reflect.StructField{Anonymous: true, Name: t.Name(), Type: t}
	}
	show("both", reflect.StructOf([]reflect.StructField{f(reflect.TypeFor[Two]()), f(reflect.TypeFor[Named]())}), Impl{2})
	show("other order", reflect.StructOf([]reflect.StructField{f(reflect.TypeFor[Named]()), f(reflect.TypeFor[Two]())}), Impl{2})
	show("*set", reflect.StructOf([]reflect.StructField{{Anonymous: true, Name: "Big", Type: reflect.TypeFor[*Big]()}}), &Big{3, 4, 5})
}
