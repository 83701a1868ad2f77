// What an initialiser that starts a goroutine prints, it prints once.
package main

import "fmt"

func init() {
	c := make(chan int)
	fmt.Println("before")
	go func() { fmt.Println("in"); c <- 1 }()
	<-c
	fmt.Println("after")
}

func init() {
	c := make(chan int)
	go func() { c <- 1 }()
	println("second", <-c)
}

func main() { fmt.Println("main") }
