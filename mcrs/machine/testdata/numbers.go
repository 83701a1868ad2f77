package main

import (
	"fmt"
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
}

// second prints an address in each of its goroutines' memory, and that of a handle.
func second() {
	done := make(chan *int)
	go func() { done <- new(int) }()
	fmt.Printf("%p\n", <-done)
	go func() { done <- new(int) }()
	fmt.Printf("%p\n", <-done)
	fmt.Printf("%v\n", unique.Make("second"))
}
