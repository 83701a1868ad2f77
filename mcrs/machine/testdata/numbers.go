package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"unique"
)

func main() {}

// first has other goroutines than second has, and the same names of goroutines among them.
func first() {
	done := make(chan int)
	go func() {
		go func() { done <- 1 }()
	}()
	<-done
	go func() { done <- 2 }()
	<-done
	unique.Make("first")
	f := func() { strings.ToUpper("a") }
	f()
	generic(1.5)
	fmt.Println(runtime.Caller(0))
}

func generic[X any](X) {}

type shape struct{ side int }

func (shape) area() {}

// second prints an address in each of its goroutines' memory, and that of a handle.
func second() {
	done := make(chan *int)
	go func() { done <- new(int) }()
	fmt.Printf("%p\n", <-done)
	go func() { done <- new(int) }()
	fmt.Printf("%p\n", <-done)
	fmt.Printf("%v\n", unique.Make("second"))
	x := 0
	fmt.Printf("%p %p %p %p %p %p\n", second, func() {}, func() { x++ }, shape.area, shape{}.area, generic[string])
	pc, _, line, _ := runtime.Caller(0)
	at, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	fmt.Printf("%#x %t %s\n", pc, at.Line == line, runtime.FuncForPC(pc-1).Name())
	fmt.Printf("%s", debug.Stack())
}
