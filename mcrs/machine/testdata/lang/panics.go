package main

import (
	"errors"
	"fmt"
)

// The texts of run-time errors, and which of them are runtime.Errors.

type thing struct {
	a int
	f func()
}

type stringer struct{}

func (stringer) String() string { return "S!" }

var nilStringer fmt.Stringer = (*stringer)(nil)

func try(name string, f func()) {
	defer func() {
		switch r := recover().(type) {
		case interface {
			error
			RuntimeError()
		}:
			fmt.Println(name, "runtime:", r)
		case error:
			fmt.Println(name, "error:", r)
		default:
			fmt.Printf("%s value: %v\n", name, r)
		}
	}()
	f()
}

func main() {
	var (
		m   map[string]int
		p   *thing
		s   []int
		arr [4]int
		big uint64 = 1<<64 - 1
		z          = 0
		i          = 10
	)
	try("nil map", func() { m["a"] = 1 })
	try("nil pointer", func() { _ = p.a })
	try("index", func() { _ = s[i] })
	try("negative index", func() { _ = arr[z-1] })
	try("unsigned index", func() { _ = arr[big] })
	try("unsigned index of a slice", func() { s[big] = 1 })
	try("divide", func() { _ = 1 / z })
	try("remainder", func() { _ = uint8(1) % uint8(z) })
	try("slice", func() { _ = s[i:] })
	try("slice of an array", func() { _ = arr[i:] })
	try("slice, negative", func() { _ = arr[z-3:] })
	try("slice, high negative", func() { _ = arr[:z-3] })
	try("slice, unsigned", func() { _ = arr[:big] })
	try("slice, three", func() { _ = s[z:i:i] })
	try("slice, three, high", func() { _ = arr[z : i-5 : i-7] })
	try("slice, three, low", func() { _ = arr[i-6 : i-7 : i-7] })
	try("string index", func() { _ = "abc"[i] })
	try("string slice", func() { _ = "abc"[i:] })
	try("string slice, low", func() { _ = "abc"[i-8 : z] })
	try("to array", func() { _ = [4]int(s) })
	try("hash", func() { x := map[any]int{}; x[[]int{}] = 1 })
	try("hash, empty map", func() { x := map[any]int{}; _ = x[thing{}] })
	try("compare structs", func() { var a, b any = thing{}, thing{}; _ = a == b })
	try("compare slices", func() { var a, b any = []int{}, []int{}; _ = a == b })
	try("compare arrays", func() { var a, b any = [2]func(){}, [2]func(){}; _ = a == b })
	try("assert", func() { var a any = 1; _ = a.(string) })
	try("assert, missing method", func() { var a any = 1; _ = a.(fmt.Stringer) })
	try("assert, nil", func() { var a any; _ = a.(fmt.Stringer) })
	try("assert, nil to concrete", func() { var a fmt.Stringer; _ = a.(stringer) })
	try("assert, interface", func() { var a fmt.Stringer = stringer{}; _ = a.(error) })
	try("shift", func() { _ = 1 << (z - 1) })
	try("make, length", func() { _ = make([]int, z-1) })
	try("make, capacity", func() { _ = make([]int, 1, z) })
	try("make, constant capacity", func() { _ = make([]int, i, 3) })
	try("slice of a variable with the name that go/ssa gives to what make allocates", func() { var makeslice [3]int; _ = makeslice[:i] })
	try("make chan", func() { _ = make(chan int, z-1) })
	try("close nil", func() { var c chan int; close(c) })
	try("close closed", func() { c := make(chan int); close(c); close(c) })
	try("send on closed", func() { c := make(chan int); close(c); c <- 1 })
	try("nil function", func() { var f func(); f() })
	try("nil interface", func() { var f error; _ = f.Error() })
	try("panic(nil)", func() { panic(nil) })
	try("error", func() { panic(errors.New("x")) })
	try("value method of nil", func() { _ = nilStringer.String() })
	try("far field of nil", func() {
		var q *struct {
			pad [1 << 20]byte
			x   int
		}
		q.x = 1
	})
	try("append overflow", func() { s := make([]struct{}, int(^uint(0)>>1)); _ = append(s, struct{}{}) })
}
