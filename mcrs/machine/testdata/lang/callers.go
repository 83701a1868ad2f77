package main

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
)

// Names, files and lines of callers, as the compiler records them.

//go:noinline
func where() {
	pcs := make([]uintptr, 20)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "main.") {
			fmt.Println(f.Function, filepath.Base(f.File), f.Line)
		}
		if !more {
			break
		}
	}
	_, file, line, ok := runtime.Caller(1)
	fmt.Println(filepath.Base(file), line, ok)
}

type T struct{ n int }

//go:noinline
func (t T) Value() { where() }

//go:noinline
func (t *T) Pointer() { func() { where() }() }

type S[X any] struct{ x X }

//go:noinline
func (s S[X]) Generic() { where() }

//go:noinline
func generic[X any](x X) { func() { where() }() }

type I interface{ Value() }

type Outer struct{ T }

var initialised = func() int { where(); return 1 }()

func init() { where() }

func main() {
	where()
	func() {
		func() { where() }()
		defer func() { where() }()
	}()
	t := &T{1}
	t.Value()
	t.Pointer()
	f := t.Value
	f()
	I(t).Value()
	Outer{}.Value()
	S[int]{}.Generic()
	generic("x")
	for range func(yield func() bool) { yield() } {
		where()
	}
	defer func() {
		recover()
		where()
	}()
	name := func(f any) string {
		pc := runtime.FuncForPC(pcOf(f))
		return pc.Name()
	}
	fmt.Println(name(t.Value), name(func() {}), name(where), name((*T).Pointer), name(T.Value))
	entries()
	relative()
	twins()
	var p *T
	fmt.Println(p.n)
}

func pcOf(f any) uintptr {
	switch f := f.(type) {
	case func():
		return reflect.ValueOf(f).Pointer()
	case func(*T):
		return reflect.ValueOf(f).Pointer()
	case func(T):
		return reflect.ValueOf(f).Pointer()
	}
	return 0
}

// entries is where functions begin.
func entries() {
	show := func(f any) {
		pc := at(f)
		fn := runtime.FuncForPC(pc)
		file, line := fn.FileLine(fn.Entry())
		fmt.Println(fn.Name(), filepath.Base(file), line, fn.Entry() == pc)
	}
	show(where)
	show(entries)
	show(T.Value)
	show(T{}.Value)
	show(func() {

		where()
	})
	pc, _, _, _ := runtime.Caller(0)
	fn := runtime.FuncForPC(pc)
	fmt.Println(fn.Entry() < pc, fn.Entry() == at(entries))
	defer func() { fmt.Println(recover()) }()
	fmt.Println((*runtime.Func)(nil).Entry())
}

func relative() {
//line grammar.y:100
	_, file, line, _ := runtime.Caller(0)
	fmt.Println(file, line)
//line /abs/grammar.y:7
	_, file, line, _ = runtime.Caller(0)
	fmt.Println(file, line)
}

func at(f any) uintptr { return reflect.ValueOf(f).Pointer() }

type U struct{ n int }

func (U) Value() {}

func perPlace[A any](s S[A]) bool { return at(s.Generic) == at(s.Generic) }

func sameType[A any](t *T) (bool, bool) {
	return at(t.Pointer) == at((&T{}).Pointer), at((*T).Pointer) == at((*T).Pointer)
}

func ofArgument[A I](a A) (value, expr bool) {
	return at(a.Value) == at(a.Value), at(A.Value) == at(A.Value)
}

// twins prints which method values and method expressions have one address.
func twins() {
	a, b := &T{1}, &T{2}
	var i, j I = a, U{}
	var o Outer
	fmt.Println("values", at(a.Pointer) == at(b.Pointer), at(a.Value) == at(b.Value), at(i.Value) == at(j.Value), at(o.Value) == at(a.Value))
	fmt.Println("no twins", at(i.Value) == at(a.Value), at(a.Value) == at(T.Value), at(T.Value) == at(U.Value), at(T.Value) == at((*T).Value), at(Outer.Value) == at(T.Value))
	fmt.Println("expressions", at(T.Value) == at(T.Value), at((*T).Value) == at((*T).Value), at((*T).Pointer) == at((*T).Pointer), at(Outer.Value) == at(Outer.Value), at(I.Value) == at(I.Value))
	for _, v := range []struct{ of, expr any }{{a, (*T).Value}, {*a, T.Value}, {o, Outer.Value}} {
		m, _ := reflect.TypeOf(v.of).MethodByName("Value")
		fmt.Println("of reflect", m.Func.Pointer() == at(v.expr))
	}
	fmt.Println("generic", at(S[int]{}.Generic) == at(S[int]{}.Generic), at(S[int].Generic) == at(S[int].Generic), at(S[int]{}.Generic) == at(S[string]{}.Generic), perPlace(S[int]{}))
	fmt.Println(sameType[int](a))
	fmt.Println(ofArgument(*a))
}
