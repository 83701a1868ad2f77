package main

import (
	"fmt"
	"runtime/debug"
	"strings"
)

// Which recover sees which panic, and what runs after one.

func named() (r int, err error) {
	defer func() { r *= 2 }()
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("recovered %v", e)
		}
	}()
	r = 21
	panic("p")
}

func unnamed() int {
	defer func() { recover() }()
	panic("p")
}

func after() { // what was deferred before the one that recovers still runs
	defer fmt.Println("first")
	for i := range 2 {
		defer func() { fmt.Println("recover", i, recover()) }()
	}
	panic("x")
}

func helper() any { return recover() }

func deferRecover() {
	defer func() { fmt.Println("outer", recover()) }()
	func() {
		defer func() { fmt.Println("not by a helper", helper()) }()
		defer func() { defer fmt.Println("then", recover()) }()
		panic(1)
	}()
	func() {
		defer func() { defer recover() }() // as if called by the function that returns
		panic(2)
	}()
	defer recover() // called by the panic: it does not recover
	panic(3)
}

func nested() {
	defer func() { fmt.Println("outer sees", recover()) }()
	defer func() {
		defer func() { fmt.Println("inner sees", recover()) }()
		panic("second")
	}()
	panic("first")
}

func replaced() {
	defer func() { fmt.Println("only the newest", recover()); fmt.Println("and no other", recover()) }()
	defer func() { panic("second") }()
	panic("first")
}

type val struct{ n int }

func (v val) M()  { fmt.Println("method", v.n, recover()) }
func (v *val) P() { fmt.Println("pointer method", v.n, recover()) }

func methods() {
	func() {
		var i interface{ M() } = &val{1} // through a wrapper
		defer i.M()
		panic("wrapped")
	}()
	func() {
		f := (&val{2}).M
		defer f()
		panic("bound")
	}()
	func() {
		v := val{3}
		defer v.P()
		panic("direct")
	}()
}

func yield3(f func(int) bool) { _ = f(1) && f(2) && f(3) }

func loops() (n int) {
	for i := range yield3 {
		for j := range yield3 {
			defer func() { n = n*10 + i*j%10 }()
		}
	}
	return 0
}

func loopRecover() (s string) {
	defer func() { s += " end" }()
	for i := range yield3 {
		defer func() {
			if r := recover(); r != nil {
				s = fmt.Sprint("body ", i, " ", r)
			}
		}()
		if i == 2 {
			panic("in the loop")
		}
	}
	return "none"
}

// stack prints what parsers of stacks look for behind a panic.
func stack() {
	defer func() {
		recover()
		_, rest, ok := strings.Cut(string(debug.Stack()), "\npanic(")
		_, rest, file := strings.Cut(rest, "/runtime/panic.go:")
		_, rest, _ = strings.Cut(rest, "\n")
		name, _, _ := strings.Cut(rest, "(")
		fmt.Println(ok, file, name)
	}()
	panic("p")
}

func main() {
	stack()
	fmt.Println(named())
	fmt.Println(unnamed())
	after()
	deferRecover()
	nested()
	replaced()
	methods()
	fmt.Println(loops())
	fmt.Println(loopRecover())
}
