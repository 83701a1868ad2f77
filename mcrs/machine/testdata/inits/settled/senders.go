// INIT1: which of two goroutines sends first is not said.
package main

var found []int

func init() {
	c, done := make(chan int, 3), make(chan bool)
	go func() { c <- 1; c <- 2; done <- true }()
	c <- 3
	<-done
	for range 3 {
		found = append(found, <-c)
	}
}

func main() {
	if len(found) != 3 {
		panic("the initialiser has not run, or more than once")
	}
	found = append(found, 0) // each execution begins anew
}
