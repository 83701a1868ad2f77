package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"unique"
	"unsafe"
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

func (shape) Error() string { return "shape" }

// second prints an address in each of its goroutines' memory, that of a handle, and those of what code alone makes:
// constants, the descriptor of a type with numbers that are in it, and what an interface begins with.
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
	var a, b any = map[string]shape{}, 77777
	var e error = shape{}
	typ := *(*unsafe.Pointer)(unsafe.Pointer(&a))
	fmt.Printf("%p %p %#x\n", unsafe.StringData("constant"), typ, *(*[2]uint32)(unsafe.Add(typ, 40)))
	fmt.Printf("%#x %#x\n", *(*[2]uintptr)(unsafe.Pointer(&b)), *(*uintptr)(unsafe.Pointer(&e)))
}

// deep has a goroutine, four go statements away, give system calls memory of its own, and take an address for an int.
func deep() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	done := make(chan int)
	var start func(n int)
	start = func(n int) {
		if n > 0 {
			go start(n - 1)
			return
		}
		out := []byte("written")
		_, err := w.Write(out)
		in := make([]byte, 7)
		r.Read(in)
		fmt.Println(string(in), err, 10+int(uintptr(unsafe.Pointer(&out[0])))%10 >= 10)
		done <- 1
	}
	go start(4)
	<-done
}

// eitherFirst prints addresses that two goroutines make, and goroutines that they start: either may be first.
func eitherFirst() {
	texts := make([]string, 2)
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range texts {
		all.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			var own sync.WaitGroup
			own.Go(func() { texts[i] = fmt.Sprintf("%p", new(int)) })
			own.Wait()
			texts[i] += fmt.Sprintf(" %v", unique.Make(fmt.Sprint("of goroutine ", i)))
			fmt.Print(i)
		})
	}
	all.Wait()
	fmt.Printf(" %q\n", texts)
}
